"""The attack of somebody who can train the synthesizer finds a leak, nothing in a safe table, and resumes."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from calls import rows_of

from synthpriv_sql import OptionError, SynthesizerError, shadow

RANDOM = np.random.default_rng(34)
TRAINED = []


def people(count, seed):
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(count, 3)).round(3)
    return pd.DataFrame(numbers, columns=list("abc")).assign(job=random.choice(list("klmnop"), count))


def noisy(train, seed):
    """Numbers with noise of a tenth, and a tenth of the jobs redrawn."""
    TRAINED.append(seed)
    random = np.random.default_rng(seed)
    made = train.copy()
    made[["a", "b", "c"]] += random.normal(scale=0.1, size=(len(train), 3))
    redrawn = random.random(len(train)) < 0.1
    made.loc[redrawn, "job"] = random.permutation(train["job"])[: redrawn.sum()]
    return made


def careful(train, seed):
    """Other people."""
    return people(len(train), seed + 1_000)


TRAIN, HOLDOUT = people(150, 1), people(150, 2)


def attacked(session, made, attack, **options):
    found = session.membership(made, TRAIN, HOLDOUT, attack=attack, false_positive_rates=[0.1], **options).to_arrow()
    return found.to_pylist()[0]


def test_it_learns_from_tables_whose_members_it_knows(session, tmp_path):
    made, into = noisy(TRAIN, 99), tmp_path / "shadows.duckdb"
    TRAINED.clear()
    found = attacked(session, made, shadow(noisy, 4, form="pandas", into=into))
    assert found["attack"] == "shadow"
    assert found["auc"] > 0.9
    assert TRAINED == [0, 1, 2, 3]
    # The same people again: nothing is trained, and a further table is trained only once.
    assert attacked(session, made, shadow(noisy, 4, form="pandas", into=into)) == found
    attacked(session, made, shadow(noisy, 5, form="pandas", into=into))
    assert TRAINED == [0, 1, 2, 3, 4]


@pytest.mark.slow
def test_it_finds_nothing_in_a_table_of_others(session):
    found = attacked(session, careful(TRAIN, 7), shadow(careful, 4, form="pandas", seed=50))
    assert found["auc_lower"] < 0.5 < found["auc_upper"]
    assert found["at_least"] == 0


@pytest.mark.slow
def test_a_synthesizer_that_saw_everybody_hides_nobody_by_that(session):
    # The sides are not known to the attack, so it scores both alike.
    both = noisy(pd.concat([TRAIN, HOLDOUT], ignore_index=True), 5)
    found = attacked(session, both, shadow(noisy, 4, form="pandas", seed=20))
    assert found["auc_lower"] < 0.5 < found["auc_upper"]


def test_what_is_wrong_is_said(session, tmp_path):
    with pytest.raises(OptionError, match=r'"shadows" = 3|shadows.*3.* is not at least 4'):
        shadow(noisy, 3)
    with pytest.raises(
        OptionError, match="cannot be combined with repeated runs: the call that asks the attack decides"
    ):
        shadow(noisy, exclude=["a"])
    with pytest.raises(OptionError, match="is not a synthesizer"):
        shadow(3)
    with pytest.raises(OptionError, match="runs of a lambda cannot be distinguished"):
        shadow(lambda train: train, into=tmp_path / "s.duckdb")
    with pytest.raises(OptionError, match=r"the attack shadow trains .* there are 60: it needs 200"):
        session.membership(TRAIN, TRAIN[:30], HOLDOUT[:30], attack=shadow(noisy, form="pandas"))
    with pytest.raises(SynthesizerError, match="the training of a shadow table, seed 0"):
        attacked(session, TRAIN, shadow(lambda train: train.select([0]), 4))


@pytest.mark.slow
def test_roles_are_those_of_its_options(session):
    """A number that is a category has other distances; the compared columns alone are trained on."""
    seen = []

    def same(train, seed):
        seen.append(train.column_names)
        return train

    coded = TRAIN.assign(job=TRAIN["job"].map(ord), id=range(len(TRAIN)))
    others = HOLDOUT.assign(job=HOLDOUT["job"].map(ord), id=range(len(HOLDOUT)))
    found = session.membership(
        pa.Table.from_pandas(coded),
        coded,
        others,
        key="id",
        categorical=["job"],
        attack=shadow(same, 4, categorical=["job"]),
    )
    assert found["auc"][0] == 1
    assert seen[0] == ["a", "b", "c", "job"]


@pytest.mark.again
def test_a_half_has_all_rows_of_a_person_or_none(session):
    """Persons with two rows each: of the rows that are trained on, both of each person are."""
    train, holdout = (
        pd.concat([table.assign(visit=visit, who=[f"{name}{i}" for i in range(len(table))]) for visit in (0, 1)])
        for table, name in ((TRAIN.assign(tag=range(150)), "t"), (HOLDOUT.assign(tag=range(150, 300)), "h"))
    )
    seen = []

    def same(train, seed):
        seen.append(train["tag"].value_counts())
        return train

    attack = shadow(same, 4, form="pandas")
    copy = train.drop(columns="who")
    (found,) = rows_of(session.membership(copy, train, holdout, unit="who", attack=attack, false_positive_rates=[0.1]))
    assert found["members"] == 150
    assert found["auc"] == 1
    assert all(set(counts) == {2} for counts in seen)
    assert all(100 < len(counts) < 200 for counts in seen)
    few = pd.concat([holdout] * 2)[: 2 * 150].assign(who=["a", "b"] * 150)
    with pytest.raises(OptionError, match=r"halves of all people, and there are 152: it needs 200"):
        session.membership(copy, train, few, unit="who", attack=attack)
