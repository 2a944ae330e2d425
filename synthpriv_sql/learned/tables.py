"""What the attack that learns is given, and what it makes of it: tables of encoded records, and features of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from synthpriv_sql.udf.encoded import pages

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I32, I64  # imports numba


class Feature(NamedTuple):
    """One feature: its values, float64 (real,), what it says in words, and whether it reads the synthetic table."""

    values: F64
    words: str
    of_synthetic: bool = True


@dataclass(frozen=True, slots=True)
class Tables:
    """What features are computed of.

    Parameters
    ----------
    real
        All real records, as the kernel takes them.
    synthetic
        The synthetic ones; None to compute only what is known without them.
    real_keys, synthetic_keys
        The same rows, with values exactly as they are, for what counts them.
    persons : int32 (real,)
        Whose row each real record is.
    facts
        The columns with ``roles`` and ``weights``, the option ``vectors``, ``threads`` and ``memory``.
    asked : int64, optional
        The real records whose features are wanted, beside all others; all of them where not given.
    """

    real: pages.Encoded
    synthetic: pages.Encoded | None
    real_keys: pages.Encoded
    synthetic_keys: pages.Encoded | None
    persons: I32
    facts: Mapping[str, Any]
    asked: I64 | None = None

    def wanted(self, values: Any) -> Any:
        """The items of the records that are asked for."""
        return values if self.asked is None else values[self.asked]


def joined(tables: Sequence[pages.Encoded]) -> pages.Encoded:
    """Put tables into one, their rows after one another."""
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
