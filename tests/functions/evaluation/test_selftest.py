"""The test that users run on their own tables: planted copies are found, and of others no more than was promised."""

import numpy as np
import pyarrow as pa
import pytest
from attacks import drawn, exposure, scores, top
from calls import DATA, needs_data, rows_of

from synthpriv_sql.errors import EmptyTable, OptionError


def people(seed, rows):
    random = np.random.default_rng(seed)
    numbers = {name: random.normal(size=rows).round(3).tolist() for name in "xy"}
    return numbers | {"t": random.choice(list("abcdefgh"), rows).tolist()}


def taken(table, records):
    return {name: [values[i] for i in records] for name, values in table.items()}


@pytest.mark.parametrize("attack", ["distance", pytest.param("agreement", marks=pytest.mark.again)])
def test_the_rows_are_those_of_the_oracle(session, attack):
    train, holdout, seed = people(1, 90), people(2, 61), 5
    order = sorted(range(61), key=lambda record: (drawn(record, seed), record))
    fresh, unseen = (taken(holdout, sorted(part)) for part in (order[:30], order[30:]))
    chosen = [record for record in range(90) if drawn(record, seed + 1) < 0.3 * (2**31 - 1)]
    leaky = {name: values + taken(train, chosen)[name] for name, values in fresh.items()}
    rows = {
        r["test"]: r for r in rows_of(session.selftest(*map(pa.table, (train, holdout)), attack, 0.3, 0.2, seed=seed))
    }
    assert list(rows) == ["planted", "swapped", "fresh"]
    for test, (s, r, h) in {
        "planted": (leaky, train, unseen), "swapped": (leaky, unseen, train), "fresh": (fresh, train, unseen)
    }.items():  # fmt: skip
        n = len(r["x"])
        found, _ = scores(s, r, h, attack)
        named = {i for i, q in enumerate(exposure(found[:n], found[n:])[1]) if q <= 0.2}
        planted = set(chosen) if test == "planted" else set()
        row = rows[test]
        assert (row["members"], row["planted"], row["exposed"]) == (n, len(planted), len(named))
        assert row["found"] == len(named & planted)
        assert row["found_share"] == (row["found"] / len(planted) if planted else None)
        assert row["false_share"] == (pytest.approx(1 - row["found"] / len(named)) if named else None)
        assert row["at_least"] == top(found[:n], found[n:])[0]
        assert row["passed"] == (2 * row["found"] > len(planted) if planted else len(named) <= 0.2 * n)


@pytest.mark.slow
def test_false_discoveries_keep_within_the_promise(session):
    # Over seeds, on average; a share of nobody is 0.
    shares, found, named = [], [], []
    for seed in range(25):
        tables = [pa.table(people(100 + 2 * seed + i, rows)) for i, rows in enumerate((120, 160))]
        rows = {row["test"]: row for row in rows_of(session.selftest(*tables, "distance", 0.3, 0.2, seed=seed))}
        shares.append(rows["planted"]["false_share"] or 0.0)
        found.append(rows["planted"]["found_share"])
        named += [rows[test]["exposed"] > 0 for test in ("swapped", "fresh")]
    # 0.7 of train is nobody's copy, so the promise is 0.14; what is seen scatters by less than 0.02.
    assert 0.05 < np.mean(shares) < 0.2
    assert np.mean(found) > 0.95
    # With nothing planted, somebody is named in at most so many runs.
    assert np.mean(named) <= 0.25


def test_persons_are_planted_with_all_of_their_rows(session):
    """The rows are those of the same call without a unit where each person has one row, and persons else."""
    train, holdout = (people(seed, 300) for seed in (1, 2))
    train, holdout = ({"who": [first + i // 3 for i in range(300)]} | t for first, t in ((0, train), (1000, holdout)))
    found = rows_of(
        session.selftest(pa.table(train), pa.table(holdout), "uniques", 0.3, 0.2, unit="who", shared_units=False)
    )
    rows = {row["test"]: row for row in found}
    # 100 persons of train, and half of the holdout's 100.
    assert [row["members"] for row in rows.values()] == [100, 50, 100]
    chosen = {train["who"][i] for i in range(0, 300, 3) if drawn(i, 1) < 0.3 * (2**31 - 1)}
    assert rows["planted"]["planted"] == len(chosen)
    assert rows["planted"]["found"] > 0.9 * len(chosen)
    assert all(row["passed"] for row in found)
    alone = [pa.table(t | {"who": list(range(first, first + 300))}) for first, t in ((0, train), (1000, holdout))]
    own = rows_of(session.selftest(*alone, "distance", unit="who"))
    assert own == rows_of(session.selftest(*alone, "distance", key="who"))


def test_what_makes_no_sense(session):
    table = pa.table({"x": [1.0, 2.0, 3.0]})
    with pytest.raises(OptionError, match=r'"planted" := 1.5 is out of range'):
        session.selftest(table, table, planted=1.5)
    with pytest.raises(EmptyTable):
        session.selftest(table, table.slice(0, 0), "distance")


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("attack", ["distance", "agreement"])
def test_adult(session, attack):
    rows = rows_of(session.selftest(f"{DATA}/adult_trn.csv.gz", f"{DATA}/adult_val.csv.gz", attack))
    assert all(row["passed"] for row in rows)
    assert [row["exposed"] for row in rows if row["test"] != "planted"] == [0, 0]
