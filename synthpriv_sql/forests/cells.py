"""The baseline as independent tasks: each cell grows the forests of some columns, for all records.

Streams of Arrow batches in, streams of Arrow batches out, as in `synthpriv_sql.udf.shards`. A cell receives the pages
of the whole table, on which it grows forests, and the original values of its own columns, from which it takes donors;
both are in memory at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.forests import forest
from synthpriv_sql.forests import udf as forest_udf
from synthpriv_sql.udf.encoded import arrange, pages

PAGES, ORIGINALS = 0, 1
PIECE_ROWS = 1 << 14


@dataclass(frozen=True, slots=True)
class Cutting:
    """Sends each cell the original values of its columns.

    Parameters
    ----------
    cells
        The number of cells; column i belongs to cell ``i % cells``.
    """

    cells: int

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of records (their number, then the columns) into batches of (cell, first, page)."""
        for batch in batches:
            if batch.num_rows == 0:
                continue
            sent = []
            for cell in range(self.cells):
                own = [0, *range(1 + cell, batch.num_columns, self.cells)]
                sent.append(_packed(batch.select(own)))
            first = batch.column(0)[0].as_py()
            yield pa.record_batch(
                [pa.array(range(self.cells), pa.int32()), pa.array([first] * self.cells, pa.int64()), pa.array(sent)],
                names=["cell", "first", "page"],
            )


@dataclass(frozen=True, slots=True)
class Growing:
    """Predicts the columns of a cell.

    Parameters
    ----------
    options
        The fields of sql/parts/forest.sql.
    cells
        As for `Cutting`.
    threads
        Returns the number of threads to use; called on the executor.
    piece_rows
        The number of records per page of predictions.
    """

    options: Mapping[str, Any]
    cells: int
    threads: Callable[[], int]
    piece_rows: int = PIECE_ROWS

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn the batches of one cell, of (cell, side, page), into batches of (first, column, identifier, page)."""
        table_pages: list[Any] = []
        originals: list[Any] = []
        cell = -1
        for batch in batches:
            for target, side, page in zip(*(batch.column(name) for name in ("cell", "side", "page")), strict=True):
                cell = target.as_py()
                if side.as_py() == PAGES:
                    table_pages.append(page)
                else:
                    originals += _unpacked(page)
        if cell >= 0:
            yield from self._predicted(table_pages, pa.Table.from_batches(originals), cell)

    def _predicted(self, table_pages: list[Any], originals: Any, cell: int) -> Iterator[Any]:
        table = pages.read(table_pages, arrange.kinds(self.options["roles"]))
        columns = [pages.codes(column)[0] if isinstance(column, pages.Texts) else column for column in table.columns]
        positions = range(cell, len(columns), self.cells)
        originals = originals.sort_by(originals.column_names[0]).combine_chunks()
        options = forest_udf.forest_options(self.options, self.threads())
        found = forest.predictions(columns, options, positions=positions)
        for place, (position, one) in enumerate(zip(positions, found, strict=True), start=1):
            identifier = forest.is_identifier(columns[position])
            donated = originals.column(place).take(pa.array(one.donors, mask=one.donors < 0))
            cells = pa.table(
                [one.draws, pa.array(one.numbers, mask=np.isnan(one.numbers)), donated],
                names=["draw", "number", "donated"],
            )
            for first in range(0, table.rows, self.piece_rows):
                (piece,) = cells.slice(first, self.piece_rows).combine_chunks().to_batches()
                yield pa.record_batch(
                    [pa.array([first]), pa.array([position], pa.int32()), pa.array([identifier]), [_packed(piece)]],
                    names=["first", "column", "identifier", "page"],
                )


@dataclass(frozen=True, slots=True)
class Gathering:
    """Joins the columns that cells predicted.

    Parameters
    ----------
    names
        The names of the columns, in order.
    """

    names: Sequence[str]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of (first, page), ordered by first record and column, into the rows of sql/parts/donated.sql."""
        waiting: list[Any] = []
        for batch in batches:
            for first, page in zip(batch.column("first").to_pylist(), batch.column("page"), strict=True):
                (piece,) = _unpacked(page)
                waiting.append(piece)
                if len(waiting) == len(self.names):
                    yield self._rows(first, waiting)
                    waiting = []
        if waiting:
            raise RuntimeError(f"{len(waiting)} of {len(self.names)} columns were predicted")

    def _rows(self, first: int, pieces: Sequence[Any]) -> Any:
        records = np.arange(first, first + pieces[0].num_rows)
        lists = [
            forest_udf.lists([piece.column(name).to_numpy(zero_copy_only=False) for piece in pieces], missing)
            for name, missing in (("draw", None), ("number", np.isnan))
        ]
        donated = [piece.column("donated") for piece in pieces]
        return pa.record_batch([records, *lists, *donated], names=["record", "draws", "numbers", *self.names])


def _packed(batch: Any) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


def _unpacked(page: Any) -> list[Any]:
    with pa.ipc.open_stream(page.as_buffer()) as reader:
        return list(reader)
