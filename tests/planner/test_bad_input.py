"""Bad input is told apart, and each message names the table, the column, what was found and what to do.

Every case runs in Python, in SQL and on the command line, and says the same on each.
"""

import functools
import math
from dataclasses import dataclass, field

import duckdb
import pyarrow as pa
import pytest
from calls import call, cli, cli_arguments, create, literal, quoted, rows_of, sql_rows

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.planner.headers import wording

pytestmark = pytest.mark.duckdb_1

INFINITE = [1.0, math.inf, -math.inf]
MAP = pa.map_(pa.string(), pa.int64())
BASE = {"t": ["a", "b", "c"], "n": [1, 2, 3], "x": [0.5, 1.5, None]}
TABLES = {
    "synthetic": pa.table(BASE),
    "train": pa.table(BASE),
    "holdout": pa.table(BASE),
    "strangers": pa.table({"foo": [1], "bar": ["b"]}),
    "narrow": pa.table({"t": ["a"], "x": [0.5]}),
    "texts": pa.table({**BASE, "n": ["one", "two", "three"]}),
    "lists": pa.table({**BASE, "n": [[1], [2], [3]]}),
    "structs": pa.table({**BASE, "n": [{"a": 1}] * 3}),
    "maps": pa.table({**BASE, "n": pa.array([[("a", 1)]] * 3, MAP)}),
    "blobs": pa.table({**BASE, "n": [b"1", b"2", b"3"]}),
    "infinite": pa.table({**BASE, "x": INFINITE}),
    "empty": pa.table(BASE).slice(0, 0),
    "single": pa.table(BASE).slice(0, 1),
    "keyed": pa.table({**BASE, "key": ["k0", "k1", "k2"]}),
}


@dataclass(frozen=True)
class Case:
    """A wrong call, the kind of its error and what the message must name."""

    name: str
    tables: tuple[str, ...]
    error: type
    words: tuple[str, ...]
    options: dict = field(default_factory=dict)


def wrong(error, *words, name="dcr", tables=("synthetic", "train"), **options):
    return Case(name, tables, error, words, options)


CASES = {
    "unknown synthetic": wrong(errors.UnknownTable, "nowhere", "synthetic", "name", tables=("nowhere", "train")),
    "unknown train": wrong(errors.UnknownTable, "nowhere", "train", tables=("synthetic", "nowhere")),
    "unknown schema": wrong(errors.UnknownTable, "no.where", tables=("synthetic", "no.where")),
    "unknown file": wrong(errors.UnknownTable, "gone.parquet", tables=("synthetic", "gone.parquet")),
    "broken subquery": wrong(errors.UnknownTable, "SELEC", tables=("synthetic", "(SELEC 1)")),
    "two statements": wrong(errors.UnknownTable, "DROP", tables=("synthetic", "(SELECT 1); DROP TABLE train; --")),
    "unknown column, columns": wrong(errors.UnknownColumn, "columns", "absent", "synthetic", columns=["t", "absent"]),
    "unknown column, exclude": wrong(errors.UnknownColumn, "exclude", "absent", "synthetic", exclude=["absent"]),
    "unknown column, weights": wrong(errors.UnknownColumn, "weights", "absent", "synthetic", weights={"absent": 1.0}),
    "unknown column, numeric": wrong(errors.UnknownColumn, "numeric", "absent", "synthetic", numeric=["absent"]),
    "unknown column, categorical": wrong(errors.UnknownColumn, "categorical", "absent", categorical=["absent"]),
    "unknown column, key": wrong(errors.UnknownColumn, "key", "absent", "synthetic", key="absent"),
    "chosen column missing on one side": wrong(
        errors.UnknownColumn, "columns", '"n"', "narrow", columns=["n"], tables=("synthetic", "narrow")
    ),
    "weight of a column left out": wrong(errors.UnknownColumn, "weights", '"n"', exclude=["n"], weights={"n": 2.0}),
    "no common columns": wrong(
        errors.ColumnMismatch, "common", "synthetic", "strangers", "foo", tables=("synthetic", "strangers")
    ),
    "a column missing in train": wrong(
        errors.ColumnMismatch, '"n"', "synthetic", "narrow", "exclude", tables=("synthetic", "narrow")
    ),
    "a column missing in synthetic": wrong(
        errors.ColumnMismatch, '"n"', "train", "narrow", "exclude", tables=("narrow", "train")
    ),
    "a column missing in holdout": wrong(
        errors.ColumnMismatch, '"n"', "narrow", "exclude", name="holdout_share", tables=("synthetic", "train", "narrow")
    ),
    "nothing left to compare": wrong(errors.ColumnMismatch, "synthetic", exclude=["t", "n", "x"]),
    "text against number": wrong(
        errors.RoleError, '"n"', "texts", "train", "VARCHAR", "BIGINT", "categorical", tables=("texts", "train")
    ),
    "text that is no number": wrong(
        errors.RoleError, '"n"', "texts", "number", numeric=["n"], tables=("texts", "train")
    ),
    "numeric and categorical": wrong(errors.OptionError, "numeric", "categorical", numeric=["n"], categorical=["n"]),
    "infinity in train": wrong(errors.InfiniteValue, '"x"', "infinite", "2", tables=("synthetic", "infinite")),
    "infinity in synthetic": wrong(errors.InfiniteValue, '"x"', "infinite", "2", tables=("infinite", "train")),
    "infinity in holdout": wrong(
        errors.InfiniteValue, '"x"', "infinite", "2", name="dcr_summary", tables=("synthetic", "train", "infinite")
    ),
    "infinity, hamming": wrong(
        errors.InfiniteValue, '"x"', "infinite", "2", metric="hamming", tables=("synthetic", "infinite")
    ),
    "infinity, scaling": wrong(errors.InfiniteValue, '"x"', "infinite", "2", name="scaling", tables=("infinite",)),
    "empty train": wrong(errors.EmptyTable, "empty", "no rows", tables=("synthetic", "empty")),
    "empty holdout": wrong(
        errors.EmptyTable, "empty", "no rows", name="holdout_share", tables=("synthetic", "train", "empty")
    ),
    "k above the reference": wrong(errors.OptionError, '"k"', "4", "train", "3", name="neighbors", k=4),
    "k above the others": wrong(
        errors.OptionError, '"k"', "train", "2", name="neighbors", tables=("train", "train"), k=3, exclude_self=True
    ),
    "k below 1": wrong(errors.OptionError, '"k"', "0", "1", name="neighbors", k=0),
    "a neighborhood above train": wrong(errors.OptionError, '"k"', "train", "3", name="nndr", variant="local", k=3),
    "a single train record has no second nearest": wrong(
        errors.OptionError, "single", "1", name="nndr", tables=("synthetic", "single")
    ),
    "unknown metric": wrong(errors.OptionError, "metric", "cosine", "gower", "hamming", metric="cosine"),
    "unknown scaling": wrong(errors.OptionError, "scaling", "log", "standard", "robust", scaling="log"),
    "unknown variant": wrong(errors.OptionError, "variant", "third", "second", "global", name="nndr", variant="third"),
    "unknown statistic": wrong(
        errors.OptionError, "statistic", "mode", "median", name="comparison", statistic="mode"
    ),
    "negative weight": wrong(errors.OptionError, "weights", '"n"', "-1", weights={"n": -1.0}),
    "all weights zero": wrong(errors.OptionError, "weights", "0", "positive", weights={"t": 0, "n": 0, "x": 0}),
    "negative mismatch": wrong(errors.OptionError, "category_mismatch", "-1", category_mismatch=-1.0),
} | {
    f"{kind} column": wrong(errors.RoleError, '"n"', kind, shown, "exclude", "cast", tables=("synthetic", kind))
    for kind, shown in {"lists": "[]", "structs": "STRUCT", "maps": "MAP", "blobs": "BLOB"}.items()
}  # fmt: skip


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """The tables of all cases, in a file."""
    path = str(tmp_path_factory.mktemp("bad") / "bad.duckdb")
    with synthpriv_sql.connect(path) as opened:
        create(opened, **TABLES)
    return path


@pytest.fixture(scope="module")
def session(database):
    # Read only, as the command line opens it too: one process has to open a file in one way.
    with synthpriv_sql.connect(database, read_only=True) as opened:
        yield opened


def python_error(session, case):
    with pytest.raises(synthpriv_sql.SynthprivError) as caught:
        getattr(session, case.name)(*case.tables, **case.options).to_arrow()
    return caught.value


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_python_raises_the_kind_with_a_message_that_helps(session, case):
    error = python_error(session, case)
    assert type(error) is case.error
    assert [word for word in case.words if word not in str(error)] == [], str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_sql_says_the_same(session, case):
    with pytest.raises(duckdb.Error) as caught:
        session.connection.execute(call(case.name, *case.tables, **case.options)).fetchall()
    text = str(caught.value)
    assert case.error.__name__ in text
    assert [word for word in case.words if word not in text] == [], text


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_command_line_says_the_same_in_one_line(session, database, case):
    with wording.spoken("shell"):
        message = str(python_error(session, case))
    code, out, err = cli(*cli_arguments(case.name, *case.tables, **case.options), "--database", database)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err
    assert " := " not in err


def test_all_columns_that_are_wrong_are_named_at_once(shared):
    columns = {"age": [1.0, 2.0], "city": ["a", "b"]}
    synthetic = pa.table(columns | {"blob": [b"x", b"y"], "list": [["1"], ["2"]]})
    train = pa.table(
        {"age": ["1", "2"], "city": [1, 2], "blob": [b"x", b"y"], "list": [["1"], ["2"]], "New one": [1, 2]}
    )
    dcr = functools.partial(shared.dcr, synthetic, train)
    for error, given, said in (
        (errors.ColumnMismatch, {}, '"New one" is in train (a pyarrow Table) but not in synthetic (a'),
        (errors.RoleError, {"exclude": "New one"}, 'BLOB; column "list" of'),
        (errors.RoleError, {"columns": ["age", "city"]}, "compare them (numeric=['age', 'city'] or"),
        (errors.UnknownColumn, {"columns": ["ages", "age", "town"]}, 'names columns "ages", "town", which'),
        (errors.UnknownColumn, {"columns": ["age"], "weights": {"x": 1, "y": 2}}, '"weights" names columns "x", "y"'),
        (errors.OptionError, {"columns": ["age", "city"], "numeric": ["age", "city"], "categorical": ["age", "city"]},
         'columns "age", "city" are in both options'),
    ):  # fmt: skip
        with pytest.raises(error) as caught:
            dcr(**given)
        assert said in str(caught.value)
    # A table that is given twice lacks a column once.
    with pytest.raises(errors.ColumnMismatch, match=r'^column "New one" is in'):
        shared.holdout_share(synthetic, train, train)


def test_k_without_quasi_identifiers_is_said(session):
    with pytest.raises(errors.OptionError, match='"k" := 3 needs the option "quasi_identifiers", which is missing'):
        session.evaluate("synthetic", "train", k=3)


@pytest.mark.parametrize(
    ("name", "value", "sql", "python", "shell"),
    [
        ("exclude", ["a", "it's b"], "exclude := ['a', 'it''s b']", "exclude=['a', \"it's b\"]",
         "--exclude 'a,it'\\''s b'"),
        ("exclude", ["a,b"], "exclude := ['a,b']", "exclude=['a,b']", "--exclude '\"a,b\"'"),
        ("quasi_identifiers", [...], "quasi_identifiers := [...]", "quasi_identifiers=[...]", "--quasi-identifiers …"),
        ("identifiers", "exclude", "identifiers := 'exclude'", "identifiers='exclude'", "--identifiers exclude"),
        ("auto_cast", True, "auto_cast := true", "auto_cast=True", "--auto-cast"),
        ("header", False, "header := false", "header=False", "--no-header"),
        ("rounds", 5, "rounds := 5", "rounds=5", "--rounds 5"),
        ("csv", {"decimal": ",", "missing": ["NA", "n a"], "train": {"header": True, "quote": "'"}},
         "csv := {'decimal': ',', 'missing': ['NA', 'n a'], 'train': {'header': true, 'quote': ''''}}",
         "csv={'decimal': ',', 'missing': ['NA', 'n a'], 'train': {'header': True, 'quote': \"'\"}}",
         "--csv 'train:header=yes,quote='\\''' --csv 'decimal=,,missing=NA,missing=n a'"),
    ],
)  # fmt: skip
def test_options_in_the_words_of_the_surface(name, value, sql, python, shell):
    assert wording.given(name, value) == python
    for surface, said in (("sql", sql), ("python", python), ("shell", shell)):
        with wording.spoken(surface):
            assert wording.given(name, value) == said
            assert wording.option("a_b") == ("--a-b" if surface == "shell" else 'option "a_b"')
            assert wording.refused("k", 1.5) == ("--k 1.5" if surface == "shell" else 'option "k" := 1.5')
    assert wording.current() == "python"


@pytest.mark.parametrize("value", [{"a": [1]}, [{"a": 1}], "text", None, [1.5, "b"]])
def test_plain_values_are_shown(value):
    assert wording.refused("k", value) == f'option "k" := {value!r}'


def test_objects_in_lists_are_not_shown():
    people = pa.table({"name": ["Ada"]})
    for value in (people, [people], {"first": [people, "b"]}):
        said = wording.refused("releases", value)
        assert "Ada" not in said
        assert "pyarrow Table" in said


def test_a_message_keeps_what_looks_like_an_option(session):
    # Such as the name of a table: nothing is rewritten once a message is there.
    with pytest.raises(errors.UnknownTable, match=r"exclude := 'a'"):
        session.dcr("exclude := 'a'", "train")


def test_unknown_options(session):
    with pytest.raises(errors.OptionError, match=r"metrics.*\bmetric\b"):
        session.dcr("synthetic", "train", metrics="gower")
    with pytest.raises(duckdb.Error, match=r"dcr\(synthetic, train, .*metric :="):  # DuckDB's own message
        session.connection.execute(call("dcr", "synthetic", "train", metrics="gower"))
    code, _, err = cli("dcr", "--synthetic", "synthetic", "--train", "train", "--metrics", "gower")
    assert code == 2
    assert "--metrics" in err


def test_k_is_a_whole_number(session):
    with pytest.raises(errors.OptionError, match=r'"k".*1\.5.*whole'):
        session.neighbors("synthetic", "train", k=1.5)
    with pytest.raises(duckdb.Error, match=r'"k".*1\.5.*whole'):
        session.connection.execute(call("neighbors", "synthetic", "train", k=1.5))
    code, _, err = cli(*cli_arguments("neighbors", "synthetic", "train", k=1.5))
    assert code == 2
    assert "--k" in err
    assert "1.5" in err


def test_a_missing_table_argument(session):
    with pytest.raises((errors.OptionError, TypeError), match="train"):
        session.dcr("synthetic")
    code, _, err = cli("dcr", "--synthetic", "synthetic")
    assert code == 2
    assert "train" in err


def test_an_unknown_function(session):
    with pytest.raises(AttributeError, match="dcrr"):
        session.dcrr("synthetic", "train")
    assert cli("dcrr")[0] == 2


def test_every_error_is_of_one_family():
    kinds = {case.error for case in CASES.values()}
    assert all(issubclass(kind, synthpriv_sql.SynthprivError) for kind in kinds)
    assert issubclass(errors.OptionError, ValueError)


def test_an_infinite_column_may_be_excluded(session):
    rows = rows_of(session.dcr("synthetic", "infinite", exclude=["x"]))
    assert [row["dcr"] for row in rows] == [0.0] * 3


def test_an_infinite_date_is_infinite(session):
    forever = "(SELECT unnest([DATE '2024-01-01', DATE 'infinity', DATE '-infinity']) AS day)"
    with pytest.raises(errors.InfiniteValue, match=r'"day".* 2 infinite'):
        session.dcr(forever, forever).to_arrow()


def test_an_empty_synthetic_table_has_no_records(session):
    assert rows_of(session.dcr("empty", "train")) == []


def test_a_session_lives_on_after_an_error(session):
    connection = session.connection
    for case in list(CASES.values())[::4]:  # each on its own is the test before
        with pytest.raises(duckdb.Error):
            connection.execute(call(case.name, *case.tables, **case.options)).fetchall()
        assert len(sql_rows(connection, call("dcr", "synthetic", "train"))) == 3


# Names that would be code if they were pasted

UGLY = 'x"; drop table t; --'


@pytest.fixture(scope="module")
def with_ugly(tmp_path_factory):
    with synthpriv_sql.connect(str(tmp_path_factory.mktemp("ugly") / "ugly.duckdb")) as opened:
        create(opened, **{"t": pa.table({"x": [1]}), UGLY: pa.table({UGLY: [1, 2, 4], "y'": ["a", "b", "c"]})})
        yield opened


@pytest.fixture
def ugly(with_ugly):
    yield with_ugly
    assert with_ugly.connection.execute("SELECT x FROM t").fetchall() == [(1,)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("table", [UGLY, quoted(UGLY), f"(FROM {quoted(UGLY)})", f"main.{quoted(UGLY)}"])
@pytest.mark.parametrize("option", ["key", "columns", "exclude", "weights", "numeric", "categorical"])
def test_a_name_is_only_a_name(ugly, option, table):
    value = {"key": UGLY, "weights": {UGLY: 2.0}}.get(option, [UGLY])
    rows = rows_of(ugly.dcr(table, table, **{option: value}))
    assert [(row["dcr"], row["nearest"]) for row in rows] == [(0.0, 0), (0.0, 1), (0.0, 2)]
    assert [row.get("key") for row in rows] == ([1, 2, 4] if option == "key" else [None] * 3)
    assert sql_rows(ugly.connection, call("dcr", table, table, **{option: value})) == rows


@pytest.mark.parametrize("options", [{"key": UGLY}, {"columns": [UGLY]}, {"weights": {UGLY: 2.5}}])
def test_an_ugly_name_on_the_command_line(ugly, tmp_path, options):
    path = str(tmp_path / "copy.duckdb")
    ugly.connection.execute(f"ATTACH {literal(path)} AS copy")
    ugly.connection.execute("COPY FROM DATABASE ugly TO copy")
    ugly.connection.execute("DETACH copy")
    code, out, err = cli(*cli_arguments("dcr", UGLY, UGLY, **options), "--database", path, "--format", "csv")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 4


@pytest.mark.parametrize("option", ["metric", "scaling", "key", "columns"])
def test_an_ugly_value_is_only_wrong(ugly, option):
    value = "'); drop table t; --"
    with pytest.raises(synthpriv_sql.SynthprivError):
        ugly.dcr("t", "t", **{option: value}).to_arrow()
    with pytest.raises(duckdb.Error):
        ugly.connection.execute(f"FROM synthpriv.dcr('t', 't', {option} := {literal(value)})")


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"weights": {"a": 5e-324}}, "weights"),
        ({"weights": {"a": 1e300}, "metric": "euclidean"}, "weights"),
        ({"category_mismatch": 1e200, "metric": "euclidean"}, "category_mismatch"),
        ({"category_mismatch": 1e-200, "metric": "euclidean"}, "category_mismatch"),
    ],
)
def test_weights_that_a_distance_has_no_room_for(shared, options, option):
    table = pa.table({"a": [1, 2], "b": ["x", "y"]})
    with pytest.raises(errors.OptionError, match=f'option "{option}".*from 1e-75 to 1e\\+75'):
        shared.dcr(table, table, **options)


def test_distances_that_no_double_holds(shared):
    far, near = pa.table({"a": [1e200, 0.0]}), pa.table({"a": [0.0, 1.0]})
    with pytest.raises(errors.InfiniteValue, match="farther apart than a DOUBLE can hold"):
        shared.dcr(far, near, metric="euclidean")
    assert shared.dcr(far, near, metric="manhattan", scaling="none").fetchall()[0][1] == 1e200
