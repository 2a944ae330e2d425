"""Linkability of two sources, against full distance matrices and the numbers of a published test."""

import numpy as np
import pyarrow as pa
import pytest
from calls import call, close, create, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from oracle import Space, nearest
from referee import residual
from strategies import EXACT_KINDS, trios

from examples import few
from synthpriv_sql import errors

SIDES = ("synthetic", "train", "holdout")


def first_shared(trio, groups, side, metric):
    """For each record of a side the fewest neighbors that share a synthetic record."""
    places = []
    for names in groups:
        tables = [{name: getattr(trio, one)[name] for name in names} for one in (*SIDES[:2], side)]
        space = Space(tables[1], roles={name: trio.roles[name] for name in names}, metric=metric, scaling="none")
        records, _ = nearest(space.distances(tables[2], tables[0]), len(next(iter(tables[0].values()))))
        places.append(np.argsort(records, axis=1))
    return np.maximum(*places).min(axis=1) + 1


@pytest.mark.parametrize("metric", ["hamming", "manhattan"])
@few
@given(trio=trios(kinds=EXACT_KINDS), draw=st.randoms(use_true_random=False), control=st.booleans())
def test_linkability_is_that_of_the_oracle(shared, metric, trio, draw, control):
    names = list(trio.train)
    if len(names) < 2:
        return
    draw.shuffle(names)
    cut = draw.randint(1, len(names) - 1)
    groups = names[:cut], names[cut:]
    create(shared, **{side: trio.arrow(side) for side in SIDES})
    given_ = {"known": groups[0], "other": groups[1], "k": [1, 2, 5], "metric": metric, "scaling": "none"}
    given_["holdout"] = "holdout" if control else None
    if trio.surface == "sql":
        rows = sql_rows(shared.connection, call("linkability", *SIDES[:2], **given_))
    else:
        rows = rows_of(shared.linkability(*SIDES[:2], **given_))
    train, held = (first_shared(trio, groups, side, metric) for side in SIDES[1:])
    assert [row["k"] for row in rows] == [1, 2, 5]
    for row in rows:
        hits = train <= row["k"]
        assert (row["n"], row["hits"]) == (len(hits), hits.sum())
        assert close(row["rate"], float(hits.mean()))
        rate = float((held <= row["k"]).mean())
        wanted = (rate, *residual(hits.mean(), len(hits), rate, len(held))) if control else (None,) * 4
        found = (row["control"], row["risk"], row["lower"], row["upper"])
        assert all(close(f, w if w is None else float(w)) for f, w in zip(found, wanted, strict=True))


def test_published_links(session):
    original = pa.table({"a": [0, 0, 4, 0], "b": [0, 1, 9, 4]})
    synthetic = pa.table({"a": [0, 1, 4, 9], "b": [0, 1, 4, 9]})
    rows = rows_of(session.linkability(synthetic, original, ["a"], ["b"], k=[1, 2, 3, 4]))
    assert [row["hits"] for row in rows] == [1, 4, 4, 4]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"known": ["a"], "other": ["A"]}, '"a" is in both options known and other'),
        ({"known": ["a"], "other": []}, 'option "other" names no column'),
        ({"known": ["a"], "other": ["b"], "k": [0]}, "whole and at least 1"),
        ({"known": ["a"], "other": ["b"], "k": 1.5}, "whole and at least 1"),
    ],
)
def test_bad_input(session, options, message):
    table = pa.table({"a": [1, 2], "b": [3, 4]})
    with pytest.raises(errors.OptionError, match=message):
        session.linkability(table, table, **options)
