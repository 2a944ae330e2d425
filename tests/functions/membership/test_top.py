"""The top of a list of scores: what chance explains there, and who is there besides."""

import math
from fractions import Fraction

import pyarrow as pa
import pytest

from synthpriv_sql.planner.headers import catalog


def tail(population, successes, draws, observed):
    """The probability of at least ``observed`` successes among the draws, exactly."""
    most = min(successes, draws)
    ways = sum(
        math.comb(successes, v) * math.comb(population - successes, draws - v) for v in range(observed, most + 1)
    )
    return Fraction(ways, math.comb(population, draws))


# Each with a value beyond what is possible, sizes of none, and both sides of the mean.
TESTS = [
    *((n, k, d, v) for n in (0, 1, 7) for k in {0, n // 2, n} for d in {0, n // 3, n} for v in range(d + 2)),
    *((6000, 3000, d, v) for d, v in ((128, 128), (512, 260), (512, 511), (900, 400), (3000, 2600))),
    *((10_000_000, k, d, v) for k, d, v in ((100, 900, 1), (400, 9_999_000, 400), (9_999_700, 9_999_800, 9_999_501))),
    *((200_000, 100_000, 900, v) for v in (451, 890)),
]


def test_upper_tails_of_the_hypergeometric_distribution(shared):
    names = ("population", "successes", "draws", "observed")
    columns = dict(zip(names, map(list, zip(*TESTS, strict=True)), strict=True))
    tests = pa.table({"test": range(len(TESTS) + 1)} | {name: [*column, None] for name, column in columns.items()})
    rows = sorted(shared.call(catalog.part("hypergeometric"), tests=tests).fetchall())
    assert rows.pop() == (len(TESTS), None, None)
    for given, (_, found, logarithm) in zip(TESTS, rows, strict=True):
        expected = tail(*given)
        assert found == pytest.approx(float(expected), rel=1e-11, abs=0), given
        if expected:
            precise = math.log(expected.numerator) - math.log(expected.denominator)
            assert logarithm == pytest.approx(precise, rel=1e-11, abs=1e-11), given
        else:
            assert logarithm is None


def test_tails_too_small_for_a_double_and_of_many_terms(shared):
    tests = [[0, 10_000, 5000, 2000, 2000], [1, 10_000_000, 5_000_000, 5_000_000, 2_500_001]]
    names = ("test", "population", "successes", "draws", "observed")
    table = pa.table(dict(zip(names, zip(*tests, strict=True), strict=True)))
    small, half = sorted(shared.call(catalog.part("hypergeometric"), tests=table).fetchall())
    precise = tail(*tests[0][1:])
    assert small[1:] == (0.0, pytest.approx(math.log(precise.numerator) - math.log(precise.denominator), rel=1e-11))
    # All but the middle, by half; its probability is the asymptotic one of three central binomial coefficients.
    assert half[1] == pytest.approx(0.5 - 1 / math.sqrt(5_000_000 * math.pi), rel=1e-10)
