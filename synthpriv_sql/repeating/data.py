"""The real rows of repeated runs: read once, and sampled by seed."""

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
    """Return all rows of a table.

    Parameters
    ----------
    session
        The session with the table.
    data
        The table.
    csv
        The format of its CSV files.
    """
    # The last column is the side of a row.
    rows = session.call("split", data=data, **({CSV: csv} if csv else {})).to_arrow()
    return rows.select(rows.column_names[:-1])


def column(rows: pa.Table, name: str, option: str) -> str:
    """Return the name of a column as spelled in a table.

    Raises
    ------
    UnknownColumn
        The table has no column of that name.
    """
    found: str | None = next((own for own in rows.column_names if own.lower() == name.lower()), None)
    if found is None:
        raise UnknownColumn(
            f'{wording.option(option)}: data has no column "{name}"; it has {", ".join(rows.column_names)}'
        )
    return found


def halves(session: Session, rows: pa.Table, share: float, seed: int, unit: str | None = None) -> pa.ChunkedArray:
    """Draw the members of train: true for each row in train.

    Parameters
    ----------
    session
        The session that draws, by `split`.
    rows
            All rows.
    share
        The probability of being in train.
    seed
        The random seed; the same seed gives the same halves.
    unit
        The column that identifies the person of a row: the rows of a person stay together.
    """
    import pyarrow.compute as pc

    drawn = rows if unit is None else pa.table({unit: pc.unique(rows[unit])})
    found = session.call("split", data=drawn, share=share, seed=seed).to_arrow()
    chosen: pa.ChunkedArray = pc.equal(found[found.column_names[-1]], "train")
    return chosen if unit is None else pc.is_in(rows[unit], value_set=drawn[unit].filter(chosen))


def fingerprint(session: Session, rows: pa.Table, **said: Any) -> str:
    """Return a hash of data and options; other rows, or another order, give another hash."""
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
    """The name that identifies an option that is a Python object."""
    return str(getattr(value, "__qualname__", None) or value)


def checked_options(function: str, options: Mapping[str, Any], refused: Mapping[str, str]) -> dict[str, Any]:
    """Check the options of the function that the runs call.

    Parameters
    ----------
    function
        The function called in each run.
    options
        The given options.
    refused
        Options that runs do not support, and why.

    Raises
    ------
    OptionError
        An unsupported or unknown option is given.
    """
    given = {name: value for name, value in options.items() if value is not None}
    known = catalog.function(function).parameters
    for name in given:
        if name in refused:
            raise OptionError(f"{wording.option(name)} cannot be combined with repeated runs: {refused[name]}")
        if name not in known:
            near = get_close_matches(name, known, n=1)
            raise OptionError(
                f"{function} has no {wording.option(name)}" + (f'; did you mean "{near[0]}"?' if near else "")
            )
    # Explicit and implicit defaults are the same call, so saved runs are reused.
    return {name: value for name, value in given.items() if value != known[name].default}


def kept_name(name: str | None, made: Maker, into: Any) -> str:
    """Return the name under which runs of a synthesizer are saved.

    Raises
    ------
    OptionError
        Runs are saved, but the synthesizer has no name.
    """
    if name is None and into is not None and "<lambda>" in made.name:
        raise OptionError('runs of a lambda cannot be distinguished from those of another one: give "name"')
    return made.name if name is None else name


def check_share(share: float) -> None:
    """Raise an error if a share is not between 0 and 1."""
    if not 0 < share < 1:
        raise OptionError(f"{wording.refused('share', share)} is not between 0 and 1")


def check_times(times: int, least: int) -> None:
    """Raise an error if there are too few runs."""
    if times < least:
        raise OptionError(f"{wording.refused('times', times)} is not at least {least}")


def left_out(options: Mapping[str, Any]) -> Sequence[str]:
    """The columns that a call's options exclude from the comparison."""
    excluded = options.get("exclude") or ()
    names = [options.get("key"), options.get("unit"), *([excluded] if isinstance(excluded, str) else excluded)]
    return [name for name in names if name]
