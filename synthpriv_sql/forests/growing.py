"""Forests of scikit-learn, grown a few trees at a time: on as many records as there are, or on fewer a tree.

docs/decisions/0006-random-forest-baseline.md says what fewer records a tree cost and save.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAF = 5
"""The fewest records in a leaf of a tree that takes as many records as there are."""
LEAF_OF_FEW = 2
"""The fewest in a leaf of a tree that takes a small part of them."""
SHARE, LEAST, MOST = 5, 3_000, 20_000
"""A tree of the baseline takes one in so many records: no fewer than the least, no more than the most."""
EVERY = 2**62
"""A sample of as many records as there are, however many."""
BATCH = 20
"""Trees in memory at a time."""


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees, and the records that each was grown on, under the names that they have in a forest of scikit-learn."""

    estimators_: list[Any]
    estimators_samples_: list[NDArray[np.int64]]


def tree_records(records: int, sample: int | None) -> tuple[int, int]:
    """Tell how many of so many records a tree takes, and the fewest of them in a leaf.

    A leaf keeps the share of the table that it has in a tree of all records, as far as it can: so predictions are about
    as fine, although there is less to sort.
    """
    taken = min(records, max(LEAST, min(records // SHARE, MOST)) if sample is None else sample)
    return taken, max(LEAF_OF_FEW, -(-LEAF * taken // max(records, 1)))


def grow(
    table: NDArray[np.float32],
    values: NDArray[Any],
    trees: int,
    sample: int | None,
    random: np.random.SeedSequence,
    threads: int,
) -> Iterator[Any]:
    """Grow a forest as several of up to `BATCH` trees each.

    Parameters
    ----------
    table
        Shape (n, columns): what is predicted from.
    values
        Shape (n,): what is predicted; codes from 0 on, each of which occurs, or floats.
    trees
        How many in all.
    sample
        As in `tree_records`.
    random
        What their random numbers come from.
    threads
        How many to use; they change nothing.

    Yields
    ------
    RandomForestClassifier, RandomForestRegressor or Trees
        With ``estimators_`` and ``estimators_samples_``.
    """
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor  # takes a second

    taken, leaf = tree_records(len(values), sample)
    categorical = values.dtype.kind == "i"
    options: dict[str, Any] = {"min_samples_leaf": leaf, "max_features": "sqrt" if categorical else 1 / 3}
    if taken < len(values):
        # A tree knows the categories that it is given: one record of each, without weight.
        every = np.unique(values, return_index=True)[1] if categorical else np.zeros(0, np.int64)
        seeds = random.generate_state(trees).tolist()
        for first in range(0, trees, BATCH):
            yield _on_few(table, values, taken, every, options, seeds[first : first + BATCH], threads)
        return
    kind = RandomForestClassifier if categorical else RandomForestRegressor
    for batch, seed in enumerate(random.generate_state(-(-trees // BATCH))):
        count = min(BATCH, trees - batch * BATCH)
        yield kind(n_estimators=count, random_state=int(seed), n_jobs=threads, **options).fit(table, values)


def _on_few(
    table: NDArray[np.float32],
    values: NDArray[Any],
    taken: int,
    every: NDArray[np.int64],
    options: dict[str, Any],
    seeds: list[int],
    threads: int,
) -> Trees:
    """Grow trees on a few records each, of which a copy is made: a forest would look at all records for each tree."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if len(every) else DecisionTreeRegressor

    def one(seed: int) -> tuple[Any, NDArray[np.int64]]:
        bag = np.random.default_rng(seed).integers(0, len(values), taken)
        drawn, times = np.unique(bag, return_counts=True)
        rows = np.concatenate([drawn, every])
        weights = np.concatenate([times, np.zeros(len(every))])
        tree = kind(random_state=seed, **options).fit(table[rows], values[rows], sample_weight=weights)
        return tree, bag

    with ThreadPoolExecutor(threads) as pool:
        grown, bags = zip(*pool.map(one, seeds), strict=True)
    return Trees(list(grown), list(bags))
