"""What is set while a long statement is planned, and what is left of it."""

import threading

import duckdb
import pytest
from calls import DUCKDB

from synthpriv_sql.engines.duckdb import optimizing

LONG, LONGER = " " * 100_000, " " * 1_000_000


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


def left_out(connection):
    return connection.execute("SELECT current_setting('disabled_optimizers')").fetchone()[0]


def rules(connection):
    return set(left_out(connection).split(","))


def test_a_rule_is_left_out_of_long_statements_only(connection):
    connection.execute("SET disabled_optimizers = 'join_order'")
    with optimizing.planned_quickly(connection, "SELECT 1"):
        assert left_out(connection) == "join_order"
    with optimizing.planned_quickly(connection, LONG):
        assert rules(connection) == {"join_order", *({"projection_pullup"} if DUCKDB >= 2 else ())}
    with optimizing.planned_quickly(connection, LONGER):
        assert rules(connection) == {"join_order", "projection_pullup" if DUCKDB >= 2 else "cte_inlining"}
    assert left_out(connection) == "join_order"


def test_more_rules_are_left_out_on_few_rows(connection):
    for rows in (None, optimizing.FEW_ROWS + 1, optimizing.FEW_ROWS):
        few = rows == optimizing.FEW_ROWS and DUCKDB >= 2
        with optimizing.planned_quickly(connection, LONG, rows):
            assert ("common_subplan" in rules(connection)) == few
        with optimizing.planned_quickly(connection, "SELECT 1", rows):
            assert left_out(connection) == ""
    assert left_out(connection) == ""


def test_a_rule_that_duckdb_does_not_have_is_no_obstacle(connection, monkeypatch):
    monkeypatch.setattr(optimizing, "_RULES", {"no_such_rule": 1, "cte_inlining": 1})
    with optimizing.planned_quickly(connection, "SELECT 1"):
        assert left_out(connection) == "cte_inlining"


def test_the_setting_is_as_before_after_a_failure_in_a_transaction(connection):
    connection.execute("BEGIN")
    with pytest.raises(duckdb.Error), optimizing.planned_quickly(connection, LONGER):
        connection.execute("SELECT error('no')")
    connection.execute("ROLLBACK")
    assert left_out(connection) == ""


def test_locked_settings_stay(connection):
    connection.execute("SET lock_configuration = true")
    with optimizing.planned_quickly(connection, LONGER):
        assert left_out(connection) == ""


def test_threads_leave_nothing_behind(connection):
    def work():
        with connection.cursor() as cursor:
            for _ in range(30):
                with optimizing.planned_quickly(cursor, LONGER):
                    pass

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert left_out(connection) == ""
