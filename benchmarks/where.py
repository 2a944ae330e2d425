"""A profile of one search: `python -m benchmarks --profile CASE`, `make profile CASE=acs`."""

import time
from collections import defaultdict

import synthpriv_sql
from benchmarks import cases, data
from synthpriv_sql.engines.duckdb import registration
from synthpriv_sql.kernels.knn import build, index
from synthpriv_sql.udf import neighbors as udf
from synthpriv_sql.udf.encoded import arrange, pages

TABLES = {
    "adult": (data.adult, {}),
    "acs": (data.acs, {}),
    "numbers": (data.skewed_numbers, {}),
    "mixed": (data.mixed, {"rows": 300_000}),
}


class Clock:
    """Seconds of calls by name; the time of nested calls is included in the outer one."""

    def __init__(self):
        self.spent = defaultdict(float)

    def workers(self, owner, name, label):
        inner = getattr(owner, name)

        def timed(*given, **named):
            start = time.perf_counter()
            try:
                return inner(*given, **named)
            finally:
                self.spent[label] += time.perf_counter() - start

        setattr(owner, name, timed)


def profile(case, metric="gower"):
    prepare, options = TABLES[case]
    clock = Clock()
    with synthpriv_sql.connect() as session:
        cases.warm(session)
        prepare(session, **options)
        for owner, name, label in (
            (registration, "plan", "planning"),
            (pages, "write", "pages written"),
            (pages, "read", "pages read"),
            (pages, "codes", "categories numbered"),
            (arrange.Arrangement, "_arranged", "arranged"),
            (index, "search", "kernel"),
            (build, "build", "layout"),
            (index.Index, "search", "search"),
            (udf, "_search_one", "udf"),
            (udf, "_structs", "result lists"),
        ):
            clock.workers(owner, name, label)
        run = cases.search(session, metric, 2)
        run()
        clock.spent.clear()
        total, _ = run()
    s = clock.spent
    rows = {
        "planning (second call: look-ups, SQL from the cache)": s["planning"],
        "pages written (Python)": s["pages written"],
        "pages read, joined (Python)": s["pages read"],
        "scaling, categories numbered": s["arranged"],
        "layout of the reference": s["layout"],
        "search": s["search"],
        "around the two in the kernel": s["kernel"] - s["layout"] - s["search"],
        "result lists": s["result lists"],
    }
    rows["DuckDB: binding, scan, texts to Arrow, scales, writing the table"] = total - sum(rows.values())
    print(f"{case}, {metric}, k = 2: {total:.3f} s\n\n| step | seconds | share |\n| --- | ---: | ---: |")
    for step, seconds in rows.items():
        print(f"| {step} | {seconds:.3f} | {seconds / total:.0%} |")
