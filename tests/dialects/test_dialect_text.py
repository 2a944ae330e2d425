"""SQL in other dialects, as text: what can be written, under which names, and what is said where something cannot.

``WRITE_SNAPSHOTS=1 pytest tests/dialects/test_dialect_text.py`` writes the texts that are kept anew.
"""

import os
import re

import duckdb
import elsewhere
import pytest
import sqlglot
from calls import METRICS, ROOT, SCALINGS, cli, close, create, quoted, rows_of, sql_rows
from dialect_calls import CALLS, NOT_IN_SQL, ODD, PAIR, TRIO, fill
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp
from strategies import trios
from surfaces import OF_EVERY_KIND

import synthpriv_sql
from examples import few
from synthpriv_sql import errors
from synthpriv_sql.dialects import DIALECTS
from synthpriv_sql.planner.headers import catalog

UNTESTED = ("bigquery", "redshift", "snowflake", "trino")  # no engine here: the text is all that is tested
SNAPSHOTS = ROOT / "tests" / "dialects" / "snapshots"
WARNING = "/* Neighbors are searched for in plain SQL here: every record is compared with every other."


# The functions that a dialect cannot write, with what its class says in the error.
OF_ROWS_OF_LISTS = {"marginals", "fidelity", "fidelity_summary", "peers_sdmetrics_quality", "peers_mostlyai_accuracy"}
LACKING = {
    "redshift": dict.fromkeys(OF_ROWS_OF_LISTS, "cannot turn the items of a list into rows"),
}


@pytest.fixture(scope="module")
def here():
    with synthpriv_sql.connect() as session:
        fill(elsewhere.InDuckDB(session))
        yield session


# Dialects without an engine here


@pytest.mark.again
def test_databricks_is_told_what_spark_is(here):
    for name, arguments in (CALLS["scaling"], CALLS["screen"], CALLS["mda, grid"]):
        assert here.sql(name, dialect="databricks", **arguments) == here.sql(name, dialect="spark", **arguments)


# `make test` reads each function that stands for others in one of them, `make nightly` every function in two.
@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("dialect", "names"),
    [
        pytest.param(dialect, names, marks=marks, id=f"{dialect}-{len(names)}")
        for number, dialect in enumerate(UNTESTED)
        for names, marks in (
            (sorted({*OF_EVERY_KIND} & {name for name, _ in CALLS.values()})[number :: len(UNTESTED)], []),
            (
                sorted({name for name, _ in CALLS.values()})[number % 2 :: 2],
                [pytest.mark.nightly],
            ),
        )
    ],
)
def test_every_function_is_read_as_it_was_meant(here, dialect, names):
    functions = dict(CALLS.values())
    for name in names:
        arguments = functions[name]
        if name in LACKING.get(dialect, ()):
            with pytest.raises(errors.NotInDialect, match=LACKING[dialect][name]):
                here.sql(name, dialect=dialect, **arguments)
            continue
        text = here.sql(name, dialect=dialect, **arguments)
        (tree,) = sqlglot.parse(text, dialect=dialect)
        wanted = here.call(name, **arguments).columns if name in {"flatten", "remedied"} else columns(name, arguments)
        assert [column.lower() for column in tree.named_selects] == [c.lower() for c in wanted]
        # Words of DuckDB, or of ours, that no rule has taken away.
        assert not re.search(r"(?i)hugeint|list_filter|synthpriv_|this_|isfinite\(|is_inf\(", text), name


def columns(name, arguments):
    """The columns of a result: the user's own first, where the function gives them."""
    function = catalog.function(name)
    own = {"own": list(elsewhere.COLUMNS), "quasi_identifiers": arguments.get("quasi_identifiers")}
    found = [*own.get(function.columns_of, []), *function.columns]
    options = function.columns_with
    found = [c for c in found if c not in options or arguments.get(options[c], function.parameters[options[c]].default)]
    return [both for c in found for both in ([c, "key"] if c in function.keys and "key" in arguments else [c])]


KEPT = (
    ("equivalence_classes", {"data": "syn", "quasi_identifiers": ["cat", "flag"]}),
    ("dcr", {"synthetic": "(SELECT cat FROM syn)", "train": "(SELECT cat FROM train)"}),
)


@pytest.mark.parametrize("dialect", UNTESTED)
def test_text_is_what_it_was(here, dialect):
    path = SNAPSHOTS / f"{dialect}.sql"
    text = "".join(here.sql(name, dialect=dialect, **arguments) + ";\n" for name, arguments in KEPT)
    if os.environ.get("WRITE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), "WRITE_SNAPSHOTS=1 writes the text of a new dialect"
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_missing_values_come_last_as_in_duckdb(here, dialect):
    """Where a database would put them first; `evaluate` has numbers of no variant beside those of variants."""
    text = here.sql("disclosure", dialect=dialect, **CALLS["disclosure"][1])
    order = sqlglot.parse_one(text, dialect=dialect).args["order"]
    assert [key.args["nulls_first"] for key in order.expressions] == [False, False]


# What each says in its own words: a quantile, the seconds of a day and of a timestamp, and an error.
WORDS = {
    "bigquery": ("PERCENTILE_CONT(`x_day`, 0.5) OVER ()", "UNIX_DATE(`day`)", "UNIX_MICROS(", "CAST(ERROR("),
    "redshift": (
        "PERCENTILE_CONT(0.5) WITHIN GROUP (",
        "DATEDIFF(DAY,",
        "DATEDIFF(MICROSECOND,",
        "CAST('InfiniteValue",
    ),
    "snowflake": ("PERCENTILE_CONT(0.5) WITHIN GROUP (", "DATEDIFF(DAY,", "EPOCH_MICROSECOND", "CAST('InfiniteValue"),
    "trino": ("ARRAY_SORT(ARRAY_AGG(", "DATE_DIFF('day'", "TO_UNIXTIME(", "CAST(FAIL("),
}


@pytest.mark.parametrize("dialect", UNTESTED)
def test_what_is_said_differently(here, dialect):
    text = here.sql("scaling", dialect=dialect, train="train", columns=["day", "at"])
    assert [words for words in WORDS[dialect] if words not in text] == []


def test_what_takes_long_on_one_engine_says_so_there(here):
    _, arguments = CALLS["peers_mostlyai_accuracy"]
    texts = {d: here.sql("peers_mostlyai_accuracy", dialect=d, **arguments) for d in ("clickhouse", "postgres")}
    assert texts["clickhouse"].startswith("/* ClickHouse takes minutes over the triples")
    assert "takes minutes" not in texts["postgres"]


# Plain neighbors are those of the kernel


@pytest.mark.each_value
@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("metric", METRICS)
@few
@given(
    trio=trios(min_rows=4, max_rows=12), k=st.integers(1, 3), own=st.booleans(), mismatch=st.sampled_from([1.0, 0.25])
)
def test_plain_sql_finds_what_the_kernel_finds(shared, metric, scaling, trio, k, own, mismatch):
    create(shared, synthetic=trio.arrow("synthetic"), train=trio.arrow("train"))
    asked = {"queries": "train" if own else "synthetic", "reference": "train", "k": k, "exclude_self": own}
    asked |= {"metric": metric, "scaling": scaling, "category_mismatch": mismatch, "weights": trio.weights}
    wanted = rows_of(shared.neighbors(**asked))
    text = shared.sql("neighbors", plain=True, **asked)
    found = sql_rows(shared.connection, text)
    assert text.startswith(WARNING)
    assert [(r["record"], r["rank"], r["neighbor"]) for r in found] == [
        (r["record"], r["rank"], r["neighbor"]) for r in wanted
    ]
    assert all(close(r["distance"], w["distance"]) for r, w in zip(found, wanted, strict=True))


# What cannot be said


FORESTS = ("baseline", "baseline_sweep", "detection", "detection_columns", "utility")
FIRST = dict.fromkeys(FORESTS, "grows random forests") | {
    "candidates": "searches with the kernel",
    "inference_scores": "trains models of secret columns",
    "membership": "takes quantiles of a beta distribution",
    "audit": "takes quantiles of a beta distribution",
}


def refused():
    """In `make test` each function in two of the dialects, and each dialect with two or three of the functions."""
    for i, function in enumerate(sorted(NOT_IN_SQL.keys() - {"remedy"})):  # it is no statement anywhere
        for j, dialect in enumerate(DIALECTS):
            yield pytest.param(dialect, function, marks=[] if (i - j) % 4 == 0 else pytest.mark.slow)


@pytest.mark.one_in(3, 3)
@pytest.mark.parametrize(("dialect", "function"), list(refused()))
def test_what_runs_in_python_is_not_sql(here, dialect, function):
    # What comes first in the statement is named: records are gathered for forests and attacks alike.
    needs = FIRST.get(function, "gathers records for the kernel")
    lists = "|it cannot turn the items of a list into rows" if dialect == "redshift" else ""
    with pytest.raises(errors.NotInDialect, match=f"^{dialect} cannot run this: (it {needs}, which runs in{lists})"):
        here.sql(function, dialect=dialect, **NOT_IN_SQL[function])


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", sorted(NOT_IN_SQL.keys() - {"remedy"}))
def test_what_no_duckdb_runs_alone_says_what_does(here, function):
    with pytest.raises(errors.NotInDialect, match=r"^duckdb cannot run this: it .*leave --plain and --dialect out"):
        here.sql(function, dialect="duckdb", **NOT_IN_SQL[function])
    registered = here.sql(function, **NOT_IN_SQL[function])
    assert registered.startswith("/* For a connection that synthpriv_sql.register(connection) was called on;")


def test_a_data_frame_has_the_name_of_its_table(here):
    frame = here.scaling("train", columns=["id"]).to_arrow()
    text = here.sql("copies", plain=True, synthetic=frame, train=frame)
    assert 'FROM "synthetic"\n' in text
    assert "given_as" not in text


def test_records_are_numbered_by_a_key_that_is_one():
    """Elsewhere by the key alone where it is one here, which is said; otherwise by all columns."""
    with synthpriv_sql.connect(threads=1) as session:
        for name, key in (("plain", "i"), ("none", "i"), ("again", "i // 2"), ("lost", "nullif(i, 0)")):
            rows = f'SELECT {key} AS "Id */", i % 3 AS x FROM range({0 if name == "none" else 6}) AS r(i)'
            session.connection.execute(f"CREATE TABLE {name} AS {rows}")
            text = " ".join(session.sql("dcr", dialect="trino", synthetic=name, train="plain", key="id */").split())
            alone = name in {"plain", "none"}
            assert ('ORDER BY "Id */", "x") - 1' in text, 'ORDER BY "Id */") - 1' in text) == (not alone, True)
            said = "the key" if alone else "all of its columns"
            assert f'/* "{name}" is numbered by {said}' in text
            assert text.partition("WITH")[0].count("*/") == text.partition("WITH")[0].count("/*")


def test_a_dialect_that_nobody_knows(here):
    with pytest.raises(errors.OptionError, match=r'no dialect "nobodys"; there are: duckdb, .*postgres.*clickhouse'):
        here.sql("dcr", dialect="nobodys", **PAIR)
    with pytest.raises(errors.OptionError, match='no table "holdout" to name; there are: synthetic, train'):
        here.sql("dcr", dialect="spark", tables={"holdout": "h"}, **PAIR)
    with pytest.raises(errors.OptionError, match="'f\\(1\\)', the name of the table train, is no name"):
        here.sql("dcr", dialect="spark", tables={"train": "f(1)"}, **PAIR)


# Names


QUOTED = '"My Schema"."Train Rows"'
TICKED = "`My Schema`.`Train Rows`"
# How a table is named in each, and what Sales.Train without quotes means there.
NAMED = {
    "duckdb": (QUOTED, '"sales"."train"'),
    "postgres": (QUOTED, '"sales"."train"'),
    "spark": (TICKED, "`sales`.`train`"),
    "databricks": (TICKED, "`sales`.`train`"),
    "clickhouse": (QUOTED, '"Sales"."Train"'),
    "snowflake": (QUOTED, '"SALES"."TRAIN"'),
    "bigquery": (TICKED, "`Sales`.`Train`"),
    "redshift": (QUOTED, '"sales"."train"'),
    "trino": (QUOTED, '"sales"."train"'),
}


@pytest.mark.parametrize("dialect", ["duckdb", *DIALECTS])
def test_tables_are_named_as_the_dialect_names_them(here, dialect):
    given = {"data": "syn", "quasi_identifiers": ["cat"]}
    assert dialect in NAMED, "add how it names tables to NAMED"
    quoted_name, unquoted = NAMED[dialect]
    for name, wanted in ((quoted_name, quoted_name), ("Sales.Train", unquoted)):
        text = here.sql("equivalence_classes", dialect=dialect, tables={"data": name}, **given)
        assert f"FROM {wanted}\n" in text
        assert "syn" not in text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_and_texts_with_quotes_come_back(here, dialect):
    text = here.sql("scaling", dialect=dialect, train=quoted(ODD))
    tree = sqlglot.parse_one(text, dialect=dialect)
    # No text of a column's or a table's name has become SQL.
    assert ODD in {literal.name for literal in tree.find_all(exp.Literal)}
    assert ODD in {table.name for table in tree.find_all(exp.Table)}
    assert ODD in {column.name for column in tree.find_all(exp.Column)}


# On the command line


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "x.duckdb"
    with synthpriv_sql.connect(str(path)) as session:
        session.connection.execute('CREATE TABLE train AS SELECT 1 AS a, NULL AS "B b"')
    return ["--database", str(path), "--synthetic", "train", "--train", "train"]


def test_the_command_prints_what_the_method_returns(here, database):
    code, out, err = cli(
        "sql", "dcr", *database, "--dialect", "snowflake", "--table", 'train=lake.pub."Train"', "--exclude", "B b"
    )
    assert (code, err) == (0, "")
    assert out.startswith(WARNING)
    assert 'FROM LAKE.PUB."Train"' in out.replace('"LAKE"."PUB"', "LAKE.PUB")
    assert re.search(r"FROM train\n", out)  # the other keeps its name
    code, out, err = cli("sql", "dcr", *database, "--plain", "--metric", "hamming")
    assert code == 0
    assert out.startswith(WARNING)
    assert "synthpriv_" not in out
    assert duckdb.connect(database[1]).execute(out).fetchall() == [(0, 0.0, 0)]
    assert cli("sql", "dcr", *database, "--dialect", "duckdb", "--metric", "hamming")[1] == out
    _, kernel, _ = cli("sql", "dcr", *database)
    assert kernel.startswith("/* For a connection that synthpriv_sql.register(connection) was called on;")
    assert "synthpriv_search" in kernel
    assert WARNING not in kernel
    for dialect in ([], ["--dialect", "postgres"]):
        assert not cli("sql", "copies", *database, *dialect)[1].startswith("/*")  # nothing to warn of


@pytest.mark.slow
def test_a_part_of_a_statement_runs_by_itself_and_says_what_it_is(here, database):
    tables = {**TRIO, "columns": ["cat", "id"]}
    text = here.sql("evaluate", plain=True, part="copies", **tables)
    assert len(text) < len(here.sql("evaluate", plain=True, **tables)) / 4
    assert "/* copies_data: " not in text
    assert "/* evaluated_copies: Section copies of evaluate" in text
    assert "/* The columns that are read of train. */" in text
    ran = here.connection.execute(text)
    found = [dict(zip([name for name, *_ in ran.description], row, strict=True)) for row in ran.fetchall()]
    options = {"attack": ["uniques"], "named_by": ["uniques"]}
    whole = [row for row in here.evaluate(**tables, **options) if row["section"] == "copies"]
    assert [row["statistic"] for row in found] == [row["statistic"] for row in whole]
    assert [row["value"] for row in found] == pytest.approx([row["value"] for row in whole])
    with pytest.raises(errors.OptionError, match=r"is no part of it; there are: .*copies"):
        here.sql("evaluate", part="nothing", **tables)
    # Other functions have parts by their files.
    assert "nearest" in here.sql("dcr", dialect="snowflake", part="nearest", **PAIR)
    code, out, err = cli("sql", "copies", *database, "--part", "countable")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith("FROM ")


def test_the_command_says_what_it_cannot_do(database):
    code, out, err = cli("sql", "baseline", *database[:2], "--train", "train", "--dialect", "trino")
    assert (code, out) == (2, "")
    assert "trino cannot run this: it grows random forests" in err
    code, out, err = cli("sql", "dcr", *database, "--dialect", "nobodys")
    assert (code, out) == (2, "")
    assert all(repr(name) in err or name in err for name in ("nobodys", "duckdb", *DIALECTS))
    code, out, err = cli("sql", "dcr", *database, "--dialect", "spark", "--table", "train")
    assert (code, out) == (2, "")
    assert "--table train: give a table and its name" in err
