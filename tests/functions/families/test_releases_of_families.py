"""Several releases of families: each part is judged with that part of each release."""

import json

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from calls import cli, rows_of

import synthpriv_sql
from synthpriv_sql import errors

PEOPLE, ROWS, LEAKED = 150, 4, 40
OPTIONS = {"attack": ["uniques", "agreement"]}
VIEWS = ["parents", "events, together", "parents and events", "events"]


def family(rng, first):
    """Accounts, and events that say nothing of them."""
    who = np.arange(first, first + PEOPLE)
    parents = {"account": who, "age": rng.integers(0, 400, PEOPLE), "Home": rng.integers(0, 400, PEOPLE)}
    events = {name: rng.integers(0, 90, PEOPLE * ROWS) for name in ("event", 'o"r')}
    return parents, {"account": np.repeat(who, ROWS), **events}


@pytest.fixture(scope="module")
def tables():
    """Families of which may and june have the events of other people; july has those of nobody."""
    rng = np.random.default_rng(1)
    made = {name: family(rng, 5000 * i) for i, name in enumerate(("train", "holdout", "june", "may", "july"))}
    for name, first in (("june", 0), ("may", LEAKED)):
        for column in ("event", 'o"r'):
            to, of = slice(0, LEAKED * ROWS), slice(first * ROWS, (first + LEAKED) * ROWS)
            made[name][1][column][to] = made["train"][1][column][of]
    return {name: tuple(map(pa.table, parts)) for name, parts in made.items()}


def children(tables, newest="june"):
    return {"events": (*(tables[name][1] for name in (newest, "train", "holdout")), "account")}


def given(tables, newest="june"):
    return tuple(tables[name][0] for name in (newest, "train", "holdout"))


def numbers(rows, part=None):
    """What each attack found in a part."""
    kept = [row for row in rows if row.get("part") == part]
    return sorted((row["attack"], round(row["auc"], 9), row["at_least"]) for row in kept)


def of_release(tables, name):
    return {"synthetic": tables[name][0], "events": tables[name][1]}


@pytest.fixture(scope="module")
def found(shared, tables):
    releases = {"may": of_release(tables, "may")}
    return rows_of(shared.membership(*given(tables), children=children(tables), releases=releases, **OPTIONS))


def test_each_part_is_a_call_with_that_part_of_each_release(shared, tables, found):
    assert list(dict.fromkeys(row["part"] for row in found)) == VIEWS
    newest, train, holdout, before = (tables[name] for name in ("june", "train", "holdout", "may"))

    def alone(place, **options):
        parts = [one[place] for one in (newest, train, holdout)]
        return numbers(rows_of(shared.membership(*parts, releases=[before[place]], **OPTIONS, **options)))

    assert numbers(found, "parents") == alone(0, key="account")
    assert numbers(found, "events") == alone(1, unit="account")
    flat = [shared.flatten(*one, "account", prefix="events_").to_arrow() for one in (newest, train, holdout, before)]
    both = rows_of(shared.membership(*flat[:3], releases=[flat[3]], key="account", **OPTIONS))
    assert numbers(found, "parents and events") == numbers(both)
    own = [one.drop(["age", "Home"]) for one in flat]
    together = rows_of(shared.membership(*own[:3], releases=[own[3]], key="account", **OPTIONS))
    assert numbers(found, "events, together") == numbers(together)


def test_a_leak_of_two_releases_is_found_in_its_part(shared, tables, found):
    """Each release has the events of 40 people, other ones each; the parents are those of nobody."""
    alone = rows_of(shared.membership(*given(tables), children=children(tables), **OPTIONS))
    of = {part: max(n for _, _, n in numbers(found, part)) for part in VIEWS}
    of_newest = {part: max(n for _, _, n in numbers(alone, part)) for part in VIEWS}
    assert of["parents"] == 0
    for part in ("events", "events, together"):
        assert LEAKED * 2 >= of_newest[part] + 10 > 10
        assert of[part] > of_newest[part] + 20


@pytest.mark.again
def test_safe_families_add_nothing(shared, tables):
    rng = np.random.default_rng(9)
    other = dict(zip(("synthetic", "events"), map(pa.table, family(rng, 90_000)), strict=True))
    found = shared.membership(*given(tables, "july"), children=children(tables, "july"), releases=[other], **OPTIONS)
    assert [row["at_least"] for row in rows_of(found)] == [0] * len(found)


@pytest.mark.again
def test_a_release_without_a_table_does_not_count_in_that_part(shared, tables, found):
    given_alone = {"children": children(tables), **OPTIONS}
    with pytest.warns(errors.SynthprivWarning, match="may has no table for events"):
        less = rows_of(shared.membership(*given(tables), releases={"may": tables["may"][0]}, **given_alone))
    without = rows_of(shared.membership(*given(tables), **given_alone))
    assert numbers(less, "parents") == numbers(found, "parents") != numbers(without, "parents")
    assert numbers(less, "events") == numbers(without, "events")
    assert numbers(less, "events, together") == numbers(without, "events, together")


@pytest.mark.again
def test_columns_of_releases_may_differ(shared, tables):
    parents, events = tables["may"]
    less = {"synthetic": parents, "events": events.drop(['o"r'])}
    rows = rows_of(
        shared.membership(
            *given(tables), children=children(tables), releases=[less], exclude=['o"r', "Home"], attack="uniques"
        )
    )
    own = [one[1].drop(['o"r']) for one in (tables["june"], tables["train"], tables["holdout"])]
    expected = shared.membership(*own, unit="account", releases=[less["events"]], attack="uniques")
    assert numbers(rows, "events") == numbers(rows_of(expected))


@pytest.mark.nightly
def test_children_of_children(shared, tables):
    """The steps of each event are aggregated for it, in each release that has them."""
    rng = np.random.default_rng(2)
    made = {}
    for name, (_, events) in tables.items():
        visit = np.arange(len(events)) + 1_000_000 * (1 + [*tables].index(name))
        steps = pa.table({"visit": np.repeat(visit, 2), "step": rng.integers(0, 90, 2 * len(events))})
        made[name] = events.append_column("visit", pa.array(visit)), steps
    related = {
        "events": (*(made[name][0] for name in ("june", "train", "holdout")), "account"),
        "steps": (*(made[name][1] for name in ("june", "train", "holdout")), "events.visit"),
    }
    before = {"synthetic": tables["may"][0], "events": made["may"][0], "steps": made["may"][1]}
    rows = rows_of(shared.membership(*given(tables), children=related, releases=[before], attack="uniques"))
    flat = [
        shared.flatten(*made[name], "visit", prefix="steps_").to_arrow() for name in ("june", "train", "holdout", "may")
    ]
    own = shared.membership(*flat[:3], releases=[flat[3]], unit="account", exclude=["visit"], attack="uniques")
    assert numbers(rows, "events") == numbers(rows_of(own))
    with pytest.warns(errors.SynthprivWarning, match="has no table for steps"):
        shared.membership(
            *given(tables), children=related, releases=[{**before, "steps": None}], attack="uniques",
            exclude=["step"],
        )  # fmt: skip


@pytest.mark.nightly
def test_an_evaluation_says_whom_a_part_of_the_releases_gives_away(shared, tables):
    found = shared.evaluate(
        *given(tables), children=children(tables), releases=[of_release(tables, "may")], attack="uniques",
        named_by="uniques",
    )  # fmt: skip
    told = {
        (row["part"], row["variant"]): row["value"]
        for row in rows_of(found)
        if row["metric"] == "releases" and row["statistic"] == "exposed"
    }
    assert told["events", "union"] > told["events", "alone"] > 10
    assert told["parents", "union"] == 0
    assert found.family.level == "bad"


@pytest.mark.nightly
def test_candidates_of_families(shared, tables):
    """The one that adds other people adds more than the one that adds nobody."""
    one, two = tables["june"], tables["july"]
    found = shared.candidates(
        {"one": one[0], "two": two[0]}, tables["train"][0], tables["holdout"][0],
        children={"events": ({"one": one[1], "two": two[1]}, tables["train"][1], tables["holdout"][1], "account")},
        releases={"may": of_release(tables, "may")}, attack="uniques", trees=5,
    )  # fmt: skip
    at_least = {row["candidate"]: row["at_least"] for row in rows_of(found) if row["part"] == "events"}
    assert at_least["one"] > at_least["two"]


def test_wrong_releases_of_a_family(shared, tables):
    main, events = tables["may"]
    for releases, says in (
        ({"may": {"synthetic": main, "event": events}}, 'names "event".*events'),
        ([{"events": events}], 'release 1 has no "synthetic"'),
        ([], "has no table"),
    ):
        with pytest.raises(errors.OptionError, match=says):
            shared.membership(*given(tables), children=children(tables), releases=releases, **OPTIONS)
    with pytest.raises(errors.OptionError, match=r"may is given with parts.*children"):
        shared.membership(*given(tables), releases={"may": of_release(tables, "may")}, **OPTIONS)


@pytest.mark.nightly
def test_families_in_sql_and_on_the_command_line(tables, found, tmp_path):
    connection = duckdb.connect()
    synthpriv_sql.register(connection)
    path = {}
    for name, parts in tables.items():
        for part, one in zip(("accounts", "events"), parts, strict=True):
            connection.from_arrow(one).create(f"{name}_{part}")
            path[name, part] = str(tmp_path / f"{name}_{part}.csv")
            pa.csv.write_csv(one, path[name, part])
    rows = connection.sql(
        "FROM synthpriv.membership('june_accounts', 'train_accounts', 'holdout_accounts', "
        "children := {'events': ['june_events', 'train_events', 'holdout_events', 'account']}, "
        "releases := [{'synthetic': 'may_accounts', 'events': 'may_events'}], attack := ['uniques', 'agreement'])"
    )
    events = ",".join(path[name, "events"] for name in ("june", "train", "holdout"))
    code, out, _ = cli(
        "membership",
        *(f"--{side}={path[name, 'accounts']}" for side, name in (("synthetic", "june"), ("train", "train"))),
        f"--holdout={path['holdout', 'accounts']}",
        f"--children=events={events},account",
        f"--release=may={path['may', 'accounts']},events={path['may', 'events']}",
        "--attack=uniques,agreement",
        "--format=json",
    )
    assert code == 0
    in_sql = rows.to_arrow_table().to_pylist()
    for part in VIEWS:
        assert numbers(in_sql, part) == numbers(json.loads(out), part) == numbers(found, part)
