"""SQLMesh: audits let a careful table through and stop one that leaks, and leave the reading of our files alone.

Runs where SQLMesh is installed, which `make test` does not do: it asks for an older sqlglot than the rest.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from sqlmesh import Context
from sqlmesh.core.config import Config, GatewayConfig, ModelDefaultsConfig
from sqlmesh.utils.errors import PlanError

from synthpriv_sql.sqlmesh import Connection

MODEL = """
MODEL (
  name release.{name},
  kind FULL,
  audits (
    synthpriv_no_copies(train = 'sources.train', key = 'id'),
    synthpriv_nobody_exposed(train = 'sources.train', holdout = 'sources.holdout', key = 'id'),
    synthpriv_verdict_at_most(train = 'sources.train', holdout = '(FROM sources.holdout)', key = 'id', level = 'none')
  )
);
SELECT * FROM sources.{source}
"""


def people(first):
    rows = range(first, first + 150)
    return pa.table({"id": list(rows), "a": [i * 7919 % 1009 / 8 for i in rows], "b": [i * 31 % 17 for i in rows]})


def project(folder, name, source):
    """A project with one model, and the tables that it reads."""
    audits = subprocess.run([sys.executable, "-m", "synthpriv_sql.sqlmesh"], capture_output=True, text=True, check=True)
    shutil.copytree(Path(audits.stdout.strip()), folder / "audits")
    (folder / "models").mkdir()
    (folder / "models" / f"{name}.sql").write_text(MODEL.format(name=name, source=source))
    gateway = GatewayConfig(connection=Connection(database=str(folder / "warehouse.duckdb")))
    config = Config(gateways={"local": gateway}, model_defaults=ModelDefaultsConfig(dialect="duckdb"))
    context = Context(paths=[str(folder)], config=config)
    cursor = context.engine_adapter.cursor
    cursor.execute("CREATE SCHEMA sources")
    for table, first in (("train", 0), ("holdout", 10_000), ("careful", 20_000), ("copied", 0)):
        cursor.register("given", people(first))
        cursor.execute(f"CREATE TABLE sources.{table} AS FROM given")
        cursor.unregister("given")
    return context


def test_a_careful_table_is_released(tmp_path):
    context = project(tmp_path, "careful", "careful")
    context.plan(auto_apply=True, no_prompts=True)
    assert context.engine_adapter.fetchone("SELECT count(*) FROM release.careful") == (150,)


def test_a_table_of_copies_is_stopped(tmp_path):
    context = project(tmp_path, "copied", "copied")
    with pytest.raises(PlanError):
        context.plan(auto_apply=True, no_prompts=True)
    assert not context.engine_adapter.table_exists("release.copied")
