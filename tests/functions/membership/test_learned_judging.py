"""How the attack that learns judges: folds, ranks, missing values, threads."""

import math
import warnings

import numpy as np
import pyarrow as pa
from test_learned import leaky

from synthpriv_sql.learned import judging, learners


def test_nobody_is_judged_by_what_was_learned_of_him(monkeypatch):
    """The fold of a person never trains a classifier that scores him, and folds of persons hold all of their rows."""
    trained = []

    def spied(name):
        real = getattr(learners, name)

        def learner(*given):
            if name == "linear":
                known, asked = (given[place][:, 0].astype(int) for place in (0, 2))
            else:
                known, asked = given[1], given[3]  # records by number
            trained.append((name, known, asked))
            return real(*given)

        monkeypatch.setattr(learners, name, learner)

    for name in ("linear", "boosted", "random_trees"):
        spied(name)
    persons = np.repeat(np.arange(500), 2)
    members = persons < 250
    folds = judging.assign_folds(persons, members, 3, seed=4)
    for person in range(500):
        assert len(set(folds[persons == person])) == 1
    for side in (True, False):
        sizes = np.bincount(folds[members == side]) / 2
        assert sizes.max() - sizes.min() <= 1
    monkeypatch.setattr(learners, "ROUNDS", 2)
    monkeypatch.setattr(learners, "TREES", 4)
    numbered = np.column_stack([np.arange(1000), np.random.default_rng(2).normal(size=(1000, 2))])
    found = judging.judge(numbered, members, folds, seed=4, threads=2)
    for name, known, asked in trained:
        (fold,) = np.unique(folds[asked])
        np.testing.assert_array_equal(asked, np.flatnonzero(folds == fold), name)
        np.testing.assert_array_equal(known, np.flatnonzero(folds != fold), name)
    assert len(trained) == 3 * (2 + judging.PARTS)
    again = judging.judge(numbered, members, folds, seed=4, threads=1)
    np.testing.assert_array_equal(found.scores, again.scores)


def test_folds_have_enough_people():
    for (members, others), given, expected in (
        ((1000, 1000), None, 5), ((330, 5000), None, 3), ((150, 150), None, 2), ((20, 900), None, 2),
        ((10_000, 10_001), None, 2), ((10_000, 10_000), None, 5), ((50_000, 50_000), 4, 4), ((150, 150), 7, 7),
    ):  # fmt: skip
        of_train = np.arange(members + others) < members
        persons = np.arange(members + others, dtype=np.int32)
        assert judging.folds_of(persons, of_train, given) == expected


def test_ranks_are_means_over_learners_and_of_ties():
    scores = [np.array([3.0, 1.0, 1.0, 2.0]), np.array([0.0, 0.0, 0.0, 5.0])]
    ranks = np.array([[4, 1.5, 1.5, 3], [2, 2, 2, 4]]).mean(axis=0) / 5
    np.testing.assert_allclose(judging.mean_rank(scores), ranks, rtol=1e-15)


def test_what_a_learner_is_told_of_missing_and_of_odd_values():
    """Missing, huge and constant values neither fail nor warn; equal records have equal scores."""
    random = np.random.default_rng(3)
    known = random.normal(size=(300, 4))
    members = known[:, 0] + random.normal(size=300) > 0
    known[::7, 0], known[:, 1], known[::2, 2], known[:, 3] = np.nan, 7.1, 1e300, np.nan
    asked = np.vstack([known[:50], known[:50]])
    asked[3] = asked[53] = [0.0, 1e9, -1e300, 5.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both = np.vstack([known, asked])
        places, narrow = np.split(np.arange(400), [300]), learners.for_trees(both)
        scores = [
            learners.linear(known, members, asked).scores,
            learners.boosted(learners.binned(both), places[0], members, places[1], 1).scores,
            learners.random_trees(narrow, places[0], members, places[1], np.arange(9, dtype=np.uint32)),
        ]
    for one in scores:
        assert np.isfinite(one).all()
        np.testing.assert_array_equal(one[:50], one[50:])
    assert (narrow[0, :300:7] < np.nanmin(known[:, 0])).all()


def test_missing_and_far_values_count_as_the_mean_and_the_largest():
    from sklearn.linear_model import LogisticRegression

    draw = np.random.default_rng(4)
    members = draw.random(600) < 0.5
    whole = draw.normal(size=(600, 5)) + members[:, None] * [0.8, 0, 0.4, 0, 0]
    whole[:, 4] = 3.7  # a constant
    odd = whole.copy()
    odd[draw.random(odd.shape) < 0.1] = np.nan
    odd[7, 1], odd[8, 3] = np.inf, -1e300
    for features in (whole, odd):
        known, asked = features[:400], features[400:]
        bounded = np.clip(known, -learners.LARGEST, learners.LARGEST)
        center = np.array([column[~np.isnan(column)].mean() for column in bounded.T])
        spread = np.array([column[~np.isnan(column)].std() for column in bounded.T])
        spread[4] = np.inf
        scaled = [np.nan_to_num((one - center) / spread, nan=0.0) for one in (bounded, asked)]
        model = LogisticRegression(C=learners.INVERSE_PENALTY, solver="newton-cholesky")
        expected = model.fit(scaled[0], members[:400]).decision_function(scaled[1])
        before = known.copy(), asked.copy()
        np.testing.assert_allclose(learners.linear(known, members[:400], asked).scores, expected, atol=2e-8)
        np.testing.assert_array_equal(known, before[0])  # other learners read the same features
        np.testing.assert_array_equal(asked, before[1])


def test_learning_in_threads_keeps_warnings_as_they_were():
    """Forests of scikit-learn that are grown at once warn, and leave the filters of the process in disorder."""
    random = np.random.default_rng(1)
    members = np.arange(600) < 300
    folds = judging.assign_folds(np.arange(600), members, 3, seed=0)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        before = list(warnings.filters)
        judging.judge(random.normal(size=(600, 5)), members, folds, seed=0, threads=4)
        assert warnings.filters == before
    assert not warned


def test_a_column_without_values_is_no_evidence(shared):
    """Not even in the control, whose features are the columns themselves; so is a feature that a fold lacks."""
    rng = np.random.default_rng(6)
    members = np.arange(400) < 200
    values = rng.normal(size=(400, 2)) + members[:, None]
    folds = judging.assign_folds(np.arange(400), members, 2, seed=1)
    empty = np.where((folds == 0)[:, None], 7.0, np.nan)  # what is learned for fold 0 has no value of it
    with_it = judging.judge(np.hstack([values, np.full((400, 1), np.nan)]), members, folds, seed=3).scores
    np.testing.assert_array_equal(
        with_it, judging.judge(np.hstack([values, np.zeros((400, 1))]), members, folds, 3).scores
    )
    assert np.isfinite(judging.judge(np.hstack([values, empty]), members, folds, seed=3).scores).all()
    tables = [t.append_column("empty", pa.array([math.nan] * len(t))) for t in leaky(9, rows=220, copies=0)]
    (row,) = shared.membership(*tables, attack="learned", false_positive_rates=[0.1])
    assert (row["at_least"], row["p_value"] > 0.001) == (0, True)
    assert not any(row["differs"] for row in shared.split_check(tables[1], tables[2], tables[0]))
