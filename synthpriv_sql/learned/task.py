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
JUDGED = pa.schema(
    [
        ("side", pa.string()),
        ("record", pa.int64()),
        ("score", pa.float64()),
        ("synthetic", pa.int64()),
        ("fold", pa.int64()),
        ("evidence", pa.list_(pa.string())),
        ("release", pa.string()),
    ]
)
_MEMORY = 1 << 30


@dataclass(frozen=True, slots=True)
class Task:
    """Scores the real records in the given pages.

    Parameters
    ----------
    options
        The fields of sql/membership/learned.sql, except for threads and memory.
    threads
        Returns the number of threads to use; called on the executor.
    """

    options: Mapping[str, Any]
    threads: Callable[[], int]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of (side, page) into one of `JUDGED`; the sides are positions in `SIDES`."""
        pages: dict[int, list[Any]] = {}
        for batch in batches:
            for side, page in zip(batch.column("side").to_pylist(), batch.column("page"), strict=True):
                pages.setdefault(side, []).append(page)
        if not pages:
            return  # a partition without pages
        listed: list[Any] = [pages.get(side) for side in range(len(SIDES))]
        options = {**self.options, "threads": self.threads(), "memory": 4 * _MEMORY}
        # Keys use the same pages as distances: see sql/parts/key_pages.sql.
        found, _ = udf.answer([*listed[:3], *listed[:3], *listed[3:]], options, Monitor())
        of_train = found.positions < found.members
        labels: list[Any] = found.labels or [None] * len(found.positions)
        columns = [
            pa.array(["train" if train else "holdout" for train in of_train.tolist()], pa.string()),
            pa.array(found.positions - (~of_train) * found.members),
            pa.array(found.scores),
            pa.array(found.nearest, mask=found.nearest < 0),
            pa.array(found.folds),
            pa.array(labels, pa.list_(pa.string())),
            pa.nulls(len(labels), pa.string()),  # of several releases, it does not run here
        ]
        yield pa.record_batch(columns, schema=JUDGED)
