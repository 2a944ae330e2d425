"""A remedy in Spark: the same values as in DuckDB, computed by Spark, and what left it is said."""

import ladders
import leaks
import pyarrow.parquet as pq
import pytest
from calls import rows_of

import synthpriv_sql
from synthpriv_sql import errors


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in {"day", "text"} else pytest.mark.nightly) for name in ladders.VALUES],
)
def test_a_ladder_gives_the_values_of_duckdb(spark_cluster, name):
    spark_cluster.sql(ladders.filled(name, "spark")).createOrReplaceTempView(ladders.TABLE)
    for action, query, expected in ladders.steps(name):
        found = [ladders.plain(row[0]) for row in spark_cluster.sql(query.sql("spark")).collect()]
        assert found == expected, action


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_a_table_that_needs_no_step_is_judged_where_it_is(shared, spark_cluster, tmp_path, monkeypatch):
    tables = leaks.nothing_copied()
    for side, table in tables.items():
        pq.write_table(table, tmp_path / f"{side}.parquet")
        spark_cluster.read.parquet(str(tmp_path / f"{side}.parquet")).createOrReplaceTempView(f"safe_{side}")
    session = synthpriv_sql.spark(spark_cluster)
    monkeypatch.setattr(session.searches, "remedy", lambda *given: pytest.fail("tables are taken out for a search"))
    found, expected = session.remedy(**{side: f"safe_{side}" for side in tables}), shared.remedy(**tables)
    assert rows_of(found) == rows_of(expected)
    assert sorted(found.remedied["Income"]) == sorted(tables["synthetic"]["Income"].to_pylist())


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_spark_computes_the_treated_table_itself(shared, spark_cluster, tmp_path):
    tables = leaks.incomes_copied()
    expected = shared.remedy(**tables, target="nobody", remove=0)
    released = sorted(tuple(row.values()) for row in expected.remedied.to_arrow().to_pylist())
    files = {side: tmp_path / f"{side}.parquet" for side in tables}
    for side, table in tables.items():
        pq.write_table(table, files[side])
        spark_cluster.read.parquet(str(files[side])).createOrReplaceTempView(f"remedy_{side}")
    session = synthpriv_sql.spark(spark_cluster)
    for names in ({s: f"remedy_{s}" for s in tables}, {s: f"parquet.`{path}`" for s, path in files.items()}):
        found = session.remedy(**names, target="nobody", remove=0)
        assert [row["action"] for row in found] == [row["action"] for row in expected]
        assert found.moved.rows == 270 + 17  # all rows of the tables, and the numbers of the judgement made there
        there = found.remedied
        assert "Income" in there.sql
        assert sorted(tuple(row.values()) for row in there.to_arrow().to_pylist()) == released
        with pytest.raises(errors.DataWouldLeave, match="takes out all rows"):
            session.remedy(**names, pushdown="require")
