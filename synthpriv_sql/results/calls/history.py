"""A history of releases: a DuckDB file that remembers which table each evaluation was about, and what it told."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from synthpriv_sql.errors import (
    OptionError,
    SynthprivWarning,
    UnknownTable,
    not_written,
    without_secrets,
)
from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.columns.releases import HISTORY, NEWEST, OPTION, SPEND
from synthpriv_sql.planner.headers import catalog, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.results.calls.caller import Caller
from synthpriv_sql.results.locks import open_file
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.run import now
from synthpriv_sql.unsaid import of_duckdb

_LEVEL = "false_discovery"
T = TypeVar("T")


def _silent(said: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class Release:
    """What a history remembers of a table."""

    number: int
    """From 1; a table that is evaluated again keeps its number."""
    name: str
    location: str | None
    """Its file, its name in the database, or a query; None for an object in Python."""
    hash: str
    """SHA-256 of the bytes of a local file, or of the contents of any other table."""
    evaluated_at: datetime
    released: bool
    level: str
    """The level of the verdict."""
    people: int | None
    """How many there are in train; like the numbers below, None without a holdout."""
    named: int | None
    """People identified by this table and all released before."""
    at_least: int | None
    """People given away at the top of a list by them."""
    false_discovery: float
    """The level of ``named``."""
    names: list[str] | None
    """Their keys, if these are to be remembered."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A call in which what a history says stands in its place."""

    given: dict[str, Any]
    number: int
    """The number of the synthetic table among the releases."""
    hash: str | None
    releases: Sequence[Release]
    """All that the history remembers."""


def read(path: str | os.PathLike[str]) -> list[Release]:
    """Return the releases that a file remembers, in the order of their numbers.

    Raises
    ------
    OptionError
        There is no such file, or it cannot be read.
    """
    file = _file(path)
    if not file.is_file():
        raise OptionError(
            f'there is no history "{file}": synthpriv evaluate --output {file} --append begins one with the first '
            "release"
        )

    def rows(connection: duckdb.DuckDBPyConnection) -> list[Release]:
        (there,) = connection.execute(catalog.statement("history_exists")).fetchall()
        if not there[0]:
            return []
        return [Release(*row) for row in connection.execute(catalog.statement("history_read")).fetchall()]

    try:
        with duckdb.connect(str(file), read_only=True) as connection:
            return rows(connection)
    except duckdb.Error as error:
        raise OptionError(f'the history "{file}" cannot be read: {of_duckdb(str(error))}') from None


def resolved(calls: Caller, function: Function, given: Mapping[str, Any], into: Path | None = None) -> Resolved:
    """Put the releases that a history remembers, and the level that is left, into the arguments of a call.

    Parameters
    ----------
    calls, function, given
        The call.
    into
        The history that is to remember it, which may not be there yet.

    Raises
    ------
    OptionError
        The history cannot be read, is not the one that remembers, or has a table that is gone or has changed.
    """
    path = given.get(HISTORY)
    if path is not None and HISTORY not in function.parameters:
        return Resolved(dict(given), 1, None, ())  # an error says so
    if path is not None and into is not None and _file(path).resolve() != into.resolve():
        raise OptionError(
            f'the history is "{path}", but "{into}" would remember this release: give one file for both, or the next '
            "release would not know of this one"
        )
    file = into or path
    if file is None:
        return Resolved(dict(releases.spent(function, given)), 1, None, ())
    begins = into is not None and not into.exists()
    remembered = [] if begins else read(file)
    synthetic = given.get(NEWEST)
    hashed = None if synthetic is None or _is_several(synthetic) else _hash_if_there(calls, synthetic)
    again = next((one for one in remembered if one.hash == hashed), None)
    number = again.number if again else 1 + max((one.number for one in remembered), default=0)
    asked = {name: value for name, value in given.items() if name != HISTORY}
    if path is None:
        return Resolved(dict(releases.spent(function, asked)), number, hashed, remembered)
    if not begins and not remembered:
        _warn(f'the history "{path}" remembers no release: give those before this one with {wording.option(OPTION)}')
    before = [one for one in remembered if one.released and one.number < number]
    own = {} if given.get(OPTION) is None else releases.named(function, given[OPTION])
    asked[OPTION] = {**_located(calls, Path(path), before, own), **own} or None
    if given.get(SPEND) is not False and (given.get(_LEVEL) or _searches(function, given)):
        asked = dict(releases.spent(function, {**asked, SPEND: True}, number))
    return Resolved(asked, number, hashed, remembered)


def _hash_if_there(calls: Caller, table: Any) -> str | None:
    try:
        return hash_of(calls, table)
    except UnknownTable:
        return None  # the call says so, together with what other tables lack


def _searches(function: Function, given: Mapping[str, Any]) -> bool:
    """Whether a call names people without being told a level."""
    parameter = function.parameters.get(_LEVEL)
    return SPEND in function.parameters and bool(given.get("until_safe") or (parameter and parameter.default))


def _is_several(synthetic: Any) -> bool:
    """Whether several tables are given, none of which is the newest release."""
    return isinstance(synthetic, (Mapping, list, tuple))


def hash_of(calls: Caller, table: Any) -> str:
    """Return the hash of the bytes of a local file, or of the contents of another table.

    Raises
    ------
    UnknownTable
        There is no such table.
    """
    if isinstance(table, (str, os.PathLike)) and os.path.isfile(table):
        with open(table, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    return str(calls.call(catalog.file("content_hash"), data=table)["hash"][0])


def _located(calls: Caller, history: Path, before: Sequence[Release], own: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of the releases by name; one that the call gives itself may have another hash, with a warning."""
    tables: dict[str, Any] = {}
    wrong: list[str] = []
    for one in before:
        said = f'"{one.name}" (release {one.number}, {one.evaluated_at:%Y-%m-%d})'
        if one.name in own:
            if hash_of(calls, own[one.name]) != one.hash:
                _warn(f"{said} is given, and differs from what was evaluated then")
            continue
        if one.location is None:
            wrong.append(f"{said} was an object in Python")
            continue
        tables[one.name] = _place(history, one.location)
        try:
            if hash_of(calls, tables[one.name]) != one.hash:
                wrong.append(f"{said} has changed: {_labelled(one.location)} has another hash")
        except UnknownTable:
            wrong.append(f"{said} is missing: {_labelled(one.location)}")
    if wrong:
        raise OptionError(
            f'of the releases in the history "{history}", {"; ".join(wrong)}. Name what was released then in '
            f"{wording.option(OPTION)}, by the same name; if a table was never released, "
            "its row in the table remembered.releases of that file has to say so (released = false)"
        )
    return tables


def _labelled(location: str) -> str:
    """A location in messages."""
    return location if location.startswith("(") else f'"{location}"'


def _place(history: Path, location: str) -> str:
    """Where a table is now: a file may have moved together with the history."""
    beside = history.parent / Path(location).name
    return str(beside) if os.path.isabs(location) and not os.path.exists(location) and beside.is_file() else location


def location_of(table: Any) -> str | None:
    """Return where a table can be found again: None if nowhere, or only with a password."""
    if not isinstance(table, (str, os.PathLike)):
        return None
    text = str(os.fspath(table))
    if without_secrets(text) != text:
        return None
    return os.path.abspath(text) if os.path.exists(text) else text


def remember(
    path: str | os.PathLike[str], release: Release, wait: float = 0, say: Callable[[str], None] = _silent
) -> None:
    """Write a release into a history, in the place of an earlier one of its number.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    file = _file(path)
    begins = not file.exists()
    try:
        with open_file(file, wait, say) as connection, connection.cursor() as cursor:
            for name in ("history_schema", "history_table"):
                cursor.execute(catalog.statement(name))
            cursor.begin()
            cursor.execute(catalog.statement("history_replace"), [release.number])
            cursor.execute(catalog.statement("history_add"), list(astuple(release)))
            cursor.commit()
        if begins and release.names:
            file.chmod(0o600)
    except (OSError, duckdb.Error) as error:
        raise not_written(f'"{file}"', error) from None


def remembered(
    calls: Caller,
    path: str | os.PathLike[str],
    evaluation: Result,
    level: str,
    given: Mapping[str, Any],
    names: bool,
    released: bool,
) -> Release:
    """Remember an evaluation with these arguments in a history; see `made` and `remember`."""
    file = _file(path)
    release = made(
        calls, resolved(calls, catalog.function("evaluate"), given, file), evaluation, level, names, released
    )
    remember(file, release)
    return release


def made(calls: Caller, call: Resolved, evaluation: Result, level: str, names: bool, released: bool) -> Release:
    """Return what is to be remembered of an evaluation.

    Parameters
    ----------
    calls, call
        The arguments of the evaluation.
    evaluation, level
        Its numbers, and the level of its verdict.
    names
        Whether the keys of the people who are named are remembered.
    released
        Whether the table is released.

    Raises
    ------
    OptionError
        There is no column by which people could be remembered, or there is no one synthetic table.
    """
    if call.hash is None:
        raise OptionError("a history remembers one synthetic table at a time")
    given = call.given
    function = catalog.function("evaluate")
    numbers = {(row["metric"], row["variant"], row["statistic"]): row["value"] for row in evaluation}
    several = given.get(OPTION) is not None

    def number(statistic: str) -> int | None:
        names = (("releases", "union", statistic),) if several else (("exposure", None, statistic),)
        value = next((numbers[name] for name in names if numbers.get(name) is not None), None)
        return None if value is None else int(value)

    people = numbers.get(("releases" if several else "exposure", None, "people"))
    return Release(
        number=call.number,
        name=_named(given[NEWEST], call),
        location=location_of(given[NEWEST]),
        hash=call.hash,
        evaluated_at=now(),
        released=released,
        level=level,
        people=None if people is None else int(people),
        named=number("exposed"),
        at_least=number("at_least"),
        false_discovery=float(given.get(_LEVEL) or function.parameters[_LEVEL].default),
        names=_names(calls, given) if names else None,
    )


def _named(table: Any, call: Resolved) -> str:
    """The name of a release: that of its file or table, which no other one has."""
    text = os.fspath(table) if isinstance(table, (str, os.PathLike)) else type(table).__name__
    name = Path(text).name if os.path.exists(text) else without_secrets(text)
    others = {one.name for one in call.releases if one.number != call.number} | {NEWEST}
    return name if name not in others else f"{name} ({call.number})"


def _names(calls: Caller, given: Mapping[str, Any]) -> list[str]:
    """The keys, or the persons, of those who are named by this table and all released before."""
    column = "person" if given.get("unit") else "key"
    if not given.get("key") and not given.get("unit"):
        raise OptionError(
            f"people can only be remembered by a column that identifies them: give {wording.option('key')} or "
            f"{wording.option('unit')}"
        )
    if given.get("holdout") is None:
        raise OptionError('without the table "holdout" nobody is named, and there is nobody to remember')
    function, evaluate = catalog.function("exposure"), catalog.function("evaluate")
    asked = {name: value for name, value in given.items() if name in function.parameters and name != "attack"}
    attacks = given.get("named_by") or evaluate.parameters["named_by"].default
    found = calls.call("exposure", **{**asked, "attack": attacks})
    rows = zip(found[column], found["exposed"], strict=True)
    return sorted({str(name) for name, exposed in rows if exposed})


def _file(path: str | os.PathLike[str]) -> Path:
    file = Path(path)
    if file.suffix != ".duckdb":
        raise OptionError(f'a history is a .duckdb file, and "{file}" is not one')
    return file


def _warn(text: str) -> None:
    warnings.warn(text, SynthprivWarning, stacklevel=5)
