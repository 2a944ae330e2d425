"""Whether synthetic records single out real ones: by distance, by meeting them; against full distance matrices."""

import math
import time

import numpy as np
import pyarrow as pa
import pytest
from calls import answer, call, create, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import Space, as_number, as_text, is_missing
from referee import wilson
from strategies import EXACT_KINDS, trios

from examples import few
from synthpriv_sql import errors

TRIO = ("synthetic", "train", "holdout")
EXACT = [("hamming", None), ("manhattan", "none")]


def nearest_two(space, records, others):
    """Distances to the nearest in the other table and to the nearest other in the own one."""
    own = space.distances(records, records)
    np.fill_diagonal(own, math.inf)
    return space.distances(records, others).min(axis=1), own.min(axis=1)


def beside_control(hits, control=None):
    """The row that `identifiability` and `hit_rate` give."""
    low, high = wilson(np.mean(hits), len(hits))
    held = None if control is None else np.mean(control)
    return {
        "n": len(hits), "share": np.mean(hits), "lower": low, "upper": high,
        "control": held, "excess": None if held is None else np.mean(hits) - held,
    }  # fmt: skip


def same(found, wanted):
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        assert found[name] == (None if value is None else pytest.approx(value, rel=1e-9, abs=1e-9)), name


@pytest.mark.parametrize(("metric", "scaling"), EXACT)
@few
@given(trio=trios(kinds=EXACT_KINDS, min_rows=2), control=st.booleans())
def test_identifiability_and_adversarial_accuracy_are_those_of_the_oracle(shared, metric, scaling, trio, control):
    options = {"metric": metric, "scaling": scaling, "weights": trio.weights}
    space = Space(trio.train, roles=trio.roles, **options)
    sides = TRIO if control else TRIO[:2]
    real = [trio.train, trio.holdout] if control else [trio.train]
    strict = [np.less(*nearest_two(space, table, trio.synthetic)) for table in real]
    (row,) = answer(shared, "identifiability", trio, sides, **options)
    same(row, beside_control(*strict))
    halves = [
        [
            np.greater(*nearest_two(space, one, other))
            for one, other in ((table, trio.synthetic), (trio.synthetic, table))
        ]
        for table in real
    ]
    accuracy, *held = [np.mean([half.mean() for half in both]) for both in halves]
    (row,) = answer(shared, "adversarial_accuracy", trio, sides, **options)
    assert row["accuracy"] == pytest.approx(accuracy)
    if not control:
        assert {row[n] for n in ("holdout_accuracy", "privacy_loss", "lower", "upper")} == {None}
        return
    assert (row["holdout_accuracy"], row["privacy_loss"]) == pytest.approx((held[0], held[0] - accuracy), abs=1e-12)
    ends = [[np.array(wilson(half.mean(), len(half))) - half.mean() for half in both] for both in halves]
    down = math.hypot(*(low for low, _ in ends[1]), *(high for _, high in ends[0])) / 2
    up = math.hypot(*(high for _, high in ends[1]), *(low for low, _ in ends[0])) / 2
    assert (row["lower"], row["upper"]) == pytest.approx((row["privacy_loss"] - down, row["privacy_loss"] + up))


def meets(one, other, train, roles, tolerance):
    """Whether a synthetic record meets a real one."""
    for name in train:
        a, b = one[name], other[name]
        if is_missing(a) or is_missing(b):
            if is_missing(a) != is_missing(b):
                return False
        elif roles[name] == "categorical":
            if as_text(a) != as_text(b):
                return False
        else:
            known = [as_number(v) for v in train[name] if not is_missing(v)]
            gap = abs(as_number(a) - as_number(b))
            if gap and not (known and max(known) > min(known) and gap / (max(known) - min(known)) <= tolerance):
                return False
    return True


def rows_of_table(table):
    return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]


@given(trio=trios(kinds=EXACT_KINDS), control=st.booleans(), tolerance=st.sampled_from([0.0, 1 / 30, 0.25, 0.5, 1.0]))
def test_hit_rate_is_that_of_looking_at_all_pairs(shared, trio, control, tolerance):
    roles = Space(trio.train, roles=trio.roles).roles
    synthetic = rows_of_table(trio.synthetic)
    real = [trio.train, trio.holdout] if control else [trio.train]
    hits = [
        [any(meets(one, other, trio.train, roles, tolerance) for other in synthetic) for one in rows_of_table(table)]
        for table in real
    ]
    options = {
        option: [n for n, r in trio.roles.items() if r == option] or None for option in ("numeric", "categorical")
    }
    (row,) = answer(shared, "hit_rate", trio, TRIO if control else TRIO[:2], tolerance=tolerance, **options)
    same(row, beside_control(*hits))


def test_columns_that_are_mostly_zero_cost_no_search_of_all_pairs(session):
    """Where the first two numbers are 0 nearly always, others decide which pairs are compared."""
    tables = {}
    for seed, (name, size) in enumerate({"train": 1_000, "synthetic": 40_000}.items()):
        rng = np.random.default_rng(seed)
        zeros = [np.where(rng.random(size) < 0.97, 0, rng.integers(1, 9_999, size)) for _ in range(2)]
        tables[name] = pa.table({"gain": zeros[0], "loss": zeros[1], **{f"x{i}": rng.random(size) for i in range(3)}})
    create(session, **tables)
    spent, shares = [[], []], []
    # The first call of a process plans and loads more than the others.
    for turn in range(4):
        first = ("gain, loss, x0, x1, x2", "x0, x1, x2, gain, loss")[turn % 2]
        began = time.process_time()
        shares += session.hit_rate(f"(SELECT {first} FROM synthetic)", f"(SELECT {first} FROM train)", tolerance=0.02)[
            "share"
        ]
        spent[turn % 2].append(time.process_time() - began)
    train, synthetic = (np.column_stack([c.to_numpy() for c in tables[n].columns]) for n in ("train", "synthetic"))
    allowed = 0.02 * np.ptp(train, axis=0)
    known = [*range(0, 1_000, 10)]
    hits = [bool((np.abs(synthetic - train[at]) <= allowed).all(axis=1).any()) for at in known]
    assert len({*shares}) == 1
    assert abs(np.mean(hits) - shares[0]) < 0.15
    assert 0 < shares[0] < 1
    assert min(spent[0]) < 2.5 * min(spent[1]), "the order of columns decides no longer"


def numbers(*values):
    return pa.table({"x": pa.array(values, pa.float64())})


def test_the_tolerance_is_met_to_the_bit(session):
    create(session, train=numbers(0, 30, 15, None), near=numbers(1, 29, None), far=numbers(1.0000001, 28.9, 5))

    def share(synthetic, **options):
        return sql_rows(session.connection, call("hit_rate", synthetic, "train", **options))[0]["share"]

    assert share("near") == 0.75  # 1/30 of the range is near enough; missing meets missing
    assert share("far") == 0
    assert share("far", tolerance=0.5) == 0.75
    create(session, train=numbers(7, 7))
    assert (share("far", tolerance=1.0), share("train", tolerance=0.0)) == (0, 1)
    with pytest.raises(errors.OptionError, match="at least 0"):
        session.hit_rate("near", "train", tolerance=-0.1)
    create(session, endless=numbers(1, math.inf))
    with pytest.raises(errors.InfiniteValue, match='column "x" of "endless" holds 1 infinite'):
        session.hit_rate("endless", "train")


def test_a_copied_table_shows_in_all_three_and_strangers_in_none(session):
    random = np.random.default_rng(5)
    train, holdout, fresh = (numbers(*random.normal(size=200)) for _ in range(3))
    for name, side in (("identifiability", "share"), ("adversarial_accuracy", "accuracy")):
        copied = getattr(session, name)(train, train, holdout).to_arrow().to_pylist()[0]
        honest = getattr(session, name)(fresh, train, holdout).to_arrow().to_pylist()[0]
        assert copied[side] == (1 if name == "identifiability" else 0)
        assert 0.35 < honest[side] < 0.65
    copied = session.hit_rate(train, train, holdout, tolerance=0.0).to_arrow().to_pylist()[0]
    assert (copied["share"], copied["control"]) == (1, 0)


def test_one_record_has_no_other(session):
    with pytest.raises(errors.OptionError, match="has only 0 other rows"):
        session.identifiability(numbers(1, 2), numbers(1))


@pytest.mark.parametrize(
    ("sizes", "about"),
    [
        ((9, 1, 1), "train"),
        ((1, 9, 1), "holdout"),
        ((9, 9, 0), "holdout"),
    ],
)
@pytest.mark.parametrize("function", ["identifiability", "adversarial_accuracy"])
def test_the_error_is_about_the_first_table_with_too_few_records(session, function, sizes, about):
    """Whichever search begins; each real record needs another one of its own table, here a synthetic one too.

    Of several tables without any rows the kernel may name another one first: what it says of it is true as well.
    """
    if function == "adversarial_accuracy" and sizes[0] == 1:
        about = "synthetic"
    create(session, **{side: pa.table({"x": list(range(size))}) for side, size in zip(TRIO, sizes, strict=True)})
    for _ in range(3):
        with pytest.raises((errors.EmptyTable, errors.OptionError), match=f'"{about}" has '):
            getattr(session, function)(*TRIO).fetchall()
