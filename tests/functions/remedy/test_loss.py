"""The loss of a remedy is the mean of marginals with two columns."""

import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.remedies.loss import Cells, Loss

KINDS = {"a": True, "b": True, "c": False, "d": False}


def tables(seed):
    rng = np.random.default_rng(seed)

    def table(n):
        b = rng.gamma(2, 3, n).round(1)
        return pa.table(
            {
                "a": pa.array(rng.integers(0, 12, n), mask=rng.random(n) < 0.1),
                "b": b,
                "c": pa.array(
                    rng.choice(list("abcdefghijklmnop"), n, p=np.arange(1, 17) / 136), mask=rng.random(n) < 0.1
                ),
                "d": rng.choice(["x", "y"], n),
            }
        )

    return table(300), table(400)


def measured(synthetic, train):
    cells = {name: Cells(train[name], number) for name, number in KINDS.items()}
    of = {
        side: {name: cells[name].codes(table[name]) for name in KINDS}
        for side, table in (("synthetic", synthetic), ("train", train))
    }
    return cells, Loss(of["train"], of["synthetic"])


def marginals(shared, synthetic, train):
    return np.mean(shared.marginals(synthetic, train, k=2)["distance"])


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_mean_of_marginals(shared, seed):
    synthetic, train = tables(seed)
    cells, loss = measured(synthetic, train)
    assert loss.mean == pytest.approx(marginals(shared, synthetic, train), abs=1e-12)
    coarse = pa.chunked_array([pa.array(np.floor(synthetic["b"].to_numpy()))])
    changed = synthetic.set_column(1, "b", coarse)
    codes = cells["b"].codes(coarse)
    expected = marginals(shared, changed, train)
    assert loss.of("b", codes) == pytest.approx(expected, abs=1e-12)
    loss.put("b", codes)
    assert loss.mean == pytest.approx(expected, abs=1e-12)
    kept = np.arange(len(synthetic)) % 3 > 0
    loss.keep({"": kept})
    assert loss.mean == pytest.approx(marginals(shared, changed.filter(pa.array(kept)), train), abs=1e-12)


def test_what_is_known_of_pairs_is_what_is_found_anew():
    """Columns of a few arrays each, put back and forth with records left out in between."""
    rng = np.random.default_rng(4)
    cells, _ = measured(*tables(0)[::-1])
    train = {name: cells[name].codes(tables(0)[1][name]) for name in KINDS}
    steps = {name: [rng.integers(0, 14, 400).astype(np.uint8) for _ in range(3)] for name in KINDS}
    loss, now, kept = Loss(train, {name: one[0] for name, one in steps.items()}), dict.fromkeys(KINDS, 0), None
    for place in range(60):
        name = rng.choice(list(KINDS))
        now[name] = int(rng.integers(3))
        if place % 20 == 19:
            kept = rng.random(400) < 0.8
            loss.keep({"": kept})
        anew = Loss(train, {name: steps[name][step].copy() for name, step in now.items()})
        anew.keep(None if kept is None else {"": kept})
        assert loss.of(name, steps[name][now[name]]) == anew.mean
        loss.put(name, steps[name][now[name]])
        assert loss.mean == anew.mean


def test_pairs_of_a_column_that_is_left_out_count_as_one():
    train = tables(1)[1]
    _, loss = measured(train, train)
    assert loss.mean == 0
    assert loss.of("c", None) == pytest.approx(3 / 6)
    loss.put("c", None)
    assert loss.of("d", None) == pytest.approx(5 / 6)


def test_a_number_or_date_that_became_something_else_is_the_median_of_those_that_did():
    numbers = pa.chunked_array([[1, 2, 9, None, 40, 50, 60, 70]])
    cells = Cells(numbers, True)
    labels = pa.chunked_array([["low", "low", "low", None], ["high", "high", "high", None]])
    medians = pa.chunked_array([[2, 2, 2, None, 50, 50, 50, None]])
    assert cells.codes(labels, numbers).tolist() == cells.codes(medians).tolist()
    assert cells.codes(pa.chunked_array([pa.nulls(8, pa.string())]), numbers).tolist() == [0] * 8
    rounded = pa.chunked_array([[1.0, 2.0, 9.0, None, 40.0, 50.0, 60.0, 70.0]])
    assert cells.codes(rounded, numbers).tolist() == cells.codes(numbers).tolist()
    days = pa.chunked_array([pa.array([0, 100, 400, 3_000], pa.date32())])
    years = pa.chunked_array([[1970, 1970, 1971, 1978]])
    of_days = Cells(days, True)
    first, _, *rest = of_days.codes(days).tolist()
    assert of_days.codes(years, days).tolist() == [first, first, *rest]


def test_one_column_counts_alone_and_constants_are_one_cell():
    train = pa.table({"a": [5, 5, 5, 5]})
    cells = Cells(train["a"], True)
    loss = Loss({"a": cells.codes(train["a"])}, {"a": cells.codes(pa.chunked_array([[5, 5, 6, None]]))})
    assert loss.mean == pytest.approx(0.5)
    assert Loss({}, {}).mean == 0
