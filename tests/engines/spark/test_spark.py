"""Spark as an engine, on a cluster of two executors: what it reads, where it computes, and what it writes."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import DATA, assert_same_rows, needs_data, rows_of
from repetitions import EVERY_CASE

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.engines.spark import lookup, writing

PEOPLE = {"columns": ["a", "b", "c"]}


def table(rows, seed):
    """Few values, so that there are ties, and copies between two tables."""
    draw = np.random.default_rng(seed)
    return pa.table(
        {
            "id": pa.array(range(rows)),
            "a": pa.array(draw.integers(0, 9, rows), mask=draw.random(rows) < 0.05),
            "b": np.round(draw.normal(size=rows), 2),
            "c": pa.array(["xyz"[i] for i in draw.integers(0, 3, rows)]),
        }
    )


TRAIN, SYNTHETIC = table(500, seed=1), table(230, seed=2)


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """The tables as files, as Spark names them; several row groups, and several files of train."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "train").mkdir()
    for part in range(3):
        pq.write_table(TRAIN.slice(part * 180, 180), folder / "train" / f"part-{part}.parquet")
    pq.write_table(SYNTHETIC, folder / "synthetic.parquet")
    return {"train": f"parquet.`{folder}/train`", "synthetic": f"parquet.`{folder}/synthetic.parquet`"}


@pytest.fixture(scope="module")
def spark(spark_cluster):
    return synthpriv_sql.spark(spark_cluster)


@pytest.fixture(scope="module")
def nearest():
    """What DuckDB finds."""
    with synthpriv_sql.connect() as session:
        return rows_of(session.neighbors(SYNTHETIC, TRAIN, k=3, **PEOPLE))


def tables_of(spark_cluster):
    return {row["tableName"] for row in spark_cluster.sql("SHOW TABLES").collect() if not row["isTemporary"]}


def views_of(spark_cluster):
    return {row["viewName"] for row in spark_cluster.sql("SHOW VIEWS").collect()}


# --- the same numbers, wherever the work is done


@pytest.mark.parametrize("shard_rows", [pytest.param(499, marks=pytest.mark.nightly), 61])
def test_shards_give_what_the_whole_gives(spark_cluster, paths, nearest, shard_rows):
    # 61: each of nine shards meets each share of the queries in a task of its own.
    session = synthpriv_sql.spark(spark_cluster, tasks=3, shard_rows=shard_rows)
    assert rows_of(session.neighbors(paths["synthetic"], paths["train"], k=3, **PEOPLE)) == nearest


ON_ADULT = [
    ("neighbors", 2, {"k": 4, "metric": "euclidean"}),
    ("holdout_share", 3, {}),
    *(("nndr", 2, {"variant": variant}) for variant in ("second", "within_synthetic", "local", "global")),
    *((function, 2, {}) for function in ("dcr", "copies", "safe", "mda", "mda_distances", "mda_curve")),
    *((function, 3, {}) for function in ("dcr_summary", "nndr_summary", "comparison", "screen")),
    ("scaling", 1, {}),
    ("discernibility", 1, {"quasi_identifiers": ["age", "sex", "race"], "k": 5}),
    ("baseline", 1, {"p": 0.5, "seed": 3, "trees": 2}),
    ("baseline_sweep", 1, {"p": [0.0, 1.0], "seed": 3, "trees": 2}),
    ("evaluate", 3, {"quasi_identifiers": ["age", "sex", "race"], "k": 5}),
]


@needs_data
@pytest.mark.parametrize(("function", "sides", "options"), ON_ADULT if EVERY_CASE else ON_ADULT[:1])
def test_adult(spark, spark_cluster, tmp_path, function, sides, options):
    with synthpriv_sql.connect() as session:
        files = [str(tmp_path / f"{name}.parquet") for name in ("adult_mostly", "adult_trn", "adult_val")]
        for file, name in zip(files[:sides], ("adult_mostly", "adult_trn", "adult_val"), strict=False):
            rows = {"adult_mostly": 700, "adult_trn": 1500, "adult_val": 600}[name]
            pq.write_table(session.connection.sql(f"FROM '{DATA}/{name}.csv.gz' LIMIT {rows}").to_arrow_table(), file)
        expected = getattr(session, function)(*files[:sides], **options)
        found = getattr(spark, function)(*(f"parquet.`{file}`" for file in files[:sides]), **options)
        assert found.columns == expected.columns
        assert_same_rows(rows_of(found), rows_of(expected))


# --- what is a table


@pytest.mark.parametrize(
    "given",
    [
        "train_view",
        "`Odd ``Name`",
        "Odd `Name",
        "default.kept_train",
        "spark_catalog.default.KEPT_train",
        "global_temp.g",
        "(SELECT * FROM train_view WHERE id >= 0)",
        "( -- a comment\nTABLE train_view)",
    ],
)
def test_names_as_spark_has_them(spark, spark_cluster, paths, given):
    train = spark_cluster.sql(f"SELECT * FROM {paths['train']}")
    train.createOrReplaceTempView("train_view")
    train.createOrReplaceTempView("`Odd ``Name`")
    train.createOrReplaceGlobalTempView("g")
    if "kept_train" not in tables_of(spark_cluster):
        train.write.saveAsTable("kept_train")
    assert sum(row["size"] for row in rows_of(spark.equivalence_classes(given, ["c"]))) == TRAIN.num_rows


def test_frames_and_paths(spark, spark_cluster, paths, tmp_path):
    pq.write_table(TRAIN, tmp_path / "train.parquet")
    expected = sorted(rows_of(spark.equivalence_classes(TRAIN, ["c"])), key=str)
    frame = spark_cluster.sql(f"SELECT * FROM {paths['train']}")
    for given in (
        frame,
        TRAIN.to_pandas(),
        tmp_path / "train.parquet",
        str(tmp_path / "train.parquet"),
        paths["train"],
    ):
        assert sorted(rows_of(spark.equivalence_classes(given, ["c"])), key=str) == expected


@pytest.mark.parametrize("kind", [np.asarray, list])
def test_arrays_have_a_row_for_each_record(spark, kind):
    found = rows_of(spark.scaling(kind(np.array([[1.5, 2.5], [3.5, 4.5], [5.5, 6.5]]))))
    assert [(row["column_name"], row["count"], row["max"]) for row in found] == [
        ("column0", 3, 5.5),
        ("column1", 3, 6.5),
    ]
    with pytest.raises(errors.UnknownTable, match=r"given as train is an array of shape \(3,\)"):
        spark.scaling(np.zeros(3))


@pytest.mark.parametrize(
    "given",
    ["nothing", "nowhere.train", "a b", "`", "", "parquet.`/nowhere/at/all`", "(SELEC 1)", "(SELECT 1", 7, b"x"],
)
def test_what_is_not_there(spark, given):
    with pytest.raises(errors.UnknownTable, match="given as train"):
        spark.scaling(given)


def test_what_cannot_be_compared(spark):
    with pytest.raises(errors.UnknownColumn, match='"nothing"'):
        spark.dcr(SYNTHETIC, TRAIN, columns=["nothing"])
    with pytest.raises(errors.RoleError, match=r'column "x" of the query .* has type array<int>'):
        spark.scaling("(SELECT array(1) AS x)")
    with pytest.raises(errors.UnknownTable, match='two columns named "a"'):
        spark.scaling("(SELECT 1 AS A, 2 AS a)")
    with pytest.raises(errors.InfiniteValue, match=r'"x" of the query .* holds 2 infinite values'):
        spark.dcr("(SELECT 1 AS x)", "(SELECT explode(array(1.0d, double('inf'), double('-inf'))) AS x)")
    with pytest.raises(errors.OptionError, match='"shard_rows" := 0'):
        synthpriv_sql.spark(spark.connection, shard_rows=0)


def test_secrets_stay_secret(spark):
    for query in (
        "(SELECT * FROM nowhere_at('jdbc:x://h/d?user=u&password=hunter2'))",
        "(SELECT 'fs.s3a.secret.key=hunter2', nothing)",
    ):
        with pytest.raises(errors.UnknownTable) as raised:
            spark.scaling(query)
        assert "hunter2" not in str(raised.value)
    result = spark.scaling("(SELECT 1 AS x, 'password=hunter2' AS y)")
    assert "hunter2" not in result.sql
    assert "***" in result.sql


# --- what stays, and what leaves


def test_rows_stay_until_they_are_asked_for(spark, spark_cluster, paths, nearest):
    views = views_of(spark_cluster)
    result = spark.neighbors(paths["synthetic"], paths["train"], k=3, pushdown="require", **PEOPLE)
    # A few rows of statistics, and none of the tables.
    assert (0 < result.moved.rows < 10, len(result)) == (True, len(nearest))
    assert result.moved.bytes < 1000
    assert result._answer._fetched is None
    # Shown are the first rows, which is all that leaves.
    assert f"{len(nearest) - 20} more rows" in repr(result)
    assert result.first(7).to_pylist() == nearest[:7]
    assert result._answer._fetched is None
    assert result.to_spark().count() == len(nearest)
    assert rows_of(result) == nearest
    assert views_of(spark_cluster) == views
    assert "-- nearest_queries_reference: the 3 nearest" in result.sql


def test_rows_of_files_are_kept_where_more_than_pages_is_made_of_them(spark, spark_cluster, paths, nearest):
    def kept(**options):
        result = spark.neighbors(paths["synthetic"], paths["train"], k=3, **PEOPLE, **options)
        assert [(row["record"], row["neighbor"]) for row in rows_of(result)] == [
            (row["record"], row["neighbor"]) for row in nearest
        ]
        return {"page" in table.kept.columns for table in result._answer._run.numbered.values()}

    assert (kept(), kept(key="id")) == ({True}, {False})
    for query, same in {
        "SELECT * FROM {}": True,
        "SELECT a + 1 AS a FROM {} WHERE b > 0": True,
        "SELECT rand() AS a FROM {}": False,
        "SELECT * FROM {} LIMIT 3": False,
        "SELECT DISTINCT a FROM {}": False,
    }.items():
        assert lookup.stable(spark_cluster.sql(query.format(paths["train"]))) is same


def test_what_is_kept_is_given_back(spark, spark_cluster):
    kept = spark_cluster.sparkContext._jsc.getPersistentRDDs
    before = set(kept())
    result = spark.dcr(SYNTHETIC, TRAIN, **PEOPLE)
    assert set(kept()) - before
    del result
    for _ in range(100):
        if not set(kept()) - before:
            break
        spark_cluster.sql("SELECT 1").collect()
    assert not set(kept()) - before
    with pytest.raises(errors.EmptyTable):
        spark.dcr(SYNTHETIC, TRAIN.slice(0, 0), **PEOPLE)
    assert not set(kept()) - before


# --- writing


def test_a_table_is_written_whole_or_not_at_all(spark, spark_cluster, paths, tmp_path, monkeypatch):
    result = spark.screen(paths["synthetic"], paths["train"], **PEOPLE)
    result.to_table("Screened_Rows")
    written = spark_cluster.table("Screened_Rows").toArrow()
    assert written.sort_by("record").to_pylist() == rows_of(result)
    with pytest.raises(errors.WriteError, match="there is a table of that name; replace=True"):
        spark.scaling(TRAIN).to_table("Screened_Rows")
    # Renaming is what comes last, and may fail as well.
    rename = writing._rename
    monkeypatch.setattr(writing, "_rename", failing_once(rename, "Screened_Rows"))
    before = tables_of(spark_cluster)
    with pytest.raises(errors.WriteError, match="No space left on device"):
        spark.scaling(TRAIN, **PEOPLE).to_table("Screened_Rows", replace=True)
    monkeypatch.undo()
    assert tables_of(spark_cluster) == before
    assert spark_cluster.table("Screened_Rows").toArrow().sort_by("record") == written.sort_by("record")
    spark.scaling(TRAIN, **PEOPLE).to_table("Screened_Rows", replace=True)
    assert spark_cluster.table("Screened_Rows").count() == 3
    assert tables_of(spark_cluster) == before
    # Runs, of which one stays on the executors.
    for few in (spark.scaling(TRAIN, **PEOPLE), result):
        name = f"runs_of_{few.name}"
        for _ in ("appended", "appended already"):
            few.to_table(name, append=True)
        assert spark_cluster.table(name).count() == len(few)
        spark.scaling(TRAIN, **PEOPLE).to_table("runs_of_scaling", append=True)
        assert spark_cluster.table(name).columns[8:] == few.columns
    assert spark_cluster.table("runs_of_scaling").select("run_id").distinct().count() == 3
    for _ in ("there", "gone"):
        spark.engine.drop("screened_rows")
        assert not spark_cluster.catalog.tableExists("Screened_Rows")


def failing_once(rename, name):
    def renamed(session, node, to):
        if to.name == name and not done:
            done.append(name)
            raise RuntimeError("[Errno 28] No space left on device")
        rename(session, node, to)

    done = []
    return renamed


def test_files_are_written_by_their_path(spark, paths, tmp_path):
    result = spark.copies(paths["synthetic"], paths["train"], **PEOPLE)
    path = f"parquet.`{tmp_path}/copies`"
    result.to_table(path)
    assert pq.read_table(tmp_path / "copies").sort_by("record").to_pylist() == rows_of(result)
    with pytest.raises(errors.WriteError, match="already exists"):
        result.to_table(path)
    with pytest.raises(errors.WriteError, match="files of parquet cannot be replaced"):
        result.to_table(path, replace=True)
    for name in ("nowhere.result", "`", "no_such_format.`/x/y`"):
        with pytest.raises(errors.WriteError):
            result.to_table(name)


# --- tables that change


@pytest.fixture
def changing(tmp_path):
    """A file, and what puts other rows of the same size into it."""
    numbers = np.arange(400)

    def write(rows):
        pq.write_table(pa.table({"x": rows}), tmp_path / "x.parquet", use_dictionary=False, compression="none")
        (tmp_path / ".x.parquet.crc").unlink(missing_ok=True)

    write(numbers)
    return f"parquet.`{tmp_path}/x.parquet`", lambda: write(numbers[::-1])


def test_a_table_that_changes_while_it_is_read_again_is_an_error(spark, spark_cluster, changing):
    name, change = changing
    result = spark.dcr(name, TRAIN.select(["b"]).rename_columns(["x"]))
    assert len(result) == 400
    change()
    before = tables_of(spark_cluster)
    # As if every executor had been lost with what it kept.
    for frame in reversed(result._answer._run._kept):
        frame.unpersist(blocking=True)
    with pytest.raises(errors.EngineError, match=r'a part of "parquet\..* was lost .* another order'):
        result.to_arrow()
    with pytest.raises(errors.WriteError, match="another order"):
        result.to_table("changed")
    with pytest.raises(errors.EngineError, match="another order"):
        result.to_spark()
    assert tables_of(spark_cluster) == before


def test_texts_are_read_as_other_tables_have_them(spark, spark_cluster):
    typed = spark_cluster.sql(
        "SELECT id AS n, id * 1.5D AS x, date_add(DATE '2024-01-01', CAST(id AS INT)) AS d, "
        "concat('c', id % 3) AS `c, d` FROM range(20)"
    )
    texts = typed.selectExpr(
        "CAST(n AS STRING) AS n", "CAST(x AS STRING) AS x", "CAST(d AS STRING) AS d", "`c, d`", "array('a') AS l",
        "IF(n = 2, double('inf'), 1D) AS f",
    )  # fmt: skip
    given = {"auto_cast": True, "exclude_unsupported": True}
    with pytest.warns(errors.SynthprivWarning, match="left out|texts are read"):
        found = spark.copies(texts, typed.selectExpr("*", "1D AS f"), **given)
    assert [copies for _, copies in found.fetchall()] == [1] * 20
    with pytest.raises(errors.OptionError, match="Spark reads CSV itself"):
        spark.copies(texts, typed, csv={"decimal": ","})


@pytest.mark.nightly
def test_releases_say_what_they_say_in_duckdb(spark, tmp_path):
    """Rare combinations of all of them."""
    given = {name: table(40, seed).select(PEOPLE["columns"]) for seed, name in enumerate(("newest", "may", "june"), 11)}
    given |= {name: table(60, seed).select(PEOPLE["columns"]) for seed, name in ((14, "train"), (15, "holdout"))}
    for name, rows in given.items():
        pq.write_table(rows, tmp_path / f"{name}.parquet")
    in_spark = {name: f"parquet.`{tmp_path}/{name}.parquet`" for name in given}

    def asked(session, tables, function, **options):
        before = {name: tables[name] for name in ("may", "june")}
        real = (tables[name] for name in ("newest", "train", "holdout"))
        return rows_of(getattr(session, function)(*real, releases=before, **options))

    found = asked(spark, in_spark, "uniques", width=1)
    with synthpriv_sql.connect() as session:
        assert_same_rows(found, asked(session, given, "uniques", width=1))
    assert {row["release"] for row in found} == {"synthetic", "may", "june"}


def test_models_of_secrets_are_not_trained_on_spark(spark):
    table = "(SELECT 1 AS x, 'a' AS k)"
    with pytest.raises(errors.NotInDialect, match=r"learned trains models, which does not run on Spark; .*nearest"):
        spark.attribute_inference(table, table, ["x"], ["k"], attack="learned")
    with pytest.raises(errors.NotInDialect, match="inference_scores: it trains models"):
        spark.inference_scores(table, table, table, ["x"], ["k"])
