"""Rows remedy of `evaluate`: the column without which the fewest people are named by replicated uniques."""

import numpy as np
import pyarrow as pa
import pytest
from calls import rows_of

CHEAP = {"attack": ["uniques"], "named_by": ["uniques", "distance"]}


def leaking(seed=3, n=700, unseen=190):
    """The money of 250 people of train comes back with their town; job and town are common."""
    rng = np.random.default_rng(seed)
    tables = [
        {"job": rng.integers(0, 9, n), 'Town "x"': rng.integers(0, 12, n), "money": rng.integers(0, 10**6, n)}
        for n in (n, n, unseen)  # for more people of the holdout, classifiers are trained
    ]
    for name in ("money", 'Town "x"'):
        tables[0][name][:250] = tables[1][name][:250]
    return [pa.table(table) for table in tables]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("unit", [None, "who"])
def test_the_column_that_names_is_found(shared, unit):
    tables = leaking(unseen=380 if unit else 190)
    options = {}
    if unit:
        options = {"unit": unit}
        tables = [t.append_column(unit, pa.array(np.arange(len(t)) // 2 + 1000 * i)) for i, t in enumerate(tables)]
    rows = rows_of(shared.evaluate(*tables, **CHEAP, **options))
    found = {row["statistic"]: row["value"] for row in rows if row["metric"] == "remedy"}
    assert {row["variant"] for row in rows if row["metric"] == "remedy"} == {"money"}

    def named(**more):
        people = shared.exposure(*tables, attack="uniques", false_discovery=0.025, **options, **more)
        return sum(people["exposed"])

    assert found == {"named_before": named(), "named_after": named(exclude=["money"])}
    assert found["named_before"] > 100
    assert found["named_after"] <= min(named(exclude=[name]) for name in ("job", 'Town "x"'))


@pytest.mark.nightly
def test_where_nobody_is_named_no_column_is(shared):
    synthetic, train, holdout = leaking()
    for asked in ({"synthetic": holdout, "holdout": synthetic}, {"synthetic": synthetic, "named_by": ["distance"]}):
        given = {"train": train, "holdout": holdout, "attack": ["uniques"], "named_by": ["uniques"], **asked}
        assert not [row for row in shared.evaluate(**given) if row["metric"] == "remedy"]


@pytest.mark.nightly
@pytest.mark.parametrize("unit", [pytest.param(None, marks=pytest.mark.nightly), "who"])
def test_postgres_finds_it_by_group_by(shared, pg, unit):
    queries = {}
    for number, (side, table) in enumerate(zip(("synthetic", "train", "holdout"), leaking(n=300), strict=True)):
        rows = zip(*table.to_pydict().values(), strict=True)
        values = ", ".join(
            f"({job}, {town}, {money}, {number * 1000 + i // 2})" for i, (job, town, money) in enumerate(rows)
        )
        queries[side] = f'(SELECT * FROM (VALUES {values}) AS t (job, "Town ""x""", money, who))'
    options = {"unit": unit} if unit else {"exclude": ["who"]}
    found, expected = (
        [row for row in rows_of(session.evaluate(**queries, **CHEAP, **options)) if row["metric"] == "remedy"]
        for session in (pg, shared)
    )
    assert {row["variant"] for row in expected} == {"money"}
    assert found == expected
