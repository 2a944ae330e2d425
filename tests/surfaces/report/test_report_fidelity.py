"""Fidelity on the page: what is shown, in which order, and that nobody's own values are."""

import datetime

import numpy as np
import pyarrow as pa
import pytest
from calls import create

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.fidelity import Fidelity
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.scatter import Scatter, pairs

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


def test_points_are_those_of_reduce_and_pairs_are_joined(shared):
    train, synthetic = people(0), people(1)
    options = {"exclude": ["kept"], "categorical": ["day"], "weights": {"lost": 2.0}}
    wanted = {"of_synthetic": [7, 199], "of_train": [0]}
    asked_for = {"synthetic": synthetic, "train": train, "points": 20, **wanted, **options}
    rows = shared.call(catalog.part("page_scatter"), **asked_for).to_arrow().to_pylist()
    for side, table in (("synthetic", synthetic), ("train", train)):
        places = shared.reduce(train, table, **options).to_arrow().to_pylist()
        of_side = {row["record"]: row for row in rows if row["side"] == side}
        assert sum(row["drawn"] for row in of_side.values()) == 20
        assert (
            {record for record, row in of_side.items() if not row["drawn"]} <= set(wanted[f"of_{side}"]) <= set(of_side)
        )
        for record, row in of_side.items():
            assert (row["x"], row["y"]) == (places[record]["component_1"], places[record]["component_2"])

    def record(kind, record, nearest):
        zero = dict.fromkeys(("dcr", "nndr", "copies", "bits", "own_bits", "q_value"), 0)
        values = {"agree": [], "invented_values": [], "original_values": []}
        return (
            {"item": "record", "kind": kind, "record": record, "nearest": nearest, "synthetic": nearest} | zero | values
        )

    found = [record("copy", 7, 0), record("near", 199, 0), record("near", 0, 7) | {"item": "person"}]
    scatter = Scatter(rows, Measured(found))
    assert pairs(scatter.measured) == [("copy", 7, 0), ("near", 199, 0)]
    assert [(line["pair"], line["tip"]) for line in scatter.lines] == [
        ("copy", "synthetic record 8 equals train record 1"),
        ("near", "synthetic record 200 is near train record 1"),
    ]
    assert len(scatter.points) == len(rows)
    assert sum(scatter.explained) == pytest.approx(
        sum({row["component"]: row["explained"] for row in shared.principal_axes(train, **options)}.values())
    )


def test_axes_are_those_of_train_and_the_holdout_together(shared):
    """On axes of its own train would be spread more than others are."""
    train, holdout, synthetic = people(0), people(1), people(2)
    options = {"columns": ["lost"], "scaling": "none"}
    asked_for = {"synthetic": synthetic, "train": train, "holdout": holdout, **options}
    rows = shared.call(catalog.part("page_scatter"), **asked_for).to_arrow().to_pylist()
    places = shared.reduce(pa.concat_tables([train, holdout]), synthetic, **options).to_arrow().to_pylist()
    alone = shared.reduce(train, synthetic, **options).to_arrow().to_pylist()
    of_synthetic = [row for row in rows if row["side"] == "synthetic"]
    assert [row["x"] for row in of_synthetic] == pytest.approx(
        [places[row["record"]]["component_1"] for row in of_synthetic]
    )
    assert of_synthetic[0]["x"] != pytest.approx(alone[of_synthetic[0]["record"]]["component_1"])


def test_records_that_do_not_differ_are_not_drawn(shared):
    same = pa.table({"x": [1.0] * 3, "c": ["a"] * 3})
    rows = shared.call(catalog.part("page_scatter"), synthetic=same, train=same).to_arrow().to_pylist()
    assert Scatter(rows, Measured([])).explained == []
    assert Scatter([], Measured([])).explained == []
