"""Option `effort` of evaluate: quick has the verdict and its numbers, and is chosen where a call would take long."""

import warnings
from dataclasses import replace
from types import MappingProxyType, SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from attacks import auc
from calls import cli, create
from loops import each

from synthpriv_sql import errors
from synthpriv_sql.api import effort
from synthpriv_sql.planner import planning
from synthpriv_sql.planner.calls.rewriting import Call
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.words import verdict
from synthpriv_sql.results.calls import pilot

SIDES = ("synthetic", "train", "holdout")
OPTIONS = {"attack": ["uniques"], "named_by": ["uniques"]}
ATTACKS = ["distance", "ratio", "density", "agreement", "agreement_near"]
LEFT_OUT = {"dcr", "nndr", "comparison", "mda", "dimensions"}


def people(rows, seed):
    random = np.random.default_rng(seed)
    return pa.table({"c": random.choice(list("abcdefg"), rows).tolist(), "n": random.normal(size=rows)})


def named(rows):
    return {(r["section"], r["metric"], r["variant"], r["statistic"]): r for r in rows}


def test_quick_has_the_same_verdict_without_the_rest(session):
    create(session, **{side: people(130, seed) for seed, side in enumerate(SIDES)})
    options = {"attack": ["uniques", *ATTACKS], "named_by": ["uniques"]}
    quick = session.evaluate(*SIDES, effort="quick", **options)
    full = session.evaluate(*SIDES, **options)
    few, all_ = named(quick), named(full)
    lacking = all_.keys() - few.keys()
    assert {name[0] for name in lacking} == {*LEFT_OUT, "holdout_share"}
    assert {name[3] for name in lacking if name[0] == "holdout_share"} == {"closer", "further", "equal"}
    assert few.keys() - all_.keys() == {("scope", "scope", None, name) for name in ("quick", "asked")}
    assert all(few[name] == all_[name] for name in few.keys() & all_.keys())
    assert (quick.verdict.level, quick.verdict.headline) == (full.verdict.level, full.verdict.headline)
    assert "Evaluated quickly: dcr, nndr, comparison, mda and dimensions are left out" in quick.verdict.sentence
    assert quick.verdict.findings[-1].note == "Not measured: it is no part of the verdict, and effort='full' has it."


@pytest.mark.parametrize("rows", [210, 230])
def test_it_says_of_how_many_people_learned_was_asked(session, monkeypatch, rows):
    """Of so many of each side at most, and only where there are more."""
    create(session, **{side: people(rows, seed) for seed, side in enumerate(SIDES)})
    monkeypatch.setattr(planning, "QUICK_PEOPLE", 220)
    found = named(session.evaluate(*SIDES, effort="quick", attack=["uniques", "learned"], named_by=["uniques"]))
    asked = found.get(("membership", "membership", "learned", "asked"))
    assert (asked and asked["value"]) == (220 if rows > 220 else None)
    full = Measured([{"item": "number", **row} for row in found.values() if row["statistic"] != "quick"])
    said = "The attack learned scored 220 people of each side at most, drawn at random; exposure asks it of everybody."
    assert (said in verdict(full).sentence) == (rows > 220)


@pytest.mark.parametrize("unit", ["", "who"])
def test_quick_scores_so_many_people_of_each_side_among_all_records(session, monkeypatch, unit):
    tables = {side: people(130, seed) for seed, side in enumerate(SIDES)}
    for side, table in tables.items():
        tables[side] = table.append_column("who", pa.array([f"{side} {i % 70}" for i in range(130)]))
    create(session, **tables)
    monkeypatch.setattr(planning, "QUICK_ASKED", 40)
    given = {"unit": unit} if unit else {"exclude": ["who"]}
    rows = named(session.evaluate(*SIDES, effort="quick", attack=ATTACKS, named_by=["uniques"], seed=5, **given))
    assert rows["scope", "scope", None, "asked"]["value"] == 40

    part = catalog.part("asked")
    shared = {name: p for name, p in catalog.function("exposure").parameters.items() if p.group}
    parameters = MappingProxyType({**part.parameters, **shared})
    columns = dict.fromkeys(("record", "asked"), "")
    units = ("train", "holdout")
    part = replace(
        part, part=False, compares=True, units=units, parameters=parameters, columns=columns, order=("record",),
        sets={"most_asked": 40},
    )  # fmt: skip
    found = session.call(part, train="train", holdout="holdout", seed=5, **given).to_arrow()
    asked = found["asked"].to_pylist()
    assert found["record"].to_pylist() == [*range(len(asked))]
    drawn = [{i % 130 % (70 if unit else 130) for i in asked if (i < 130) == members} for members in (True, False)]
    assert [len(one) for one in drawn] == [40, 40]
    assert asked == [i for i in range(260) if i % 130 % (70 if unit else 130) in drawn[i >= 130]]
    for attack in ATTACKS:
        scores = session.membership_scores(*SIDES, attack=attack, **given)
        kept = [[r["score"] for r in scores if r["side"] == side and r["record"] + at in asked]
                for side, at in (("train", 0), ("holdout", 130))]  # fmt: skip
        assert [len(one) for one in kept] == [40, 40]
        row = rows["membership", "membership", attack, "auc"]
        assert row["value"] == pytest.approx(auc(*kept), abs=1e-12), attack


def test_a_call_that_would_take_long_is_quick_and_says_so(session, monkeypatch):
    create(session, **{side: people(130, seed) for seed, side in enumerate(SIDES)})

    def chosen(**more):
        given = {**dict(zip(SIDES, SIDES, strict=True)), **OPTIONS, **more}
        with session._planned(Call.of("evaluate", given), running=True) as planned:
            return planned.options["effort"]

    monkeypatch.setattr(effort, "_FEW", 389)
    monkeypatch.setattr(effort, "LONG", 0.01)
    with pytest.warns(errors.SynthprivWarning, match="may take .* here, so what the verdict does not need is left out"):
        assert chosen() == "quick"
    with warnings.catch_warnings():
        warnings.simplefilter("error", errors.SynthprivWarning)
        assert (chosen(effort="full"), chosen(group_by="c")) == ("full", None)
        monkeypatch.setattr(effort, "LONG", 3600.0)
        assert chosen() is None
        monkeypatch.setattr(effort, "foresee", None)  # of few rows nothing is foreseen
        monkeypatch.setattr(effort, "_FEW", 390)
        assert chosen() is None


def test_a_pilot_search_decides_where_sizes_do_not(session, monkeypatch):
    create(session, **{side: people(130, seed) for seed, side in enumerate(SIDES)})
    given = {**dict(zip(SIDES, SIDES, strict=True)), **OPTIONS}
    monkeypatch.setattr(effort, "_FEW", 389)
    found = []

    def chosen(long, of_a_query):
        def searched(engine, of):
            found.append(pilot.seconds_of_a_query(engine, of))
            return of_a_query

        with monkeypatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore", errors.SynthprivWarning)
            patch.setattr(effort, "LONG", long)
            patch.setattr(effort, "pilot", SimpleNamespace(seconds_of_a_query=searched))
            with session._planned(Call.of("evaluate", given), running=True) as planned:
                return planned.options["effort"]

    estimate = list(session.plan("evaluate", **given))[-1]["seconds"]
    assert (chosen(estimate / 4, 0.0), chosen(estimate * 4, 1.0)) == ("quick", None)
    assert found == []  # where sizes tell, nothing is searched
    more, less = estimate * 1.2, estimate * 0.9999  # so few rows are searched in less than a thousandth of it
    assert (chosen(more, 1.0), chosen(less, 1e-9)) == ("quick", None)
    assert (chosen(more, None), chosen(less, None)) == (None, "quick")
    assert len(found) == 4


def test_a_pilot_search_tells_independent_columns_from_dependent_ones(session):
    random = np.random.default_rng(1)

    def table(dependent):
        of = random.normal(size=(pilot.PILOT, 10 if not dependent else 1))
        numbers = of + 0.01 * random.normal(size=(pilot.PILOT, 10))
        return pa.table({f"n{i}": column for i, column in enumerate(numbers.T)})

    took = []
    for dependent in (True, False):
        create(session, synthetic=table(dependent), train=table(dependent))
        took.append(pilot.seconds_of_a_query(session.engine, {"synthetic": "synthetic", "train": "train"}))
    assert 1.5 * took[0] < took[1], took  # alone and beside other work 4.4 to 6.6 times


@each(
    "options",
    [
        {"exclude": ["n"], "metric": "euclidean"},
        {"columns": ['N "2"', "c"], "weights": {"c": 2.0}, "seed": 3},
        {"key": "id", "categorical": ["n"], "unit": "id", "identifiers": "exclude", "quasi_identifiers": ["c"]},
    ],
)
def test_a_pilot_search_takes_the_options_of_its_call(session, options):
    """What an evaluation takes never makes its pilot fail."""
    odd = people(2_000, 1).append_column('N "2"', pa.array(range(2_000)))
    odd = odd.append_column("id", pa.array([f"p{i}" for i in range(len(odd))]))
    create(session, synthetic=odd, train=odd, holdout=odd)
    given = {**dict(zip(SIDES, SIDES, strict=True)), **options}
    took = pilot.seconds_of_a_query(session.engine, given)
    assert took is None or 0 < took < 1


def test_what_shows_everything_is_not_quick(session, tmp_path):
    with pytest.raises(errors.OptionError, match="the page shows all parts"):
        session.report(tmp_path / "page.html", *SIDES, effort="quick")
    tables = [text for side in SIDES for text in (f"--{side}", "(SELECT 1 AS a)")]
    for required in ("dcr.synthetic_train.median>0", "holdout_share.near.closer<9"):
        code, _, err = cli("evaluate", *tables, "--effort", "quick", "--require", required)
        assert (code, "--effort quick leaves out" in err) == (2, True)
