"""The tests of the verdict: joint p-values, and a lower bound of how many of a list chance does not explain."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import copysign, floor, inf, log
from typing import TypeVar

BAD = 0.001
WATCH = 0.01
"""Adjusted p-values below which a finding is a leak if it matters, or needs review."""
_ERROR = 0.05
_NORMAL_95 = 1.96
"""Standard errors from a number to the limits of its interval."""

Name = TypeVar("Name", bound=Hashable)


def holm(p_values: Mapping[Name, float]) -> dict[Name, float]:
    """Return p-values adjusted for their number (Holm, Scandinavian Journal of Statistics 6, 1979)."""
    adjusted, largest = {}, 0.0
    for place, name in enumerate(sorted(p_values, key=p_values.__getitem__)):
        largest = max(largest, (len(p_values) - place) * p_values[name])
        adjusted[name] = min(largest, 1.0)
    return adjusted


def level_of(p_value: float, matters: bool, review: bool = False) -> str:
    """Return the level of a finding with an adjusted p-value, which needs review in any case if so said."""
    if p_value < BAD and matters:
        return "bad"
    return "watch" if p_value < WATCH or review else "good"


def at_least(members: float, others: float, share: float, lists: int) -> float:
    """Return at least how many of the members on one of several lists chance does not explain, at 95 %.

    Parameters
    ----------
    members, others
        How many people of train and of the holdout are on the list.
    share
        The share of train among all real people, between 0 and 1.
    lists
        The number of lists, which share the error.

    Notes
    -----
    Ville's inequality on the walk of labels; with ``share`` of one half it is the bound of Katsevich and Ramdas, Annals
    of Statistics 48 (2020). ``sql/membership/`` has the same bound over all thresholds of a score.
    """
    if not 0 < share < 1:
        return 0.0
    error = _ERROR / lists
    per_other = log(1 / error) / log((1 - (1 - share) * error) / share)
    return float(max(0, floor(members - per_other * (1 + others))))


def beyond_chance(members: float, others: float, share: float, tests: int) -> float:
    """Return at least how many of the members that are found chance does not explain, at 95 %: `at_least` for one list.

    Of those that chance finds, each is of train with probability ``share``: the largest number of them with which so
    few others are not too few (binomial), is what chance explains.

    Parameters
    ----------
    members, others, share
        As for `at_least`.
    tests
        The number of tests, which share the error.
    """
    from scipy.special import betainc  # imported lazily: slow, and few tables have such columns

    if not 0 < share < 1:
        return 0.0
    low, high = 0, int(members)
    while low < high:
        middle = (low + high + 1) // 2
        if betainc(middle, others + 1, share) >= _ERROR / tests:
            low = middle
        else:
            high = middle - 1
    return float(max(0, members - low))


def room(value: float | None, lower: float | None, limit: float) -> float:
    """Return how many standard errors a number is below a limit, by the lower end of its 95 % interval."""
    value = limit if value is None else value
    error = 0.0 if lower is None else (value - lower) / _NORMAL_95
    return (limit - value) / error if error > 0 else copysign(inf, limit - value)
