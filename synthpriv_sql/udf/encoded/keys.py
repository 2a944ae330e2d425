"""Columns as codes: equal values in all tables have the same code, whatever their type."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.kernels.jit import I32, I64
from synthpriv_sql.kernels.uniques.keys import Keys
from synthpriv_sql.udf.encoded import pages


def numbered(parts: Sequence[Any]) -> I32:
    """Return codes for the values of a column of several tables; missing values form a category of their own.

    Parameters
    ----------
    parts
        For each table its column: float64, `pages.Texts` or `pages.Integers`.

    Returns
    -------
    int32 (records,): codes from 0, for the records of all tables in order.
    """
    if isinstance(parts[0], pages.Texts):
        return pages.codes(pages.joined(parts))[0] + np.int32(1)
    if isinstance(parts[0], pages.Integers):
        missing = np.concatenate([part.missing for part in parts])
        values = pa.array(np.concatenate([part.values for part in parts]), mask=missing if missing.any() else None)
    else:
        numbers = np.concatenate(parts)
        numbers += 0.0  # -0.0 becomes 0.0
        missing = np.isnan(numbers)
        values = pa.array(numbers, mask=missing if missing.any() else None)
    codes = values.dictionary_encode().indices
    if missing.any():
        codes = codes.fill_null(-1)
    found: I32 = codes.to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
    return found + np.int32(1)


def keys(
    tables: Sequence[pages.Encoded], real: int, columns: Sequence[int], threads: int, rows: I64 | None = None
) -> Keys:
    """Return codes for the values of columns.

    Parameters
    ----------
    tables
        The real tables, followed by the synthetic one.
    real
        The number of real records that count.
    columns
        The positions of the columns.
    threads
        The number of columns processed in parallel.
    rows
        The records that count, by their positions in all tables, real ones first; by default all of them.
    """
    records = sum(table.rows for table in tables) if rows is None else len(rows)
    codes = np.empty((len(columns), records), np.int32)

    def number(place: int) -> tuple[int, int]:
        found = numbered([table.columns[columns[place]] for table in tables])
        found = found if rows is None else found[rows]
        count = int(found.max(initial=-1)) + 1
        in_real, in_synthetic = (np.bincount(part, minlength=count) > 0 for part in (found[:real], found[real:]))
        shared = in_real & in_synthetic
        size = int(shared.sum())
        meant = np.full(count, -1, np.int32)
        meant[shared] = np.arange(size, dtype=np.int32)
        codes[place] = meant[found]
        return size, int(in_real.sum())

    with ThreadPoolExecutor(max(1, threads)) as pool:
        sizes = list(pool.map(number, range(len(columns))))
    return Keys(codes, np.array([size for size, _ in sizes], np.int64), [distinct for _, distinct in sizes], real)
