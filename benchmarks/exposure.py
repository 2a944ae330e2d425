"""exposure on tables `synthetic`, `train` and `holdout`: this package and other tools.

As a program (`python -m benchmarks.exposure ROWS`) it measures ACS in a separate process, for its peak memory.
"""

import json
import sys
import time

import numba
import numpy as np
import pandas as pd

import synthpriv_sql
from benchmarks import data, machine


def adult(session, rows=None):
    limit = "" if rows is None else f" LIMIT {rows}"
    for name, file in (("train", "adult_trn"), ("holdout", "adult_val"), ("synthetic", "adult_synthpop")):
        session.connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM '{data.DATA}/{file}.csv.gz'{limit}")


def acs(session, rows=147_621):
    """Two shuffled halves as train and holdout; each cell of a synthetic record comes from one of two train records."""
    data.acs(session, rows)
    connection = session.connection
    for name, half in (("train", "queries"), ("holdout", "reference")):
        connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM {half}")
        connection.execute(f"DROP TABLE {half}")
    columns = [name for name, *_ in connection.execute("DESCRIBE train").fetchall()]
    cells = [
        f'CASE WHEN hash(one.n * 64 + {i}) % 2 = 0 THEN one."{name}" ELSE other."{name}" END AS "{name}"'
        for i, name in enumerate(columns)
    ]
    connection.execute(
        f"""CREATE OR REPLACE TABLE synthetic AS
        WITH numbered AS (SELECT row_number() OVER () - 1 AS n, * FROM train)
        SELECT {", ".join(cells)} FROM numbered AS one
        JOIN numbered AS other ON other.n = (one.n * 7919 + {data.SEED}) % {rows} ORDER BY hash(one.n)"""
    )


def exposure(session, attack="agreement"):
    sql = (
        "CREATE OR REPLACE TABLE result AS "
        f"FROM synthpriv.exposure('synthetic', 'train', 'holdout', attack := '{attack}')"
    )

    def run():
        start = time.perf_counter()
        session.connection.execute(sql)
        seconds = time.perf_counter() - start
        ((total,),) = session.connection.execute("SELECT sum(score) FROM result").fetchall()
        return seconds, total

    return run


def frames(session):
    return [session.connection.execute(f"FROM {name}").df() for name in ("synthetic", "train", "holdout")]


@numba.njit(parallel=True)
def _most_bits(real, synthetic, bits, out):
    for i in numba.prange(len(real)):
        best = 0.0
        for k in range(len(synthetic)):
            total = 0.0
            for j in range(real.shape[1]):
                if real[i, j] == synthetic[k, j]:
                    total += bits[i, j]
            if total > best:
                best = total
        out[i] = best


def brute_force(synthetic, train, holdout, every=1):
    """Plain loops over all pairs, with the real records divided among threads; only every `every`-th real record."""
    real = pd.concat([train, holdout], ignore_index=True)
    codes, bits = [], []
    for name in real.columns:
        numbers, _ = pd.factorize(pd.concat([real[name], synthetic[name]]), use_na_sentinel=False)
        counts = np.bincount(numbers[: len(real)], minlength=numbers.max() + 1)
        codes.append(numbers.astype(np.int32))
        bits.append(-np.log2(counts[numbers[: len(real)]] / len(real)))
    codes, bits = np.column_stack(codes), np.column_stack(bits)
    asked, worth, there = codes[: len(real) : every].copy(), bits[::every].copy(), codes[len(real) :].copy()
    out = np.empty(len(asked))
    _most_bits(asked[:2], there[:2], worth[:2], out[:2])

    def run():
        start = time.perf_counter()
        _most_bits(asked, there, worth, out)
        seconds = (time.perf_counter() - start) * every
        return seconds, float(out[: -(-len(train) // every)].sum())

    return run


def splink(synthetic, train, holdout):
    """splink's DuckDB linker: exact matches of every column with term frequency adjustments.

    It scores only the pairs that pass its blocking rules, with weights that it estimates.
    """
    import duckdb
    import splink.comparison_library as levels
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    tables = [
        table.rename(columns=lambda name: name.replace("-", "_")).assign(unique_id=np.arange(len(table)))
        for table in (pd.concat([train, holdout], ignore_index=True), synthetic)
    ]
    columns = [name for name in tables[0].columns if name != "unique_id"]
    # With wider blocks, such as education, hours and race, it did not finish within four minutes.
    rules = [
        block_on(*names)
        for names in (("fnlwgt",), ("age", "occupation", "education"), ("age", "education", "hours_per_week"))
    ]

    def run():
        connection = duckdb.connect()
        for name, table in zip(("real_records", "synthetic_records"), tables, strict=True):
            connection.register("incoming", table)
            connection.execute(f"CREATE TABLE {name} AS FROM incoming")
        database = DuckDBAPI(connection)
        start = time.perf_counter()
        settings = SettingsCreator(
            link_type="link_only",
            comparisons=[levels.ExactMatch(name).configure(term_frequency_adjustments=True) for name in columns],
            blocking_rules_to_generate_predictions=rules,
            retain_matching_columns=False,
        )
        both = [database.register(name) for name in ("real_records", "synthetic_records")]
        linker = Linker(both, settings, log_level=40)
        linker.training.estimate_u_using_random_sampling(max_pairs=1e6)
        linker.training.estimate_parameters_using_expectation_maximisation(block_on("age", "education"))
        pairs = linker.inference.predict().physical_name
        ((records, total),) = connection.execute(
            f"""SELECT count(*), sum(best) FROM (
                SELECT max(match_weight) AS best FROM {pairs} GROUP BY unique_id_l
            )"""
        ).fetchall()
        run.note = f"approximate: {records:,} of {len(tables[0]):,} records in blocks, its own weights"
        return time.perf_counter() - start, total

    run.note = ""
    return run


def mixed_people(session, rows):
    """Twelve columns of numbers and categories, with few or many distinct values."""
    for seed, name in enumerate(("synthetic", "train", "holdout")):
        random = np.random.default_rng((data.SEED, seed))
        columns = {f"i{n}": random.integers(0, n, rows) for n in (10, 100, 1_000, 20_000)}
        columns |= {f"f{digits}": random.normal(size=rows).round(digits) for digits in (1, 2, 3)}
        columns |= {f"c{n}": np.char.add("v", random.integers(0, n, rows).astype(str)) for n in (2, 5, 50, 500, 5_000)}
        session.connection.register("incoming", pd.DataFrame(columns))
        session.connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM incoming")
        session.connection.unregister("incoming")


def main():
    rows, attack, tables = int(sys.argv[1]), *(sys.argv[2:] or ["agreement", "acs"])
    prepare = {"acs": acs, "mixed": mixed_people}[tables]
    with synthpriv_sql.connect() as session:
        prepare(session, 2_000)
        exposure(session, attack)()
        prepare(session, rows)
        before = machine.most()
        seconds, total = exposure(session, attack)()
        peak = machine.most()
        print(json.dumps({"seconds": seconds, "total": total, "before": before, "peak": peak}))


if __name__ == "__main__":
    main()
