"""Several releases of the same people on PostgreSQL and Spark: every function says what it says in DuckDB."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import assert_same_rows
from repetitions import EVERY_CASE

import synthpriv_sql

pytestmark = pytest.mark.slow

TABLES = ("newest", "train", "holdout", "may", "june", "less of may", "less of june")
MONTHS = ("may", "june")
ATTACKS = ["distance", "ratio", "density", "agreement", "agreement_near", "uniques"]
COLUMNS = ("day", "Job's", "visit")


def made():
    """Tables in which every release gives away other people; values are missing at times."""
    rng = np.random.default_rng(4)

    def people(rows):
        return {
            "day": rng.integers(0, 90, rows).tolist(),
            "Job's": [f"it's {i}" if i else None for i in rng.integers(0, 12, rows).tolist()],
            "visit": [None if i < 3 else i / 4 for i in rng.integers(0, 90, rows).tolist()],
        }

    found = {name: people(60 if name in {"train", "holdout"} else 40) for name in TABLES[:5]}
    for place, name in enumerate(("newest", "may", "june")):
        for column in COLUMNS:
            found[name][column][:12] = found["train"][column][12 * place : 12 * place + 12]
    tables = {
        name: pa.table(
            {**t, "id": [f"{name} {i}" for i in range(len(t["day"]))], "branch": ["a", "B"] * (len(t["day"]) // 2)}
        )
        for name, t in found.items()
    }
    # A column of texts is missing in one release, one of numbers in another, and it has one that nobody else has.
    less = {"may": tables["may"].drop_columns("Job's"), "june": tables["june"].drop_columns("day")}
    less["june"] = less["june"].append_column("weather", tables["june"]["branch"])
    return tables | {f"less of {name}": table for name, table in less.items()}


@pytest.fixture(scope="module")
def in_duckdb(tmp_path_factory):
    """The tables as files of Parquet."""
    folder = tmp_path_factory.mktemp("releases")
    for name, rows in made().items():
        pq.write_table(rows, folder / f"{name}.parquet")
    return {name: str(folder / f"{name}.parquet") for name in TABLES}


@pytest.fixture(scope="module")
def place(request, in_duckdb):
    """A session on another engine, and where the same tables are there."""
    if request.param == "spark":
        session = synthpriv_sql.spark(request.getfixturevalue("spark_cluster"))
        yield session, {name: f"parquet.`{path}`" for name, path in in_duckdb.items()}
        return
    session, url = request.getfixturevalue("pg"), request.getfixturevalue("pg_url")
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(url, autocommit=True) as connection, connection.cursor() as cursor:
        for name, path in in_duckdb.items():
            cursor.adbc_ingest(f"released {name}", pq.read_table(path), mode="replace")
    yield session, {name: f'"released {name}"' for name in TABLES}


KERNEL = "membership of densities"
NOT_ON_SPARK = {KERNEL}
CALLS = {
    "membership": {"attack": ATTACKS[:4]},
    "membership of the rest": {"attack": ATTACKS[4:]},
    KERNEL: {"attack": ["kernel"]},
    "membership of uniques": {"attack": "uniques", "width": 1},
    "membership of distances": {"attack": ["distance"]},
    "membership by group": {"attack": ["uniques"], "group_by": "branch"},
    "replay_sets": {},
    "exposure of some": {"attack": ["agreement"], "false_discovery": 0.5},
    "exposure": {"attack": ["agreement", "uniques"], "false_discovery": 0.5},
    "exposure of persons": {"attack": ["agreement"], "unit": "id"},
    "uniques": {"width": 2},
    "screen": {"attack": ["agreement", "uniques"], "false_discovery": 0.5, "dcr_below": 0},
    "safe": {"attack": ["agreement", "uniques"], "false_discovery": 0.5},
    "candidates": {"attack": ["agreement", "uniques"], "trees": 5},
    "evaluate": {"attack": ["agreement", "uniques"], "named_by": ["uniques"]},
}


def asked(session, tables, name, options, less=False):
    newest, *real = (tables[name] for name in TABLES[:3])
    before = {month: tables[f"less of {month}" if less else month] for month in MONTHS}
    if name == "candidates":
        found = session.candidates({"one": newest, "two": tables["train"]}, *real, key="id", releases=before, **options)
    else:
        found = getattr(session, name)(newest, *real, releases=before, **{"key": "id", **options})
    return found.to_arrow().to_pylist()


def sortable(rows):
    """Rows in an order of their own."""
    return sorted(rows, key=lambda row: [str(v) for v in row.values() if not isinstance(v, float)])


ASKED = {"postgres": [*CALLS], "spark": [name for name in CALLS if name not in NOT_ON_SPARK]}
CASES = [(place, name, less) for place, names in ASKED.items() for name in names for less in (False, True)]
if not EVERY_CASE:
    CASES = [("postgres", name, bool(i % 2)) for i, name in enumerate(CALLS) if name not in {"candidates", "evaluate"}]
    CASES.append(("spark", "uniques", True))


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize(("place", "name", "less"), CASES, indirect=["place"])
def test_releases_say_what_they_say_in_duckdb(place, in_duckdb, name, less):
    """Also where releases have other columns than the newest."""
    session, tables = place
    options, function = CALLS[name], name.split()[0]
    with synthpriv_sql.connect() as own:
        expected = asked(own, in_duckdb, function, options, less)
    found = asked(session, tables, function, options, less)
    assert_same_rows(sortable(found), sortable(expected))
