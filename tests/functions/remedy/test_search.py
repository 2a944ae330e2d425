"""The search: what it changes of planted tables, and that its confirmation is by people whom it never saw."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.errors import NotInDialect, OptionError, SynthprivWarning, UnknownColumn
from synthpriv_sql.remedies import calling, finding
from synthpriv_sql.remedies.measuring import Measures, Measuring
from synthpriv_sql.remedies.search import Search

PEOPLE = 380


def people(rng, rows):
    wealth = rng.normal(size=rows)
    return pa.table(
        {
            "income": np.round(50_000 + 9_000 * wealth + 3_000 * rng.normal(size=rows)).astype(int),
            "Balance": rng.gamma(2, 500, rows).round(2),
            "job": rng.choice(["x", "y", "z", "w"], rows),
            "visits": rng.integers(0, 90, rows),
            "class": rng.choice(list("ABCDEFGH"), rows),
            "born": rng.integers(1950, 2005, rows),
        }
    )


def leaking(rng, train, rows, share):
    """A table in which two columns, of so many rows, are those of people of train."""
    made = people(rng, rows)
    count = int(share * rows)
    for place, name in enumerate(["income", "Balance"]):
        values = made[name].to_numpy().copy()
        values[:count] = train[name].to_numpy()[:count]
        made = made.set_column(place, name, pa.array(values))
    return made


@pytest.fixture(scope="module")
def tables():
    rng = np.random.default_rng(5)
    train, holdout = people(rng, PEOPLE), people(rng, PEOPLE)
    return {"train": train, "holdout": holdout, "synthetic": leaking(rng, train, PEOPLE, 0.6)}


@pytest.fixture(scope="module")
def seen():
    """The train tables that are judged, in turn."""
    return []


def _noting(seen, measure):
    def noted(self, given, *more, **options):
        seen.append(given["train"])
        return measure(self, given, *more, **options)

    return noted


@pytest.fixture(scope="module")
def remedy(shared, tables, seen):
    """A search on halves of the people."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(finding, "FEWEST", PEOPLE // 2)
        for name in ("judged", "given_away"):
            patched.setattr(Measuring, name, _noting(seen, getattr(Measuring, name)))
        return shared.remedy(**tables, target="nobody")


def test_the_columns_that_leak_are_found_and_the_others_left_alone(remedy):
    rows = list(remedy)
    assert rows[0]["action"] == "start"
    assert rows[0]["level"] == "bad"
    assert rows[0]["named"] > 0
    assert rows[-1]["action"] == "confirmation"
    assert rows[-1]["named"] == 0
    assert rows[-1]["at_least"] < rows[0]["at_least"] / 4
    assert {row["column_name"] for row in rows} - {None} <= {"income", "Balance"}
    assert set(remedy.found.state.steps) <= {"income", "Balance"}
    assert rows[-1]["loss"] < 0.05
    assert (rows[-2]["action"], rows[-2]["named"]) == ("everyone", 0)
    assert remedy.sentences[2].startswith(f"Of all {PEOPLE} people together")
    assert [row["step"] for row in rows] == list(range(len(rows)))


def test_the_confirmation_is_by_people_whom_the_search_never_saw(remedy, seen, tables):
    # Visits and births tell people apart: neither column changes.
    def known(table):
        return set(zip(*(table[name].to_pylist() for name in ("visits", "born", "class", "job")), strict=True))

    *searched, together, confirming = seen
    assert len(together) == PEOPLE
    assert len(confirming) == PEOPLE // 2
    assert all(len(table) == PEOPLE // 2 for table in searched)
    twice = PEOPLE - len(known(tables["train"]))
    assert len(known(searched[0]) & known(confirming)) <= twice
    assert len(known(searched[0]) | known(confirming)) == len(known(tables["train"]))


def test_the_table_is_what_the_expressions_make_of_it(shared, remedy, tables):
    table = remedy.remedied.to_arrow()
    shared.connection.register("given", tables["synthetic"])
    try:
        assert shared.connection.sql(remedy.statement("given")).to_arrow_table().equals(table)
    finally:
        shared.connection.unregister("given")
    assert table.column_names == tables["synthetic"].column_names
    assert remedy.statement("clients", "snowflake").endswith("FROM clients")


def test_the_search_is_remembered_and_said_in_other_languages(shared, remedy, tables, seen):
    asked = len(seen)
    assert shared.remedied(**tables, target="nobody").to_arrow().equals(remedy.remedied.to_arrow())
    german = shared.remedy(**tables, target="nobody", language="de")
    assert len(seen) == asked
    assert german.sentences[0].startswith("Geändert: ")
    assert remedy.sentences[0].startswith("Changed: ")
    assert f"Of {PEOPLE // 2} people" in remedy.sentences[1]
    assert remedy.shortened().to_arrow().num_rows == len(remedy)


@pytest.mark.filterwarnings("ignore:train has", "ignore:holdout has")
def test_the_ladders_depend_on_synthetic_alone(shared, tables, monkeypatch):
    caught = []
    monkeypatch.setattr(
        Search,
        "run",
        lambda self: caught.append(
            {
                name: [(s.action, s.expression and s.expression.sql()) for s in steps]
                for name, steps in self.ladders.items()
            }
        ),
    )
    other = people(np.random.default_rng(77), PEOPLE)
    for train, holdout in (("train", "holdout"), ("holdout", "train"), ("train", None)):
        shared.remedy(
            tables["synthetic"], tables[train], tables[holdout] if holdout else other, target="nobody", steps=7
        )
    shared.searches._found.clear()
    assert len(caught) == 3
    assert caught[0] == caught[1] == caught[2]
    assert set(caught[0]) == set(tables["synthetic"].column_names)


class _Cheaply:
    """Cheap measures of every state are given, and who asks for a verdict is noted."""

    def __init__(self, quick):
        self.quick, self.asked = quick, []

    def quickly(self, tables, most=None):
        self.asked.append("quickly")
        return self.quick

    def judged(self, tables, whole=False):
        self.asked.append("judged")
        return replace(self.quick, by_all=True, level="bad")

    def given_away(self, tables):
        self.asked.append("given_away")
        return replace(self.quick, by_all=True)


@pytest.mark.filterwarnings("ignore:train has", "ignore:holdout has")
def test_the_verdict_on_the_coarsest_table_is_asked_only_where_it_may_be_needed(shared, tables, monkeypatch):
    caught = []
    monkeypatch.setattr(Search, "run", lambda self: caught.append(self))  # noqa: PLW0108 - a method is given itself
    shared.remedy(**tables, target="watch", steps=11)
    shared.searches._found.clear()
    search, harmless = caught[0], Measures(0, 0, 0.5, lasting=True)
    # It promises a good end, until a verdict on the way is bad.
    search.measuring = _Cheaply(harmless)
    assert search._bound(failed=False) is None
    assert search._bound(failed=False) is None
    assert search.measuring.asked == ["quickly"]
    assert search._bound(failed=True).level == "bad"
    assert search.measuring.asked == ["quickly", "judged"]
    # Cheap attacks say that the verdict stays bad: who is given away is asked, unless they say that as well.
    for at_least, asked in ((0, ["quickly", "given_away"]), (50, ["quickly"])):
        search._bounds.clear()
        search._known.clear()
        search.measuring = _Cheaply(replace(harmless, at_least=at_least, clear=True, lasting=False))
        assert search._bound(failed=False).at_least == at_least
        assert search.measuring.asked == asked


@pytest.mark.parametrize(
    ("options", "aside"), [({"exclude": ["balance", "JOB"]}, {"Balance", "job"}), ({"columns": ["Income"]}, None)]
)
@pytest.mark.filterwarnings("ignore:train has", "ignore:holdout has", "ignore:1 column")
def test_columns_that_are_not_compared_are_neither_searched_nor_a_loss(shared, tables, monkeypatch, options, aside):
    caught = []
    monkeypatch.setattr(Search, "run", lambda self: caught.append(self))  # noqa: PLW0108 - a method is given itself
    shared.remedy(**tables, target="nobody", steps=9, **options)
    shared.searches._found.clear()
    left = aside or set(tables["train"].column_names) - {"income"}
    assert set(caught[0].aside) == left
    assert set(caught[0].cells) == set(tables["train"].column_names) - left


def test_a_statement_names_the_table_as_it_was_given():
    names = {
        "clients": "clients",
        'main."Synth, v2"': 'main."Synth, v2"',
        '"a""b.csv"': '"a""b.csv"',
        "Synth v2": '"Synth v2"',
        "data/next.month.csv": '"next"',
        "(SELECT 1)": "synthetic",
    }
    assert {given: calling.named(given).sql("duckdb") for given in names} == names
    assert calling.named(None).sql("duckdb") == "synthetic"


def test_a_person_is_counted_once():
    table = pa.table({"Who": ["a", "b", None, "a", None]})
    assert finding._persons(table, "who").tolist() == [1, 2, 0, 1, 0]
    assert finding._persons(table.slice(0, 2), "who").tolist() == [0, 1]


def test_halves_have_whole_persons():
    people_, visits = 30, 4
    persons = pa.table({"who": np.repeat(np.arange(people_), visits), "n": np.arange(people_ * visits)})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(finding, "FEWEST", 10)
        halves = finding._halves({"train": persons, "holdout": persons}, {"seed": 3, "unit": "who"})
    for side in ("train", "holdout"):
        of = [set(persons["who"].to_numpy()[half[side]]) for half in halves]
        assert not of[0] & of[1]
        assert of[0] | of[1] == set(range(people_))
        assert len(halves[0][side]) + len(halves[1][side]) == len(persons)


def test_of_many_people_the_search_sees_some_and_the_others_confirm(monkeypatch):
    monkeypatch.setattr(finding, "FEWEST", 10)
    monkeypatch.setattr(finding, "MOST", 12)
    persons = pa.table({"who": np.repeat(np.arange(60), 2)})
    for options, size in (({"seed": 3, "unit": "who"}, 2), ({"seed": 3}, 1)):
        first, second = finding._halves({"train": persons, "holdout": persons}, options)
        assert len(first["train"]) == 12 * size
        assert len(second["train"]) == 60
        assert not set(first["train"]) & set(second["train"])


def test_few_people_are_all_seen_and_that_is_said(shared, tables):
    with pytest.warns(SynthprivWarning, match="too few for two halves"):
        assert finding._halves(tables, {"seed": 0}) == ({}, {})


def test_what_is_wrong_is_said_of_the_tables_that_were_given(shared, tables):
    with pytest.raises(UnknownColumn, match='no column "balanse"; did you mean "Balance"'):
        shared.remedy(**tables, keep=["balanse"])
    with pytest.raises(OptionError, match="takes no option"):
        shared.remedy(**tables, group_by="job")
    with pytest.raises(NotInDialect, match="which one SQL statement cannot"):
        shared.sql("remedy", **tables)
    with pytest.raises(OptionError, match="has subquery"):
        shared.remedy(**tables, ladder={"income": ["(SELECT 1)"]})
    with pytest.raises(OptionError, match='"income" does not change: option "keep" names it'):
        shared.remedy(**tables, ladder={"Income": ["1"]}, keep=["INCOME"])
    with pytest.raises(OptionError, match='level 1 of "job" cannot be computed for synthetic') as raised:
        shared.remedy(**tables, ladder={"job": ["CAST(job AS INTEGER)"]})
    assert not any(f"'{job}'" in str(raised.value) for job in "xyzw")


@pytest.mark.filterwarnings("ignore:train has", "ignore:holdout has")
def test_levels_of_numbers_may_be_texts_as_those_of_hierarchies_are(shared, tables, monkeypatch):
    caught = []
    monkeypatch.setattr(Search, "run", lambda self: caught.append(self))  # noqa: PLW0108 - a method is given itself
    visits = range(90)
    ranges = {"visits": visits, "tens": [f"[{n // 10}0, {n // 10}9]" for n in visits], "any": ["*"] * 90}
    shared.remedy(**tables, target="nobody", steps=8, ladder={"visits": pa.table(ranges)})
    shared.searches._found.clear()
    search, steps = caught[0], caught[0].ladders["visits"]
    assert [step.action for step in steps] == ["level 1", "level 2", "left out"]
    fine, coarse, out = (search._loss.of("visits", search._codes("visits", step)) for step in steps)
    assert search._loss.mean < fine < coarse < out


@pytest.mark.slow
def test_of_a_safe_table_nothing_changes(shared, tables):
    safe = people(np.random.default_rng(8), PEOPLE)
    rows = list(shared.remedy(**{**tables, "synthetic": safe}))
    assert [row["action"] for row in rows] == ["start", "confirmation"]
    assert rows[0]["level"] in {"good", "watch", "none"}
    assert shared.remedied(**{**tables, "synthetic": safe}).to_arrow().equals(safe)


@pytest.mark.nightly
def test_copies_are_taken_out_and_nothing_is_coarsened(shared):
    rng = np.random.default_rng(9)
    train, holdout = people(rng, 1200), people(rng, 1200)
    synthetic = pa.concat_tables([people(rng, 1200), train.slice(100, 9)])
    remedy = shared.remedy(synthetic, train, holdout, target="good")
    assert [row["action"] for row in remedy] == ["start", "removed", "confirmation"]
    assert 1190 <= remedy["records"][-1] <= 1202
    assert not remedy.found.state.steps
    assert remedy.sentences[1].startswith("Of 1,200 people, too few to be confirmed by others")
    assert remedy["named"][0] == 0  # nine people are too few to be named together, and are given away nevertheless
    assert "fewer than 40 who stand out together are not named" in remedy.sentences[1]
    assert set(range(1200, 1209)) <= set(remedy.found.removed)
    assert remedy.unwritten[0].endswith("no statement does that: only the table itself is without them.")


@pytest.mark.slow
def test_columns_to_keep_do_not_change_and_a_copy_of_the_rest_is_said_to_leak(shared, tables):
    copy = tables["train"].set_column(3, "visits", pa.array(np.zeros(PEOPLE, int)))
    kept = [name for name in copy.column_names if name != "visits"]
    remedy = shared.remedy(**{**tables, "synthetic": copy}, keep=kept, remove=0)
    assert remedy.level == "bad"
    assert remedy.sentences[0].startswith("No step helps")


@pytest.mark.again
@pytest.mark.filterwarnings("ignore")
def test_who_confirms_is_counted_in_persons(shared, tables, monkeypatch):
    monkeypatch.setattr(Search, "run", lambda self: None)
    twice = {
        side: table.append_column("Who", pa.array(np.arange(PEOPLE) // 2 + 1_000 * place))
        for place, (side, table) in enumerate(tables.items())
    }
    found = shared.remedy(**twice, unit="who", target="nobody", steps=6).found
    assert (found.people, found.everyone) == (PEOPLE // 2, PEOPLE // 2)
    monkeypatch.setattr(finding, "FEWEST", 50)
    found = shared.remedy(**twice, unit="who", target="nobody", steps=5).found
    assert (found.people, found.everyone) == (PEOPLE // 4, PEOPLE // 2)
    shared.searches._found.clear()


def test_persons_are_in_all_tables_or_the_error_says_where_not(shared, tables):
    persons = {
        side: table.append_column("Who", pa.array(np.arange(PEOPLE) // 2)) if side != "synthetic" else table
        for side, table in tables.items()
    }
    for function in (shared.remedy, shared.evaluate):
        with pytest.raises(UnknownColumn, match=r'option.* names column "who", which synthetic .* does not have'):
            function(**persons, unit="who")
