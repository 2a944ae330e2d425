"""Files whose first lines or names mislead: all values decide what they are, or it is said what cannot be decided."""

import datetime
import json
import warnings

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import cli

from synthpriv_sql import errors
from synthpriv_sql.engines.duckdb.files import dates


def lines(name, values):
    return f"id;{name}\n" + "".join(f"{i};{value}\n" for i, value in enumerate(values))


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Write files into the current folder."""
    monkeypatch.chdir(tmp_path)

    def written(**files):
        for name, content in files.items():
            (tmp_path / name.replace("__", ".")).write_text(content)

    return written


def roles(session, table, **given):
    return {row[0]: row[1] for row in session.scaling(table, **given).fetchall()}


def copied(session, *tables, **given):
    return sum(1 for copies in session.copies(*tables, **given)["copies"] if copies)


GERMAN = {"decimal": ",", "thousands": "."}


def test_german_money_is_a_number_however_many_lines_there_are(shared, put):
    for rows in (2_047, 2_048, 5_000):
        put(money__csv=lines("v", [f"{i % 9 + 1}.234,{i % 10}" for i in range(rows)]))
        (_, found) = shared.scaling("money.csv", csv=GERMAN).fetchall()
        assert found[:2] == ("v", "numeric")
        assert found[5:7] == (1234.0, 9234.9) if rows == 5_000 else found[1] == "numeric"
    put(money__csv=lines("v", ["1,5", "2,5"] * 1_500))
    assert roles(shared, "money.csv", csv={"decimal": ","})["v"] == "numeric"


def test_a_text_among_german_money_is_an_error_with_its_record(shared, put):
    for bad, rows in ((7, 100), (2_500, 3_000), (30_000, 30_001)):
        put(money__csv=lines("v", [f"{i % 9 + 1}.234,5" if i != bad else "secret" for i in range(rows)]))
        with pytest.raises(errors.UnknownTable, match=rf'column "v" of "money.csv" .* record {bad:,} ') as caught:
            shared.scaling("money.csv", csv=GERMAN)
        assert "secret" not in str(caught.value)


def test_a_point_is_not_taken_for_thousands_where_no_thousands_follow(shared, put):
    put(mixed__csv="price;weight\n" + "1.234,5;1.23\n" * 30)  # DuckDB reads 123
    with pytest.raises(errors.UnknownTable, match=r'column "weight" of "mixed.csv" .* record 0 '):
        shared.scaling("mixed.csv", csv=GERMAN)


FIRSTS = [f"{month:02}/{day:02}/2020" for month in range(1, 13) for day in (1, 2)]


def test_dates_have_one_format_in_all_tables(session, put):
    put(
        a__csv=lines("d", FIRSTS),
        b__csv=lines("d", [*FIRSTS, "03/25/2020"]),
        c__csv=lines("d", [*FIRSTS, "25/03/2020"]),
    )
    assert copied(session, "a.csv", "b.csv") == copied(session, "b.csv", "a.csv") == 24
    assert session.connection.sql("FROM synthpriv.copies('a.csv', 'b.csv') SELECT sum(copies)").fetchall() == [(24,)]
    code, out, _ = cli("copies", "--synthetic", "b.csv", "--train", "a.csv", "--format", "csv")
    assert (code, out.count(",1\n"), out.count(",0\n")) == (0, 24, 1)
    several = session.sql("candidates", synthetic={"one": "a.csv", "two": "b.csv"}, train="b.csv", holdout="b.csv")
    assert "%m/%d/%Y" in several
    for call, tables in ((session.scaling, "a"), (session.copies, "aa"), (session.membership, "abc")):
        with pytest.raises(errors.UnknownTable, match=r'column "d" of "a.csv" may be read in 2 ways') as caught:
            call(*(f"{table}.csv" for table in tables))
        assert "csv={'dates': '%d/%m/%Y'} or csv={'dates': '%m/%d/%Y'}" in str(caught.value)
    for order, day in (("%d/%m/%Y", "2020-02-12"), ("%m/%d/%Y", "2020-12-02")):
        (_, found) = session.scaling("a.csv", csv={"dates": order}).fetchall()
        assert found[6] == datetime.datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp()


def test_dates_with_times_follow_the_same_format(session, put):
    moments = [f"{first} 10:30:00" for first in FIRSTS]
    put(
        a__csv=lines("d", moments),
        b__csv=lines("d", [*moments, "03/25/2020 10:30:00"]),
        c__csv=lines("d", [m[:-3] for m in moments]),
    )
    assert copied(session, "a.csv", "b.csv") == 24
    with pytest.raises(errors.UnknownTable, match="2 ways"):
        session.scaling("a.csv")
    with pytest.raises(errors.UnknownTable, match="2 ways"):
        session.scaling("c.csv")
    mdy = {"dates": "%m/%d/%Y"}
    assert roles(session, "c.csv", csv=mdy)["d"] == "temporal"
    assert copied(session, "c.csv", "b.csv", csv=mdy) == copied(session, "a.csv", "c.csv", csv=mdy) == 24


@pytest.mark.parametrize(
    ("texts", "formats"),
    [
        (["03/04/2020", "25/04/2020"], ["%d/%m/%Y"]),
        (["03.04.2020", "04.25.2020"], ["%m.%d.%Y"]),
        (["05-05-2020", "06-06-2021"], ["%d-%m-%Y"]),
        (["03.04.20"], ["%d.%m.%y", "%m.%d.%y", "%y.%m.%d"]),
        (["17.05.85"], ["%d.%m.%y"]),
        (["2020-03-04"], None),
        (["03/04/2020", "x"], None),
        (["03/04/2020", "03.04.2020"], None),
        (["30/02/2020"], None),
        ([], None),
    ],
)
def test_the_formats_that_read_dates(texts, formats):
    found = dates.form(texts)
    assert formats == (None if found is None else list(found.formats))


LATE = {
    "2.4": ("2", 2.4),
    "2020-01-01 10:00:00": ("2020-01-01", datetime.datetime(2020, 1, 1, 10)),
    "2020-01-01 10:00:00+05": ("2020-01-01 07:00:00", None),
}


def test_a_value_below_the_first_lines_loses_nothing(shared, put):
    for last, (usual, due) in LATE.items():
        put(late__csv=lines("v", [usual] * 4_000 + [last]))
        (_, found) = shared.scaling("late.csv", csv={"sample": 100}).fetchall()
        assert found[4] == 2, last
        if isinstance(due, float):
            assert found[6] == due
    for usual, last in ((2, 2.4), (True, 7)):
        put(late__json="\n".join(json.dumps({"v": v}) for v in [usual] * 20_600 + [last]))
        if last == 2.4:
            assert shared.scaling("late.json").fetchall()[0][6] == 2.4
        else:
            with pytest.raises(errors.RoleError, match=r'"v" .* JSON'):
                shared.scaling("late.json")


def test_json_dates_are_only_those_that_are_written_year_first(shared, put):
    put(days__json='{"a": "03-04-2020", "b": "2020-03-04", "c": "2020-03-04T10:00:00Z"}\n')
    with pytest.warns(errors.SynthprivWarning, match=r'column "a" of "days.json" is compared as text'):
        found = roles(shared, "days.json")
    assert found == {"a": "categorical", "b": "temporal", "c": "temporal"}


def test_moments_without_an_offset_are_in_utc(session, put):
    put(zone__csv="t\n2020-01-01T10:00:00\n2020-01-01T12:00:00+02\n")
    session.connection.execute("SET timezone = 'America/New_York'")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert session.scaling("zone.csv").fetchall()[0][4] == 1
    session.connection.execute("RESET timezone")


def test_files_of_a_pattern_are_read_in_types_that_hold_all(shared, put, tmp_path):
    (tmp_path / "p").mkdir()
    for name, values in (("a", [12, 13]), ("b", [12.5, 13.5])):
        pq.write_table(pa.table({"x": values}), tmp_path / "p" / f"{name}.parquet")
    put()
    with pytest.warns(
        errors.SynthprivWarning, match=r'column "x" of "p/\*.parquet" is BIGINT in "p/a.parquet", DOUBLE'
    ):
        assert shared.scaling("p/*.parquet").fetchall()[0][5:7] == (12.0, 13.5)
    pq.write_table(pa.table({"x": [1], "y": [2]}), tmp_path / "p" / "c.parquet")
    with pytest.raises(errors.UnknownTable, match=r'"p/a.parquet" lacks "y", which "p/c.parquet" has'):
        shared.scaling("p/*.parquet")
    for place in range(12):
        (tmp_path / "p" / f"{place:02}.csv").write_text("x,y\n1,2\n")
    (tmp_path / "p" / "20.csv").write_text("y,x\n2.5,7\n")
    assert [row[6] for row in shared.scaling("p/*.csv").fetchall()] == [7.0, 2.5]
    (tmp_path / "p" / "21.csv").write_text("x,y,z\n1,2,3\n")
    with pytest.raises(errors.UnknownTable, match=r'"p/00.csv" lacks "z", which "p/21.csv" has'):
        shared.scaling("p/*.csv")


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet", "xlsx"])
def test_a_file_that_exists_is_itself(shared, tmp_path, monkeypatch, suffix):
    monkeypatch.chdir(tmp_path)
    for name, value in (("e1", 1), ("e[1]", 5)):
        path = tmp_path / f"{name}.{suffix}"
        if suffix == "csv":
            path.write_text(f"x\n{value}\n{value}\n")
        elif suffix == "json":
            path.write_text(json.dumps({"x": value}))
        elif suffix == "parquet":
            pq.write_table(pa.table({"x": [value]}), path)
        else:
            openpyxl = pytest.importorskip("openpyxl")
            book = openpyxl.Workbook()
            for row in (["x"], [value]):
                book.active.append(row)
            book.save(path)
    assert shared.scaling(f"e[1].{suffix}").fetchall()[0][5] == 5.0
    assert shared.scaling(f"e1.{suffix}").fetchall()[0][5] == 1.0
