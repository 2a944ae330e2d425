"""Tables of children before they are compared: which columns name their rows, options about them, grandchildren."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from synthpriv_sql.errors import OptionError, SynthprivWarning
from synthpriv_sql.planner.columns.tables import listed_columns
from synthpriv_sql.planner.headers import wording

_NAMES_ROWS = re.compile(r"(?:^|[\W_])(?:id|uuid|guid|key|nr|no|num|number)$|[a-z](?:Id|ID|UUID|Key|Nr|No)$")
"""The names of text columns that name rows if nearly all of their values differ."""
_SIDES = ("synthetic", "train", "holdout")
_OF_FLATTEN = ("exclude", "numeric", "categorical")
_USED = (*_OF_FLATTEN, "weights", "hints", "order")
"""Options with which somebody has said what a column is."""


class Child(NamedTuple):
    """A table of children: the argument for each of the three tables, and the column that identifies the parent.

    ``of`` is the table of children whose children these are, or empty. ``options`` are those of `flatten` that name
    its columns; ``skipped`` are columns that name its rows.
    """

    tables: Mapping[str, Any]
    key: str
    of: str = ""
    options: Mapping[str, Any] = MappingProxyType({})
    skipped: Sequence[str] = ()


class Maker(Protocol):
    """The part of the maker of tables that this module needs."""

    def columns(self, table: Any) -> Sequence[str]:
        """Return the columns of a table."""

    def flat(self, parents: Any, children: Any, key: str, prefix: str, options: Mapping[str, Any]) -> Any:
        """Return the result of `flatten` as a table."""

    def identifiers(self, given: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the rows of `identifiers` for some tables."""


def related(children: Mapping[str, Child]) -> dict[str, Child]:
    """Read keys such as ``visits.visit``: rows of the table visits are the parents, and visit is the key of both.

    Raises
    ------
    OptionError
        Tables are children of each other.
    """
    found = {}
    for name, child in children.items():
        of, dot, key = child.key.partition(".")
        found[name] = child._replace(key=key, of=of) if dot and of in children and key else child
    for name, child in found.items():
        above, seen = child.of, {name}
        while above:
            if above in seen:
                raise OptionError(f'{wording.option("children")}: "{name}" is among its own parents')
            seen.add(above)
            above = found[above].of
    return found


def prepared(
    children: Mapping[str, Child], given: Mapping[str, Any], sides: Sequence[str], maker: Maker
) -> dict[str, Child]:
    """Return the children of parents: with options about their columns, and with their own children flattened in.

    Parameters
    ----------
    children
        All tables of children.
    given
        The arguments of the call.
    sides
        Which of synthetic, train and holdout there are, and the releases.
    maker
        Makes the tables.
    """
    left = dict(children)
    links = {child.of: child.key for child in children.values() if child.of}
    while left:
        lowest = next(name for name in left if not any(child.of == name for child in left.values()))
        child = _told(lowest, left.pop(lowest), links.get(lowest), given, sides, maker)
        if not child.of:
            children = {**children, lowest: child}
            continue
        above = left[child.of]
        tables = {
            side: flat(maker, table, child.tables[side], child, f"{lowest}_", may_lack=side not in _SIDES)
            for side, table in above.tables.items()
            if side in sides and side in child.tables
        }
        left[child.of] = above._replace(tables={**above.tables, **tables})
    return {name: child for name, child in children.items() if not child.of}


def flat(maker: Maker, parents: Any, children: Any, child: Child, prefix: str, may_lack: bool = False) -> Any:
    """Return the result of `flatten` for a table, or for each of several by name.

    A table that ``may_lack`` columns, as releases do, is flattened by those that it has.
    """
    if may_lack:
        known = {column.lower() for column in maker.columns(children)}
        child = child._replace(
            options={o: [n for n in names if n.lower() in known] for o, names in child.options.items()}
        )
    if isinstance(parents, Mapping):
        return {
            name: maker.flat(one, children[name], child.key, prefix, child.options) for name, one in parents.items()
        }
    return maker.flat(parents, children, child.key, prefix, child.options)


def _told(
    name: str, child: Child, link: str | None, given: Mapping[str, Any], sides: Sequence[str], maker: Maker
) -> Child:
    """A table of children with the options about its columns, without those that name its rows."""
    there = maker.columns(child.tables["train"])
    known = {column.lower(): column for column in there}
    options = {
        option: [known[column.lower()] for column in _listed(given.get(option)) if column.lower() in known]
        for option in _OF_FLATTEN
    }
    options = {option: [c for c in named if c.lower() != child.key.lower()] for option, named in options.items()}
    used = {column.lower() for option in _USED for column in _listed(given.get(option))}
    own = {child.key.lower(), (link or "").lower()}
    skipped = [known[column] for column in own - {child.key.lower()} if column in known]
    if given.get("identifiers") != "compare" and known.keys() - own - used:
        skipped += _naming(name, child, [known[c] for c in known if c in own | used], sides, maker)
    excluded = list(dict.fromkeys([*options["exclude"], *skipped]))
    found = {option: named for option, named in {**options, "exclude": excluded}.items() if named}
    return child._replace(options=found, skipped=skipped)


def _naming(name: str, child: Child, out: Sequence[str], sides: Sequence[str], maker: Maker) -> list[str]:
    """The columns that name the rows of children, with a warning: aggregates of them mean nothing, and hide leaks."""
    tables = {side: child.tables[side] for side in sides if side in _SIDES}
    first = {side: next(iter(t.values())) if isinstance(t, Mapping) else t for side, t in tables.items()}
    if "synthetic" not in first:  # two real tables: a name of the rows of one is in none of the other
        if not first.keys() >= {"train", "holdout"}:
            return []
        first = {"synthetic": first["holdout"], "train": first["train"]}
    found = [
        row["column_name"]
        for row in maker.identifiers({**first, "exclude": out})
        if row["identifier"] and (row["role"] == "numeric" or _NAMES_ROWS.search(row["column_name"]))
    ]
    if found:
        they_are, them = ("they are", "them") if len(found) > 1 else ("it is", "it")
        warnings.warn(
            f"{listed_columns(found)} {'name' if len(found) > 1 else 'names'} the rows of {name}, so {they_are} left "
            f"out, as are {'their' if len(found) > 1 else 'its'} aggregates; to compare {them} all the same, "
            f"{wording.given('identifiers', 'compare')}",
            SynthprivWarning,
            stacklevel=2,
        )
    return found


def _listed(names: Any) -> list[str]:
    return [names] if isinstance(names, str) else list(names or [])
