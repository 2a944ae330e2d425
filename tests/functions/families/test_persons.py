"""Persons with many rows: what is counted where a unit is named, and a leak that only persons show."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from attacks import in_numbers, of_persons, scores
from calls import assert_same_rows, call, create, rows_of, sql_rows
from oracle import Space, copies, dcr, is_missing, nearest, summary
from shares import assert_same_shares, holdout_share

from synthpriv_sql.errors import OptionError, UnitError, UnknownColumn

SIDES = ["synthetic", "train", "holdout"]
OPTIONS = {"metric": "manhattan", "scaling": "none"}


def visits(seed, persons, rows=4):
    """A table of small values with ties, whose rows belong to so many persons, and who that is."""
    random = np.random.default_rng(seed)
    owners = [f"{seed} {p}" for p in random.integers(0, persons, persons * rows)]
    columns = {
        "x": random.integers(0, 6, len(owners)).tolist(),
        "t": [None if v == 3 else "abc"[v] for v in random.integers(0, 4, len(owners))],
    }
    return columns, owners


@pytest.fixture(scope="module")
def tables():
    """Synthetic, train and holdout with their owners; two synthetic persons are whole copies, another nearly so."""
    found = {side: visits(seed, persons) for seed, (side, persons) in enumerate(zip(SIDES, (9, 12, 8), strict=True))}
    (synthetic, theirs), (train, owners) = found["synthetic"], found["train"]
    for name, whole in (("copy 1", True), ("copy 2", True), ("part", False)):
        person = sorted(set(owners))[3 if name == "copy 2" else 5]
        rows = [i for i, owner in enumerate(owners) if owner == person]
        for i in rows[:: 1 if whole else 2]:
            theirs.append(name)
            for column, values in synthetic.items():
                values.append(train[column][i])
    return found


def arrow(table, unit="Who?"):
    columns, owners = table
    return pa.table({**columns, unit: owners})


@pytest.fixture
def created(session, tables):
    create(session, **{side: arrow(table) for side, table in tables.items()})
    return session


def score_rows(tables, attack, how):
    (synthetic, _), (train, mine), (holdout, others) = (tables[side] for side in SIDES)
    found, blamed = scores(synthetic, train, holdout, attack, raw=True, **OPTIONS)
    rows = []
    for side, owners, start in (("train", mine, 0), ("holdout", others, len(mine))):
        own = found[start : start + len(owners)].tolist()
        totals = of_persons(own, owners, how)
        for person, total in totals.items():
            best = max((i for i, o in enumerate(owners) if o == person), key=lambda i: (own[i], -i))
            rows.append((side, person, best, total, int(blamed[start + best])))
    finite = in_numbers([row[3] for row in rows])
    return [(*row[:3], score, row[4]) for row, score in zip(rows, finite, strict=True)]


@pytest.mark.each_value
@pytest.mark.parametrize("attack", ["distance", "density", "agreement"])
@pytest.mark.parametrize("how", ["mean", "max", "sum"])
def test_scores_of_persons(created, tables, attack, how):
    sql = call("membership_scores", *SIDES, attack=attack, unit="who?", unit_score=how, **OPTIONS)
    rows = sql_rows(created.connection, sql)
    expected = sorted(score_rows(tables, attack, how), key=lambda row: (row[0] != "train", row[2]))
    rows.sort(key=lambda row: (row["side"] != "train", row["record"]))
    names = ("side", "person", "record", "score", "synthetic")
    assert_same_rows(rows, [{**dict(zip(names, row, strict=True)), "evidence": []} for row in expected])


def test_persons_are_what_is_counted(created, tables):
    (row, *_) = rows_of(created.membership(*SIDES, attack="distance", unit="Who?", **OPTIONS))
    counted = [len(set(tables[side][1])) for side in SIDES[1:]]
    assert [row["members"], row["non_members"]] == counted
    exposed = rows_of(created.exposure(*SIDES, attack="distance", unit="Who?", **OPTIONS))
    assert sorted(r["person"] for r in exposed) == sorted(set(tables["train"][1]))


def test_copies_count_persons(created, tables):
    (synthetic, _), (train, owners) = tables["synthetic"], tables["train"]
    several = {}
    for i, owner in enumerate(owners):
        several.setdefault((owner, *(repr(column[i]) for column in train.values())), i)
    once = {name: [values[i] for i in several.values()] for name, values in train.items()}
    rows = rows_of(created.copies("synthetic", "train", unit="Who?"))
    assert [row["copies"] for row in rows] == copies(synthetic, once)
    assert copies(synthetic, once) != copies(synthetic, train)


def test_whole_copies_of_persons(created, tables):
    def persons(side):
        columns, owners = tables[side]
        rows = list(zip(*([None if is_missing(v) else v for v in c] for c in columns.values()), strict=True))
        return {p: Counter(r for r, o in zip(rows, owners, strict=True) if o == p) for p in owners}

    real = list(persons("train").values())
    expected = [{"person": p, "copies": real.count(rows)} for p, rows in sorted(persons("synthetic").items())]
    assert created.person_copies("synthetic", "train", unit="Who?").to_arrow().to_pylist() == expected
    assert [row["copies"] for row in expected if row["person"].startswith("copy")] == [1, 1]
    assert sum(row["copies"] for row in expected) == 2


def test_concentration(created, tables):
    (synthetic, theirs), (train, owners) = tables["synthetic"], tables["train"]
    found = nearest(Space(train, **OPTIONS).distances(synthetic, train))[0][:, 0]
    expected = []
    for person in sorted(set(theirs)):
        hits = [int(r) for r, o in zip(found, theirs, strict=True) if o == person]
        times = Counter(owners[r] for r in hits)
        most = min(times, key=lambda o: (-times[o], min(r for r in hits if owners[r] == o)))
        expected.append((person, len(hits), most, times[most] / len(hits)))
    rows = created.concentration("synthetic", "train", unit="WHO?", **OPTIONS).fetchall()
    assert rows == expected


def test_distances_of_persons_are_means_over_their_rows(created, tables):
    space = Space(tables["train"][0], **OPTIONS)
    rows = {row["comparison"]: row for row in rows_of(created.dcr_summary(*SIDES, unit="Who?", **OPTIONS))}
    for side in SIDES:
        columns, owners = tables[side]
        own = dcr(space, columns, tables["train"][0], itself=side == "train").tolist()
        expected = summary(list(of_persons(own, owners).values()))
        assert_same_rows([rows[f"{side}_train"]], [{"comparison": f"{side}_train", **expected}])


def test_the_holdout_share_counts_persons(session):
    random = np.random.default_rng(3)
    people, synthetic = random.normal(size=(2, 150)), random.normal(size=400)
    # Each person has its row five times: five times the rows say no more than they did.
    once, often = (
        [pa.table({"x": np.repeat(x, n), "who": np.repeat(np.arange(150), n) + 1000 * i}) for i, x in enumerate(people)]
        for n in (1, 5)
    )
    table = pa.table({"x": synthetic})
    (rows, *_) = rows_of(session.holdout_share(table, *once, exclude=["who"]))
    (persons, *_) = rows_of(session.holdout_share(table, *often, unit="who"))
    numbers = ("n", "share", "expected", "lower", "upper", "z", "p_value")
    assert [persons[name] for name in numbers] == pytest.approx([rows[name] for name in numbers], rel=1e-9)
    (naive, *_) = rows_of(session.holdout_share(table, *often, exclude=["who"]))
    assert abs(naive["z"]) > 1.5 * abs(persons["z"])


def test_the_holdout_share_of_persons_is_that_of_the_oracle(created, tables):
    rows = rows_of(created.holdout_share(*SIDES, unit="Who?", **OPTIONS))
    (synthetic, _), (train, mine), (holdout, others) = (tables[side] for side in SIDES)
    assert_same_shares(rows, holdout_share(synthetic, train, holdout, persons=[*mine, *others], **OPTIONS))


# What is no unit


def test_somebody_in_train_and_holdout(created, tables):
    message = (
        rf'{len(set(tables["train"][1]))} units stand both in "train" and in the holdout, such as that of record 0 '
        r"and record 0; split the tables"
    )
    for function in (created.membership, created.exposure, created.holdout_share, created.dcr_summary):
        with pytest.raises(UnitError, match=message):
            function("synthetic", "train", "train", unit="Who?")
    rows = rows_of(created.membership("synthetic", "train", "train", attack="ratio", unit="Who?", shared_units=True))
    assert {row["auc"] for row in rows} == {0.5}


def test_rows_of_nobody(session):
    known, unknown = (pa.table({"x": [1, 2, 3], "who": who}) for who in ([1, 1, 2], [5, None, None]))
    for call_it in (
        lambda: session.membership_scores(known, unknown, attack="distance", unit="who"),
        lambda: session.concentration(unknown, known, unit="who"),
        lambda: session.copies(known, unknown, unit="who"),
    ):
        with pytest.raises(UnitError, match=r"the unit is missing in 2 rows of .*; fill it in"):
            call_it()


def test_a_table_without_the_unit(session):
    with_it, without = pa.table({"x": [1, 2], "who": [1, 2]}), pa.table({"x": [1, 2]})
    missing = r'option "unit" names column "who", which holdout \(a pyarrow Table\) does not have'
    with pytest.raises(UnknownColumn, match=missing):
        session.membership(without, with_it, pa.table({"x": [3]}), unit="who")
    with pytest.raises(UnknownColumn, match="unit"):
        session.concentration(without, with_it, unit="who")
    # Who synthetic says that it is does not matter to scores of real people.
    assert session.membership_scores(without, with_it, attack="distance", unit="who").to_arrow().num_rows == 2
    with pytest.raises(OptionError, match='"unit" is missing'):
        session.concentration(with_it, with_it, unit=None)


# A leak that only persons show


def trajectories(random, persons):
    """Visits of persons, 1 to 40 each: where and when, around a place and a time of their own."""
    rows = random.integers(1, 41, persons)
    homes = np.repeat(random.uniform(0, 100, (persons, 2)), rows, axis=0)
    owners = np.repeat(np.arange(persons), rows)
    return np.column_stack([homes + random.normal(0, 25, homes.shape), random.uniform(0, 24, len(homes))]), owners


@pytest.mark.one_in(2)
@pytest.mark.parametrize("leaks", [True, False])
def test_whole_trajectories_with_jitter_are_seen(session, leaks):
    random = np.random.default_rng(5)
    real, owners = trajectories(random, 2000)
    inside = owners < 1000
    synthetic, theirs = trajectories(random, 1000)
    if leaks:
        # Every row of 100 persons is there, moved so far that none of them alone can be told.
        copied = real[owners < 100]
        synthetic = np.vstack([synthetic[theirs >= 100], copied + random.normal(0, [0.6, 0.6, 0.2], copied.shape)])
        theirs = np.concatenate([theirs[theirs >= 100], owners[owners < 100]])

    def table(rows, persons):
        return pa.table({"x": rows[:, 0], "y": rows[:, 1], "hour": rows[:, 2], "who": persons})

    create(
        session,
        synthetic=table(synthetic, theirs),
        train=table(real[inside], owners[inside]),
        holdout=table(real[~inside], owners[~inside]),
    )
    found = rows_of(session.exposure(*SIDES, attack="density", unit="who", metric="euclidean"))
    exposed = {row["person"] for row in found if row["exposed"]}
    (verdict,) = rows_of(
        session.membership(*SIDES, attack="density", unit="who", metric="euclidean", false_positive_rates=0.01)
    )
    shares = {row["person"]: row["share"] for row in rows_of(session.concentration("synthetic", "train", unit="who"))}
    if leaks:
        assert len(exposed & set(range(100))) > 60
        assert len(exposed - set(range(100))) <= 0.1 * len(exposed)
        assert verdict["p_value"] < 0.01
        assert verdict["true_positive_rate"] > 0.08
        assert np.median([shares[p] for p in range(100)]) > 0.5
        rows = session.exposure(*SIDES, attack="density", exclude=["who"], metric="euclidean")
        assert not any(row["exposed"] for row in rows_of(rows))
    else:
        assert len(exposed) <= 2
        assert verdict["p_value"] > 0.01
    assert np.median([shares[p] for p in range(100, 1000)]) < 0.4
