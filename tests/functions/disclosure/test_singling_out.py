"""Singling out, against every predicate tried on every record; a leak that is planted is found, and no other."""

import math

import numpy as np
import pyarrow as pa
import pytest
from attacks import drawn
from calls import answer, assert_same_rows, rows_of
from hypothesis import given
from hypothesis import strategies as st
from oracle import as_text, exactly, is_missing
from referee import residual
from strategies import trios

from synthpriv_sql import errors

TRIO = ("synthetic", "train", "holdout")


def cells(trio, side):
    """The columns of a table as values that compare: None, numbers or texts."""
    return [
        [None if is_missing(v) else as_text(v) if trio.roles[name] == "categorical" else exactly(v) for v in values]
        for name, values in getattr(trio, side).items()
    ]


def of_one(roles, synthetic):
    """Every predicate of one column that may be true of one synthetic record, as (column, test)."""
    for column, (role, values) in enumerate(zip(roles, synthetic, strict=True)):
        for value in set(values):
            yield column, lambda v, value=value: v == value
        known = sorted(v for v in values if v is not None)
        if role != "categorical" and len(known) > 1:
            yield column, lambda v, second=known[1]: v is not None and v < second
            yield column, lambda v, second=known[-2]: v is not None and v > second


def matches_of_one(roles, tables):
    synthetic = tables[0]
    tests = [(c, test) for c, test in of_one(roles, synthetic) if sum(map(test, synthetic[c])) == 1]
    return [[sum(map(test, table[c])) for table in tables[1:]] for c, test in tests]


def matches_of_several(tables, predicates, of, seed):
    rows = [list(zip(*table, strict=True)) for table in tables]
    columns, found = len(tables[0]), {}
    for draw in range(20 * predicates):
        first = draw * (columns + 1)
        record = rows[0][drawn(first, seed) % len(rows[0])]
        lots = sorted((drawn(first + 1 + column, seed), column) for column in range(columns))
        asked = sorted(column for _, column in lots[:of])
        found.setdefault((*asked, *(record[c] for c in asked)), (asked, record))
    kept = []
    for asked, record in found.values():
        counts = [sum(all(row[c] == record[c] for c in asked) for row in table) for table in rows]
        if counts[0] == 1 and any(record[c] is not None for c in asked):
            kept.append(counts[1:])
    return kept[:predicates]


def chance(matches, rows, sample):
    """The chance that a sample of so many rows holds exactly one of the matches."""
    if sample >= rows:
        return float(matches == 1)
    return matches * math.comb(rows - matches, sample - 1) / math.comb(rows, sample)


def wanted(matches, sizes):
    """The row of `singling_out` for the matches of each predicate in train, and in a holdout where there is one."""
    n = len(matches)
    sides = zip(zip(*matches, strict=True), sizes, strict=False)
    rates = [[chance(m, size, min(sizes)) for m in side] for side, size in sides]
    rate, *control = [float(np.mean(side)) for side in rates] or [None] * len(sizes)
    beside = residual(rate, n, control[0], n) if n and control else (None,) * 3
    hits = sum(side[0] == 1 for side in matches)
    return dict(
        zip(
            ("n", "hits", "rate", "control", "risk", "lower", "upper"),
            (n, hits, rate, *(control or [None]), *beside),
            strict=True,
        )
    )


@given(trio=trios(), control=st.booleans())
def test_one_column_is_every_predicate_that_there_is(shared, trio, control):
    sides = TRIO if control else TRIO[:2]
    tables = [cells(trio, side) for side in sides]
    options = {role: [n for n, r in trio.roles.items() if r == role] or None for role in ("numeric", "categorical")}
    found = answer(shared, "singling_out", trio, sides, **options)
    assert_same_rows(found, [wanted(matches_of_one(trio.roles.values(), tables), [len(t[0]) for t in tables[1:]])])


@given(
    trio=trios(max_rows=25),
    control=st.booleans(),
    of=st.integers(2, 3),
    seed=st.integers(0, 5),
    predicates=st.sampled_from([1, 3, 40]),
)
def test_several_columns_are_the_draws_of_the_referee(shared, trio, control, of, seed, predicates):
    of = min(of, len(trio.train))
    if of < 2:
        return
    sides = TRIO if control else TRIO[:2]
    tables = [cells(trio, side) for side in sides]
    options = {role: [n for n, r in trio.roles.items() if r == role] or None for role in ("numeric", "categorical")}
    found = answer(shared, "singling_out", trio, sides, columns=of, seed=seed, predicates=predicates, **options)
    matches = matches_of_several(tables, predicates, of, seed)
    assert_same_rows(found, [wanted(matches, [len(t[0]) for t in tables[1:]])])


def population(random, rows):
    return pa.table({
        "in come": random.normal(size=rows).round(2),
        'ci"ty': random.choice([f"c{i}" for i in range(40)], rows),
        "age": random.integers(18, 90, rows),
    })  # fmt: skip


@pytest.mark.parametrize("columns", [1, 2])
def test_a_copied_table_is_found_and_strangers_are_not(session, columns):
    random = np.random.default_rng(8)
    train, holdout, fresh = (population(random, 1500) for _ in range(3))
    (leak,) = rows_of(session.singling_out(train, train, holdout, columns=columns))
    assert (leak["rate"], leak["risk"]) == (1, 1)
    assert leak["control"] < 0.4
    (fair,) = rows_of(session.singling_out(fresh, train, holdout, columns=columns))
    assert fair["n"] > 100
    assert fair["lower"] < 0 < fair["upper"]
    # Half of the table copied: half of what copies alone would show.
    half = pa.concat_tables([train.slice(0, 750), fresh.slice(750)])
    (some,) = rows_of(session.singling_out(half, train, holdout, columns=columns))
    assert 0.05 < some["lower"] < some["upper"] < 0.9


def test_the_control_is_of_equal_size(session):
    random = np.random.default_rng(9)
    train, small, large, fresh = (population(random, rows) for rows in (600, 200, 1800, 600))
    for holdout in (small, large):
        (row,) = rows_of(session.singling_out(fresh, train, holdout))
        assert row["lower"] < 0 < row["upper"]
        assert abs(row["rate"] - row["control"]) < 0.06


def test_few_records_and_no_predicate(session):
    schema = pa.schema({"a": pa.int64(), "b": pa.string()})
    one = pa.table({"a": [1], "b": ["x"]}, schema)
    none = schema.empty_table()
    missing = pa.table({"a": [None], "b": [None]}, schema)
    nothing = {"n": 0, "hits": 0, "rate": None, "control": None, "risk": None, "lower": None, "upper": None}
    for columns in (1, 2):
        assert rows_of(session.singling_out(none, one, one, columns=columns)) == [nothing]
        assert rows_of(session.singling_out(pa.concat_tables([one, one]), one, columns=columns)) == [nothing]
        (row,) = rows_of(session.singling_out(one, one, none, columns=columns))
        assert (row["n"], row["hits"], row["rate"], row["control"]) == (3 - columns, 3 - columns, 1, None)
        (row,) = rows_of(session.singling_out(one, none, one, columns=columns))
        assert (row["n"], row["hits"], row["rate"], row["control"]) == (3 - columns, 0, 0, 0)
    (row,) = rows_of(session.singling_out(missing, missing, one))
    assert (row["n"], row["hits"], row["control"]) == (2, 2, 0)
    assert rows_of(session.singling_out(missing, missing, one, columns=2)) == [nothing]


def test_bad_input(session):
    table = pa.table({"a": [1, 2], "b": [3, 4]})
    for options, message in (
        ({"columns": 3}, "share 2 columns"),
        ({"columns": 0}, "at least 1"),
        ({"predicates": 0}, "at least 1"),
        ({"columns": ["a"]}, "not a whole number"),
        ({"exclude": ["a", "b"]}, "no column of"),
    ):
        with pytest.raises(errors.SynthprivError, match=message):
            session.singling_out(table, table, **options)
    endless = pa.table({"a": [1.0, math.inf], "b": [3, 4]})
    for columns in (1, 2):
        with pytest.raises(errors.InfiniteValue, match="holds 1 infinite"):
            session.singling_out(endless, table, columns=columns)
