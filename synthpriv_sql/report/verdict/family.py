"""One verdict on a family of tables, from those of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from synthpriv_sql.language.messages import _, listed
from synthpriv_sql.report.verdict.findings import LEVELS
from synthpriv_sql.report.verdict.words import Verdict


@dataclass(frozen=True, slots=True)
class Family:
    """The verdict on a family: its level, a headline that says which part gives people away, and those of all parts."""

    level: str
    headline: str
    parts: Mapping[str, Verdict]


def family(parts: Mapping[str, Verdict]) -> Family:
    """Return one verdict, in which the parts agree.

    A part that is further from train than chance explains says no more than that where another part, which shares a
    table with it, leaks: train and the holdout are not swapped then.
    """
    level = max((found.level for found in parts.values()), key=LEVELS.index)
    worst = [name for name, found in parts.items() if found.level == level]
    most = max(worst, key=lambda name: parts[name].given_away)
    if level == "bad":
        agreed = {
            name: replace(found, headline=_("This part alone shows no leak: see {part}.", part=most), next_steps=[])
            if found.further
            else found
            for name, found in parts.items()
        }
    else:
        agreed = dict(parts)
    return Family(level, _headline(level, most, worst, parts[most]), agreed)


def _headline(level: str, most: str, worst: list[str], found: Verdict) -> str:
    if level == "good":
        return _("Nothing was found in any part.")
    if level == "none":
        return _("No verdict on {parts}.", parts=listed(worst))
    others = [name for name in worst if name != most]
    said = _("{part}: {headline}", part=most, headline=found.headline)
    return said + " " + _("Also {parts}.", parts=listed(_apart(others))) if others else said


def _apart(names: list[str]) -> list[str]:
    """Names of parts for a list: in quotes if one of them is a list itself, such as "parents and visits"."""
    return [f'"{name}"' for name in names] if any(" " in name for name in names) else names
