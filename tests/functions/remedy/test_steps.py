"""Steps of the search on measures that are given: how far it goes, and what goes back."""

from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.remedies.finding import _columns
from synthpriv_sql.remedies.ladder import coarser, ladder
from synthpriv_sql.remedies.loss import Cells
from synthpriv_sql.remedies.measuring import Measures
from synthpriv_sql.remedies.search import Search
from synthpriv_sql.remedies.tables import Limits, Treating

ROWS = 2_000


class Told:
    """Measures that follow from how many values `amount` has: bad above 60, good but not lasting above `lasting`."""

    def __init__(self, lasting):
        self.lasting = lasting
        self.asked = self.removals = 0
        self.seen = []

    def judged(self, tables, whole=False):
        self.asked += 1
        return self._told(tables)

    def given_away(self, tables):
        return self._told(tables)

    def _told(self, tables):
        self.seen.append(set(tables["train"]["number"].to_pylist()))
        names = tables["synthetic"].column_names
        left = len(tables["synthetic"]["amount"].unique()) if "amount" in names else 1
        bad = left > 60
        return Measures(
            9 * bad, 9 * bad, 0.5, by_all=True, lasting=left <= self.lasting, level="bad" if bad else "good"
        )

    def quickly(self, tables, most=None):
        return replace(self._told(tables), level=None, by_all=False)

    def blamed(self, tables):
        return {"amount": 1.0}

    def told(self, tables, attack):
        amounts = tables["synthetic"].select([n for n in tables["synthetic"].column_names if n == "amount"])
        return sum(len(column.unique()) for column in amounts.columns)

    def has_copies(self, tables):
        return False

    def carrying(self, tables):
        self.removals += 1
        return np.zeros(len(tables["synthetic"]), bool)


class Stuck(Told):
    """Nobody is named of 60 values or fewer, but some remain given away, and the verdict stays bad."""

    def _told(self, tables):
        found = super()._told(tables)
        named, at_least = (9, 200) if found.level == "bad" else (0, 6)
        return replace(found, named=named, at_least=at_least, clear=True, level="bad")


class Returning(Told):
    """As `Told`; no column is to blame but by its values, which come back."""

    def _told(self, tables):
        found = super()._told(tables)
        return replace(found, replayed={"amount": 9.0} if found.level == "bad" else {})

    def blamed(self, tables):
        return {}


ALL = {"train": np.arange(ROWS)}


def searched(lasting, halves=(ALL, ALL), measures=Told, aside=(), remove=0.0):
    random = np.random.default_rng(3)
    tables = {
        side: pa.table({"amount": random.lognormal(8, 1, ROWS).round(2), "job": random.choice(list("abc"), ROWS)})
        for side in ("synthetic", "train", "holdout")
    }
    tables["train"] = tables["synthetic"]  # whose tenths are those of groups, which then lose nothing
    tables = {side: table.append_column("number", pa.array(range(ROWS))) for side, table in tables.items()}
    columns = _columns(tables["synthetic"])
    treating = Treating(columns, tables)
    steps = ladder(columns["amount"], tables["synthetic"]["amount"], "other")
    search = Search(
        treating=treating,
        measuring=measures(lasting),
        ladders={
            "amount": coarser(steps, partial(treating.distinct, "amount"), treating.distinct("amount", None), ROWS)
        },
        cells={name: Cells(tables["train"][name], name == "amount") for name in ("amount", "job")},
        halves=halves,
        limits=Limits(remove, 1.0, 40, frozenset({"good", "watch"}), frozenset({"good"})),
        report=lambda said: None,
        aside=aside,
    )
    search.run()
    return search


@pytest.mark.parametrize(("lasting", "action"), [(60, "50 groups"), (20, "20 groups"), (10, "10 groups")])
def test_a_verdict_that_is_narrowly_good_is_no_end(lasting, action):
    search = searched(lasting)
    assert search.state.steps["amount"].action == action
    assert [row.measures.level for row in search.rows][:: len(search.rows) - 1] == ["bad", "good"]


def test_the_whole_verdict_is_asked_where_cheap_measures_find_nothing():
    search = searched(lasting=20)
    actions = [row.action for row in search.rows]
    assert actions[0] == "start"
    assert actions[-1] == "confirmation"
    assert search.measuring.asked <= 5  # start, end, one step back, everyone, confirmation
    assert sum(row.measures.level is not None for row in search.rows) == search.measuring.asked < len(search.rows)


def test_the_confirmation_is_by_the_other_half_whichever_searched():
    halves = [{"train": np.arange(start, ROWS, 2)} for start in (0, 1)]
    for first, second in (halves, halves[::-1]):
        *seen, confirming = searched(lasting=60, halves=(first, second)).measuring.seen
        *of_search, quickly, whole = seen
        assert all(one == set(first["train"].tolist()) for one in of_search)
        assert quickly == whole == set(range(ROWS))  # all people only say whether the steps are enough
        assert confirming == set(second["train"].tolist())


def test_a_column_that_is_not_compared_changes_only_if_its_values_come_back():
    assert not searched(60, aside={"amount"}).state.steps
    search = searched(60, measures=Returning, aside={"amount"})
    assert set(search.state.steps) == {"amount"}
    assert search.rows[-1].measures.level == "good"


class Together(Told):
    """As `Told`, but all people together are named of more than 20 values, or of any."""

    least = 20

    def _told(self, tables):
        found = super()._told(tables)
        names = tables["synthetic"].column_names
        left = len(tables["synthetic"]["amount"].unique()) if "amount" in names else 1
        together = len(tables["train"]) == ROWS and left > self.least
        return replace(found, named=5, at_least=5, level="bad") if together else found


def test_the_search_goes_on_while_all_people_together_are_named():
    halves = tuple({"train": np.arange(start, ROWS, 2)} for start in (0, 1))
    search = searched(60, halves, Together)
    assert search.state.steps["amount"].action in {"20 groups", "10 groups", "1 digit", "left out"}
    assert [row.action for row in search.rows[-2:]] == ["everyone", "confirmation"]
    assert [(row.measures.named, row.measures.level) for row in search.rows[-2:]] == [(0, "good"), (0, "good")]
    assert search.closest is None


def test_where_no_step_helps_all_people_the_result_is_that_of_the_half_and_they_are_said():
    halves = tuple({"train": np.arange(start, ROWS, 2)} for start in (0, 1))
    search = searched(60, halves, type("Never", (Together,), {"least": 0}))
    assert search.state.steps["amount"].action == "50 groups"
    together, confirming = search.rows[-2:]
    assert (together.measures.named, together.measures.level) == (5, "bad")
    assert search.closest == together
    assert search.measuring.seen.count(set(range(ROWS))) <= 2 * 6  # the verdict on the result is asked once
    assert confirming.measures.level == "good"


def test_no_record_is_looked_for_where_nobody_is_given_away_and_nothing_is_a_copy():
    assert not searched(20, remove=0.002).measuring.removals
    copied = type("Copied", (Told,), {"has_copies": lambda *_: True})
    assert searched(20, measures=copied, remove=0.002).measuring.removals


class Hopeless(Stuck):
    """As `Stuck`, of which cheap measures show only the ranks."""

    def quickly(self, tables, most=None):
        found = super().quickly(tables, most)
        return found if found.named else replace(found, at_least=0)


def test_where_the_coarsest_table_stays_bad_the_search_ends_where_few_are_given_away():
    search = searched(lasting=0, measures=Hopeless)
    assert search.state.steps["amount"].action == "50 groups"
    assert search.closest.measures.at_least == 6
    assert search.closest.loss < 1  # the column is still there


def test_what_cannot_be_reached_leaves_the_step_that_is_allowed():
    assert searched(lasting=0).state.steps["amount"].action == "50 groups"


def test_a_step_goes_back_beyond_finer_ones_that_lose_more():
    search = searched(lasting=60)
    name, steps = "amount", search.ladders["amount"]
    loss = [search._loss.of(name, search._codes(name, step)) for step in steps]
    place = next(at for at, step in enumerate(steps) if step.action == "10 groups")
    search._put(name, steps[place], place)
    assert loss[place] < loss[place - 1] or loss[place] <= search._loss.mean
    harmless = Measures(0, 0, 0.5, by_all=True, lasting=True)
    for name in ("judged", "quickly", "given_away"):
        setattr(search.measuring, name, lambda tables, whole=False, most=None: harmless)
    search._known.clear()
    search._try_back(search._is_nobody)
    assert "amount" not in search.state.steps or search.state.steps["amount"] is None


def test_a_table_that_names_nobody_is_the_result_where_the_verdict_stays_bad():
    search = searched(lasting=0, measures=Stuck)
    assert search.state.steps["amount"].action == "50 groups"
    assert search.rows[-1].measures.level == "bad"
    assert search.closest is not None
    many = type("Many", (Stuck,), {"_told": lambda self, tables: replace(Stuck._told(self, tables), at_least=150)})
    search = searched(lasting=0, measures=many)
    assert not search.state.steps
    assert [row.action for row in search.rows] == ["start", "confirmation"]


class Slow(Told):
    """The verdict stays bad; cheap measures name nobody and fall slowly, and attacks name some above `few` values."""

    few = 30

    def __init__(self, lasting):
        super().__init__(lasting)
        self.trained = []

    def _told(self, tables):
        found = super()._told(tables)
        left = len(tables["synthetic"]["amount"].unique()) if "amount" in tables["synthetic"].column_names else 1
        named, at_least = (9, 200) if left > ROWS / 2 else (0, 6)
        return replace(found, named=named, at_least=at_least, auc=0.6 - 1e-6 / left, clear=True, level="bad")

    def given_away(self, tables):
        found = self._told(tables)
        left = len(tables["synthetic"]["amount"].unique()) if "amount" in tables["synthetic"].column_names else 1
        self.trained.append(left)
        return replace(found, named=5 if left > self.few else 0, level=None)


def test_all_attacks_are_not_asked_of_each_step_but_where_it_ends_is_the_first_that_they_allow():
    search = searched(lasting=0, measures=Slow)
    *_, together = [row for row in search.rows if row.step is not None]
    assert len(search.treating.table("synthetic", search.state)["amount"].unique()) <= Slow.few
    assert together.measures.named == 0
    steps = [row for row in search.rows if row.step is not None]
    assert len(search.measuring.trained) == len(set(search.measuring.trained)) <= len(steps) + 2


def test_a_step_back_that_is_known_to_fail_is_not_tried_again():
    search = searched(lasting=60)
    name, steps = "amount", search.ladders["amount"]
    place = next(at for at, step in enumerate(steps) if step.action == "10 groups")
    search._put(name, steps[place], place)
    bad = Measures(9, 9, 0.6, by_all=True, level="bad")
    search._known.update({search._key(search.state.at(name, step)): bad for step in steps[:place]})
    asked = []
    search.measuring.quickly = lambda tables, most=None: asked.append(tables) or bad
    search._try_back(search._is_allowed)
    assert search.state.steps[name].action == "10 groups"
    assert not asked


def test_a_verdict_that_no_others_confirm_needs_not_be_better_than_it_has_to_be():
    assert searched(lasting=20).state.steps["amount"].action == "20 groups"
    assert searched(lasting=20, halves=({}, {})).state.steps["amount"].action == "50 groups"
