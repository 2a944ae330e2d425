"""Columns of JSON, structs, maps and lists, read as columns of one level: the option ``json``.

A key of an object becomes a column, named after both. What is no object becomes a column of the old name: a scalar, or
a list as the set of its elements. Such a column is read by an expression over the user's table, whose rows and their
numbers stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from sqlglot import exp

from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column, duckdb_type
from synthpriv_sql.planner.headers import files

OPTION = "json"
ENTRY = "json entry"
"""The metadata of an expression that reads an entry: what another dialect writes anew."""
_TYPES = {"integer": "BIGINT", "number": "DOUBLE", "truth": "BOOLEAN", "text": "VARCHAR", "set": "VARCHAR"}
JSON = "JSON"


@dataclass(frozen=True, slots=True)
class Entry:
    """A column that is read from a nested one: the values of a key, or what is no object if ``key`` is None."""

    name: str
    key: str | None
    kind: str
    """integer, number, truth, text, or set: text that has lists among its values."""


@dataclass(frozen=True, slots=True)
class Nested(Column):
    """An entry of a nested column, as a column of its own."""

    of: Column = field(default_factory=lambda: Column("", "", ""))
    """The column of the user's table that it is read from."""
    entry: Entry = field(default_factory=lambda: Entry("", None, "text"))

    @property
    def read(self) -> exp.Expr:
        """How it is read from the user's relation."""
        value = self.taken
        if self.by_characters and self.family == "text":
            value = exp.Collate(this=value, expression=exp.to_identifier("C", quoted=True))
        return exp.alias_(value, self.name, quoted=True)

    @property
    def taken(self) -> exp.Expr:
        """Its value in a row of the user's relation, in DuckDB's dialect; the metadata says it to others."""
        found = exp.Paren(this=_value(self.of, self.entry))
        found.meta[ENTRY] = self
        return found


def column(of: Column, entry: Entry, by_characters: bool) -> Nested:
    """Return the column that an entry of another becomes."""
    type_ = _TYPES[entry.kind]
    return Nested(entry.name, type_, type_.lower(), by_characters=by_characters, of=of, entry=entry)


def once_read(column: Column) -> Column:
    """Return a column as a statement has it that has read it: an entry is no longer nested."""
    if not isinstance(column, Nested):
        return column
    return Column(column.name, column.type, column.type_id, by_characters=column.by_characters)


def is_nested(column: Column) -> bool:
    """Whether the type of a column has parts, none of which a distance compares: vectors have one."""
    return column.family is None and (
        column.type_id == "json" or column.type.lower() in {"json", "jsonb", "variant"} or is_structured(column)
    )


def is_structured(column: Column) -> bool:
    """Whether it is a list, a struct or a map, which become JSON first."""
    spelled = column.type.upper()
    return spelled.endswith("]") or spelled.startswith(("STRUCT(", "MAP(", "STRUCT<", "MAP<", "ARRAY<"))


def as_json(column: Column) -> exp.Expr:
    """Return a nested column as JSON, in DuckDB's dialect; text that is none is NULL."""
    own = exp.column(exp.to_identifier(column.name, quoted=True))
    if is_structured(column):
        return _call("to_json", own)
    return exp.TryCast(this=own, to=duckdb_type(JSON)) if column.family == "text" else exp.cast(own, duckdb_type(JSON))


def _value(of: Column, entry: Entry) -> exp.Expr:
    """The value of an entry; null if a row has no object where there is a key, or one where there is none."""
    given = as_json(of)
    is_object = exp.EQ(this=_call("json_type", given), expression=exp.Literal.string("OBJECT"))
    path = "" if entry.key is None else "/" + entry.key.replace("~", "~0").replace("/", "~1")
    where = exp.Literal.string(path or "$")
    text: exp.Expr = _call("json_extract_string", given.copy(), where)
    if entry.kind == "set":
        value = _call("json_extract", given.copy(), where.copy())
        is_list = exp.EQ(this=_call("json_type", value), expression=exp.Literal.string("ARRAY"))
        elements = _call("list_distinct", exp.cast(value.copy(), duckdb_type("VARCHAR[]")))
        texts = exp.cast(_call("to_json", _call("list_sort", elements)), duckdb_type("VARCHAR"))
        text = exp.Case().when(is_list, texts).else_(text)
    elif entry.kind != "text":
        text = exp.cast(text, duckdb_type(_TYPES[entry.kind]))
    return exp.Case().when(exp.not_(exp.paren(is_object)) if entry.key is None else is_object, text)


def _call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=list(arguments))


Entries = Mapping[str, Sequence[Entry]]
"""What nested columns become, by their names in lower case."""
NONE: Entries = MappingProxyType({})


class FlatTable(str):
    """The name of a table (or a file or a query) whose nested columns are read as others."""

    __slots__ = ("entries", "of")
    of: str
    entries: Entries

    def __new__(cls, of: str, entries: Entries) -> FlatTable:
        """Combine both."""
        made = super().__new__(cls, of)
        made.of, made.entries = of, entries
        return made


@dataclass(frozen=True, eq=False)
class FlatObject:
    """A Python object as a table whose nested columns are read as others."""

    of: Any
    entries: Entries


def flat(of: Any, entries: Entries) -> Any:
    """Return a table whose nested columns are read as others; the table as it is if there are none."""
    if not entries:
        return of
    return FlatTable(of, entries) if isinstance(of, str) else FlatObject(of, entries)


def entries_of(table: Any) -> tuple[Any, Entries]:
    """Return a table as it is, and what its nested columns become."""
    return (table.of, table.entries) if isinstance(table, (FlatTable, FlatObject)) else (table, NONE)


def applied(relation: Relation, entries: Entries, by_characters: bool = False) -> Relation:
    """Return a table with columns of one level in the places of nested ones.

    ``by_characters`` says whether texts have to be told to be compared by their characters.
    """
    columns: list[Column] = []
    for one in relation.columns:
        found = entries.get(one.name.lower())
        columns += [one] if found is None else [column(one, entry, by_characters) for entry in found]
    return replace(relation, columns=tuple(columns))


def sources(relation: Relation) -> list[Column]:
    """Return the columns that a table has in the database."""
    found = dict.fromkeys(one.of if isinstance(one, Nested) else one for one in relation.columns)
    return list(found)


def reading_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the tables of a call carry: how CSV files are read, and which columns are nested."""
    found = {name: entries_of(value) for name, value in given.items()}
    names = dict.fromkeys(one for _, entries in found.values() for one in entries)
    reading = files.reading_of({name: table for name, (table, _) in found.items()})
    return reading | ({OPTION: list(names)} if names else {})
