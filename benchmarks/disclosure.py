"""Disclosure by groups of two tables of 10 million rows, beside the two GROUP BYs that it cannot do without."""

import time

from benchmarks.discernibility import PEOPLE

QUASI_IDENTIFIERS = ["age", "sex", "zip"]
TARGET = "occupation"


def prepare(session, rows):
    """Tables `train` and `synthetic`, with about 3 rows for each person that is drawn."""
    for seed, name in ((7, "train"), (8, "synthetic")):
        session.connection.execute(PEOPLE.replace("TABLE people", f"TABLE {name}"), {"rows": rows, "seed": seed})


def bare(session):
    """Both tables in groups of the quasi-identifiers and the target; one number of each comes out."""
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
