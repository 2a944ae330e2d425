"""Columns that are named as texts: distances leave them out, attacks compare them by nearness, and it is said."""

import warnings

import numpy as np
import pyarrow as pa
import pytest
import texts

from synthpriv_sql.errors import OptionError, SynthprivWarning, UnknownColumn

ROWS = 120


@pytest.fixture(scope="module")
def tables():
    train, holdout, synthetic = (texts.drawn(n, seed) for n, seed in ((ROWS, 1), (ROWS, 2), (ROWS, 3)))
    random = np.random.default_rng(1)
    synthetic.loc[:9, "first"] = [texts.with_edits(f"{name} of house", 1, random) for name in train["first"][:10]]
    train["first"] += " of house"
    return synthetic.assign(age=train.age), train, holdout


def rows(session, function, *tables, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error", SynthprivWarning)
        return getattr(session, function)(*tables, **options).to_arrow().to_pylist()


def test_distances_leave_them_out_and_copies_do_not(shared, tables):
    synthetic, train, _ = tables
    named = ["name", "mail", "note"]
    for metric in ("gower", "euclidean", "hamming"):
        with_text = rows(shared, "dcr", synthetic, train, text=named, metric=metric)
        assert with_text == rows(shared, "dcr", synthetic, train, exclude=named, metric=metric)
    same = train.assign(mail=synthetic.mail)
    assert {row["dcr"] for row in rows(shared, "dcr", same, train, text=named)} == {0.0}
    assert {row["copies"] for row in rows(shared, "copies", same, train, text=named)} == {0}
    assert {row["copies"] for row in rows(shared, "copies", same, train, exclude=["mail"])} == {1}


def test_attacks_compare_them_by_nearness_however_few_values_they_have(shared, tables):
    synthetic, train, holdout = tables
    options = {"attack": "agreement_near", "exclude": ["name", "mail", "note", "employer", "income"]}
    with_text = rows(shared, "exposure", synthetic, train, holdout, **options, text=["FIRST"])
    agreeing = {row["record"]: {one["column"] for one in row["agreeing"]} for row in with_text}
    assert all("first" in agreeing[record] for record in range(10))


@pytest.mark.again
def test_evaluate_says_so_and_takes_them_for_no_identifiers(shared, tables):
    options = {"attack": "distance", "named_by": "uniques", "exclude": ["name", "mail"]}
    result = shared.evaluate(*tables, **options, text=["note"])
    names = {(row["metric"], row["variant"], row["statistic"]) for row in result.to_arrow().to_pylist()}
    assert ("texts", "note", "column") in names
    assert not any(metric == "identifiers" and variant == "note" for metric, variant, _ in names)
    assert any("No distance looked at the texts in note; attacks did." in line for line in result.verdict.reasons)


def test_the_role_by_itself(shared, tables):
    """Columns with more distinct values than half of the rows, most of letters, in train and in the holdout."""
    synthetic, train, holdout = tables
    coded = train.assign(code=[f"{n:06}" for n in range(ROWS)])
    half = holdout.assign(name=["Anna Smith"] * (ROWS // 2 + 1) + [*holdout.name[ROWS // 2 + 1 :]])
    three = (synthetic.assign(code=coded.code), coded, half.assign(code=coded.code))
    with pytest.warns(SynthprivWarning, match=r'^columns "mail", "note" are of texts, by text=.auto.'):
        by_itself = shared.membership(*three, attack="distance", text="auto").to_arrow()
    assert by_itself == shared.membership(*three, attack="distance", text=["mail", "note"]).to_arrow()

    def dcr(*tables, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SynthprivWarning)
            return shared.dcr(*tables, **options).fetchall()

    names = ["name", "mail", "note"]
    assert dcr(synthetic, train, text="auto") == dcr(synthetic, train, text=names) != dcr(synthetic, train)
    assert dcr(synthetic, train, text="auto", categorical=names) == dcr(synthetic, train)
    called = [table.rename(columns={"employer": "auto"}) for table in (synthetic, train)]
    assert dcr(*called, text="auto") == dcr(*called, exclude=["auto"])
    with pytest.warns(SynthprivWarning), pytest.raises(OptionError, match="names every compared column"):
        shared.dcr(synthetic, train, text="auto", columns=["mail"])


@pytest.mark.again
def test_the_caution_about_identifiers_names_the_option(shared, tables):
    random = np.random.default_rng(5)
    coded = [table.assign(code=random.integers(10**8, 10**9, ROWS).astype(str)) for table in tables]
    options = {"attack": "distance", "named_by": "uniques", "exclude": ["name"], "weights": {"code": 1}}
    with pytest.warns(SynthprivWarning, match="look like identifiers") as said:
        shared.evaluate(*coded, **options)
    (caution,) = [str(one.message) for one in said if "identifiers" in str(one.message)]
    assert '"code" and "mail" look' in caution
    assert """If "mail" holds names, addresses or notes, give text=['mail'] instead""" in caution


def test_what_cannot_be_meant_is_an_error(shared):
    some = pa.table({"a": ["x", "y"], "n": [1, 2]})
    for options, error, words in (
        ({"text": ["a", "n"]}, OptionError, '"text" names every compared column'),
        ({"text": ["n"], "numeric": ["n"]}, OptionError, "in both options numeric and text"),
        ({"text": ["b"]}, UnknownColumn, "b"),
        ({"text": ["a"], "exclude": ["a"]}, UnknownColumn, "not among those compared"),
    ):
        with pytest.raises(error, match=words):
            shared.dcr(some, some, **options)
