"""Equivalence classes and discernibility against counting by hand, exact to the last unit."""

import math
from collections import Counter
from decimal import Decimal

import duckdb
import oracle
import pyarrow as pa
import pytest
from calls import call, cli, cli_arguments, create, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import is_missing
from strategies import KINDS

from synthpriv_sql import errors

COLUMNS = [
    *("discernibility", "rows", "suppressed", "classes", "smallest_class", "average_class_size"),
    *("c_avg", "rows_below_k", "classes_below_k", "best", "ratio_to_best"),
]
# Names that the files of sql/ use themselves, and names that need quoting.
NAMES = ("size", "record", "Mixed Case", 'a"b', "classes", "data", "k", "it's", "select")
KIND_NAMES = ("integer", "float", "text", "boolean", "enum", "date", "decimal")


def expected_row(sizes, k=None, suppressed=0):
    """The row of `discernibility`, by its definition."""
    sizes = list(sizes)
    below = [size for size in sizes if k and size < k]
    rows = sum(sizes) + suppressed
    dm = oracle.discernibility(sizes, k, suppressed)
    best = None
    if k and (rows == 0 or rows >= k):
        q = rows // k if rows else 0
        best = sum((rows // q + (i < rows % q)) ** 2 for i in range(q))
    return {
        "discernibility": dm,
        "rows": rows,
        "suppressed": suppressed + sum(below),
        "classes": len(sizes),
        "smallest_class": min(sizes, default=None),
        "average_class_size": sum(sizes) / len(sizes) if sizes else None,
        "c_avg": rows / (len(sizes) * k) if k and sizes else None,
        "rows_below_k": sum(below) if k else None,
        "classes_below_k": len(below) if k else None,
        "best": best,
        "ratio_to_best": dm / best if best else None,
    }


def assert_row(found, expected):
    assert list(found) == COLUMNS
    for name, wanted in expected.items():
        value = found[name]
        if isinstance(wanted, float):
            assert math.isclose(value, wanted, rel_tol=1e-12), name
        else:
            # Counts and sums are whole numbers, to the last unit, on every surface.
            assert value == wanted, name
            assert value is None or not isinstance(value, float), name


def in_python(session, name, *tables, **options):
    result = getattr(session, name)(*tables, **options)
    (row,) = result.fetchall()
    return dict(zip(result.columns, row, strict=True))


def in_sql(session, name, *tables, **options):
    (row,) = sql_rows(session.connection, call(name, *tables, **options))
    return row


SURFACES = {"python": in_python, "sql": in_sql}


@st.composite
def people(draw):
    """A table, and the columns of it that are quasi-identifiers."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    kinds = {name: draw(st.sampled_from(KIND_NAMES)) for name in names}
    rows = draw(st.integers(0, 40))
    columns = {}
    for name, kind in kinds.items():
        pool = draw(st.lists(KINDS[kind].values, min_size=1, max_size=4))
        choices = st.sampled_from([*pool, None])
        columns[name] = draw(st.lists(choices, min_size=rows, max_size=rows))
    arrow = pa.table({name: pa.array(columns[name], KINDS[kind].type) for name, kind in kinds.items()})
    return arrow, columns, draw(st.permutations(names))[: draw(st.integers(1, len(names)))]


def classes_of(columns, names):
    values = [[None if is_missing(value) else value for value in columns[name]] for name in names]
    return Counter(zip(*values, strict=True))


@pytest.mark.parametrize("surface", SURFACES)
@given(table=people(), k=st.none() | st.integers(1, 12), suppressed=st.integers(0, 9))
def test_discernibility_is_that_of_counting(shared, surface, table, k, suppressed):
    arrow, columns, names = table
    create(shared, people=arrow)
    sizes = classes_of(columns, names).values()
    row = SURFACES[surface](shared, "discernibility", "people", quasi_identifiers=names, k=k, suppressed=suppressed)
    assert_row(row, expected_row(sizes, k, suppressed))
    create(shared, sizes=pa.table({"size": pa.array(list(sizes), pa.int64())}))
    again = SURFACES[surface](shared, "discernibility_from_classes", "sizes", k=k, suppressed=suppressed)
    assert again == row


@given(table=people())
def test_classes_are_those_of_counting(shared, table):
    arrow, columns, names = table
    result = shared.equivalence_classes(arrow, names)
    # A quasi-identifier keeps its name, whatever it is.
    assert result.columns == [*names, "size_1" if "size" in names else "size"]
    found = result.fetchall()
    expected = classes_of(columns, names)
    assert Counter({row[:-1]: row[-1] for row in found}) == expected
    assert len(found) == len(expected)
    assert [row[-1] for row in found] == sorted(expected.values())


@given(sizes=st.lists(st.integers(1, 60), max_size=12), k=st.integers(1, 9), suppressed=st.integers(0, 30))
def test_no_table_beats_the_best(shared, sizes, k, suppressed):
    row = in_python(shared, "discernibility_from_classes", pa.table({"size": pa.array(sizes, pa.int64())}),
                    k=k, suppressed=suppressed)  # fmt: skip
    assert_row(row, expected_row(sizes, k, suppressed))
    if row["best"]:
        # A suppressed row counts as many as any class could cost it.
        assert row["ratio_to_best"] >= 1


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(
    ("sizes", "options"),
    [
        ([], {}),
        ([], {"k": 3}),
        ([], {"suppressed": 4}),
        ([], {"k": 4, "suppressed": 4}),
        ([7], {}),
        ([7], {"k": 7}),
        ([7], {"k": 8}),
        ([1] * 20, {}),
        ([1] * 20, {"k": 2}),
        ([1] * 20, {"k": 1, "suppressed": 1}),
        ([2, 3, 5, 5], {"k": 5, "suppressed": 2}),
    ],
)
def test_edges(shared, surface, sizes, options):
    rows = [f"class {i}" for i, size in enumerate(sizes) for _ in range(size)]
    create(shared, people=pa.table({"x": pa.array(rows, pa.string())}))
    row = SURFACES[surface](shared, "discernibility", "people", quasi_identifiers=["x"], **options)
    assert_row(row, expected_row(sizes, **options))


def test_three_hundred_categories(session):
    # More than a byte can number.
    create(session, people=pa.table({"x": [f"c{i}" for i in range(300) for _ in range(i % 7 + 1)]}))
    row = in_sql(session, "discernibility", "people", quasi_identifiers=["x"], k=4)
    assert_row(row, expected_row([i % 7 + 1 for i in range(300)], 4))


def test_missing_is_a_value_of_its_own_however_it_is_written(session):
    create(session, people=pa.table({"x": [None, math.nan, 0.0, -0.0, 1.0], "t": [None, None, "", "", "a"]}))
    found = {(row["x"], row["t"]): row["size"] for row in rows_of(session.equivalence_classes("people", ["x", "t"]))}
    assert found == {(1.0, "a"): 1, (None, None): 2, (0.0, ""): 2}


# Sizes that no 64-bit sum of squares holds


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(
    ("sizes", "options"),
    [
        ([5 * 10**9], {}),
        ([5 * 10**9] * 1_000, {}),
        ([5 * 10**9, 1], {"k": 2}),
        ([5 * 10**9] * 3, {"k": 5 * 10**9 + 1}),
        ([5 * 10**9], {"suppressed": 5 * 10**9}),
        ([3 * 10**18] * 3, {}),
        ([2**62], {"k": 3}),
    ],
)
def test_large_classes_do_not_overflow(shared, surface, sizes, options):
    create(shared, sizes=pa.table({"size": sizes}))
    row = SURFACES[surface](shared, "discernibility_from_classes", "sizes", **options)
    assert_row(row, expected_row_without_loop(sizes, **options))


def expected_row_without_loop(sizes, k=None, suppressed=0):
    row = expected_row(sizes, None, suppressed)
    if k:
        rows, below = row["rows"], [size for size in sizes if size < k]
        q = rows // k
        best = (q - rows % q) * (rows // q) ** 2 + (rows % q) * (rows // q + 1) ** 2
        dm = oracle.discernibility(sizes, k, suppressed)
        row |= {"discernibility": dm, "suppressed": suppressed + sum(below), "c_avg": rows / (len(sizes) * k),
                "rows_below_k": sum(below), "classes_below_k": len(below), "best": best,
                "ratio_to_best": dm / best}  # fmt: skip
    return row


def test_whole_numbers_stay_whole_on_their_way_out(session, tmp_path):
    create(session, sizes=pa.table({"size": [5 * 10**9] * 7}))
    exact = 7 * 25 * 10**18
    result = session.discernibility_from_classes("sizes")
    assert result.to_arrow()["discernibility"].to_pylist() == [Decimal(exact)]
    result.to_table("kept")
    assert session.connection.sql("SELECT discernibility FROM kept").fetchall() == [(exact,)]
    assert str(session.connection.table("kept").types[0]) == "HUGEINT"
    path = str(tmp_path / "sizes.parquet")
    session.connection.table("sizes").write_parquet(path)
    code, out, err = cli(*cli_arguments("discernibility_from_classes", path), "--format", "csv")
    assert (code, err) == (0, "")
    assert out.splitlines()[1].split(",")[0] == str(exact)


# The best that there is


@pytest.mark.parametrize(
    ("n", "k", "documented", "best"), [(12, 4, 48, 48), (5, 3, 23, 25), (11, 4, 59, 61), (10, 7, 94, 100)]
)
@pytest.mark.parametrize("surface", SURFACES)
def test_published_best(shared, surface, n, k, documented, best):
    assert SURFACES[surface](shared, "best_discernibility", n=n, k=k) == {"best": best, "documented": documented}


def test_best_is_the_least_over_all_partitions(shared):
    for k in range(1, 8):
        for n in [0, *range(k, 25)]:
            row = in_python(shared, "best_discernibility", n=n, k=k)
            assert row["best"] == oracle.best_discernibility(n, k), (n, k)
            if n:
                assert row["documented"] == oracle.documented_discernibility(n, k), (n, k)


def test_best_of_no_rows(session):
    assert in_sql(session, "best_discernibility", n=0, k=3) == {"best": 0, "documented": 0}


def test_best_of_many_rows(session):
    n, k = 5 * 10**9 + 3, 10**9
    assert in_python(session, "best_discernibility", n=n, k=k)["best"] == 2 * 10**18 + 3 * (10**9 + 1) ** 2


# Wrong input


def message(session, name, *tables, **options):
    """What Python says, and SQL after it: the kind and the words."""
    with pytest.raises(errors.SynthprivError) as said:
        getattr(session, name)(*tables, **options)
    with pytest.raises(duckdb.Error) as said_in_sql:
        session.connection.execute(call(name, *tables, **options)).fetchall()
    # What to do differs: SQL sees fewer tables.
    assert f"{type(said.value).__name__}: {said.value}".partition(". Give")[0] in str(said_in_sql.value)
    return f"{type(said.value).__name__}: {said.value}"


@pytest.mark.parametrize(
    ("name", "tables", "options", "words"),
    [
        ("best_discernibility", (), {"n": 2, "k": 3}, ["OptionError", '"k" is 3', "but n is 2", "at most n"]),
        ("best_discernibility", (), {"n": -1, "k": 3}, ["OptionError", '"n"', "at least 0"]),
        ("best_discernibility", (), {"n": 3, "k": 0}, ["OptionError", '"k"', "at least 1"]),
        ("discernibility", ("people",), {"quasi_identifiers": []},
         ["OptionError", "quasi_identifiers", "at least one"]),
        ("discernibility", ("people",), {"quasi_identifiers": ["age", "agee"]},
         ["UnknownColumn", "quasi_identifiers", '"agee"', "people", '"age"']),
        ("equivalence_classes", ("people",), {"quasi_identifiers": ["nothing"]}, ["UnknownColumn", '"nothing"']),
        ("discernibility", ("people",), {"quasi_identifiers": ["age"], "k": 0}, ["OptionError", '"k"', "at least 1"]),
        ("discernibility", ("people",), {"quasi_identifiers": ["age"], "suppressed": -1},
         ["OptionError", '"suppressed"', "at least 0"]),
        ("discernibility", ("nowhere",), {"quasi_identifiers": ["age"]}, ["UnknownTable", '"nowhere"', "data"]),
        ("discernibility_from_classes", ("people",), {}, ["UnknownColumn", '"size"', "people"]),
        ("discernibility_from_classes", ("negative",), {}, ["OptionError", '"negative"', "size -2"]),
        ("discernibility_from_classes", ("null",), {}, ["OptionError", '"null"', "size NULL"]),
        ("discernibility_from_classes", ("fraction",), {}, ["OptionError", '"fraction"', "size 1.5"]),
    ],
)  # fmt: skip
def test_wrong_input_is_told(shared, name, tables, options, words):
    create(
        shared,
        people=pa.table({"age": [1, 2]}),
        negative=pa.table({"size": [1, -2]}),
        null=pa.table({"size": [1, None]}),
        fraction=pa.table({"size": [1.5, 2.0]}),
    )
    said = message(shared, name, *tables, **options)
    assert [word for word in words if word not in said] == [], said


def test_quasi_identifiers_are_needed(session):
    create(session, people=pa.table({"age": [1, 2]}))
    with pytest.raises((TypeError, errors.OptionError), match="quasi_identifiers"):
        session.discernibility("people")
    with pytest.raises(duckdb.Error, match="quasi_identifiers"):
        session.connection.execute("FROM synthpriv.discernibility('people')")


# What is given
