"""A column that the tables of a call share, and the expressions that encode it for the kernel and for keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from synthpriv_sql.errors import RoleError
from synthpriv_sql.planner.columns.types import EXACT, NANOSECONDS, TEXTS, Column, duckdb_type, without_nan

# Integers of 19 digits come from a BIGINT column and fit; some scaled decimals of 19 digits exceed a BIGINT.
_DIGITS_OF_A_DOUBLE, _DIGITS_OF_A_DECIMAL, _DIGITS_OF_A_BIGINT = 15, 18, 19


TRUTHS = {"true": ("true", "t", "yes", "y", "1"), "false": ("false", "f", "no", "n", "0")}
"""The texts that are read as a truth value."""


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """A column that the tables of a call share; distances leave out what is ``text``."""

    name: str
    role: str
    weight: float
    sources: Mapping[str, Column]
    labels: Mapping[str, str]
    text: bool = False

    @property
    def unit(self) -> int:
        """The factor by which values are scaled for the kernel, so that decimals and times are whole numbers.

        Differences of whole numbers are exact, so equal differences are equal to the bit. All tables of a call share
        one factor: that of the most decimal places among them, and 1 if any of them holds floats.
        """
        columns = self.sources.values()
        if self.role == "categorical" or not all(c.family in EXACT for c in columns):
            return 1
        return int(10 ** max(c.digits for c in columns))

    @property
    def written(self) -> bool:
        """Whether its raw values are characters: texts, or categories of different types in different tables."""
        columns = self.sources.values()
        return self.role == "categorical" and (
            all(c.family == "text" for c in columns) or len({c.held for c in columns}) > 1
        )

    def encoded(self, parameter: str) -> exp.Expr:
        """Return the kernel's encoding: a DOUBLE (number or seconds, times `unit`), a VARCHAR, or a list."""
        column = self.sources[parameter]
        if self.role == "vector":
            return self._vector(column)
        if self.role == "categorical":
            return self._category(column)
        if column.family in {"date", "time", "timestamp"}:
            return _moment(column, self.unit)
        if column.family in TEXTS:
            return self._parsed_number(column, self.labels[parameter])
        return _in_units(without_nan(column, exp.cast(column.node, "DOUBLE")), self.unit)

    def raw(self, parameter: str) -> exp.Expr:
        """Return the value as it is, NaN as NULL; as a category if the tables have different categorical types."""
        column = self.sources[parameter]
        if self.role == "vector":
            return self._vector(column)
        if self.role == "categorical" and len({c.held for c in self.sources.values()}) > 1:
            return self._category(column)
        if column.family in TEXTS and self.role != "categorical":
            return self.encoded(parameter)
        if column.has_zone and len({c.has_zone for c in self.sources.values()}) > 1:
            return column.instant  # DuckDB would compare them in the time zone of the session
        return column.raw()

    def keyed(self, parameter: str) -> exp.Expr:
        """Return the value for exact comparison in keys: encoded, or a BIGINT or VARCHAR where a DOUBLE is not exact.

        Numbers are scaled by `unit` as a DOUBLE and as a BIGINT, so that tables in either form can be compared.
        """
        column, columns = self.sources[parameter], list(self.sources.values())
        families = {c.family for c in columns}
        if self.role in {"categorical", "vector"}:
            return self.encoded(parameter)
        if families <= {"integer", "decimal"}:
            return self._keyed_number(parameter)
        if any(c.type_id in NANOSECONDS for c in columns):
            return self._category(column)
        if "timestamp" in families and families <= {"date", "timestamp"}:
            moment = exp.cast(column.node, "TIMESTAMP") if column.family == "date" else column.node
            return exp.Anonymous(this="epoch_us", expressions=[moment])
        return self.encoded(parameter)

    def _keyed_number(self, parameter: str) -> exp.Expr:
        """A whole or decimal number for comparison in keys: in the narrowest type that holds all of its digits."""
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
        """Return a number or a text from the kernel in the type that the column has in a table."""
        column = self.sources[parameter]
        if self.unit > 1:
            number = exp.paren(number / _whole(self.unit))
        if self.role == "categorical":
            return exp.cast(text, duckdb_type(column.held))
        if column.family == "integer":
            return exp.cast(exp.Round(this=number), duckdb_type(column.held))
        if column.family in {"date", "timestamp"}:
            moment = exp.Anonymous(this="to_timestamp", expressions=[number])
            if column.has_zone:
                return exp.cast(moment, duckdb_type(column.held))
            # Seconds count from 1970 in UTC, whatever the time zone of the session.
            return exp.cast(exp.AtTimeZone(this=moment, zone=exp.Literal.string("UTC")), duckdb_type(column.held))
        if column.family == "time":
            micros = exp.cast(exp.Round(this=exp.paren(number * 1_000_000)), "BIGINT")
            since = exp.Anonymous(this="to_microseconds", expressions=[micros])
            midnight = exp.cast(exp.Literal.string("00:00:00"), "TIME")
            return exp.cast(midnight + since, duckdb_type(column.held))
        if column.held == "VARCHAR" and column.family == "decimal":
            raise RoleError(
                f'column "{column.name}" of {self.labels[parameter]} holds NaN, or numbers of more digits than a '
                "DECIMAL has (38), so no new values can be generated for it; give a query in parentheses that casts it"
            )
        return exp.cast(number, duckdb_type(column.held))

    def _vector(self, column: Column) -> exp.Expr:
        """A list of numbers; NULL if one of them is missing, because no distance is defined then."""
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
        families = {c.family for c in self.sources.values()}
        if column.family == "text":
            return _as_uuid(column.node) if "uuid" in families else _as_truth(column.node, "boolean" in families)
        value: exp.Expr = column.instant if column.has_zone else column.raw()
        if families <= {"integer", "boolean"}:
            # 1 and true are the same category if one table has BIGINT and the other BOOLEAN.
            value = column.node if len(families) == 1 else exp.cast(column.node, "HUGEINT")
        elif families <= {"integer", "decimal"}:
            several = len({c.held for c in self.sources.values()}) > 1 or any(c.loose for c in self.sources.values())
            return _shortest_digits(value) if several else exp.cast(value, "VARCHAR")
        elif families <= {"integer", "boolean", "decimal", "float"} and families != {"decimal"}:
            # Adding 0 turns -0.0 into 0.0, so that both are the same category.
            value = exp.Add(
                this=without_nan(column, exp.cast(column.node, "DOUBLE")), expression=exp.Literal.number("0.0")
            )
        elif families <= {"date", "timestamp"} and len({c.type for c in self.sources.values()}) > 1:
            fine = any(c.type_id in NANOSECONDS for c in self.sources.values())
            value = exp.cast(value, duckdb_type("TIMESTAMP_NS" if fine else "TIMESTAMP"))
        return exp.cast(value, "VARCHAR")

    def _parsed_number(self, column: Column, label: str) -> exp.Expr:
        number = exp.TryCast(this=exp.cast(column.node, "VARCHAR"), to=exp.DataType.build("DOUBLE"))
        message = (
            f'RoleError: column "{column.name}" of {label} is compared as a number, but holds text that is not one. '
            "Clean it, or leave it out of the option numeric."
        )
        failed = exp.and_(column.node.is_(exp.null()).not_(), number.copy().is_(exp.null()))
        stop = exp.cast(exp.Anonymous(this="error", expressions=[exp.Literal.string(message)]), "DOUBLE")
        return exp.Case().when(failed, stop).else_(without_nan(column, number, text=True))


def _as_truth(text: exp.Expr, among_truths: bool) -> exp.Expr:
    """A text, written as a BOOLEAN is if another table has such and the text is a truth value, as DuckDB reads them."""
    if not among_truths:
        return text
    spelled = exp.Lower(this=exp.Trim(this=text.copy()))
    cases = exp.Case()
    for truth, spellings in TRUTHS.items():
        cases = cases.when(spelled.copy().isin(*map(exp.Literal.string, spellings)), exp.Literal.string(truth))
    return cases.else_(text)


def _as_uuid(text: exp.Expr) -> exp.Expr:
    """A text as a UUID is written: in lower case and without brackets."""
    return exp.Lower(this=exp.func("translate", text, exp.Literal.string("{}"), exp.Literal.string("")))


def _shortest_digits(value: exp.Expr) -> exp.Expr:
    """The text of a whole or decimal number without trailing zeros, the same for every scale."""
    text = exp.cast(value, "VARCHAR")
    trimmed: exp.Expr = text.copy()
    for ending in "0.":
        trimmed = exp.Trim(this=trimmed, expression=exp.Literal.string(ending), position="TRAILING")
    has_point = exp.Like(this=text.copy(), expression=exp.Literal.string("%.%"))
    return exp.Case().when(has_point, trimmed).else_(text)


def _whole(unit: int) -> exp.Expr:
    return exp.Literal.number(unit if unit < 2**31 else f"{unit:.0e}")


def _in_units(number: exp.Expr, unit: int) -> exp.Expr:
    """A DOUBLE times a power of ten, whose exact result is a whole number: rounded to that."""
    return number if unit == 1 else exp.Round(this=exp.Mul(this=number, expression=_whole(unit)))


def _moment(column: Column, unit: int) -> exp.Expr:
    """Seconds, scaled by unit."""
    # Most functions of DuckDB do not take a TIMESTAMPTZ_NS.
    moment = column.instant if column.family == "time" or column.type_id == "timestamptz_ns" else column.node
    seconds: exp.Expr = exp.cast(exp.Extract(this=exp.var("EPOCH"), expression=moment), "DOUBLE")
    if unit == 1:
        pass
    elif column.type_id in NANOSECONDS:
        # Nanoseconds exceed the exact range of a DOUBLE: add the remainder to whole microseconds.
        nanoseconds = exp.Anonymous(this="epoch_ns", expressions=[moment.copy()])
        whole = exp.cast(exp.IntDiv(this=nanoseconds, expression=exp.Literal.number(1000)), "DOUBLE")
        rest = exp.Mod(this=nanoseconds.copy(), expression=exp.Literal.number(1000))
        seconds = exp.Add(this=whole, expression=exp.Div(this=exp.paren(rest), expression=exp.Literal.number("1000.0")))
    else:
        seconds = _in_units(seconds, unit)
    if column.family == "time":
        return seconds
    # The epoch of 'infinity' is NULL in DuckDB, which would hide an infinite value that must be reported.
    infinite = exp.cast(exp.Literal.string("Infinity"), "DOUBLE")
    finite = exp.Anonymous(this="isfinite", expressions=[moment.copy()])
    return exp.Case().when(finite, seconds).when(column.node.is_(exp.null()).not_(), infinite)
