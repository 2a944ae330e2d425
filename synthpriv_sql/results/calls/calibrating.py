"""How fast this machine is: small fixed tasks, measured once and kept in the folder of the compiled kernel."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from tempfile import mkstemp

import numpy as np

from synthpriv_sql.engines.duckdb.opening import open_database
from synthpriv_sql.kernels import private
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.version import __version__

FILE = "calibration.json"
_TIMES = 3
"""How often each task is measured; the least counts."""
_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Speed:
    """The processor seconds of the tasks: a search, the training of a classifier, and a statement of DuckDB."""

    search: float
    learning: float
    database: float

    def times(self, other: Speed) -> Speed:
        """How many times as long as on another machine each takes here."""
        return Speed(self.search / other.search, self.learning / other.learning, self.database / other.database)


REFERENCE = Speed(search=0.110, learning=0.0066, database=0.0315)
"""The machine on which the costs of `synthpriv_sql.results.calls.estimating` were measured."""


def speed() -> Speed | None:
    """Return the speed of this machine; None as long as the kernel is not compiled, which would take a minute."""
    from synthpriv_sql.kernels.knn import scan  # imported lazily: loads numba

    folder = private.folder_of(scan.search_batches)
    if folder is None or not private.has_index(folder):
        return None
    return kept(folder / FILE)


@cache
def kept(file: Path) -> Speed:
    """Return the speed that a file keeps, measured anew for another version or another number of processors."""
    of = {"version": __version__, "processors": os.cpu_count()}
    with suppress(OSError, ValueError, TypeError, KeyError):
        found = json.loads(file.read_text())
        if {name: found.pop(name) for name in of} == of:
            return Speed(**{name: float(value) for name, value in found.items()})
    measured = measure()
    with suppress(OSError):  # a folder that cannot be written to: measured again by the next process
        _write(file, json.dumps(of | asdict(measured)))
    return measured


def _write(file: Path, text: str) -> None:
    """Write a file at once: two processes may do so."""
    handle, made = mkstemp(dir=file.parent, prefix=FILE)
    try:
        with os.fdopen(handle, "w") as stream:
            stream.write(text)
        Path(made).replace(file)
    except OSError:
        Path(made).unlink(missing_ok=True)
        raise


def measure() -> Speed:
    """Measure the tasks, in two seconds or so."""
    return Speed(_least(_search()), _least(_learning()), _least(_database()))


def _least(task: Callable[[], object]) -> float:
    """The processor seconds of a task, which do not depend on what else runs here; the first run is no measure."""
    found = []
    task()
    for _ in range(_TIMES):
        begun = time.process_time()
        task()
        found.append(time.process_time() - begun)
    return max(min(found), 1e-6)


def _search() -> Callable[[], object]:
    """A search among rows of five numbers and four categories."""
    from synthpriv_sql.kernels.knn import index
    from synthpriv_sql.kernels.layout import Columns, Distance

    rng = np.random.default_rng(0)

    def table() -> Columns:
        numbers = tuple(rng.random((5, _ROWS)))
        return Columns(numbers, tuple(rng.integers(0, 20, (4, _ROWS)).astype(np.int32)), _ROWS)

    distance = Distance(1, True, 1.0, (1.0,) * 5, (1.0,) * 4, 9.0, False)
    queries, reference = table(), table()
    return lambda: index.search(queries, reference, distance, 1)


def _learning() -> Callable[[], object]:
    """Random trees, which are most of the training of the attack ``learned``."""
    from synthpriv_sql.learned import learners

    learners.load()
    rng = np.random.default_rng(0)
    features = rng.normal(size=(2_000, 60))
    members = rng.random(len(features)) < 0.5
    narrow = learners.for_trees(features)
    every = np.arange(len(features))
    return lambda: learners.random_trees(narrow, every, members, every, np.arange(20))


def _database() -> Callable[[], object]:
    """A statement with groups, a window and a join, in the thread that asks."""
    connection = open_database(config={"threads": 1})
    statement = catalog.statement("calibration")
    return lambda: connection.execute(statement).fetchall()
