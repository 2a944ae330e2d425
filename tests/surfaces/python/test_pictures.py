"""Pictures and LaTeX of results: what is drawn is what was measured, and what is escaped compiles."""

import json
import pickle
import re
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest

import synthpriv_sql
from synthpriv_sql.engines.base import Answer
from synthpriv_sql.errors import OptionError, WriteError
from synthpriv_sql.repeating.splits import Repeated
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
            "membership_scores": session.membership_scores(synthetic, train, holdout, attack="distance"),
            "dcr": session.dcr(synthetic, train),
        }


@pytest.mark.parametrize("name", ["membership", "membership_scores", "exposure", "mda_curve", "fidelity"])
def test_a_picture_is_drawn_and_saved(results, name, tmp_path):
    picture = results[name].plot()
    assert ElementTree.fromstring(picture._repr_svg_()).tag.endswith("svg")
    assert "var(--" not in picture.svg
    for suffix in ("svg", "png", "pdf", "json"):
        picture.save(tmp_path / f"a.{suffix}")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert json.loads((tmp_path / "a.json").read_text())["datasets"] == picture.specification["datasets"]


def test_the_curves_are_the_rates_with_their_intervals(results):
    data = results["membership"].plot().specification["datasets"]["curves"]
    drawn = {(row["attack"], row["false"]): row for row in data if row["tip"]}
    rates = {(row["attack"], row["false_positive_rate"]): row for row in results["membership"]}
    assert set(drawn) == {key for key, row in rates.items() if row["true_positive_rate"]}
    for key, row in drawn.items():
        assert (row["found"], row["upper"]) == (rates[key]["true_positive_rate"], rates[key]["upper"])
        assert row["lower"] == max(rates[key]["lower"], row["found"] / 100)


def rate(scores, others, false):
    """The largest share of scores found with at most so many of the others, ties taken whole."""
    scores, others = np.array(scores), np.array(others)
    allowed = [c for c in {*scores.tolist(), *others.tolist()} if (others >= c).mean() <= false]
    return (scores >= min(allowed)).mean() if allowed else 0.0


def test_a_curve_is_whole(results):
    """Of membership and of the scores themselves: what is found at each rate, by hand."""
    rows = list(results["membership_scores"])
    scores, others = ([row["score"] for row in rows if row["side"] == side] for side in ("train", "holdout"))
    of_scores = results["membership_scores"].plot().specification["datasets"]
    lines = [
        row for row in results["membership"].plot().specification["datasets"]["lines"] if row["attack"] == "distance"
    ]
    for drawn in (of_scores["lines"], lines):
        assert len(drawn) > 30
        assert (drawn[-1]["false"], drawn[-1]["found"]) == (1, 1)
        for point in drawn[:-1]:
            assert point["found"] == pytest.approx(rate(scores, others, point["false"]))
    assert of_scores["chance"][0]["false"] == of_scores["lines"][0]["false"]
    kept = pickle.loads(pickle.dumps(results["membership"]))
    assert [row["false"] for row in kept.plot().specification["datasets"]["lines"]] == [0.01, 0.1, 0.5] * 2 + [1, 1]
    of_train = results["membership_scores"]
    one_side = Result(None, "membership_scores", Answer(of_train.to_arrow()[:9], of_train.types, ""))
    with pytest.raises(OptionError, match="nothing that can be drawn"):
        one_side.plot()


def test_repeated_splits_are_drawn_with_their_mean():
    names = ("section", "metric", "variant", "statistic")

    def rows(auc):
        made = [
            ("membership", "membership", "uniques", "auc", auc),
            ("membership", "membership", "uniques", "p_value", 0.3),
            ("releases", "releases", "union", "auc", 0.9),
        ]
        table = {name: [row[i] for row in made] for i, name in enumerate([*names, "value"])}
        return pa.table(table | dict.fromkeys(("lower", "upper", "better", "meaning"), pa.nulls(3)))

    found = Repeated.of(None, {seed: rows(auc) for seed, auc in enumerate((0.5, 0.6, 0.7))}).plot()
    data = found.specification["datasets"]
    assert [row["value"] for row in data["splits"]] == [0.5, 0.6, 0.7]
    assert [(row["number"], row["mean"]) for row in data["means"]] == [("uniques", pytest.approx(0.6))]
    assert found.svg


def test_as_many_are_drawn_as_are_named(results):
    drawn = {row["level"]: row for row in results["exposure"].plot().specification["datasets"]["named"]}
    named = sum(results["exposure"]["exposed"])
    assert named > 0
    assert (drawn[0.05]["named"], drawn[0.05]["chance"]) == (named, 0.05 * named)


def test_what_has_no_picture_says_so(results, tmp_path):
    with pytest.raises(OptionError, match=r"dcr has no picture; .* membership, membership_scores, repeat, exposure"):
        results["dcr"].plot()
    with pytest.raises(OptionError, match=r"a picture is written as \.pdf"):
        results["mda_curve"].plot().save(tmp_path / "a.gif")
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
    chosen = results["membership"].to_latex(columns=["auc", "attack"]).splitlines()
    assert chosen[2] == r"auc & attack \\"
    assert chosen[4].startswith(cells[3] + " & ")
    with pytest.raises(OptionError, match="does not name columns"):
        results["membership"].to_latex(columns=["area"])
    sentences = pa.table({"value": [1.0], "meaning": ["A sentence."]})
    assert "sentence" not in Result(None, "", Answer(sentences, ["DOUBLE", "VARCHAR"], "")).to_latex()


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
