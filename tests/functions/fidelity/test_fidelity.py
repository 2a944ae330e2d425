"""Fidelity against plain Python: marginals, columns and pairs, propensities; and the numbers that others published."""

import csv
import datetime as dt
import itertools
import math
from collections import Counter
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from calls import DATA, needs_data, rows_of
from hypothesis import given
from hypothesis import strategies as st
from oracle import as_number, as_text, is_missing
from strategies import trios

from examples import some
from synthpriv_sql import errors
from synthpriv_sql.planner.statement import sets

# The referee: values as numbers or texts, None for what is missing


def as_read(trio, side):
    """The columns of a table: numbers and seconds, or categories."""
    return {
        name: [
            None if is_missing(v) else as_number(v) if trio.roles[name] != "categorical" else as_text(v) for v in values
        ]
        for name, values in getattr(trio, side).items()
    }


def variation(some, others):
    """Total variation distance of two lists of cells."""
    p, q = Counter(some), Counter(others)
    return sum(abs(p[cell] / len(some) - q[cell] / len(others)) for cell in p.keys() | q.keys()) / 2


def binned(values, train, bins):
    """Right-closed quantile bins of train, the lowest included; outside and missing are bins as well."""
    there = [v for v in train if v is not None]
    if not there:
        return ["missing" if v is None else "outside" for v in values]
    edges = np.unique(np.quantile(there, np.arange(bins + 1) / bins))
    found = []
    for value in values:
        if value is None:
            found.append("missing")
        elif not edges[0] <= value <= edges[-1]:
            found.append("outside")
        else:
            found.append(max(int(np.searchsorted(edges, value, "left")), 1))
    return found


def kept_apart(values, train, categories):
    """The most frequent categories of train, ties in the order of their bytes; the rest is one."""
    counts = Counter(v for v in train if v is not None)
    top = sorted(counts, key=lambda v: (-counts[v], v.encode()))[:categories]
    return [None if v is None else v if v in top else "*" for v in values]


def coded(trio, side, bins, categories=None):
    table, train = as_read(trio, side), as_read(trio, "train")
    return {
        name: binned(values, train[name], bins)
        if trio.roles[name] != "categorical"
        else (values if categories is None else kept_apart(values, train[name], categories))
        for name, values in table.items()
    }


def together(columns, names):
    return list(zip(*(columns[name] for name in names), strict=True))


def kolmogorov(some, others):
    """The largest difference of the shares of the numbers up to a limit, with those missing or without them."""
    limits = [v for v in (*some, *others) if v is not None]

    def share(values, limit, missing):
        return sum(missing if v is None else v <= limit for v in values) / len(values)

    return max(
        (abs(share(some, t, m) - share(others, t, m)) for t in limits for m in (False, True)),
        default=0.0,
    )


def wasserstein(some, train):
    a, b = ([v for v in values if v is not None] for values in (some, train))
    p, q = len(a) / len(some), len(b) / len(train)
    if not a or not b:
        return abs(p - q)
    if max(b) == min(b):
        distance = sum(v != b[0] for v in a) / len(a)
    else:
        values = sorted({*a, *b})
        distance = sum(
            abs(sum(v <= low for v in a) / len(a) - sum(v <= low for v in b) / len(b)) * (high - low)
            for low, high in itertools.pairwise(values)
        ) / (max(b) - min(b))
    return min(p, q) * distance + abs(p - q)


def correlation(columns, one, two):
    both = [(x, y) for x, y in zip(columns[one], columns[two], strict=True) if x is not None and y is not None]
    if len({x for x, _ in both}) < 2 or len({y for _, y in both}) < 2:
        return None
    return float(np.corrcoef(np.array(both).T)[0, 1])


def expected_fidelity(trio, side, bins):
    """Value by measure and columns."""
    table, train = as_read(trio, side), as_read(trio, "train")
    cells, train_cells = coded(trio, side, bins), coded(trio, "train", bins)
    found = {}
    for name in trio.kinds:
        if trio.roles[name] == "categorical":
            found["tv_complement", name] = 1 - variation(table[name], train[name])
        else:
            found["ks_complement", name] = 1 - kolmogorov(table[name], train[name])
            found["wasserstein", name] = wasserstein(table[name], train[name])
    for pair in itertools.combinations(trio.kinds, 2):
        roles = [trio.roles[name] == "categorical" for name in pair]
        if not any(roles):
            there, here = (correlation(t, *pair) for t in (train, table))
            found["correlation_similarity", *pair] = None if None in (there, here) else 1 - abs(here - there) / 2
        else:
            measure = "contingency_similarity" if all(roles) else "mixed_similarity"
            found[measure, *pair] = 1 - variation(together(cells, pair), together(train_cells, pair))
    return found


def near(found, expected):
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)


# Marginals


def test_triples_are_in_one_set_each():
    for n in (0, 1, 2, 3, 4, 5, 7, 8, 11, 16, 32):
        blocks = sets.covering(range(n), 3)
        found = Counter(three for block in blocks for three in itertools.combinations(block, 3))
        assert set(found) == set(itertools.combinations(range(n), 3))
        assert set(found.values()) <= {1}
        # The fourth of a set follows from the others.
        assert all(b[0] ^ b[1] ^ b[2] == b[3] for b in blocks if len(b) == 4)
    assert len(sets.covering(range(32), 3)) == 1240
    with pytest.raises(errors.OptionError, match="at most 511"):
        sets.covering(range(512), 2)


@some
@given(trio=trios(max_rows=30), k=st.integers(1, 3), bins=st.integers(1, 6), categories=st.integers(1, 3))
def test_marginals_are_those_of_counting(shared, trio, k, bins, categories):
    rows = rows_of(shared.call("marginals", synthetic=trio.arrow("synthetic"), train=trio.arrow("train"), k=k,
                               bins=bins, categories=categories))  # fmt: skip
    s, r = (coded(trio, side, bins, categories) for side in ("synthetic", "train"))
    wanted = [(list(names), variation(together(s, names), together(r, names)))
              for names in itertools.combinations(trio.kinds, k)]  # fmt: skip
    assert [row["columns"] for row in rows] == [names for names, _ in wanted]
    for row, (_, distance) in zip(rows, wanted, strict=True):
        assert near(row["distance"], distance), row


@needs_data
@pytest.mark.parametrize(("k", "groups"), [(1, 10), (2, 10), (3, 5)])
def test_published_distances_of_adult(shared, adult, k, groups):
    with (DATA / "adult_synthpop_published_tvd.csv").open() as file:
        published = {
            frozenset((row["dim1"], row["dim2"], row["dim3"])): float(row["tvd"])
            for row in csv.DictReader(file)
            if int(row["k"]) == k
        }
    rows = shared.call("marginals", **adult, k=k, bins=groups, categories=groups).fetchall()
    assert len(rows) == len(published) == math.comb(15, k)
    assert max(abs(published[frozenset(columns)] - distance) for columns, distance in rows) < 1e-12


@pytest.fixture(scope="module")
def adult(shared):
    for name, file in (("adult_synthpop", "adult_synthpop"), ("adult_trn", "adult_trn")):
        shared.connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM '{DATA / file}.csv.gz'")
    yield {"synthetic": "adult_synthpop", "train": "adult_trn"}
    shared.connection.execute("DROP TABLE adult_synthpop; DROP TABLE adult_trn")


# Columns and pairs


@some
@given(trio=trios(max_rows=25), bins=st.integers(1, 6), with_holdout=st.booleans())
def test_fidelity_is_that_of_counting(shared, trio, bins, with_holdout):
    tables = {side: trio.arrow(side) for side in ("synthetic", "train", "holdout")[: 2 + with_holdout]}
    rows = rows_of(shared.call("fidelity", **tables, bins=bins))
    found = {(row["measure"], *row["columns"]): row for row in rows}
    wanted, control = (expected_fidelity(trio, side, bins) for side in ("synthetic", "holdout"))
    assert found.keys() == wanted.keys()
    assert len(rows) == len(found)
    for key, row in found.items():
        assert row["level"] == ("column" if len(key) == 2 else "pair")
        assert near(row["value"], wanted[key]), (key, row, wanted[key])
        assert near(row["holdout"], control[key] if with_holdout else None), key
    check_summary(rows_of(shared.call("fidelity_summary", **tables, bins=bins)), rows)


def check_summary(summary, rows):
    lines = {(row["level"], row["measure"]): row for row in summary}
    means, controls = [], []
    for level in dict.fromkeys(row["level"] for row in rows):
        similar = [row for row in rows if row["level"] == level and row["measure"] != "wasserstein"]
        check_line(lines.pop((level, None)), similar, min)
        means.append(mean([row["value"] for row in similar]))
        controls.append(mean([row["holdout"] for row in similar]))
        for measure in dict.fromkeys(row["measure"] for row in rows if row["level"] == level):
            of = [row for row in rows if row["measure"] == measure]
            check_line(lines.pop((level, measure)), of, max if measure == "wasserstein" else min)
    overall = lines.pop(("overall", None))
    assert near(overall["mean"], mean(means))
    assert near(overall["holdout"], mean(controls))
    assert lines == {}


def check_line(line, rows, worst):
    values = [row["value"] for row in rows if row["value"] is not None]
    assert line["n"] == len(values)
    assert near(line["mean"], mean(values))
    assert near(line["worst"], worst(values, default=None))
    assert near(line["holdout"], mean([row["holdout"] for row in rows]))
    if values:
        assert near(next(row["value"] for row in rows if row["columns"] == line["worst_columns"]
                         and near(row["value"], line["worst"])), line["worst"])  # fmt: skip
    else:
        assert line["worst_columns"] == []


def mean(values):
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None


@needs_data
def test_published_numbers_of_student_placements(shared):
    # Columns without missing values, where missing is no matter of convention; those of SDMetrics' tests.
    names = ["second_perc", "work_experience", "degree_type", "start_date"]
    files = {s: str(DATA / f"student_placements_{f}.csv") for s, f in (("synthetic", "synthetic"), ("train", "real"))}
    rows = rows_of(shared.call("fidelity", **files, columns=names))
    found = {(row["measure"], *row["columns"]): row["value"] for row in rows}
    for key, published in {
        ("ks_complement", "second_perc"): 0.8976744186046511,
        ("tv_complement", "work_experience"): 0.9953488372093023,
        ("tv_complement", "degree_type"): 0.9395348837209302,
        ("correlation_similarity", "second_perc", "start_date"): 0.9187918131436303,
        ("contingency_similarity", "work_experience", "degree_type"): 0.9348837209302325,
    }.items():
        assert math.isclose(found[key], published, abs_tol=1e-12), key


def test_what_scipy_says_of_wasserstein(shared):
    tables = {"synthetic": pa.table({"x": [1, 3, 3, 9]}), "train": pa.table({"x": [1, 2, 4]})}
    found = {row["measure"]: row["value"] for row in rows_of(shared.call("fidelity", **tables))}
    assert math.isclose(found["wasserstein"], 1.8333333333333333 / 3)
    assert math.isclose(found["ks_complement"], 1 - 0.41666666666666663)


def test_a_copy_is_perfect_and_noise_is_not(shared):
    draw = np.random.default_rng(5)
    real = pa.table({"x": draw.normal(size=400), "c": draw.choice(["a", "b", "c"], 400), "y": draw.integers(0, 9, 400)})
    noise = pa.table({"x": draw.uniform(-9, 9, 400), "c": ["a"] * 400, "y": draw.integers(5, 20, 400)})
    copied, worse = (
        rows_of(shared.call("fidelity_summary", synthetic=s, train=real))[0]["mean"] for s in (real, noise)
    )
    assert copied == 1
    assert worse < 0.7


def test_a_lost_link_between_columns_is_found(shared):
    # Each column is kept to the last value; only together they are not.
    draw = np.random.default_rng(6)
    c = draw.choice(["a", "b"], 1000)
    x = draw.normal(size=1000) + 5 * (c == "a")
    real = pa.table({"c": c, "x": x, "z": x + 1})
    mixed = pa.table({"c": draw.permutation(c), "x": x, "z": draw.permutation(x + 1)})
    found = {row["measure"]: row["value"] for row in rows_of(shared.call("fidelity", synthetic=mixed, train=real))
             if row["columns"] in (["c"], ["x"], ["c", "x"], ["x", "z"])}  # fmt: skip
    assert found["ks_complement"] == found["tv_complement"] == 1
    assert found["mixed_similarity"] < 0.6
    assert found["correlation_similarity"] < 0.6


# Propensities


@some
@given(trio=trios(max_rows=25), bins=st.integers(1, 5))
def test_propensity_is_that_of_counting(shared, trio, bins):
    tables = {side: trio.arrow(side) for side in ("synthetic", "train")}
    (row,) = rows_of(shared.call("propensity", **tables, bins=bins))
    s, d = (Counter(together(coded(trio, side, bins), trio.kinds)) for side in ("synthetic", "train"))
    n, c = s.total() + d.total(), s.total() / (s.total() + d.total())
    added = {cell: (s[cell] + d[cell]) / n * (s[cell] / (s[cell] + d[cell]) - c) ** 2 for cell in s.keys() | d.keys()}
    pmse, expected = sum(added.values()), (len(added) - 1) * c * (1 - c) ** 2 / n
    assert row["cells"] == len(added)
    assert near(row["pmse"], pmse)
    assert near(row["expected"], expected)
    assert near(row["ratio"], pmse / expected if expected else None)
    cells = rows_of(shared.call("propensity_cells", **tables, bins=bins, worst=3))
    assert len(cells) == min(3, len(added)) * len(trio.kinds)
    worst = sorted(added.values(), reverse=True)
    for cell in cells:
        assert near(cell["share"], worst[cell["cell"] - 1] / pmse if pmse > 0 else None)
        assert near(cell["propensity"], cell["synthetic"] / (cell["synthetic"] + cell["train"]))


def test_published_propensities(shared):
    counts = {"train": (40, 30, 20, 10, 0), "synthetic": (35, 35, 18, 8, 4)}
    tables = {
        side: pa.table({"c": [f"c{i}" for i, n in enumerate(of) for _ in range(n)]}) for side, of in counts.items()
    }
    (row,) = rows_of(shared.call("propensity", **tables))
    assert math.isclose(row["pmse"], 0.0063067926225820956, rel_tol=1e-12)
    assert math.isclose(row["ratio"], 2.5227170490328383, rel_tol=1e-12)
    assert row["cells"] == 5
    cells = rows_of(shared.call("propensity_cells", **tables, worst=1))
    assert [(c["holds"], c["category"], c["synthetic"], c["train"]) for c in cells] == [("category", "c4", 4, 0)]


def test_cells_are_named_by_their_bins(shared):
    real = pa.table({"age": [20.0, 30.0, 40.0, 50.0, None], "City": ["A", "A", "B", "B", "B"]})
    fake = pa.table({"age": [30.0] * 4 + [99.0], "City": ["A"] * 4 + [None]})
    rows = rows_of(shared.call("propensity_cells", synthetic=fake, train=real, bins=3, worst=9))
    told = {(r["cell"], r["column_name"]): (r["holds"], r["category"], r["above"], r["up_to"]) for r in rows}
    first = [told[cell] for cell in told if cell[0] == 1]
    assert ("outside", None, None, None) in told.values()
    assert ("missing", None, None, None) in told.values()
    assert ("category", "B", None, None) in told.values()
    assert ("bin", None, 20.0, 30.0) in told.values()
    assert len(first) == 2


def test_ends_of_bins_are_in_the_units_of_the_columns(shared):
    # Decimals and times are compared in units of their own.
    days = [dt.date(2025, 1, 1), dt.date(2025, 1, 3)]
    prices = pa.array([Decimal("1.25"), Decimal("3.75")], pa.decimal128(9, 2))
    real = pa.table({"day": days, "price": prices})
    rows = rows_of(shared.call("propensity_cells", synthetic=real, train=real, bins=1))
    ends = {row["column_name"]: (row["above"], row["up_to"]) for row in rows}
    assert ends == {"day": tuple(map(as_number, days)), "price": (1.25, 3.75)}


# Tables that have little in them
