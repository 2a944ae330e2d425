"""``synthpriv_agreement``: from pages of real and synthetic records to the bits of every real record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.errors import EmptyTable, TooLarge
from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.udf.encoded import arrange, identifiers, pages
from synthpriv_sql.udf.neighbors import INDEX_SHARE, MOST, Monitor, combined, watched

FOUND_SQL = (
    "STRUCT(members BIGINT, positions BIGINT[], scores DOUBLE[], synthetic BIGINT[], own_bits DOUBLE[], "
    "bits DOUBLE[][])"
)


def agree(
    synthetic_pages: Any,
    train_pages: Any,
    holdout_pages: Any,
    asked: Any,
    options: Any,
    *,
    monitor: Monitor,
) -> Any:
    """``synthpriv_agreement(synthetic_pages, train_pages, holdout_pages, asked, options)``: the bits of real records.

    Parameters
    ----------
    synthetic_pages, train_pages, holdout_pages
        Arrow lists of pages, one list per row; null if the table has no rows, or there is no holdout.
    asked
        Arrow lists of ascending record numbers: of which records of train, followed by those of holdout; null for all.
    options
        Arrow structs with the fields of sql/parts/agreement.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the number of records in train; then, for the records of train followed by those of holdout
        that are asked, the position, the bits, the synthetic record that reaches them, the bits of an exact copy, and
        the bits per column (null unless requested).

    Raises
    ------
    EmptyTable, InfiniteValue, TooLarge, Stopped
        See `synthpriv_sql.errors`.
    """
    given = (synthetic_pages, train_pages, holdout_pages, asked, options)
    arguments = [combined(a) for a in given]
    return pa.concat_arrays([watched(_agree_one, [a[i] for a in arguments], monitor) for i in range(len(options))])


def _agree_one(
    synthetic_pages: Any, train_pages: Any, holdout_pages: Any, asked: Any, options: Any, *, monitor: Monitor
) -> Any:  # fmt: skip
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
    members, rows = tables["train"].rows, sum(table.rows for table in real)
    positions = np.arange(rows) if asked.values is None else asked.values.to_numpy()
    bits = len(positions) * len(kinds)
    if options["by_column"] and bits > MOST:
        raise TooLarge(
            f"{len(positions)} real records have {bits} bits of columns, more than the {MOST} that DuckDB takes in "
            "one list; compare fewer columns, or a part of the records at a time"
        )
    sides = " + ".join(options[side] for side in ("train", "holdout") if tables[side].rows)
    label = f"{sides} → {options['synthetic']}, {len(positions):,} × {tables['synthetic'].rows:,} rows"
    with compiling.reported(monitor.progress):
        values = values_of(real, threads)
        population = Population(options["roles"], options["weights"], values, rows, float(options["near"]))
        synthetic = population.codes(tables["synthetic"], threads)
        queries = np.concatenate([population.codes(table, threads) for table in real])
        if asked.values is not None:
            queries = queries[positions]
        texts = nearness.texts_of(options, values)
        fresh = tables["synthetic"]
        del tables, real
        shard_rows = index.rows_within(options["memory"] // INDEX_SHARE, len(kinds))
        run = monitor.search_options(threads, label, shard_rows=shard_rows)
        found = index.search(queries, synthetic, population.shares, options=run)
        near = None
        if texts:
            run = SearchOptions(threads, cancelled=monitor.cancelled)
            near = nearness.nearby(texts, options["weights"], values, rows, fresh, run)
            index.offer_near(queries, synthetic, population.shares, near, found, threads)
        own = index.own(queries, population.shares, threads)
        by_column = None
        if options["by_column"]:
            by_column = index.agreeing(queries, synthetic, found.records, population.shares, threads, near)
    return _struct(members, positions, found.bits, found.records, own, by_column)


def _struct(members: int, positions: Any, scores: Any, records: Any, own: Any, bits: Any) -> Any:
    rows = len(scores)
    one = pa.array([0, rows], pa.int32())
    if bits is None:
        each = pa.nulls(rows, pa.list_(pa.float64()))
    else:
        ends = np.arange(rows + 1, dtype=np.int64) * bits.shape[1]
        each = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.array(bits.reshape(-1)))
    values = (pa.array(column) for column in (positions, scores, records, own))
    lists = [pa.ListArray.from_arrays(one, column) for column in values]
    lists.append(pa.ListArray.from_arrays(one, each))
    names = ["members", "positions", "scores", "synthetic", "own_bits", "bits"]
    return pa.StructArray.from_arrays([pa.array([members], pa.int64()), *lists], names=names)
