"""Gradient boosting in several threads at once: the same models, and no warning filter is moved."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from threadpoolctl import threadpool_limits

from synthpriv_sql.learned import boosting

RANDOM = np.random.default_rng(2)
FEATURES = RANDOM.normal(size=(200, 12))
CLASSES, NUMBERS = RANDOM.integers(0, 2, 200), RANDOM.normal(size=200)
OPTIONS = {"max_iter": 3, "early_stopping": False, "random_state": 1}


def test_threads_leave_the_warning_filters_alone_and_models_are_those_of_scikit_learn():
    def fit(place):
        with threadpool_limits(1, user_api="openmp"):
            if place % 2:
                return boosting.classifier(**OPTIONS).fit(FEATURES, CLASSES).decision_function(FEATURES)
            return boosting.regressor(**OPTIONS).fit(FEATURES, NUMBERS).predict(FEATURES)

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        before = list(warnings.filters)
        with ThreadPoolExecutor(6) as pool:
            found = list(pool.map(fit, range(30)))
        assert warnings.filters == before
    assert not warned
    with threadpool_limits(1, user_api="openmp"):
        plain = [
            HistGradientBoostingRegressor(**OPTIONS).fit(FEATURES, NUMBERS).predict(FEATURES),
            HistGradientBoostingClassifier(**OPTIONS).fit(FEATURES, CLASSES).decision_function(FEATURES),
        ]
    for place, scores in enumerate(found):
        np.testing.assert_array_equal(scores, plain[place % 2])
