"""Two synthesizers over the same splits."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from synthpriv_sql.errors import OptionError
from synthpriv_sql.repeating.splits import Repeated

NAMES = ("section", "metric", "variant", "statistic", "value")


def split(auc, copies, people=60):
    """The numbers of one split."""
    rows = [
        ("membership", "membership", "uniques", "auc", auc),
        ("membership", "membership", "uniques", "top_p_value", auc / 100),
        ("copies", "copies", None, "share", copies),
        ("tables", "tables", "train", "rows", people),
        ("tables", "tables", "synthetic", "rows", 50 * auc),
    ]
    table = {name: [row[i] for row in rows] for i, name in enumerate(NAMES)}
    return pa.table(table | {"lower": pa.nulls(5), "upper": pa.nulls(5), "better": ["lower"] * 5, "meaning": [""] * 5})


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
    share = rows["copies", None, "share"]  # both have it in one split only
    assert [share[name] for name in ("splits", "difference", "lower", "p_value")] == [1, 0.125, None, None]
    assert {(row["difference"], row["p_value"]) for row in one.against(one)} == {(0.0, None)}
    with pytest.raises(OptionError, match="no split in common"):
        one.against(Repeated.of(None, {7: split(0.5, 0.0)}))
    with pytest.raises(OptionError, match="the split of seed 0 has other people"):
        one.against(Repeated.of(None, {0: split(0.5, 0.0, people=61)}))
