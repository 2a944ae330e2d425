"""A remedy of texts that come back: the column becomes one value, and nothing else changes."""

import numpy as np
import pandas as pd
import pytest

pytestmark = pytest.mark.slow  # half a minute each

PEOPLE, LEAKING = 400, 40
WORDS = [f"w{i}" for i in range(400)]


def people(seed):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, PEOPLE),
            "region": random.choice(list("abcdef"), PEOPLE),
            "income": random.lognormal(10, 1, PEOPLE).round(-2),
            "note": [" ".join(random.choice(WORDS, 12)) for _ in range(PEOPLE)],
        }
    )


@pytest.mark.parametrize("kind", ["verbatim", pytest.param("with an edit", marks=pytest.mark.nightly)])
def test_notes_become_one_value(session, kind):
    train, holdout, synthetic = people(1), people(2), people(3)
    leaked = train["note"][:LEAKING]
    if kind != "verbatim":
        leaked = leaked.str[:5] + "#" + leaked.str[6:]
    synthetic.loc[: LEAKING - 1, "note"] = leaked
    found = session.remedy(synthetic, train, holdout)
    rows = [(row["column_name"], row["action"], row["level"]) for row in found]
    assert rows[0] == (None, "start", "bad")
    assert [column for column, *_ in rows[1:-1]] == ["note"]
    assert rows[-1][1:] in {("confirmation", "good"), ("confirmation", "none")}
    after = session.remedied(synthetic, train, holdout).to_pandas()
    assert set(after["note"]) == {"other"}
    pd.testing.assert_frame_equal(after.drop(columns="note"), synthetic.drop(columns="note"), check_dtype=False)


@pytest.mark.nightly
def test_addresses_become_one_value_and_templates_stay(session):
    """Notes that come back of nobody keep what many have, and all else."""
    train, holdout, synthetic = (
        people(seed).assign(mail=[f"p{seed}{i * 7919 % 9973}@mail.example" for i in range(PEOPLE)])
        for seed in (1, 2, 3)
    )
    for table in (train, holdout, synthetic):
        table.loc[::5, "note"] = "no known allergies"
    synthetic.loc[: LEAKING - 1, "mail"] = train["mail"][:LEAKING]
    rows = [(row["column_name"], row["action"], row["level"]) for row in session.remedy(synthetic, train, holdout)]
    assert rows[0] == (None, "start", "bad")
    assert [column for column, *_ in rows[1:-1]] == ["mail"]
    assert rows[-1][1:] in {("confirmation", "good"), ("confirmation", "none")}
    after = session.remedied(synthetic, train, holdout).to_pandas()
    assert set(after["mail"]) == {"other"}
    pd.testing.assert_frame_equal(after.drop(columns="mail"), synthetic.drop(columns="mail"), check_dtype=False)
