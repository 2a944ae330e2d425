"""A distributed agreement search: first values are counted, then shards are searched.

Streams of Arrow batches in and out, as in `synthpriv_sql.udf.shards`. A cell is one shard of the synthetic table with a
slice of the real records; the pages of the shard come first.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.kernels.agreement import index
from synthpriv_sql.kernels.agreement.nearby import Nearby
from synthpriv_sql.kernels.jit import I32
from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.udf.encoded import arrange, nearness, pages
from synthpriv_sql.udf.encoded.population import Population, Values, values_of

SYNTHETIC, TRAIN, HOLDOUT = 0, 1, 2
SIDES = {TRAIN: "train", HOLDOUT: "holdout"}

COUNTED = pa.schema([pa.field("counted", pa.binary(), nullable=False)])
"""The result of `Counting`: one row for all of its pages."""

AGREED = pa.schema(
    [
        pa.field(name, type_, nullable=False)
        for name, type_ in {
            "side": pa.string(),
            "record": pa.int64(),
            "score": pa.float64(),
            "synthetic": pa.int64(),
            "own_bits": pa.float64(),
            "bits": pa.list_(pa.field("element", pa.float64(), nullable=False)),
        }.items()
    ]
)
"""The rows of a search, as in sql/parts/agreement.sql."""


@dataclass(frozen=True, slots=True)
class Counting:
    """Counts the values of the pages of real records.

    Parameters
    ----------
    kinds
        For each column ``number`` or ``text``.
    """

    kinds: Sequence[str]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of pages into one batch of `COUNTED`."""
        found: list[Values] = []
        for batch in batches:
            for page in batch.column("page"):
                counted = values_of([_table(page, self.kinds)])
                found = merged([found, counted]) if found else counted
        if found:
            yield pa.record_batch([[pickle.dumps([tuple(column) for column in found])]], schema=COUNTED)


def counted(rows: Sequence[bytes]) -> list[Values]:
    """Merge the results of `Counting`."""
    return merged([[Values(*column) for column in pickle.loads(row)] for row in rows])  # noqa: S301, our own bytes


def merged(parts: Sequence[Sequence[Values]]) -> list[Values]:
    """Add up the counts of several parts of a table."""
    result = []
    for columns in zip(*parts, strict=True):
        counts = np.concatenate([column.counts for column in columns])
        if isinstance(columns[0].known, np.ndarray):
            known, place = np.unique(np.concatenate([column.known for column in columns]), return_inverse=True)
        else:
            words = pa.concat_arrays([column.known for column in columns]).dictionary_encode()
            known, place = words.dictionary, words.indices.to_numpy()
        total = np.zeros(len(known), np.int64)
        np.add.at(total, place, counts)
        result.append(Values(known, total, sum(column.missing for column in columns)))
    return result


_Index = tuple[Population, I32, index.Index, Nearby | None]
_KEPT: dict[tuple[str, int], _Index] = {}
"""The index that this process built last: successive cells of one shard share it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Searches the shard of a cell for its real records.

    Parameters
    ----------
    token
        Identifies the search, so that a cached index is never used by another one.
    options
        The fields of sql/parts/agreement.sql.
    values, rows
        As for `Population`.
    threads
        Returns the number of threads to use on the machine that runs the search.
    """

    token: str
    options: Mapping[str, Any]
    values: Sequence[Values]
    rows: int
    threads: Callable[[], int]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of (side, page), synthetic first, into batches of `AGREED`."""
        kinds = arrange.kinds(self.options["roles"])
        shard: list[Any] = []
        for batch in batches:
            for side, page in zip(batch.column("side").to_pylist(), batch.column("page"), strict=True):
                if side == SYNTHETIC:
                    shard.append(page)
                else:
                    yield self._agreed(side, page, shard, kinds)

    def _agreed(self, side: int, page: Any, shard: list[Any], kinds: Sequence[str]) -> Any:
        first, (population, synthetic, found_in, near) = self._index(shard, kinds)
        threads = self.threads()
        queries = population.codes(_table(page, kinds), threads)
        found = found_in.search(queries, options=SearchOptions(threads))
        if near is not None:
            index.offer_near(queries, synthetic, population.shares, near, found, threads, first)
        bits = index.agreeing(queries, synthetic, found.records - first, population.shares, threads, near)
        own = index.own(queries, population.shares, threads)
        begin, rows = pages.span(page)
        offsets = np.arange(rows + 1, dtype=np.int32) * bits.shape[1]
        lists = pa.ListArray.from_arrays(pa.array(offsets), pa.array(bits.reshape(-1)), type=AGREED.field("bits").type)
        numbers = np.arange(begin, begin + rows)
        return pa.record_batch([[SIDES[side]] * rows, numbers, found.bits, found.records, own, lists], schema=AGREED)

    def _index(self, shard: list[Any], kinds: Sequence[str]) -> tuple[int, _Index]:
        """Return the first record of the shard and its index; the pages are freed."""
        if shard:
            first = min(pages.span(page)[0] for page in shard)
            if (self.token, first) not in _KEPT:
                _KEPT.clear()
                options, threads = self.options, self.threads()
                population = Population(
                    options["roles"], options["weights"], self.values, self.rows, float(options["near"])
                )
                table = pages.read(shard, kinds, first)
                codes = population.codes(table, threads)
                built = index.Index(codes, population.shares, first_record=first, options=SearchOptions(threads))
                near, weights = None, options["weights"]
                texts = nearness.texts_of(options, self.values)
                if texts:
                    near = nearness.nearby(texts, weights, self.values, self.rows, table, SearchOptions(threads))
                _KEPT[self.token, first] = population, codes, built, near
            shard.clear()
        (((_, first), kept),) = _KEPT.items()
        return first, kept


def _table(page: Any, kinds: Sequence[str]) -> pages.Encoded:
    return pages.read([page], kinds, pages.span(page)[0])
