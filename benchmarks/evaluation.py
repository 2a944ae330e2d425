"""A whole evaluation in a separate process: python -m benchmarks.evaluation WHAT ROWS.

WHAT is `evaluate` or `report`, of three tables with 12 dependent columns, like those of people; with `independent`
appended, the columns are independent, the worst case for bounds; with `thirty` or `two-hundred` there are so many
dependent columns of six kinds, with `thirty-independent` independent ones; with `wide`, there are 150 independent
numbers and 150 independent categories. Or `flatten` or `flatten in order`: parents with ten children each. What a part
uses (seconds, processor seconds, and the peak of the process when it ends) is measured between progress reports.
"""

import json
import sys
import tempfile
import time
import warnings

import numpy as np
import pyarrow as pa

import synthpriv_sql
from benchmarks import data, exposure, machine


def family(session, rows):
    random = np.random.default_rng(data.SEED)
    who = np.arange(rows)
    parents = pa.table({"key": who, "age": random.integers(18, 90, rows), "town": random.integers(0, 500, rows)})
    kinds = pa.array([f"kind {i}" for i in range(30)])
    children = pa.table(
        {
            "key": random.integers(0, rows, 10 * rows),
            "day": random.integers(0, 3650, 10 * rows),
            "amount": random.lognormal(4, 1, 10 * rows).round(2),
            "count": random.integers(0, 12, 10 * rows),
            "kind": kinds.take(pa.array(random.integers(0, 30, 10 * rows))),
            "place": kinds.take(pa.array(random.integers(0, 12, 10 * rows))),
        }
    )
    for name, table in (("parents", parents), ("children", children)):
        session.connection.register("given", table)
        session.connection.execute(f"CREATE TABLE {name} AS FROM given")
        session.connection.unregister("given")


KINDS = {
    "features of": "features of learned",
    "learning of": "learning",
    "forest": "forests",
    "combinations": "uniques",
    "compiling": "compiling",
}
"""Prefixes of progress labels, and their parts; all other labels are searches."""


class Parts:
    """Adds up what a call uses between its progress reports, by their label.

    The time before the first search is binding and counting; the time from the end of a search to the start of the next
    is SQL. DuckDB counts in parallel to searches, so a part may include some of another. ``peaks`` are the peak bytes
    of the process when a part last ended.
    """

    def __init__(self):
        self.seconds, self.processor, self.peaks = {}, {}, {}
        self._part, self._since, self._used = "before the first search", time.perf_counter(), time.process_time()

    def __call__(self, done, total, label):
        now, used = time.perf_counter(), time.process_time()
        self.seconds[self._part] = self.seconds.get(self._part, 0.0) + now - self._since
        self.processor[self._part] = self.processor.get(self._part, 0.0) + used - self._used
        self.peaks[self._part] = machine.most()
        self._part = self._kind(label) if done < total else "SQL between and after"
        self._since, self._used = now, used

    @staticmethod
    def _kind(label):
        return next((kind for start, kind in KINDS.items() if label.startswith(start)), "searches")

    def end(self):
        self(0, 1, "")
        long = [part for part, seconds in self.seconds.items() if seconds >= 0.1]
        return {
            "parts": {part: round(self.seconds[part], 1) for part in long},
            "processor of parts": {part: round(self.processor[part], 1) for part in long},
            "peak after parts": {part: self.peaks[part] for part in long},
        }


def bound(session):
    """The seconds of planning the statement of evaluate, and of binding it in DuckDB."""
    start = time.perf_counter()
    text = session.sql("evaluate", synthetic="synthetic", train="train", holdout="holdout")
    planned = time.perf_counter()
    session.connection.execute(f"PREPARE evaluated AS {text}")
    found = {"planning": round(planned - start, 1), "binding": round(time.perf_counter() - planned, 1)}
    session.connection.execute("DEALLOCATE evaluated")
    return found


def flatten(session, options):
    session.connection.execute(
        f"CREATE TABLE result AS FROM synthpriv.flatten('parents', 'children', key := 'key'{options})"
    )


def people(session, rows):
    """Seven numbers and five categories, with the same distribution in all three tables."""
    data.mixed(session, rows, ("synthetic", "train", "holdout"), categories=5)


def many_columns(session, rows):
    """150 numbers and 150 categories."""
    data.wide(session, rows, 150, 150, False, ("synthetic", "train", "holdout"))


DRAWN = {
    "independent": exposure.mixed_people,
    "wide": many_columns,
    "thirty": lambda session, rows: data.of_kinds(session, rows, 30, dependent=True),
    "thirty-independent": lambda session, rows: data.of_kinds(session, rows, 30, dependent=False),
    "two-hundred": lambda session, rows: data.of_kinds(session, rows, 200, dependent=True),
}


def main(what, rows):
    warnings.simplefilter("ignore")
    with synthpriv_sql.connect() as session, tempfile.TemporaryDirectory() as folder:
        if what.startswith("flatten"):
            family(session, rows)
        else:
            draw = DRAWN.get(what.rpartition(" ")[2], people)
            draw(session, 3_000)
            session.evaluate("synthetic", "train", "holdout")
            draw(session, rows)
        apart = {} if what.startswith("flatten") else bound(session)
        before = machine.most()
        parts, start, used = Parts(), time.perf_counter(), time.process_time()
        if what.startswith("flatten"):
            flatten(session, ", \"order\" := 'day'" if what.endswith("order") else "")
        elif what.startswith("report"):
            session.report(f"{folder}/page.html", "synthetic", "train", "holdout", progress=parts)
        else:
            session.evaluate("synthetic", "train", "holdout", progress=parts).to_arrow()
        seconds = time.perf_counter() - start
    found = {"seconds": seconds, "processor": time.process_time() - used, "before": before, "peak": machine.most()}
    used = parts.end()
    print(json.dumps(found | used | {"parts": used["parts"] | apart}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
