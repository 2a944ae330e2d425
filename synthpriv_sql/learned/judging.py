"""Cross-fitting for the attack `learned`: classifiers are trained, and score the records held out from each."""

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
SINGLE_THREAD_ROWS = 10_000
"""Up to this many rows, one thread trains a classifier as fast as several."""
MAX_TRAINING_RECORDS = 100_000
MIN_RECORDS = 100
"""The minimum number of records of each side in a fold."""
REASONS = 3
"""The number of features reported per record."""

Booleans = NDArray[np.bool_]


class Judged(NamedTuple):
    """The fold (int64) and score (float64) of each real record, and the features that raise the score most.

    reasons: int64 (records, 3), positions of features, -1 if fewer features raise it.
    """

    folds: I64
    scores: F64
    reasons: I64


def sampled(persons: NDArray[np.int32], members: Booleans, most: int | None, seed: int) -> I64 | None:
    """Sample the records of at most ``most`` persons of each side; None for all records."""
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


def judge(
    features: F64,
    members: Booleans,
    folds: I64,
    seed: int,
    reasons: bool = False,
    threads: int = 1,
    progress: ProgressCallback | None = None,
) -> Judged:
    """Score every record by a classifier trained on the other folds.

    Parameters
    ----------
    features : float64 (records, features)
    members : bool (records,)
        Whether a record is in train. A classifier sees this for the other folds only.
    folds : int64 (records,)
        The fold of each record.
    seed
        Of the classifiers, and of the sample they are trained on if the other folds have more than 100,000 records.
    reasons
        Whether to determine the features that raise scores.
    threads
        The number of classifiers trained concurrently. Threads that train one classifier synchronize after every step,
        which costs more than the work itself if the processors are busy; folds are independent. The result does not
        depend on it.
    progress
        Called with the number of finished folds, and of all folds.
    """
    from threadpoolctl import threadpool_limits

    scores = np.empty(len(features))
    found = np.full((len(features), REASONS), -1, np.int64)
    count = int(folds.max(initial=0)) + 1
    at_once = max(1, min(threads, count))

    def work(fold: int) -> None:
        own, others = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        together = 1 if len(others) <= SINGLE_THREAD_ROWS else max(1, threads // at_once)
        with threadpool_limits(together, user_api="openmp"):  # for this thread only
            model = _trained(features, members, others, seed, fold)
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


def _trained(features: F64, members: Booleans, others: I64, seed: int, fold: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier  # takes a second, so on first use only

    if len(others) > MAX_TRAINING_RECORDS:
        random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(fold, 2)))
        others = np.sort(random.choice(others, MAX_TRAINING_RECORDS, replace=False))
    model = HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        learning_rate=RATE,
        l2_regularization=PENALTY,
        early_stopping=False,
        random_state=np.random.SeedSequence(seed, spawn_key=(fold, 3)).generate_state(1)[0],
    )
    known = features[others]
    known[:, np.isnan(known).all(axis=0)] = 0.0  # scikit-learn cannot bin a column without values
    return model.fit(known, members[others])


def _reasons(model: Any, features: F64, scores: F64) -> I64:
    """Return the features that raise each score most: by how much it falls if a feature is replaced by its median."""
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
