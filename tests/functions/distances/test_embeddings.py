"""Columns of vectors: their distances against the oracle, what is missing, and what is an error."""

import numpy as np
import pyarrow as pa
import pytest
from calls import METRICS, SCALINGS, call, create, rows_of
from oracle import Space, nearest
from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.planner.columns.matching import NO_OPTIONS, compare
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog

NAME = 'An "embedding"'
LIST, ARRAY = pa.list_(pa.float32()), pa.list_(pa.float32(), 3)


def table(seed, rows, missing=0.15):
    """Vectors near each other, copies and ties, zero vectors, and some that lack a number."""
    rng = np.random.default_rng(seed)
    middle = np.random.default_rng(0).integers(-3, 4, (6, 3))
    vectors = (middle[rng.integers(0, 6, rows)] + rng.integers(-1, 2, (rows, 3)) / 4).tolist()
    for i in np.flatnonzero(rng.random(rows) < missing):
        vectors[i] = None if rng.random() < 0.5 else [vectors[i][0], float("nan"), 1.0]
    vectors[1 % rows] = [0.0, 0.0, 0.0]
    return {
        "age": rng.integers(0, 30, rows).tolist(),
        "town": [None if t == 3 else "abc"[t] for t in rng.integers(0, 4, rows)],
        NAME: vectors,
    }


def arrow(columns, type_=ARRAY):
    return pa.table({"age": columns["age"], "town": columns["town"], NAME: pa.array(columns[NAME], type_)})


def assert_nearest(result, space, queries, reference, k=1, exclude_self=False):
    """Distances are the oracle's, and so is that to the record that is named."""
    distances = space.distances(queries, reference)
    rows = rows_of(result)
    expected = nearest(distances, k, exclude_self)[1]
    found = np.array([row["distance"] for row in rows]).reshape(expected.shape)
    records = np.array([row["neighbor"] for row in rows]).reshape(expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(np.take_along_axis(distances, records, 1), expected, rtol=1e-6, atol=1e-7)
    # Equal records are at 0 to the bit, and the first of them is the nearest.
    copies = (distances == 0).sum(axis=1) > exclude_self
    assert ((found[:, 0] == 0) == copies).all()


@pytest.mark.each_value
@pytest.mark.parametrize("vectors", ["euclidean", "cosine"])
@pytest.mark.parametrize("metric", METRICS)
def test_nearest_records_are_those_of_the_oracle(shared, metric, vectors):
    train, synthetic = table(1, 70), table(2, 40)
    create(shared, t=arrow(train), s=arrow(synthetic, LIST))
    for scaling in SCALINGS if (metric, vectors) == ("euclidean", "euclidean") else (None,):
        for columns in (["age", "town", NAME], [NAME, "town"], [NAME]):
            options = {"metric": metric, "scaling": scaling, "weights": {NAME: 0.7}, "category_mismatch": 1.3}
            space = Space(train, columns=columns, vectors=vectors, **options)
            options |= {"columns": columns, "vectors": vectors}
            assert_nearest(shared.neighbors("s", "t", k=3, **options), space, synthetic, train, 3)
            found = shared.neighbors("t", "t", k=2, exclude_self=True, **options)
            assert_nearest(found, space, train, train, 2, exclude_self=True)


def test_a_vector_of_one_number_is_a_number(shared):
    numbers = pa.array([3, 8, 1, None, 5, 40, 5], pa.float64())
    vectors = pa.array([None if x is None else [x] for x in numbers.to_pylist()], pa.list_(pa.float64()))
    create(shared, n=pa.table({"x": numbers, "c": list("ababcbc")}), v=pa.table({"x": vectors, "c": list("ababcbc")}))
    for metric in METRICS:
        for scaling in SCALINGS:
            options = {"metric": metric, "scaling": scaling, "k": 5, "exclude_self": True}
            as_number, as_vector = (rows_of(shared.neighbors(name, name, **options)) for name in ("n", "v"))
            far, near = ([row["distance"] for row in rows] for rows in (as_number, as_vector))
            np.testing.assert_allclose(near, far, rtol=1e-12)


@pytest.mark.parametrize("vectors", ["euclidean", "cosine"])
def test_constant_vectors_are_equal_or_not(shared, vectors):
    types = pa.schema({"e": pa.list_(pa.float64()), "c": pa.string()})
    create(
        shared,
        t=pa.table({"e": [[0.1, 0.2]] * 7 + [None], "c": list("aaaaaaab")}, types),
        s=pa.table({"e": [[0.1, 0.2], [0.1, -0.2], None], "c": list("aaa")}, types),
    )
    for metric in METRICS:
        found = [row["dcr"] for row in rows_of(shared.dcr("s", "t", metric=metric, vectors=vectors))]
        mismatch = 0.5 if metric == "gower" else 1.0
        other = mismatch if vectors == "euclidean" or metric == "hamming" else None
        assert found[0] == 0
        assert other is None or found[1] == other
        assert found[2] == mismatch


def test_few_rows(shared):
    create(shared, one=arrow(table(3, 1, 0)), none=arrow(table(3, 5)).slice(0, 0), gone=arrow(table(4, 3, 2)))
    assert rows_of(shared.dcr("one", "one")) == [{"record": 0, "dcr": 0.0, "nearest": 0}]
    assert rows_of(shared.dcr("none", "one")) == []
    with pytest.raises(errors.EmptyTable):
        shared.dcr("one", "none")
    # Nothing but missing vectors on one side: they differ from those that are there.
    missing = '(SELECT age, town, NULL::FLOAT[] AS "An ""embedding""" FROM gone)'
    assert [row["dcr"] for row in rows_of(shared.dcr("one", missing, columns=[NAME]))] == [1.0]
    assert {row["dcr"] for row in rows_of(shared.dcr(missing, "one", columns=[NAME]))} == {1.0}
    assert {row["dcr"] for row in rows_of(shared.dcr(missing, missing, columns=[NAME]))} == {0.0}


def test_kinds_of_numbers_and_other_ways_in(shared, tmp_path):
    path = str(tmp_path / "t.parquet")
    shared.connection.execute(
        "CREATE OR REPLACE TABLE floats AS SELECT i AS id, [i / 8, i % 5]::FLOAT[2] AS e FROM range(40) AS r(i);"
        "CREATE OR REPLACE TABLE wholes AS SELECT i AS id, [i, 5 * i]::INTEGER[] AS e FROM range(40) AS r(i);"
        "CREATE OR REPLACE TABLE decimals AS SELECT id, e::DECIMAL(9, 1)[2] AS e FROM wholes;"
        f"COPY floats TO '{path}' (FORMAT parquet)"
    )
    expected = rows_of(shared.dcr("floats", "floats", key="id"))
    given = shared.connection.sql("FROM floats")
    frame = given.to_arrow_table()
    for same in (path, given, frame, "(SELECT id, e::DOUBLE[] AS e FROM floats)", given.df()):
        assert rows_of(shared.dcr("floats", same, key="id")) == expected
    sql = shared.connection.execute(call("dcr", "floats", path, key="id", vectors="euclidean")).fetchall()
    assert sql == [tuple(row.values()) for row in expected]
    for metric in METRICS:
        found = rows_of(shared.neighbors("wholes", "decimals", key="id", metric=metric))
        assert [(row["neighbor"], row["distance"]) for row in found] == [(i, 0.0) for i in range(40)]


def test_a_copy_whose_embedding_was_moved_a_little_is_found(shared):
    rng = np.random.default_rng(6)
    train, holdout, other = (rng.normal(size=(300, 24)).astype(np.float32) for _ in range(3))
    other[:150] = train[100:250] * (1 + 0.02 * rng.normal(size=(150, 24)).astype(np.float32))

    def rows(vectors):
        return pa.table({"e": pa.FixedSizeListArray.from_arrays(vectors.reshape(-1), 24), "c": ["x"] * len(vectors)})

    for vectors in ("euclidean", "cosine"):
        tables = rows(other), rows(train)
        found = rows_of(shared.dcr(*tables, vectors=vectors))
        assert [row["nearest"] for row in found[:150]] == list(range(100, 250))
        share = rows_of(shared.holdout_share(*tables, rows(holdout), vectors=vectors))[0]
        assert share["p_value"] < 1e-3
    assert sum(row["copies"] for row in rows_of(shared.copies(rows(np.vstack([train[:5], other])), rows(train)))) == 5


def test_copies_are_those_of_the_numbers_given(shared):
    train, synthetic = table(1, 70), table(2, 40)
    found = [row["copies"] for row in rows_of(shared.copies(arrow(synthetic), arrow(train, LIST)))]
    distances = Space(train, metric="hamming").distances(synthetic, train)
    assert found == (distances == 0).sum(axis=1).tolist()
    assert sum(found) > 0


def refused(shared, error, words, *tables, **options):
    with pytest.raises(error) as raised:
        shared.dcr(*tables, **options)
    assert [word for word in words if word not in str(raised.value)] == [], str(raised.value)


def test_errors_name_the_column_and_what_to_do(shared):
    for name, value in {
        "e3": "[1, 2, i]::FLOAT[3]",
        "e2": "[1, i]::FLOAT[2]",
        "l2": "[1, i]::FLOAT[]",
        "uneven": "CASE i WHEN 3 THEN [] ELSE [1.5, i] END",
        "far": "[1, 'Infinity'::FLOAT]::FLOAT[2]",
        "number": "i",
        "nested": "[[i]]",
    }.items():
        shared.connection.execute(
            f"CREATE OR REPLACE TABLE {name} AS SELECT {value} AS e, i AS a FROM range(9) AS r(i)"
        )
    mismatch, role, exclude = errors.ColumnMismatch, errors.RoleError, "exclude=['e']"
    for scaling in ("minmax", "none"):
        refused(shared, mismatch, ['"e"', "of 3 numbers in", "2 numbers in", exclude], "e3", "e2", scaling=scaling)
        refused(shared, mismatch, ['"e"', 'of 3 numbers in "e3" and of 2 in "l2"'], "e3", "l2", scaling=scaling)
        refused(shared, mismatch, ['"e" of "uneven"', "of 0 to 2 numbers"], "uneven", "l2", scaling=scaling)
        refused(shared, errors.InfiniteValue, ['"e" of "far"', "9 infinite"], "e2", "far", scaling=scaling)
    refused(shared, role, ["BIGINT (numeric)", "FLOAT[2] (vector)", exclude], "e2", "number")
    refused(shared, role, ['"e" of "nested" has type', "no distance is defined", exclude], "nested", "nested")
    for option in ("numeric", "categorical"):
        refused(shared, role, [f'"{option}"', '"e"', "FLOAT[2]", exclude], "e2", "e2", **{option: ["e"]})
    long = "(SELECT range(70000) AS e, i AS a FROM range(2) AS r(i))"
    refused(shared, errors.TooLarge, ["70,001", "65,535", "shorter"], long, long, scaling="none")
    refused(shared, errors.OptionError, ["vectors", "cosine"], "e2", "e2", vectors="angle")
    for name in ("hit_rate", "fidelity", "propensity", "detection", "dimensions", "baseline", "principal_axes"):
        tables = {p.name: "e2" for p in catalog.function(name).relations if p.required}
        with pytest.raises(role, match=rf'"e" is of vectors \(FLOAT\[2\]\), which {name} does not compare; exclude it'):
            shared.call(name, **tables)


@pytest.mark.parametrize("type_", ["array<float>", "real[]", "double precision[]", "vector(384)"])
def test_vectors_of_other_databases_are_compared_by_their_numbers(type_):
    there = Relation("train", '"t"', exp.to_table("t"), (Column("e", type_, "other"),), base=True)
    with pytest.raises(errors.RoleError, match=r'"e" of "t" has type .*can turn the elements of a vector into columns'):
        compare([there], NO_OPTIONS)


def test_searches_without_the_kernel_say_so(shared):
    shared.connection.execute("CREATE OR REPLACE TABLE e2 AS SELECT [1, i]::FLOAT[2] AS e FROM range(9) AS r(i)")
    with pytest.raises(errors.RoleError, match=r'"e" is of vectors \(FLOAT\[2\]\), which plain SQL does not compare'):
        shared.sql("dcr", synthetic="e2", train="e2", dialect="postgres")


@pytest.mark.again
def test_what_counts_values_leaves_vectors_out(shared):
    """evaluate compares them where it can; the rest is as if they were excluded, and it says so."""
    tables = [arrow(table(seed, 60)) for seed in (1, 2, 3)]
    with pytest.warns(errors.SynthprivWarning, match=r'^Vectors \("An "embedding""\) are compared by distance'):
        found = rows_of(shared.evaluate(*tables, risks=True))
    for name in ("hit_rate", "singling_out"):
        (alone,) = rows_of(getattr(shared, name)(*tables, exclude=[NAME]))
        values = {row["statistic"]: row["value"] for row in found if row["section"] == name}
        shared_names = values.keys() & alone.keys()
        assert len(shared_names) > 1
        assert {n: values[n] for n in shared_names} == {n: alone[n] for n in shared_names}
    (copied,) = (row["value"] for row in found if row["metric"] == "copies" and row["statistic"] == "share")
    assert copied == np.mean([row["copies"] > 0 for row in rows_of(shared.copies(*tables[:2]))])
    # A column of vectors is no identifier, however different they are.
    assert [row for row in found if row["section"] == "identifiers" and row["variant"] == NAME] == []


def test_vectors_that_are_equal_agree(shared):
    """Agreement counts a vector as a value: a rare one that comes again says as much as a rare name."""
    rng = np.random.default_rng(8)
    vectors = np.round(rng.normal(size=(150, 4)), 3)
    tables = [
        pa.table({"c": rng.choice(list("abc"), 50), "e": pa.array(part.tolist(), LIST)})
        for part in np.split(vectors, 3)
    ]
    train, holdout, synthetic = tables
    leaky = pa.concat_tables([synthetic, train.slice(10, 5)])
    exposed = rows_of(shared.exposure(leaky, train, holdout))
    assert [row["record"] for row in exposed if row["score"] > 5] == [10, 11, 12, 13, 14]
    assert "e" in [item["column"] for item in exposed[12]["agreeing"]]


def test_what_is_known_of_a_person_may_be_a_vector(shared):
    """Who knows a note reads off the town beside the nearest one."""
    rng = np.random.default_rng(9)

    def rows(vectors, towns):
        given = {"note": pa.array(vectors.tolist(), LIST), "town": towns, "age": rng.integers(0, 9, len(towns))}
        return pa.table(given)

    notes, towns = rng.normal(size=(3, 60, 5)), rng.choice(list("abcdef"), (3, 60))
    train, holdout, synthetic = (rows(notes[i] + add, towns[i]) for i, add in ((0, 0), (1, 0), (0, 1e-3)))
    tables = {"synthetic": synthetic, "train": train, "holdout": holdout}
    for vectors in ("euclidean", "cosine"):
        (found,) = rows_of(shared.attribute_inference(**tables, known=["note"], secrets=["town"], vectors=vectors))
        assert found["rate"] == 1
        assert found["control"] < 0.5
    (linked,) = rows_of(shared.linkability(**tables, known=["note"], other=["town", "age"], k=[5], vectors="cosine"))
    assert linked["rate"] > linked["control"]
    with pytest.raises(errors.RoleError, match=r'"note" is of vectors .* leave it out of option "secrets"'):
        shared.attribute_inference(**tables, known=["town"], secrets=["note"])


def test_statistics_of_vectors(shared):
    rows = list(shared.scaling(arrow(table(1, 70))))
    vector = next(row for row in rows if row["column_name"] == NAME)
    values = [value for value in table(1, 70)[NAME] if value and not np.isnan(value).any()]
    assert (vector["role"], vector["count"], vector["missing"]) == ("vector", len(values), 70 - len(values))
    assert vector["distinct"] == len(set(map(tuple, values)))
    assert [row["column_name"] for row in rows] == ["age", "town", NAME]


@pytest.mark.nightly
def test_the_page_of_a_table_of_vectors(shared, tmp_path):
    path = tmp_path / "page.html"
    for columns in (None, [NAME]):
        shared.report(path, arrow(table(1, 40)), arrow(table(2, 40)), show_values=columns is None, columns=columns)
        text = path.read_text()
        assert "An &#34;embedding&#34;</code> is left out here" in text
        assert ("Similarity of all columns" in text) == (columns is None)
