"""Tables to search: `queries` and `reference` in the database of a session, generated or from ../shared/data."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

DATA = Path(__file__).parents[2] / "shared" / "data"
SEED = 20


def _write(session, **tables):
    for name, table in tables.items():
        session.connection.register("incoming", table)
        session.connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM incoming")
        session.connection.unregister("incoming")


def adult(session, queries=50_000, reference=24_421):
    for name, file, rows in (("queries", "adult_mostly", queries), ("reference", "adult_trn", reference)):
        session.connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM '{DATA}/{file}.csv.gz' LIMIT {rows}")


def acs(session, rows=147_621):
    """Two shuffled halves, or the first rows of each."""
    session.connection.execute(
        f"""CREATE OR REPLACE TEMP TABLE acs AS SELECT * EXCLUDE (number) FROM (
            SELECT *, row_number() OVER () AS number FROM '{DATA}/acs_income.parquet'
        ) ORDER BY hash(number + {SEED})"""
    )
    for name, start in (("queries", 0), ("reference", 147_621)):
        session.connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM acs LIMIT {rows} OFFSET {start}")
    session.connection.execute("DROP TABLE acs")


def skewed_numbers(session, rows=100_000, columns=24):
    """Correlated and skewed: eight common factors, exponentiated."""
    random = np.random.default_rng(SEED)
    mix = random.normal(size=(8, columns))
    tables = {}
    for name in ("queries", "reference"):
        values = np.exp(random.normal(size=(rows, 8)) @ mix / 4 + random.normal(size=(rows, columns)) / 4)
        tables[name] = pa.table({f"n{i}": values[:, i] for i in range(columns)})
    _write(session, **tables)


def _normals(columns):
    return lambda random, rows: random.normal(size=(rows, columns))


def _of_rank_ten(random, rows):
    return random.normal(size=(rows, 10)) @ np.random.default_rng(SEED).normal(size=(10, 100))


def _clusters(random, rows):
    centers = np.random.default_rng(SEED).normal(size=(50, 40)) * 3
    return centers[random.integers(0, 50, rows)] + random.normal(size=(rows, 40))


# Data for which bounds exclude little or nothing: number of rows, and how they are drawn.
DENSE = {
    **{f"{columns} normals": (20_000, _normals(columns)) for columns in (8, 16, 32, 64, 128)},
    "rank 10 of 100": (20_000, _of_rank_ten),
    "50 clusters of 40": (20_000, _clusters),
    "12 heavy-tailed": (50_000, lambda random, rows: random.standard_t(2, size=(rows, 12))),
    **{f"10 normals, {rows:,} rows": (rows, _normals(10)) for rows in (500, 1_000, 5_000, 50_000, 100_000)},
}

NEIGHBORS = {"50 clusters of 40": (1, 10)}
"""The number of neighbors, if not 1."""


def dense(session, name):
    """Numbers without structure for bounds to exploit."""
    rows, draw = DENSE[name]
    random = np.random.default_rng(SEED)
    tables = {}
    for table in ("queries", "reference"):
        values = draw(random, rows)
        tables[table] = pa.table({f"n{i}": values[:, i] for i in range(values.shape[1])})
    _write(session, **tables)


def embeddings(session, rows, components=384):
    """One column of vectors, like embeddings of texts on 200 topics, without low rank or structure for bounds."""
    random = np.random.default_rng(SEED)
    topics = random.normal(size=(200, components))
    tables = {}
    for table in ("queries", "reference"):
        values = topics[random.integers(0, 200, rows)] + random.normal(size=(rows, components))
        flat = pa.array(values.astype(np.float32).reshape(-1))
        tables[table] = pa.table({"embedding": pa.FixedSizeListArray.from_arrays(flat, components)})
    _write(session, **tables)


def mixed(session, rows, names=("queries", "reference"), categories=7):
    """Numbers around the centers of 50 groups, and categories that depend on the group: 14 columns with all of them."""
    random = np.random.default_rng(SEED)
    centers = random.normal(size=(50, 7)) * 3
    favorites = random.integers(0, 1000, size=(50, 7))
    sizes = [2, 3, 5, 8, 12, 20, 60]
    tables = {}
    for name in names:
        group = random.choice(50, size=rows, p=(weights := 1 / np.arange(1, 51)) / weights.sum())
        columns = {f"n{i}": np.round(centers[group, i] + random.normal(size=rows), 3) for i in range(7)}
        for i, size in enumerate(sizes[:categories]):
            drawn = (random.random(rows) ** 2 * size).astype(np.int64)
            codes = np.where(random.random(rows) < 0.7, favorites[group, i] % size, drawn)
            words = pa.array([f"c{i}_{code}" for code in range(size)])
            columns[f"c{i}"] = words.take(pa.array(codes))
        tables[name] = pa.table(columns)
    _write(session, **tables)


WIDE = (("150 + 100", 150, 100), ("100 + 150", 100, 150), ("10 + 290", 10, 290), ("600 + 400", 600, 400))
"""The numbers of numeric and categorical columns of wide tables."""


def wide(session, rows, numbers, categories, correlated, names=("queries", "reference")):
    """Hundreds of columns, independent or driven by twelve common factors."""
    random, mix = np.random.default_rng(SEED), np.random.default_rng(SEED + 1).normal(size=(12, numbers + categories))
    sizes = [2, 3, 5, 8, 12, 20, 60]
    tables = {}
    for name in names:
        drawn = random.normal(size=(rows, numbers + categories))
        if correlated:
            drawn = 0.7 * drawn + 0.3 * random.normal(size=(rows, 12)) @ mix
        columns = {f"n{i}": np.round(drawn[:, i], 3) for i in range(numbers)}
        for i in range(categories):
            size = sizes[i % len(sizes)]
            codes = np.clip((drawn[:, numbers + i] + 3) / 6 * size, 0, size - 1).astype(np.int64)
            columns[f"c{i}"] = pa.array([f"c{i}_{code}" for code in range(size)]).take(pa.array(codes))
        tables[name] = pa.table(columns)
    _write(session, **tables)


def of_kinds(session, rows, columns, dependent):
    """Integers, amounts, dates, categories of skewed size, flags and counts in turn; independent, or of six factors."""
    mix = np.random.default_rng(SEED + 1).normal(size=(6, columns))
    mix *= np.sqrt(0.6 if dependent else 0) / np.linalg.norm(mix, axis=0)
    for seed, name in enumerate(("synthetic", "train", "holdout")):
        random = np.random.default_rng((SEED, seed))
        factors = random.normal(size=(rows, 6))
        made = {}
        for i in range(columns):
            z = factors @ mix[:, i] + np.sqrt(1 - np.sum(mix[:, i] ** 2)) * random.normal(size=rows)
            size = (3, 12, 60, 500)[i // 6 % 4]
            made[f"column_{i}"] = (
                lambda z: (45 + 15 * z).round().astype(np.int64),
                lambda z: np.exp(8 + z).round(2),
                lambda z: np.datetime64("1980-01-01") + (4_000 * z).astype("timedelta64[D]"),
                lambda z, size=size: np.char.add("v", (size * np.exp(-np.abs(z) * 2)).astype(int).astype(str)),
                lambda z: z > 1,
                lambda z: (2 + 1.5 * z).round().clip(0).astype(np.int64),
            )[i % 6](z)
        _write(session, **{name: pa.table(made)})


def registered(seed, rows):
    """People as a register has them: dates, amounts, places and jobs of very different frequency."""
    random = np.random.default_rng(seed)
    job = random.zipf(1.4, rows).clip(max=120)
    born = np.datetime64("1935-01-01") + random.integers(0, 70 * 365, rows).astype("timedelta64[D]")
    age = (np.datetime64("2026-01-01") - born).astype(int) // 365
    income = (np.exp(random.normal(9.8 + 0.004 * age + 0.003 * job, 0.5)) / 10).round() * 10
    return pd.DataFrame(
        {
            "born": born,
            "postcode": [f"{code:05}" for code in random.zipf(1.2, rows).clip(max=4_000) * 7 % 10_000],
            "job": [f"job {number}" for number in job],
            "employer": random.zipf(1.3, rows).clip(max=900),
            "income": income,
            "savings": np.where(random.random(rows) < 0.4, 0, (income * random.exponential(0.6, rows)).round()),
            "children": random.poisson(0.6 + (age > 30), rows),
            "status": random.choice(["single", "married", "divorced", "widowed"], rows, p=[0.35, 0.45, 0.14, 0.06]),
            "weight": (random.normal(72, 12, rows)).round(1),
            "smokes": random.random(rows) < 0.2,
        }
    )
