"""Cautions about the input: cases in which the numbers of a result do not mean what a reader expects."""

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
"""The minimum number of records: below it, the interval of a share is 20 points wide or more."""
SURE = 0.001
"""The significance level of the test that the holdout contains rows of train."""
_DIFFERENT = ("tables", "different")


@dataclass(frozen=True, slots=True)
class Caution:
    """A sentence for the reader; ``kind`` is identifiers, holdout, key, repeated or few."""

    kind: str
    text: str


def cautions(rows: Iterable[Mapping[str, Any]]) -> list[Caution]:
    """Return the cautions about an evaluation.

    Parameters
    ----------
    rows
        The rows of `evaluate`.
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
    """Issue the cautions of a result of `evaluate` or `comparison` as warnings."""
    said: list[Caution] = []
    if result.name == "evaluate":
        said = list(cautions_of(result))
    elif result.name == "comparison":
        said = _repeated([row["metric"] for row in result if row["baseline_value"] == row["synthetic_value"] == 0])
    for caution in said:
        warnings.warn(caution.text, SynthprivWarning, stacklevel=4)


def cautions_of(result: Result) -> Iterator[Caution]:
    """The cautions of an evaluation; those of groups are combined into one sentence per kind."""
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
                "in {some} of {all} groups, for example: {caution}",
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
        text = _("the holdout is the same table as train: comparisons with it are meaningless")
        return [Caution("holdout", text)]
    p_value, excess = found.get(("holdout", None, "p_value")), found.get(("holdout", None, "overlap_excess"))
    if p_value is None or excess is None or p_value >= SURE or excess <= 0:
        return []
    records = found["holdout", None, "overlap"] or 0
    share, expected = (100 * (found["holdout", None, name] or 0) for name in ("share", "expected"))
    text = _(
        "{records} holdout records ({share} %) equal a train record, but only {expected} % of train records equal "
        "another one: the holdout contains rows that the synthesizer saw, which makes leaks look smaller",
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
        "column {names} looks like an identifier and is compared: records that differ in it do not count as copies, "
        "so copies are not detected. Give it as key, or exclude it with {exclude}; if it is a measurement, confirm "
        "that with {compare}",
        "columns {names} look like identifiers and are compared: records that differ in them do not count as copies, "
        "so copies are not detected. Give one as key, and exclude the others with {exclude}; if they are "
        "measurements, confirm that with {compare}",
        len(names),
        names=listed([f'"{name}"' for name in names]),
        exclude=wording.given("identifiers", "exclude"),
        compare=wording.given("identifiers", "compare"),
    )
    lettered = ("identifiers", "lettered")
    of_texts = [variant for metric, variant, statistic in found if (metric, statistic) == lettered and variant]
    if of_texts:
        text = plural(
            "{caution}. If {names} holds names, addresses or notes, give {option} instead: distances then leave it "
            "out, and attacks compare it by nearness",
            "{caution}. If {names} hold names, addresses or notes, give {option} instead: distances then leave them "
            "out, and attacks compare them by nearness",
            len(of_texts),
            caution=text,
            names=listed([f'"{name}"' for name in of_texts]),
            option=wording.given("text", of_texts),
        )
    return [Caution("identifiers", text)]


def _key(found: Values) -> list[Caution]:
    """Caution if rows share a key and no unit is given."""
    rows, people = found.get(("tables", "train", "rows")) or 0, found.get(("exposure", None, "people"))
    named = ((v or "", n or 0) for (metric, v, statistic), n in found.items() if (metric, statistic) == _DIFFERENT)
    for variant, different in named:
        if different < rows and people in (None, rows):
            name = variant.removeprefix("train.")
            text = _(
                'the key "{name}" repeats in train ({rows} records, {different} different keys). If the rows of a key '
                "belong to one person, give {unit}, so that people are counted",
                name=name,
                unit=wording.given("unit", name),
                rows=count(rows),
                different=count(different),
            )
            return [Caution("key", text)]
    return []


def _named(found: Values) -> list[Caution]:
    """Caution about columns with the name of an identifier whose values repeat."""
    asked = [
        _(
            '"{name}" has the name of an identifier, is compared, and each of its values occurs {times} times in train '
            "on average. If the rows of a value belong to one person, give {unit}, so that people are counted; "
            "otherwise exclude it, or give {compare}",
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
    """The metrics for which both real and synthetic rows are at distance 0 from train."""
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
        "by {metrics}, both real and synthetic rows are at distance 0 from train: real rows repeat each other, so no "
        "difference, score or band shows whether synthetic is too close",
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
    text = _("{tables}: too few for a statement, which needs at least {least}", tables=listed(small), least=FEW)
    return [Caution("few", text)]
