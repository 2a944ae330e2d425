"""Data of a search: the reference in blocks, queries, the state of a batch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import F32, F64, I32, I64, U8, U16, U64

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
COLUMNS = 8  # numbers added between two checks of the surviving rows
NONE = np.iinfo(np.int64).max  # no record: larger than any


class Metric(NamedTuple):
    """Terms of exact distances, and their counterparts in the filters."""

    power: int
    cap: bool
    root: bool
    divisor: float
    scales: F64  # of numbers: the divisor of a difference
    weights: F64  # of numbers
    missing: F64  # number missing against number present
    costs: F64  # of categories
    unit: float  # one of the filters' costs in these
    slack: float  # the share by which a limit is widened
    uniform: bool  # all categories cost the same
    counted: bool  # there are only such categories, one bitmap each: their count decides
    caps: F32  # the most that an absolute difference costs
    filtered: bool  # float32 values may be added up: not where squares have a cap
    summed: int  # terms that filters add up in float32: numbers, and four roundings for each vector


class Blocks(NamedTuple):
    """The reference, in the order of the tree."""

    starts: I64  # (blocks + 1,)
    bits: U64  # which rows differ: eights of blocks x bit_rows x 8, flat
    bit_rows: int
    values: F32  # blocks x numbers x 64, flat
    numeric: F64  # exact (rows, p)
    codes: I32  # exact (rows, c)
    member_start: I64  # (rows + 1,)
    members: I64  # the records that equal a row, ascending
    fine: U16  # bounds: superblocks of 64 blocks x table_rows x 64, flat
    coarse: U16  # bounds: 64 superblocks x table_rows x 64, flat
    table_rows: int
    base: I32  # the first table row of each column
    edges: F32
    edge_start: I64
    unit: float  # the cost of one unit of the tables
    counted: I32  # the column of each bitmap that is counted; a multiple of 8, -1 = none
    price: float  # the cost of one bitmap


class Queries(NamedTuple):
    """Queries, and the order in which they are searched."""

    order: I64
    values: F32
    codes: U8
    margin: F64
    surcharge: F64
    numeric: F64  # exact
    exact_codes: I32


class State(NamedTuple):
    """State of a batch of queries: arrays (batch, …), and room for one query at a time.

    A limit is the most that a filter may find for a row to be looked at; count_tie is the same for records that are
    larger than the worst in the query's list.
    """

    distances: F64  # (batch, k)
    records: I64  # (batch, k)
    count_limit: I64
    count_tie: I64
    table_limit: I64
    value_limit: F32
    sum_limit: F64
    table_choice: I32  # (batch, columns) table rows
    bit_choice: I32  # (batch, bitmaps) bitmaps to be counted
    asking: I64  # (batch,) the queries that look at a superblock
    masks: U64  # (batch,) and the blocks of it that they look at
    visits: I64  # (8 * batch, 3) place in the batch, eight, mask of its blocks
    far: U16  # (superblocks, batch) bounds of superblocks
    nearest: I64  # (superblocks,)
    homes: I64  # (batch, FIRST) the superblocks with the least bounds
    bounds: U16  # (superblocks padded to 64,)
    block_bounds: U16  # (64,)
    within: U64  # (8,)
    planes: U64  # (MANY_PLANES * 8,)
    sums: F32  # (64,)
    filter_limit: F64  # (batch,) the maximum sum of a filter, before rounding to float32
