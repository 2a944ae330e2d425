"""What `evaluate` searches, and what it says of tables at the edge and of real ones."""

import warnings

import pandas as pd
import pyarrow as pa
import pytest
from calls import DATA, call, create, needs_data, sql_rows
from test_evaluate import QIDS, TABLES, TRIO, numbers, session_with_tables, sql_rows_in_order

from synthpriv_sql import errors

CHEAP = {"attack": "distance", "named_by": "uniques"}


@pytest.fixture(scope="module")
def session(shared):
    return session_with_tables(shared)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("sides", "options", "searches"),
    [
        # S→R, S→S, H→R, H→H, R→R, S→H, R→S for the accumulation, S → R with H for the share, and for attacks
        # R with H → S and → itself.
        (TRIO, {"quasi_identifiers": QIDS, "k": 2, "threshold": [0.1, 0.2, 0.5]}, 10),
        (TRIO, {}, 10),
        (TRIO[:2], {}, 4),
    ],
)
def test_each_pair_of_tables_is_searched_once(session, sides, options, searches):
    sql = session.sql("evaluate", **dict(zip(TRIO, sides, strict=False)), **options)
    assert sql.count("synthpriv_search(") == searches
    # Without a holdout only how many agree in more bits than chance gives; with one, exactly and nearly.
    assert sql.count("synthpriv_agreement(") == len(sides) - 1
    # The attack that learns and its control look at the same distances between real records.
    assert sql.count("synthpriv_learned(") == len(sides) - 2


def test_the_control_is_asked_alone_where_the_attack_that_learns_is_not(session):
    sql = session.sql("evaluate", **dict(zip(TRIO, TRIO, strict=True)), attack=["distance"], named_by=["uniques"])
    assert sql.count("synthpriv_learned(") == 1
    assert "'judges': 'control'" in sql


@pytest.mark.nightly
def test_a_key_that_repeats_is_asked_about(session):
    def persons(side, first):
        table = TABLES[side]
        return pa.table(table | {"User Id": [first + i // 4 for i in range(len(table["x"]))]})

    tables = [persons("synthetic", 0), persons("train", 0), persons("holdout", 100)]
    asked = r'the key "User Id" repeats in train \(60 records, 15 different keys\)\. If the rows of a key'
    with pytest.warns(errors.SynthprivWarning, match=asked):
        found = numbers(session.evaluate(*tables, key="User Id", **CHEAP).to_arrow().to_pylist())
    assert found["tables", "tables", "train.User Id", "different"]["value"] == 15
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="the key")
        session.evaluate(*tables, key="User Id", unit="User Id", **CHEAP)
        # The key of synthetic alone says nothing of people.
        session.evaluate(tables[0], "train", "holdout", key="User Id", **CHEAP)


# Tables at the edge


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "tables", [("nobody", "train"), ("nobody", *TRIO[1:]), ("synthetic", "nobody"), (*TRIO[:2], "nobody")]
)
def test_a_table_without_rows_is_told(session, tables):
    create(session, nobody=pa.table(TABLES["train"]).slice(0, 0))
    with pytest.raises(errors.EmptyTable, match='"nobody" has no rows'):
        session.evaluate(*tables, quasi_identifiers=QIDS)


@pytest.mark.again
@pytest.mark.one_in(3)
@pytest.mark.parametrize("which", TRIO)
def test_tables_of_one_row(session, which):
    create(session, single=pa.table(TABLES[which]).slice(0, 1))
    tables = ["single" if side == which else side for side in TRIO]
    found = numbers(session.evaluate(*tables, quasi_identifiers=QIDS, k=1).to_arrow().to_pylist())
    assert found["tables", "tables", which, "rows"]["value"] == 1
    assert found["dcr", "dcr", "synthetic_train", "median"]["value"] >= 0
    assert found["holdout_share", "holdout_share", None, "share"]["value"] is not None
    assert found["mda", "mda", "threshold 0.2", "privacy"]["value"] is not None


def test_one_row_everywhere(session):
    row = pa.table(TABLES["train"]).slice(0, 1)
    found = numbers(session.evaluate(row, row, row, quasi_identifiers=QIDS, k=1).to_arrow().to_pylist())
    assert found["copies", "copies", None, "share"]["value"] == 1
    assert found["holdout_share", "holdout_share", None, "share"]["value"] == 0.5
    assert found["mda", "mda", "threshold 0.2", "privacy"]["value"] == 0
    assert found["discernibility", "discernibility", "train", "ratio_to_best"]["value"] == 1


def test_a_copy_and_strangers(session):
    copy = numbers(session.evaluate("train", "train").to_arrow().to_pylist())
    assert copy["copies", "copies", None, "share"]["value"] == 1
    assert copy["screen", "screen", None, "share"]["value"] == 1
    assert copy["dcr", "dcr", "synthetic_train", "max"]["value"] == 0
    assert copy["mda", "mda", "threshold 0.2", "privacy"]["value"] == 0
    assert copy["comparison", "dcr", "train", "privacy_score"]["value"] == 0
    strangers = {"city": ["z"] * 5, "n": [99] * 5, "x": [1e6] * 5}
    far = numbers(session.evaluate(pa.table(strangers), "train").to_arrow().to_pylist())
    assert far["copies", "copies", None, "share"]["value"] == 0
    assert far["comparison", "dcr", "train", "band"]["value"] == 3


# Real tables


@pytest.mark.slow
@needs_data
def test_student_placements_without_options(session):
    tables = [str(DATA / f"student_placements_{side}.csv") for side in ("synthetic", "real")]
    rows = sql_rows_in_order(session, tables, {})
    found = numbers(rows)
    assert [found["tables", "tables", side, "rows"]["value"] for side in TRIO[:2]] == [215, 215]
    assert 0 < found["dcr", "dcr", "synthetic_train", "median"]["value"] < 1
    assert [row for row in rows if row["value"] is None and row["section"] != "comparison"] == []
    python = session.evaluate(*map(pd.read_csv, tables), exclude=["start_date", "end_date"])
    looked_at = [[row for row in found if row["metric"] != "left_out"] for found in (python, rows)]
    assert len(looked_at[0]) == len(looked_at[1])


@pytest.mark.nightly
@needs_data
def test_adult(session):
    files = [str(DATA / f"adult_{name}.csv.gz") for name in ("mostly", "trn", "val")]
    paths = [f"(FROM '{file}' LIMIT 4000)" for file in files]
    found = numbers(
        sql_rows_in_order(session, paths, {"quasi_identifiers": ["age", "sex", "race"], "k": 5, "attack": "density"})
    )
    share, *_ = sql_rows(session.connection, call("holdout_share", *paths))
    assert found["holdout_share", "holdout_share", None, "share"]["value"] == share["share"]
    assert found["tables", "tables", "train", "rows"]["value"] == 4000
    assert found["mda", "mda", "threshold 0.2", "privacy"]["value"] > 0
