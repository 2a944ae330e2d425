"""Whether a forest can tell two tables apart, and which columns help it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.forests import forest, votes
from synthpriv_sql.kernels.threads import ProgressCallback


@dataclass(frozen=True, slots=True)
class Told:
    """What a forest says of the records of two tables, out of bag.

    Parameters
    ----------
    scores
        Shape (n,): the mean share of the second table in the leaves; one half where no tree spoke.
    importance
        Shape (columns,): how much of the area under the ROC curve is lost where the column is shuffled; NaN for those
        that no forest asks, and for all where it was not asked for.
    """

    scores: forest.Floats
    importance: forest.Floats


def tell(
    first: Sequence[NDArray[Any]],
    second: Sequence[NDArray[Any]],
    options: forest.Options,
    shuffled: bool = False,
    progress: ProgressCallback | None = None,
) -> Told:
    """Grow a forest that tells the records of one table from those of another.

    Parameters
    ----------
    first, second
        The same columns of both, coded alike: float64 (NaN is missing), or codes (-1 is missing). Neither is empty.
    options
        Seed, trees and threads.
    shuffled
        Whether to ask again with each column shuffled.
    progress
        Called with trees grown, and trees in all.
    """
    table, kept = votes.features([first, second])
    rows, of_first = len(table), len(first[0])
    if not kept:
        # Nothing to tell by; draws of records alone would make the shares of leaves differ.
        return Told(np.full(rows, 0.5), np.full(len(first), np.nan))
    labels = (np.arange(rows) >= of_first).astype(np.int64)
    changed = [_shuffled(table, place, options.seed) for place in range(len(kept))] if shuffled else []
    target = forest.Target(np.arange(rows), labels, np.array([0, of_first]))
    grown = votes.reported(forest.grow(table, target, options, 0), options.trees, progress)
    sums, heard = votes.out_of_bag(grown, [table, *changed], options.threads)
    scores = [np.divide(one, heard, out=np.full(rows, 0.5), where=heard > 0) for one in sums]
    importance = np.full(len(first), np.nan)
    if changed:
        whole = area(scores[0], labels == 1)
        importance[kept] = [whole - area(one, labels == 1) for one in scores[1:]]
    return Told(scores[0], importance)


def _shuffled(table: NDArray[np.float32], place: int, seed: int) -> NDArray[np.float32]:
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(place, 2)))
    changed = table.copy()
    changed[:, place] = random.permutation(changed[:, place])
    return changed


def area(scores: forest.Floats, positive: NDArray[np.bool_]) -> float:
    """The area under the ROC curve, ties one half; neither class is empty."""
    n, m = int(positive.sum()), int((~positive).sum())
    _, ranks, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    return float((middle[ranks[positive]].sum() - n * (n + 1) / 2) / (n * m))


def _of_turn(progress: ProgressCallback, turn: int, turns: int, done: int, total: int) -> None:
    """Tell of one of several forests as of a part of them all."""
    progress(turn * total + done, turns * total)


def errors(
    tables: Sequence[Sequence[NDArray[Any]]],
    holdout: Sequence[NDArray[Any]],
    position: int,
    options: forest.Options,
    progress: ProgressCallback | None = None,
) -> Iterator[forest.Floats]:
    """Predict a column of records that no forest has seen by forests grown on each of several tables.

    Parameters
    ----------
    tables, holdout
        The same columns of each, coded alike as in `tell`.
    position
        The column that is predicted.
    options
        Seed, trees and threads.
    progress
        Called with trees grown for a table, and trees in all of it.

    Yields
    ------
    Shape (n,) for each table, and then for a guess without a forest (the mean, or the most frequent category, of the
    first): the error of each record of the holdout that has a value. Of a number its square over the variance of the
    column there, NaN where that is 0; of a category 0 or 1.
    """
    parts = [*tables, holdout]
    table, _ = votes.features([[c for i, c in enumerate(part) if i != position] for part in parts])
    ends = np.cumsum([len(part[position]) for part in parts])
    truth = holdout[position]
    asked = truth >= 0 if truth.dtype.kind == "i" else ~np.isnan(truth)
    questions = table[ends[-2] :][asked]
    for turn, (part, end) in enumerate(zip(tables, ends, strict=False)):
        column = part[position]
        target = forest.target_of(column)
        grown = forest.grow(table[end - len(column) : end], target, options, 0)
        told = None if progress is None else partial(_of_turn, progress, turn, len(tables))
        said = votes.of_others(votes.reported(grown, options.trees, told), questions, options.threads)
        yield _error(_predicted(said / options.trees, target, column), truth[asked])
    target = forest.target_of(tables[0][position])
    if target.categorical:
        guess: Any = tables[0][position][target.holders[0]]
    else:
        guess = target.restored(np.array([target.values.mean()]))[0]
    yield _error(np.full(len(truth[asked]), guess), truth[asked])


def _predicted(said: forest.Floats, target: forest.Target, column: NDArray[Any]) -> NDArray[Any]:
    if not target.categorical:
        return target.restored(said[:, 0])
    # Classes are numbered from the most frequent on, which wins among equals.
    codes: NDArray[Any] = column[target.holders][said.argmax(axis=1)]
    return codes


def _error(predicted: NDArray[Any], truth: NDArray[Any]) -> forest.Floats:
    if truth.dtype.kind == "i":
        wrong: forest.Floats = (predicted != truth).astype(np.float64)
        return wrong
    variance = float(truth.var()) if len(truth) else 0.0
    if not variance > 0:
        return np.full(len(truth), np.nan)
    return np.square(np.asarray(predicted - truth, np.float64)) / variance
