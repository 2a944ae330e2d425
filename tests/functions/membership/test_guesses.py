"""guesses.sql orders only the highest scores; the oracle here orders all of them."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from attacks import drawn

from synthpriv_sql.planner.headers import catalog

SEED = 3


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as connection:
        connection.create_function("drawn", drawn, ["BIGINT", "BIGINT"], "BIGINT")
        yield connection


def expected(members, others):
    """(one in how many, guesses, right ones), of scores by record; None counts as less than all others."""
    size = min(len(members), len(others))
    placed = []
    for side, scores in enumerate((members, others)):
        lots = sorted((drawn(2 * record + side, SEED), record) for record in range(len(scores)))
        placed += [(scores[record], lot, record, side) for lot, record in lots[:size]]
    placed.sort(key=lambda one: (one[0] is None, -(one[0] or 0.0), *one[1:]))
    found = []
    for one_in in (10, 100, 1000):
        taken = placed[: 2 * size // one_in]
        if taken:
            found.append((one_in, len(taken), sum(side == 0 for *_, side in taken)))
    return found


def scored(random, kind, rows):
    """Scores of a side: infinite and missing ones among them."""
    scores = {
        "continuous": random.normal(size=rows),
        "ties": random.integers(0, 4, rows).astype(float),
        "equal": np.full(rows, 0.5),
        "nearly all the best": np.where(random.random(rows) < 0.9, 1.0, 0.0),
        "nearly all the worst": np.where(random.random(rows) < 0.9, 0.0, 1.0),
    }[kind]
    listed = scores.tolist()
    for value in (np.inf, -np.inf, None):
        for row in np.flatnonzero(random.random(rows) < random.choice([0.0, 0.02, 0.4])):
            listed[row] = value
    return listed


@pytest.mark.parametrize("kind", ["continuous", "ties", "equal", "nearly all the best", "nearly all the worst"])
def test_guesses_are_those_of_all_ranks(connection, kind):
    random = np.random.default_rng(11)
    sizes = [(1, 1), (5, 5), (5, 500), (500, 5), (600, 600), *random.integers(1, 700, (20, 2)).tolist()]
    cases = [[scored(random, kind, rows) for rows in pair] for pair in sizes]
    # An attack that is always right, and one that is always wrong: one side has all of the best ranks.
    cases += [[[9.0] * here, scored(random, kind, there)] for here, there in ((300, 300), (300, 900), (900, 300))]
    cases += [[scored(random, kind, here), [9.0] * there] for here, there in ((300, 300), (300, 900), (900, 300))]
    cases += [[(9 + random.random(300)).tolist(), scored(random, kind, rows)] for rows in (300, 900)]
    rows = [
        (attack, attack % 3, side, record, score)
        for attack, sides in enumerate(cases)
        for side, scores in zip(("train", "holdout"), sides, strict=True)
        for record, score in enumerate(scores)
    ]
    names = ("attack", "fold", "side", "first_record", "score")
    types = (pa.int64(), pa.int64(), pa.string(), pa.int64(), pa.float64())
    table = pa.table(
        {n: pa.array(values, t) for n, values, t in zip(names, zip(*rows, strict=True), types, strict=True)}
    )
    connection.register("scores", table)
    found = connection.execute(catalog.part("guesses").text, {"seed": SEED}).fetchall()
    connection.unregister("scores")
    for attack, sides in enumerate(cases):
        here = sorted((one_in, guesses, correct) for a, _, _, one_in, guesses, correct in found if a == attack)
        assert here == expected(*sides), (attack, [len(side) for side in sides])
