"""From a reference to the blocks that are searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.blocks import bounds, distinct, limits, lookups, quantized, tree, visits
from synthpriv_sql.kernels.blocks.encode import Encoded, Encoder
from synthpriv_sql.kernels.blocks.state import Blocks, Metric, State
from synthpriv_sql.kernels.blocks.tree import BLOCK, Tree
from synthpriv_sql.kernels.knn import products
from synthpriv_sql.kernels.layout import Distance, Records, aligned, by_block
from synthpriv_sql.kernels.simd.lanes import MANY_PLANES
from synthpriv_sql.kernels.threads import Workers, together

if TYPE_CHECKING:
    from synthpriv_sql.kernels.blocks.quantized import Quantizer
    from synthpriv_sql.kernels.blocks.vectors import Coder

_BUCKETS = 2048  # intervals that the numbers share
_TIMES = 3  # bitmaps counted per category, on average, where weights differ


class Fitted(NamedTuple):
    """A reference whose rows are all different, and the encoder of queries.

    members: int64 (records,): the records that equal row i are members[member_start[i]:member_start[i + 1]], ascending.
    multiplied: whether rows can be ruled out by products.
    """

    table: Records
    members: NDArray[np.int64]
    member_start: NDArray[np.int64]
    encoder: Encoder
    encoded: Encoded
    metric: Metric
    multiplied: bool


class Grown(NamedTuple):
    """A reference in an order in which few of its blocks have to be searched."""

    tree: Tree
    blocks: Blocks
    half_norms: NDArray[np.float32] | None
    lookups: lookups.Lookups | None
    quantizer: Quantizer | None
    coder: Coder | None


def fit(table: Records, distance: Distance, first_record: int, workers: Workers) -> Fitted:
    """Look at a reference."""
    workers.raise_if_stopped()
    kept, group = distinct.distinct(table, workers.threads)
    members, member_start = np.arange(table.rows), np.arange(table.rows + 1)
    if len(kept) < table.rows:
        table = table.take(kept)
        members = np.argsort(group, kind="stable")
        member_start = np.concatenate(([0], np.cumsum(np.bincount(group, minlength=len(kept)))))
    workers.raise_if_stopped()
    encoder = Encoder(table, distance)
    encoded = encoder.encode_reference(table, workers.threads)
    multiplied = _multiplied(encoded, encoder)
    return Fitted(table, members + first_record, member_start, encoder, encoded, _metric(distance, encoder), multiplied)


def grow(fitted: Fitted, distance: Distance, workers: Workers) -> Grown:
    """Order a reference and make the tables of its bounds."""
    table, members, member_start, encoder, encoded, _, multiplied = fitted
    workers.raise_if_stopped()
    order, starts, grown = tree.grow(
        encoded.values, encoded.codes, encoder.costs, distance.power, workers.stop, full=multiplied,
        threads=workers.threads,
    )  # fmt: skip
    workers.raise_if_stopped()
    start = np.concatenate(([0], np.cumsum(np.diff(member_start)[order])))

    def in_order() -> NDArray[np.int64]:
        if len(members) == len(order):
            return members[order]
        return members[np.arange(len(members)) + np.repeat(member_start[order] - start[:-1], np.diff(start))]

    encoded, numeric, codes, members_in_order = together(
        len(order),
        workers.threads,
        lambda: fitted.encoded.take(order),
        lambda: table.numeric[order],
        lambda: table.codes[order],
        in_order,
    )
    cut = bounds.buckets(encoded, int(np.clip(_BUCKETS // max(1, encoded.values.shape[1]), 32, 1024)))
    workers.raise_if_stopped()
    (fine, coarse, unit), bits, values = together(
        len(order),
        workers.threads,
        lambda: bounds.tables(encoder, encoded, starts, cut),
        lambda: bounds.bitmaps(encoded, starts, cut),
        lambda: by_block(encoded.values, starts, BLOCK),
    )
    counted, price = counted_columns(encoder.costs)
    blocks = Blocks(
        starts=starts,
        bits=bits.reshape(-1),
        bit_rows=bits.shape[1],
        values=values,
        numeric=numeric,
        codes=codes,
        member_start=start,
        members=members_in_order,
        fine=fine.reshape(-1),
        coarse=coarse.reshape(-1),
        table_rows=fine.shape[1],
        **cut._asdict(),
        unit=unit,
        counted=counted,
        price=price,
    )
    half_norms = products.half_norms(encoded.values, starts) if multiplied else None
    quantizer = coder = None
    if not multiplied and not distance.whole and _summed(distance) and quantized.worthwhile(encoded.values):
        workers.raise_if_stopped()
        quantizer = quantized.quantizer(encoded.values, encoder.caps, distance.power, starts)
    if table.vectors is not None:
        from synthpriv_sql.kernels.blocks.vectors import Coder

        workers.raise_if_stopped()
        coder = Coder(table.vectors[order], starts, distance, encoder.unit, workers.threads)
    looked_up = None
    if not multiplied and quantizer is None:
        workers.raise_if_stopped()
        looked_up = lookups.lookups(encoded, starts)
    return Grown(grown, blocks, half_norms, looked_up, quantizer, coder)


def _summed(distance: Distance) -> bool:
    """Tell whether filters may add up numbers: not where squares have a cap."""
    return not distance.cap or distance.power == 1


def _multiplied(reference: Encoded, encoder: Encoder) -> bool:
    """Tell whether rows can be ruled out by products: there are only numbers, none missing, and squares are added."""
    squares = encoder.power == 2 and not np.isfinite(encoder.caps).any()
    return bool(squares and not len(encoder.costs) and reference.values.size and encoder.complete)


def counted_columns(costs: NDArray[np.float64]) -> tuple[NDArray[np.int32], float]:
    """Choose the column of each bitmap to be counted, and the cost of a bitmap.

    Where the columns do not all cost the same, a column is counted once per whole price that it costs.
    """
    if not len(costs):
        return np.zeros(0, np.int32), 1.0
    same = costs.min() == costs.max()
    price = float(costs[0]) if same else float(costs.sum()) / (_TIMES * len(costs))
    # A cost that is so many prices but for rounding is counted so often; limits are wider than that.
    times = np.floor(costs / price * (1 + 2.0**-50)).astype(np.int64)
    chosen = np.repeat(np.arange(len(costs)), times)
    columns = np.full(-(-len(chosen) // 8) * 8, -1, np.int32)
    columns[: len(chosen)] = chosen
    return columns, price


def _metric(distance: Distance, encoder: Encoder) -> Metric:
    (weights, scales, missing), costs = distance.numbers, distance.costs
    uniform = len(set(costs)) < 2
    return Metric(
        power=distance.power,
        cap=bool(distance.cap),
        root=bool(distance.root),
        divisor=float(distance.divisor),
        scales=scales,
        weights=weights,
        missing=missing,
        costs=costs,
        unit=encoder.unit,
        slack=limits.slack(len(weights) + len(costs) + sum(1 + vector.length for vector in distance.whole)),
        uniform=uniform,
        counted=uniform and len(costs) > 0 and not len(weights) and not distance.whole,
        caps=np.minimum(encoder.caps, 1e38).astype(np.float32),
        filtered=_summed(distance),
        summed=len(weights) + 4 * len(distance.whole),
    )


def make_state(blocks: Blocks, batch: int, k: int) -> State:
    """Allocate what a thread needs that searches `batch` queries at a time."""
    superblocks = -(-(len(blocks.starts) - 1) // BLOCK)

    def zeros(dtype: Any, *shape: int) -> NDArray[Any]:
        return aligned(shape, dtype)

    return State(
        distances=zeros(np.float64, batch, k),
        records=zeros(np.int64, batch, k),
        count_limit=zeros(np.int64, batch),
        count_tie=zeros(np.int64, batch),
        table_limit=zeros(np.int64, batch),
        value_limit=zeros(np.float32, batch),
        sum_limit=zeros(np.float64, batch),
        table_choice=zeros(np.int32, batch, len(blocks.base) - 1),
        bit_choice=zeros(np.int32, batch, len(blocks.counted)),
        asking=zeros(np.int64, batch),
        masks=zeros(np.uint64, batch),
        visits=zeros(np.int64, 8 * batch, 3),
        far=zeros(np.uint16, superblocks, batch + 32),  # rows a power of two apart would share a cache line
        nearest=zeros(np.int64, superblocks),
        homes=zeros(np.int64, batch, visits.FIRST),
        bounds=zeros(np.uint16, -(-superblocks // BLOCK) * BLOCK),
        block_bounds=zeros(np.uint16, BLOCK),
        within=zeros(np.uint64, 8),
        planes=zeros(np.uint64, MANY_PLANES * 8),
        sums=zeros(np.float32, BLOCK),
        filter_limit=zeros(np.float64, batch),
    )
