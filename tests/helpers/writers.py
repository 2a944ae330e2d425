"""Everything that writes files, with two versions of what is written, for tests that kill it or leave it no space."""

import resource
import signal
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from synthpriv_sql import errors
from synthpriv_sql.engines.base import Answer
from synthpriv_sql.results import gate, output
from synthpriv_sql.results.output import write_page
from synthpriv_sql.results.result import Result

ROWS = 20_000


def result(version):
    rows = {"record": pa.array(range(ROWS)), "text": [f"{version} of {i}" for i in range(ROWS)]}
    return Result(None, "copies", Answer(pa.table(rows), ["BIGINT", "VARCHAR"], ""))


def text(version):
    return f"<html>{version}{' ' * 1_000_000}</html>"


def to_table(version, path):
    """A table in a database file, as sessions write it."""
    import synthpriv_sql

    with synthpriv_sql.connect(str(path)) as session:
        made = result(version)
        Result(session.engine, "copies", made._answer).to_table("copies", replace=True)


def rows_of(path):
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pydict()
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.sql("FROM copies").to_arrow_table().to_pydict()


WRITERS = {
    "rows.csv": lambda version, path: output.write(result(version), path),
    "rows.json": lambda version, path: output.write(result(version), path),
    "rows.parquet": lambda version, path: output.write(result(version), path),
    "rows.duckdb": lambda version, path: output.write(result(version), path),
    "table.duckdb": to_table,
    "page.html": lambda version, path: write_page(path, text(version)),
    "decision.docx": lambda version, path: write_page(path, text(version).encode()),
    "junit.xml": lambda version, path: gate.write(text(version), path),
}


def is_whole(path, version):
    """Whether a file holds exactly a version."""
    if path.suffix in {".parquet", ".duckdb"}:
        return rows_of(path) == result(version).to_arrow().to_pydict()
    if path.suffix in {".csv", ".json"}:
        beside = path.with_name(f"expected-{version}{path.suffix}")
        if not beside.exists():
            output.write(result(version), beside)
        return path.read_bytes() == beside.read_bytes()
    return path.read_text() == text(version)


def write_again_and_again(name, folder, begun):
    """Write two versions by turns until the process is killed."""
    path = Path(folder, name)
    begun.set()
    while True:
        for version in ("second", "first"):
            WRITERS[name](version, path)


def write_without_space(name, folder, most, told):
    """Write where no file may be larger than so many bytes; report how that ended."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    try:
        WRITERS[name]("second", Path(folder, name))
    except errors.SynthprivError as error:
        told.put(f"{type(error).__name__}: {error}")
    except BaseException as error:
        told.put(f"raw {type(error).__name__}: {error}")
    else:
        told.put("written")


def read_each(paths, told):
    """Read damaged files as tables; report what each call ended with."""
    import warnings

    import synthpriv_sql

    warnings.simplefilter("ignore")
    with synthpriv_sql.connect() as session:
        for path in paths:
            try:
                session.copies(path, path).fetchall()
            except errors.SynthprivError as error:
                told.put((path, type(error).__name__))
            except BaseException as error:
                told.put((path, f"raw {type(error).__name__}: {error}"))
            else:
                told.put((path, "read"))
    told.put(None)
