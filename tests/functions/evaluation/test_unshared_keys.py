"""Keys that are the same in no two tables: no evidence and no obstacle, left out by themselves, said once."""

import uuid
import warnings

import numpy as np
import pandas as pd
import pytest

from synthpriv_sql import errors
from synthpriv_sql.planner.headers import catalog

ROWS = 130


def people(seed, name):
    random = np.random.default_rng(seed)
    uuids = [str(uuid.UUID(int=int(i), version=4)) for i in random.integers(0, 2**62, ROWS)]
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, ROWS),
            "city": random.choice(list("abcdef"), ROWS),
            "uid": uuids,
            "code": [f"{name}-{i}" for i in random.permutation(9999)[:ROWS]],
            # Far fewer equal numbers than chance would make.
            "serial": 3 * random.permutation(ROWS) + 1000 * seed,
            # None of these is left out by itself: an address, a measurement, numbers and texts that may be one.
            "mail": [f"{u[:8]}@x.org" for u in uuids],
            "income": random.lognormal(10, 0.5, ROWS).round().astype(int),
            "wide": random.integers(10**9, 10**10, ROWS),
            "day": pd.Timestamp(2020 + seed, 1, 1) + pd.to_timedelta(random.permutation(ROWS), "D"),
            "note": [f"seen on {i} by {u[:6]}" for i, u in enumerate(uuids)],
        }
    )


SYNTHETIC, TRAIN, HOLDOUT = people(1, "S"), people(2, "T"), people(3, "H")
KEYS = ["uid", "code", "serial"]


def detected(session, synthetic, train):
    detection = catalog.file("unshared_keys")
    possible = session.call(catalog.file("possible_numbers"), synthetic=synthetic, train=train)["column_name"]
    found = session.call(detection, synthetic=synthetic, train=train)["column_name"]
    assert set(found) <= set(possible)
    return found


def test_which_columns_hold_keys(shared):
    assert sorted(detected(shared, SYNTHETIC, TRAIN)) == sorted(KEYS)
    # One value that comes back makes a key evidence, as do equal values in a table.
    shares = SYNTHETIC.assign(uid=[*TRAIN["uid"][:1], *SYNTHETIC["uid"][1:]])
    assert sorted(detected(shared, shares, TRAIN)) == ["code", "serial"]
    assert detected(shared, pd.concat([SYNTHETIC, SYNTHETIC]), TRAIN) == []
    assert detected(shared, SYNTHETIC[:19], TRAIN) == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("comes_back", [0, 40])
def test_they_are_left_out_once_and_no_obstacle(shared, comes_back):
    kept = ["age", "city", "uid", "code"]
    synthetic = SYNTHETIC[kept].assign(uid=[*TRAIN["uid"][:comes_back], *SYNTHETIC["uid"][comes_back:]])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", errors.SynthprivWarning)
        found = shared.evaluate(synthetic, TRAIN[kept], HOLDOUT[kept], attack=["uniques"], named_by=["uniques"]).verdict
    messages = [str(one.message) for one in said]
    assert sum("say nothing of a person, so" in message for message in messages) == 1
    left_out = "code and uid" if not comes_back else "code"
    assert f"looked at them: {left_out}." in found.sentence
    identifiers = [one.kind for one in found.cautions if one.kind == "identifiers"]
    if comes_back:
        # A key that comes back is compared and is evidence: with this, no table is good.
        assert (found.level, identifiers) == ("bad", ["identifiers"])
    else:
        assert identifiers == []
        assert not any("Identifiers are compared" in one for one in found.obstacles)
