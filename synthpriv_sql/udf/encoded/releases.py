"""Several releases in one list of pages: which pages, columns and records are those of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.udf.encoded import pages


@dataclass(frozen=True, slots=True)
class Releases:
    """Synthetic tables that were released one after the other; without releases, the synthetic table alone.

    Parameters
    ----------
    names
        The name of each; empty without releases.
    lacks
        The positions of the compared columns that each lacks.
    """

    names: Sequence[str]
    lacks: Sequence[Sequence[int]]

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Releases:
        """Read the fields of sql/uniques/released_keys.sql."""
        if options.get("names") is None:
            return cls([], [[]])
        places = {name: place for place, name in enumerate(options["columns"])}
        return cls(options["names"], [[places[n] for n in names if n in places] for names in options["lacks"]])

    def pages(self, held: Any, options: Mapping[str, Any]) -> list[Any]:
        """Divide the pages among the releases."""
        if not self.names:
            return [held]
        return [held[start:end] for start, end in pairwise(np.cumsum([0, *options["counts"]]))]

    def without_absent(self, codes: NDArray[np.int32], columns: Sequence[int], real: int, sizes: Sequence[int]) -> None:
        """Replace the codes of columns that a release lacks by -1, in place: no real record has them.

        Parameters
        ----------
        codes : int32 (columns, records)
            Real records, then those of each release.
        columns
            The positions of these columns.
        real, sizes
            The numbers of real records, and of those of each release.
        """
        start = real
        for lacks, size in zip(self.lacks, sizes, strict=True):
            absent = [place for place, column in enumerate(columns) if column in lacks]
            codes[absent, start : start + size] = -1
            start += size

    def records(self, found: NDArray[np.int64], sizes: Sequence[int]) -> tuple[Any, Any]:
        """Turn positions among the records of all releases into those in one of them, and its name, as Arrow arrays.

        A position below 0 stands for no record.
        """
        none = found < 0
        if not self.names:
            return pa.array(found, mask=none), pa.nulls(len(found), pa.string())
        starts = np.cumsum([0, *sizes])[:-1]
        # Empty releases start where the next one does.
        place = np.maximum(np.searchsorted(starts, found, side="right") - 1, 0)
        named = pa.array([self.names[i] for i in place.tolist()], mask=none, type=pa.string())
        return pa.array(found - starts[place], mask=none), named


def read(held: Sequence[Any], kinds: Sequence[str]) -> list[pages.Encoded]:
    """Read the pages of each release."""
    return [pages.read([] if one is None else one, kinds) for one in held]
