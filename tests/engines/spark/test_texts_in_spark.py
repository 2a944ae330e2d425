"""Texts of people that come back, on Spark: by nearness and in runs of words, as in DuckDB."""

import pytest
import texts
from calls import assert_same_rows, rows_of

import synthpriv_sql


@pytest.fixture(scope="module")
def spark(spark_cluster):
    return synthpriv_sql.spark(spark_cluster)


def test_attacks_find_texts_with_typos_as_in_duckdb(spark, tmp_path):
    """Texts that come back with a typo raise the same scores."""
    train, holdout, synthetic = (texts.drawn(220, seed)[["mail", "age"]] for seed in (1, 2, 3))
    synthetic = texts.planted(synthetic, train, "mail", "one edit", 60)
    paths = [str(tmp_path / f"{name}.parquet") for name in ("synthetic", "train", "holdout")]
    for path, table in zip(paths, (synthetic, train, holdout), strict=True):
        table.to_parquet(path)
    there = [f"parquet.`{path}`" for path in paths]
    learned, near, equal = {"attack": "learned", "folds": 2}, {"attack": "agreement_near"}, {"attack": "agreement"}
    with synthpriv_sql.connect() as session:
        expected, by_near, by_equal = (rows_of(session.membership_scores(*paths, **o)) for o in (learned, near, equal))
    assert any("texts that come back" in str(row["evidence"]) for row in expected)
    assert_same_rows(rows_of(spark.membership_scores(*there, **learned)), expected)
    assert sum(one["score"] > other["score"] for one, other in zip(by_near, by_equal, strict=True)) >= 50
    assert_same_rows(rows_of(spark.membership_scores(*there, **near)), by_near)


@pytest.mark.nightly
def test_texts_and_phrases_that_come_back_are_those_of_duckdb(spark, tmp_path):
    """Each column on an executor: values with a typo, runs of words, Unicode, missing values, columns of numbers."""
    train, holdout, synthetic = (texts.drawn(220, seed).drop(columns="income") for seed in (1, 2, 3))
    synthetic = texts.planted(synthetic, train, "mail", "one edit", 60)
    synthetic = texts.with_phrases(synthetic, train, 8, 40)
    synthetic.loc[:3, "name"] = ["אבג 👩‍👩‍👧 ﬁn", "e\u0301lan  ÉLAN", "", None]
    train.loc[:3, "name"] = ["אבג 👩‍👩‍👧 fin", "Élan élan", "", None]
    synthetic.loc[:49, ["first", "age", "mail"]] = train.loc[:49, ["first", "age", "mail"]].to_numpy()
    synthetic.loc[:49, "mail"] = synthetic.mail[:50].str[:3] + synthetic.mail[:50].str[4:]
    paths = [str(tmp_path / f"{name}.parquet") for name in ("synthetic", "train", "holdout")]
    for path, table in zip(paths, (synthetic, train, holdout), strict=True):
        table.to_parquet(path)
    there = [f"parquet.`{path}`" for path in paths]
    near, copies = {"near": True, "phrase": 4}, {"near": True, "columns": ["mail", "first", "age"]}
    with synthpriv_sql.connect() as session:
        back, alike = rows_of(session.replay(*paths, **near)), rows_of(session.copies(*paths[:2], **copies))
        equal = rows_of(session.copies(*paths[:2], columns=copies["columns"]))
        of_persons = rows_of(session.copies(*paths[:2], unit="employer", **copies))
    assert {"edits", "words"} <= {name for row in back for name, value in row.items() if value}
    assert sum(row["copies"] for row in alike) > sum(row["copies"] for row in equal)
    found = spark.replay(*there, **near)
    assert_same_rows(rows_of(found), back)
    assert found.moved.rows < len(train)  # no value came to the driver
    assert rows_of(spark.copies(*there[:2], **copies)) == alike
    assert rows_of(spark.copies(*there[:2], unit="employer", **copies)) == of_persons


@pytest.mark.nightly
def test_who_has_the_texts_and_the_phrases_of_people_is_as_in_duckdb(spark, tmp_path):
    """Reasons of `screen`, and runs in `uniques`: with persons of both sides, releases, Unicode and missing values."""
    train, holdout, synthetic = (texts.drawn(220, seed).drop(columns="income") for seed in (1, 2, 3))
    synthetic = texts.with_phrases(texts.planted(synthetic, train, "mail", "one edit", 60), train, 9, 40)
    synthetic.loc[:3, "name"] = ["אבג 👩‍👩‍👧 ﬁn", "e\u0301lan  ÉLAN", "", None]
    train.loc[:3, "name"] = ["אבג 👩‍👩‍👧 fin", "Élan élan", "", None]
    tables = {"synthetic": synthetic, "train": train, "holdout": holdout}
    tables["older"] = texts.with_phrases(texts.drawn(90, 4).drop(columns=["income", "mail"]), train[100:], 9, 20)
    paths = {name: str(tmp_path / f"{name}.parquet") for name in tables}
    for name, table in tables.items():
        table.to_parquet(paths[name])
    there = {name: f"parquet.`{path}`" for name, path in paths.items()}
    sides, persons = ("synthetic", "train", "holdout"), {"unit": "employer", "shared_units": True}
    asked = {
        ("screen", sides): {"text": ["mail", "note"], "dcr_below": 0},
        ("screen", sides[:2]): {"columns": ["first", "age"], "nndr_below": 0},
        ("safe", sides): {"columns": ["first", "age"], "dcr_below": 0},
        ("uniques", sides): {"phrase": 4, "columns": ["note", "age"], **persons},
        ("uniques", sides[:2]): {"phrase": 5, "columns": ["note", "first"], "weights": {"first": 0}},
    }
    for (name, given), options in asked.items():
        with synthpriv_sql.connect() as session:
            expected = rows_of(getattr(session, name)(*(paths[side] for side in given), **options))
        got = rows_of(getattr(spark, name)(*(there[side] for side in given), **options))
        if name == "screen":
            assert {"text", "phrase"} <= {reason for row in expected for reason in row["reasons"]}
            assert_same_rows(got, expected)
        else:
            assert name == "safe" or max(row["words"] or 0 for row in expected) >= 9
            assert got == expected
    released = {"phrase": 4, "columns": ["note", "mail"]}  # one of which a release lacks
    with synthpriv_sql.connect() as session:
        expected = rows_of(session.uniques(*(paths[s] for s in sides), releases={"older": paths["older"]}, **released))
    assert {row["release"] for row in expected if row["words"]} == {"synthetic", "older"}
    assert (
        rows_of(spark.uniques(*(there[s] for s in sides), releases={"older": there["older"]}, **released)) == expected
    )
