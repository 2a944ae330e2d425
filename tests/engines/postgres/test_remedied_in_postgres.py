"""A remedy in PostgreSQL: the same steps and values as in DuckDB, and what left the database is said."""

import ladders
import leaks
import pytest
from calls import rows_of

from synthpriv_sql import errors


@pytest.mark.parametrize("name", ladders.VALUES)
def test_a_ladder_gives_the_values_of_duckdb(pg_client, name):
    pg_client.execute(f"DROP TABLE IF EXISTS {ladders.TABLE}")
    pg_client.execute(f"CREATE TABLE {ladders.TABLE} AS {ladders.filled(name, 'postgres')}")
    steps = list(ladders.steps(name))
    assert steps
    for action, query, expected in steps:
        pg_client.execute(query.sql("postgres"))
        assert [ladders.plain(value) for (value,) in pg_client.fetchall()] == expected, action


def filled(client, prefix, tables):
    """Put tables into PostgreSQL; returns their names."""
    names = {side: f"{prefix}_{side}" for side in tables}
    for side, table in tables.items():
        rows = ", ".join(f"({income}, '{job}')" for income, job in zip(*table.to_pydict().values(), strict=True))
        client.execute(f"DROP TABLE IF EXISTS {names[side]}")
        client.execute(f'CREATE TABLE {names[side]} ("Income" BIGINT, job TEXT)')
        client.execute(f"INSERT INTO {names[side]} VALUES {rows}")
    return names


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_a_table_that_needs_no_step_is_judged_where_it_is(shared, pg, pg_client, monkeypatch):
    tables = leaks.nothing_copied()
    names = filled(pg_client, "safe", tables)
    expected = shared.remedy(**tables)
    assert [row["action"] for row in expected] == ["start", "confirmation"]
    monkeypatch.setattr(pg.searches, "remedy", lambda *given: pytest.fail("tables are taken out for a search"))
    found = pg.remedy(**names)
    assert rows_of(found) == rows_of(expected)
    assert found.sentences == expected.sentences
    there = sorted(tuple(row.values()) for row in found.remedied.to_arrow().to_pylist())
    assert there == sorted(tuple(row.values()) for row in tables["synthetic"].to_pylist())


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_what_is_added_to_a_release_in_the_database_is_as_in_duckdb(shared, pg, pg_client):
    tables = leaks.incomes_copied()
    before = tables["synthetic"].slice(0, 30)
    names = filled(pg_client, "added", {**tables, "before": before})
    options = {"target": "nobody", "steps": 3}
    expected = shared.remedy(**tables, releases=[before], **options)
    newest, train, holdout, added_to = (names[side] for side in ("synthetic", "train", "holdout", "before"))
    found = pg.remedy(newest, train, holdout, releases=[added_to], **options)
    assert rows_of(found) == rows_of(expected)
    assert 0 < found["named"][0] < shared.remedy(**tables, **options)["named"][0]
    assert found.moved.rows == 3 * 90 + 30


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_the_steps_are_those_of_duckdb(shared, pg, pg_client):
    tables = leaks.incomes_copied()
    expected = shared.remedy(**tables, target="nobody", remove=0)
    names = filled(pg_client, "remedy", tables)
    for side in ("train", "holdout"):  # what synthetic lacks stays there
        pg_client.execute(f"ALTER TABLE {names[side]} ADD COLUMN note TEXT DEFAULT repeat('x', 999)")
    found = pg.remedy(**names, target="nobody", remove=0, exclude=["note"])
    assert rows_of(found) == rows_of(expected)
    there = found.remedied  # PostgreSQL computes it from its own table, and orders rows by their values
    released = sorted(tuple(row.values()) for row in expected.remedied.to_arrow().to_pylist())
    assert sorted(tuple(row.values()) for row in there.to_arrow().to_pylist()) == released
    assert names["synthetic"] in there.sql
    there.to_table("public.remedy_made", replace=True)
    pg_client.execute('SELECT "Income", job FROM public.remedy_made')
    assert sorted((int(income), job) for income, job in pg_client.fetchall()) == released
    assert 4 * 270 > found.moved.rows == there.moved.rows > 270  # counts of the first judgement, and the rows
    assert found.moved.bytes < 270 * 99
    pg_client.execute(found.statement(dialect="postgres"))
    assert sorted((int(income), job) for income, job in pg_client.fetchall()) == released
    with pytest.raises(errors.DataWouldLeave, match="takes out all rows"):
        pg.remedy(**names, pushdown="require")
