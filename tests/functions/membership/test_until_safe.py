"""`safe` until nobody is named: as few records go as it takes, and the hole that they leave is known."""

import numpy as np
import pyarrow as pa
import pytest
from calls import rows_of

from synthpriv_sql.errors import OptionError, SynthprivWarning
from synthpriv_sql.planner.headers import catalog, known_files

BLIND = ["distance", "density", "agreement", "agreement_near", "uniques"]
CHEAP = {"attack": BLIND, "named_by": ["uniques"]}


def people(seed=0, n=800, columns=5):
    """Synthetic, train and holdout of one population, with nothing in common."""
    rng = np.random.default_rng(seed)
    return [
        pa.table({f"x{i}": rng.normal(size=n) for i in range(columns)} | {"t": rng.choice(["a", "b", "c"], n)})
        for _ in range(3)
    ]


def altered(table, by=0.02):
    rng = np.random.default_rng(9)
    return pa.table(
        {
            name: table[name].to_numpy() + rng.normal(scale=by, size=len(table)) if name != "t" else table[name]
            for name in table.column_names
        }
    )


def cleaned(session, *tables, **options):
    with pytest.warns(SynthprivWarning, match="the remaining records name nobody|they name nobody"):
        return session.safe(*tables, until_safe=True, **options)


def test_copies_go_and_what_is_near_copies_and_nothing_else(shared):
    fresh, train, holdout = people()
    synthetic = pa.concat_tables([fresh, train.slice(0, 30), altered(train.slice(30, 30))])
    left = cleaned(shared, synthetic, train, holdout)
    gone = {"near": 30, "naming": len(synthetic) - 30 - len(left)}
    assert {name: left.removed[name] for name in gone} == gone
    assert 15 <= gone["naming"] <= 40
    kept = left.to_arrow().to_pylist()
    assert not any(row in kept for row in train.slice(0, 30).to_pylist())
    assert sum(row in kept for row in fresh.to_pylist()) >= 790  # the 5th percentile would take 40
    # What is left is neither a leak nor further from train than chance explains.
    verdict = shared.evaluate(left.to_arrow(), train, holdout, **CHEAP).verdict
    assert verdict.level in {"good", "watch"}, verdict.headline


def test_of_a_safe_table_nothing_goes_and_of_one_copy_that_one(shared):
    fresh, train, holdout = people(1)
    with pytest.warns(SynthprivWarning, match="none of 800 synthetic records was removed; they name nobody of train"):
        left = shared.safe(fresh, train, holdout, until_safe=True)
    assert left.to_arrow().equals(fresh)
    assert left.removed == {"near": 0, "naming": 0, "rounds": 0}
    left = cleaned(shared, pa.concat_tables([train.slice(5, 1), fresh]), train, holdout)
    assert left.to_arrow().equals(fresh)
    assert left.removed == {"near": 1, "naming": 0, "rounds": 1}
    assert shared.safe(fresh, train, dcr_below=0).removed == {}
    # A limit that is given is kept to.
    distances = np.array(shared.dcr(fresh, train)["dcr"])
    limit = float(np.sort(distances)[2:4].mean())
    assert cleaned(shared, fresh, train, holdout, dcr_below=limit).removed["near"] == 3


def test_records_are_taken_by_the_lists_and_names_of_the_attacks(shared):
    """Beside what the public functions say: names by exposure, and the first of each list by membership."""
    fresh, train, holdout = people(2)
    synthetic = pa.concat_tables([fresh, altered(train.slice(0, 60), 0.01)])
    tables = {"synthetic": synthetic, "train": train, "holdout": holdout}
    asked = {"attack": ["distance", "agreement_near"], "named_by": ["distance"], "false_discovery": 0.2}
    found = shared.call(catalog.file(known_files.CARRIERS), **tables, **asked)["record"]
    named = rows_of(shared.exposure(**tables, attack="distance", false_discovery=0.2))
    expected = {row["synthetic"] for row in named if row["exposed"]}
    assert len(expected) > 20
    for row in rows_of(shared.membership(**tables, attack=asked["attack"], false_positive_rates=[0.1])):
        scores = rows_of(shared.membership_scores(**tables, attack=row["attack"]))
        ranked = sorted((-s["score"], s["record"], s["synthetic"]) for s in scores if s["side"] == "train")
        assert row["at_least"] >= 5
        expected |= {synthetic for _, _, synthetic in ranked[: row["at_least"]]}
    assert sorted(expected) == found
    # Fewer given away than count are no reason.
    none = {"attack": ["distance"], "named_by": ["agreement"], "false_discovery": 1e-6, "least": 10_000}
    assert shared.call(catalog.file(known_files.CARRIERS), **tables, **none)["record"] == []


@pytest.mark.nightly
def test_persons_go_as_a_whole(shared):
    synthetic, train, holdout = (
        table.append_column("who", pa.array(np.arange(600) // 2 + first))
        for first, table in zip((0, 1000, 2000), people(3, n=600), strict=True)
    )
    rows = synthetic.to_pylist()
    rows[100:160] = [row | {"who": rows[100 + at]["who"]} for at, row in enumerate(altered_persons(train))]
    left = cleaned(shared, pa.Table.from_pylist(rows), train, holdout, unit="who").to_arrow()
    kept = left["who"].to_pylist()
    assert all(kept.count(who) == 2 for who in set(kept))
    assert 10 <= 300 - len(set(kept)) <= 45
    assert len(set(kept) & set(range(50, 80))) < 15


def altered_persons(train):
    part = train.slice(0, 60)
    return altered(part.drop_columns(["who"]), 0.01).to_pylist()


def test_types_are_kept_and_groups_are_refused(session):
    rows = "CAST(i + {} AS DECIMAL(9, 2)) AS m, CAST('b' AS ENUM ('a', 'b')) AS \"A b\" FROM range({}) AS r(i)"
    for name, part in (("s", rows.format(0, 300)), ("t", rows.format(0.5, 299)), ("h", rows.format(0.25, 300))):
        session.connection.execute(f"CREATE TABLE {name} AS SELECT {part}")
    session.connection.execute("INSERT INTO t VALUES (7, 'b')")
    left = cleaned(session, "s", "t", "h")
    assert left.types == ["DECIMAL(9,2)", "ENUM('a', 'b')"]
    left.to_table("kept")
    assert session.connection.sql("SELECT count(*), count(*) FILTER (m = 7) FROM kept").fetchall() == [(299, 0)]
    with pytest.raises(OptionError, match="until_safe=True and group_by"):
        session.safe("s", "t", "h", until_safe=True, group_by=["A b"])


@pytest.mark.nightly
def test_a_hole_that_safe_cut_is_known(shared):
    fresh, train, holdout = people(4)
    with pytest.warns(SynthprivWarning, match=r"\d+ of 800 synthetic records were removed: copies, .* cuts a hole"):
        left = shared.safe(fresh, train, holdout).to_arrow()
    verdict = shared.evaluate(left, train, holdout, **CHEAP).verdict
    assert verdict.level in {"good", "watch"}, verdict.headline
    assert "No synthetic record is as close to train as 5" in verdict.sentence
    # Where the synthesizer saw the holdout, a hole around train explains nothing.
    near = pa.concat_tables([fresh, altered(holdout.slice(0, 150), 0.1)])
    left = shared.safe(near, train, holdout).to_arrow()
    verdict = shared.evaluate(left, train, holdout, **CHEAP).verdict
    assert verdict.level == "none"
    assert "further from train than chance explains" in verdict.headline
