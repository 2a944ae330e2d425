"""Compiles the kernel ahead of the first call, for images and for machines with read-only installations."""

from __future__ import annotations

import os
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from synthpriv_sql.api.opening import connect
from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.kernels import private
from synthpriv_sql.kernels.agreement import wide
from synthpriv_sql.kernels.knn import compiling, dispatch
from synthpriv_sql.learned import ahead
from synthpriv_sql.planner.headers import catalog

# Functions that reach, one with the other, all kernels but the search; test_cache.py calls every function after these.
_CALLED = ("evaluate", "selftest")
_SEARCH = "from synthpriv_sql.kernels.knn import compiling; compiling.compile_kernel(); compiling.compile_rarer()"


@dataclass(frozen=True, slots=True)
class Warmed:
    """The folder of the compiled kernel (None: not cached, every process compiles it), and the seconds it took."""

    folder: Path | None
    seconds: float


def warm() -> Warmed:
    """Compile the whole kernel, in two processes: the search, and what else there is.

    Returns
    -------
    Warmed
        numba's cache folder: ``NUMBA_CACHE_DIR``, otherwise ``__pycache__`` in the package, otherwise the user's cache
        folder.
    """
    begun = time.monotonic()
    beside = dispatch.start(_SEARCH)
    ahead.compile_agreement()
    ahead.compile_agreement(wide.WIDE)
    ahead.compile_trees()
    ahead.compile_texts()
    if beside is None or beside.wait():  # what it failed with shows here
        compiling.compile_kernel()
        compiling.compile_rarer()
    with connect() as session, dispatch.kernel_only(), warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)  # about the generated tables
        tables = {name: _table(seed) for seed, name in enumerate(("synthetic", "train", "holdout"))}
        for name in _CALLED:
            function = catalog.functions()[name]
            session.call(function, **{p.name: tables[p.name] for p in function.relations if p.name in tables})
    from synthpriv_sql.kernels.knn import scan

    folder, chosen = private.folder_of(scan.search_batches), os.environ.get("NUMBA_CACHE_DIR")
    if folder is not None and not private.has_index(folder):
        folder = None  # the chosen folder is not writable
    if folder is not None and chosen and folder.is_relative_to(chosen):
        folder = Path(chosen)
    return Warmed(folder, time.monotonic() - begun)


def _table(seed: int) -> pa.Table:
    """Rows with a column of every kind, including missing values."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=ahead.ROWS)
    columns = {
        "number": pa.array(numbers, mask=rng.random(ahead.ROWS) < 0.05),
        "whole": pa.array(rng.integers(0, 50, ahead.ROWS)),
        "day": pa.array(rng.integers(0, 20_000, ahead.ROWS), pa.int32()).cast(pa.date32()),
        "category": pa.array(rng.choice(list("abcde"), ahead.ROWS), mask=rng.random(ahead.ROWS) < 0.05),
        "word": pa.array([f"w{i}" for i in rng.integers(0, 400, ahead.ROWS)]),
    }
    return pa.table(columns)
