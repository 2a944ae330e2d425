"""Where nothing can be compared with strangers, the verdict looks at what comes back, and claims no more than that."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.report.decision.contents import About
from synthpriv_sql.report.decision.numbers import missed, rows, untested
from synthpriv_sql.report.decision.several import decide_candidates, decide_family
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.family import family
from synthpriv_sql.report.verdict.words import verdict

BACK = "{} {} in {}, each of one person of train alone, come back; how many do so by chance, only a holdout can show."


def number(metric, statistic, value, variant=None, lower=None, upper=None, meaning=""):
    row = {"item": "number", "section": metric, "metric": metric, "variant": variant, "statistic": statistic}
    return row | {"value": value, "lower": lower, "upper": upper, "better": None, "meaning": meaning}


def tables(**rows):
    return [number("tables", "rows", 1000.0, side) for side in ("synthetic", "train", *rows)]


def within(side, replicated, p_value, at_least=0.0):
    found = {"people": 500.0, "replicated": replicated, "control": 50.0, "ratio": replicated / 50}
    found |= {"p_value": p_value, "at_least": at_least}
    return [number("within", name, value, side) for name, value in found.items()]


def replayed(column, kind, back, running=0.0):
    return [
        number("replay", "train", 1000.0, column),
        number("replay", "replayed", back, column, meaning=f"How many come back. They look like: {kind}."),
        number("replay", "running", running, column),
    ]


def alone(column, kind, back, out=True, running=0.0):
    """The numbers of a table without a holdout, of which values of a column come back."""
    left_out = [number("left_out", "column", 1.0, column)] if out else []
    copies = [number("copies", name, 0.0) for name in ("records", "share")]
    found = [*tables(), *copies, *left_out, *within("train", 50.0, 0.5), *replayed(column, kind, back, running)]
    return Measured(found)


@pytest.mark.parametrize(
    ("column", "level", "said"),
    [
        (("mail", "email", 60.0), "watch", BACK.format(60, "e-mail addresses", "mail")),
        (("mail", "email", 60.0, False), "watch", BACK.format(60, "e-mail addresses", "mail")),
        (("mail", "email", 4.0), "none", BACK.format(4, "e-mail addresses", "mail")),
        # What may be a measurement is said where nothing else looked at it.
        (("dose", "number", 60.0), "none", BACK.format(60, "numbers", "dose")),
        (("dose", "number", 60.0, False), "none", None),
        (("no", "running", 60.0, True, 1.0), "none", None),
        (("mail", "email", 0.0), "none", None),
    ],
)
def test_values_that_come_back_are_said_without_a_holdout(column, level, said):
    measured = alone(*column)
    found = verdict(measured)
    shown = [finding for finding in found.findings if finding.section == "replay"]
    rows_shown = [row for row in rows(measured) if "that come back" in row.question]
    assert found.level == level
    assert (said in [found.headline, *found.reasons]) == (said is not None)
    assert [finding.level for finding in shown] == [level] * (said is not None)
    assert [row.otherwise for row in rows_shown] == ["unknown without a holdout"] * (said is not None)
    steps = " ".join(found.next_steps)
    assert "Give real people as holdout" in steps
    assert ("replay counts the values that come back, by column: above all in mail" in steps) == (level == "watch")
    assert "more rows of synthetic and of the holdout" not in steps


def seen(train, leaks):
    """The numbers of a table whose synthesizer saw the holdout, and of which train leaks, or does not."""
    found = [*tables(holdout=1), *within("train", train, 1e-9 if leaks else 0.5), *within("holdout", 90.0, 1e-9, 9.0)]
    for depth in (None, "near", "copies"):
        found.append(number("holdout_share", "share", 0.5, depth, 0.45, 0.55))
        found += [number("holdout_share", name, 0.5, depth) for name in ("expected", "p_value")]
        found.append(number("holdout_share", "closer", 500.0, depth))
    found += [number("near_copies", "share", 0.5), number("copies", "share", 0.5, lower=0.4, upper=0.6)]
    found += [number("copies", "records", 500.0), number("copies", "expected", 0.5, upper=0.6)]
    found += [number("membership", "auc", 0.5, "agreement", 0.45, 0.55), number("membership", "noticed", 0.54)]
    found.append(number("membership", "p_value", 0.5, "agreement"))
    found += [number("exposure", name, value) for name, value in (("exposed", 0), ("people", 1000), ("missed", 7))]
    found.append(number("exposure", "exposed", 0.0, "uniques"))
    mail = [("holdout", 1000.0), ("holdout_replayed", 1.0), ("p_value", 0.5)]
    found += [*replayed("mail", "email", 1.0), *(number("replay", name, value, "mail") for name, value in mail)]
    return Measured(found)


@pytest.mark.parametrize("leaks", [True, False])
def test_a_holdout_that_was_seen_clears_nothing_and_is_a_conclusion_with_numbers(leaks):
    measured = seen(90.0 if leaks else 51.0, leaks)
    found = verdict(measured)
    assert found.level == ("bad" if leaks else "none")
    by_numbers = "(90 combinations of 500 people, where 50 are expected)"
    assert f"recur 1.80 times as often as among real people {by_numbers}" in found.sentence
    assert ("those of train 1.02 times" in found.sentence) == (not leaks)
    # No tick beside a number that was compared with it, and no claim of what it would have shown.
    assert {finding.level for finding in found.findings} <= {"bad", "none", ""}
    assert "would have been detected" not in found.sentence
    assert "holdout" in missed(measured)
    assert "fewer than 7" not in missed(measured)
    if leaks:
        assert "no statement is possible" not in " ".join(untested(measured, found, {}))
        steps = " ".join(found.next_steps)
        assert "Give real people as holdout whom the synthesizer never saw" in steps
        assert "until_safe" not in steps


def test_a_leak_beside_an_invalid_holdout_does_not_say_that_no_statement_is_possible():
    away = {"meaning": "differ in job (6.1 % of the holdout's values never occur in train)"}
    found = [*tables(holdout=1), number("split", "differs", 1.0) | away, number("split", "auc", 0.5, None, 0.49, 0.51)]
    found += [number("membership", "auc", 0.7, "uniques", 0.69, 0.71), number("membership", "p_value", 1e-9, "uniques")]
    said = verdict(Measured(found))
    assert said.level == "bad"
    assert said.obstacles
    assert "no statement" not in " ".join(said.obstacles).lower()


def test_values_that_come_back_where_nothing_looked_at_them_are_no_disagreement():
    """Distances do not show what comes back in a column that they were told to leave out."""
    found = [*tables(holdout=1), number("left_out", "column", 1.0, "mail"), *replayed("mail", "email", 60.0)]
    found += [number("replay", name, value, "mail") for name, value in (("holdout", 1000.0), ("p_value", 1e-17))]
    found += [number("copies", name, 0.0) for name in ("records", "share")]
    said = verdict(Measured(found))
    assert (said.level, said.disagreement) == ("bad", "")


def test_the_headline_has_the_column_that_is_beyond_chance():
    """Not the first of those that chance may explain: here as few people of each column are given away, none."""
    found = [*tables(holdout=1), *replayed("age", "number", 0.0), *replayed("mail", "email", 60.0)]
    for column, held, p_value in (("age", 0.0, 1.0), ("mail", 50.0, 1e-4)):
        numbers = {"holdout": 1000.0, "holdout_replayed": held, "p_value": p_value}
        found += [number("replay", name, value, column) for name, value in numbers.items()]
    said = verdict(Measured([*found, *(number("copies", name, 0.0) for name in ("records", "share"))]))
    assert (said.level, said.headline) == (
        "watch", "60 e-mail addresses in mail, each of one person of train alone, come back; of the holdout, 50 do.",
    )  # fmt: skip


def about(**given):
    made = {"tables": {}, "hashes": {}, "made": datetime(2026, 1, 1, tzinfo=UTC), "versions": {}, "options": {}}
    return About(**made | given)


def test_a_family_without_a_holdout_has_lines_to_attest_and_names_the_columns_of_each_part():
    parts = {"parents": alone("dose", "number", 0.0), "visits": alone("mail", "email", 60.0)}
    found = family({name: verdict(measured) for name, measured in parts.items()})
    page = decide_family(found, {name: measured.rows for name, measured in parts.items()}, about())
    assert page.headline.startswith("visits: 60 e-mail addresses in mail")
    assert len(page.attested) == 2
    assert "each record was counted as a person" not in " ".join(page.untested)
    assert {"The columns dose, beyond", "The columns mail, beyond"} <= {line[:24] for line in page.untested}


def test_candidates_say_how_many_are_given_away():
    row = {"candidate": "a", "fidelity": 0.9, "auc": 0.52, "lower": 0.5, "upper": 0.54, "exposed": 0, "at_least": 14}
    page = decide_candidates("none", [], [{**row, "verdict": SimpleNamespace(level="bad")}], about())
    (shown,) = page.rows
    assert (shown.found, shown.interval) == ("52\u202f%", "50 to 54\u202f%")
    assert "0 people named, at least 14 given away" in shown.otherwise


def test_a_holdout_that_was_seen_gives_no_number_of_people():
    """Nobody was named beside a holdout that shares what train does: the page does not print it as an answer."""
    (people, *_others) = rows(seen(90.0, True))
    assert (people.found, people.otherwise) == ("—", "the holdout is not valid")


def test_numbers_beside_an_invalid_holdout_are_not_shown():
    """They compare with other people, and would look like a leak, or like none."""
    found = [*tables(holdout=1), number("split", "differs", 1.0), number("split", "auc", 0.9, None, 0.89, 0.91)]
    found += [number("membership", "auc", 0.66, "uniques", 0.6, 0.7), number("membership", "p_value", 1e-9, "uniques")]
    found += [number("holdout_share", "share", 1.0, None, 1.0, 1.0), number("holdout_share", "expected", 0.5)]
    found += [number("holdout_share", "p_value", 1e-9), number("exposure", "exposed", 0.0)]
    measured = Measured(found)
    said = verdict(measured)
    assert said.level == "none"
    shown = {one.section: one.figure for one in said.findings}
    assert [shown[name] for name in ("exposure", "top", "membership", "closer")] == ["—"] * 4
    assert "closer to train" not in said.sentence
    assert {row.found for row in rows(measured) if row.otherwise == "the holdout is not valid"} == {"—"}
    assert len([row for row in rows(measured) if row.otherwise == "the holdout is not valid"]) == 2
