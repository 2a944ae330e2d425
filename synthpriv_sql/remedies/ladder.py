"""The ladder of a column: expressions, each coarser than the one before, whose parameters depend on synthetic alone.

The same expression treats synthetic, train and the holdout. Expressions use nothing that databases compute differently:
comparisons with literals, `floor`, and multiplication or division by powers of ten.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from synthpriv_sql.planner.columns.types import Column, duckdb_type
from synthpriv_sql.planner.statement.trees import literal

LEFT_OUT = "left out"
"""The action of the last step of every ladder."""
_DIGITS = (3, 2, 1)
_GROUPS = (50, 20, 10)
_RARE = (5, 20, 100)
"""Values with fewer records become one."""
_UNITS = ("day", "month", "quarter", "year")
_MAGNITUDES = 12
"""Powers of ten below the largest value in which significant digits are counted; smaller values have their last digit
where the smallest of these have it."""
_MOST_VALUES = 50_000
"""Values that an expression may list."""
_LARGEST = np.finfo(np.float64).max


@dataclass(frozen=True, eq=False)
class Step:
    """A step of a ladder: what it does, and the value of the column after it; None if the column is left out."""

    action: str
    expression: exp.Expr | None


def ladder(column: Column, values: pa.ChunkedArray, other: str) -> Iterator[Step]:
    """The steps of a column in the order of the law; the last one leaves it out.

    Parameters
    ----------
    column
        The column as the database describes it.
    values
        Its values in synthetic.
    other
        What rare values become.
    """
    match column.family:
        case "integer" | "decimal" | "float":
            yield from _of_numbers(column, values)
        case "date" | "timestamp":
            for unit in _UNITS:
                truncated = exp.TimestampTrunc(this=_own(column), unit=exp.var(unit.upper()))
                yield Step(unit, _typed(truncated, column.held))
        case "text" | "enum":
            yield from _of_categories(column, values, other)
    yield Step(LEFT_OUT, None)


def _own(column: Column) -> exp.Expr:
    return exp.column(column.name, quoted=True)


def _typed(value: exp.Expr, type_: str) -> exp.Expr:
    return exp.cast(value, duckdb_type(type_))


# --- as the SQL of a database


def written(select: exp.Expr, dialect: str, pretty: bool = False) -> str:
    """Return a SELECT that treats a table in the SQL of a database, so that it gives the values of DuckDB there.

    SQLite has no type for times: functions of their texts begin a month or a year. ClickHouse cuts the digits of a
    fraction that becomes a decimal number, where others round: its text is that number.
    """
    if dialect in _OWN_WAY:
        select = select.transform(_OWN_WAY[dialect])
    return select.sql(dialect, pretty=pretty)


def _begun(node: exp.Expr) -> exp.Expr:
    if not isinstance(node, exp.Cast) or not isinstance(node.this, exp.TimestampTrunc):
        return node
    own, unit = node.this.this, node.this.args["unit"].name.lower()
    steps = [literal("start of month" if unit == _QUARTER else f"start of {unit}")]
    if unit == _QUARTER:
        month = exp.cast(exp.func("STRFTIME", literal("%m"), own.copy(), dialect="sqlite"), "INT")
        since = exp.Mod(this=exp.Paren(this=exp.Sub(this=month, expression=exp.Literal.number(1))), expression=_THREE)
        steps.append(exp.DPipe(this=exp.DPipe(this=literal("-"), expression=exp.Paren(this=since)), expression=_MONTHS))
    is_date = node.to.this == exp.DataType.Type.DATE
    return exp.Anonymous(this="DATE" if is_date else "DATETIME", expressions=[own, *steps])


def _by_text(node: exp.Expr) -> exp.Expr:
    if not isinstance(node, exp.Cast) or node.to.this != exp.DataType.Type.DECIMAL:
        return node
    return exp.Cast(this=exp.cast(node.this, "TEXT"), to=node.to)


_QUARTER = "quarter"
_THREE = exp.Literal.number(3)
_MONTHS = literal(" months")
_OWN_WAY = {"sqlite": _begun, "clickhouse": _by_text}

# --- numbers


def _of_numbers(column: Column, values: pa.ChunkedArray) -> Iterator[Step]:
    known = pc.drop_null(values)
    numbers = np.sort(known.cast(pa.float64(), safe=False).to_numpy())
    finite = numbers[np.isfinite(numbers)]
    if not len(finite):
        return
    for digits in _DIGITS:
        said = "1 digit" if digits == 1 else f"{digits} digits"
        yield Step(said, _rounded(column, finite, digits))
    exact = pc.sort_indices(known)
    ordered = known.take(exact).slice(0, len(finite))  # NaN is sorted last
    for groups in _GROUPS:
        yield Step(f"{groups} groups", _grouped(column, ordered, finite, groups))


def _rounded(column: Column, values: np.ndarray[Any, Any], digits: int) -> exp.Expr:
    """The number rounded to so many significant digits, half up."""
    own, sizes = _own(column), np.abs(values[values != 0])
    if not len(sizes):
        return own
    number = own if column.type_id == "double" else exp.cast(own, "DOUBLE")
    most = _magnitude(sizes.max())
    least = max(_magnitude(sizes.min()), most - _MAGNITUDES + 1)
    last = None if column.family == "float" else -column.digits
    bands = [(magnitude, magnitude + 1 - digits) for magnitude in range(most, least - 1, -1)]
    rounding = [band for band in bands if last is None or band[1] > last]
    if not rounding:
        return own
    # Values below those of synthetic have their last digit where its smallest have it.
    is_all = len(rounding) == len(bands)
    banded = rounding[:-1] if is_all else rounding
    rest = _to(number, rounding[-1][1]) if is_all else number
    cases = exp.Case()
    for magnitude, power in banded:
        far = exp.GTE(this=exp.Abs(this=number.copy()), expression=_power(magnitude))
        cases = cases.when(far, _to(number, power))
    return _typed(cases.else_(rest) if banded else rest, _wide(column))


def _magnitude(size: float) -> int:
    """The power of ten of the first digit."""
    power = math.floor(math.log10(size))
    while float(f"1e{power + 1}") <= size:
        power += 1
    while float(f"1e{power}") > size:
        power -= 1
    return power


def _power(power: int) -> exp.Expr:
    return exp.Literal.number(10**power if 0 <= power <= 18 else f"1e{power}")


def _to(number: exp.Expr, power: int) -> exp.Expr:
    """Rounded to a multiple of a power of ten; dividing by a whole number keeps decimal fractions exact."""
    half = exp.Literal.number("0.5")
    if power == 0:
        return exp.Floor(this=exp.Add(this=number.copy(), expression=half))
    scale = _power(abs(power))
    there, back = (exp.Div, exp.Mul) if power > 0 else (exp.Mul, exp.Div)
    scaled = there(this=number.copy(), expression=exp.cast(scale, "DOUBLE"))
    floor = exp.Floor(this=exp.Add(this=exp.Paren(this=scaled) if power > 0 else scaled, expression=half))
    return back(this=floor, expression=exp.cast(scale.copy(), "DOUBLE"))


def _wide(column: Column) -> str:
    """The type of a rounded column: 95 of a type with two digits becomes 100."""
    if column.family == "integer":
        return column.held if column.type_id in {"hugeint", "ubigint", "uhugeint"} else "BIGINT"
    if column.family == "decimal":
        width = min(38, (column.whole_digits or 37) + column.digits + 1)
        return f"DECIMAL({width}, {column.digits})"
    return column.held


def _grouped(column: Column, ordered: Any, numbers: np.ndarray[Any, Any], groups: int) -> exp.Expr:
    """The median of the value's group, of so many with as many records of synthetic each."""
    count = len(numbers)
    starts = [0]
    for group in range(1, groups):
        # Equal values are in one group.
        start = int(np.searchsorted(numbers, numbers[count * group // groups], side="left"))
        if start > starts[-1]:
            starts.append(start)
    own, cases = _own(column), exp.Case()
    if column.family == "float":
        is_nan = exp.Not(this=exp.Paren(this=exp.LTE(this=own, expression=exp.Literal.number(repr(float(_LARGEST))))))
        cases = cases.when(is_nan, own)
    for start, end in zip(starts, [*starts[1:], count], strict=True):
        median = _number(ordered[(start + end - 1) // 2])
        edge = _number(ordered[end]) if end < count else None
        within = exp.LT(this=own, expression=edge) if edge is not None else exp.Not(this=own.is_(exp.null()))
        cases = cases.when(within.copy(), median)
    return _typed(cases, column.held)


def _number(value: pa.Scalar) -> exp.Expr:
    return literal(value.as_py())


# --- categories


def _of_categories(column: Column, values: pa.ChunkedArray, other: str) -> Iterator[Step]:
    texts = values.cast(pa.string()) if not pa.types.is_string(values.type) else values
    counts = pc.value_counts(pc.drop_null(texts))
    found, sizes = counts.field("values"), counts.field("counts").to_numpy()
    own = _own(column) if column.family == "text" else exp.cast(_own(column), "VARCHAR")
    for fewest in _RARE:
        kept = sorted(found.filter(pa.array(sizes >= fewest)).to_pylist())
        if kept and len(kept) <= _MOST_VALUES:
            yield Step(f"fewer than {fewest}", one_of(own, [(kept, own)], literal(other)))
        elif not kept and names_rows(len(found), len(values)):
            yield Step(f"fewer than {fewest}", one_of(own, [], literal(other)))
            return


def names_rows(distinct: int, rows: int) -> bool:
    """Whether most values are those of one row, such as names and notes."""
    return 2 * distinct > rows


def one_of(own: exp.Expr, listed: Sequence[tuple[Sequence[Any], exp.Expr]], other: exp.Expr) -> exp.Expr:
    """A value by lists of those of a column; NULL remains NULL."""
    cases = exp.Case().when(own.is_(exp.null()), exp.null())
    for values, value in listed:
        cases = cases.when(exp.In(this=own.copy(), expressions=[literal(v) for v in values]), value.copy())
    return cases.else_(other)


def coarser(steps: Iterator[Step], distinct: Callable[[Step], int], now: int, rows: int) -> list[Step]:
    """The steps that leave fewer values than the one before, in the order of how many they leave.

    A step that leaves one value is the same as leaving the column out, but where most values name rows: of names and
    notes nothing is known but the values themselves, and the column stays in the table.

    Parameters
    ----------
    steps
        All steps, in the order of the law.
    distinct
        Counts the values that synthetic has after a step.
    now
        The values that it has before.
    rows
        The rows of synthetic.
    """
    *changing, last = steps
    least = 1 if names_rows(now, rows) else 2
    counts = [distinct(step) for step in changing]
    found: list[Step] = []
    for place in sorted(range(len(counts)), key=lambda place: -counts[place]):  # stable among equals
        if least <= counts[place] < now:
            found.append(changing[place])
            now = counts[place]
    return [*found, last]
