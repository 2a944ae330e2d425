"""Changes since a saved evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from synthpriv_sql.planner.columns.releases import OPTION
from synthpriv_sql.results.checks.numbers import LEVELS
from synthpriv_sql.results.checks.runs import Kept
from synthpriv_sql.results.display import cell, words
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.saved import COLUMNS

_STYLES = {"better": "green", "worse": "red"}
_LEVELS = tuple(LEVELS)


def show(changes: Result, now: Result, before: Kept, console: Console, apart: bool = False) -> None:
    """Print the verdict then and now, the numbers that have changed, and the differences between the calls.

    Parameters
    ----------
    changes
        The result of the function `changes`.
    now, before
        The evaluations.
    console
        Where to print.
    apart
        Whether only numbers that differ beyond chance are listed.
    """
    every = [row for row in changes if row["section"] not in {"verdict", COLUMNS}]
    rows = [row for row in every if row["became"] != "same"]
    level = next((row for row in changes if row["section"] == "verdict"), None)
    console.print()
    if level is not None:
        style = _STYLES.get(level["became"], "")
        console.print(words(f"Since {before.called}, {_verdict(level)}.", style=f"bold {style}".strip()))
    shown = [row for row in rows if row["apart"]] if apart else rows
    console.print(words(f"{_counted(rows)}; {len(every) - len(rows):,} are the same.", style="bold"))
    for note in _other_options(now, before):
        console.print(words(f"Note: {note}"))
    if not shown:
        return
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for heading in ("number", "before", "now", "difference", "became"):
        table.add_column(heading, overflow="fold", justify="left" if heading in {"number", "became"} else "right")
    for row in shown:
        name = ".".join(part for part in (row["metric"], row["variant"], row["statistic"]) if part)
        numbers = (cell(row[column]) for column in ("before", "now", "difference"))
        table.add_row(words(name), *numbers, Text(row["became"], style=_STYLES.get(row["became"], "")))
    console.print(table)


def _verdict(row: dict[str, Any]) -> str:
    then, now = (None if row[side] is None else _LEVELS[int(row[side])] for side in ("before", "now"))
    if then is None:
        return f"the verdict is {now} (it was not kept then)"
    return f"the verdict is still {now}" if then == now else f"the verdict became {row['became']}: {then} → {now}"


def _counted(rows: list[dict[str, Any]]) -> str:
    kinds = [row["became"] for row in rows]
    said = [f"{kinds.count(kind):,} {kind}" for kind in ("worse", "better") if kind in kinds]
    beyond = f"{' and '.join(said)} beyond chance" if said else "none worse or better beyond chance"
    others = [f"{kinds.count(kind):,} {kind}" for kind in ("new", "gone") if kind in kinds]
    return ", ".join([f"{len(rows):,} of the numbers changed: {beyond}", *others])


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
