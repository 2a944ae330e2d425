"""A table that is given as a query, or as a view, is one SELECT over functions that read.

DuckDB has functions that write where a table may stand: ``enable_logging`` creates files, ``force_checkpoint`` writes
the database, functions of extensions run statements on servers. A query is parsed here by DuckDB itself, and all that
it calls is looked up: views and macros are read as well, whatever database they are in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import duckdb

from synthpriv_sql.errors import SynthprivError, UnknownTable
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.nested import SCHEMA

_TABLE_FUNCTIONS = """\
delta_scan generate_series glob iceberg_metadata iceberg_scan iceberg_snapshots icu_calendar_names json_each
json_tree lance_scan mysql_scan pg_timezone_names postgres_scan postgres_scan_pushdown range repeat repeat_row
sniff_csv sqlite_scan st_drivers st_read st_read_meta st_readosm st_readshp summary test_all_types test_vector_types
unnest vortex_scan which_secret
"""
_READING = frozenset(_TABLE_FUNCTIONS.split())
"""Table functions that read; those of DuckDB and of extensions whose names begin as follows do so, too."""
_READING_PREFIXES = ("read_", "duckdb_", "pragma_", "parquet_")
_REGISTERED = frozenset({"arrow_scan", "pandas_scan", "python_arrow_scan"})
"""The function that reads a registered Python object, in a temporary view; elsewhere it takes addresses of memory."""
_OF_TABLES = frozenset({"query_table", "histogram", "histogram_values"})
"""Table functions that take names of tables."""
_WRITING_OPTIONS = frozenset({"store_rejects", "rejects_table", "rejects_scan"})
"""Options of table functions that make tables."""
_WITHOUT_HARM = """\
current_connection_id current_query current_query_id current_transaction_id currval error gen_random_uuid random
setseed sleep_ms stats uuid uuidv4 uuidv7 vector_type
"""
_HARMLESS = frozenset(_WITHOUT_HARM.split())
"""Functions that DuckDB says have effects, and that change no data: others that it says so of are refused."""
_SELECTS = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
_NAME = r'(?:"(?:[^"]|"")*"|[\w$]+)'
_VIEW = re.compile(rf"CREATE (?:TEMP(?:ORARY)? )?VIEW {_NAME}(?:\.{_NAME}){{0,2}} ?(?:\([^()]*\) )?AS (.*)", re.DOTALL)
"""The text of a view as DuckDB writes it: quoted names and columns cannot end its first part."""


class NotRead(SynthprivError):
    """A query may do more than read."""

    def of(self, given: str) -> UnknownTable:
        """Return the error for users, of a table that they gave."""
        return UnknownTable(
            f"{given}, cannot be read: {self}. A table is one SELECT over tables, files and functions that read"
        )


@dataclass
class Macros:
    """The macros of a database, and its other table functions; listed anew where databases were attached."""

    _databases: Any = None
    _bodies: dict[str, list[str]] = field(default_factory=dict)
    _table_functions: set[str] = field(default_factory=set)

    def of(self, connection: duckdb.DuckDBPyConnection, found: _Found) -> dict[str, list[str]]:
        """Return the texts of the macros that a query may call, by name.

        Raises
        ------
        NotRead
            It calls a table function that is not known to read.
        """
        names = found.functions | found.table_functions
        if not names:
            return {}
        databases = connection.execute(catalog.statement("attached")).fetchall()
        unknown = {name for name in found.table_functions if not _reads(name)}
        if databases != self._databases or not unknown <= self._bodies.keys():
            self._list(connection)
            self._databases = databases
        for name in sorted(unknown):
            if name not in self._bodies or name in self._table_functions:
                raise NotRead(f"it calls {name}, which does not exist or is not known to only read")
        return {name: self._bodies[name] for name in names & self._bodies.keys()}

    def _list(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._bodies, self._table_functions = {}, set()
        for name, body in connection.execute(catalog.statement("macros"), [SCHEMA]).fetchall():
            if body is None:
                self._table_functions.add(name)
            else:
                self._bodies.setdefault(name, []).append(body)


def check(connection: duckdb.DuckDBPyConnection, macros: Macros, query: str | None, table: str = "") -> None:
    """Raise an error if a query, or a view, may do more than read.

    Parameters
    ----------
    connection
        Where the tables are.
    macros
        The macros that are known there.
    query
        The query; None for a table.
    table
        The name of a table or view.

    Raises
    ------
    NotRead
        It is not a single SELECT, or calls a function that is not known to read.
    """
    tables: set[str] = set()
    functions: set[str] = set()
    waiting = [_Found.in_query(query)] if query is not None else [_Found(tables={table.lower()})]
    while waiting:
        found = waiting.pop()
        waiting += _views(connection, sorted(found.tables - tables))
        waiting += map(_Found.in_query, found.texts)
        tables |= found.tables
        for name, bodies in macros.of(connection, found).items():
            if name not in functions:
                waiting += map(_Found.in_macro, bodies)
        functions |= found.functions | found.table_functions


def _views(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> Iterator[_Found]:
    """The tables and functions of the views of these names, whatever database they are in."""
    for is_temporary, text in connection.execute(catalog.statement("views"), [names]).fetchall() if names else ():
        if is_temporary and not text:  # an object that is registered, in DuckDB 1
            continue
        written = _VIEW.match(text)
        if written is None:
            raise NotRead("it reads a view whose text cannot be checked")
        yield _Found.in_query(written[1], _REGISTERED if is_temporary else frozenset())


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    """A database without tables, in which nobody has defined anything."""
    return duckdb.connect()


@cache
def _with_effects() -> frozenset[str]:
    """The functions of DuckDB that change what is not theirs."""
    found = _parser().cursor().execute(catalog.statement("functions_with_effects")).fetchall()
    return frozenset(name for (name,) in found) - _HARMLESS


def _parsed(text: str, statement: str = "parsed") -> dict[str, Any]:
    """A text as DuckDB parses it, or its error."""
    ((parsed,),) = _parser().cursor().execute(catalog.statement(statement), [text]).fetchall()
    return json.loads(parsed)  # type: ignore[no-any-return]


def _reads(name: str) -> bool:
    """Whether a table function is known to read."""
    return name in _READING or name in _OF_TABLES or name == "query" or name.startswith(_READING_PREFIXES)


@dataclass
class _Found:
    """The tables and functions of a query; all names in lower case."""

    tables: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    table_functions: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    """The queries that it gives to ``query`` as constants."""

    @classmethod
    def in_query(cls, text: str, allowed: frozenset[str] = frozenset()) -> _Found:
        """Parse a query, which may call some table functions more."""
        return cls._of(_parsed(text), allowed)

    @classmethod
    def in_macro(cls, text: str) -> _Found:
        """Parse what a macro selects or computes."""
        parsed = _parsed(text)
        found = cls._of(_parsed(text, "parsed_expression") if parsed["error"] else parsed)
        if found.table_functions & (_OF_TABLES | {"query"}):
            raise NotRead("it calls a macro that reads tables or runs a query by name")
        return found

    @classmethod
    def _of(cls, parsed: dict[str, Any], allowed: frozenset[str] = frozenset()) -> _Found:
        if parsed["error"] or len(parsed["statements"]) != 1:
            said = parsed.get("error_message", "").partition("\n")[0]
            raise NotRead("it is not one SELECT" + f" ({said})" * bool(said))
        found = cls()
        found._walk(parsed["statements"][0])
        found.table_functions -= allowed
        for name in sorted(found.functions & _with_effects()):
            raise NotRead(f"it calls {name}, which does more than read")
        return found

    def _walk(self, node: Any) -> None:
        waiting = [node]
        while waiting:
            node = waiting.pop()
            if isinstance(node, list):
                waiting += node
                continue
            if not isinstance(node, dict):
                continue
            kind = node.get("type")
            if isinstance(kind, str) and kind.endswith("_NODE") and kind not in _SELECTS:
                raise NotRead("it is not one SELECT")
            if kind == "TABLE_FUNCTION":
                self._table_function(node["function"])
                waiting += [value for key, value in node.items() if key != "function"]
                waiting += [value for key, value in node["function"].items() if key != "function_name"]
                continue
            if "function_name" in node:
                self.functions.add(node["function_name"].lower())
            elif "table_name" in node:
                self.tables.add(str(node["table_name"]).lower())
            waiting += node.values()

    def _table_function(self, call: dict[str, Any]) -> None:
        name = str(call["function_name"]).lower()
        if str(call.get("schema")).lower() == SCHEMA and name in catalog.functions():
            return  # the planner looks at its tables
        self.table_functions.add(name)
        given = _arguments(call)
        for option, _ in given:
            if option in _WRITING_OPTIONS:
                raise NotRead(f"it calls {name} with {option}, which makes tables")
        if name == "query":
            self.texts += [_constant(argument, name) for _, argument in given]
        elif name in _OF_TABLES:
            self.tables |= {table.lower() for _, argument in given[:1] for table in _names(argument, name)}


def _arguments(call: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The arguments of a function, each with its name in lower case; empty if it has none."""
    if "arguments" in call:
        return [
            (str(one["name"]).lower() or _option(one["expression"]), one["expression"]) for one in call["arguments"]
        ]
    return [(_option(one), one) for one in call.get("children") or ()]  # DuckDB 1


def _option(argument: dict[str, Any]) -> str:
    """The name of an argument, which is written as a comparison or with an alias."""
    if argument.get("type") == "COMPARE_EQUAL":
        return str(argument["left"].get("column_names", [""])[-1]).lower()
    return str(argument.get("alias") or "").lower()


def _constant(argument: dict[str, Any], name: str) -> str:
    """A text that is given as a constant."""
    value = argument.get("value", {}).get("value") or argument.get("literal", {}).get("text")
    if argument.get("class") != "CONSTANT" or not isinstance(value, str):
        raise NotRead(f"it calls {name} with what is not a text")
    return value


def _names(argument: dict[str, Any], name: str) -> list[str]:
    """Names of tables that are given as texts, as a list of them, or as identifiers."""
    if argument.get("class") == "COLUMN_REF":
        return [str(argument["column_names"][-1])]
    if argument.get("function_name") == "list_value":
        return [table for _, child in _arguments(argument) for table in _names(child, name)]
    text = _constant(argument, name)
    return [text, text.rpartition(".")[2].strip('"')]
