"""The evidence of attacks and holdout shares, tested jointly; and whether the holdout can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synthpriv_sql.language.meanings import meaning
from synthpriv_sql.language.messages import _
from synthpriv_sql.language.numbers import Named
from synthpriv_sql.report.measured import Measured, Number

FEW = 100
"""The number of people in train or holdout below which no statement is possible."""
BAD = 0.001
WATCH = 0.01
"""Adjusted p-values below which a finding is a leak, or needs review."""


@dataclass(frozen=True, slots=True)
class Attack:
    """The area under the curve of an attack, and what it shows beyond the control."""

    number: Number
    level: str
    below: bool


@dataclass(frozen=True, slots=True)
class Depth:
    """The share of synthetic records closer to train: of all records, near ones or copies."""

    number: Number
    expected: float
    records: float
    level: str
    below: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for a leak.

    ``differs`` says that train and holdout are not samples of the same population, and ``why_differs`` explains it;
    ``other_values`` are columns of synthetic whose values do not occur in real rows; ``below`` says that synthetic is
    further from train than chance allows; ``naming_beats`` that identified people count as evidence; ``people`` is the
    size of the smaller of the two real tables.
    """

    attacks: Sequence[Attack]
    depths: Mapping[str, Depth]
    same: bool
    differs: bool
    why_differs: str
    other_values: Sequence[str]
    naming_beats: bool
    people: float
    copies_by_chance: float | None
    held_copies: float

    @property
    def usable(self) -> bool:
        """Whether there is a valid holdout."""
        return bool(self.attacks or self.depths) and not (self.same or self.differs)

    @property
    def below(self) -> bool:
        """Whether synthetic is further from train than chance explains."""
        return any(attack.below for attack in self.attacks) or any(depth.below for depth in self.depths.values())


def of(measured: Measured) -> Evidence:
    """Return the evidence in the numbers of `evaluate`."""
    control = measured.number("split", "auc")
    at_most = 0.5 if control is None or control.upper is None else control.upper
    at_least = 0.5 if control is None or control.lower is None else control.lower
    same = bool(measured.value("holdout", "same"))
    differs = bool(measured.value("split", "differs"))
    areas = [n for n in measured.numbers if (n.metric, n.statistic) == ("membership", "auc") and n.value is not None]
    depths = {
        depth: n
        for depth, variant in (("all", None), ("near", "near"), ("copies", "copies"))
        if (n := measured.number("holdout_share", "share", variant)) is not None and n.value is not None
    }
    p_values = {("attack", n.variant or ""): _or_1(measured.value("membership", "p_value", n.variant)) for n in areas}
    p_values |= {("depth", depth): _upwards(measured, n) for depth, n in depths.items()}
    adjusted = _holm(p_values)
    found = {}
    for depth, n in depths.items():
        p_value, expected = _or_1(measured.value("holdout_share", "p_value", n.variant)), _expected(measured, n)
        below = p_value < BAD and (n.value or 0.0) < expected
        level = "good" if same or differs else _level(adjusted["depth", depth])
        found[depth] = Depth(n, expected, _records(measured, n.variant), level, below)

    blind = [n for n in areas if n.variant != "learned"]
    # A trained classifier also succeeds if synthetic was made from the holdout: then it is no evidence of a leak.
    below = any(_below(n, at_least) for n in blind) or any(depth.below for depth in found.values())
    attacks = []
    for n in areas:
        counts = _or_0(n.lower) > at_most and not same and not (below and n.variant == "learned")
        level = _level(adjusted["attack", n.variant or ""]) if counts else "good"
        attacks.append(Attack(n, level, _below(n, at_least)))

    beating = {attack.number.variant for attack in attacks if attack.level == "bad"}
    named_by = {v for v in measured.variants("exposure") if v and measured.value("exposure", "exposed", v)}
    if below:
        named_by.discard("learned")
    rows = measured.value("tables", "rows", "synthetic")
    usual = measured.value("copies", "expected")
    sides = [measured.value("tables", "rows", side) for side in ("train", "holdout")]
    people = [measured.value("exposure", "people"), *sides]
    copied = found.get("copies")
    return Evidence(
        attacks=attacks,
        depths=found,
        same=same,
        differs=differs,
        why_differs=_why(measured),
        other_values=[] if differs else _columns(measured),
        # With an invalid holdout, only what an attack finds beyond the control can come from synthetic.
        naming_beats=not same and bool(named_by & beating if differs else named_by if below else True),
        people=min((n for n in people if n is not None), default=0.0),
        copies_by_chance=None if usual is None or rows is None else usual * rows,
        held_copies=0.0 if copied is None else _held(measured),
    )


def _below(number: Number, at_least: float) -> bool:
    return number.upper is not None and number.upper < at_least


def _or_1(value: float | None) -> float:
    return 1.0 if value is None else value


def _or_0(value: float | None) -> float:
    return value or 0.0


def _expected(measured: Measured, number: Number) -> float:
    return _or_0(measured.value("holdout_share", "expected", number.variant))


def _records(measured: Measured, variant: str | None) -> float:
    return sum(_or_0(measured.value("holdout_share", kind, variant)) for kind in ("closer", "further", "equal"))


def _held(measured: Measured) -> float:
    """Copies of holdout records, including those that also equal a train record."""
    further, equal = (_or_0(measured.value("holdout_share", kind, "copies")) for kind in ("further", "equal"))
    return Named(further + equal, "holdout_share.copies.further + holdout_share.copies.equal")


def _upwards(measured: Measured, number: Number) -> float:
    """The p-value of a depth if it exceeds the expected share, otherwise 1: a smaller share is no sign of a leak."""
    above = (number.value or 0.0) > _expected(measured, number)
    return _or_1(measured.value("holdout_share", "p_value", number.variant)) if above else 1.0


def _holm(p_values: Mapping[tuple[str, str], float]) -> dict[tuple[str, str], float]:
    adjusted, largest = {}, 0.0
    for place, name in enumerate(sorted(p_values, key=p_values.__getitem__)):
        largest = max(largest, (len(p_values) - place) * p_values[name])
        adjusted[name] = min(largest, 1.0)
    return adjusted


def _level(p_value: float) -> str:
    return "bad" if p_value < BAD else "watch" if p_value < WATCH else "good"


def _columns(measured: Measured) -> list[str]:
    names = measured.variants("split")
    return [name for name in names if name is not None and measured.value("split", "differs", name)]


def _why(measured: Measured) -> str:
    """Say in which columns train and holdout differ and why, or that a classifier separates them."""
    names = _columns(measured)
    if not names:
        number = measured.number("split", "differs")
        return "" if number is None else meaning(number.meaning)
    first = measured.number("split", "differs", names[0])
    reason = "" if first is None else meaning(first.meaning)
    if len(names) == 1:
        return _("train and holdout differ in {column} ({reason})", column=names[0], reason=reason)
    return _(
        "train and holdout differ in {column} and {others} more ({reason})",
        column=names[0],
        others=len(names) - 1,
        reason=reason,
    )
