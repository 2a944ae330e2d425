"""Delta and Iceberg tables: every function on every surface, and whatever makes a table more than its files."""

import datetime as dt
import decimal
import json
import subprocess
import sys
import uuid

import duckdb
import pyarrow as pa
import pytest
from conftest import ROOT, assert_same_rows, call, cli, cli_arguments, create, rows_of, sql_rows
from pyarrow import parquet
from test_surfaces import EXAMPLES, NAMES, TABLES, by_position, python_rows

import synthpriv_sql
from synthpriv_sql import UnknownTable
from synthpriv_sql.engines.duckdb.lake import find

deltalake = pytest.importorskip("deltalake", reason="the extra `delta` is not installed")
pyiceberg = pytest.importorskip("pyiceberg", reason="the extra `iceberg` is not installed")

import lakes  # noqa: E402
from pyiceberg import catalog as catalogs  # noqa: E402
from pyiceberg import types as kinds  # noqa: E402
from pyiceberg.manifest import FileFormat  # noqa: E402
from pyiceberg.transforms import IdentityTransform  # noqa: E402
from pyiceberg.utils.config import Config  # noqa: E402

HOURS = [dt.datetime(2024, 3, 31, hour, 30, 0, 500_000) for hour in range(6)]
ZONED = [moment.replace(tzinfo=dt.UTC) for moment in HOURS]
MIXED = 'Mixed "Case'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("Lake of tests")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An Iceberg catalog, known to pyiceberg as `lake`."""
    opened = lakes.catalog(tmp_path_factory.mktemp("iceberg"))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"TYPE": "sql", "URI": opened.properties["uri"]}.items():
            patch.setenv(f"PYICEBERG_CATALOG__LAKE__{name}", value)
        patch.setattr(catalogs, "_ENV_CONFIG", Config())
        yield opened


@pytest.fixture(scope="module")
def named(folder, made):
    """The tables of every function's example, as Delta and as Iceberg tables."""
    for name, table in TABLES.items():
        lakes.delta(folder / name, table)
        lakes.iceberg(made, name, table)
    return {
        "delta": {name: f"delta:{folder / name}" for name in TABLES},
        "iceberg": {name: f"iceberg:lake.some.{name}" for name in TABLES},
        "object": {name: folder / name for name in TABLES},
    }


def in_turn(sides, named, kinds):
    return [named[kinds[place]][side] for place, side in enumerate(sides)]


@pytest.mark.parametrize("name", NAMES)
def test_every_function_gives_the_numbers_of_local_tables(session, named, made, name):
    create(session, **TABLES)
    sides, options = EXAMPLES[name]
    expected = by_position(python_rows(session, name))
    *tables, last = in_turn(sides, named, ("iceberg", "delta", "object")) or [None]
    if last is not None:
        # The libraries' own objects too.
        place = str(last).removeprefix("iceberg:lake.")
        tables.append(
            made.load_table(place)
            if str(last).startswith("iceberg")
            else deltalake.DeltaTable(place.removeprefix("delta:"))
        )
    assert_same_rows(by_position(rows_of(getattr(session, name)(*tables, **options))), expected)
    tables = in_turn(sides, named, ("delta", "iceberg", "delta"))
    assert_same_rows(by_position(rows_of(getattr(session, name)(*tables, **options))), expected)
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


# What a table holds


def typed():
    """A table with a column of every type that both formats have."""
    return pa.table(
        {
            "Id": pa.array(range(6), pa.int64()),
            MIXED: pa.array([1, None, 3, 4, 5, 6], pa.int32()),
            "share": pa.array([0.5, float("nan"), None, -1.5, 1e100, 0.0], pa.float64()),
            "real": pa.array([0.5, None, 2.5, 3.5, 4.5, 5.5], pa.float32()),
            "amount": pa.array([decimal.Decimal("1.25"), None, *map(decimal.Decimal, range(4))], pa.decimal128(9, 2)),
            "born": pa.array([dt.date(1980, 2, 29), None, *[dt.date(2000, 1, 1)] * 4]),
            "seen": pa.array([*ZONED[:5], None], pa.timestamp("us", tz="UTC")),
            "local": pa.array([*HOURS[:5], None], pa.timestamp("us")),
            "member": pa.array([True, None, False, True, True, False]),
            "näme": pa.array(["Köln", None, "", "it's", 'say "hi"', "a/b=c%20?*[x]"]),
            "raw": pa.array([b"\x00\xff", None, b"", b"a", b"b", b"c"]),
        }
    )


def delta_rows(table, path):
    """Whatever a Delta table should give, and what it gives as a stream and inside SQL, in another time zone."""
    return table.to_pylist(), *both(f"delta:{path}")


def both(name):
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'America/New_York'")
        stream = find.stream("train", name)
        connection.register("streamed", stream)
        streamed, read = (
            connection.sql("FROM streamed"),
            connection.sql(find.query("train", name, connection).sql("duckdb")),
        )
        assert streamed.columns == read.columns
        assert streamed.types == read.types
        return plain(streamed.to_arrow_table()), plain(read.to_arrow_table())


def plain(table):
    """Rows that compare: moments in UTC, NaN as a text, a day as a day."""

    def value(found):
        if isinstance(found, uuid.UUID):
            return str(found)
        if isinstance(found, dt.datetime) and found.tzinfo is not None:
            return found.astimezone(dt.UTC)
        return "NaN" if found != found else found

    return [{name: value(found) for name, found in row.items()} for row in table.to_pylist()]


def assert_reads(name, expected):
    """The stream and the files read inside SQL give the rows expected, in one order, which is the same for both."""
    streamed, read = both(name)
    assert streamed == read
    key = lambda row: str(sorted(row.items()))  # noqa: E731
    assert sorted(streamed, key=key) == sorted(plain(expected), key=key)


def test_delta_columns_of_every_type(tmp_path):
    lakes.delta(tmp_path, typed())
    assert_reads(f"delta:{tmp_path}", typed())


@pytest.mark.parametrize(
    "by", [["näme"], ["born", "member"], ["seen"], ["local"], [MIXED, "amount"], ["Id", "näme", "seen"]]
)
def test_delta_partitions(tmp_path, by):
    lakes.delta(tmp_path, typed(), typed(), partition_by=by)
    expected = pa.concat_tables([typed(), typed()]).select(columns_of(f"delta:{tmp_path}"))
    assert_reads(f"delta:{tmp_path}", without_empty(expected) if "näme" in by else expected)


def without_empty(table):
    """An empty text that a Delta table is partitioned by is NULL."""
    values = [value or None for value in table["näme"].to_pylist()]
    return table.set_column(table.column_names.index("näme"), "näme", pa.array(values))


def columns_of(name):
    return find.stream("train", name).schema.names


def test_delta_columns_that_came_later_and_versions(tmp_path):
    older = typed().select(["Id", "näme"])
    lakes.delta(tmp_path, older, typed().append_column("new", pa.array(range(6), pa.int32())))
    assert_reads(f"delta:{tmp_path}@v0", older)
    names = columns_of(f"delta:{tmp_path}")
    assert {"Id", "new", MIXED} < set(names)
    missing = {
        n: pa.nulls(6, typed().schema.field(n).type if n != "new" else pa.int32())
        for n in names
        if n not in ("Id", "näme")
    }
    first = pa.table({n: older[n] if n in older.column_names else missing[n] for n in names})
    second = typed().append_column("new", pa.array(range(6), pa.int32())).select(names)
    assert_reads(f"delta:{tmp_path}", pa.concat_tables([first, second]))


def test_delta_deleted_rows(tmp_path):
    lakes.delta(tmp_path, typed(), partition_by=["member"])
    deltalake.DeltaTable(tmp_path).delete('"Id" = 3')
    left = typed().filter(pa.array([i != 3 for i in range(6)]))
    assert_reads(f"delta:{tmp_path}", left.select(columns_of(f"delta:{tmp_path}")))
    assert_reads(f"delta:{tmp_path}@v0", typed().select(columns_of(f"delta:{tmp_path}")))


@pytest.mark.parametrize("by", [None, ["member"]])
def test_delta_rows_deleted_by_vectors(tmp_path, by):
    lakes.delta(tmp_path, typed(), typed(), partition_by=by)
    before, _ = both(f"delta:{tmp_path}")
    files = [
        duckdb.read_parquet(file).fetchnumpy()["Id"].tolist() for file in deltalake.DeltaTable(tmp_path).file_uris()
    ]
    gone = {0: list(range(len(files[0]))), len(files) - 1: [0]}  # a whole file, and the first row of the last
    lakes.delete_by_vector(tmp_path, gone)
    streamed, read = both(f"delta:{tmp_path}")
    assert streamed == read
    assert [row["Id"] for row in before] == [i for ids in files for i in ids]
    assert len(streamed) == 12 - len(files[0]) - 1
    left = [i for n, ids in enumerate(files) for place, i in enumerate(ids) if place not in gone.get(n, ())]
    assert sorted(row["Id"] for row in streamed) == sorted(left)


@pytest.mark.parametrize("by", [None, "näme"])
def test_delta_columns_renamed(tmp_path, by):
    table = typed().select(["Id", MIXED, "share", "näme"])
    lakes.write_renamed(tmp_path / "t", table, by)
    assert_reads(f"delta:{tmp_path / 't'}", without_empty(table) if by else table)


def test_delta_times_in_the_old_format(tmp_path):
    table = typed().select(["Id", "seen"])
    lakes.delta(tmp_path, table)
    lakes.add_file(tmp_path, table, use_deprecated_int96_timestamps=True)
    assert_reads(f"delta:{tmp_path}", pa.concat_tables([table, table]))


def test_delta_without_rows(tmp_path):
    deltalake.DeltaTable.create(tmp_path, typed().schema, partition_by=["näme"])
    assert_reads(f"delta:{tmp_path}", typed().slice(0, 0).select(columns_of(f"delta:{tmp_path}")))


def test_iceberg_columns_of_every_type(made):
    names = [uuid.UUID(int=number).bytes for number in range(6)]
    more = {"clock": pa.array([dt.time(1, 2, 3), None] * 3, pa.time64("us")), "uuid": pa.array(names, pa.uuid())}
    table = typed()
    for name, column in more.items():
        table = table.append_column(name, column)
    lakes.iceberg(made, "typed", table)
    assert_reads("iceberg:lake.some.typed", table)


@pytest.mark.parametrize("by", [["näme"], ["born", "member"], ["seen"]])
def test_iceberg_partitions(made, by):
    name = f"by {' '.join(by)}"
    table = made.create_table(("some", name), schema=typed().schema)
    with table.update_spec() as spec:
        for column in by:
            spec.add_field(column, IdentityTransform(), column)
    table.append(typed())
    table.append(typed())
    assert_reads(f'iceberg:lake.some."{name}"', pa.concat_tables([typed(), typed()]))


def test_iceberg_columns_that_changed_and_snapshots(made):
    table = lakes.iceberg(made, "changed", typed().select(["Id", MIXED, "real", "näme", "born"]))
    first = table.current_snapshot().snapshot_id
    with table.update_schema() as change:
        change.rename_column("näme", "name")
        change.update_column(MIXED, kinds.LongType())
        change.update_column("real", kinds.DoubleType())
        change.delete_column("born")
    with table.update_schema() as change:
        change.add_column("born", kinds.StringType())  # another column of that name
        change.move_first("name")
    columns = ["name", "Id", MIXED, "real", "born"]
    old = typed().rename_columns({"näme": "name"}).set_column(5, "born", pa.nulls(6, pa.string())).select(columns)
    new = old.set_column(4, "born", pa.array(list("abcdef"))).cast(table.schema().as_arrow().remove_metadata())
    table.append(new)
    assert_reads("iceberg:lake.some.changed", pa.concat_tables([old.cast(new.schema), new]))
    assert_reads(f"iceberg:lake.some.changed@v{first}", typed().select(["Id", MIXED, "real", "näme", "born"]))


def test_iceberg_deleted_rows(made):
    table = lakes.iceberg(made, "deleted", typed(), typed(), typed())
    table.delete("Id = 3")
    left = pa.concat_tables([typed()] * 3).filter(pa.array([i != 3 for i in range(6)] * 3))
    assert_reads("iceberg:lake.some.deleted", left)
    order = [row["Id"] for row in both("iceberg:lake.some.deleted")[0]]
    lakes.delete_by_position(table, {1: [0, 2], 2: list(range(5))})
    streamed, read = both("iceberg:lake.some.deleted")
    assert streamed == read
    assert [row["Id"] for row in streamed] == [*order[:5], order[6], *order[8:10]]


def test_iceberg_without_rows(made):
    made.create_table("some.nobody", schema=typed().schema)
    assert_reads("iceberg:lake.some.nobody", typed().slice(0, 0))


def test_iceberg_by_path(made, session):
    table = lakes.iceberg(made, "by_path", typed())
    assert_reads(f"iceberg:{table.metadata_location}", typed())
    place = table.location().removeprefix("file://")
    with pytest.raises(UnknownTable, match=r"iceberg:catalog\.namespace\.table"):
        session.scaling(f"iceberg:{place}")
    hint = table.metadata_location.rsplit("/", 1)[-1].removesuffix(".metadata.json")
    with open(f"{place}/metadata/version-hint.text", "w", encoding="utf-8") as file:
        file.write(hint)
    assert_reads(f"iceberg:{place}", typed())


def test_a_scan_with_a_filter_is_a_table(made, session):
    table = lakes.iceberg(made, "filtered", typed())
    table.append(typed())
    scans = {
        12: table,
        8: table.scan("Id < 4"),
        7: table.scan(limit=7),
        2: table.scan(limit=2, selected_fields=("Id", "raw")),
    }
    for count, given in scans.items():
        scaled = rows_of(session.scaling(given, exclude=["raw"]))
        assert {row["count"] + row["missing"] for row in scaled} == {count}
    assert [row["column_name"] for row in scaled] == ["Id"]


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
    session.evaluate(named["delta"]["train"], named["delta"]["train"], exclude=["id", "x"])
    assert asked == [["city"], ["city", "n"]]


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


@pytest.mark.parametrize("kind", ["delta", "iceberg"])
def test_memory_does_not_grow_with_the_table(tmp_path, made, kind):
    rows, times = 500_000, 8
    text = pa.array([f"{i:030}" for i in range(rows)])
    table = pa.table({"g": pa.array([i % 1000 for i in range(rows)], pa.int64()), "text": text})
    if kind == "delta":
        lakes.delta(tmp_path / "t", table.slice(0, 1), *[table] * times)
        given = [f"delta:{tmp_path / 't'}@v0", f"delta:{tmp_path / 't'}"]
    else:
        written = [lakes.iceberg(made, name, *rows) for name, rows in (("few", [table[:1]]), ("many", [table] * times))]
        given = [f"iceberg:{written.metadata_location}" for written in written]
    command = [sys.executable, "-c", GROWTH, *given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    counted, megabytes = map(int, done.stdout.split())
    assert counted == rows * times + (kind == "delta")
    # All of the column that is read would be 31 MB as Arrow, all of the table 170, and half of it where it is kept.
    assert megabytes < 60


# What goes wrong


def test_errors_name_the_table_and_say_what_to_do(session, tmp_path, made):
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


def test_a_folder_alone_is_told_how_to_be_named(session, named, made):
    place = named["delta"]["train"].removeprefix("delta:")
    with pytest.raises(UnknownTable, match=r'give "delta:.*train"'):
        session.scaling(place)
    place = made.load_table("some.train").location().removeprefix("file://")
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
    lakes.delta(tmp_path, typed(), typed())
    for file in deltalake.DeltaTable(tmp_path).file_uris()[1:]:
        __import__("pathlib").Path(file).unlink()
    with pytest.raises(UnknownTable, match="cannot be read") as caught:
        session.scaling(f"delta:{tmp_path}", exclude=["raw"])
    assert str(tmp_path) in str(caught.value)
    assert "Traceback" not in str(caught.value)
    assert len(session.scaling(pa.table({"x": [1, 2]}))) == 1


def test_what_duckdb_would_read_otherwise_is_refused_inside_sql_only(session, tmp_path, made):
    nested = pa.table({"x": [1, 2], "list": [[1], []]})
    lakes.delta(tmp_path / "nested", nested)
    lakes.iceberg(made, "nested", nested)
    numbered = lakes.iceberg(made, "unnumbered", pa.table({"x": [1, 2]}))
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


def test_deletes_in_another_format_are_refused_inside_sql(session, made):
    table = lakes.iceberg(made, "puffin", pa.table({"x": [1, 2]}))
    lakes.delete_by_position(table, {0: [1]}, FileFormat.ORC)
    with pytest.raises(duckdb.Error, match="deleted rows in the format ORC"):
        session.connection.execute(call("scaling", "iceberg:lake.some.puffin"))


def test_a_table_that_is_named_like_one(session):
    session.connection.execute('CREATE TABLE "delta:x" AS SELECT 1 AS x')
    assert len(session.scaling('"delta:x"')) == 1
    assert synthpriv_sql.engines.duckdb.lake.find.is_named("delta:x")


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
