"""Delta and Iceberg tables: every function on every surface, how they are read, and what goes wrong."""

import datetime as dt
import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from calls import ROOT, assert_same_rows, call, cli, cli_arguments, create, rows_of, sql_rows
from pyarrow import parquet
from surfaces import EXAMPLES, OF_EVERY_KIND, TABLES, by_position, python_rows

import synthpriv_sql
from synthpriv_sql import UnknownTable
from synthpriv_sql.engines.duckdb.lake import find

deltalake = pytest.importorskip("deltalake", reason="the extra `delta` is not installed")
pyiceberg = pytest.importorskip("pyiceberg", reason="the extra `iceberg` is not installed")

import lakes  # noqa: E402
from pyiceberg.manifest import FileFormat  # noqa: E402

pytestmark = pytest.mark.duckdb_1

HOURS = [dt.datetime(2024, 3, 31, hour, 30, 0, 500_000) for hour in range(6)]
ZONED = [moment.replace(tzinfo=dt.UTC) for moment in HOURS]
MIXED = 'Mixed "Case'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("Lake of tests")


@pytest.fixture(scope="module")
def named(folder, iceberg_catalog):
    """The tables of every function's example, as Delta and as Iceberg tables."""
    for name, table in TABLES.items():
        lakes.delta(folder / name, table)
        lakes.iceberg(iceberg_catalog, name, table)
    return {
        "delta": {name: f"delta:{folder / name}" for name in TABLES},
        "iceberg": {name: f"iceberg:lake.some.{name}" for name in TABLES},
        "object": {name: folder / name for name in TABLES},
    }


def in_turn(sides, named, kinds):
    return [named[kinds[place]][side] for place, side in enumerate(sides)]


def asked_for():
    for number, name in enumerate(OF_EVERY_KIND):
        later = pytest.mark.nightly if name in {"candidates", "evaluate"} else pytest.mark.slow
        yield pytest.param(name, marks=later if number % 3 else [])


@pytest.mark.parametrize("name", asked_for())
def test_functions_give_the_numbers_of_local_tables(session, named, iceberg_catalog, name):
    create(session, **TABLES)
    sides, options = EXAMPLES[name]
    expected = by_position(python_rows(session, name))
    *tables, last = in_turn(sides, named, ("iceberg", "delta", "object")) or [None]
    if last is not None:
        # The libraries' own objects too.
        place = str(last).removeprefix("iceberg:lake.")
        tables.append(
            iceberg_catalog.load_table(place)
            if str(last).startswith("iceberg")
            else deltalake.DeltaTable(place.removeprefix("delta:"))
        )
    assert_same_rows(by_position(rows_of(getattr(session, name)(*tables, **options))), expected)
    tables = in_turn(sides, named, ("delta", "iceberg", "delta"))
    assert_same_rows(by_position(sql_rows(session.connection, call(name, *tables, **options))), expected)


def test_the_command_line_takes_the_names(session, named):
    create(session, **TABLES)
    sides, options = EXAMPLES["dcr"]
    tables = in_turn(sides, named, ("delta", "iceberg"))
    code, out, err = cli(*cli_arguments("dcr", *tables, **options), "--format", "json")
    assert (code, err) == (0, "")
    assert_same_rows(json.loads(out), python_rows(session, "dcr"))


def test_the_printed_sql_reads_the_same_rows(session, named):
    create(session, **TABLES)
    for name in ("dcr", "screen", "holdout_share"):
        sides, options = EXAMPLES[name]
        tables = in_turn(sides, named, ("delta", "iceberg", "delta"))
        code, out, err = cli("sql", *cli_arguments(name, *tables, **options))
        assert (code, err) == (0, "")
        assert_same_rows(by_position(sql_rows(session.connection, out)), by_position(python_rows(session, name)))


# How it is read


def test_only_the_columns_of_the_call_are_read(session, named, monkeypatch):
    asked = []
    for kind in ("delta", "iceberg"):
        module = find._module(kind, "")

        def watched(table, stream=module.stream):
            schema, read = stream(table)
            return schema, lambda columns: [asked.append(list(columns)), read(columns)][1]

        monkeypatch.setattr(module, "stream", watched)
    session.dcr(named["delta"]["synthetic"], named["iceberg"]["train"], columns=["x", "city"], key="id")
    assert sorted(asked) == [["id", "city", "x"]] * 2
    asked.clear()
    session.equivalence_classes(named["delta"]["train"], ["city"])
    session.copies(named["delta"]["train"], named["delta"]["train"], exclude=["id", "x"])
    assert asked == [["city"], ["city", "n"]]
    asked.clear()
    # Which columns number rows, and whether values come back, is asked of all columns.
    session.evaluate(named["delta"]["train"], named["delta"]["train"], exclude=["id", "x"])
    assert asked == [["id", "city", "n", "x"]] * 2


GROWTH = """
import resource, sys
import synthpriv_sql
small, large = sys.argv[1:]
with synthpriv_sql.connect(threads=1) as session:
    session.equivalence_classes(small, ["g"])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    classes = session.equivalence_classes(large, ["g"]).to_arrow()
    print(sum(classes["size"].to_pylist()), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["delta", "iceberg"])
def test_memory_does_not_grow_with_the_table(tmp_path, iceberg_catalog, kind):
    rows, times = 500_000, 8
    text = pa.array([f"{i:030}" for i in range(rows)])
    table = pa.table({"g": pa.array([i % 1000 for i in range(rows)], pa.int64()), "text": text})
    if kind == "delta":
        lakes.delta(tmp_path / "t", table.slice(0, 1), *[table] * times)
        given = [f"delta:{tmp_path / 't'}@v0", f"delta:{tmp_path / 't'}"]
    else:
        few = lakes.iceberg(iceberg_catalog, "few", table[:1])
        written = [few, lakes.iceberg(iceberg_catalog, "many", *[table] * times)]
        given = [f"iceberg:{written.metadata_location}" for written in written]
    command = [sys.executable, "-c", GROWTH, *given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    counted, megabytes = map(int, done.stdout.split())
    assert counted == rows * times + (kind == "delta")
    # All of the column that is read would be 31 MB as Arrow, all of the table 170, and half of it where it is kept.
    assert megabytes < 60


# What goes wrong


def test_errors_name_the_table_and_say_what_to_do(session, tmp_path, iceberg_catalog):
    for name, words in (
        (f"delta:{tmp_path}/none", ["none", "given as train", "cannot be read"]),
        (f"delta:{tmp_path}", [str(tmp_path), "given as train"]),
        ("iceberg:lake", ["catalog.namespace.table"]),
        ("iceberg:lake.some.nothing", ["lake.some.nothing", "given as train", "does not exist"]),
        ("iceberg:nowhere.some.t", ["nowhere.some.t", "PYICEBERG_CATALOG__NOWHERE__URI"]),
    ):
        for surface in (session.scaling, lambda name: session.connection.execute(call("scaling", name))):
            with pytest.raises((UnknownTable, duckdb.Error)) as caught:
                surface(name)
            assert [word for word in words if word not in str(caught.value)] == []


def test_a_folder_alone_is_told_how_to_be_named(session, named, iceberg_catalog):
    place = named["delta"]["train"].removeprefix("delta:")
    with pytest.raises(UnknownTable, match=r'give "delta:.*train"'):
        session.scaling(place)
    place = iceberg_catalog.load_table("some.train").location().removeprefix("file://")
    with pytest.raises(UnknownTable, match=r'give "iceberg:.*train"'):
        session.scaling(place)


@pytest.mark.parametrize(("kind", "library"), [("delta", "deltalake"), ("iceberg", "pyiceberg")])
def test_a_library_that_is_missing_is_named(session, monkeypatch, kind, library):
    monkeypatch.delitem(sys.modules, f"synthpriv_sql.engines.duckdb.lake.{kind}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    for name in [n for n in sys.modules if n.startswith(f"{library}.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(UnknownTable, match=rf'pip install "synthpriv-sql\[{kind}\]"') as caught:
        session.scaling(f"{kind}:/some/where")
    assert library in str(caught.value)


def test_a_file_that_is_gone_is_an_error_and_the_session_goes_on(session, tmp_path):
    lakes.delta(tmp_path, TABLES["train"], TABLES["train"])
    for file in deltalake.DeltaTable(tmp_path).file_uris()[1:]:
        Path(file).unlink()
    with pytest.raises(UnknownTable, match="cannot be read") as caught:
        session.scaling(f"delta:{tmp_path}")
    assert str(tmp_path) in str(caught.value)
    assert "Traceback" not in str(caught.value)
    assert len(session.scaling(pa.table({"x": [1, 2]}))) == 1


def test_what_duckdb_would_read_otherwise_is_refused_inside_sql_only(session, tmp_path, iceberg_catalog):
    nested = pa.table({"x": [1, 2], "list": [[1], []]})
    lakes.delta(tmp_path / "nested", nested)
    lakes.iceberg(iceberg_catalog, "nested", nested)
    numbered = lakes.iceberg(iceberg_catalog, "unnumbered", pa.table({"x": [1, 2]}))
    (file,) = [task.file.file_path.removeprefix("file://") for task in numbered.scan().plan_files()]
    parquet.write_table(pa.table({"x": [1, 2]}), file)
    with numbered.transaction() as change:
        change.set_properties({"schema.name-mapping.default": numbered.schema().name_mapping.model_dump_json()})
    for name, words in (
        (f"delta:{tmp_path / 'nested'}", 'column "list" has type'),
        ("iceberg:lake.some.nested", 'column "list" has type'),
        ("iceberg:lake.some.unnumbered", "does not number its columns"),
    ):
        with pytest.raises(duckdb.Error, match=words) as caught:
            session.connection.execute(call("scaling", name, columns=["x"]))
        assert "methods of a session" in str(caught.value)
        assert len(session.scaling(name, columns=["x"])) == 1


@pytest.mark.again
def test_the_report_of_a_table_that_sql_cannot_read(session, tmp_path):
    pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
    tables = {name: table.append_column("list", pa.array([[1]] * len(table))) for name, table in TABLES.items()}
    for name in ("synthetic", "train"):
        lakes.delta(tmp_path / name, tables[name])
    given = [f"delta:{tmp_path / name}" for name in ("synthetic", "train")]
    result = session.report(tmp_path / "page.html", *given, exclude=["id", "list"])
    assert result.sql.startswith(f'-- "delta:{tmp_path}')
    expected = session.evaluate(tables["synthetic"], tables["train"], exclude=["id", "list"])
    assert_same_rows(rows_of(result), rows_of(expected))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "cannot be read inside SQL" in page


def test_deletes_in_another_format_are_refused_inside_sql(session, iceberg_catalog):
    table = lakes.iceberg(iceberg_catalog, "puffin", pa.table({"x": [1, 2]}))
    lakes.delete_by_position(table, {0: [1]}, FileFormat.ORC)
    with pytest.raises(duckdb.Error, match="deleted rows in the format ORC"):
        session.connection.execute(call("scaling", "iceberg:lake.some.puffin"))


def test_a_table_that_is_named_like_one(session):
    session.connection.execute('CREATE TABLE "delta:x" AS SELECT 1 AS x')
    assert len(session.scaling('"delta:x"')) == 1
    assert synthpriv_sql.engines.duckdb.lake.find.is_named("delta:x")


@pytest.mark.nightly
def test_the_example(tmp_path):
    command = [sys.executable, "-W", "error", ROOT / "examples" / "delta_iceberg.py", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:4] == [
        "synthetic@v0: 69% of 5000 records are closer to train than to the holdout",
        "synthetic@v1: 49% of 5000 records are closer to train than to the holdout",
        "synthetic: 49% of 5000 records are closer to train than to the holdout",
        "804 of its records in version 0 are copies",
    ]
    assert "104" in done.stdout
