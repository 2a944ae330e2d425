"""The search: one step at a time on the column with the largest gain for its loss, until the verdict allows a release.

People are split in halves: the search sees one, and the last row confirms its result on the other.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

import numpy as np

from synthpriv_sql.remedies.ladder import LEFT_OUT, Step
from synthpriv_sql.remedies.loss import Cells, Loss
from synthpriv_sql.remedies.measuring import Measures, Measuring, Tables
from synthpriv_sql.remedies.tables import SIDES, State, Treating

_SMALL = 0.001
"""A rise of the loss that counts as none: a smaller one is not divided by."""
START, REMOVED, UNCHANGED, CONFIRMATION = "start", "removed", "unchanged", "confirmation"
"""Actions other than the steps of ladders."""
_LESS = 0.002
"""By how much less a coarser step has to lose for a finer one to be passed over."""
_FURTHER = 5
"""Steps that are taken at most to make a verdict better that already allows a release."""
Saved = tuple[State, dict[str, int], int]
"""The state, how far each column is down its ladder, and the number of rows."""
Goal = Callable[[Tables], Measures]
"""Measures tables as far as it takes to tell whether a goal is reached."""


@dataclass(frozen=True)
class Row:
    """A step of the search, or its start or confirmation."""

    column: str | None
    action: str
    step: Step | None
    measures: Measures
    loss: float
    records: int


@dataclass(frozen=True)
class Limits:
    """How far a search may go.

    ``remove`` is the share of records that may be taken out, ``loss`` the largest rise of the mean distance, ``steps``
    the largest number of steps; ``levels`` are those of the verdict that allow a release, none if it is enough that
    nobody is given away, and ``aims`` those at which the search ends.
    """

    remove: float
    loss: float
    steps: int
    levels: frozenset[str]
    aims: frozenset[str]


@dataclass
class Search:
    """A search for the least change.

    Parameters
    ----------
    treating
        The tables.
    measuring
        Measures them.
    ladders
        The steps of each column that may change.
    cells
        The codes of each column whose distribution counts as loss.
    halves
        The record numbers of train and the holdout that the search sees, and those that confirm it.
    limits
        How far it may go.
    report
        Called with what the search does.
    """

    treating: Treating
    measuring: Measuring
    ladders: Mapping[str, Sequence[Step]]
    cells: Mapping[str, Cells]
    halves: tuple[Mapping[str, Any], Mapping[str, Any]]
    limits: Limits
    report: Callable[[str], None]
    state: State = field(default_factory=State)
    rows: list[Row] = field(default_factory=list)
    closest: Row | None = None
    """Where a search ended that did not reach its target."""
    _gains: dict[tuple[str, str], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        codes = {
            side: {name: cells.codes(self.treating.column(side, name, None)) for name, cells in self.cells.items()}
            for side in ("train", "synthetic")
        }
        self._loss = Loss(codes["train"], codes["synthetic"])
        self._begun = self._loss.mean
        self._places = dict.fromkeys(self.ladders, -1)
        self._tried_removing: int | None = None
        self._allowed: Saved | None = None

    def run(self) -> None:
        """Search until nobody is given away, then until the verdict allows a release, and confirm what was found.

        If somebody is still given away where the limits end, nothing changes; if only the verdict remains bad, the
        table that gives nobody away is the result.
        """
        measures = self._judged()
        self._add(None, START, None, measures)
        if measures.level not in self.limits.levels:
            begun = self._saved()
            if self._until(measures, self._gives_nobody_away) is None:
                self.closest = self.rows[-1]
                self._return(begun)
            else:
                if self.rows[-1].measures.level is None:
                    self.rows[-1] = replace(self.rows[-1], measures=self._judged())
                if self.limits.levels:
                    self._release(self.rows[-1].measures)
        self.report(CONFIRMATION)
        self._add(None, CONFIRMATION, None, self.measuring.judged(self._tables(self.state, half=1)))

    def _release(self, measures: Measures) -> None:
        """Go on until the verdict allows a release; otherwise return to where this began.

        The verdict is to be better than it has to be, and not narrowly, by some further steps: it is confirmed on other
        people.
        """
        if self._reached(measures, self._released):
            return
        begun = self._saved()
        self._allowed = begun if measures.level in self.limits.levels else None
        coarsest = self.state
        for name, steps in self.ladders.items():
            if len(steps) > 1:
                coarsest = coarsest.at(name, steps[max(self._places[name], len(steps) - 2)])
        hopeless = self._allowed is None and self._released(self._tables(coarsest)).level not in self.limits.levels
        if hopeless or self._until(measures, self._released) is None:
            if self._allowed is None:
                self.closest = self.rows[-1]
            self._return(self._allowed or begun)

    def _saved(self) -> Saved:
        return self.state, dict(self._places), len(self.rows)

    def _return(self, saved: Saved) -> None:
        """Forget what came after a state."""
        self.state, self._places = saved[0], dict(saved[1])
        del self.rows[saved[2] :]
        for name in self.ladders:
            self._loss.put(name, self._codes(name, self.state.steps.get(name)))
        self._loss.keep(self.state.kept)

    def _until(self, measures: Measures, goal: Goal) -> Measures | None:
        """Take steps until a goal is reached, and try each back; None if it is not reached."""
        further = 0
        while not self._reached(measures, goal):
            if len(self.rows) > self.limits.steps or further > _FURTHER:
                return None
            found = self._removing(measures, goal) or self._stepping(measures, goal)
            if found is None:
                return None
            measures = found
            if goal == self._released and self._allowed is None and measures.level in self.limits.levels:
                self._allowed = self._saved()
            further += goal == self._released and self._allowed is not None
        return self._try_back(goal) or measures

    def _reached(self, measures: Measures, goal: Goal) -> bool:
        if goal == self._released:
            return measures.level in self.limits.aims and measures.lasting
        return measures.gives_nobody_away and measures.by_all

    # --- goals

    def _gives_nobody_away(self, tables: Tables) -> Measures:
        """Measure tables; all attacks are only asked if those that need no training give nobody away."""
        quick = self.measuring.quickly(tables)
        return self.measuring.by_all(tables, quick) if quick.gives_nobody_away else quick

    def _released(self, tables: Tables) -> Measures:
        """Measure tables; the verdict is only asked for if nothing else shows that it is bad."""
        quick = self.measuring.quickly(tables)
        return quick if quick.named or quick.clear else self.measuring.judged(tables)

    # --- states

    def _judged(self) -> Measures:
        return self.measuring.judged(self._tables(self.state))

    def _tables(self, state: State, half: int = 0) -> Tables:
        rows = self.halves[half]
        return {side: self.treating.table(side, state, rows.get(side)) for side in self.treating.tables}

    def _add(self, column: str | None, action: str, step: Step | None, measures: Measures) -> None:
        kept = self.state.kept
        records = len(self.treating.tables["synthetic"]) if kept is None else int(kept.sum())
        self.rows.append(Row(column, action, step, measures, max(0.0, self._loss.mean - self._begun), records))

    def _codes(self, name: str, step: Step | None) -> Any:
        if name not in self.cells or (step is not None and step.expression is None):
            return None
        return self.cells[name].codes(self.treating.column("synthetic", name, step))

    # --- steps

    def _candidates(self) -> Iterator[tuple[str, int]]:
        """Where the next step of each column is; the last compared column is never left out.

        A step is passed over if a coarser one loses less: digits cut a distribution where groups of it do not.
        """
        left = [name for name in self.cells if (at := self.state.steps.get(name)) is None or at.expression is not None]
        for name, steps in self.ladders.items():
            places = range(self._places[name] + 1, len(steps))
            if [name] == left and steps[-1].action == LEFT_OUT:
                places = places[:-1]
            losses = [self._loss.of(name, self._codes(name, steps[place])) for place in places]
            passed = takewhile(lambda at: losses[at] > min(losses[at:]) + _LESS, range(len(losses)))  # noqa: B023
            if losses:
                yield name, places[sum(1 for _ in passed)]

    def _stepping(self, measures: Measures, goal: Goal) -> Measures | None:
        """Take the step with the largest gain for its loss; None if there is none within the limit of the loss."""
        most = self._begun + self.limits.loss
        places = dict(self._candidates())
        steps = {name: self.ladders[name][place] for name, place in places.items()}
        candidates = {n: step for n, step in steps.items() if self._loss.of(n, self._codes(n, step)) <= most}
        if not candidates:
            return None
        name = self._chosen(candidates, measures)
        step = candidates[name]
        self.report(f"{name}: {step.action}")
        self._put(name, step, places[name])
        found = goal(self._tables(self.state))
        self._add(name, step.action, step, found)
        return found

    def _put(self, name: str, step: Step | None, place: int) -> None:
        self._loss.put(name, self._codes(name, step))
        self.state, self._places[name] = self.state.at(name, step), place

    def _rise(self, name: str, step: Step) -> float:
        return max(_SMALL, self._loss.of(name, self._codes(name, step)) - self._loss.mean)

    def _chosen(self, candidates: Mapping[str, Step], measures: Measures) -> str:
        rises = {name: self._rise(name, step) for name, step in candidates.items()}
        gains = self.measuring.blamed(self._tables(self.state)) or measures.replayed
        gains = {name: gain for name, gain in gains.items() if name in candidates and gain > 0}
        if gains:
            return max(gains, key=lambda name: gains[name] / rises[name])
        # What no column is to blame for is spread over all: none is left out while another can be coarser.
        coarser = {name: step for name, step in candidates.items() if step.action != LEFT_OUT}
        return self._by_trial(coarser or candidates, rises, measures.attack)

    def _by_trial(self, candidates: Mapping[str, Step], rises: Mapping[str, float], attack: str) -> str:
        """The column whose next step takes most from an attack.

        Columns are tried in the order of what they promise, which is what they gained when they were last tried: one
        whose gain is still the largest after its trial is taken.
        """
        now = self.measuring.told(self._tables(self.state), attack)
        promised = [(-self._gains.get((attack, name), np.inf) / rises[name], name) for name in candidates]
        heapq.heapify(promised)
        best = (-np.inf, "")
        while promised and best[0] < -promised[0][0]:
            _, name = heapq.heappop(promised)
            gain = now - self.measuring.told(self._tables(self.state.at(name, candidates[name])), attack)
            self._gains[attack, name] = max(gain, 0.0)
            best = max(best, (gain / rises[name], name))
        return best[1]

    # --- records

    def _removing(self, measures: Measures, goal: Goal) -> Measures | None:
        """Take out the records that name people or are copies, if they are few and cost less than the next step."""
        with_others = len(self.treating.tables) > len(SIDES)  # what earlier releases add to a record, `safe` finds
        most = 0 if with_others else int(self.limits.remove * len(self.treating.tables["synthetic"]))
        tried = self._tried_removing
        if not most or 2 * measures.named > most or (tried is not None and 2 * measures.named >= tried):
            return None
        self._tried_removing = measures.named  # tried again when half as many are left
        before = self.state
        carrying = self.measuring.carrying(self._all())
        if not carrying.any():
            return None
        kept = before.kept.copy() if before.kept is not None else np.ones(len(self.treating.tables["synthetic"]), bool)
        kept[np.flatnonzero(kept)[carrying]] = False
        if int((~kept).sum()) > most:
            return None
        state = replace(before, kept=kept)
        found = goal(self._tables(state))
        if not self._reached(found, goal) and not _less(found, measures):
            return None
        self.report(f"{int(carrying.sum())} records")
        self.state = state
        self._loss.keep(kept)
        self._add(None, REMOVED, None, found)
        return found

    def _all(self) -> Tables:
        """The tables with all people: those who are not looked at would not be protected."""
        return {side: self.treating.table(side, self.state) for side in self.treating.tables}

    # --- back

    def _try_back(self, goal: Goal) -> Measures | None:
        """Try every step back, the dearest first, as far as it can go; finer steps that lose more are passed over."""
        measures = None
        costs = {name: self._back_gain(name) for name in self.state.steps}
        for name in sorted(costs, key=lambda one: -costs[one]):
            for place in range(self._places[name] - 1, -2, -1):
                earlier = self.ladders[name][place] if place >= 0 else None
                if earlier is not None and self._loss.of(name, self._codes(name, earlier)) > self._loss.mean:
                    continue  # finer, and yet further from train
                self.report(f"{name}: back")
                found = goal(self._tables(self.state.at(name, earlier)))
                if not self._reached(found, goal):
                    break
                measures = found
                self._put(name, earlier, place)
                self._add(name, UNCHANGED if earlier is None else earlier.action, earlier, found)
        return measures

    def _back_gain(self, name: str) -> float:
        place = self._places[name]
        earlier = self.ladders[name][place - 1] if place else None
        return self._loss.mean - self._loss.of(name, self._codes(name, earlier))


def _less(found: Measures, before: Measures) -> bool:
    return (found.named, found.at_least) < (before.named, before.at_least)
