"""A quick evaluation scores the same people on every engine; on Spark all of them."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import assert_same_rows

import synthpriv_sql
from synthpriv_sql.planner import planning

pytestmark = pytest.mark.slow

SIDES = ("synthetic", "train", "holdout")
OPTIONS = {
    "attack": ["distance", "ratio", "density", "agreement", "agreement_near"], "named_by": ["uniques"], "seed": 3,
    "unit": "who", "effort": "quick",
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("quick"), np.random.default_rng(8)
    for side in SIDES:
        table = {
            "who": [f"{side} {i % 60}" for i in range(90)],
            "Job's": [f"it's {i}" if i else None for i in rng.integers(0, 12, 90).tolist()],
            "visit": [None if i < 3 else i / 4 for i in rng.integers(0, 90, 90).tolist()],
        }
        pq.write_table(pa.table(table), folder / f"{side}.parquet")
    return {side: str(folder / f"{side}.parquet") for side in SIDES}


def in_duckdb(files):
    with synthpriv_sql.connect() as session:
        return session.evaluate(**files, **OPTIONS).to_arrow().to_pylist()


def test_on_postgres(pg, pg_url, files, monkeypatch):
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(pg_url, autocommit=True) as connection, connection.cursor() as cursor:
        for side, path in files.items():
            cursor.adbc_ingest(f"quick {side}", pq.read_table(path), mode="replace")
    monkeypatch.setattr(planning, "QUICK_ASKED", 25)
    found = pg.evaluate(**{side: f'"quick {side}"' for side in SIDES}, **OPTIONS).to_arrow().to_pylist()
    assert [row["value"] for row in found if row["statistic"] == "asked"] == [25]
    assert_same_rows(found, in_duckdb(files))


@pytest.mark.nightly
def test_on_spark(spark_cluster, files, monkeypatch):
    options = OPTIONS | {"attack": ["distance", "agreement_near"]}
    session = synthpriv_sql.spark(spark_cluster)
    tables = {side: f"parquet.`{path}`" for side, path in files.items()}
    monkeypatch.setattr(planning, "QUICK_ASKED", 25)
    found = session.evaluate(**tables, **options).to_arrow().to_pylist()
    with synthpriv_sql.connect() as here:
        monkeypatch.setattr(planning, "QUICK_ASKED", 90)
        expected = here.evaluate(**files, **options).to_arrow().to_pylist()
    assert_same_rows(found, [row for row in expected if row["statistic"] != "asked"])
