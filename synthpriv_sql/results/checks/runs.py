"""The runs in a saved evaluation: one, or all that ``--append`` has added to a history."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synthpriv_sql.engines.base import RUN_ID, Answer
from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.run import AT, COLUMNS_OF_RUNS
from synthpriv_sql.results.saved import COLUMNS, PASSED, VERDICT, load

_PLACES = 6
"""The maximum number of digits of a place among the runs; longer ones begin an identifier."""


@dataclass(frozen=True)
class Kept:
    """A saved evaluation, with what is known of its run.

    ``result`` has its numbers, ``whole`` also the rows of the verdict and of the columns of its tables. ``options``,
    ``tables`` and ``rows`` are JSON.
    """

    result: Result
    whole: Result
    number: int = 1
    at: Any = None
    id: str = ""
    options: str | None = None
    tables: str | None = None
    rows: str | None = None
    seconds: str | None = None

    @property
    def called(self) -> str:
        """The run in messages."""
        return f"the run of {self.shown}" if self.at is not None else "the evaluation then"

    @property
    def shown(self) -> str:
        """Its time in UTC, to the second."""
        return f"{self.at:%Y-%m-%d %H:%M:%S}" if isinstance(self.at, datetime) else ""

    @property
    def passed(self) -> bool | None:
        """Whether all conditions held that were required of it; None if there were none, or it is not known."""
        found = self.of_verdict(PASSED)
        return None if found is None or found["value"] is None else bool(found["value"])

    @property
    def columns(self) -> dict[str, dict[str, str]]:
        """The type of each column by table, as far as they are known."""
        found: dict[str, dict[str, str]] = {}
        for row in self.whole:
            if row["section"] == COLUMNS:
                found.setdefault(row["metric"], {})[row["variant"]] = row["meaning"]
        return found

    def of_verdict(self, statistic: str) -> dict[str, Any] | None:
        """The row of the verdict with this statistic."""
        return next((r for r in self.whole if r["section"] == VERDICT and r["statistic"] == statistic), None)

    @property
    def synthetic(self) -> str:
        """The name of the synthetic table."""
        return str(json.loads(self.tables or "{}").get("synthetic", ""))


def runs_of(path: Path) -> list[Kept]:
    """Return the evaluations in a file, those of a history in the order of their times.

    Raises
    ------
    OptionError
        The file cannot be read, or contains no evaluation.
    """
    _, answer = load(path, whole=True)
    table, known = answer.table, answer.types
    columns = list(catalog.function("evaluate").columns)
    if table.num_rows == 0 or not set(columns) <= set(table.column_names):
        raise OptionError(f'"{path}" contains no result of evaluate: its columns are {", ".join(table.column_names)}')
    types = dict(zip(table.column_names, known, strict=True))
    own = [column for column in table.column_names if column not in COLUMNS_OF_RUNS]
    if AT not in types:
        return [_kept(table.select(own), types, 1, {})]
    runs = table.select([AT, RUN_ID]).group_by([AT, RUN_ID], use_threads=False).aggregate([]).sort_by(AT).to_pylist()
    return [
        _kept(
            table.filter(pc.equal(table[RUN_ID], run[RUN_ID])).select([*own, *_RUN]),
            {column: types[column] for column in own},
            number,
            run,
        )
        for number, run in enumerate(runs, 1)
    ]


_RUN = ("run_options", "run_tables", "run_rows", "run_seconds")


def _kept(table: pa.Table, types: dict[str, str], number: int, run: dict[str, Any]) -> Kept:
    known = {} if not run else {name.removeprefix("run_"): table[name][0].as_py() for name in _RUN}
    table = table.select(list(types))
    apart = pc.is_in(table["section"], value_set=pa.array([VERDICT, COLUMNS]))
    numbers, whole = (Answer(rows, list(types.values()), "") for rows in (table.filter(pc.invert(apart)), table))
    return Kept(
        Result(None, "evaluate", numbers),
        Result(None, "evaluate", whole),
        number,
        run.get(AT),
        run.get(RUN_ID, ""),
        **known,
    )


def last_run(path: Path) -> Kept:
    """Return the evaluation in a file; of several runs, the last one."""
    return runs_of(path)[-1]


def last_accepted(runs: Sequence[Kept]) -> Kept | None:
    """Return the last run that met what was required of it: what a later one may not be worse than."""
    return next((run for run in reversed(runs) if run.passed is not False), None)


def chosen(runs: Sequence[Kept], asked: str) -> Kept:
    """Return the run that a user names: by its number, the beginning of its time, or that of its identifier.

    Raises
    ------
    OptionError
        There is no such run, or more than one.
    """
    if asked.lstrip("-").isdigit() and len(asked) <= _PLACES and asked.strip("-") != "0":
        place = int(asked)
        found = [run for run in runs if run.number == (place if place > 0 else len(runs) + 1 + place)]
    else:
        found = [run for run in runs if run.id.startswith(asked) or run.shown.startswith(asked.replace("T", " "))]
    if len(found) != 1:
        problem = "more than one run" if found else "no run"
        there = ", ".join(f"{run.number} ({run.shown})" for run in (found or runs)[-5:])
        raise OptionError(
            f'--run "{asked}" names {problem}; give a number, a time, or a run_id, of which the beginning is enough. '
            f"There {'is' if len(found or runs) == 1 else 'are'} {there}"
        )
    return found[0]
