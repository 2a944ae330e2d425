"""The three classifiers of the attack `learned`: each is trained on some records, and scores others.

The trees are those of scikit-learn, grown by kernels of our own: on a few thousand records scikit-learn spends more on
what is around a tree than on the tree, and bins the features anew for each fold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F32, F64, I64, U8  # imports numba

Booleans = NDArray[np.bool_]
Fall = Callable[["I64", "F64"], "F64"]
"""Takes places of features, and a value for each; returns float64 (places, asked): by how much each score falls if this
feature alone has this value."""

INVERSE_PENALTY = 0.003
"""Of the logistic regression, on standardized features."""
DECIMALS = 9
"""Of its scores: equal records get equal scores, wherever they stand in a matrix."""
LARGEST = 1e150
"""The square of a larger number is infinite."""
ROUNDS, RATE, LEAVES, LEAF, PENALTY, BOOSTED_FEATURES = 80, 0.06, 6, 40, 5.0, 0.3
"""Of the boosted trees: the last is the share of features that a split chooses from."""
TREES, TREE_LEAF, TREE_FEATURES = 120, 20, 0.2
"""Of the random trees; likewise."""
FEW_TREE_RECORDS, TREE_RECORDS = 1_000, 2_000
"""A random tree is grown on half of the records, but on at least and at most so many (of all, if there are fewer): on
more, trees cost most of the attack and tell little more (docs/decisions/0009-learned.md)."""


class Trained(NamedTuple):
    """The scores of the records asked for, float64 (asked,), and how one would fall if a feature were another."""

    scores: F64
    falls: Fall | None


_AT_ONCE = 8
"""So many features of a record are next to each other in memory, and read at once."""
_ROWS = 1_024
"""Records that a thread converts at once."""
_lock = Lock()
_blas_limits: list[Any] = []


def load() -> None:
    """Import scikit-learn, which takes a second. Not from several threads: one may see modules half imported."""
    with _lock:
        import sklearn.ensemble
        import sklearn.linear_model
        import sklearn.tree  # noqa: F401


@contextmanager
def one_thread_of_blas() -> Iterator[None]:
    """Have matrices multiplied by the thread that asks for it, for the time of a block.

    Classifiers are trained in threads of their own; those of BLAS would wait for each other in all of them. The limit
    is one of the process: of several blocks at once, the last to end takes it away.
    """
    from threadpoolctl import threadpool_limits

    with _lock:
        _blas_limits.append(None if _blas_limits else threadpool_limits(1, user_api="blas"))
    try:
        yield
    finally:
        with _lock:
            # The limit that holds is the first.
            limit = _blas_limits.pop() if len(_blas_limits) == 1 else _blas_limits.pop(1)
            if limit is not None:
                limit.restore_original_limits()


def linear(known: F64, members: Booleans, asked: F64) -> Trained:
    """Score by logistic regression; a missing value counts as the mean."""
    from sklearn.linear_model import LogisticRegression

    known, asked = _bounded(known), _bounded(asked)
    missing = np.isnan(known)
    some = bool(missing.any())  # mostly none: then nothing is copied to fill it in
    count = np.maximum((~missing).sum(axis=0), 1) if some else len(known)
    center = (np.where(missing, 0.0, known) if some else known).sum(axis=0) / count
    apart = known - center
    spread = np.sqrt((np.where(missing, 0.0, apart) ** 2 if some else apart**2).sum(axis=0) / count)
    # The rounding of a mean leaves a spread to a feature that is constant.
    spread[spread <= 1e-12 * np.abs(center)] = np.inf

    def standardized(from_center: F64) -> F64:
        from_center /= spread
        from_center[np.isnan(from_center)] = 0.0
        return from_center

    model = LogisticRegression(C=INVERSE_PENALTY, solver="newton-cholesky").fit(standardized(apart), members)
    weights = model.coef_[0] / spread
    scores = np.round(model.decision_function(standardized(asked - center)), DECIMALS)

    def falls(places: I64, values: F64) -> F64:
        replaced = np.where(np.isnan(values), center[places], np.clip(values, -LARGEST, LARGEST))
        before = np.where(np.isnan(asked), center, asked)[:, places]
        fall: F64 = ((before - replaced) * weights[places]).T
        return fall

    return Trained(scores, falls)


def _bounded(features: F64) -> F64:
    """Return features with no number beyond `LARGEST`: the same array where there is none, and nothing is missing."""
    within = features.min(initial=0.0) >= -LARGEST and features.max(initial=0.0) <= LARGEST  # not if there is a NaN
    return features if within else np.clip(features, -LARGEST, LARGEST)


class Binned(NamedTuple):
    """Features in bins, as boosted trees take them.

    codes : uint8 (features, records), the bin of each value; counts : int64 (features,), of bins; edges : the largest
    values of all bins but the last, float64, by feature.
    """

    codes: U8
    counts: I64
    edges: list[F64]


def binned(features: F64, threads: int = 1) -> Binned:
    """Put features (float64 (records, features), NaN if missing) into at most 255 bins each, by the quantiles of all.

    Labels have no part in it, so the bins are the same for all folds.
    """
    from synthpriv_sql.kernels.trees import boosting

    codes = np.empty(features.shape[::-1], np.uint8)
    edges: list[Any] = [None] * len(codes)

    def some(first: int, columns: F64) -> None:
        for place, column in enumerate(columns, first):
            values = np.sort(column)
            edges[place] = _edges(values[: len(values) - int(np.isnan(column).sum())])
            boosting.put_into_bins(column, edges[place], codes[place])

    _by_feature(features, some, threads)
    return Binned(codes, np.array([len(some) + 1 for some in edges]), edges)


def _by_feature(features: F64, work: Callable[[int, F64], None], threads: int) -> None:
    """Call a function with a few features at a time: the place of the first, and float64 (features, records)."""
    starts = range(0, features.shape[1], _AT_ONCE)
    with ThreadPoolExecutor(max(1, min(threads, len(starts)))) as pool:
        for _ in pool.map(lambda at: work(at, np.ascontiguousarray(features[:, at : at + _AT_ONCE].T)), starts):
            pass


def _edges(values: F64) -> F64:
    """Return where bins of sorted values end: between any two values if there are few, otherwise at quantiles."""
    from synthpriv_sql.kernels.trees import boosting

    begins = np.ones(len(values), bool)
    begins[1:] = values[1:] != values[:-1]
    distinct = values[begins]
    if len(distinct) <= boosting.MISSING:
        return distinct[:-1] + (distinct[1:] - distinct[:-1]) / 2
    before = np.arange(1, boosting.MISSING) * len(values)
    place, exact = before // boosting.MISSING, before % boosting.MISSING == 0
    found: F64 = np.unique((values[place - exact] + values[place]) / 2)
    return found


def boosted(of: Binned, known: I64, members: Booleans, asked: I64, seed: int) -> Trained:
    """Score by gradient boosting of small trees; ``known`` and ``asked`` are records of ``of``."""
    from synthpriv_sql.kernels.trees import boosting

    drawn = max(1, math.ceil(BOOSTED_FEATURES * len(of.codes)))
    taught = np.ascontiguousarray(of.codes[:, known])
    trees = boosting.grow(
        taught, of.counts, members, seed, rounds=ROUNDS, rate=RATE, leaves=LEAVES, leaf=LEAF, penalty=PENALTY,
        drawn=drawn,
    )  # fmt: skip
    codes = np.ascontiguousarray(of.codes[:, asked])
    scores = boosting.score(codes, trees)

    def falls(places: I64, values: F64) -> F64:
        found = np.empty((len(places), len(asked)))
        for row, (place, value) in enumerate(zip(places.tolist(), values.tolist(), strict=True)):
            kept = codes[place].copy()
            codes[place] = boosting.MISSING if math.isnan(value) else np.searchsorted(of.edges[place], value)
            found[row] = scores - boosting.score(codes, trees)
            codes[place] = kept
        return found

    return Trained(scores, falls)


def random_trees(narrow: F32, known: I64, members: Booleans, asked: I64, seeds: NDArray[Any]) -> F64:
    """Add up the probabilities of a random tree per seed; ``known`` and ``asked`` are records of ``narrow``."""
    from synthpriv_sql.kernels.trees import random

    enough = min(len(known), TREE_RECORDS, max(FEW_TREE_RECORDS, len(known) // 2))
    drawn = max(1, int(TREE_FEATURES * narrow.shape[1]))
    return random.votes(narrow, known, members, asked, seeds, records=enough, leaf=TREE_LEAF, drawn=drawn)


def for_trees(features: F64, threads: int = 1) -> F32:
    """Return features as random trees take them, by record: a missing value is below all others of its feature."""
    limit = float(np.finfo(np.float32).max) / 4
    least = np.fmin.reduce(features, axis=0, initial=limit)
    below = least - np.abs(least) - 1
    out = np.empty(features.shape, np.float32)

    def some(begin: int) -> None:
        here = features[begin : begin + _ROWS]
        missing = np.isnan(here)
        if missing.any():
            here = np.where(missing, below, here)
        np.clip(here, -2 * limit, limit, out=out[begin : begin + _ROWS], casting="same_kind")

    starts = range(0, len(features), _ROWS)
    with ThreadPoolExecutor(max(1, min(threads, len(starts)))) as pool:
        for _ in pool.map(some, starts):
            pass
    return out
