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
_TABLES: Mapping[str, frozenset[str]] = {
    "reads": frozenset({"compares", "common", "unites", "vectors", "groups", "vector_groups", "rest", "units"}),
    "gives": frozenset({"columns_with", "columns_of", "side", "number", "result", "sentences"}),
    "run": frozenset(
        {"asks", "asks_before", "searched", "operator", "stands_in", "not_on", "sets", "materialized", "few", "exact"}
        | {"widest", "warning"}
    ),
}
"""The tables of a header and their keys: what it reads of its tables, more about its result, and how it runs."""
_KEYS = frozenset(
    {"summary", "source", "part", "example", "tables", "parameters", "options", "columns", "order", "keys", "numbers"}
) | frozenset(_TABLES)
"""The keys of a header."""
_KEYS_OF_PARAMETERS = frozenset(
    {"type", "doc", "optional", "default", "required", "choices", "minimum", "maximum", "above", "below", "whole"}
    | {"words", "counts", "columns", "each", "apart", "beside", "own", "repeats"}
)
_BOUNDS = ("minimum", "maximum", "above", "below", "whole")


@dataclass(frozen=True, slots=True)
class Shared:
    """Declarations that headers refer to by name: groups of sql/options.toml, and tables of sql/tables.toml."""

    groups: Mapping[str, Any]
    tables: Mapping[str, Any]

    def __post_init__(self) -> None:
        for name, options in self.groups.items():
            if "about" not in options:
                raise ValueError(f'options.toml: the group "{name}" has no about, a sentence that says what it is')
            for option, declared in options.items():
                if option != "about":
                    _check_parameter("options.toml", option, declared)
        for name, declared in self.tables.items():
            _check_parameter("tables.toml", name, declared)

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
    _check(path, header)
    reads, gives, run = (header.get(table, {}) for table in _TABLES)
    parameters = _parameters(path, header, shared)
    columns = header.get("columns", {})
    if isinstance(columns, str):
        columns = _split(path.with_stem(columns))[0]["columns"]
    return Function(
        name=path.stem,
        family=path.parent.name,
        summary=header["summary"],
        source=header.get("source", ""),
        part=header.get("part", False),
        example=MappingProxyType(header.get("example", {})),
        parameters=MappingProxyType(parameters),
        columns=MappingProxyType(columns),
        order=tuple(header.get("order", [])),
        keys=MappingProxyType({c: (k,) if isinstance(k, str) else tuple(k) for c, k in header.get("keys", {}).items()}),
        numbers=MappingProxyType({needs: tuple(names) for needs, names in header.get("numbers", {}).items()}),
        compares=_compares(header),
        vectors=reads.get("vectors", "vectors" in parameters),
        common=reads.get("common", False),
        unites=reads.get("unites", False),
        groups=tuple(reads.get("groups", [])),
        vector_groups=tuple(reads.get("vector_groups", [])),
        rest=reads.get("rest", ""),
        units=tuple(reads.get("units", [])),
        columns_with=MappingProxyType(gives.get("columns_with", {})),
        columns_of=gives.get("columns_of", ""),
        side=gives.get("side", ""),
        number=gives.get("number", ""),
        result=gives.get("result", "Result"),
        sentences=gives.get("sentences", False),
        asks=tuple(run.get("asks", [])),
        asks_before=MappingProxyType(run.get("asks_before", {})),
        searched=run.get("searched", False),
        operator=Operator(run["operator"]) if "operator" in run else None,
        stands_in=tuple(run.get("stands_in", [])),
        not_on=MappingProxyType(run.get("not_on", {})),
        sets=MappingProxyType(run.get("sets", {})),
        materialized=run.get("materialized"),
        few=run.get("few", False),
        exact=run.get("exact", False),
        widest=run.get("widest", ""),
        warning=run.get("warning", ""),
        path=path,
        text=body.strip(),
    )


def _check(path: Path, header: Mapping[str, Any]) -> None:
    """Refuse a key that nothing reads."""
    unknown = header.keys() - _KEYS
    unknown |= {f"{table}.{key}" for table, known in _TABLES.items() for key in header.get(table, {}).keys() - known}
    if unknown:
        raise ValueError(
            f'{path.name}: a header has no key "{min(unknown)}"; docs/headers.md lists those that there are'
        )


def _split(path: Path) -> tuple[dict[str, Any], str]:
    """The header of a file, and its body."""
    opening, _, rest = path.read_text(encoding="utf-8").partition("/*")
    header, closing, body = rest.partition("*/")
    if opening.strip() or not closing:
        raise ValueError(f"{path.name}: a file of sql/ starts with its header, a TOML document in /* */")
    return tomllib.loads(header), body


def _check_parameter(file: str, name: str, declared: Mapping[str, Any]) -> None:
    unknown = declared.keys() - _KEYS_OF_PARAMETERS
    if unknown:
        raise ValueError(f'{file}: "{name}" has no key "{min(unknown)}"; docs/headers.md lists all keys')


def _compares(header: Mapping[str, Any]) -> bool:
    """Whether a file compares the columns that its tables share."""
    return bool(header.get("reads", {}).get("compares", "distance" in header.get("options", [])))


def _parameters(path: Path, header: Mapping[str, Any], shared: Shared) -> dict[str, Parameter]:
    """The parameters of a file: its tables and its own options, then the shared ones."""
    known = shared.options()
    declared = _tables(path, header, shared)
    changed: dict[str, Any] = {}
    for name, one in header.get("parameters", {}).items():
        _check_parameter(path.name, name, one)
        if "type" not in one and name not in declared:
            changed[name] = one
            continue
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
        if _compares(header) or "groups" in header.get("reads", {}):
            parameters |= {name: p for name, p in known.items() if p.group == _OF_COMPARED_COLUMNS}
    for name, changes in changed.items():
        if name not in parameters or not parameters[name].group or changes.keys() - {"default", "required"}:
            raise ValueError(
                f'{path.name}: "{name}" has no type, and is no shared option that the file takes, with a default or '
                "required"
            )
        parameters[name] = replace(parameters[name], default=changes.get("default", REQUIRED))
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
