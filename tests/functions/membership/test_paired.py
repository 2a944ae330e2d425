"""Two synthesizers over the same splits."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import synthpriv_sql
from synthpriv_sql.errors import OptionError
from synthpriv_sql.repeating.splits import Repeated

NAMES = ("section", "metric", "variant", "statistic", "value")


def split(auc, copies, people=60, strangers=40):
    """The numbers of one split."""
    rows = [
        ("membership", "membership", "uniques", "auc", auc),
        ("membership", "membership", "uniques", "top_p_value", auc / 100),
        ("copies", "copies", None, "share", copies),
        ("tables", "tables", "train", "rows", people),
        ("tables", "tables", "holdout", "rows", strangers),
        ("tables", "tables", "synthetic", "rows", 50 * auc),
    ]
    table = {name: [row[i] for row in rows] for i, name in enumerate(NAMES)}
    return pa.table(table | {"lower": pa.nulls(6), "upper": pa.nulls(6), "better": ["lower"] * 6, "meaning": [""] * 6})


def test_two_synthesizers_are_compared_in_pairs():
    values = np.array([[0.6, 0.7, 0.65, 0.9], [0.5, 0.55, 0.6, 0.5]])
    one = Repeated.of(None, {seed: split(auc, 0.25) for seed, auc in enumerate(values[0])})
    other = Repeated.of(None, {seed: split(auc, None if seed else 0.125) for seed, auc in enumerate(values[1])})
    rows = {(row["metric"], row["variant"], row["statistic"]): row for row in one.against(other)}
    assert ("membership", "uniques", "top_p_value") not in rows
    auc, expected = rows["membership", "uniques", "auc"], stats.ttest_rel(*values)
    assert (auc["splits"], auc["better"]) == (4, "lower")
    assert (auc["mean"], auc["other_mean"]) == pytest.approx(tuple(values.mean(axis=1)))
    assert auc["difference"] == pytest.approx(auc["mean"] - auc["other_mean"])
    assert auc["p_value"] == pytest.approx(expected.pvalue)
    assert (auc["lower"], auc["upper"]) == pytest.approx(tuple(expected.confidence_interval()))
    # The standard error by hand, from the variance of the mean that Nadeau and Bengio (2003) correct.
    differences = values[0] - values[1]
    error = np.sqrt(differences.var(ddof=1) * (1 / 4 + 40 / 60))
    assert auc["corrected_p_value"] == pytest.approx(2 * stats.t(3).sf(differences.mean() / error))
    half = stats.t(3).ppf(0.975) * error
    corrected = (auc["corrected_lower"], auc["corrected_upper"])
    assert corrected == pytest.approx((differences.mean() - half, differences.mean() + half))
    share = rows["copies", None, "share"]  # both have it in one split only
    assert [share[name] for name in ("splits", "difference", "lower", "p_value")] == [1, 0.125, None, None]
    assert {(row["difference"], row["p_value"]) for row in one.against(one)} == {(0.0, None)}
    with pytest.raises(OptionError, match="no split in common"):
        one.against(Repeated.of(None, {7: split(0.5, 0.0)}))
    with pytest.raises(OptionError, match="the split of seed 0 has other people"):
        one.against(Repeated.of(None, {0: split(0.5, 0.0, people=61)}))


def auc_of(scores, inside):
    ranks = stats.rankdata(scores)
    members = inside.sum()
    return (ranks[inside].sum() - members * (members + 1) / 2) / (members * (len(inside) - members))


def p_values(random, same, people=100, splits=6):
    """The p-values of two synthesizers that give away as many people as each other, of one set of people.

    Each gives away people of one kind, who are 3 in 10 of all; `same` says that it is the same kind.
    """
    kinds = random.random((2, people)) < 0.3
    known = random.normal(size=(2, people))  # what makes a person's score high whether or not they are in train
    if same:
        kinds, known = kinds[[0, 0]], known[[0, 0]]
    found = [{}, {}]
    for seed in range(splits):
        inside = random.random(people) < 0.5
        for synthesizer in (0, 1):
            scores = 3.0 * (inside & kinds[synthesizer]) + known[synthesizer] + 0.3 * random.normal(size=people)
            train = int(inside.sum())
            found[synthesizer][seed] = split(auc_of(scores, inside), 0.0, train, people - train)
    one, other = (Repeated.of(None, by_split) for by_split in found)
    row = next(row for row in one.against(other) if row["statistic"] == "auc")
    return row["p_value"], row["corrected_p_value"]


def test_p_values_keep_their_level_without_a_difference():
    """By draws of other people: of 100, 5 are expected below 0.05, and at most 9 with a probability of 97 %."""
    random = np.random.default_rng(4)
    same = np.array([p_values(random, same=True) for _ in range(100)]) < 0.05
    other = np.array([p_values(random, same=False) for _ in range(100)]) < 0.05
    assert same[:, 0].sum() <= 9
    assert same[:, 1].sum() <= 9
    # Splits of the same people share what is particular about these: only the corrected one is for other people.
    assert other[:, 0].sum() > 9
    assert other[:, 1].sum() <= 9


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_one_that_copies_people_differs_from_one_that_does_not():
    random = np.random.default_rng(6)
    real = pa.table({name: random.normal(size=160) for name in ("one", "two", "three")})

    def copies(train):
        return train

    def draws(train, seed):
        mine = np.random.default_rng(seed)
        return pa.table({name: mine.normal(size=train.num_rows) for name in train.column_names})

    options = {"attack": ["distance"], "named_by": ["distance"]}
    leaks, does_not = (synthpriv_sql.repeat(one, real, times=3, **options) for one in (copies, draws))
    auc = next(row for row in leaks.against(does_not) if (row["variant"], row["statistic"]) == ("distance", "auc"))
    assert auc["difference"] == pytest.approx(0.5, abs=0.1)
    assert auc["p_value"] < auc["corrected_p_value"] < 0.05
    assert 0 < auc["corrected_lower"] < auc["lower"] < auc["upper"] < auc["corrected_upper"]
