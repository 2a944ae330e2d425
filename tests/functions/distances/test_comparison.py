"""Distributions of DCR, the test-train comparison and the holdout share, against the oracle."""

import math

import numpy as np
import pyarrow as pa
import pytest
import sqlglot
from calls import METRICS, SCALINGS, answer, assert_same_rows, call, create, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import VARIANTS, Space, compare, dcr, nndr, quantile, summary
from shares import assert_same_shares, holdout_share
from strategies import EXACT_KINDS, trios

from examples import few, some
from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.statement import templates

EXACT_OPTIONS = [{"metric": "hamming"}, {"metric": "manhattan", "scaling": "none"}]
SIDES = ["synthetic", "train", "holdout"]


def size(table):
    return len(next(iter(table.values())))


@pytest.mark.each_value
@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("metric", METRICS)
@few
@given(trio=trios(), with_holdout=st.booleans())
def test_dcr_summary_is_that_of_the_oracle(shared, metric, scaling, trio, with_holdout):
    options = {"metric": metric, "scaling": scaling, "weights": trio.weights}
    sides = SIDES[: 2 + with_holdout]
    rows = answer(shared, "dcr_summary", trio, sides, **options)
    space = Space(trio.train, roles=trio.roles, **options)
    expected = [
        {"comparison": f"{side}_train", **summary(dcr(space, getattr(trio, side), trio.train))}
        for side in ("holdout", "synthetic")
        if side in sides
    ]
    own = dcr(space, trio.train, trio.train, itself=True) if size(trio.train) > 1 else []
    assert_same_rows(rows, [*expected, {"comparison": "train_train", **summary(own)}])


MIDDLES = {"median": lambda values: quantile(values, 0.5), "mean": lambda values: sum(values) / len(values)}


def expected_comparison(space, trio, baseline, statistic):
    """The rows of `comparison`, by metric; `baseline`: holdout or train."""

    def measures(table, itself):
        values = {"dcr": dcr(space, table, trio.train, itself)}
        values |= {f"nndr_{variant}": nndr(space, table, trio.train, variant, 2, itself)[0] for variant in VARIANTS}
        return {metric: float(MIDDLES[statistic](found)) for metric, found in values.items()}

    t, y = measures(getattr(trio, baseline), baseline == "train"), measures(trio.synthetic, False)
    return [
        {"metric": m, "baseline": baseline, "baseline_value": t[m], "synthetic_value": y[m], **compare(t[m], y[m])}
        for m in sorted(t)
    ]


def on_an_edge(percent):
    """Where rounding decides on the band."""
    return percent is not None and min(abs(percent - 10), abs(percent - 50)) < 1e-9


@pytest.mark.each_value
@pytest.mark.parametrize("statistic", [None, "mean"])
@pytest.mark.parametrize("baseline", ["holdout", "train"])
@pytest.mark.parametrize("options", EXACT_OPTIONS)
@few
@given(trio=trios(EXACT_KINDS, min_rows=4))
def test_comparison_is_that_of_the_oracle(shared, options, baseline, statistic, trio):
    sides = SIDES if baseline == "holdout" else SIDES[:2]
    rows = answer(shared, "comparison", trio, sides, statistic=statistic, k=2, **options)
    space = Space(trio.train, roles=trio.roles, **options)
    expected = expected_comparison(space, trio, baseline, statistic or "median")
    for row, wanted in zip(rows, expected, strict=True):
        if on_an_edge(wanted["difference_percent"]):
            row["band"] = wanted["band"]
    assert_same_rows(rows, expected)


@pytest.mark.parametrize("metric", METRICS)
def test_comparison_of_larger_tables_in_documented_order(session, metric):
    random = np.random.default_rng(5)

    def table(n, shift):
        return {"x": (random.normal(size=n) + shift).tolist(), "t": random.choice(list("abcdef"), n).tolist()}

    trio = {"synthetic": table(150, 0.2), "train": table(200, 0.0), "holdout": table(100, 0.0)}
    create(session, **{name: pa.table(columns) for name, columns in trio.items()})
    sql = call("comparison", *trio, metric=metric)
    assert [row[0] for row in session.connection.execute(sql).fetchall()] == [
        "dcr", "nndr_second", "nndr_within_synthetic", "nndr_local", "nndr_global"
    ]  # fmt: skip
    space = Space(trio["train"], metric=metric)
    rows = {row["metric"]: row for row in sql_rows(session.connection, sql)}
    for name, measure in [("dcr", dcr), ("nndr_second", lambda *tables: nndr(*tables)[0])]:
        t, y = (quantile(measure(space, trio[side], trio["train"]), 0.5) for side in ("holdout", "synthetic"))
        assert rows[name]["baseline_value"] == pytest.approx(t, rel=1e-9)
        assert rows[name]["synthetic_value"] == pytest.approx(y, rel=1e-9)


@pytest.mark.parametrize(
    ("synthetic", "holdout", "percent", "band"),
    [
        ([1.0], [1.0], 0.0, "high"),
        ([0.0], [0.0], None, None),
        ([3.0], [2.0], -50.0, "high"),
        ([9.0], [10.0], 10.0, "medium"),
        ([3.0], [4.0], 25.0, "medium"),
        ([1.0], [2.0], 50.0, "medium"),
        ([1.0], [4.0], 75.0, "low"),
        ([0.0], [4.0], 100.0, "low"),
        ([1.0], [0.0], None, None),
    ],
)
def test_bands(session, synthetic, holdout, percent, band):
    # Unscaled distances to the one train value 0; 1,000 is far away and gives the column a spread.
    tables = [pa.table({"x": values}) for values in (synthetic * 2, [0.0, 1000.0, *[2000.0] * 5], holdout * 2)]
    row = rows_of(session.comparison(*tables, metric="manhattan", scaling="none"))[0]
    assert (row["metric"], row["baseline"]) == ("dcr", "holdout")
    expected = compare(holdout[0], synthetic[0])
    assert expected["difference_percent"] == percent
    assert expected["band"] == band
    assert {name: row[name] for name in expected} == expected


def test_a_clone_of_rows_that_repeat_each_other_is_warned_of(session):
    """Real rows are at distance 0 from train, and so is a copy of it: no number of the comparison may look good."""
    train = pa.table({"x": ["a", "b"] * 20})
    with pytest.warns(SynthprivWarning, match="by dcr, both real and synthetic rows are at distance 0") as caught:
        rows = rows_of(session.comparison(train, train, train))
    assert len(caught) == 1
    with pytest.warns(SynthprivWarning, match="real rows repeat each other"):
        session.evaluate(train, train, train, attack="distance", named_by="uniques")
    assert (rows[0]["baseline_value"], rows[0]["synthetic_value"], rows[0]["difference"]) == (0, 0, 0)
    assert {rows[0][name] for name in ("difference_percent", "privacy_score", "privacy_score_clipped", "band")} == {
        None
    }
    assert rows_of(session.comparison(pa.table({"x": ["c", "d"]}), train, train))[0]["band"] is None  # and no warning


def test_infinite_statistics_have_no_percentage_unless_equal(session):
    # Every train record is the same one, so that synthetic "b" is infinitely far by the ratio and holdout "a" is not.
    train = pa.table({"x": ["a"] * 7})
    far, near = pa.table({"x": ["b", "c", "d"]}), pa.table({"x": ["a", "a", "a"]})
    metric = "nndr_global"
    (row,) = (r for r in rows_of(session.comparison(far, train, near)) if r["metric"] == metric)
    assert {name: row[name] for name in compare(1.0, math.inf)} == compare(1.0, math.inf)
    (row,) = (r for r in rows_of(session.comparison(far, train, far)) if r["metric"] == metric)
    assert {name: row[name] for name in compare(math.inf, math.inf)} == compare(math.inf, math.inf)


def test_quantiles_beside_infinite_values_are_numbers(session):
    # 3 of 6 ratios are infinite: no quantile may become NaN between two of them.
    train = pa.table({"x": [0.0, 0.0, 1.0, 5.0, 5.0, 5.0]})
    synthetic = {"x": [1.0, 2.0, 0.0, 4.0, 4.0, 4.0]}
    (row,) = (
        r
        for r in rows_of(session.nndr_summary(pa.table(synthetic), train, variant="within_synthetic"))
        if r["comparison"] == "synthetic_train"
    )
    ratios = nndr(Space(train.to_pydict()), synthetic, train.to_pydict(), "within_synthetic")[0]
    assert_same_rows([row], [{"comparison": "synthetic_train", **summary(ratios)}])
    assert row["max"] == math.inf


@pytest.mark.parametrize("options", EXACT_OPTIONS)
@some
@given(trio=trios(EXACT_KINDS))
def test_holdout_share_is_that_of_the_oracle(shared, options, trio):
    rows = answer(shared, "holdout_share", trio, SIDES, **options)
    expected = holdout_share(trio.synthetic, trio.train, trio.holdout, roles=trio.roles, **options)
    assert_same_shares(rows, expected)


@pytest.mark.each_value
@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("metric", METRICS)
def test_counts_are_on_the_scale_of_train_and_shares_on_that_of_both(session, metric, scaling):
    # The holdout spreads a hundred times as far: on its own scale everything would be near it.
    random = np.random.default_rng(6)

    def table(n, spread):
        return {"x": random.normal(0, spread, n).tolist(), "y": random.exponential(spread, n).tolist()}

    synthetic, train, holdout = table(80, 3), table(50, 1), table(40, 100)
    tables = map(pa.table, (synthetic, train, holdout))
    rows = rows_of(session.holdout_share(*tables, metric=metric, scaling=scaling))
    assert_same_shares(rows, holdout_share(synthetic, train, holdout, metric=metric, scaling=scaling))


@pytest.mark.nightly
def test_synthetic_records_with_one_neighbor_are_one_draw(session):
    # Twenty synthetic records for each real one: as binomial draws, one table in five would be an alarm.
    random = np.random.default_rng(2)
    z = []
    for _ in range(60):
        people = random.normal(size=(400, 3))
        synthetic = random.normal(size=(4000, 3))
        tables = [pa.table(dict(zip("abc", t.T, strict=True))) for t in (synthetic, people[:200], people[200:])]
        z.append(rows_of(session.holdout_share(*tables))[0]["z"])
    assert 0.75 < np.std(z) < 1.3
    assert abs(np.mean(z)) < 0.5


def test_the_densest_half_of_people_is_near_to_everybody_and_no_leak(session):
    random = np.random.default_rng(4)
    people = random.normal(size=(3000, 3))
    synthetic = people[1500:][np.argsort((people[1500:] ** 2).sum(axis=1))[:750]]
    tables = [pa.table(dict(zip("abc", t.T, strict=True))) for t in (synthetic, people[:750], people[750:1500])]
    rows = {row["depth"]: row for row in rows_of(session.holdout_share(*tables))}
    assert rows["near"]["n"] > 0.06 * 750
    assert min(rows["all"]["p_value"], rows["near"]["p_value"]) > 0.01
    leak = rows_of(session.holdout_share(tables[1], *tables[1:]))
    assert [row["n"] for row in leak] == [750] * 3
    assert max(row["p_value"] for row in leak) < 1e-9
    swapped = rows_of(session.holdout_share(tables[2], *tables[1:]))
    assert all(row["share"] == 0 and row["z"] < -5 and row["p_value"] < 1e-9 for row in swapped)


@pytest.mark.again
def test_a_holdout_that_equals_train_is_equally_near(session):
    # Both distances have to come from the very same statistics, which threads sum up in no fixed order.
    run = session.connection.execute
    run("CREATE TABLE train AS SELECT i % 1000 / 7 + 1e6 AS x, hash(i) % 100003 / 1e3 AS y FROM range(250000) AS r (i)")
    run("CREATE TABLE synthetic AS SELECT x + 0.013 AS x, y + 0.7 AS y FROM train WHERE x < 1000002 AND y < 2")
    run("SET threads = 4")
    row, *_ = sql_rows(session.connection, call("holdout_share", "synthetic", "train", "train", metric="manhattan"))
    assert (row["closer"], row["further"]) == (0, 0)


def test_a_leak_is_significant_and_its_absence_is_not(session):
    random = np.random.default_rng(9)
    train, holdout, fresh = (pa.table({c: random.normal(size=400) for c in "ab"}) for _ in range(3))
    (leak, *_), (clean, *_) = (rows_of(session.holdout_share(s, train, holdout)) for s in (train, fresh))
    assert leak["share"] == 1.0
    assert leak["p_value"] < 1e-6
    assert clean["lower"] < clean["expected"] == 0.5 < clean["upper"]
    assert clean["p_value"] > 0.01


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 11, 29, 100, 997, 24_421])
def test_intervals_end_at_0_and_1(session, n):
    """A hair below 0 or above 1 is no share."""
    for share, low, high in ((0.0, 0.0, None), (1.0, None, 1.0)):
        values = f"CAST({share} AS DOUBLE)"
        given = [sqlglot.parse_one(values), sqlglot.exp.Literal.number(n)]
        ends = [templates.inline(catalog.part("wilson"), [*given, sqlglot.parse_one(sign)]) for sign in ("-1", "1")]
        query = "SELECT " + ", ".join(end.sql("duckdb") for end in ends)
        ((lower, upper),) = session.connection.execute(query).fetchall()
        assert 0 <= lower <= share <= upper <= 1
        assert low is None or lower == low
        assert high is None or upper == high
