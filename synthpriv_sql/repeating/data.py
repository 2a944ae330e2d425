"""The real rows that runs begin with: read once, and drawn from by seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import pyarrow as pa

from synthpriv_sql.api.session import Session
from synthpriv_sql.errors import OptionError, UnknownColumn
from synthpriv_sql.planner.headers import catalog, wording
from synthpriv_sql.planner.headers.files import OPTION as CSV
from synthpriv_sql.repeating.synthesizers import Maker
from synthpriv_sql.version import __version__


def read(session: Session, data: Any, csv: Any = None) -> pa.Table:
    """Return all rows of a table, wherever it is.

    Parameters
    ----------
    session
        Where it is.
    data
        The table.
    csv
        How its CSV files are written.
    """
    # The last column says on which side a row would be.
    rows = session.call("split", data=data, **({CSV: csv} if csv else {})).to_arrow()
    return rows.select(rows.column_names[:-1])


def column(rows: pa.Table, name: str, option: str) -> str:
    """Return the name of a column as it is written in a table.

    Raises
    ------
    UnknownColumn
        The table has none of that name.
    """
    found: str | None = next((own for own in rows.column_names if own.lower() == name.lower()), None)
    if found is None:
        raise UnknownColumn(
            f'{wording.option(option)}: data has no column "{name}"; it has {", ".join(rows.column_names)}'
        )
    return found


def halves(session: Session, rows: pa.Table, share: float, seed: int, unit: str | None = None) -> pa.ChunkedArray:
    """Draw who is in train: true for each row that is.

    Parameters
    ----------
    session
        Draws, by `split`.
    rows
        All of them.
    share
        The chance of being in train.
    seed
        Of the lots; the same seed gives the same halves.
    unit
        A column that says whose a row is: the rows of a person go together.
    """
    import pyarrow.compute as pc

    drawn = rows if unit is None else pa.table({unit: pc.unique(rows[unit])})
    found = session.call("split", data=drawn, share=share, seed=seed).to_arrow()
    chosen: pa.ChunkedArray = pc.equal(found[found.column_names[-1]], "train")
    return chosen if unit is None else pc.is_in(rows[unit], value_set=drawn[unit].filter(chosen))


def fingerprint(session: Session, rows: pa.Table, **said: Any) -> str:
    """Return what stands for data and options: other rows, or the same in another order, have another one."""
    place = "place"
    while place in {name.lower() for name in rows.column_names}:
        place += "_"
    numbered = rows.append_column(place, pa.array(range(rows.num_rows), pa.int64()))
    content: str = session.call(catalog.file("content_hash"), data=numbered)["hash"][0]
    columns = {field.name: str(field.type) for field in rows.schema}
    whole = {"version": __version__, "data": content, "columns": columns, **said}
    text = json.dumps(whole, sort_keys=True, default=_name)
    return hashlib.sha256(text.encode()).hexdigest()


def _name(value: Any) -> str:
    """What an option that is an object of Python is known by."""
    return str(getattr(value, "__qualname__", None) or value)


def checked_options(function: str, options: Mapping[str, Any], refused: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of a function that were given for the runs.

    Parameters
    ----------
    function
        The function that is called in each run.
    options
        What was given.
    refused
        Options that do not go together with runs, and why.

    Raises
    ------
    OptionError
        One of these is given, or one that the function does not have.
    """
    given = {name: value for name, value in options.items() if value is not None}
    known = catalog.function(function).parameters
    for name in given:
        if name in refused:
            raise OptionError(f"{wording.option(name)} does not go together with repeated runs: {refused[name]}")
        if name not in known:
            near = get_close_matches(name, known, n=1)
            raise OptionError(
                f"{function} has no {wording.option(name)}" + (f'; did you mean "{near[0]}"?' if near else "")
            )
    # What is said and what goes without saying is the same call, whose kept runs count.
    return {name: value for name, value in given.items() if value != known[name].default}


def kept_name(name: str | None, made: Maker, into: Any) -> str:
    """Return what runs of a synthesizer are kept under.

    Raises
    ------
    OptionError
        They are kept, and it has no name of its own.
    """
    if name is None and into is not None and "<lambda>" in made.name:
        raise OptionError('runs of a lambda cannot be told from those of another one: give "name"')
    return made.name if name is None else name


def check_share(share: float) -> None:
    """Raise an error where a share is none."""
    if not 0 < share < 1:
        raise OptionError(f"{wording.refused('share', share)} is not between 0 and 1")


def check_times(times: int, least: int) -> None:
    """Raise an error where so many runs are too few."""
    if times < least:
        raise OptionError(f"{wording.refused('times', times)} is not at least {least}")


def left_out(options: Mapping[str, Any]) -> Sequence[str]:
    """The columns that are not compared by a call's options."""
    excluded = options.get("exclude") or ()
    names = [options.get("key"), options.get("unit"), *([excluded] if isinstance(excluded, str) else excluded)]
    return [name for name in names if name]
