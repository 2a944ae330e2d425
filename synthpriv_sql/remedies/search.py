"""The search: one step at a time on the column with the largest gain for its loss, until the verdict allows a release.

People are split in halves: the search sees one, and the last row confirms its result on the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from synthpriv_sql.remedies.ladder import Step
from synthpriv_sql.remedies.measuring import CONFIRMATION, EVERYONE, REMOVED, START, UNCHANGED, Measures, Row
from synthpriv_sql.remedies.stepping import Stepping
from synthpriv_sql.remedies.tables import State, earlier

_FEWER = 20
"""How many times fewer people are given away at the end of a search for its result to be of use without a verdict."""
_FURTHER = 5
"""Steps that are taken at most to make a verdict better that already allows a release."""
_FALLEN = 0.99
"""All attacks are asked again if cheap ones tell less than this share of what they told where all failed."""
_SKIPPED = 5
"""They are asked after so many steps at most."""
Saved = tuple[State, dict[str, int], int]
"""The state, how far each column is down its ladder, and the number of rows."""
Goal = Callable[[Measures], bool]
"""Whether a search may end at a state with these measures."""


@dataclass
class Search(Stepping):
    """A search for the least change; the parameters are those of `Stepping`."""

    rows: list[Row] = field(default_factory=list)
    closest: Row | None = None
    """Where a search ended that did not reach its target."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._tried_removing: float = np.inf
        self._known: dict[Any, Measures] = {}
        self._bounds: dict[Any, Measures] = {}
        self._fewer: list[Saved] = []
        # What earlier releases add to a record, `safe` finds.
        records = len(self.treating.tables["synthetic"])
        self._most = 0 if earlier(self.treating.tables) else int(self.limits.remove * records)

    def run(self) -> None:
        """Search until the verdict allows a release, and confirm what was found.

        If only the verdict remains bad, a table that gives nobody away is the result, or one that names nobody and
        gives away few of those who were; if people are still named where the limits end, nothing changes.
        """
        measures = self._judged(self.state)
        self._add(None, START, None, measures)
        goal = None if measures.level in self.limits.levels else self._searched(measures)
        if goal is not None:
            self._try_back(goal)
        if self.halves[0] and (self.closest is None or self.state.steps or self.state.kept is not None):
            self._go_on_for_everyone(goal if goal in {self._is_few, self._is_nobody} else self._is_allowed)
        self.report(CONFIRMATION)
        self._add(None, CONFIRMATION, None, self.measuring.judged(self._tables(self.state, half=1), whole=True))

    def _searched(self, measures: Measures) -> Goal | None:
        """Take steps to the goal, and return it; where it is not reached, return to what comes next to it.

        The verdict is to be better than it has to be, and not narrowly: it is confirmed on other people.
        """
        begun = self._saved()
        passed: list[Saved] = []
        harmless: list[Saved] = []
        if self._reach(measures, passed, harmless):
            return self._is_reached
        if (allowed := self._first(passed, self._is_allowed)) is not None:
            self._return(allowed)
            return None
        nobody = self._first(harmless, self._is_nobody)
        if nobody is None and harmless and self._go_on(self._told(self.state, self._is_nobody), self._is_nobody):
            nobody = self._saved()
        self.closest = self.rows[-1]
        few = None if nobody else self._first(self._fewer, self._is_few)
        self._return(nobody or few or begun)
        return self._is_nobody if nobody else self._is_few if few else None

    def _reach(self, measures: Measures, passed: list[Saved], harmless: list[Saved]) -> bool:
        """Take steps until the goal is reached, or nothing that can be done leads there.

        Note the states on the way that give nobody away, and those of them that cheap measures do not condemn.
        """
        further, hoped = 0, False
        while not self._is_reached(measures):
            if len(self.rows) > self.limits.steps:
                return False
            if not hoped and len(self.rows) > 1 and not measures.named and (measures.by_all or measures.clear):
                coarsest = self._bound(measures.by_all)
                hoped = coarsest is not None
                if coarsest is not None and not self._is_allowed(coarsest):
                    self._settle(coarsest, harmless)
                    return False
            if further > _FURTHER:
                if self._is_allowed(self._judged(self.state)):
                    return False
                further = 0
            found = self._removing(measures) or self._stepping(measures)
            if found is None:
                return False
            measures = found
            if measures.gives_nobody_away:
                harmless.append(self._saved())
                if not measures.clear:
                    passed.append(self._saved())
                    further += 1
        return True

    def _bound(self, failed: bool) -> Measures | None:
        """What the coarsest state gives away: no step leads to less. The verdict is asked unless it is known.

        None while cheap measures of it promise a good one, and no verdict on the way has failed: it may not be needed.
        """
        coarsest = self._coarsest()
        key = self._key(coarsest)
        quick = self._bounds.get(key) or self.measuring.quickly(self._tables(coarsest))
        self._bounds[key] = quick
        if quick.clear and not quick.gives_nobody_away:
            return quick
        if self.limits.levels and self._promises(quick) and not failed:
            return None
        return self._told(coarsest, self._is_nobody if quick.clear else self._is_allowed)

    def _settle(self, coarsest: Measures, harmless: list[Saved]) -> None:
        """Go straight to where nobody is given away, if it is within the limits: the verdict stays bad anyway.

        If somebody is given away even there, go on to where few of those who were are given away.
        """
        straight = self._straight() if coarsest.gives_nobody_away and not harmless else []
        for name, step in straight:
            if not harmless:
                self._put(name, step, self.ladders[name].index(step))
                found = self.measuring.quickly(self._tables(self.state))
                self._add(name, step.action, step, found)
                if found.gives_nobody_away:
                    harmless.append(self._saved())
        if not coarsest.gives_nobody_away or not harmless:
            harmless.clear()
            if self._promises(self.rows[-1].measures, self._is_few):
                self.rows[-1] = replace(self.rows[-1], measures=self._told(self.state, self._is_few))
            self._go_on(self.rows[-1].measures, self._is_few)

    def _straight(self) -> list[tuple[str, Step]]:
        """The steps to the coarsest state, the cheapest first; none if it is not within the limits."""
        steps = self._coarsest().steps
        searched = [name for name in self.ladders if name in steps and name not in self.aside]
        changing = [name for name in searched if steps[name] is not self.state.steps.get(name)]
        begun = self._saved()
        straight: list[tuple[str, Step]] = []
        for name in sorted(changing, key=lambda one: self._rise(one, steps[one])):
            within = self._loss.of(name, self._codes(name, steps[name])) <= self._begun + self.limits.loss
            if within and len(self.rows) + len(straight) <= self.limits.steps:
                self._put(name, steps[name], self.ladders[name].index(steps[name]))
                straight.append((name, steps[name]))
        found = self.measuring.quickly(self._tables(self.state))
        self._restore(begun)
        return straight if found.gives_nobody_away else []

    def _go_on_for_everyone(self, goal: Goal) -> None:
        """Go on until all people together allow what half of them does: of more people attacks learn more.

        The half still chooses the steps; all people only say whether they are enough. If they are not, where the limits
        end, the result is that of the half, and what it leaves of all people is said.
        """
        begun, measures = self._saved(), self.rows[-1].measures
        found = self._of_everyone(goal)
        for _ in range(_FURTHER):
            stepped = None if goal(found) or len(self.rows) > self.limits.steps else self._stepping(measures)
            if stepped is None:
                break
            measures, found = stepped, self._of_everyone(goal)
        if not goal(found):
            self._return(begun)
        if found.level is None or not goal(found):
            found = self._judged(self.state, half=None)
        self._add(None, EVERYONE, None, found)
        self.closest = self.closest if goal(found) else self.rows[-1]

    def _of_everyone(self, goal: Goal) -> Measures:
        """Return what all people together say: the verdict, unless what is asked before it rules the goal out."""
        few = goal == self._is_few
        quick = self.measuring.quickly(self._tables(self.state, half=None), most=0 if few else -1)
        is_bad = not self._promises(quick, goal) if few else not quick.gives_nobody_away
        if is_bad or (quick.clear and not few and self.limits.levels and goal != self._is_nobody):
            return quick
        return self._judged(self.state, half=None)

    def _go_on(self, measures: Measures, goal: Goal) -> bool:
        """Take further steps until all attacks together reach a goal.

        These are asked when cheap ones tell less than where they failed, or after some steps: it is the first of all.
        """
        begun, failed, named = len(self.rows), np.inf, measures.named
        skipped: list[Saved] = []
        while not goal(measures):
            found = None if len(self.rows) > self.limits.steps else self._stepping(measures, goal)
            if found is not None:
                measures = replace(found, named=found.named or named)
                if not self._promises(found, goal):
                    continue
                skipped.append(self._saved())
                told = (found.auc or 0.5) - 0.5
                if told >= _FALLEN * failed and len(skipped) < _SKIPPED:
                    continue
            if not skipped:
                return False
            asked = self._told(self.state, goal)
            self.rows[-1] = replace(self.rows[-1], measures=asked)
            if goal(asked):
                break
            if found is None:
                return False
            measures = replace(asked, blamed=found.blamed)
            failed, named = told, asked.named
            skipped.clear()
        self._return(self._first(skipped, goal) or self._saved())
        self._fewer = [*(saved for saved in self._fewer if saved[2] <= begun), self._saved()]
        return True

    def _first(self, passed: Sequence[Saved], goal: Goal) -> Saved | None:
        """The first of some states at which a search may end, if the last is one: each is coarser than the former."""

        def ends(saved: Saved) -> bool:
            return goal(self._told(saved[0], goal))

        if not passed or not ends(passed[-1]):
            return None
        at = 0 if ends(passed[0]) else 1
        return passed[at and bisect_left(passed, True, lo=at, key=ends)]

    def _saved(self) -> Saved:
        return self.state, dict(self._places), len(self.rows)

    def _return(self, saved: Saved) -> None:
        """Forget what came after a state."""
        self._restore(saved)
        measures = self._known.get(self._key(self.state)) or self._judged(self.state)
        self.rows[-1] = replace(self.rows[-1], measures=measures)

    def _restore(self, saved: Saved) -> None:
        self.state, self._places = saved[0], dict(saved[1])
        del self.rows[saved[2] :]
        for name in self.ladders:
            self._loss.put(name, self._codes(name, self.state.steps.get(name)))
        self._keep(self.state.kept)

    # --- goals

    def _is_few(self, measures: Measures) -> bool:
        """Whether nobody is named, and hardly anybody given away of those who were."""
        return not measures.named and _FEWER * measures.at_least <= self.rows[0].measures.at_least and measures.by_all

    def _stays_bad(self, goal: Goal | None) -> bool:
        """Whether a goal is one where the level of the verdict does not count."""
        return not self.limits.levels or goal in {self._is_few, self._is_nobody}

    def _measured(self, state: State, most: int | None = None) -> Measures:
        """Measure a state as `quickly` does; all attacks are asked if that finds it harmless."""
        quick = self.measuring.quickly(self._tables(state), most)
        return self._told(state, None) if self._promises(quick) else quick

    def _promises(self, quick: Measures, goal: Goal | None = None) -> bool:
        """Whether cheap measures allow a state to be one at which a search may end."""
        if goal == self._is_few:
            return self._is_few(replace(quick, by_all=True))
        narrow = self.limits.levels and goal != self._is_nobody and (quick.clear or not self._lasts(quick))
        return quick.gives_nobody_away and not narrow

    def _judged(self, state: State, half: int | None = 0) -> Measures:
        """Return the verdict on a state by the people of a half, or all; it is asked once."""
        key = self._key(state, half)
        if key not in self._known or self._known[key].level is None:
            self._known[key] = self.measuring.judged(self._tables(state, half), whole=not self._known)
        return self._known[key]

    def _fails(self, state: State, goal: Goal) -> bool:
        """Whether a state was judged, and is none at which a search may end."""
        known = self._known.get(self._key(state))
        return known is not None and (known.level is not None or self._stays_bad(goal)) and not goal(known)

    def _told(self, state: State, goal: Goal | None) -> Measures:
        """Return what all attacks say of a state, with the verdict if the goal needs one."""
        if not self._stays_bad(goal):
            return self._judged(state)
        key = self._key(state)
        if key not in self._known:
            self._known[key] = self.measuring.given_away(self._tables(state))
        return self._known[key]

    def _add(self, column: str | None, action: str, step: Step | None, measures: Measures) -> None:
        kept = self.state.kept
        records = len(self.treating.tables["synthetic"]) if kept is None else int(kept.sum())
        self.rows.append(Row(column, action, step, measures, max(0.0, self._loss.mean - self._begun), records))
        if len(self.rows) > 1 and self._promises(measures, self._is_few):
            self._fewer.append(self._saved())

    def _stepping(self, measures: Measures, goal: Goal | None = None) -> Measures | None:
        """Take the step with the largest gain for its loss; None if there is none within the limit of the loss.

        On the way to a goal of all attacks cheap measures alone say what it came to.
        """
        places = {name: at for name, at in self._candidates() if name not in self.aside or name in measures.replayed}
        blamed = measures.blamed if measures.named else {}
        blamed = self.measuring.blamed(self._tables(self.state)) if blamed is None else blamed
        gains = {name: gain for name, gain in (blamed or measures.replayed).items() if name in places and gain > 0}
        if not gains:
            places = {name: self._as_cheap(name, place) for name, place in places.items() if name not in self.aside}
        steps = {name: self.ladders[name][place] for name, place in places.items()}
        most = self._begun + self.limits.loss
        candidates = {n: step for n, step in steps.items() if self._loss.of(n, self._codes(n, step)) <= most}
        if not candidates:
            return None
        name = self._chosen(candidates, {n: gain for n, gain in gains.items() if n in candidates}, measures.attack)
        step = candidates[name]
        self.report(f"{name}: {step.action}")
        self._put(name, step, places[name])
        few = self._most // 2
        if goal is None:
            # One call asks all cheap attacks, unless so many are named that the next step will name many as well.
            found = self._measured(self.state, few if measures.named > few else None)
        else:
            last = self.rows[-1].measures
            of_uniques = last.named and not last.by_all
            found = self.measuring.quickly(self._tables(self.state), few if of_uniques else None)
        if found.level is None:  # what comes back of other columns was found before
            others = {other: people for other, people in measures.replayed.items() if other != name}
            found = replace(found, replayed=others)
        self._add(name, step.action, step, found)
        return found

    def _removing(self, measures: Measures) -> Measures | None:
        """Take out the records that name people or are copies, if they are few and cost less than the next step."""
        if not self._most or measures.widely or max(2 * measures.named, measures.at_least) > self._most:
            return None
        if 2 * measures.named >= self._tried_removing or (measures.gives_nobody_away and not self._has_copies):
            return None
        self._tried_removing = measures.named  # tried again when half as many are left
        before, carrying = self.state, self.measuring.carrying(self._tables(self.state, half=None))
        if not carrying.any():
            return None
        kept = before.kept.copy() if before.kept is not None else np.ones(len(self.treating.tables["synthetic"]), bool)
        kept[np.flatnonzero(kept)[carrying]] = False
        if int((~kept).sum()) > self._most:
            return None
        state = replace(before, kept=kept)
        found = self._measured(state)
        if not self._is_reached(found) and (found.named, found.at_least) >= (measures.named, measures.at_least):
            return None
        self.report(f"{int(carrying.sum())} records")
        self.state = state
        self._keep(kept)
        self._add(None, REMOVED, None, found)
        return found

    @cached_property
    def _has_copies(self) -> bool:
        """Whether records of synthetic, as it was given, are copies, which may go one by one."""
        return self.measuring.has_copies(self._tables(State(), half=None))

    # --- back

    def _try_back(self, goal: Goal) -> None:
        """Try every step back, the dearest first, as far as it can go; finer steps that lose more are passed over.

        Cheap measures say how far; then the whole verdict, asked seldom, says how much of that may stand. Where the
        verdict stays bad, a step goes back for a smaller loss, or to the column as it was given.
        """
        stays_bad = bool(self.limits.levels) and self._stays_bad(goal)
        trail = [self._saved()]
        costs = {name: self._back_gain(name) for name in self.state.steps}
        for name in sorted(costs, key=lambda one: -costs[one]):
            for place in range(self._places[name] - 1, -2, -1):
                earlier = self.ladders[name][place] if place >= 0 else None
                loss = self._loss.of(name, self._codes(name, earlier))
                if earlier is not None and (loss > self._loss.mean or (stays_bad and loss == self._loss.mean)):
                    continue  # finer, and yet no closer to train
                state = self.state.at(name, earlier)
                if self._fails(state, goal):
                    break
                self.report(f"{name}: back")
                found = self.measuring.quickly(self._tables(state), most=0)
                if not self._promises(found, goal):
                    break
                self._put(name, earlier, place)
                self._add(name, UNCHANGED if earlier is None else earlier.action, earlier, found)
                trail.append(self._saved())
        fits = goal(self._told(self.state, goal))
        at = bisect_left(trail, True, lo=1, key=lambda saved: not fits and not goal(self._told(saved[0], goal)))
        self._return(trail[at - 1])
