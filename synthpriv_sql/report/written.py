"""What files have of an evaluation beside its numbers, as rows: the verdict, and the columns of the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from synthpriv_sql.report.verdict.words import Verdict
from synthpriv_sql.results.checks.numbers import LEVELS
from synthpriv_sql.results.saved import COLUMNS, PASSED, PASSED_MEANS, VERDICT

Row = Mapping[str, Any]


def of_verdict(found: Verdict, passed: bool | None) -> Iterator[Row]:
    """The verdict as rows of `evaluate`: the level as a number, and all else in words."""
    yield _row(VERDICT, VERDICT, None, "level", found.level, float(LEVELS[found.level]), "lower")
    yield _row(VERDICT, VERDICT, None, "headline", found.headline)
    for place, reason in enumerate(found.reasons, 1):
        yield _row(VERDICT, VERDICT, f"{place}", "reason", reason)
    if passed is not None:
        yield _row(VERDICT, VERDICT, None, PASSED, PASSED_MEANS, float(passed), "higher")


def of_columns(tables: Mapping[str, Mapping[str, str]]) -> Iterator[Row]:
    """The columns of the tables as rows of `evaluate`: the type is what the row means."""
    for table, columns in tables.items():
        for name, type_ in columns.items():
            yield _row(COLUMNS, table, name, "type", type_)


def _row(
    section: str,
    metric: str,
    variant: str | None,
    statistic: str,
    meaning: str,
    value: float | None = None,
    better: str | None = None,
) -> Row:
    return {
        "section": section,
        "metric": metric,
        "variant": variant,
        "statistic": statistic,
        "value": value,
        "better": better,
        "meaning": meaning,
    }


def above(rows: Sequence[Row], table: Any) -> Any:
    """Return a table of numbers with these rows first."""
    import pyarrow as pa

    first = pa.Table.from_pylist([{name: row.get(name) for name in table.column_names} for row in rows], table.schema)
    return pa.concat_tables([first, table])
