"""Where other tools differ: what they gave in a run, recorded, beside what is right and what we give.

SynthEval 1.7.3, anonymeter 1.1.0, pycanon 1.3.6 and synthcity 0.2.12; docs/other-tools.md says why.
"""

import pyarrow as pa
import pytest
from calls import rows_of


def one(result):
    (row,) = rows_of(result)
    return row


def test_the_loss_of_syntheval_divides_by_the_wrong_table(session):
    def numbers(first, count):
        return pa.table({"x": [first + 10.0 * i for i in range(count)]})

    row = one(session.identifiability(numbers(1, 4), numbers(0, 8), numbers(5, 4)))
    theirs = {"eps_risk": 0.625, "priv_loss": 0.125}
    assert row["share"] == theirs["eps_risk"]
    assert (row["control"], row["excess"]) == (1, -0.375)
    assert theirs["priv_loss"] == row["share"] - row["control"] * 4 / 8  # the holdout's four over the eight of train


@pytest.mark.parametrize(
    ("guess", "truth", "theirs", "ours"),
    [(-500, 120, 1, 0), (-3, 75, 1, 0), (100, 100, 1, 1), (40, -80, 0, 0), (-80, -80, 1, 1)],
)
def test_anonymeter_takes_every_negative_guess_for_right(session, guess, truth, theirs, ours):
    synthetic, train = (pa.table({"who": ["a"], "balance": [float(value)]}) for value in (guess, truth))
    row = one(session.attribute_inference(synthetic, train, ["who"], ["balance"]))
    assert row["hits"] == ours
    assert theirs == (abs(guess - truth) / guess <= 0.05)


def test_pycanon_cuts_the_entropy_and_sorts_the_other_way(session):
    two = pa.table({"region": ["a", "a", "b", "b"], "illness": ["flu", "cold"] * 2})
    theirs = {"entropy_l_diversity": 1, "recursive_c_l_diversity": (1, 3)}
    row = one(session.anonymity(two, ["region"], sensitive=["illness"]))
    assert row["entropy_l"] == pytest.approx(2)
    assert row["entropy_l"] > theirs["entropy_l_diversity"]
    seven = pa.table({"region": ["a"] * 7, "illness": ["x"] * 4 + ["y"] * 2 + ["z"]})
    assert one(session.anonymity(seven, ["region"], sensitive=["illness"], l=3))["recursive_c"] == 4 / 1
    # With the rarest value first: 1 over what comes from the third on, which is 4, rounded up.
    assert theirs["recursive_c_l_diversity"] == (-(-1 // 4), 3)


def test_a_cluster_of_synthcity_is_no_class(session):
    people = pa.table({"age": list(range(20, 60)), "illness": ["flu", "cold"] * 20})
    # kAnonymization gives 19, the smaller of two clusters.
    row = one(session.anonymity(people, ["age"], sensitive=["illness"]))
    assert (row["k"], row["uniques"], row["distinct_l"]) == (1, 40, 1)
