"""Distances and nearest records, against the brute-force oracle: every metric, scaling, role and surface."""

import datetime as dt
import string

import numpy as np
import pyarrow as pa
import pytest
from calls import METRICS, SCALINGS, answer, assert_close, call, create, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import Space, nearest
from strategies import EXACT_KINDS, Trio, trios

from examples import some


def assert_neighbors(rows, distances, k, exclude_self=False, exact=False):
    """Ranks are complete, distances the oracle's, and the record found is one (exact: the first) at that distance."""
    _, expected = nearest(distances, k, exclude_self)
    queries = len(distances)
    assert [(row["record"], row["rank"]) for row in rows] == [(q, r) for q in range(queries) for r in range(1, k + 1)]
    found = np.array([row["distance"] for row in rows]).reshape(queries, k)
    records = np.array([row["neighbor"] for row in rows]).reshape(queries, k)
    assert_close(found, expected)
    assert_close(np.take_along_axis(distances, records, axis=1), expected)
    assert all(len(set(one)) == k for one in records.tolist())
    if exclude_self:
        assert (records != np.arange(queries)[:, None]).all()
    if exact:
        np.testing.assert_array_equal(records, nearest(distances, k, exclude_self)[0])
    return found, records


def mixed_tables(seed, rows=(300, 900)):
    """Queries and a reference of many blocks: clusters, ties, missing values, skewed numbers, rare categories."""
    random = np.random.default_rng(seed)
    letters = list(string.ascii_lowercase)

    def table(n):
        gone = random.random(n) < 0.1
        skewed = np.round(np.exp(random.normal(0, 2, n)), 3)
        columns = {
            "cluster": (random.integers(0, 5, n) * 10 + random.normal(0, 0.1, n)).tolist(),
            "skewed": [None if g else value for g, value in zip(gone, skewed.tolist(), strict=True)],
            "count": random.integers(0, 4, n).tolist(),
            "day": [dt.date(2024, 1, 1) + dt.timedelta(days=d) for d in random.integers(0, 400, n).tolist()],
            "letter": random.choice(letters, n, p=np.arange(1, 27) / 351).tolist(),
            "flag": [None if value == 2 else bool(value) for value in random.integers(0, 3, n).tolist()],
        }
        return columns | {f"code {i}": random.choice(letters[: i + 2], n).tolist() for i in range(5)}

    return [table(n) for n in rows]


@pytest.mark.each_value
@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("metric", METRICS)
@some
@given(trio=trios(), k=st.integers(1, 3), mismatch=st.sampled_from([1.0, 2**0.5, 2.0, 0.25]))
def test_neighbors_are_those_of_the_oracle(shared, metric, scaling, trio, k, mismatch):
    k = min(k, len(next(iter(trio.train.values()))))
    options = {"metric": metric, "scaling": scaling, "weights": trio.weights, "category_mismatch": mismatch}
    rows = answer(shared, "neighbors", trio, ["synthetic", "train"], k=k, **options)
    space = Space(trio.train, roles=trio.roles, **options)
    assert_neighbors(rows, space.distances(trio.synthetic, trio.train), k)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("metric", METRICS)
@given(trio=trios(min_rows=2), scaling=st.sampled_from(SCALINGS))
def test_a_record_is_left_out_by_position_not_by_value(shared, metric, trio, scaling):
    options = {"metric": metric, "scaling": scaling, "weights": trio.weights}
    train = trio.arrow("train")
    rows = rows_of(shared.neighbors(train, train, exclude_self=True, **{n: v for n, v in options.items() if v}))
    distances = Space(trio.train, roles=trio.roles, **options).distances(trio.train, trio.train)
    assert_neighbors(rows, distances, 1, exclude_self=True)


@pytest.mark.parametrize("options", [{"metric": "hamming"}, {"metric": "manhattan", "scaling": "none"}])
@given(trio=trios(EXACT_KINDS, max_rows=20), k=st.integers(1, 4))
def test_ties_go_to_the_smallest_record(shared, options, trio, k):
    k = min(k, len(next(iter(trio.train.values()))))
    rows = answer(shared, "neighbors", trio, ["synthetic", "train"], k=k, **options)
    distances = Space(trio.train, roles=trio.roles, **options).distances(trio.synthetic, trio.train)
    assert_neighbors(rows, distances, k, exact=True)


# Whole numbers, decimals and times of which several are equally near, far from 0 and with fractions that no float has.
EXACT = {
    "integer": ("BIGINT", lambda step: 7_000_000_000 + step),
    "float of whole numbers": ("DOUBLE", lambda step: 3e15 + step),
    "decimal": ("DECIMAL(18, 3)", lambda step: f"{step / 10:.1f}"),
    "large decimal": ("DECIMAL(18, 2)", lambda step: f"90000000000.{step + 10}"),
    "date": ("DATE", lambda step: dt.date(2024, 1, 1) + dt.timedelta(days=step)),
    "time": ("TIME", lambda step: (dt.datetime(1, 1, 1, 8) + dt.timedelta(microseconds=100_001 * step)).time()),
    "timestamp": ("TIMESTAMP", lambda step: dt.datetime(2024, 5, 6) + dt.timedelta(microseconds=100_001 * step)),
    "zoned": ("TIMESTAMPTZ", lambda step: f"2024-05-06 {8 + step // 60:02}:{step % 60:02}:00.1+00"),
    "nanoseconds": ("TIMESTAMP_NS", lambda step: f"2024-05-06 00:00:00.{step + 10:06}"),
    "far timestamp": ("TIMESTAMP", lambda step: dt.datetime(9999, 12, 1) + dt.timedelta(seconds=step)),
}


@pytest.mark.parametrize("kind", EXACT)
def test_equal_differences_are_ties(session, kind):
    """Each query has several records at one distance, on either side; the smallest of them is the nearest."""
    type_, value = EXACT[kind]
    random = np.random.default_rng(3)
    steps = {"train": random.permutation(np.repeat(np.arange(0, 81, 2), 2)), "synthetic": np.arange(1, 80, 2)}
    for name, drawn in steps.items():
        rows = ", ".join(f"('{value(int(step))}'::{type_})" for step in drawn)
        session.connection.execute(
            f"CREATE TABLE {name} AS SELECT x, {name!r} <> '' AS known FROM (VALUES {rows}) AS t(x)"
        )
    apart = np.abs(np.subtract.outer(steps["synthetic"], steps["train"]))
    order = np.argsort(apart, axis=1, kind="stable")[:, :6]
    for metric, scaling in (
        ("gower", "minmax"),
        ("euclidean", "standard"),
        ("manhattan", "robust"),
        ("manhattan", "none"),
    ):
        found = session.neighbors("synthetic", "train", k=6, metric=metric, scaling=scaling).to_pandas()
        assert found.neighbor.to_numpy().reshape(-1, 6).tolist() == order.tolist(), (metric, scaling)
        distances = found.distance.to_numpy().reshape(-1, 6)
        assert (distances[:, :4] == distances[0, 0]).all(), (metric, scaling)  # two on either side, each there twice
    assert session.holdout_share("synthetic", "train", "train").fetchall()[0][:4] == ("all", 0, 0, 40)


def test_decimals_of_two_scales_are_compared_as_they_are(session):
    session.connection.execute("CREATE TABLE train AS SELECT unnest([0.2, 0.0, 1.0])::DECIMAL(3, 1) AS x")
    session.connection.execute("CREATE TABLE synthetic AS SELECT unnest([0.1, 0.12])::DECIMAL(9, 4) AS x")
    found = session.neighbors("synthetic", "train", k=2, metric="manhattan", scaling="none").fetchall()
    assert [(neighbor, distance) for _, _, neighbor, distance in found] == [(0, 0.1), (1, 0.1), (0, 0.08), (1, 0.12)]
    session.connection.execute("CREATE TABLE floats AS SELECT unnest([0.1, 0.12])::DOUBLE AS x")
    found = session.dcr("floats", "train", metric="manhattan", scaling="none").fetchall()
    assert [round(distance, 12) for _, distance, _ in found] == [0.1, 0.08]


@pytest.mark.parametrize("metric", ["gower", "euclidean", "manhattan"])
def test_unscaled_numbers_that_are_constant_in_train_differ_by_their_difference(session, metric):
    train, synthetic = pa.table({"x": [3, 3]}), pa.table({"x": [3, 5, None]})
    found = session.dcr(synthetic, train, metric=metric, scaling="none").fetchall()
    assert [distance for _, distance, _ in found] == [0, 1 if metric == "gower" else 2, 1]


@pytest.mark.each_value
@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("metric", METRICS)
def test_tables_of_many_blocks(shared, set_threads, metric, scaling):
    queries, reference = mixed_tables(seed=7)
    set_threads(1 + (METRICS.index(metric) + SCALINGS.index(scaling)) % 2)
    found = shared.neighbors(pa.table(queries), pa.table(reference), k=3, metric=metric, scaling=scaling)
    distances = Space(reference, metric=metric, scaling=scaling).distances(queries, reference)
    assert_neighbors(rows_of(found), distances, 3, exact=metric == "hamming")


def assert_same_answers(answers):
    """The same neighbors, at distances that differ by rounding of the statistics at the most."""
    first, *others = (answer.to_pandas() for answer in answers)
    for other in others:
        assert other.drop(columns="distance").equals(first.drop(columns="distance"))
        np.testing.assert_allclose(other["distance"], first["distance"], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("metric", METRICS)
def test_threads_change_nothing(shared, set_threads, metric):
    queries, reference = mixed_tables(seed=8, rows=(2_000, 5_000))
    answers = []
    for threads in (1, 2, 7):
        set_threads(threads)
        answers.append(shared.neighbors(pa.table(queries), pa.table(reference), k=2, metric=metric).to_arrow())
    assert_same_answers(answers)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("metric", ["gower", "euclidean"])
def test_a_table_of_many_row_groups_is_the_same_on_any_number_of_threads(shared, set_threads, metric):
    # DuckDB sums up a row group a thread, in no fixed order: statistics must not depend on it.
    shared.connection.execute(
        "CREATE OR REPLACE TABLE big AS SELECT i % 1000 / 7 + 1e6 AS x, hash(i) % 100003 / 1e3 AS y, i % 17 AS z "
        "FROM range(400000) AS r (i)"
    )
    answers = []
    for threads in (1, 4, 4):
        set_threads(threads)
        found = shared.neighbors("(FROM big WHERE x < 1000002 AND y < 2)", "big", k=2, metric=metric).to_arrow()
        answers.append(found)
    assert_same_answers(answers)


@pytest.mark.each_value
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("categories", [300, 70_000])
def test_many_categories(shared, metric, categories):
    # More than a byte, and more than two, can count: every query has exactly one equal record.
    reference = {"code": [f"c{i * 7919 % categories}" for i in range(categories)], "other": ["same"] * categories}
    queries = {"code": [f"c{i}" for i in range(0, categories, categories // 50)] + ["unknown", None]}
    queries["other"] = ["same"] * len(queries["code"])
    rows = rows_of(shared.neighbors(pa.table(queries), pa.table(reference), metric=metric))
    place = {code: record for record, code in enumerate(reference["code"])}
    assert [row["neighbor"] for row in rows] == [place.get(code, 0) for code in queries["code"]]
    mismatch = 0.5 if metric == "gower" else 1.0
    assert_close([row["distance"] for row in rows], [0.0 if code in place else mismatch for code in queries["code"]])


OWN_NAMES = ["record", "rank", "neighbor", "distance", "key", "pages", "hit", "position", "value", "times", "copies"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name", [*OWN_NAMES, *(name.upper() for name in OWN_NAMES), "this_column", "synthetic", "train"]
)
@pytest.mark.parametrize("surface", ["python", "sql"])
def test_users_may_call_their_columns_what_the_product_calls_its_own(session, name, surface):
    trio = Trio(
        {name: [7, 8], "t": ["a", "b"]}, {name: [5, 7], "t": ["b", "a"]}, {}, {name: "integer", "t": "text"}, None
    )
    (nearest_of_first, _) = answer(session, "dcr", trio, ["synthetic", "train"])
    assert nearest_of_first == {"record": 0, "dcr": 0.0, "nearest": 1}
    assert [row["copies"] for row in answer(session, "copies", trio, ["synthetic", "train"])] == [1, 0]
    assert {row["column_name"]: row["max"] for row in answer(session, "scaling", trio, ["train"])} == {
        name: 7,
        "t": None,
    }
    keyed = rows_of(session.neighbors(trio.arrow("synthetic"), trio.arrow("train"), key=name))
    assert [(row["key"], row["neighbor_key"]) for row in keyed] == [(7, 7), (8, 5)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("metric", METRICS)
def test_more_columns_than_a_byte_counts(session, metric):
    random = np.random.default_rng(11)

    def table(n):
        columns = {f"t{i}": random.choice(["a", "b", None], n).tolist() for i in range(300)}
        return columns | {f"x{i}": random.normal(size=n).tolist() for i in range(70)}

    queries, train = table(20), table(100)
    queries |= {name: ["other"] * 20 for name in queries if name.startswith("t") and name != "t7"}
    weights = {f"t{i}": i / 100 for i in range(300)}
    rows = rows_of(session.neighbors(pa.table(queries), pa.table(train), metric=metric, weights=weights, k=100))
    assert_neighbors(rows, Space(train, metric=metric, weights=weights).distances(queries, train), 100)


def test_one_row_against_one(session):
    one = pa.table({"x": [1.0], "t": ["a"]})
    assert rows_of(session.neighbors(one, one)) == [{"record": 0, "rank": 1, "neighbor": 0, "distance": 0.0}]


def test_equal_records_are_at_exactly_zero(session):
    random = np.random.default_rng(3)
    numbers = pa.table({f"c{i}": random.normal(1e6, 1e-3, 500) for i in range(8)})
    for metric in METRICS:
        assert {row["dcr"] for row in rows_of(session.dcr(numbers, numbers, metric=metric))} == {0.0}


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_times_that_are_close_together_keep_their_precision(session, metric):
    # Seconds since 1970 are large and their spread is small: a careless variance loses half of the digits.
    start = dt.datetime(2025, 3, 1, 12)
    train = {"at": [start + dt.timedelta(seconds=s) for s in (0, 1, 2, 4, 7, 9)]}
    queries = {"at": [start + dt.timedelta(seconds=s) for s in (-3, 3, 5, 12)]}
    distances = Space(train, metric=metric).distances(queries, train)
    assert_neighbors(rows_of(session.neighbors(pa.table(queries), pa.table(train), metric=metric)), distances, 1)


def test_roles_may_be_overridden(session):
    train = {"zip": [10115, 20095, 80331], "text": ["1", "2.5", None], "flag": [True, False, True]}
    queries = {"zip": [10116, 80331], "text": ["2", "1"], "flag": [False, True]}
    roles = {"zip": "categorical", "text": "numeric", "flag": "categorical"}
    found = rows_of(session.neighbors(pa.table(queries), pa.table(train), categorical=["zip"], numeric=["text"]))
    assert_neighbors(found, Space(train, roles=roles).distances(queries, train), 1)


@pytest.mark.parametrize(
    ("options", "compared"),
    [
        ({"columns": ["a", "c"]}, ["a", "c"]),
        ({"exclude": ["b"]}, ["a", "c"]),
        ({"columns": ["C"]}, ["c"]),
        ({"key": "b"}, ["a", "c"]),
        ({"columns": ["a", "b"], "exclude": ["a"]}, ["b"]),
    ],
)
def test_columns_compared(session, options, compared):
    train = {"a": [1, 5, 9, 9], "b": ["k0", "k1", "k2", "k3"], "c": [0.0, 1.0, 1.0, 0.0]}
    queries = {"a": [5, 8], "b": ["k3", "k2"], "c": [0.0, 1.0]}
    rows = rows_of(session.neighbors(pa.table(queries), pa.table(train), **options))
    distances = Space({name: train[name] for name in compared}).distances(queries, train)
    assert_neighbors(rows, distances, 1)
    if "key" in options:
        assert [(row["key"], row["neighbor_key"]) for row in rows] == [
            (queries["b"][row["record"]], train["b"][row["neighbor"]]) for row in rows
        ]


def test_column_order_and_the_case_of_names_do_not_matter(session):
    train = {"a": [1, 5, 9], "b": ["x", "y", "x"]}
    queries = {"B": ["y", "x"], "A": [8, 2]}
    rows = rows_of(session.neighbors(pa.table(queries), pa.table(train), metric="euclidean"))
    distances = Space(train, metric="euclidean").distances({"a": queries["A"], "b": queries["B"]}, train)
    assert_neighbors(rows, distances, 1)


@pytest.mark.each_value
@pytest.mark.parametrize(
    ("sql_type", "values"),
    [
        ("TINYINT", "1, 5, 9"),
        ("HUGEINT", "1, 5, 9"),
        ("UBIGINT", "1, 5, 9"),
        ("FLOAT", "0.5, 1.5, 9.25"),
        ("DECIMAL(38, 10)", "0.5, 1.5, 9.25"),
        ("DECIMAL(4, 1)", "0.5, 1.5, 9.2"),
        ("TIMESTAMP_NS", "'2024-01-01', '2024-01-02 12:00:00', '2024-02-01'"),
        ("TIMESTAMP_S", "'2024-01-01', '2024-01-02 12:00:00', '2024-02-01'"),
        ("TIMESTAMPTZ", "'2024-01-01 00:00:00+02', '2024-01-02 12:00:00+00', '2024-02-01 00:00:00-05'"),
        ("TIMETZ", "'01:00:00+00', '02:30:00+00', '12:00:00+00'"),
        ("ENUM ('a', 'b', 'c')", "'a', 'b', 'c'"),
        ("UUID", "'" + "', '".join(f"00000000-0000-0000-0000-00000000000{i}" for i in (1, 2, 3)) + "'"),
    ],
)
@pytest.mark.parametrize("metric", METRICS)
def test_every_type_of_column_has_a_distance(session, metric, sql_type, values):
    connection = session.connection
    connection.execute(f"CREATE TABLE t AS SELECT CAST(unnest([{values}]) AS {sql_type}) AS x")
    rows = sql_rows(connection, call("neighbors", "t", "t", k=3, metric=metric))
    assert [row["neighbor"] for row in rows if row["rank"] == 1] == [0, 1, 2]
    assert [row["distance"] > 0 for row in rows if row["rank"] > 1] == [True] * 6


def test_integer_against_decimal_and_date_against_timestamp(session):
    session.connection.execute(
        "CREATE TABLE train AS SELECT * FROM (VALUES (1, DATE '2024-01-01'), (5, DATE '2024-01-11')) AS v (n, day)"
    )
    session.connection.execute(
        "CREATE TABLE synthetic AS SELECT 2.0::DECIMAL(5, 1) AS n, TIMESTAMP '2024-01-02 12:00:00' AS day"
    )
    (row,) = sql_rows(session.connection, call("dcr", "synthetic", "train"))
    assert_close([row["dcr"]], [(0.25 + 0.15) / 2])


def test_the_spread_comes_from_the_reference_alone(session):
    # 50 is far outside of the reference: gower caps at 1, the others do not.
    create(session, synthetic=pa.table({"x": [50.0]}), train=pa.table({"x": [0.0, 10.0]}))
    expected = {"gower": 1.0, "euclidean": 8.0, "manhattan": 8.0, "hamming": 1.0}
    for metric, distance in expected.items():
        (row,) = sql_rows(session.connection, call("dcr", "synthetic", "train", metric=metric))
        assert row["dcr"] == distance


def test_a_weight_scales_its_column_and_zero_drops_it(session):
    trio = Trio({"a": [0, 1], "b": ["x", "y"]}, {"a": [4, 8], "b": ["y", "z"]}, {}, {"a": "integer", "b": "text"}, None)
    for weights in ({"a": 0.0}, {"b": 0}, {"a": 2.5, "b": 7}):
        rows = answer(session, "neighbors", trio, ["synthetic", "train"], weights=weights)
        assert_neighbors(rows, Space(trio.train, weights=weights).distances(trio.synthetic, trio.train), 1)


@pytest.mark.parametrize("metric", ["gower", "euclidean", "manhattan"])
def test_weights_of_any_size_give_the_right_neighbors(shared, metric):
    """What has a weight of 1e40 comes first, and the rest decides among those that are equal in it."""
    random = np.random.default_rng(1)
    table = {"heavy": random.integers(0, 4, 300), "city": random.choice(list("abcd"), 300), "x": random.random(300)}
    reference = pa.table(table | {"thin": random.random(300)})
    queries = reference.slice(0, 50).set_column(2, "x", pa.array(random.random(50)))
    options = {"metric": metric, "weights": {"heavy": 1e40, "thin": 1e-60}}
    found = shared.neighbors(queries, reference, k=3, **options).to_pandas()
    space = Space(reference.to_pydict(), **options)
    _, expected = nearest(space.distances(queries.to_pydict(), reference.to_pydict()), 3)
    np.testing.assert_allclose(found.distance.to_numpy().reshape(-1, 3), expected, rtol=1e-9)
    assert found.distance.max() < 1e10
