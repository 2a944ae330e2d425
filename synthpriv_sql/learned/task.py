"""The attack `learned` as one task on a cluster: pages of all tables in, a row for every real record out.

All data is on one executor, which holds it once; no records are sent to the driver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from synthpriv_sql.learned import udf
from synthpriv_sql.udf.neighbors import Monitor

SIDES = ("synthetic", "train", "holdout", "train units", "holdout units", "train hints", "holdout hints")
"""The tables of a task, by their numbers; of several releases, those after the first follow."""
JUDGED = pa.schema(
    [
        ("side", pa.string()),
        ("record", pa.int64()),
        ("score", pa.float64()),
        ("synthetic", pa.int64()),
        ("fold", pa.int64()),
        ("evidence", pa.list_(pa.string())),
        ("control", pa.float64()),
        ("release", pa.string()),
        ("released", pa.string()),
    ]
)
"""The columns of sql/membership/learned_releases.sql."""
_MEMORY = 1 << 30


@dataclass(frozen=True, slots=True)
class Task:
    """Scores the real records in the given pages.

    Parameters
    ----------
    options
        The fields of sql/membership/learned_releases.sql, except for threads, memory and numbers of pages.
    threads
        Returns the number of threads to use; called on the executor.
    """

    options: Mapping[str, Any]
    threads: Callable[[], int]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of (side, page) into some of `JUDGED`; the sides are positions in `SIDES`, then releases."""
        pages: dict[int, list[Any]] = {}
        for batch in batches:
            for side, page in zip(batch.column("side").to_pylist(), batch.column("page"), strict=True):
                pages.setdefault(side, []).append(page)
        if not pages:
            return  # a partition without pages
        listed: list[Any] = [pages.get(side) for side in range(len(SIDES))]
        options = {**self.options, "threads": self.threads(), "memory": 4 * _MEMORY}
        if names := options.get("names"):
            places = [0, *range(len(SIDES), len(SIDES) + len(names) - 1)]
            each = [pages.get(place, []) for place in places]
            listed[0] = [page for one in each for page in one]
            options["counts"] = options["key_counts"] = [len(one) for one in each]
        # Keys use the same pages as distances: see sql/parts/key_pages.sql.
        found, _ = udf.answers([*listed[:3], *listed[:3], *listed[3:]], options, Monitor())
        for one in found:
            yield _batch(one)


def _batch(found: udf.Answer) -> Any:
    """The rows of one set of releases."""
    rows, listed = len(found.positions), pa.list_(pa.string())
    of_train = found.positions < found.members
    columns = [
        pa.array(["train" if train else "holdout" for train in of_train.tolist()], pa.string()),
        pa.array(found.positions - (~of_train) * found.members),
        pa.array(found.scores),
        pa.array(found.nearest, mask=found.nearest < 0),
        pa.array(found.folds),
        pa.nulls(rows, listed) if found.labels is None else pa.array(found.labels, listed),
        pa.nulls(rows, pa.float64()) if found.control is None else pa.array(found.control),
        pa.nulls(rows, pa.string()) if found.releases is None else found.releases,
        pa.array([found.released] * rows, pa.string()),
    ]
    return pa.record_batch(columns, schema=JUDGED)
