"""Attribute inference by the nearest record, against full distance matrices; planted secrets are found."""

import numpy as np
import pyarrow as pa
import pytest
from calls import call, close, create, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import Space, as_number, as_text, is_missing
from referee import residual
from strategies import EXACT_KINDS, trios

from examples import some
from synthpriv_sql import errors

TRIO = ("synthetic", "train", "holdout")


def reach_of(values, role):
    """The range of real times; None for numbers."""
    known = [as_number(v) for v in values if not is_missing(v)]
    return max(known) - min(known) if role == "temporal" and known else None


def right(guess, truth, role, tolerance, reach=None):
    if is_missing(guess) or is_missing(truth):
        return is_missing(guess) and is_missing(truth)
    if role == "categorical":
        return as_text(guess) == as_text(truth)
    size = abs(as_number(truth)) if reach is None else reach
    return abs(as_number(guess) - as_number(truth)) <= tolerance * size


def usual(values, role):
    """What somebody guesses who knows no more than synthetic."""
    known = [v for v in values if not is_missing(v)]
    if role != "categorical":
        return float(np.median([as_number(v) for v in known])) if known else None
    texts = [None if is_missing(v) else as_text(v) for v in values]
    return min(set(texts), key=lambda t: (-texts.count(t), t is None, (t or "").encode()))


def judged(distances, synthetic, real, role, tolerance):
    """Hits, shares of ties that are right, and hits of the usual guess."""
    hits, shares = [], []
    for row, truth in zip(distances, real, strict=True):
        tied = [right(synthetic[i], truth, role, tolerance) for i in np.flatnonzero(row == row.min())]
        hits.append(tied[0])
        shares.append(np.mean(tied))
    guess = usual(synthetic, role)
    return hits, shares, [right(guess, truth, role, tolerance) for truth in real]


@pytest.mark.parametrize(("metric", "scaling"), [("hamming", None), ("manhattan", "none")])
@some
@given(
    trio=trios(kinds=EXACT_KINDS, max_rows=14),
    draw=st.randoms(use_true_random=False),
    control=st.booleans(),
    tolerance=st.sampled_from([0.0, 0.05, 0.5]),
)
def test_attribute_inference_is_that_of_the_oracle(shared, metric, scaling, trio, draw, control, tolerance):
    names = list(trio.train)
    if len(names) < 2:
        return
    draw.shuffle(names)
    cut = draw.randint(1, len(names) - 1)
    known, secrets = names[:cut], names[cut:]
    only = [{name: table[name] for name in known} for table in (trio.synthetic, trio.train, trio.holdout)]
    space = Space(only[1], roles={name: trio.roles[name] for name in known}, metric=metric, scaling=scaling)
    create(shared, **{side: trio.arrow(side) for side in TRIO})
    given_ = {"known": known, "secrets": secrets, "tolerance": tolerance, "metric": metric, "scaling": scaling}
    given_["holdout"] = "holdout" if control else None
    if trio.surface == "sql":
        rows = sql_rows(shared.connection, call("attribute_inference", *TRIO[:2], **given_))
    else:
        rows = rows_of(shared.attribute_inference(*TRIO[:2], **given_))
    assert [row["secret"] for row in rows] == secrets
    for row in rows:
        secret, role = row["secret"], trio.roles[row["secret"]]
        side = [
            judged(space.distances(table, only[0]), trio.synthetic[secret], real[secret], role, tolerance)
            for table, real in ((only[1], trio.train), (only[2], trio.holdout))
        ]
        hits, shares, usual_hits = side[0]
        n, m = len(hits), len(side[1][0])
        assert (row["n"], row["hits"]) == (n, sum(hits))
        assert close(row["rate"], float(np.mean(hits)))
        assert close(row["tie_fair_rate"], float(np.mean(shares)))
        assert close(row["baseline"], float(np.mean(usual_hits)))
        wanted = (None, None, None, None)
        if control:
            held = float(np.mean(side[1][0]))
            wanted = (held, *residual(np.mean(hits), n, held, m))
        found = (row["control"], row["risk"], row["lower"], row["upper"])
        assert all(close(f, w if w is None else float(w)) for f, w in zip(found, wanted, strict=True)), (found, wanted)


def people(seed, rows=400):
    random = np.random.default_rng(seed)
    return {"age": random.integers(0, 90, rows).tolist(), "town": random.choice(list("abcdefgh"), rows).tolist(),
            "illness": random.choice(["none", "flu", "rare"], rows, p=[0.5, 0.3, 0.2]).tolist()}  # fmt: skip


def test_a_planted_leak_is_found_and_independent_secrets_are_not(session):
    train, holdout, fresh = (people(seed) for seed in (1, 2, 3))
    leak = {"synthetic": train, "train": train, "holdout": holdout}
    create(session, **{name: pa.table(table) for name, table in leak.items()}, fresh=pa.table(fresh))

    def risk(synthetic):
        (row,) = sql_rows(session.connection, call(
            "attribute_inference", synthetic, "train", ["age", "town"], ["illness"], holdout="holdout"))  # fmt: skip
        return row

    leaky, honest = risk("synthetic"), risk("fresh")
    assert leaky["lower"] > 0.5
    assert leaky["rate"] > 0.8
    assert honest["lower"] < 0 < honest["upper"]
    assert honest["baseline"] == pytest.approx(0.5, abs=0.06)


def test_more_ties_than_the_first_looks_find(session):
    # 300 records at one distance, of many combinations; half of them are right.
    synthetic = pa.table({"a": [f"s{i}" for i in range(300)], "secret": ["x", "y"] * 150})
    train = pa.table({"a": ["other"], "secret": ["x"]})
    (row,) = rows_of(session.attribute_inference(synthetic, train, ["a"], ["secret"]))
    assert (row["hits"], row["tie_fair_rate"], row["baseline"]) == (1, 0.5, 1)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"known": [], "secrets": ["b"]}, errors.OptionError, 'option "known" names no column'),
        ({"known": ["a"], "secrets": ["A"]}, errors.OptionError, '"a" is in both options known and secrets'),
        ({"known": ["a"], "secrets": ["z"]}, errors.UnknownColumn, 'option "secrets" names column "z"'),
        ({"known": ["a"], "secrets": ["b"], "tolerance": -1}, errors.OptionError, "at least 0"),
    ],
)
def test_bad_input(session, options, error, message):
    table = pa.table({"a": [1, 2], "b": [3, 4]})
    with pytest.raises(error, match=message):
        session.attribute_inference(table, table, **options)


def test_no_synthetic_record(session):
    table = pa.table({"a": [1, 2], "b": [3, 4]})
    with pytest.raises(errors.EmptyTable, match="has no rows"):
        session.attribute_inference(table.slice(0, 0), table, ["a"], ["b"])


def test_a_date_is_right_within_a_share_of_the_range_of_dates(session):
    """Not within one of the time since 1970, by which every date of this century is right."""
    days = np.datetime64("2020-01-01") + np.arange(0, 110, 10)
    late = [0, 5, 6, *[30] * 8]
    people = {"age": list(range(11)), "seen": days}
    synthetic = {"age": list(range(11)), "seen": days + np.array(late)}
    holdout = {"age": [3], "seen": days[:1] + 200}
    # The range is 100 days without the holdout, and 200 with it.
    for control, hits in (({}, 2), ({"holdout": holdout}, 3)):
        tables = {"synthetic": synthetic, "train": people, **control}
        given_ = {name: pa.table(table) for name, table in tables.items()}
        (row,) = rows_of(session.attribute_inference(**given_, known=["age"], secrets=["seen"], tolerance=0.05))
        assert row["hits"] == hits
