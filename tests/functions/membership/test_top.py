"""The top of a list of scores: what chance explains there, and who is there besides."""

import math

import numpy as np
import pyarrow as pa
import pytest
from attacks import by_chance, hypergeometric_tail, top, top_p_value
from calls import rows_of

from synthpriv_sql.planner.headers import catalog

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
        expected = hypergeometric_tail(*given)
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
    precise = hypergeometric_tail(*tests[0][1:])
    assert small[1:] == (0.0, pytest.approx(math.log(precise.numerator) - math.log(precise.denominator), rel=1e-11))
    # All but the middle, by half; its probability is the asymptotic one of three central binomial coefficients.
    assert half[1] == pytest.approx(0.5 - 1 / math.sqrt(5_000_000 * math.pi), rel=1e-10)


# The top of a list


def listed(session, scores, members):
    """What membership says of scores of one or several attacks: members first."""
    people = [range(members), range(len(next(iter(scores.values()))) - members)]
    train, holdout = (pa.table({"id": ids, "x": [0.0] * len(ids)}) for ids in people)
    own = pa.table({
        "attack": [name for name, values in scores.items() for _ in values],
        "record": [i for values in scores.values() for i in range(len(values))],
        "score": [float(v) for values in scores.values() for v in values],
    })  # fmt: skip
    given = {"scores": own, "attack": [*scores], "columns": ["x"], "false_positive_rates": 0.5}
    rows = rows_of(session.membership(train.slice(0, 1), train, holdout, **given))
    exposed = session.exposure(train.slice(0, 1), train, holdout, scores=own, attack=[*scores], columns=["x"])
    return {row["attack"]: row for row in rows}, [row["sure"] for row in rows_of(exposed)]


def cases():
    """Scores of members, then of others, some with a leak: sizes that differ, ties, all equal, one row."""
    random = np.random.default_rng(5)
    for members, others, leak, step in (
        (40, 40, 15, 0.0), (90, 30, 30, 0.5), (30, 90, 12, 0.25), (600, 500, 60, 0.01), (25, 25, 25, 0.0)
    ):  # fmt: skip
        scores = random.normal(size=members + others)
        scores[:leak] += 3
        yield members, np.round(scores / step) * step if step else scores
    yield 20, np.zeros(40)
    yield 1, np.array([1.0, 0.0])
    yield 1, np.array([1.0, *[0.0] * 9])
    yield 12, np.array([*[2.0] * 9, *[1.0] * 3, *[1.0] * 600])


@pytest.mark.parametrize(("members", "scores"), [*cases()])
def test_lists_are_those_of_the_oracle(shared, members, scores):
    other = scores[::-1] if len(scores) == 2 * members else -scores
    found, sure = listed(shared, {"one": scores, "other": other}, members)
    best = None
    for name, values in (("one", scores), ("other", other)):
        at_least, length, threshold = top(values[:members], values[members:], 2)
        assert (found[name]["at_least"], found[name]["listed"]) == (at_least, length)
        assert found[name]["top_p_value"] == pytest.approx(top_p_value(values[:members], values[members:]), rel=1e-10)
        best = max(best or (-1, 0, ()), (at_least, -length, (values[:members] >= threshold).tolist()))
    assert sure == (best[2] if best[0] else [False] * members)


def test_chance_puts_more_at_the_top_in_few_draws_only():
    random = np.random.default_rng(8)
    for members, others in ((100, 100), (150, 50), (50, 150)):
        wrong = sum(
            top(scores[:members], scores[members:])[0] > 0
            for scores in (random.permutation(members + others) for _ in range(100))
        )
        assert wrong <= 11  # of 100 draws 5 are promised; 12 come once in two hundred times then


def test_so_many_at_the_very_top_are_noticed(shared):
    found = {}
    for people in (60, 300):
        for leak in (noticed := math.ceil(by_chance(people, people) + 1), noticed - 1):
            scores = [*[2] * leak, *[0] * (people - leak), *[1] * people]
            found[people, leak == noticed] = listed(shared, {"own": scores}, people)[0]["own"]["at_least"]
    assert found == {(60, True): 1, (60, False): 0, (300, True): 1, (300, False): 0}


def test_the_curve_of_a_list_keeps_its_steps(shared):
    random = np.random.default_rng(6)
    people = np.array([*[True] * 400, *[False] * 300])
    scores = np.round(random.normal(size=700) + np.where(np.arange(700) < 60, 4, 0), 1)
    above = sorted({*scores.tolist()}, reverse=True)
    roc = {"attack": ["a"] * len(above), "fold": [0] * len(above), "score": above}
    for name, side in (("members", people), ("non_members", ~people)):
        roc[f"{name}_above"] = [int((scores[side] >= c).sum()) for c in above]
        roc[f"all_{name}"] = [int(side.sum())] * len(above)
    at_least, length, threshold = top(scores[people], scores[~people])
    end = int((scores[~people] >= threshold).sum())
    steps = {h: max(m for m, o in zip(roc["members_above"], roc["non_members_above"], strict=True) if o == h)
             for h in roc["non_members_above"] if h <= max(3 * end + 10, 20)}  # fmt: skip
    part, c = catalog.part("top_of_lists"), by_chance(400, 300)
    rows = shared.call(part, roc=pa.table(roc)).fetchall()
    assert rows == [("a", h, steps[h], pytest.approx(c * (1 + h)), h == end) for h in sorted(steps)]
    assert math.floor(length - c * (1 + end)) == at_least > 30
    few = shared.call(part, roc=pa.table(roc), points=5).fetchall()
    assert {*few} < {*rows}
    assert len(few) <= 5
    assert (end, True) in [(row[1], row[4]) for row in few]
