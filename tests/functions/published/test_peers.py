"""The numbers of other tools, beside what the tools themselves say (`make peers` has asked them) or publish."""

import json
import math
from pathlib import Path

import numpy as np
import peers
import pyarrow as pa
import pytest
from calls import DATA, create, needs_data, rows_of

from synthpriv_sql import errors

SAID = json.loads((Path(peers.__file__).parent / "peers.json").read_text(encoding="utf-8"))
SDMETRICS, SYNTHEVAL = SAID["sdmetrics"], SAID["syntheval"]
TRIO = ("synthetic", "train", "holdout")
KEYS = ["city", "smokes", "age"]
ATTACKED = {"known": ["city", "smokes"], "sensitive": ["job", "age"]}


def arrow(columns):
    return pa.table({name: pa.array(values) for name, values in columns.items()})


@pytest.fixture(scope="module")
def tables(shared):
    """The tables with missing values; those without are called complete."""
    create(shared, **{name: arrow(columns) for name, columns in peers.tables(missing=True).items()})
    complete = {f"complete {name}": arrow(columns) for name, columns in peers.tables(missing=False).items()}
    create(shared, **{name: table.drop_columns(["since"]) for name, table in complete.items()})
    return shared


def only(result):
    (row,) = rows_of(result)
    return row


def same(found, said):
    """Whether two numbers are one; what is missing here is NaN there."""
    if found is None or math.isnan(said):
        return found is None and math.isnan(said)
    return math.isclose(found, said, rel_tol=1e-9, abs_tol=1e-12)


def test_the_quality_report(tables):
    pair = [arrow(peers.tables(missing=False)[side]) for side in TRIO[:2]]
    found = [tuple(row.values()) for row in tables.peers_sdmetrics_quality(*pair)]
    said = {(prop, *columns): (metric, score) for prop, columns, metric, score in SDMETRICS["quality"]}
    assert len(found) == len(said) == 24
    for prop, columns, metric, score in found:
        assert (metric, True) == (said[prop, *columns][0], same(score, said[prop, *columns][1])), (prop, columns, score)


def test_metrics_of_columns_with_missing_values(tables):
    report = tables.peers_sdmetrics_quality("synthetic", "train", correlation_threshold=0, association_threshold=0)
    found = {tuple(row["columns"]): row["score"] for row in report}
    for names, score in SDMETRICS["with missing values"]:
        assert same(found[tuple(names)], score), names


def test_distances_to_closest_records(tables):
    overfitting, said = only(tables.peers_sdmetrics_overfitting(*TRIO)), SDMETRICS["overfitting"]
    assert all(same(overfitting[name], said[name]) for name in overfitting)
    baseline, said = only(tables.peers_sdmetrics_baseline("synthetic", "train", seed=1)), SDMETRICS["baseline"]
    assert same(baseline["synthetic_median"], said["synthetic_median"])
    # The tool draws anew each time; a seed of ours is one more draw.
    assert abs(baseline["random_median"] - said["random_median"]) < 4 * said["random_spread"]
    assert baseline["score"] == baseline["synthetic_median"] / baseline["random_median"]
    again = only(tables.peers_sdmetrics_baseline("synthetic", "train", seed=2))
    assert again["random_median"] != baseline["random_median"]
    assert only(tables.peers_sdmetrics_baseline("synthetic", "train", seed=1)) == baseline


def test_new_rows(tables):
    found, said = only(tables.peers_sdmetrics_new_rows("synthetic", "train")), SDMETRICS["new_rows"]
    assert (found["new_rows"], found["matched_rows"]) == (said["num_new_rows"], said["num_matched_rows"])
    assert found["matched_rows"] >= 12  # those that are planted
    assert found["score"] == said["score"]


@pytest.mark.parametrize("method", ["cap", "zero_cap"])
@pytest.mark.parametrize("bins", [0, 10])
def test_disclosure_protection(tables, method, bins):
    found = only(tables.peers_sdmetrics_disclosure("synthetic", "train", **ATTACKED, method=method, bins=bins))
    for name, value in SDMETRICS["disclosure"][f"{method}, {bins} bins"].items():
        assert same(found[name], value), name


def test_the_cap_family(tables):
    pair = ("complete synthetic", "complete train")
    cap = only(tables.peers_sdmetrics_disclosure(*pair, known=KEYS, sensitive=["job"]))
    assert same(cap["cap_protection"], SDMETRICS["cap"])
    generalized = only(tables.attribute_inference(*pair, known=KEYS, secrets=["job"], metric="hamming"))
    assert same(1 - generalized["tie_fair_rate"], SDMETRICS["generalized_cap"])


def test_disclosure_protection_as_published(shared):
    key = [letter for letter in "abcde" for _ in range(20)]
    real = pa.table({"key1": key, "key2": range(100), "secret1": list("abced") * 20, "secret2": range(100)})
    found = only(shared.peers_sdmetrics_disclosure(real, real, known=["key1"], sensitive=["secret1", "secret2"]))
    assert found["baseline_protection"] == pytest.approx(1 - 1 / 500)
    assert found["cap_protection"] == pytest.approx(1 - 1 / 20)
    nobody = shared.peers_sdmetrics_disclosure(
        real, "(SELECT 'z' AS key1, 'a' AS secret1)", known=["key1"], sensitive=["secret1"]
    )
    assert only(nobody) == {"score": None, "cap_protection": None, "baseline_protection": 0.0}


def test_syntheval(tables):
    found = only(tables.peers_syntheval(*(f"complete {name}" for name in TRIO)))
    assert same(found["mdcr"], SYNTHEVAL["dcr"]["mDCR"])
    assert same(found["nndr"], SYNTHEVAL["nndr"]["avg"])
    assert same(found["nndr_privacy_loss"], SYNTHEVAL["nndr"]["priv_loss"])
    assert same(found["hit_rate"], SYNTHEVAL["hit_rate"]["hit rate"])
    assert same(found["nnaa"], SYNTHEVAL["nnaa"]["avg"])
    assert same(found["nnaa_privacy_loss"], SYNTHEVAL["nnaa"]["priv_loss"])
    without = only(tables.peers_syntheval("complete synthetic", "complete train", exclude=["income"]))
    assert (without["nndr_privacy_loss"], without["nnaa_privacy_loss"]) == (None, None)


def test_the_risk_of_syntheval(tables):
    of_all = [f"complete {name}" for name in TRIO]
    found = only(tables.peers_syntheval_risk(*of_all))
    assert same(found["eps_risk"], SYNTHEVAL["eps_risk"]["eps_risk"])
    assert same(found["privacy_loss"], SYNTHEVAL["eps_risk"]["priv_loss"])
    assert only(tables.peers_syntheval_risk(*of_all[:2]))["privacy_loss"] is None
    # Train itself, which the tool takes for no risk; and a column that is the same everywhere changes nothing.
    train = '(SELECT *, 7 AS k, NULL::DOUBLE AS n FROM "complete train")'
    assert only(tables.peers_syntheval_risk(train, train))["eps_risk"] == 1
    with pytest.raises(errors.OptionError, match="takes no group_by"):
        tables.peers_syntheval_risk(*of_all, group_by="city")


def test_utility_of_synthpop_as_published(shared):
    def drawn(counts):
        return pa.table({"cell": [cell for cell, n in enumerate(counts) for _ in range(n)]})

    real, synthetic = drawn((40, 30, 20, 10, 0)), drawn((35, 35, 18, 8, 4))
    found = only(shared.peers_synthpop_utility(synthetic, real, categorical=["cell"]))
    assert found == pytest.approx(
        {
            "VW": 10.090868196131353,
            "pMSE": 0.0063067926225820956,
            "df": 4,
            "S_pMSE": 2.5227170490328383,
            "FT": 18.094278153694802,
            "JSD": 0.023774702758108588,
            "SPECKS": 0.09,
            "dBhatt": 0.15039231260978234,
        },
        rel=1e-12,
    )


def test_utility_of_synthpop_in_groups(shared):
    draw = np.random.default_rng(5)
    real, synthetic = draw.normal(size=150).round(1), draw.normal(0.4, size=90).round(1)
    tables = [pa.table({"x": pa.array([*values, None], pa.float64())}) for values in (synthetic, real)]
    found = only(shared.peers_synthpop_utility(*tables))
    edges = np.quantile([*real, *synthetic], np.arange(1, 6) / 5)
    s, d = (
        np.array([*np.bincount((values[:, None] >= edges).sum(axis=1), minlength=6), 1.0])
        for values in (synthetic, real)
    )
    kept = s + d > 0
    s, d = s[kept], d[kept]
    c = s.sum() / (s.sum() + d.sum())
    assert found["pMSE"] == pytest.approx((((s / (s + d) - c) ** 2) * (s + d)).sum() / (s + d).sum())
    assert found["df"] == len(s) - 1


@needs_data
def test_disclosure_of_synthpop_as_published(shared):
    both = f"(FROM '{DATA}/adult_trn.csv.gz' UNION ALL FROM '{DATA}/adult_val.csv.gz')"
    keys = ["age", "occupation", "race", "sex"]
    targets = ["workclass", "relationship", "capital-loss", "native-country"]
    # Of a table beside itself: what the keys say of it, and nothing of a synthesizer.
    rows = shared.peers_synthpop_disclosure(both, both, quasi_identifiers=keys, targets=targets)
    found = {row["target"]: row for row in rows}
    assert {name: round(row["Dorig"], 2) for name, row in found.items()} == {
        "workclass": 14.27, "relationship": 5.17, "capital-loss": 30.61, "native-country": 17.09,
    }  # fmt: skip
    for row in found.values():
        assert round(row["UiO"], 2) == 2.68
        assert (row["repU"], row["DiSCO"], row["iS"], row["Dsyn"]) == (row["UiO"], row["Dorig"], 100, row["Dorig"])
        assert row["TCAP"] == row["DiSCO"]


def test_shares_of_synthpop_are_those_of_disclosure(tables):
    asked = {"quasi_identifiers": ["city", "smokes"], "targets": ["job", "age"], "bins": 5}
    ours = {(row["target"], row["measure"]): row["value"] for row in tables.disclosure("synthetic", "train", **asked)}
    for row in tables.peers_synthpop_disclosure("synthetic", "train", **asked):
        assert row["repU"] == pytest.approx(100 * ours[None, "replicated_uniques"])
        assert row["DCAP"] == pytest.approx(100 * ours[row["target"], "DCAP"])
        assert row["TCAP"] == pytest.approx(100 * row["DiSCO"] / row["iS"])


def test_tables_without_rows_and_columns_without_values(shared):
    some, none = (
        pa.table({"x": [1.0, 2.0], "c": ["a", "b"]}),
        pa.table({"x": pa.array([], pa.float64()), "c": pa.array([], pa.string())}),
    )
    nulls = pa.table({"x": pa.array([None, None], pa.float64()), "c": pa.array([None, None], pa.string())})
    assert only(shared.peers_sdmetrics_new_rows(none, some))["score"] is None
    assert only(shared.peers_sdmetrics_overfitting(none, some, some))["score"] is None
    assert {row["score"] for row in shared.peers_sdmetrics_quality(none, some)} == {None}
    of_nulls = {
        tuple(row["columns"]): row["score"] for row in shared.peers_sdmetrics_quality(nulls, some) if row["measure"]
    }
    assert (of_nulls["x",], of_nulls["c",]) == (None, None)
    assert only(shared.peers_synthpop_utility(none, some))["pMSE"] is None
    assert {row["accuracy"] for row in shared.peers_mostlyai_accuracy(none, some)} == {None}
    assert {row["accuracy"] for row in shared.peers_mostlyai_accuracy(nulls, nulls)} == {1}
    assert only(shared.peers_syntheval_risk(some, some.slice(0, 1)))["eps_risk"] is None
    assert only(shared.peers_syntheval_risk(nulls, nulls))["eps_risk"] == 0  # all are equally near
    with pytest.raises(errors.EmptyTable):
        shared.peers_sdmetrics_overfitting(some, none, some)


@needs_data
def test_the_quality_report_as_published(shared):
    named = ["start_date", "second_perc", "work_experience", "degree_type"]
    files = [str(DATA / f"student_placements_{side}.csv") for side in ("synthetic", "real")]
    rows = {
        tuple(row["columns"]) or row["property"]: row["score"]
        for row in shared.peers_sdmetrics_quality(
            *files, columns=named, correlation_threshold=0, association_threshold=0
        )
    }
    published = {
        "overall": 0.8393750143888287,
        ("start_date",): 0.6621621621621622,
        ("degree_type",): 0.9395348837209302,
        ("start_date", "second_perc"): 0.9187918131436303,
        ("start_date", "work_experience"): 0.6744186046511629,
        ("second_perc", "degree_type"): 0.772093023255814,
    }
    assert {name: rows[name] for name in published} == pytest.approx(published, abs=1e-7)


@pytest.mark.parametrize("name", ["train", "train and holdout"])
def test_the_accuracy_of_mostlyai(tables, name):
    kind = "complete " if name == "train and holdout" else ""
    rows = list(tables.peers_mostlyai_accuracy(*(f"{kind}{side}" for side in ("synthetic", *name.split(" and ")))))
    told = {tuple(columns): [accuracy, most] for columns, accuracy, most in SAID["mostlyai"][name]}
    found = {tuple(sorted(row["columns"])): [row["accuracy"], row["accuracy_max"]] for row in rows if row["columns"]}
    assert len(told) == (5 + 10 + 10 if kind else 6 + 15 + 20)
    assert found == {columns: pytest.approx(both, abs=1.1e-5) for columns, both in told.items()}
    means = {row["level"]: [row["accuracy"], row["accuracy_max"]] for row in rows if not row["columns"]}
    levels = [np.mean([both for columns, both in told.items() if len(columns) == n], axis=0) for n in (1, 2, 3)]
    assert [means[level] for level in ("univariate", "bivariate", "trivariate")] == pytest.approx(
        np.array(levels), abs=2e-6
    )
    assert means["overall"] == pytest.approx(np.mean(levels, axis=0), abs=2e-6)
