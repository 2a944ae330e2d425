"""Learning what membership looks like from people whose side is known, and judging those whose side was not used."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.threads import ProgressCallback

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I64  # imports numba


ROUNDS = 150
RATE = 0.05
PENALTY = 1.0
LEARNED_ALONE = 10_000
"""Rows up to which one thread learns from a fold as fast as several."""
MOST_TO_LEARN_FROM = 100_000
LEAST = 100
"""Records of either side that a fold must have."""
REASONS = 3

Booleans = NDArray[np.bool_]


class Judged(NamedTuple):
    """Of each real record its fold (int64), its score (float64), and the features that raise it most.

    reasons: int64 (records, 3), positions of features, -1 where fewer raise it.
    """

    folds: I64
    scores: F64
    reasons: I64


def sampled(persons: NDArray[np.int32], members: Booleans, most: int | None, seed: int) -> I64 | None:
    """Draw the records of at most so many people of each side; None for all."""
    if most is None:
        return None
    chosen = []
    for side in (True, False):
        here = np.flatnonzero(members == side)
        names = np.unique(persons[here])
        if len(names) > most:
            random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(int(side), 4)))
            here = here[np.isin(persons[here], random.choice(names, most, replace=False))]
        chosen.append(here)
    found = np.concatenate(chosen)
    return None if len(found) == len(persons) else found


def draw(persons: I64, members: Booleans, folds: int, seed: int) -> I64:
    """Draw the fold of each record: of persons, those of train and those of the holdout apart.

    Returns
    -------
    int64 (records,): from 0. The folds of a side differ by one person at most, and nobody stands in two.
    """
    out = np.empty(len(persons), np.int64)
    for side in (True, False):
        here = np.flatnonzero(members == side)
        names, who = np.unique(persons[here], return_inverse=True)
        random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(int(side),)))
        lots = np.empty(len(names), np.int64)
        lots[random.permutation(len(names))] = np.arange(len(names)) % folds
        out[here] = lots[who]
    return out


def judge(
    features: F64,
    members: Booleans,
    folds: I64,
    seed: int,
    reasons: bool = False,
    threads: int = 1,
    progress: ProgressCallback | None = None,
) -> Judged:
    """Score every record by a classifier that has learned from the other folds.

    Parameters
    ----------
    features : float64 (records, features)
    members : bool (records,)
        Who is of train. A classifier sees this of the other folds alone.
    folds : int64 (records,)
        The fold of each.
    seed
        Of the classifiers, and of who is learned from where there are more than 100,000 others.
    reasons
        Whether to look for the features that raise scores.
    threads
        Folds that are learned from at once. Threads that learn together wait for each other after every step, and where
        others work beside them longer than they work; folds do not wait. What is learned does not depend on it.
    progress
        Called with folds done, and all.
    """
    from threadpoolctl import threadpool_limits

    scores = np.empty(len(features))
    found = np.full((len(features), REASONS), -1, np.int64)
    count = int(folds.max(initial=0)) + 1
    at_once = max(1, min(threads, count))

    def work(fold: int) -> None:
        own, others = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        together = 1 if len(others) <= LEARNED_ALONE else max(1, threads // at_once)
        with threadpool_limits(together, user_api="openmp"):  # of this thread
            model = _learned(features, members, others, seed, fold)
            scores[own] = model.decision_function(features[own])
            if reasons:
                found[own] = _reasons(model, features[own], scores[own])

    with ThreadPoolExecutor(at_once) as pool:
        if progress is not None:
            progress(0, count)
        for done, future in enumerate(as_completed([pool.submit(work, fold) for fold in range(count)]), 1):
            future.result()
            if progress is not None:
                progress(done, count)
    return Judged(folds, scores, found)


def _learned(features: F64, members: Booleans, others: I64, seed: int, fold: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier  # a second to import, when it is first asked for

    if len(others) > MOST_TO_LEARN_FROM:
        random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(fold, 2)))
        others = np.sort(random.choice(others, MOST_TO_LEARN_FROM, replace=False))
    model = HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        learning_rate=RATE,
        l2_regularization=PENALTY,
        early_stopping=False,
        random_state=np.random.SeedSequence(seed, spawn_key=(fold, 3)).generate_state(1)[0],
    )
    return model.fit(features[others], members[others])


def _reasons(model: Any, features: F64, scores: F64) -> I64:
    """The features without which scores fall most: each is put to its median, one after the other."""
    out = np.full((len(features), REASONS), -1, np.int64)
    raised = np.zeros((len(features), REASONS))
    changed = features.copy()
    for place, median in enumerate(np.median(features, axis=0)):
        changed[:, place] = median
        gain = scores - model.decision_function(changed)
        changed[:, place] = features[:, place]
        _keep_best(out, raised, place, gain)
    return out


def _keep_best(positions: I64, values: F64, place: int, gain: F64) -> None:
    """Put a feature among the best of each record, the largest gain first, earlier features before equal ones."""
    rank = (values >= gain[:, None]).sum(axis=1)
    for at in range(REASONS - 1, -1, -1):
        moved = rank < at
        positions[moved, at], values[moved, at] = positions[moved, at - 1], values[moved, at - 1]
        here = (rank == at) & (gain > 0)
        positions[here, at], values[here, at] = place, gain[here]


def matrix(found: Sequence[Any]) -> F64:
    """The values of features side by side, float64 (records, features)."""
    return np.ascontiguousarray(np.stack([feature.values for feature in found], axis=1))
