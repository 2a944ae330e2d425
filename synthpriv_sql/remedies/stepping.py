"""Steps of a search: the state of the tables, and which step comes next for its gain and its loss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

import numpy as np

from synthpriv_sql.remedies.family import FamilyMeasuring
from synthpriv_sql.remedies.ladder import LEFT_OUT, Step
from synthpriv_sql.remedies.loss import Cells, Loss
from synthpriv_sql.remedies.measuring import Measures, Measuring, Tables, by_trial
from synthpriv_sql.remedies.tables import Limits, State, Treating

_SMALL = 0.001
"""A rise of the loss that counts as none: a smaller one is not divided by."""
_LESS = 0.002
"""By how much less a coarser step has to lose for a finer one to be passed over."""


@dataclass
class Stepping:
    """The state of a search, and the steps that it may take next.

    Parameters
    ----------
    treating, measuring
        The tables, and what measures them.
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
    aside
        Columns that are not compared: they change only if their values come back, as those of any column may.
    """

    treating: Treating
    measuring: Measuring | FamilyMeasuring
    ladders: Mapping[str, Sequence[Step]]
    cells: Mapping[str, Cells]
    halves: tuple[Mapping[str, Any], Mapping[str, Any]]
    limits: Limits
    report: Callable[[str], None]
    aside: Collection[str] = ()
    state: State = field(default_factory=State)
    _gains: dict[tuple[str, str], float] = field(default_factory=dict)
    _tried: dict[Any, float] = field(default_factory=dict)
    _coded: dict[tuple[str, Step | None], Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        codes = {
            side: {name: cells.codes(self.treating.column(side, name, None)) for name, cells in self.cells.items()}
            for side in ("train", "synthetic")
        }
        self._loss = Loss(codes["train"], codes["synthetic"], self.treating.children)
        self._begun = self._loss.mean
        self._places = dict.fromkeys(self.ladders, -1)

    def _tables(self, state: State, half: int | None = 0) -> Tables:
        """The tables with the people of a half; or with all, as those who are not looked at would not be protected."""
        rows = {} if half is None else self.halves[half]
        return {side: self.treating.table(side, state, rows.get(side)) for side in self.treating.tables}

    @staticmethod
    def _key(state: State, half: int | None = 0) -> Any:
        return half, frozenset(state.steps.items()), None if state.kept is None else state.kept.tobytes()

    def _keep(self, kept: np.ndarray[Any, np.dtype[np.bool_]] | None) -> None:
        """Have the loss count only these records."""
        tables = {"", *self.treating.children.values()}
        self._loss.keep(None if kept is None else {child: self.treating.kept(child, kept) for child in tables})

    def _left(self, state: State) -> Counter[str]:
        """How many compared columns of each table are not left out."""
        steps = {name: state.steps.get(name) for name in self.cells}
        there = [name for name, at in steps.items() if at is None or at.expression is not None]
        return Counter(self.treating.children.get(name, "") for name in there)

    def _codes(self, name: str, step: Step | None) -> Any:
        if name not in self.cells or (step is not None and step.expression is None):
            return None
        if (name, step) not in self._coded:
            given = self.treating.column("synthetic", name, None)
            self._coded[name, step] = self.cells[name].codes(self.treating.column("synthetic", name, step), given)
        return self._coded[name, step]

    def _coarsest(self) -> State:
        """The state in which every column is as coarse as it can be; one that nearly names rows is left out."""
        state, half = self.state, len(self.treating.tables["synthetic"]) / 2
        for name, steps in self.ladders.items():
            if len(steps) > 1 or self.treating.distinct(name, None) > half:
                state = state.at(name, steps[max(self._places[name], len(steps) - 2, 0)])
        return state if len(self._left(state)) == len(self._left(self.state)) else self.state

    def _lasts(self, measures: Measures) -> bool:
        """Whether the verdict will hardly be worse among those who confirm it, if they are others."""
        return measures.lasting or not self.halves[0]

    def _candidates(self) -> Iterator[tuple[str, int]]:
        """Where the next step of each column is; the last compared column of a table is never left out.

        A step is passed over if a coarser one loses less: digits cut a distribution where groups of it do not.
        """
        left = self._left(self.state)
        for name, steps in self.ladders.items():
            places = range(self._places[name] + 1, len(steps))
            if name in self.cells and left[self.treating.children.get(name, "")] == 1 and steps[-1].action == LEFT_OUT:
                places = places[:-1]
            losses = [self._loss.of(name, self._codes(name, steps[place])) for place in places]
            passed = takewhile(lambda at: losses[at] > min(losses[at:]) + _LESS, range(len(losses)))  # noqa: B023
            if losses:
                yield name, places[sum(1 for _ in passed)]

    def _put(self, name: str, step: Step | None, place: int) -> None:
        self._loss.put(name, self._codes(name, step))
        self.state, self._places[name] = self.state.at(name, step), place

    def _rise(self, name: str, step: Step) -> float:
        return max(_SMALL, self._loss.of(name, self._codes(name, step)) - self._loss.mean)

    def _back_gain(self, name: str) -> float:
        place = self._places[name]
        earlier = self.ladders[name][place - 1] if place else None
        return self._loss.mean - self._loss.of(name, self._codes(name, earlier))

    def _as_cheap(self, name: str, place: int) -> int:
        """The coarsest step that loses hardly more than one: what no column is to blame for takes more than digits."""
        losses = [self._loss.of(name, self._codes(name, step)) for step in self.ladders[name][place:]]
        last = max(at for at, loss in enumerate(losses) if loss <= losses[0] + _LESS)
        return place + last - (last > 0 and self.ladders[name][place + last].action == LEFT_OUT)

    def _chosen(self, candidates: Mapping[str, Step], gains: Mapping[str, float], attack: str) -> str:
        rises = {name: self._rise(name, step) for name, step in candidates.items()}
        if gains:
            return max(gains, key=lambda name: gains[name] / rises[name])
        # What no column is to blame for is spread over all: none is left out while another can be coarser.
        coarser = {name: step for name, step in candidates.items() if step.action != LEFT_OUT}

        def tried(name: str | None) -> float:
            state = self.state if name is None else self.state.at(name, candidates[name])
            key = (attack, self._key(state))
            if key not in self._tried:  # what was tried and chosen is where the next trial begins
                self._tried[key] = self.measuring.told(self._tables(state), attack)
            return self._tried[key]

        return by_trial(tried, {name: rises[name] for name in coarser or candidates}, attack, self._gains)

    # --- goals

    def _is_reached(self, measures: Measures) -> bool:
        if not self.limits.levels:
            return self._is_nobody(measures)
        return measures.level in self.limits.aims and self._lasts(measures)

    def _is_allowed(self, measures: Measures) -> bool:
        return measures.level in self.limits.levels if self.limits.levels else self._is_nobody(measures)

    @staticmethod
    def _is_nobody(measures: Measures) -> bool:
        return measures.gives_nobody_away and measures.by_all
