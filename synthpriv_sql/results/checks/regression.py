"""Whether an evaluation is worse than an earlier one: what ``--require-no-regression`` requires."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synthpriv_sql.results.checks.numbers import LEVELS
from synthpriv_sql.results.checks.runs import Kept
from synthpriv_sql.results.display import cell
from synthpriv_sql.results.result import Result

_OF_THE_VERDICT = (
    "exposure",
    "releases",
    "released_sets",
    "membership",
    "within",
    "replay",
    "near_replay",
    "phrase_replay",
    "set_replay",
    "copies",
    "holdout_share",
)
"""The sections whose numbers the verdict weighs."""
_LISTED = 5
"""The maximum number of numbers, or columns, that a line names."""


@dataclass(frozen=True, slots=True)
class Regression:
    """A requirement on two evaluations, and what was found."""

    name: str
    titled: str
    found: str
    holds: bool
    why: str = ""

    def __str__(self) -> str:
        return f"{self.titled}: {self.found}"


def regressions(
    changes: Result, now: Kept, before: Kept, named_first: Collection[str] | None = None
) -> list[Regression]:
    """Compare an evaluation with an earlier one.

    Parameters
    ----------
    changes
        The result of the function `changes`.
    now, before
        The evaluations, with the rows of their verdicts.
    named_first
        The keys of those who are named and never were before, as far as a history remembers them; None if it does not.
    """
    rows = list(changes)
    found = [_verdict(now, before), _numbers(rows), _people(now, before, named_first), _columns(now, before)]
    return [*found, *_samples(now, before)]


def _verdict(now: Kept, before: Kept) -> Regression:
    rows = [one.of_verdict("level") for one in (now, before)]
    level, then = (None if row is None else str(row["meaning"]) for row in rows)
    holds = level is not None and then is not None and LEVELS[level] <= LEVELS[then]
    sentences = [r["meaning"] for r in now.whole if r["section"] == "verdict" and r["statistic"] in _SENTENCES]
    return Regression(
        "verdict.level", "the verdict is not worse", f"it was {then} and is {level}", holds, " ".join(sentences)
    )


_SENTENCES = ("headline", "reason")


def _numbers(rows: Iterable[Mapping[str, Any]]) -> Regression:
    worse = [row for row in rows if row["became"] == "worse" and row["section"] in _OF_THE_VERDICT]
    said = [f"{_name(row)} {cell(row['before'])} → {cell(row['now'])}" for row in worse]
    found = f"{len(worse):,} are" if worse else "none is"
    listed = f" ({_listed(said)})" if worse else ""
    title = "no number of the verdict is worse beyond chance"
    return Regression("numbers", title, found + listed, not worse, "\n".join(said))


def _people(now: Kept, before: Kept, named_first: Collection[str] | None) -> Regression:
    title = "nobody is newly named"
    if named_first is not None:
        found = f"{len(named_first):,} people are named for the first time"
        return Regression("exposure.exposed", title, found, not named_first)
    new = _value(now, "releases", "new")
    if new is not None:
        found = f"{new:,.0f} people are named that the releases before did not name"
        return Regression("releases.new", title, found, not new)
    here, then = (_value(one, "exposure", "exposed") or 0.0 for one in (now, before))
    return Regression("exposure.exposed", title, f"{then:,.0f} were named, and {here:,.0f} are", here <= then)


def _columns(now: Kept, before: Kept) -> Regression:
    title, then, here = "the columns and their types are the same", before.columns, now.columns
    if not then or not here:
        return Regression("columns", title, "they were not kept then", True)
    differing = []
    for table in here:
        if table in then:
            names = dict.fromkeys([*then[table], *here[table]])
            differing += [
                f"{table}.{name} {then[table].get(name, 'missing')} → {here[table].get(name, 'missing')}"
                for name in names
                if then[table].get(name) != here[table].get(name)
            ]
    found = _listed(differing) if differing else "they are"
    return Regression("columns", title, found, not differing, "\n".join(differing))


def _samples(now: Kept, before: Kept) -> list[Regression]:
    """A sample finds less: one that is smaller than that before could hide what became worse."""
    here, then = (_value(one, "tables", "drawn", "synthetic") for one in (now, before))
    if here is None:
        return []
    whole = _value(before, "tables", "rows", "synthetic") or 0.0
    said = f"{whole:,.0f} records" if then is None else f"a sample of {then:,.0f}"
    found = f"{said} then, and a sample of {here:,.0f} now"
    return [Regression("tables.synthetic.drawn", "the sample is not smaller", found, here >= (then or whole))]


def _value(one: Kept, metric: str, statistic: str, variant: str | None = None) -> float | None:
    key = (metric, variant, statistic)
    return next((r["value"] for r in one.result if (r["metric"], r["variant"], r["statistic"]) == key), None)


def _name(row: Mapping[str, Any]) -> str:
    return ".".join(part for part in (row["metric"], row["variant"], row["statistic"]) if part)


def _listed(said: Sequence[str]) -> str:
    rest = f" and {len(said) - _LISTED:,} more" if len(said) > _LISTED else ""
    return ", ".join(said[:_LISTED]) + rest
