"""The cases of `make bench`.

A search of the product is `CREATE OR REPLACE TABLE result AS FROM synthpriv.neighbors(...)`, from tables in the
database to a table in the database: planning, encoding, hand-over, layout, search and result.
"""

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import synthpriv_sql
from benchmarks import (
    attacks,
    baseline,
    data,
    disclosure,
    exposure,
    few,
    peers,
    planning,
    released,
    remedies,
    texts,
    zoo,
)
from synthpriv_sql.kernels.knn import dispatch


@dataclass
class Row:
    """One line of the result: seconds of every run, and the result."""

    case: str
    who: str
    runs: list
    total: float | None = None
    """The sum of the distances, if there are any."""
    same_as: str = ""
    """The contestant that computes the same distances."""
    note: str = ""

    @property
    def seconds(self):
        return statistics.median(self.runs)


def search(session, metric, k, columns=None):
    listed = "" if columns is None else ", columns := [" + ", ".join(f"'{c}'" for c in columns) + "]"
    sql = (
        "CREATE OR REPLACE TABLE result AS "
        f"FROM synthpriv.neighbors('queries', 'reference', k := {k}, metric := '{metric}'{listed})"
    )

    def run():
        start = time.perf_counter()
        session.connection.execute(sql)
        seconds = time.perf_counter() - start
        ((total,),) = session.connection.execute("SELECT sum(distance) FROM result").fetchall()
        return seconds, total

    return run


def warm(session):
    """Compile the kernel, or load it from the cache."""
    data.mixed(session, 300)
    with dispatch.kernel_only():
        for metric in ("gower", "euclidean", "hamming"):
            search(session, metric, 2)()
        search(session, "euclidean", 2, ["n0", "n1"])()


def repeat(case, who, run, times, **more):
    done = [run() for _ in range(times)]
    return Row(case, who, [seconds for seconds, _ in done], done[-1][1], **more)


def beside(case, prepare, metrics, others, quick, select=None, k=2, within=None):
    """This package with each metric, then the peers, on the same tables; those in `within` from table to table."""
    with synthpriv_sql.connect() as session:
        warm(session)
        prepare(session)
        columns = None if select is None else select(session)
        listed = "*" if columns is None else ", ".join(f'"{c}"' for c in columns)
        frames = [session.connection.execute(f"SELECT {listed} FROM {t}").df() for t in ("queries", "reference")]
        for metric in metrics:
            run = search(session, metric, k, columns)
            yield repeat(case, f"synthpriv {metric}", run, _times(run()[0], quick))
        for name, (prepare_peer, same_as) in others.items():
            try:
                run = prepare_peer(*frames, k, os.cpu_count())
                first = run()
                if first[0] >= 60:
                    yield Row(case, name, [first[0]], first[1], same_as)
                else:
                    yield repeat(case, name, run, _times(first[0], quick), same_as=same_as)
            except Exception as error:
                yield Row(case, name, [], note=f"{type(error).__name__}: {error}")
        for name, prepare_peer in (within or {}).items():
            run = prepare_peer(session.connection, k, os.cpu_count())
            yield repeat(case, name, run, _times(run()[0], quick), same_as="synthpriv euclidean")


def _times(seconds, quick):
    """The number of runs by the duration of the first: short ones need more runs for their median."""
    return 3 if quick or seconds > 10 else 5 if seconds > 0.5 else 25


def _types(kind):
    def select(session):
        rows = session.connection.execute("DESCRIBE queries").fetchall()
        return [name for name, type_, *_ in rows if (type_ == "VARCHAR") == (kind == "text")]

    return select


FAISS = {"faiss IndexFlatL2": (peers.faiss_flat, "synthpriv euclidean")}


def adult(quick):
    sizes = (10_000, 10_000) if quick else (50_000, 24_421)
    yield from beside("adult", lambda s: data.adult(s, *sizes), ("gower", "euclidean"), FAISS, quick)


def acs(quick):
    rows = 20_000 if quick else 147_621
    # faiss on missing numbers: a slightly different distance, so it is not compared.
    other = {"faiss IndexFlatL2": (peers.faiss_flat, "")}
    yield from beside("acs", lambda s: data.acs(s, rows), ("gower", "euclidean"), other, quick)


def acs_numbers(quick):
    rows = 20_000 if quick else 147_621
    other = {"faiss IndexFlatL2": (peers.faiss_flat, "")}
    yield from beside("acs-numbers", lambda s: data.acs(s, rows), ("euclidean",), other, quick, _types("number"))


def acs_categories(quick):
    rows = 20_000 if quick else 147_621
    yield from beside(
        "acs-categories", lambda s: data.acs(s, rows), ("hamming", "euclidean"), FAISS, quick, _types("text")
    )


def numbers(quick):
    rows = 20_000 if quick else 100_000
    yield from beside("numbers", lambda s: data.skewed_numbers(s, rows), ("euclidean",), FAISS, quick)


def dense(name, k, quick):
    table_to_table = {"faiss IndexFlatL2, table to table": peers.faiss_in_tables}
    yield from beside(
        dense_case(name, k), lambda s: data.dense(s, name), ("euclidean",), FAISS, quick, k=k, within=table_to_table
    )


def dense_case(name, k):
    return f"dense, {name}" + (f", k = {k}" if k > 1 else "")


def wide(quick):
    """Mixed tables of hundreds of columns, and only their numbers or categories; evaluate of 300 columns."""
    rows = 1_000 if quick else 4_000
    with synthpriv_sql.connect() as session:
        warm(session)
        for correlated in (False, True):
            for name, numbers_, categories in data.WIDE:
                data.wide(session, rows, numbers_, categories, correlated)
                for metric in ("gower", "euclidean"):
                    runs = [search(session, metric, 1, _types(kind)(session)) for kind in ("number", "text")]
                    runs.append(search(session, metric, 1))
                    spent = [min(_processor(run) for _ in range(4)) for run in runs]
                    who = f"synthpriv {metric} {name} columns, {'correlated' if correlated else 'independent'}"
                    note = (
                        f"processor time: numbers {spent[0]:.3f}, categories {spent[1]:.3f}, mixed {spent[2]:.3f} s, "
                        f"{spent[2] / (spent[0] + spent[1]):.2f} of the sum"
                    )
                    yield Row("wide", who, [spent[2]], note=note)
    yield _evaluated("wide", "evaluate wide", 1_000 if quick else 20_000)


def _processor(run):
    begin = time.process_time()
    run()
    return time.process_time() - begin


def embeddings(quick):
    """A column of vectors, the nearest neighbor of each; gower takes the same path with another scale."""
    rows = 5_000 if quick else 20_000
    other = {"faiss IndexFlatL2": (peers.faiss_vectors, "synthpriv euclidean")}
    yield from beside("embeddings", lambda s: data.embeddings(s, rows), ("gower", "euclidean"), other, quick, k=1)


def dcr(quick):
    rows = 1_000 if quick else 5_000
    others = {
        "sdmetrics calculate_dcr": (peers.sdmetrics_dcr, "synthpriv gower"),
        "scikit-learn NearestNeighbors": (peers.sklearn_neighbors, "synthpriv euclidean"),
        "syntheval": (peers.syntheval_gower, ""),
        "gower": (peers.gower_package, ""),
        "faiss IndexFlatL2": (peers.faiss_flat, "synthpriv euclidean"),
    }
    yield from beside("dcr", lambda s: data.adult(s, rows, rows), ("gower", "euclidean"), others, quick, k=1)


def growth(quick):
    sizes = (10_000, 30_000, 100_000) if quick else (100_000, 300_000, 1_000_000, 3_000_000)
    rows = []
    with synthpriv_sql.connect() as session:
        warm(session)
        for size in sizes:
            data.mixed(session, size)
            rows.append(
                repeat("growth", f"synthpriv gower {size:,}", search(session, "gower", 2), 3 if size < 10**6 else 1)
            )
            yield rows[-1]
    largest = 300_000 if quick else 10_000_000
    rows.append(_apart("growth", largest, "8GB"))
    yield rows[-1]
    exponent = np.polyfit(np.log([*sizes, largest]), np.log([row.seconds for row in rows]), 1)[0]
    yield Row("growth", "fitted exponent", [], note=f"{exponent:.2f}")


def growth_euclidean(quick):
    """The same tables with the euclidean distance, one neighbor."""
    with synthpriv_sql.connect() as session:
        warm(session)
        for size in (10_000, 30_000) if quick else (100_000, 300_000, 1_000_000):
            data.mixed(session, size)
            run = search(session, "euclidean", 1)
            yield repeat("growth-euclidean", f"synthpriv euclidean {size:,}", run, 3)


def _apart(case, rows, limit, same_as=""):
    """A search in a separate process, which reports its peak memory."""
    report = json.loads(_child("benchmarks.memory", str(rows), limit))
    note = f"peak {report['peak'] / 2**30:.2f} GB, of it tables and imports {report['before'] / 2**30:.2f} GB"
    who = f"synthpriv gower {rows:,}, limit {limit}"
    return Row(case, who, [report["seconds"]], report["total"], same_as, note)


def memory(quick):
    """Peak memory of a separate process with DuckDB limited to 2 GB; the distances must not depend on the limit."""
    rows = 100_000 if quick else 3_000_000
    for limit, same_as in (("2GB", ""), ("none", f"synthpriv gower {rows:,}, limit 2GB")):
        yield _apart("memory", rows, limit, same_as)


def exposed(quick):
    """exposure by agreement: 48,842 real records against 50,000 synthetic ones."""
    with synthpriv_sql.connect() as session:
        exposure.adult(session, 2_000)
        exposure.exposure(session)()
        exposure.adult(session, 5_000 if quick else None)
        for attack in ("agreement", "agreement_near"):
            run = exposure.exposure(session, attack)
            yield repeat("exposure", f"synthpriv {attack}", run, _times(run()[0], quick))
        frames = exposure.frames(session)
    run = exposure.brute_force(*frames)
    yield repeat("exposure", "numba, every pair", run, 1, same_as="synthpriv agreement")
    try:
        run = exposure.splink(*frames)
        row = repeat("exposure", "splink, DuckDB", run, 1)
        row.note = run.note
        yield row
    except ImportError as error:
        yield Row("exposure", "splink, DuckDB", [], note=f"{type(error).__name__}: {error}")


def exposed_acs(quick):
    """The same for 295,242 real records against 147,621 synthetic ones, in a separate process."""
    rows = 20_000 if quick else 147_621
    report = json.loads(_child("benchmarks.exposure", str(rows)))
    note = f"peak {report['peak'] / 2**30:.2f} GB, of it tables and imports {report['before'] / 2**30:.2f} GB"
    yield Row("exposure-acs", "synthpriv agreement", [report["seconds"]], report["total"], note=note)
    with synthpriv_sql.connect() as session:
        exposure.acs(session, rows)
        frames = exposure.frames(session)
    run = exposure.brute_force(*frames, every=100)
    yield repeat("exposure-acs", "numba, every pair", run, 1, note="of every 100th real record, times 100")


def forests(quick):
    """The random forest baseline, each table in a separate process; then the accuracy with fewer records per tree."""
    tables = (("numbers", 24, 3_000 if quick else 15_000), ("mixed", 14, 20_000 if quick else 1_000_000))
    for name, columns, rows in tables:
        report = json.loads(_child("benchmarks.baseline", name, str(rows)))
        note = f"peak {report['peak'] / 2**30:.2f} GB, of it tables and imports {report['before'] / 2**30:.2f} GB"
        yield Row("baseline", f"synthpriv {rows:,} × {columns}", [report["seconds"]], note=note)
    for name in ("adult", "acs"):
        rows = 4_000 if quick else 15_000
        done = list(baseline.quality(name, rows, 20 if quick else 100))
        for who, (seconds, found) in zip(("default", "all records a tree"), done, strict=True):
            listed = ", ".join(f"{column} {error:.4f}" for column, error in found.items())
            yield Row("baseline", f"synthpriv {name} {rows:,}, {who}", [seconds], note=f"errors out of bag: {listed}")


def spark(quick):
    """DuckDB and Spark clusters of executors with one core each: the fixed cost of a call, and the cost per record."""
    if shutil.which("java") is None:
        yield Row("spark", "synthpriv Spark", [], note="no Java on this machine")
        return
    sizes = (1_000, 10_000, 30_000) if quick else (1_000, 250_000, 1_000_000)
    cores = os.cpu_count()
    with tempfile.TemporaryDirectory() as folder:
        folders = [f"{folder}/{rows}" for rows in sizes]
        with synthpriv_sql.connect() as session:
            warm(session)
            for rows, place in zip(sizes, folders, strict=True):
                Path(place).mkdir()
                _exported(session, place, rows)
            for threads in (1, 2):
                session.connection.execute(f"SET threads = {threads}")
                runs = [_from_files(session, place) for place in folders]
                rows_ = [repeat("spark", f"synthpriv DuckDB, {threads} threads", run, 3) for run in runs]
                yield from _growing(rows_, sizes)
        for executors in (1, 2, 4):
            shared = f"{executors} executors share {cores} cores" if executors > cores else ""
            who = f"synthpriv Spark, {executors} executors"
            reports = _on_spark(executors, 2048, 3, *folders)
            rows_ = [_of_spark("spark", who, place, line) for place, line in zip(folders, reports, strict=True)]
            yield from _growing(rows_, sizes, shared, "synthpriv DuckDB, 1 threads")


def _growing(rows, sizes, note="", same_as=""):
    """Rows of one contestant at several sizes, the last with the time per record beyond the second size."""
    (_, less, more), (_, fewer, most) = rows, sizes
    each = (more.seconds - less.seconds) / (most - fewer) * 1e6
    more.note = "; ".join(filter(None, [f"{each:.1f} µs a record beyond {fewer:,}", more.note, note]))
    for row, size in zip(rows, sizes, strict=True):
        row.who += f", {size:,}"
        row.same_as = f"{same_as}, {size:,}" if same_as else ""
        yield row


def spark_memory(quick):
    """Tables larger than the memory of a Spark executor."""
    if shutil.which("java") is None:
        yield Row("spark-memory", "synthpriv Spark", [], note="no Java on this machine")
        return
    rows = 30_000 if quick else 4_000_000
    with tempfile.TemporaryDirectory() as folder:
        with synthpriv_sql.connect() as session:
            warm(session)
            _exported(session, folder, rows)
            yield repeat("spark-memory", "synthpriv DuckDB", _from_files(session, folder), 1)
        (line,) = _on_spark(2, 512, 1, folder)
        row = _of_spark("spark-memory", "synthpriv Spark, 2 executors of 512 MB", folder, line)
        row.same_as = "synthpriv DuckDB"
        yield row


def _exported(session, folder, rows):
    data.mixed(session, rows)
    for name in ("queries", "reference"):
        session.connection.execute(f"COPY {name} TO '{folder}/{name}.parquet'")


def _from_files(session, folder):
    def run():
        start = time.perf_counter()
        result = session.dcr(f"{folder}/queries.parquet", f"{folder}/reference.parquet")
        return time.perf_counter() - start, float(np.sum(result.to_arrow()["dcr"].to_numpy()))

    return run


def _on_spark(executors, memory, times, *folders):
    """The results of a cluster for each folder, as lines of JSON."""
    said = _child("benchmarks.spark", str(executors), str(memory), str(times), *folders).splitlines()
    return [line for line in said if line.startswith("{")]


def _of_spark(case, who, folder, line):
    report = json.loads(line)
    files = sum(file.stat().st_size for file in Path(folder).glob("*.parquet"))
    note = (
        f"largest executor {report['peak'] / 2**30:.2f} GB with its Python, tables {files / 2**30:.2f} GB as Parquet, "
        f"{report['moved']} rows moved"
    )
    return Row(case, who, report["runs"], report["total"], note=note)


def start(quick):
    """Whole processes: the first call with an empty cache of compiled code, warm calls, and the import."""
    with tempfile.TemporaryDirectory() as folder:
        with synthpriv_sql.connect() as session:
            data.adult(session, 2_000, 2_000)
            for name in ("queries", "reference"):
                session.connection.execute(f"COPY {name} TO '{folder}/{name}.parquet'")
        command = ["-c", "from synthpriv_sql.cli.commands import main; main()", "dcr", "--format", "csv"]
        command += ["--synthetic", f"{folder}/queries.parquet", "--train", f"{folder}/reference.parquet"]
        empty = {"NUMBA_CACHE_DIR": f"{folder}/cache"}
        yield Row("start", "synthpriv dcr, first call", [_timed(command, empty)])
        times = 3 if quick else 7
        yield Row("start", "synthpriv dcr, 2,000 rows", [_timed(command, empty) for _ in range(times)])
        imported = ["-c", "import synthpriv_sql"]
        nothing = statistics.median(_timed(["-c", "pass"], {}) for _ in range(times))
        runs = [_timed(imported, {}) - nothing for _ in range(times)]
        yield Row("start", "import synthpriv_sql", runs, note=f"beyond python itself ({nothing:.3f} s)")


def _timed(command, environment):
    begin = time.perf_counter()
    _run(command, environment)
    return time.perf_counter() - begin


def uniques(quick):
    """Adult; ACS thirds, 528 combinations; 1,000,000 records three times, in separate processes."""
    with synthpriv_sql.connect() as session:
        exposure.adult(session, 2_000)
        exposure.exposure(session, "uniques")()
        exposure.adult(session, 5_000 if quick else None)
        run = exposure.exposure(session, "uniques")
        yield repeat("uniques", "synthpriv adult", run, _times(run()[0], quick))
    for who, rows, tables in (
        ("acs thirds", 20_000 if quick else 98_414, "acs"),
        ("100,000 three times", 100_000, "mixed"),
        ("1,000,000 three times", 200_000 if quick else 1_000_000, "mixed"),
    ):
        found = [json.loads(_child("benchmarks.exposure", str(rows), "uniques", tables)) for _ in range(3)]
        note = f"peak {max(report['peak'] for report in found) / 1e9:.2f} GB"
        yield Row("uniques", f"synthpriv {who}", [report["seconds"] for report in found], found[0]["total"], note=note)


def learned(quick):
    """Adult and midst_1, and ACS thirds in a separate process."""
    with synthpriv_sql.connect() as session:
        for table in ("adult_synthpop", "midst_1"):
            attacks.write(session, table, not quick)
            run = exposure.exposure(session, "learned")
            run()
            yield repeat("learned", f"synthpriv {table}", run, 3)
    report = json.loads(_child("benchmarks.exposure", str(5_000 if quick else 98_414), "learned", "acs"))
    note = f"peak {report['peak'] / 1e9:.2f} GB"
    yield Row("learned", "synthpriv acs thirds", [report["seconds"]], report["total"], note=note)


def attacked(quick):
    """Attacks of this package and from the literature on samples, and those of this package on all rows."""
    for table in attacks.TABLES:
        with synthpriv_sql.connect() as session:
            attacks.write(session, table, whole=False)
            for name, seconds, found in attacks.ours_on(session, ("synthetic", "train", "holdout")):
                yield Row("attacks", f"synthpriv {name}, {table}", [seconds], note=f"sample; {attacks.note(*found)}")
            for name, seconds, found in attacks.peers_on(table):
                yield Row("attacks", f"{name}, {table}", [seconds], note=f"sample; {attacks.note(*found)}")
            if quick:
                continue
            attacks.write(session, table, whole=True)
            for name, seconds, found in attacks.ours_on(session, ("synthetic", "train", "holdout")):
                yield Row("attacks", f"synthpriv {name}, all of {table}", [seconds], note=attacks.note(*found))


def names(quick):
    """Shares of false identifications at a false discovery rate of 5 %, and identifications without a leak."""
    with synthpriv_sql.connect() as session:
        for attack in attacks.OURS:
            begin = time.perf_counter()
            named, false = attacks.false_names(session, attack, 3 if quick else 12)
            draws = 5 if quick else 20 if attack == "learned" else 200
            hits = attacks.named_without_a_leak(session, attack, draws)
            note = f"{named:.0f} named, {100 * false:.1f} % of them falsely; without a leak in {hits} of {draws} draws"
            yield Row("names", f"synthpriv {attack}", [time.perf_counter() - begin], note=note)


def verdicts(quick):
    """The verdict on tables whose truth is known, and a summary."""
    detectable, named_safe, safe = [], 0, []
    with synthpriv_sql.connect() as session, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for specimen in zoo.SPECIMENS:
            found = [
                _judged(session, specimen, seed) for seed in range(1 if quick or specimen.truth != zoo.SAFE else 8)
            ]
            if specimen.truth == zoo.SAFE:
                safe += [one.level for one in found]
                named_safe += sum(one.named > 0 for one in found)
            elif specimen.truth == zoo.LEAK and found[0].auc > 0.6:
                detectable.append(found[0].level)
            yield _verdict_row("verdict", specimen, found)
    note = f"bad {detectable.count('bad')} of {len(detectable)}"
    yield Row("verdict", "leaks that an attack tells with an AUC above 0.6", [], note=note)
    note = f"not bad {len(safe) - safe.count('bad')} of {len(safe)}; somebody named in {named_safe}"
    yield Row("verdict", "safe draws", [], note=note)


def verdicts_of_few(quick):
    """The verdict on leaks of few people, seen holdouts, no holdout, and on many safe draws."""
    found = []
    with synthpriv_sql.connect() as session, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place, specimen in enumerate(few.specimens()):
            if quick and specimen.rows > 3_000:
                continue
            # Each safe draw has people of its own, so that chance does not repeat itself.
            draws = few.DRAWS * place + np.arange(2 if quick else few.DRAWS) if specimen.truth == zoo.SAFE else [0]
            found.append((specimen, [_judged(session, specimen, int(seed)) for seed in draws]))
            yield _verdict_row("few", *found[-1])
    yield from few_sums(found)


def few_sums(found):
    """Rows that sum up verdicts on leaks of few people and on safe tables."""
    leaks = [(specimen, one) for specimen, (one, *_) in found if specimen.truth == zoo.LEAK]
    levels = Counter(one.level for specimen, one in leaks if few.is_expected(specimen, one.come_back))
    note = f"bad {levels['bad']} of {levels.total()}"
    yield Row("few", f"leaks of {few.FEWEST} people or more that can be told, and without a holdout", [], note=note)
    levels = Counter(one.level for _, one in leaks)
    yield Row("few", "all leaks", [], note=f"bad {levels['bad']} of {levels.total()}")
    unfit = Counter(one.level for specimen, drawn in found if specimen.truth == zoo.UNFIT for one in drawn)
    yield Row("few", zoo.UNFIT, [], note=f"not good {unfit.total() - unfit['good']} of {unfit.total()}")
    safe = [one for specimen, drawn in found if specimen.truth == zoo.SAFE for one in drawn]
    levels = Counter(one.level for one in safe)
    note = f"{', '.join(f'{level} {n}' for level, n in levels.items())} of {len(safe)}; at_least above 0 in "
    yield Row("few", "safe draws", [], note=f"{note}{sum(one.at_least > 0 for one in safe)}")


def remedied(quick):
    """People given away and the loss after a remedy, after k-anonymity by the same ladders, and after removal alone."""
    for name, found in remedies.remedies(quick):
        yield Row("remedies", f"{name}: {found.who}", [found.seconds] if found.seconds else [], note=found.note)


def generated(quick):
    """What attacks and the verdict say of tables of published generators, which `make generated` makes."""
    for one in released.judged(quick):
        yield Row("generators", one.who, [one.seconds], note=one.note)


def _verdict_row(case, specimen, found):
    levels = Counter(one.level for one in found)
    note = (
        f"{' and '.join(f'{level} {n}' if len(found) > 1 else level for level, n in levels.items())}; "
        f"{sum(one.named for one in found):,.0f} named; at least {max(one.at_least for one in found):,.0f}; worst AUC "
        f"{max(one.auc for one in found):.3f}"
    )
    if found[0].come_back is not None:
        note += "; come back: {:,} of train, {:,} of the holdout".format(*found[0].come_back)
    return Row(case, f"{specimen.truth}: {specimen.name}, {specimen.of}", [one.seconds for one in found], note=note)


@dataclass
class _Verdict:
    level: str
    named: float
    at_least: float
    auc: float
    seconds: float
    come_back: tuple[int, int] | None

    @classmethod
    def of(cls, result, tables, seconds):
        numbers = {(r["metric"], r["variant"], r["statistic"]): r["value"] for r in result}
        aucs = [v for (m, _, s), v in numbers.items() if (m, s) == ("membership", "auc") and v is not None]
        given = [numbers.get(("exposure", None, name)) or 0 for name in ("exposed", "at_least")]
        level = result.verdict.level
        return cls(level, *given, max(aucs, default=0.5), seconds, few.known(*tables))


def _judged(session, specimen, seed):
    tables = zoo.drawn(specimen, seed)
    options = {"exclude": ["mail"]} if "mail" in tables[0] else {}
    begin = time.perf_counter()
    result = session.evaluate(*(table for table in tables if table is not None), **options)
    return _Verdict.of(result, tables, time.perf_counter() - begin)


def _child(module, *arguments):
    return _run(["-m", module, *arguments], {}).stdout


def _run(command, environment):
    return subprocess.run(
        [sys.executable, *command],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[1],
        env={**os.environ, **environment},
    )


def page(quick):
    """The evaluation of Adult, with 50,000 synthetic records, and its report page."""
    with synthpriv_sql.connect() as session, tempfile.TemporaryDirectory() as folder:
        exposure.adult(session, 2_000 if quick else None)
        tables = "synthetic", "train", "holdout"
        runs = {
            "synthpriv evaluate": lambda: session.evaluate(*tables).to_arrow(),
            "synthpriv report": lambda: session.report(f"{folder}/page.html", *tables),
        }
        for who, run in runs.items():
            yield Row("page", who, [_lasting(run) for _ in range(3)])


def evaluation(quick):
    """evaluate and report of three tables of 12 columns, each in a separate process, with the duration of its parts."""
    sizes = (5_000, 20_000) if quick else (250_000, 1_000_000)
    seconds = {}
    for what in ("evaluate", "report", "evaluate independent"):
        for rows in sizes[:1] if what.endswith("independent") else sizes:
            row = _evaluated("evaluation", what, rows)
            seconds[what, rows] = row.seconds
            yield row
    for what in ("evaluate", "report"):
        exponent = math.log(seconds[what, sizes[1]] / seconds[what, sizes[0]]) / math.log(sizes[1] / sizes[0])
        yield Row("evaluation", f"exponent of {what}", [], note=f"{exponent:.2f}")
    more = seconds["report", sizes[1]] - seconds["evaluate", sizes[1]]
    yield Row("evaluation", "report beyond evaluate", [], note=f"{more:.1f} s of {sizes[1]:,} three times")


def _evaluated(case, what, rows):
    """An evaluation in a separate process, with the duration of its parts."""
    report = json.loads(_child("benchmarks.evaluation", what, str(rows)))
    parts = ", ".join(f"{part} {spent:.1f}" for part, spent in report["parts"].items())
    note = (
        f"peak {report['peak'] / 1e9:.2f} GB, of it tables and imports {report['before'] / 1e9:.2f} GB; "
        f"{report['processor']:.0f} s of the processors; {parts}"
    )
    return Row(case, f"synthpriv {what}, {rows:,} three times", [report["seconds"]], note=note)


def _lasting(run):
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def planned(quick):
    for who, runs in planning.measured(quick):
        yield Row("planning", who, runs, note="CPU seconds")


def text(quick):
    """Names and addresses with typos, by attacks beside LevAtt; and how long columns of texts take."""
    for measured in (texts.measured, texts.timed):
        for who, seconds, note in measured(quick):
            yield Row("text", who, [seconds], note=note)


def disclosed(quick):
    with synthpriv_sql.connect() as session:
        disclosure.prepare(session, 100_000 if quick else 10_000_000)
        contestants = {"GROUP BY of both tables alone": disclosure.bare, "synthpriv disclosure": disclosure.disclosure}
        runs = {who: prepared(session) for who, prepared in contestants.items()}
        for run in runs.values():
            run()  # pages and catalog
        seconds = {who: [] for who in runs}
        for _ in range(3):  # in turns, so that other load on the machine affects both
            for who, run in runs.items():
                seconds[who].append(run()[0])
        return [Row("disclosure", who, listed) for who, listed in seconds.items()]


CASES = {
    "adult": adult,
    "acs": acs,
    "acs-numbers": acs_numbers,
    "acs-categories": acs_categories,
    "numbers": numbers,
    **{dense_case(name, k): partial(dense, name, k) for name in data.DENSE for k in data.NEIGHBORS.get(name, (1,))},
    "embeddings": embeddings,
    "wide": wide,
    "dcr": dcr,
    "growth": growth,
    "growth-euclidean": growth_euclidean,
    "memory": memory,
    "exposure": exposed,
    "exposure-acs": exposed_acs,
    "uniques": uniques,
    "learned": learned,
    "attacks": attacked,
    "names": names,
    "verdict": verdicts,
    "few": verdicts_of_few,
    "generators": generated,
    "remedies": remedied,
    "disclosure": disclosed,
    "text": text,
    "baseline": forests,
    "spark": spark,
    "spark-memory": spark_memory,
    "page": page,
    "evaluation": evaluation,
    "start": start,
    "planning": planned,
}

ALSO = {"verdict": ["few"]}
"""Cases that are run with another one."""

ADDED_TO = ("generators",)
"""Cases that keep the rows of other runs: tables that take hours to make, of which a machine has some."""
