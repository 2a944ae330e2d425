"""Delta and Iceberg tables for the tests, also such as their Python libraries read but do not write."""

import json
import struct
import uuid
from pathlib import Path
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable, write_deltalake
from pyiceberg import manifest
from pyiceberg.catalog.sql import SqlCatalog
from pyroaring import BitMap

Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
TYPES = {pa.int64(): "long", pa.float64(): "double", pa.string(): "string", pa.int32(): "integer"}


# Delta


def delta(path, *tables, **options):
    """Write a Delta table of Arrow tables, one version each."""
    for number, table in enumerate(tables):
        mode = {"mode": "append", "schema_mode": "merge"} if number else {}
        write_deltalake(path, table, **options, **mode)


def delete_by_vector(path, rows):
    """Delete rows of a table's files: their positions by the number of the file, as Spark and Databricks do."""
    table = DeltaTable(path)
    files = [line["add"] for line in log(path) if "add" in line]
    there = {add["path"]: add for add in files}
    listed = pa.table(table.get_add_actions())["path"].to_pylist()
    wanted = ["deletionVectors", *(table.protocol().reader_features or [])]
    features = {"readerFeatures": wanted, "writerFeatures": wanted}
    actions = [{"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, **features}}]
    for number, positions in rows.items():
        add = there[listed[number]]
        gone = {"path": add["path"], "dataChange": True, "deletionTimestamp": 0, "extendedFileMetadata": False}
        actions += [{"remove": gone}, {"add": {**add, "deletionVector": inline_vector(positions)}}]
    commit(path, actions)


def inline_vector(positions):
    """A deletion vector in the log itself: a magic number and one 32-bit bitmap, in Z85."""
    bitmap = BitMap(positions).serialize()
    content = struct.pack("<iqi", 1681511377, 1, 0) + bitmap
    padded = content + bytes(-len(content) % 4)
    text = ""
    for (word,) in struct.iter_unpack(">I", padded):
        text += "".join(Z85[word // 85**place % 85] for place in range(4, -1, -1))
    return {"storageType": "i", "pathOrInlineDv": text, "sizeInBytes": len(content), "cardinality": len(positions)}


def write_renamed(path, table, partition=None):
    """Write a table whose files have other names for its columns, as after ALTER TABLE … RENAME COLUMN."""
    path = Path(path)
    (path / "_delta_log").mkdir(parents=True)
    physical = {name: f"col-{number}" for number, name in enumerate(table.column_names)}
    fields = [
        {
            "name": name,
            "type": TYPES[table.schema.field(name).type],
            "nullable": True,
            "metadata": {"delta.columnMapping.id": number, "delta.columnMapping.physicalName": physical[name]},
        }
        for number, name in enumerate(table.column_names, 1)
    ]
    features = {"readerFeatures": ["columnMapping"], "writerFeatures": ["columnMapping"]}
    settings = {"delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": str(len(fields))}
    schema = json.dumps({"type": "struct", "fields": fields})
    about = {"id": "renamed", "format": {"provider": "parquet", "options": {}}, "schemaString": schema}
    about |= {"partitionColumns": [partition] if partition else [], "configuration": settings, "createdTime": 0}
    actions = [{"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, **features}}, {"metaData": about}]
    for value in dict.fromkeys(table[partition].to_pylist()) if partition else [None]:
        part = table
        if partition:
            part = table.filter(pa.array([v == value for v in table[partition].to_pylist()])).drop([partition])
        file = f"part-{len(actions)}.parquet"
        pq.write_table(part.rename_columns([physical[name] for name in part.column_names]), path / file)
        values = {physical[partition]: None if value is None else str(value)} if partition else {}
        add = {"path": file, "partitionValues": values, "size": (path / file).stat().st_size, "modificationTime": 0}
        actions.append({"add": {**add, "dataChange": True, "stats": json.dumps({"numRecords": part.num_rows})}})
    commit(path, actions)


def add_file(path, table, **options):
    """Add a file that another program wrote, in its own way, to a table without partitions."""
    file = Path(path) / f"{uuid.uuid4()}.parquet"
    pq.write_table(table, file, **options)
    add = {"path": file.name, "partitionValues": {}, "size": file.stat().st_size, "modificationTime": 0}
    commit(path, [{"add": {**add, "dataChange": True, "stats": json.dumps({"numRecords": table.num_rows})}}])


def log(path):
    files = sorted((Path(path) / "_delta_log").glob("*.json"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def commit(path, actions):
    folder = Path(path) / "_delta_log"
    version = len(list(folder.glob("*.json")))
    lines = [json.dumps(action) for action in [{"commitInfo": {"timestamp": 0, "operation": "TEST"}}, *actions]]
    (folder / f"{version:020}.json").write_text("\n".join(lines) + "\n", encoding="utf-8")


# Iceberg


def catalog(folder):
    """A catalog in a SQLite file, which keeps its tables in the same folder."""
    made = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    made.create_namespace_if_not_exists("some")
    return made


def iceberg(made, name, *tables):
    """Write an Iceberg table of Arrow tables, one snapshot each."""
    table = made.create_table(("some", name), schema=tables[0].schema)
    for rows in tables:
        table.append(rows)
    return table


class DeleteWriter(manifest.ManifestWriterV2):
    """Writes manifests of files of deletes, as Spark and Trino do and pyiceberg does not."""

    def __init__(self, format_version, **rest):
        super().__init__(**rest)

    def content(self):
        return manifest.ManifestContent.DELETES

    @property
    def _meta(self):
        return {**super()._meta, "content": "deletes"}


def delete_by_position(table, rows, file_format=manifest.FileFormat.PARQUET):
    """Delete rows of a table's data files: their positions by the number of the file, in the order of a scan."""
    tasks = list(table.scan().plan_files())
    ids = {"file_path": b"2147483546", "pos": b"2147483545"}
    kinds = {"file_path": pa.string(), "pos": pa.int64()}
    fields = [pa.field(n, kind, nullable=False, metadata={"PARQUET:field_id": ids[n]}) for n, kind in kinds.items()]
    made = []
    for number, positions in rows.items():
        of = tasks[number].file
        path = f"{table.location()}/data/deletes-{uuid.uuid4()}.parquet"
        content = [[of.file_path] * len(positions), positions]
        pq.write_table(pa.table(content, schema=pa.schema(fields)), path.removeprefix("file://"))
        size = Path(path.removeprefix("file://")).stat().st_size
        file = manifest.DataFile.from_args(
            content=manifest.DataFileContent.POSITION_DELETES,
            file_path=path,
            file_format=file_format,
            partition=of.partition,
            record_count=len(positions),
            file_size_in_bytes=size,
        )
        file.spec_id = table.spec().spec_id
        made.append(file)
    writer = mock.patch("pyiceberg.table.update.snapshot.write_manifest", DeleteWriter)
    with writer, table.transaction() as transaction, transaction.update_snapshot().fast_append() as change:
        for file in made:
            change.append_data_file(file)
