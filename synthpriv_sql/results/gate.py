"""Conditions on the numbers of `evaluate`, for continuous integration.

A condition is ``metric[.variant].statistic OPERATOR value``, such as ``copies.share=0``, ``holdout_share.share<=0.52``
or ``dcr.synthetic_train.median>=0.01``; ``copies.excess_lower<=0`` is about the lower end of a number's interval,
``_upper`` about the upper one. A missing number breaks its condition.
"""

from __future__ import annotations

import math
import operator
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from synthpriv_sql import whole
from synthpriv_sql.errors import OptionError, not_written
from synthpriv_sql.planner.columns.partitions import REASON
from synthpriv_sql.results.checks.junit import junit as junit  # noqa: PLC0414 - part of this interface
from synthpriv_sql.results.checks.numbers import LEVELS, VERDICT, declared, expanded, is_given
from synthpriv_sql.results.result import Result

# Longer ones first, so that <= is not parsed as <.
OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
BANDS = {"low": 1.0, "medium": 2.0, "high": 3.0}
_WORDS = {"band": BANDS, "level": LEVELS}
_OWN = (None, "synthetic_train", "synthetic")
"""The default variant of a metric with several, for conditions that name none."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A required relation between a number of evaluate and a value."""

    text: str
    metric: str
    variant: str | None
    statistic: str
    operator: str
    value: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """A condition and the measured number, None if missing; with the group if there are groups."""

    condition: Condition
    name: str
    measured: float | None
    group: str = ""
    why: str = ""
    """What the number means; of the verdict, its headline and reasons."""

    @property
    def holds(self) -> bool:
        """Whether the condition is met; a missing value meets none."""
        return self.measured is not None and OPERATORS[self.condition.operator](self.measured, self.condition.value)

    @property
    def titled(self) -> str:
        """The condition, with the group if there is one."""
        return f"{self.condition.text} ({self.group})" if self.group else self.condition.text

    def __str__(self) -> str:
        of = f" where {self.group}" if self.group else ""
        return f"{self.condition.text}: {self.name} is {_shown(self.condition.statistic, self.measured)}{of}"


def parse(text: str) -> Condition:
    """Read a condition.

    Raises
    ------
    OptionError
        The text is not a condition.
    """
    for sign in OPERATORS:
        name, found, value = (part.strip() for part in text.partition(sign))
        if found:
            metric, dot, rest = name.partition(".")
            variant, _, statistic = rest.rpartition(".")
            if not (metric and dot and statistic):
                break
            return Condition(text.strip(), metric, variant or None, statistic, sign, _value(text, statistic, value))
    raise OptionError(
        f'the condition "{text}" is not metric.statistic OPERATOR value, such as copies.share=0 or '
        f"dcr.synthetic_train.median>=0.01; operators are {' '.join(OPERATORS)}"
    )


def _value(text: str, statistic: str, value: str) -> float:
    words = _WORDS.get(statistic, {})
    if value in words:
        return words[value]
    try:
        number = float(value)
        if math.isnan(number):
            raise ValueError
    except ValueError:
        kind = f"one of {', '.join(words)}" if words else "a number"
        raise OptionError(f'the condition "{text}" compares with "{value}", which is not {kind}') from None
    return number


def read(path: Path) -> list[Condition]:
    """Read the conditions of a TOML file: a list of texts named ``require``.

    Raises
    ------
    OptionError
        The file cannot be read, or has other contents.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise OptionError(f'the requirements in "{path}" cannot be read: {error}') from None
    texts = content.pop("require", None)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts) or content:
        raise OptionError(f'"{path}" must contain one list of strings: require = ["copies.share = 0", …]')
    return [parse(text) for text in texts]


def foresee(conditions: Iterable[Condition], given: Mapping[str, Any]) -> None:
    """Check before anything is computed that the evaluation will have the numbers that conditions name.

    Parameters
    ----------
    conditions
        What is required.
    given
        The arguments of `evaluate`.

    Raises
    ------
    OptionError
        A condition names an unknown number, or one that needs an argument that is not given.
    """
    known = {needs: list(expanded(names, given)) for needs, names in declared().items()}
    known["always"].append(VERDICT)
    for condition in conditions:
        needs = [need for need, names in known.items() if any(_meant(condition, name) for name in names)]
        if not needs:
            raise OptionError(
                f'the condition "{condition.text}" names no number of evaluate; {_nearest(condition, known)}'
            )
        if not any(is_given(need, given) for need in needs):
            need = needs[0]
            instead = "only without a holdout" if need == "no holdout" else f"only with {_NAMED.get(need, need)}"
            raise OptionError(f'the condition "{condition.text}" is about a number that exists {instead}')


_NAMED = {"holdout": "a holdout, which is not given"}
_OF_FIRST: dict[tuple[str | None, str], str] = {
    (None, "new"): "exposed",
    **{(of, statistic): statistic for of in ("alone", "union") for statistic in ("exposed", "at_least")},
}
"""Numbers of the section exposure that those of releases are where there is one release."""


def of_first_release(conditions: Iterable[Condition]) -> list[Condition]:
    """Return what conditions on all releases require of a first one: whom it names is new, and it is all together.

    Raises
    ------
    OptionError
        A condition is about another number of releases.
    """
    found = []
    for condition in conditions:
        if condition.metric != "releases":
            found.append(condition)
            continue
        statistic = _OF_FIRST.get((condition.variant, condition.statistic))
        if statistic is None:
            raise OptionError(
                f'the condition "{condition.text}" is about releases before, and the history has none: begin it '
                "without this condition"
            )
        found.append(replace(condition, metric="exposure", variant=None, statistic=statistic))
    return found


def _meant(condition: Condition, name: str) -> bool:
    """Whether a condition matches the number of that name, or an end of its interval."""
    metric, _, rest = name.partition(".")
    variant, _, statistic = rest.rpartition(".")
    asked = condition.variant
    return (
        condition.metric == metric
        and condition.statistic in {statistic, f"{statistic}_lower", f"{statistic}_upper"}
        and (asked is None or variant in {"*", asked})
    )


def _nearest(condition: Condition, known: Mapping[str, Sequence[str]]) -> str:
    """Suggest the most similar names; otherwise list the metrics."""
    names = [name for listed in known.values() for name in listed]
    asked = ".".join(part for part in (condition.metric, condition.variant, condition.statistic) if part)
    near = get_close_matches(asked, names, n=3, cutoff=0.7)
    if not near:
        near = [name for name in names if name.partition(".")[0] == condition.metric]
    if near:
        return f"similar names: {', '.join(near)}"
    return f"metrics: {', '.join(dict.fromkeys(name.partition('.')[0] for name in names))}"


class Judged(NamedTuple):
    """The level of a verdict, and its sentences."""

    level: str
    why: str


def check(
    result: Result,
    conditions: Iterable[Condition],
    level: Callable[[Sequence[Mapping[str, Any]]], str | Judged] | None = None,
    of: str = "",
) -> list[Outcome]:
    """Compare the numbers of `evaluate` with conditions.

    Parameters
    ----------
    result
        The result of `evaluate`.
    conditions
        The conditions, which every group has to meet if there are groups.
    level
        Returns the level of the verdict on rows of `evaluate`, or `Judged` with its reasons too.
    of
        The run that the numbers are from, if there are several.

    Raises
    ------
    OptionError
        A condition names no number of this evaluation, or more than one.
    """
    by = result.columns[: result.columns.index("section")] if "section" in result.columns else []
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in result:
        groups.setdefault(tuple(row[name] for name in by), []).append(row)
    outcomes = []
    for condition in conditions:
        for values, rows in groups.items():
            ends = [_end(row, end) for row in rows for end in ("lower", "upper") if row.get(end) is not None]
            named = [f"{name} {'missing' if v is None else v}" for name, v in zip(by, values, strict=True)]
            group = ", ".join([*([of] if of else []), *named])
            if reason := rows[0].get(REASON) if by else None:
                outcomes.append(Outcome(condition, f"there are {reason}, so it", None, group))
                continue
            said = [_verdict(level(rows))] if level is not None and condition.metric == "verdict" else []
            outcomes.append(replace(_outcome([*rows, *ends, *said], condition), group=group))
    return outcomes


def _verdict(found: str | Judged) -> Mapping[str, Any]:
    """The verdict as a row of numbers."""
    judged = Judged(found, "") if isinstance(found, str) else found
    row = {"metric": "verdict", "variant": None, "statistic": "level", "value": LEVELS[judged.level]}
    return row | {"meaning": judged.why}


def _end(row: Mapping[str, Any], end: str) -> Mapping[str, Any]:
    """An end of a number's interval as a row of numbers."""
    return {**row, "statistic": f"{row['statistic']}_{end}", "value": row[end]}


def _outcome(rows: Sequence[Mapping[str, Any]], condition: Condition) -> Outcome:
    found = [row for row in rows if (row["metric"], row["statistic"]) == (condition.metric, condition.statistic)]
    if condition.variant is not None:
        found = [row for row in found if row["variant"] == condition.variant]
    elif len(found) > 1:
        found = [row for row in found if row["variant"] in _OWN] or found
    if len(found) != 1:
        problem = "names more than one number" if found else "names no number of this evaluation"
        if not found and not any((row["metric"], row["variant"]) == ("tables", "holdout") for row in rows):
            problem += ", which has no holdout"
        raise OptionError(f'the condition "{condition.text}" {problem}; there are: {_choices(rows, condition, found)}')
    return Outcome(condition, _name(found[0]), found[0]["value"], why=_why(found[0]))


def _why(row: Mapping[str, Any]) -> str:
    """What a number means, with its interval."""
    interval = "" if row.get("lower") is None else f" 95 % interval: {row['lower']:.6g} to {row['upper']:.6g}."
    return (row.get("meaning") or "") + interval


def _choices(rows: Sequence[Mapping[str, Any]], condition: Condition, found: Sequence[Mapping[str, Any]]) -> str:
    """Suggestions: the numbers of the metric if it exists, otherwise the metrics."""
    near = found or [row for row in rows if row["metric"] == condition.metric]
    return ", ".join(
        dict.fromkeys(_name(row) for row in near) if near else dict.fromkeys(row["metric"] for row in rows)
    )


def _name(row: Mapping[str, Any]) -> str:
    return ".".join(part for part in (row["metric"], row["variant"], row["statistic"]) if part)


def _shown(statistic: str, value: float | None) -> str:
    if value is None:
        return "missing"
    words = {number: word for word, number in _WORDS.get(statistic, {}).items()}
    return words.get(value, f"{value:.6g}")


def write(xml: str, path: Path | None) -> None:
    """Write a JUnit document, or lines, to a file, whole or not at all, or to standard output if none is given.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    if path is None:
        sys.stdout.write(xml)
        return
    try:
        whole.write(path, xml.encode())
    except OSError as error:
        raise not_written(f'"{path}"', error) from None
