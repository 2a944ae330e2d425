"""The signature and the help of a function in Python, from its header."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Container, Iterator
from typing import Any

from synthpriv_sql.planner.headers.catalog import Function, Parameter

WIDTH = 120

TYPES = {
    "relation": "Table",
    "relations": "Mapping[str, Table] | Sequence[str]",
    "integer": "int",
    "number": "float",
    "numbers": "float | Sequence[float]",
    "boolean": "bool",
    "text": "str",
    "name": "str",
    "names": "Sequence[str]",
    "weights": "Mapping[str, float]",
    "families": "Mapping[str, Sequence[Table]]",
    "tables": "Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]]",
    "ladders": "Mapping[str, Sequence[str] | Table]",
    "csv": "Mapping[str, Any]",
}
WORDS = {
    "relation": "table",
    "relations": "mapping of str to table, or sequence of str",
    "integer": "int",
    "number": "float",
    "numbers": "float or sequence of float",
    "boolean": "bool",
    "text": "str",
    "name": "str",
    "names": "sequence of str",
    "weights": "mapping of str to float",
    "families": "mapping of str to four: tables, and a str",
    "tables": "sequence of table, or mapping of str to table; with children a mapping of str to table for a table",
    "ladders": "mapping of str to list of str, or table",
    "csv": "mapping of str to str, int, bool, list of str, or, for a table, such a mapping",
}
ATTACKS = {"names": "Attacks", "text": "OneAttack"}
"""The types of options that take the user's own attacks."""
EVERY_CALL = {
    "progress": (
        "Progress | bool | None",
        "callable or bool, optional",
        "Called with (done, total, label) while the function runs; True shows a bar.",
    ),
    "pushdown": (
        'Literal["auto", "require"] | None',
        "{'auto', 'require'}, optional",
        "require: an error where rows would leave the database, other than the result; "
        "that of the session where not given.",
    ),
}
"""The options that every call has, for any function: the type, the type in words, and the meaning."""

LANGUAGE = ("str | None", "str, optional", "The language of sentences for people, such as 'de'; English if not given.")
"""The same for functions whose results have sentences for people."""


def every_call(function: Function) -> dict[str, tuple[str, str, str]]:
    """The options of a call that do not belong to the statement."""
    return EVERY_CALL | ({"language": LANGUAGE} if function.sentences else {})


def signature(function: Function) -> inspect.Signature:
    """Return the signature of a function's method; annotations are strings, as in its stub."""
    own, shared = _own_and_shared(function)
    at = next((i for i, p in enumerate(own, 1) if p.name == "quasi_identifiers"), len(own))
    taken = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    taken += [_parameter(p, inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in own[:at]]
    if own[at:]:
        # A number after the quasi-identifiers would not mean what it does in programs of the original papers.
        taken.append(inspect.Parameter("surplus", inspect.Parameter.VAR_POSITIONAL, annotation="Never"))
    taken += [_parameter(p, inspect.Parameter.KEYWORD_ONLY) for p in [*own[at:], *shared]]
    taken += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_as_python_shows(kind))
        for name, (kind, _, _) in every_call(function).items()
    ]
    # An unknown argument is an error in mypy, and one with a suggestion when the method is called.
    taken.append(inspect.Parameter("unknown", inspect.Parameter.VAR_KEYWORD, annotation="Never"))
    return inspect.Signature(taken, return_annotation=function.result)


def options(function: Function) -> dict[str, str]:
    """Return the types of the options of a method by name."""
    kinds = {name: kind for name, (kind, _, _) in every_call(function).items()}
    return {p.name: typed(p) for p in function.options} | kinds


def _own_and_shared(function: Function) -> tuple[list[Parameter], list[Parameter]]:
    declared = function.parameters.values()
    return [p for p in declared if not p.group], [p for p in declared if p.group]


def _parameter(parameter: Parameter, kind: Any) -> inspect.Parameter:
    default = inspect.Parameter.empty if parameter.required else value(parameter)
    return inspect.Parameter(parameter.name, kind, default=default, annotation=_as_python_shows(typed(parameter)))


def _as_python_shows(annotation: str) -> str:
    """An annotation as Python stores it in a module with postponed evaluation."""
    return ast.unparse(ast.parse(annotation, mode="eval"))


def typed(parameter: Parameter) -> str:
    """The type of a parameter."""
    chosen = f"Literal[{', '.join(map(quoted, parameter.choices))}]" if parameter.choices else TYPES[parameter.type]
    if parameter.choices and parameter.type == "names":
        chosen = "str | Sequence[str]"
    if "own" in parameter.choices:
        chosen = ATTACKS[parameter.type]
    if parameter.each:
        chosen += " | Mapping[str, Table] | Sequence[str]"
    if parameter.words:
        chosen += f" | Literal[{', '.join(map(quoted, parameter.words))}]"
    return chosen + (" | None" if parameter.default is None else "")


def value(parameter: Parameter) -> Any:
    """The default of a parameter in Python."""
    default = parameter.default
    if isinstance(default, list):
        alone = len(default) == 1 and (parameter.type == "numbers" or parameter.choices)
        return default[0] if alone else tuple(default)
    return default


def shown(parameter: Parameter) -> str:
    """A default in a sentence."""
    return literal(value(parameter)).replace('"', "'")


def literal(value: Any) -> str:
    """A value as Python and ruff format it."""
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' * (len(value) == 1)})"
    return quoted(value) if isinstance(value, str) else repr(value)


def quoted(text: str) -> str:
    """A text in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def docstring(function: Function) -> list[str]:
    """The lines that `help` shows."""
    own, shared = _own_and_shared(function)
    lines = [*wrapped(function.summary, 0, opening=3), "", "Parameters", "----------"]
    for parameter in [*own, *shared]:
        lines += [f"{parameter.name} : {words(parameter)}", *wrapped(meaning(parameter, function.parameters), 4)]
    for name, (_, kind, doc) in every_call(function).items():
        lines += [f"{name} : {kind}", *wrapped(doc, 4)]
    lines += ["", "Returns", "-------", function.result, *returned(function)]
    if function.source:
        lines += ["", "Notes", "-----", *wrapped(function.source, 0)]
    return lines


def help_text(function: Function) -> str:
    """The text that `help` shows, indented as in a method of a class."""
    first, *others = docstring(function)
    return "\n".join([first, *(f"        {line}" if line else "" for line in others), "        "])


def words(parameter: Parameter) -> str:
    """A type in numpydoc style."""
    kind = WORDS[parameter.type]
    if parameter.choices and parameter.type != "names":
        kind = "{" + ", ".join(f"'{choice}'" for choice in parameter.choices) + "}"
    if parameter.words:
        kind += " or {" + ", ".join(f"'{word}'" for word in parameter.words) + "}"
    if "own" in parameter.choices:
        kind = ATTACKS[parameter.type]
    if parameter.required:
        return kind
    return f"{kind}, optional" if parameter.default is None else f"{kind}, default {shown(parameter)}"


def meaning(parameter: Parameter, names: Container[str]) -> str:
    """The meaning of a parameter and its range as a sentence; a name at the start stays in lower case."""
    doc = parameter.doc.rstrip(".") + (f"; {parameter.range}" if parameter.range else "") + "."
    if parameter.choices and (parameter.type == "names" or "own" in parameter.choices):
        quoted_choices = ", ".join(f"'{choice}'" for choice in parameter.choices)
        doc += f" Any of {quoted_choices}."
    first = doc.split(" ", 1)[0]
    return doc if first in names or not first.isalpha() else doc[0].upper() + doc[1:]


def returned(function: Function) -> Iterator[str]:
    """The columns of the result."""
    before = {
        "own": "The table's own columns",
        "quasi_identifiers": "The quasi-identifiers",
        "flattened": "The columns of parents, rows (BIGINT, its children), and of each column c of children c_min, "
        "c_max and c_mean (numbers and times) or c_most (the most frequent value, of several the first in text order) "
        "and c_distinct (others), with order c_first and c_last; NULL where a parent has no children",
        "components": "component_1 and so on, DOUBLE",
    }.get(function.columns_of)
    rows = f"in the order of {' and '.join(function.order)}" if set(function.order) <= set(function.columns) else ""
    heads = ", ".join(filter(None, [before or "Columns", rows if function.order else ""]))
    yield from wrapped(f"{heads}{'; then:' if before and function.columns else ':' if function.columns else '.'}", 4)
    if function.columns:
        yield ""
    for name, doc in function.columns.items():
        yield from wrapped(f"- {name}: {doc}", 4, 6)


def wrapped(text: str, indent: int, further: int | None = None, opening: int = 0) -> list[str]:
    """A text wrapped for a method; ``opening`` characters precede the first line."""
    later = indent if further is None else further
    lines = textwrap.wrap(
        "_" * opening + text,
        WIDTH - 8,
        initial_indent=" " * indent,
        subsequent_indent=" " * later,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [lines[0][opening:], *lines[1:]]
