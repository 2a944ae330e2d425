"""Finding and describing tables in SQLite, whose columns have the types of the values that they hold.

A table is read through a query that gives each column one type: times in one form, texts that are compared by their
bytes, bytes and mixed values as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from synthpriv_sql.dialects.base import function
from synthpriv_sql.engines.remote.connection import Connection
from synthpriv_sql.engines.remote.lookup import Lookup, Order, lacks
from synthpriv_sql.engines.sqlite import driver
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog

_VIEW = "synthpriv_described"
_AT_ONCE = 100  # columns that one statement measures: SQLite has at most 2,000 in a result
_PLACES = ("rowid", "_rowid_", "oid")
_DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
_CLOCK = "[0-9][0-9]:[0-9][0-9]:[0-9][0-9]"
_ZONES = ("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class _Held:
    """How many values of each kind a column holds; of days, moments and times only where no text is declared."""

    integer: int = 0
    real: int = 0
    text: int = 0
    blob: int = 0
    truth: int = 0
    day: int = 0
    moment: int = 0
    clock: int = 0
    zoned: int = 0

    @property
    def is_text(self) -> bool:
        """Whether all values are texts."""
        return self.integer + self.real + self.blob == 0


class SQLiteLookup(Lookup):
    """Finds tables in a SQLite file."""

    dialect = "sqlite"
    lacks = lacks("SQLite", ".import")

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._known: dict[tuple[str, Order], tuple[exp.Table, tuple[Column, ...], Mapping[str, str]]] = {}
        self._version: object = None

    def unknown(self) -> str:
        """The sentence about a name that is no table."""
        return "is not a table or view of this SQLite file. Give a name, or a query in parentheses;"

    def one(self, given: exp.Table) -> tuple[exp.Table, Order] | None:
        """Find a table; its rows are numbered by their rowid."""
        found = self._connection.rows(catalog.statement("sqlite_relation"), [given.name, given.db or None])
        if not found:
            return None
        (row,) = found
        node = exp.table_(row["name"], db=row["schema"], quoted=True)
        names = {name.lower() for name in self._declared(node)}
        place = next((p for p in _PLACES if p not in names), None) if row["has_places"] else None
        return node, (exp.column(place),) if place else ()

    def described(self, node: exp.Table, order: Order, exact: bool) -> tuple[exp.Table, tuple[Column, ...]]:
        """Describe the columns by their values, and return the query that reads them so.

        A table is measured once, until somebody writes into the file.
        """
        version = self._connection.run(driver.version)
        if version != self._version:
            self._known.clear()
            self._version = version
        wrapped, columns, declared = self._known.get((node.sql("sqlite"), order)) or self._described(node, order)
        self.declared[wrapped.sql("sqlite")] = {n: t for n, t in declared.items() if _NAME_OF_TYPE.fullmatch(t)}
        return wrapped.copy(), columns

    def forget(self) -> None:
        """Measure all tables anew."""
        self._known.clear()

    def _described(self, node: exp.Table, order: Order) -> tuple[exp.Table, tuple[Column, ...], Mapping[str, str]]:
        declared = self._declared(node)
        held = self._held(node, declared)
        columns = tuple(_column(name, type_, held[name]) for name, type_ in declared.items())
        read = [exp.alias_(_read(c, held[c.name]), c.name, quoted=True) for c in columns]
        wrapped = self.reading(node, [*read, *(place.copy() for place in order)], {})
        return self._known.setdefault((node.sql("sqlite"), order), (wrapped, columns, declared))

    def _declared(self, node: exp.Table) -> dict[str, str]:
        if isinstance(node.this, exp.Identifier):
            found = self._connection.rows(catalog.statement("sqlite_columns"), [node.name, node.db])
            return {row["name"]: row["type"] or "" for row in found}
        # Only a view of a query says what its columns are declared with; it is not written into the file.
        view = exp.table_(_VIEW, db="temp", quoted=True)
        self._connection.execute(exp.Drop(tables=[view.copy()], kind="VIEW", exists=True).sql("sqlite"))
        kept = exp.Properties(expressions=[exp.TemporaryProperty()])
        all_ = exp.select("*").from_(node.copy())
        named = exp.to_table(_VIEW)
        self._connection.execute(exp.Create(this=named, kind="VIEW", expression=all_, properties=kept).sql("sqlite"))
        try:
            found = self._connection.rows(catalog.statement("sqlite_columns"), [_VIEW, "temp"])
        finally:
            self._connection.execute(exp.Drop(tables=[view], kind="VIEW").sql("sqlite"))
        return {row["name"]: row["type"] or "" for row in found}

    def _held(self, node: exp.Table, declared: Mapping[str, str]) -> dict[str, _Held]:
        names = list(declared)
        found = {name: _Held(**kinds) for name, kinds in self._counted(node, names, _kinds).items()}
        # What only texts can be is asked of columns that hold nothing else.
        texts = [n for n in names if _may_be_time(declared[n]) and found[n].text > 0 and found[n].is_text]
        truths = [n for n in names if "BOOL" in declared[n].upper() and found[n].integer > 0]
        for some, tests in ((texts, _times), (truths, _truths)):
            for name, kinds in self._counted(node, some, tests).items():
                found[name] = replace(found[name], **kinds)
        return found

    def _counted(
        self, node: exp.Table, names: Sequence[str], tests: Callable[[exp.Expr], Mapping[str, exp.Expr]]
    ) -> dict[str, dict[str, int]]:
        """Count the values of columns by kind."""
        found: dict[str, dict[str, int]] = {}
        for first in range(0, len(names), _AT_ONCE):
            some = names[first : first + _AT_ONCE]
            asked = [
                exp.alias_(exp.Coalesce(this=exp.Sum(this=test), expressions=[exp.Literal.number(0)]), f"{kind}_{i}")
                for i, name in enumerate(some)
                for kind, test in tests(exp.column(name, quoted=True)).items()
            ]
            (row,) = self._connection.rows(exp.select(*asked).from_(node.copy()).sql("sqlite"))
            for counted, number in row.items():
                kind, _, i = counted.partition("_")
                found.setdefault(some[int(i)], {})[kind] = number
        return found


def _may_be_time(declared: str) -> bool:
    """Whether texts may be times: not where a text is declared. CREATE TABLE AS declares dates as NUM."""
    return _TEXT.search(declared) is None


_NAME_OF_TYPE = re.compile(r"[\w ]+(\([\d, ]+\))?")
_TEXT = re.compile("CHAR|CLOB|TEXT", re.IGNORECASE)


def _kinds(value: exp.Expr) -> dict[str, exp.Expr]:
    """The storage classes of values."""
    kind = function("TYPEOF", value)
    return {name: kind.copy().eq(exp.Literal.string(name)) for name in ("integer", "real", "text", "blob")}


def _truths(value: exp.Expr) -> dict[str, exp.Expr]:
    """Whether a number is 0 or 1."""
    return {"truth": value.copy().isin(0, 1)}


def _times(value: exp.Expr) -> dict[str, exp.Expr]:
    """Which times a text may be."""
    rest = _without_zone(value)
    day, clock = _part(rest, 1, 10), _part(rest, 12, 8)
    whole = exp.DPipe(this=exp.DPipe(this=day, expression=exp.Literal.string(" "), safe=True), expression=clock)
    return {
        "day": exp.and_(_like(value, _DAY), function("DATE", value.copy()).eq(value.copy())),
        "moment": exp.and_(
            _like(rest, f"{_DAY}[ T]{_CLOCK}*"), function("DATETIME", whole.copy()).eq(whole), _fraction(rest, 20)
        ),
        "clock": exp.and_(
            _like(value, f"{_CLOCK}*"), function("TIME", _part(value, 1, 8)).eq(_part(value, 1, 8)), _fraction(value, 9)
        ),
        "zoned": rest.copy().neq(value.copy()),
    }


def _like(value: exp.Expr, pattern: str) -> exp.Expr:
    return exp.Glob(this=value.copy(), expression=exp.Literal.string(pattern))


def _part(value: exp.Expr, start: int, length: int | None = None) -> exp.Expr:
    numbers = [exp.Literal.number(n) for n in (start, length) if n is not None]
    return function("SUBSTR", value.copy(), *numbers)


def _fraction(value: exp.Expr, start: int) -> exp.Expr:
    """Whether nothing follows, or a point and at most six digits."""
    rest = _part(value, start)
    digits = exp.and_(
        _like(rest, ".[0-9]*"),
        exp.not_(_like(_part(rest, 2), "*[^0-9]*")),
        exp.LTE(this=exp.Length(this=rest.copy()), expression=exp.Literal.number(7)),
    )
    return exp.paren(exp.or_(rest.copy().eq(exp.Literal.string("")), digits))


def _without_zone(value: exp.Expr) -> exp.Expr:
    """A moment without its mark of UTC."""
    kept = value.copy()
    for zone in _ZONES:
        kept = exp.Replace(this=kept, expression=exp.Literal.string(zone), replacement=exp.Literal.string(""))
    return kept


_REAL = re.compile("REAL|FLOA|DOUB|NUMERIC|DEC", re.IGNORECASE)


def _column(name: str, declared: str, held: _Held) -> Column:
    numbers, values = held.integer + held.real, held.integer + held.real + held.text + held.blob
    if values == 0:
        return _as_declared(name, declared)
    if held.text == values and _may_be_time(declared):
        for kind, type_ in (("day", "date"), ("clock", "time"), ("moment", "timestamp")):
            zoned = kind == "moment" and held.zoned == values
            if getattr(held, kind) == values and (held.zoned == 0 or zoned):
                type_id = "timestamp with time zone" if zoned else type_
                return Column(name, type_id.upper(), type_id)
    if numbers < values:
        return Column(name, "VARCHAR", "varchar") if held.blob == 0 else Column(name, "BLOB", "blob", read_as="VARCHAR")
    if "BOOL" in declared.upper() and held.truth == values:
        return Column(name, "BOOLEAN", "boolean")
    double = held.real > 0 or _REAL.search(declared) is not None
    return Column(name, "DOUBLE", "double") if double else Column(name, "BIGINT", "bigint")


def _as_declared(name: str, declared: str) -> Column:
    """A column without values."""
    told = declared.upper()
    for words, type_ in (
        ("INT", "bigint"),
        ("BOOL", "boolean"),
        ("TIMESTAMP|DATETIME", "timestamp"),
        ("DATE", "date"),
        ("TIME", "time"),
        ("REAL|FLOA|DOUB|NUM|DEC", "double"),
        ("^$", "integer"),
    ):
        if re.search(words, told):
            return Column(name, type_.upper(), type_)
    return Column(name, "VARCHAR", "varchar")


def _read(column: Column, held: _Held) -> exp.Expr:
    """How a column is read, so that equal values are equal in SQLite too."""
    value: exp.Expr = exp.column(column.name, quoted=True)
    bytes_ = exp.Collate(this=value, expression=exp.to_identifier("BINARY"))
    if column.type_id == "blob":
        return function("HEX", value)
    if column.type_id == "varchar":
        mixed = held.integer + held.real > 0
        return exp.Collate(this=exp.cast(value, "TEXT"), expression=exp.to_identifier("BINARY")) if mixed else bytes_
    if column.type_id == "double":
        return exp.cast(value, "DOUBLE")
    if column.family not in {"time", "timestamp"}:
        return value
    start = 9 if column.family == "time" else 20
    rest = value if column.family == "time" else _without_zone(value)
    whole = exp.Replace(
        this=_part(rest, 1, start - 1), expression=exp.Literal.string("T"), replacement=exp.Literal.string(" ")
    )
    micros = _part(exp.DPipe(this=_part(rest, start + 1), expression=exp.Literal.string("000000"), safe=True), 1, 6)
    dotted = exp.DPipe(this=whole, expression=exp.Literal.string("."), safe=True)
    return exp.DPipe(this=dotted, expression=micros, safe=True)
