"""What a table has lost: the mean total variation distance of all pairs of columns to train.

The same number as the mean of `marginals` with k = 2, kept pair by pair: a step changes the pairs of one column.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_Codes = np.ndarray[Any, np.dtype[np.uint8]]
_BINS = 10
_CATEGORIES = 10
_WIDTH = _BINS + 4
"""Codes of a column: missing, outside of train's range or any other category, and the bins or categories. A byte holds
those of two columns together."""


class Cells:
    """Codes of a column's values: quantile bins of train, or its most frequent categories.

    Parameters
    ----------
    train
        The column in train.
    number
        Whether it holds numbers or times.
    """

    def __init__(self, train: pa.ChunkedArray, number: bool) -> None:
        self._number = number
        if number:
            known = _numbers(train)
            known = known[~np.isnan(known)]
            shares = np.arange(1, _BINS) / _BINS
            self._range = (known.min(), known.max()) if len(known) else (np.inf, -np.inf)
            edges = np.quantile(known, shares) if len(known) else np.empty(0)
            self._edges = edges[edges > self._range[0]]  # the first bin contains the minimum
        else:
            counts = pc.value_counts(pc.drop_null(_texts(train)))
            found = zip(counts.field("values").to_pylist(), counts.field("counts").to_pylist(), strict=True)
            first = sorted(found, key=lambda one: (-one[1], one[0]))[:_CATEGORIES]
            self._categories = pa.array([value for value, _ in first], pa.string())

    def codes(self, values: pa.ChunkedArray, given: pa.ChunkedArray | None = None) -> _Codes:
        """Return the code of each value, below `_WIDTH`.

        Parameters
        ----------
        values
            The column.
        given
            The column as it was given. If numbers or times became something else, such as the text of a range or the
            year of a date, the median of those that became it stands for it.
        """
        if self._number:
            is_other = given is not None and _kind(values.type) != _kind(given.type)
            numbers = _medians(values, _numbers(given)) if is_other else _numbers(values)
            codes = (np.searchsorted(self._edges, numbers, side="left") + 2).astype(np.uint8)
            codes[(numbers < self._range[0]) | (numbers > self._range[1])] = 1
            codes[np.isnan(numbers)] = 0
            return codes
        texts = _texts(values)
        places = pc.index_in(texts, self._categories) if len(self._categories) else pa.nulls(len(texts), pa.int32())
        codes = np.array(pc.add(pc.fill_null(places, -1), 2).to_numpy(), dtype=np.uint8)
        codes[pc.is_null(texts).to_numpy()] = 0
        return codes


def _numbers(values: pa.ChunkedArray) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Numbers and times as floats; NaN if missing."""
    kind = values.type
    if pa.types.is_temporal(kind):
        if pa.types.is_date32(kind) or pa.types.is_time32(kind):
            values = values.cast(pa.int32())
        values = values.cast(pa.int64())
    numbers = pc.fill_null(values.cast(pa.float64(), safe=False), np.nan)
    return np.array(numbers.to_numpy(), dtype=np.float64)


def _kind(type_: pa.DataType) -> str:
    """What `_numbers` makes comparable: numbers of all types, or times of one type."""
    is_number = pa.types.is_integer(type_) or pa.types.is_floating(type_) or pa.types.is_decimal(type_)
    return "number" if is_number else str(type_)


def _medians(labels: pa.ChunkedArray, numbers: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, Any]:
    """The median of the numbers that became each label; NaN where there is none."""
    places = pc.fill_null(labels.combine_chunks().dictionary_encode().indices, -1).to_numpy()
    found = np.full(len(numbers), np.nan)
    known = np.flatnonzero((places >= 0) & ~np.isnan(numbers))
    ordered = known[np.lexsort((numbers[known], places[known]))]
    edges = [*np.flatnonzero(np.diff(places[ordered], prepend=-1)), len(ordered)]
    for start, end in pairwise(edges):
        found[ordered[start:end]] = numbers[ordered[(start + end - 1) // 2]]
    return found


def _texts(values: pa.ChunkedArray) -> pa.ChunkedArray:
    return values if values.type == pa.string() else values.cast(pa.string())


class Loss:
    """The distances of all pairs of columns, of which some may be replaced.

    The distance of two arrays of codes is found once: a search asks for all steps of all columns again and again, and
    between two steps the pairs of one column change.

    Parameters
    ----------
    train
        The codes of each column in train.
    synthetic
        The codes of each column in synthetic.
    children
        The table of children of each column that is not one of the parents: pairs are those of one table.
    """

    def __init__(
        self, train: dict[str, _Codes], synthetic: dict[str, _Codes], children: Mapping[str, str] | None = None
    ) -> None:
        self._train = train
        self._synthetic = dict(synthetic)
        self._children = children or {}
        self._kept: Mapping[str, np.ndarray[Any, Any]] | None = None
        self._known: dict[tuple[int, int], tuple[_Codes, _Codes, float]] = {}
        tables: dict[str, list[str]] = {}
        for name in train:
            tables.setdefault(self._children.get(name, ""), []).append(name)
        pairs = [pair for names in tables.values() for pair in combinations(names, 2)]
        pairs += [(names[0], names[0]) for names in tables.values() if len(names) == 1]
        self._real = {pair: _shares(train[pair[0]], train[pair[1]]) for pair in pairs}
        self._distances = {pair: self._distance(pair, self._synthetic) for pair in self._real}

    @property
    def mean(self) -> float:
        """The mean distance."""
        return float(np.mean(list(self._distances.values()))) if self._distances else 0.0

    def of(self, name: str, codes: _Codes | None) -> float:
        """Return what the mean would be with other codes of a column; None if it is left out."""
        if name not in self._train:
            return self.mean
        distances = {**self._distances, **self._with(name, codes)}
        return float(np.mean(list(distances.values())))

    def put(self, name: str, codes: _Codes | None) -> None:
        """Replace the codes of a column; None: it is left out."""
        if name in self._train:
            self._distances |= self._with(name, codes)
            if codes is None:
                self._synthetic.pop(name, None)
            else:
                self._synthetic[name] = codes

    def keep(self, kept: Mapping[str, np.ndarray[Any, Any]] | None) -> None:
        """Count only these records of synthetic from now on, by table; that of the parents has no name."""
        if kept is None and self._kept is None:
            return
        self._kept = kept
        self._known.clear()
        self._distances = {pair: self._distance(pair, self._synthetic) for pair in self._real}

    def _with(self, name: str, codes: _Codes | None) -> dict[tuple[str, str], float]:
        changed = {**self._synthetic, name: codes}
        return {pair: self._distance(pair, changed) for pair in self._real if name in pair}

    def _distance(self, pair: tuple[str, str], codes: dict[str, Any]) -> float:
        one, two = (codes.get(name) for name in pair)
        if one is None or two is None:
            return 1.0  # nothing of the pair is left
        key = (id(one), id(two))  # of arrays that are held beside it
        if key not in self._known:
            kept = slice(None) if self._kept is None else self._kept[self._children.get(pair[0], "")]
            distance = float(np.abs(_shares(one[kept], two[kept]) - self._real[pair]).sum() / 2)
            self._known[key] = (one, two, distance)
        return self._known[key][2]


def _shares(one: _Codes, two: _Codes) -> np.ndarray[Any, np.dtype[np.float64]]:
    counts = np.bincount(one * _WIDTH + two, minlength=_WIDTH * _WIDTH)
    return np.array(counts / max(1, counts.sum()))
