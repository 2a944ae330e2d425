"""The columns that a call compares and names, determined from its options and the columns of its tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from synthpriv_sql.errors import OptionError, RoleError, UnknownColumn
from synthpriv_sql.metrics import METRICS
from synthpriv_sql.planner.calls import own
from synthpriv_sql.planner.columns import children, groups, matching, releases, tables
from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement.expanding import WITHOUT_VECTORS

Named = dict[str, Sequence[Column | ComparedColumn]]
"""Lists of columns by their names in the files of sql/."""


def lists(
    function: Function,
    relations: Sequence[Relation],
    apart: Sequence[Relation],
    options: Mapping[str, Any],
    kernel: bool,
) -> tuple[Sequence[ComparedColumn], Named, dict[str, Any]]:
    """Return the columns that a call compares, the lists of columns that its file names, and its options.

    Parameters
    ----------
    function, relations, options
        The call; ``apart`` are those of its tables that are not compared.
    kernel
        Whether the kernel searches for neighbors; otherwise plain SQL does, which takes no vectors.

    Raises
    ------
    SynthprivError
        An option names a column that does not exist or that it cannot take.
    """
    options = dict(options)
    relations, further = releases.separated(relations)
    hints = _hints(relations, options.get("hints") or [])
    together, chosen, of_releases = releases.lists(function, relations, further, options)
    compared, named = _compared(function, together, chosen)
    named |= of_releases
    of_own, identified = own.lists(function, apart, options)
    named |= of_own
    options |= identified
    named["hints"] = hints
    named |= _without_vectors(function, {"": compared, **of_releases}, kernel)
    named |= {"left_out": [], "unit": []}
    named |= _common(function, relations, options)
    # All columns are read only if a file iterates over them; for families, these are the columns of the children.
    if relations and "own" not in named and re.search(r"\(\s*own,", function.text):
        named["own"] = relations[0].columns
    if function.columns_of == "own":
        named["own"] = relations[0].columns
    if function.columns_of == "own" or function.asks:
        named["left_out"] = _left_out(function, relations[0], compared, options)
    # A function without this option uses the default metric.
    metric = options.setdefault("metric", "gower")
    options["scaling"] = options.get("scaling") or METRICS[metric].scaling
    if function.columns_of == "compared":
        named["compared"] = compared
    if function.columns_of == "components":
        named["components"] = [
            Column(f"component_{i}", "DOUBLE", "double") for i in range(1, options["components"] + 1)
        ]
    if options.get("order") and "sequence" not in named:
        named["sequence"] = [r.column(options["order"], "order") for r in relations][:1]
    if options.get("unit"):
        named["unit"] = [r.column(options["unit"], "unit") for r in relations if r.parameter in function.units][:1]
    if options.get("key") and "link" not in named:
        named["key"] = [_key(relations, options["key"])]
    if options.get("quasi_identifiers") is not None and not function.groups:
        named["quasi_identifiers"] = _quasi_identifiers(relations[0], options["quasi_identifiers"])
    if function.asks:
        named |= groups.of_requested(function, relations, options)
    if options.get("target") and not any(c.name.lower() == options["target"].lower() for c in compared):
        raise tables.unknown_column(options["target"], "target", relations)
    if "size" in options:
        named["size"] = [relations[0].column(options["size"] or _size(relations[0]), "size")]
    return compared, named, options


def _compared(
    function: Function, relations: Sequence[Relation], options: Mapping[str, Any]
) -> tuple[Sequence[ComparedColumn], dict[str, Sequence[Column | ComparedColumn]]]:
    """The columns that a call compares, and the lists of columns that are determined with them."""
    if "parents" in function.parameters:
        return children.columns(function, relations, options)
    if function.groups:
        named = groups.columns(function, relations, options)
        return [c for c in named.get(function.groups[0], ()) if isinstance(c, ComparedColumn)], dict(named)
    if not function.compares:
        return (), {}
    # An option of the function itself may have the name of a shared one, but means something else.
    of_its_own = {parameter.name for parameter in function.options if not parameter.group}
    shared = {name: value for name, value in options.items() if name not in of_its_own}
    order = [options["order"]] if options.get("order") else []
    shared["exclude"] = [*(shared.get("exclude") or []), *(options.get("hints") or []), *order]
    compared = matching.compare(relations, dict(matching.NO_OPTIONS) | shared)
    if isinstance(most := options.get("columns"), int) and most > len(compared):
        raise OptionError(
            f"{wording.refused('columns', most)}, but the tables share {len(compared)} columns to compare"
        )
    return compared, {}


def _without_vectors(
    function: Function, lists: Mapping[str, Sequence[ComparedColumn]], kernel: bool
) -> dict[str, Sequence[ComparedColumn]]:
    """The columns of lists other than vectors, if there are any, for files that take none; an error if the call does.

    The names of the lists are followed by what says so.
    """
    found: dict[str, Sequence[ComparedColumn]] = {}
    for name, columns in lists.items():
        vectors = [column for column in columns if column.role == "vector"]
        if vectors and (not function.vectors or not kernel):
            raise matching.takes_no_vectors(function.name if not function.vectors else "plain SQL", vectors)
        if vectors:
            found[name + WITHOUT_VECTORS] = [column for column in columns if column.role != "vector"]
    return found


def _left_out(
    function: Function, relation: Relation, compared: Sequence[ComparedColumn], options: Mapping[str, Any]
) -> list[Column]:
    """The columns of a table that a call does not compare; in an evaluation, without those that say whose a row is."""
    taken = {column.name.lower() for column in compared}
    if function.asks:
        taken |= {name.lower() for name in matching.identifying(options)}
    return [column for column in relation.columns if column.name.lower() not in taken]


def _common(function: Function, relations: Sequence[Relation], options: Mapping[str, Any]) -> Named:
    """The columns that the tables share, all of them or those that an option of the function names, also by role."""
    columns = function.parameters.get("columns")
    only = options["columns"] if columns is not None and not columns.group and columns.type == "names" else None
    found = matching.common(relations, options, only) if function.common else ()
    roles = {role: [c for c in found if c.role == role] for role in ("numeric", "temporal", "categorical")}
    return {"common": found, **{f"common_{role}": listed for role, listed in roles.items()}}


def _size(classes: Relation) -> str:
    """The default column of class sizes."""
    return next((name for name in ("size", "count") if name in classes.by_name), "size")


def resolved(function: Function, options: Mapping[str, Any], relations: Sequence[Relation]) -> dict[str, Any]:
    """Replace positions of quasi-identifiers, and all as known or secret columns, by names."""
    return groups.resolved(function, of_positions(options, relations[0]), relations)


def of_positions(options: Mapping[str, Any], data: Relation) -> dict[str, Any]:
    """Replace positions of quasi-identifiers by names.

    Numbers are positions, unless they are all column names and not all are valid positions. Texts of digits, as a
    command line gives numbers, are names if there are columns of these names.
    """
    given = options.get("quasi_identifiers")
    if given is None:
        return dict(options)
    numbers = [name for name in given if isinstance(name, int) or name.isdecimal()]
    called = all(str(number) in data.by_name for number in numbers)
    within = all(int(number) < len(data.columns) for number in numbers)
    named = []
    for name in given:
        at = int(name) if name in numbers else -1
        if at < 0 or (called and not (isinstance(name, int) and within)):
            named.append(str(name))
            continue
        if not at < len(data.columns):
            raise UnknownColumn(
                f"{wording.option('quasi_identifiers')} names position {name}, but {data.label} has "
                f"{len(data.columns)} columns; "
                "positions count from 0"
            )
        column = data.columns[at].name
        if called and column != data.by_name[str(name)].name:
            raise OptionError(
                f'{wording.option("quasi_identifiers")} names {name}, which may be the column "{name}" of '
                f"{data.label} or the one "
                f'at position {name}, "{column}"; positions count from 0. Give the name as a text: '
                f"'{name}' or '{column}'"
            )
        named.append(column)
    return {**options, "quasi_identifiers": named}


def _key(relations: Sequence[Relation], name: str) -> Column:
    return next(r.by_name[name.lower()] for r in relations if name.lower() in r.by_name)


def _hints(relations: Sequence[Relation], names: Sequence[str]) -> list[Column]:
    """The columns of real records that the attack ``learned`` uses as features."""
    found = []
    for name in dict.fromkeys(names):
        for relation in relations:
            if relation.parameter not in {"train", "holdout"}:
                continue
            column = relation.column(name, "hints")
            if not column.is_number:
                raise RoleError(
                    f'{wording.option("hints")} names column "{column.name}" of {relation.label}, which is '
                    f"{column.type}; a hint "
                    "is a number"
                )
            if relation.parameter == "train":
                found.append(column)
    return found


def _quasi_identifiers(data: Relation, names: Sequence[str]) -> list[Column]:
    if not names:
        raise OptionError(f"{wording.option('quasi_identifiers')} names no column; give at least one")
    columns = data.listed(names, "quasi_identifiers")
    twice = next((column.name for at, column in enumerate(columns) if column in columns[:at]), None)
    if twice is not None:
        raise OptionError(f'{wording.option("quasi_identifiers")} names column "{twice}" of {data.label} twice')
    return columns
