"""Which synthetic records are flagged and why, and that what is left can be given away."""

import duckdb
import numpy as np
import oracle
import pyarrow as pa
import pytest
from calls import call, close, create, quoted, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import Space, quantile
from strategies import EXACT_KINDS, NAMES, trios

from examples import some
from synthpriv_sql import errors

OWN_TYPES = ["BIGINT", "DOUBLE", "DOUBLE", "BIGINT", "BOOLEAN", "VARCHAR[]", "BIGINT"]
OWN = ["record", "dcr", "nndr", "copies", "flagged", "reasons", "words"]
EXACT = {"metric": "hamming"}


def expected_rows(trio, holdout, dcr_below, nndr_below):
    """What `screen` says of each synthetic record, by its definition."""
    space = Space(trio.train, roles=trio.roles, **EXACT)
    rows = len(next(iter(trio.train.values())))
    dcr = oracle.dcr(space, trio.synthetic, trio.train)
    nndr = oracle.nndr(space, trio.synthetic, trio.train)[0] if rows > 1 else [None] * len(dcr)
    counts = oracle.copies(trio.synthetic, trio.train)
    limit = dcr_below
    if limit is None and (holdout or rows > 1):
        baseline = oracle.dcr(space, trio.holdout if holdout else trio.train, trio.train, itself=not holdout)
        limit = quantile(baseline.tolist(), 0.05)
    found = []
    for record, (d, ratio, count) in enumerate(zip(dcr, nndr, counts, strict=True)):
        # Interpolation rounds: a distance that is the limit is not below it.
        near = limit is not None and d < limit and not close(float(d), float(limit))
        reasons = ["copy"] * bool(count) + ["dcr_zero"] * bool(d == 0) + ["dcr_below"] * bool(near)
        reasons += ["nndr_below"] * bool(nndr_below is not None and ratio is not None and ratio < nndr_below)
        values = (record, float(d), ratio, count, bool(reasons), reasons, None)
        found.append(dict(zip(OWN, values, strict=True)))
    return found


def names_in_result(columns):
    """The result's own columns, numbered as DuckDB does where the user has columns of such names."""
    lower = {name.lower() for name in columns}
    return [f"{name}_1" if name in lower else name for name in OWN]


@pytest.mark.parametrize("holdout", [False, True])
@some
@given(
    trio=trios(EXACT_KINDS),
    dcr_below=st.sampled_from([None, None, 0, 1, 2.5]),
    nndr_below=st.sampled_from([None, 0.5, 0.75]),
)
def test_reasons_are_those_of_the_oracle(shared, holdout, trio, dcr_below, nndr_below):
    sides = ["synthetic", "train", "holdout"][: 2 + holdout]
    create(shared, **{side: trio.arrow(side) for side in sides})
    options = EXACT | {"dcr_below": dcr_below, "nndr_below": nndr_below}
    sql = call("screen", *sides, **options)
    relation = shared.connection.sql(sql)
    own = names_in_result(trio.synthetic)
    assert relation.columns == [*trio.synthetic, *own]
    expected = expected_rows(trio, holdout, dcr_below, nndr_below)
    rows = relation.fetchall()
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected, strict=True):
        found = dict(zip(OWN, row[-7:], strict=True))
        assert {name: value for name, value in found.items() if not close(value, wanted[name])} == {}, wanted
    table = shared.connection.table("synthetic").fetchall()
    assert repr([row[:-7] for row in rows]) == repr(table)
    safe = shared.safe(*sides, **options)
    kept = [row for row, wanted in zip(table, expected, strict=True) if not wanted["flagged"]]
    assert safe.columns == list(trio.synthetic)
    assert repr(safe.fetchall()) == repr(kept)


# Limits


def numbers(*values):
    return pa.table({"x": pa.array(values, pa.float64())})


TRAIN = numbers(*range(0, 1000, 50))  # 20 records, each 50 from the next
UNSCALED = {"metric": "manhattan", "scaling": "none"}


def flags(session, synthetic, *tables, **options):
    return [row["reasons"] for row in rows_of(session.screen(synthetic, *tables, **options, **UNSCALED))]


def test_the_default_limit_is_the_5th_percentile_of_the_holdout(shared):
    # Distances 0 … 20 of 21 holdout records: the 5th percentile is exactly 1.
    holdout = numbers(*(50 * (i % 20) + i for i in range(21)))
    distances = sorted(row["dcr"] for row in rows_of(shared.dcr(holdout, TRAIN, **UNSCALED)))
    assert quantile(distances, 0.05) == 1.0
    assert flags(shared, numbers(50.5, 51, 52), TRAIN, holdout) == [["dcr_below"], [], []]
    # One record more, and it lies between two distances: 20.95 / 21 of the way to the next.
    more = numbers(*(50 * (i % 20) + i for i in range(20)), 1000)
    limit = quantile([row["dcr"] for row in rows_of(shared.dcr(more, TRAIN, **UNSCALED))], 0.05)
    assert flags(shared, numbers(limit - 1e-9, limit + 1e-9), TRAIN, more) == [["dcr_below"], []]


def test_the_default_limit_without_a_holdout_is_that_of_train_within_itself(shared):
    # All but one are 50 apart; the pair 0 and 10 is not, and 2 of 21 are above 5 %.
    train = numbers(*range(0, 1000, 50), 10)
    assert quantile([10, 10, 40] + [50] * 18, 0.05) == 10
    assert flags(shared, numbers(509.9, 510), train) == [["dcr_below"], []]


def test_limits_given(shared):
    synthetic = numbers(0, 2, 5, 25)
    assert flags(shared, synthetic, TRAIN, dcr_below=0) == [["copy", "dcr_zero"], [], [], []]
    assert flags(shared, synthetic, TRAIN, dcr_below=5) == [["copy", "dcr_zero", "dcr_below"], ["dcr_below"], [], []]
    # 2 and 48, 5 and 45, 25 and 25.
    found = flags(shared, synthetic, TRAIN, dcr_below=0, nndr_below=0.1)
    assert found == [["copy", "dcr_zero", "nndr_below"], ["nndr_below"], [], []]
    assert flags(shared, synthetic, TRAIN, dcr_below=0, nndr_below=1) == [
        *(["copy", "dcr_zero", "nndr_below"], ["nndr_below"], ["nndr_below"], [])
    ]


def test_what_is_at_distance_0_is_not_handed_out_whatever_the_weights(shared):
    """A column that does not count keeps a record from being a copy, and not from telling all that counts."""
    train = pa.table({"x": [1, 2, 3, 4], "noise": [1, 2, 3, 4]})
    synthetic = pa.table({"x": [1, 2, 9], "noise": [5, 2, 5]})
    options = {"weights": {"noise": 0}, "dcr_below": 0}
    found = rows_of(shared.screen(synthetic, train, **options))
    assert [row["reasons"] for row in found] == [["dcr_zero"], ["copy", "dcr_zero"], []]
    assert [row["flagged"] for row in found] == [True, True, False]
    assert rows_of(shared.safe(synthetic, train, **options)) == [{"x": 9, "noise": 5}]


def test_one_train_record(shared):
    # There is no distance within train to take a limit from, and no second nearest.
    rows = rows_of(shared.screen(numbers(0, 1), numbers(0)))
    assert [(row["reasons"], row["nndr"], row["copies"]) for row in rows] == [
        (["copy", "dcr_zero"], None, 1),
        ([], None, 0),
    ]
    assert rows_of(shared.safe(numbers(0, 1), numbers(0))) == [{"x": 1.0}]


def test_no_synthetic_records(shared):
    for name in ("screen", "safe"):
        result = getattr(shared, name)(numbers(), TRAIN)
        assert len(result) == 0
        assert result.columns[0] == "x"


@pytest.mark.parametrize("option", ["dcr_below", "nndr_below"])
def test_a_limit_below_zero_is_told(shared, option):
    with pytest.raises(errors.OptionError, match=f'"{option}".*at least 0'):
        shared.screen(TRAIN, TRAIN, **{option: -0.1})


def test_an_empty_train_or_holdout_is_told(shared):
    for tables, name in (((numbers(), None), "train"), ((TRAIN, numbers()), "holdout")):
        for ask in (shared.screen, shared.safe):
            with pytest.raises(errors.EmptyTable, match=rf"{name} \(a pyarrow Table\) has no rows"):
                ask(TRAIN, *tables)


# The table that is left

TYPED = """
SELECT
  i AS id,
  CAST(i % 7 AS UTINYINT) AS small,
  CAST(i * 1.25 AS DECIMAL(9, 2)) AS money,
  CAST(['low', 'mid', 'high'][1 + i % 3] AS ENUM ('low', 'mid', 'high')) AS level,
  DATE '2020-01-01' + CAST(i AS INTEGER) AS day,
  TIMESTAMPTZ '2020-01-01 00:00:00+00' + to_hours(CAST(i AS INTEGER)) AS moment,
  TIME '00:00:00' + to_minutes(CAST(i AS INTEGER)) AS "Time Of Day",
  i % 2 = 0 AS "a""b",
  [i, i + 1] AS list,
  {'a': i, 'b': [i]} AS struct,
  CAST(i AS HUGEINT) AS huge,
  NULL::VARCHAR AS "select"
FROM range(?, ?) AS rows(i)
"""


@pytest.fixture
def typed(session):
    session.connection.execute(f"CREATE TABLE train AS {TYPED}", [0, 40])
    session.connection.execute(f"CREATE TABLE synthetic AS {TYPED}", [30, 70])
    return session


OUT = ["id", "list", "struct"]


def described(session, table):
    return [row[:2] for row in session.connection.execute(f"DESCRIBE {table}").fetchall()]


def test_what_is_left_has_its_own_columns_order_and_types(typed):
    sql = call("safe", "synthetic", "train", exclude=OUT, dcr_below=0)
    typed.connection.execute(f"CREATE TABLE cleaned AS {sql}")
    assert described(typed, "cleaned") == described(typed, "synthetic")
    ids = [row[0] for row in typed.connection.execute("SELECT id FROM cleaned").fetchall()]
    assert ids == list(range(40, 70))
    assert typed.connection.execute("SELECT * FROM cleaned EXCEPT ALL SELECT * FROM synthetic").fetchall() == []
    typed.safe("synthetic", "train", exclude=OUT, dcr_below=0).to_table("again")
    assert described(typed, "again") == described(typed, "synthetic")
    again, cleaned = (typed.connection.table(name).to_arrow_table() for name in ("again", "cleaned"))
    assert again.equals(cleaned)


def test_screen_begins_with_the_own_columns(typed):
    relation = typed.connection.sql(call("screen", "synthetic", "train", exclude=OUT))
    assert relation.columns == [*(name for name, _ in described(typed, "synthetic")), *OWN]
    assert [str(t) for t in relation.types[-7:]] == OWN_TYPES
    found = relation.to_arrow_table().select(range(12))
    assert found.equals(typed.connection.table("synthetic").to_arrow_table())


@pytest.mark.parametrize("metric", ["gower", "euclidean"])
def test_what_is_left_holds_no_copy(session, metric):
    random = np.random.default_rng(4)

    def people(n):
        return {
            "x": [None if i % 9 == 0 else float(v) for i, v in enumerate(random.integers(0, 12, n))],
            "t": random.choice(["a", "b", None], n).tolist(),
        }

    train, synthetic = people(80), people(120)
    for name in synthetic:
        synthetic[name][10:40] = train[name][:30]
    create(session, train=pa.table(train), synthetic=pa.table(synthetic))
    assert sum(oracle.copies(synthetic, train)) > 30
    sql = call("safe", "synthetic", "train", metric=metric, dcr_below=0)
    session.connection.execute(f"CREATE TABLE cleaned AS {sql}")
    left = sql_rows(session.connection, call("copies", "cleaned", "train"))
    assert 0 < len(left) < 120
    assert {row["copies"] for row in left} == {0}
    flagged = [row["flagged"] for row in sql_rows(session.connection, call("screen", "synthetic", "train",
                                                                           metric=metric, dcr_below=0))]  # fmt: skip
    assert len(left) == flagged.count(False)


def test_a_key_stands_beside_records_and_is_not_compared(session):
    create(session, train=pa.table({"id": ["r0", "r1"], "x": [1.0, 9.0]}),
           synthetic=pa.table({"id": ["s0", "s1", "s2"], "x": [1.0, 5.0, 9.0]}))  # fmt: skip
    rows = rows_of(session.screen("synthetic", "train", key="id"))
    assert list(rows[0]) == ["id", "x", "record", "key", *OWN[1:]]
    assert [(row["key"], row["id"], row["copies"]) for row in rows] == [
        ("s0", "s0", 1),
        ("s1", "s1", 0),
        ("s2", "s2", 1),
    ]
    assert rows_of(session.safe("synthetic", "train", key="id", dcr_below=0)) == [{"id": "s1", "x": 5.0}]


# Columns of the user that are named as those of the result


@pytest.mark.parametrize("names", [["record", "dcr"], ["Record", "FLAGGED"], ["reasons", "reasons_1"], ["key", "nndr"]])
def test_own_columns_keep_their_names(session, names):
    values = [[3, 1, 2], [7, 8, 9]]
    create(session, synthetic=pa.table(dict(zip(names, values, strict=True))))
    key = next((name for name in names if name == "key"), None)
    for result in (
        session.screen("synthetic", "synthetic", key=key).to_arrow(),
        session.connection.execute(call("screen", "synthetic", "synthetic", key=key)).to_arrow_table(),
    ):
        assert len({name.lower() for name in result.column_names}) == result.num_columns
        assert result.column_names[:2] == names
        assert [result[name].to_pylist() for name in names] == values
        own = result.column_names[2:]
        assert [name.split("_")[0] for name in own] == [*OWN[:1], *(["key"] if key else []), *OWN[1:]]
        # In the order of records, not of the column that is named so.
        assert result[own[0]].to_pylist() == [0, 1, 2]
        assert result[own[OWN.index("flagged") - len(OWN)]].to_pylist() == [True] * 3
    session.screen("synthetic", "synthetic", key=key).to_table("kept")
    assert session.connection.table("kept").columns == result.column_names
    assert session.safe("synthetic", "synthetic", key=key).columns == names


@pytest.mark.parametrize("name", [*NAMES, "synthetic", "screened", "reasons", "own", "nndr", "[x]"])
def test_any_name_of_a_table_and_a_column(session, name):
    create(session, **{name: pa.table({name: [1, 2, 3]}), "real": pa.table({name: [1, 9, 30]})})
    table = quoted(name)
    found = session.connection.execute(call("safe", table, "real", dcr_below=0))
    assert [entry[0] for entry in found.description] == [name]
    assert found.fetchall() == [(2,), (3,)]


def test_files_and_queries(session, tmp_path):
    session.connection.execute("COPY (SELECT unnest([1, 2, 3]) AS x) TO '" + str(tmp_path / "s.parquet") + "'")
    session.connection.execute("COPY (SELECT unnest([1, 9, 30]) AS x) TO '" + str(tmp_path / "t.csv") + "'")
    tables = [str(tmp_path / "s.parquet"), str(tmp_path / "t.csv")]
    expected = [(2,), (3,)]
    assert session.connection.execute(call("safe", *tables, dcr_below=0)).fetchall() == expected
    queries = [f"(FROM '{path}')" for path in tables]
    assert session.safe(*queries, dcr_below=0).fetchall() == expected
    with pytest.raises(duckdb.Error, match="UnknownTable"):
        session.connection.execute(call("safe", str(tmp_path / "gone.csv"), tables[1]))


def persons(rng, people, first):
    who = np.repeat(np.arange(first, first + people), 3)
    return {"who": who, "x": rng.normal(size=len(who)).round(4), "t": rng.integers(0, 400, len(who)).astype(str)}


@pytest.mark.parametrize("options", [{}, {"false_discovery": 0.1, "attack": "uniques", "rounds": 2}])
def test_the_rows_of_a_person_go_together(shared, options):
    """One row of some synthetic persons is a real one; their other rows are nobody's."""
    rng = np.random.default_rng(7)
    train, holdout, synthetic = (persons(rng, 200, first) for first in (0, 1000, 2000))
    for name in ("x", "t"):
        synthetic[name][:90:3] = train[name][:90:3]
    tables = [pa.table(table) for table in (synthetic, train, holdout)]
    screened = {name: value for name, value in options.items() if name != "rounds"}
    rows = shared.screen(*tables, unit="who", dcr_below=0, **screened).to_arrow().to_pylist()
    alone = shared.screen(*tables, exclude=["who"], dcr_below=0).to_arrow().to_pylist()
    copies = {row["who"] for row in alone if "copy" in row["reasons"]}
    assert copies >= set(range(2000, 2030))
    flagged = {row["who"] for row in rows if row["flagged"]}
    assert flagged >= copies if options else flagged == copies
    for row in rows:
        assert row["flagged"] == (row["who"] in flagged)
        assert row["flagged"] == bool(row["reasons"])
        assert ("person" in row["reasons"]) <= (row["reasons"] == ["person"])
    left = shared.safe(*tables, unit="who", dcr_below=0, **options).to_arrow().to_pylist()
    assert {row["who"] for row in left} <= {row["who"] for row in rows} - flagged
    assert len(left) == 3 * len({row["who"] for row in left})


def test_a_person_must_be_named_in_every_row(shared):
    rows = pa.table({"who": [1, None], "x": [1.0, 2.0]})
    with pytest.raises(errors.UnitError, match="unit is missing in 1 rows"):
        shared.screen(rows, pa.table({"who": [1, 2], "x": [1.0, 2.0]}), unit="who", dcr_below=0)


def test_copies_only_takes_copies_alone(shared, recwarn):
    tables = (numbers(50.5, 50, 51, 52), TRAIN)
    found = shared.safe(*tables, copies_only=True)
    assert found.fetchall() == shared.safe(*tables, dcr_below=0).fetchall()
    assert len(found) == 4 - sum(count > 0 for count in shared.copies(*tables)["copies"])
    assert not recwarn.list
    asked = {"synthetic": tables[0], "train": tables[1]}
    assert shared.sql("safe", **asked, copies_only=True) == shared.sql("safe", **asked, dcr_below=0)
    with pytest.raises(errors.OptionError, match=r"copies_only.*nndr_below"):
        shared.safe(*tables, copies_only=True, nndr_below=0.5)
