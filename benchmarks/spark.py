"""Searches on a local Spark cluster, in a separate process, since a process can have only one cluster.

python -m benchmarks.spark EXECUTORS MEMORY_MB TIMES FOLDER...: queries.parquet and reference.parquet of each folder,
with this number of executors of one core and this Java memory (Python gets as much again). Prints a line of JSON per
folder.
"""

import json
import sys
import tempfile
import threading
import time
from pathlib import Path

import synthpriv_sql
from tests.helpers import servers

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.driver.maxResultSize": "16m",
    "spark.sql.shuffle.partitions": "8",
}
SHARD_BYTES = 96
"""The approximate bytes of a record in an index; its page and those of some queries are in memory as well."""


WARM = 8
"""Warm-up calls on small tables: Java compiles frequently run code, above all the driver's planning."""


def main(executors, memory, times, folders):
    with tempfile.TemporaryDirectory() as scratch:
        master = f"local-cluster[{executors},1,{memory}]"
        settings = SETTINGS | {"spark.executor.memory": f"{memory}m"}
        with servers.spark(Path(scratch), master, settings) as cluster:
            session = synthpriv_sql.spark(cluster, shard_rows=memory * 2**20 // 8 // SHARD_BYTES)
            for number, folder in enumerate(folders):
                queries, reference = (f"parquet.`{folder}/{name}.parquet`" for name in ("queries", "reference"))
                few = [f"(SELECT * FROM {name} LIMIT 500)" for name in (queries, reference)]
                for _ in range(WARM if number == 0 else 0):
                    session.dcr(*few)
                print(json.dumps(measured(session, cluster, queries, reference, times)), flush=True)


def measured(session, cluster, queries, reference, times):
    runs, largest = [], Largest(cluster)
    with largest:
        for _ in range(times):
            start = time.perf_counter()
            result = session.dcr(queries, reference)
            runs.append(time.perf_counter() - start)
    ((total,),) = result.to_spark().selectExpr("sum(dcr)").collect()
    return {"runs": runs, "total": total, "peak": largest.bytes, "moved": result.moved.rows}


class Largest:
    """The peak memory of an executor, including its Python processes, within this context."""

    def __init__(self, cluster):
        self.bytes = 0
        self._cluster = cluster
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self):
        self._pids = servers.executors(self._cluster)
        self._thread.start()

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _watch(self):
        while not self._stop.wait(0.2):
            parents, held = {}, {}
            for folder in Path("/proc").iterdir():
                if not folder.name.isdigit():
                    continue
                try:
                    parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                    held[int(folder.name)] = int((folder / "statm").read_text().split()[1]) * 4096
                except OSError:  # the process has ended
                    continue
            for executor in self._pids:
                self.bytes = max(self.bytes, sum(size for pid, size in held.items() if _within(pid, executor, parents)))


def _within(pid, ancestor, parents):
    while pid not in (0, ancestor):
        pid = parents.get(pid, 0)
    return pid == ancestor


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
