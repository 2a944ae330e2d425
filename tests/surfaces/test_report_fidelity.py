"""Fidelity on the page: what is shown, in which order, and that nobody's own values are."""

import datetime

import numpy as np
import pyarrow as pa
import pytest
from calls import create
from suites import only_where_tested

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.report.fidelity import Fidelity
from synthpriv_sql.statements import catalog

only_where_tested("page")

ROWS = 200


def people(shift):
    day = datetime.date(2024, 1, 1)
    return pa.table(
        {
            "kept": [i % 7 for i in range(ROWS)],
            "lost": [float(i * (1 + shift)) for i in range(ROWS)],
            "town": [f"town {i % 3}" if i % 20 else f"hamlet {i}" for i in range(ROWS)],
            "day": [day + datetime.timedelta(days=i % 90) if i % 10 else None for i in range(ROWS)],
            "nothing": pa.array([None] * ROWS, pa.float64()),
        }
    )


def asked(session, **options):
    """The rows of the page, as it asks for them."""
    return session.call(catalog.part("page_fidelity"), **options).to_arrow().to_pylist()


@pytest.fixture(scope="module")
def found(shared):
    create(shared, synthetic=people(1), train=people(0))
    return Fidelity(asked(shared, synthetic="synthetic", train="train", holdout="train"))


def test_the_worst_come_first(found):
    assert found.columns[0].name == "lost"
    assert [column.holdout for column in found.columns] == [1.0] * 5
    values = [column.value for column in found.columns]
    assert values == sorted(values)
    assert "lost" in found.worst_pairs[0].names
    assert found.overall["synthetic"] < found.overall["holdout"] == 1


def test_bars_are_shares_and_say_what_they_are(found):
    bars = {column.name: column.bars for column in found.columns}
    for name, of_column in bars.items():
        for side in ("synthetic", "train", "holdout"):
            assert sum(bar[side] for bar in of_column) == pytest.approx(1), name
    assert sorted(bar["label"] for bar in bars["town"]) == ["other values", "town 0", "town 1", "town 2"]
    labels = [bar["label"] for bar in bars["lost"]]
    assert labels[0] == "up to 19.9"
    assert labels[-2:] == ["over 179", "other values"]
    assert bars["lost"][-1] == {"label": "other values", "synthetic": 0.5, "train": 0.0, "holdout": 0.0}
    tenth = np.quantile([i % 90 for i in range(ROWS) if i % 10], 0.1)
    assert bars["day"][0]["label"] == f"up to {datetime.date(2024, 1, 1) + datetime.timedelta(days=int(tenth))}"
    assert bars["day"][-1]["label"] == bars["nothing"][-1]["label"] == "missing"


def test_nobody_is_shown_by_a_value_of_his_own(found):
    shown = {bar["label"] for column in found.columns for bar in column.bars}
    assert not any("hamlet" in label for label in shown)
    # Neither the least nor the largest number, which are a person's each.
    assert not shown & {"to 0", "up to 0", "over 199", "to 199", "over 2024-03-30", "to 2024-03-30"}
    for row in found._rows:
        if row["item"] == "share" and row["measure"] in {"bin", "category"}:
            assert row["train"] * ROWS >= 5


def test_the_squares_of_a_chart_hold_each_pair_twice(found):
    squares = {(row["one"], row["two"]): row["loss"] for row in found.squares()}
    assert all(squares[one, two] == squares[two, one] for one, two in squares)
    assert max(squares.values()) <= 1
    assert found.squares()[0]["one_place"] == 0 or found.squares()[1]["one_place"] == 0


@pytest.mark.parametrize("rows", [0, 3])
def test_tables_of_few_rows_show_no_bar_of_theirs(shared, rows):
    few = people(0).slice(0, rows)
    found = Fidelity(asked(shared, synthetic=people(1), train=few))
    labels = {bar["label"] for column in found.columns for bar in column.bars}
    assert labels <= {"other values", "missing"}


def test_one_column_has_no_pairs(shared, found):
    alone = Fidelity(asked(shared, synthetic="synthetic", train="train", columns=["town"]))
    assert (alone.pairs, alone.of_pairs, alone.squares()) == ([], None, [])
