"""Compiles the kernel ahead of the first call, for images and for machines with read-only installations."""

from __future__ import annotations

import os
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.api.opening import connect
from synthpriv_sql.errors import SynthprivError, SynthprivWarning
from synthpriv_sql.kernels import private
from synthpriv_sql.kernels.knn import compiling, dispatch, searching
from synthpriv_sql.kernels.layout import Columns, Distance
from synthpriv_sql.metrics import METRICS
from synthpriv_sql.planner.headers import catalog

_ROWS = 1_200
_KINDS: tuple[dict[str, Any], ...] = (
    {},
    {"columns": ["number", "whole", "day"]},
    {"columns": ["whole", "day"]},
    {"columns": ["category", "word"]},
)


@dataclass(frozen=True, slots=True)
class Warmed:
    """The folder of the compiled kernel (None: not cached, every process compiles it), and the seconds it took."""

    folder: Path | None
    seconds: float


def warm() -> Warmed:
    """Compile the whole kernel by calling every function that needs only tables on small ones.

    Returns
    -------
    Warmed
        numba's cache folder: ``NUMBA_CACHE_DIR``, otherwise ``__pycache__`` in the package, otherwise the user's cache
        folder.
    """
    begun = time.monotonic()
    compiling.compile_kernel()
    with connect() as session, dispatch.kernel_only(), warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)  # about the generated tables
        tables = {name: _table(seed) for seed, name in enumerate(("synthetic", "train", "holdout"))}
        for metric in METRICS:
            for kind in _KINDS:
                session.call("neighbors", queries=tables["synthetic"], reference=tables["train"], metric=metric, **kind)
        one, other = (_beside_vectors(tables[name]) for name in ("synthetic", "train"))
        session.call("neighbors", queries=one, reference=other)
        for function in catalog.functions().values():
            given = {p.name: tables.get(p.name, tables["train"]) for p in function.relations}
            if (
                all(p.required <= (p.name in given) for p in function.parameters.values())
                and function.family != "baseline"
            ):
                with suppress(SynthprivError):  # functions that need another kind of table, such as a curve
                    session.call(function, **given)
    _many_columns()
    from synthpriv_sql.kernels.knn import scan

    folder, chosen = private.folder_of(scan.search_batches), os.environ.get("NUMBA_CACHE_DIR")
    if folder is not None and not private.has_index(folder):
        folder = None  # the chosen folder is not writable
    if folder is not None and chosen and folder.is_relative_to(chosen):
        folder = Path(chosen)
    return Warmed(folder, time.monotonic() - begun)


def _beside_vectors(table: pa.Table) -> pa.Table:
    """Rows with a category and a vector, which have a search of their own."""
    vectors = pa.array(np.random.default_rng(0).normal(size=(len(table), 3)).tolist())
    return table.select(["category"]).append_column("vector", vectors)


def _many_columns() -> None:
    """Search many columns, which is done otherwise than with few; on arrays, for their statement is long."""
    from synthpriv_sql.kernels.agreement import index, wide
    from synthpriv_sql.kernels.blocks.quantized import MANY_ROWS, many_numbers
    from synthpriv_sql.udf.encoded import pages
    from synthpriv_sql.udf.encoded.population import Population, values_of

    rng = np.random.default_rng(0)
    table = pages.Encoded(_ROWS, tuple(rng.integers(0, 2, (wide.WIDE, _ROWS)).astype(np.float64)))
    columns = len(table.columns)
    population = Population(["numeric"] * columns, [1.0] * columns, values_of([table]), _ROWS, 0.0)
    codes = population.codes(table)
    index.search(codes, codes, population.shares)
    numbers = Columns(tuple(rng.random((many_numbers(), MANY_ROWS))), (), MANY_ROWS)
    gower = Distance(1, True, 1.0, (1.0,) * many_numbers(), (), 1.0, False)
    searching.search(numbers, numbers, gower, 1)


def _table(seed: int) -> pa.Table:
    """Rows with a column of every kind, including missing values."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=_ROWS)
    columns = {
        "number": pa.array(numbers, mask=rng.random(_ROWS) < 0.05),
        "whole": pa.array(rng.integers(0, 50, _ROWS)),
        "day": pa.array(rng.integers(0, 20_000, _ROWS), pa.int32()).cast(pa.date32()),
        "category": pa.array(rng.choice(list("abcde"), _ROWS), mask=rng.random(_ROWS) < 0.05),
        "word": pa.array([f"w{i}" for i in rng.integers(0, 400, _ROWS)]),
    }
    return pa.table(columns)
