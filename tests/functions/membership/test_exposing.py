"""Synthetic records to blame for people who can be named: `screen` finds them, `safe` leaves them out."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from calls import call, create, rows_of

from synthpriv_sql.errors import OptionError, SynthprivWarning

OPTIONS = {"false_discovery": 0.05, "dcr_below": 0}


@pytest.fixture(scope="module")
def tables():
    """Synthetic, train and holdout: 100 synthetic records have four in five cells of the first 60 of train."""
    random = np.random.default_rng(1)
    synthetic, train, holdout = (
        {f"c {i}": random.integers(0, 12, n) for i in range(8)} for n in (200, 300, 300)
    )  # fmt: skip
    for name, values in synthetic.items():
        for start, rows in ((0, 60), (60, 40)):
            part = slice(start, start + rows)
            values[part] = np.where(random.random(rows) < 0.8, train[name][:rows], values[part])
    return [pa.table(t) for t in (synthetic, train, holdout)]


def blamed(session, *tables, **options):
    return {row["synthetic"] for row in rows_of(session.exposure(*tables, **options)) if row["exposed"]}


def test_screen_names_the_records_to_blame(session, tables):
    rows = rows_of(session.screen(*tables, **OPTIONS))
    found = {row["record"] for row in rows if "exposing" in row["reasons"]}
    assert found == blamed(session, *tables)
    assert 30 < len(found) < 100
    assert {row["record"] for row in rows if row["flagged"]} == found | {r["record"] for r in rows if r["copies"]}
    # By another attack others are to blame.
    by_distance = rows_of(session.screen(*tables, attack="distance", metric="hamming", **OPTIONS))
    assert {row["record"] for row in by_distance if "exposing" in row["reasons"]} == blamed(
        session, *tables, attack="distance", metric="hamming"
    )
    assert not any("exposing" in row["reasons"] for row in rows_of(session.screen(*tables, dcr_below=0)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_safe_looks_again_in_what_is_left(session, tables, rounds):
    synthetic, train, holdout = tables
    kept = [row["record"] for row in rows_of(session.screen(*tables, **OPTIONS)) if not row["flagged"]]
    for _ in range(rounds - 1):
        wrong = blamed(session, synthetic.take(kept), train, holdout)
        kept = [record for place, record in enumerate(kept) if place not in wrong]
    safe = session.safe(*tables, rounds=rounds, **OPTIONS).to_arrow()
    assert safe.equals(synthetic.take(kept))
    assert bool(blamed(session, safe, train, holdout)) == (rounds == 1)


def test_rounds_are_the_same_in_sql(session, tables):
    create(session, **dict(zip(("synthetic", "train", "holdout"), tables, strict=True)))
    run = session.connection.execute
    run(f"CREATE TABLE safe AS {call('safe', 'synthetic', 'train', 'holdout', rounds=2, **OPTIONS)}")
    assert run("FROM safe").to_arrow_table().equals(session.safe(*tables, rounds=2, **OPTIONS).to_arrow())


def test_nothing_may_be_left(session, tables):
    _, train, holdout = tables
    copies = train.slice(0, 40)
    assert session.safe(copies, train, holdout, rounds=3, **OPTIONS).to_arrow().num_rows == 0
    assert session.safe(copies.slice(0, 0), train, holdout, dcr_below=0).to_arrow().num_rows == 0


def test_without_a_holdout_nobody_can_be_named(session, tables):
    for function in (session.screen, session.safe):
        with pytest.raises(OptionError, match=r'"false_discovery" := 0.05 needs the table "holdout", which is missing'):
            function(*tables[:2], **OPTIONS)
    with pytest.raises(OptionError, match="out of range"):
        session.screen(*tables, false_discovery=1.0)


def planted(seed=0):
    """Two tables of people, and a synthetic one of other people with 40 of train among them, some of them twice."""
    rng = np.random.default_rng(seed)
    columns = {f"c{i}": rng.integers(0, 60, 1_900) for i in range(8)}
    people = pa.table(columns)
    train, holdout, fresh = people.slice(0, 800), people.slice(800, 700), people.slice(1_500)
    copies = train.slice(0, 40)
    return pa.concat_tables([fresh, copies, copies.slice(0, 5)]), train, holdout


def test_every_record_that_has_a_replicated_unique_is_to_blame(shared):
    synthetic, train, holdout = planted()
    rows = rows_of(shared.screen(synthetic, train, holdout, dcr_below=0, false_discovery=0.05, attack="uniques"))
    exposing = {row["record"] for row in rows if "exposing" in row["reasons"]}
    named = {
        row["record"] for row in rows_of(shared.exposure(synthetic, train, holdout, attack="uniques")) if row["exposed"]
    }
    assert len(named & set(range(40))) >= 30
    # Both copies of the first, not only the one with the smaller number.
    assert {400 + i for i in named if i < 40} <= exposing
    assert {440 + i for i in named if i < 5} <= exposing


def test_until_nobody_can_be_named(shared):
    synthetic, train, holdout = planted()
    with pytest.warns(
        SynthprivWarning,
        match=r"of 445 synthetic records were removed in \d+ rounds?; the remaining records name nobody of train",
    ):
        left = shared.safe(synthetic, train, holdout, dcr_below=0, attack=["uniques", "agreement"], until_safe=True)
    assert 300 < len(left) < 445
    for attack in (["uniques", "agreement"], "uniques", "agreement"):
        found = rows_of(shared.exposure(left.to_arrow(), train, holdout, attack=attack))
        assert attack != ["uniques", "agreement"] or not any(row["exposed"] for row in found)
    create(shared, synthetic=synthetic, train=train)
    with pytest.raises(duckdb.Error, match="until_safe runs several statements"):
        shared.connection.sql("FROM synthpriv.safe('synthetic', 'train', until_safe := true)")


def test_who_can_still_be_named_is_said(shared):
    """One copy is left out with each person's best; a second one names the person again."""
    rng = np.random.default_rng(5)
    people = pa.table({f"c{i}": rng.integers(0, 12, 2_000) for i in range(7)})
    train, holdout, fresh = people.slice(0, 800), people.slice(800, 700), people.slice(1_500)
    changed = train.slice(0, 40).set_column(0, "c0", pa.array(np.full(40, 99)))
    synthetic = pa.concat_tables([fresh, train.slice(0, 40), changed])
    with pytest.warns(SynthprivWarning, match="the remaining records still name .* of train"):
        shared.safe(synthetic, train, holdout, dcr_below=0, false_discovery=0.05, attack="agreement")
