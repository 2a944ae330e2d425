"""Validates the arguments of a call against the parameters of the function."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.catalog import Function, Parameter

ALL = "all"
"""The choice that stands for all others, if several may be given."""
AUTO = "auto"
"""In the place of names: the columns are chosen by their values."""


_ELSEWHERE = {"org_data": "data", "qids_idx": "quasi_identifiers", "suppression_counts": "suppressed"}
"""Names of parameters in programs of published papers, and ours."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """A checked call: relations as the user gave them, options as plain Python values with defaults in place."""

    relations: Mapping[str, Any]
    options: Mapping[str, Any]


def check(function: Function, given: Mapping[str, Any]) -> Arguments:
    """Check and complete the arguments of a call.

    Parameters
    ----------
    function
        The function to call.
    given
        Arguments by name; ``None`` means "not given".

    Raises
    ------
    OptionError
        An argument is unknown, missing, of the wrong type or out of range.
    """
    check_names(function, given)
    values = {name: _value(function, parameter, given.get(name)) for name, parameter in function.parameters.items()}
    relations = {p.name: values[p.name] for p in function.relations}
    for parameter in function.options:
        _check_beside(function, parameter, values)
    return Arguments(relations, {p.name: values[p.name] for p in function.options})


def refuse_tables(function: Function, given: Mapping[str, Any]) -> None:
    """Check that no option is a table, before anything compares it: a data frame has no truth value.

    Raises
    ------
    OptionError
        One is.
    """
    for parameter in function.options:
        value = given.get(parameter.name)
        is_list = hasattr(value, "tolist") or hasattr(value, "to_list")
        if hasattr(value, "__arrow_c_stream__") and not is_list and not parameter.counts:
            raise _wrong(function, parameter, value, f"is not {_TYPES[parameter.type]}")


def check_names(function: Function, names: Iterable[str]) -> None:
    """Check that a function has parameters of these names.

    Raises
    ------
    OptionError
        It lacks one.
    """
    for name in names:
        if name not in function.parameters:
            meant = _ELSEWHERE.get(name)
            near = [meant] if meant in function.parameters else get_close_matches(name, function.parameters, n=1)
            hint = f'; did you mean "{near[0]}"?' if near else f"; it takes {', '.join(function.parameters)}"
            raise OptionError(f"{function.name}: there is no {wording.option(name)}{hint}")


def missing(function: Function, parameter: Parameter) -> OptionError:
    """Return the error for a required argument that is not given."""
    return OptionError(f'{function.name}: "{parameter.name}" is missing: {parameter.doc}')


def unnamed(function: Function, values: Sequence[Any]) -> OptionError:
    """Return the error for values that follow the quasi-identifiers without a name."""
    names = list(function.parameters)
    after = [name for name in names[names.index("quasi_identifiers") + 1 :] if not function.parameters[name].group]
    meant = " or ".join(f"{name}={values[0]!r}" for name in after)
    return OptionError(f"{function.name}: arguments after quasi_identifiers must be given by name: {meant}")


def _value(function: Function, parameter: Parameter, value: Any) -> Any:
    if value is None:
        if parameter.required:
            raise missing(function, parameter)
        return parameter.default
    if parameter.type in {"relation", "relations"}:
        return value
    if hasattr(value, "tolist"):  # arrays and scalars of NumPy and similar libraries
        value = value.tolist()
    if parameter.words and isinstance(value, str):
        if value not in parameter.words:
            raise _wrong(function, parameter, value, f"is neither a number nor {' or '.join(parameter.words)}")
        return parameter.words[value]
    try:
        checked = _places(value) if parameter.positions else _CHECKS[parameter.type](value)
    except (TypeError, ValueError, OverflowError):
        raise _wrong(function, parameter, value, f"is not {_TYPES[parameter.type]}") from None
    chosen = checked if isinstance(checked, list) else [checked]
    once = bool(parameter.choices) or (parameter.type == "numbers" and not parameter.repeats)
    if once and isinstance(checked, list):
        checked = list(dict.fromkeys(checked))
    if parameter.choices and not (chosen and all(choice in parameter.choices for choice in chosen)):
        raise _wrong(function, parameter, value, f"is not one of {', '.join(parameter.choices)}")
    for number in chosen:
        if isinstance(number, (int, float)) and not parameter.admits(number):
            raise _wrong(function, parameter, value, f"is out of range: it must be {parameter.range}")
    return checked


def _check_beside(function: Function, parameter: Parameter, values: dict[str, Any]) -> None:
    """Replace ``all`` by the choices whose requirements are given, and refuse a choice whose requirement is missing."""
    value = values[parameter.name]
    missing = {choice: other for choice, other in parameter.beside.items() if values[other] is None}
    chosen = value if isinstance(value, list) else [value]
    if ALL in parameter.choices and ALL in chosen:
        left_out = {ALL, *missing, *({*parameter.apart} - {*chosen})}
        values[parameter.name] = [choice for choice in parameter.choices if choice not in left_out]
    elif value is not None:
        for choice, other in missing.items():
            if choice == "*" or choice in chosen:
                needed = function.parameters[other]
                kind = "table" if needed.type == "relation" else "option"
                raise OptionError(
                    f'{function.name}: {wording.refused(parameter.name, value)} needs the {kind} "{other}", '
                    f"which is missing: {needed.doc}"
                )


def _wrong(function: Function, parameter: Parameter, value: Any, what: str) -> OptionError:
    return OptionError(f"{function.name}: {wording.refused(parameter.name, value)} {what} ({parameter.doc})")


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not (isinstance(value, Integral) or float(value).is_integer()):
        raise TypeError
    return int(value)


def _number(value: Any) -> float:
    if isinstance(value, (bool, str)) or not math.isfinite(value):
        raise TypeError
    return float(value)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _names(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [_text(name) for name in value]


def _places(value: Any) -> list[str | int]:
    """Names of columns, or their positions."""
    listed = [value] if isinstance(value, (str, Integral)) else value
    return [_text(name) if isinstance(name, str) else _place(name) for name in listed]


def _place(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < 0:
        raise TypeError
    return int(value)


def _numbers(value: Any) -> list[float]:
    numbers = [_number(v) for v in value] if isinstance(value, Sequence) else [_number(value)]
    if not numbers:
        raise ValueError
    return numbers


def _tables(value: Any) -> list[str]:
    # The tables themselves are parameters by now: see `synthpriv_sql.planner.columns.releases`.
    if isinstance(value, list):
        return [_text(name) for name in value]
    raise TypeError


def _weights(value: Any) -> dict[str, float]:
    # A DuckDB MAP arrives as pairs, a STRUCT and a Python dict as a mapping.
    pairs = value.items() if isinstance(value, Mapping) else value
    return {_text(name): _weight(weight) for name, weight in pairs}


def _weight(value: Any) -> float:
    if isinstance(value, Real) or hasattr(value, "as_integer_ratio"):
        return _number(value)
    raise TypeError


def _ladders(value: Any) -> dict[str, Any]:
    """Steps by column: SQL expressions, or a table."""
    pairs = dict(value.items() if isinstance(value, Mapping) else value)
    if not pairs:
        raise ValueError
    return {_text(name): _names(steps) if isinstance(steps, (list, tuple)) else steps for name, steps in pairs.items()}


def _families(value: Any) -> Any:
    # Calls with children are split into views before this check: see `synthpriv_sql.planner.calls.families`.
    raise TypeError


def _csv(value: Any) -> Any:
    # Options of CSV files are attached to the files before this check: see `synthpriv_sql.planner.headers.files`.
    raise TypeError


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "integer": _integer,
    "number": _number,
    "numbers": _numbers,
    "boolean": _boolean,
    "text": _text,
    "name": _text,
    "names": _names,
    "weights": _weights,
    "families": _families,
    "tables": _tables,
    "ladders": _ladders,
    "csv": _csv,
}
_TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "numbers": "a number or a list of numbers",
    "boolean": "true or false",
    "text": "a text",
    "name": "a column name",
    "names": "a list of column names",
    "weights": "a weight by column, such as {'age': 2}",
    "csv": "options by name, such as {'delimiter': ';'}",
    "tables": "a list of tables",
    "ladders": "steps by column, such as {'age': ['floor(age / 10) * 10'], 'city': 'city_levels'}",
    "families": "tables by name, such as {'visits': ['synthetic', 'train', 'holdout', 'patient']}",
}
