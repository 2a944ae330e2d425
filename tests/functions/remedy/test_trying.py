"""Trials of columns: the one that takes most for its loss, as a trial of all finds it, with fewer trials."""

import numpy as np
import pytest

from synthpriv_sql.remedies.measuring import by_trial


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_column_that_a_trial_of_all_finds(seed):
    rng = np.random.default_rng(seed)
    names = [f"c{n}" for n in range(12)]
    left = dict(zip(names, rng.uniform(0, 100, 12), strict=True))
    rises = dict(zip(names, rng.uniform(0.001, 0.3, 12), strict=True))
    asked = []

    def told(name):
        asked.append(name)
        return 100.0 if name is None else left[name]

    known = {}
    assert by_trial(told, rises, "density", known) == max(names, key=lambda name: (100 - left[name]) / rises[name])
    assert len(asked) < len(names)  # a dear column cannot gain what a cheap one does
    first = len(asked)
    by_trial(told, rises, "density", known)
    assert len(asked) - first <= first


def test_where_an_attack_tells_nothing_any_column_does():
    assert by_trial(lambda name: 0.0, {"a": 0.1, "b": 0.2}, "density", {}) in {"a", "b"}
