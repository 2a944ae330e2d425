"""People whose name and address come back with typos: found by attacks, and flagged."""

import warnings

import numpy as np
import oracle_text
import pytest
import texts

from synthpriv_sql.errors import SynthprivWarning

ROWS, PLANTED = 400, 12


@pytest.fixture(scope="module")
def people():
    return texts.drawn(ROWS, 1), texts.drawn(ROWS, 2), texts.drawn(2 * ROWS, 3)


def copied(synthetic, train, columns=("name", "mail"), how="one edit"):
    """A synthetic table, of whose first records each has the texts of a person of train, changed."""
    random = np.random.default_rng(4)
    out = synthetic.copy()
    for column in columns:
        changed = [texts.PLANTED[how](text, random) for text in train[column][:PLANTED]]
        out.loc[: PLANTED - 1, column] = changed
    return out


def asked(session, function, *tables, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SynthprivWarning)
        return getattr(session, function)(*tables, **options).to_arrow().to_pylist()


def test_people_with_typos_are_at_the_top_of_the_list_by_nearness(shared, people):
    train, holdout, synthetic = people
    tables, options = (copied(synthetic, train), train, holdout), {"attack": ["agreement", "agreement_near"]}
    equal, near = asked(shared, "membership", *tables, **options, false_positive_rates=[0.01])
    assert (equal["at_least"], equal["top_p_value"] > 0.05) == (0, True)
    assert near["at_least"] >= 5
    assert near["top_p_value"] < 0.05
    rows = asked(shared, "exposure", *tables, attack="agreement_near")
    sure = {row["record"]: row for row in rows if row["sure"]}
    assert len(sure.keys() & set(range(PLANTED))) >= 9
    for record in sure.keys() & set(range(PLANTED)):
        assert sure[record]["synthetic"] == record
        assert {"name", "mail"} <= {agreeing["column"] for agreeing in sure[record]["agreeing"]}


@pytest.mark.slow
def test_the_learned_attack_finds_them_too(shared, people):
    train, holdout, synthetic = (table[["mail", "note", "age"]] for table in people)
    options = {"attack": "learned", "false_positive_rates": [0.01], "folds": 2}
    (safe,) = asked(shared, "membership", synthetic, train, holdout, **options)
    random, changed = np.random.default_rng(4), synthetic.copy()
    changed.loc[:79, "mail"] = [texts.with_edits(mail, 1, random) for mail in train.mail[:80]]
    (typos,) = asked(shared, "membership", changed, train, holdout, **options)
    (words,) = asked(shared, "membership", texts.with_phrases(synthetic, train, 8, 80), train, holdout, **options)
    assert (safe["at_least"], safe["auc"] < 0.54) == (0, True)
    assert min(typos["at_least"], words["at_least"]) > 5


def test_strangers_with_such_names_are_not(shared, people):
    train, holdout, synthetic = people
    (near,) = asked(
        shared, "membership", synthetic, train, holdout, attack="agreement_near", false_positive_rates=[0.01]
    )
    assert near["at_least"] == 0
    assert near["top_p_value"] > 0.05


def test_texts_that_are_flagged_are_those_of_the_oracle(shared):
    random = np.random.default_rng(8)
    rows, kept = {"train": 26, "holdout": 22, "synthetic": 30}, ["name", "mail", "note", "age", "income"]
    tables = {side: texts.drawn(n, seed)[kept] for seed, (side, n) in enumerate(rows.items(), 5)}
    for table in tables.values():
        table["note"] = [" ".join(note.split()[:14]) for note in table.note]
    train, holdout, fresh = tables.values()
    for i in range(8):
        words, mine = train.note[i].split(), fresh.note[i].split()
        fresh.loc[i, "note"] = " ".join([*mine[: i % 3], *words[: 7 + i], *mine[:2]])
        fresh.loc[i + 5, "mail"] = texts.with_edits((train if i < 6 else holdout).mail[2 * i], i % 4, random)
        fresh.loc[i + 14, "name"] = (train if i % 2 else holdout).name[i].upper()
    fresh.loc[25, ["mail", "note"]] = None
    compared = {"dcr_below": 0, "columns": ["age", "income"]}
    for held in (None, holdout):
        rows = asked(shared, "screen", fresh, train, held, **compared)
        near, longest = set(), dict.fromkeys(range(30), 0)
        for column in ("name", "mail", "note"):
            present = fresh.index[fresh[column].notna()]
            real = [None if table is None else table[column].tolist() for table in (train, held)]
            found = oracle_text.flagged(fresh[column][present].tolist(), *real)
            near |= {i for i, is_near in zip(present, found[0], strict=True) if is_near}
            longest |= {i: max(longest[i], n) for i, n in zip(present, found[1], strict=True)}
        assert {row["record"] for row in rows if "text" in row["reasons"]} == near
        assert {row["record"]: row["words"] or 0 for row in rows} == longest
        assert all(("phrase" in row["reasons"]) == (row["words"] is not None) for row in rows)
        assert near
        assert max(longest.values()) > 10


def test_people_with_typos_are_flagged_and_taken_out(shared, people):
    train, holdout, synthetic = people
    tables = (copied(synthetic, train), train, holdout)
    for column, how in (("name", "other case and blanks"), ("mail", "two edits")):
        changed = copied(synthetic, train, [column], how)
        rows = asked(shared, "screen", changed, train, holdout, dcr_below=0)
        assert {row["record"] for row in rows if "text" in row["reasons"]} >= set(range(PLANTED))
    kept = asked(shared, "safe", *tables, dcr_below=0)
    assert 2 * ROWS - PLANTED - 2 <= len(kept) <= 2 * ROWS - PLANTED
    assert len(asked(shared, "safe", *tables, dcr_below=0, near_texts=False)) == 2 * ROWS
    # A person's other rows go as well.
    persons = [
        table.assign(who=[f"{side}{i // 2}" for i in range(len(table))])
        for side, table in zip("str", tables, strict=True)
    ]
    rows = asked(shared, "screen", *persons, dcr_below=0, unit="who")
    assert [row["reasons"] for row in rows[:PLANTED]] == [["text"]] * PLANTED
    single = persons[0].assign(name=synthetic.name, mail=[*tables[0].mail[:1], *synthetic.mail[1:]])
    rows = asked(shared, "screen", single, *persons[1:], dcr_below=0, unit="who")
    assert [row["reasons"] for row in rows[:3]] == [["text"], ["person"], []]


def test_categories_codes_and_strangers_texts_are_no_reason(shared, people):
    train, holdout, synthetic = people
    rows = asked(shared, "screen", synthetic, train, holdout, dcr_below=0)
    assert not any(row["flagged"] for row in rows)
    numbered = [
        table.assign(code=[f"DE{10_000_000 + 7 * i + k}" for i in range(len(table))]) for k, table in enumerate(people)
    ]
    rows = asked(shared, "screen", numbered[2], *numbered[:2], dcr_below=0)
    assert not any(row["flagged"] for row in rows)
