"""A remedy of a family of tables: a leak of children is found there, and a parent takes its children along."""

import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.calls.descent import Child
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.remedies.family import FamilyMeasuring, owners
from synthpriv_sql.remedies.loss import Loss
from synthpriv_sql.remedies.tables import State, Treating

PEOPLE, VISITS, LEAKING = 90, 1, 45


def people(rng, start):
    return pa.table(
        {
            "Who": np.arange(start, start + PEOPLE),
            "age": rng.integers(18, 90, PEOPLE),
            "job": rng.choice(list("vwxyz"), PEOPLE),
        }
    )


def visits(rng, start):
    return pa.table(
        {
            "who": np.repeat(np.arange(start, start + PEOPLE), VISITS),
            "amount": rng.integers(10_000, 999_999, PEOPLE * VISITS),
            "ward": rng.choice(list("abcd"), PEOPLE * VISITS),
            "kind": rng.choice(list("xyz"), PEOPLE * VISITS),
            "days": rng.integers(1, 5, PEOPLE * VISITS),
        }
    )


@pytest.fixture(scope="module")
def tables():
    """Some amounts of visits are those of people of train; nothing else is."""
    rng = np.random.default_rng(4)
    parents = {side: people(rng, 1000 * n) for n, side in enumerate(("synthetic", "train", "holdout"))}
    children = {side: visits(rng, 1000 * n) for n, side in enumerate(("synthetic", "train", "holdout"))}
    leaked = children["synthetic"]["amount"].to_numpy().copy()
    leaked[: LEAKING * VISITS] = children["train"]["amount"].to_numpy()[: LEAKING * VISITS]
    children["synthetic"] = children["synthetic"].set_column(1, "amount", pa.array(leaked))
    return {**parents, "children": {"visits": [*children.values(), "who"]}}


def searched(tables):
    """The tables of a search by name."""
    sides = ("synthetic", "train", "holdout")
    return {side: tables[side] for side in sides} | {
        f"{side} of visits": table for side, table in zip(sides, tables["children"]["visits"], strict=False)
    }


def test_a_column_of_children_is_to_blame_in_every_view(shared, tables):
    measuring = FamilyMeasuring(
        shared.call,
        shared.searches.within.maker(),
        {"key": None},
        {"visits": Child({}, "who")},
        {"": ["Who", "age", "job"], "visits": ["who", "amount", "ward", "kind", "days"]},
    )
    quick = measuring.quickly(searched(tables))
    assert quick.named > 0
    blamed = measuring.blamed(searched(tables))
    assert max(blamed, key=blamed.get) == "visits.amount"
    assert set(blamed) <= {"visits.amount", "visits.ward", "visits.kind", "visits.days", "age", "job"}
    assert measuring._origin("visits, together", "visits_amount_mean") == "visits.amount"
    assert measuring._origin("parents and visits", "age") == "age"
    assert measuring._origin("visits, together", "visits_rows") is None


@pytest.mark.again
def test_whom_the_children_of_a_release_before_name_does_not_count(shared, tables):
    """All whom the newest names, its visits of an earlier release name as well."""
    measuring = FamilyMeasuring(
        shared.call,
        shared.searches.within.maker(),
        {"key": None},
        {"visits": Child({}, "who")},
        {"": ["Who", "age", "job"], "visits": ["who", "amount", "ward", "kind", "days"]},
    )
    newest = searched(tables)
    own, earlier = newest["synthetic"], newest["synthetic of visits"]
    named = {}
    for name, release in {
        "the same": {"release 1": own, "release 1 of visits": earlier},
        "of others": {"release 1": own, "release 1 of visits": earlier.set_column(1, "amount", earlier["days"])},
        "without visits": {"release 1": own},
    }.items():
        named[name] = measuring.quickly({**newest, **release}, most=0).named
    assert named["the same"] == 0
    assert named["of others"] > 0
    assert named["without visits"] == measuring.quickly(newest, most=0).named > 0


def test_children_are_those_of_their_parents():
    tables = {
        "train": pa.table({"p": [7, 8, None]}),
        "train of a": pa.table({"p": [8, None, 9, 7], "q": ["x", "y", "z", None]}),
        "train of b": pa.table({"q": ["y", "x", "w"]}),
    }
    children = {"a": Child({}, "p"), "b": Child({}, "q", "a")}
    found = owners(tables, children, "train")
    assert found["a"].tolist() == [1, -1, -1, 0]
    assert found["b"].tolist() == [-1, 1, -1]


def test_a_parent_takes_its_children_along():
    tables = {
        "synthetic": pa.table({"p": [1, 2, 3]}),
        "synthetic of a": pa.table({"p": [3, 1, 1, 9], "n": [1, 2, 3, 4]}),
    }
    columns = {"p": Column("p", "BIGINT", "bigint"), "a.n": Column("n", "BIGINT", "bigint")}
    whose = owners(tables, {"a": Child({}, "p")}, "synthetic")
    treating = Treating(columns, tables, {"a.n": "a"}, whose)
    state = State(kept=np.array([False, True, True]))
    assert treating.table("synthetic", state)["p"].to_pylist() == [2, 3]
    assert treating.table("synthetic of a", state)["n"].to_pylist() == [1, 4]


def test_the_loss_is_that_of_pairs_within_a_table():
    rng = np.random.default_rng(2)
    codes = {name: rng.integers(0, 5, size) for name, size in (("x", 50), ("y", 50), ("a.n", 80))}
    others = {name: rng.integers(0, 5, len(values)) for name, values in codes.items()}
    alone = [Loss(codes, others, {"a.n": "a", "x": "x", "y": "y"}).mean]
    parents = Loss({n: codes[n] for n in "xy"}, {n: others[n] for n in "xy"}).mean
    child = Loss({"a.n": codes["a.n"]}, {"a.n": others["a.n"]}).mean
    assert Loss(codes, others, {"a.n": "a"}).mean == pytest.approx((parents + child) / 2)
    assert alone[0] > 0


def test_what_is_wrong_is_said(shared, tables):
    with pytest.raises(OptionError, match='names no table of children "labs"; there are visits'):
        shared.remedied(**tables, part="labs")
    with pytest.raises(OptionError, match="needs four values"):
        shared.remedy(**{**tables, "children": {"visits": ["a", "b"]}})
    with pytest.raises(OptionError, match='names "labs": give its table of parents'):
        shared.remedy(**tables, releases=[{"synthetic": tables["synthetic"], "labs": tables["train"]}])


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_a_leak_in_a_table_of_children_is_found_and_coarsened_there(shared, tables):
    remedy = shared.remedy(**tables, target="nobody")
    rows = list(remedy)
    assert rows[0]["named"] > 0
    assert rows[-1]["named"] == 0
    assert {row["column_name"] for row in rows} - {None} == {"visits.amount"}
    made = remedy.children["visits"].to_arrow()
    assert made["ward"].equals(tables["children"]["visits"][0]["ward"])
    assert not made["amount"].equals(tables["children"]["visits"][0]["amount"])
    assert remedy.remedied.to_arrow().equals(tables["synthetic"])
    assert shared.remedied(**tables, target="nobody", part="visits").to_arrow().equals(made)
    shared.connection.register("given", tables["children"]["visits"][0])
    assert shared.connection.sql(remedy.statement("given", child="visits")).to_arrow_table().equals(made)
    shared.connection.unregister("given")


@pytest.mark.filterwarnings(
    "ignore:train has 90 people", "ignore:the attack learned needs", "ignore:.*column of identif"
)
@pytest.mark.nightly
def test_a_remedy_of_a_family_takes_releases(shared, tables):
    """An earlier release has the visits of some of those whom the newest names: these do not count."""
    visits = tables["children"]["visits"]
    amounts = np.concatenate(
        [visits[1]["amount"].to_numpy()[:20], np.random.default_rng(9).integers(1, 9, PEOPLE - 20)]
    )
    earlier = {"synthetic": tables["synthetic"], "visits": visits[0].set_column(1, "amount", pa.array(amounts))}
    found = shared.remedy(**tables, releases={"may": earlier}, target="nobody").to_arrow().to_pylist()
    assert 0 < found[0]["named"] <= LEAKING - 20
    assert [row["column_name"] for row in found if row["column_name"]] == ["visits.amount"]
    assert found[-1]["named"] == 0
