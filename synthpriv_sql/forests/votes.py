"""What the trees of a forest say of records, added up in one order whatever the threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.forests.forest import BLOCK, Floats, feature
from synthpriv_sql.kernels.threads import ProgressCallback


def features(tables: Sequence[Sequence[NDArray[Any]]]) -> tuple[NDArray[np.float32], list[int]]:
    """Return the columns of several tables as one table that a forest takes.

    Parameters
    ----------
    tables
        The same columns of each, coded alike.

    Returns
    -------
    The rows of all tables, shape (rows, kept columns), and the positions of the columns that are kept: identifiers and
    columns of one value are not.
    """
    together = [np.concatenate(parts) for parts in zip(*tables, strict=True)]
    found = [(i, one) for i, column in enumerate(together) if (one := feature(column)) is not None]
    rows = len(together[0]) if together else 0
    return np.column_stack([one for _, one in found] or [np.zeros(rows, np.float32)]), [i for i, _ in found]


def out_of_bag(
    forests: Iterator[Any], tables: Sequence[NDArray[np.float32]], threads: int
) -> tuple[list[Floats], NDArray[np.int64]]:
    """Add up the shares that trees give the second class for records that they were not grown on.

    Parameters
    ----------
    forests
        Grown on the first of the tables, all rows.
    tables
        Shape (n, columns) each: the records, and the same records with something changed.
    threads
        How many to use.

    Returns
    -------
    For each table the sums, shape (n,), and how many trees spoke of each record.
    """
    rows = len(tables[0])
    sums = [np.zeros(rows) for _ in tables]
    heard = np.zeros(rows, np.int64)
    with ThreadPoolExecutor(threads) as pool:
        for forest in forests:
            for tree, bag in zip(forest.estimators_, forest.estimators_samples_, strict=True):
                silent = np.zeros(rows, np.bool_)
                silent[bag] = True
                heard += ~silent

                def ask(start: int, tree: Any = tree.tree_, silent: Any = silent) -> None:
                    asked = start + np.flatnonzero(~silent[start : start + BLOCK])
                    for table, total in zip(tables, sums, strict=True):
                        total[asked] += tree.value[tree.apply(table[asked]), 0, 1]

                list(pool.map(ask, range(0, rows, BLOCK)))
    return sums, heard


def of_others(forests: Iterator[Any], table: NDArray[np.float32], threads: int) -> NDArray[np.float64]:
    """Add up what trees say of records that they have not seen: shares of classes, or numbers; shape (n, outputs)."""
    total: NDArray[np.float64] | None = None
    with ThreadPoolExecutor(threads) as pool:
        for forest in forests:
            for tree in (estimator.tree_ for estimator in forest.estimators_):
                if total is None:
                    total = np.zeros((len(table), tree.value.shape[2]))

                def ask(start: int, tree: Any = tree, total: Any = total) -> None:
                    block = slice(start, start + BLOCK)
                    total[block] += tree.value[tree.apply(table[block]), 0]

                list(pool.map(ask, range(0, len(table), BLOCK)))
    assert total is not None
    return total


def reported(forests: Iterator[Any], trees: int, progress: ProgressCallback | None) -> Iterator[Any]:
    """Pass forests on, and tell how many of the trees are grown."""
    done = 0
    for forest in forests:
        yield forest
        done += len(forest.estimators_)
        if progress is not None:
            progress(done, trees)
