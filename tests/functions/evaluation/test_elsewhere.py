"""A column of synthetic whose numbers lie elsewhere than real ones: attacks by distance are asked without it."""

import numpy as np
import pandas as pd
import pytest

from synthpriv_sql.udf.encoded import arrange
from synthpriv_sql.udf.encoded.pages import Encoded

ROWS = 120
SOME = {"attack": ["distance", "ratio", "density", "agreement", "uniques"], "named_by": ["uniques"]}


def people(seed):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "Age": random.integers(18, 40, ROWS),
            "city": random.choice(list("abcdef"), ROWS),
            "income": random.normal(10, 1, ROWS).round(1),
            "hours": random.integers(10, 60, ROWS),
        }
    )


TRAIN, HOLDOUT, FRESH = (people(seed) for seed in (1, 2, 3))
SYNTHETIC = pd.concat([TRAIN[:40], FRESH[40:]], ignore_index=True)
MOVED = SYNTHETIC.assign(Age=SYNTHETIC["Age"] * 0.37 + 0.123)


def areas(rows):
    return {r["variant"]: r["value"] for r in rows if (r["metric"], r["statistic"]) == ("membership", "auc")}


def asked(session, synthetic, attacks, **options):
    rows = session.membership(synthetic, TRAIN, HOLDOUT, attack=attacks, false_positive_rates=[0.1], **options)
    return {row["attack"]: row["auc"] for row in rows}


def test_attacks_by_distance_are_asked_without_it_and_the_others_with_it(shared):
    found = areas(shared.evaluate(MOVED, TRAIN, HOLDOUT, **SOME))
    with_it = asked(shared, MOVED, SOME["attack"])
    assert found["distance"] == asked(shared, MOVED, "distance", exclude=["Age"])["distance"]
    assert all(found[attack] > with_it[attack] + 0.05 for attack in ("distance", "ratio", "density"))
    assert all(found[attack] == with_it[attack] for attack in ("agreement", "uniques"))


@pytest.mark.again
def test_where_no_column_lies_elsewhere_nothing_changes(shared):
    found = areas(shared.evaluate(SYNTHETIC, TRAIN, HOLDOUT, **SOME))
    assert found == asked(shared, SYNTHETIC, SOME["attack"])


REAL = np.random.default_rng(1).integers(18, 90, 3000).astype(float)


@pytest.mark.parametrize(
    ("synthetic", "real", "weights"),
    [
        (REAL * 0.37 + 0.123, REAL, [0.0, 2.0]),  # other units
        (REAL + 100, REAL, [0.0, 2.0]),
        (np.append(REAL + 100, np.nan), np.append(REAL, np.nan), [0.0, 2.0]),
        (REAL, REAL, [1.0, 2.0]),
        (REAL + 0.5, REAL, [1.0, 2.0]),  # between real ones: as near as they are
        (np.where(np.arange(3000) % 5 < 3, REAL, REAL + 100), REAL, [1.0, 2.0]),  # most are where real ones are
        (REAL + 100, np.arange(3000.0), [1.0, 2.0]),  # numbers that nobody shares say nothing
        (np.full(9, np.nan), REAL, [1.0, 2.0]),
        (np.empty(0), REAL, [1.0, 2.0]),
    ],
)
def test_which_columns_lie_elsewhere(synthetic, real, weights):
    options = {"roles": ["numeric", "categorical"], "weights": [1.0, 2.0]}
    tables = [Encoded(len(column), (column, None)) for column in (real, synthetic)]
    assert arrange.judged_apart(options, *tables)["weights"] == weights
    # Nothing would be left.
    alone = {"roles": ["temporal", "categorical"], "weights": [1.0, 0.0]}
    assert arrange.judged_apart(alone, *tables)["weights"] == [1.0, 0.0]
