"""PostgreSQL over ADBC: types, names, snapshots, and what leaves."""

from decimal import Decimal

import numpy as np
import pytest
from calls import assert_same_rows, rows_of
from shop import PEOPLE, run, same_rows, types_of

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.engines.base import Moved

# --- types and values


OTHER_TYPES = ["document", "marks", "bytes", "gap"]


def test_every_type_comes_back_as_it_was(pg, pg_url):
    result = pg.screen("shop.all_types", "shop.all_types", exclude=OTHER_TYPES, key="id")
    first, second, third = rows_of(result)
    assert first["price"] == Decimal("1.50")
    assert (first["exact"], second["exact"]) == (Decimal("0.10"), Decimal("123456789.000000001"))
    assert first["long_"] == "1234567890123456789012345678901234567890.12345"
    assert (first["mood"], second["feeling"], first["padded"]) == ("ok", "Happy", "ab")
    assert (first["document"], first["marks"], first["gap"]) == ('{"a": 1}', "{1,2}", "1 day 02:00:00")
    assert first["Seen At"].isoformat() == "2023-12-31T22:00:00.123000+00:00"
    own = types_of(pg_url, "shop.all_types")
    assert {third[name] for name in own if name != "id"} == {None}
    result.to_table("results.all_types")
    written = types_of(pg_url, "results.all_types")
    assert {name: written.pop(name) for name in own} == own
    assert written == {
        "record": "bigint",
        "key_1": "bigint",
        "dcr": "double precision",
        "nndr": "double precision",
        "copies": "bigint",
        "words": "bigint",
        "flagged": "boolean",
        "reasons": "text[]",
    }
    assert same_rows(pg_url, "shop.all_types", "results.all_types", own)


def test_nan_and_infinity_come_back_as_they_were(pg, pg_url):
    result = pg.safe("shop.oddities", "(SELECT id FROM shop.oddities WHERE id < 0 UNION ALL SELECT 7)", columns=["id"])
    assert result.types == ["INTEGER", "VARCHAR", "VARCHAR", "DATE", "TIMESTAMP WITH TIME ZONE"]
    result.to_table("results.oddities")
    own = types_of(pg_url, "shop.oddities")
    assert types_of(pg_url, "results.oddities") == own
    assert same_rows(pg_url, "shop.oddities", "results.oddities", own)


def test_nan_is_missing_and_infinity_an_error(pg):
    (row,) = rows_of(pg.scaling("shop.oddities", columns=["nan_price"]))
    assert (row["count"], row["missing"], row["max"]) == (2, 2, 2.0)
    for column, infinite in (("any_number", 1), ("day", 2), ("seen", 2)):
        with pytest.raises(errors.InfiniteValue, match=f'"{column}" of "shop.oddities" holds {infinite} infinite'):
            pg.scaling("shop.oddities", columns=[column])
        with pytest.raises(errors.InfiniteValue, match=f'"{column}".*{infinite} infinite'):
            pg.dcr("shop.oddities", "shop.oddities", columns=[column])


def test_numbers_are_one_category_however_many_zeros_end_them(pg, pg_url):
    values = {"one": "{1.1,2.500,30,NaN,Infinity,NULL}", "two": "{1.10,2.5,30.0,NULL,Infinity,NaN}"}
    for scale, (name, texts) in zip((2, 4), values.items(), strict=True):
        declared = f"nullif(v, 'Infinity')::numeric(9, {scale})"
        run(
            pg_url,
            f"CREATE TABLE shop.{name} AS SELECT v::numeric AS x, {declared} AS y FROM unnest('{texts}'::text[]) AS v",
        )
    for column in ("x", "y"):
        options = {"columns": [column], "categorical": [column]}
        assert {row["dcr"] for row in rows_of(pg.dcr("shop.one", "shop.two", **options))} == {0}
        found = [row["copies"] for row in rows_of(pg.copies("shop.one", "shop.two", **options))]
        assert found == ([1, 1, 1, 2, 1, 2] if column == "x" else [1, 1, 1, 3, 3, 3])


def test_types_without_a_distance_are_named(pg):
    for column, type_ in (("document", "jsonb"), ("marks", r"integer\[\]"), ("gap", "interval")):
        with pytest.raises(errors.RoleError, match=rf'column "{column}" of "shop.all_types" has type {type_}, '):
            pg.scaling("shop.all_types", columns=[column])


def test_replay_looks_at_types_without_a_distance_as_text(pg, pg_url):
    for table, start in (("odd_s", 0), ("odd_t", 0), ("odd_h", 5000)):
        values = f"i * i + {start}"
        run(
            pg_url,
            f"CREATE TABLE shop.{table} AS SELECT i % 7 AS a, convert_to('x' || {values}, 'UTF8') AS bytes, "
            f"jsonb_build_object('k', {values}) AS doc, ARRAY['v' || {values}] AS list "
            "FROM generate_series(1, 60) AS i",
        )
    rows = rows_of(pg.replay("shop.odd_s", "shop.odd_t", "shop.odd_h"))
    assert {row["column_name"]: row["replayed"] for row in rows} == {"a": 0, "bytes": 60, "doc": 60, "list": 60}


def test_the_baseline_keeps_types_and_digits(pg, pg_url):
    query = '(SELECT price, exact, day, "Seen At", code, mood, flag, small FROM shop.all_types)'
    result = pg.baseline(query, p=0, trees=2)
    result.to_table("results.baseline")
    own = types_of(pg_url, "results.baseline")
    assert own["mood"] == "shop.mood"
    assert own["price"] == "numeric(10,2)"
    assert own["Seen At"] == "timestamp(3) with time zone"
    assert same_rows(pg_url, "shop.all_types", "results.baseline", own)
    assert pg.baseline(query, p=1, trees=2).types == result.types


def test_the_baseline_of_more_digits_than_a_decimal_has_is_an_error(pg):
    with pytest.raises(errors.RoleError, match=r'"long_" of .* more digits than a DECIMAL has'):
        pg.baseline("(SELECT long_, small FROM shop.all_types)")


def test_numbers_and_categories_of_unlike_types_are_compared(pg):
    padded = pg.copies("(SELECT padded AS x FROM shop.all_types)", "(SELECT 'ab' AS x)")
    assert sorted(row["copies"] for row in rows_of(padded)) == [0, 0, 1]
    mood = pg.copies("(SELECT mood AS x FROM shop.all_types)", "(SELECT 'ok'::text AS x)")
    assert sorted(row["copies"] for row in rows_of(mood)) == [0, 0, 1]
    feeling = pg.copies("(SELECT mood AS x FROM shop.all_types)", "(SELECT feeling AS x FROM shop.all_types)")
    assert sorted(row["copies"] for row in rows_of(feeling)) == [0, 1, 1]
    with pytest.raises(errors.RoleError, match="mood"):
        pg.dcr("shop.all_types", "(SELECT 1 AS mood)", columns=["mood"])


# --- names, and how rows are numbered


@pytest.mark.parametrize(
    "name", ['"Odd ""Schema"" 1"."Mixed Case"', '(TABLE "Odd ""Schema"" 1"."Mixed Case" -- as it is\n)']
)
def test_names_that_need_quotes(pg, name):
    rows = rows_of(pg.scaling(name))
    assert [row["column_name"] for row in rows] == ["A Column", "Größe", "semi;colon"]


@pytest.mark.parametrize("name", ["shop.train", "SHOP.Train", '"shop"."train"', "tests.shop.train"])
def test_names_are_read_as_postgresql_reads_them(pg, name):
    assert len(pg.scaling(name, exclude=["id"])) == 4


def test_the_search_path_is_the_users(pg_url):
    with synthpriv_sql.connect(pg_url + "?options=-csearch_path%3Dshop") as session:
        assert len(session.scaling("train", exclude=["id"])) == 4
        # A part of a statement never stands in the way of a table in a query of the user's.
        assert len(session.dcr("(SELECT a FROM train)", "(SELECT a FROM synthetic)")) == 300


@pytest.mark.parametrize(
    "name",
    [
        "nothing",
        "shop.nothing",
        "nowhere.train",
        "pg_client.shop.train",
        "a b",
        '"',
        "(SELECT 1",
        "(SELECT 1) x (SELECT 2)",
    ],
)
def test_what_is_not_there(pg, name):
    with pytest.raises(errors.UnknownTable, match="given as train"):
        pg.scaling(name)


@pytest.mark.parametrize("given", [np.eye(2), [np.ones(2)] * 2, [{"a": 7}]], ids=["array", "arrays", "dicts"])
def test_arrays_are_refused(pg, given):
    with pytest.raises(errors.UnknownTable, match=f"given as train is a {type(given).__name__}; a table is given by"):
        pg.scaling(given)


@pytest.mark.parametrize("query", ["(SELEC 1)", "(SELECT a FROM nothing)", "(SELECT 1; SELECT 2)", "()"])
def test_a_query_that_does_not_run(pg, query):
    with pytest.raises(errors.SynthprivError):
        pg.scaling(query)


def test_names_that_differ_in_case_only(pg):
    with pytest.raises(errors.UnknownTable, match='"a" and "A"'):
        pg.scaling('(SELECT 1 AS a, 2 AS "A")')


@pytest.mark.parametrize("name", ["shop.some", "shop.kept", "shop.parted", "shop.train", "(TABLE shop.some)"])
def test_views_and_partitions_like_tables(pg, name):
    expected = rows_of(pg.dcr("shop.synthetic", "shop.train", columns=["a", "c"]))
    found = rows_of(pg.dcr("shop.synthetic", name, columns=["a", "c"]))
    assert [row["dcr"] for row in found] == [row["dcr"] for row in expected]
    # Numbered from 0, each once, in one order in all statements of a call.
    numbers = [row["record"] for row in rows_of(pg.copies(name, "shop.train", columns=["a", "c"]))]
    assert numbers == list(range(300))
    assert {row["distance"] for row in rows_of(pg.neighbors(name, name, columns=["a", "c"]))} == {0.0}


def test_a_query_that_never_gives_the_same_is_read_once(pg):
    sample = "(SELECT * FROM shop.train ORDER BY random() LIMIT 40)"
    rows = rows_of(pg.screen(sample, "shop.train", key="id"))
    originals = {row["id"]: row for row in rows_of(pg.screen("shop.train", "shop.train", key="id"))}
    assert len(rows) == 40
    for row in rows:
        assert (row["dcr"], row["key"]) == (0.0, row["id"])
        original = originals[row["id"]]
        assert [row[name] for name in PEOPLE["columns"]] == [original[name] for name in PEOPLE["columns"]]


def test_a_call_reads_one_state_of_the_database(pg, pg_client, monkeypatch):
    for name in ("synthetic", "train"):
        pg_client.execute(f"CREATE TABLE shop.moving_{name} AS TABLE shop.{name}")
    tables = ("shop.moving_synthetic", "shop.moving_train")
    expected = rows_of(pg.screen(*tables, **PEOPLE))
    load = pg.engine._workbench.load

    def load_while_others_write(*arguments):
        pg_client.execute("INSERT INTO shop.moving_synthetic SELECT * FROM shop.train WHERE id < 5")
        pg_client.execute("DELETE FROM shop.moving_train WHERE id % 7 = 0")
        return load(*arguments)

    monkeypatch.setattr(pg.engine._workbench, "load", load_while_others_write)
    assert_same_rows(rows_of(pg.screen(*tables, **PEOPLE)), expected)
    monkeypatch.undo()
    with pytest.raises(AssertionError):
        assert_same_rows(rows_of(pg.screen(*tables, **PEOPLE)), expected)


# --- what leaves


def test_aggregates_and_joins_leave_nothing_behind_them_but_their_result(pg):
    for result in (
        pg.scaling("shop.train", pushdown="require"),
        pg.copies("shop.synthetic", "shop.train", pushdown="require", **PEOPLE),
        pg.call("discernibility", data="shop.train", quasi_identifiers=["a", "flag"], pushdown="require"),
        pg.call("equivalence_classes", data="shop.train", quasi_identifiers=["a"], pushdown="require"),
    ):
        assert result.moved == Moved(0, 0)
        assert "DuckDB" not in result.sql


def test_moved_counts_rows_and_bytes(pg):
    result = pg.dcr("shop.synthetic", "shop.train", columns=["a", "b"])
    # Both tables encoded, and one row of scales.
    assert result.moved.rows == 200 + 300 + 1
    doubles_and_numbers = 500 * (8 + 8 + 8)
    assert doubles_and_numbers < result.moved.bytes < doubles_and_numbers * 1.2
    assert "501 rows" in repr(result)
    assert "501 rows" in result._repr_html_()
    assert "rows left" not in repr(pg.scaling("shop.train"))
    assert "-- encoded_synthetic, in PostgreSQL" in result.sql


def test_pushdown_require_stops_before_a_row_leaves(pg, pg_url, monkeypatch):
    fetched = []
    batches = pg.engine._connection.batches
    monkeypatch.setattr(pg.engine._connection, "batches", lambda sql, types: fetched.append(sql) or batches(sql, types))
    with pytest.raises(errors.DataWouldLeave) as stopped:
        pg.dcr("shop.synthetic", "shop.train", pushdown="require", key="id")
    for words in ('"nearest_synthetic_train" searches', "encoded_train (record, a, b, c, flag)", "keys_train"):
        assert words in str(stopped.value)
    assert fetched == []
    with synthpriv_sql.connect(pg_url, pushdown="require") as strict:
        with pytest.raises(errors.DataWouldLeave):
            strict.baseline("shop.train")
        assert len(strict.baseline("shop.train", trees=2, pushdown="auto")) == 300
    with pytest.raises(errors.OptionError, match="pushdown"):
        pg.scaling("shop.train", pushdown="never")


# --- the command line, and the report


def test_a_query_reads_the_table_that_it_names(pg, pg_url):
    """Not what a statement of ours calls so."""
    run(pg_url, "CREATE TABLE train AS SELECT g AS id, g % 4 AS x FROM generate_series(0, 8) AS g")
    both, train, holdout = (f"(SELECT * FROM train WHERE id {part})" for part in ("<> -1", "< 5", ">= 5"))
    assert pg.copies(both, train)["copies"] == [1, 1, 1, 1, 1, 0, 0, 0, 0]
    assert pg.dcr_summary(both, train, holdout)["n"] == [9, 4, 5]
    run(pg_url, "DROP TABLE train")
