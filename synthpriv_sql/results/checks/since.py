"""Changes since a saved evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
from rich.console import Console
from rich.table import Table
from rich.text import Text

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.columns.releases import OPTION
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.results.display import cell, words
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.run import AT

_STYLES = {"better": "green", "worse": "red"}


@dataclass(frozen=True)
class Kept:
    """An earlier evaluation, with its time and options if known."""

    result: Result
    at: Any = None
    options: str | None = None


def last_run(path: Path) -> Kept:
    """Read the evaluation in a file; from a table of several runs, the last one.

    Raises
    ------
    OptionError
        The file cannot be read, or contains no evaluation.
    """
    found = Result.read(path)
    table = found.to_arrow()
    columns = list(catalog.function("evaluate").columns)
    if table.num_rows == 0 or not set(columns) <= set(table.column_names):
        raise OptionError(f'"{path}" contains no result of evaluate: its columns are {", ".join(table.column_names)}')
    at = options = None
    if AT in table.column_names:
        at = pc.max(table[AT]).as_py()
        table = table.filter(pc.equal(table[AT], pc.max(table[AT])))
        options = table["run_options"][0].as_py()
    types = dict(zip(found.columns, found.types, strict=True))
    return Kept(Result(None, "evaluate", Answer(table.select(columns), [types[c] for c in columns], "")), at, options)


def show(changes: Result, now: Result, before: Kept, console: Console) -> None:
    """Print the numbers that have changed, and the differences between the calls.

    Parameters
    ----------
    changes
        The result of the function `changes`.
    now, before
        The evaluations.
    console
        Where to print.
    """
    rows = [row for row in changes if row["became"] != "same"]
    when = f"the run of {before.at:%Y-%m-%d %H:%M}" if before.at is not None else "then"
    console.print(Text(f"\nSince {when}: {_counted(rows)}; {len(changes) - len(rows):,} are the same.", style="bold"))
    for note in _other_options(now, before):
        console.print(words(f"Note: {note}"))
    if not rows:
        return
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for heading in ("number", "before", "now", "difference", "became"):
        table.add_column(heading, overflow="fold", justify="left" if heading in {"number", "became"} else "right")
    for row in rows:
        name = ".".join(part for part in (row["metric"], row["variant"], row["statistic"]) if part)
        became = row["became"] + (", beyond the intervals" if row["apart"] else "")
        numbers = (cell(row[column]) for column in ("before", "now", "difference"))
        table.add_row(words(name), *numbers, Text(became, style=_STYLES.get(row["became"], "")))
    console.print(table)


def _counted(rows: list[dict[str, Any]]) -> str:
    kinds = [row["became"] for row in rows]
    said = [f"{kinds.count(kind):,} {kind}" for kind in ("worse", "better", "changed", "new", "gone") if kind in kinds]
    return f"{len(rows):,} of the numbers changed" + (f" ({', '.join(said)})" if said else "")


def _releases(then: list[str], current: list[str]) -> Iterator[str]:
    for said, names in (
        ("now told together with this table", [name for name in current if name not in then]),
        ("no longer told together with this table", [name for name in then if name not in current]),
    ):
        if names:
            yield f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} {said}"


def _other_options(now: Result, before: Kept) -> Iterator[str]:
    if now.run is None or before.options is None:
        return
    then = json.loads(before.options)
    for name, value in json.loads(json.dumps(dict(now.run.options), default=str)).items():
        if name == OPTION and then.get(name) != value:
            yield from _releases(then.get(name) or [], value or [])
        elif name in then and then[name] != value:
            yield f"the option {name} was {json.dumps(then[name])} and is {json.dumps(value)}"
