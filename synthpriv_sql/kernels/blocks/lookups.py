"""Filter of looked-up costs: rules rows of a block out by costs in bytes, before float32 does.

Each number of the reference is one of 63 codes, an interval from the least to the largest of its numbers, or a 64th
where it is missing. For a query, a table has what each code of a column costs at least, in bytes of which 254 are the
largest cost of interest; one table more prices mismatches of categories. So a bound of 64 rows takes two operations a
column. Tables cost as much as a few blocks: they are made once a query has looked at more, and anew where its limit has
fallen since.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.blocks.counts import few_planes
from synthpriv_sql.kernels.blocks.encode import Encoded
from synthpriv_sql.kernels.blocks.state import NONE, Blocks, Metric, Queries, State
from synthpriv_sql.kernels.jit import F32, I64, U8, apart, inner, kernel
from synthpriv_sql.kernels.layout import aligned
from synthpriv_sql.kernels.simd.lanes import LANES, RUN, count_at_most
from synthpriv_sql.kernels.simd.lookups import CODES, available, costs_within, write_costs

MISSING = CODES - 1
_SAMPLE = 4096  # rows from which the intervals of a column are learned
PATIENCE = 32  # blocks that a query looks at before it has tables
_RENEWED = 200.0  # tables are made anew where the limit is fewer bytes
_SMALLEST = 1e-30  # a limit below counts as this: float32 has the bytes of a cost of 1


class Lookups(NamedTuple):
    """The codes of the reference, and the tables of a batch of queries."""

    codes: U8  # blocks x numbers x 64, flat
    low: F32  # numbers x 64, flat: the least number of each code
    high: F32
    patience: int
    tables: U8  # batch x (numbers + 1) x 64, flat: the costs of codes, then of counted mismatches
    factors: F32  # (batch,) the bytes of one of the filters' costs; 0 where there are no tables yet
    looked: I64  # (batch,) blocks looked at


def cuts(column: F32) -> F32:
    """Choose the numbers at which the codes of a column begin but for the first, at most 62, from sorted known ones.

    What a code does not tell of a number is about the width of its interval: that the sum over all rows is least,
    intervals are as wide as the inverse root of the density.
    """
    values, count = np.unique(column, return_counts=True)
    if len(values) < MISSING:
        return values[1:]
    share = np.sqrt(np.diff(values.astype(np.float64)) * (count[1:] + count[:-1]))
    for _ in range(4):  # a gap needs no more than one cut
        share = np.minimum(share, share.sum() / MISSING)
    place = np.minimum(np.cumsum(share) / share.sum() * MISSING, MISSING - 1).astype(np.int64)
    chosen: F32 = values[1:][np.diff(place, prepend=0) > 0]
    return chosen


@kernel
def _code(values: F32, starts: I64, edges: F32, edge_start: I64, codes: U8, low: F32, high: F32) -> None:
    """Write the codes of rows in leaf order, and the ends of the intervals."""
    numbers = values.shape[1]
    for block in range(len(starts) - 1):
        for i in range(starts[block], starts[block + 1]):
            at = block * numbers * 64 + i - starts[block]
            for j in range(numbers):
                value = values[i, j]
                if value == value:
                    code = count_at_most(edges, edge_start[j], edge_start[j + 1], value)
                    place = j * 64 + code
                    low[place], high[place] = min(low[place], value), max(high[place], value)
                else:
                    code = np.int64(MISSING)
                codes[at + j * 64] = code


def lookups(reference: Encoded, starts: I64) -> Lookups | None:
    """Encode the numbers of a reference, in the order of its blocks; None without the processor's instruction."""
    if not available():
        return None
    blocks, values, patience = len(starts) - 1, reference.values, PATIENCE
    if blocks <= patience:  # no query looks at enough of them
        values, patience = values[:, :0], NONE
    numbers = values.shape[1]
    chosen = [cuts(column[~np.isnan(column)]) for column in values[:: max(1, len(values) // _SAMPLE)].T]
    low, high = np.full(numbers * CODES, np.inf, np.float32), np.full(numbers * CODES, -np.inf, np.float32)
    low[MISSING::CODES], high[MISSING::CODES] = -np.inf, np.inf  # costs nothing here: what is missing is counted
    edges = np.concatenate([*chosen, np.full(RUN, np.inf, np.float32)])
    edge_start = np.concatenate(([0], np.cumsum([len(each) for each in chosen]))).astype(np.int64)
    codes = aligned((blocks, numbers, LANES), np.uint8).reshape(-1)
    if numbers:
        _code(values, starts, edges, edge_start, codes, low, high)
    return Lookups(codes, low, high, patience, *_scratch(0, numbers))


def per_thread(found: Lookups, batch: int) -> Lookups:
    """Return the filter for one more thread, which searches so many queries at a time."""
    tables, factors, looked = _scratch(batch, len(found.low) // CODES)
    return found._replace(tables=tables, factors=factors, looked=looked)


def _scratch(batch: int, numbers: int) -> tuple[U8, F32, I64]:
    """Return the last three arrays of `Lookups`."""
    tables = aligned(batch * (numbers + 1) * CODES, np.uint8)
    return tables, np.zeros(batch, np.float32), np.zeros(batch, np.int64)


@inner
def forget_tables(found: Lookups, count: int) -> None:
    """Begin a batch of so many queries."""
    for slot in range(count):
        found.factors[slot], found.looked[slot] = 0, 0


@apart
def _write_tables(
    low: F32, high: F32, values: F32, query: int, caps: F32, power: int, price: float, limit: float, tables: U8, at: int
) -> np.float32:
    """Write the tables of a query whose rows of interest cost at most `limit`; return the bytes of a cost of 1."""
    # Costs are rounded down by more than float32 may round them up.
    factor = np.float32(255 * (1 - 2.0**-18) / limit)
    numbers = values.shape[1]
    for j in range(numbers):
        write_costs(low, high, j * CODES, values[query, j], caps[j], factor, power == 2, tables, at + j * CODES)
    each = float(price * factor * (1 - 2.0**-20))
    for count in range(CODES):
        tables[at + numbers * CODES + count] = int(min(count * each, 255.0))
    return factor


@inner
def rule_out_by_lookups(
    found: Lookups,
    mask: np.uint64,
    state: State,
    slot: int,
    queries: Queries,
    query: int,
    blocks: Blocks,
    block: int,
    metric: Metric,
    limit: int,
) -> np.uint64:
    """Return the rows of `mask` whose looked-up costs stay within the limit of a query.

    Mismatches of categories were counted up to `limit` (`count_rows`).
    """
    most, numbers = max(state.filter_limit[slot], _SMALLEST), queries.values.shape[1]
    found.looked[slot] += 1
    if numbers == 0 or most == np.inf or found.looked[slot] <= found.patience:
        return mask
    at = slot * (numbers + 1) * CODES
    if most * found.factors[slot] < _RENEWED:
        ends, costs = (found.low, found.high), (metric.caps, metric.power, blocks.price)
        found.factors[slot] = _write_tables(*ends, queries.values, query, *costs, most, found.tables, at)
    used = start = np.int64(0)
    if len(blocks.counted) > 0 and few_planes(limit, blocks):
        while (limit >> used) != 0:
            used += 1
        start = (1 << used) - 1 - limit
    within = int(most * found.factors[slot] * (1 + 2.0**-20))
    kept: np.uint64 = mask & costs_within(
        found.codes, block * numbers * LANES, found.tables, at, numbers, state.planes, block & 7, used, start, within
    )
    return kept
