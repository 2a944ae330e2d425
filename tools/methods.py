"""Writes what repeats the headers of sql/: the methods of a Session, lists of files, what runs where.

``make methods`` runs it; tests check that the files are what the headers say.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Container, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGE = Path(__file__).parent.parent / "synthpriv_sql"
TARGET = PACKAGE / "methods.py"
if PACKAGE.name not in sys.modules:
    # Importing the package itself needs the file that is written here, which may be gone or torn by a merge.
    bare = sys.modules[PACKAGE.name] = ModuleType(PACKAGE.name)
    bare.__path__ = [str(PACKAGE)]

from synthpriv_sql.statements import catalog  # noqa: E402
from synthpriv_sql.statements.catalog import Function, Parameter  # noqa: E402

WIDTH = 120

OPENING = '''"""The functions of sql/ as methods. Written by ``make methods`` from the headers there: do not edit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Never, TypeAlias, TypedDict

from synthpriv_sql.engines.base import Progress
from synthpriv_sql.language.spoken import speaking
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results.result import Result

Table: TypeAlias = Any
"""A name, a file, a query in parentheses, or a table of Python: see `Session`."""
Attack: TypeAlias = Callable[[Any, Any], Any]
"""An attack of your own: takes the real records and the synthetic ones, as Arrow tables; gives the real ones scores."""
OneAttack: TypeAlias = str | Attack | Mapping[str, Attack]
"""The name of an attack of ours, or one of your own: called as the function is, or by the name of a mapping."""
Attacks: TypeAlias = OneAttack | Sequence[OneAttack]
"""One attack, or several."""
'''

METHODS = '''

class Methods(ABC):
    """A method for each function; each is one call of `call`."""

    @abstractmethod
    def call(self, function: str, /, *surplus: Any, **given: Any) -> Result:
        """Call a function by its name."""
'''

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
    "csv": "mapping of str to str, int, bool, list of str, or, for a table, such a mapping",
}
ATTACKS = {"names": "Attacks", "text": "OneAttack"}
"""The types of options that take attacks of the user's own."""
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
"""The options that every call has, whatever the function: the type, the same in words, and what it means."""

LANGUAGE = ("str | None", "str, optional", "The language of sentences for people, such as 'de'; English if not given.")
"""The same for the functions that say something to people."""
SAYING = {"evaluate", "candidates"}
"""These functions."""
RESULTS = {"evaluate": "Evaluation"}
"""The functions whose results can more than others."""


def source() -> str:
    """Return the text of the file."""
    return (
        OPENING
        + options_of(catalog.function("evaluate"))
        + METHODS
        + "".join(map(method, catalog.functions().values()))
    )


def every_call(function: Function) -> dict[str, tuple[str, str, str]]:
    """The options of a call that are none of the statement."""
    return EVERY_CALL | ({"language": LANGUAGE} if function.name in SAYING else {})


def options_of(function: Function) -> str:
    """The options of a function as a type, for what is written by hand and calls it."""
    lines = [
        "",
        "",
        "class EvaluateOptions(TypedDict, total=False):",
        f'    """The options of `{function.name}`."""',
        "",
    ]
    lines += [f"    {p.name}: {typed(p)}" for p in function.options]
    lines += [f"    {name}: {kind}" for name, (kind, _, _) in every_call(function).items()]
    return "\n".join(lines) + "\n"


def method(function: Function) -> str:
    """Return the method of one function."""
    own = [p for p in function.parameters.values() if not p.group]
    shared = [p for p in function.parameters.values() if p.group]
    at = next((i for i, p in enumerate(own, 1) if p.name == "quasi_identifiers"), len(own))
    # A number after the quasi-identifiers would mean another thing than in the programs of the founding papers.
    surplus = ["*surplus"] if own[at:] else []
    taken = [*map(declared, own[:at]), "*surplus: Never" if surplus else "*", *map(declared, [*own[at:], *shared])]
    taken += [f"{name}: {kind} = None" for name, (kind, _, _) in every_call(function).items()]
    # What is unknown is an error for mypy here, and one with a suggestion when it is called.
    taken.append("**unknown: Never")
    given = [
        f'"{function.name}"',
        *surplus,
        *(f"{name}={name}" for name in (*function.parameters, *EVERY_CALL)),
        "**unknown",
    ]
    kind = RESULTS.get(function.name, "Result")
    lines = [f"def {function.name}(", *indented(["self", *taken]), f") -> {kind}:"]
    call = called("return self.call", given)
    if kind != "Result":
        call = [*called("result = self.call", given), f"return {kind}.of(result)"]
    if function.name in SAYING:
        call = ["with speaking(language):", *(f"    {line}" for line in call)]
    lines += indented([*docstring(function, [*own, *shared]), *call], comma="")
    return "\n" + "\n".join(f"    {line}" if line else "" for line in lines) + "\n"


def indented(lines: list[str], comma: str = ",") -> list[str]:
    """Lines one step further in, each with a comma."""
    return [f"    {line}{comma}" if line else "" for line in lines]


def called(name: str, given: list[str]) -> list[str]:
    """A call on one line, or as ruff breaks it."""
    line = f"{name}({', '.join(given)})"
    if len(line) + 8 <= WIDTH:
        return [line]
    inside = ", ".join(given)
    return [f"{name}(", *([f"    {inside}"] if len(inside) + 12 <= WIDTH else indented(given)), ")"]


def declared(parameter: Parameter) -> str:
    """A parameter as the signature has it."""
    line = f"{parameter.name}: {typed(parameter)}" + ("" if parameter.required else f" = {default(parameter)}")
    if len(line) + 9 <= WIDTH or "Literal[" not in line:
        return line
    opening, _, rest = line.partition("[")
    inside, _, closing = rest.rpartition("]")
    return f"{opening}[\n{' ' * 12}{inside}\n{' ' * 8}]{closing}"


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


def default(parameter: Parameter) -> str:
    """A default as Python has it."""
    value = parameter.default
    if isinstance(value, list):
        alone = len(value) == 1 and (parameter.type == "numbers" or parameter.choices)
        return literal(value[0] if alone else tuple(value))
    return literal(value)


def shown(parameter: Parameter) -> str:
    """A default in a sentence."""
    return default(parameter).replace('"', "'")


def literal(value: Any) -> str:
    """A value as Python and ruff write it."""
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' * (len(value) == 1)})"
    return quoted(value) if isinstance(value, str) else repr(value)


def quoted(text: str) -> str:
    """A text in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def docstring(function: Function, parameters: list[Parameter]) -> list[str]:
    """What `help` shows."""
    lines = [*wrapped(f'"""{function.summary}', 0), "", "Parameters", "----------"]
    for parameter in parameters:
        lines += [f"{parameter.name} : {words(parameter)}", *wrapped(meaning(parameter, function.parameters), 4)]
    for name, (_, kind, doc) in every_call(function).items():
        lines += [f"{name} : {kind}", *wrapped(doc, 4)]
    lines += ["", "Returns", "-------", RESULTS.get(function.name, "Result"), *returned(function)]
    if function.source:
        lines += ["", "Notes", "-----", *wrapped(function.source, 0)]
    return [*lines, '"""']


def words(parameter: Parameter) -> str:
    """A type in the words of numpydoc."""
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
    """What a parameter means, and its range, as a sentence; a name keeps its small letter."""
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


def wrapped(text: str, indent: int, further: int | None = None) -> list[str]:
    """A text in lines that fit."""
    later = indent if further is None else further
    return textwrap.wrap(
        text,
        WIDTH - 8,
        initial_indent=" " * indent,
        subsequent_indent=" " * later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def described(folder: Path) -> str:
    """Return the README.md of a folder of sql/: what is written by hand there, then a sentence for each file."""
    path = folder / "README.md"
    text = path.read_text(encoding="utf-8") if path.exists() else f"# {folder.name}\n"
    by_hand = text.partition("\n## Functions\n")[0].partition("\n## Parts\n")[0]
    files = [f for f in catalog.files() if f.path.parent == folder]
    lists = {"Functions": [f for f in files if not f.part], "Parts": [f for f in files if f.part]}
    return by_hand + "".join(
        f"\n## {heading}\n\n" + "".join(f"- `{f.name}`: {f.summary}\n" for f in listed)
        for heading, listed in lists.items()
        if listed
    )


def folders() -> list[Path]:
    """The folders of sql/ whose files have headers."""
    return sorted({function.path.parent for function in catalog.files()})


if __name__ == "__main__":
    TARGET.write_text(source(), encoding="utf-8")
    for each in folders():
        (each / "README.md").write_text(described(each), encoding="utf-8")
    # What the engines run: that imports the package, in which the methods are written now.
    subprocess.run([sys.executable, PACKAGE.parent / "docs" / "functions.py"], check=True)  # noqa: S603
