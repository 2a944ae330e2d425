"""Estimates of DuckDB's optimizer about relations, without reading them: number of rows, and collations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb
from sqlglot import exp

from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.tables import Relation


def rows(connection: duckdb.DuckDBPyConnection, relations: Sequence[Relation]) -> int:
    """Return the number of rows that are expected: to count them would read files, views and servers once more.

    DuckDB knows the number of a table, a Parquet file and a data frame, and 1 of a stream and, in DuckDB 1, of Arrow.
    """
    plans = (_explained(connection, exp.select("*").from_(relation.node.copy())) for relation in relations)
    return sum(_cardinality(operator) for plan in plans for operator in plan)


def _cardinality(operator: Mapping[str, Any]) -> int:
    """The expected rows of an operator; those of its inputs where DuckDB does not say."""
    found = operator.get("extra_info", {}).get("Estimated Cardinality")
    return sum(map(_cardinality, operator.get("children", []))) if found is None else int(found)


def collated(connection: duckdb.DuckDBPyConnection, relations: Sequence[Relation]) -> bool:
    """Return whether a text may have a collation, which Arrow lacks, so that DuckDB compares it by other rules.

    No type shows one. A sort does: a collation wraps a function around the column.
    """
    return any(_sorts_by_other_values(connection, relation) for relation in relations)


def _sorts_by_other_values(connection: duckdb.DuckDBPyConnection, relation: Relation) -> bool:
    names = [column.name for column in nested.sources(relation) if "VARCHAR" in column.type]
    if not names:
        return False
    texts = [exp.column(name, quoted=True) for name in names]
    inner = exp.select(*texts).from_(relation.node.copy()).subquery("read")
    read = exp.select("*").from_(inner).order_by(exp.var("ALL"))  # DuckDB 1 qualifies columns that are named
    keys = next((keys for operator in _explained(connection, read) for keys in _sorts(operator)), [])
    return [key.rsplit(" ", 1)[0] for key in keys] != names


def _sorts(operator: Mapping[str, Any]) -> Iterator[list[str]]:
    """The keys of each sort, such as ``lower(name) ASC``, the outermost first."""
    keys = operator.get("extra_info", {}).get("Order By")
    if keys is not None:
        yield [keys] if isinstance(keys, str) else keys
    for child in operator.get("children", []):
        yield from _sorts(child)


def _explained(connection: duckdb.DuckDBPyConnection, query: exp.Select) -> Sequence[Mapping[str, Any]]:
    text = query.sql("duckdb", normalize_functions=False)
    explained = exp.Command(this="EXPLAIN", expression=f"(FORMAT json) {text}").sql("duckdb")
    ((_, plan),) = connection.execute(explained).fetchall()
    found: Sequence[Mapping[str, Any]] = json.loads(plan)
    return found
