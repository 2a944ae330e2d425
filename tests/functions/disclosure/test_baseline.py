"""The random forest baseline as a table: what is kept, what is replaced and by what, and the sweep over p."""

import math

import numpy as np
import pyarrow as pa
import pytest
from calls import DATA, call, create, literal, needs_data, quoted, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from strategies import trios

from synthpriv_sql import SynthprivWarning
from synthpriv_sql.errors import Cancelled, InfiniteValue, OptionError, RoleError
from synthpriv_sql.forests import forest
from synthpriv_sql.forests import udf as forest_udf
from synthpriv_sql.udf import neighbors as udf

ROWS = 120
# One column of each type; the formula is in terms of the row number i.
TYPES = {
    "TINYINT": "i % 7 - 3",
    "INTEGER": "i * i",
    "UBIGINT": "i::UBIGINT + 18446744073709551000",
    "BIGINT": "9223372036854775807 - i * i * 5",
    "HUGEINT": "170141183460469231731687303715884105727::HUGEINT - i * i",
    "DECIMAL(9,2)": "i / 3",
    "DECIMAL(38,0)": "'99999999999999999999999999999999999999'::DECIMAL(38, 0) - i * i",
    "DECIMAL(38,20)": "(i % 9)::DECIMAL(38, 20) / 10 + '0.00000000000000000001'::DECIMAL(38, 20)",
    "FLOAT": "i / 7",
    "DOUBLE": "CASE WHEN i % 11 = 0 THEN 'NaN' WHEN i % 13 = 0 THEN -0.0 ELSE sqrt(i) END",
    "DATE": "DATE '1969-12-30' + CAST(i * 3 AS INTEGER)",
    "TIME": "TIME '00:00:00' + to_seconds(i * 700)",
    "TIMESTAMP": "TIMESTAMP '1969-12-31 10:00:00.123456' + to_seconds(i * 3601)",
    "TIMESTAMP_S": "TIMESTAMP '2020-01-01 10:00:00' + to_seconds(i * 3601)",
    "TIMESTAMP_MS": "TIMESTAMP '2020-01-01 10:00:00' + to_seconds(i * 3601)",
    "TIMESTAMP_NS": "TIMESTAMP '2020-01-01 10:00:00.5' + to_seconds(i * 3601)",
    "TIMESTAMP WITH TIME ZONE": "(TIMESTAMP '2020-01-01 10:00:00' + to_seconds(i * 3601)) AT TIME ZONE 'UTC'",
    "BOOLEAN": "i % 3 = 0",
    "ENUM('sad', 'ok', 'happy')": "(['sad', 'ok', 'happy'])[i % 3 + 1]",
    "UUID": "'00000000-0000-0000-0000-00000000000' || (i % 5)",
    "VARCHAR": "CASE i % 4 WHEN 0 THEN '' WHEN 1 THEN 'NULL' ELSE 'ä' || (i % 4) END",
}


def table_of_all_types(connection, missing=""):
    """A table named all_types, with names that need care; `missing`: where cells are NULL, in terms of i and j."""
    columns = []
    for j, (type_, formula) in enumerate(TYPES.items()):
        value = f"CASE WHEN {missing} THEN NULL ELSE {formula} END" if missing else formula
        name = quoted(["record", "Mixed Case", 'a"b'][j] if j < 3 else type_)
        columns.append(f"CAST({value.replace('j', str(j)) if missing else value} AS {type_}) AS {name}")
    connection.execute(f"CREATE TABLE all_types AS SELECT {', '.join(columns)} FROM range({ROWS}) AS r (i)")


def described(connection, table):
    return [row[:2] for row in connection.execute(f"DESCRIBE {table}").fetchall()]


def in_text(connection, table):
    """Cells as text, by column, in order: equal only where every bit is, -0.0 and NaN included."""
    names = [name for name, _ in described(connection, table)]
    texts = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in names)
    return dict(
        zip(names, zip(*connection.execute(f"SELECT {texts} FROM {table}").fetchall(), strict=True), strict=True)
    )


def outside(connection, column, table, original, only_known=False):
    """How many cells of a column are missing, out of the original's range, or (if asked) no value of the original."""
    known = f"OR {column} NOT IN (SELECT {column} FROM {original} WHERE {column} IS NOT NULL)" if only_known else ""
    ((count,),) = connection.execute(
        f"SELECT count(*) FROM {table} WHERE {column} IS NULL {known} "
        f"OR {column} < (SELECT min({column}) FROM {original}) OR {column} > (SELECT max({column}) FROM {original})"
    ).fetchall()
    return count


@pytest.mark.each_value
@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
@pytest.mark.parametrize("missing", ["", "(i + j) % 6 = 0"])
def test_nothing_is_replaced_at_0_and_types_names_and_order_are_kept(session, missing, zone):
    connection = session.connection
    connection.execute(f"SET TimeZone = '{zone}'")
    table_of_all_types(connection, missing)
    connection.execute("CREATE TABLE b AS FROM synthpriv.baseline('all_types', p := 0, trees := 2)")
    assert described(connection, "b") == described(connection, "all_types")
    assert in_text(connection, "b") == in_text(connection, "all_types")


@pytest.mark.each_value
@pytest.mark.parametrize("missing", ["", "(i + j) % 6 = 0"])
@pytest.mark.parametrize("options", [{}, {"out_of_bag": True}, {"noise": "donor"}], ids=str)
def test_every_cell_gets_a_value_of_its_type_and_range_at_1(session, missing, options):
    connection = session.connection
    connection.execute("SET TimeZone = 'America/New_York'")
    table_of_all_types(connection, missing)
    connection.execute(f"CREATE TABLE b AS {call('baseline', 'all_types', p=1, trees=5, **options)}")
    assert described(connection, "b") == described(connection, "all_types")
    for name, type_ in described(connection, "all_types"):
        known = "noise" in options or type_ in ("BOOLEAN", "UUID", "VARCHAR") or type_.startswith("ENUM")
        # -0.0 and NaN are covered by the array tests; here NaN would be the largest of all.
        original = f"(FROM all_types WHERE NOT isnan({quoted(name)}))" if type_ == "DOUBLE" else "all_types"
        assert outside(connection, quoted(name), "b", original, known) == 0, name


def arrays(table):
    """The columns as the forests take them."""
    return [
        column.dictionary_encode().combine_chunks().indices.fill_null(-1).to_numpy()
        if column.type == pa.string()
        else column.cast(pa.float64()).to_numpy()
        for column in table.columns
    ]


def mixed_table(rows, seed=0):
    random = np.random.default_rng(seed)
    size = random.normal(100, 20, rows)
    kind = random.integers(0, 4, rows)
    return pa.table(
        {
            "size": size,
            "kind": pa.array([None if k == 3 else f"k{k}" for k in kind]),
            "weight": size * 0.7 + kind * 10 + random.normal(0, 5, rows),
            "count": random.poisson(5 + kind),
        }
    )


@pytest.mark.each_value
@pytest.mark.parametrize("noise", ["none", "donor"])
@pytest.mark.parametrize("out_of_bag", [False, True])
def test_the_table_is_made_of_predictions_and_originals_as_draws_say(session, out_of_bag, noise):
    table = mixed_table(300)
    options = forest.Options(seed=9, trees=3, out_of_bag=out_of_bag, donor=noise == "donor")
    predictions = list(forest.predictions(arrays(table), options))
    for p in (0.0, 0.3, 1.0):
        found = session.baseline(table, p=p, seed=9, trees=3, out_of_bag=out_of_bag, noise=noise).to_arrow()
        assert found.schema.names == table.schema.names
        for name, prediction in zip(table.column_names, predictions, strict=True):
            original = table[name].to_pylist()
            for i, value in enumerate(found[name].to_pylist()):
                if prediction.draws[i] >= p:
                    assert value == original[i]
                elif prediction.donors[i] >= 0:
                    assert value == original[prediction.donors[i]]
                else:
                    expected = prediction.numbers[i]
                    assert value == (math.floor(expected + 0.5) if name == "count" else expected)


def test_the_share_of_replaced_cells_is_p_and_grows_into_itself(session):
    # The forests' numbers are never exactly the original: what differs has been replaced.
    table = mixed_table(2_000).select(["size", "weight"])
    create(session, train=table)
    before = np.zeros(2 * len(table), bool)
    for p in (0.1, 0.25, 0.5, 0.9, 1.0):
        found = session.baseline("train", p=p, trees=2).to_arrow()
        replaced = np.concatenate([found[n].to_numpy() != table[n].to_numpy() for n in table.column_names])
        assert abs(replaced.sum() - p * replaced.size) <= 4 * math.sqrt(replaced.size * p * (1 - p))
        assert not (before & ~replaced).any()
        before = replaced
    assert before.all()


@given(trio=trios(min_rows=1), p=st.sampled_from([0.0, 0.4, 1.0]), options=st.sampled_from(["{}", "oob", "donor"]))
@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_any_table_keeps_its_types_and_takes_known_values(shared, trio, p, options):
    given = {"{}": {}, "oob": {"out_of_bag": True}, "donor": {"noise": "donor"}}[options]
    create(shared, train=trio.arrow("train"))
    connection = shared.connection
    connection.execute(f"CREATE OR REPLACE TABLE b AS {call('baseline', 'train', p=p, trees=2, **given)}")
    assert described(connection, "b") == described(connection, "train")
    before, after = in_text(connection, "train"), in_text(connection, "b")
    for name, role in trio.roles.items():
        assert len(after[name]) == len(before[name])
        if p == 0:
            assert after[name] == before[name]
        if role == "categorical" or options == "donor":
            assert set(after[name]) <= set(before[name])


@pytest.mark.one_in(2)
@pytest.mark.parametrize("options", [{}, {"out_of_bag": True, "noise": "donor"}], ids=str)
def test_one_seed_is_one_table_on_every_surface_and_any_number_of_threads(session, options):
    table = mixed_table(9_000)
    create(session, train=table)
    tables = []
    for threads in (1, 2):
        session.connection.execute(f"SET threads = {threads}")
        given = {"p": 0.3, "seed": 7, "trees": 2, **options}
        tables.append(session.baseline("train", **given).to_arrow())
        tables.append(session.baseline(table, **given).to_arrow())
        session.connection.execute(f"CREATE OR REPLACE TABLE b AS {call('baseline', 'train', **given)}")
        tables.append(session.connection.execute("FROM b").to_arrow_table())
    for other in tables[1:]:
        assert other.equals(tables[0])
    assert not session.baseline("train", **(given | {"seed": 8})).to_arrow().equals(tables[0])


def test_the_sample_is_an_option_and_all_records_where_there_are_few(session):
    create(session, train=mixed_table(60))
    few, default, every = (session.baseline("train", p=1, trees=3, sample=n).to_arrow() for n in (12, None, 10**9))
    assert default.equals(every)
    assert not default.equals(few)
    assert session.connection.execute(call("baseline", "train", p=1, trees=3, sample=12)).to_arrow_table().equals(few)


def test_defaults_in_sql(session):
    create(session, train=mixed_table(40))
    session.connection.execute("CREATE TABLE b AS FROM synthpriv.baseline('train', p := 0.3, seed := 7)")
    written = session.connection.execute("FROM b").to_arrow_table()
    assert written.equals(session.baseline("train", p=0.3, seed=7).to_arrow())


@pytest.mark.parametrize("p", [0, 1])
@pytest.mark.parametrize(
    "table",
    [
        {"a": []},
        {"a": [1], "b": ["x"]},
        {"a": [1, 3], "b": ["x", None]},
        {"a": [None, None], "b": [2.5, 2.5]},
        {"a": ["x"] * 9},
        {"record": [1, 2, 3, 4]},
    ],
    ids=str,
)
def test_small_and_empty_tables(session, table, p):
    table = pa.table({name: pa.array(values, None if any(values) else pa.int64()) for name, values in table.items()})
    create(session, train=table)
    found = session.baseline("train", p=p, trees=2).to_arrow()
    assert found.schema.names == table.schema.names
    assert len(found) == len(table)
    for name in table.column_names:
        values = [value for value in table[name].to_pylist() if value is not None]
        expected = {*values, None} if p == 0 or not values else set(values)
        if p == 0 or isinstance((values or [""])[0], str):
            assert set(found[name].to_pylist()) <= expected
        if p == 0:
            assert found[name].to_pylist() == table[name].to_pylist()


def test_identifiers_are_noted_and_take_values_of_other_records(session):
    table = mixed_table(300).append_column("e-mail", pa.array([f"{i}@example.org" for i in range(300)]))
    with pytest.warns(SynthprivWarning, match='"e-mail"'):
        found = session.baseline(table, p=1, trees=2).to_arrow()
    addresses = found["e-mail"].to_pylist()
    assert set(addresses) <= set(table["e-mail"].to_pylist())
    assert sum(a == b for a, b in zip(addresses, table["e-mail"].to_pylist(), strict=True)) < 10


def test_progress_names_the_column(session):
    calls = []
    session.baseline(mixed_table(50), trees=2, progress=lambda *call: calls.append(call))
    assert calls[-1][:2] == (8, 8)
    assert {label for *_, label in calls} == {f"forest of {name}" for name in mixed_table(1).column_names}


def test_forests_stop_when_told_to():
    pages = udf.page(pa.array(range(50)), *(pa.array(column.to_pylist()) for column in mixed_table(50).columns[:1]))
    options = {"columns": ["size"], "roles": ["numeric"], "relation": "train", "seed": 0, "out_of_bag": False}
    options |= {"noise": "none", "trees": 100, "sample": None, "threads": 1}
    calls = []
    with pytest.raises(Cancelled):
        forest_udf.predict(
            pa.array([pages[:1].to_pylist()], pa.list_(pa.binary())),
            pa.array([options]),
            lambda *call: calls.append(call),
            lambda: len(calls) == 2,
        )
    assert [done for done, *_ in calls] == [20, 40]


@pytest.mark.parametrize(
    ("table", "options", "kind", "words"),
    [
        ({"x": [1.0, math.inf]}, {}, InfiniteValue, ['"x"', "1 infinite"]),
        ({"x": [[1], [2]]}, {}, RoleError, ['"x"', "BIGINT[]"]),
        ({"x": [1, 2]}, {"p": 1.5}, OptionError, ['"p"', "1.5"]),
        ({"x": [1, 2]}, {"trees": 0}, OptionError, ['"trees"']),
        ({"x": [1, 2]}, {"sample": 0}, OptionError, ['"sample"']),
        ({"x": [1, 2]}, {"seed": -1}, OptionError, ['"seed"']),
        ({"x": [1, 2]}, {"noise": "some"}, OptionError, ['"noise"', "none, donor"]),
    ],
)
def test_errors_say_what_is_wrong(session, table, options, kind, words):
    with pytest.raises(kind) as error:
        session.baseline(pa.table(table), **options)
    assert all(word in str(error.value) for word in words), error.value


# The sweep


# Adult


def adult(session, rows):
    path = literal(str(DATA / "adult_trn.csv.gz"))
    session.connection.execute(f"CREATE TABLE train AS FROM {path} LIMIT {rows}")


@pytest.mark.again
@needs_data
def test_adult_moves_away_from_itself_as_p_grows(session):
    adult(session, 24_421)
    medians = []
    for p in (0.1, 0.5, 1.0):
        connection = session.connection
        connection.execute(f"CREATE OR REPLACE TABLE b AS {call('baseline', 'train', p=p, trees=2, out_of_bag=True)}")
        assert described(connection, "b") == described(connection, "train")
        for name, type_ in described(connection, "b"):
            assert outside(connection, quoted(name), "b", "train", only_known=type_ == "VARCHAR") == 0
        medians += [row["median"] for row in sql_rows(connection, call("dcr_summary", "b", "train"))][-2:-1]
    assert medians == sorted(set(medians))
    assert len(medians) == 3


@pytest.mark.again
@needs_data
@pytest.mark.parametrize("noise", ["none", "donor"])
def test_adult_gives_up_privacy_area_and_resemblance_as_p_grows(session, noise):
    adult(session, 3_000)
    rows = rows_of(session.baseline_sweep("train", trees=5, noise=noise))
    assert [row["p"] for row in rows] == [p / 10 for p in range(11) for _ in range(2)]
    for threshold in (0.1, 0.5):
        for column in ("privacy_area", "resemblance"):
            values = [row[column] for row in rows if row["threshold"] == threshold]
            assert values == sorted(values, reverse=True)
            assert values[0] == 1
            assert values[-1] < 1


def test_baseline_takes_the_columns_of_a_sweep_and_gives_its_cells(session):
    """A code {1, 9} predicted as a category is 1 or 9, what is left out stays, and both functions take one table."""
    session.connection.execute("CREATE TABLE t AS SELECT CASE WHEN i % 3 = 0 THEN 1 ELSE 9 END AS code, i * i AS x, "
                               "i * 2 AS kept FROM range(60) AS r(i)")  # fmt: skip
    compared = {"columns": ["x", "code"], "categorical": ["code"]}
    options = {"seed": 3, "trees": 5, **compared}
    for surface in ("python", "sql"):
        if surface == "python":
            session.baseline("t", p=1.0, **options).to_table("new", replace=True)
        else:
            session.connection.execute(f"CREATE OR REPLACE TABLE new AS {call('baseline', 't', p=1.0, **options)}")
        rows = session.connection.table("new").to_df()
        assert rows.columns.tolist() == ["code", "x", "kept"]
        assert set(rows.code) <= {1, 9}
        assert rows.kept.tolist() == list(range(0, 120, 2))
        (alone,) = rows_of(session.mda("new", "t", threshold=0.1, **compared))
        (swept,) = rows_of(session.baseline_sweep("t", p=[1.0], threshold=[0.1], **options))
        assert {name: alone[name] for name in ("privacy_area", "resemblance")} == {
            name: swept[name] for name in ("privacy_area", "resemblance")
        }
    left_out = rows_of(session.baseline("t", p=1.0, exclude=["code"], seed=3, trees=5))
    assert [row["code"] for row in left_out] == [1 if i % 3 == 0 else 9 for i in range(60)]
