"""Disclosure by groups, against counting with fractions and published numbers."""

import pyarrow as pa
import pytest
from calls import DATA, call, close, create, needs_data, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import is_missing
from referee import difference, disclosure, grouped
from strategies import KINDS

from examples import some
from synthpriv_sql import errors

OF_KEYS = ("unique_real", "replicated_uniques", "keys_in_synthetic")
OF_TARGETS = (
    *("attributable_real", "attributable_synthetic", "disclosive_in_synthetic", "correct_disclosures", "DiSDiO"),
    *("baseline", "CAPd", "CAPs", "DCAP", "TCAP"),
)
OF_SYNTHETIC = {"attributable_synthetic", "CAPs"}
SIDES = ("synthetic", "train", "holdout")
NAMES = ("side", "Mixed Case", 'a"b', "position", "value_group", "select", "measure")
NUMBERS = ("integer", "float", "date")


@st.composite
def trios(draw):
    """Three tables alike, their values by table and column, kinds, and two groups of columns."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
    kinds = {name: draw(st.sampled_from([*NUMBERS, "text", "boolean", "enum"])) for name in names}
    pools = {name: [*draw(st.lists(KINDS[kind].values, min_size=1, max_size=5)), None] for name, kind in kinds.items()}
    tables, plain = {}, {}
    for side in SIDES:
        rows = draw(st.integers(0, 20))
        columns = {n: draw(st.lists(st.sampled_from(pool), min_size=rows, max_size=rows)) for n, pool in pools.items()}
        tables[side] = pa.table({n: pa.array(values, KINDS[kinds[n]].type) for n, values in columns.items()})
        plain[side] = {n: [None if is_missing(v) else v for v in values] for n, values in columns.items()}
    order = draw(st.permutations(names))
    cut = draw(st.integers(1, len(names) - 1))
    return tables, plain, kinds, order[:cut], order[cut:]


def expected(plain, kinds, keys, target, bins):
    """The measures of a target for train and for holdout, each with what TCAP is a share of."""
    rows = {}
    for side in SIDES:
        values = plain[side][target]
        if kinds[target] in NUMBERS:
            values = grouped(values, plain["train"][target], bins)
        rows[side] = list(zip(zip(*(plain[side][key] for key in keys), strict=True), values, strict=True))
    return {side: disclosure(rows["synthetic"], rows[side]) for side in ("train", "holdout")}


@some
@given(trio=trios(), bins=st.sampled_from([0, 1, 3, 10]), control=st.booleans())
def test_disclosure_is_that_of_counting(shared, trio, bins, control):
    tables, plain, kinds, keys, targets = trio
    create(shared, **tables)
    sides = SIDES if control else SIDES[:2]
    found = shared.disclosure(*sides[:2], list(keys), holdout="holdout" if control else None, bins=bins)
    rows = found.to_arrow().to_pylist()
    # Without targets all other columns are; in the order of synthetic.
    every = [name for name in tables["synthetic"].column_names if name in targets]
    order = [(None, m) for m in OF_KEYS] + [(t, m) for t in every for m in OF_TARGETS]
    assert [(row["target"], row["measure"]) for row in rows] == order
    for row in rows:
        by_side = expected(plain, kinds, keys, row["target"] or every[0], bins)
        value, held = (by_side[side][0][row["measure"]] for side in ("train", "holdout"))
        held = held if control and row["measure"] not in OF_SYNTHETIC else None
        assert close(row["value"], value), row
        assert close(row["holdout"], held), row
        if value is None or held is None:
            assert (row["excess"], row["lower"], row["upper"]) == (None, None, None)
            continue
        n, held_n = (
            by_side[side][1] if row["measure"] == "TCAP" else len(tables[side]) for side in ("train", "holdout")
        )
        assert close(row["excess"], value - held)
        assert (row["lower"], row["upper"]) == pytest.approx(difference(value, n, held, held_n), rel=1e-9, abs=1e-9)


def table(keys, secrets):
    return pa.table({"key": list(keys), "secret": secrets})


def measured(session, *tables, **options):
    rows = rows_of(session.disclosure(*tables, ["key"], **options))
    return {row["measure"]: row for row in rows}


def test_a_planted_leak_shows_and_inference_alone_does_not(session):
    # Every key has one secret in train, another in the holdout; synthetic copies train.
    train = table("abcdefgh" * 5, list("xyxyxyxy" * 5))
    holdout = table("abcdefgh" * 5, list("yxyxyxyx" * 5))
    leak = measured(session, train, train, holdout=holdout)["correct_disclosures"]
    assert (leak["value"], leak["holdout"], leak["excess"]) == (1, 0, 1)
    assert leak["lower"] > 0.8
    # What holds for everybody is learned of those who were never in the data too.
    rule = measured(session, train, train, holdout=train)["correct_disclosures"]
    assert (rule["value"], rule["excess"]) == (1, 0)
    assert rule["lower"] < 0 < rule["upper"]


def test_keys_absent_on_one_side_and_targets_without_variation(session):
    strangers = measured(session, table("xy", ["a", "b"]), table("pqq", ["a", "b", "b"]))
    assert {m: strangers[m]["value"] for m in ("keys_in_synthetic", "DCAP", "correct_disclosures", "TCAP")} == {
        "keys_in_synthetic": 0, "DCAP": 0, "correct_disclosures": 0, "TCAP": None
    }  # fmt: skip
    constant = measured(session, table("ab", ["a", "a"]), table("aab", ["a", "a", "a"]))
    assert {constant[m]["value"] for m in ("attributable_real", "baseline", "CAPd", "DCAP", "TCAP", "DiSDiO")} == {1}
    one = measured(session, table("aaa", ["x", "y", "y"]), table("aa", ["x", "y"]))
    assert (one["DCAP"]["value"], one["CAPs"]["value"], one["unique_real"]["value"]) == (0.5, pytest.approx(5 / 9), 0)
    nobody = measured(session, table("aaa", ["x", "y", "y"]), table("a", ["x"]).slice(1))
    assert (nobody["CAPs"]["value"], nobody["DCAP"]["value"], nobody["baseline"]["value"]) == (
        pytest.approx(5 / 9),
        None,
        None,
    )


def test_groups_of_numbers_hold_equally_many_of_train(session):
    train = table("a" * 20, list(range(20)))
    # All of train's numbers in ten groups of two; beyond its range they belong to the outer groups.
    far = measured(session, table("a" * 4, [-5, 0, 99, 19]), train)
    assert far["CAPd"]["value"] == pytest.approx(0.1)
    assert far["DCAP"]["value"] == pytest.approx(0.1)
    assert measured(session, train, train, bins=0)["CAPd"]["value"] == pytest.approx(0.05)
    ties = table("a" * 4, [1, 1, 1, 2])  # equal numbers are never parted
    assert measured(session, ties, ties, bins=2)["CAPd"]["value"] == pytest.approx((9 + 1) / 16)


@pytest.mark.parametrize(
    ("given_", "error", "message"),
    [
        ({"quasi_identifiers": ["key"], "targets": ["Key"]}, errors.OptionError, '"key" is in both options'),
        ({"quasi_identifiers": ["key"], "targets": []}, errors.OptionError, 'option "targets" names no column'),
        ({"quasi_identifiers": ["no"]}, errors.UnknownColumn, 'option "quasi_identifiers" names column "no"'),
        ({"quasi_identifiers": ["key", "secret"]}, errors.OptionError, 'no column is left for option "targets"'),
        ({"quasi_identifiers": ["key"], "bins": -1}, errors.OptionError, "at least 0"),
    ],
)
def test_bad_input(session, given_, error, message):
    with pytest.raises(error, match=message):
        session.disclosure(table("a", ["x"]), table("a", ["x"]), **given_)


def test_a_column_on_one_side_only(session):
    wide = table("a", ["x"]).append_column("more", pa.array([1]))
    create(session, wide=wide, narrow=table("a", ["x"]))
    with pytest.raises(errors.ColumnMismatch, match='"more" is in "wide" but not in "narrow"; choose the columns'):
        session.disclosure("wide", "narrow", ["key"])
    assert len(session.disclosure("wide", "narrow", ["key"], targets=["secret"])) == len(OF_KEYS) + len(OF_TARGETS)


# Published numbers

KEYS = ["age", "occupation", "race", "sex"]


@needs_data
def test_uniques_and_attributable_records_of_adult(session):
    files = ", ".join(f"'{DATA / f'adult_{name}.csv.gz'}'" for name in ("trn", "val"))
    session.connection.execute(f"CREATE TABLE adult AS FROM read_csv([{files}])")
    rows = sql_rows(session.connection, call("disclosure", "adult", "adult", quasi_identifiers=KEYS, bins=0))
    found = {(r["target"], r["measure"]): round(100 * r["value"], 2) for r in rows}
    assert found[None, "unique_real"] == 2.68
    published = {
        "workclass": 14.27, "fnlwgt": 2.70, "education": 3.71, "marital-status": 8.23, "relationship": 5.17,
        "capital-gain": 22.55, "capital-loss": 30.61, "hours-per-week": 4.36, "native-country": 17.09,
    }  # fmt: skip
    assert {target: found[target, "attributable_real"] for target in published} == published


@pytest.mark.again
@needs_data
def test_train_beside_holdout_of_adult(session):
    paths = [str(DATA / f"adult_{name}.csv.gz") for name in ("synthpop", "trn", "val")]
    rows = sql_rows(
        session.connection,
        call(
            "disclosure",
            *paths[:2],
            quasi_identifiers=KEYS,
            holdout=paths[2],
            targets=["workclass", "income", "education"],
        ),
    )
    found = {(r["target"], r["measure"]): (100 * r["value"], 100 * (r["holdout"] or 0)) for r in rows}
    for (target, measure), wanted in {
        (None, "replicated_uniques"): (1.1998, 1.1097),
        (None, "unique_real"): (4.918, 4.930),
        ("workclass", "correct_disclosures"): (11.703, 11.408),
        ("workclass", "DCAP"): (61.791, 60.713),
        ("workclass", "attributable_real"): (21.056, 20.462),
        ("income", "correct_disclosures"): (18.693, 18.472),
        ("education", "correct_disclosures"): (1.036, 0.909),
    }.items():
        assert found[target, measure] == pytest.approx(wanted, abs=5e-4), (target, measure)
