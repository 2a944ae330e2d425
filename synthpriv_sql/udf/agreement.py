"""``synthpriv_agreement``: from pages of real and synthetic records to the bits of every real record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.errors import EmptyTable, TooLarge
from synthpriv_sql.udf.encoded import arrange, identifiers, pages
from synthpriv_sql.udf.neighbors import INDEX_SHARE, MOST, Monitor, combined, watched

FOUND_SQL = "STRUCT(members BIGINT, scores DOUBLE[], synthetic BIGINT[], own_bits DOUBLE[], bits DOUBLE[][])"


def agree(synthetic_pages: Any, train_pages: Any, holdout_pages: Any, options: Any, monitor: Monitor) -> Any:
    """``synthpriv_agreement(synthetic_pages, train_pages, holdout_pages, options)``: the bits of each real record.

    Parameters
    ----------
    synthetic_pages, train_pages, holdout_pages
        Arrow lists of pages, one list per row; null if the table has no rows, or there is no holdout.
    options
        Arrow structs with the fields of sql/parts/agreement.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the number of records in train; then, for all records of train followed by those of holdout,
        the bits, the synthetic record that reaches them, the bits of an exact copy, and the bits per column (null
        unless requested).

    Raises
    ------
    EmptyTable, InfiniteValue, TooLarge, Stopped
        See `synthpriv_sql.errors`.
    """
    arguments = [combined(a) for a in (synthetic_pages, train_pages, holdout_pages, options)]
    return pa.concat_arrays([watched(_agree_one, [a[i] for a in arguments], monitor) for i in range(len(options))])


def _agree_one(synthetic_pages: Any, train_pages: Any, holdout_pages: Any, options: Any, *, monitor: Monitor) -> Any:
    # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.agreement import index
    from synthpriv_sql.udf import compiling
    from synthpriv_sql.udf.encoded import nearness
    from synthpriv_sql.udf.encoded.population import Population, values_of

    options = options.as_py()
    kinds = arrange.kinds(options["roles"])
    threads = options["threads"]
    tables = {}
    for side, given in (("synthetic", synthetic_pages), ("train", train_pages), ("holdout", holdout_pages)):
        tables[side] = pages.read(given.values or [], kinds)
        if side != "holdout" and not tables[side].rows:
            raise EmptyTable(f"{options[side]} has no rows; without a record there is no closest one")
        arrange.check_values(options, tables[side], options[side])
        tables[side] = tables[side].by_equality()
    identifiers.note(options, tables["train"], tables["synthetic"])
    real = [tables["train"], tables["holdout"]] if tables["holdout"].rows else [tables["train"]]
    rows = sum(table.rows for table in real)
    if options["by_column"] and rows * len(kinds) > MOST:
        raise TooLarge(
            f"{rows} real records have {rows * len(kinds)} bits of columns, more than the {MOST} that DuckDB takes in "
            "one list; compare fewer columns, or a part of the records at a time"
        )
    sides = " + ".join(options[side] for side in ("train", "holdout") if tables[side].rows)
    label = f"{sides} → {options['synthetic']}, {rows:,} × {tables['synthetic'].rows:,} rows"
    with compiling.reported(monitor.progress):
        values = values_of(real, threads)
        population = Population(options["roles"], options["weights"], values, rows, float(options["near"]))
        synthetic = population.codes(tables["synthetic"], threads)
        queries = np.concatenate([population.codes(table, threads) for table in real])
        members = tables["train"].rows
        texts = nearness.texts_of(options, values)
        fresh = tables["synthetic"]
        del tables, real
        found = index.search(
            queries,
            synthetic,
            population.shares,
            threads=threads,
            shard_rows=index.rows_within(options["memory"] // INDEX_SHARE, len(kinds)),
            progress=lambda done, total: monitor.progress(done, total, label) if monitor.progress else None,
            cancelled=monitor.cancelled,
        )
        near = None
        if texts:
            near = nearness.nearby(
                texts, options["weights"], values, rows, fresh, threads=threads, cancelled=monitor.cancelled
            )
            index.offer_near(queries, synthetic, population.shares, near, found, threads)
        own = index.own(queries, population.shares, threads)
        bits = None
        if options["by_column"]:
            bits = index.agreeing(queries, synthetic, found.records, population.shares, threads, near)
    return _struct(members, found.bits, found.records, own, bits)


def _struct(members: int, scores: Any, records: Any, own: Any, bits: Any) -> Any:
    rows = len(scores)
    one = pa.array([0, rows], pa.int32())
    if bits is None:
        each = pa.nulls(rows, pa.list_(pa.float64()))
    else:
        ends = np.arange(rows + 1, dtype=np.int64) * bits.shape[1]
        each = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.array(bits.reshape(-1)))
    lists = [pa.ListArray.from_arrays(one, values) for values in (pa.array(scores), pa.array(records), pa.array(own))]
    lists.append(pa.ListArray.from_arrays(one, each))
    names = ["members", "scores", "synthetic", "own_bits", "bits"]
    return pa.StructArray.from_arrays([pa.array([members], pa.int64()), *lists], names=names)
