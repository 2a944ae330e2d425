"""Forests of scikit-learn, grown in batches of trees, each on as many records as the table has, or on a sample.

docs/decisions/0006-random-forest-baseline.md has the cost and the benefit of samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAF = 5
"""The minimum size of a leaf if a tree is grown on as many records as the table has."""
LEAF_OF_FEW = 2
"""The minimum size of a leaf if a tree is grown on a small sample."""
SHARE, LEAST, MOST = 5, 3_000, 20_000
"""A tree of the baseline is grown on 1/SHARE of the records, but on at least LEAST and at most MOST."""
EVERY = 2**62
"""A sample size that stands for the size of the table."""
BATCH = 20
"""Trees in memory at a time."""


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees and the records that each was grown on, in attributes named as those of scikit-learn's forests."""

    estimators_: list[Any]
    estimators_samples_: list[NDArray[np.int64]]


def tree_records(records: int, sample: int | None) -> tuple[int, int]:
    """Return the number of records that a tree is grown on, and the minimum size of its leaves.

    A leaf has about the same share of the table as in a tree grown on all records, so predictions have about the same
    resolution, although there is less to sort.
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
        Shape (n, columns): the features.
    values
        Shape (n,): the target; codes from 0, all of which occur, or floats.
    trees
        The number of trees.
    sample
        As in `tree_records`.
    random
        The seed of their random numbers.
    threads
        The number of threads; results do not depend on it.

    Yields
    ------
    Trees
        Those of RandomForestClassifier or RandomForestRegressor, on samples from trees of our own.
    """
    taken, leaf = tree_records(len(values), sample)
    categorical = values.dtype.kind == "i"
    options: dict[str, Any] = {"min_samples_leaf": leaf, "max_features": "sqrt" if categorical else 1 / 3}
    if taken < len(values):
        # A tree has only the categories it was grown on, so each gets one record of weight 0.
        every = np.unique(values, return_index=True)[1] if categorical else np.zeros(0, np.int64)
        seeds = random.generate_state(trees).tolist()
        for first in range(0, trees, BATCH):
            yield _on_samples(table, values, taken, every, options, seeds[first : first + BATCH], threads)
        return
    for batch, seed in enumerate(random.generate_state(-(-trees // BATCH))):
        count = min(BATCH, trees - batch * BATCH)
        yield _on_all(table, values, options, np.random.RandomState(int(seed)), count, threads)


def _on_all(
    table: NDArray[np.float32],
    values: NDArray[Any],
    options: dict[str, Any],
    random: np.random.RandomState,
    count: int,
    threads: int,
) -> Trees:
    """Grow the trees that a forest of scikit-learn would, without its way to do that in threads.

    That resets the warning filters of the process for each tree: several forests at once warn of it, and leave the
    filters of the user in disorder.
    """
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # takes a second

    kind = DecisionTreeClassifier if values.dtype.kind == "i" else DecisionTreeRegressor
    rows = len(values)

    def one(seed: int) -> tuple[Any, NDArray[np.int64]]:
        bag = np.random.RandomState(seed).randint(0, rows, rows, dtype=np.int32)
        weights = np.bincount(bag, minlength=rows).astype(np.float64)
        tree = kind(random_state=seed, **options).fit(table, values, sample_weight=weights)
        return tree, bag.astype(np.int64)

    seeds = [int(random.randint(np.iinfo(np.int32).max)) for _ in range(count)]
    with ThreadPoolExecutor(threads) as pool:
        grown, bags = zip(*pool.map(one, seeds), strict=True)
    return Trees(list(grown), list(bags))


def _on_samples(
    table: NDArray[np.float32],
    values: NDArray[Any],
    taken: int,
    every: NDArray[np.int64],
    options: dict[str, Any],
    seeds: list[int],
    threads: int,
) -> Trees:
    """Grow trees on copies of small samples; a forest of scikit-learn would read all records for each tree."""
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
