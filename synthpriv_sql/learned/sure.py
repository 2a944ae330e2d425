"""Where a model is sure of a secret: random trees that know each synthetic record by heart.

A copy among synthetic records is one record, which boosted trees of many records pass over. Trees with leaves of one
record do not: of a copied person all of them foretell the same value.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F32, F64, I64  # imports numba

TREES, LEAST_TREES, WHOLE = 60, 20, 5_000
"""So many trees up to so many records, and of more records fewer."""
MOST_RECORDS, CLASSES = 100_000, 30
PRIOR = 0.02
"""The share of a probability that is that of the value among all people."""
OTHERS = 0.5
"""The weight of what trees of other people say: of none, what is true of everybody would count; of 1, what they happen
to doubt."""


def likely(taught: F32, classes: I64, asked: F32, truth: I64, seed: int, threads: int) -> F64:
    """Return the probability that random trees give to the true class of each record.

    Parameters
    ----------
    taught, asked : float32 (records, features)
        Nothing is missing.
    classes, truth : int64
    seed
        Of the trees, and of the records that they are grown on if there are more than 100,000.
    threads
        Trees grown at once.
    """
    from sklearn.tree import ExtraTreeClassifier

    if len(taught) > MOST_RECORDS:
        chosen = np.sort(np.random.default_rng(seed).choice(len(taught), MOST_RECORDS, replace=False))
        taught, classes = taught[chosen], classes[chosen]
    known, labels = np.unique(classes, return_inverse=True)
    if 2 * len(known) > len(taught):  # as many values as records are not learned
        return np.zeros(len(asked))
    place = np.full(int(max(classes.max(), truth.max())) + 1, -1)
    place[known] = np.arange(len(known))
    wanted = place[truth]
    states = np.random.SeedSequence(seed, spawn_key=(8,)).generate_state(
        max(LEAST_TREES, min(TREES, TREES * WHOLE // len(taught)))
    )

    def one(state: int) -> F64:
        tree: Any = ExtraTreeClassifier(max_features="sqrt", random_state=state)
        tree.fit(taught, labels.astype(np.float64), check_input=False)
        found: F64 = np.where(wanted >= 0, tree.tree_.value[tree.tree_.apply(asked), 0, wanted], 0.0)
        return found

    with ThreadPoolExecutor(max(1, threads)) as pool:
        total: F64 = np.sum(list(pool.map(one, states.tolist())), axis=0)
    return total / len(states)


def most_frequent(of_synthetic: I64, of_real: I64) -> tuple[I64, I64, F64]:
    """Return the classes of both, all but the most frequent ones of real records as one, and the shares of these."""
    counts = np.bincount(np.concatenate([of_real, of_synthetic]))
    order = np.argsort(-counts, kind="stable")[:CLASSES]
    place = np.full(len(counts), len(order))
    place[order] = np.arange(len(order))
    shares = np.maximum(np.bincount(place[of_real], minlength=len(order) + 1), 0.5) / max(len(of_real), 1)
    # A value that is one of many of its class is said no more than by its share there.
    return place[of_synthetic], place[of_real], np.minimum(shares, 0.5)


def odds(by_synthetic: F64, by_others: F64, shares: F64) -> F64:
    """Return the logarithm of the odds of the truth by trees of synthetic, less half of that by trees of others."""
    found = []
    for likely in (by_synthetic, by_others):
        p = (1 - PRIOR) * likely + PRIOR * shares
        found.append(np.log(p / (1 - p)))
    difference: F64 = np.round(found[0] - OTHERS * found[1], 9)
    return difference
