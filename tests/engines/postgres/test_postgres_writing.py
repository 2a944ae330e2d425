"""Results as tables in PostgreSQL, whole or not at all."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from calls import assert_same_rows, rows_of
from shop import PEOPLE, exists, run, types_of

import synthpriv_sql
from synthpriv_sql import errors


def test_nothing_is_written_unless_the_user_writes(pg, pg_url):
    with pytest.raises(errors.EngineError, match="cannot execute nextval"):
        pg.dcr("(SELECT nextval('shop.counter') AS a)", "(SELECT 1 AS a)")
    with synthpriv_sql.connect(pg_url, read_only=True) as session:
        result = session.scaling("shop.train")
        with pytest.raises(errors.WriteError, match="the session is read-only"):
            result.to_table("results.refused")
    assert not exists(pg_url, "results.refused")


def test_a_table_is_replaced_only_where_that_is_asked(pg, pg_url):
    result = pg.copies("shop.synthetic", "shop.train", **PEOPLE)
    result.to_table("results.copies")
    with pytest.raises(errors.WriteError, match="replace=True"):
        pg.scaling("shop.train").to_table("results.copies")
    copies = sum(row["copies"] for row in rows_of(result))
    assert run(pg_url, "SELECT count(*), sum(copies)::int FROM results.copies") == [(200, copies)]
    pg.scaling("shop.train").to_table("RESULTS.Copies", replace=True)
    assert run(pg_url, "SELECT count(*) FROM results.copies") == [(5,)]
    pg.scaling("shop.train").to_table('results."Copies"')
    assert run(pg_url, 'SELECT count(*) FROM results."Copies"') == [(5,)]


def test_the_table_that_is_replaced_may_be_the_one_that_was_read(pg, pg_url):
    run(pg_url, "CREATE TABLE results.mine AS TABLE shop.synthetic")
    own = types_of(pg_url, "results.mine")
    safe = pg.safe("results.mine", "shop.train", exclude=["id"])
    safe.to_table("results.mine", replace=True)
    assert types_of(pg_url, "results.mine") == own
    assert run(pg_url, "SELECT count(*) FROM results.mine") == [(len(safe),)]


@pytest.mark.parametrize(
    ("name", "words"),
    [("plain", "schema.table"), ("nowhere.x", "nowhere"), ("a.b.c", "schema.table"), ("(SELECT 1)", "schema.table")],
)
def test_where_a_table_cannot_be_written(pg, name, words):
    with pytest.raises(errors.WriteError, match=words):
        pg.scaling("shop.train").to_table(name)


def test_numbers_of_our_own_have_types_that_hold_them(pg, pg_url):
    pg.discernibility("shop.train", ["a"], k=2).to_table("results.discernibility")
    types = types_of(pg_url, "results.discernibility")
    assert (types["discernibility"], types["rows"], types["c_avg"]) == ("numeric(38,0)", "bigint", "double precision")
    assert run(pg_url, "SELECT rows, discernibility::int FROM results.discernibility")[0][0] == 300


def test_many_threads(pg, pg_url):
    result = pg.copies("shop.synthetic", "shop.train", **PEOPLE)
    calls = [lambda: pg.dcr("shop.synthetic", "shop.train", **PEOPLE), lambda: pg.scaling("shop.train")]
    calls += [lambda i=i: result.to_table(f"results.thread_{i}") for i in range(3)]
    with ThreadPoolExecutor(5) as pool:
        found = [len(done) for done in pool.map(lambda call: call() or result, calls)]
    assert found == [200, 5, 200, 200, 200]
    assert run(pg_url, "SELECT count(*) FROM results.thread_2") == [(200,)]


def test_a_session_that_is_closed(pg_url):
    with synthpriv_sql.connect(pg_url) as session:
        result = session.scaling("shop.train")
    session.close()
    for call in (lambda: session.scaling("shop.train"), lambda: result.to_table("results.late")):
        with pytest.raises(errors.SynthprivError, match="closed"):
            call()


def test_a_view_is_not_replaced(pg, pg_url):
    run(pg_url, "CREATE VIEW results.view AS SELECT 1 AS one")
    with pytest.raises(errors.WriteError, match="is not a table"):
        pg.scaling("shop.train").to_table("results.view", replace=True)
    assert run(pg_url, "TABLE results.view") == [(1,)]


def test_a_key_keeps_its_type(pg, pg_url):
    pg.dcr("shop.all_types", "shop.all_types", columns=["whole"], key="key").to_table("results.keyed")
    types = types_of(pg_url, "results.keyed")
    assert (types["key"], types["neighbor_key"], types["dcr"]) == ("uuid", "uuid", "double precision")
    joined = "SELECT count(*) FROM results.keyed AS r JOIN shop.all_types AS t ON r.key = t.key AND r.record = t.id - 1"
    assert run(pg_url, joined) == [(2,)]


def test_a_table_grows_by_a_run_each_time(pg, pg_url):
    for _ in range(2):
        result = pg.scaling("shop.train")
        for _ in ("appended", "appended already"):
            result.to_table("results.runs", append=True)
    kept = "count(*), count(DISTINCT run_at), min(run_rows), min(run_versions)::jsonb ? 'PostgreSQL'"
    assert run(pg_url, f"SELECT {kept} FROM results.runs") == [(10, 2, '{"train": 300}', True)]
    with pytest.raises(errors.WriteError, match="it lacks copies, record"):
        pg.copies("shop.synthetic", "shop.train", **PEOPLE).to_table("results.runs", append=True)
    assert run(pg_url, "SELECT count(*) FROM results.runs") == [(10,)]


RELEASES = [(21, "train"), (22, "holdout"), (23, "newest"), (24, "one"), (25, "two")]


@pytest.mark.again
def test_releases_say_what_they_say_in_duckdb(pg):
    """Each attack on all releases together, also where one has other columns than the newest."""
    rows = "(SELECT (n * {0}) % 17 AS a, 'x' || CAST((n * {0}) % 5 AS varchar) AS \"B b\" FROM {1} AS t(n))"
    in_pg, in_duckdb = (
        {name: rows.format(seed, source) for seed, name in RELEASES}
        for source in ("generate_series(1, 40)", "range(1, 41)")
    )

    def asked(session, tables, function, **options):
        newest, train, holdout = (tables[name] for name in ("newest", "train", "holdout"))
        given = {"may": tables["one"], "june": tables["two"]}
        return rows_of(getattr(session, function)(newest, train, holdout, releases=given, **options))

    def without_numbers(rows):
        """What does not depend on the order of a query's rows."""
        kept = [{n: v for n, v in row.items() if n in {"side", "columns", "also", "score", "p_value"}} for row in rows]
        return sorted(kept, key=lambda row: [row.get("score", 0), *map(str, row.values())])

    with synthpriv_sql.connect() as session:
        for function, options in (
            ("uniques", {}),
            ("membership_scores", {"attack": "uniques"}),
            ("membership_scores", {"attack": "distance"}),
            ("membership_scores", {"attack": "density"}),
            ("exposure", {"attack": ["agreement", "uniques"]}),
        ):
            found, expected = asked(pg, in_pg, function, **options), asked(session, in_duckdb, function, **options)
            assert_same_rows(without_numbers(found), without_numbers(expected))
            assert {row["release"] for row in found} & {"may", "june"}
        asking = {"attack": ["distance", "uniques"], "false_discovery": 0.9, "dcr_below": 0}
        flagged = []
        for one, tables in ((pg, in_pg), (session, in_duckdb)):
            leaking = {**tables, "newest": f"(SELECT * FROM {tables['train']} AS t WHERE a < 9)"}
            found = asked(one, leaking, "screen", **asking)
            flagged.append(sorted((row["a"], row["B b"], row["reasons"]) for row in found))
        assert flagged[0] == flagged[1]
        assert {reason for *_, reasons in flagged[0] for reason in reasons} & {"exposing", "adding"}
        for tables, source in ((in_pg, "generate_series(1, 40)"), (in_duckdb, "range(1, 41)")):
            tables["two"] = f"(SELECT n % 17 AS a FROM {source} AS t(n))"
        found, expected = asked(pg, in_pg, "uniques"), asked(session, in_duckdb, "uniques")
        assert_same_rows(without_numbers(found), without_numbers(expected))


@pytest.mark.nightly
def test_a_history_remembers_tables_of_postgresql(pg, pg_url, tmp_path):
    """Their names and the hashes of their contents, in a DuckDB file."""
    run(pg_url, "DROP TABLE IF EXISTS month_1, month_2")
    for place, name in enumerate(("month_1", "month_2"), 26):
        rows = f"SELECT (n * {place}) % 17 AS a, 'x' || CAST((n * {place}) % 5 AS varchar) AS b"
        run(pg_url, f"CREATE TABLE {name} AS {rows} FROM generate_series(1, 40) AS t(n)")
    real = [
        f"(SELECT (n * {place}) % 17 AS a, 'x' || (n % 5) AS b FROM generate_series(1, 40) AS t(n))" for place in (3, 7)
    ]
    history = tmp_path / "h.duckdb"
    options = {"attack": ["uniques"], "named_by": ["uniques"]}
    release = pg.remember(history, pg.evaluate("month_1", *real, **options), "month_1", *real, **options)
    assert (release.location, release.number) == ("month_1", 1)
    asked = {"attack": "uniques", "false_discovery": 0.9, "spend": False}
    found = rows_of(pg.exposure("month_2", *real, history=history, **asked))
    assert_same_rows(found, rows_of(pg.exposure("month_2", *real, releases=["month_1"], **asked)))
    run(pg_url, "DELETE FROM month_1 WHERE a = 3")
    with pytest.raises(errors.OptionError, match='"month_1" has another hash'):
        pg.exposure("month_2", *real, history=history, **asked)
