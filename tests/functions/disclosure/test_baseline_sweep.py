"""The sweep of the baseline over p: one normalizer, forests grown once."""

import pyarrow as pa
import pytest
from calls import assert_close, create, rows_of
from test_baseline import mixed_table

from synthpriv_sql.errors import EmptyTable


@pytest.mark.one_in(3)
@pytest.mark.parametrize("distance", [{}, {"metric": "euclidean", "weights": {"size": 2.0}}, {"exclude": ["kind"]}])
def test_the_sweep_is_mda_of_each_baseline_with_one_normalizer(session, distance):
    table = mixed_table(200)
    create(session, train=table)
    thresholds, seed = [0.1, 0.35], 4
    swept = rows_of(
        session.baseline_sweep("train", p=[0.0, 0.4, 1.0], threshold=thresholds, seed=seed, trees=3, **distance)
    )
    assert [(row["p"], row["threshold"]) for row in swept] == [(p, t) for p in (0.0, 0.4, 1.0) for t in thresholds]
    modelled = table.drop_columns(distance.get("exclude", []))
    distance = {option: value for option, value in distance.items() if option != "exclude"}
    baselines = {p: session.baseline(modelled, p=p, seed=seed, trees=3).to_arrow() for p in (0.0, 0.4, 1.0)}
    longest = max(
        row["distance"] for b in baselines.values() for row in rows_of(session.mda_distances(b, modelled, **distance))
    )
    expected = [
        row
        for b in baselines.values()
        for row in rows_of(session.mda(b, modelled, threshold=thresholds, normalizer=longest, **distance))
    ]
    for column in ("privacy_area", "privacy", "resemblance"):
        assert_close([row[column] for row in swept], [row[column] for row in expected])
    assert [(row["privacy_area"], row["privacy"], row["resemblance"]) for row in swept[:2]] == [(1.0, 0.0, 1.0)] * 2


def test_a_text_column_may_be_swept_as_a_number_and_a_number_as_a_category(session):
    table = mixed_table(60)
    table = table.append_column("digits", pa.array([str(i % 7) for i in range(60)]))
    rows = rows_of(
        session.baseline_sweep(table, p=[1.0], threshold=[0.5], trees=2, numeric=["digits"], categorical=["count"])
    )
    assert 0 < rows[0]["privacy_area"] < 1


def test_forests_are_grown_once_for_a_sweep(session):
    calls = []
    session.baseline_sweep(mixed_table(50), p=[0.2, 0.6, 1.0], trees=2, progress=lambda *call: calls.append(call))
    assert sum(label.startswith("forest of") and done == 2 for done, _, label in calls) <= 2
    assert sum(label == "forest of count" and done == total for done, total, label in calls) <= 2


def test_a_sweep_of_nothing(session):
    with pytest.raises(EmptyTable):
        session.baseline_sweep(pa.table({"x": pa.array([], pa.int64())}), p=[0.5])
