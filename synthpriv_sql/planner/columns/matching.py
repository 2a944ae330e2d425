"""The columns that the tables of a call share, and the way in which each is compared.

Everything is decided here from names and types, before a row is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sqlglot import exp

from synthpriv_sql.errors import ColumnMismatch, OptionError, RoleError, SynthprivError, UnknownColumn
from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.tables import Relation, listed_columns, unknown_column
from synthpriv_sql.planner.columns.types import ROLE_OF, TEXTS, VECTOR_ELSEWHERE, Column, as_text, duckdb_type
from synthpriv_sql.planner.headers import wording

# Limits of weights and mismatches, so that no product or square of them, or of differences, overflows a DOUBLE.
_LEAST, _MOST = 1e-75, 1e75


NO_OPTIONS: Mapping[str, Any] = MappingProxyType(
    dict.fromkeys(("columns", "exclude", "numeric", "categorical", "text", "weights", "key"))
)
"""The distance options, all of them not given."""


def compare(relations: Sequence[Relation], options: Mapping[str, Any]) -> tuple[ComparedColumn, ...]:
    """Match the columns of the tables of a call and assign each a role and a weight.

    Parameters
    ----------
    relations
        The tables, in the order in which the function names them; columns keep the order of the first.
    options
        The distance options ``columns``, ``exclude``, ``numeric``, ``categorical``, ``text``, ``weights`` and ``key``.

    Raises
    ------
    UnknownColumn
        An option names a column that does not exist.
    ColumnMismatch
        A column is in some tables only, or no column is left.
    RoleError
        A column's type has no distance, or two tables disagree about its role.
    OptionError
        A column is both numeric and categorical, or no weight is positive.
    """
    names = _shared_names(relations, options)
    roles = _overrides(names, relations, options)
    weights = _by_compared_name(options["weights"] or {}, names, relations, "weights")
    found = [*_one_sided(relations, options), *_problems(relations, names, roles)]
    if found:
        raise _together(found)
    labels = {r.parameter: r.label for r in relations}
    texts = {name.lower() for name in options.get("text") or []}
    compared = []
    for key, name in names.items():
        sources = {r.parameter: r.by_name[key] for r in relations}
        role = roles.get(key) or _role(sources)
        assert role is not None
        compared.append(ComparedColumn(name, role, weights.get(key, 1.0), sources, labels, key in texts))
    for column in compared:
        if column.weight < 0:
            raise OptionError(
                f'{wording.option("weights")}: the weight of column "{column.name}" is {column.weight:g}; '
                "a weight is 0 or more (0 leaves the column out of the distance)"
            )
        if column.weight and not _LEAST <= column.weight <= _MOST:
            raise OptionError(
                f'{wording.option("weights")}: the weight of column "{column.name}" is {column.weight:g}; a '
                "weight is 0, or from "
                f"{_LEAST:g} to {_MOST:g}: beyond, distances would not fit into a DOUBLE"
            )
    mismatch = options.get("category_mismatch") or 0
    if mismatch and not _LEAST <= mismatch <= _MOST:
        raise OptionError(
            f"{wording.option('category_mismatch')} is {mismatch:g}; it is 0, or from {_LEAST:g} to {_MOST:g}: "
            "beyond, distances "
            "would not fit into a DOUBLE"
        )
    if not any(column.weight > 0 for column in compared):
        raise OptionError(
            f"{wording.option('weights')}: every compared column has weight 0; give at least one a positive weight"
        )
    if not any(column.weight > 0 and not column.text for column in compared):
        raise OptionError(
            f"{wording.option('text')} names every compared column, and distances leave out texts; compare at least "
            "one other column"
        )
    return tuple(compared)


def common(
    relations: Sequence[Relation], options: Mapping[str, Any], only: Sequence[str] | None = None
) -> tuple[ComparedColumn, ...]:
    """Return all columns that the tables of a call share, also those that it does not compare, with their roles.

    Left out are vectors and the columns of ``unit`` and ``group_by``. A column whose role differs between tables is a
    category, and one of a type for which no distance is defined (a list, a blob) is compared as text.

    Parameters
    ----------
    relations, options
        As in `compare`.
    only
        The names of the only columns to return, as the option ``columns`` has them.

    Raises
    ------
    UnknownColumn
        A table has no such column.
    """
    out = {name.lower() for name in [*(options.get("group_by") or []), options.get("unit")] if name}
    wanted = {column.name.lower() for r in relations for column in r.listed(only or [], "columns")}
    labels = {r.parameter: r.label for r in relations}
    found = []
    for column in relations[0].columns:
        key = column.name.lower()
        if key in out or (only and key not in wanted) or not all(key in r.by_name for r in relations):
            continue
        sources = {r.parameter: r.by_name[key] for r in relations}
        if all(c.family != "vector" for c in sources.values()):
            sources = {parameter: as_text(c) for parameter, c in sources.items()}
            found.append(ComparedColumn(column.name, _role(sources) or "categorical", 1.0, sources, labels))
    return tuple(found)


def takes_no_vectors(function: str, vectors: Sequence[ComparedColumn], option: str = "") -> RoleError:
    """The error for vector columns, possibly named by ``option``, in a call of a function that takes no vectors."""
    names = [column.name for column in vectors]
    are, them = ("are", "them") if len(names) > 1 else ("is", "it")
    instead = f"exclude {them} ({wording.given('exclude', names)}) or choose the columns to compare"
    if option:
        instead = f"leave {them} out of {wording.option(option)}"
    types = ", ".join(dict.fromkeys(next(iter(column.sources.values())).type for column in vectors))
    return RoleError(
        f"{listed_columns(names)} {are} of vectors ({types}), which {function} does not compare; {instead}"
    )


def _shared_names(relations: Sequence[Relation], options: Mapping[str, Any]) -> dict[str, str]:
    """The names of the compared columns in the spelling of the first table, by lower-case name."""
    key, out = options["key"], dropped(options)
    for option, names in (("exclude", options["exclude"] or []), ("key", [key] if key else [])):
        unknown = [name for name in names if not any(name.lower() in r.by_name for r in relations)]
        if unknown:
            raise unknown_column(unknown, option, relations)
    if options["columns"]:
        chosen = [column.name for column in relations[0].listed(options["columns"], "columns")]
        for relation in relations[1:]:
            relation.listed(options["columns"], "columns")
        names = {name.lower(): name for name in chosen if name.lower() not in out}
    else:
        names = {c.name.lower(): c.name for c in relations[0].columns if c.name.lower() not in out}
        shared = set.intersection(*({c for c in r.by_name if c not in out} for r in relations))
        if not shared and len(relations) > 1 and not any(r.by_name.keys() <= out for r in relations):
            sides = "; ".join(f"{r.label} has {r.said()}" for r in relations)
            raise ColumnMismatch(f"the tables have no common columns to compare: {sides}")
        names = {name: spelled for name, spelled in names.items() if name in shared}
    if not names:
        raise ColumnMismatch(
            f"no column of {relations[0].label} is left to compare without the key and the excluded columns"
        )
    return names


def dropped(options: Mapping[str, Any]) -> set[str]:
    """Return the names of columns that are not compared in any table."""
    return {name.lower() for name in [*(options["exclude"] or []), *identifying(options)]}


def identifying(options: Mapping[str, Any]) -> list[str]:
    """Return the names of columns that say whose a row is, or to which group it belongs."""
    grouping = options.get("group_by") or []
    return [name for name in (*grouping, options["key"], options.get("unit")) if name]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why columns cannot be compared: the error, the finding, and remedies other than excluding them."""

    error: type[SynthprivError]
    names: tuple[str, ...]
    found: str
    helps: tuple[str, ...]
    """The remedies before and after that of excluding the columns."""
    castable: bool = False
    """Whether all of the columns are text in one table and numbers or times in another."""


def problems(relations: Sequence[Relation], options: Mapping[str, Any]) -> list[Problem]:
    """Find the columns that cannot be compared, by their names and types.

    Parameters
    ----------
    relations, options
        As in `compare`.

    Raises
    ------
    SynthprivError
        A problem does not concern single columns; see `compare`.
    """
    names = _shared_names(relations, options)
    return [*_one_sided(relations, options), *_problems(relations, names, _given_roles(options))]


def disagreeing(relations: Sequence[Relation], options: Mapping[str, Any]) -> dict[str, dict[str, Column]]:
    """Return the columns whose roles differ between tables, by lower-case name and then by parameter.

    Parameters
    ----------
    relations, options
        As in `compare`.
    """
    names, given = _shared_names(relations, options), _given_roles(options)
    by_name = {key: {r.parameter: r.by_name[key] for r in relations} for key in names if key not in given}
    return {
        key: sources
        for key, sources in by_name.items()
        if all(c.family is not None for c in sources.values()) and _role(sources) is None
    }


def _given_roles(options: Mapping[str, Any]) -> dict[str, str]:
    """The roles that options give columns, unchecked."""
    roles = {name.lower(): role for role in ("numeric", "categorical") for name in options[role] or []}
    return roles | {name.lower(): "categorical" for name in options.get("text") or []}


def _together(found: Sequence[Problem]) -> SynthprivError:
    """One error for all problems: a single problem keeps its own remedies, several share general ones."""
    names = list(dict.fromkeys(name for problem in found for name in problem.names))
    them = "them" if len(names) > 1 else "it"
    out = f"exclude {them} ({wording.given('exclude', names)})"
    if len(found) == 1:
        return found[0].error(f"{found[0].found}; {out.join(found[0].helps)}")
    findings = "; ".join(problem.found for problem in found)
    casts = f"; {wording.given('auto_cast', True)} casts text to the type in the other tables" * any(
        problem.castable for problem in found
    )
    return found[0].error(
        f"{findings}. For all of these: {out}, as {wording.given('exclude_unsupported', True)} does, or fix the "
        f"tables{casts}"
    )


def _one_sided(relations: Sequence[Relation], options: Mapping[str, Any]) -> Iterator[Problem]:
    """The columns that are in one table and not in another, if no columns are selected."""
    if options["columns"]:
        return
    out = dropped(options)
    lacks: dict[tuple[str, str], dict[str, None]] = {}  # one table may be given for two parameters
    for relation in relations:
        for name, column in relation.by_name.items():
            lacking = next((r for r in relations if name not in r.by_name), None)
            if lacking is not None and name not in out:
                if relation.guessed:
                    raise ColumnMismatch(f"{relation.label} has other columns than {lacking.label}: {relation.said()}")
                lacks.setdefault((relation.label, lacking.label), {})[column.name] = None
    if lacks:
        found = [
            f"{listed_columns(list(names))} {'are' if len(names) > 1 else 'is'} in {has} but not in {lacking_label}"
            for (has, lacking_label), names in lacks.items()
        ]
        names = {name.lower(): name for listed in lacks.values() for name in listed}
        helps = ("", f" or choose the columns to compare ({wording.given('columns', [...])})")
        yield Problem(ColumnMismatch, tuple(names.values()), "; ".join(found), helps)


def _problems(relations: Sequence[Relation], names: Mapping[str, str], roles: Mapping[str, str]) -> Iterator[Problem]:
    """The problems of columns that all tables have."""
    labels = {r.parameter: r.label for r in relations}
    by_name = {name: {r.parameter: r.by_name[key] for r in relations} for key, name in names.items()}
    without = {name for name, sources in by_name.items() if any(c.family is None for c in sources.values())}
    yield from _without_distance({name: by_name[name] for name in by_name if name in without}, labels)
    given = {name: roles.get(name.lower()) for name in by_name}
    others = {name: sources for name, sources in by_name.items() if name not in without}
    differing = {n: sources for n, sources in others.items() if not given[n] and _role(sources) is None}
    yield from _disagreeing(differing, labels)
    for name, sources in others.items():
        if name not in differing:
            yield from _of_vectors(name, sources, labels, given[name])


def _of_vectors(
    name: str, sources: Mapping[str, Column], labels: Mapping[str, str], role: str | None
) -> Iterator[Problem]:
    """The problems of vectors: another role was given, or their lengths differ."""
    vectors = {parameter: c for parameter, c in sources.items() if c.family == "vector"}
    if vectors and role:
        parameter, column = next(iter(vectors.items()))
        found = (
            f'{wording.option(role)} names column "{column.name}", which holds vectors ({column.type}) in '
            f"{labels[parameter]}"
        )
        helps = ("vectors have a role of their own: leave it out of that option, or ", "")
        yield Problem(RoleError, (name,), found, helps)
        return
    lengths = {c.length: parameter for parameter, c in vectors.items() if c.length}
    if len(lengths) > 1:
        sides = " and ".join(f"of {length} numbers in {labels[p]}" for length, p in lengths.items())
        helps = ("only vectors of the same length are compared. Take both from the same model, or ", "")
        yield Problem(ColumnMismatch, (name,), f'column "{name}" holds vectors {sides}', helps)


def _by_compared_name(
    given: Mapping[str, Any], names: Mapping[str, str], relations: Sequence[Relation], option: str
) -> dict[str, Any]:
    out = [name for name in given if name.lower() not in names]
    unknown = [name for name in out if not any(name.lower() in r.by_name for r in relations)]
    if unknown:
        raise unknown_column(unknown, option, relations)
    if out:
        which = "which is" if len(out) == 1 else "which are"
        raise UnknownColumn(f"{wording.option(option)} names {listed_columns(out)}, {which} not among those compared")
    return {name.lower(): value for name, value in given.items()}


def _overrides(names: Mapping[str, str], relations: Sequence[Relation], options: Mapping[str, Any]) -> dict[str, str]:
    numeric, categorical, text = (
        _by_compared_name(dict.fromkeys(options.get(option) or [], role), names, relations, option)
        for option, role in (("numeric", "numeric"), ("categorical", "categorical"), ("text", "categorical"))
    )
    for option, named in (("categorical", categorical), ("text", text)):
        both = [names[key] for key in named if key in numeric]
        if both:
            are = "is" if len(both) == 1 else "are"
            raise OptionError(f"{listed_columns(both)} {are} in both options numeric and {option}; choose one")
    return numeric | categorical | text


def _without_distance(by_name: Mapping[str, Mapping[str, Column]], labels: Mapping[str, str]) -> Iterator[Problem]:
    """The columns whose type has no distance."""
    found, vectors, parts = [], False, []
    for sources in by_name.values():
        parameter, column = next((p, c) for p, c in sources.items() if c.family is None)
        found.append(f'column "{column.name}" of {labels[parameter]} has type {column.type}')
        parts += [column.name] * nested.is_nested(column)
        vectors |= VECTOR_ELSEWHERE.fullmatch(column.type) is not None
    if found:
        them = "them" if len(found) > 1 else "it"
        spread = "; a query in parentheses can turn the elements of a vector into columns" * vectors
        levels = f", have their parts read as columns ({wording.given('json', parts)})" if parts else ""
        leave = f"; {wording.given('exclude_unsupported', True)} leaves out all such columns"
        helps = ("", f"{levels} or cast {them} to a number, a time or text first{spread}{leave}")
        yield Problem(RoleError, tuple(by_name), f"{'; '.join(found)}, for which no distance is defined", helps)


def _role(sources: Mapping[str, Column]) -> str | None:
    """The role of a column by its types; None if two tables disagree."""
    # A column with only NULL has the role that it has in the other tables.
    known = {p: c for p, c in sources.items() if c.family != "null"} or sources
    found = {ROLE_OF[str(column.family)] for column in known.values()}
    times = {column.family == "time" for column in known.values()}
    return found.pop() if len(found) == 1 and (found != {"temporal"} or len(times) == 1) else None


def _disagreeing(by_name: Mapping[str, Mapping[str, Column]], labels: Mapping[str, str]) -> Iterator[Problem]:
    """The columns whose roles differ between tables."""
    found, casts = [], []
    for name, columns in by_name.items():
        known = {p: c for p, c in columns.items() if c.family != "null"}
        sides = ", ".join(f"{c.type} ({ROLE_OF[str(c.family)]}) in {labels[p]}" for p, c in known.items())
        found.append(f'column "{name}" is {sides}')
        target = other_than_text(known.values())
        if target is not None:
            casts.append(exp.cast(target.node, duckdb_type(target.held)).sql("duckdb"))
    names = tuple(by_name)
    several = len(names) > 1
    them, side = ("them", "side ") if several else ("it", "")
    if any(c.family == "vector" for columns in by_name.values() for c in columns.values()):
        yield Problem(RoleError, names, "; ".join(found), ("cast one side, or ", ""))
    elif names:
        how = f"{wording.given('numeric', list(names))} or {wording.given('categorical', list(names))}"
        cast = f"cast one {side}of them"
        castable = len(casts) == len(names)
        if castable:
            done = f"have it cast ({wording.given('auto_cast', True)})"
            cast = f"cast the text in a query in parentheses ({', '.join(casts)}), {done}"
        yield Problem(RoleError, names, "; ".join(found), (f"{cast}, or say how to compare {them} ({how})",), castable)


def other_than_text(columns: Iterable[Column]) -> Column | None:
    """The column of numbers or times to which the text columns may be cast; None if there is none."""
    texts = [column for column in columns if column.family in TEXTS]
    others = [column for column in columns if column.family not in TEXTS]
    role = {ROLE_OF[str(column.family)] for column in others}
    times = {column.family == "time" for column in others}
    return others[0] if texts and len(times) == 1 and role in ({"numeric"}, {"temporal"}) else None
