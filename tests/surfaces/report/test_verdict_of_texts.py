"""Texts of people that come back with typos, beside names, employers and templates that people share."""

import warnings

import pytest
import texts

from synthpriv_sql.errors import SynthprivWarning

ROWS = 400
SOME = {"attack": "distance", "named_by": "uniques", "columns": ["first", "name", "mail", "employer", "note", "age"]}


@pytest.fixture(scope="module")
def people():
    return texts.drawn(ROWS, 1), texts.drawn(ROWS, 2), texts.drawn(2 * ROWS, 3)


def evaluated(session, synthetic, train, holdout):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)
        return session.evaluate(synthetic, train, holdout, **SOME)


def test_addresses_with_a_typo_are_a_leak_and_their_column_is_named(session, people):
    train, holdout, synthetic = people
    found = evaluated(session, texts.planted(synthetic, train, "mail", "one edit", 30), train, holdout).verdict
    assert found.level == "bad"
    assert found.headline == (
        "30 e-mail addresses in mail, each of one person of train alone, come back as they are or nearly; of the "
        "holdout, 0 do."
    )
    assert any("above all in mail" in step for step in found.next_steps)


@pytest.mark.slow
@pytest.mark.parametrize(("column", "how"), [("name", "other case and blanks"), ("note", "two edits")])
def test_other_texts_are_a_leak_as_well(session, people, column, how):
    train, holdout, synthetic = people
    found = evaluated(session, texts.planted(synthetic, train, column, how, 30), train, holdout).verdict
    assert (found.level, f"in {column}, each of one person" in found.headline) == ("bad", True)


@pytest.mark.slow
def test_eight_words_in_a_row_inside_of_a_new_note_are_a_leak(session, people):
    train, holdout, synthetic = people
    found = evaluated(session, texts.with_phrases(synthetic, train, 8, 30), train, holdout).verdict
    assert (found.level, found.headline) == (
        "bad",
        "30 people of train have 8 words in a row in note that nobody else has, and that come back; of the holdout, 0 "
        "have.",
    )


@pytest.mark.again
def test_what_people_share_and_strangers_texts_are_none(session, people):
    train, holdout, synthetic = people
    result = evaluated(session, synthetic, train, holdout)
    assert "one person of train alone" not in result.verdict.headline + result.verdict.sentence
    rows = [row for row in result.to_arrow().to_pylist() if row["metric"] in {"near_replay", "phrase_replay"}]
    assert {(row["metric"], row["variant"]) for row in rows} == {
        *(("near_replay", name) for name in ("name", "mail", "note")), ("phrase_replay", "note"),
    }  # fmt: skip
    assert min(row["value"] for row in rows if row["statistic"] == "p_value") > 0.05
