"""Texts of single people that come back nearly: against all pairs, planted, and safe."""

import random

import oracle_people
import oracle_text
import pyarrow as pa
import pytest

from synthpriv_sql.errors import NotInDialect

ODD = [
    None, "", "  ", "a", "STRASSE 12", "Straße  12", "ﬁnal 7", "Final  7", "ı", "e\N{COMBINING ACUTE ACCENT}milie zola",
    "\N{LATIN SMALL LETTER E WITH ACUTE}MILIE ZOLA", "שלום עולם", "שלוםעולם",
    "\N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-5} well done",
    "\N{THUMBS UP SIGN} well done", "x" * 20_000, "x" * 20_000 + "y", "12345", "1234", "01234", "O'Neil \"Q\" \\",
]  # fmt: skip


def found(session, *tables, **options):
    return {row.pop("column_name"): row for row in session.replay(*tables, near=True, **options).to_arrow().to_pylist()}


def table(texts, persons=None):
    columns = {"n": range(len(texts)), "flag": [True] * len(texts), "A text": pa.array(texts, pa.string())}
    return pa.table(columns | ({} if persons is None else {"who": persons}))


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 20))])
def test_it_is_what_all_pairs_say(session, seed):
    draw = random.Random(seed)
    names = [
        "maria gonzales",
        "Mario Gonzalez",
        "Ann Lee",
        "ann lea",
        "Bartholomew Cunningham",
        "Zoë Ångström",
        "zoe angstrom",
        *ODD,
    ]

    def texts():
        for name in draw.choices(names, k=draw.randint(8, 16)):
            place = draw.randrange(len(name or "") + 1)
            yield (
                name
                if not name or draw.random() < 0.5
                else name[:place] + draw.choice("eX ") + name[place + draw.randrange(2) :]
            )

    synthetic, train, holdout = list(texts()), list(texts()), list(texts()) if seed % 3 else None
    rows = [len(train), len(holdout or [])]
    persons = [draw.randrange(9) for _ in range(sum(rows))] if seed % 2 else list(range(sum(rows)))
    options = {"unit": "who", "shared_units": True} if seed % 2 else {}
    sides = [table(train, persons[: rows[0]]), *([table(holdout, persons[rows[0] :])] if holdout else [])]
    if not options:
        sides = [side.drop_columns("who") for side in sides]
    row = found(session, table(synthetic), *sides, **options)["A text"]
    expected = oracle_text.replay(synthetic, train, holdout, persons)
    keys = ("train", "replayed", "holdout", "holdout_replayed", "records")
    got = tuple(row[key] for key in keys)
    if holdout is None:
        assert got == tuple(None if "holdout" in key else n for key, n in zip(keys, expected[20], strict=True))
        return
    tails = {
        most: oracle_people.tail(n + others, came + others_came, n, came) if n else 1.0
        for most, (n, came, others, others_came, _) in expected.items()
    }
    best = min(tails, key=lambda most: (round(tails[most], 12), -most))
    assert (row["edits"], got) == (best, expected[best])
    assert row["p_value"] == (pytest.approx(min(1.0, 3 * tails[best])) if row["train"] else None)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 9))])
def test_phrases_are_what_sets_of_runs_say(session, seed):
    draw = random.Random(seed)
    vocabulary = ["Der", "Hund,", "the-dog", "7", "été", "\N{THUMBS UP SIGN}", "schläft", "a_b", "IM", "Garten"]

    def texts(rows):
        kept = [" ".join(draw.choices(vocabulary, k=draw.randint(6, 14))) for _ in range(rows)]
        return [*kept, *draw.choices(kept, k=3), None, ""]

    synthetic, train, holdout = texts(30), texts(12), texts(9) if seed % 2 else None
    rows = [len(train), len(holdout or [])]
    persons = [draw.randrange(9) for _ in range(sum(rows))]
    sides = [table(train, persons[: rows[0]]), *([table(holdout, persons[rows[0] :])] if holdout else [])]
    options = {"unit": "who", "shared_units": True, "phrase": 2}
    (row,) = [r for r in session.replay(table(synthetic), *sides, **options).to_arrow().to_pylist() if r["words"]]
    expected = oracle_text.phrases(synthetic, train, holdout, persons, 2)
    got = [row[key] for key in ("train", "replayed", "holdout", "holdout_replayed", "records")]
    assert row["kind"] == "phrase"
    if holdout:
        tails = {k: oracle_people.tail(n + o, b + c, n, b) if n else 1.0 for k, (n, b, o, c, _) in expected.items()}
        best = min(tails, key=lambda k: (round(tails[k], 12), k))
        assert (row["words"], tuple(got)) == (best, expected[best])
        assert row["p_value"] == pytest.approx(min(1.0, 3 * tails[best]))
    else:
        assert got == [None if i in {2, 3} else n for i, n in enumerate(expected[2])]
    # Of short texts there are none.
    short = [text and text.split(" ")[0] for text in train]
    found = session.replay(table(short), table(short), phrase=2).to_arrow().to_pylist()
    assert [r["kind"] for r in found if r["words"]] == []


def test_columns_of_other_types_and_without_values_are_as_without_it(session):
    one, none = table(["Anna Smith"]), table([None])
    assert found(session, one, one)["A text"]["replayed"] == 1
    for pair, (train, replayed) in [((none, one), (1, 0)), ((one, none), (0, 0))]:
        row = found(session, *pair)["A text"]
        assert (row["train"], row["replayed"], row["records"], row["p_value"]) == (train, replayed, 0, None)
    numbers = pa.table({"n": [1, 2]})
    (row,) = session.replay(numbers, numbers, near=True).to_arrow().to_pylist()
    assert row.pop("edits") is None
    assert [row] == session.replay(numbers, numbers).to_arrow().to_pylist()


def test_where_there_is_no_kernel_it_is_refused_by_name(session):
    one = table(["Anna Smith"])
    with pytest.raises(NotInDialect, match="compares texts with the kernel"):
        session.sql("replay", dialect="spark", synthetic=one, train=one, near=True)
