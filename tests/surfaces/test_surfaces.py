"""One function, three surfaces: SQL, Python and the command line give the same rows for everything in the catalog."""

import json
import math

import pyarrow as pa
import pytest
from calls import assert_same_rows, call, cli, cli_arguments, close, create, quoted
from surfaces import (
    EACH,
    EXAMPLES,
    HALF,
    NAMES,
    OF_EVERY_KIND,
    OTHER_HALF,
    OWN_COLUMNS,
    PAIR,
    TABLES,
    ask,
    by_position,
    python_rows,
    python_table,
)

import synthpriv_sql
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.results.watching.progress import Bar

pytestmark = pytest.mark.duckdb_1


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """The path of a database with the tables of the examples."""
    path = str(tmp_path_factory.mktemp("surfaces") / "people.duckdb")
    with synthpriv_sql.connect(path) as session:
        create(session, **TABLES)
    return path


@pytest.fixture(scope="module")
def session(database):
    with synthpriv_sql.connect(database, read_only=True) as opened:
        yield opened


def run(connection, sql):
    cursor = connection.execute(sql)
    names = [entry[0] for entry in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def later(names, *left):
    """The same, of which these are asked in `make test-all`, as the other surfaces have them in `make test`."""
    return [pytest.param(name, marks=pytest.mark.again) if name in left else name for name in names]


def test_every_function_has_an_example():
    for name in NAMES:
        function = catalog.function(name)
        assert {p.name for p in function.parameters.values() if p.required} <= function.example.keys(), name
        assert function.example.keys() <= function.parameters.keys(), name


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("name", EACH)
def test_sql_gives_the_rows_of_python(session, name):
    tables, options = EXAMPLES[name]
    expected = python_rows(session, name)
    assert expected
    assert_same_rows(by_position(run(session.connection, call(name, *tables, **options))), by_position(expected))


# One without a search, one of each kind of search, and one of all.
@pytest.mark.parametrize(
    "name",
    [
        *("anonymity", "nndr_summary", "membership", "utility", "baseline"),
        pytest.param("candidates", marks=pytest.mark.again),
    ],
)
def test_one_bar_fills_up_in_every_function(session, name):
    tables, options = EXAMPLES[name]
    sides = {p.name: table for p, table in zip(catalog.function(name).relations, tables, strict=False)}
    moves = []
    bar = Bar(lambda part, label: moves.append((part, label)), calls=2)
    session.call(name, progress=bar, **sides, **options)
    session.call("scaling", progress=bar, train="train")
    parts = [part for part, _ in moves]
    assert parts == sorted(parts)
    assert (parts[-3], parts[-1], moves[-1][1]) == (0.5, 1.0, "scaling")


@pytest.mark.parametrize("name", later(HALF, *OF_EVERY_KIND[::2]))
def test_the_command_line_gives_the_rows_of_python(session, database, name):
    tables, options = EXAMPLES[name]
    code, out, err = cli(*cli_arguments(name, *tables, **options), "--database", database, "--format", "json")
    assert code == 0
    said = (
        "too few for two halves",
        "nothing has to change",
        "synthetic records were removed",
        "too few for a statement",
        "needs 100 records of each side",
        "combinations of up to 2 columns",
    )
    assert all(any(words in line for words in said) for line in err.splitlines())
    printed = json.loads(out)
    if name == "evaluate":  # which ends with its durations
        assert [row["metric"] for row in printed if row["section"] == "run"][-1:] == ["run_seconds"]
        printed = [row for row in printed if row["section"] not in {"run", "verdict", "columns"}]
        # JSON has no infinity, which a ratio to nothing is.
        printed = [row | {"value": math.inf} if row["value"] == "Infinity" else row for row in printed]
    assert_same_rows(by_position(printed), by_position(python_rows(session, name)))


@pytest.mark.parametrize("name", later(OTHER_HALF, "candidates", *OF_EVERY_KIND[1::2]))
def test_the_printed_sql_gives_the_rows_of_python(session, database, name):
    if name == "remedy":  # no statement is a search
        return
    tables, options = EXAMPLES[name]
    code, out, err = cli("sql", *cli_arguments(name, *tables, **options), "--database", database)
    assert (code, err) == (0, "")
    assert_same_rows(by_position(run(session.connection, out)), by_position(python_rows(session, name)))


@pytest.mark.parametrize("name", EACH)
def test_columns_are_the_documented_ones(session, name):
    tables, options = EXAMPLES[name]
    function = catalog.functions()[name]
    columns = [
        c
        for c in function.columns
        if (asked := function.columns_with.get(c)) is None or options.get(asked, function.parameters[asked].default)
    ]
    found = python_table(session, name).column_names
    named = [column for column in found if column not in ("key", "neighbor_key", "nearest_key")]
    if name not in OWN_COLUMNS:
        assert named == columns
    described = session.connection.execute("DESCRIBE " + call(name, *tables, **options)).fetchall()
    assert [row[0] for row in described] == found


KEYED = [name for name in NAMES if EXAMPLES[name][1].get("key") and name not in OWN_COLUMNS]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "remedy")) for name in KEYED]
)  # it is a search
def test_a_key_stands_beside_record_numbers(session, name):
    sides = catalog.functions()[name].keys.get("record", ())
    of = {"a": "synthetic", "b": "train", "queries": "synthetic"}
    keys = {side: TABLES[of.get(side, side)]["id"].to_pylist() for side in sides}
    for row in python_rows(session, name):
        if sides:
            assert row["key"] == keys[row.get("side", sides[0])][row["record"]]


def test_the_command_line_reads_files(session, tmp_path):
    paths = {side: str(tmp_path / f"{side}.parquet") for side in PAIR}
    for side, path in paths.items():
        session.connection.sql(f"FROM {side}").write_parquet(path)
    code, out, err = cli(*cli_arguments("dcr", *paths.values(), **EXAMPLES["dcr"][1]), "--format", "json")
    assert (code, err) == (0, "")
    assert_same_rows(json.loads(out), python_rows(session, "dcr"))


@pytest.mark.parametrize("form", ["table", "csv", "markdown"])
def test_the_command_line_prints_other_formats(session, database, form):
    tables, options = EXAMPLES["dcr"]
    code, out, err = cli(*cli_arguments("dcr", *tables, **options), "--database", database, "--format", form)
    assert (code, err) == (0, "")
    for row in python_rows(session, "dcr"):
        (line,) = (line for line in out.splitlines() if row["key"] in line)
        assert f"{row['dcr']:.4f}"[:5] in line or row["dcr"] == 0


def test_csv_of_the_command_line_is_exact(session, database, tmp_path):
    tables, options = EXAMPLES["dcr"]
    _, out, _ = cli(*cli_arguments("dcr", *tables, **options), "--database", database, "--format", "csv")
    (tmp_path / "dcr.csv").write_text(out)
    found = session.connection.read_csv(str(tmp_path / "dcr.csv")).fetchall()
    expected = [tuple(row.values()) for row in python_rows(session, "dcr")]
    assert len(found) == len(expected)
    for row, wanted in zip(found, expected, strict=True):
        assert all(map(close, row, wanted))


# What a Result offers


@pytest.fixture
def result(session):
    return ask(session, "dcr")


def test_a_result_becomes_what_is_asked_for(result):
    arrow = result.to_arrow()
    assert isinstance(arrow, pa.Table)
    assert result.to_pandas().to_dict("records") == arrow.to_pylist()
    assert result.to_polars().to_dicts() == arrow.to_pylist()
    assert result.fetchall() == [tuple(row.values()) for row in arrow.to_pylist()]


def test_a_result_shows_itself(result):
    first = result.to_arrow().to_pylist()[0]
    for text in (repr(result), str(result), result._repr_html_()):
        assert "nearest" in text
        assert first["key"] in text
    assert "<table" in result._repr_html_()


def test_a_result_is_computed_once_and_its_sql_runs_again():
    with synthpriv_sql.connect() as session:
        create(session, **TABLES)
        result = session.dcr("synthetic", "train", exclude=["id"])
        before = result.to_arrow()
        assert_same_rows(run(session.connection, result.sql), before.to_pylist())
        session.connection.execute("DELETE FROM synthetic")
        assert result.to_arrow().equals(before)
        assert run(session.connection, result.sql) == []


def test_a_result_is_written_back():
    with synthpriv_sql.connect() as session:
        create(session, **TABLES)
        result = session.dcr("synthetic", "train", exclude=["id"])
        for name in ("kept", 'odd "name'):
            result.to_table(name)
            assert session.connection.execute(f"FROM {quoted(name)}").fetchall() == result.fetchall()
        with pytest.raises(synthpriv_sql.SynthprivError, match="kept"):
            result.to_table("kept")
        session.neighbors("synthetic", "train", exclude=["id"]).to_table("kept", replace=True)
        assert session.connection.table("kept").columns == ["record", "rank", "neighbor", "distance"]
