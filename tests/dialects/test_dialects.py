"""SQL in other dialects, run: the numbers are those of DuckDB and the kernel, and so are the errors."""

import contextlib
import datetime as dt
import math
from functools import cache

import elsewhere
import pytest
import surfaces
from calls import close
from dialect_calls import CALLS, FEW, NOT_IN_SQL, ODD, PAIR, TRIO, fill

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.planner.headers import catalog

RUN_IN = ("duckdb", "postgres", "clickhouse", "spark")


# Spark plans a statement for seconds; the engine's own tests run every function there.
ON_SPARK = """
scaling of numbers; scaling of categories; neighbors; copies of rows that repeat; mda_curve, even; mda_grid;
equivalence_classes; reidentification; discernibility_from_classes; best_discernibility
"""
ON_SPARK = {case.strip() for case in ON_SPARK.split(";")}
# ClickHouse puts in each CTE wherever it is read: some grow beyond its limit, the others are held by other cases.
SLOW_IN_CLICKHOUSE = {
    *("singling_out by two columns", "fidelity", "peers_sdmetrics_quality", "peers_mostlyai_accuracy"),
    *("evaluate without holdout", "evaluate", "fidelity_summary", "exposure by uniques"),
    *("within", "replay", "exposure_by, as its header shows", "selftest"),
}
ERRORS_ON_SPARK = {"no reference", "infinite", "no number", "no class", "k over n"}


@pytest.fixture(scope="module")
def here():
    """A session with the tables, which tells the columns and gives the numbers that are right."""
    with synthpriv_sql.connect() as session:
        fill(elsewhere.InDuckDB(session))
        yield session


@contextlib.contextmanager
def in_duckdb_alone(request):
    folder = request.getfixturevalue("tmp_path_factory").mktemp("alone")
    connection = request.getfixturevalue("here").connection
    with contextlib.closing(elsewhere.InDuckDBAlone(folder, connection)) as place:
        yield place


@contextlib.contextmanager
def in_postgres(request):
    dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="the extra `postgres` is not installed")
    server = request.getfixturevalue("postgres_server")
    with contextlib.closing(dbapi.connect(server.url, autocommit=True)) as connection:
        yield elsewhere.InPostgres(connection)


@contextlib.contextmanager
def in_spark(request):
    session = request.getfixturevalue("spark_cluster").newSession()  # with views and settings of its own
    # Statements of many parts over few rows: nearly all of the time would go into compiling them.
    for name, value in {
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.session.timeZone": "America/New_York",
    }.items():
        session.conf.set(name, value)
    yield elsewhere.InSpark(session)


@contextlib.contextmanager
def in_clickhouse(request):
    chdb = pytest.importorskip("chdb.session", reason="chdb is not installed")
    with contextlib.closing(chdb.Session()) as session:
        yield elsewhere.InClickHouse(session)


PLACES = {"duckdb": in_duckdb_alone, "postgres": in_postgres, "spark": in_spark, "clickhouse": in_clickhouse}


@pytest.fixture(scope="module")
def place(request):
    with PLACES[request.param](request) as found:
        found.dialect = request.param
        if request.param != "duckdb":  # which has a copy of the tables here
            fill(found)
        yield found


def everywhere(cases, on_spark):
    """Mark a test to be run with each case in each place: in `make test` with functions that stand for the others."""
    left_out = {"duckdb": set(), "postgres": set(), "spark": {*cases} - {*on_spark}, "clickhouse": SLOW_IN_CLICKHOUSE}
    slow = {case: [] if cases[case][0] in surfaces.OF_EVERY_KIND else [pytest.mark.slow] for case in cases}
    again = {("postgres", "evaluate")}
    nightly = {("clickhouse", "exposure"), ("clickhouse", "replay_sets, as its header shows")}  # for 20 s and 10 s
    nightly |= {("duckdb", "evaluate"), ("duckdb", "evaluate without holdout")}  # for 20 s each, as PostgreSQL has one
    nightly |= {("postgres", "evaluate without holdout")}
    of = {"duckdb": [pytest.mark.duckdb_1]}  # what a DuckDB alone runs, both versions do
    given = [(place, case) for place in RUN_IN for case in cases if case not in left_out[place]]
    marks = {pair: slow[pair[1]] + of.get(pair[0], []) + [pytest.mark.again] * (pair in again) for pair in given}
    nightly |= {pair for place in ("clickhouse", "spark") for pair in [p for p in given if p[0] == place][1::2]}
    # Of functions that others stand for: one half in one place, the other in the other.
    for start, place in enumerate(("duckdb", "postgres")):
        nightly |= {*[pair for pair in given if pair[0] == place and slow[pair[1]]][start::2]}
    marks = {pair: marks[pair] + [pytest.mark.nightly] * (pair in nightly) for pair in given}
    pairs = [pytest.param(*pair, marks=marks[pair]) for pair in given]
    return pytest.mark.parametrize(("place", "case"), pairs, indirect=["place"])


def test_every_function_is_called():
    assert {name for name, _ in CALLS.values()} == set(catalog.functions()) - set(NOT_IN_SQL)
    assert set(CALLS) >= ON_SPARK
    assert set(ERRORS) >= ERRORS_ON_SPARK


@pytest.mark.one_in(2, 2)
@everywhere(CALLS, ON_SPARK)
def test_numbers_are_those_of_duckdb(here, place, case):
    name, given = CALLS[case]
    expected = _expected(here, case)
    rows, types = place.run(here.sql(name, dialect=place.dialect, **given))
    assert list(types) == expected.columns
    for column, type_ in zip(expected.columns, expected.types, strict=True):
        if column in catalog.function(name).columns:
            # A list of several fields, which few databases have; where there is none, its NULL is one of a text.
            lost = type_.startswith("STRUCT") and place.dialect != "duckdb"
            assert types[column] == ("VARCHAR" if lost else type_), column
    wanted = elsewhere.plain_rows(expected.to_arrow())
    if name in {"evaluate", "holdout_share"}:
        wanted = _by_the_normal_distribution(wanted)
    if name == "evaluate":  # which says in a comment that it leaves out what needs the kernel
        wanted = [
            row for row in wanted if row["section"] not in {"exposure", "exposure_by", "membership", "dimensions"}
        ]
    if name == "equivalence_classes":  # classes of one size come in any order
        rows, wanted = sorted(rows, key=repr), sorted(wanted, key=repr)
    if name == "flatten":  # a table has no order of its own
        rows, wanted = (
            sorted(table, key=lambda row: repr([row[c] for c in ("id", "day", "cat")])) for table in (rows, wanted)
        )
    assert len(rows) == len(wanted)
    if name in {"within", "evaluate"}:
        rows = _exchanged(name, rows, wanted)
    for row, right in zip(rows, wanted, strict=True):
        assert {column: value for column, value in row.items() if not same(value, right[column])} == {}, right


def _exchanged(name, rows, wanted):
    """Both without z and p_value of `within`, which plain SQL computes and DuckDB draws by lot; they are close."""
    if name == "within":
        places = [(i, column) for i in range(len(wanted)) for column in ("z", "p_value")]
    else:
        places = [
            (i, "value")
            for i, row in enumerate(wanted)
            if row["metric"] == "within" and row["statistic"] in {"z", "p_value"}
        ]
    for i, column in places:
        assert rows[i][column] == pytest.approx(wanted[i][column], abs=0.3), wanted[i]
        rows[i] = rows[i] | {column: wanted[i][column]}
    return rows


def _by_the_normal_distribution(rows):
    """DuckDB exchanges labels or rows by lot where there are few records, which plain SQL cannot."""
    if "z" in rows[0]:
        return [row | {"p_value": row["z"] and math.erfc(abs(row["z"]) / math.sqrt(2))} for row in rows]
    z = {(row["metric"], row["variant"]): row["value"] for row in rows if row["statistic"] == "z"}

    def normal(row):
        of = z.get((row["metric"], row["variant"])) if row["statistic"] == "p_value" else None
        if of is None:
            return row["value"]
        return (
            math.erfc(abs(of) / math.sqrt(2)) if row["metric"] == "holdout_share" else math.erfc(of / math.sqrt(2)) / 2
        )

    return [row | {"value": normal(row)} for row in rows]


@cache
def _expected(here, case):
    name, given = CALLS[case]
    return here.call(name, **given)


def same(found, right):
    if isinstance(found, str) and isinstance(right, dt.time):
        return dt.time.fromisoformat(found) == right  # kept as text
    if isinstance(found, str) and not isinstance(right, str | None):
        return found == str(right)  # the driver gives a text
    return close(found, right)


ERRORS = {
    "no reference": ("dcr", PAIR | FEW | {"train": "none"}, 'EmptyTable: "none" has no rows'),
    "no rows at all": ("dcr", FEW | {"synthetic": "none", "train": "none"}, 'EmptyTable: "none" has no rows'),
    "too few": (
        "neighbors",
        {"queries": "syn", "reference": "single", "k": 2},
        'OptionError: option "k" is 2, which asks',
    ),
    "infinite": (
        "dcr",
        {"synthetic": "infinite", "train": "infinite"},
        'InfiniteValue: column "Mixed "x"" of "infinite"',
    ),
    "infinite, scaling": ("scaling", {"train": "infinite"}, 'InfiniteValue: column "Mixed "x"" of "infinite" holds 1'),
    "no number": ("scaling", {"train": "texts", "numeric": ["id"]}, 'RoleError: column "id" of "texts" is compared'),
    "no class": ("discernibility_from_classes", {"classes": "odd sizes", "size": "Size"}, "has size 2.5"),
    "no grid": ("mda_grid", {"curve": "(SELECT 0.5 AS theta, 1.0 AS accumulation)"}, "OptionError: theta of"),
    "k over n": ("best_discernibility", {"n": 3, "k": 5}, 'OptionError: option "k" is 5, but n is 3'),
}


@everywhere(ERRORS, ERRORS_ON_SPARK)
def test_what_stops_a_statement_says_why(here, place, case):
    name, given, message = ERRORS[case]
    with pytest.raises(errors.SynthprivError):
        here.call(name, **given)
    # The type of what a driver raises is its own; the message is ours.
    with pytest.raises(Exception) as raised:  # noqa: PT011
        place.run(here.sql(name, dialect=place.dialect, **given))
    assert message in str(raised.value).replace('\\"', '"').replace("\\'", "'")


@pytest.mark.parametrize("place", RUN_IN, indirect=True)
def test_names_are_quoted_as_they_must_be(here, place):
    odd = elsewhere.quoted(ODD)
    given = {"queries": f"(SELECT {odd} FROM {odd} WHERE {odd} < 9)", "reference": f"(FROM {odd} WHERE {odd} = 1)"}
    rows, _ = place.run(here.sql("neighbors", dialect=place.dialect, scaling="none", metric="euclidean", **given))
    # No spread in the reference, which unscaled distances do not ask for.
    assert [row["distance"] for row in rows] == [0.0, 2.0]
    rows, _ = place.run(here.sql("scaling", dialect=place.dialect, train=odd, categorical=[ODD]))
    assert [row["column_name"] for row in rows] == [ODD]


@pytest.mark.nightly
@pytest.mark.parametrize("place", ["duckdb"], indirect=True)
def test_a_duckdb_alone_evaluates_files_of_hundreds_of_records_with_all_that_can_be_asked(here, place, tmp_path):
    given = {
        "quasi_identifiers": ["city", "born"],
        "targets": ["job"],
        "sensitive": ["job"],
        "risks": True,
        "key": "id",
    }
    given |= {"known": ["city", "age"], "secrets": ["income"], "other": ["job", "born"]}
    here.connection.execute("SELECT setseed(0.5)").fetchall()
    for table in TRIO:
        path = given[table] = str(tmp_path / f"{table}.parquet")
        here.connection.sql("""
            SELECT i AS id, 18 + (random() * 60)::INTEGER AS age, round(1000 * random() * random(), 2) AS income,
              nullif(round(150 + 40 * random(), 1), 160) AS height, 'c' || (random() * 9)::INTEGER AS city,
              'j' || (random() * random() * 30)::INTEGER AS job, DATE '1950-01-01' + (random() * 9)::INTEGER AS born
            FROM range(300) AS rows(i)
        """).write_parquet(path)
    rows, _ = place.run(here.sql("evaluate", plain=True, **given))
    fewer = {"attack": "distance", "named_by": "uniques"}  # whose sections are left out anyway
    session = _by_the_normal_distribution(elsewhere.plain_rows(here.evaluate(**given, **fewer).to_arrow()))
    wanted = [
        row
        for row in session
        if row["section"] not in {"exposure", "exposure_by", "membership", "dimensions"}
        # Models of secrets are trained where the kernel is.
        and (row["section"] != "attribute_inference" or row["statistic"] in {"rate", "baseline", "control", "risk"})
    ]
    # The control of split is a classifier, which a DuckDB alone has not.
    wanted = [row | dict.fromkeys(("value", "lower", "upper")) if row["statistic"] == "auc" else row for row in wanted]
    assert len({row["section"] for row in rows}) == 24
    assert len(rows) == len(wanted)
    rows = _exchanged("evaluate", rows, wanted)
    for row, right in zip(rows, wanted, strict=True):
        assert {column: value for column, value in row.items() if not same(value, right[column])} == {}, right
