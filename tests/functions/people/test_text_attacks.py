"""People whose name and address come back with typos: found by attacks, and flagged."""

import warnings

import numpy as np
import pytest
import texts

from synthpriv_sql.errors import SynthprivWarning

ROWS, PLANTED = 400, 12


@pytest.fixture(scope="module")
def people():
    return texts.drawn(ROWS, 1), texts.drawn(ROWS, 2), texts.drawn(2 * ROWS, 3)


def copied(synthetic, train, columns=("name", "mail"), how="one edit"):
    """A synthetic table, of whose first records each has the texts of a person of train, changed."""
    random = np.random.default_rng(4)
    out = synthetic.copy()
    for column in columns:
        changed = [texts.PLANTED[how](text, random) for text in train[column][:PLANTED]]
        out.loc[: PLANTED - 1, column] = changed
    return out


def asked(session, function, *tables, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)
        return getattr(session, function)(*tables, **options).to_arrow().to_pylist()


def test_people_with_typos_are_at_the_top_of_the_list_by_nearness(shared, people):
    train, holdout, synthetic = people
    tables, options = (copied(synthetic, train), train, holdout), {"attack": ["agreement", "agreement_near"]}
    equal, near = asked(shared, "membership", *tables, **options, false_positive_rates=[0.01])
    assert (equal["at_least"], equal["top_p_value"] > 0.05) == (0, True)
    assert near["at_least"] >= 5
    assert near["top_p_value"] < 0.05
    rows = asked(shared, "exposure", *tables, attack="agreement_near")
    sure = {row["record"]: row for row in rows if row["sure"]}
    assert len(sure.keys() & set(range(PLANTED))) >= 9
    for record in sure.keys() & set(range(PLANTED)):
        assert sure[record]["synthetic"] == record
        assert {"name", "mail"} <= {agreeing["column"] for agreeing in sure[record]["agreeing"]}


def test_strangers_with_such_names_are_not(shared, people):
    train, holdout, synthetic = people
    (near,) = asked(
        shared, "membership", synthetic, train, holdout, attack="agreement_near", false_positive_rates=[0.01]
    )
    assert near["at_least"] == 0
    assert near["top_p_value"] > 0.05
