"""How a file of sql/ becomes a statement: repetition over columns, dead branches, shared CTEs, quoting."""

import contextlib
import gc

import pyarrow as pa
import pytest
import sqlglot
from calls import create, quoted
from sqlglot import exp

from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function, Parameter
from synthpriv_sql.planner.planning import plan
from synthpriv_sql.planner.statement import deciding, parts, templates
from synthpriv_sql.planner.statement.deciding import decide
from synthpriv_sql.planner.statement.lists import Lists
from synthpriv_sql.planner.statement.parts import gc_paused
from synthpriv_sql.planner.statement.queries import Statement
from synthpriv_sql.planner.statement.templates import fill
from synthpriv_sql.planner.statement.trees import literal, python_value


def column(name, type_="BIGINT"):
    return Column(name, type_, type_.lower())


def compared(name, role="numeric", weight=1.0, type_="BIGINT"):
    sources = {side: column(name, type_) for side in ("synthetic", "train")}
    return ComparedColumn(name, role, weight, sources, {side: f'"{side}"' for side in sources})


COMPARED = [compared("n"), compared('a"b', "categorical", 2.5, "VARCHAR"), compared("day", "temporal", type_="DATE")]
LISTS = Lists(COMPARED, {"own": [column("n"), column('a"b')], "key": [column("id")]})


def parsed(sql):
    return sqlglot.parse_one(sql, dialect="duckdb")


def text(tree):
    return tree.sql("duckdb", normalize_functions=False)


def filled(sql, lists=LISTS):
    return text(fill(parsed(sql), lists))


def decided(sql, special=None, **options):
    return text(decide(parsed(sql), options, special or {}))


# Repetition


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT each(numeric, max(this_column)) FROM t", 'SELECT max("[n]") AS "[n]", max("[day]") AS "[day]" FROM t'),
        # A column alone keeps its name; a table before it stays.
        ("SELECT each(own, t.this_column) FROM t", 'SELECT t."[n]", t."[a""b]" FROM t'),
        ("SELECT 1 AS a, each(key, this_column), 2 AS b FROM t", 'SELECT 1 AS a, "[id]", 2 AS b FROM t'),
        ("SELECT [each(compared, this_name)] AS l", "SELECT ['n', 'a\"b', 'day'] AS l"),
        ("SELECT [each(compared, this_role)] AS l", "SELECT ['numeric', 'categorical', 'temporal'] AS l"),
        ("SELECT [each(compared, this_weight)] AS l", "SELECT [1.0, 2.5, 1.0] AS l"),
        # Positions count among all columns compared, whatever the list.
        ("SELECT [each(categorical, this_position)] AS l", "SELECT [1] AS l"),
        ("SELECT [each(numeric, f(this_position + 1))] AS l", "SELECT [f(0 + 1), f(2 + 1)] AS l"),
        ("SELECT count(*) FROM t GROUP BY each(own, this_column)",
         'SELECT count(*) FROM t GROUP BY "[n]", "[a""b]"'),
        ("SELECT each(key, this_column) AS key FROM t", 'SELECT "[id]" AS key FROM t'),
        ("SELECT * FROM a JOIN b ON every(own, a.this_column = b.this_column)",
         'SELECT * FROM a JOIN b ON a."[n]" = b."[n]" AND a."[a""b]" = b."[a""b]"'),
        ("SELECT this_name AS c, max(this_column) AS m FROM each_column(numeric, t)",
         "SELECT 'n' AS c, max(\"[n]\") AS m FROM t UNION ALL SELECT 'day' AS c, max(\"[day]\") AS m FROM t"),
        ("SELECT this_position AS p FROM each_column(numeric)", "SELECT 0 AS p UNION ALL SELECT 2 AS p"),
        ("SELECT this_value AS v FROM each_value([1, 2])", "SELECT 1 AS v UNION ALL SELECT 2 AS v"),
        ("SELECT this_value AS v FROM each_value(0.5)", "SELECT 0.5 AS v"),
        ("SELECT this_value AS v, x FROM each_value([1, 2]) CROSS JOIN t",
         "SELECT 1 AS v, x FROM t UNION ALL SELECT 2 AS v, x FROM t"),
        ("WITH a AS (SELECT this_value AS v FROM each_value([3, 4])) SELECT v FROM a",
         "WITH a AS (SELECT 3 AS v UNION ALL SELECT 4 AS v) SELECT v FROM a"),
    ],
)  # fmt: skip
def test_repetition(sql, expected):
    assert filled(sql) == text(parsed(expected))


def test_no_column_of_a_kind():
    none = Lists([compared("t", "categorical", type_="VARCHAR")], {})
    assert filled("SELECT 1 AS a, each(numeric, this_column) FROM t", none) == "SELECT 1 AS a FROM t"
    assert filled("SELECT [each(numeric, this_name)] AS l", none) == "SELECT [] AS l"
    # The same columns, no rows.
    found = filled("SELECT this_name AS c, max(this_column) AS m FROM each_column(numeric, t)", none)
    assert found == "SELECT CAST(NULL AS TEXT) AS c, CAST(NULL AS DOUBLE) AS m WHERE FALSE"


# Decisions


@pytest.mark.parametrize(
    ("sql", "options", "expected"),
    [
        ("SELECT CASE $m WHEN 'a' THEN x WHEN 'b' THEN y ELSE z END", {"m": "b"}, "SELECT y"),
        ("SELECT CASE WHEN $m = 'a' THEN x ELSE y END", {"m": "b"}, "SELECT y"),
        ("SELECT CASE WHEN $flag THEN x ELSE y END", {"flag": True}, "SELECT x"),
        ("SELECT CASE WHEN $v IS NULL THEN x ELSE y END", {"v": None}, "SELECT x"),
        ("SELECT CASE WHEN $v IS NULL THEN x ELSE y END", {"v": [1, 2]}, "SELECT y"),
        ("SELECT a FROM t WHERE $v IS NOT NULL", {"v": 0}, "SELECT a FROM t"),
        ("SELECT a FROM t WHERE $v IS NOT NULL AND a > 1", {"v": 1}, "SELECT a FROM t WHERE a > 1"),
        # Alone and false: the same columns, no rows.
        ("SELECT a, b + 1 AS c FROM t WHERE $v IS NOT NULL", {"v": None}, "SELECT NULL AS a, NULL AS c WHERE FALSE"),
        ("SELECT 1 AS a FROM t WHERE $m = 'x' UNION ALL SELECT 2 FROM u WHERE $m = 'y'", {"m": "x"},
         "SELECT 1 AS a FROM t"),
        ("SELECT 1 AS a FROM t WHERE $m = 'x' UNION ALL SELECT 2 AS a FROM u WHERE $m = 'y' UNION ALL SELECT 3 AS a",
         {"m": "y"}, "SELECT 2 AS a FROM u UNION ALL SELECT 3 AS a"),
        ("WITH w AS (SELECT 1 AS a WHERE $k IS NULL UNION ALL SELECT 2 AS a WHERE NOT $k IS NULL) SELECT a FROM w",
         {"k": 3}, "WITH w AS (SELECT 2 AS a) SELECT a FROM w"),
        ("WITH w AS (SELECT 1 AS a) SELECT a FROM w WHERE $k IS NULL UNION ALL SELECT a + 1 FROM w", {"k": 3},
         "WITH w AS (SELECT 1 AS a) SELECT a + 1 FROM w"),
        # What depends on a column as well is left for the database.
        ("SELECT a FROM t WHERE a >= $k", {"k": 3}, "SELECT a FROM t WHERE a >= 3"),
        ("SELECT $a AS a, $b AS b", {"a": "it's", "b": None}, "SELECT 'it''s' AS a, NULL AS b"),
        ("SELECT unnest($l) AS l", {"l": [0.5, 1]}, "SELECT unnest([0.5, 1]) AS l"),
    ],
)  # fmt: skip
def test_decisions(sql, options, expected):
    assert decided(sql, **options) == text(parsed(expected))


def test_a_node_may_change_later():
    later = exp.Literal.number(1)
    tree = decide(parsed("SELECT {'k': $k} AS o"), {"k": 1}, {"k": later})
    later.set("this", "7")
    assert text(tree) == "SELECT {'k': 7} AS o"


@pytest.mark.parametrize(
    "value", [None, True, 0, -3, 2**70, 0.1, 1e-300, -2.5, "", "it's", "x'); DROP TABLE t; --", "ä\n", [1, -2], [True]]
)
def test_values_as_nodes(session, value):
    sql = f"SELECT {text(literal(value))} AS v"
    ((found,),) = session.connection.execute(sql).fetchall()
    assert (float(found) if isinstance(value, float) else found) == value
    assert python_value(parsed(sql).selects[0].this) == value


def test_a_mapping_becomes_a_struct(session):
    sql = f"SELECT {text(literal({'a': 1, 'its': [1, None]}))} AS v"
    assert session.connection.execute(sql).fetchall() == [({"a": 1, "its": [1, None]},)]


def test_only_values_are_given_to_other_files():
    with pytest.raises(TypeError, match=r"x \+ 1"):
        python_value(parsed("SELECT x + 1").selects[0])


def test_an_expression_is_put_in_place_whole():
    ratio = Function.__new__(Function)
    parameters = {name: Parameter(name, "expression", doc="x") for name in ("a", "b")}
    object.__setattr__(ratio, "parameters", parameters)
    ratio.__dict__["tree"] = parsed("SELECT a / b")
    found = templates.inline(ratio, [parsed("x + y"), parsed("t.b")])
    # Parentheses keep what belongs together; an argument's own b stays what it is.
    assert text(found) == "((x + y) / t.b)"


# Statements


def relation(parameter, table="t", base=True):
    node = exp.to_table(table)
    node.this.set("quoted", True)
    return Relation(parameter, f'"{table}"', node, (column("n"), column("size"), column("Extra")), base)


def statement(name, relations, lists, **options):
    function = catalog.function(name)
    given = {p.name: p.default for p in function.options} | options
    return Statement(relations, lists, given).build(function).tree()


def ctes(tree):
    return [cte.alias for cte in tree.args["with_"].expressions]


def test_a_statement_reads_the_columns_that_it_needs():
    lists = Lists((), {"quasi_identifiers": [column("n")]})
    tree = statement("discernibility", [relation("data")], lists, quasi_identifiers=["n"])
    source = tree.args["with_"].expressions[0]
    assert text(source.this) == 'SELECT "n" FROM "t"'
    assert source.args["materialized"] is False
    assert [column_.name for column_ in tree.selects] == list(catalog.function("discernibility").columns)


def test_names_of_the_statement_are_none_of_the_users():
    lists = Lists((), {"quasi_identifiers": [column("n")]})
    tree = statement("equivalence_classes", [relation("data", "classes_data")], lists, quasi_identifiers=["n"])
    assert "classes_data" not in ctes(tree)
    assert len(set(ctes(tree))) == len(ctes(tree))


def test_equal_calls_share_a_part(session):
    create(session, s=pa.table({"x": [1, 2, 3]}), r=pa.table({"x": [1, 2, 4]}), h=pa.table({"x": [5, 6]}))
    for name, searches in {"dcr": 1, "nndr": 1, "comparison": 5, "dcr_summary": 3, "screen": 2}.items():
        given = {"synthetic": "s", "train": "r"} | ({} if name in ("dcr", "nndr") else {"holdout": "h"})
        names = ctes(parsed(session.sql(name, **given)))
        assert len(set(names)) == len(names)
        assert session.sql(name, **given).count("synthpriv_search(") == searches, name


def test_the_widest_search_serves_the_narrower(session):
    create(session, s=pa.table({"x": [1, 2, 3]}), r=pa.table({"x": list(range(9))}))
    sql = session.sql("comparison", synthetic="s", train="r", k=4)
    options = [part.partition("}")[0] for part in sql.split("synthpriv_search(")[1:]]
    widths = sorted(int(part.split("'k': ")[1].split(",")[0]) for part in options)
    # S→R serves DCR and the second nearest, R→R the four around each, S→S needs one.
    assert widths == [1, 2, 4]
    assert "rank <= 1" in sql


def test_parts_that_nothing_reads_are_left_out(session):
    create(session, s=pa.table({"x": [1, 2, 3]}), r=pa.table({"x": [1, 2, 4]}))
    without = session.sql("evaluate", synthetic="s", train="r")
    assert "holdout_share" not in ctes(parsed(without))
    tree = parsed(without)
    read = {table.name for table in tree.find_all(exp.Table)}
    assert [name for name in ctes(tree) if name not in read] == []


@pytest.mark.parametrize(
    "name", ['a"b', "Mixed Case", "select", "it's", "x; DROP TABLE t; --", "[n]", "size", "$k", "?"]
)
def test_quoting(session, name):
    create(session, **{name: pa.table({name: [1, 1, 2], "other": [1, 2, 3]})})
    table = quoted(name)
    result = session.equivalence_classes(table, [name])
    assert result.fetchall() == [(2, 1), (1, 2)]
    assert f"{quoted(name)}" in result.sql
    assert result.columns[0] == name
    # The text stands on its own, and reads the same again.
    assert session.connection.execute(result.sql).fetchall() == result.fetchall()
    assert text(parsed(result.sql)) == text(parsed(text(parsed(result.sql))))


def test_what_was_decided_before_is_the_callers_to_change():
    function = catalog.part("scales")
    options = {"vector_columns": None, "scaling": "minmax", "dialect": "duckdb", "vectors": "euclidean"}
    first = deciding.decided(function, options, {})
    text = first.sql("duckdb")
    first.set("expressions", [])
    assert deciding.decided(function, options, {}).sql("duckdb") == text
    assert deciding.decided(function, options | {"scaling": "standard"}, {}).sql("duckdb") != text


def test_writing_a_statement_leaves_it_as_it_is(session):
    # sqlglot changes what it writes without a copy, such as an ordered aggregate.
    create(session, s=pa.table({"x": [1, 2, 3], "y": ["a", "b", "b"]}))
    given = {"synthetic": "s", "train": "s", "unit": "x"}
    written = plan(session.engine, catalog.function("person_copies"), given).statement
    before = written.tree().sql("duckdb")
    assert written.sql
    assert written.tree().sql("duckdb") == before


def test_quantiles_of_the_same_values_are_one_call(session):
    """DuckDB would gather the values once for each; the numbers are the same to the bit."""
    given = """SELECT g, quantile_cont(x, 0.1) AS a, quantile_cont(x, 0.9) - quantile_cont(x, 0.5) AS b,
               quantile_cont(y, 0.5) AS c, quantile_cont(y, 0.25) FILTER (WHERE x > 0) AS d, quantile_cont(x, 0.9) AS e,
               (SELECT quantile_cont(x, 0.3) FROM numbers) AS f
               FROM numbers GROUP BY g ORDER BY g"""
    session.connection.execute(
        """CREATE TABLE numbers AS SELECT n % 5 AS g, y,
           CAST(CASE WHEN n % 5 > 0 THEN CASE n % 7
           WHEN 1 THEN 'inf' WHEN 2 THEN 'NaN' ELSE sin(n) END END AS DOUBLE) AS x
           FROM (SELECT range AS n, DATE '2024-01-01' + CAST(range * 7919 % 500 AS INTEGER) AS y FROM range(203))"""
    )
    query = sqlglot.parse_one(given, dialect="duckdb")
    written = parts.Assembled([parts.Part("found", query, None)], exp.select("*").from_("found"), ()).sql
    assert written.count("QUANTILE_CONT(x, [0.1, 0.9, 0.9, 0.5])") == 4
    assert written.count("QUANTILE_CONT") == 7
    assert "QUANTILE_CONT(y, 0.25) FILTER" in written
    run = session.connection.execute
    assert list(map(repr, run(written).fetchall())) == list(map(repr, run(given).fetchall()))


def test_parts_inside_others_compute_the_same(session, monkeypatch):
    sides = ("synthetic", "train", "holdout")
    for step, side in enumerate(sides, 2):
        create(session, **{side: pa.table({"x": [i * step % 11 for i in range(30)], "y": ["a", "b"] * 15})})
    written = plan(session.engine, catalog.function("holdout_share"), dict(zip(sides, sides, strict=True))).statement
    beside = written.for_duckdb()
    monkeypatch.setattr(parts, "_MANY", 1)
    inside = written.for_duckdb()
    for tree in (beside, inside):
        assert sorted(cte.alias for cte in tree.find_all(exp.CTE)) == sorted(part.name for part in written.parts)
    assert len(inside.args["with_"].expressions) < len(beside.args["with_"].expressions) == len(written.parts)
    found = session.connection.execute(text(inside)).fetchall()
    assert found == session.connection.execute(text(beside)).fetchall() != []


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_is_collected_again_after_an_error(enabled):
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with contextlib.suppress(ZeroDivisionError), gc_paused:
            assert not gc.isenabled()
            raise ZeroDivisionError
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()
