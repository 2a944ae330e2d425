"""Databases that SQL text is run in: the same small tables in each, and rows as Python values.

The tables are made to be hard: values missing and NaN, ties and duplicates, names that need quotes, texts that sort
differently by bytes than by words, numbers and times of every kind.
"""

import contextlib
import datetime as dt
import decimal
import json
import math
import pickle
import random
import re
import subprocess
import sys
import uuid
from pathlib import Path
from typing import ClassVar

import duckdb
import numpy as np
import pyarrow as pa
import pytz

# name → the type in DuckDB, and the values that it is drawn from, as text
COLUMNS = {
    "id": ("BIGINT", ["-3", "0", "1", "2", "5"]),
    'Mixed "x"': ("DOUBLE", ["NaN", "1.5", "-0.0", "0.0", "2", "100.125"]),
    "cat": ("VARCHAR", ["b", "A", "a", "", "it's", "ä", "NULL", "Z"]),
    "day": ("DATE", ["2025-01-01", "1969-12-31", "2024-02-29"]),
    "flag": ("BOOLEAN", ["true", "false"]),
    "select": ("DECIMAL(9,2)", ["1.15", "-5.25", "9999.99"]),
    "at": ("TIMESTAMP", ["2025-01-01 00:00:00.5", "1969-12-31 23:59:59.25", "2024-03-31 02:30:00.125"]),
    "zoned": ("TIMESTAMPTZ", ["2025-01-01 00:00:00+00", "1969-12-31 21:59:59.25+00", "2024-03-31 02:30:00+00"]),
    "uuid": ("UUID", ["00000000-0000-0000-0000-00000000000a", "0a000000-0000-0000-0000-000000000000"]),
    "level": ("levels", ["low", "mid", "High"]),
    "real": ("REAL", ["0.1", "NaN", "3"]),
    "time": ("TIME", ["10:00:00", "23:59:59.5", "00:00:00"]),
}
LEVELS = ["low", "mid", "High"]
NAN = {"DOUBLE", "REAL"}


def drawn(seed, rows):
    """Rows of texts, None where a value is missing."""
    draw = random.Random(seed)
    return [
        tuple(None if draw.random() < 0.15 else draw.choice(values) for _, values in COLUMNS.values())
        for _ in range(rows)
    ]


def tables():
    """Synthetic, train and holdout tables with copies among them, and tables of unusual sizes."""
    train = drawn(2, 23)
    return {
        "syn": drawn(1, 17) + train[:4],
        "train": train + train[-2:],
        "Hold out": drawn(3, 9) + train[:3],
        "single": drawn(4, 1),
        "none": [],
    }


def quoted(name, mark='"'):
    return mark + name.replace(mark, 2 * mark) + mark


def text(value):
    return "'" + value.replace("'", "''") + "'"


class Place:
    """A database: ``types`` it calls DuckDB's by, how it quotes names, and ``run``, which gives rows as dicts."""

    types: ClassVar = {}
    mark = '"'
    keeps = ""  # what follows the columns in CREATE TABLE

    def type(self, type_):
        return self.types.get(type_, type_)

    def quoted(self, name):
        return quoted(name, self.mark)

    def cast(self, value, type_):
        if value is None:
            return f"CAST(NULL AS {self.type(type_)})"
        return f"CAST({text(value)} AS {self.type(type_)})"

    def create(self, name, rows, columns=COLUMNS):
        """Make a table of rows of texts, or make it anew."""
        q = self.quoted
        self.execute(f"DROP TABLE IF EXISTS {q(name)}")
        listed = ", ".join(f"{q(c)} {self.type(t)}" for c, (t, _) in columns.items())
        self.execute(f"CREATE TABLE {q(name)} ({listed}){self.keeps}")
        if rows:
            values = (", ".join(self.cast(v, t) for v, (t, _) in zip(r, columns.values(), strict=True)) for r in rows)
            self.execute(f"INSERT INTO {q(name)} VALUES {', '.join(f'({v})' for v in values)}")


class InDuckDB(Place):
    """The tables in a session of ours, in the order that records are numbered by elsewhere."""

    def __init__(self, session):
        self.session = session
        self.execute("SET TimeZone = 'UTC'")
        self.execute(f"CREATE TYPE levels AS ENUM ({', '.join(map(text, LEVELS))})")

    def execute(self, sql):
        self.session.connection.execute(sql)

    def create(self, name, rows, columns=COLUMNS):
        super().create(name, rows, columns)
        q = quoted(name)
        self.execute(f"CREATE OR REPLACE TEMP TABLE sorted AS SELECT * FROM {q} ORDER BY ALL")
        self.execute(f"DELETE FROM {q}")
        self.execute(f"INSERT INTO {q} FROM sorted ORDER BY ALL")


class InDuckDBAlone(Place):
    """The tables of `InDuckDB` in a process that has DuckDB alone and cannot import this package.

    Parameters
    ----------
    folder
        An empty one, which is all that the process can import from: it gets DuckDB, and pytz, which that needs to hand
        over times with a zone.
    connection
        Where the tables are.
    """

    def __init__(self, folder, connection):
        installed = Path(duckdb.__file__).parents[1]
        for found in (*installed.glob("*duckdb*"), Path(pytz.__file__).parent):
            if "synthpriv" not in found.name:
                (folder / found.name).symlink_to(found)
        path = folder / "tables.db"
        for statement in (f"ATTACH {text(str(path))} AS alone", "COPY FROM DATABASE memory TO alone", "DETACH alone"):
            connection.execute(statement)
        script = Path(__file__).with_name("duckdb_alone.py")
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(script), str(folder), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, sql):
        pickle.dump(sql, self._process.stdin)
        self._process.stdin.flush()
        answer = pickle.load(self._process.stdout)
        if isinstance(answer, str):
            raise duckdb.Error(answer)
        columns, rows = answer
        return [_row(dict(zip(dict(columns), row, strict=True))) for row in rows], dict(columns)

    def close(self):
        self._process.stdin.close()
        self._process.wait()


class InPostgres(Place):
    """A schema of its own on the tests' server; the database is in a zone with daylight saving, and sorts by words."""

    types: ClassVar = {"DOUBLE": "double precision", "VARCHAR": "text", "DECIMAL(9,2)": "numeric"}
    arrow: ClassVar = {
        "int64": "BIGINT",
        "int32": "INTEGER",
        "double": "DOUBLE",
        "string": "VARCHAR",
        "bool": "BOOLEAN",
    }

    def __init__(self, connection):
        self.connection = connection
        self.execute("DROP SCHEMA IF EXISTS elsewhere CASCADE")
        self.execute("CREATE SCHEMA elsewhere")
        self.execute("SET search_path = elsewhere")
        self.execute("SET TimeZone = 'America/New_York'")
        self.execute("SET jit = off")
        self.execute(f"CREATE TYPE levels AS ENUM ({', '.join(map(text, LEVELS))})")

    def execute(self, sql):
        with contextlib.closing(self.connection.cursor()) as cursor:
            cursor.execute(sql)

    def run(self, sql):
        with contextlib.closing(self.connection.cursor()) as cursor:
            cursor.execute(sql)
            found = cursor.fetch_arrow_table()
        types = [self._type(field.type) for field in found.schema]
        return [_row(row) for row in found.to_pylist()], dict(zip(found.column_names, types, strict=True))

    def _type(self, type_):
        if "numeric" in str(type_):
            return "HUGEINT"
        return "VARCHAR[]" if pa.types.is_list(type_) else self.arrow.get(str(type_), str(type_))


class InSpark(Place):
    """Temporary views of the tests' session; ENUM and UUID are kept as text."""

    types: ClassVar = {
        "VARCHAR": "STRING",
        "levels": "STRING",
        "UUID": "STRING",
        "TIME": "STRING",
        "REAL": "FLOAT",
        "TIMESTAMP": "TIMESTAMP_NTZ",
        "TIMESTAMPTZ": "TIMESTAMP",
    }
    names: ClassVar = {
        "bigint": "BIGINT",
        "int": "INTEGER",
        "double": "DOUBLE",
        "string": "VARCHAR",
        "boolean": "BOOLEAN",
    }
    more: ClassVar = {"decimal(38,0)": "HUGEINT", "array<string>": "VARCHAR[]"}
    mark = "`"

    def __init__(self, session):
        self.session = session

    def create(self, name, rows, columns=COLUMNS):
        q = self.quoted
        some = rows or [(None,) * len(columns)]
        values = (", ".join(self.cast(v, t) for v, (t, _) in zip(r, columns.values(), strict=True)) for r in some)
        frame = self.session.sql(
            f"SELECT * FROM VALUES {', '.join(f'({v})' for v in values)} AS rows({', '.join(map(q, columns))})"
        )
        (frame if rows else frame.filter("false")).createOrReplaceTempView(q(name))

    def cast(self, value, type_):
        return super().cast(value, type_).replace("''", "\\'") if value else super().cast(value, type_)

    def run(self, sql):
        found = self.session.sql(sql)
        known = self.names | self.more
        types = {f.name: known.get(f.dataType.simpleString(), f.dataType.simpleString()) for f in found.schema.fields}
        return [_row(row.asDict()) for row in found.collect()], types


class InClickHouse(Place):
    """A database of chDB, in a zone with daylight saving."""

    types: ClassVar = {
        "BIGINT": "Int64",
        "DOUBLE": "Float64",
        "VARCHAR": "String",
        "DATE": "Date32",
        "BOOLEAN": "Bool",
        "DECIMAL(9,2)": "Decimal(9, 2)",
        "TIMESTAMP": "DateTime64(6)",
        "TIMESTAMPTZ": "DateTime64(6, 'UTC')",
        "levels": "Enum8('low' = 1, 'mid' = 2, 'High' = 3)",
        "REAL": "Float32",
        "TIME": "Time64(6)",
    }
    names: ClassVar = {
        "Int64": "BIGINT",
        "Int32": "INTEGER",
        "Float64": "DOUBLE",
        "String": "VARCHAR",
        "Bool": "BOOLEAN",
    }
    more: ClassVar = {"Int128": "HUGEINT", "Array(String)": "VARCHAR[]", "Array(Nullable(String))": "VARCHAR[]"}
    mark = "`"
    keeps = " ENGINE = Memory"

    def __init__(self, session):
        self.session = session
        self.execute("SET session_timezone = 'America/New_York'")
        self.execute("SET enable_time_time64_type = 1")
        self.execute("SET output_format_json_quote_denormals = 1")

    def quoted(self, name):
        return super().quoted(name.replace("\\", "\\\\"))

    def type(self, type_):
        return f"Nullable({self.types.get(type_, type_)})"

    def cast(self, value, type_):
        return super().cast(value.removesuffix("+00") if value else value, type_)

    def execute(self, sql):
        self.session.query(sql)

    def run(self, sql):
        found = self.session.query(sql, "JSONCompactEachRowWithNamesAndTypes")  # types without planning it twice
        names, types, *rows = (json.loads(line) for line in str(found).splitlines())
        known = self.names | self.more
        plain = [re.sub(r"^Nullable\((.*)\)$", r"\1", type_) for type_ in types]
        rows = [_row({n: self._value(v, t) for n, v, t in zip(names, row, plain, strict=True)}) for row in rows]
        return rows, {_plain(name): known.get(type_, type_) for name, type_ in zip(names, plain, strict=True)}

    @staticmethod
    def _value(value, type_):
        """What JSON has no type for."""
        if value is not None and type_.startswith("Date"):
            return (dt.datetime if type_.startswith("DateTime") else dt.date).fromisoformat(value)
        if value is not None and type_.startswith("Float"):  # what is no number comes as text
            return float(np.float32(value)) if type_ == "Float32" else float(value)
        if value is not None and type_.startswith("Int"):
            return int(value)
        return value


def _row(row):
    return {_plain(name): _plain(value) for name, value in row.items()}


def _plain(value):
    """A value as the tests compare it, whatever a driver makes of it."""
    if isinstance(value, bytes):
        value = value.decode() if len(value) != 16 else str(uuid.UUID(bytes=value))
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=None)
    return list(map(_plain, value)) if isinstance(value, list) else value


def plain_rows(table):
    """The rows of an Arrow table as `Place.run` gives them."""
    return [_row(row) for row in table.to_pylist()]
