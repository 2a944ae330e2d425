"""User-defined attacks: functions that score every real record without knowing its side."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthpriv_sql.engines.base import Engine
from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.calls.own import NAMING_ATTACKS, listed
from synthpriv_sql.planner.headers import arguments, catalog
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.results.result import Result

Integers = np.ndarray[Any, np.dtype[np.int64]]
PERSONS = "persons"
"""The parameter of an attack that gets the person of each real record."""


def with_scores(
    engine: Engine, call: Callable[..., Result], function: Function, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Call the functions among the attacks of a call, and replace them by a table of their scores.

    Parameters
    ----------
    engine
        Where the tables are.
    call
        Calls a function of the catalog by its name.
    function, given
        The call.

    Raises
    ------
    OptionError
        A function does not return one finite number for each real record, two of them have the same name, or the call
        has an option that is incompatible with functions.
    """
    arguments.check_names(function, given)  # before anything is called: an attack may take hours
    asked: dict[str, Callable[..., Any]] = {}
    named = dict(given)
    for option in NAMING_ATTACKS:
        names = []
        for name, one in listed(given.get(option)):
            if callable(one) and asked.setdefault(name, one) is not one:
                raise OptionError(
                    f'{function.name}: two attacks have the name "{name}"; name them, such as '
                    "{'mine': first, 'other': second}"
                )
            names.append(name)
        if given.get(option) is not None:
            named[option] = names[0] if function.parameters[option].type == "text" and len(names) == 1 else names
    if given.get("scores") is not None:
        raise OptionError(f"{function.name}: give attacks as functions or as a table of scores, not both")
    if "objects" in engine.lacks:
        raise OptionError(
            f"{function.name}: the scores of a function are Python rows, which {engine.name} does not accept; write "
            "them to a table there, and give that as scores"
        )
    for option in ("group_by", "order"):
        if given.get(option):
            raise OptionError(
                f'{function.name}: a function scores all records, so "{option}" is not supported; call it for the '
                "rows of one group"
            )
    rows = catalog.file("attacked_rows")
    taken = {name: value for name, value in given.items() if name in rows.parameters}
    table = call(rows, **taken).to_arrow()
    persons = None
    if given.get("unit") and any(_takes_persons(attack) for attack in asked.values()):
        owners = catalog.file("attacked_persons")
        found = call(owners, **{name: value for name, value in taken.items() if name in owners.parameters})
        persons = found.to_arrow()["person"].to_numpy()
    named["scores"] = _scores(function.name, table, persons, asked, int(given.get("seed") or 0))
    return named


def _takes_persons(attack: Callable[..., Any]) -> bool:
    try:
        return PERSONS in inspect.signature(attack).parameters
    except (TypeError, ValueError):  # some compiled functions
        return False


def _scores(
    function: str, rows: pa.Table, persons: Integers | None, attacks: Mapping[str, Callable[..., Any]], seed: int
) -> pa.Table:
    """The scores of all attacks, with the side and record number of each record.

    ``persons`` has the person of each real record, in the order of ``rows``; None if each record is one.
    """
    columns = [name for name in rows.column_names if name not in {"side", "record"}]
    sides = rows["side"]
    synthetic = rows.filter(pc.equal(sides, "synthetic")).select(columns)
    real = rows.filter(pc.not_equal(sides, "synthetic"))
    # A random order, which reveals nothing about sides.
    order = np.random.default_rng(seed).permutation(len(real))
    real = real.take(order)
    # Numbered by where they first stand: in the order of their names, the people of train may come first.
    numbers = np.arange(len(real)) if persons is None else _by_first(persons[order])
    tables = []
    for name, attack in attacks.items():
        told = {PERSONS: numbers.copy()} if _takes_persons(attack) else {}
        found = _numbers(function, name, attack(real.select(columns), synthetic, **told), len(real))
        tables.append(
            pa.table(
                {
                    "attack": pa.array([name] * len(real), pa.string()),
                    "side": real["side"],
                    "record": real["record"],
                    "score": found,
                }
            )
        )
    return pa.concat_tables(tables)


def _by_first(persons: Integers) -> Integers:
    """Number persons from 0, in the order in which they first occur."""
    _, first, places = np.unique(persons, return_index=True, return_inverse=True)
    numbers = np.empty(len(first), np.int64)
    numbers[np.argsort(first)] = np.arange(len(first))
    found: Integers = numbers[places]
    return found


def _numbers(function: str, name: str, found: Any, records: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Convert the output of an attack to one finite number for each record."""
    if hasattr(found, "to_numpy"):  # Arrow and data frames
        found = found.to_numpy()
    try:
        scores = np.asarray(found)
        if scores.dtype.kind not in "biuf":  # a list with None among numbers, decimals, or strings
            scores = np.array([np.nan if one is None else one for one in scores])
            scores = scores.astype(np.float64) if scores.dtype.kind not in "USmM" else scores
        problem = "" if scores.dtype.kind in "biuf" else f"{scores.dtype} instead of numbers"
    except (TypeError, ValueError):
        problem = f"a {type(found).__name__} that is not numeric"
    if not problem and scores.shape != (records,):
        problem = f"an array of the shape {scores.shape}"
    if not problem:
        wrong = int(np.count_nonzero(~np.isfinite(scores.astype(np.float64))))
        problem = f"{wrong} scores that are missing, NaN or infinite" if wrong else ""
    if problem:
        raise OptionError(
            f'{function}: the attack "{name}" returned {problem}; it must return one finite number for each of the '
            f"{records} rows of the first table, in their order"
        )
    return scores.astype(np.float64)
