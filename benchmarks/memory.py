"""A search in a separate process that reports its peak memory: python -m benchmarks.memory ROWS [LIMIT]."""

import json
import subprocess
import sys
import tempfile
import time

import synthpriv_sql
from benchmarks import data
from benchmarks.cases import warm
from benchmarks.machine import most


def make(path, rows):
    with synthpriv_sql.connect(path) as session:
        data.mixed(session, rows)


def main(rows, limit):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/tables.duckdb"
        # Generated in another process, so that the peak is that of the search.
        code = f"from benchmarks.memory import make; make({path!r}, {rows})"
        subprocess.run([sys.executable, "-c", code], check=True)
        with synthpriv_sql.connect() as session:
            warm(session)
        config = {"memory_limit": limit, "temp_directory": folder} if limit != "none" else {}
        with synthpriv_sql.connect(path, **config) as session:
            before = most()
            start = time.perf_counter()
            session.connection.execute(
                "CREATE TABLE result AS FROM synthpriv.neighbors('queries', 'reference', k := 2)"
            )
            seconds = time.perf_counter() - start
            peak = most()
            ((total,),) = session.connection.execute("SELECT sum(distance) FROM result").fetchall()
    print(json.dumps({"seconds": seconds, "before": before, "peak": peak, "total": total}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "none")
