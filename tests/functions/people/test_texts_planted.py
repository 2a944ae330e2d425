"""Texts of a few people among many, planted in several ways: what is found of them, and nothing else."""

import functools

import pyarrow as pa
import pytest
import texts

SMALL, LARGE = 1_000, 25_000
COLUMNS = ["first", "mail", "employer", "note"]
RATES = [pytest.param(LARGE, share, marks=pytest.mark.nightly) for share in (0.001, 0.003)]
WAYS = ["verbatim", "one edit", "two edits", "other case and blanks", "reordered"]


@functools.cache
def people(rows):
    """Synthetic, train, holdout."""
    return [texts.drawn(n, seed)[COLUMNS] for n, seed in ((2 * rows, 3), (rows, 1), (rows, 2))]


def found(session, *tables, **options):
    rows = session.replay(*tables, near=True, phrase=4, **options).to_arrow().to_pylist()
    return {(row["column_name"], "phrase" if row["kind"] == "phrase" else "values"): row for row in rows}


@pytest.mark.parametrize("rows", [SMALL, pytest.param(LARGE, marks=pytest.mark.nightly)])
def test_of_tables_without_them_nothing_is_found(shared, rows):
    tables = people(rows)
    got = found(shared, *tables)
    assert min(row["p_value"] for row in got.values() if row["p_value"] is not None) > 0.02
    # Nobody alone has a common first name, an employer, a template; whole notes of strangers do not come back.
    assert got["employer", "values"]["train"] == got["first", "values"]["train"] == 0
    assert got["note", "values"]["train"] < 0.9 * rows
    assert got["note", "values"]["replayed"] == 0


@pytest.mark.parametrize(("rows", "share"), [(SMALL, 0.03), *RATES])
def test_what_was_planted_is_found(shared, rows, share):
    synthetic, train, holdout = people(rows)
    count = round(share * rows)
    for how in WAYS if rows == LARGE else ["one edit", "reordered"]:
        changed = texts.planted(texts.planted(synthetic, train, "mail", how, count, 1), train, "note", how, count, 2)
        got = found(shared, changed, train, holdout)
        note, mail = got["note", "phrase" if how == "reordered" else "values"], got["mail", "values"]
        assert (note["replayed"], note["holdout_replayed"], note["p_value"] < 1e-5) == (count, 0, True), how
        # Addresses of strangers come back within an edit or two, too, the more of them the more people there are.
        limit = 1e-5 if how not in {"one edit", "two edits"} else 0.02 if count > 50 else 1e-5 if rows == SMALL else 0.1
        assert mail["p_value"] < limit, how
        assert mail["replayed"] - mail["holdout_replayed"] >= 0.6 * count, how
        assert got["employer", "values"]["train"] == got["first", "values"]["train"] == 0
    got = found(shared, texts.with_phrases(synthetic, train, 8, count), train, holdout)["note", "phrase"]
    assert (got["words"], got["replayed"], got["holdout_replayed"]) == (8, count, 0)
    assert got["p_value"] < 1e-5


@pytest.mark.parametrize(("rows", "share"), [(SMALL, 0.03), *RATES])
def test_account_numbers_with_another_last_digit_are_found_where_they_are_rare(shared, rows, share):
    count = round(share * rows)
    tables = [table[["first"]] for table in people(rows)]
    rare = found(shared, *texts.with_accounts(tables, dense=False, changed=count))["account", "values"]
    # Of a billion pairs of numbers of strangers, a few differ by two edits.
    assert rare["replayed"] - rare["holdout_replayed"] >= count
    assert rare["edits"] > 0
    assert rare["p_value"] < 1e-5
    dense = found(shared, *texts.with_accounts(tables, dense=True, changed=count))["account", "values"]
    assert dense["train"] < 0.02 * rows
    assert (dense["p_value"] or 1.0) > 0.01


@pytest.mark.nightly
def test_texts_of_ten_megabytes_come_back_by_equality_and_phrases(shared):
    """Beyond 10,000 characters an edit is too many, other case and blanks are not; short ones beside are found."""
    long = ["".join(f"{side} word{i} of a long text, " for i in range(400_000)) for side in ("Ann's", "Bob's")]
    assert min(map(len, long)) > 10_000_000
    train = pa.table({"note": [*long, "the short note of one person alone", None, ""]})
    other = pa.table({"note": ["nobody else at all wrote this one note", None, ""]})
    changed = pa.table(
        {"note": [long[0].upper().replace(" ", "  "), long[1][1:], "the short note of one person alome", None, ""]}
    )
    values, phrases = shared.replay(changed, train, other, near=True, phrase=4).to_arrow().to_pylist()
    assert [values[key] for key in ("train", "replayed", "records", "holdout_replayed")] == [3, 2, 2, 0]
    assert [phrases[key] for key in ("train", "replayed")] == [3, 3]
