"""Remedies of published tables: what `remedy` changes, beside k-anonymity by the same ladders, and removal alone.

ARX searches for the generalization of all columns that loses least among those in which every record shares its values
with k - 1 others, after a few records are suppressed. `anonymized` does so greedily, on the same ladders.
"""

import time
import warnings
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

import synthpriv_sql
from benchmarks import data
from synthpriv_sql.planner.columns.types import ROLE_OF
from synthpriv_sql.planner.headers import catalog, known_files
from synthpriv_sql.remedies.finding import _columns
from synthpriv_sql.remedies.ladder import LEFT_OUT, coarser, ladder
from synthpriv_sql.remedies.loss import Cells, Loss
from synthpriv_sql.remedies.tables import SIDES, State, Treating

TABLES = {
    **{f"adult_{name}": (f"adult_{name}", "adult_trn", "adult_val") for name in ("synthpop", "flip50", "flip70")},
    "midst_1": ("midst_1_synthetic", "midst_1_train", "midst_1_holdout"),
}
"""Synthetic, train and holdout of each case."""
K = 5
REMOVE = 0.01
"""Share of records that may be taken out, as by default in remedy."""


@dataclass(frozen=True)
class Remedied:
    """What became of a table: whom it gives away, and what it lost."""

    who: str
    seconds: float
    named: int
    at_least: int
    loss: float
    records: int
    changes: str

    @property
    def note(self):
        return (
            f"{self.named:,} named; at least {self.at_least:,} given away; loss {self.loss:.2%}; "
            f"{self.records:,} records; {self.changes}"
        )


class Case:
    """The tables of a case, and what all ways are measured by."""

    def __init__(self, session, name):
        self.session = session
        self.tables = dict(zip(SIDES, (self._read(file) for file in TABLES[name]), strict=True))
        columns = _columns(self.tables["synthetic"])
        self.treating = Treating(columns, self.tables)
        self.ladders = {
            name: coarser(
                ladder(column, self.tables["synthetic"].column(name), "other"),
                partial(self.treating.distinct, name),
                self.treating.distinct(name, None),
                len(self.tables["synthetic"]),
            )
            for name, column in columns.items()
        }
        roles = {name: ROLE_OF[str(column.family)] for name, column in columns.items()}
        self.cells = {n: Cells(self.tables["train"].column(n), role != "categorical") for n, role in roles.items()}
        self.coded = {}

    def _read(self, file):
        return self.session.connection.sql(f"FROM '{data.DATA}/{file}.csv.gz'").to_arrow_table()

    def losses(self):
        codes = {
            side: {name: cells.codes(self.tables[side].column(name)) for name, cells in self.cells.items()}
            for side in ("train", "synthetic")
        }
        return Loss(codes["train"], codes["synthetic"])

    def codes(self, name, step):
        if step is not None and step.expression is None:
            return None
        if (name, step) not in self.coded:
            self.coded[name, step] = self.cells[name].codes(self.treating.column("synthetic", name, step))
        return self.coded[name, step]

    def measured(self, who, seconds, state, changes):
        """Treat all tables alike, as an attacker would, and attack what is left."""
        losses = self.losses()
        before = losses.mean
        for name, step in state.steps.items():
            losses.put(name, self.codes(name, step))
        losses.keep(None if state.kept is None else {"": state.kept})
        tables = {side: self.treating.table(side, state) for side in SIDES}
        rows = self.session.call(catalog.file(known_files.JUDGED), **tables)
        found = {row["statistic"]: row["value"] for row in rows if row["metric"] == "exposure" and not row["variant"]}
        records = len(tables["synthetic"])
        return Remedied(
            who, seconds, int(found["exposed"]), int(found["at_least"]), losses.mean - before, records, changes
        )

    def as_it_is(self):
        return self.measured("as it is", 0.0, State(), "nothing changed")

    def remedied(self):
        start = time.perf_counter()
        found = self.session.remedy(**self.tables).found
        seconds = time.perf_counter() - start
        return self.measured("synthpriv remedy", seconds, found.state, _said(found.state))

    def removed(self):
        """Take out the records that carry people, and change nothing else."""
        start = time.perf_counter()
        numbered = self.tables["synthetic"].append_column("[row]", [np.arange(len(self.tables["synthetic"]))])
        safe = self.session.safe(**{**self.tables, "synthetic": numbered}, until_safe=True, exclude=["[row]"])
        left = safe.to_arrow()["[row]"].to_numpy()
        seconds = time.perf_counter() - start
        kept = np.zeros(len(numbered), bool)
        kept[left] = True
        return self.measured("synthpriv safe, until_safe", seconds, State(kept=kept), "records taken out")

    def anonymized(self):
        """k-anonymity of all columns: each time the step that frees most records of small classes for its loss."""
        start = time.perf_counter()
        losses, state = self.losses(), State()
        places = dict.fromkeys(self.ladders, -1)
        labels = {name: self._labels(name, None) for name in self.ladders}
        small = _in_small_classes(labels)
        while small.sum() > REMOVE * len(small):
            best = None
            for name, steps in self.ladders.items():
                if places[name] + 1 == len(steps):
                    continue
                step = steps[places[name] + 1]
                gain = small.sum() - _in_small_classes({**labels, name: self._labels(name, step)}).sum()
                rise = max(1e-3, losses.of(name, self.codes(name, step)) - losses.mean)
                best = max(best or (-np.inf, ""), (gain / rise, name))
            name = best[1]
            places[name] += 1
            step = self.ladders[name][places[name]]
            state = state.at(name, step)
            losses.put(name, self.codes(name, step))
            labels[name] = self._labels(name, step)
            small = _in_small_classes(labels)
        state = State(state.steps, ~small)
        seconds = time.perf_counter() - start
        return self.measured(f"{K}-anonymity by the same ladders", seconds, state, _said(state))

    def _labels(self, name, step):
        if step is not None and step.action == LEFT_OUT:
            return np.zeros(len(self.tables["synthetic"]), np.int64)
        values = self.treating.column("synthetic", name, step).to_pandas()
        return pd.factorize(values, use_na_sentinel=False)[0]


def _in_small_classes(labels):
    """Which records share all their values with fewer than k - 1 others."""
    classes = pd.DataFrame(labels).groupby(list(labels), sort=False)[next(iter(labels))].transform("size")
    return (classes < K).to_numpy()


def _said(state):
    return ", ".join(f"{name} {step.action}" for name, step in state.steps.items()) or "nothing changed"


def remedies(quick):
    """Yield the name of each case, and what became of its table in each way."""
    with synthpriv_sql.connect() as session, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in list(TABLES)[: 1 if quick else None]:
            case = Case(session, name)
            for way in (case.as_it_is, case.remedied, case.anonymized, case.removed):
                yield name, way()
