"""The expressions of a remedy give the same values in Spark as in DuckDB."""

import ladders
import pytest


@pytest.mark.parametrize("name", ladders.VALUES)
def test_a_ladder_gives_the_values_of_duckdb(spark_cluster, name):
    spark_cluster.sql(ladders.filled(name, "spark")).createOrReplaceTempView(ladders.TABLE)
    for action, query, expected in ladders.steps(name):
        found = [ladders.plain(row[0]) for row in spark_cluster.sql(query.sql("spark")).collect()]
        assert found == expected, action
