"""Pages: how encoded rows travel from SQL into the kernel.

A page is a chunk of records in one BLOB: doubles and vectors unchanged, texts as codes of one, two or four bytes
followed by the chunk's dictionary of words. A list of pages is an ordinary value of the statement, so it lives as long
as the statement, and Python keeps no state between two calls of a function.

The bytes of a page: the number of rows, the first and the last record number, and three numbers per column, all int64;
then the columns in order. Numbers: 0, 0, 0; float64 values. Texts: bytes per code, number of words, bytes of all words;
codes (-1 if missing), int32 offsets of the words, the words. Integers: 8, 0, 0; int64 values, and one byte per value
that is 1 if it is missing. Vectors: the negated bytes per component, the minimum and maximum length (-1 if all are
missing); and, if these are equal, one byte per vector that is 1 if it is missing, and the components of the others.
`write` compresses pages: see `compressed`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from synthpriv_sql.udf.encoded import compressed

_NUMBER = (0, 0, 0)
_INTEGER = (8, 0, 0)
_CODES: dict[int, np.dtype[Any]] = {1: np.dtype(np.int8), 2: np.dtype(np.int16), 4: np.dtype(np.int32)}


@dataclass(frozen=True, slots=True)
class Texts:
    """A text column from its pages: for each page the codes, the number of words, and the words."""

    codes: list[NDArray[Any]]
    counts: list[int]
    words: Any


@dataclass(frozen=True, slots=True)
class Integers:
    """An integer column from its pages: int64 values, and a mask of missing values."""

    values: NDArray[np.int64]
    missing: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Vectors:
    """A column of vectors from its pages.

    Parameters
    ----------
    values
        float32 or float64 (rows, components); NaN if a vector is missing. No components if lengths differ.
    missing
        bool (rows,).
    shortest, longest
        The minimum and maximum length; 0 if all vectors are missing.
    """

    values: NDArray[np.floating[Any]]
    missing: NDArray[np.bool_]
    shortest: int
    longest: int

    def texts(self) -> Texts:
        """Return the vectors as categories."""
        items = np.add(self.values, 0.0, dtype=np.float64)  # -0.0 becomes 0.0
        offsets = np.arange(len(items) + 1, dtype=np.int64) * items.strides[0]
        words = pa.LargeBinaryArray.from_buffers(
            pa.large_binary(), len(items), [None, pa.py_buffer(offsets), pa.py_buffer(items)]
        )
        codes = np.arange(len(items), dtype=np.int32)
        codes[self.missing] = -1
        return Texts([codes], [len(items)], words)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A table from its pages: for each column a float64 array (NaN: missing), `Texts`, `Integers` or `Vectors`."""

    rows: int
    columns: tuple[Any, ...]

    def by_equality(self) -> Encoded:
        """Return the table with vectors as categories."""
        columns = (column.texts() if isinstance(column, Vectors) else column for column in self.columns)
        return Encoded(self.rows, tuple(columns))


def write(record: Any, *columns: Any) -> Any:
    """Write a chunk of rows as pages: one for each run of consecutive records.

    Parameters
    ----------
    record, columns
        Arrow arrays of equal length n: record numbers, then DOUBLE, BIGINT or VARCHAR columns, or lists of floats.
        Databases may combine small chunks with non-consecutive records.

    Returns
    -------
    pyarrow.Array
        n binary values: a page at the start of each run of consecutive records, and nulls.
    """
    rows = len(record)
    breaks = np.flatnonzero(np.diff(_combined(record).to_numpy()) != 1) + 1
    if len(breaks):
        return _several(record, columns, [0, *breaks.tolist(), rows])
    page = compressed.of(pack(record, *columns), len(columns))
    # The page on the first row, nulls on the others, without copying it into an array.
    valid = np.zeros((rows + 7) // 8, np.uint8)
    valid[0] = 1
    offsets = np.full(rows + 1, page.size, np.int32)
    offsets[0] = 0
    return pa.Array.from_buffers(pa.binary(), rows, [pa.py_buffer(valid), pa.py_buffer(offsets), page])


def _several(record: Any, columns: Sequence[Any], ends: Sequence[int]) -> Any:
    """Write one page for the rows from each of `ends` to the next."""
    out: list[bytes | None] = [None] * ends[-1]
    for start, stop in pairwise(ends):
        page = pack(*(column.slice(start, stop - start) for column in (record, *columns)))
        out[start] = compressed.of(page, len(columns)).to_pybytes()
    return pa.array(out, pa.binary())


def pack(record: Any, *columns: Any) -> Any:
    """Return the page of a chunk of rows, given as for `write`, as a `pyarrow.Buffer`."""
    numbers = _combined(record).to_numpy()
    rows = len(numbers)
    head = [rows, int(numbers[0]), int(numbers[-1])]
    body: list[Any] = []
    for column in columns:
        array = _combined(column)
        if pa.types.is_floating(array.type):
            # This turns nulls into NaN: both mean missing.
            head += _NUMBER
            body.append(array.to_numpy(zero_copy_only=False))
        elif pa.types.is_integer(array.type):
            head += _INTEGER
            body += [array.fill_null(0).to_numpy().astype(np.int64), array.is_null().to_numpy(zero_copy_only=False)]
        elif pa.types.is_list(array.type) or pa.types.is_fixed_size_list(array.type):
            head += _write_vectors(array, body)
        else:
            head += _write_texts(array, body)
    return pa.py_buffer(b"".join([np.array(head, np.int64).tobytes(), *body]))


def _write_texts(array: Any, body: list[Any]) -> tuple[int, int, int]:
    encoded = (array if pa.types.is_string(array.type) else array.cast(pa.string())).dictionary_encode()
    words = encoded.dictionary
    codes = encoded.indices
    count = len(words)
    width = 1 if count < 1 << 7 else 2 if count < 1 << 15 else 4
    _, starts, text = words.buffers()
    offsets = np.frombuffer(starts, np.int32, count + 1, 4 * words.offset) if count else np.zeros(1, np.int32)
    size = int(offsets[-1] - offsets[0])
    body.append((codes.fill_null(-1) if codes.null_count else codes).to_numpy().astype(_CODES[width]))
    body.append(offsets)
    body.append(text[int(offsets[0]) : int(offsets[-1])] if size else b"")
    return width, count, size


def _write_vectors(array: Any, body: list[Any]) -> tuple[int, int, int]:
    lengths = pc.list_value_length(array).drop_null()
    shortest, longest = pc.min_max(lengths).as_py().values() if len(lengths) else (-1, -1)
    if shortest == longest:
        body += [array.is_null().to_numpy(zero_copy_only=False), array.flatten().to_numpy(zero_copy_only=False)]
    return -(array.type.value_type.bit_width // 8), shortest, longest


def kinds(page: Any, columns: int) -> list[str]:
    """Return the kinds of the columns of a page, as `read` takes them."""
    buffer = compressed.opened(page)
    head = np.frombuffer(buffer, np.int64, 3 * columns, 24)[::3].tolist()
    return ["number" if at == 0 else "integer" if at == _INTEGER[0] else "text" if at > 0 else "vector" for at in head]


def span(page: Any) -> tuple[int, int]:
    """Return the first record of a page of `pack`, and its number of records."""
    rows, first = np.frombuffer(page.as_buffer(), np.int64, 2).tolist()
    return first, rows


def moved(page: Any, first: int) -> Any:
    """Renumber a page of `pack`, a binary scalar, to start at a given record; unchanged if it already does."""
    before, rows = span(page)
    if before == first:
        return page
    data = np.frombuffer(page.as_buffer(), np.uint8).copy()
    data[8:24].view(np.int64)[:] = first, first + rows - 1
    return binary(pa.py_buffer(data))[0]


def binary(value: Any) -> Any:
    """Return an array of one binary value without copying its buffer."""
    return pa.Array.from_buffers(pa.binary(), 1, [None, pa.py_buffer(np.array([0, value.size], np.int32)), value])


def read(pages: Any, kinds: Sequence[str], first: int = 0) -> Encoded:
    """Read a list of pages as one table.

    Parameters
    ----------
    pages
        Binary Arrow array of pages of `write`, in any order.
    kinds
        Per column ``number``, ``integer``, ``text`` or ``vector``.
    first
        The number of the first record.

    Returns
    -------
    Encoded
        Rows ordered by record number.
    """
    buffers = [compressed.opened(page) for page in pages]
    width = 3 + 3 * len(kinds)
    heads: list[list[int]] = [np.frombuffer(buffer, np.int64, width).tolist() for buffer in buffers]
    order = sorted(range(len(heads)), key=lambda i: heads[i][1])
    _check_order([heads[i] for i in order], first)
    rows = sum(head[0] for head in heads)
    at = [8 * width] * len(buffers)
    columns: list[Any] = []
    for i, kind in enumerate(kinds):
        here = 3 + 3 * i
        if kind == "number":
            if len(columns) == i:  # adjacent numeric columns are read together
                columns.extend(_read_numbers(buffers, heads, order, _beside(kinds, i), at))
            continue
        if kind == "vector":
            columns.append(_read_vectors(buffers, heads, order, here, at))
            continue
        if kind == "integer":
            columns.append(_read_integers(buffers, heads, order, at))
            continue
        codes: list[NDArray[Any]] = []
        counts: list[int] = []
        offsets: list[NDArray[np.int32]] = []
        texts: list[Any] = []
        for p in order:
            count = heads[p][0]
            bytes_a_code, words, size = heads[p][here : here + 3]
            start = at[p] + bytes_a_code * count
            codes.append(np.frombuffer(buffers[p], _CODES[bytes_a_code], count, at[p]).copy())  # a view keeps the page
            counts.append(words)
            offsets.append(np.frombuffer(buffers[p], np.int32, words + 1, start))
            start += 4 * (words + 1)
            texts.append(buffers[p][start : start + size])
            at[p] = start + size
        columns.append(Texts(codes, counts, _words(offsets, texts)))
    return Encoded(rows, tuple(columns))


def numbers(pages: Any, kinds: Sequence[str]) -> Iterator[NDArray[np.float64]]:
    """Yield the numeric columns of each page, shape (columns, rows); texts are skipped, vectors not supported."""
    width = 3 + 3 * len(kinds)
    for page in pages:
        buffer = compressed.opened(page)
        head: list[int] = np.frombuffer(buffer, np.int64, width).tolist()
        rows, at = head[0], 8 * width
        found: list[NDArray[np.float64]] = []
        i = 0
        while i < len(kinds):
            bytes_a_code, words, size = head[3 + 3 * i : 6 + 3 * i]
            if kinds[i] == "number":
                beside = _beside(kinds, i)
                found.append(np.frombuffer(buffer, np.float64, beside * rows, at).reshape(beside, rows))
                at += 8 * beside * rows
                i += beside
            else:
                at += bytes_a_code * rows + 4 * (words + 1) + size
                i += 1
        yield found[0] if len(found) == 1 else np.concatenate([*found, np.empty((0, rows))])


def _beside(kinds: Sequence[str], first: int) -> int:
    """The number of adjacent numeric columns, starting at `first`."""
    return next((n for n, kind in enumerate(kinds[first:]) if kind != "number"), len(kinds) - first)


def _read_numbers(
    buffers: Sequence[Any], heads: Sequence[Sequence[int]], order: Sequence[int], columns: int, at: list[int]
) -> NDArray[np.float64]:
    """Read adjacent numeric columns of pages at the offsets `at`, and advance these."""
    values = np.empty((columns, sum(head[0] for head in heads)))
    done = 0
    for p in order:
        count = heads[p][0]
        values[:, done : done + count] = np.frombuffer(buffers[p], np.float64, columns * count, at[p]).reshape(
            -1, count
        )
        at[p] += 8 * columns * count
        done += count
    return values


def _read_integers(
    buffers: Sequence[Any], heads: Sequence[Sequence[int]], order: Sequence[int], at: list[int]
) -> Integers:
    """Read an integer column at the offsets `at`, and advance these."""
    values, missing = [np.zeros(0, np.int64)], [np.zeros(0, bool)]
    for p in order:
        count = heads[p][0]
        values.append(np.frombuffer(buffers[p], np.int64, count, at[p]))
        missing.append(np.frombuffer(buffers[p], bool, count, at[p] + 8 * count))
        at[p] += 9 * count
    return Integers(np.concatenate(values), np.concatenate(missing))


def _read_vectors(
    buffers: Sequence[Any], heads: Sequence[Sequence[int]], order: Sequence[int], here: int, at: list[int]
) -> Vectors:
    """Read a column of vectors, described at `here` in the page heads, at the offsets `at`, and advance these."""
    rows = sum(head[0] for head in heads)
    lengths = [length for head in heads for length in head[here + 1 : here + 3] if length >= 0]
    shortest, longest = min(lengths, default=0), max(lengths, default=0)
    kind = np.float64 if any(head[here] == -8 for head in heads) else np.float32
    values = np.full((rows, longest if shortest == longest else 0), np.nan, kind)
    missing = np.ones(rows, bool)
    done = 0
    for p in order:
        count, (width, least, most) = heads[p][0], heads[p][here : here + 3]
        if least == most:
            missing[done : done + count] = lacks = np.frombuffer(buffers[p], bool, count, at[p])
            items = (count - int(lacks.sum())) * max(least, 0)
            if shortest == longest > 0:
                found = np.frombuffer(buffers[p], f"f{-width}", items, at[p] + count)
                values[done : done + count][~lacks] = found.reshape(-1, longest)
            at[p] += count - width * items
        done += count
    return Vectors(values, missing, shortest, longest)


def codes(column: Texts, known: Any = None) -> tuple[NDArray[np.int32], Any]:
    """Return codes for the categories of a column.

    Parameters
    ----------
    column
        The column of a table.
    known
        The words of the table that this one is compared with, in the order of their codes.

    Returns
    -------
    tuple
        The code of each row, -1 if missing; and the words in the order of their codes, which are `known` if given. All
        words not among those get the same code, one after the last.
    """
    if known is None:
        encoded = column.words.dictionary_encode()
        known, numbered = encoded.dictionary, encoded.indices.to_numpy()
    else:
        numbered = pc.index_in(column.words, value_set=known).fill_null(len(known)).to_numpy()
    out = np.empty(sum(len(part) for part in column.codes), np.int32)
    done = at = 0
    for part, count in zip(column.codes, column.counts, strict=True):
        # Code -1 selects the last item.
        meant = np.empty(count + 1, np.int32)
        meant[:count] = numbered[at : at + count]
        meant[count] = -1
        np.take(meant, part, out=out[done : done + len(part)], mode="wrap")
        at += count
        done += len(part)
    return out, known


def joined(columns: Sequence[Texts]) -> Texts:
    """Concatenate a text column of several tables."""
    return Texts(
        [part for column in columns for part in column.codes],
        [count for column in columns for count in column.counts],
        pa.concat_arrays([column.words for column in columns]),
    )


def _combined(array: Any) -> Any:
    if isinstance(array, pa.ChunkedArray):
        return array.chunk(0) if array.num_chunks == 1 else array.combine_chunks()
    return array


def _words(offsets: Sequence[NDArray[np.int32]], texts: Sequence[Any]) -> Any:
    """Return the words of all pages as one Arrow array."""
    lengths = np.concatenate([np.zeros(1, np.int64), *(np.diff(each) for each in offsets)])
    starts = np.cumsum(lengths, dtype=np.int64)
    return pa.LargeStringArray.from_buffers(len(starts) - 1, pa.py_buffer(starts), pa.py_buffer(b"".join(texts)))


def _check_order(heads: Sequence[Sequence[int]], expected: int) -> None:
    for rows, first, last, *_ in heads:
        if first != expected or last != expected + rows - 1:
            raise RuntimeError("the database numbered the records of a chunk out of order")
        expected += rows
