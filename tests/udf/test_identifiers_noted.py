"""Columns that look as if they named records are named by whatever compares rows, as `identifiers` names them."""

import warnings

import numpy as np
import pandas as pd
import pytest

from synthpriv_sql.errors import SynthprivWarning

COLUMNS = {
    "id": lambda draw, first, n: np.arange(first, first + n),
    "Mail": lambda draw, first, n: [f"{first + i} @" if i % 50 else None for i in range(n)],
    "apart": lambda draw, first, n: draw.integers(0, 2**40, n),
    "income": lambda draw, first, n: draw.integers(0, 3_000, n),
    "wide": lambda draw, first, n: draw.normal(size=n),
    "price": lambda draw, first, n: draw.permutation(n) / 4 + 0.125,
    "town": lambda draw, first, n: [f"town {i}" for i in draw.permutation(n)],
    "job": lambda draw, first, n: draw.choice(["a", "b", "c"], n),
    "when": lambda draw, first, n: pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(first, first + n), "s"),
}


def table(names, first, n=300):
    draw = np.random.default_rng(first)
    return pd.DataFrame({name: COLUMNS[name](draw, first, n) for name in names})


def said(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return {
        str(w.message) for w in found if issubclass(w.category, SynthprivWarning) and "named records" in str(w.message)
    }


@pytest.mark.parametrize("names", [list(COLUMNS), *([name] for name in COLUMNS)], ids=str)
def test_the_kernel_names_those_that_the_function_names(shared, names):
    tables = table(names, 0), table(names, 1_000)
    rows = shared.identifiers(*tables, holdout=table(names, 2_000)).to_arrow().to_pylist()
    wanted = [row["column_name"] for row in rows if row["identifier"]]
    assert wanted == [name for name in names if name in {"id", "Mail", "apart"}]
    wanted = [name for name in wanted if name != "apart"]  # a range so wide: numbers alone do not tell
    for call in (shared.dcr, shared.nndr):
        found = said(lambda call=call: call(*tables))
        assert len(found) == bool(wanted)
        assert all((f'"{name}"' in text) == (name in wanted) for text in found for name in names)


def test_a_key_or_a_column_left_out_is_none(shared):
    tables = table(["id", "income"], 0), table(["id", "income"], 1_000), table(["id", "income"], 2_000)
    assert said(lambda: shared.membership(*tables, attack="agreement"))
    assert not said(lambda: shared.holdout_share(*tables, exclude=["id"]))
    assert not said(lambda: shared.dcr(*tables[:2], key="id"))
    assert not said(lambda: shared.dcr(*tables[:2], weights={"id": 0.0}))


def test_evaluate_says_it_once_by_its_own_number(shared):
    tables = table(["id", "income"], 0), table(["id", "income"], 1_000)
    with pytest.warns(SynthprivWarning, match="numbers the rows of synthetic"):
        shared.evaluate(*tables)
    assert not said(lambda: shared.evaluate(*tables))


def test_few_rows_and_no_rows_say_nothing(shared):
    for rows in (1, 19):
        assert not said(lambda rows=rows: shared.dcr(table(["id", "Mail"], 0, rows), table(["id", "Mail"], 99, rows)))
    assert not said(lambda: shared.dcr(table(["id"], 0, 0), table(["id"], 99)))
