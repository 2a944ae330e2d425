"""A history of a table of DuckLake that each month overwrites the last one: what was released are its snapshots."""

from importlib import resources

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from calls import literal, rows_of

import synthpriv_sql
from synthpriv_sql.errors import OptionError

pytestmark = pytest.mark.duckdb_1

EXTENSION = resources.files("duckdb_extension_ducklake") / f"extensions/v{duckdb.__version__}/ducklake.duckdb_extension"


def people(rng, rows=80):
    return {name: rng.integers(0, 60, rows).tolist() for name in "ab"}


@pytest.fixture
def lake(tmp_path):
    """A session with a lake; the snapshots of three months, and a function that makes that of the next."""
    rng = np.random.default_rng(3)
    train, holdout = people(rng), people(rng)
    versions = []

    def released(month):
        made = people(rng)
        for name in made:
            made[name][:20] = train[name][20 * month : 20 * month + 20]
        connection.register("made", pa.table(made))
        connection.execute("BEGIN; CREATE OR REPLACE TABLE lake.released AS FROM made; COMMIT")
        connection.unregister("made")
        versions.append(connection.sql("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')").fetchone()[0])
        return f"(FROM lake.released AT (VERSION => {versions[-1]}))"

    with synthpriv_sql.connect() as session:
        connection = session.connection
        connection.execute(f"LOAD {literal(str(EXTENSION))}")
        connection.execute(f"ATTACH 'ducklake:{tmp_path}/lake.ducklake' AS lake (DATA_PATH '{tmp_path}/files')")
        for name, rows in (("train", train), ("holdout", holdout)):
            connection.register("made", pa.table(rows))
            connection.execute(f"CREATE TABLE lake.{name} AS FROM made")
            connection.unregister("made")
        yield session, released


def test_a_history_takes_snapshots_of_a_lake(lake, tmp_path):
    session, released = lake
    real, history = ("lake.train", "lake.holdout"), tmp_path / "h.duckdb"
    options = {"attack": ["uniques"], "named_by": ["uniques"]}
    first = released(0)
    session.remember(history, session.evaluate(first, *real, spend=True, **options), first, *real, **options)
    second = released(1)
    given = {"attack": "uniques", "history": history, "spend": False}
    found = rows_of(session.exposure(second, *real, **given))
    assert found == rows_of(session.exposure(second, *real, attack="uniques", releases=[first]))
    assert {row["release"] for row in found} >= {first}
    evaluated = session.evaluate(second, *real, history=history, **options)
    release = session.remember(history, evaluated, second, *real, history=history, **options)
    assert (release.number, release.location) == (2, second)
    # The name of the table is another table each month.
    session.remember(history, evaluated, "lake.released", *real, history=history, **options)
    third = released(2)
    with pytest.raises(OptionError, match=r'"lake.released" has another hash'):
        session.exposure(third, *real, **given)
