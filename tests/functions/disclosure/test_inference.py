"""Trained inference of secrets: models and scores against a plain computation, and planted leaks."""

import warnings

import attacks
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import referee
from calls import DATA, needs_data, rows_of
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.tree import DecisionTreeRegressor
from threadpoolctl import threadpool_limits

from synthpriv_sql import errors
from synthpriv_sql.learned import inferring

PRIOR, TOLERANCE = 0.02, 0.05


def classes(values, real):
    """The class of each value: of a number its group of 20 among real people, missing a class of its own."""
    if any(isinstance(v, str) for v in [*real, *values]):
        return ["" if v is None else v for v in values]
    distinct = sorted({v for v in real if v is not None})
    ends = distinct
    if len(distinct) > 20:
        known = sorted(v for v in real if v is not None)
        ends = sorted({known[int(np.ceil(i / 20 * len(known))) - 1] for i in range(1, 20)} | {distinct[-1]})
    # Beyond the largest real value is the last group.
    return [-1 if v is None else sum(end < v for end in ends[:-1]) for v in values]


def features(tables, known):
    """Numbers as they are, categories numbered by how frequent they are."""
    made = []
    for name in known:
        values = [v for table in tables for v in table[name]]
        if any(isinstance(v, str) for v in values):
            order = sorted({v for v in values if v is not None}, key=lambda v: (-values.count(v), v.encode()))[:254]
            made.append([float(order.index(v)) if v in order else np.nan for v in values])
        else:
            made.append([np.nan if v is None else float(v) for v in values])
    split = len(tables[0][known[0]])
    matrix = np.array(made).T
    return matrix[:split], matrix[split:], [any(isinstance(v, str) for t in tables for v in t[name]) for name in known]


def learned(taught, labels, numbers, kinds, seed):
    """A function from features to the probability of each class, and the guess of a number."""
    used = ~np.isnan(taught).all(axis=0)
    options = {"learning_rate": 0.1, "max_leaf_nodes": 31, "min_samples_leaf": 10, "l2_regularization": 1.0}
    options |= {"categorical_features": np.array(kinds)[used], "early_stopping": False, "random_state": seed}
    names = sorted(set(labels), key=lambda c: (-labels.count(c), c in ("", -1), c))
    shares = {c: labels.count(c) / len(labels) for c in names}
    rounds = max(20, min(80, 900 // (len(names) if len(names) > 2 else 1)))

    def model(asked):
        if len(names) == 1 or not used.any():
            likely = [shares] * len(asked)
        else:
            trained = HistGradientBoostingClassifier(max_iter=rounds, **options)
            trained.fit(taught[:, used], [names.index(c) for c in labels])
            likely = [dict(zip(names, p, strict=True)) for p in trained.predict_proba(asked[:, used])]
        if numbers is None:
            return likely, None
        there = np.array([v is not None for v in numbers])
        known = np.array([v for v in numbers if v is not None], float)
        if not used.any() or not there.any():
            return likely, [float(np.median(known)) if there.any() else None] * len(asked)
        middle = HistGradientBoostingRegressor(loss="absolute_error", max_iter=80, **options)
        return likely, middle.fit(taught[there][:, used], known).predict(asked[:, used]).tolist()

    return model


def right(guess, truth):
    if guess is None or truth is None:
        return guess is None and truth is None
    return guess == truth if isinstance(truth, str) else abs(guess - truth) <= TOLERANCE * abs(truth)


def oracle(synthetic, real, known, secret, seed):
    """Per real record: whether both models are right, and the score."""
    of_synthetic, of_real, kinds = features([synthetic, real], known)
    truth = real[secret]
    number = not any(isinstance(v, str) for v in [*truth, *synthetic[secret]])
    s_labels, r_labels = classes(synthetic[secret], truth), classes(truth, truth)
    every = set(s_labels) | set(r_labels) | {-1 if number else ""}
    every |= set(range(max(c for c in every if c != -1) + 1)) if number and len(every) > 1 else set()
    rows = len(truth)
    folds = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(7,))).permutation(np.arange(rows) % 2)
    found = [None] * 2
    for place, (taught, labels, values, asked) in enumerate(
        [(of_synthetic, s_labels, synthetic[secret], range(rows))]
        + [
            (of_real[folds != f], *([v[i] for i in np.flatnonzero(folds != f)] for v in (r_labels, truth)),
             np.flatnonzero(folds == f).tolist())
            for f in (0, 1)
        ]
    ):  # fmt: skip
        state = int(np.random.SeedSequence(seed, spawn_key=(place, 6)).generate_state(1)[0])
        model = learned(taught, labels, values if number else None, kinds, state)
        likely, numbers = model(of_real[list(asked)])
        counts = {c: max(labels.count(c), 0.5) for c in every}
        answers = []
        for i, record in enumerate(asked):
            p = likely[i].get(r_labels[record], 0.0)
            p = (1 - PRIOR) * p + PRIOR * counts[r_labels[record]] / sum(counts.values())
            guess = max(likely[i], key=lambda c: likely[i][c])
            if number:
                guess = None if likely[i].get(-1, 0.0) > 0.5 else numbers[i]
            elif guess == "":
                guess = None
            answers.append((record, right(guess, truth[record]), np.log(p)))
        found[min(place, 1)] = {**(found[min(place, 1)] or {}), **{record: rest for record, *rest in answers}}
    return [(found[0][i][0], found[1][i][0], found[0][i][1] - found[1][i][1]) for i in range(rows)]


def people(rows, seed):
    """Ages, towns and wages with gaps; a column without values, a constant, and notes that nobody shares."""
    random = np.random.default_rng(seed)
    town = random.choice(["a", "b", "B", "é", None], rows, p=[0.4, 0.3, 0.1, 0.1, 0.1])
    age = np.where(random.random(rows) < 0.1, np.nan, random.integers(20, 60, rows))
    table = pd.DataFrame({"Town 1": town, "age": age, "wage": random.normal(size=rows).round(3)})
    table["ill"] = np.where(age > 40, "yes", random.choice(["no", "rare"], rows, p=[0.9, 0.1]))
    table.loc[random.random(rows) < 0.1, "ill"] = None
    table["kids"] = random.choice([0.0, 1.0, 2.0, np.nan], rows)
    return table.assign(nothing=pd.Series([None] * rows, dtype="str"), one="x", ever=3)


def lists(table):
    return {name: [None if pd.isna(v) else v for v in table[name]] for name in table}


@pytest.fixture
def few_rounds(monkeypatch):
    """For what does not depend on how well a model is trained."""
    monkeypatch.setattr(inferring, "LEAST_ROUNDS", 2)
    monkeypatch.setattr(inferring, "MOST_ROUNDS", 2)


CALLS = [
    (["Town 1", "age", "nothing"], ["ill", "wage"]),
    (["nothing"], ["Town 1", "kids", "age"]),
    (["one", "wage", "kids"], ["ever", "one 2", "nothing"]),
]


@pytest.mark.parametrize("rows", [(60, 50, 40), (30, 2, 1)])
def test_scores_are_those_of_the_oracle(shared, rows):
    tables = [people(n, seed).assign(**{"one 2": "y"}) for seed, n in enumerate(rows)]
    tables[0].loc[0, "ill"] = "unseen"
    tables[1].loc[0, "Town 1"] = "only here"
    synthetic, real = lists(tables[0]), lists(pd.concat(tables[1:], ignore_index=True))
    for known, secrets in CALLS:
        found = shared.inference_scores(*tables, known, secrets, seed=5).to_arrow().to_pylist()
        assert [row["secret"] for row in found[: len(secrets)]] == secrets
        for secret in secrets:
            own = [row for row in found if row["secret"] == secret]
            with threadpool_limits(1):
                expected = oracle(synthetic, real, known, secret, 5)
            assert [(row["right"], row["others_right"]) for row in own] == [(one, other) for one, other, _ in expected]
            np.testing.assert_allclose([row["score"] for row in own], [e[2] for e in expected], rtol=1e-9, atol=1e-9)


@pytest.mark.again
def test_the_numbers_are_those_of_the_scores(shared):
    """Rates, excess, area, the top of the list and what counts as read, from the rows of inference_scores."""
    train, holdout = people(60, 1), people(40, 2)
    synthetic = pd.concat([train[:50], people(50, 3)])
    known, secrets, options = ["Town 1", "age", "kids"], ["wage", "ill"], {"seed": 2}
    scores = pd.DataFrame(rows_of(shared.inference_scores(synthetic, train, holdout, known, secrets, **options)))
    found = rows_of(
        shared.attribute_inference(
            synthetic, train, known, secrets, holdout, attack=["learned", "nearest"], false_discovery=0.5, **options
        )
    )
    assert [(row["secret"], row["attack"]) for row in found] == [
        (secret, attack) for secret in secrets for attack in ("nearest", "learned")
    ]
    nearest = rows_of(shared.attribute_inference(synthetic, train, known, secrets, holdout))
    assert [row for row in found if row["attack"] == "nearest"] == nearest
    for row in (row for row in found if row["attack"] == "learned"):
        of = scores[scores["secret"] == row["secret"]]
        members, others = (of[of["side"] == side] for side in ("train", "holdout"))
        rate, control = members["right"].mean(), others["right"].mean()
        assert (row["n"], row["hits"], row["tie_fair_rate"]) == (60, members["right"].sum(), None)
        beside = [row["rate"], row["control"], row["others"]]
        assert beside == pytest.approx([rate, control, members["others_right"].mean()])
        assert (row["risk"], row["lower"], row["upper"]) == pytest.approx(referee.residual(rate, 60, control, 40))
        assert row["excess"] == pytest.approx(rate - control)
        excess = row["excess_lower"], row["excess_upper"]
        assert excess == pytest.approx(referee.difference(rate, 60, control, 40))
        m, h = members["score"].tolist(), others["score"].tolist()
        area = attacks.auc(m, h)
        half = 1.959963984540054 * attacks.delong(m, h)
        assert (row["auc"], row["auc_lower"]) == pytest.approx((area, area - half))
        assert row["p_value"] == pytest.approx(attacks.rank_sum_p_value(m, h))
        assert (row["at_least"], row["listed"]) == attacks.top(m, h, lists=2)[:2]
        assert row["top_p_value"] == pytest.approx(attacks.top_p_value(m, h))
        q_values = np.minimum(1, 2 * np.array(attacks.exposure(*(s["sure"].tolist() for s in (members, others)))[1]))
        np.testing.assert_allclose(members["q_value"], q_values)
        assert others["q_value"].isna().all()
        assert row["read"] == (q_values <= 0.5).sum()
    assert found[1]["read"] > 0
    assert found[1]["baseline"] == found[0]["baseline"]
    assert found[3]["baseline"] == found[2]["baseline"]


def test_without_a_holdout_there_are_rates_only(shared, few_rounds):
    (row,) = rows_of(shared.attribute_inference(people(40, 1), people(30, 2), ["age"], ["ill"], attack="learned"))
    numbers = {name for name, value in row.items() if value is not None}
    assert numbers == {"secret", "n", "hits", "rate", "baseline", "attack", "others"}


def learnt(rows, seed):
    """An income that age and job say for everybody, and a code that nothing says."""
    random = np.random.default_rng(seed)
    age, job = random.integers(20, 70, rows), random.integers(0, 4, rows)
    place = random.normal(size=rows)
    income = np.where(age + 10 * job + random.normal(0, 3, rows) > 60, "high", "low")
    return pd.DataFrame(
        {
            "age": age,
            "job": [f"j{i}" for i in job],
            "place": place,
            "income": income,
            "code": random.integers(0, 3, rows),
        }
    ).assign(code=lambda t: "c" + t["code"].astype(str))


def test_a_copy_gives_secrets_away_and_what_is_true_of_everybody_is_none(shared):
    known, secrets = ["age", "job", "place"], ["income", "code"]
    train, holdout, fresh = (learnt(600, seed) for seed in (1, 2, 3))
    copy = train.assign(place=train["place"] + np.random.default_rng(4).normal(0, 0.001, 600))
    for synthetic, leaks in ((copy, True), (fresh, False)):
        income, code = rows_of(shared.attribute_inference(synthetic, train, known, secrets, holdout, attack="learned"))
        assert income["rate"] > income["baseline"] + 0.2
        assert income["control"] > income["baseline"] + 0.2  # of strangers as well: no leak of a person
        assert income["others"] == pytest.approx(income["control"], abs=0.05)
        if leaks:
            assert code["excess_lower"] > 0.1
            assert code["auc_lower"] > 0.6
            assert code["at_least"] >= 5
            assert code["read"] > 500
        else:
            for row in (income, code):
                assert (row["at_least"], row["read"]) == (0, 0)
                assert row["excess_lower"] < 0.03
                assert row["p_value"] > 0.01


@pytest.mark.again
def test_all_stands_for_the_other_columns(shared, few_rounds):
    tables = [people(30, seed)[["age", "ill", "kids"]] for seed in range(3)]

    def scores(known, secrets):
        return shared.inference_scores(*tables, known, secrets).to_arrow().to_pylist()

    assert scores(["age"], "all") == scores(["age"], ["ill", "kids"])
    assert scores("all", ["ill"]) == scores(["age", "kids"], ["ill"])
    each = scores("all", "all")
    for secret in ("age", "ill", "kids"):
        assert [row["score"] for row in each if row["secret"] == secret] == [
            row["score"] for row in scores([name for name in tables[0] if name != secret], [secret])
        ]
    assert "All" not in {row["secret"] for row in each}
    named = [table.rename(columns={"kids": "all"}) for table in tables]
    assert {row["secret"] for row in rows_of(shared.inference_scores(*named, ["age"], "all"))} == {"all"}
    with pytest.raises(errors.OptionError, match="by a model only"):
        shared.attribute_inference(*tables[:2], "all", "all")
    wide = pd.DataFrame({f"c{i}": [1, 2] for i in range(13)})
    with pytest.raises(errors.OptionError, match="at most 12 columns, and there are 13"):
        shared.inference_scores(wide, wide, wide, "all", "all")
    options = {"attack": ["distance"], "named_by": ["distance"], "key": "ever"}
    tables = {side: people(30, i) for i, side in enumerate(("synthetic", "train", "holdout"))}
    text = shared.sql("evaluate", **tables, **options, secrets="all", exclude=["one", "nothing", "wage"])
    assert text.count("synthpriv_inference(") == 1
    assert "'known': [], 'columns': ['Town 1', 'age', 'ill', 'kids']" in text


def test_rare_values_share_a_class(monkeypatch):
    monkeypatch.setattr(inferring, "CLASSES", 2)
    words = [*(["a"] * 6), *(["b"] * 5), "c", "c", "d"]
    texts = np.array(words)
    values, places = np.unique(texts, return_inverse=True)
    secret = inferring.Secret(places, np.arange(len(values) + 1), len(values) + 1, None)
    empty = inferring.Known(np.full((14, 1), np.nan), np.zeros(1, bool))
    model = inferring.Model.trained(empty, secret.synthetic, None, secret.classes, np.random.SeedSequence(0))
    right_, likely = model.ask(np.full((5, 1), np.nan), secret.real, None, 0.0)
    assert right_.tolist() == [True, False, False, False, False]
    counts = np.array([6, 5, 2, 1, 0.5])
    of_places = np.array([6, 5, 3 * 2 / 3.5, 3 * 1 / 3.5, 3 * 0.5 / 3.5]) / 14
    np.testing.assert_allclose(np.exp(likely), (1 - PRIOR) * of_places + PRIOR * counts / 14.5)


def test_nothing_is_warned_and_bad_input_is_an_error(shared, few_rounds):
    table = people(40, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shared.inference_scores(table, table, table, ["age", "Town 1"], ["ill", "wage"])
        shared.inference_scores(table[:22], table[:22], table[:21], ["age"], ["wage"])  # nearly a class each
    with pytest.raises(errors.EmptyTable, match="no rows"):
        shared.attribute_inference(table[:0], table, ["age"], ["ill"], attack="learned")
    with pytest.raises(errors.EmptyTable, match="holdout"):
        shared.inference_scores(table, table, table[:0], ["age"], ["ill"])
    with pytest.raises(errors.InfiniteValue, match='"wage"'):
        shared.inference_scores(table.assign(wage=np.inf), table, table, ["age"], ["wage"])
    with pytest.raises(errors.OptionError, match="attack"):
        shared.attribute_inference(table, table, ["age"], ["ill"], attack="guess")
    vectors = pa.table({"v": [[1.0, 2.0], [3.0, 4.0]] * 20, "t": ["a", "b"] * 20})
    found = rows_of(shared.inference_scores(vectors, vectors, vectors, ["v"], ["t"]))
    assert all(row["right"] for row in found)


def test_dates_are_judged_by_their_range(shared, few_rounds):
    """Whether a guess of a date is right does not depend on where its scale begins."""
    tables = [people(60, seed)[["age", "Town 1"]] for seed in range(3)]
    random = np.random.default_rng(5)
    days = [random.integers(0, 1_000, 60) for _ in tables]

    def scores(since):
        dated = [
            table.assign(seen=pd.to_datetime(since) + pd.to_timedelta(day, unit="D"))
            for table, day in zip(tables, days, strict=True)
        ]
        return shared.inference_scores(*dated, ["age", "Town 1"], ["seen"]).to_arrow().to_pylist()

    found = scores("1970-01-01")
    assert found == scores("2015-06-01")
    assert 0 < sum(row["right"] for row in found) < len(found)


def by_trees(real, leaf, random):
    """Column by column, a random member of the leaf of a tree on the columns before it."""
    codes = np.column_stack([c if c.dtype.kind in "if" else c.astype("category").cat.codes for _, c in real.items()])
    codes = codes.astype(float)
    origin = np.empty(codes.shape, np.int64)
    origin[:, 0] = random.integers(0, len(real), len(real))
    made = codes[origin[:, 0], :1]
    for j in range(1, codes.shape[1]):
        tree = DecisionTreeRegressor(min_samples_leaf=leaf, random_state=0).fit(codes[:, :j], codes[:, j])
        leaves, wanted = tree.apply(codes[:, :j]), tree.apply(made)
        for leaf_number in np.unique(wanted):
            here = wanted == leaf_number
            origin[here, j] = random.choice(np.flatnonzero(leaves == leaf_number), here.sum())
        made = np.column_stack([made, codes[origin[:, j], j]])
    return pd.DataFrame({c: real[c].to_numpy()[origin[:, j]] for j, c in enumerate(real)})


def test_values_that_a_table_knows_by_heart_are_read_and_others_are_not(session, few_rounds):
    """Half of a table are copies of people of train: their codes are read, and of a table of other people none is."""
    train, holdout, fresh = (learnt(300, seed) for seed in (5, 6, 7))
    half = pd.concat([train[:150], fresh[150:]], ignore_index=True)
    known = ["age", "job", "place"]
    for synthetic, copied in ((half, 150), (fresh, 0)):
        scores = pd.DataFrame(rows_of(session.inference_scores(synthetic, train, holdout, known, ["code"])))
        read = scores[scores["q_value"] <= 0.05]["record"]
        assert (read < copied).sum() >= 0.9 * copied
        assert (read >= copied).sum() <= 0.1 * copied


@pytest.mark.nightly
@needs_data
def test_trees_of_one_record_tell_occupations_of_thousands(session):
    people = pd.concat([pd.read_csv(DATA / f"adult_{name}.csv.gz") for name in ("trn", "val")], ignore_index=True)
    random = np.random.default_rng(11)
    train, holdout, others = np.array_split(random.permutation(len(people))[:13_500], 3)
    train, holdout, others = (people.iloc[places].reset_index(drop=True) for places in (train, holdout, others))
    known = [name for name in people if name != "occupation"]
    for synthetic, least, most in (
        (by_trees(train, 1, random), 2_000, 4_500), (by_trees(train, 20, random), 0, 20), (others, 0, 0),
    ):  # fmt: skip
        (row,) = rows_of(
            session.attribute_inference(synthetic, train, known, ["occupation"], holdout, attack="learned")
        )
        assert least <= row["read"] <= most
