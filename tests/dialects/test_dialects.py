"""SQL in other dialects, run: the numbers are those of DuckDB and the kernel, and so are the errors."""

import contextlib
import datetime as dt
import math
from functools import cache

import elsewhere
import pytest
import surfaces
from calls import close

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.planner.headers import catalog

RUN_IN = ("duckdb", "postgres", "clickhouse", "spark")
PAIR = {"synthetic": "syn", "train": "train"}
TRIO = PAIR | {"holdout": "Hold out"}
TWO = {"a": "syn", "b": "train"}
KNOWN = {p: f'(FROM "{t}" WHERE id IS NOT NULL)' for p, t in TRIO.items()} | {"columns": ["cat"], "unit": "id"}
FEW = {"columns": ["cat", 'Mixed "x"', "day", "flag"]}
NOT_IN_SQL = {
    "baseline": {"train": "train", "p": 0.5},
    "baseline_sweep": {"train": "train", "p": 0.5},
    "candidates": TRIO | {"synthetic": ["syn"]},
    "membership": TRIO | {"attack": "distance"},
    "audit": TRIO | {"attack": "distance"},
    "detection": PAIR,
    "detection_columns": PAIR,
    "utility": TRIO | {"target": "cat"},
    "inference_scores": TRIO | {"known": ["cat"], "secrets": ["flag"]},
    "reduce": {"train": "train", "data": "syn"},
    "remedy": TRIO,
    "principal_axes": {"train": "train"},
}
CALLS = {
    "scaling": ("scaling", {"train": "train"}),
    "scaling of no rows": ("scaling", {"train": "none"}),
    "scaling of numbers": ("scaling", {"train": "train", "columns": ["id", "at"]}),
    "scaling of categories": ("scaling", {"train": "train", "columns": ["cat", "uuid"]}),
    "scaling, other roles": ("scaling", {"train": "train", "categorical": ["id", "day"], "numeric": ["flag"]}),
    "equivalence_classes": ("equivalence_classes", {"data": "syn", "quasi_identifiers": ["cat", "flag", 'Mixed "x"']}),
    "discernibility": (
        "discernibility",
        {"data": "syn", "quasi_identifiers": ["cat", "flag"], "k": 2, "suppressed": 3},
    ),
    "discernibility of no rows": ("discernibility", {"data": "none", "quasi_identifiers": ["level"], "k": 3}),
    "discernibility_from_classes": ("discernibility_from_classes", {"classes": "sizes", "size": "Size", "k": 3}),
    "best_discernibility": ("best_discernibility", {"n": 10**15 + 7, "k": 10**7}),
    "copies": ("copies", PAIR),
    "copies of rows that repeat": ("copies", PAIR | FEW | {"key": "id"}),
    "neighbors": ("neighbors", {"queries": "syn", "reference": "train", "k": 3, "key": "id"}),
    "neighbors of themselves": ("neighbors", {"queries": "train", "reference": "train", "exclude_self": True} | FEW),
    "dcr, euclidean": ("dcr", PAIR | FEW | {"metric": "euclidean", "category_mismatch": 1.5, "weights": {"cat": 0.3}}),
    "dcr, manhattan, robust": ("dcr", PAIR | FEW | {"metric": "manhattan", "scaling": "robust"}),
    "dcr, hamming": ("dcr", PAIR | {"metric": "hamming"}),
    "dcr of no rows": ("dcr", PAIR | FEW | {"synthetic": "none"}),
    "neighbors equally near": ("neighbors", {"queries": "odd steps", "reference": "even steps", "k": 4}),
    "nndr, local": ("nndr", PAIR | FEW | {"variant": "local", "k": 2}),
    "dcr_summary": ("dcr_summary", TRIO | FEW),
    "nndr_summary": ("nndr_summary", TRIO | {"metric": "hamming", "columns": ["cat"]}),
    "comparison": ("comparison", PAIR | {"columns": ["cat"]}),
    "holdout_share": ("holdout_share", TRIO | {"columns": ["cat", 'Mixed "x"']}),
    "split_check": ("split_check", TRIO | FEW),
    "split": ("split", {"data": "syn"}),
    "screen": ("screen", PAIR | FEW | {"nndr_below": 0.5}),
    "safe": ("safe", TRIO | FEW | {"dcr_below": 0.1}),
    "membership_scores": ("membership_scores", TRIO | FEW | {"attack": "density", "k": 2}),
    "membership_scores of persons": ("membership_scores", KNOWN | {"attack": "ratio", "shared_units": True}),
    "exposure": ("exposure", TRIO | FEW | {"attack": "distance"}),
    "exposure by uniques": ("membership_scores", TRIO | {"columns": ["cat", "day"], "attack": "uniques"}),
    "uniques": ("uniques", TRIO | {"columns": ["cat", 'Mixed "x"', "flag"]}),
    "within": ("within", {"synthetic": "syn", "real": "train"} | {"columns": ["cat", 'Mixed "x"', "flag"]}),
    "replay": ("replay", TRIO),
    "selftest": ("selftest", {"train": "train", "holdout": "Hold out", "columns": ["cat"], "attack": "distance"}),
    "concentration": ("concentration", {p: KNOWN[p] for p in KNOWN if p != "holdout"}),
    "person_copies": ("person_copies", {p: KNOWN[p] for p in KNOWN if p != "holdout"}),
    "mda_distances": ("mda_distances", TWO | FEW | {"key": "id"}),
    "mda_curve": ("mda_curve", TWO | FEW),
    "mda_curve, even": ("mda_curve", TWO | FEW | {"points": 11}),
    "mda": ("mda", TWO | FEW | {"threshold": [0.1, 0.5]}),
    "mda, grid": ("mda", TWO | FEW | {"method": "grid", "normalizer": 0.5}),
    "mda_grid": ("mda_grid", {"curve": "curve", "threshold": [0.2, 0.45]}),
    "anonymity": (
        "anonymity",
        {"data": "train", "quasi_identifiers": ["cat", "flag"], "sensitive": ['Mixed "x"', "day", "id"]},
    ),
    "reidentification": ("reidentification", {"data": "syn", "quasi_identifiers": ["flag"], "population": "train"}),
    "disclosure": ("disclosure", TRIO | {"quasi_identifiers": ["cat"], "targets": ["flag", 'Mixed "x"'], "bins": 3}),
    "marginals": ("marginals", PAIR | {"k": 3, "bins": 3, "categories": 2, "columns": ["cat", "id", "flag"]}),
    "marginals of numbers": ("marginals", PAIR | {"k": 2, "columns": ["id", "at"]}),
    "fidelity": ("fidelity", TRIO),
    "fidelity of no rows": ("fidelity", PAIR | FEW | {"synthetic": "none"}),
    "fidelity_summary": ("fidelity_summary", TRIO | {"columns": ["cat", "id", 'Mixed "x"']}),
    "propensity": ("propensity", PAIR | FEW),
    "propensity_cells": ("propensity_cells", PAIR | FEW | {"worst": 4}),
    "attribute_inference": (
        "attribute_inference",
        TRIO | {"known": ["cat", "flag"], "secrets": ["level", 'Mixed "x"']},
    ),
    "linkability": ("linkability", TRIO | {"known": ["cat"], "other": ["flag", 'Mixed "x"'], "k": [1, 3]}),
    "singling_out": ("singling_out", TRIO),
    "singling_out by two columns": (
        "singling_out",
        {"synthetic": "(SELECT cat, flag FROM syn)", "train": "(SELECT cat, flag FROM train)", "columns": 2},
    ),
    "identifiability": ("identifiability", TRIO | FEW),
    "hit_rate": ("hit_rate", TRIO | FEW | {"tolerance": 0.2}),
    "adversarial_accuracy": ("adversarial_accuracy", TRIO | {"columns": ["cat"]}),
    "dimensions": ("dimensions", {"train": "train"} | FEW),
    "flatten": ("flatten", {"parents": "Hold out", "children": "train", "key": "cat", "order": "at"}),
    "shared_runs": ("shared_runs", KNOWN | {"columns": ["cat"], "order": "at", "length": 2}),
    "sequence_fidelity": ("sequence_fidelity", KNOWN | {"columns": ["cat", 'Mixed "x"'], "order": "at"}),
    "dimension_columns": ("dimension_columns", {"train": "train"}),
    "peers_sdmetrics_quality": ("peers_sdmetrics_quality", PAIR | FEW),
    "peers_sdmetrics_overfitting": ("peers_sdmetrics_overfitting", TRIO | FEW),
    "peers_sdmetrics_baseline": ("peers_sdmetrics_baseline", PAIR | FEW | {"seed": 3}),
    "peers_sdmetrics_new_rows": ("peers_sdmetrics_new_rows", PAIR | FEW | {"tolerance": 0.5}),
    "peers_sdmetrics_disclosure": (
        "peers_sdmetrics_disclosure",
        PAIR | {"known": ["cat"], "sensitive": ["flag", "id"], "bins": 3},
    ),
    "peers_syntheval": ("peers_syntheval", PAIR | FEW),
    "peers_mostlyai_accuracy": ("peers_mostlyai_accuracy", PAIR | FEW),
    "peers_syntheval_risk": ("peers_syntheval_risk", TRIO | FEW),
    "peers_synthpop_disclosure": (
        "peers_synthpop_disclosure",
        PAIR | {"quasi_identifiers": ["cat"], "targets": ["id"]},
    ),
    "peers_synthpop_utility": ("peers_synthpop_utility", PAIR | FEW),
    "changes": ("changes", {"now": "evaluated", "before": "evaluated before"}),
    "identifiers": ("identifiers", TRIO | {"columns": ["cat", "id"]}),
    "evaluate without holdout": ("evaluate", PAIR | {"columns": ["cat"], "quasi_identifiers": ["flag"]}),
    "evaluate": ("evaluate", TRIO | {"columns": ["cat", "id"], "quasi_identifiers": ["cat", "flag"], "k": 3}),
}
AS_SHOWN = {
    f"{name}, as its header shows": (name, surfaces.on_tables_alone(function))
    for name, function in catalog.functions().items()
    if name not in {*NOT_IN_SQL, *(name for name, _ in CALLS.values())}
}
"""The functions without a call of their own here."""
CALLS |= AS_SHOWN


def step(n):
    """A row of steps that no DOUBLE can hold, where records on either side are equally near."""
    return f"{n // 10}.{n % 10}", f"2024-05-06 00:00:{n // 10:02}.{n % 10}00001"


ODD = """a"b`c'd\\e [x]"""
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
    *("within", "replay", "exposure_by, as its header shows"),
}
ERRORS_ON_SPARK = {"no reference", "infinite", "no number", "no class", "k over n"}
EVALUATED = dict.fromkeys(("section", "metric", "variant", "statistic", "better"), ("VARCHAR", [])) | dict.fromkeys(
    ("value", "lower", "upper"), ("DOUBLE", [])
)
MORE_TABLES = {
    ODD: ({ODD: ("DOUBLE", [])}, [("1",), ("3",), (None,), ("Infinity",)]),
    "sizes": ({"Size": ("BIGINT", [])}, [("3",), ("1",), ("5000000000",), ("2",)]),
    "curve": (
        {"theta": ("DOUBLE", []), "accumulation": ("DOUBLE", [])},
        [(str(i / 9), str(y / 32)) for i, y in enumerate([0, 8, 12, 20, 23, 25, 28, 31, 32, 32])],
    ),
    "evaluated": (
        EVALUATED,
        [("a", "a", "x", "share", "lower", "0.5", "0.4", "0.6"), ("a", "a", None, "n", None, "3", None, None)],
    ),
    "evaluated before": (
        EVALUATED,
        [("a", "a", "x", "share", "lower", "0.2", "0.1", "0.3"), ("a", "b", None, "n", None, "3", None, None)],
    ),
    "infinite": ({"cat": ("VARCHAR", []), 'Mixed "x"': ("DOUBLE", [])}, [("a", "Infinity"), ("b", "1")]),
    "texts": ({"cat": ("VARCHAR", []), "id": ("VARCHAR", [])}, [("a", "1"), ("b", "two")]),
    "even steps": ({"a": ("DECIMAL(9,2)", []), "b": ("TIMESTAMP", [])}, [step(n) for n in range(0, 40, 2)]),
    "odd steps": ({"a": ("DECIMAL(9,2)", []), "b": ("TIMESTAMP", [])}, [step(n) for n in range(1, 40, 2)]),
    "odd sizes": ({"Size": ("VARCHAR", [])}, [("3",), ("2.5",)]),
}
TYPES = ("VARCHAR", []), ("BIGINT", []), ("DOUBLE", [])
USED = {value for _, given in AS_SHOWN.values() for value in given.values() if isinstance(value, str)}
MORE_TABLES |= {
    name: (columns, [tuple(None if value is None else str(value) for value in row) for row in rows])
    for name, (columns, rows) in surfaces.tables_alone(TYPES, USED).items()
}


@pytest.fixture(scope="module")
def here():
    """A session with the tables, which tells the columns and gives the numbers that are right."""
    with synthpriv_sql.connect() as session:
        fill(elsewhere.InDuckDB(session))
        yield session


def fill(place):
    for name, rows in elsewhere.tables().items():
        place.create(name, rows)
    for name, (columns, rows) in MORE_TABLES.items():
        place.create(name, rows, columns)


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
    of = {"duckdb": [pytest.mark.duckdb_1]}  # what a DuckDB alone runs, both versions do
    given = [(place, case) for place in RUN_IN for case in cases if case not in left_out[place]]
    pairs = [pytest.param(place, case, marks=slow[case] + of.get(place, [])) for place, case in given]
    return pytest.mark.parametrize(("place", "case"), pairs, indirect=["place"])


def test_every_function_is_called():
    assert {name for name, _ in CALLS.values()} == set(catalog.functions()) - set(NOT_IN_SQL)
    assert set(CALLS) >= ON_SPARK
    assert set(ERRORS) >= ERRORS_ON_SPARK


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
            row
            for row in wanted
            if row["section"] not in {"exposure", "exposure_by", "remedy", "membership", "dimensions"}
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


@pytest.mark.slow
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
        if row["section"] not in {"exposure", "exposure_by", "remedy", "membership", "dimensions"}
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
