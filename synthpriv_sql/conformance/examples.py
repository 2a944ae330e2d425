"""The example of every function, as its header shows it, and the tables that it runs on."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import pyarrow as pa

from synthpriv_sql.conformance.tables import NUMBER, TEXT, WHOLE, Table
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function


def example(function: Function) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments that the header of a function shows: tables in their order, then options."""
    given = dict(function.example)
    tables = takewhile(lambda p: p.type == "relation" and p.name in given, function.parameters.values())
    return tuple(given.pop(p.name) for p in tables), given


EXAMPLES = {name: example(function) for name, function in catalog.functions().items()}


def _people(prefix: str, cities: str, numbers: list[int]) -> pa.Table:
    return pa.table(
        {
            "id": [f"{prefix}{i}" for i in range(len(cities))],
            "city": list(cities),
            "n": numbers,
            "x": [None if number % 5 == 0 else number**1.5 for number in numbers],
        }
    )


def evaluated(*numbers: tuple[Any, ...]) -> pa.Table:
    """Return a few rows of `evaluate`: metric, variant, value, ends of the interval, direction."""
    names = ("metric", "variant", "value", "lower", "upper", "better")
    types = [pa.string(), pa.string(), *[pa.float64()] * 3, pa.string()]
    columns = [pa.array(values, type_) for values, type_ in zip(zip(*numbers, strict=True), types, strict=True)]
    rows = pa.table(dict(zip(names, columns, strict=True)))
    return rows.append_column("section", rows["metric"]).append_column("statistic", pa.array(["share"] * len(rows)))


TABLES: dict[str, pa.Table] = {
    "evaluated": evaluated(
        ("a", "x", 0.5, 0.4, 0.6, "lower"), ("a", None, 1.0, None, None, "higher"), ("b", "x", 2.0, None, None, None)
    ),
    "evaluated_before": evaluated(
        ("a", "x", 0.3, 0.2, 0.39, "lower"), ("a", None, 0.0, 0.0, 0.1, "higher"), ("c", "x", None, None, None, None)
    ),
    "synthetic": _people("s", "ABCABCABC", [1, 2, 3, 4, 6, 8, 11, 13, 20]),
    "train": _people("r", "ABBACCABAA", [1, 3, 5, 7, 9, 11, 12, 14, 21, 21]),
    "holdout": _people("h", "CBABCABB", [2, 4, 6, 8, 10, 12, 15, 25]),
    "classes": pa.table({"size": [1, 2, 3, 5]}),
    "curve": pa.table({"theta": [0.0, 0.25, 0.5, 0.75, 1.0], "accumulation": [0.0, 0.2, 0.5, 0.8, 1.0]}),
}


def alone(table: str) -> str:
    """Return what a table of these is called where there are others."""
    return f"example {table}"


def tables_alone(used: set[str | None]) -> dict[str, Table]:
    """Return the tables that are used, called so."""
    types = {pa.string(): TEXT, pa.int64(): WHOLE, pa.float64(): NUMBER}
    return {
        alone(name): Table(
            {column.name: types[column.type] for column in table.schema},
            [[*row.values()] for row in table.to_pylist()],
        )
        for name, table in TABLES.items()
        if alone(name) in used
    }
