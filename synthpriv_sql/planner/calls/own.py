"""Tables that the user computed elsewhere, besides those to compare: scores of attacks, and distances to neighbors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from sqlglot import exp

from synthpriv_sql.errors import OptionError, RoleError
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.database import Database
from synthpriv_sql.planner.headers import catalog, known_files, wording
from synthpriv_sql.planner.headers.arguments import ALL
from synthpriv_sql.planner.headers.catalog import Function

OWN = "own"
"""The choice that stands for all attacks of a table of scores; also the name of its attack if it names none."""
_SAYS = {
    "side": "the columns side (train or holdout) and record (its position there, from 0) name it",
    "record": "the column record numbers those of train from 0, and those of the holdout after them",
    "key": "the key names it",
}
NAMING_ATTACKS = ("attack", "named_by")
"""The options that name attacks."""
_TABLES = ("scores", "distances")


@dataclass(frozen=True, slots=True)
class Constant(Column):
    """A placeholder for a column that a table does not have."""

    value: str | None = None

    @property
    def node(self) -> exp.Expr:  # type: ignore[override]
        """The value."""
        return exp.cast(exp.null() if self.value is None else exp.Literal.string(self.value), self.type)


def are_functions(function: Function, given: Mapping[str, Any]) -> bool:
    """Whether a call has attacks that are functions in Python."""
    return "scores" in function.parameters and any(
        name in given and any(callable(one) for _, one in listed(given[name])) for name in NAMING_ATTACKS
    )


def listed(value: Any) -> Iterator[tuple[str, Any]]:
    """Iterate over the attacks of an option by name."""
    if isinstance(value, Mapping):
        yield from ((str(name), one) for name, one in value.items())
    elif callable(value):
        yield getattr(value, "__name__", type(value).__name__), value
    elif isinstance(value, str):
        yield value, value
    elif value is not None:
        for one in value:
            yield from listed(one)


def separated(relations: Sequence[Relation]) -> tuple[list[Relation], list[Relation]]:
    """Return the tables to compare, and the user's tables of scores and distances."""
    apart = [relation for relation in relations if relation.parameter in _TABLES]
    return [relation for relation in relations if relation not in apart], apart


def with_attacks(engine: Database, function: Function, given: Mapping[str, Any]) -> tuple[Function, dict[str, Any]]:
    """Allow a call to name the attacks in its table of scores, and select all of them if it names none.

    Raises
    ------
    OptionError
        The table has no attack, one with the name of a built-in attack, or more than the call can take.
    """
    given = dict(given)
    parameter = function.parameters.get("attack")
    for table in _TABLES:
        if given.get(table) is not None:
            _check(function, table, given)
    if given.get("scores") is None or parameter is None:
        return function, given
    names = [row["attack"] for row in engine.ask(catalog.file(known_files.OWN_ATTACKS), {"scores": given["scores"]})]
    if not names or None in names:
        raise OptionError(
            f"{function.name}: {wording.option('scores')} is a table "
            + ("without rows; give a score for each record" if not names else "with rows whose attack is missing")
        )
    taken = next((name for name in names if name in parameter.choices and name != OWN), None)
    if taken is not None:
        raise OptionError(
            f'{function.name}: {wording.option("scores")} has an attack "{taken}", which is a built-in one; rename it'
        )
    one = parameter.type == "text"
    for option in NAMING_ATTACKS:
        if option in function.parameters:
            given[option] = _named(function, option, given.get(option), names, one)
    if one and given["attack"] not in names:
        raise OptionError(
            f"{function.name}: {wording.refused('attack', given['attack'])} is not an attack of the scores, which "
            f"have {', '.join(names)}; leave out one of the two options"
        )
    parameters = {
        name: replace(p, choices=(*p.choices, *names)) if name in NAMING_ATTACKS else p
        for name, p in function.parameters.items()
    }
    return replace(function, parameters=MappingProxyType(parameters)), given


def _check(function: Function, table: str, given: Mapping[str, Any]) -> None:
    """Raise an error if a call needs what the user's table does not contain."""
    for option in ("group_by", "order", *(["unit"] if table == "distances" else [])):
        if given.get(option):
            raise OptionError(
                f'{function.name}: {table} are of all records, so they exclude "{option}"; give queries in parentheses '
                f"that select the rows of one group, and their {table}"
            )
    if table == "distances" and given.get("variant") not in (None, "second"):
        raise OptionError(
            f"{function.name}: distances are those of synthetic records to train, which only the variant second "
            f"uses; leave out {wording.given('variant', given['variant'])}"
        )


def _named(function: Function, option: str, value: Any, names: Sequence[str], one: bool) -> Any:
    """The attacks of an option, with ``own`` replaced by the names of those in the scores.

    A default of one attack is replaced by the user's own; to several attacks the user's own are added.
    """
    default = function.parameters[option].default
    if value is None and option != "attack":
        return None
    if one:
        if value in (None, OWN, default):
            if len(names) > 1:
                raise OptionError(
                    f"{function.name}: {wording.option('scores')} has the attacks {', '.join(names)}; name one of "
                    "them (attack)"
                )
            return names[0]
        return value
    listed = [value] if isinstance(value, str) else list(default if value is None else value)
    if option == "attack" and listed == default and len(default) == 1 and default != [ALL]:
        listed = []
    found = [name for one in listed for name in (names if one == OWN else [one])]
    if option == "attack" and not set(found) & set(names):
        found += names
    return list(dict.fromkeys(found))


def lists(
    function: Function, relations: Sequence[Relation], options: Mapping[str, Any]
) -> tuple[dict[str, list[Column]], dict[str, Any]]:
    """Return the columns of the user's own tables by list, and the options that say how scores identify records.

    Raises
    ------
    OptionError
        No column identifies the records of scores.
    RoleError
        A column is not numeric.
    """
    found: dict[str, list[Column]] = {}
    identified: dict[str, Any] = {}
    for relation in relations:
        if relation.parameter == "scores":
            found["score_attack"] = [relation.by_name.get("attack", _nothing("attack", "VARCHAR", OWN))]
            if "attack" not in function.parameters:
                continue
            by = _naming(relation, options.get("key"))
            identified = {"scores_by": by, "scores_say": _SAYS[by]}
            key = relation.column(options["key"], "key") if by == "key" else _nothing("key", "VARCHAR")
            found |= {
                "score_side": [relation.by_name.get("side", _nothing("side", "VARCHAR"))],
                "score_record": [_nothing("record", "BIGINT") if by == "key" else _number(relation, "record")],
                "score_key": [key],
                "score_value": [_number(relation, "score")],
            }
        if relation.parameter == "distances":
            names = ("query", "rank", "neighbor", "distance")
            lists_ = ("distance_query", "distance_rank", "distance_neighbor", "distance_value")
            found |= {listed: [_number(relation, name)] for listed, name in zip(lists_, names, strict=True)}
    return found, identified


def _naming(scores: Relation, key: str | None) -> str:
    """The columns that identify the records of a table of scores: by side, record number or key."""
    if "record" in scores.by_name:
        return "side" if "side" in scores.by_name else "record"
    if key and key.lower() in scores.by_name:
        return "key"
    raise OptionError(
        f"no column of {scores.label}, given as scores, identifies records: it has {', '.join(scores.by_name)}; give "
        "side (train or holdout) and record (from 0), record alone (the holdout's after those of train), or the column "
        "that the option key names"
    )


def _number(relation: Relation, name: str) -> Column:
    column = relation.column(name, relation.parameter)
    if not column.is_number:
        raise RoleError(
            f'column "{column.name}" of {relation.label}, given as {relation.parameter}, is {column.type}; it must '
            "be a number"
        )
    return column


def _nothing(name: str, type_: str, value: str | None = None) -> Constant:
    return Constant(f"no {name}", type_, type_.lower(), value=value)
