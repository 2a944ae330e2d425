"""What trains models on Spark: the attack `learned` on several releases, forests, and candidates; as in DuckDB."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import assert_same_rows, rows_of

import synthpriv_sql
from synthpriv_sql import errors

NAMES = ("income", "street", "visit")
PEOPLE = 210


def made():
    """Two releases that give away other people, the second without a column; and tables that give nobody away."""
    rng = np.random.default_rng(4)

    def people(rows=PEOPLE):
        found = {name: rng.integers(0, 400, rows) for name in NAMES}
        found["street"] = np.array([f"s{i}" for i in found["street"]])
        return found

    found = {name: people() for name in ("train", "holdout", "newest", "may", "safe", "other")}
    for place, name in enumerate(("newest", "may")):
        for column in NAMES:
            found[name][column][:90] = found["train"][column][90 * place : 90 * place + 90]
    tables = {name: pa.table(columns) for name, columns in found.items()}
    return tables | {"may": tables["may"].drop_columns("visit")}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The tables as files of Parquet, and their names on Spark."""
    folder = tmp_path_factory.mktemp("models")
    for name, rows in made().items():
        pq.write_table(rows, folder / f"{name}.parquet")
    here = {name: str(folder / f"{name}.parquet") for name in made()}
    return here, {name: f"parquet.`{path}`" for name, path in here.items()}


@pytest.fixture(scope="module")
def spark(spark_cluster):
    return synthpriv_sql.spark(spark_cluster)


@pytest.fixture(scope="module")
def duckdb():
    with synthpriv_sql.connect() as session:
        yield session


def asked(session, tables, function, newest, before, **options):
    """A function of a release and of one before it."""
    real = tables["train"], tables["holdout"]
    return rows_of(getattr(session, function)(tables[newest], *real, releases={before: tables[before]}, **options))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("newest", "before", "leaks"), [("newest", "may", True), ("safe", "other", False)], ids=["leak", "safe"]
)
def test_learned_goes_through_releases_as_in_duckdb(spark, duckdb, tables, newest, before, leaks):
    """The scores of each person, the record to blame and its release, and why; one release lacks a column."""
    here, there = tables
    expected = asked(duckdb, here, "membership_scores", newest, before, attack="learned")
    found = asked(spark, there, "membership_scores", newest, before, attack="learned")
    assert_same_rows(found, expected)
    assert {row["release"] for row in found} == {"synthetic", before}
    (first, *_) = asked(duckdb, here, "membership", newest, before, attack="learned")
    assert (first["at_least"] >= 50) is leaks
    assert (first["auc_lower"] > 0.6) is leaks


def test_too_few_people_are_the_same_error(spark, tables):
    _, there = tables
    few = {name: f"(SELECT * FROM {table} LIMIT 90)" for name, table in there.items()}
    with pytest.raises(errors.TooFew, match="100 records of each side in each of 2 folds"):
        asked(spark, few, "membership", "newest", "may", attack="learned")


@pytest.mark.nightly
def test_a_column_that_no_forest_uses_is_named(spark, duckdb, tables):
    here, there = tables
    said = 'too many categories for a random forest are not used: "street"'
    found = []
    for session, of in ((spark, there), (duckdb, here)):
        with pytest.warns(errors.SynthprivWarning, match=said):
            found.append(rows_of(session.detection(of["newest"], of["train"], trees=3)))
    assert_same_rows(*found)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("function", "options"),
    [
        ("membership", {"attack": "learned"}),
        ("exposure", {"attack": "learned"}),
        ("evaluate", {"attack": ["learned"], "named_by": ["learned"]}),
        ("candidates", {"attack": ["uniques", "learned"], "trees": 2}),
    ],
)
def test_functions_that_ask_learned_of_releases_say_what_they_say_in_duckdb(spark, duckdb, tables, function, options):
    """Each set of releases that a call compares, from one task."""
    found = []
    for session, of in zip((spark, duckdb), reversed(tables), strict=True):
        if function == "candidates":
            choice = {"leaky": of["newest"], "safe": of["safe"]}
            real = of["train"], of["holdout"]
            rows = rows_of(session.candidates(choice, *real, releases={"may": of["may"]}, **options))
        else:
            rows = asked(session, of, function, "newest", "may", **options)
        found.append(sorted(rows, key=lambda row: [str(v) for v in row.values() if not isinstance(v, float)]))
    assert_same_rows(*found)
    if function == "candidates":
        leaky, safe = sorted(found[0], key=lambda row: row["candidate"])
        assert leaky["exposed"] > safe["exposed"]
        assert leaky["at_least"] > safe["at_least"]
