"""Generates files from the headers of sql/: the methods of a Session, lists of files, and what runs on which engine.

``make methods`` runs it; tests check that the files are up to date.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

from synthpriv_sql.planner.headers import catalog, signatures
from synthpriv_sql.planner.headers.catalog import Function

PACKAGE = Path(__file__).parent.parent / "synthpriv_sql"
TARGET = PACKAGE / "api" / "methods.pyi"

OPENING = '''"""The functions of sql/ as methods. Written by ``make methods`` from the headers there: do not edit."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Never, TypeAlias, TypedDict

from synthpriv_sql.progress import Progress
from synthpriv_sql.remedies.result import Remedy
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


def source() -> str:
    """Return the text of the stub."""
    functions = catalog.functions().values()
    return OPENING + options_of(catalog.function("evaluate")) + METHODS + "".join(map(method, functions))


def options_of(function: Function) -> str:
    """The options of a function as a type, for handwritten code that calls it."""
    lines = ["", "class EvaluateOptions(TypedDict, total=False):", f'    """The options of `{function.name}`."""', ""]
    lines += [f"    {name}: {kind}" for name, kind in signatures.options(function).items()]
    return "\n".join(lines) + "\n"


def method(function: Function) -> str:
    """Return the method of one function."""
    signature = signatures.signature(function)
    taken = list(map(declared, signature.parameters.values()))
    if "surplus" not in signature.parameters:
        first = next(i for i, p in enumerate(signature.parameters.values()) if p.kind is p.KEYWORD_ONLY)
        taken.insert(first, "*")
    lines = [f"def {function.name}(", *(f"    {one}," for one in taken), f") -> {signature.return_annotation}:"]
    opening, *docstring = signatures.docstring(function)
    lines += [f"    {line}" if line else "" for line in [f'"""{opening}', *docstring, '"""']]
    return "\n" + "\n".join(f"    {line}" if line else "" for line in lines) + "\n"


def declared(parameter: inspect.Parameter) -> str:
    """A parameter as ruff formats it."""
    if parameter.annotation is parameter.empty:
        return parameter.name
    star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    default = "" if parameter.default is parameter.empty else f" = {signatures.literal(parameter.default)}"
    annotation = parameter.annotation.replace("'", '"')
    line = f"{star}{parameter.name}: {annotation}{default}"
    if len(line) + 9 <= signatures.WIDTH or "Literal[" not in line:
        return line
    opening, _, rest = line.partition("[")
    inside, _, closing = rest.rpartition("]")
    return f"{opening}[\n{' ' * 12}{inside}\n{' ' * 8}]{closing}"


def described(folder: Path) -> str:
    """Return the README.md of a folder of sql/: its handwritten part, then a sentence for each file."""
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
    # The tables of engines, in a separate process, since this one has already read the headers.
    subprocess.run([sys.executable, PACKAGE.parent / "docs" / "functions.py"], check=True)  # noqa: S603
