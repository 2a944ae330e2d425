"""What a Delta or Iceberg table holds: every type, deletes, renames, partitions, versions."""

import datetime as dt
import decimal
import uuid

import duckdb
import pyarrow as pa
import pytest
from calls import rows_of

from synthpriv_sql import UnknownTable
from synthpriv_sql.engines.duckdb.lake import find

deltalake = pytest.importorskip("deltalake", reason="the extra `delta` is not installed")
pyiceberg = pytest.importorskip("pyiceberg", reason="the extra `iceberg` is not installed")

import lakes  # noqa: E402
from pyiceberg import types as kinds  # noqa: E402
from pyiceberg.transforms import IdentityTransform  # noqa: E402

pytestmark = pytest.mark.duckdb_1

HOURS = [dt.datetime(2024, 3, 31, hour, 30, 0, 500_000) for hour in range(6)]
ZONED = [moment.replace(tzinfo=dt.UTC) for moment in HOURS]
MIXED = 'Mixed "Case'


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


def test_iceberg_columns_of_every_type(iceberg_catalog):
    names = [uuid.UUID(int=number).bytes for number in range(6)]
    more = {"clock": pa.array([dt.time(1, 2, 3), None] * 3, pa.time64("us")), "uuid": pa.array(names, pa.uuid())}
    table = typed()
    for name, column in more.items():
        table = table.append_column(name, column)
    lakes.iceberg(iceberg_catalog, "typed", table)
    assert_reads("iceberg:lake.some.typed", table)


@pytest.mark.parametrize("by", [["näme"], ["born", "member"], ["seen"]])
def test_iceberg_partitions(iceberg_catalog, by):
    name = f"by {' '.join(by)}"
    table = iceberg_catalog.create_table(("some", name), schema=typed().schema)
    with table.update_spec() as spec:
        for column in by:
            spec.add_field(column, IdentityTransform(), column)
    table.append(typed())
    table.append(typed())
    assert_reads(f'iceberg:lake.some."{name}"', pa.concat_tables([typed(), typed()]))


def test_iceberg_columns_that_changed_and_snapshots(iceberg_catalog):
    table = lakes.iceberg(iceberg_catalog, "changed", typed().select(["Id", MIXED, "real", "näme", "born"]))
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


def test_iceberg_deleted_rows(iceberg_catalog):
    table = lakes.iceberg(iceberg_catalog, "deleted", typed(), typed(), typed())
    table.delete("Id = 3")
    left = pa.concat_tables([typed()] * 3).filter(pa.array([i != 3 for i in range(6)] * 3))
    assert_reads("iceberg:lake.some.deleted", left)
    order = [row["Id"] for row in both("iceberg:lake.some.deleted")[0]]
    lakes.delete_by_position(table, {1: [0, 2], 2: list(range(5))})
    streamed, read = both("iceberg:lake.some.deleted")
    assert streamed == read
    assert [row["Id"] for row in streamed] == [*order[:5], order[6], *order[8:10]]


def test_iceberg_without_rows(iceberg_catalog):
    iceberg_catalog.create_table("some.nobody", schema=typed().schema)
    assert_reads("iceberg:lake.some.nobody", typed().slice(0, 0))


def test_iceberg_by_path(iceberg_catalog, session):
    table = lakes.iceberg(iceberg_catalog, "by_path", typed())
    assert_reads(f"iceberg:{table.metadata_location}", typed())
    place = table.location().removeprefix("file://")
    with pytest.raises(UnknownTable, match=r"iceberg:catalog\.namespace\.table"):
        session.scaling(f"iceberg:{place}")
    hint = table.metadata_location.rsplit("/", 1)[-1].removesuffix(".metadata.json")
    with open(f"{place}/metadata/version-hint.text", "w", encoding="utf-8") as file:
        file.write(hint)
    assert_reads(f"iceberg:{place}", typed())


def test_a_scan_with_a_filter_is_a_table(iceberg_catalog, session):
    table = lakes.iceberg(iceberg_catalog, "filtered", typed())
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
