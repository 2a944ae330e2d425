"""Replicated uniques against a plain count, by the kernel and by SQL alone."""

import itertools
import math

import numpy as np
import oracle_people
import oracle_scores
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trios

from examples import some
from synthpriv_sql.errors import EmptyTable, SynthprivWarning
from synthpriv_sql.kernels.uniques import combinations
from synthpriv_sql.planner import planning


@pytest.fixture(params=["kernel", "plain"])
def way(request, monkeypatch):
    """The kernel, and the SQL that other engines run."""
    if request.param == "plain":
        monkeypatch.setattr(planning, "plan", lambda *a, plan=planning.plan: plan(*a, kernel=False))
        from synthpriv_sql.api import calls

        monkeypatch.setattr(calls, "plan", planning.plan)
    return request.param


def rows_of(result):
    return result.to_arrow().to_pylist()


def expected_rows(smallest, members, record_of=lambda person: person):
    out = []
    for person in sorted(smallest):
        record = record_of(person)
        side = "train" if record < members else "holdout"
        for columns, first, also in smallest[person]:
            out.append((side, record - (side == "holdout") * members, columns, first, also))
    return sorted(out, key=repr)


@some
@given(trio=trios(), width=st.integers(1, 4), held=st.booleans(), most=st.sampled_from([1, 3, 2000]))
def test_uniques_are_those_of_the_oracle(shared, way, trio, width, held, most):
    tables = [trio.arrow("synthetic"), trio.arrow("train"), trio.arrow("holdout") if held else None]
    kept = [name for name in trio.train if (trio.weights or {}).get(name, 1.0) > 0]
    given = [{n: table[n] for n in kept} if table else None for table in (trio.synthetic, trio.train, trio.holdout)]
    scores, blamed, smallest = oracle_scores.uniques(given[0], given[1], given[2] if held else None, width, most)
    with pytest.warns() if False else np.errstate():
        found = rows_of(quiet(lambda: shared.uniques(*tables, width=width, combinations=most, weights=trio.weights)))
    listed = [(row["side"], row["record"], row["columns"], row["synthetic"], row["also"]) for row in found]
    assert sorted(listed, key=repr) == expected_rows(smallest, len(tables[1]))
    told = rows_of(
        quiet(
            lambda: shared.membership_scores(
                *tables, attack="uniques", width=width, combinations=most, weights=trio.weights
            )
        )
    )
    rows = len(tables[1]) + (len(tables[2]) if held else 0)
    assert [row["score"] for row in told] == [scores[i] for i in range(rows)]
    assert [row["synthetic"] for row in told] == [blamed.get(i) for i in range(rows)]


@pytest.mark.one_in(2)
@given(
    trio=trios(),
    width=st.integers(1, 4),
    held=st.booleans(),
    persons=st.none() | st.lists(st.integers(0, 7), min_size=24, max_size=24),
)
def test_sets_of_columns_are_those_of_the_oracle(shared, way, trio, width, held, persons):
    sides, options = ("synthetic", "train", "holdout")[: 2 + held], {"width": width}
    tables = {side: trio.arrow(side) for side in sides}
    if persons:
        persons = persons[: sum(len(tables[side]) for side in sides[1:])]
        members = len(tables["train"])
        for side, some in (("train", persons[:members]), ("holdout", persons[members:])):
            if side in tables:
                tables[side] = tables[side].append_column("who is it", pa.array(some, pa.int64()))
        options |= {"unit": "who is it", "shared_units": True}
    found = rows_of(quiet(lambda: shared.replay_sets(*tables.values(), **options)))
    wanted = oracle_people.replay_sets(trio.synthetic, trio.train, trio.holdout if held else None, width, persons)
    names = ("replayed", "holdout_replayed", "p_value", "p_adjusted")
    assert {tuple(row["columns"]): tuple(row[name] for name in names) for row in found} == {
        chosen: pytest.approx(counts, rel=1e-9) if held else counts for chosen, counts in wanted.items()
    }
    assert [row["width"] for row in found] == [len(row["columns"]) for row in found]
    assert [row["p_value"] or 0 for row in found] == sorted(row["p_value"] or 0 for row in found)


def test_sets_with_a_constant_column_are_left_out(shared, way):
    """They have one value in all real records, whatever synthetic has there, or none at all."""
    rng = np.random.default_rng(2)
    train, holdout, synthetic = (
        pa.table(
            {
                'a"b': rng.integers(0, 500, 60),
                "Mixed": rng.integers(0, 500, 60),
                "const": ["c"] * 60,
                "none": pa.array([None] * 60, pa.int64()),
            }
        )
        for _ in range(3)
    )
    synthetic = pa.concat_tables([train.slice(0, 30), synthetic.set_column(2, "const", pa.array(["d"] * 60))])
    found = rows_of(quiet(lambda: shared.replay_sets(synthetic, train, holdout, width=3)))
    assert {tuple(row["columns"]) for row in found} == {('a"b',), ("Mixed",), ('a"b', "Mixed")}
    assert all(row["replayed"] > 10 for row in found)


def quiet(call):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)
        return call()


@pytest.mark.one_in(2)
@given(trio=trios(kinds=("integer", "text")), data=st.data())
def test_persons_own_what_no_other_person_has(shared, way, trio, data):
    """A person counts each key once, however many of its rows have it, and its own rows take nothing from it."""
    tables = {side: trio.arrow(side) for side in ("synthetic", "train", "holdout")}
    members = len(tables["train"])
    sides = {"train": members, "holdout": len(tables["holdout"])}
    persons, start = [], 0
    for side, rows in sides.items():
        names = data.draw(st.lists(st.integers(start, start + 3), min_size=rows, max_size=rows))
        start += 4
        tables[side] = tables[side].append_column("who is it", pa.array(names))
        persons += names
    scores, blamed, _ = oracle_scores.uniques(trio.synthetic, trio.train, trio.holdout, persons=persons)
    found = rows_of(shared.membership_scores(*tables.values(), attack="uniques", unit="who is it"))
    assert {row["person"]: row["score"] for row in found} == {p: scores[p] for p in set(persons)}
    assert {row["person"]: row["synthetic"] for row in found} == {p: blamed.get(p) for p in set(persons)}
    for row in found:
        position = row["record"] + (row["side"] == "holdout") * members
        assert persons[position] == row["person"]


def test_equal_in_a_double_is_not_equal(session, way):
    """Whole numbers beyond 2 ** 53, decimals of many digits and late times are told apart exactly."""
    big = pa.array([2**60, 2**60 + 1, 2**60 + 2])
    for column in (
        big,
        pa.array([2**63, 2**63 + 1, 2**64 - 1], pa.uint64()),
        pa.array(["9999999.12345678901", "9999999.12345678902", "9999999.12345678903"]).cast(pa.decimal128(18, 11)),
        pa.array(["12345678901234567890.1", "12345678901234567890.2", "12345678901234567890.3"]).cast(
            pa.decimal128(30, 1)
        ),
        pa.array([300_000_000_000_000_001, 300_000_000_000_000_002, 300_000_000_000_000_003], pa.timestamp("us")),
    ):
        real, synthetic = pa.table({"c": column}), pa.table({"c": column.slice(1, 1)})
        found = rows_of(session.uniques(synthetic, real))
        assert [(row["record"], row["synthetic"]) for row in found] == [(1, 0)], column.type


def test_zero_has_one_sign_and_missing_is_a_value(session, way):
    real = pa.table({"c": [0.0, None, 2.0, 2.0]})
    synthetic = pa.table({"c": [-0.0, float("nan")]})
    found = rows_of(session.uniques(synthetic, real))
    assert [(row["record"], row["synthetic"], row["also"]) for row in found] == [(0, 0, 1), (1, 1, 1)]


def test_what_is_left_out_is_said(session):
    table = pa.table({f"c{i}": [i, i + 1, i * 2] for i in range(6)})
    with pytest.warns(SynthprivWarning, match="4 of 21 combinations of up to 2 columns"):
        session.uniques(table, table, combinations=4)


def test_combinations_with_the_most_values_are_chosen():
    """Against all of them in order, for more columns than anybody could go through."""
    rng = np.random.default_rng(1)
    for columns, widths, most in ((7, (1, 2, 3, 4), 20), (12, (1, 2, 3), 50), (9, (4,), 10), (5, (1, 2), 2000)):
        for _ in range(20):
            distinct = rng.integers(1, 6, columns).tolist()
            found, left_out = combinations.choose(distinct, widths, most)
            expected = sorted(
                (c for w in widths for c in itertools.combinations(range(columns), w)),
                key=lambda c: (-math.prod(distinct[i] for i in c), c),
            )
            assert set(found) == set(expected[:most])
            assert left_out == max(0, len(expected) - most)
    many, left_out = combinations.choose(rng.integers(1, 1000, 300).tolist(), (1, 2, 3, 4), 2000)
    assert len(many) == 2000
    assert left_out == sum(math.comb(300, w) for w in (1, 2, 3, 4)) - 2000


def test_keys_beyond_a_number_are_counted(session, way):
    """Three columns of more values than their product fits into 62 bits."""
    rng = np.random.default_rng(3)
    columns = {f"c{i}": rng.permutation(3_000) for i in range(3)}
    monkey = pa.table(columns)
    synthetic = pa.table({n: np.concatenate([v[:10], np.full(5, -1)]) for n, v in columns.items()})
    found = rows_of(session.uniques(synthetic, monkey, width=3))
    assert {row["record"] for row in found} == set(range(10))
    assert len(found) == 30  # each value alone is unique already


def test_a_table_without_rows_is_told_whatever_the_columns_hold(shared):
    # Texts and whole numbers: what the columns of an empty table hold, only the others say.
    people = pa.table({"a": ["x", "y", "y"], "b": [1, 2, 3], "c": [0.5, None, 1.5]})
    nobody = people.slice(0, 0)
    assert len(shared.uniques(people, people, nobody)) == len(shared.uniques(people, people)) > 0
    with pytest.raises(EmptyTable, match=r"synthetic .* has no rows"):
        shared.uniques(nobody, people, people)
    assert set(shared.membership_scores(nobody, people, people, attack="uniques")["score"]) == {0.0}
