"""Uniques within one real table, against a plain count and exchanges one by one; leaks found, safe tables passed."""

import math
import warnings

import numpy as np
import oracle_people
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trios

from examples import some
from synthpriv_sql.errors import EmptyTable, SynthprivError, SynthprivWarning, UnitError
from synthpriv_sql.planner import planning


@pytest.fixture(params=["kernel", "plain"])
def way(request, monkeypatch):
    """The kernel, and the SQL that other databases run."""
    if request.param == "plain":
        from synthpriv_sql.api import calls

        monkeypatch.setattr(calls, "plan", lambda *a, plan=planning.plan: plan(*a, kernel=False))
    return request.param


def asked(session, *tables, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)
        (row,) = session.within(*tables, **options).to_arrow().to_pylist()
    return row


def check(row, expected, way, seed):
    wanted, found, pairs = expected
    assert {name: row[name] for name in wanted} == pytest.approx(wanted)
    observed = wanted["replicated"] - wanted["control"]
    drawn = oracle_people.exchanged(found, pairs, seed)
    if way == "kernel":
        deviation, above = math.sqrt((drawn**2).mean()), int((drawn >= observed).sum())
        assert row["z"] == pytest.approx(observed / deviation if deviation else 0.0)
        beyond = min(0.001, 0.5 * math.erfc(row["z"] / math.sqrt(2)))
        assert row["p_value"] == pytest.approx((above + 1) / 1000 if above else beyond)
        return
    assert row["p_value"] == pytest.approx(0.5 * math.erfc(row["z"] / math.sqrt(2)), rel=1e-9)
    if all(len(one) < 3 for one in found):
        weights = np.zeros(pairs)
        for one in found:
            for pair, side in one:
                weights[pair] += side / len(one)
        deviation = math.sqrt((weights**2).sum())
        assert row["z"] == pytest.approx(observed / deviation if deviation > 1e-9 else 0.0)


@some
@given(
    trio=trios(),
    width=st.integers(1, 3),
    most=st.sampled_from([2, 2000]),
    seed=st.integers(0, 9),
    persons=st.none() | st.lists(st.integers(0, 5), min_size=12, max_size=12),
)
def test_it_is_what_the_oracle_counts(shared, way, trio, width, most, seed, persons):
    synthetic, real = trio.arrow("synthetic"), trio.arrow("train")
    kept = [name for name in trio.train if (trio.weights or {}).get(name, 1.0) > 0]
    options = {"width": width, "combinations": most, "seed": seed, "weights": trio.weights}
    if persons:
        persons = persons[: len(real)]
        real = real.append_column("who is it", pa.array(persons))
        options["unit"] = "who is it"
    row = asked(shared, synthetic, real, **options)
    given = [{name: table[name] for name in kept} for table in (trio.synthetic, trio.train)]
    check(row, oracle_people.within(*given, width, most, persons, seed), way, seed)


def people(random, rows):
    """Numbers that few share, and categories."""
    return pa.table(
        {
            "income": random.lognormal(7, 1, rows).round(-2),
            "job": [f"job {i}" for i in random.zipf(1.6, rows) % 90],
            "town": random.integers(0, 60, rows),
            "age": random.integers(18, 90, rows),
        }
    )


def spliced(random, real, rows):
    """Rows of which each half is that of one real person, so that no row is a copy."""
    one, other = (random.integers(0, len(real), rows) for _ in range(2))
    columns = [real[n].take(pa.array(one if i % 2 else other)) for i, n in enumerate(real.column_names)]
    return pa.table(dict(zip(real.column_names, columns, strict=True)))


def test_leaks_are_found_and_safe_tables_pass_at_any_seed_and_with_any_threads(session):
    random = np.random.default_rng(3)
    real, others = people(random, 1500), people(random, 3000)
    halves = spliced(random, real, 3000)
    for seed in (0, 1):
        row = asked(session, halves, real, seed=seed)
        assert row["p_value"] < 1e-6
        assert row["ratio"] > 1.2
        assert row["people"] == 750
        # Other people are repeated no more often than they repeat each other: nobody is said to have been seen.
        safe = asked(session, halves, others.slice(0, 1500), seed=seed)
        assert safe["p_value"] > 0.001
        assert safe["at_least"] == 0
    session.connection.execute("SET threads = 1")
    assert asked(session, halves, real, seed=1) == row
    session.connection.execute("RESET threads")
    shuffled = pa.table({name: real[name].take(pa.array(random.permutation(1500))) for name in real.column_names})
    for made in (others, shuffled):
        row = asked(session, made, real)
        assert row["p_value"] > 0.001
    # Few synthetic rows: as many of the others.
    few = asked(session, real.slice(0, 200), real)
    assert few["replicated"] > few["control"]
    assert few["p_value"] < 0.001
    assert 0 < few["at_least"] <= few["listed"] <= 200


@pytest.mark.nightly
def test_z_is_a_standard_normal_without_a_leak(session):
    random = np.random.default_rng(5)
    found = [asked(session, people(random, 300), people(random, 400), seed=i)["z"] for i in range(40)]
    assert abs(np.mean(found)) < 0.5
    assert 0.7 < np.std(found) < 1.4


def test_few_rows_and_bad_input(session, way):
    one, two = pa.table({'a"B': [1]}), pa.table({'a"B': [1, 2]})
    nobody = dict.fromkeys(("people", "replicated", "control", "at_least", "listed"), 0)
    assert asked(session, two, one) == nobody | {"ratio": None, "z": 0.0, "p_value": 1.0 if way == "kernel" else 0.5}
    alone = asked(session, two, two)
    assert (alone["people"], alone["control"]) == (1, 0)
    assert alone["ratio"] in (None, math.inf)
    with pytest.raises(EmptyTable):
        asked(session, two.slice(0, 0), two)
    with pytest.raises(SynthprivError):
        asked(session, two, pa.table({"b": [1]}))
    with pytest.raises(UnitError):
        asked(session, two, two.append_column("who", pa.array([None, 1])), unit="who")
