"""What a state of the tables gives away: cheap numbers that prove a leak, and the whole verdict."""

from __future__ import annotations

import heapq
import math
import warnings
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.headers import catalog, known_files
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.remedies.ladder import Step
from synthpriv_sql.remedies.tables import SIDES
from synthpriv_sql.report.evaluation import verdict_of
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict import evidence
from synthpriv_sql.report.verdict.evidence import TOLERANCE
from synthpriv_sql.report.verdict.replays import MANY
from synthpriv_sql.report.verdict.testing import room
from synthpriv_sql.results.result import Result

BLIND = ("distance", "density", "agreement", "agreement_near", "uniques")
"""Attacks that know no label, of those that the verdict asks."""
_OF_THE_START = frozenset({"split", "identifiers"})
"""Sections of evaluate that steps do not change."""
_QUICK = ["uniques", "agreement", "density"]
_TOLD = ("at_least", "auc", "auc_lower")
_NAMING = ["uniques", "learned"]
_ROW = "[row]"
_SAMPLE = 5_000
"""People of each side on whom a step is tried."""
_OF_COLUMNS = ("columns", "exclude", "numeric", "categorical")
_DEVIATIONS = 4
"""Standard deviations by which the uniques of a column exceed chance; those of one person come back together."""
_ROOM = 2.0
"""Standard errors by which each AUC has to be below what matters, so that it does not matter among other people either:
theirs is higher by 2 + 1.96 standard errors of one in 0.3 % of draws, of one attack."""
_CLEARLY = 0.02
"""How far above what the verdict tolerates an AUC proves that it is bad, without asking for the rest."""
START, REMOVED, UNCHANGED = "start", "removed", "unchanged"
EVERYONE, CONFIRMATION = "everyone", "confirmation"
"""Actions other than the steps of ladders."""
Tables = Mapping[str, pa.Table]


@dataclass(frozen=True)
class Measures:
    """What is given away: people named, at least so many at the top of a list, and the largest AUC of an attack.

    ``attack`` is the one of the largest AUC that knows no label. ``clear`` says that attacks alone make the verdict
    bad, ``widely`` that they also do without those given away, ``by_all`` that all attacks were asked, ``lasting`` that
    the verdict will hardly be worse among other people. ``level`` is that of the verdict, where it was asked for, with
    its ``headline``; ``replayed`` has the columns whose values come back, with how many people, at least, these give
    away; ``blamed`` is as `Measuring.blamed` returns it, where uniques were asked by themselves; ``least`` is how many
    people have to stand out together for an attack to name them, where all were asked.
    """

    named: int
    at_least: int
    auc: float | None
    attack: str = "agreement"
    clear: bool = False
    widely: bool = False
    by_all: bool = False
    lasting: bool = False
    level: str | None = None
    headline: str = ""
    replayed: Mapping[str, float] = field(default_factory=dict)
    blamed: Mapping[str, float] | None = None
    least: int = 0

    @property
    def gives_nobody_away(self) -> bool:
        """Whether nobody is named, and hardly anybody at the top of a list."""
        return not self.named and self.at_least < MANY


@dataclass(frozen=True)
class Row:
    """A step of the search, or its start or confirmation."""

    column: str | None
    action: str
    step: Step | None
    measures: Measures
    loss: float
    records: int


@dataclass
class Measuring:
    """Measures tables by functions of the catalog.

    Parameters
    ----------
    call
        Calls a function by its name, or a part.
    options
        The options of the call of remedy, by name.
    numbers
        The columns that number rows.
    """

    call: Callable[..., Result]
    options: Mapping[str, Any]
    numbers: Sequence[str] = ()
    _control: Sequence[Mapping[str, Any]] = ()
    _is_usable: bool = False

    def quickly(self, tables: Tables, most: int | None = None) -> Measures:
        """Return what attacks give away that need no training; people are named by replicated uniques alone.

        Parameters
        ----------
        tables
            The tables.
        most
            If more people are named, or some and uniques tell many others as well, the other attacks are not asked.
        """
        told = self._by_uniques(tables, _QUICK if most is None else _QUICK[:1])
        named = self.named(tables, _QUICK[:1]) if len(tables) > len(SIDES) else int(told["named"]["uniques"])
        rows: list[dict[str, Any]] = [
            {"attack": attack, **{name: told[name].get(attack) for name in _TOLD}} for attack in told["auc"]
        ]
        of_uniques = told["auc_lower"].get(_QUICK[0]) or 0.0
        if most is not None and named <= most and not (named and self._widely(of_uniques, named, tables)):
            rows = self._called("membership", tables, attack=_QUICK, false_positive_rates=[0.1]).to_pylist()
        best = max(rows, key=lambda row: row["auc"] or 0.0)
        at_least = max(int(row["at_least"] or 0) for row in rows)
        lower = best["auc_lower"] or 0.0
        matters = self._tolerated + self._width
        return Measures(
            named,
            at_least,
            best["auc"],
            best["attack"],
            clear=at_least >= MANY or lower > self._tolerated + _CLEARLY,
            widely=self._widely(lower, max(named, at_least), tables),
            lasting=all(room(row["auc"], row["auc_lower"], matters) >= _ROOM for row in rows),
            blamed=self._excess(told, tables),
        )

    def _widely(self, lower: float, people: int, tables: Tables) -> bool:
        return lower - people / max(1, len(tables["train"])) > self._tolerated + _CLEARLY

    @property
    def _tolerated(self) -> float:
        """The AUC that the verdict tolerates."""
        return 0.5 + float(self.options.get("tolerance") or TOLERANCE)

    @property
    def _width(self) -> float:
        """Half of the interval of the control."""
        areas = (row for row in self._control if (row["metric"], row["statistic"]) == ("split", "auc"))
        return next((((row["upper"] or 0.5) - (row["lower"] or 0.5)) / 2 for row in areas), 0.0)

    def named(self, tables: Tables, attacks: Sequence[str]) -> int:
        """Return how many people attacks name whom the releases before do not name."""
        part = catalog.file(known_files.STILL_NAMED)
        before = [table for name, table in tables.items() if name not in SIDES]
        given = {**self._of(part, tables), "attack": list(attacks), releases.OPTION: before or None}
        return int(self._run(part, tables, given)["exposed"][0])

    def _added(self, tables: Tables, alone: int) -> int:
        """Return how many people are named whom the releases before do not name; `alone`, without any."""
        return self.named(tables, _NAMING) if len(tables) > len(SIDES) else alone

    def told(self, tables: Tables, attack: str) -> float:
        """Return how many people an attack tells from others: those at the top of its list, and by its AUC."""
        sampled = {side: _sampled(table) if side in {"train", "holdout"} else table for side, table in tables.items()}
        found = self._called("membership", sampled, attack=[attack], false_positive_rates=[0.1])
        at_least, auc = found["at_least"][0].as_py(), found["auc"][0].as_py()
        return float(at_least or 0) + len(sampled["train"]) * max(0.0, (auc or 0.5) - 0.5)

    def blamed(self, tables: Tables) -> Mapping[str, float]:
        """Return for each column the replicated uniques of its combinations in train, less those of the holdout.

        A column of which train has no more of them than chance would give is left out.
        """
        return self._excess(self._by_uniques(tables, _QUICK[:1]), tables)

    def _by_uniques(self, tables: Tables, attacks: Sequence[str]) -> dict[str, dict[str, float]]:
        part = catalog.file(known_files.UNIQUE_EVIDENCE)
        found: dict[str, dict[str, float]] = {name: {} for name in (*SIDES, *_TOLD)}
        for row in self._run(part, tables, {**self._of(part, tables), "attack": list(attacks)}):
            found.setdefault(row["statistic"], {})[row["name"]] = row["value"]
        return found

    @staticmethod
    def _excess(counts: Mapping[str, Mapping[str, float]], tables: Tables) -> dict[str, float]:
        ratio = len(tables["train"]) / max(1, len(tables["holdout"]))
        excess = {}
        for name, members in counts["train"].items():
            others = counts["holdout"].get(name, 0.0)
            if members - ratio * others > _DEVIATIONS * math.sqrt(members + ratio**2 * others):
                excess[name] = members - ratio * others
        return excess

    def judged(self, tables: Tables, whole: bool = False) -> Measures:
        """Return the verdict on the tables, and its numbers.

        Parameters
        ----------
        tables
            The tables.
        whole
            Whether to ask for the control as well, which is that of these people from then on: it depends on real rows
            alone, and is found most easily in those that are not yet coarser.
        """
        part = catalog.file(known_files.JUDGED_AT_FIRST if whole else known_files.JUDGED)
        rows = self._run(part, tables, self._of(part, tables))
        return self.begun(rows, tables) if whole else self._read([*rows, *self._control], tables)

    def begun(self, rows: Iterable[Mapping[str, Any]], tables: Tables) -> Measures:
        """Return the verdict that rows give, with the control of these people."""
        rows = list(rows)
        self._control = [row for row in rows if row["section"] in _OF_THE_START]
        self._is_usable = evidence.of(_measured(rows)).usable
        return self._read(rows, tables)

    def given_away(self, tables: Tables) -> Measures:
        """Return whom all attacks name and give away, as `judged` does, where the level of the verdict does not count.

        It is not asked for, unless the holdout is none that shows what chance does: then the verdict says who counts.
        """
        if not self._is_usable:
            return self.judged(tables)
        part = catalog.file(known_files.GIVEN_AWAY)
        found = self._read([*self._run(part, tables, self._of(part, tables)), *self._control], tables)
        return replace(found, level=None, headline="", lasting=False)

    def _read(self, rows: Sequence[Mapping[str, Any]], tables: Tables) -> Measures:
        measured = _measured(rows)
        said = verdict_of(rows)
        areas = [n for n in measured.numbers if (n.metric, n.statistic) == ("membership", "auc")]
        lower = {n.variant or "": float(n.lower or 0.0) for n in areas}
        aucs = {n.variant or "": float(n.value) for n in areas if n.value is not None}
        blind = [attack for attack in aucs if attack in BLIND]
        alone = int(measured.value("exposure", "exposed") or 0) if said.stands_behind_names else 0
        named = self._added(tables, alone)
        at_least = int(measured.value("exposure", "at_least") or 0)
        level = "bad" if named else said.level
        found = evidence.of(measured)
        return Measures(
            named,
            at_least,
            max(aucs.values(), default=None),
            max(blind, key=lambda attack: aucs[attack], default="agreement"),
            level == "bad",
            self._widely(max((lower[attack] for attack in blind), default=0.0), max(named, at_least), tables),
            by_all=True,
            lasting=all(attack.room >= _ROOM for attack in found.attacks),
            level=level,
            headline=said.headline,
            replayed={one.column: one.top for one in found.replays if one.level != "good"},
            least=int(measured.value("exposure", "least") or 0),
        )

    def has_copies(self, tables: Tables) -> bool:
        """Return whether a record of synthetic equals a person, or nearly does by its texts."""
        return bool(pc.any(pc.greater(self._called("copies", tables, near=True)["copies"], 0)).as_py())

    def carrying(self, tables: Tables) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which records of synthetic are copies, or carry people, as ``until_safe`` of `safe` takes them out."""
        synthetic = tables["synthetic"]
        numbered = synthetic.append_column(_ROW, pa.array(np.arange(len(synthetic))))
        exclude = [*(self._of(catalog.function("safe"), tables).get("exclude") or []), _ROW]
        found = self._called("safe", {**tables, "synthetic": numbered}, until_safe=True, exclude=exclude)
        carrying = np.ones(len(synthetic), bool)
        carrying[found[_ROW].to_numpy()] = False
        return carrying

    def _called(self, function: str, tables: Tables, **more: Any) -> pa.Table:
        return self._run(function, tables, {**self._of(catalog.function(function), tables), **more}).to_arrow()

    def _run(self, name: str | Function, tables: Tables, given: Mapping[str, Any]) -> Result:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SynthprivWarning)
            known = (catalog.function(name) if isinstance(name, str) else name).parameters
            return self.call(name, **{side: tables[side] for side in SIDES if side in known}, **given)

    def _of(self, function: Function, tables: Tables) -> dict[str, Any]:
        """The options that a function takes, about columns that are left."""
        given = {name: value for name, value in self.options.items() if name in function.parameters}
        left = {name.lower() for name in tables["synthetic"].column_names}
        if self.numbers:
            given["exclude"] = [*(given.get("exclude") or []), *self.numbers]
        for option in _OF_COLUMNS:
            if given.get(option):
                given[option] = [name for name in given[option] if name.lower() in left] or None
        return {name: value for name, value in given.items() if value is not None}


def _measured(rows: Iterable[Mapping[str, Any]]) -> Measured:
    return Measured([{"item": "number", **row} for row in rows])


def _sampled(table: pa.Table) -> pa.Table:
    """Some rows of a table, spread evenly over it."""
    if len(table) <= _SAMPLE:
        return table
    return table.take(pa.array(np.linspace(0, len(table) - 1, _SAMPLE).astype(np.int64)))


def by_trial(
    told: Callable[[str | None], float],
    rises: Mapping[str, float],
    attack: str,
    gains: MutableMapping[tuple[str, str], float],
) -> str:
    """Return the column whose next step takes most from an attack for its loss.

    Columns are tried in the order of what they promise, which is what they gained when they were last tried: one whose
    gain is still the largest after its trial is taken. No step takes away more than the attack tells.

    Parameters
    ----------
    told
        Returns how many people the attack tells from others after the next step of a column; None: as it is.
    rises
        By how much the loss rises, by column.
    attack
        The attack.
    gains
        What was gained when a column was last tried, by attack and column; updated.
    """
    now = told(None)
    promised = [(-min(now, gains.get((attack, name), now)) / rise, name) for name, rise in rises.items()]
    heapq.heapify(promised)
    best = (-np.inf, "")
    while promised and best[0] < -promised[0][0]:
        _, name = heapq.heappop(promised)
        gain = now - told(name)
        gains[attack, name] = max(gain, 0.0)
        best = max(best, (gain / rises[name], name))
    return best[1]
