"""Several synthetic tables at once: the numbers of each alone, and which are beaten."""

import json
import math
import re

import numpy as np
import pyarrow as pa
import pytest
from calls import call, cli, create, rows_of

from synthpriv_sql import errors

OPTIONS = {"trees": 8, "seed": 3}
QUICK = {"trees": 1, "attack": ["distance", "agreement"]}
"""Without the attack that learns, where only what is left out is asked about."""
NUMBERS = (
    *("fidelity", "detection", "attack", "auc", "lower", "upper", "exposed", "copies", "holdout_share"),
    *("at_least", "matters"),
)
ATTACKS = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"]
NULLS = dict.fromkeys(NUMBERS)


def people(seed, rows=240):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=rows).round(2)
    codes = [f"{draw.integers(8)}-{draw.integers(8)}" for _ in range(rows)]
    return pa.table({"x": x, "City": draw.choice(["A", "B", "C"], rows).tolist(), "day": codes, "y": (x > 0).tolist()})


@pytest.fixture(scope="module")
def tables(shared):
    """Train and holdout; a leaky copy, a fresh table, and noise, which is private and worth nothing."""
    train, holdout = people(1), people(2)
    noise = pa.table({"x": np.full(240, 9.0), "City": ["Z"] * 240, "day": ["?"] * 240, "y": [True] * 240})
    found = {"train": train, "holdout": holdout, "a copy": train, "fresh": people(3), "noise": noise,
             "short": people(4).drop_columns(["day"])}  # fmt: skip
    create(shared, **found)
    return found


def asked(session, synthetic, **options):
    rows = session.candidates(synthetic, "train", "holdout", **OPTIONS | options)
    return {row["candidate"]: row for row in rows.to_arrow().to_pylist()}


@pytest.fixture(scope="module")
def four(shared, tables):
    """Three tables, one of them under two names; asked once, as classifiers are trained for each."""
    return asked(shared, {"a copy": "a copy", "fresh": "fresh", "again": "fresh", "noise": "noise"})


def test_the_numbers_are_those_of_each_alone(shared, four):
    assert list(four) == ["a copy", "fresh", "again", "noise"]
    assert four["noise"]["matters"] is False
    for name in ("a copy", "fresh"):
        row = four[name]
        pair, trio = (name, "train"), (name, "train", "holdout")
        assert row["fidelity"] == rows_of(shared.fidelity_summary(*pair))[0]["mean"]
        assert row["detection"] == rows_of(shared.detection(*pair, **OPTIONS))[0]["auc"]
        attacks = rows_of(shared.membership(*trio, attack=ATTACKS, seed=3))
        worst = max(attacks, key=lambda attack: attack["auc"])
        assert row["auc"] == worst["auc"]
        assert (row["lower"], row["upper"]) == (worst["auc_lower"], worst["auc_upper"])
        assert row["exposed"] == sum(
            r["exposed"] for r in rows_of(shared.exposure(*trio, attack=["uniques", "learned"], seed=3))
        )
        assert row["at_least"] == max(attack["at_least"] for attack in attacks)
        assert row["matters"] is (name == "a copy")
        assert row["copies"] == sum(r["copies"] > 0 for r in rows_of(shared.copies(*pair)))
        assert row["holdout_share"] == rows_of(shared.holdout_share(*trio, seed=3))[0]["share"]


def matters(attack, tolerance):
    reached = {"auc_lower": 0.5 + tolerance, "lower": tolerance, "traced_lower": tolerance / 2}
    return attack["p_adjusted"] < 0.001 and any(attack[name] >= limit for name, limit in reached.items())


@pytest.fixture(scope="module")
def noisy(shared):
    """Half of train with noise: a trace of the crowd, which matters by one tolerance, and not by another."""
    draw = np.random.default_rng(0)
    train, holdout, others = (draw.normal(size=(400, 4)) for _ in range(3))
    half = np.vstack([train[:200] + draw.normal(size=(200, 4)) * 0.25, others[200:]])
    tables = {"seen": train, "unseen": holdout, "noisy": half}
    create(shared, **{name: pa.table(dict(zip("abcd", of.T, strict=True))) for name, of in tables.items()})
    return ["noisy"], "seen", "unseen"


@pytest.mark.again
def test_what_matters_is_more_than_the_tolerance(shared, noisy):
    attacks = rows_of(shared.membership("noisy", *noisy[1:], attack=["distance"], false_positive_rates=[0.01]))
    assert [any(matters(attack, tolerance) for attack in attacks) for tolerance in (0.02, 0.2)] == [True, False]
    sql = call("candidates", *noisy, trees=1, attack=["distance"], tolerance=0.2)
    assert shared.connection.execute(f"SELECT matters {sql}").fetchall() == [(False,)]


@pytest.mark.nightly
def test_the_tolerance_is_that_of_the_verdict_too(shared, noisy, tmp_path):
    page = tmp_path / "candidates.md"
    for tolerance, word in ((0.02, "Problem"), (0.2, "Needs review")):
        fast = {"trees": 1, "attack": ["distance"], "tolerance": tolerance}
        (row,) = shared.report_candidates(None, *noisy, decision=page, **fast)
        assert row["matters"] is (word == "Problem")
        assert f"noisy: {word}" in page.read_text(encoding="utf-8")


def test_who_is_beaten(four):
    found = four
    assert found["a copy"]["fidelity"] == 1
    assert found["a copy"]["lower"] > 0.9
    assert found["a copy"]["exposed"] > 100
    for name, row in found.items():
        better = [other for other, r in found.items()
                  if r["fidelity"] >= row["fidelity"] and r["auc"] <= row["auc"]
                  and (r["fidelity"], r["auc"]) != (row["fidelity"], row["auc"])]  # fmt: skip
        assert row["beaten_by"] == better, name
    # One table under two names: neither beats the other.
    assert {**found["fresh"], "candidate": ""} == {**found["again"], "candidate": ""}


@pytest.mark.slow
def test_python_objects_by_name(shared, tables):
    result = shared.candidates({"a": tables["fresh"], "b": tables["noise"].to_pandas()}, "train", "holdout", **OPTIONS)
    by_name = {row["candidate"]: row for row in result.to_arrow().to_pylist()}
    assert result.run.rows == {"synthetic.a": 240, "synthetic.b": 240}
    assert result.run.named == {"train": "train", "holdout": "holdout"}
    listed = asked(shared, ["fresh", "noise"])
    for one, other in (("a", "fresh"), ("b", "noise")):
        assert math.isclose(by_name[one]["fidelity"], listed[other]["fidelity"])


@pytest.mark.nightly
def test_one_that_lacks_a_column_is_named_and_the_others_run(shared, tables):
    with pytest.warns(errors.SynthprivWarning, match='"short" is left out: column "day"'):
        found = asked(shared, ["short", "fresh"], **QUICK)
    assert 'column "day"' in found["short"].pop("reason")
    assert found["short"] == {"candidate": "short", "beaten_by": []} | NULLS
    assert {**found["fresh"], "beaten_by": []} == asked(shared, ["fresh"], **QUICK)["fresh"]
    with pytest.raises(errors.ColumnMismatch, match='column "day"'):
        asked(shared, ["short"])
    # So it is where the column is asked for by name; one that nobody has is an error.
    with pytest.warns(errors.SynthprivWarning, match='"short" is left out: .*"day"'):
        assert asked(shared, ["short", "fresh"], columns=["x", "day"], **QUICK)["short"]["auc"] is None
    with pytest.raises(errors.UnknownColumn, match="nowhere"):
        asked(shared, ["short", "fresh"], columns=["nowhere"])
    # Where the column is left out it runs as well.
    assert asked(shared, ["short", "fresh"], exclude=["day"], **QUICK)["short"]["auc"] is not None


def test_one_without_rows_is_named_and_the_others_run(shared, tables):
    create(shared, empty=tables["fresh"].slice(0, 0))
    with pytest.warns(errors.SynthprivWarning, match='"empty" is left out: "empty" has no rows'):
        found = asked(shared, ["fresh", "empty"], **QUICK)
    assert found["empty"] == {"candidate": "empty", "beaten_by": [], "reason": '"empty" has no rows'} | NULLS
    assert found["fresh"] == asked(shared, ["fresh"], **QUICK)["fresh"]
    assert found["fresh"]["reason"] is None
    with pytest.raises(errors.EmptyTable, match='"empty" has no rows'):
        asked(shared, ["empty"])


@pytest.mark.again
def test_what_is_of_the_real_tables_is_computed_once(shared, tables):
    def searches(candidates):
        sql = shared.sql("candidates", synthetic=candidates, train="train", holdout="holdout", **OPTIONS)
        # The marginals of each candidate, and those of train once.
        assert len(re.findall(r"\bcells_coded_alone_\w*dictionary_train(?:_\d+)? AS \(", sql)) == len(candidates) + 1
        return sql.count("synthpriv_search("), sql.count("synthpriv_page(")

    (one, one_page), (three, three_pages) = searches(["fresh"]), searches(["fresh", "noise", "a copy"])
    # Three for each candidate: its records, the distinct ones among them, and its keys; the others are of real tables.
    assert (one_page, three_pages) == (9, 15)
    assert three < 3 * one


@pytest.mark.parametrize(
    ("synthetic", "words"),
    [
        ([], "no table"),
        ({}, "no table"),
        (["fresh", "fresh"], "twice"),
        (3, "not a list of table names"),
        ([pa.table({"x": [1]})], "give other tables by name"),
    ],
)
def test_wrong_input_is_told(shared, tables, synthetic, words):
    with pytest.raises(errors.OptionError, match=words):
        asked(shared, synthetic)


def test_unknown_tables_are_told(shared, tables):
    with pytest.raises(errors.UnknownTable, match="nowhere"):
        asked(shared, ["fresh", "nowhere"])


@pytest.mark.again
def test_the_command_line_names_them(tmp_path, tables):
    import pyarrow.parquet as pq

    for name, table in tables.items():
        pq.write_table(table, tmp_path / f"{name}.parquet")
    real = [f"--{side}={tmp_path / side}.parquet" for side in ("train", "holdout")]
    names = ["--synthetic", f"one={tmp_path}/fresh.parquet", "--synthetic", f"two={tmp_path}/noise.parquet"]
    code, out, err = cli("candidates", *names, *real, "--trees", "1", "--attack", "distance", "--format", "json")
    assert (code, err) == (0, "")
    assert [row["candidate"] for row in json.loads(out)] == ["one", "two"]
    code, out, err = cli("candidates", "--synthetic", "one=a", "--synthetic", "one=b", *real)
    assert code == 2
    assert "a name is given twice" in err
