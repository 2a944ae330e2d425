"""Values at the ends of their types: dates that Python lacks, nanoseconds with a zone, empty vectors, long integers."""

import datetime
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from calls import DUCKDB

from synthpriv_sql import errors
from synthpriv_sql.results import output

BC = "DATE '0044-03-15 (BC)'"
DATES = [
    (BC, "0044-03-15 (BC)"),
    ("DATE 'infinity'", "infinity"),
    ("TIMESTAMP '-infinity'", "-infinity"),
    ("TIMESTAMP '12000-01-01 10:00:00'", "12000-01-01 10:00:00"),
    ("TIMESTAMPTZ '12000-01-01 10:00:00+02'", "12000-01-01 08:00:00+00"),
]


@pytest.mark.parametrize(("date", "text"), DATES)
def test_dates_that_python_lacks_are_text(shared, tmp_path, date, text):
    now = date.partition(" ")[0] + " '2024-02-29'"
    result = shared.equivalence_classes(f"(SELECT * FROM (VALUES ({date}), ({now}), (NULL)) AS t(d))", ["d"])
    shown = dict(result.fetchall())
    assert shown[text] == 1
    assert shown[None] == 1
    assert {type(key) for key in shown} == {str, type(None), *(type(k) for k in shown if hasattr(k, "year"))}
    assert any(getattr(key, "year", 0) == 2024 for key in shown)
    assert set(result["d"]) == set(shown)
    assert len(result.to_pandas()) == 3
    for words in (repr(result), result._repr_html_(), result.to_latex()):
        assert text in words.replace("$-$", "-")
    for ending in (".csv", ".json", ".parquet"):
        output.write(result, tmp_path / f"rows{ending}")
    assert text in (tmp_path / "rows.csv").read_text()
    assert text in {row["d"] for row in json.loads((tmp_path / "rows.json").read_text())}


def test_groups_of_such_dates_have_their_verdict(shared):
    rows = f"(SELECT CASE WHEN i % 2 = 0 THEN {BC} ELSE DATE '2024-02-29' END AS d, i % 7 AS a FROM range(40) AS t(i))"
    found = shared.evaluate(rows, rows, group_by=["d"], attack=["distance"], named_by=["uniques"])
    assert set(found.groups) == {("0044-03-15 (BC)",), (datetime.date(2024, 2, 29),)}
    assert "0044-03-15 (BC)" in repr(found)


@pytest.mark.parametrize("name", ["evaluate", "dcr", "screen"])
def test_an_infinite_date_is_named_whatever_fails_first(shared, name):
    rows = "(SELECT * FROM (VALUES (DATE 'infinity', 1), (DATE '2024-02-29', 2)) AS t(d, x))"
    with pytest.raises(errors.InfiniteValue, match=r'column "d" of .* holds 1 infinite value'):
        shared.call(name, synthetic=rows, train=rows)


@pytest.mark.parametrize("others", [[], [None, [1.0, 2.0]]])
def test_vectors_of_no_numbers(shared, others):
    rows = pa.table(
        {"v": pa.array([[], *(others or [[]])], pa.list_(pa.float64())), "x": [*range(1 + len(others or [1]))]}
    )
    with pytest.raises(errors.ColumnMismatch, match=r'column "v" of .* holds vectors of (no|0 to 2) numbers'):
        shared.dcr(rows, rows)


def test_integers_of_more_than_64_bits(shared):
    rows = [{"a": 2**70, "b": 1}, {"a": 2**70 + 1, "b": 1}, {"a": None, "b": 2}]
    assert shared.copies(rows, rows)["copies"] == [1, 1, 1]
    assert shared.copies([{"a": 2**700}, {"a": 1}], [{"a": 2**700}])["copies"] == [1, 0]
    assert shared.copies([{"a": 2**2000}, {"a": 1}], [{"a": 2**2000}])["copies"] == [1, 0]
    with pytest.raises(errors.OptionError, match=r"at most 2\^63 - 1"):
        shared.detection(rows, rows, seed=2**63)


def test_nanoseconds_with_a_time_zone(session):
    """They are moments, wherever the session is; and a table of them keeps them to the nanosecond."""
    if DUCKDB < 2:  # has no such type
        return
    session.connection.execute("SET TimeZone = 'America/New_York'")
    moments = pd.to_datetime(np.arange(40) * 1_234_567_891, utc=True).as_unit("ns")
    session.connection.register("given", pa.table({"m": pa.array(moments), "x": np.arange(40) % 5}))
    session.connection.execute("CREATE TABLE moments AS FROM given")
    assert session.engine.relation("train", "moments").columns[0].type == "TIMESTAMPTZ_NS"
    seconds = pa.table({"m": np.arange(40) * 1.234567891, "x": np.arange(40) % 5})
    found = session.neighbors("moments", "moments", k=3, exclude_self=True)
    expected = session.neighbors(seconds, seconds, k=3, exclude_self=True)
    np.testing.assert_allclose(found["distance"], expected["distance"], rtol=1e-12)
    assert session.copies("moments", "moments")["copies"] == [1] * 40
    later = "(SELECT m + to_microseconds(0) AS m, x FROM moments)"
    assert session.copies(later, "moments")["copies"] == [1] * 40
    again = session.baseline("moments", p=1.0, trees=2)
    assert again.types[0] == "TIMESTAMPTZ_NS"
    again.to_table("resampled")
    within = "SELECT count(*) FROM resampled WHERE m BETWEEN '1970-01-01 00:00:00Z' AND '1970-01-01 00:01:00Z'"
    assert session.connection.sql(within).fetchall() == [(40,)]
