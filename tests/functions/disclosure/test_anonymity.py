"""Classes with sensitive columns and risks of records, against counting with fractions and published numbers."""

import math
from collections import Counter

import pyarrow as pa
import pytest
from calls import DATA, assert_same_rows, call, create, needs_data, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import is_missing
from referee import sensitive_column
from strategies import KINDS

from examples import some
from synthpriv_sql import errors

OF_VALUES = (
    "distinct_l",
    "entropy_l",
    "recursive_c",
    "alpha",
    "t_equal",
    "t_ordered",
    "beta",
    "enhanced_beta",
    "delta",
)
NAMES = ("size", "class", "Mixed Case", 'a"b', "position", "it's", "n", "select", "rows", "place")
NUMBERS = ("integer", "float", "date", "decimal")
KIND_NAMES = (*NUMBERS, "text", "boolean", "enum")


@st.composite
def people(draw, fewest=0):
    """A table, its values by column, the kind of each, and two groups of its columns."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
    kinds = {name: draw(st.sampled_from(KIND_NAMES)) for name in names}
    count = draw(st.integers(fewest, 25))
    columns = {}
    for name, kind in kinds.items():
        choices = st.sampled_from([*draw(st.lists(KINDS[kind].values, min_size=1, max_size=4)), None])
        columns[name] = draw(st.lists(choices, min_size=count, max_size=count))
    table = pa.table({name: pa.array(columns[name], KINDS[kind].type) for name, kind in kinds.items()})
    plain = {name: [None if is_missing(v) else v for v in values] for name, values in columns.items()}
    order = draw(st.permutations(names))
    cut = draw(st.integers(1, len(names) - 1))
    return table, plain, kinds, order[:cut], order[cut:]


def keys_of(columns, names):
    rows = len(next(iter(columns.values())))
    return list(zip(*(columns[name] for name in names), strict=True)) if rows else []


@some
@given(table=people(), least=st.integers(1, 4))
def test_anonymity_is_that_of_counting(shared, table, least):
    arrow, columns, kinds, keys, sensitive = table
    create(shared, people=arrow)
    rows = shared.anonymity("people", keys, sensitive=sensitive, l=least).to_arrow().to_pylist()
    assert [row["column_name"] for row in rows] == list(sensitive)
    key = keys_of(columns, keys)
    sizes = Counter(key).values()
    for row in rows:
        assert (row["rows"], row["classes"]) == (len(key), len(sizes))
        assert (row["uniques"], row["k"]) == (sum(s == 1 for s in sizes), min(sizes, default=None))
        ordered = kinds[row["column_name"]] in NUMBERS
        wanted = sensitive_column(key, columns[row["column_name"]], least, ordered)
        assert_same_rows([{name: row[name] for name in OF_VALUES}], [wanted])
    (alone,) = shared.anonymity("people", keys).to_arrow().to_pylist()
    assert [alone[name] for name in ("rows", "classes", "uniques", "k")] == [
        len(key), len(sizes), sum(s == 1 for s in sizes), min(sizes, default=None)
    ]  # fmt: skip
    assert {alone[name] for name in ("column_name", *OF_VALUES)} == {None}


def people_of(values, keys=("a", "a", "b", "b")):
    return pa.table({"key": list(keys), "secret": values})


def test_edges(session):
    def one(values, **options):
        (row,) = rows_of(session.anonymity(people_of(values), ["key"], sensitive=["secret"], **options))
        return row

    same = one([1, 2, 1, 2])  # every class is like the table
    assert (same["t_equal"], same["t_ordered"], same["beta"], same["delta"]) == (0, 0, 0, 0)
    assert (same["distinct_l"], same["recursive_c"], same["alpha"]) == (2, 1, 0.5)
    assert same["entropy_l"] == pytest.approx(2, rel=1e-15)  # not cut to 1
    apart = one([1, 1, 2, 2])
    assert (apart["t_equal"], apart["t_ordered"], apart["alpha"], apart["beta"]) == (0.5, 0.5, 1, 1)
    assert apart["recursive_c"] == math.inf
    assert one([1, 1, 2, 2], l=1)["recursive_c"] == 1
    constant = one([7, 7, 7, 7])
    assert (constant["t_equal"], constant["t_ordered"], constant["distinct_l"], constant["enhanced_beta"]) == (
        0,
        0,
        1,
        0,
    )
    assert one([None, None, 1, 1])["t_ordered"] == 0.5  # missing is a value, the last one
    assert one(["x", "y", "x", "y"])["t_ordered"] is None


def test_recursive_c_sorts_the_frequent_first(session):
    table = pa.table({"key": ["a"] * 7, "secret": ["x"] * 4 + ["y"] * 2 + ["z"]})
    options = {"quasi_identifiers": ["key"], "sensitive": ["secret"]}
    assert [rows_of(session.anonymity(table, **options, l=n))[0]["recursive_c"] for n in (1, 2, 3, 4)] == [
        pytest.approx(4 / 7), pytest.approx(4 / 3), 4, math.inf
    ]  # fmt: skip


@needs_data
def test_published_numbers(session):
    qids = ["Teacher", "Gender", "Ethnic", "Freeredu", "wesson"]
    table = str(DATA / "students_math.csv")
    (row,) = sql_rows(session.connection, call("anonymity", table, quasi_identifiers=qids, sensitive=["Score"]))
    assert (row["rows"], row["k"], row["distinct_l"], row["beta"]) == (216, 1, 1, 71)
    wanted = {"enhanced_beta": 5.375278407684164, "delta": 4.276666119016055, "t_ordered": 0.4165919952210274}
    assert {name: row[name] for name in wanted} == pytest.approx(wanted, rel=1e-14)
    assert row["t_equal"] == pytest.approx(0.97222, abs=5e-6)


# Risks of records


def risks(keys, population, threshold):
    """The row of `reidentification`."""
    here, there, n = Counter(keys), Counter(population or ()), len(keys)
    if not n:
        return None
    found = {
        "prosecutor_share": sum(f for f in here.values() if 1 / f > threshold) / n,
        "prosecutor_max": 1 / min(here.values()),
        "prosecutor_mean": len(here) / n,
        "unique_share": sum(f == 1 for f in here.values()) / n,
    }
    if population is None:
        return found
    marketer = sum(f / there[q] for q, f in here.items()) / n
    return found | {
        "journalist_share": sum(f for q, f in here.items() if 1 / there[q] > threshold) / n,
        "journalist_max": 1 / min(there[q] for q in here),
        "journalist_mean": max(len(here) / sum(there[q] for q in here), marketer),
        "marketer": marketer,
        "k_map": min(there[q] for q in here),
        "delta_min": min(here[q] / f for q, f in there.items()),
        "delta_max": max(here[q] / f for q, f in there.items()),
    }


@given(table=people(1), share=st.floats(0, 1), threshold=st.sampled_from([0.0, 0.2, 0.5, 1.0]))
def test_risks_are_those_of_counting(shared, table, share, threshold):
    population, columns, _, keys, _ = table
    sample = population.slice(0, max(1, int(share * len(population))))
    every = keys_of(columns, keys)
    create(shared, population=population, sample=sample)
    (row,) = rows_of(shared.reidentification("sample", keys, population="population", threshold=threshold))
    assert row == pytest.approx(risks(every[: len(sample)], every, threshold), rel=1e-12)
    (row,) = sql_rows(
        shared.connection, call("reidentification", "sample", quasi_identifiers=list(keys), threshold=threshold)
    )
    wanted = risks(every[: len(sample)], None, threshold)
    assert {name: value for name, value in row.items() if value is not None} == pytest.approx(wanted, rel=1e-12)


def test_risks_of_no_records(session):
    none = people_of([], keys=[]).cast(pa.schema({"key": pa.string(), "secret": pa.int64()}))
    (row,) = rows_of(session.reidentification(none, ["key"]))
    assert set(row.values()) == {None}
    (row,) = rows_of(session.anonymity(none, ["key"], sensitive=["secret"]))
    assert (row["rows"], row["classes"], row["uniques"], row["k"], row["t_ordered"]) == (0, 0, 0, None, None)


def test_a_population_that_lacks_somebody(session):
    sample, population = people_of([1, 2, 3, 4], "abca"), people_of([1, 2, 3, 4], "abda")
    create(session, sample=sample, everybody=population)
    with pytest.raises(errors.OptionError, match='"everybody" lacks 1 of the 3 classes of "sample"'):
        session.reidentification("sample", ["key"], population="everybody")
    # Also where only another column is asked for.
    with pytest.raises(Exception, match="lacks 1 of the 3 classes"):
        session.connection.execute(
            "SELECT marketer FROM synthpriv.reidentification('sample', ['key'], population := 'everybody')"
        ).fetchall()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"quasi_identifiers": []}, errors.OptionError, 'option "quasi_identifiers" names no column'),
        ({"quasi_identifiers": ["key"], "sensitive": []}, errors.OptionError, 'option "sensitive" names no column'),
        ({"quasi_identifiers": ["key"], "sensitive": ["KEY"]}, errors.OptionError, '"key" is in both options'),
        (
            {"quasi_identifiers": ["key"], "sensitive": ["x"]},
            errors.UnknownColumn,
            'option "sensitive" names column "x"',
        ),
        ({"quasi_identifiers": ["key"], "l": 0}, errors.OptionError, "at least 1"),
    ],
)
def test_bad_input(session, options, error, message):
    with pytest.raises(error, match=message):
        session.anonymity(people_of([1, 2, 3, 4]), **options)
