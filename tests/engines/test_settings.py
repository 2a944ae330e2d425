"""Settings of the caller's connection, such as the default order of a sort, change no result."""

import os

import pytest
from surfaces import EXAMPLES, NAMES, TABLES

SETTINGS = {
    "default_order": "DESC",
    "default_null_order": "nulls_first",
    "default_collation": "NOCASE",
    "Calendar": "japanese",
    "TimeZone": "Asia/Tokyo",
    "integer_division": "true",
}

FEW = ["anonymity", "changes", "disclosure", "equivalence_classes", "fidelity", "neighbors", "scaling", "screen"]
ASKED = NAMES if os.environ.get("EVERY_CASE") else FEW


def rounded(value):
    """A value without the last digits of its numbers, which depend on threads."""
    if isinstance(value, (list, tuple)):
        return [rounded(part) for part in value]
    return f"{value:.9g}" if isinstance(value, float) else value


@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_no_setting_changes_a_result(session):
    connection = session.connection
    for name, rows in TABLES.items():
        read = "rows_of_it"
        if "city" in rows.column_names:  # texts that differ in case only
            read = "(SELECT * REPLACE (CASE WHEN n % 3 = 0 THEN lower(city) ELSE city END AS city) FROM rows_of_it)"
        connection.register("rows_of_it", rows)
        connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM {read}')
        connection.unregister("rows_of_it")

    def asked(name):
        tables, options = EXAMPLES[name]
        return rounded(getattr(session, name)(*tables, **options).fetchall())

    wanted = {name: asked(name) for name in ASKED}
    in_sql = "SELECT copies FROM synthpriv.copies('synthetic', 'train', columns := ['city'])"
    copies = connection.sql(in_sql).fetchall()
    for name, value in SETTINGS.items():
        connection.execute(f"SET {name} = '{value}'")
    try:
        assert {name: asked(name) for name in wanted} == wanted
        assert connection.sql(in_sql).fetchall() == copies
    finally:
        for name in SETTINGS:
            connection.execute(f"RESET {name}")
