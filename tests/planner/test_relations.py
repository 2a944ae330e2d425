"""Every way to name a table gives the same records, distances and errors."""

import datetime as dt

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from calls import assert_same_rows, call, cli, create, literal, quoted, rows_of, sql_rows
from loops import each
from oracle import Space, nearest
from surfaces import EACH, EXAMPLES, TABLES, TRIO, sides_read

import synthpriv_sql
from synthpriv_sql.errors import EmptyTable, EngineError, OptionError, RoleError, UnknownTable
from synthpriv_sql.planner.headers import catalog

pytestmark = pytest.mark.duckdb_1

TRAIN = {
    "age": [31, 45, None, 27, 31, 60],
    "income": [1200.5, 3100.25, 800.0, None, 1200.5, 9000.0],
    "city": ["Bern", "Köln", "a,b", None, "Bern", 'say "hi"'],
    "since": [dt.date(2020, 1, d) if d else None for d in (1, 9, 17, 25, 0, 31)],
}
SYNTHETIC = {
    "age": [30, 45, 61],
    "income": [1200.0, 3100.25, None],
    "city": ["Bern", "Köln", "Ulm"],
    "since": [dt.date(2020, 1, 2), dt.date(2020, 1, 9), None],
}
FILES = ["train.parquet", "train.csv", "train.csv.gz", "train.json", "part-*.parquet"]
PARTS = [("FROM train LIMIT 4", "part-1.parquet"), ("FROM train OFFSET 4", "part-2.parquet")]
ODD = ["odd name", "odd.name", "Odd", "select", "näme", "it's", "a.parquet"]
PLAIN = ["odd name", "Odd", "select", "näme"]  # which need no quotes


def expected_rows():
    records, distances = nearest(Space(TRAIN).distances(SYNTHETIC, TRAIN))
    return [
        {"record": i, "dcr": d, "nearest": n}
        for i, (d, n) in enumerate(zip(distances[:, 0].tolist(), records[:, 0].tolist(), strict=True))
    ]


class Stream:
    """An object that offers nothing but the Arrow stream."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A session with the train table in every place, and the folder with it in every kind of file."""
    tmp_path, train = tmp_path_factory.mktemp("relations"), pa.table(TRAIN)
    session = synthpriv_sql.connect()
    create(session, train=train, synthetic=pa.table(SYNTHETIC), **dict.fromkeys(ODD, train))
    run = session.connection.execute
    run("CREATE VIEW train_view AS SELECT * FROM train")
    run("CREATE SCHEMA other")
    run("CREATE TABLE other.train_there AS FROM train")
    run(f"ATTACH {literal(str(tmp_path / 'attached.duckdb'))} AS attached")
    run("CREATE SCHEMA attached.other")
    run("CREATE TABLE attached.other.train_away AS FROM train")
    run("CREATE TABLE attached.train_away AS FROM train")
    for rows, file in [("FROM train", file) for file in FILES if "*" not in file] + PARTS:
        run(f"COPY ({rows}) TO {literal(str(tmp_path / file))}")
    yield session, tmp_path
    session.close()


NAMED = [
    "train",
    "TRAIN",
    "main.train",
    "memory.main.train",
    "train_view",
    "other.train_there",
    "attached.other.train_away",
    "attached.train_away",
    '"train"',
    'other."train_there"',
    '"attached"."other"."train_away"',
    "(SELECT * FROM train)",
    "(FROM train)",
    "(WITH t AS (SELECT * FROM train) SELECT since, city, income, age FROM t)",
    "(SELECT age AS AGE, income, city AS City, since FROM train)",
    *map(quoted, ODD),
]


@pytest.mark.parametrize("name", [*NAMED, *PLAIN])
def test_names_and_subqueries(tables, name):
    session, _ = tables
    assert_same_rows(sql_rows(session.connection, call("dcr", "synthetic", name)), expected_rows())


@pytest.mark.again
@each("name", [*NAMED, *PLAIN, *FILES])
def test_names_and_files_are_the_same_in_python(tables, name):
    session, folder = tables
    given = str(folder / name) if name in FILES else name
    assert_same_rows(rows_of(session.dcr("synthetic", given)), expected_rows())


@pytest.mark.parametrize("file", FILES)
def test_files(tables, file):
    session, folder = tables
    assert_same_rows(sql_rows(session.connection, call("dcr", "synthetic", str(folder / file))), expected_rows())


def test_a_path_object(tables):
    session, folder = tables
    assert_same_rows(rows_of(session.dcr("synthetic", folder / "train.parquet")), expected_rows())


def test_a_temporary_table_in_python(tables):
    session, _ = tables
    session.connection.execute("CREATE TEMP TABLE passing AS FROM train")
    assert_same_rows(rows_of(session.dcr("synthetic", "passing")), expected_rows())
    assert_same_rows(rows_of(session.dcr("synthetic", "(FROM passing)")), expected_rows())
    session.connection.execute("DROP TABLE passing")


OBJECTS = {
    "DuckDB table": lambda session, table: session.connection.table("train"),
    "DuckDB query": lambda session, table: session.connection.sql("SELECT * FROM train WHERE true"),
    "pandas": lambda session, table: table.to_pandas(),
    "pandas with an index": lambda session, table: table.to_pandas().set_axis(list("fedcba")),
    "polars": lambda session, table: pl.from_arrow(table),
    "Arrow table": lambda session, table: table,
    "Arrow table of many chunks": lambda session, table: pa.concat_tables([table.slice(i, 1) for i in range(6)]),
    "Arrow reader": lambda session, table: table.to_reader(max_chunksize=2),
    "Arrow batch": lambda session, table: table.to_batches()[0],
    "Arrow stream": lambda session, table: Stream(table),
    "Arrow stream that is given once": lambda session, table: Stream(table.to_reader(max_chunksize=2)),
}


@pytest.mark.parametrize("make", OBJECTS.values(), ids=OBJECTS)
def test_objects(tables, make):
    session, _ = tables
    assert_same_rows(rows_of(session.dcr(pa.table(SYNTHETIC), make(session, pa.table(TRAIN)))), expected_rows())


@pytest.mark.parametrize("kind", ["Arrow reader", "Arrow stream", "Arrow stream that is given once"])
def test_a_stream_is_read_once_however_often_it_is_needed(tables, kind):
    session, _ = tables
    streamed = [OBJECTS[kind](session, pa.table(table)) for table in (SYNTHETIC, TRAIN, SYNTHETIC)]
    expected = rows_of(session.dcr_summary("synthetic", "train", "synthetic"))
    assert_same_rows(rows_of(session.dcr_summary(*streamed)), expected)


@pytest.mark.one_in(2, 2)
@pytest.mark.parametrize("name", EACH)
def test_what_is_no_table_is_read_once_by_every_function(session, name):
    positional, options = EXAMPLES[name]
    # Several tables of one parameter are given by name.
    named = {side: options[side] for side in TRIO if side in options}
    sides = dict.fromkeys([*positional, *(table for given in named.values() for table in listed(given))])
    read = dict.fromkeys(sides, 0)

    def counting(side):
        def count(value):
            read[side] += 1
            return value

        return count

    create(session, **{side: TABLES[side] for side in sides})
    for side in sides:
        column = "n" if "n" in TABLES[side].column_names else TABLES[side].column_names[0]
        kind = str(session.connection.table(side).select(column).types[0])
        session.connection.create_function(f"{name}_sees_{side}", counting(side), [kind], kind, side_effects=True)
        view = f"CREATE VIEW {side}_view AS SELECT * REPLACE ({name}_sees_{side}({column}) AS {column}) FROM {side}"
        session.connection.execute(view)
    views = {
        side: [f"{table}_view" for table in given] if isinstance(given, list) else f"{given}_view"
        for side, given in named.items()
    }
    getattr(session, name)(*(f"{side}_view" for side in positional), **(options | views))
    unread = set(positional) - set(sides_read(name))
    before = catalog.function(name).asks_before
    # Weights are asked for before; and the first thousand rows of synthetic show that no column numbers rows.
    twice = sides if "weights" in before else ("synthetic",) if "row_numbers" in before else ()
    expected = {side: (2 if side in twice else 1) * TABLES[side].num_rows for side in sides}
    assert read == {side: 0 if side in unread else n for side, n in expected.items()}


def listed(given):
    return given if isinstance(given, list) else [given]


def test_objects_leave_no_trace(tables):
    session, _ = tables
    before = session.connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
    for make in OBJECTS.values():
        session.dcr(pa.table(SYNTHETIC), make(session, pa.table(TRAIN))).to_arrow()
    assert session.connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall() == before


def test_two_objects_of_one_type_are_two_tables(session):
    first, second = pa.table({"x": [1, 2]}).to_pandas(), pa.table({"x": [1, 9]}).to_pandas()
    assert [row["copies"] for row in rows_of(session.copies(first, second))] == [1, 0]


def test_a_string_column_of_pandas_with_missing_values(session):
    frame = pa.table({"t": ["a", None]}).to_pandas()
    for column in (frame["t"].astype(object), frame["t"].astype("category"), frame["t"].astype("string")):
        rows = rows_of(session.dcr(frame.assign(t=column), pa.table({"t": ["b", None]})))
        assert [row["dcr"] for row in rows] == [1.0, 0.0]


@pytest.mark.parametrize("rows", [3_000, 130_000])
def test_record_numbers_are_positions_in_scan_order(session, rows):
    # More rows than one vector, and than one row group: numbers follow the table, whatever the threads.
    connection = session.connection
    connection.execute(f"CREATE TABLE big AS SELECT (i * 7919) % {rows} AS x FROM range({rows}) AS r (i)")
    queries = [0, 1, rows // 2, rows - 1]
    found = rows_of(session.neighbors(pa.table({"x": queries}), "big", metric="manhattan", scaling="none"))
    place = {x: record for record, (x,) in enumerate(connection.execute("SELECT x FROM big").fetchall())}
    assert [(row["distance"], row["neighbor"]) for row in found] == [(0.0, place[x]) for x in queries]


@pytest.mark.each_value
@pytest.mark.parametrize("file", ["big.parquet", "big.csv"])
@pytest.mark.parametrize("order", ["false", "true"])
def test_record_numbers_of_a_file_that_many_threads_read(session, tmp_path, file, order):
    path, connection = str(tmp_path / file), session.connection
    rows, options = (100_000, "(ROW_GROUP_SIZE 2048)") if file == "big.parquet" else (300_000, "")  # 50 row groups
    numbers = f"SELECT i AS place, (i * 7919) % {rows} AS x FROM range({rows}) AS r (i)"
    connection.execute(f"COPY ({numbers}) TO {literal(path)} {options}")
    connection.execute(f"SET threads = 8; SET preserve_insertion_order = {order}")
    for result in (session.dcr, session.copies):
        found = result(path, path, key="place", columns=["x"]).to_pandas()
        assert (found["record"] == found["key"]).all()
    found = session.neighbors(pa.table({"x": [5, 7]}), path, columns=["x"], metric="hamming").to_pandas()
    place = {x: i for i, x in enumerate((i * 7919) % rows for i in range(rows))}
    assert found["neighbor"].tolist() == [place[5], place[7]]


def test_a_relation_of_the_users_own_connection():
    with duckdb.connect() as connection:
        session = synthpriv_sql.register(connection)
        assert session.connection is connection
        relation = connection.sql("SELECT 1 AS x")
        assert rows_of(session.dcr(relation, relation)) == [{"record": 0, "dcr": 0.0, "nearest": 0}]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("empty", '"empty"'),
        ('"empty"', '"empty"'),
        ('main."empty"', 'main."empty"'),
        ('"em""pty"', '"em""pty"'),
        ('em"pty', '"em""pty"'),
        ("(FROM empty)", "the query (FROM empty)"),
    ],
)
def test_messages_show_a_name_as_sql_has_it(session, given, shown):
    for name in ('"empty"', '"em""pty"'):
        session.connection.execute(f"CREATE TABLE {name} (x INTEGER)")
    with pytest.raises(EmptyTable) as raised:
        session.dcr("(SELECT 1 AS x)", given)
    assert str(raised.value).startswith(f"{shown} has no rows")


ARRAY = np.random.default_rng(0).normal(size=(200, 3))


@pytest.mark.parametrize("kind", [np.asarray, list, tuple, np.asfortranarray, lambda a: a[::-1][::-1]])
def test_arrays_have_a_row_for_each_record(shared, kind):
    """A shuffled copy is a copy: 200 records of three columns, and not three of 200."""
    order = np.random.default_rng(1).permutation(200)
    found = shared.dcr(kind(ARRAY[order]), kind(ARRAY)).to_pandas()
    assert found.nearest.tolist() == order.tolist()
    assert (found.dcr == 0).all()
    assert shared.scaling(kind(ARRAY))["column_name"] == ["column0", "column1", "column2"]


def test_arrays_of_other_types(shared):
    texts = np.array([["a", "b"], ["c", "b"]])
    assert shared.scaling(texts)["role"] == ["categorical", "categorical"]
    masked = np.ma.masked_array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    assert shared.scaling(masked)["missing"] == [0, 1]
    named = np.array([(1, "x"), (2, "y")], dtype=[("age", "i8"), ("city", "U3")])
    assert shared.scaling(named)["column_name"] == ["age", "city"]
    assert shared.scaling([{"age": 1}, {"age": None, "city": "x"}])["missing"] == [1, 1]
    assert shared.scaling({"age": np.array([1, 2])})["column_name"] == ["age"]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (ARRAY[0], r"an array of shape \(3,\)"),
        (ARRAY[:, :, None], r"an array of shape \(200, 3, 1\)"),
        (np.zeros((5, 0)), r"an array of shape \(5, 0\)"),
        ([ARRAY[0], ARRAY[1][:2]], "a list of arrays of several lengths"),
        ([1.5, 2.5], "a list of 2 values that are neither arrays nor dicts"),
        ([], "a list of 0 values"),
        (np.array([["secret-7", 1], [{}, 2]], object), "an array of type object"),
    ],
)
def test_arrays_that_are_no_tables(shared, value, what):
    with pytest.raises(UnknownTable, match=f"given as train is {what}.*a row for each record") as raised:
        shared.scaling(value)
    assert "secret-7" not in str(raised.value)


@pytest.mark.parametrize("options", [{}, {"categorical": ["doc"]}, {"numeric": ["doc"]}])
@pytest.mark.parametrize("function", ["scaling", "dcr", "copies", "holdout_share"])
def test_json_is_refused_everywhere(session, function, options):
    """One document has many texts; and a text column beside it must not be read as JSON, which fails with its value."""
    session.connection.execute("""CREATE TABLE t AS SELECT 'secret-7' AS name, '{"a": 1}'::JSON AS doc""")
    tables = {"scaling": 1, "dcr": 2, "copies": 2, "holdout_share": 3}[function]
    with pytest.raises(
        RoleError, match='column "doc" of "t" has type JSON, for which no distance is defined'
    ) as raised:
        getattr(session, function)(*["t"] * tables, **options)
    assert "secret-7" not in str(raised.value)
    assert len(session.scaling("t", exclude=["doc"])) == 1


@pytest.mark.parametrize("name", ["train", "synthetic", "holdout", "people", "encoded_train", "Found"])
def test_a_query_reads_the_table_that_it_names(session, name):
    """Not what a statement of ours calls so: each of the three is a part of one table of the user's."""
    create(session, **{name: pa.table({"id": list(range(9)), "x": [i % 4 for i in range(9)]})})
    train, holdout = (f'(FROM "{name}" WHERE id {part})' for part in ("< 5", ">= 5"))
    both = f'(FROM "{name}")'
    assert session.copies(both, train)["copies"] == [1, 1, 1, 1, 1, 0, 0, 0, 0]
    summary = session.dcr_summary(both, train, holdout)
    assert dict(zip(summary["comparison"], summary["n"], strict=True)) == {
        "synthetic_train": 9, "holdout_train": 4, "train_train": 5,
    }  # fmt: skip
    told = session.connection.execute(
        "SELECT side, count(*) FROM synthpriv.membership_scores($1, $2, $3, attack := 'uniques') GROUP BY side",
        [both, train, holdout],
    )
    assert dict(told.fetchall()) == {"train": 5, "holdout": 4}
    assert session.flatten(both, train, "id")["rows"] == [1, 1, 1, 1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ("'t', 't', kee := 'x'", 'copies: there is no option "kee"; did you mean "key"'),
        ("'t', 't', nothing_like_it := 1", 'copies: there is no option "nothing_like_it"; it takes synthetic, train, '),
        ("'t'", 'copies: "train" is missing: the real rows'),
        ("train := 't'", 'copies: "synthetic" is missing'),
        (", ".join(["'t'"] * 30), "copies: there are 30 arguments, but it takes "),
        ("'t', 't', metric := 'x'", "copies: option \"metric\" := 'x' is not one of gower"),
    ],
)
def test_wrong_arguments_of_a_call_in_a_query_are_told_as_those_of_a_method(session, arguments, what):
    session.connection.execute("CREATE TABLE t AS SELECT 1 AS copies")
    query = f"(SELECT copies FROM (FROM synthpriv.copies({arguments})))"
    with pytest.raises(OptionError) as raised:
        session.dcr(query, "t")
    assert str(raised.value).startswith(f"the query {query}, given as synthetic: {what}")
    code, _, err = cli(
        "dcr", "--synthetic", query.replace("'t'", "'(SELECT 1 AS copies)'"), "--train", "(SELECT 1 AS copies)"
    )
    assert code == 2
    assert f"given as synthetic: {what}" in err
    assert "Candidate" not in err


@pytest.mark.parametrize(
    "query", ["(SELECT y FROM t)", "(FROM other.copies('t'))", "(FROM synthpriv.copys('t'))", "(FROM range('x') WHERE)"]
)
def test_other_faults_of_a_query_are_those_that_duckdb_tells_in_a_line(session, query):
    session.connection.execute("CREATE TABLE t AS SELECT 1 AS copies")
    with pytest.raises(UnknownTable, match="given as synthetic, cannot be ") as raised:
        session.dcr(query, "t")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("cast", "into"),
    [
        ("x::INTEGER", " to INT32"),
        ("x::DATE", ""),
        ("x::DECIMAL(9, 2)", " to DECIMAL(9,2)"),
        ("x::INTEGER[]", " to INTEGER[]"),
        ("x::JSON::VARCHAR", ""),
    ],
)
def test_a_value_that_a_query_cannot_convert_is_not_shown(session, cast, into):
    session.connection.execute("CREATE TABLE t AS SELECT CASE WHEN i = 7 THEN 'Mary' END AS x FROM range(9) AS rows(i)")
    query = f"(SELECT CAST({cast} AS VARCHAR) AS x FROM t)"
    with pytest.raises(EngineError) as raised:
        session.copies(query, query)
    said = f'a value of column "x" cannot be converted{into}, as a query or view here asks; '
    assert str(raised.value) == said + "TRY_CAST makes such values NULL"
