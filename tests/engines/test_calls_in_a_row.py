"""The same call again and again, and every function with groups: no result depends on what DuckDB keeps."""

import pyarrow as pa
import pytest
from calls import assert_same_rows, call, create, sql_rows
from surfaces import EXAMPLES, HALF, TABLES, by_position

import synthpriv_sql

TRIO = ("synthetic", "train", "holdout")
FORMS = ("tables", "files", "frames")
LOOPS = [
    pytest.param(name, form, marks=[] if form == "tables" else pytest.mark.slow)
    for name in ("fidelity", "comparison", "membership", "evaluate", "holdout_share")
    for form in (FORMS if name in ("fidelity", "evaluate") else FORMS[:1])
]


@pytest.fixture(scope="module")
def opened():
    with synthpriv_sql.connect() as session:
        create(session, **{name: TABLES[name].select(["city", "n"]) for name in TRIO})
        yield session


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "form"), LOOPS)
def test_calls_in_a_row_have_the_same_rows(opened, tmp_path, name, form):
    given = {side: side for side in TRIO}
    if form == "frames":
        given = {side: opened.connection.table(side).to_arrow_table() for side in TRIO}
    if form == "files":
        given = {side: str(tmp_path / f"{side}.parquet") for side in TRIO}
        for side, path in given.items():
            opened.connection.table(side).write_parquet(path)
    first, *others = (opened.call(name, **given).fetchall() for _ in range(3))
    assert first
    assert others == [first] * 2


@pytest.fixture(scope="module")
def grouped():
    def twice(table):
        parts = pa.array(["it's a"] * len(table) + [None] * len(table), pa.string())
        return pa.concat_tables([table, table]).append_column("Part", parts)

    with synthpriv_sql.connect() as session:
        create(session, **{name: twice(table) for name, table in TABLES.items()})
        yield session


# The first has no tables, the second weighs columns by all rows, the others treat one table.
NO_GROUPS = {"best_discernibility", "peers_syntheval_risk", "remedy", "remedied"}


# tests/functions/evaluation/test_groups.py has groups of evaluate.
LATER = [pytest.param(name, marks=pytest.mark.nightly) for name in ("evaluate", "candidates")]


@pytest.mark.one_in(3, 2)
@pytest.mark.parametrize("name", [*(name for name in HALF if name not in ("evaluate", "candidates")), *LATER])
def test_groups_have_the_rows_of_a_call_in_sql(grouped, name):
    """A session's groups may share a plan; those of a call in SQL are planned one by one."""
    if name in NO_GROUPS:
        return
    tables, options = EXAMPLES[name]
    found = getattr(grouped, name)(*tables, **options, group_by=["Part"]).to_arrow().to_pylist()
    assert {row["Part"] for row in found} == {"it's a", None}
    wanted = sql_rows(grouped.connection, call(name, *tables, **options, group_by=["Part"]))
    assert_same_rows(by_position(found), by_position(wanted))
