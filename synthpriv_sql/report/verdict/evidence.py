"""The evidence for a leak: attacks, depths, what comes back, and recurring rare combinations, tested jointly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from synthpriv_sql.language.numbers import Named
from synthpriv_sql.report.measured import Measured, Number, differing, why_differs
from synthpriv_sql.report.verdict import holes
from synthpriv_sql.report.verdict.replays import MANY, RATIO, Replay, Replays
from synthpriv_sql.report.verdict.testing import BAD, WATCH, holm, level_of, room

FEW = 100
"""The number of people in train or holdout below which no statement is possible."""
TOLERANCE = 0.02
"""The smallest finding that matters, unless the rows give another; see ``tolerance`` of `evaluate`."""
FEW_DISTINCT = 0.5
"""Synthetic has few distinct rows if it has less than this share of those that as many rows of train have."""


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack: the area under its curve, and how many of those at the top of its list chance does not explain.

    ``top`` is at least how many people it gives away, among the ``listed`` that it puts first, with ``top_level``;
    ``level`` is that of its ranks, and ``faint`` says that they show a trace that does not matter; ``room`` is how many
    standard errors its area is below what matters beside a control that tells nothing.
    """

    number: Number
    level: str
    faint: bool
    below: bool
    top: float
    listed: float
    top_level: str
    room: float

    @property
    def name(self) -> str:
        """The name of the attack."""
        return self.number.variant or ""

    @property
    def by_chance(self) -> float:
        """How many of those listed chance explains."""
        names = (f"membership.{self.name}.{statistic}" for statistic in ("listed", "at_least"))
        return Named(self.listed - self.top, " - ".join(names))


@dataclass(frozen=True, slots=True)
class Depth:
    """The share of synthetic records closer to train: of all records, near ones or copies."""

    number: Number
    expected: float
    records: float
    level: str
    faint: bool
    below: bool


@dataclass(frozen=True, slots=True)
class Within:
    """How often rare combinations of one half of a real table recur in synthetic, beside the other half (control)."""

    side: str
    ratio: Number
    replicated: float
    control: float
    people: float
    top: float
    leaks: bool
    level: str


@dataclass(frozen=True)
class Evidence:
    """The evidence for a leak.

    ``differs`` says that train and holdout are not samples of the same population, and ``why_differs`` explains it;
    ``other_values`` are columns of synthetic whose values do not occur in real rows, ``other_numbers`` those of them
    that hold numbers or times; ``naming_beats`` says that identified people count as evidence; ``people`` is the size
    of the smaller of the two real tables, ``rare_copies`` how many copies are too rare to be coincidences, and
    ``few_distinct`` how many distinct rows synthetic has beside those of as many rows of train, if few; ``hole`` says
    that records near train were taken out.
    """

    attacks: Sequence[Attack]
    depths: Mapping[str, Depth]
    replays: Sequence[Replay]
    sets: Sequence[Replay]
    within: Mapping[str, Within]
    same: bool
    differs: bool
    why_differs: str
    other_values: Sequence[str]
    other_numbers: Sequence[str]
    naming_beats: bool
    people: float
    tolerance: float
    copies_by_chance: float | None
    held_copies: float
    rare_copies: float
    few_distinct: tuple[float, float] | None
    hole: bool

    @property
    def usable(self) -> bool:
        """Whether there is a valid holdout."""
        return bool(self.attacks or self.depths) and not (self.same or self.differs)

    @property
    def below(self) -> bool:
        """Whether synthetic is further from train than chance explains."""
        return any(attack.below for attack in self.attacks) or any(depth.below for depth in self.depths.values())

    @property
    def clears(self) -> bool:
        """Whether finding nothing means something: a valid holdout, and synthetic is not further from train."""
        return self.trusts_holdout and not self.below

    @property
    def trusts_holdout(self) -> bool:
        """Whether the holdout shows what chance does: valid, and not seen by the synthesizer."""
        return self.usable and not self.saw_holdout

    @property
    def saw_holdout(self) -> bool:
        """Whether the synthesizer saw the holdout: its rare combinations recur as those of no stranger do."""
        return not self.same and "holdout" in self.within and self.within["holdout"].leaks

    @property
    def by_distance_alone(self) -> bool:
        """Whether the attacks that succeed are those that measure a distance."""
        return {a.name for a in self.attacks if "bad" in {a.level, a.top_level}} <= {"distance", "ratio", "density"}

    @property
    def copies_are_unexpected(self) -> bool:
        """Whether chance, as far as the holdout shows, makes fewer than one copy."""
        return self.copies_by_chance is not None and self.copies_by_chance < 1

    @cached_property
    def top(self) -> Attack | None:
        """The attack that gives the most people away; None if none gives anybody away."""
        best = max(self.attacks, key=lambda attack: (attack.top, -attack.listed), default=None)
        return best if best is not None and best.top else None

    @cached_property
    def given_away(self) -> Mapping[str, float]:
        """At least how many people are given away, by the section that says so."""
        found = {"top": self.top.top if self.top else 0.0}
        for section, replays in (("replay", self.replays), ("sets", self.sets)):
            if replays and replays[0].level != "good":  # the worst is first
                found[section] = replays[0].top
        return found


def of(measured: Measured) -> Evidence:
    """Return the evidence in the numbers of `evaluate`."""
    return _Reading(measured).evidence()


class _Reading:
    """Reads the evidence from the numbers of an evaluation."""

    def __init__(self, measured: Measured) -> None:
        self.measured = measured
        control = measured.number("split", "auc")
        self.at_most = 0.5 if control is None or control.upper is None else control.upper
        self.at_least = 0.5 if control is None or control.lower is None else control.lower
        self.same = bool(measured.value("holdout", "same"))
        self.differs = bool(measured.value("split", "differs"))
        if self._is_apart:  # which trees do not learn from codes of texts that alternate, such as "A", "A ", "B", "B "
            self.at_most = self.at_least = 1.0
        self.tolerance = _or(measured.value("scope", "tolerance"), TOLERANCE)
        self.areas = [
            n for n in measured.numbers if (n.metric, n.statistic) == ("membership", "auc") and n.value is not None
        ]
        self.shares = {
            depth: n
            for depth, variant in (("all", None), ("near", "near"), ("copies", "copies"))
            if (n := measured.number("holdout_share", "share", variant)) is not None and n.value is not None
        }
        self.replays = Replays(measured)
        self.below = self._below()
        self.only_holdout = self._leaks("holdout") and not self._leaks("train")
        self.adjusted = holm(self._p_values())

    @property
    def _is_apart(self) -> bool:
        """Whether a single column tells train from the holdout without fail: no control is better."""
        columns = [
            name for name in self.measured.variants("split") if name and self.measured.value("split", "differs", name)
        ]
        return any(_or(self.measured.value("split", "distance", name), 0.0) >= 1 for name in columns)

    def evidence(self) -> Evidence:
        measured = self.measured
        attacks = [self._attack(n) for n in self.areas]
        depths = {depth: self._depth(depth, n) for depth, n in self.shares.items()}
        beating = {attack.name for attack in attacks if "bad" in {attack.level, attack.top_level}}
        named_by = {v for v in measured.variants("exposure") if v and measured.value("exposure", "exposed", v)}
        if self._learns_otherwise:
            named_by.discard("learned")
        sides = [measured.value("tables", "rows", side) for side in ("train", "holdout")]
        people = [measured.value("exposure", "people"), *sides]
        usual, rows = measured.value("copies", "expected"), measured.value("tables", "rows", "synthetic")
        elsewhere = [] if self.differs else differing(measured)
        naming = named_by & beating if self.differs else named_by if any(self.below.values()) else True
        return Evidence(
            attacks=attacks,
            depths=depths,
            replays=self.replays.of_columns(self.adjusted),
            sets=self.replays.of_sets(self.adjusted),
            within={side: self._within(side) for side in ("train", "holdout") if self._ratio(side) is not None},
            same=self.same,
            differs=self.differs,
            why_differs=why_differs(measured),
            other_values=elsewhere,
            other_numbers=[name for name in elsewhere if measured.value("split", "number", name)],
            # With an invalid holdout, only what an attack finds beyond the control can come from synthetic.
            naming_beats=not self.same and bool(naming),
            people=min((n for n in people if n is not None), default=0.0),
            tolerance=self.tolerance,
            copies_by_chance=None if usual is None or rows is None else usual * rows,
            held_copies=self._held() if "copies" in depths else 0.0,
            rare_copies=self._rare_copies(),
            few_distinct=self._few_distinct(),
            hole=bool(self.excused - {("depth", "copies")}),
        )

    def _counts(self, n: Number) -> bool:
        """Whether an attack is evidence.

        A trained classifier also succeeds if synthetic was made from the holdout, or if train and the holdout differ:
        then it is no evidence of a leak unless the attacks that know no label succeed as well.
        """
        return not self.same and not (n.variant == "learned" and self._learns_otherwise)

    @property
    def _learns_otherwise(self) -> bool:
        """Whether what is learned from labels may be what the holdout lacks, or shares with synthetic."""
        if any(self.below.values()) or self.only_holdout:
            return True
        blind = [n for n in self.areas if n.variant != "learned"]
        return self.differs and any(n.upper is not None and n.upper < self.at_least for n in blind)

    def _beats_control(self, n: Number) -> bool:
        return _or(n.lower, 0.0) > self.at_most

    def _p_values(self) -> dict[tuple[str, str], float]:
        """One-sided p-values by kind and name; 1 where a finding is no evidence."""
        found: dict[tuple[str, str], float] = {}
        for n in self.areas:
            name, counts, beats = n.variant or "", self._counts(n), self._beats_control(n)
            ranks, top = (self.measured.value("membership", p, name) for p in ("p_value", "top_p_value"))
            found["ranks", name] = _or(ranks, 1.0) if counts and beats else 1.0
            if top is not None:
                found["top", name] = top if counts and (beats or not self.differs) else 1.0
        for depth, n in self.shares.items():
            above = (n.value or 0.0) > self._expected(n) and not (self.same or self.differs)
            found["depth", depth] = _or(self.measured.value("holdout_share", "p_value", n.variant), 1.0) if above else 1
        found.update(self.replays.p_values(self.same, self.differs))
        if self._ratio("train") is not None:
            found["within", "train"] = _or(self._of_within("train", "p_value"), 1.0)
        return found

    def _below(self) -> dict[tuple[str, str], bool]:
        """Which attacks and depths are below chance, by adjusted two-sided p-values; learned scores have no sign."""
        p_values = {}
        for n in self.areas:
            p = self.measured.value("membership", "p_value", n.variant)
            if n.variant != "learned" and p is not None:
                p_values["attack", n.variant or ""] = min(1.0, 2 * (1 - p)) if (n.value or 0.0) < 0.5 else 1.0
        for depth, n in self.shares.items():
            p = self.measured.value("holdout_share", "p_value", n.variant)
            p_values["depth", depth] = _or(p, 1.0) if (n.value or 0.0) < self._expected(n) else 1.0
        found = {name: p < BAD for name, p in holm(p_values).items()}
        self.excused = {name for name, below in found.items() if below and holes.explains(self.measured, name)}
        return {name: below and name not in self.excused for name, below in found.items()}

    def _attack(self, n: Number) -> Attack:
        name, value = n.variant or "", self.measured.value
        found = self.measured.number("membership", "found_at_1_per_100", name)
        matters = (
            _or(n.lower, 0.0) > self.at_most + self.tolerance
            or (found is not None and _or(found.lower, 0.0) >= self.tolerance)
            or _or(value("membership", "traced_lower", name), 0.0) >= self.tolerance / 2
        )
        ranks, first = self.adjusted["ranks", name], self.adjusted.get(("top", name), 1.0)
        trusted = self._counts(n) and (self._beats_control(n) or not self.differs)
        top = _or(value("membership", "at_least", name), 0.0) if trusted else 0.0
        top_level = "bad" if top >= MANY else level_of(first, matters)
        return Attack(
            n,
            level_of(ranks, matters),
            ranks < BAD and not matters,
            self.below.get(("attack", name), False),
            top,
            _or(value("membership", "listed", name), 0.0),
            "watch" if top and top_level == "good" else top_level,
            room(n.value, n.lower, 0.5 + (self.at_most - self.at_least) / 2 + self.tolerance),
        )

    def _depth(self, depth: str, n: Number) -> Depth:
        p_value, expected = self.adjusted["depth", depth], self._expected(n)
        matters = _or(n.lower, 0.0) > expected + self.tolerance
        records = sum(
            _or(self.measured.value("holdout_share", kind, n.variant), 0.0) for kind in ("closer", "further", "equal")
        )
        level = level_of(p_value, matters)
        return Depth(n, expected, records, level, p_value < BAD and not matters, self.below["depth", depth])

    def _within(self, side: str) -> Within:
        replicated, control, people, top = (
            _or(self._of_within(side, name), 0.0) for name in ("replicated", "control", "people", "at_least")
        )
        ratio = self._ratio(side)
        assert ratio is not None
        leaks = self._leaks(side)
        level = "good"
        if side == "train":
            level = level_of(self.adjusted["within", "train"], leaks)
            if top and not self.areas:  # with a holdout, the attacks say who is given away
                level = "bad" if top >= MANY or level == "bad" else "watch"
        return Within(side, ratio, replicated, control, people, top, leaks, level)

    def _leaks(self, side: str) -> bool:
        """Whether rare combinations of a table recur as those of no stranger do."""
        p_value, ratio = self._of_within(side, "p_value"), self._of_within(side, "ratio")
        return p_value is not None and p_value < BAD and _or(ratio, 0.0) >= RATIO

    def _ratio(self, side: str) -> Number | None:
        number = self.measured.number("within", "ratio", side)
        return None if number is None or self._of_within(side, "p_value") is None else number

    def _of_within(self, side: str, statistic: str) -> float | None:
        return self.measured.value("within", statistic, side)

    def _expected(self, n: Number) -> float:
        return _or(self.measured.value("holdout_share", "expected", n.variant), 0.0)

    def _held(self) -> float:
        """Copies of holdout records, including those that also equal a train record."""
        further, equal = (_or(self.measured.value("holdout_share", k, "copies"), 0.0) for k in ("further", "equal"))
        return Named(further + equal, "holdout_share.copies.further + holdout_share.copies.equal")

    def _rare_copies(self) -> float:
        """How many copies are too rare to be coincidences, if so many are significant."""
        p_value = _or(self.measured.value("copies", "rare_p_value"), 1.0)
        return _or(self.measured.value("copies", "rare"), 0.0) if p_value < WATCH else 0.0

    def _few_distinct(self) -> tuple[float, float] | None:
        found, usual = (self.measured.value("tables", name, "synthetic") for name in ("distinct", "distinct_expected"))
        return (found, usual) if found is not None and usual and found < FEW_DISTINCT * usual else None


def _or(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value
