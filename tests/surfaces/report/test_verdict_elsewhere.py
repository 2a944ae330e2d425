"""A column of synthetic whose numbers lie elsewhere than real ones: it is named, and the verdict stands on the rest."""

import warnings

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.errors import SynthprivWarning

ROWS = 985
SOME = {"attack": ["distance", "agreement", "uniques"], "named_by": ["uniques"]}
SAID = "The values of age in synthetic do not occur in real rows; the verdict stands on the other columns."


def people(seed):
    random = np.random.default_rng(seed)
    city = random.zipf(1.5, ROWS).clip(max=40)
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, ROWS),
            "city": [f"c{c}" for c in city],
            "job": [f"j{j}" for j in random.zipf(1.4, ROWS).clip(max=60)],
            "income": np.exp(random.normal(10, 1, ROWS) + city / 40).round(-2),
            "hours": random.integers(10, 60, ROWS),
        }
    )


def elsewhere(table):
    return table.assign(age=table["age"] * 0.37 + 0.123)


@pytest.mark.slow
def test_a_column_elsewhere_is_said_and_hides_nothing(session):
    """Of 985 people: a safe table is good, half of its cells from people of train make it bad."""
    train, holdout, fresh = (people(seed) for seed in (1, 2, 3))
    chosen = np.random.default_rng(4).random(fresh.shape) < 0.5
    spliced = fresh.mask(chosen, train)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)
        safe, leaky, plain = (
            session.evaluate(table, train, holdout, **SOME).verdict
            for table in (elsewhere(fresh), elsewhere(spliced), fresh)
        )
    assert (plain.level, safe.level, safe.headline) == ("good", "good", plain.headline)
    assert SAID in safe.reasons
    assert SAID not in plain.reasons
    assert not safe.obstacles
    assert (leaky.level, SAID in leaky.reasons) == ("bad", True)
