"""Evaluates tables on Spark's executors: spark-submit examples/spark.py FOLDER, or python examples/spark.py FOLDER.

FOLDER has the tables of `synthpriv demo` as Parquet files; the records that may be released are written next to them.
"""

import sys

from pyspark.sql import SparkSession

import synthpriv_sql

folder = sys.argv[1]
spark = SparkSession.builder.appName("synthpriv_sql").getOrCreate()
for name in ("customers_train", "customers_holdout", "synthetic_careful", "synthetic_leaky"):
    spark.read.parquet(f"{folder}/{name}.parquet").createOrReplaceTempView(name)
REAL = {"train": "customers_train", "holdout": "customers_holdout", "key": "customer_id"}

with synthpriv_sql.spark(spark) as session:  # stops the SparkSession at the end
    for table in ("synthetic_careful", "synthetic_leaky"):
        share, *_ = session.holdout_share(table, **REAL).to_arrow().to_pylist()
        print(f"{table}: {share['share']:.0%} closer to train than to the holdout")

    # A row for each record: the rows stay on the executors for further processing.
    flagged = session.screen("synthetic_leaky", **REAL).to_spark().where("flagged")
    print(f"{flagged.count()} of {spark.table('synthetic_leaky').count()} records to remove")

    safe = session.safe("synthetic_leaky", **REAL)
    safe.to_table(f"parquet.`{folder}/customers_to_share`")
    print(f"{len(safe)} may be released")
