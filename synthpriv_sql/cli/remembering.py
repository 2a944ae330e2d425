"""Remembers an evaluated table as a release, and says so."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from synthpriv_sql.cli.opening import echo
from synthpriv_sql.results.calls import history


def first_named(call: history.Resolved, release: history.Release | None) -> Collection[str] | None:
    """Return the keys of people who are named for the first time; None if names before, or now, are not remembered."""
    before = [one.names for one in call.releases if release is not None and one.number != release.number]
    if release is None or release.names is None or not before or None in before:
        return None
    return set(release.names) - {name for names in before for name in names or ()}


def remember_release(path: Path, call: history.Resolved, release: history.Release, wait: float) -> None:
    """Remember a table as a release in the file of a history, and say what that means."""
    history.remember(path, release, wait, echo)
    echo(f"release {release.number} in {path}" + ("" if release.released else ", not released: a condition is broken"))
    if release.names is None:
        return
    ever = {name for one in call.releases if one.number != release.number for name in one.names or ()}
    first = set(release.names) - ever
    echo(
        f"{len(release.names):,} people are named, {len(first):,} of them for the first time; {len(ever | first):,} in "
        f"all evaluations that {path} remembers. It has their names: it is as secret as train"
    )
