"""The bits of every real record from table to table, against the oracle."""

import dataclasses
from types import MappingProxyType

import numpy as np
import oracle_scores
import pyarrow as pa
import pytest
import texts
from hypothesis import given
from hypothesis import strategies as st
from strategies import trios

from synthpriv_sql.errors import EmptyTable, InfiniteValue
from synthpriv_sql.planner.headers import catalog


def part(most_asked):
    """sql/parts/agreement.sql as a function of its own, with the options that those share who call it."""
    found = catalog.part("agreement")
    shared = {name: p for name, p in catalog.function("exposure").parameters.items() if p.group}
    columns = dict.fromkeys(("side", "record", "score", "synthetic", "own_bits", "bits"), "")
    parameters = MappingProxyType({**found.parameters, **shared})
    order = ("side", "record")
    units = ("train", "holdout")
    return dataclasses.replace(
        found, part=False, compares=True, units=units, parameters=parameters, columns=columns, order=order,
        sets={"most_asked": most_asked},
    )  # fmt: skip


def agree(session, synthetic, train, holdout=None, most_asked=None, **options):
    """Rows of train, then of holdout."""
    found = session.call(part(most_asked), synthetic=synthetic, train=train, holdout=holdout, **options)
    rows = found.to_arrow().to_pylist()
    return sorted(rows, key=lambda row: (row["side"] == "holdout", row["record"]))


@given(trio=trios(), near=st.sampled_from((0.0, 0.005, 0.1, 0.5)), held=st.booleans())
def test_bits_are_those_of_the_oracle(shared, trio, near, held):
    tables = [trio.arrow("synthetic"), trio.arrow("train"), trio.arrow("holdout") if held else None]
    rows = agree(shared, *tables, near=near, weights=trio.weights)
    sides = [("train", i) for i in range(tables[1].num_rows)]
    sides += [("holdout", i) for i in range(tables[2].num_rows)] if held else []
    assert [(row["side"], row["record"]) for row in rows] == sides
    holdout = trio.holdout if held else None
    score, blamed, own, bits = oracle_scores.agreement(
        trio.synthetic, trio.train, holdout, near, trio.weights, trio.roles
    )  # fmt: skip
    assert [row["score"] for row in rows] == score.tolist()
    assert [row["synthetic"] for row in rows] == blamed.tolist()
    assert [row["own_bits"] for row in rows] == own.tolist()
    compared = [i for i, name in enumerate(trio.train) if (trio.weights or {}).get(name, 1.0) > 0]
    found = np.array([row["bits"] for row in rows])
    assert found.shape[1] in (len(compared), len(trio.train))
    np.testing.assert_array_equal(found, bits if found.shape[1] == bits.shape[1] else bits[:, compared])


def test_a_planted_copy_has_its_own_bits_and_is_to_blame(session):
    rng = np.random.default_rng(1)
    columns = {f"c{i}": rng.integers(0, 30, 900) for i in range(6)}
    real, fresh = (pa.table({n: v[a:b] for n, v in columns.items()}) for a, b in ((0, 600), (600, 900)))
    planted = pa.concat_tables([fresh, real.slice(17, 3)])
    rows = agree(session, planted, real)
    assert [row["synthetic"] for row in rows[17:20]] == [300, 301, 302]
    assert all(row["score"] == row["own_bits"] == sum(row["bits"]) for row in rows[17:20])
    assert sum(row["score"] == row["own_bits"] for row in rows) == 3


def test_without_agreement_the_first_record_is_to_blame_for_nothing(session):
    (row,) = agree(session, pa.table({"a": [1, 2], "b": ["x", "y"]}), pa.table({"a": [3], "b": ["z"]}))
    assert (row["score"], row["synthetic"], row["bits"]) == (0.0, 0, [0.0, 0.0])


def test_a_sample_has_the_rows_of_those_drawn_and_all_of_each_person(session):
    rng = np.random.default_rng(4)
    sizes = {"synthetic": 80, "train": 90, "holdout": 70}
    tables = [
        pa.table({"a": rng.integers(0, 9, n), "b": rng.normal(size=n), "who": [f"{side} {i % 30}" for i in range(n)]})
        for side, n in sizes.items()
    ]
    everybody = agree(session, *tables, exclude="who")
    of_persons = agree(session, *tables, unit="who")
    for asked, options in ((everybody, {"exclude": "who"}), (of_persons, {"unit": "who"})):
        drawn = [agree(session, *tables, most_asked=20, seed=seed, **options) for seed in (0, 0, 1)]
        assert drawn[0] == drawn[1] != drawn[2]
        for rows in drawn:
            assert [row for row in asked if row in rows] == rows
    persons = {side: {row["record"] % 30 for row in drawn[2] if row["side"] == side} for side in ("train", "holdout")}
    assert [len(persons[side]) for side in persons] == [20, 20]
    assert [(row["side"], row["record"]) for row in drawn[2]] == [
        (side, i) for side in persons for i in range(sizes[side]) if i % 30 in persons[side]
    ]
    assert len(agree(session, *tables, most_asked=20, exclude="who")) == 40
    assert agree(session, *tables, most_asked=90, exclude="who") == everybody
    # Without a holdout no attack is judged: all records are screened.
    assert len(agree(session, *tables[:2], most_asked=20, exclude="who")) == 90


def test_tables_without_rows_and_infinite_values(session):
    some, none = pa.table({"a": [1.0, float("nan")]}), pa.table({"a": pa.array([], pa.float64())})
    for synthetic, train in ((none, some), (some, none)):
        with pytest.raises(EmptyTable, match="has no rows"):
            agree(session, synthetic, train)
    assert len(agree(session, some, some, none)) == 2
    endless = pa.table({"a": [1.0, float("-inf"), float("inf")]})
    for tables in ((endless, some, some), (some, endless, some), (some, some, endless)):
        with pytest.raises(InfiniteValue, match=r'column "a" of .* holds 2 infinite values'):
            agree(session, *tables)


@pytest.mark.again
def test_texts_that_are_nearly_equal_agree_by_the_oracle(shared):
    random = np.random.default_rng(5)

    def table(rows, seed):
        mine = np.random.default_rng(seed)
        last = ["Smith", "Smyth", "Jones", "Johns", "Meier"]
        names = [f"{'ABCDE'[i % 5]}nna {mine.choice(last)}{mine.choice(list('abcdefghijk'))}" for i in range(rows)]
        notes = [" ".join(mine.choice(["knee", "pain", "left", "Fieber", "schläft", "wenig"], 7)) for _ in range(rows)]
        return {
            "name": names,
            "note": notes,
            "sex": mine.choice(["f", "m"], rows).tolist(),
            "age": mine.integers(20, 60, rows).tolist(),
        }

    train, holdout, synthetic = table(40, 1), table(30, 2), table(50, 3)
    for i in range(12):  # a typo, other case and two blanks, missing
        synthetic["name"][i] = texts.with_edits(train["name"][2 * i], 1 + i % 2, random)
        synthetic["note"][i + 3] = "  ".join(texts.with_edits(train["note"][2 * i], i % 5, random).upper().split(" "))
    for side in (train, synthetic):
        side["name"][30], side["note"][31] = None, None
    tables = [pa.table(side) for side in (synthetic, train, holdout)]
    for near, weights in ((0.005, None), (0.3, {"name": 0.5, "sex": 2.0})):
        rows = agree(shared, *tables, near=near, weights=weights)
        score, blamed, own, bits = oracle_scores.agreement(synthetic, train, holdout, near, weights)
        assert [row["score"] for row in rows] == score.tolist()
        assert [row["synthetic"] for row in rows] == blamed.tolist()
        assert [row["own_bits"] for row in rows] == own.tolist()
        np.testing.assert_array_equal([row["bits"] for row in rows], bits)
    assert (score > [row["score"] for row in agree(shared, *tables, near=0.0, weights=weights)]).sum() > 20
