"""`screen` and `safe` of the newest of several releases: what it adds goes, what is known stays so."""

import re
from collections import Counter
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from calls import rows_of

from synthpriv_sql.errors import OptionError, SynthprivWarning

LEVEL = 0.2


NAMES = "abcdef"


def people(rng, rows=400):
    return {name: rng.integers(0, 300, rows).tolist() for name in NAMES}


def leaking(made, train, first, last, names, at=0):
    """A table with some columns of these people of train."""
    for name in names:
        made[name][at : at + last - first] = train[name][first:last]
    return made


def made(known=50, alone=20):
    """The newest, train, holdout, and two before it.

    The newest adds a column of 60 people, shows some alone, copies 5, and shows some whom one before it shows.
    """
    rng = np.random.default_rng(6)
    train, holdout = people(rng), people(rng)
    before = [leaking(people(rng), train, 0, known, "abcd"), leaking(people(rng), train, 100, 160, "ab")]
    newest = leaking(people(rng), train, 0, known, "abcd")
    leaking(newest, train, 100, 160, "bc", at=100)
    leaking(newest, train, 200, 200 + alone, "abcde", at=200)
    leaking(newest, train, 220, 225, NAMES, at=220)
    return pa.table(newest), pa.table(train), pa.table(holdout), [pa.table(table) for table in before]


@pytest.fixture(scope="module")
def tables():
    return made()


def named(session, newest, train, holdout, **options):
    found = rows_of(session.exposure(newest, train, holdout, **{"false_discovery": LEVEL, **options}))
    return {row["record"]: row for row in found if row["exposed"]}


def scores(session, newest, train, holdout, attack, **options):
    rows = rows_of(session.membership_scores(newest, train, holdout, attack=attack, **options))
    return {row["record"]: row for row in rows if row["side"] == "train"}


def named_of_all(session, newest, train, holdout, attacks, **options):
    """Whom the attacks on these tables as a whole name: the attack by record, without the lists of smaller sets."""
    best = {}
    for attack in attacks:
        rows = rows_of(session.membership_scores(newest, train, holdout, attack=attack, **options))
        others = [row["score"] for row in rows if row["side"] == "holdout"]
        p_values = sorted(
            ((1 + sum(other >= row["score"] for other in others)) / (1 + len(others)), row["record"])
            for row in rows
            if row["side"] == "train"
        )
        q_value = 1.0
        for place in range(len(p_values), 0, -1):
            q_value = min(q_value, p_values[place - 1][0] * len(p_values) / place)
            record = p_values[place - 1][1]
            best[record] = min(best.get(record, (1.0, attack)), (q_value, attack), key=lambda found: found[0])
    return {record: attack for record, (q_value, attack) in best.items() if q_value * len(attacks) <= LEVEL}


def holders_of(newest, train, holdout):
    """The records of a table with one or two values that one real person alone has, by record of train."""
    found = {record: set() for record in range(len(train))}
    tables = [list(zip(*table.to_pydict().values(), strict=True)) for table in (newest, train, holdout)]
    for columns in (c for width in (1, 2) for c in combinations(range(len(NAMES)), width)):
        made, real, others = ([tuple(row[i] for i in columns) for row in rows] for rows in tables)
        times = Counter(real + others)
        for record, key in enumerate(real):
            if times[key] == 1:
                found[record] |= {i for i, one in enumerate(made) if one == key}
    return found


@pytest.mark.parametrize(
    ("shown", "attacks"),
    [
        pytest.param((50, 20), ["uniques", "agreement"], marks=pytest.mark.slow),
        ((0, 0), ["uniques"]),
    ],
)
def test_screen_says_which_records_add_to_the_releases_before(shared, shown, attacks):
    newest, train, holdout, before = made(*shown)
    real = train, holdout
    first, *others = before
    # Not the list of the set that names most, which `exposure` has, but what the newest adds to any.
    known = named_of_all(shared, first, *real, attacks, releases=others)
    alone, united = (named_of_all(shared, newest, *real, attacks, **o) for o in ({}, {"releases": before}))
    assert alone == {r: row["attack"] for r, row in named(shared, newest, *real, attack=attacks).items()}
    own, all_scores, earlier = (
        {attack: scores(shared, table, *real, attack, **options) for attack in attacks}
        for table, options in ((newest, {}), (newest, {"releases": before}), (first, {"releases": others}))
    )
    holders = holders_of(newest, *real)
    exposing, adding = set(), set()
    for record, attack in {**united, **alone}.items():
        mine = own[attack][record]["synthetic"]
        raised = all_scores[attack][record]["score"] > earlier[attack][record]["score"]
        if record not in known and mine is not None and raised:
            found = {mine} | (holders[record] if attack == "uniques" else set())
            exposing, adding = (exposing | found, adding) if record in alone else (exposing, adding | found)
    assert min(len(known), len(alone), len(exposing)) > 5 if shown[0] else len(adding - exposing) > 5
    found = rows_of(shared.screen(newest, *real, attack=attacks, false_discovery=LEVEL, dcr_below=0, releases=before))
    assert {row["record"] for row in found if "exposing" in row["reasons"]} == exposing
    assert {row["record"] for row in found if "adding" in row["reasons"]} == adding
    assert {row["record"] for row in found if row["flagged"]} >= exposing | adding
    keyed = [t.append_column("id", pa.array([f"{i}" for i in range(len(t))])) for t in (newest, train, holdout)]
    options = {"attack": attacks, "false_discovery": LEVEL, "dcr_below": 0, "releases": before, "key": "id"}
    again = rows_of(shared.screen(*keyed, **options))
    assert [(row["key"], row["reasons"]) for row in again] == [(f"{r['record']}", r["reasons"]) for r in found]


def test_until_safe_takes_what_adds_and_leaves_what_was_known(shared, tables):
    newest, train, holdout, before = tables
    with pytest.warns(SynthprivWarning, match="name nobody of train beside the releases before") as caught:
        left = shared.safe(newest, train, holdout, until_safe=True, releases=before)
    (said,) = (str(one.message) for one in caught)
    assert re.search(r"these alone name \d+ people, which no change of this table protects", said)
    assert left.removed["near"] == 5
    assert 10 <= left.removed["naming"] <= 85
    # The records that tell of people whom a release before gives away stay.
    kept = left.to_arrow().to_pylist()
    assert sum(row in kept for row in newest.slice(0, 50).to_pylist()) >= 45
    real = train, holdout
    options = {"attack": ["uniques", "agreement"], "false_discovery": 0.05}
    known = named(shared, before[0], *real, releases=before[1:], **options)
    assert len(known) > 30
    for given in ({}, {"releases": before}):
        assert named(shared, left.to_arrow(), *real, **options, **given).keys() <= known.keys()


@pytest.mark.slow
def test_a_safe_table_loses_nothing_and_one_that_tells_the_same_nothing_either(shared, tables):
    _newest, train, holdout, before = tables
    other = pa.table(people(np.random.default_rng(16)))
    for newest in (other, before[1]):
        with pytest.warns(SynthprivWarning, match="none of 400 .*; they name nobody of train beside the releases"):
            left = shared.safe(newest, train, holdout, until_safe=True, releases={"one": before[0], "two": before[1]})
        assert left.to_arrow().equals(newest)


def test_releases_need_a_search_for_people(shared, tables):
    newest, train, holdout, before = tables
    for options, says in (
        ({}, "false_discovery"),
        ({"false_discovery": 0.1, "rounds": 2}, "until_safe"),
    ):
        with pytest.raises(OptionError, match=f"releases.*{says}"):
            shared.safe(newest, train, holdout, releases=before, **options)
    with pytest.raises(OptionError, match="holdout"):
        shared.screen(newest, train, releases=before, false_discovery=0.1)
