"""Which columns the tables of a call share, and how each is compared.

Everything is decided here from names and types, before a row is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from synthpriv_sql.errors import ColumnMismatch, OptionError, RoleError, UnknownColumn
from synthpriv_sql.statements.columns import ROLE_OF, VECTOR_ELSEWHERE, Column
from synthpriv_sql.statements.compared import ComparedColumn
from synthpriv_sql.statements.tables import Relation, as_option, listed_columns, unknown_column

# Weights and the like, so that neither their products and squares nor those of differences leave what a DOUBLE holds.
_LEAST, _MOST = 1e-75, 1e75


NO_OPTIONS: Mapping[str, Any] = MappingProxyType(
    dict.fromkeys(("columns", "exclude", "numeric", "categorical", "weights", "key"))
)
"""Distance options of which none is given."""


def compare(relations: Sequence[Relation], options: Mapping[str, Any]) -> tuple[ComparedColumn, ...]:
    """Match the columns of the tables of a call and give each its role and weight.

    Parameters
    ----------
    relations
        The tables, in the order in which the function names them; columns keep the order of the first.
    options
        The distance options ``columns``, ``exclude``, ``numeric``, ``categorical``, ``weights`` and ``key``.

    Raises
    ------
    UnknownColumn
        An option names a column that is not there.
    ColumnMismatch
        A column stands on one side only, or no column is left.
    RoleError
        A column's type has no distance, or two tables disagree about its role.
    OptionError
        A column is both numeric and categorical, or no weight is positive.
    """
    names = _shared_names(relations, options)
    roles = _overrides(names, relations, options)
    weights = _by_compared_name(options["weights"] or {}, names, relations, "weights")
    labels = {r.parameter: r.label for r in relations}
    _check_types(names, relations)
    compared = []
    disagreeing: dict[str, Mapping[str, Column]] = {}
    for key, name in names.items():
        sources = {r.parameter: r.by_name[key] for r in relations}
        role = roles.get(key) or _role(sources)
        if role is None:
            disagreeing[name] = sources
        else:
            compared.append(ComparedColumn(name, role, weights.get(key, 1.0), sources, labels))
    if disagreeing:
        raise _disagreeing(disagreeing, labels)
    for column in compared:
        _check_vector(column, roles.get(column.name.lower()))
    for column in compared:
        if column.weight < 0:
            raise OptionError(
                f'option "weights": the weight of column "{column.name}" is {column.weight:g}; '
                "a weight is 0 or more (0 leaves the column out of the distance)"
            )
        if column.weight and not _LEAST <= column.weight <= _MOST:
            raise OptionError(
                f'option "weights": the weight of column "{column.name}" is {column.weight:g}; a weight is 0, or from '
                f"{_LEAST:g} to {_MOST:g}: beyond, distances would not fit into a DOUBLE"
            )
    mismatch = options.get("category_mismatch") or 0
    if mismatch and not _LEAST <= mismatch <= _MOST:
        raise OptionError(
            f'option "category_mismatch" is {mismatch:g}; it is 0, or from {_LEAST:g} to {_MOST:g}: beyond, distances '
            "would not fit into a DOUBLE"
        )
    if not any(column.weight > 0 for column in compared):
        raise OptionError('option "weights": every compared column has weight 0; give at least one a positive weight')
    return tuple(compared)


def _check_vector(column: ComparedColumn, asked: str | None) -> None:
    """Raise an error where a column of vectors cannot be compared as what it is asked to be, or as what it is."""
    vectors = {parameter: c for parameter, c in column.sources.items() if c.family == "vector"}
    if vectors and asked:
        parameter, found = next(iter(vectors.items()))
        raise RoleError(
            f'option "{asked}" names column "{found.name}", which is of vectors ({found.type}) in '
            f"{column.labels[parameter]}; it is compared as vectors: leave it out of that option, or exclude it "
            f"({as_option('exclude', [column.name])})"
        )
    lengths = {c.length: parameter for parameter, c in vectors.items() if c.length}
    if len(lengths) > 1:
        sides = " and ".join(f"of {length} numbers in {column.labels[p]}" for length, p in lengths.items())
        raise ColumnMismatch(
            f'column "{column.name}" holds vectors {sides}; vectors are compared where all have one length. Take both '
            f"from the same model, or exclude the column ({as_option('exclude', [column.name])})"
        )


def takes_no_vectors(function: str, vectors: Sequence[ComparedColumn], option: str = "") -> RoleError:
    """The error for columns of vectors, which ``option`` may have named, in a call of a function that takes none."""
    names = [column.name for column in vectors]
    are, them = ("are", "them") if len(names) > 1 else ("is", "it")
    instead = f"exclude {them} ({as_option('exclude', names)}) or choose the columns to compare"
    if option:
        instead = f'leave {them} out of the option "{option}"'
    types = ", ".join(dict.fromkeys(next(iter(column.sources.values())).type for column in vectors))
    return RoleError(
        f"{listed_columns(names)} {are} of vectors ({types}), which {function} does not compare; {instead}"
    )


def _shared_names(relations: Sequence[Relation], options: Mapping[str, Any]) -> dict[str, str]:
    """The names compared: as the first table spells them, by lower-case name."""
    key, unit = options["key"], options.get("unit")
    grouping = options.get("group_by") or []
    dropped = {name.lower() for name in [*(options["exclude"] or []), *grouping, key, unit] if name}
    for option, names in (("exclude", options["exclude"] or []), ("key", [key] if key else [])):
        unknown = [name for name in names if not any(name.lower() in r.by_name for r in relations)]
        if unknown:
            raise unknown_column(unknown, option, relations)
    if options["columns"]:
        chosen = [column.name for column in relations[0].listed(options["columns"], "columns")]
        for relation in relations[1:]:
            relation.listed(options["columns"], "columns")
        names = {name.lower(): name for name in chosen if name.lower() not in dropped}
    else:
        names = {c.name.lower(): c.name for c in relations[0].columns if c.name.lower() not in dropped}
        shared = set.intersection(*({c for c in r.by_name if c not in dropped} for r in relations))
        if not shared and len(relations) > 1 and not any(r.by_name.keys() <= dropped for r in relations):
            sides = "; ".join(f"{r.label} has {', '.join(c.name for c in r.columns) or 'none'}" for r in relations)
            raise ColumnMismatch(f"the tables have no common columns to compare: {sides}")
        _check_sides(relations, shared, dropped)
    if not names:
        raise ColumnMismatch(
            f"no column of {relations[0].label} is left to compare once the key and the excluded columns are out"
        )
    return names


def _check_sides(relations: Sequence[Relation], shared: set[str], dropped: set[str]) -> None:
    one_sided: dict[tuple[str, str], dict[str, None]] = {}  # one table may be given for two parameters
    for relation in relations:
        for name, column in relation.by_name.items():
            if name not in shared and name not in dropped:
                lacking = next(r for r in relations if name not in r.by_name)
                one_sided.setdefault((relation.label, lacking.label), {})[column.name] = None
    if not one_sided:
        return
    found = [
        f"{listed_columns(list(names))} {'are' if len(names) > 1 else 'is'} in {has} but not in {lacks}"
        for (has, lacks), names in one_sided.items()
    ]
    names = list({name.lower(): name for listed in one_sided.values() for name in listed}.values())
    them = "them" if len(names) > 1 else "it"
    raise ColumnMismatch(
        f"{'; '.join(found)}; exclude {them} ({as_option('exclude', names)}) or choose the columns to compare "
        "(columns := [...])"
    )


def _by_compared_name(
    given: Mapping[str, Any], names: Mapping[str, str], relations: Sequence[Relation], option: str
) -> dict[str, Any]:
    out = [name for name in given if name.lower() not in names]
    unknown = [name for name in out if not any(name.lower() in r.by_name for r in relations)]
    if unknown:
        raise unknown_column(unknown, option, relations)
    if out:
        which = "which is" if len(out) == 1 else "which are"
        raise UnknownColumn(f'option "{option}" names {listed_columns(out)}, {which} not among those compared')
    return {name.lower(): value for name, value in given.items()}


def _overrides(names: Mapping[str, str], relations: Sequence[Relation], options: Mapping[str, Any]) -> dict[str, str]:
    numeric, categorical = (
        _by_compared_name(dict.fromkeys(options[role] or [], role), names, relations, role)
        for role in ("numeric", "categorical")
    )
    both = [names[key] for key in categorical if key in numeric]
    if both:
        stand = "stands" if len(both) == 1 else "stand"
        raise OptionError(f"{listed_columns(both)} {stand} in both options numeric and categorical; choose one")
    return numeric | categorical


def _check_types(names: Mapping[str, str], relations: Sequence[Relation]) -> None:
    """Raise one error for all columns whose type has no distance."""
    found: dict[str, str] = {}
    vectors = False
    for key, name in names.items():
        for relation in relations:
            column = relation.by_name[key]
            if column.family is None and name not in found:
                found[name] = f'column "{column.name}" of {relation.label} has type {column.type}'
                vectors |= VECTOR_ELSEWHERE.fullmatch(column.type) is not None
    if found:
        them = "them" if len(found) > 1 else "it"
        spread = "; a query in parentheses can make columns of the numbers of a vector" * vectors
        raise RoleError(
            f"{'; '.join(found.values())}, for which no distance is defined; exclude {them} "
            f"({as_option('exclude', list(found))}) or cast {them} to a number, a time or text first{spread}"
        )


def _role(sources: Mapping[str, Column]) -> str | None:
    """The role that types give a column, None where two tables disagree."""
    # A column of which nothing is known but that it is missing takes the role that it has elsewhere.
    known = {p: c for p, c in sources.items() if c.family != "null"} or sources
    found = {ROLE_OF[str(column.family)] for column in known.values()}
    times = {column.family == "time" for column in known.values()}
    return found.pop() if len(found) == 1 and (found != {"temporal"} or len(times) == 1) else None


def _disagreeing(sources: Mapping[str, Mapping[str, Column]], labels: Mapping[str, str]) -> RoleError:
    """The error for columns of which two tables disagree."""
    said = []
    for name, columns in sources.items():
        known = {p: c for p, c in columns.items() if c.family != "null"}
        sides = ", ".join(f"{c.type} ({ROLE_OF[str(c.family)]}) in {labels[p]}" for p, c in known.items())
        said.append(f'column "{name}" is {sides}')
    names = list(sources)
    if any(c.family == "vector" for columns in sources.values() for c in columns.values()):
        them = "them" if len(names) > 1 else "it"
        return RoleError(f"{'; '.join(said)}; cast one side, or exclude {them} ({as_option('exclude', names)})")
    return RoleError(
        f"{'; '.join(said)}; cast one {'side ' if len(names) > 1 else ''}of them, or say how to compare "
        f"{'them' if len(names) > 1 else 'it'} ({as_option('numeric', names)} or {as_option('categorical', names)})"
    )
