"""Pages: how encoded rows travel from SQL into the kernel.

A page is a chunk of records as an Arrow stream in one BLOB: the record numbers, then the compared columns, doubles as
they are and texts dictionary-encoded. A list of pages is an ordinary value of the statement, so it lives exactly as
long as the statement does, and nothing is kept in Python between two calls of a function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Encoded:
    """A table out of its pages: per column a float64 array (NaN missing) or an Arrow array of texts' dictionary."""

    rows: int
    columns: tuple[Any, ...]


def write(record: Any, *columns: Any) -> Any:
    """Make a page of a chunk of rows.

    Parameters
    ----------
    record, columns
        Arrow arrays of one length n: record numbers, then DOUBLE or VARCHAR columns.

    Returns
    -------
    pyarrow.Array
        n binary values: the page, then nulls.
    """
    arrays = [_combined(record), *(_encoded(_combined(column)) for column in columns)]
    batch = pa.record_batch(arrays, names=[str(i) for i in range(len(arrays))])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    page = sink.getvalue()
    rows = batch.num_rows
    # The page on the first row, nulls on the others, without copying it into an array.
    valid = np.zeros((rows + 7) // 8, np.uint8)
    valid[0] = 1
    offsets = np.full(rows + 1, page.size, np.int32)
    offsets[0] = 0
    return pa.Array.from_buffers(pa.binary(), rows, [pa.py_buffer(valid), pa.py_buffer(offsets), page])


def read(pages: Any, kinds: Sequence[str]) -> Encoded:
    """Put a list of pages together again.

    Parameters
    ----------
    pages
        Binary Arrow array, as `write` made them, in any order.
    kinds
        Per column ``number`` or ``text``.

    Returns
    -------
    Encoded
        Rows ordered by record number.
    """
    batches = [pa.ipc.open_stream(page.as_buffer()).read_next_batch() for page in pages]
    batches.sort(key=lambda batch: int(batch.column(0)[0].as_py()))
    rows = sum(batch.num_rows for batch in batches)
    columns: list[Any] = []
    for i, kind in enumerate(kinds, start=1):
        if kind == "number":
            values = np.empty(rows, np.float64)
            at = 0
            for batch in batches:
                # Nulls become NaN on the way: both are missing.
                values[at : at + batch.num_rows] = batch.column(i).to_numpy(zero_copy_only=False)
                at += batch.num_rows
            columns.append(values)
        else:
            columns.append([batch.column(i) for batch in batches])
    _check_order(batches)
    return Encoded(rows, tuple(columns))


def codes(*chunks: list[Any]) -> list[NDArray[np.int32]]:
    """Number the categories of a column alike in several tables.

    Parameters
    ----------
    chunks
        Per table its dictionary-encoded arrays.

    Returns
    -------
    list of ndarray of int32
        Per table the code of each row; -1 where missing.
    """
    every = [chunk for table in chunks for chunk in table]
    if not every:
        return [np.empty(0, np.int32) for _ in chunks]
    unified = pa.chunked_array(every).unify_dictionaries()
    given: list[NDArray[np.int32]] = []
    at = 0
    for table in chunks:
        parts = unified.chunks[at : at + len(table)]
        at += len(table)
        arrays = [pc.fill_null(part.indices, -1).to_numpy(zero_copy_only=False) for part in parts]
        given.append(np.concatenate(arrays) if arrays else np.empty(0, np.int32))
    return given


def _combined(array: Any) -> Any:
    if isinstance(array, pa.ChunkedArray):
        return array.chunk(0) if array.num_chunks == 1 else array.combine_chunks()
    return array


def _encoded(array: Any) -> Any:
    if pa.types.is_floating(array.type):
        return array
    return array.cast(pa.string()).dictionary_encode()


def _check_order(batches: Sequence[Any]) -> None:
    expected = 0
    for batch in batches:
        numbers = batch.column(0).to_numpy()
        if numbers[0] != expected or numbers[-1] != expected + len(numbers) - 1:
            raise RuntimeError("the database numbered the records of a chunk out of order")
        expected += len(numbers)
