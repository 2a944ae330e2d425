"""Small tables with all that is awkward in them: missing values, NaN, ties, copies, times, names that need quotes."""

from __future__ import annotations

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pyarrow as pa

TEXT, NUMBER, WHOLE = "VARCHAR", "DOUBLE", "BIGINT"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the DuckDB type of each column by its name, and rows of values."""

    columns: Mapping[str, str]
    rows: Sequence[Sequence[Any]]

    def arrow(self) -> pa.Table:
        """Return it as Arrow; types that Arrow lacks are texts."""
        types = [_ARROW.get(type_, pa.string()) for type_ in self.columns.values()]
        values = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        arrays = [pa.array(v, t, from_pandas=False) for v, t in zip(values, types, strict=True)]
        return pa.table(dict(zip(self.columns, arrays, strict=True)))


MOOD = "ENUM ('happy', 'ok', 'Sad')"
PEOPLE = {
    "Id": "BIGINT",
    "Größe": "DOUBLE",
    'a"b': "INTEGER",
    "tiny": "FLOAT",
    "price": "DECIMAL(10, 2)",
    "select": "VARCHAR",
    "Flag": "BOOLEAN",
    "day": "DATE",
    "clock": "TIME",
    "seen": "TIMESTAMP",
    "Seen At": "TIMESTAMP WITH TIME ZONE",
    "many": "VARCHAR",
    "mood": MOOD,
    "uid": "UUID",
    "nothing": "INTEGER",
}
_ARROW: dict[str, pa.DataType] = {
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "INTEGER": pa.int32(),
    "FLOAT": pa.float32(),
    "DECIMAL(10, 2)": pa.decimal128(10, 2),
    "BOOLEAN": pa.bool_(),
    "DATE": pa.date32(),
    "TIME": pa.time64("us"),
    "TIMESTAMP": pa.timestamp("us"),
    "TIMESTAMP WITH TIME ZONE": pa.timestamp("us", "UTC"),
}
"""The rest travels as text."""


def _people(seed: int, rows: int) -> list[list[Any]]:
    """Rows with nulls, NaN, ties, near and exact copies, and more than 256 categories; the same for a seed, always."""
    draw = random.Random(seed)  # noqa: S311 (the same in every run)
    shared = random.Random(0)  # noqa: S311
    midnight = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
    table: list[list[Any]] = []
    for number in range(rows):
        # Every fifth record is one that other tables have as well.
        r = shared if number % 5 == 0 else draw
        moment = midnight + datetime.timedelta(seconds=r.randrange(-(10**8), 10**8), microseconds=r.randrange(10**6))
        row: list[Any] = [
            number,
            r.choice([r.gauss(170, 10), r.gauss(170, 10), float("nan"), 170.0]),
            r.randrange(4),
            r.choice([0.5, -0.0, 0.0, 1e-3]),
            Decimal(r.randrange(100_000)) / 100,
            r.choice(["x", "y", "Y", "", "it's", "ü", "a,b"]),
            r.random() < 0.5,
            moment.date(),
            moment.time(),
            moment.replace(tzinfo=None),
            moment,
            f"c{number % 300}",
            r.choice(["happy", "ok", "Sad"]),
            f"00000000-0000-0000-0000-{r.randrange(20):012d}",
            None,
        ]
        missing = r.randrange(4 * len(row))
        if 0 < missing < len(row):
            row[missing] = None
        table.append(row)
    return table


_ROWS = {
    "Train Rows": _people(1, 330),
    "synthetic": _people(2, 120),
    "holdout": _people(3, 90),
    "few": _people(4, 3),
    "one": _people(5, 1),
    "empty": [],
}
_SIZES = {"classes": Table({"size": WHOLE}, [[n] for n in (1, 2, 3, 5, 5, 90)])}
_CURVE = {
    "curve": Table({"theta": NUMBER, "accumulation": NUMBER}, [[i / 32, (i / 32) ** 0.5] for i in range(33)]),
}
# Records of which several are at one distance, in columns whose steps no DOUBLE can hold.
_STEP = datetime.timedelta(microseconds=100_001)
STEPS = {
    name: Table(
        {"price": "DECIMAL(10, 2)", "seen": "TIMESTAMP", "clock": "TIME"},
        [
            [
                Decimal(n) / 10,
                datetime.datetime(2024, 5, 6) + n * _STEP,
                (datetime.datetime(1, 1, 1, 8) + n * _STEP).time(),
            ]
            for n in range(first, 60, 2)
        ],
    )
    for name, first in (("even steps", 0), ("odd steps", 1))
}
_EVALUATED = {
    name: Table(
        dict.fromkeys(("section", "metric", "variant", "statistic", "better"), TEXT)
        | dict.fromkeys(("value", "lower", "upper"), NUMBER),
        [
            ["a", "a", "x", "share", "lower", 0.5 - then / 4, 0.4 - then / 4, 0.6 - then / 4],
            ["a", "a", None, "share", "higher", 1.0 - then, None, None],
            ["b", "b", "x", "n", None, 2.0, None, None],
            ["b", "b", f"only {then}", "n", None, None, None, None],
        ],
    )
    for name, then in (("evaluated", 0), ("evaluated before", 1))
}
_NEIGHBORS = dict.fromkeys(("query", "rank", "neighbor"), WHOLE) | {"distance": NUMBER}
_PAIRS = [(q, r) for q in range(120) for r in (1, 2)]
# The user's own work: scores of train's 330 records and then the holdout's 90, and the nearest of 120 synthetic ones.
_OWN = {
    "scores": Table({"record": WHOLE, "score": NUMBER}, [[i, i * 37 % 101 / 10 - i / 100] for i in range(420)]),
    "distances": Table(_NEIGHBORS, [[q, r, (q * 7 + r * 211) % 420, q % 3 * (r + q) / 2.5] for q, r in _PAIRS]),
    "train distances": Table(_NEIGHBORS, [[q, r, (q * 7 + r) % 330, q % 3 * r / 2.5] for q, r in _PAIRS]),
}
TABLES = {name: Table(PEOPLE, rows) for name, rows in _ROWS.items()} | _SIZES | _CURVE | STEPS | _EVALUATED | _OWN
"""The tables by their names."""
