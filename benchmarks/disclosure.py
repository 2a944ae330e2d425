"""Disclosure of two tables of 10 million rows, compared with the two GROUP BYs that it needs at least."""

import time

from benchmarks.discernibility import PEOPLE

QUASI_IDENTIFIERS = ["age", "sex", "zip"]
TARGET = "occupation"


def prepare(session, rows):
    """Create the tables `train` and `synthetic`, with about 3 rows per person."""
    for seed, name in ((7, "train"), (8, "synthetic")):
        session.connection.execute(PEOPLE.replace("TABLE people", f"TABLE {name}"), {"rows": rows, "seed": seed})


def bare(session):
    """GROUP BY the quasi-identifiers and the target on both tables; each returns a single row."""
    columns = ", ".join([*QUASI_IDENTIFIERS, TARGET])

    def run():
        start = time.perf_counter()
        for table in ("train", "synthetic"):
            grouped = f"SELECT count(*) AS size FROM {table} GROUP BY {columns}"
            session.connection.execute(f"SELECT max(size), count(*) FROM ({grouped})").fetchall()
        return time.perf_counter() - start, None

    return run


def disclosure(session):
    def run():
        start = time.perf_counter()
        session.disclosure("synthetic", "train", QUASI_IDENTIFIERS, targets=[TARGET]).fetchall()
        return time.perf_counter() - start, None

    return run
