"""A leak in two of ten columns: the search finds these two and leaves the others, whichever half it sees."""

import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.remedies.measuring import Measuring

ROWS = 190
LEAKING = ("income", "balance")


def people(rng):
    return {
        "age": rng.integers(18, 90, ROWS),
        "income": rng.lognormal(10, 1, ROWS).round(2),
        "job": rng.choice(list("abcd"), ROWS),
        "visits": rng.poisson(3, ROWS),
        "balance": rng.gamma(2, 5_000, ROWS).round(2),
        "city": rng.choice(list("uvwxyz"), ROWS),
        "class": rng.choice(list("AB"), ROWS),
        "hours": rng.integers(10, 50, ROWS),
        "flag": rng.choice(["n", "y"], ROWS),
        "year": rng.integers(2000, 2020, ROWS),
    }


@pytest.fixture(scope="module")
def tables():
    rng = np.random.default_rng(4)
    train, holdout, synthetic = people(rng), people(rng), people(rng)
    for name in LEAKING:
        synthetic[name][:120] = train[name][:120]
    return {"synthetic": pa.table(synthetic), "train": pa.table(train), "holdout": pa.table(holdout)}


def test_the_columns_to_blame_are_the_two_that_leak(shared, tables):
    blamed = Measuring(shared.call, {}).quickly(tables).blamed
    assert set(sorted(blamed, key=lambda name: -blamed[name])[:2]) == set(LEAKING)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:train has 190 people")
def test_only_these_two_change(shared, tables):
    steps = shared.remedy(**tables, target="nobody", remove=0)
    assert steps["named"][0] > 60
    assert steps["named"][-1] == 0
    assert set(steps.found.state.steps) == set(LEAKING)
