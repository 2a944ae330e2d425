"""Runs of words in `uniques`: against sets of runs, with units, releases, odd texts, and where there is no kernel."""

import random

import oracle_text
import pyarrow as pa
import pytest

from synthpriv_sql.errors import NotInDialect

WORDS = [
    "Der",
    "Hund,",
    "the-dog",
    "7",
    "été",
    "\N{THUMBS UP SIGN}",
    "שלום",
    "a_b",
    "IM",
    "e\N{COMBINING ACUTE ACCENT}t",
]


def table(texts, persons=None):
    return pa.table(
        {"A note": pa.array(texts, pa.string()), "n": [1] * len(texts)} | ({"who": persons} if persons else {})
    )


def found(session, *tables, **options):
    rows = session.uniques(*tables, phrase=3, columns=["A note"], **options).to_arrow().to_pylist()
    return [row for row in rows if row["words"]]


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 12))])
def test_the_longest_runs_are_what_sets_of_runs_say(shared, seed):
    draw = random.Random(seed)

    def texts(rows):
        kept = [" ".join(draw.choices(WORDS, k=draw.randint(6, 14))) for _ in range(rows)]
        return [*kept, *draw.choices(kept, k=2), None, "", kept[0].upper()]

    synthetic, train, holdout = texts(20), texts(10), texts(9)
    synthetic += [" ".join([*train[i].split(" ")[:5], *synthetic[i].split(" ")]) for i in range(4)]
    rows = len(train) + len(holdout)
    persons = [draw.randrange(9) for _ in range(rows)] if seed % 2 else list(range(rows))
    sides = [table(train, persons[: len(train)]), table(holdout, persons[len(train) :])]
    options = {"unit": "who", "shared_units": True} if seed % 2 else {}
    got = found(shared, table(synthetic), *sides, **options)
    asked = ("side", "record", "synthetic", "also", "words")
    got = {tuple(row[k] for k in asked) for row in got}
    expected = oracle_text.longest_phrases(synthetic, train, holdout, persons, 3)
    assert got == expected


def test_it_is_a_row_beside_the_values_and_of_the_release_that_has_it(shared):
    train = table([f"one two three four five six seven {i}" for i in range(4)])
    note = "six seven 2 and more"
    fresh, older = table(["nothing of that here at all, again"] * 3), table(["x y z a b c", note])
    rows = found(shared, fresh, train, releases={"older": older})
    assert [(r["record"], r["columns"], r["synthetic"], r["release"], r["words"]) for r in rows] == [
        (2, ["A note"], 1, "older", 3)
    ]
    both = shared.uniques(train, train, phrase=3, columns=["A note"]).to_arrow().to_pylist()
    assert [row["words"] for row in both] == [None, 8] * 4
    assert "words" not in shared.uniques(train, train).to_arrow().column_names


def test_of_very_long_texts_the_first_words_count(shared):
    words, own = ["x"] * 9_990, "one two three four five six seven eight"
    late, early = " ".join([*words, *words, own]), " ".join([*words[:50], own, *words, *words])
    for text, expected in ((late, []), (early, [8])):
        rows = found(shared, table([own]), table([text, "a b c d e f g"]))
        assert [row["words"] for row in rows] == expected


def test_there_are_none_of_short_texts_without_rows_or_without_a_kernel(shared):
    short, none = table(["two words"] * 3), table([None, None])
    for pair in ((short, short), (none, short), (short, none)):
        assert found(shared, *pair) == []
    numbers = pa.table({"n": [1, 2, 3]})
    assert [row["words"] for row in shared.uniques(numbers, numbers, phrase=4).to_arrow().to_pylist()] == [None] * 3
    with pytest.raises(NotInDialect, match="compares texts with the kernel"):
        shared.sql("uniques", dialect="spark", synthetic=short, train=short, phrase=4)
