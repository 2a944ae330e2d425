"""How quasi-identifiers are given: names, positions, views, files, queries and frames."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from calls import call, create, quoted, rows_of, sql_rows
from test_discernibility import SURFACES, assert_row, expected_row, in_python, in_sql

from synthpriv_sql import errors


def test_names_in_any_case_and_twice(session):
    create(session, people=pa.table({"Age": [1, 1, 2]}))
    with pytest.raises(errors.OptionError, match='column "Age" of "people" twice'):
        session.equivalence_classes("people", ["AGE", "age"])
    result = session.equivalence_classes("people", ["AGE"])
    assert result.columns == ["Age", "size"]
    assert result.fetchall() == [(2, 1), (1, 2)]
    assert session.discernibility("people", "age").fetchall()[0][0] == 5


@pytest.mark.parametrize("name", ["n", "Class Size", "record", 'a"b'])
@pytest.mark.parametrize("type_", ["UTINYINT", "INTEGER", "HUGEINT", "DECIMAL(9, 2)", "DOUBLE", "VARCHAR"])
def test_sizes_of_other_names_and_types(shared, name, type_):
    shared.connection.execute(
        f"CREATE OR REPLACE TABLE sizes AS SELECT unnest([2, 3, 3])::{type_} AS {quoted(name)}, 0 AS other"
    )
    row = in_sql(shared, "discernibility_from_classes", "sizes", size=name, k=3)
    assert_row(row, expected_row([2, 3, 3], 3))


def test_classes_feed_the_count_from_classes(session):
    create(session, people=pa.table({"x": list("aaabbc"), "y": [1, 1, 2, 3, 3, 3]}))
    session.connection.execute("CREATE TABLE counted AS " + call("equivalence_classes", "people",
                                                                 quasi_identifiers=["x", "y"]))  # fmt: skip
    counted = in_sql(session, "discernibility_from_classes", "counted", k=2)
    assert counted == in_sql(session, "discernibility", "people", quasi_identifiers=["x", "y"], k=2)


def test_views_files_queries_and_frames(session, tmp_path):
    arrow = pa.table({"x": list("aaabbc"), "y": [1, 1, 2, 3, 3, None]})
    create(session, people=arrow)
    session.connection.execute("CREATE VIEW seen AS SELECT y AS b, x AS a FROM people")
    session.connection.table("people").write_parquet(str(tmp_path / "people.parquet"))
    session.connection.table("people").write_csv(str(tmp_path / "people.csv"))
    expected = expected_row([2, 1, 2, 1], 2, 1)
    for table in ("people", str(tmp_path / "people.parquet"), str(tmp_path / "people.csv"), "(FROM people)"):
        for ask in SURFACES.values():
            assert_row(ask(session, "discernibility", table, quasi_identifiers=["x", "y"], k=2, suppressed=1), expected)
    seen = in_sql(session, "discernibility", "seen", quasi_identifiers=["b", "a"], k=2, suppressed=1)
    assert_row(seen, expected)
    for given_ in (arrow, arrow.to_pandas(), session.connection.table("people")):
        assert_row(
            in_python(session, "discernibility", given_, quasi_identifiers=["x", "y"], k=2, suppressed=1), expected
        )


def test_only_quasi_identifiers_are_read(session):
    # Columns of types that no distance is defined for do not matter here, and may be quasi-identifiers themselves.
    session.connection.execute("CREATE TABLE people AS SELECT [i % 2] AS l, {'a': i % 3} AS s FROM range(12) AS r(i)")
    assert in_sql(session, "discernibility", "people", quasi_identifiers=["l"])["discernibility"] == 72
    assert in_python(session, "discernibility", "people", quasi_identifiers=["l", "s"])["discernibility"] == 24


def test_quasi_identifiers_by_position(session):
    create(session, people=pa.table({"age": [1, 1, 2], "1": ["a", "b", "b"], "zip": [7, 7, 7]}))
    by_name = session.discernibility("people", ["age", "zip"]).fetchall()
    assert session.discernibility("people", [0, 2]).fetchall() == by_name
    assert session.discernibility("people", ["age", 2]).fetchall() == by_name
    classes = sql_rows(session.connection, "FROM synthpriv.equivalence_classes('people', [0, 2]) ORDER BY size")
    assert classes == [{"age": 2, "zip": 7, "size": 1}, {"age": 1, "zip": 7, "size": 2}]
    # A column of that name comes first.
    assert session.equivalence_classes("people", ["1"]).columns == ["1", "size"]
    with pytest.raises(errors.UnknownColumn, match='position 3, but "people" has 3 columns; positions count from 0'):
        session.discernibility("people", [3])
    with pytest.raises(errors.OptionError, match='column "age" of "people" twice'):
        session.discernibility("people", ["age", 0])


def test_positions_in_a_frame_whose_columns_are_numbers(session):
    frame = pd.DataFrame([(1, 1, 9), (1, 2, 9), (2, 1, 9), (2, 2, 9)], columns=[1, 2, 3])
    # No column is called 0, so that these are positions.
    assert session.discernibility(frame, [0, 1]).fetchall()[0][0] == 4
    assert session.discernibility(frame, np.array([0, 1])).fetchall()[0][0] == 4
    # There is no position 3.
    assert session.discernibility(frame, [3]).fetchall()[0][0] == 16
    with pytest.raises(errors.OptionError, match="names 1, which may be"):
        session.discernibility(frame, [1, 2])
    assert session.discernibility(frame, ["1", "3"]).fetchall()[0][0] == 8


def test_what_follows_the_quasi_identifiers_is_given_by_name(session):
    # calculate(data, qids_idx, suppression_counts) of the founding paper's program takes rows suppressed in this place.
    people = pd.DataFrame({"a": [1, 1, 1, 2, 2, 3]})
    with pytest.raises(
        errors.OptionError, match="arguments after quasi_identifiers must be given by name: k=2 or suppressed=2"
    ):
        session.discernibility(people, [0], 2)
    assert float(session.discernibility(people, [0], suppressed=2)) == 9 + 4 + 1 + 2 * 8
    with pytest.raises(errors.OptionError, match='no option "suppression_counts"; did you mean "suppressed"'):
        session.discernibility(people, [0], suppression_counts=2)
    with pytest.raises(errors.OptionError, match='no option "qids_idx"; did you mean "quasi_identifiers"'):
        session.call("discernibility", data=people, qids_idx=[0])
    with pytest.raises(errors.OptionError, match="given by name: targets="):
        session.disclosure(people, people, ["a"], ["a"])


def test_quasi_identifiers_as_pandas_has_them(session):
    ages = pd.cut(pd.Series([1, 2, 3, 11, 12, np.nan]), [0, 10, 20])
    months = pd.Series(pd.PeriodIndex(["2026-01", "2026-01", "2026-02", "2026-02", None, None], freq="M"))
    mixed = pd.Series(["*", "*", 1, 1, None, "1"], dtype=object)
    half = pd.Series([1, 1, 2.5, 2.5, None, 1], dtype=np.float16)
    frame = pd.DataFrame({"ages": ages, "plain": ages.astype(object), "months": months, "mixed": mixed, "half": half})
    for name, expected in {"ages": 14, "months": 12, "mixed": 4 + 9 + 1, "half": 14}.items():
        assert float(session.discernibility(frame, [name])) == expected, name
    assert isinstance(frame["ages"].dtype, pd.CategoricalDtype)
    assert {row["ages"] for row in session.equivalence_classes(frame, ["ages"])} == {"(0, 10]", "(10, 20]", None}
    assert {row["months"] for row in session.equivalence_classes(frame, ["months"])} == {"2026-01", "2026-02", None}
    assert rows_of(session.dcr(frame[["ages", "months"]], frame[["ages", "months"]]))[0]["dcr"] == 0


def test_classes_as_people_have_them(shared):
    rows = [{"qid": "a", "count": 3}, {"qid": "b", "count": 2}]
    assert shared.discernibility_from_classes(rows).fetchall()[0][0] == 13
    assert shared.discernibility_from_classes(pa.table({"Count": [3, 2]}), k=3).fetchall()[0][0] == 9 + 2 * 5
    # What a class is called is not read, whatever it is; a class that nobody is in counts nothing.
    mixed = [{"qid": qid, "count": count} for qid, count in {("a", 1): 3, "b": 2, 7: 1, None: 0}.items()]
    assert shared.discernibility_from_classes(mixed).fetchall()[0][:4] == (14, 6, 0, 3)
    assert shared.discernibility_from_classes([]).fetchall()[0][:4] == (0, 0, 0, 0)
    both = [row | {"size": 1} for row in rows]
    with pytest.warns(errors.SynthprivWarning, match='columns "size" and "count", and "size" is used'):
        assert float(shared.discernibility_from_classes(both)) == 2
    assert float(shared.discernibility_from_classes(both, size="count")) == 13
    with pytest.raises(errors.UnknownColumn, match='option "size" names column "size"'):
        shared.discernibility_from_classes([{"qid": "a"}])


def test_the_best_of_a_table(session):
    create(session, people=pa.table({"age": range(11)}))
    assert session.best_discernibility(11, 3).fetchall() == session.best_discernibility("people", k=3).fetchall()
    assert session.best_discernibility(pa.table({"age": range(11)}), k=3).fetchall() == [(41, 41)]
    assert session.best_discernibility(11).fetchall() == [(11, 11)]
    assert session.connection.execute("FROM synthpriv.best_discernibility(11)").fetchall() == [(11, 11)]
