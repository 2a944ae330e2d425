"""Calls of `remedy` and `remedied`: reading the tables, searching, and the answer in the form of the function."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import pyarrow as pa
from sqlglot import exp

from synthpriv_sql.errors import OptionError, SynthprivWarning
from synthpriv_sql.planner.calls import families
from synthpriv_sql.planner.calls.descent import Child
from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.columns.nested import FlatTable
from synthpriv_sql.planner.headers import arguments, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.remedies.finding import Found, find
from synthpriv_sql.remedies.tables import SIDES, of_child
from synthpriv_sql.results.result import Result

STEPS = "remedy"
"""The function that gives the steps; the other one gives the table."""
_LATEST = 4
_FILES = (".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson", ".xlsx", ".gz", ".zst")
_PART = r'(?:\w+|"(?:[^"]|"")+")'
_NAME = re.compile(rf"{_PART}(?:\.{_PART})*")


class Within(Protocol):
    """Calls functions on tables in memory, until it is cancelled."""

    def begin(self) -> None:
        """Begin a search."""

    def call(self, function: Any, /, **given: Any) -> Result:
        """Call a function."""

    def maker(self) -> families.Maker:
        """Return what makes the views of a family."""

    def cancel(self) -> None:
        """Stop the search that runs."""


@dataclass
class Searches:
    """The latest searches of a database, so that one is not repeated for its table, or while a statement is planned.

    Parameters
    ----------
    within
        Calls functions on tables in memory.
    """

    within: Within
    _found: OrderedDict[str, Found] = field(default_factory=OrderedDict)

    def remedy(
        self,
        function: Function,
        given: Mapping[str, Any],
        read: Callable[[Any, frozenset[str] | None], pa.Table],
        report: Callable[[str], None],
        is_judged: bool = False,
    ) -> Found:
        """Return the remedy of a call.

        Parameters
        ----------
        function, given
            The call.
        read
            Reads a table of it, or columns: those of these names in lower case.
        report
            Called with what the search does.
        is_judged
            Whether the table was judged where it is, and may not be released as it is.
        """
        if given.get("group_by"):
            raise OptionError(
                f"{function.name} treats one table, so it takes no {wording.option('group_by')}: a query in "
                "parentheses selects the rows of a group"
            )
        releases.refuse(function, given)
        before = given.get(releases.OPTION)
        named = {} if before is None else releases.named(function, before)
        part(function, given)
        options = dict(arguments.check(function, {**given, releases.OPTION: None, "children": None}).options)
        children = families.given_children(function, given) if families.are_asked_for(function, given) else {}
        if children and named:
            parents, children = families.with_releases(function, given, children)
            named = {name: parents[f"{families.RELEASE}{name}"] for name in named}
        synthetic = read(given["synthetic"], None)
        keys = [options.get("unit"), options.get("key"), *(one.key for one in children.values())]
        shared = frozenset(name.lower() for name in (*synthetic.column_names, *keys) if name)
        tables = {"synthetic": synthetic, **{side: read(given[side], shared) for side in SIDES[1:]}}
        sides = {side: side for side in SIDES}
        sides |= {f"{families.RELEASE}{name}": f"{families.RELEASE}{place}" for place, name in enumerate(named, 1)}
        tables |= {sides[f"{families.RELEASE}{name}"]: read(table, shared) for name, table in named.items()}
        tables |= {
            of_child(n, sides[side]): read(table, None)
            for n, one in children.items()
            for side, table in one.tables.items()
        }
        options.pop("part", None)
        options["children"] = {name: Child({}, one.key, one.of) for name, one in children.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SynthprivWarning)  # of how they would be compared: nobody compares levels
            levels = {
                name: one if isinstance(one, list) else read(one, None)
                for name, one in (options["ladder"] or {}).items()
            }
        options["ladder"] = levels
        key = _hash([*tables.values(), *(one for one in levels.values() if isinstance(one, pa.Table))], options)
        if key not in self._found:
            self.within.begin()
            self._found[key] = find(tables, options, self.within.call, self.within.maker, report, is_judged)
        self._found.move_to_end(key)
        while len(self._found) > _LATEST:
            self._found.popitem(last=False)
        return self._found[key]

    def cancel(self) -> None:
        """Stop the search that runs, if one does."""
        self.within.cancel()


def named(table: Any) -> exp.Table:
    """Return the name of a table in the SELECT that treats it: that of a file without its ending.

    A table whose nested columns are read as others is called flattened: its SELECT has their names.
    """
    if isinstance(table, FlatTable):
        return exp.to_table("flattened")
    if not isinstance(table, str) or table.lstrip().startswith("("):
        return exp.to_table("synthetic")
    if _NAME.fullmatch(table) and not table.lower().endswith(_FILES):
        return exp.to_table(table, dialect="duckdb")
    stem = re.split(r"[/\\:]", table)[-1].partition(".")[0]
    return exp.Table(this=exp.to_identifier(stem or "synthetic", quoted=True))


def named_children(given: Mapping[str, Any]) -> dict[str, exp.Table]:
    """Return the names of the synthetic tables of children in the SELECTs that treat them."""
    found = given.get("children") or {}
    first = {name: next(iter(one.values() if isinstance(one, Mapping) else one)) for name, one in found.items()}
    return {name: named(table) if isinstance(table, str) else exp.to_table(name) for name, table in first.items()}


def part(function: Function, given: Mapping[str, Any]) -> str:
    """Return the table of children that a call asks for; empty for the parents, or without children.

    Raises
    ------
    OptionError
        There is no such table.
    """
    asked = str(given.get("part") or "")
    known = given.get("children") or {}
    if asked and asked not in known:
        about = f"there are {', '.join(known)}" if known else f"give {wording.option('children')}"
        raise OptionError(f'{function.name}: {wording.option("part")} names no table of children "{asked}"; {about}')
    return asked


def _hash(tables: list[pa.Table], options: Mapping[str, Any]) -> str:
    """A hash of the contents of tables, and of the options."""
    found = hashlib.blake2b(repr({**options, "ladder": _named(options["ladder"])}).encode())
    for table in tables:
        with pa.ipc.new_stream(_Writing(found), table.schema) as stream:
            stream.write_table(table)
    return found.hexdigest()


def _named(ladders: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one if isinstance(one, list) else None for name, one in ladders.items()}


class _Writing:
    """A file whose bytes are hashed."""

    closed = False

    def __init__(self, found: Any) -> None:
        self._found = found

    def write(self, data: Any) -> int:
        self._found.update(data)
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Nothing is held open."""
