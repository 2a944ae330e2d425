"""Hypothesis strategies: a synthetic, a train and a holdout table that are hard to compare.

Values come from small pools, so that ties, duplicates and exact copies are the rule rather than the exception, and
floats from a coarse grid, so that two values either are the same or differ by more than rounding.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

# Names that need quoting, that are keywords, or that the product itself might use.
NAMES = (
    *("Mixed Case", 'a"b', "select", "näme", "it's", "semi;colon --", "1st", "x"),
    *("record", "distance", "neighbor", "train"),
)


@dataclass(frozen=True)
class Kind:
    """A column type: what Arrow calls it, the role that it has, and values for its pool."""

    type: pa.DataType
    role: str
    values: st.SearchStrategy


MOMENTS = st.integers(-1_000, 20_000).map(lambda hours: dt.datetime(1970, 1, 1) + dt.timedelta(hours=7 * hours))
KINDS = {
    "integer": Kind(pa.int64(), "numeric", st.integers(-3, 6)),
    "byte": Kind(pa.uint8(), "numeric", st.integers(0, 255)),
    "float": Kind(pa.float64(), "numeric", st.integers(-400, 400).map(lambda i: i / 8) | st.just(float("nan"))),
    "decimal": Kind(pa.decimal128(9, 2), "numeric", st.integers(-9_999, 9_999).map(lambda i: Decimal(i) / 100)),
    "date": Kind(pa.date32(), "temporal", MOMENTS.map(dt.datetime.date)),
    "timestamp": Kind(pa.timestamp("us"), "temporal", MOMENTS),
    "zoned": Kind(pa.timestamp("us", tz="UTC"), "temporal", MOMENTS.map(lambda moment: moment.replace(tzinfo=dt.UTC))),
    "time": Kind(pa.time64("us"), "temporal", st.integers(0, 23).map(lambda hour: dt.time(hour, 30, 0, 500_000))),
    "boolean": Kind(pa.bool_(), "categorical", st.booleans()),
    "text": Kind(pa.string(), "categorical", st.sampled_from(["", "a", "A", "a ", "NULL", "nan", "it's", "ä", "0"])),
    "enum": Kind(pa.dictionary(pa.int32(), pa.string()), "categorical", st.sampled_from(["low", "mid", "High"])),
}
# Integers, and texts: their distances under hamming, or manhattan unscaled, are exact, and so are ties.
EXACT_KINDS = ("integer", "byte", "boolean", "text", "enum")


SHAPES = ["free"] * 5 + ["missing at times"] * 3 + ["constant in train", "constant", "no value"]


@dataclass(frozen=True)
class Trio:
    """Synthetic, train and holdout tables with the same columns, and the surface on which to ask about them."""

    synthetic: dict[str, list[Any]]
    train: dict[str, list[Any]]
    holdout: dict[str, list[Any]]
    kinds: dict[str, str]
    weights: dict[str, float] | None
    surface: str = "python"

    @property
    def roles(self):
        return {name: KINDS[kind].role for name, kind in self.kinds.items()}

    @property
    def schema(self):
        return pa.schema([(name, KINDS[kind].type) for name, kind in self.kinds.items()])

    def arrow(self, side):
        """The Arrow table of one side: 'synthetic', 'train' or 'holdout'."""
        columns = getattr(self, side)
        return pa.table([pa.array(columns[f.name], f.type) for f in self.schema], schema=self.schema)


@st.composite
def column(draw, kind, sizes):
    """Values of one column for each of the tables; the train table's (second) may be constant or empty."""
    value = KINDS[kind].values
    pool = draw(st.lists(value, min_size=1, max_size=6))
    shape = draw(st.sampled_from(SHAPES))
    choices = st.sampled_from([*pool, None] if shape == "missing at times" else pool)
    tables = [draw(st.lists(choices, min_size=size, max_size=size)) for size in sizes]
    if shape == "constant":
        return [[pool[0]] * size for size in sizes]
    if shape in ("constant in train", "no value"):
        tables[1] = [pool[0] if shape == "constant in train" else None] * sizes[1]
    return tables


def duplicated(draw, table, other):
    """Write some rows of `other` over rows of `table`: copies of records, and of themselves."""
    here, there = (st.integers(0, len(next(iter(t.values()))) - 1) for t in (table, other))
    for into, source in draw(st.lists(st.tuples(here, there), max_size=4)):
        for name, values in table.items():
            values[into] = other[name][source]


@st.composite
def trios(draw, kinds=tuple(KINDS), min_rows=1, max_rows=12):
    """Three tables of 1 to 4 columns; `min_rows` where a statistic needs so many records of each."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    chosen = {name: draw(st.sampled_from(kinds)) for name in names}
    sizes = [draw(st.integers(min_rows, max_rows)) for _ in range(3)]
    columns = {name: draw(column(kind, sizes)) for name, kind in chosen.items()}
    synthetic, train, holdout = ({name: columns[name][side] for name in names} for side in range(3))
    duplicated(draw, train, train)
    duplicated(draw, synthetic, train)
    duplicated(draw, holdout, synthetic)
    weights = draw(st.none() | st.dictionaries(st.sampled_from(names), st.sampled_from([0, 0.5, 1, 3.25])))
    if weights and len(weights) == len(names) and not any(weights.values()):
        weights = None  # nothing left to compare: an error, tested as such
    return Trio(synthetic, train, holdout, chosen, weights or None, draw(st.sampled_from(["python", "sql"])))
