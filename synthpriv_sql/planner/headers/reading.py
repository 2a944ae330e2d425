"""Reads the header of a file of sql/, a TOML document in its first comment.

docs/headers.md lists every key that a header may have, with an example each.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from synthpriv_sql.planner.headers.function import REQUIRED, Function, Operator, Parameter

_OF_EVERY_FUNCTION = ("groups", "files", "nested")
"""The groups of options that every public function with a table has implicitly."""
_OF_COMPARED_COLUMNS = "types"
"""The group of options that functions with compared columns have implicitly."""
_NOT_GIVEN = {"text": "", "name": "", "names": [], "weights": {}, "numbers": []}
"""The defaults that stand for "not given", as TOML has no null."""
_BOUNDS = ("minimum", "maximum", "above", "below", "whole")


@dataclass(frozen=True, slots=True)
class Shared:
    """Declarations that headers refer to by name: groups of sql/options.toml, and tables of sql/tables.toml."""

    groups: Mapping[str, Any]
    tables: Mapping[str, Any]

    def options(self) -> dict[str, Parameter]:
        """The options of all groups."""
        return {
            name: _parameter(name, declared, group)
            for group, options in self.groups.items()
            for name, declared in options.items()
            if name != "about"
        }


def read(path: Path, shared: Shared) -> Function:
    """Read a file.

    Raises
    ------
    ValueError
        It has no header, or one that contradicts the shared options and tables.
    """
    header, body = _split(path)
    parameters = _parameters(path, header, shared)
    columns = header.get("columns", {})
    if isinstance(columns, str):
        columns = _split(path.with_stem(columns))[0]["columns"]
    return Function(
        name=path.stem,
        family=path.parent.name,
        summary=header["summary"],
        source=header.get("source", ""),
        parameters=MappingProxyType(parameters),
        columns=MappingProxyType(columns),
        order=tuple(header.get("order", [])),
        keys=MappingProxyType({c: (k,) if isinstance(k, str) else tuple(k) for c, k in header.get("keys", {}).items()}),
        columns_with=MappingProxyType(header.get("columns_with", {})),
        units=tuple(header.get("units", [])),
        side=header.get("side", ""),
        columns_of=header.get("columns_of", ""),
        compares=_compares(header),
        vectors=header.get("vectors", "vectors" in parameters),
        common=header.get("common", False),
        unites=header.get("unites", False),
        groups=tuple(header.get("groups", [])),
        vector_groups=tuple(header.get("vector_groups", [])),
        asks=tuple(header.get("asks", [])),
        asks_before=MappingProxyType(header.get("asks_before", {})),
        searched=header.get("searched", False),
        rest=header.get("rest", ""),
        number=header.get("number", ""),
        part=header.get("part", False),
        operator=Operator(header["operator"]) if "operator" in header else None,
        stands_in=tuple(header.get("stands_in", [])),
        not_on=MappingProxyType(header.get("not_on", {})),
        sets=MappingProxyType(header.get("sets", {})),
        materialized=header.get("materialized"),
        few=header.get("few", False),
        exact=header.get("exact", False),
        widest=header.get("widest", ""),
        warning=header.get("warning", ""),
        result=header.get("result", "Result"),
        sentences=header.get("sentences", False),
        example=MappingProxyType(header.get("example", {})),
        path=path,
        text=body.strip(),
        numbers=MappingProxyType({needs: tuple(names) for needs, names in header.get("numbers", {}).items()}),
    )


def _split(path: Path) -> tuple[dict[str, Any], str]:
    """The header of a file, and its body."""
    opening, _, rest = path.read_text(encoding="utf-8").partition("/*")
    header, closing, body = rest.partition("*/")
    if opening.strip() or not closing:
        raise ValueError(f"{path.name}: a file of sql/ starts with its header, a TOML document in /* */")
    return tomllib.loads(header), body


def _compares(header: Mapping[str, Any]) -> bool:
    """Whether a file compares the columns that its tables share."""
    return bool(header.get("compares", "distance" in header.get("options", [])))


def _parameters(path: Path, header: Mapping[str, Any], shared: Shared) -> dict[str, Parameter]:
    """The parameters of a file: its tables and its own options, then the shared ones."""
    known = shared.options()
    declared = _tables(path, header, shared)
    for name, one in header.get("parameters", {}).items():
        if name in known and one.get("type") != "expression" and not one.get("own"):
            raise ValueError(
                f'{path.name}: "{name}" is a shared option: name its group under options, or declare it as own'
            )
        declared[name] = {**declared.get(name, {}), **one}
    parameters = {name: _parameter(name, one) for name, one in declared.items()}
    for wanted in header.get("options", []):
        taken = {name: p for name, p in known.items() if wanted in {p.group, f"{p.group}.{name}"}}
        if not taken:
            raise ValueError(f'{path.name}: there is no group or option "{wanted}" in options.toml')
        parameters |= taken
    if not header.get("part") and any(p.counts for p in parameters.values()):
        parameters |= {name: p for name, p in known.items() if p.group == "files"}
    if not header.get("part") and any(p.type in {"relation", "relations"} for p in parameters.values()):
        parameters |= {name: p for name, p in known.items() if p.group in _OF_EVERY_FUNCTION}
        if _compares(header) or header.get("groups"):
            parameters |= {name: p for name, p in known.items() if p.group == _OF_COMPARED_COLUMNS}
    for name in header.get("required", []):
        parameters[name] = replace(parameters[name], default=REQUIRED)
    for name, default in header.get("defaults", {}).items():
        if name not in parameters or not parameters[name].group:
            raise ValueError(f'{path.name}: a default for "{name}", which is not a shared option that it takes')
        parameters[name] = replace(parameters[name], default=default)
    return parameters


def _tables(path: Path, header: Mapping[str, Any], shared: Shared) -> dict[str, Any]:
    """The shared tables that a header names; ``?`` after a name makes the table optional."""
    found: dict[str, Any] = {}
    for taken in header.get("tables", []):
        name = taken.removesuffix("?")
        if name not in shared.tables:
            raise ValueError(f'{path.name}: there is no table "{name}" in tables.toml')
        found[name] = {"type": "relation", **shared.tables[name]} | ({"optional": True} if taken != name else {})
    return found


def _parameter(name: str, declared: Mapping[str, Any], group: str = "") -> Parameter:
    type_, default = declared["type"], declared.get("default", REQUIRED)
    if declared.get("optional") or (default is not REQUIRED and default == _NOT_GIVEN.get(type_, REQUIRED)):
        default = None
    if type_ == "numbers" and isinstance(default, float):
        default = [default]
    beside = declared.get("beside", {})
    return Parameter(
        name,
        type_,
        default,
        declared.get("doc", ""),
        tuple(declared.get("choices", ())),
        group,
        needs=tuple(declared.get("columns", ())),
        positions=name == "quasi_identifiers",
        counts=declared.get("counts", False),
        each=declared.get("each", False),
        repeats=declared.get("repeats", False),
        apart=tuple(declared.get("apart", ())),
        beside={"*": beside} if isinstance(beside, str) else beside,
        words=declared.get("words", {}),
        **{bound: declared[bound] for bound in _BOUNDS if bound in declared},
    )
