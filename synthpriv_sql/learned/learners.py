"""The three classifiers of the attack `learned`: each is trained on some records, and scores others.

Trees are grown one at a time: forests of scikit-learn reset the warning filters of the process in the threads that grow
them, which puts out of order those of the user, and warns of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.learned import boosting

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F32, F64, I64  # imports numba

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

    known, asked = (np.clip(features, -LARGEST, LARGEST) for features in (known, asked))
    present = ~np.isnan(known)
    count = np.maximum(present.sum(axis=0), 1)
    center = np.where(present, known, 0.0).sum(axis=0) / count
    spread = np.sqrt((np.where(present, known - center, 0.0) ** 2).sum(axis=0) / count)
    # The rounding of a mean leaves a spread to a feature that is constant.
    spread[spread <= 1e-12 * np.abs(center)] = np.inf

    def standardized(features: F64) -> F64:
        scaled: F64 = (features - center) / spread
        scaled[np.isnan(scaled)] = 0.0
        return scaled

    model = LogisticRegression(C=INVERSE_PENALTY, solver="newton-cholesky").fit(standardized(known), members)
    weights = model.coef_[0] / spread
    scores = np.round(model.decision_function(standardized(asked)), DECIMALS)

    def falls(places: I64, values: F64) -> F64:
        replaced = np.where(np.isnan(values), center[places], np.clip(values, -LARGEST, LARGEST))
        before = np.where(np.isnan(asked), center, asked)[:, places]
        fall: F64 = ((before - replaced) * weights[places]).T
        return fall

    return Trained(scores, falls)


def boosted(known: F64, members: Booleans, asked: F64, seed: int) -> Trained:
    """Score by gradient boosting of small trees."""
    model = boosting.classifier(
        max_iter=ROUNDS,
        learning_rate=RATE,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=LEAF,
        l2_regularization=PENALTY,
        max_features=BOOSTED_FEATURES,
        early_stopping=False,
        random_state=seed,
    )
    known, asked = np.asfortranarray(known), np.asfortranarray(asked)  # it is binned column by column
    empty = np.isnan(known).all(axis=0)
    # scikit-learn cannot bin a column without values.
    model.fit(np.where(empty, 0.0, known) if empty.any() else known, members)
    scores = model.decision_function(asked)

    def falls(places: I64, values: F64) -> F64:
        changed = np.repeat(asked[None], len(places), axis=0)
        changed[np.arange(len(places)), :, places] = values[:, None]
        after = model.decision_function(changed.reshape(-1, asked.shape[1]))
        fall: F64 = scores - after.reshape(len(places), -1)
        return fall

    return Trained(scores, falls)


def random_trees(known: F32, members: Booleans, asked: F32, seeds: NDArray[Any]) -> F64:
    """Add up the probabilities of a random tree per seed."""
    from sklearn.tree import ExtraTreeClassifier

    total = np.zeros(len(asked))
    enough = min(TREE_RECORDS, max(FEW_TREE_RECORDS, len(known) // 2))
    for seed in seeds.tolist():
        records, labels = known, members
        if len(known) > enough:
            chosen = np.random.default_rng(seed).choice(len(known), enough, replace=False)
            records, labels = known[chosen], members[chosen]
        tree: Any = ExtraTreeClassifier(min_samples_leaf=TREE_LEAF, max_features=TREE_FEATURES, random_state=seed)
        tree.fit(records, labels, check_input=False)
        total += tree.predict_proba(asked, check_input=False)[:, -1]
    return total


def for_trees(features: F64) -> F32:
    """Return features as random trees take them: a missing value is below all others."""
    limit = float(np.finfo(np.float32).max) / 4
    least = np.fmin.reduce(features, axis=0, initial=limit)
    filled = np.where(np.isnan(features), least - np.abs(least) - 1, features)
    return np.ascontiguousarray(np.clip(filled, -2 * limit, limit), dtype=np.float32)
