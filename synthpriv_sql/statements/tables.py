"""Relations, the columns that they share, and how each is compared.

Everything is decided here from names and types, before a row is read: which columns are compared, in which role,
and by which expression a column of each table becomes what the kernel takes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from sqlglot import exp

from synthpriv_sql.errors import ColumnMismatch, OptionError, RoleError, UnknownColumn, without_secrets

_FAMILIES = {
    "integer": "tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint uhugeint",
    "decimal": "decimal",
    "float": "float double",
    "boolean": "boolean",
    "date": "date",
    "time": "time|time with time zone|time_ns",
    "timestamp": "timestamp timestamp_s timestamp_ms timestamp_ns|timestamp with time zone",
    "text": "varchar",
    "enum": "enum",
    "uuid": "uuid",
    "null": "null",
}
_FAMILY_OF = {
    type_id: family
    for family, listed in _FAMILIES.items()
    for group in listed.split("|")
    for type_id in ([group] if " with " in group else group.split())
}
_ROLE_OF = {
    "integer": "numeric",
    "decimal": "numeric",
    "float": "numeric",
    "date": "temporal",
    "time": "temporal",
    "timestamp": "temporal",
    "boolean": "categorical",
    "text": "categorical",
    "enum": "categorical",
    "uuid": "categorical",
    "null": "categorical",
    "vector": "vector",
}


_EXACT = frozenset({"integer", "decimal", "date", "time", "timestamp", "null"})
"""Families whose values are whole numbers of a unit."""
_NANOSECONDS = frozenset({"timestamp_ns", "time_ns"})
_VECTOR = re.compile(r"(FLOAT|DOUBLE|U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL\(\d+, *\d+\))\[(\d*)\]")
"""Lists and arrays of numbers, as DuckDB calls them: vectors."""
_VECTOR_ELSEWHERE = re.compile(r"array<(float|double)>|(real|double precision)\[\]|vector\(\d+\)", re.IGNORECASE)
_DECIMAL_PRECISION = re.compile(r"DECIMAL\((\d+), *(\d+)\)", re.IGNORECASE)
_WHOLE_DIGITS = {
    **dict.fromkeys(("tinyint", "utinyint"), 3),
    **dict.fromkeys(("smallint", "usmallint"), 5),
    **dict.fromkeys(("integer", "uinteger"), 10),
    "bigint": 19,
    "ubigint": 20,
}
# 19 digits are a BIGINT where its type says so; of decimals some numbers of 19 digits are none.
_DIGITS_OF_A_DOUBLE, _DIGITS_OF_A_DECIMAL, _DIGITS_OF_A_BIGINT = 15, 18, 19
_DECIMAL = re.compile(r"DECIMAL\(\d+, *(\d+)\)", re.IGNORECASE)


# Weights and the like, so that neither their products and squares nor those of differences leave what a DOUBLE holds.
_LEAST, _MOST = 1e-75, 1e75


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the database describes it."""

    name: str
    type: str
    type_id: str
    nan: bool = False
    """Whether it may hold NaN although it is no float, as a numeric of PostgreSQL may."""
    read_as: str = ""
    """The type that it is cast to where it is read, for one that a statement cannot do with as it is."""
    inside: str = ""
    """What a statement calls it that makes it, where that is not the name in brackets."""
    loose: bool = False
    """Whether one number of it may have several texts, 1.1 and 1.10, as in a numeric of PostgreSQL without a scale."""

    @property
    def held(self) -> str:
        """The type that it has in a statement, as DuckDB calls it."""
        return self.read_as or self.type

    @property
    def family(self) -> str | None:
        """What kind of type it is; None where no distance is defined for it."""
        return "vector" if _VECTOR.fullmatch(self.type) else _FAMILY_OF.get(self.type_id)

    @property
    def is_number(self) -> bool:
        """Whether its type is one of numbers, NULL among them."""
        return self.family == "null" or _ROLE_OF.get(str(self.family)) == "numeric"

    @property
    def length(self) -> int | None:
        """How many numbers each of its vectors has, where its type says so."""
        vector = _VECTOR.fullmatch(self.type)
        return int(vector[2]) if vector and vector[2] else None

    @property
    def digits(self) -> int:
        """The digits that its values have behind the point, times in seconds."""
        if self.family == "decimal":
            declared = _DECIMAL.fullmatch(self.held)
            return int(declared[1]) if declared else 0
        return 6 if self.family in {"time", "timestamp"} else 0

    @property
    def whole_digits(self) -> int:
        """The most digits that its values have before the point, of a whole or decimal number."""
        if self.family == "decimal":
            declared = _DECIMAL_PRECISION.fullmatch(self.held)
            return int(declared[1]) - int(declared[2]) if declared else 38
        return _WHOLE_DIGITS.get(self.type_id, 39)

    @property
    def node(self) -> exp.Column:
        """The column in a statement, quoted; it carries its type, which other dialects have to know."""
        column = exp.column(exp.to_identifier(self.name, quoted=True))
        column.meta.update(family=self.family, type_id=self.type_id)
        return column

    @property
    def read(self) -> exp.Expr:
        """How it is read from the user's relation."""
        return exp.alias_(exp.cast(self.node, self.read_as), self.name, quoted=True) if self.read_as else self.node

    def raw(self) -> exp.Expr:
        """Return the value as it is, NaN as NULL."""
        return _without_nan(self, self.node)


def label(value: str) -> str:
    """How messages call what was given as a table: its name in quotes, where it has none of its own, or the query."""
    shown = without_secrets(value)
    if value.lstrip().startswith("("):
        return "the query " + shown
    own = len(shown) > 1 and (shown.startswith('"') or shown.endswith('"'))
    return shown if own else '"' + shown.replace('"', '""') + '"'


@dataclass(frozen=True)
class Made:
    """A table that a statement of ours makes of one of the user's."""

    of: Relation
    file: str
    statement: Any
    """The statement, as `synthpriv_sql.statements.parts.Assembled`."""


@dataclass(frozen=True)
class Relation:
    """A table, file, subquery or object that a call names."""

    parameter: str
    label: str
    node: exp.Table
    columns: tuple[Column, ...]
    base: bool
    """Whether it is a table of the database itself, which gives its rows in one order however often it is read."""
    order: tuple[exp.Expr, ...] = ()
    """What records are numbered by, where the engine promises no order of its own."""
    only: tuple[exp.Expr, ...] = ()
    """Conditions on the rows that are read, where a call looks at one group of them."""
    made: Made | None = field(default=None, compare=False)
    """What it is made by, where it is none of the user's: for an engine that runs a statement in parts."""

    @cached_property
    def by_name(self) -> Mapping[str, Column]:
        """Columns by lower-case name: names do not depend on case in DuckDB."""
        return {column.name.lower(): column for column in self.columns}

    def column(self, name: str, option: str) -> Column:
        """Return the column that an option names, or raise `UnknownColumn`."""
        (found,) = self.listed([name], option)
        return found

    def listed(self, names: Sequence[str], option: str) -> list[Column]:
        """Return the columns that an option names, or raise one `UnknownColumn` for all that are not there."""
        unknown = [name for name in names if name.lower() not in self.by_name]
        if unknown:
            raise unknown_column(unknown, option, [self])
        return [self.by_name[name.lower()] for name in names]


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """A column that the tables of a call share."""

    name: str
    role: str
    weight: float
    sources: Mapping[str, Column]
    labels: Mapping[str, str]

    @property
    def unit(self) -> int:
        """How many of what the kernel takes make one: so many that decimals and times are whole numbers.

        Differences of whole numbers are exact, so that equal ones are equal to the bit. All tables of a call have one
        unit: that of the longest fraction among them, and 1 where any of them holds floats.
        """
        columns = self.sources.values()
        if self.role == "categorical" or not all(c.family in _EXACT for c in columns):
            return 1
        return int(10 ** max(c.digits for c in columns))

    def encoded(self, parameter: str) -> exp.Expr:
        """Return what the kernel takes: a DOUBLE (numbers; times in seconds; both times unit), a VARCHAR, or a list."""
        column = self.sources[parameter]
        if self.role == "vector":
            return self._vector(column)
        if self.role == "categorical":
            return self._category(column)
        if column.family in {"date", "time", "timestamp"}:
            return _moment(column, self.unit)
        if column.family in {"text", "enum", "uuid"}:
            return self._parsed_number(column, self.labels[parameter])
        return _in_units(_without_nan(column, exp.cast(column.node, "DOUBLE")), self.unit)

    def raw(self, parameter: str) -> exp.Expr:
        """Return the value as it is, NaN as NULL; as a category where the tables' types have nothing else in common."""
        column = self.sources[parameter]
        if self.role == "vector":
            return self._vector(column)
        if self.role == "categorical" and len({c.held for c in self.sources.values()}) > 1:
            return self._category(column)
        if column.family in {"text", "enum", "uuid"} and self.role != "categorical":
            return self.encoded(parameter)
        return _without_nan(column, column.node)

    def keyed(self, parameter: str) -> exp.Expr:
        """Return the value as keys compare it, exactly: what the kernel takes, or a BIGINT or VARCHAR beyond a DOUBLE.

        Numbers are times unit in either form, so that a table in one form meets a table in the other.
        """
        column, columns = self.sources[parameter], list(self.sources.values())
        families = {c.family for c in columns}
        if self.role in {"categorical", "vector"}:
            return self.encoded(parameter)
        if families <= {"integer", "decimal"}:
            return self._keyed_number(parameter)
        if any(c.type_id in _NANOSECONDS for c in columns):
            return self._category(column)
        if "timestamp" in families and families <= {"date", "timestamp"}:
            moment = exp.cast(column.node, "TIMESTAMP") if column.family == "date" else column.node
            return exp.Anonymous(this="epoch_us", expressions=[moment])
        return self.encoded(parameter)

    def _keyed_number(self, parameter: str) -> exp.Expr:
        """A whole or decimal number as keys compare it: in the narrowest form that holds all of its digits."""
        column, columns = self.sources[parameter], self.sources.values()
        behind = max(c.digits for c in columns)
        digits = max(c.whole_digits for c in columns) + behind
        if digits <= _DIGITS_OF_A_DOUBLE:
            return self.encoded(parameter)
        if digits > (_DIGITS_OF_A_DECIMAL if behind else _DIGITS_OF_A_BIGINT):
            return self._category(column)
        if not behind:
            return exp.cast(column.node, "BIGINT")
        scaled = exp.cast(column.node, f"DECIMAL(38, {behind})") * exp.Literal.number(self.unit)
        return exp.cast(scaled, "BIGINT")

    def restored(self, parameter: str, number: exp.Expr, text: exp.Expr) -> exp.Expr:
        """Return a number or a text of the kernel in the type that the column has in a table."""
        column = self.sources[parameter]
        if self.unit > 1:
            number = exp.paren(number / _whole(self.unit))
        if self.role == "categorical":
            return exp.cast(text, column.held, dialect="duckdb")
        if column.family == "integer":
            return exp.cast(exp.Round(this=number), column.held, dialect="duckdb")
        if column.family in {"date", "timestamp"}:
            moment = exp.Anonymous(this="to_timestamp", expressions=[number])
            if column.type_id == "timestamp with time zone":
                return moment
            # Seconds count from 1970 in UTC, whatever the time zone of the session.
            return exp.cast(exp.AtTimeZone(this=moment, zone=exp.Literal.string("UTC")), column.held, dialect="duckdb")
        if column.family == "time":
            micros = exp.cast(exp.Round(this=exp.paren(number * 1_000_000)), "BIGINT")
            since = exp.Anonymous(this="to_microseconds", expressions=[micros])
            midnight = exp.cast(exp.Literal.string("00:00:00"), "TIME")
            return exp.cast(midnight + since, column.held, dialect="duckdb")
        if column.held == "VARCHAR" and column.family == "decimal":
            raise RoleError(
                f'column "{column.name}" of {self.labels[parameter]} holds NaN, or numbers of more digits than a '
                "DECIMAL has (38), and new values of it cannot be made; give a query in parentheses that casts it"
            )
        return exp.cast(number, column.held, dialect="duckdb")

    def _vector(self, column: Column) -> exp.Expr:
        """A list of numbers; NULL where one of them is missing, as then it has no distance."""
        kind = "FLOAT" if all(c.type.startswith("FLOAT") for c in self.sources.values()) else "DOUBLE"
        vector = exp.cast(column.node, f"{kind}[]", dialect="duckdb")
        counted, length, has_nan = (
            exp.Anonymous(this=name, expressions=[vector.copy(), *more])
            for name, more in (
                ("list_count", []),
                ("len", []),
                ("list_contains", [exp.cast(exp.Literal.string("NaN"), kind)]),
            )
        )
        return exp.Case().when(exp.or_(counted < length, has_nan), exp.null()).else_(vector)

    def _category(self, column: Column) -> exp.Expr:
        if column.family == "text":
            return column.node
        families = {c.family for c in self.sources.values()}
        value: exp.Expr = column.raw()
        if families <= {"integer", "boolean"}:
            # 1 and true are one category where one table says BIGINT and the other BOOLEAN.
            value = column.node if len(families) == 1 else exp.cast(column.node, "HUGEINT")
        elif families <= {"integer", "decimal"}:
            several = len({c.held for c in self.sources.values()}) > 1 or any(c.loose for c in self.sources.values())
            return _shortest_digits(value) if several else exp.cast(value, "VARCHAR")
        elif families <= {"integer", "boolean", "decimal", "float"} and families != {"decimal"}:
            # Adding 0 makes -0.0 and 0.0 one category.
            value = exp.Add(
                this=_without_nan(column, exp.cast(column.node, "DOUBLE")), expression=exp.Literal.number("0.0")
            )
        elif families <= {"date", "timestamp"} and len({c.type for c in self.sources.values()}) > 1:
            value = exp.cast(column.node, "TIMESTAMP")
        return exp.cast(value, "VARCHAR")

    def _parsed_number(self, column: Column, label: str) -> exp.Expr:
        number = exp.TryCast(this=exp.cast(column.node, "VARCHAR"), to=exp.DataType.build("DOUBLE"))
        message = (
            f'RoleError: column "{column.name}" of {label} is compared as a number, but holds text that is none. '
            "Clean it, or leave it out of the option numeric."
        )
        failed = exp.and_(column.node.is_(exp.null()).not_(), number.copy().is_(exp.null()))
        stop = exp.cast(exp.Anonymous(this="error", expressions=[exp.Literal.string(message)]), "DOUBLE")
        return exp.Case().when(failed, stop).else_(_without_nan(column, number, text=True))


def _without_nan(column: Column, value: exp.Expr, text: bool = False) -> exp.Expr:
    """NaN is missing, as NULL is."""
    if column.family != "float" and not column.nan and not text:
        return value
    return exp.Nullif(this=value, expression=exp.cast(exp.Literal.string("NaN"), "DOUBLE"))


def _shortest_digits(value: exp.Expr) -> exp.Expr:
    """The one text of a whole or decimal number, whatever the scale that it is kept with: all its digits, no more."""
    text = exp.cast(value, "VARCHAR")
    trimmed: exp.Expr = text.copy()
    for ending in "0.":
        trimmed = exp.Trim(this=trimmed, expression=exp.Literal.string(ending), position="TRAILING")
    has_point = exp.Like(this=text.copy(), expression=exp.Literal.string("%.%"))
    return exp.Case().when(has_point, trimmed).else_(text)


def is_nan(node: exp.Expr) -> bool:
    """Whether a node is the literal NaN."""
    return isinstance(node, exp.Cast) and node.this.is_string and bool(node.this.this == "NaN")


def _whole(unit: int) -> exp.Expr:
    return exp.Literal.number(unit if unit < 2**31 else f"{unit:.0e}")


def _in_units(number: exp.Expr, unit: int) -> exp.Expr:
    """A DOUBLE times a power of ten, where that is a whole number but for rounding."""
    return number if unit == 1 else exp.Round(this=exp.Mul(this=number, expression=_whole(unit)))


def _moment(column: Column, unit: int) -> exp.Expr:
    """Seconds, times unit."""
    seconds: exp.Expr = exp.cast(exp.Extract(this=exp.var("EPOCH"), expression=column.node), "DOUBLE")
    if unit == 1:
        pass
    elif column.type_id in _NANOSECONDS:
        # A DOUBLE that counts them is exact no more: whole microseconds, and then what is left.
        nanoseconds = exp.Anonymous(this="epoch_ns", expressions=[column.node])
        whole = exp.cast(exp.IntDiv(this=nanoseconds, expression=exp.Literal.number(1000)), "DOUBLE")
        rest = exp.Mod(this=nanoseconds.copy(), expression=exp.Literal.number(1000))
        seconds = exp.Add(this=whole, expression=exp.Div(this=exp.paren(rest), expression=exp.Literal.number("1000.0")))
    else:
        seconds = _in_units(seconds, unit)
    if column.family == "time":
        return seconds
    # The seconds of 'infinity' are NULL in DuckDB, which would hide what has to be reported.
    infinite = exp.cast(exp.Literal.string("Infinity"), "DOUBLE")
    finite = exp.Anonymous(this="isfinite", expressions=[column.node])
    return exp.Case().when(finite, seconds).when(column.node.is_(exp.null()).not_(), infinite)


NO_OPTIONS: Mapping[str, Any] = MappingProxyType(
    dict.fromkeys(("columns", "exclude", "numeric", "categorical", "weights", "key"))
)
"""Distance options of which none is given."""


def compare(relations: Sequence[Relation], options: Mapping[str, Any]) -> tuple[ComparedColumn, ...]:
    """Match the columns of the tables of a call and give each its role and weight.

    Parameters
    ----------
    relations
        The tables, in the order in which the function names them; columns keep the order of the first.
    options
        The distance options ``columns``, ``exclude``, ``numeric``, ``categorical``, ``weights`` and ``key``.

    Raises
    ------
    UnknownColumn
        An option names a column that is not there.
    ColumnMismatch
        A column stands on one side only, or no column is left.
    RoleError
        A column's type has no distance, or two tables disagree about its role.
    OptionError
        A column is both numeric and categorical, or no weight is positive.
    """
    names = _shared_names(relations, options)
    roles = _overrides(names, relations, options)
    weights = _by_compared_name(options["weights"] or {}, names, relations, "weights")
    labels = {r.parameter: r.label for r in relations}
    _check_types(names, relations)
    compared = []
    disagreeing: dict[str, Mapping[str, Column]] = {}
    for key, name in names.items():
        sources = {r.parameter: r.by_name[key] for r in relations}
        role = roles.get(key) or _role(sources)
        if role is None:
            disagreeing[name] = sources
        else:
            compared.append(ComparedColumn(name, role, weights.get(key, 1.0), sources, labels))
    if disagreeing:
        raise _disagreeing(disagreeing, labels)
    for column in compared:
        _check_vector(column, roles.get(column.name.lower()))
    for column in compared:
        if column.weight < 0:
            raise OptionError(
                f'option "weights": the weight of column "{column.name}" is {column.weight:g}; '
                "a weight is 0 or more (0 leaves the column out of the distance)"
            )
        if column.weight and not _LEAST <= column.weight <= _MOST:
            raise OptionError(
                f'option "weights": the weight of column "{column.name}" is {column.weight:g}; a weight is 0, or from '
                f"{_LEAST:g} to {_MOST:g}: beyond, distances would not fit into a DOUBLE"
            )
    mismatch = options.get("category_mismatch") or 0
    if mismatch and not _LEAST <= mismatch <= _MOST:
        raise OptionError(
            f'option "category_mismatch" is {mismatch:g}; it is 0, or from {_LEAST:g} to {_MOST:g}: beyond, distances '
            "would not fit into a DOUBLE"
        )
    if not any(column.weight > 0 for column in compared):
        raise OptionError('option "weights": every compared column has weight 0; give at least one a positive weight')
    return tuple(compared)


def _check_vector(column: ComparedColumn, asked: str | None) -> None:
    """Raise an error where a column of vectors cannot be compared as what it is asked to be, or as what it is."""
    vectors = {parameter: c for parameter, c in column.sources.items() if c.family == "vector"}
    if vectors and asked:
        parameter, found = next(iter(vectors.items()))
        raise RoleError(
            f'option "{asked}" names column "{found.name}", which is of vectors ({found.type}) in '
            f"{column.labels[parameter]}; it is compared as vectors: leave it out of that option, or exclude it "
            f"({_given('exclude', [column.name])})"
        )
    lengths = {c.length: parameter for parameter, c in vectors.items() if c.length}
    if len(lengths) > 1:
        sides = " and ".join(f"of {length} numbers in {column.labels[p]}" for length, p in lengths.items())
        raise ColumnMismatch(
            f'column "{column.name}" holds vectors {sides}; vectors are compared where all have one length. Take both '
            f"from the same model, or exclude the column ({_given('exclude', [column.name])})"
        )


def takes_no_vectors(function: str, vectors: Sequence[ComparedColumn], option: str = "") -> RoleError:
    """The error for columns of vectors, which ``option`` may have named, in a call of a function that takes none."""
    names = [column.name for column in vectors]
    are, them = ("are", "them") if len(names) > 1 else ("is", "it")
    instead = f"exclude {them} ({_given('exclude', names)}) or choose the columns to compare"
    if option:
        instead = f'leave {them} out of the option "{option}"'
    types = ", ".join(dict.fromkeys(next(iter(column.sources.values())).type for column in vectors))
    return RoleError(f"{_columns(names)} {are} of vectors ({types}), which {function} does not compare; {instead}")


def unknown_column(name: str | Sequence[str], option: str, relations: Sequence[Relation]) -> UnknownColumn:
    """The error for a column, or several, that an option names and no table has."""
    tables = " or ".join(r.label for r in relations)
    there = ", ".join(f'"{c.name}"' for c in relations[0].columns)
    names = [name] if isinstance(name, str) else name
    return UnknownColumn(f'option "{option}" names {_columns(names)}, which {tables} does not have; there are: {there}')


def _columns(names: Sequence[str]) -> str:
    """Columns in a sentence."""
    return f"column{'s' * (len(names) > 1)} " + ", ".join(f'"{name}"' for name in names)


def _given(option: str, names: Sequence[str]) -> str:
    """An option as SQL has it; other surfaces have it in their own words."""
    return f"{option} := [" + ", ".join("'" + name.replace("'", "''") + "'" for name in names) + "]"


def _shared_names(relations: Sequence[Relation], options: Mapping[str, Any]) -> dict[str, str]:
    """The names compared: as the first table spells them, by lower-case name."""
    key, unit = options["key"], options.get("unit")
    grouping = options.get("group_by") or []
    dropped = {name.lower() for name in [*(options["exclude"] or []), *grouping, key, unit] if name}
    for option, names in (("exclude", options["exclude"] or []), ("key", [key] if key else [])):
        unknown = [name for name in names if not any(name.lower() in r.by_name for r in relations)]
        if unknown:
            raise unknown_column(unknown, option, relations)
    if options["columns"]:
        chosen = [column.name for column in relations[0].listed(options["columns"], "columns")]
        for relation in relations[1:]:
            relation.listed(options["columns"], "columns")
        names = {name.lower(): name for name in chosen if name.lower() not in dropped}
    else:
        names = {c.name.lower(): c.name for c in relations[0].columns if c.name.lower() not in dropped}
        shared = set.intersection(*({c for c in r.by_name if c not in dropped} for r in relations))
        if not shared and len(relations) > 1 and not any(r.by_name.keys() <= dropped for r in relations):
            sides = "; ".join(f"{r.label} has {', '.join(c.name for c in r.columns) or 'none'}" for r in relations)
            raise ColumnMismatch(f"the tables have no common columns to compare: {sides}")
        _check_sides(relations, shared, dropped)
    if not names:
        raise ColumnMismatch(
            f"no column of {relations[0].label} is left to compare once the key and the excluded columns are out"
        )
    return names


def _check_sides(relations: Sequence[Relation], shared: set[str], dropped: set[str]) -> None:
    one_sided: dict[tuple[str, str], dict[str, None]] = {}  # one table may be given for two parameters
    for relation in relations:
        for name, column in relation.by_name.items():
            if name not in shared and name not in dropped:
                lacking = next(r for r in relations if name not in r.by_name)
                one_sided.setdefault((relation.label, lacking.label), {})[column.name] = None
    if not one_sided:
        return
    found = [
        f"{_columns(list(names))} {'are' if len(names) > 1 else 'is'} in {has} but not in {lacks}"
        for (has, lacks), names in one_sided.items()
    ]
    names = list({name.lower(): name for listed in one_sided.values() for name in listed}.values())
    raise ColumnMismatch(
        f"{'; '.join(found)}; exclude {'them' if len(names) > 1 else 'it'} ({_given('exclude', names)}) or choose the "
        "columns to compare (columns := [...])"
    )


def _by_compared_name(
    given: Mapping[str, Any], names: Mapping[str, str], relations: Sequence[Relation], option: str
) -> dict[str, Any]:
    out = [name for name in given if name.lower() not in names]
    unknown = [name for name in out if not any(name.lower() in r.by_name for r in relations)]
    if unknown:
        raise unknown_column(unknown, option, relations)
    if out:
        which = "which is" if len(out) == 1 else "which are"
        raise UnknownColumn(f'option "{option}" names {_columns(out)}, {which} not among those compared')
    return {name.lower(): value for name, value in given.items()}


def _overrides(names: Mapping[str, str], relations: Sequence[Relation], options: Mapping[str, Any]) -> dict[str, str]:
    numeric, categorical = (
        _by_compared_name(dict.fromkeys(options[role] or [], role), names, relations, role)
        for role in ("numeric", "categorical")
    )
    both = [names[key] for key in categorical if key in numeric]
    if both:
        stand = "stands" if len(both) == 1 else "stand"
        raise OptionError(f"{_columns(both)} {stand} in both options numeric and categorical; choose one")
    return numeric | categorical


def _check_types(names: Mapping[str, str], relations: Sequence[Relation]) -> None:
    """Raise one error for all columns whose type has no distance."""
    found: dict[str, str] = {}
    vectors = False
    for key, name in names.items():
        for relation in relations:
            column = relation.by_name[key]
            if column.family is None and name not in found:
                found[name] = f'column "{column.name}" of {relation.label} has type {column.type}'
                vectors |= _VECTOR_ELSEWHERE.fullmatch(column.type) is not None
    if found:
        them = "them" if len(found) > 1 else "it"
        spread = "; a query in parentheses can make columns of the numbers of a vector" * vectors
        raise RoleError(
            f"{'; '.join(found.values())}, for which no distance is defined; exclude {them} "
            f"({_given('exclude', list(found))}) or cast {them} to a number, a time or text first{spread}"
        )


def _role(sources: Mapping[str, Column]) -> str | None:
    """The role that types give a column, None where two tables disagree."""
    # A column of which nothing is known but that it is missing takes the role that it has elsewhere.
    known = {p: c for p, c in sources.items() if c.family != "null"} or sources
    found = {_ROLE_OF[str(column.family)] for column in known.values()}
    times = {column.family == "time" for column in known.values()}
    return found.pop() if len(found) == 1 and (found != {"temporal"} or len(times) == 1) else None


def _disagreeing(sources: Mapping[str, Mapping[str, Column]], labels: Mapping[str, str]) -> RoleError:
    """The error for columns of which two tables disagree."""
    said = []
    for name, columns in sources.items():
        known = {p: c for p, c in columns.items() if c.family != "null"}
        sides = ", ".join(f"{c.type} ({_ROLE_OF[str(c.family)]}) in {labels[p]}" for p, c in known.items())
        said.append(f'column "{name}" is {sides}')
    names = list(sources)
    if any(c.family == "vector" for columns in sources.values() for c in columns.values()):
        them = "them" if len(names) > 1 else "it"
        return RoleError(f"{'; '.join(said)}; cast one side, or exclude {them} ({_given('exclude', names)})")
    return RoleError(
        f"{'; '.join(said)}; cast one {'side ' if len(names) > 1 else ''}of them, or say how to compare "
        f"{'them' if len(names) > 1 else 'it'} ({_given('numeric', names)} or {_given('categorical', names)})"
    )
