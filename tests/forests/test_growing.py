"""Trees are those of the forests of scikit-learn, and the warning filters of the process stay as they are."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from synthpriv_sql.forests import growing

RANDOM = np.random.default_rng(0)
TABLE = RANDOM.normal(size=(300, 5)).astype(np.float32)
NUMBERS = TABLE[:, 0] + RANDOM.normal(size=300)
CODES = (NUMBERS > 0).astype(np.int64) + (NUMBERS > 1)


def test_trees_are_those_of_a_forest():
    for values, kind, options in (
        (CODES, RandomForestClassifier, {"max_features": "sqrt"}),
        (NUMBERS, RandomForestRegressor, {"max_features": 1 / 3}),
    ):
        seeds = np.random.SeedSequence(7).generate_state(2)
        grown = growing.grow(TABLE, values, 23, growing.EVERY, np.random.SeedSequence(7), threads=2)
        for found, seed, count in zip(grown, seeds.tolist(), (20, 3), strict=True):
            forest = kind(n_estimators=count, random_state=seed, min_samples_leaf=growing.LEAF, **options)
            forest.fit(TABLE, values)
            for one, other in zip(found.estimators_, forest.estimators_, strict=True):
                np.testing.assert_array_equal(one.tree_.threshold, other.tree_.threshold)
                np.testing.assert_array_equal(one.tree_.value, other.tree_.value)
            np.testing.assert_array_equal(found.estimators_samples_, forest.estimators_samples_)


def test_forests_at_once_leave_the_warning_filters_alone():
    def grow(seed):
        for _ in growing.grow(TABLE, CODES, 60, None, np.random.SeedSequence(seed), threads=2):
            pass

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        before = list(warnings.filters)
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(grow, range(6)))
        assert warnings.filters == before
    assert not warned
