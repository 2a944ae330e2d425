"""Forests that distinguish two tables, with the importance of columns, and forests whose errors are compared."""

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
class Detection:
    """The out-of-bag scores of the records of two tables.

    Parameters
    ----------
    scores
        Shape (n,): the mean share of the second table in the leaves; one half if no tree scores the record.
    importance
        Shape (columns,): by how much the area under the ROC curve falls if the column is shuffled; NaN for columns that
        are not features, and for all if it was not requested.
    """

    scores: forest.Floats
    importance: forest.Floats


def detect(
    first: Sequence[NDArray[Any]],
    second: Sequence[NDArray[Any]],
    options: forest.Options,
    shuffled: bool = False,
    progress: ProgressCallback | None = None,
) -> Detection:
    """Grow a forest that distinguishes the records of two tables.

    Parameters
    ----------
    first, second
        The same columns of both, with common codes: float64 (NaN is missing), or codes (-1 is missing). Neither
        is empty.
    options
        Seed, trees and threads.
    shuffled
        Whether to score the records again with each column shuffled.
    progress
        Called with the number of trees grown, and of all trees.
    """
    table, kept = votes.features([first, second])
    rows, of_first = len(table), len(first[0])
    if not kept:
        # No features; the random samples alone would make the shares of leaves differ.
        return Detection(np.full(rows, 0.5), np.full(len(first), np.nan))
    labels = (np.arange(rows) >= of_first).astype(np.int64)
    changed = [_shuffled(table, place, options.seed) for place in range(len(kept))] if shuffled else []
    target = forest.Target(np.arange(rows), labels, np.array([0, of_first]))
    grown = votes.reported(forest.grow(table, target, options, 0), options.trees, progress)
    sums, counts = votes.out_of_bag(grown, [table, *changed], options.threads)
    scores = [np.divide(one, counts, out=np.full(rows, 0.5), where=counts > 0) for one in sums]
    importance = np.full(len(first), np.nan)
    if changed:
        unshuffled = area(scores[0], labels == 1)
        importance[kept] = [unshuffled - area(one, labels == 1) for one in scores[1:]]
    return Detection(scores[0], importance)


def _shuffled(table: NDArray[np.float32], place: int, seed: int) -> NDArray[np.float32]:
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(place, 2)))
    changed = table.copy()
    changed[:, place] = random.permutation(changed[:, place])
    return changed


def area(scores: forest.Floats, positive: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve, ties counted one half; neither class is empty."""
    n, m = int(positive.sum()), int((~positive).sum())
    _, ranks, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    return float((middle[ranks[positive]].sum() - n * (n + 1) / 2) / (n * m))


def _report_turn(progress: ProgressCallback, turn: int, turns: int, done: int, total: int) -> None:
    """Report the progress of one of several forests as part of the total."""
    progress(turn * total + done, turns * total)


def errors(
    tables: Sequence[Sequence[NDArray[Any]]],
    holdout: Sequence[NDArray[Any]],
    position: int,
    options: forest.Options,
    progress: ProgressCallback | None = None,
) -> Iterator[forest.Floats]:
    """Compute the errors on the holdout of forests grown on each of several tables.

    Parameters
    ----------
    tables, holdout
        The same columns of each, with common codes as in `detect`.
    position
        The position of the target.
    options
        Seed, trees and threads.
    progress
        Called with the number of trees grown, and of all trees.

    Yields
    ------
    Shape (n,) for each table, and then for a guess without a forest (the mean, or the most frequent category, of the
    first table): the error of each record of the holdout that has a value. For a number it is the squared error divided
    by the variance of the column in the holdout, NaN if that is 0; for a category 0 or 1.
    """
    parts = [*tables, holdout]
    table, _ = votes.features([[c for i, c in enumerate(part) if i != position] for part in parts])
    ends = np.cumsum([len(part[position]) for part in parts])
    truth = holdout[position]
    known = truth >= 0 if truth.dtype.kind == "i" else ~np.isnan(truth)
    queries = table[ends[-2] :][known]
    for turn, (part, end) in enumerate(zip(tables, ends, strict=False)):
        column = part[position]
        target = forest.target_of(column)
        grown = forest.grow(table[end - len(column) : end], target, options, 0)
        report = None if progress is None else partial(_report_turn, progress, turn, len(tables))
        sums = votes.of_others(votes.reported(grown, options.trees, report), queries, options.threads)
        yield _error(_predicted(sums / options.trees, target, column), truth[known])
    target = forest.target_of(tables[0][position])
    if target.categorical:
        guess: Any = tables[0][position][target.holders[0]]
    else:
        guess = target.restored(np.array([target.values.mean()]))[0]
    yield _error(np.full(len(truth[known]), guess), truth[known])


def _predicted(means: forest.Floats, target: forest.Target, column: NDArray[Any]) -> NDArray[Any]:
    if not target.categorical:
        return target.restored(means[:, 0])
    # Classes are numbered by descending frequency, so the most frequent one wins ties.
    codes: NDArray[Any] = column[target.holders][means.argmax(axis=1)]
    return codes


def _error(predicted: NDArray[Any], truth: NDArray[Any]) -> forest.Floats:
    if truth.dtype.kind == "i":
        wrong: forest.Floats = (predicted != truth).astype(np.float64)
        return wrong
    variance = float(truth.var()) if len(truth) else 0.0
    if not variance > 0:
        return np.full(len(truth), np.nan)
    return np.square(np.asarray(predicted - truth, np.float64)) / variance
