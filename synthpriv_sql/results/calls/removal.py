"""Removes records until nobody can be named: several statements, each on the remaining rows."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.errors import OptionError, SynthprivWarning
from synthpriv_sql.planner.columns.releases import OPTION
from synthpriv_sql.planner.headers import catalog, known_files, wording
from synthpriv_sql.results.result import Result

FALSE_DISCOVERY = 0.05
NAMED_BY = ("uniques", "agreement")
"""The attacks that name people unless ``attack`` says which; they are cheap, and share ``false_discovery``."""
LISTS = ("distance", "density", "agreement", "agreement_near", "uniques")
"""The attacks whose lists count unless ``attack`` says which: those of the verdict that learn nothing."""
FEW_AT_A_TIME = 4
"""So many rounds take one record for each named person; further ones take all that have a replicated unique of one."""


class Named(NamedTuple):
    """How many people of train can be named: beside those whom the releases before name, and these, if there are."""

    new: int
    before: int | None = None


def until_safe(call: Callable[..., Result], rows: int, given: Mapping[str, Any]) -> Result:
    """Remove copies, then the records that carry people, a few at a time, and report the effort.

    Parameters
    ----------
    call
        Calls a function by its name, or a file of sql/.
    rows
        The number of synthetic records.
    given
        The arguments of ``safe``.

    Returns
    -------
    Result
        The remaining records, in the types of the table; ``removed`` says how many are gone, and why.
    """
    if given.get("group_by"):
        raise OptionError(
            f"safe: {wording.given('until_safe', True)} and group_by do not go together: call it for each group"
        )
    asked = {**given, "false_discovery": given.get("false_discovery") or FALSE_DISCOVERY}
    limit = given.get("dcr_below")
    rules = {**given, "until_safe": None, "rounds": 1, "false_discovery": None, "dcr_below": limit or 0, OPTION: None}
    if given.get("holdout") is None:
        rules = {**rules, "false_discovery": asked["false_discovery"]}  # the error says what is missing
    result = call("safe", **rules)
    near, left = rows - len(result), result.to_arrow()
    rounds = int(near > 0)
    for taken in _carriers(call, left, asked):
        left, rounds = taken, rounds + 1
    naming = len(result) - len(left)
    made = Answer(left, result.types, result.sql)
    run = result.run
    if run is not None:
        counts = {"near": near, "naming": naming, "rounds": rounds}
        options = {**run.options, "until_safe": True, "false_discovery": asked["false_discovery"], "rounds": rounds}
        run = dataclasses.replace(run, options=options, removed=counts)
    named = None
    if given.get(OPTION) is not None and left.num_rows:
        named = _still_named(call, left, {**asked, "attack": _attacks(asked)[0]})
    _report(rows, near, naming, rounds, bool(limit or given.get("nndr_below")), named)
    return Result(result._engine, result.name, made, run)


def _carriers(call: Callable[..., Result], left: pa.Table, asked: Mapping[str, Any]) -> Iterator[pa.Table]:
    """Yield what remains after each round, until a round of all attacks takes nothing."""
    carriers = catalog.file(known_files.CARRIERS)
    named_by, lists = _attacks(asked)
    shared = {name: value for name, value in asked.items() if name in carriers.parameters and name != "synthetic"}
    rounds, everybody = 0, True
    while left.num_rows:
        # While people are named, only who names them is asked; lists, which cost more, once nobody is.
        asking = {**shared, "named_by": named_by, "attack": lists if everybody else named_by}
        found = call(carriers, **asking, synthetic=left, every=rounds >= FEW_AT_A_TIME)
        records = found.to_arrow()["record"].to_numpy()
        if not len(records):
            if everybody:
                return
            everybody = True
            continue
        keep = np.ones(left.num_rows, bool)
        keep[records] = False
        left = left.filter(pa.array(keep))
        rounds, everybody = rounds + 1, False
        yield left


def _attacks(asked: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[str]]:
    """The attacks that name people, and those whose lists count."""
    attack = asked.get("attack")
    chosen = [attack] if isinstance(attack, str) else attack
    if chosen in (None, catalog.function("safe").parameters["attack"].default):
        return NAMED_BY, LISTS
    return chosen, chosen


def _still_named(call: Callable[..., Result], left: Any, asked: Mapping[str, Any]) -> Named:
    """Ask whom the remaining records name, together with the releases before too, and whom these alone do."""
    function = catalog.file(known_files.STILL_NAMED)
    given = {name: value for name, value in asked.items() if name in function.parameters and name != "synthetic"}
    (row,) = call(function, **given, synthetic=left)
    return Named(row["exposed"], row["before"])


def _report(rows: int, near: int, naming: int, rounds: int, limited: bool, named: Named | None) -> None:
    removed = near + naming
    if not removed:
        nobody = "they name nobody of train" if named is None else _of_releases(named, "they")
        return _warn(f"none of {rows:,} synthetic records was removed; {nobody}")
    times = "1 round" if rounds == 1 else f"{rounds} rounds"
    said = [f"{removed:,} of {rows:,} synthetic records were removed in {times}"]
    if removed == rows:
        said.append("none remains")
    else:
        said.append("the remaining records name nobody of train" if named is None else _of_releases(named))
    if near:
        limits = " or are nearer to one than the limits allow" if limited else ""
        said.append(f"{near:,} equal a record of train{limits}")
    if naming:
        to = "" if named is None else ", alone or together with the releases before"
        said.append(f"{naming:,} carry people who could be named or were given away{to}")
    if removed < rows:
        said.append("around these people of train, there is now a hole")
    return _warn("; ".join(said))


def _of_releases(named: Named, who: str = "the remaining records") -> str:
    """Whom the remaining records name beside the releases before, and whom these do."""
    if named.new:
        said = f"{who} add nothing to the releases before, with which together {_people(named.new)} can still be named"
    else:
        said = f"{who} name nobody of train beside the releases before"
    if named.before:
        said += f" (these alone name {_people(named.before)}, which no change of this table protects)"
    return said


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"


def warn_of_rest(
    call: Callable[..., Result] | None, count: Callable[[Any], int], result: Result, given: Mapping[str, Any]
) -> None:
    """Warn of people whom the rows that ``safe`` has left still name, and of a hole that the usual limit cut.

    Parameters
    ----------
    call
        Calls a function by its name; None if nobody is asked for again.
    count
        Counts the rows of a table.
    result, given
        The result of ``safe``, and its arguments.
    """
    if given.get("until_safe", False) is None or given.get("group_by"):
        return
    if given.get("false_discovery"):
        if call is not None and len(result):
            _warn_if_named(call, result, given)
    elif given.get("dcr_below") is None and not given.get("copies_only"):
        _warn_of_hole(count(given.get("synthetic")), result, given)


def _warn_if_named(call: Callable[..., Result], result: Result, given: Mapping[str, Any]) -> None:
    named = _still_named(call, result.to_arrow(), given)
    if named.new:
        beside = "" if named.before is None else ", beside those whom the releases before name"
        _warn(
            f"the remaining records still name {_people(named.new)} of train{beside}; "
            f"{wording.given('until_safe', True)} continues until they name nobody"
        )


def _warn_of_hole(rows: int, result: Result, given: Mapping[str, Any]) -> None:
    """Say that the usual limit takes records of every table, and how many it took of this one."""
    removed = rows - len(result)
    if not removed:
        return
    fewer = [f"{wording.given('copies_only', True)} removes only copies"]
    if given.get("holdout") is not None:
        fewer.append(f"{wording.given('until_safe', True)} copies, and the records that name people")
    _warn(
        f"{removed:,} of {rows:,} synthetic records were removed: copies, and those closer to train than 95 of 100 "
        "real records, as 5 in 100 of a table without a leak are; that cuts a hole around people of train. "
        + ", ".join(fewer)
    )


def _warn(text: str) -> None:
    warnings.warn(text, SynthprivWarning, stacklevel=5)
