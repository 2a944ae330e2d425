"""Copies whose texts are nearly equal, against all pairs of records."""

import random

import numpy as np
import pyarrow as pa
import pytest
from oracle_text import is_near, normalized

from synthpriv_sql.errors import NotInDialect

NAMES = ["Anna Smith", "anna  SMITH", "Anna Smyth", "Bob Miller", "Bob Miler", "ab", "AB", "", None]
TOWNS = ["Großenhain", "GROSSENHAIN", "Grossenhein", "Rome", "rome", None]


def table(draw, rows, persons):
    return pa.table(
        {
            "n": pa.array(draw.choices([1, 2, None], k=rows), pa.int64()),
            "the name": pa.array(draw.choices(NAMES, k=rows), pa.string()),
            "flag": draw.choices([True, False], k=rows),
            "Town": pa.array(draw.choices(TOWNS, k=rows), pa.string()),
        }
        | ({"who": draw.choices(range(persons), k=rows)} if persons else {})
    )


def same(one, other):
    if not isinstance(one, str) or not isinstance(other, str):
        return one == other
    return is_near(normalized(one), normalized(other))


@pytest.mark.parametrize("columns", [["n", "the name", "flag", "Town"], ["Town", "the name"], ["n", "flag"]])
@pytest.mark.parametrize("persons", [0, 5])
def test_it_is_what_all_pairs_say(session, monkeypatch, columns, persons):
    monkeypatch.setattr("synthpriv_sql.udf.texts.copies._JOINED", 7)
    draw = random.Random(len(columns) + persons)
    synthetic, train = table(draw, 40, 0), table(draw, 60, persons)
    options = {"columns": columns, "near": True} | ({"unit": "who"} if persons else {})
    found = session.copies(synthetic, train, **options).fetchall()
    originals = train.to_pylist()
    expected = [
        {(r["who"] if persons else i) for i, r in enumerate(originals) if all(same(row[c], r[c]) for c in columns)}
        for row in synthetic.to_pylist()
    ]
    assert found == [(i, len(those)) for i, those in enumerate(expected)]
    assert np.sum([count for _, count in found]) > 0


def test_where_there_is_no_kernel_it_is_refused_by_name(session):
    one = pa.table({"name": ["Anna Smith"]})
    with pytest.raises(NotInDialect, match="compares texts with the kernel"):
        session.sql("copies", dialect="postgres", synthetic=one, train=one, near=True)
