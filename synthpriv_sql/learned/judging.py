"""Cross-fitting for the attack `learned`: classifiers are trained, and score the records held out from each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.threads import ProgressCallback
from synthpriv_sql.learned import learners

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F32, F64, I64  # imports numba


MAX_TRAINING_RECORDS = 100_000
MIN_RECORDS = 100
"""The minimum number of records of each side in a fold."""
REASONS = 3
"""The number of features reported per record."""
CHANGED_ROWS = 50_000
"""So many records with a changed feature are scored at once: many calls for few cost more."""
FOLDS = 5
FEW_PERSONS = 20_000
"""Up to this many, there are five folds by default."""
PARTS = 4
"""The random trees of a fold are grown in so many parts, each in a thread."""

Booleans = NDArray[np.bool_]


class Judged(NamedTuple):
    """The fold (int64) and score (float64) of each real record, and the features that raise the score most.

    reasons: int64 (records, 3), positions of features, -1 if fewer features raise it.
    """

    folds: I64
    scores: F64
    reasons: I64


def assign_folds(persons: I64, members: Booleans, folds: int, seed: int) -> I64:
    """Assign a random fold to each record; all records of a person are in the same fold, and each side is split evenly.

    Returns
    -------
    int64 (records,): from 0. The number of persons of a side differs by at most one between folds.
    """
    out = np.empty(len(persons), np.int64)
    for side in (True, False):
        here = np.flatnonzero(members == side)
        names, who = np.unique(persons[here], return_inverse=True)
        random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(int(side),)))
        fold_of_person = np.empty(len(names), np.int64)
        fold_of_person[random.permutation(len(names))] = np.arange(len(names)) % folds
        out[here] = fold_of_person[who]
    return out


def folds_of(persons: NDArray[np.int32], members: Booleans, folds: int | None) -> int:
    """Return the number of folds: five for up to 20,000 persons, otherwise two, unless it is given.

    Fewer than five, down to two, where a fold would have too few persons of a side.
    """
    if folds is not None:
        return folds
    of_sides = [len(np.unique(persons[members == side])) for side in (True, False)]
    return max(2, min(FOLDS, min(of_sides) // MIN_RECORDS)) if sum(of_sides) <= FEW_PERSONS else 2


def judge(
    features: F64,
    members: Booleans,
    folds: I64,
    seed: int,
    reasons: bool = False,
    threads: int = 1,
    progress: ProgressCallback | None = None,
) -> Judged:
    """Score every record by classifiers trained on the other folds.

    Parameters
    ----------
    features : float64 (records, features)
    members : bool (records,)
        Whether a record is in train. Classifiers see this for the other folds only.
    folds : int64 (records,)
        The fold of each record.
    seed
        Of the classifiers, and of the sample they are trained on if the other folds have more than 100,000 records.
    reasons
        Whether to determine the features that raise scores.
    threads
        The number of classifiers trained concurrently. The result does not depend on it.
    progress
        Called with the number of finished folds, and of all folds.

    Returns
    -------
    Judged
        Scores are the mean of a record's ranks within its fold by each classifier, divided by the records of the fold.
    """
    learners.load()
    count = int(folds.max(initial=0)) + 1
    prepared = _Prepared(features, learners.binned(features, threads), learners.for_trees(features, threads), members)
    random_parts = [partial(_grown, part) for part in range(PARTS)]
    tasks: list[Callable[[_Given], Any]] = [_boosted, *random_parts, _linear]
    works = [(task, fold) for fold in range(count) for task in tasks]
    at_once = max(1, min(threads, len(works)))
    trained: list[list[Any]] = [[None] * len(tasks) for _ in range(count)]

    def work(place: int) -> None:
        of, fold = works[place]
        made = of(_Given(prepared, np.flatnonzero(folds == fold), _known(folds, fold, seed), seed, fold))
        if isinstance(made, learners.Trained) and not reasons:
            made = made._replace(falls=None)  # it holds the features
        trained[fold][place % len(tasks)] = made

    scores = np.empty(len(features))
    found = np.full((len(features), REASONS), -1, np.int64)

    def put_together(fold: int) -> None:
        own = np.flatnonzero(folds == fold)
        boosted, *random, linear = trained[fold]
        scores[own] = mean_rank([linear.scores, boosted.scores, sum(random)])
        if reasons:
            found[own] = _reasons([one.falls for one in (linear, boosted)], features[own])

    with learners.one_thread_of_blas(), ThreadPoolExecutor(at_once) as pool:
        if progress is not None:
            progress(0, count)
        for done, future in enumerate(as_completed([pool.submit(work, place) for place in range(len(works))]), 1):
            future.result()
            if progress is not None:
                progress(done * count // len(works), count)
        list(pool.map(put_together, range(count)))
    return Judged(folds, scores, found)


def trained_apart(known: F64, members: Booleans, asked: F64, seed: int, threads: int = 1) -> F64:
    """Score records by classifiers that are trained on others, all of them.

    Parameters
    ----------
    known : float64 (known, features)
        What the classifiers are trained on, at most 100,000 of it.
    members : bool (known,)
        Their labels.
    asked : float64 (asked, features)
        What is scored.
    seed, threads
        As in `judge`.

    Returns
    -------
    float64 (asked,): the mean of the ranks by each classifier, between 0 and 1.
    """
    if len(known) > MAX_TRAINING_RECORDS:
        chosen = np.random.default_rng(seed).choice(len(known), MAX_TRAINING_RECORDS, replace=False)
        known, members = known[chosen], members[chosen]
    learners.load()
    features = np.concatenate([known, asked])
    places = np.arange(len(features))
    labels = np.concatenate([members, np.zeros(len(asked), bool)])  # those of the asked are not looked at
    prepared = _Prepared(features, learners.binned(features, threads), learners.for_trees(features, threads), labels)
    given = _Given(prepared, places[len(known) :], places[: len(known)], seed, 0)
    tasks: list[Callable[[_Given], Any]] = [_linear, _boosted, *(partial(_grown, part) for part in range(PARTS))]
    with learners.one_thread_of_blas(), ThreadPoolExecutor(max(1, min(threads, len(tasks)))) as pool:
        linear, boosted, *random = pool.map(lambda task: task(given), tasks)
    return mean_rank([linear.scores, boosted.scores, sum(random)])


class _Prepared(NamedTuple):
    """The features as the classifiers take them, and the labels, of which each is told those of other folds."""

    features: F64
    binned: learners.Binned
    narrow: F32
    members: Booleans


class _Given(NamedTuple):
    """What a classifier of a fold is trained on, and scores: ``others`` are the records that it is trained on."""

    of: _Prepared
    own: I64
    others: I64
    seed: int
    fold: int


def _known(folds: I64, fold: int, seed: int) -> I64:
    """The records that the classifiers of a fold are trained on."""
    others = np.flatnonzero(folds != fold)
    if len(others) > MAX_TRAINING_RECORDS:
        random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(fold, 2)))
        others = np.sort(random.choice(others, MAX_TRAINING_RECORDS, replace=False))
    return others


def _linear(g: _Given) -> learners.Trained:
    return learners.linear(g.of.features[g.others], g.of.members[g.others], g.of.features[g.own])


def _boosted(g: _Given) -> learners.Trained:
    seed = int(np.random.SeedSequence(g.seed, spawn_key=(g.fold, 3)).generate_state(1)[0])
    return learners.boosted(g.of.binned, g.others, g.of.members[g.others], g.own, seed)


def _grown(part: int, g: _Given) -> F64:
    seeds = np.random.SeedSequence(g.seed, spawn_key=(g.fold, 5)).generate_state(learners.TREES)
    return learners.random_trees(g.of.narrow, g.others, g.of.members[g.others], g.own, seeds[part::PARTS])


def mean_rank(scores: Sequence[F64]) -> F64:
    """Return the mean over several scores of each record's rank, between 0 and 1; ties have the mean of their ranks."""
    twice = np.zeros(len(scores[0]), np.int64)
    for one in scores:
        ordered = np.sort(one)
        twice += np.searchsorted(ordered, one, "left") + np.searchsorted(ordered, one, "right") + 1
    ranks: F64 = twice / (2 * len(scores) * (len(scores[0]) + 1))
    return ranks


def _reasons(falls: Sequence[learners.Fall], features: F64) -> I64:
    """Return the features that raise each score most: by how much it falls if a feature is replaced by its median."""
    out = np.full((len(features), REASONS), -1, np.int64)
    raised = np.zeros((len(features), REASONS))
    medians = np.median(features, axis=0)
    places = np.arange(len(medians))
    for some in np.array_split(places, -(-len(places) * len(features) // CHANGED_ROWS)):
        gains: F64 = np.sum([fall(some, medians[some]) for fall in falls], axis=0)
        for place, gain in zip(some.tolist(), gains, strict=True):
            _keep_best(out, raised, place, gain)
    return out


def _keep_best(positions: I64, values: F64, place: int, gain: F64) -> None:
    """Insert a feature among the best of each record, ordered by gain; ties keep the order of the features."""
    rank = (values >= gain[:, None]).sum(axis=1)
    for at in range(REASONS - 1, -1, -1):
        moved = rank < at
        positions[moved, at], values[moved, at] = positions[moved, at - 1], values[moved, at - 1]
        here = (rank == at) & (gain > 0)
        positions[here, at], values[here, at] = place, gain[here]


def matrix(found: Sequence[Any]) -> F64:
    """Return the values of features as a matrix, float64 (records, features)."""
    return np.ascontiguousarray(np.stack([feature.values for feature in found], axis=1))
