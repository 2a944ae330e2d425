"""Holes: where `safe` took records near train out, a table is further from train than chance explains."""

from __future__ import annotations

from math import sqrt

from synthpriv_sql.report.measured import Measured

_MISSING = 10.0
"""So many records near train must be expected for their absence to be a hole: by chance, none occurs in e^10 tables."""
_DEVIATIONS = 4.0
"""So many standard deviations (Poisson) above the expected number, more records are near the holdout than by chance."""


def explains(measured: Measured, name: tuple[str, str]) -> bool:
    """Whether a hole explains that an attack or a depth is below chance.

    Records are missing near train, and there are not more near the holdout than by chance. If there are, train and the
    holdout may be swapped.

    Parameters
    ----------
    measured
        The numbers of `evaluate`.
    name
        ``attack`` or ``depth``, and which.
    """
    value, rows = measured.value, measured.value("tables", "rows", "synthetic")
    if rows is None:
        return False
    of_train = value("holdout_share", "expected", "near")
    missing = rows * (value("screen", "expected") or 0.0)
    if value("screen", "flagged") == 0 and missing >= _MISSING and of_train is not None:
        # Of those expected near real people, the ones near the holdout are still there.
        return _near_holdout(measured, "near") <= _most(missing * (1 - of_train))
    # Without copies, only copies are missing.
    by_chance = rows * (value("copies", "expected") or 0.0)
    gone = name == ("depth", "copies") and value("copies", "records") == 0
    return gone and _near_holdout(measured, "copies") <= _most(by_chance)


def _near_holdout(measured: Measured, depth: str) -> float:
    kinds = (measured.value("holdout_share", kind, depth) for kind in ("further", "equal"))
    return sum(kind or 0.0 for kind in kinds)


def _most(expected: float) -> float:
    return expected + _DEVIATIONS * sqrt(expected)
