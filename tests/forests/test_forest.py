"""The forests behind the baseline, against scikit-learn's own predictions and bags."""

import math
from dataclasses import replace

import numpy as np
import pytest
import sklearn.base

from synthpriv_sql.forests import forest, growing
from synthpriv_sql.forests.forest import BLOCK, Options

FEW = Options(seed=5, trees=7)


def mixed(rows, seed=0, missing=0.0):
    """A number that depends on a category and on another number; each value missing with a probability."""
    random = np.random.default_rng(seed)
    code = random.integers(0, 5, rows)
    size = np.round(random.normal(100, 20, rows))
    weight = size * 0.7 + code * 10 + random.normal(0, 5, rows)
    columns = [size, code, weight, (size > 110).astype(np.int64)]
    for column in columns:
        column[random.random(rows) < missing] = -1 if column.dtype.kind == "i" else math.nan
    return columns


def predict(columns, options=FEW, **given):
    return list(forest.predictions(columns, options, **given))


def values_of(prediction, column):
    """What replaces the cells of a column: the number, or the donor's value."""
    taken = np.where(prediction.donors >= 0, column[prediction.donors], -1 if column.dtype.kind == "i" else math.nan)
    return taken if column.dtype.kind == "i" else np.where(np.isnan(prediction.numbers), taken, prediction.numbers)


def grown(columns, position, options):
    """A column's forests, the table that they predict from, and their target."""
    target = forest.target_of(columns[position])
    features = [forest.feature(column) for column in columns]
    table = np.column_stack([f for i, f in enumerate(features) if i != position and f is not None])
    return list(forest.grow(table, target, options, position)), table, target


def in_words(codes, target, column):
    """The column's own codes for those of the forest."""
    return column[target.holders[codes]]


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_predictions_are_those_of_scikit_learn(missing):
    columns = mixed(400, missing=missing)
    for position, (column, found) in enumerate(zip(columns, predict(columns), strict=True)):
        (grown_forest,), table, target = grown(columns, position, FEW)
        trees = grown_forest.estimators_
        if column.dtype.kind == "i":
            # Shares are added up in single precision here: two categories may tie but for rounding.
            shares = np.mean([tree.predict_proba(table) for tree in trees], axis=0)
            said = shares.argmax(axis=1)
            shares.sort(axis=1)
            clear = shares[:, -1] - shares[:, -2] > 1e-6
            assert clear.mean() > 0.9
            assert (values_of(found, column) == in_words(said, target, column))[clear].all()
        else:
            said = np.mean([tree.predict(table) for tree in trees], axis=0)
            np.testing.assert_allclose(values_of(found, column), target.restored(said), rtol=1e-12)


def test_predictions_know_the_column_from_the_others():
    columns = mixed(2_000)
    size, code, weight, large = (values_of(p, c) for p, c in zip(predict(columns), columns, strict=True))
    assert np.corrcoef(weight, columns[2])[0, 1] > 0.9
    assert np.corrcoef(size, columns[0])[0, 1] > 0.9
    assert (large == columns[3]).mean() > 0.9
    assert (code == columns[1]).mean() > 0.4


@pytest.mark.parametrize(("trees", "sample"), [(1, growing.EVERY), (7, growing.EVERY), (growing.BATCH + 3, 90)])
def test_out_of_bag_asks_the_trees_that_did_not_see_the_record(trees, sample):
    columns = mixed(300, missing=0.1)
    options = Options(seed=2, trees=trees, sample=sample, out_of_bag=True)
    within = predict(columns, replace(options, out_of_bag=False))
    for position, (column, found) in enumerate(zip(columns, predict(columns, options), strict=True)):
        forests, table, target = grown(columns, position, options)
        categorical = column.dtype.kind == "i"
        sums = np.zeros((len(column), len(target.holders) if categorical else 1))
        heard = np.zeros(len(column))
        for one in forests:
            for tree, bag in zip(one.estimators_, one.estimators_samples_, strict=True):
                unseen = np.ones(len(column), bool)
                unseen[target.present[bag]] = False
                said = tree.predict_proba(table) if categorical else tree.predict(table)[:, None]
                sums[unseen] += said[unseen]
                heard += unseen
        assert (heard == 0).any() == (trees < growing.BATCH)
        if categorical:
            shares = np.sort(sums, axis=1)
            clear = (shares[:, -1] - shares[:, -2] > 1e-4) | (heard == 0)
            assert (values_of(found, column) == in_words(sums.argmax(axis=1), target, column))[clear].all()
        else:
            means = np.where(heard, sums[:, 0] / np.maximum(heard, 1), target.values.mean())
            np.testing.assert_allclose(values_of(found, column), target.restored(means), rtol=1e-12)
        assert (values_of(found, column) != values_of(within[position], column)).any()


@pytest.mark.parametrize(("out_of_bag", "sample"), [(False, growing.EVERY), (True, growing.EVERY), (False, 90)])
def test_donors_are_records_of_the_same_leaf(out_of_bag, sample):
    columns = mixed(300, missing=0.1)
    options = Options(seed=3, trees=5, sample=sample, out_of_bag=out_of_bag, donor=True)
    for position, found in enumerate(predict(columns, options)):
        (grown_forest,), table, target = grown(columns, position, options)
        assert np.isnan(found.numbers).all()
        assert np.isin(found.donors, target.present).all()
        possible, heard = np.zeros((2, len(table)), bool)
        for tree, bag in zip(grown_forest.estimators_, grown_forest.estimators_samples_, strict=True):
            leaves = tree.apply(table)
            seen = np.zeros(len(table), bool)
            seen[target.present[bag]] = True
            asked = ~seen if out_of_bag else np.ones(len(table), bool)
            possible |= asked & seen[found.donors] & (leaves == leaves[found.donors])
            heard |= asked
        assert possible[heard].all()
        assert heard.mean() > 0.8


@pytest.mark.parametrize(
    ("records", "sample", "taken", "leaf"),
    [
        (0, None, 0, 2),
        (1, None, 1, 5),
        (3_000, None, 3_000, 5),
        (3_001, None, 3_000, 5),
        (15_000, None, 3_000, 2),
        (50_000, None, 10_000, 2),
        (10**6, None, 20_000, 2),
        (10**6, growing.EVERY, 10**6, 5),
        (10**6, 500_000, 500_000, 3),
        (300, 90, 90, 2),
        (300, 300, 300, 5),
    ],
)
def test_a_tree_takes_a_part_of_many_records_and_all_of_few(records, sample, taken, leaf):
    assert growing.tree_records(records, sample) == (taken, leaf)


@pytest.mark.parametrize("sample", [20, 299, 300, 301, None])
def test_trees_are_grown_on_as_many_records_as_the_sample_says(sample):
    columns = mixed(300)
    options = Options(seed=4, trees=3, sample=sample)
    (few,), table, _ = grown(columns, 0, options)
    (every,), *_ = grown(columns, 0, replace(options, sample=growing.EVERY))
    taken, leaf = growing.tree_records(300, sample)
    for tree, whole, bag in zip(few.estimators_, every.estimators_, few.estimators_samples_, strict=True):
        assert len(bag) == taken
        grown_on = np.bincount(tree.apply(table)[np.unique(bag)])
        assert grown_on[grown_on > 0].min() >= leaf
        if taken == 300:
            np.testing.assert_array_equal(tree.predict(table), whole.predict(table))


@pytest.mark.parametrize("position", [0, 1])
def test_a_tree_of_few_records_is_that_of_all_with_weights(position):
    """scikit-learn's own bagging: weight 0 for who is not in the bag. Rare categories are known all the same."""
    columns = mixed(500, missing=0.1)
    columns[1][:2] = 5
    (few,), table, target = grown(columns, position, Options(seed=4, trees=4, sample=60))
    known = table[target.present]
    assert not any(np.isin(target.values, target.values[bag]).all() for bag in few.estimators_samples_)
    for tree, bag in zip(few.estimators_, few.estimators_samples_, strict=True):
        weights = np.bincount(bag, minlength=len(known))
        same = sklearn.base.clone(tree).fit(known, target.values, sample_weight=weights)
        np.testing.assert_array_equal(tree.apply(table), same.apply(table))
        np.testing.assert_array_equal(tree.tree_.value, same.tree_.value)


def test_fewer_records_a_tree_predict_about_as_well():
    """Of 6,000 records a tree takes 3,000: the error out of bag stays, for numbers and for categories."""
    columns = mixed(6_000, missing=0.05)
    errors = []
    for sample in (None, growing.EVERY):
        found = predict(columns, Options(seed=1, trees=30, sample=sample, out_of_bag=True, threads=2))
        size, _, weight, large = (values_of(p, c) for p, c in zip(found, columns, strict=True))
        known = [~np.isnan(columns[0]), ~np.isnan(columns[2]), columns[3] >= 0]
        error = [np.square((size - columns[0])[known[0]]).mean() / columns[0][known[0]].var()]
        error += [np.square((weight - columns[2])[known[1]]).mean() / columns[2][known[1]].var()]
        errors.append([*error, (large != columns[3])[known[2]].mean()])
    assert np.array(errors[0]) == pytest.approx(np.array(errors[1]), rel=0.05, abs=0.005)


def test_donors_come_from_all_trees_and_all_of_a_leaf():
    # One predictor of two values, so two leaves a tree: every record that has the value is as good as another.
    flag = np.repeat([0, 1], 50)
    number = np.arange(100.0) + 1000 * flag
    counts = np.zeros((2, 100))
    for seed in range(40):
        (found,) = predict([flag, number], Options(seed=seed, trees=10, donor=True), positions=[1])
        np.add.at(counts, (flag, found.donors), 1)
    assert counts[0, 50:].sum() == counts[1, :50].sum() == 0
    given = np.concatenate([counts[0, :50], counts[1, 50:]])
    assert given.min() > 10
    assert given.max() < 90


def test_donors_undo_the_smoothing():
    number = mixed(1_000)[2]
    columns = [mixed(1_000)[1], number]
    smooth, rough = (values_of(predict(columns, replace(FEW, donor=donor))[1], number) for donor in (False, True))
    assert smooth.std() < 0.8 * number.std() < rough.std()
    assert np.isin(rough, number).all()


@pytest.mark.parametrize("options", [FEW, Options(trees=3, out_of_bag=True), Options(trees=3, donor=True)])
def test_threads_change_nothing_not_even_the_last_bit(options):
    columns = mixed(BLOCK + 500, missing=0.05)
    one, *others = ([*predict(columns, replace(options, threads=threads))] for threads in (1, 2, 5))
    for other in others:
        for mine, theirs in zip(one, other, strict=True):
            np.testing.assert_array_equal(mine.draws, theirs.draws)
            np.testing.assert_array_equal(mine.numbers, theirs.numbers)
            np.testing.assert_array_equal(mine.donors, theirs.donors)


def test_another_seed_is_another_table():
    columns = mixed(200)
    for mine, theirs in zip(predict(columns), predict(columns, replace(FEW, seed=6)), strict=True):
        assert (mine.draws != theirs.draws).all()
    assert (predict(columns)[2].numbers != predict(columns, replace(FEW, seed=6))[2].numbers).mean() > 0.5


def test_how_categories_are_numbered_does_not_matter():
    size, code, weight, large = mixed(300)
    renamed = np.array([3, 0, 4, 1, 2])[code]
    for mine, theirs in zip(predict([size, code, weight, large]), predict([size, renamed, weight, large]), strict=True):
        np.testing.assert_array_equal(mine.numbers, theirs.numbers)
        np.testing.assert_array_equal(mine.donors, theirs.donors)


@pytest.mark.parametrize(
    ("scale", "offset"),
    [(1.0, 1.7e9), (1e-3, 1e9), (1e300, 0.0), (1e-300, 0.0), (2.0**-1074, 0.0), (1e306, -9e307), (2.0**60, 2.0**62)],
)
def test_numbers_of_any_size_are_predicted_within_their_range(scale, offset):
    random = np.random.default_rng(4)
    code = random.integers(0, 4, 400)
    number = (code * 40 + np.round(random.normal(0, 3, 400))) * scale + offset
    found = values_of(predict([code, number])[1], number)
    assert number.min() <= found.min() < found.max() <= number.max()
    halves = [values / 2 - offset / 2 for values in (found, number)]
    errors = np.abs(halves[0] - halves[1])
    assert np.median(errors) < 0.1 * (halves[1].max() - halves[1].min())


def test_the_ends_of_a_range_are_records():
    number = np.repeat([-7.5, 0.0, 12.25], 40)
    (_, found) = predict([np.repeat([0, 1, 2], 40), number], Options(trees=1))
    np.testing.assert_array_equal(found.donors, np.repeat([0, -1, 80], 40))
    np.testing.assert_array_equal(found.numbers, np.repeat([math.nan, 0.0, math.nan], 40))


def test_draws_are_uniform_and_independent_of_the_options():
    columns = [np.zeros(20_000), np.zeros(20_000, np.int64)]
    first, second = (prediction.draws for prediction in predict(columns))
    for draws in (first, second):
        assert 0 <= draws.min() < draws.max() < 1
        counts, _ = np.histogram(draws, 20, (0, 1))
        assert np.abs(counts - 1_000).max() < 5 * math.sqrt(1_000)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.03
    np.testing.assert_array_equal(predict(columns, replace(FEW, trees=1, donor=True))[0].draws, first)


@pytest.mark.parametrize(
    ("distinct", "rows", "is_one"),
    [(200, 1_000, False), (201, 1_000, True), (20, 20, False), (21, 21, True), (21, 42, False), (21, 41, True)],
)
def test_what_an_identifier_is(distinct, rows, is_one):
    codes = np.arange(rows) % distinct
    assert forest.is_identifier(codes) == is_one
    assert forest.is_identifier(np.append(codes, [-1] * rows)) == is_one
    assert not forest.is_identifier(codes.astype(float))


def test_an_identifier_is_replaced_by_any_record_and_predicts_nothing():
    columns = mixed(300)
    name = np.arange(300)
    name[:100] = -1
    *found, of_name = predict([*columns, name])
    assert (of_name.donors >= 100).all()
    assert len(np.unique(of_name.donors)) > 100
    for with_name, without in zip(found, predict(columns), strict=True):
        np.testing.assert_array_equal(with_name.numbers, without.numbers)
        np.testing.assert_array_equal(with_name.donors, without.donors)


@pytest.mark.parametrize("donor", [False, True])
@pytest.mark.parametrize("out_of_bag", [False, True])
def test_columns_without_anything_to_learn(out_of_bag, donor):
    rows = 30
    random = np.random.default_rng(1)
    nothing, nobody = np.full(rows, math.nan), np.full(rows, -1)
    constant = np.where(np.arange(rows) < 3, math.nan, 2.5)
    number, code = random.normal(size=rows), random.integers(0, 3, rows)
    columns = [nothing, nobody, constant, number, code]
    found = predict(columns, Options(trees=3, out_of_bag=out_of_bag, donor=donor))
    for empty in found[:2]:
        assert (empty.donors == -1).all()
        assert np.isnan(empty.numbers).all()
    assert (values_of(found[2], constant) == 2.5).all()
    assert not np.isnan(values_of(found[3], number)).any()
    assert np.isin(values_of(found[4], code), code).all()


@pytest.mark.parametrize("donor", [False, True])
@pytest.mark.parametrize("out_of_bag", [False, True])
@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_few_rows(rows, out_of_bag, donor):
    columns = [np.arange(rows) * 2.0, np.arange(rows) % 2, np.full(rows, math.nan)]
    number, code, nothing = predict(columns, Options(trees=3, out_of_bag=out_of_bag, donor=donor))
    assert (values_of(number, columns[0]) <= 2 * max(rows - 1, 0)).all()
    assert (values_of(code, columns[1]) >= 0).all()
    assert (nothing.donors == -1).all()


@pytest.mark.parametrize("column", [np.arange(50.0), np.arange(50) % 3])
def test_a_column_alone_is_predicted_by_its_middle(column):
    (found,) = predict([column], Options(trees=50))
    middle = values_of(found, column)
    assert len(np.unique(middle)) == 1
    assert abs(middle[0] - (24.5 if column.dtype.kind == "f" else 0)) < 3
    (found,) = predict([column], Options(trees=50, donor=True))
    assert len(np.unique(values_of(found, column))) > 2 or column.dtype.kind == "i"


def test_progress_counts_trees_and_may_stop():
    columns = mixed(50)
    calls = []
    predict(columns, Options(trees=growing.BATCH + 1), progress=lambda *call: calls.append(call))
    done, totals, positions = zip(*calls, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {done[-1]} == {4 * (growing.BATCH + 1)}
    assert set(positions) == {0, 1, 2, 3}

    def stop(done, total, position):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        predict(columns, FEW, progress=stop)
