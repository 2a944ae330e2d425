"""Two synthesizers over the same splits: the differences of their numbers, for these data and for other data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

NAMES = ("section", "metric", "variant", "statistic")
PAIRED = {
    **dict.fromkeys(NAMES, "VARCHAR"), "splits": "BIGINT",
    **dict.fromkeys(
        ("mean", "other_mean", "difference", "lower", "upper", "p_value", "corrected_lower", "corrected_upper",
         "corrected_p_value"),
        "DOUBLE",
    ),
    "better": "VARCHAR",
}  # fmt: skip
_LEVEL = 0.95
_P_VALUES = ("p_value", "p_adjusted")
"""What the names of statistics end with that are p-values."""
_KINDS = {"VARCHAR": pa.string(), "BIGINT": pa.int64(), "DOUBLE": pa.float64()}
Numbers = np.ndarray[Any, np.dtype[np.float64]]


def in_pairs(splits: Sequence[tuple[pa.Table, pa.Table]]) -> list[tuple[Any, ...]]:
    """The differences of the numbers that both tables of a split have, as rows of `PAIRED`."""
    found: dict[tuple[Any, ...], list[tuple[float, float, float]]] = {}
    better: dict[tuple[Any, ...], Any] = {}
    for own, other in splits:
        theirs = {tuple(row[name] for name in NAMES): row["value"] for row in other.to_pylist()}
        halves = people(own)
        kept_back = halves["holdout"] / halves["train"]
        for row in own.to_pylist():
            names = tuple(row[name] for name in NAMES)
            if (row["statistic"] or "").endswith(_P_VALUES):
                continue
            if row["value"] is not None and theirs.get(names) is not None:
                found.setdefault(names, []).append((row["value"], theirs[names], kept_back))
                better[names] = row["better"]
    made = []
    for names, pairs in found.items():
        own, other, kept_back = np.array(pairs, np.float64).T
        differences = own - other
        mean = float(differences.mean())
        of_these = _student(differences, 1 / len(differences))
        of_others = _student(differences, 1 / len(differences) + float(kept_back.mean()))
        means = float(own.mean()), float(other.mean())
        made.append((*names, len(pairs), *means, mean, *of_these, *of_others, better[names]))
    return made


def _student(values: Numbers, share: float) -> tuple[float | None, float | None, float | None]:
    """The interval of the mean and its p-value, where the variance of the mean is that of a value times a share."""
    if len(values) == 1 or not np.isfinite(values).all():
        return None, None, None
    from scipy import stats  # imported lazily: slow, and few calls need it

    mean, error = float(values.mean()), float(values.std(ddof=1)) * share**0.5
    half = float(stats.t.ppf((1 + _LEVEL) / 2, len(values) - 1)) * error
    p_value = float(2 * stats.t.sf(abs(mean) / error, len(values) - 1)) if error else None
    return mean - half, mean + half, p_value


def mean_of(values: Numbers) -> tuple[float | None, ...]:
    """The mean, its interval, and the standard deviation, as far as defined."""
    if not len(values):
        return None, None, None, None
    if len(values) == 1 or not np.isfinite(values).all():
        return float(values.mean()), None, None, None
    lower, upper, _ = _student(values, 1 / len(values))
    return float(values.mean()), lower, upper, float(values.std(ddof=1))


def people(rows: pa.Table) -> dict[str, Any]:
    """How many rows the real tables of a split have."""
    return {
        row["variant"]: row["value"]
        for row in rows.to_pylist()
        if (row["metric"], row["statistic"]) == ("tables", "rows") and row["variant"] != "synthetic"
    }


def table(rows: Sequence[tuple[Any, ...]], types: Mapping[str, str]) -> pa.Table:
    """Rows as a table of named columns."""
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    return pa.table(
        {name: pa.array(column, _KINDS[type_]) for (name, type_), column in zip(types.items(), columns, strict=True)}
    )
