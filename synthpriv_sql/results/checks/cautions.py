"""What has to be said before any number of a result: where it does not mean what a reader takes it for."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.language.messages import _, listed, plural
from synthpriv_sql.language.numbers import count, short
from synthpriv_sql.planner.columns.partitions import REASON
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.results.result import Result

FEW = 100
"""Records below which a table is too small: the interval of a share is then 20 points wide and more."""
SURE = 0.001
"""The p-value below which more of the holdout stands in train than chance puts there."""
_DIFFERENT = ("tables", "different")


@dataclass(frozen=True, slots=True)
class Caution:
    """A sentence for the reader; ``kind`` is identifiers, holdout, key, repeated or few."""

    kind: str
    text: str


def cautions(rows: Iterable[Mapping[str, Any]]) -> list[Caution]:
    """Return what is to be said before the numbers.

    Parameters
    ----------
    rows
        Those of `evaluate`.
    """
    found = {(row["metric"], row["variant"], row["statistic"]): row["value"] for row in rows}
    return [
        *_holdout(found),
        *_identifiers(found),
        *_key(found),
        *_named(found),
        *_repeated(_at_zero(found)),
        *_few(found),
    ]


def warn(result: Result) -> None:
    """Warn the caller of what a result of `evaluate` or `comparison` does not mean."""
    said: list[Caution] = []
    if result.name == "evaluate":
        said = list(cautions_of(result))
    elif result.name == "comparison":
        said = _repeated([row["metric"] for row in result if row["baseline_value"] == row["synthetic_value"] == 0])
    for caution in said:
        warnings.warn(caution.text, SynthprivWarning, stacklevel=4)


def cautions_of(result: Result) -> Iterator[Caution]:
    """What is to be said of an evaluation: of groups in one sentence a kind, whatever their number."""
    by = result.columns[: result.columns.index("section")]
    rows: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in result:
        if by and row.get(REASON):
            continue  # a group without numbers
        rows.setdefault(tuple(row[name] for name in by), []).append(row)
    found: dict[str, list[Caution]] = {}
    for caution in (caution for of_group in rows.values() for caution in cautions(of_group)):
        found.setdefault(caution.kind, []).append(caution)
    for kind, said in found.items():
        if by:
            text = _(
                "in {some} of {all} groups, of which the first: {caution}",
                some=count(len(said)),
                all=count(len(rows)),
                caution=said[0].text,
            )
            yield Caution(kind, text)
        else:
            yield from said


Values = Mapping[tuple[str, str | None, str], float | None]


def _holdout(found: Values) -> list[Caution]:
    if found.get(("holdout", None, "same")):
        text = _("the holdout is the table that is given as train: nothing that is compared with it means anything")
        return [Caution("holdout", text)]
    p_value, excess = found.get(("holdout", None, "p_value")), found.get(("holdout", None, "overlap_excess"))
    if p_value is None or excess is None or p_value >= SURE or excess <= 0:
        return []
    records = found["holdout", None, "overlap"] or 0
    share, expected = (100 * (found["holdout", None, name] or 0) for name in ("share", "expected"))
    text = _(
        "{records} holdout records ({share} %) equal a train record, where {expected} % of train records equal another "
        "one: the holdout holds rows that the synthesizer saw, which makes leaks look smaller",
        records=count(records),
        share=short(share, 3),
        expected=short(expected, 3),
    )
    return [Caution("holdout", text)]


def _identifiers(found: Values) -> list[Caution]:
    names = [variant for metric, variant, statistic in found if (metric, statistic) == ("identifiers", "distinct")]
    if not names:
        return []
    text = plural(
        "column {names} looks like an identifier and is compared: records that differ there are no copies of each "
        "other, so copies are not seen. Give it as key, or exclude it ({exclude} does that); {compare} says "
        "that these are measurements",
        "columns {names} look like identifiers and are compared: records that differ there are no copies of each "
        "other, so copies are not seen. Give one as key, and exclude the others ({exclude} does that); {compare} says "
        "that these are measurements",
        len(names),
        names=listed([f'"{name}"' for name in names]),
        exclude=wording.given("identifiers", "exclude"),
        compare=wording.given("identifiers", "compare"),
    )
    return [Caution("identifiers", text)]


def _key(found: Values) -> list[Caution]:
    """Ask whose rows they are where several have one key; with a unit, people are counted."""
    rows, people = found.get(("tables", "train", "rows")) or 0, found.get(("exposure", None, "people"))
    named = ((v or "", n or 0) for (metric, v, statistic), n in found.items() if (metric, statistic) == _DIFFERENT)
    for variant, different in named:
        if different < rows and people in (None, rows):
            name = variant.removeprefix("train.")
            text = _(
                'the key "{name}" repeats in train ({rows} records, {different} different keys): whose rows are these? '
                "If they are a person's, give {unit}, so that people are counted",
                name=name,
                unit=wording.given("unit", name),
                rows=count(rows),
                different=count(different),
            )
            return [Caution("key", text)]
    return []


def _named(found: Values) -> list[Caution]:
    """Ask about columns that are called like identifiers, and whose values come back."""
    asked = [
        _(
            '"{name}" is called like an identifier, is compared, and each of its values stands in train {times} times '
            "on average: whose rows are these? If they are a person's, give {unit}, so that people are "
            "counted; else exclude it, or say {compare}",
            name=variant,
            times=short(value, 3),
            unit=wording.given("unit", variant),
            compare=wording.given("identifiers", "compare"),
        )
        for (metric, variant, statistic), value in found.items()
        if (metric, statistic) == ("identifiers", "repeats") and value is not None
    ]
    return [Caution("key", text) for text in asked[:1]]


def _at_zero(found: Values) -> list[str]:
    """The metrics by which both real rows and synthetic ones are at 0 from train."""
    metrics = []
    for (metric, baseline, statistic), value in found.items():
        if statistic != "difference_percent" or value is not None:
            continue
        sides = ("synthetic_train", f"{baseline}_train")
        if any(all(found.get((metric, side, name)) == 0 for side in sides) for name in ("median", "mean")):
            metrics.append(metric)
    return metrics


def _repeated(metrics: Sequence[str]) -> list[Caution]:
    if not metrics:
        return []
    text = _(
        "by {metrics} real rows are at 0 from train, and so is synthetic: real rows repeat each other, and there is no "
        "difference, score or band to tell whether synthetic comes too close",
        metrics=listed(metrics),
    )
    return [Caution("repeated", text)]


def _few(found: Values) -> list[Caution]:
    small = [
        plural("{side} has {n} record", "{side} has {n} records", rows, side=side)
        for (metric, side, statistic), rows in found.items()
        if (metric, statistic) == ("tables", "rows") and rows is not None and rows < FEW
    ]
    if not small:
        return []
    text = _("{tables}: too few for a statement, which takes {least} at the least", tables=listed(small), least=FEW)
    return [Caution("few", text)]
