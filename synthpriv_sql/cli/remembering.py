"""Remembers an evaluated table as a release, and says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from synthpriv_sql.cli.opening import echo
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results.calls import history


def remember_release(
    session: Any,
    path: Path,
    call: history.Resolved,
    result: Evaluation,
    names: bool,
    released: bool,
    wait: float,
) -> None:
    """Remember a table as a release in the file of a history, and say what that means."""
    release = history.made(session, call, result, result.verdict.level, names, released)
    history.remember(path, release, wait, echo)
    echo(f"release {release.number} in {path}" + ("" if released else ", not released: a condition is broken"))
    if release.names is None:
        return
    ever = {name for one in call.releases if one.number != release.number for name in one.names or ()}
    first = set(release.names) - ever
    echo(
        f"{len(release.names):,} people are named, {len(first):,} of them for the first time; {len(ever | first):,} in "
        f"all evaluations that {path} remembers. It has their names: it is as secret as train"
    )
