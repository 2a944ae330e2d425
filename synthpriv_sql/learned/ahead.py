"""Compiles ahead of their first call the kernels of agreement, of `learned` and of texts: most there is but the search.

A first evaluation that waits for the search (`dispatch.await_helper`) compiles these meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from synthpriv_sql.kernels.knn import dispatch

ROWS = 1_200
"""So many that every kernel is reached."""


def expect(calls: Collection[str] | None = None) -> None:
    """Say which functions will be called, so that what they need is compiled while a statement waits for the search.

    Parameters
    ----------
    calls
        Our functions; None for all that this module knows.
    """
    needed = {
        "synthpriv_agreement": compile_agreement, "synthpriv_learned": compile_trees, "synthpriv_near": compile_texts,
    }  # fmt: skip
    meanwhile = dispatch.this_process.meanwhile
    meanwhile += [work for name, work in needed.items() if (calls is None or name in calls) and work not in meanwhile]


def compile_agreement(columns: int = 3) -> None:
    """Search for agreement of so many columns."""
    from synthpriv_sql.kernels.agreement import index
    from synthpriv_sql.udf.encoded import pages
    from synthpriv_sql.udf.encoded.population import Population, values_of

    rng = np.random.default_rng(0)
    table = pages.Encoded(ROWS, tuple(rng.integers(0, 2, (columns, ROWS)).astype(np.float64)))
    population = Population(["numeric"] * columns, [1.0] * columns, values_of([table]), ROWS, 0.0)
    codes = population.codes(table)
    index.search(codes, codes, population.shares)


def compile_trees() -> None:
    """Train the classifiers of `learned`."""
    from synthpriv_sql.learned import judging

    rng = np.random.default_rng(0)
    features = rng.random((ROWS, 3))
    judging.trained_apart(features, rng.random(ROWS) < 0.5, features[:100], seed=0)


def compile_texts() -> None:
    """Search for nearly equal texts of every length."""
    from synthpriv_sql.kernels.near import limits, search

    numbers = np.arange(4 * limits.LONG, dtype=np.int32)
    texts = limits.texts([f"{number}" * (1 + number // 8) for number in numbers.tolist()])
    search.Search(texts).pairs(numbers, numbers)
