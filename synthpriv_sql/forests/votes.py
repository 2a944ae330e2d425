"""Sums of the predictions of trees, in a fixed order for any number of threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.forests.forest import BLOCK, Floats, feature
from synthpriv_sql.kernels.threads import ProgressCallback


def features(tables: Sequence[Sequence[NDArray[Any]]]) -> tuple[NDArray[np.float32], list[int]]:
    """Return the columns of several tables as the features of a forest.

    Parameters
    ----------
    tables
        The same columns of each, with common codes.

    Returns
    -------
    The rows of all tables, shape (rows, kept columns), and the positions of the kept columns: identifiers and columns
    with one value are left out.
    """
    together = [np.concatenate(parts) for parts in zip(*tables, strict=True)]
    found = [(i, one) for i, column in enumerate(together) if (one := feature(column)) is not None]
    rows = len(together[0]) if together else 0
    return np.column_stack([one for _, one in found] or [np.zeros(rows, np.float32)]), [i for i, _ in found]


def out_of_bag(
    forests: Iterator[Any], tables: Sequence[NDArray[np.float32]], threads: int
) -> tuple[list[Floats], NDArray[np.int64]]:
    """Add up the shares of the second class, of the trees that were not grown on the record.

    Parameters
    ----------
    forests
        Grown on the first of the tables, all rows.
    tables
        Shape (n, columns) each: the records, and the same records with changed columns.
    threads
        The number of threads.

    Returns
    -------
    For each table the sums, shape (n,), and the number of trees that were added for each record.
    """
    rows = len(tables[0])
    sums = [np.zeros(rows) for _ in tables]
    counts = np.zeros(rows, np.int64)
    with ThreadPoolExecutor(threads) as pool:
        for forest in forests:
            for tree, bag in zip(forest.estimators_, forest.estimators_samples_, strict=True):
                in_bag = np.zeros(rows, np.bool_)
                in_bag[bag] = True
                counts += ~in_bag

                def add_block(start: int, tree: Any = tree.tree_, in_bag: Any = in_bag) -> None:
                    outside = start + np.flatnonzero(~in_bag[start : start + BLOCK])
                    for table, total in zip(tables, sums, strict=True):
                        total[outside] += tree.value[tree.apply(table[outside]), 0, 1]

                list(pool.map(add_block, range(0, rows, BLOCK)))
    return sums, counts


def of_others(forests: Iterator[Any], table: NDArray[np.float32], threads: int) -> NDArray[np.float64]:
    """Add up the predictions of trees for other records: shares of classes, or numbers; shape (n, outputs)."""
    total: NDArray[np.float64] | None = None
    with ThreadPoolExecutor(threads) as pool:
        for forest in forests:
            for tree in (estimator.tree_ for estimator in forest.estimators_):
                if total is None:
                    total = np.zeros((len(table), tree.value.shape[2]))

                def add_block(start: int, tree: Any = tree, total: Any = total) -> None:
                    block = slice(start, start + BLOCK)
                    total[block] += tree.value[tree.apply(table[block]), 0]

                list(pool.map(add_block, range(0, len(table), BLOCK)))
    assert total is not None
    return total


def reported(forests: Iterator[Any], trees: int, progress: ProgressCallback | None) -> Iterator[Any]:
    """Yield the given forests, and report the number of trees grown."""
    done = 0
    for forest in forests:
        yield forest
        done += len(forest.estimators_)
        if progress is not None:
            progress(done, trees)
