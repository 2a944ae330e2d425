"""Results as values: columns, rows, pickles, and files that are read again with the types that they had."""

import json
import pickle
import warnings

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from calls import cli, create

import synthpriv_sql
from synthpriv_sql import Result, errors
from synthpriv_sql.language.messages import plural

pytestmark = pytest.mark.duckdb_1

TRAIN = pa.table({"id": ["a", "b", "c"], "n": [1.0, 2.0, 9.0]})
TYPED = """CREATE TABLE typed AS SELECT
    uuid() AS u, '{"a": 1}'::JSON AS j, TIMESTAMPTZ '2020-02-03 04:05:06+00' AS z, 1.20::DECIMAL(5, 2) AS d,
    9::HUGEINT AS h, [1, 2] AS l, {'a': 1, 'b': 'x'} AS s, TIME '12:00:00.5' AS t, INTERVAL 1 DAY AS i, i AS n
FROM range(4) AS r(i)"""
KEPT = ["UUID", "JSON", "TIMESTAMP WITH TIME ZONE", "DECIMAL(5,2)", "HUGEINT", "INTEGER[]",
        "STRUCT(a INTEGER, b VARCHAR)", "TIME", "INTERVAL", "BIGINT"]  # fmt: skip


@pytest.fixture(scope="module")
def opened():
    with synthpriv_sql.connect() as session:
        create(session, train=TRAIN)
        session.connection.execute("SET TimeZone = 'UTC'")
        session.connection.execute(TYPED)
        yield session


def test_a_column_is_a_list_and_a_row_a_dict(opened):
    result = opened.copies("train", "train", key="id")
    assert result["copies"] == [1, 1, 1]
    assert result["key"] == ["a", "b", "c"]
    assert list(result) == [{"record": i, "key": key, "copies": 1} for i, key in enumerate("abc")]
    with pytest.raises(errors.UnknownColumn, match='copies has no column "copy"; did you mean "copies"'):
        _ = result["copy"]
    with pytest.raises(errors.UnknownColumn, match="it has record, key, copies"):
        _ = result[0]


def test_the_one_number_of_a_function_that_has_one(opened):
    assert float(opened.discernibility("train", ["id"])) == 3
    assert float(opened.best_discernibility(np.int64(11), 4)) == 61
    assert float(opened.mda("train", "train", threshold=np.array([0.2]))) == 0
    with pytest.raises(TypeError, match=r"mda is 2 rows of the columns threshold, privacy_area, .* take a column"):
        float(opened.mda("train", "train", threshold=np.linspace(0.2, 0.4, 2)))
    with pytest.raises(TypeError, match="copies is 3 rows of the columns record, copies"):
        float(opened.copies("train", "train"))


def test_a_call_says_nothing_that_the_user_has_no_use_for(opened):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        opened.copies("train", "train")
    assert [str(warning.message) for warning in said] == []


def test_integers_of_128_bits_are_integers(opened):
    result = opened.discernibility("train", ["id"])
    assert result["discernibility"] == [3]
    assert type(result["discernibility"][0]) is int
    assert type(next(iter(result))["discernibility"]) is int


def test_a_pickled_result_is_the_same_without_its_database(opened):
    result = opened.discernibility("train", ["id"])
    again = pickle.loads(pickle.dumps(result))
    assert (again.name, again.sql, again.types, again.moved) == (result.name, result.sql, result.types, result.moved)
    assert again.fetchall() == result.fetchall()
    assert repr(again) == repr(result)
    with pytest.raises(errors.WriteError, match="unpickled has no database"):
        again.to_table("somewhere")
    with pytest.raises(errors.OptionError, match="not a Spark DataFrame"):
        again.to_spark()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("ending", ["parquet", "csv", "json", "duckdb"])
def test_what_was_written_is_read(opened, tmp_path, ending):
    path = tmp_path / f"saved.{ending}"
    opened.connection.table("train").write_parquet(str(tmp_path / "train.parquet"))
    tables = [text for side in ("synthetic", "train") for text in (f"--{side}", str(tmp_path / "train.parquet"))]
    assert cli("evaluate", *tables, "--key", "id", "--output", str(path))[0] == 0
    again = Result.read(path)
    expected = opened.evaluate("train", "train", key="id")
    assert again.name == "evaluate"
    assert again.columns == expected.columns
    assert again["statistic"] == expected["statistic"]
    if ending != "json":  # which has no infinity
        assert again["value"] == pytest.approx(expected["value"], nan_ok=True)


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(errors.OptionError, match="there is no file"):
        Result.read(tmp_path / "none.parquet")
    (tmp_path / "x.parquet").write_text("no parquet")
    with pytest.raises(errors.OptionError, match="cannot be read"):
        Result.read(tmp_path / "x.parquet")
    with pytest.raises(errors.OptionError, match=r"is not one of \.parquet"):
        Result.read("x.txt")
    with duckdb.connect(str(tmp_path / "two.duckdb")) as connection:
        connection.execute("CREATE TABLE a AS SELECT 1 AS x")
        connection.execute("CREATE TABLE b AS SELECT 1 AS x")
    with pytest.raises(errors.OptionError, match="has 2 tables"):
        Result.read(tmp_path / "two.duckdb")


@pytest.mark.parametrize("ending", ["parquet", "duckdb"])
def test_types_are_kept_in_files(opened, tmp_path, ending):
    from synthpriv_sql.results import output

    result = opened.safe("typed", "(SELECT 7 AS n)", columns=["n"], dcr_below=0)
    assert result.types == KEPT
    path = tmp_path / f"typed.{ending}"
    output.write(result, path)
    again = Result.read(path)
    assert again.types == [kind if kind != "HUGEINT" or ending == "duckdb" else "DECIMAL(38,0)" for kind in KEPT]
    assert again.to_arrow().drop_columns("h").to_pylist() == result.to_arrow().drop_columns("h").to_pylist()
    assert [int(h) for h in again["h"]] == result["h"]


def test_lists_and_structs_become_text_in_csv_only(opened, tmp_path):
    from synthpriv_sql.results import output

    result = opened.safe("(SELECT * EXCLUDE (u) FROM typed LIMIT 1)", "(SELECT 7 AS n)", columns=["n"], dcr_below=0)
    output.write(result, tmp_path / "typed.json")
    text = (tmp_path / "typed.json").read_text()
    (row,) = json.loads(text, parse_float=str)
    assert (row["l"], row["s"], row["d"]) == ([1, 2], {"a": 1, "b": "x"}, "1.20")
    assert '"d": 1.20,' in text
    assert row["z"] == "2020-02-03T04:05:06+00:00"
    output.write(result, tmp_path / "typed.csv")
    (row,) = duckdb.read_csv(str(tmp_path / "typed.csv"), all_varchar=True).to_arrow_table().to_pylist()
    assert (json.loads(row["l"]), json.loads(row["s"]), row["d"]) == ([1, 2], {"a": 1, "b": "x"}, "1.20")


ODD = r"""(SELECT 7 AS n, TIMETZ '12:00:00.5+02:30' AS t, INTERVAL '1 year 2 days 3.5 seconds' AS i,
    '\x00\xC3\xA9'::BLOB AS b, '10101'::BIT AS bits, [INTERVAL 1 DAY] AS l, {'at': TIMETZ '01:00:00-05'} AS s)"""
WORDS = {"t": "12:00:00.5+02:30", "i": "1 year 2 days 00:00:03.5", "b": r"\x00\xC3\xA9", "bits": "10101"}


@pytest.fixture(scope="module")
def odd(opened):
    """A row with types that Arrow lacks, or that Python writes in its own way."""
    return opened.safe(ODD, "(SELECT 8 AS n)", columns=["n"], dcr_below=0)


def test_what_arrow_lacks_is_text_in_a_result_and_itself_in_a_database(opened, odd, tmp_path):
    from synthpriv_sql.results import output

    assert (odd["t"], odd["bits"], odd["s"]) == (["12:00:00.5+02:30"], ["10101"], [{"at": "01:00:00-05"}])
    assert "1 year 2 days 00:00:03.5" in repr(odd)
    output.write(odd, tmp_path / "odd.duckdb")
    with duckdb.connect(str(tmp_path / "odd.duckdb")) as connection:
        assert connection.execute("FROM safe EXCEPT FROM " + ODD).fetchall() == []
    again = Result.read(tmp_path / "odd.duckdb")
    assert again.types == odd.types
    assert again.to_arrow().to_pylist() == odd.to_arrow().to_pylist()


def test_text_formats_have_the_words_of_duckdb(odd, tmp_path):
    from synthpriv_sql.results import output

    output.write(odd, tmp_path / "odd.json")
    assert json.loads((tmp_path / "odd.json").read_text()) == [
        {"n": 7, **WORDS, "l": ["1 day"], "s": {"at": "01:00:00-05"}}
    ]
    output.write(odd, tmp_path / "odd.csv")
    (row,) = duckdb.read_csv(str(tmp_path / "odd.csv"), all_varchar=True).to_arrow_table().to_pylist()
    assert row == {"n": "7", **WORDS, "l": '["1 day"]', "s": '{"at": "01:00:00-05"}'}


def test_parquet_keeps_offsets_as_text(odd, tmp_path):
    from synthpriv_sql.results import output

    output.write(odd, tmp_path / "odd.parquet")
    again = Result.read(tmp_path / "odd.parquet")
    assert dict(zip(again.columns, again.types, strict=True)) | {"bits": "BIT"} == dict(
        zip(odd.columns, odd.types, strict=True)
    ) | {"t": "VARCHAR", "s": 'STRUCT("at" VARCHAR)'}
    assert (again["t"], again["s"]) == (odd["t"], odd["s"])


@pytest.mark.parametrize("text", ["0.1234567890123456789012345", "-98765432109876543210.5", "0.0000001", "1.50"])
def test_decimals_keep_their_digits_in_json(opened, tmp_path, text):
    from synthpriv_sql.results import output

    query = f"(SELECT 7 AS n, CAST('{text}' AS DECIMAL(38, {len(text.partition('.')[2])})) AS d, [d] AS l)"
    output.write(opened.safe(query, "(SELECT 8 AS n)", columns=["n"], dcr_below=0), tmp_path / "digits.json")
    written = (tmp_path / "digits.json").read_text()
    assert written == json.dumps([{"n": 7, "d": 1, "l": [1]}], indent=1).replace(" 1", f" {text}") + "\n"


def test_measures_are_shown_whole_and_records_in_part(opened):
    with synthpriv_sql.connect() as session:
        session.connection.execute("CREATE TABLE many AS SELECT i AS n FROM range(30) AS r(i)")
        measures = repr(session.call("evaluate", synthetic="many", train="many"))
        assert "more rows" not in measures
        assert len(measures.splitlines()) > 30
        records = repr(session.copies("many", "many"))
        assert "… 10 more rows: to_pandas(), to_arrow() or fetchall() returns all" in records


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1 record"), (0, "0 records"), (2, "2 records"), (1234.0, "1,234 records"), (None, "— records")],
)
def test_a_noun_agrees_with_its_number(value, text):
    assert plural("{n} record", "{n} records", value) == text


def test_messages_agree_with_their_numbers(opened):
    one = "(SELECT 1 AS a)"
    with pytest.raises(errors.OptionError, match=r"asks for 2 neighbors, but .* has only 1 row;"):
        opened.neighbors(one, one, 2)
    with pytest.raises(errors.OptionError, match=r"asks for 1 neighbor, but .* has only 0 other rows;"):
        opened.neighbors(one, one, exclude_self=True)
    opened.connection.execute("CREATE OR REPLACE TABLE just AS SELECT i AS a FROM range(21) AS r(i)")
    assert "… 1 more row: " in repr(opened.copies("just", "just"))
