"""Who is at risk: groups counted one by one, a planted risk found, and no group of a safe table."""

import collections
import datetime
import math

import numpy as np
import oracle
import pyarrow as pa
import pytest
from attacks import holm, hypergeometric_tail
from calls import assert_same_rows, rows_of

from synthpriv_sql import errors
from synthpriv_sql.results import gate

QUOTED = 'Cïty "x" of'


def people(random, rows):
    """Columns with nulls, ties, 25 categories, one value only, times, and a name that the function uses as well."""
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(days=int(d)) for d in random.integers(0, 40, rows)]
    return {
        QUOTED: [None if v == 25 else f"city {v:02}" for v in (random.random(rows) ** 2 * 26).astype(int)],
        "isolation": [None if i % 9 == 4 else int(v) for i, v in enumerate(random.integers(0, 7, rows))],
        "weight": np.round(random.normal(size=rows), 4).tolist(),
        "same": [3.5] * rows,
        "day": days,
    }


def text(value, half=None):
    """A number as three digits of the width of its range show it."""
    if half:
        digits = min(max(2 - math.floor(math.log10(2 * half)), 0), 22)
        value = math.floor(value * 10.0**digits + 0.5) / 10.0**digits
    return str(int(value)) if value == int(value) else str(value)


def fifths(values):
    """The group of each person, None where missing, and the label of each group."""
    present = [value for value in values if value is not None]
    place = [None if v is None else 5 * sum(w < v for w in present) // len(present) for v in values]
    labels, groups = {}, sorted({p for p in place if p is not None})
    for group in groups:
        inside = [value for value, p in zip(values, place, strict=True) if p == group]
        least, most = min(inside), max(inside)
        if isinstance(least, datetime.date):
            ends = [str(least), str(most)]
        else:
            half = (most - least) / 2
            ends = [text(least, half), text(most, half)]
        if ends[0] == ends[1]:
            labels[group] = ends[0]
        elif group == groups[0]:
            labels[group] = f"<= {ends[1]}"
        else:
            labels[group] = f">= {ends[0]}" if group == groups[-1] else " .. ".join(ends)
    return place, labels


def twenty(values):
    """As fifths, of the most frequent categories."""
    counts = collections.Counter(values)
    ranked = sorted(counts, key=lambda v: (-counts[v], v is None, v or ""))[:20]
    return values, {value: value for value in ranked}


def expected(columns, named, listed):
    """The rows of the function, from each person's values, and who is named and listed."""
    rows, p_values, everybody = [], [], len(named)
    for name, values in columns:
        group_of, labels = (twenty if isinstance(next(iter(values)), str | None) else fifths)(values)
        for group, label in labels.items():
            inside = [i for i, g in enumerate(group_of) if g == group and (g is not None or group is None)]
            n, hits = len(inside), sum(named[i] for i in inside)
            others, elsewhere = everybody - n, sum(named) - hits
            row = {"column_name": name, "value": label, "people": n, "named": hits}
            row |= {"listed": sum(listed[i] for i in inside), "rate": hits / n}
            row |= {"rate_elsewhere": elsewhere / others if others else None}
            row |= {"ratio": None, "lower": None, "upper": None}
            if hits and elsewhere:
                row["ratio"] = row["rate"] / row["rate_elsewhere"]
                error = 1.959963984540054 * math.sqrt(1 / hits - 1 / n + 1 / elsewhere - 1 / others)
                row |= {"lower": row["ratio"] * math.exp(-error), "upper": row["ratio"] * math.exp(error)}
            elif others and sum(named):
                row["ratio"] = math.inf if hits else 0.0
            rows.append(row)
            p_values.append(float(hypergeometric_tail(everybody, sum(named), n, hits)))
    return [row | {"p_adjusted": p} for row, p in zip(rows, holm(p_values), strict=True)]


def own(members, others, leak):
    """Scores of an attack that puts some members first."""
    return pa.table({
        "record": range(members + others),
        "score": [2.0 + i / 1e6 if i in leak else 1.0 + i % 7 / 10 for i in range(members + others)],
    })  # fmt: skip


@pytest.mark.parametrize("leak", [range(0, 150, 3), range(0)])
def test_groups_are_those_of_the_oracle(shared, leak):
    random = np.random.default_rng(1)
    train, holdout = people(random, 160), people(random, 140)
    tables = [pa.table(train).slice(0, 5), pa.table(train), pa.table(holdout)]
    options = {"scores": own(160, 140, {*leak}), "attack": "own"}
    exposed = rows_of(shared.exposure(*tables, **options))
    named, listed = ([row[name] for row in exposed] for name in ("exposed", "sure"))
    assert any(named) == any(listed) == bool(leak)
    population = {name: train[name] + holdout[name] for name in train}
    space = oracle.Space(population)
    fifth = oracle.nearest(space.distances(population, population), 5, exclude_self=True)[1][:160, 4]
    columns = [*train.items(), ("isolation", fifth.tolist())]
    rows = shared.exposure_by(*tables, **options).to_arrow().to_pylist()
    assert_same_rows(rows, expected(columns, named, listed))
    counted = collections.Counter(row["column_name"] for row in rows)
    assert (counted[QUOTED], counted["same"]) == (20, 1)


def test_people_count_by_their_first_record(shared):
    random = np.random.default_rng(2)
    train, holdout = people(random, 160), people(random, 140)
    who = [i // 2 if i < 80 else i for i in range(160)]
    tables = [pa.table(t).append_column("who", pa.array(w)) for t, w in ((train, who), (holdout, range(900, 1040)))]
    options = {"scores": own(160, 140, {*range(0, 150, 3)}), "attack": "own", "unit": "who", "columns": [QUOTED, "day"]}
    exposed = {row["person"]: row for row in rows_of(shared.exposure(tables[0], *tables, **options))}
    first = [who.index(person) for person in dict.fromkeys(who)]
    named, listed = ([exposed[who[i]][name] for i in first] for name in ("exposed", "sure"))
    assert 0 < sum(named) < len(named) == 120
    rows = shared.exposure_by(tables[0], *tables, **options).to_arrow().to_pylist()
    columns = [(name, [train[name][i] for i in first]) for name in (QUOTED, "day")]
    grouped = [row for row in rows if row["column_name"] != "isolation"]
    assert_same_rows(grouped, _without_isolation(rows, columns, named, listed))


def _without_isolation(rows, columns, named, listed):
    """The expected rows, adjusted for the groups of isolation as well."""
    tails = [float(hypergeometric_tail(len(named), sum(named), r["people"], r["named"])) for r in rows]
    return [
        row | {"p_adjusted": p}
        for row, p in zip(expected(columns, named, listed), holm(tails)[: len(rows)], strict=False)
    ]


@pytest.fixture(scope="module")
def leak():
    """A synthetic table that has everybody over 60, and one of other people."""
    random = np.random.default_rng(3)

    def drawn(rows):
        table = {"age": random.integers(18, 91, rows), "city": random.choice([*"abcdef"], rows)}
        return pa.table(table | {"income": random.lognormal(10, 1, rows), "size": random.normal(170, 9, rows)})

    train, holdout, others = drawn(500), drawn(500), drawn(500)
    old = train.filter(pa.array(np.asarray(train["age"]) > 60))
    return {"leak": pa.concat_tables([old, drawn(500 - len(old))]), "safe": others, "train": train, "holdout": holdout}


def test_a_planted_risk_is_found_and_a_safe_table_has_none(shared, leak):
    real = leak["train"], leak["holdout"]
    rows = shared.exposure_by(leak["leak"], *real).to_arrow().to_pylist()
    found = [row for row in rows if row["p_adjusted"] < 0.001]
    assert {row["column_name"] for row in found} == {"age"}
    assert [row["value"] for row in found] == ["62 .. 75", ">= 76"]
    assert all(row["ratio"] > 2 and row["lower"] > 1 and row["rate"] > 0.9 for row in found)
    assert min(row["p_adjusted"] for row in shared.exposure_by(leak["safe"], *real).to_arrow().to_pylist()) > 0.05


@pytest.mark.slow
def test_evaluate_has_the_worst_group_and_the_gate_reads_it(shared, leak):
    for table, stands_out in (("leak", True), ("safe", False)):
        tables = [leak[name].slice(0, 300).combine_chunks() for name in (table, "train", "holdout")]
        result = shared.evaluate(*tables, attack="agreement", named_by="agreement")
        rows = {row["statistic"]: row for row in rows_of(result) if row["section"] == "exposure_by"}
        (outcome,) = gate.check(result, [gate.parse("exposure_by.max_ratio<2")])
        assert outcome.holds == (not stands_out)
        if stands_out:
            worst = rows["max_ratio"]
            assert 2 < worst["lower"] < worst["value"] < worst["upper"]
            assert rows["people"]["value"] >= rows["named"]["value"] > 20
            assert rows["people"]["meaning"].startswith("The people of that group: age ")
        else:
            assert [rows[name]["value"] for name in ("max_ratio", "people", "named")] == [1, 0, 0]


def test_few_people_and_nobody(shared):
    random = np.random.default_rng(4)
    train, holdout = pa.table(people(random, 3)), pa.table(people(random, 2))
    rows = shared.exposure_by(train, train, holdout).to_arrow().to_pylist()
    assert rows
    assert {(row["named"], row["ratio"], row["p_adjusted"]) for row in rows} == {(0, None, 1.0)}
    with pytest.raises(errors.EmptyTable):
        shared.exposure_by(train, train.slice(0, 0), holdout)
