"""Input and output of the features of the attack `learned`: tables of encoded records, and a feature."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from synthpriv_sql.udf.encoded import arrange, pages

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I32, I64  # imports numba


_BY_COLUMN = ("columns", "roles", "weights", "texts")
"""The options with an item for each column."""


class Feature(NamedTuple):
    """A feature: its values, float64 (real,), a label for users, and whether it depends on the synthetic table."""

    values: F64
    label: str
    uses_synthetic: bool = True


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables that features are computed from.

    Parameters
    ----------
    real
        All real records, encoded for the kernel.
    synthetic
        The synthetic records; None to compute only the features that do not depend on them.
    real_keys, synthetic_keys
        The same rows with unrounded values, for features that count equal values.
    persons : int32 (real,)
        The person of each real record.
    options
        The columns with ``roles`` and ``weights``, the option ``vectors``, ``threads`` and ``memory``.
    selected : int64, optional
        The real records whose features are computed, in relation to all of them; all records by default.
    known
        What was found among real records alone, by what it depends on: the same for several synthetic tables.
    shared
        The features of combinations, where they were counted together with those of other synthetic tables.
    """

    real: pages.Encoded
    synthetic: pages.Encoded | None
    real_keys: pages.Encoded
    synthetic_keys: pages.Encoded | None
    persons: I32
    options: Mapping[str, Any]
    selected: I64 | None = None
    known: dict[Any, Any] = field(default_factory=dict)
    shared: Sequence[Feature] | None = None

    def among(self, columns: Sequence[int]) -> Tables:
        """Return the same tables with these columns only."""
        if len(columns) == len(self.options["columns"]):
            return self
        given = [name for name in _BY_COLUMN if name in self.options]
        options = {**self.options, **{name: [self.options[name][i] for i in columns] for name in given}}
        real, synthetic, real_keys, synthetic_keys = (
            None if table is None else pages.Encoded(table.rows, tuple(table.columns[i] for i in columns))
            for table in (self.real, self.synthetic, self.real_keys, self.synthetic_keys)
        )
        assert real is not None
        assert real_keys is not None
        return replace(
            self, real=real, synthetic=synthetic, real_keys=real_keys, synthetic_keys=synthetic_keys, options=options
        )

    def once(self, key: Any, find: Callable[[], Any]) -> Any:
        """Return what is known by a key, found before or now."""
        if key not in self.known:
            self.known[key] = find()
        return self.known[key]

    def select(self, values: Any) -> Any:
        """Return the items of the selected records."""
        return values if self.selected is None else values[self.selected]


def not_elsewhere(tables: Tables) -> list[int]:
    """Return the columns but those whose numbers lie elsewhere, which hide what others tell; none if none does."""
    if tables.synthetic is None:
        return []
    roles, weights = tables.options["roles"], tables.options["weights"]
    weighted = [i for i, weight in enumerate(weights) if weight > 0]
    both = zip(tables.synthetic.columns, tables.real.columns, strict=True)
    far = {
        i
        for i, (synthetic, real) in enumerate(both)
        if i in weighted and roles[i] in {"numeric", "temporal"} and arrange.apart(synthetic, real) > arrange.ELSEWHERE
    }
    return [i for i in weighted if i not in far] if far else []


def joined(tables: Sequence[pages.Encoded]) -> pages.Encoded:
    """Concatenate tables."""
    if len(tables) == 1:
        return tables[0]
    columns: list[Any] = []
    for parts in zip(*(table.columns for table in tables), strict=True):
        one: Any = parts[0]
        if isinstance(one, pages.Texts):
            columns.append(pages.joined(parts))
        elif isinstance(one, pages.Integers):
            columns.append(
                pages.Integers(*(np.concatenate([getattr(p, n) for p in parts]) for n in ("values", "missing")))
            )
        elif isinstance(one, pages.Vectors):
            columns.append(_joined_vectors(parts))
        else:
            columns.append(np.concatenate(parts))
    return pages.Encoded(sum(table.rows for table in tables), tuple(columns))


def _joined_vectors(parts: Sequence[pages.Vectors]) -> pages.Vectors:
    length = max(part.longest for part in parts)
    values = [
        part.values if part.longest else np.full((len(part.missing), length), np.nan, part.values.dtype)
        for part in parts
    ]
    return pages.Vectors(
        np.concatenate(values),
        np.concatenate([part.missing for part in parts]),
        min((part.shortest for part in parts if part.longest), default=0),
        length,
    )


def values(tables: Tables) -> list[Feature]:
    """Return the columns themselves, categories by their order as texts: the features of the control."""
    found = []
    for name, column in zip(tables.options["columns"], tables.real.columns, strict=True):
        if isinstance(column, pages.Vectors):
            continue
        numbers = in_order(column) if isinstance(column, pages.Texts) else column
        found.append(Feature(tables.select(numbers), f"values of {name}", False))
    return found


def hints(page_lists: Sequence[Any], names: Sequence[str], tables: Tables) -> list[Feature]:
    """Return the columns that the user named as evidence; infinite values become finite ones beyond all others."""
    sides = [pages.read(one, ["number"] * len(names)) for one in page_lists]
    found = []
    for name, column in zip(names, joined(sides).columns, strict=True):
        assert isinstance(column, np.ndarray)
        finite = np.abs(column[np.isfinite(column)])
        most = float(finite.max()) + 1 if finite.size else 1.0
        found.append(Feature(tables.select(np.clip(column, -most, most)), name))
    return found


def in_order(column: pages.Texts) -> F64:
    """Number categories in the order of their texts: the order of first occurrence would reveal train."""
    codes, texts = pages.codes(column)
    places = np.empty(len(texts) + 1, np.float64)
    places[pc.array_sort_indices(texts).to_numpy()] = np.arange(len(texts))
    places[-1] = -1  # missing
    return places[codes]
