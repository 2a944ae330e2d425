"""Trees for two classes: boosted ones are those of scikit-learn, random ones are like them, and what a leaf says."""

import numpy as np
import pytest
from numba import njit
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from synthpriv_sql.kernels.trees import boosting, random
from synthpriv_sql.learned import learners


def people(rows=900, columns=8, missing=0.1, seed=4):
    """Features of which some have few values, one is constant and one is empty, and labels that they tell of."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(rows, columns))
    features[:, 1] = np.round(features[:, 1])
    features[:, 2], features[:, 3] = 7.0, np.nan
    members = features[:, 0] + features[:, 1] + rng.normal(size=rows) > 0.2
    features[rng.random(features.shape) < missing] = np.nan
    features[members & (rng.random(rows) < 0.3), 4] = np.nan  # a missing value tells something
    return features, members


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_boosted_trees_are_those_of_scikit_learn(missing):
    features, members = people(missing=missing)
    found = learners.binned(features)
    options = {"rounds": 40, "rate": 0.06, "leaves": 6, "leaf": 40, "penalty": 5.0, "drawn": len(found.codes)}
    trees = boosting.grow(found.codes, found.counts, members, 1, **options)
    with threadpool_limits(1, user_api="openmp"):
        model = HistGradientBoostingClassifier(
            max_iter=40, learning_rate=0.06, max_leaf_nodes=6, min_samples_leaf=40, l2_regularization=5.0,
            early_stopping=False,
        ).fit(np.where(np.isnan(features).all(axis=0), 0.0, features), members)  # fmt: skip
        expected = model.decision_function(features)
    assert (trees.features >= 0).sum() > 150
    np.testing.assert_allclose(boosting.score(found.codes, trees), expected, atol=1e-6)


def test_few_values_few_records_and_one_class_grow_what_they_can():
    members = np.arange(79) < 40
    found = learners.binned(np.arange(79.0)[:, None])
    scores = learners.boosted(found, np.arange(79), members, np.arange(79), 1).scores
    np.testing.assert_allclose(scores, np.log(40 / 39))  # no two leaves of 40
    narrow, every = learners.for_trees(np.arange(79.0)[:, None]), np.arange(79)
    for of, expected in ((np.ones(79, bool), 5.0), (np.zeros(79, bool), 0.0)):
        np.testing.assert_array_equal(learners.random_trees(narrow, every, of, every, np.arange(5)), expected)
    constant = learners.for_trees(np.full((79, 3), np.nan))
    votes = learners.random_trees(constant, every, members, every, np.arange(5))
    np.testing.assert_allclose(votes, 5 * 40 / 79)


@pytest.mark.parametrize("rows", [3, 900])
def test_bins_are_those_between_edges(rows):
    """Each value has as many edges below it, in one thread and in several; of few values each is a bin."""
    features, _ = people(rows)
    features[:2, 0] = np.inf, -1e300
    found = learners.binned(features)
    for column, codes, edges, count in zip(features.T, found.codes, found.edges, found.counts, strict=True):
        expected = np.where(np.isnan(column), boosting.MISSING, np.searchsorted(edges, column))
        np.testing.assert_array_equal(codes, expected)
        assert count == len(edges) + 1 <= boosting.MISSING
    again = learners.binned(features, threads=3)
    np.testing.assert_array_equal(again.codes, found.codes)
    np.testing.assert_array_equal(learners.for_trees(features, 3), learners.for_trees(features))


def test_what_falls_where_a_feature_is_another():
    features, members = people(400)
    found = learners.binned(features)
    trained = learners.boosted(found, np.arange(300), members[:300], np.arange(300, 400), 3)
    values = np.array([0.3, np.nan])
    changed = features.copy()
    for place, value, falls in zip((0, 4), values, trained.falls(np.array([0, 4]), values), strict=True):
        changed[300:, place] = value
        again = learners.Binned(found.codes.copy(), found.counts, found.edges)
        again.codes[place, 300:] = 255 if np.isnan(value) else np.searchsorted(found.edges[place], value)
        after = learners.boosted(again, np.arange(300), members[:300], np.arange(300, 400), 3).scores
        np.testing.assert_array_equal(falls, trained.scores - after)
        assert falls.any()


def test_random_trees_are_like_those_of_scikit_learn():
    features, members = people(700)
    narrow, every = learners.for_trees(features), np.arange(700)
    known, asked = every[:500], every[500:]
    options = {"records": 500, "leaf": 20, "drawn": 2}
    votes = random.votes(narrow, known, members[known], asked, np.arange(200), **options) / 200
    model = ExtraTreesClassifier(200, min_samples_leaf=20, max_features=2, random_state=1)
    expected = model.fit(narrow[known], members[known]).predict_proba(narrow[asked])[:, 1]
    assert np.abs(votes - expected).max() < 0.1
    assert np.corrcoef(votes, expected)[0, 1] > 0.98
    # Of one tree: each leaf has at least 20 records, and says the share of members among them.
    one = random.votes(narrow, known, members[known], known, np.arange(1), **options)
    shares, leaves = np.unique(one, return_inverse=True)
    assert 4 < len(shares) <= 25
    for leaf, share in enumerate(shares):
        assert (leaves == leaf).sum() >= 20
        np.testing.assert_allclose(members[known][leaves == leaf].mean(), share)
    # Of a sample, other records are asked as well.
    few = random.votes(narrow, known, members[known], known, np.arange(1), **options | {"records": 100})
    assert len(np.unique(few)) <= 5


def test_a_cut_counts_every_record_between_the_ends():
    """With any number of records, ties and one value."""

    @njit
    def looked_at(values, labels, cut):
        return random._ends(values), random._below(values, labels, cut)

    rng = np.random.default_rng(8)
    for size in [*range(1, 70), 2_000]:
        for spread in (0.0, 2.0, 1e30):
            values = (np.round(rng.normal(size=size) * 2) * spread - 1).astype(np.float32)
            labels = rng.integers(0, 2, size).astype(np.float32)
            for cut in rng.choice(values, 2):
                below = values <= cut
                expected = (values.min(), values.max()), (below.sum(), (below & (labels > 0)).sum())
                assert looked_at(values, labels, cut) == expected
