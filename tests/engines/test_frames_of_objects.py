"""Data frames with columns of Python objects: all values decide their type, not the thousand that DuckDB looks at."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest

from synthpriv_sql import errors

UTC = datetime.UTC
DAY = datetime.date(2020, 1, 1)
WEST = datetime.timezone(datetime.timedelta(hours=-5))
NOON = datetime.datetime(2020, 1, 2, 12)
ODD = {  # the usual value, the one among 5,000 of them, and the largest in the statistics
    "float": (2, 2.4, 2.4),
    "numpy": (np.int64(2), np.float32(2.5), 2.5),
    "decimal": (2, decimal.Decimal("2.25"), 2.25),
    "mixed": (2.5, decimal.Decimal("3.25"), 3.25),
    "large": (1, 2**70, float(2**70)),
    "moment": (DAY, NOON, NOON.replace(tzinfo=UTC).timestamp()),
    "zoned": (NOON, NOON.replace(tzinfo=WEST), NOON.replace(tzinfo=WEST).timestamp()),
    "time": (datetime.time(1), datetime.time(2, 0, 0, 5), 7200.000005),
}


def objects(usual, odd):
    values = np.empty(5_001, dtype=object)
    values[:] = [usual] * 5_001
    values[3_333] = odd
    values[3_334] = None
    return pd.DataFrame({"o": values, "beside": range(5_001)})


def test_all_values_decide(session):
    for usual, odd, most in ODD.values():
        found = session.scaling(objects(usual, odd), columns=["o"]).fetchall()[0]
        assert found[1] in {"numeric", "temporal"}
        assert (found[3], found[4], found[6]) == (1, 2, most), odd
    vectors = objects([1, 2], [1, 2.5])
    assert session.dcr(vectors, vectors, columns=["o"])["dcr"][3_333] == 0.0
    assert session.copies(vectors, objects([1, 2], [1, 2]), columns=["o"])["copies"][3_333] == 0


@pytest.mark.parametrize(("usual", "odd"), [(True, 7), (7, True), (7, "7a"), (DAY, "x")])
def test_values_of_several_kinds_are_text(session, usual, odd):
    with pytest.warns(errors.SynthprivWarning, match='column "o" of what is given as train holds values of several'):
        found = session.scaling(objects(usual, odd), columns=["o"]).fetchall()[0]
    assert (found[1], found[4], found[-1]) == ("categorical", 2, str(usual))


def test_texts_and_truths_stay(session):
    for usual, odd in (("a", "b"), (True, False)):
        found = session.scaling(objects(usual, odd), columns=["o"]).fetchall()[0]
        assert (found[1], found[4]) == ("categorical", 2)
