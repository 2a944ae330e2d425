"""Gradient boosting of scikit-learn, trained in several threads of the process.

The thresholds of features are found by joblib, whose workers set the warning filters of the process anew. In several
threads at once these are left in disorder, and scikit-learn warns of it: here one thread at a time finds thresholds.
"""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

_lock = Lock()


def classifier(**options: Any) -> Any:
    """Return a `HistGradientBoostingClassifier`."""
    return _kinds()[0](**options)


def regressor(**options: Any) -> Any:
    """Return a `HistGradientBoostingRegressor`."""
    return _kinds()[1](**options)


@cache
def _kinds() -> tuple[Any, Any]:
    # imported lazily: slow, and few calls need it
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    class OneAtATime:
        """Overrides the step of `fit` that finds thresholds; where scikit-learn has no such step, it is not called."""

        def _bin_data(self, *given: Any, **named: Any) -> Any:
            with _lock:
                mapper = getattr(self, "_bin_mapper", None)
                if mapper is not None:
                    mapper.n_threads = 1
                return super()._bin_data(*given, **named)  # type: ignore[misc]

    return (
        type("Classifier", (OneAtATime, HistGradientBoostingClassifier), {}),
        type("Regressor", (OneAtATime, HistGradientBoostingRegressor), {}),
    )
