"""The verdict on leaks of few columns among many: which columns together give people away."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict import replays


def drawn(seed, rows):
    """Ten independent columns, so that only what is planted tells anybody apart."""
    random = np.random.default_rng(seed)
    columns = {f"c{i}": random.integers(0, 12 + 3 * i, rows) for i in range(8)}
    columns["income"], columns["birth date"] = random.integers(0, 900, rows), random.integers(0, 700, rows)
    return columns


SOME = {"attack": "uniques", "named_by": "uniques"}
PLANTED = 40


@pytest.fixture(scope="module")
def people():
    return drawn(1, 500), drawn(2, 500), drawn(3, 500)


def evaluated(session, *tables):
    return session.evaluate(*(pa.table(table) for table in tables), **SOME)


def test_two_columns_of_ten_are_named(session, people):
    train, holdout, synthetic = people
    leaking = {name: values.copy() for name, values in synthetic.items()}
    for name in ("income", "birth date"):
        leaking[name][:PLANTED] = train[name][:PLANTED]
    result = evaluated(session, leaking, train, holdout)
    (row,) = [
        row for row in result.to_arrow().to_pylist() if (row["metric"], row["statistic"]) == ("set_replay", "replayed")
    ]
    assert row["variant"] == "income, birth date"
    assert result.verdict.level == "bad"
    said = (
        f"{int(row['value'])} people of train have a combination of income, birth date that nobody else has, and that"
    )
    assert any(sentence.startswith(said) for sentence in (result.verdict.headline, *result.verdict.reasons))
    counted, remedied, trained = result.verdict.next_steps
    assert counted == "replay_sets counts the people, by set of columns: above all income, birth date together."
    assert remedied.startswith("remedy looks for the least change")
    assert trained.endswith("noise on income, birth date.")


def test_a_leak_of_few_is_shown_beside_more_significant_traces_of_many(session):
    """Of three sets, nine tenths of train and slightly fewer of the holdout come back; of a fourth, 20 people."""
    random = np.random.default_rng(5)

    def people(rows):
        values = random.integers(0, [700] * 3 + [20_000] * 2, (rows, 5))
        return pd.DataFrame(values, columns=["a", "b", "c", "first", "second"])

    train, holdout = people(1_500), people(1_500)
    few = people(20).assign(**train[["first", "second"]][-20:].reset_index(drop=True))
    traces = []
    for pair in (["a", "b"], ["a", "c"], ["b", "c"]):
        known = pd.concat([train[:1_350], holdout[:1_240]], ignore_index=True)
        traces.append(people(len(known)).assign(**known[pair]))
    synthetic = pd.concat([few, *traces])
    p_values = session.replay_sets(synthetic, train, holdout)["p_adjusted"]
    assert p_values[2] < p_values[3] < 0.01
    result = session.evaluate(synthetic, train, holdout, attack="distance", named_by="uniques")
    shown = [row["variant"] for row in result.to_arrow().to_pylist() if row["metric"] == "set_replay"]
    assert len({*shown} - {None}) == 3
    assert "first, second" in shown
    assert result.verdict.headline.startswith("20 people of train have a combination of first, second that nobody else")


def test_two_columns_give_other_people_away_with_each_release(session):
    """No table tells anything alone; that of all releases is what the union of their records tells."""
    train, holdout, *tables = (drawn(seed, 190) for seed in range(1, 6))
    for month, table in enumerate(tables):
        for name in ("income", "birth date"):
            table[name][:9] = train[name][9 * month : 9 * month + 9]
    train, holdout, *before, newest = (pa.table(table) for table in (train, holdout, *tables))
    alone = session.replay_sets(newest, train, holdout).to_arrow().to_pylist()
    assert alone[0]["p_adjusted"] > 0.01
    (worst, *_), united = (
        session.replay_sets(newest, train, holdout, releases=before).to_arrow().to_pylist(),
        session.replay_sets(pa.concat_tables([newest, *before]), train, holdout).to_arrow().to_pylist(),
    )
    assert worst == united[0]
    result = session.evaluate(newest, train, holdout, releases=before, **SOME)
    told = {r["statistic"]: r["value"] for r in result.to_arrow().to_pylist() if r["variant"] == "income, birth date"}
    assert told == {name: worst[name] for name in told}
    assert told["replayed"] == 27
    assert result.verdict.level == "bad"
    assert "In all releases together 27 people of train have a combination of income, birth date" in (
        result.verdict.headline
    )
    assert any("replay_sets with the same releases" in step for step in result.verdict.next_steps)
    assert not any("remedy" in step for step in result.verdict.next_steps)


def test_people_drawn_alike_have_none(session, people):
    train, holdout, synthetic = people
    rows = session.replay_sets(*(pa.table(table) for table in (synthetic, train, holdout))).to_arrow().to_pylist()
    assert len(rows) > 20
    assert rows[0]["p_adjusted"] > 0.05


def numbers(members, held, p_adjusted, sets=50.0, name="a, b"):
    values = {"train": 10_000.0, "replayed": members, "holdout": 10_000.0, "holdout_replayed": held}
    values |= {"p_value": p_adjusted / sets, "p_adjusted": p_adjusted}
    rows = [*((statistic, name, value) for statistic, value in values.items()), ("sets", None, sets)]
    row = {"item": "number", "section": "replay", "metric": "set_replay", "lower": None, "upper": None, "better": None}
    return [
        row | {"statistic": name, "variant": variant, "value": value, "meaning": ""} for name, variant, value in rows
    ]


@pytest.mark.parametrize(
    ("members", "held", "p_adjusted", "level"),
    [
        (60.0, 8.0, 1e-9, "bad"),
        (9.0, 0.0, 5e-3, "watch"),  # too few to say how many
        (60.0, 50.0, 0.2, "good"),
        (6_000.0, 5_600.0, 1e-6, "watch"),  # a trace of the crowd, which gives nobody away
    ],
)
def test_a_trace_of_the_crowd_is_no_leak(members, held, p_adjusted, level):
    found = replays.Replays(Measured(numbers(members, held, p_adjusted)))
    (one,) = found.of_sets(found.p_values(same=False, differs=False))
    assert one.level == level
    (none,) = found.of_sets(found.p_values(same=False, differs=True))
    assert none.level == "good"


def test_a_trace_of_many_does_not_hide_a_leak_of_few():
    """More people of the crowd are beyond chance than of the set that leaks: it comes first all the same."""
    crowd, few = numbers(6_000.0, 5_600.0, 1e-6), numbers(60.0, 8.0, 1e-9, name="c, d")
    found = replays.Replays(Measured([*crowd, *few]))
    leaking, trace = found.of_sets(found.p_values(same=False, differs=False))
    assert (leaking.column, leaking.level) == ("c, d", "bad")
    assert (trace.column, trace.level) == ("a, b", "watch")
    assert trace.top > leaking.top
