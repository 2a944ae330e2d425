"""The attack that learns as one task of a cluster: pages of all tables in, a row for every real record out.

What it needs is there once, on one executor; nothing of a record comes to the driver.
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
    ]
)
_MEMORY = 1 << 30


@dataclass(frozen=True, slots=True)
class Task:
    """Judges the real records of the pages that it is given.

    Parameters
    ----------
    facts
        The fields that sql/membership/learned.sql gives, but for threads and memory.
    threads
        Tells how many threads to use, where the task runs.
    """

    facts: Mapping[str, Any]
    threads: Callable[[], int]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of (side, page) into one of `JUDGED`; the sides are places in `SIDES`."""
        held: dict[int, list[Any]] = {}
        for batch in batches:
            for side, page in zip(batch.column("side").to_pylist(), batch.column("page"), strict=True):
                held.setdefault(side, []).append(page)
        if not held:
            return  # a partition without pages
        listed: list[Any] = [held.get(side) for side in range(len(SIDES))]
        facts = {**self.facts, "threads": self.threads(), "memory": 4 * _MEMORY}
        # The pages of keys are those of distances: see sql/parts/key_pages.sql.
        found, _ = udf.answer([*listed[:3], *listed[:3], *listed[3:]], facts, Monitor())
        of_train = found.positions < found.members
        words: list[Any] = found.words or [None] * len(found.positions)
        columns = [
            pa.array(["train" if train else "holdout" for train in of_train.tolist()], pa.string()),
            pa.array(found.positions - (~of_train) * found.members),
            pa.array(found.scores),
            pa.array(found.blamed, mask=found.blamed < 0),
            pa.array(found.folds),
            pa.array(words, pa.list_(pa.string())),
        ]
        yield pa.record_batch(columns, schema=JUDGED)
