"""Runs that are kept: a table that grows by a run each time, and what has changed since the last one."""

import json

import duckdb
import pyarrow as pa
import pytest
from calls import cli, create
from surfaces import evaluated

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results import output
from synthpriv_sql.results.checks.runs import last_run
from synthpriv_sql.results.watching import log

pytestmark = pytest.mark.duckdb_1

RUN = ["run_at", "run_function", "run_versions", "run_options", "run_tables", "run_rows", "run_seconds", "run_id"]
SYNTHETIC = pa.table({"n": [1.0, 2.0, 5.0], "city": ["a", "b", "a"]})
TRAIN = pa.table({"n": [1.5, 2.5, 9.0, 4.0], "city": ["a", "b", "b", "a"]})


@pytest.fixture
def opened():
    with synthpriv_sql.connect() as session:
        create(session, synthetic=SYNTHETIC, train=TRAIN)
        yield session


def rows_of(session, sql):
    return session.connection.sql(sql).to_arrow_table().to_pylist()


def test_a_table_grows_by_a_run_each_time(opened):
    for _ in range(2):
        opened.evaluate("synthetic", "train", quasi_identifiers=["city"], k=2).to_table("runs", append=True)
    runs = rows_of(opened, "SELECT DISTINCT run_at, run_versions, run_options, run_tables, run_rows FROM runs")
    assert len({run["run_at"] for run in runs}) == 2
    for run in runs:
        versions, options = json.loads(run["run_versions"]), json.loads(run["run_options"])
        assert versions == {"synthpriv_sql": synthpriv_sql.__version__, "DuckDB": duckdb.__version__}
        assert (options["k"], options["metric"], options["exclude"]) == (2, "gower", None)
        assert json.loads(run["run_tables"]) == {"synthetic": "synthetic", "train": "train"}
        assert json.loads(run["run_rows"]) == {"synthetic": 3, "train": 4}
    result = opened.evaluate("synthetic", "train", quasi_identifiers=["city"], k=2)
    assert opened.connection.table("runs").columns == RUN + result.columns
    assert opened.connection.sql("SELECT count(*) FROM runs").fetchall() == [(2 * len(result.as_written()),)]


@pytest.mark.parametrize(
    ("table", "rows"), [(SYNTHETIC, 3), (SYNTHETIC.to_pandas(), 3), ("(SELECT 1.0 AS n, 'a' AS city)", 1)]
)
def test_rows_are_counted_whatever_the_table(opened, table, rows):
    opened.copies(table, "train").to_table("runs", append=True)
    (run,) = rows_of(opened, "SELECT DISTINCT run_rows FROM runs")
    assert json.loads(run["run_rows"]) == {"synthetic": rows, "train": 4}


def test_rows_of_a_table_that_is_gone_are_not_made_up(opened):
    result = opened.copies("synthetic", "train")
    opened.connection.execute("DROP TABLE train")
    result.to_table("runs", append=True)
    assert json.loads(rows_of(opened, "FROM runs")[0]["run_rows"]) == {"synthetic": 3, "train": None}


def test_a_run_that_is_appended_twice_is_one(opened, files, tmp_path):
    result = opened.copies("synthetic", "train")
    for _ in range(2):
        result.to_table("runs", append=True)
    opened.copies("synthetic", "train").to_table("runs", append=True)
    assert rows_of(opened, "SELECT count(*) AS n, count(DISTINCT run_id) AS runs FROM runs") == [{"n": 6, "runs": 2}]
    for _ in range(2):
        output.write(result, tmp_path / "runs.duckdb", append=True)
    with duckdb.connect(str(tmp_path / "runs.duckdb")) as connection:
        assert connection.sql("SELECT count(*) FROM copies").fetchall() == [(3,)]


@pytest.mark.again
def test_an_evaluation_says_where_its_time_went(opened, files, tmp_path):
    create(opened, holdout=TRAIN)
    result = opened.evaluate("synthetic", "train", "holdout")
    seconds = result.run_seconds
    searches = [part for part in seconds if part.startswith("search, ")]
    assert 'search, "synthetic" → "train"' in searches
    assert {"planning", "binding", "encoding", "search for agreement", "counts and joins"} <= set(seconds)
    *parts, total = seconds.values()
    assert list(seconds)[-1] == "total"
    assert min(parts) >= 0
    assert sum(parts) == pytest.approx(total)
    result.to_table("runs", append=True)
    (kept,) = rows_of(opened, "SELECT DISTINCT run_seconds FROM runs")
    assert list(json.loads(kept["run_seconds"])) == list(seconds)

    code, out, err = cli(*files, "--format", "json", "--log", "info")
    assert code == 0
    told = [row for row in json.loads(out) if row["section"] == "run"]
    assert [(row["metric"], row["statistic"]) for row in told] == [("run_seconds", "seconds")] * len(told)
    assert told[-1]["variant"] == "total"
    assert sum(row["value"] for row in told[:-1]) == pytest.approx(told[-1]["value"], abs=0.02)
    assert "INFO evaluate: " in err
    assert "rows in" in err
    assert "planning" in err
    (tmp_path / "evaluation.json").write_text(out)
    read = Evaluation.read(tmp_path / "evaluation.json")
    assert "run" not in set(read["section"])
    beside = [row["section"] for row in json.loads(out) if row["section"] in {"run", "verdict", "columns"}]
    assert {"run", "verdict", "columns"} == set(beside)
    assert len(read) == len(json.loads(out)) - len(beside)


def test_a_password_is_not_kept(opened):
    query = "(SELECT n, city FROM synthetic WHERE 'password=hunter2' <> city)"
    opened.copies(query, "train").to_table("runs", append=True)
    assert "hunter2" not in rows_of(opened, "FROM runs")[0]["run_tables"]


def test_what_cannot_be_appended_leaves_the_table_as_it_was(opened):
    opened.copies("synthetic", "train").to_table("runs", append=True)
    before = rows_of(opened, "FROM runs")
    with pytest.raises(errors.WriteError, match=r'not written to "runs".* lacks dcr, nearest and it also has copies'):
        opened.dcr("synthetic", "train").to_table("runs", append=True)
    opened.copies("synthetic", "train").to_table("plain")
    with pytest.raises(errors.WriteError, match="it lacks run_at"):
        opened.copies("synthetic", "train").to_table("plain", append=True)
    with pytest.raises(errors.OptionError, match="not both"):
        opened.copies("synthetic", "train").to_table("runs", append=True, replace=True)
    with pytest.raises(errors.WriteError, match="already has a column run_at"):
        opened.screen("(SELECT *, 1 AS RUN_AT FROM synthetic)", "train", columns=["n"]).to_table("own", append=True)
    assert rows_of(opened, "FROM runs") == before


def test_what_became_of_each_number(opened):
    unknown = (None, None, None)
    now = evaluated(
        ("a", "x", 0.7, 0.6, 0.8, "lower"),
        ("b", None, 0.5, 0.31, 0.6, "higher"),
        ("c", None, 1.0, *unknown),
        ("d", None, 1.0, 0.0, 1.0, "higher"),
        ("e", None, None, None, None, "lower"),
        ("new", None, 1.0, *unknown),
    )
    before = evaluated(
        ("a", "x", 0.3, 0.2, 0.39, "lower"),
        ("b", None, 0.1, 0.0, 0.3, "higher"),
        ("c", None, 3.0, *unknown),
        ("d", None, 1.0, 0.0, 1.0, "higher"),
        ("e", None, 2.0, None, None, "lower"),
        ("gone", None, 1.0, *unknown),
    )
    found = {row["metric"]: row for row in opened.changes(now, before)}
    assert {name: (row["became"], row["apart"]) for name, row in found.items()} == {
        "a": ("worse", True),
        "b": ("changed", False),  # disjoint, as one of a hundred numbers may be by chance
        "c": ("changed", None),
        "d": ("same", False),
        "e": ("changed", None),
        "new": ("new", None),
        "gone": ("gone", None),
    }
    assert found["a"]["difference"] == pytest.approx(0.4)
    assert (found["gone"]["now"], found["gone"]["before"]) == (None, 1.0)
    create(opened, twice=pa.concat_tables([now, now]))
    with pytest.raises(errors.OptionError, match='"twice" holds numbers more than once'):
        opened.changes(now, "twice")


@pytest.fixture
def files(opened, tmp_path):
    for name in ("synthetic", "train"):
        opened.connection.table(name).write_parquet(str(tmp_path / f"{name}.parquet"))
    return ["evaluate", "--synthetic", str(tmp_path / "synthetic.parquet"), "--train", str(tmp_path / "train.parquet")]


@pytest.mark.again
def test_the_command_line_keeps_runs_and_compares_with_the_last(opened, files, tmp_path):
    history = str(tmp_path / "history.duckdb")
    kept = [*files, "--output", history, "--append", "--since", history]
    code, out, err = cli(*kept)
    assert (code, out) == (0, "")
    assert "synthpriv: none: Nothing was compared with people" in err
    assert "this is the first run in" in err
    opened.connection.sql("FROM train UNION ALL FROM synthetic").write_parquet(str(tmp_path / "synthetic.parquet"))
    code, out, _ = cli(*kept, "--exclude", "city")
    assert code == 0
    assert 'Note: the option exclude was null and is ["city"]' in out
    assert "tables.synthetic.rows" in out
    assert "the verdict is still none" in out
    assert "none worse or better beyond chance" in " ".join(out.split())
    assert "changed" not in cli(*kept, "--apart")[1].splitlines()[-1]
    with duckdb.connect(history) as connection:
        runs = connection.sql("SELECT DISTINCT run_at FROM evaluate ORDER BY run_at").to_arrow_table()["run_at"]
    last = last_run(tmp_path / "history.duckdb")
    assert len(runs) == 3
    assert last.at == runs[2].as_py()
    rows = {row["value"] for row in last.result if (row["variant"], row["statistic"]) == ("synthetic", "rows")}
    assert rows == {7.0}


def test_the_command_line_says_what_it_cannot_do(files, tmp_path):
    for more, words in (
        (["--append"], "give it with --output"),
        (["--append", "--output", str(tmp_path / "x.parquet")], "in a .duckdb file"),
        (["--since", str(tmp_path / "none.duckdb")], "there is no file"),
        (["--since", str(tmp_path / "train.parquet")], "contains no result of evaluate"),
        (["--since", str(tmp_path / "train.parquet"), "--format", "json"], "--since prints a table"),
    ):  # fmt: skip
        code, _, err = cli(*files, *more)
        assert code == 2, more
        assert words in err, more


def test_a_long_part_is_logged_as_it_goes_on(monkeypatch, caplog):
    """Every 30 seconds within a part, with what is done; nothing more for parts that are shorter."""
    clock = iter([0.0, 1.0, 20.0, 31.5, 40.0, 62.0, 63.0, 99.0])
    monkeypatch.setattr(log.time, "monotonic", lambda: next(clock))
    logged = log.Logged("dcr", None)
    with caplog.at_level("INFO", "synthpriv_sql"):
        for done in (0, 10, 25, 30, 50, 100):
            logged(done, 100, "search")
        logged(0, 1, "rest")
    assert [record.getMessage() for record in caplog.records] == [
        "dcr: search",
        "dcr: search, 25 % after 30 s",
        "dcr: search, 50 % after 61 s",
        "dcr: rest (search: 98.0 s)",
    ]
    assert [record.synthpriv.get("done") for record in caplog.records] == [None, 0.25, 0.5, None]
