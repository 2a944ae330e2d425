"""Pictures and LaTeX of results: what is drawn is what was measured, and what is escaped compiles."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest

import synthpriv_sql
from synthpriv_sql.engines.base import Answer
from synthpriv_sql.errors import OptionError, WriteError
from synthpriv_sql.results.result import Result

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")


@pytest.fixture(scope="module")
def results():
    random = np.random.default_rng(4)

    def table(n):
        return pa.table({"x_1": random.normal(size=n), "k&l": random.choice(["a", "b"], n)})

    train, holdout = table(200), table(200)
    synthetic = pa.concat_tables([train.slice(0, 100), table(100)])
    with synthpriv_sql.connect() as session:
        yield {
            "membership": session.membership(
                synthetic, train, holdout, attack=["distance", "uniques"], false_positive_rates=[0.01, 0.1, 0.5]
            ),
            "exposure": session.exposure(synthetic, train, holdout, attack="distance"),
            "mda_curve": session.mda_curve(synthetic, train),
            "fidelity": session.fidelity(synthetic, train, holdout),
            "dcr": session.dcr(synthetic, train),
        }


@pytest.mark.parametrize("name", ["membership", "exposure", "mda_curve", "fidelity"])
def test_a_picture_is_drawn_and_saved(results, name, tmp_path):
    picture = results[name].plot()
    assert ElementTree.fromstring(picture._repr_svg_()).tag.endswith("svg")
    assert "var(--" not in picture.svg
    for suffix in ("svg", "png", "json"):
        picture.save(tmp_path / f"a.{suffix}")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((tmp_path / "a.json").read_text())["datasets"] == picture.specification["datasets"]


def test_the_curves_are_the_rates_with_their_intervals(results):
    data = results["membership"].plot().specification["datasets"]["curves"]
    drawn = {(row["attack"], row["false"]): row for row in data if row["tip"]}
    rates = {(row["attack"], row["false_positive_rate"]): row for row in results["membership"]}
    assert set(drawn) == {key for key, row in rates.items() if row["true_positive_rate"]}
    for key, row in drawn.items():
        assert (row["found"], row["upper"]) == (rates[key]["true_positive_rate"], rates[key]["upper"])
        assert row["lower"] == max(rates[key]["lower"], row["found"] / 100)


def test_as_many_are_drawn_as_are_named(results):
    drawn = {row["level"]: row for row in results["exposure"].plot().specification["datasets"]["named"]}
    named = sum(results["exposure"]["exposed"])
    assert named > 0
    assert (drawn[0.05]["named"], drawn[0.05]["chance"]) == (named, 0.05 * named)


def test_what_has_no_picture_says_so(results, tmp_path):
    with pytest.raises(OptionError, match=r"dcr has no picture; .* membership, exposure, mda_curve, fidelity"):
        results["dcr"].plot()
    with pytest.raises(OptionError, match=r"a picture is written as \.svg"):
        results["mda_curve"].plot().save(tmp_path / "a.pdf")
    with pytest.raises(WriteError, match="not written"):
        results["mda_curve"].plot().save(tmp_path / "nowhere" / "a.svg")


def test_latex_has_intervals_and_escapes(results):
    text = results["membership"].to_latex()
    lines = text.splitlines()
    ends = {"auc_lower", "auc_upper", "lower", "upper"}
    numbers = len(set(results["membership"].columns) - ends) - 1
    assert lines[:2] == [rf"\begin{{tabular}}{{l{'r' * numbers}}}", r"\toprule"]
    assert lines[2].startswith(r"attack & members & non\_members & auc & p\_value")
    assert "auc_lower" not in text
    row = next(iter(results["membership"]))
    cells = lines[4].removesuffix(r" \\").split(" & ")
    assert cells[3] == f"{row['auc']:.3g} [{row['auc_lower']:.3g}, {row['auc_upper']:.3g}]"
    assert cells[-1] == f"{row['true_positive_rate']:.3g} [{row['lower']:.3g}, {row['upper']:.3g}]"
    around = results["membership"].to_latex(interval="plus_minus", digits=4)
    half = max(row["auc"] - row["auc_lower"], row["auc_upper"] - row["auc"])
    assert rf"{row['auc']:.4g} $\pm$ {half:.4g} &" in around
    assert r"k\&l" in results["fidelity"].to_latex()


def test_latex_of_odd_values():
    signs = "a_b & 50 % of $x$ # {y} ~ ^ \\ <z>"
    rows = pa.table({"Größe_1": [signs, None], "n": [3, -4], "d": [1e-12, float("inf")], "e": [-0.5, float("nan")]})
    text = Result(None, "", Answer(rows, ["VARCHAR", "BIGINT", "DOUBLE", "DOUBLE"], "")).to_latex()
    assert r"Größe\_1 & n & d & e \\" in text
    first, second = text.splitlines()[4:6]
    assert first == (
        r"a\_b \& 50 \% of \$x\$ \# \{y\} \textasciitilde{} \textasciicircum{} \textbackslash{} "
        r"\textless{}z\textgreater{} & 3 & $1 \cdot 10^{-12}$ & $-$0.5 \\"
    )
    assert second == r"-- & -4 & $\infty$ & -- \\"
    assert not re.search(r"(?<!\\)[%#_]", text)
    for options in ({"interval": "bars"}, {"digits": 0}, {"digits": True}):
        with pytest.raises(OptionError, match="option"):
            Result(None, "", Answer(rows, ["VARCHAR"] * 4, "")).to_latex(**options)
