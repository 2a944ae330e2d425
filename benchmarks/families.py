"""Membership of families in a separate process: python -m benchmarks.families [PERSONS] [ATTACK …].

By default 1,000 persons in each of three tables, with three rows of a table of visits each, and the five attacks
`distance`, `ratio`, `density`, `agreement` and `learned`. A fifth of the synthetic persons are persons of train with
all of their visits. A call on 220 persons before it compiles what is compiled once. Printed as JSON are seconds and
processor seconds: the latter can be compared on a machine that does other work as well.
"""

import json
import sys
import time
import warnings

import numpy as np
import pyarrow as pa

import synthpriv_sql
from benchmarks import data

SIDES = ("synthetic", "train", "holdout")
ATTACKS = ("distance", "ratio", "density", "agreement", "learned")
VISITS = 3


def drawn(random, persons, first):
    """Persons, named from a number on, and their visits."""
    who = first + np.arange(persons)
    towns = pa.array([f"town {i}" for i in range(40)])
    kinds = pa.array([f"kind {i}" for i in range(12)])
    people = pa.table(
        {
            "person": who,
            "age": random.integers(18, 90, persons),
            "income": random.lognormal(10, 0.6, persons).round(-1),
            "town": towns.take(pa.array(random.integers(0, 40, persons))),
            "sex": pa.array(["f", "m"]).take(pa.array(random.integers(0, 2, persons))),
        }
    )
    visits = pa.table(
        {
            "person": np.repeat(who, VISITS),
            "day": random.integers(0, 3650, VISITS * persons),
            "cost": random.lognormal(4, 1, VISITS * persons).round(2),
            "kind": kinds.take(pa.array(random.integers(0, 12, VISITS * persons))),
        }
    )
    return people, visits


def fill(session, persons):
    """Create the tables: train and holdout of one distribution, and synthetic with a fifth of train."""
    random = np.random.default_rng(data.SEED)
    tables = {side: drawn(random, persons, persons * i) for i, side in enumerate(SIDES)}
    copied = persons // 5
    tables["synthetic"] = tuple(
        pa.concat_tables([train.slice(0, copied * rows), own.slice(copied * rows)])
        for rows, own, train in zip((1, VISITS), tables["synthetic"], tables["train"], strict=True)
    )
    for side, both in tables.items():
        for name, table in zip((side, f"{side}_visits"), both, strict=True):
            session.connection.register("given", table)
            session.connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM given")
            session.connection.unregister("given")


def asked(session, attacks):
    """The rows of membership."""
    children = {"visits": (*(f"{side}_visits" for side in SIDES), "person")}
    return session.membership(*SIDES, key="person", children=children, attack=list(attacks)).to_arrow()


def main(persons, attacks):
    warnings.simplefilter("ignore")
    with synthpriv_sql.connect() as session:
        fill(session, 220)
        asked(session, attacks)
        fill(session, persons)
        start, used = time.perf_counter(), time.process_time()
        rows = asked(session, attacks)
        seconds = {"seconds": time.perf_counter() - start, "processor": time.process_time() - used}
    print(json.dumps({"persons": persons, "attacks": attacks, "rows": rows.num_rows, **seconds}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000, sys.argv[2:] or ATTACKS)
