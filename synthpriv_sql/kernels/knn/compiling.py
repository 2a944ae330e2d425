"""Compiles the kernel ahead of a search, in this process or in one that runs beside it.

Where nothing is compiled yet, small searches go on in NumPy while another process compiles, so that later searches find
the kernel on disk (`dispatch.numpy_is_sooner`), and larger ones wait for it (`dispatch.await_helper`).
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import numpy as np

from synthpriv_sql.kernels.knn import dispatch, index
from synthpriv_sql.kernels.layout import Columns, Distance, Vector


def compile_kernel() -> None:
    """Compile what searches call and keep it on disk, by searches that reach all of it."""
    numbers = np.where(np.arange(300) % 7 == 0, np.nan, np.arange(300.0))
    table = Columns((numbers,), ((np.arange(300) % 5).astype(np.int32),), 300)
    index.search(table, table, Distance(1, False, 1.0, (1.0,), (1.0,), 1.0, False), 1)
    table, squares = Columns((np.arange(300.0),), (), 300), Distance(2, False, 1.0, (1.0,), (), 1.0, True)
    index.search(table, table, squares, 1)  # products are for numbers alone, every pair for those that are all there
    index.search(Columns((numbers,), (), 300), table, squares, 1)


def compile_rarer() -> None:
    """Compile what few searches call: vectors beside other columns, many numbers, and costs that are looked up."""
    from synthpriv_sql.kernels.blocks.quantized import MANY_ROWS, many_numbers

    rng = np.random.default_rng(0)
    vectors = Columns((), ((np.arange(300) % 5).astype(np.int32),), 300, (rng.random((300, 3)),))
    index.search(vectors, vectors, Distance(1, False, 1.0, (), (1.0,), 1.0, False, (), (Vector(3, 1.0, 1.0),)), 1)
    rows = 2 * MANY_ROWS  # more blocks than a query looks at before costs are looked up
    for numbers in (many_numbers(), 2):
        table = Columns(tuple(rng.random((numbers, rows))), (), rows)
        index.search(table, table, Distance(1, True, 1.0, (1.0,) * numbers, (), 1.0, False), 1)


def compile_alone() -> None:
    """Compile unless another process has done so: they wait for each other, and let others go first."""
    with suppress(OSError, AttributeError):
        os.nice(10)
    with _turn():
        if not dispatch.compiled():
            compile_kernel()


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for other processes that compile to the same place; not on Windows, where they do it beside each other."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    places = "\n".join(map(str, dispatch.places())).encode()
    name = f"synthpriv_sql-{os.getuid()}-{hashlib.sha256(places).hexdigest()[:16]}.lock"
    with ExitStack() as stack:
        with suppress(OSError):  # a folder where nothing can be written
            fcntl.flock(stack.enter_context((Path(tempfile.gettempdir()) / name).open("a")), fcntl.LOCK_EX)
        yield
