"""Two synthesizers over the same splits."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import synthpriv_sql
from synthpriv_sql.errors import OptionError

RANDOM = np.random.default_rng(5)
PEOPLE, STRANGERS = (
    pa.table({"id": range(120), "age": RANDOM.integers(18, 90, 120), "weight": RANDOM.normal(70, 12, 120)})
    for _ in range(2)
)
FEW = {"key": "id", "attack": ["agreement"], "named_by": ["agreement"], "identifiers": "compare"}

pytestmark = pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")


def copies(train):
    return train


def looks_away(train, seed):
    return STRANGERS.take(np.random.default_rng(seed).integers(0, 120, 60))


def test_two_synthesizers_are_compared_in_pairs():
    one, other = (synthpriv_sql.repeat(made, PEOPLE, 3, **FEW) for made in (copies, looks_away))
    found = {tuple(row[n] for n in ("metric", "variant", "statistic")): row for row in one.against(other)}
    auc = found["membership", "agreement", "auc"]
    values = np.array([
        [row["value"] for row in of.splits if (row["metric"], row["statistic"]) == ("membership", "auc")]
        for of in (one, other)
    ])  # fmt: skip
    expected = stats.ttest_rel(*values)
    assert (
        auc["difference"]
        == pytest.approx(auc["mean"] - auc["other_mean"])
        == pytest.approx(np.diff(-values, axis=0).mean())
    )
    assert auc["p_value"] == pytest.approx(expected.pvalue)
    assert (auc["lower"], auc["upper"]) == pytest.approx(tuple(expected.confidence_interval()))
    assert auc["splits"] == 3
    assert {row["difference"] for row in one.against(one)} == {0.0}
    assert {row["p_value"] for row in one.against(one)} == {None}
    with pytest.raises(OptionError, match="no split in common"):
        one.against(synthpriv_sql.repeat(copies, PEOPLE, 1, seed=7, **FEW))
    with pytest.raises(OptionError, match="other people"):
        one.against(synthpriv_sql.repeat(copies, PEOPLE.slice(9), 1, **FEW))
