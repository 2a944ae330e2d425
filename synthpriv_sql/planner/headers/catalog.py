"""The functions, read from the headers of the files in sql/.

A file is one function. Its header, a TOML document in the first comment, declares the function's summary, parameters
and columns; its body is one SELECT. Files marked ``part = true`` serve other files and are not public.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import reading
from synthpriv_sql.planner.headers.function import Function, Parameter

__all__ = ["Function", "Group", "Parameter", "families", "file", "files", "first", "function", "functions", "groups"]


def sql_folder() -> Path:
    """The folder of the SQL files: inside the installed package, or next to it in a checkout."""
    package = Path(__file__).parents[2]
    installed = package / "sql"
    return installed if installed.is_dir() else package.parent / "sql"


@cache
def functions() -> Mapping[str, Function]:
    """All public functions by name."""
    return MappingProxyType({name: f for name, f in _all().items() if not f.part})


def names() -> list[str]:
    """Return the names of all public functions without parsing their headers, which is much faster."""
    return [p.stem for p in _paths() if "\npart = true\n" not in p.read_text(encoding="utf-8").partition("*/")[0]]


def files() -> tuple[Function, ...]:
    """Every file with a header, public or not, and the variants in plain SQL."""
    return (*_all().values(), *_plain().values())


def first() -> list[str]:
    """The commands that most people need, with which listings begin; `report` among them is not a function."""
    return list(_listing()["first"])


@cache
def families() -> Mapping[str, str]:
    """The families of public functions in the order of families.toml, with their titles."""
    titles = _listing()
    present = {f.family: f.family.replace("_", " ").capitalize() for f in functions().values()}
    return MappingProxyType(
        {name: titles.get(name, present[name]) for name in {**titles, **present} if name in present}
    )


@dataclass(frozen=True, slots=True)
class Group:
    """Options that several functions share."""

    name: str
    about: str
    options: tuple[Parameter, ...]


@cache
def groups() -> Mapping[str, Group]:
    """The groups of shared options by name."""
    return MappingProxyType(
        {
            name: Group(name, declared["about"], tuple(p for p in _shared().options().values() if p.group == name))
            for name, declared in _shared().groups.items()
        }
    )


def function(name: str) -> Function:
    """Return a public function.

    Raises
    ------
    OptionError
        There is no function of that name.
    """
    found = functions().get(name)
    if found is None:
        raise OptionError(f'there is no function "{name}"; there are: {", ".join(functions())}')
    return found


def part(name: str, plain: bool = False) -> Function | None:
    """Return a function, public or not, or its variant in sql/plain/, by its name in SQL files; None if unknown."""
    return (_plain() if plain else _all()).get(name)


def file(name: str) -> Function:
    """Return a file that is known to exist, public or not."""
    return _all()[name]


@cache
def _listing() -> dict[str, Any]:
    return tomllib.loads((sql_folder() / "families.toml").read_text(encoding="utf-8"))


@cache
def _all() -> dict[str, Function]:
    return _read_all(_paths())


@cache
def _plain() -> dict[str, Function]:
    return _read_all(sorted((sql_folder() / "plain").glob("*.sql")))


def _read_all(paths: Iterable[Path]) -> dict[str, Function]:
    return {path.stem: reading.read(path, _shared()) for path in paths}


def _paths() -> list[Path]:
    """The files of functions and parts, without the variants in plain SQL."""
    return [p for p in sorted(sql_folder().glob("*/*.sql")) if p.parent.name not in {"plain", "statements"}]


@cache
def _shared() -> reading.Shared:
    groups, tables = (
        tomllib.loads((sql_folder() / f"{name}.toml").read_text(encoding="utf-8")) for name in ("options", "tables")
    )
    return reading.Shared(groups, tables)


def variants(dialect: str, kernel: bool, control: bool) -> tuple[str, ...]:
    """The files for which the variant in sql/plain/ is used: each variant declares where it ``stands_in``."""
    lacking = {"other databases": dialect == "duckdb", "no kernel": kernel, "no control": control}
    here = {dialect, *(where for where, is_there in lacking.items() if not is_there)}
    return tuple(name for name, f in _plain().items() if not here.isdisjoint(f.stands_in))


@cache
def statement(name: str) -> str:
    """Return the text of a plain statement of sql/statements/, which is not a function."""
    return (sql_folder() / "statements" / f"{name}.sql").read_text(encoding="utf-8")
