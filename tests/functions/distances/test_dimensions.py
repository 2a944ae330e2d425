"""Dimensions against all pairs of records, and on tables whose dimension is known."""

import itertools
import math

import numpy as np
import pyarrow as pa
import pytest
from calls import rows_of
from hypothesis import given
from oracle import as_number, as_text, is_missing
from strategies import trios


def difference(one, other, role, whole):
    if is_missing(one) or is_missing(other):
        return float(is_missing(one) != is_missing(other))
    if role == "categorical":
        return float(as_text(one) != as_text(other))
    return abs(as_number(one) - as_number(other)) / whole if whole > 0 else 0.0


def mean_differences(trio):
    found = {}
    for name, values in trio.train.items():
        role = trio.roles[name]
        numbers = [as_number(v) for v in values if not is_missing(v)] if role != "categorical" else []
        whole = max(numbers) - min(numbers) if numbers else 0.0
        pairs = [difference(a, b, role, whole) for a, b in itertools.combinations(values, 2)]
        found[name] = sum(pairs) / len(pairs)
    return found


def near(found, expected):
    return found is expected is None or math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)


@given(trio=trios(min_rows=3, max_rows=14))
def test_shares_are_those_of_all_pairs(shared, trio):
    weights = trio.weights or {}
    rows = rows_of(shared.call("dimension_columns", train=trio.arrow("train"), weights=trio.weights))
    wanted = mean_differences(trio)
    weighted = {name: value * weights.get(name, 1) for name, value in wanted.items()}
    assert {row["column_name"] for row in rows} == set(wanted)
    for row in rows:
        name = row["column_name"]
        assert near(row["mean_difference"], wanted[name]), row
        total = sum(weighted.values())
        assert near(row["share"], weighted[name] / total if total > 0 else None), row
    (one,) = rows_of(shared.call("dimensions", train=trio.arrow("train"), weights=trio.weights))
    assert near(one["mean_distance"], sum(weighted.values()) / sum(weights.get(name, 1) for name in wanted))
    assert one["records"] == len(next(iter(trio.train.values())))


def test_the_dimension_of_what_lies_on_a_line_a_plane_and_more(shared):
    draw = np.random.default_rng(3)
    for dimension in (1, 2, 5):
        latent = draw.uniform(size=(2000, dimension))
        # Seven columns, whatever the dimension: turned, they say no more than the latent ones.
        columns = np.column_stack([latent, latent[:, :1].repeat(7 - dimension, 1)])
        (row,) = rows_of(shared.call("dimensions", train=pa.table({f"x{i}": c for i, c in enumerate(columns.T)})))
        assert row["columns"] == 7
        assert 0.8 * dimension < row["intrinsic_dimension"] < 1.25 * dimension


def test_contrast_is_lost_in_many_columns_of_noise(shared):
    draw = np.random.default_rng(4)
    few, many = (
        rows_of(shared.call("dimensions", train=pa.table({f"x{i}": draw.uniform(size=400) for i in range(n)})))[0]
        for n in (2, 60)
    )
    assert few["contrast"] < 0.2
    assert many["contrast"] > 0.6
    assert abs(many["effective_columns"] - 60) < 1
    train = {f"x{i}": draw.uniform(size=30).tolist() for i in range(3)}
    (row,) = rows_of(shared.call("dimensions", train=pa.table(train)))
    space = np.array(list(train.values())).T
    space = (space - space.min(0)) / (space.max(0) - space.min(0))
    distances = np.abs(space[:, None] - space[None]).mean(2)
    assert math.isclose(row["mean_distance"], distances.sum() / (30 * 29))
    assert math.isclose(row["mean_nearest"], np.sort(distances, 1)[:, 1].mean())


def test_few_rows_constants_and_doubles(shared):
    (row,) = rows_of(shared.call("dimensions", train=pa.table({"x": [1.0], "c": ["a"]})))
    assert (row["records"], row["mean_distance"], row["contrast"]) == (1, None, None)
    (row,) = rows_of(shared.call("dimensions", train=pa.table({"x": [1.0] * 4, "c": ["a"] * 4})))
    assert (row["mean_distance"], row["contrast"], row["intrinsic_dimension"]) == (0, None, None)


@pytest.mark.nightly
def test_columns_of_noise_hide_a_copied_part_and_selecting_or_weighing_finds_it(shared):
    rows, copied = 500, 100
    told = ["income", "town", "job"]

    def people(seed):
        draw = np.random.default_rng(seed)
        columns = {"income": draw.lognormal(10, 1, rows).round(2)}
        columns |= {name: draw.integers(0, n, rows).astype(str) for name, n in (("town", 40), ("job", 60))}
        return columns | {f"answer {i}": draw.integers(0, 5, rows).astype(str) for i in range(30)}

    train, holdout, synthetic = people(1), people(2), people(3)
    for name in told:
        synthetic[name][:copied] = train[name][:copied]
    tables = [pa.table(columns) for columns in (synthetic, train, holdout)]
    weights = {name: 0.02 for name in train if name not in told}

    def asked(**options):
        share = next(iter(shared.holdout_share(*tables, **options)))
        return share["p_value"], shared.dimensions(tables[1], **options)["contrast"][0]

    # The verdict says where to look.
    few = tables[2].slice(0, 190)  # for more, the classifiers of the split are trained
    assert "dimension_columns" in repr(shared.evaluate(*tables[:2], few))
    hidden, selected, weighed = asked(), asked(columns=told), asked(weights=weights)
    assert hidden[0] > 0.01  # no more than one table in a hundred shows without a leak
    assert max(selected[0], weighed[0]) < 1e-3
    assert hidden[1] > 0.6 > max(selected[1], weighed[1])
    assert sum(shared.copies(*tables[:2])["copies"]) == 0
    assert sum(n > 0 for n in shared.copies(*tables[:2], columns=told)["copies"]) >= copied
