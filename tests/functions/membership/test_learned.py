"""The attack that learns: no label reaches a feature, nobody judges himself, and what it finds is there."""

import itertools
import math
import random
from dataclasses import replace

import numpy as np
import oracle_text
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import scipy.stats
from calls import DATA, needs_data, rows_of

from synthpriv_sql.errors import RoleError, SynthprivWarning, TooFew, UnknownColumn
from synthpriv_sql.learned import conditionals, features, judging, nearness
from synthpriv_sql.learned.tables import Tables
from synthpriv_sql.learned.tables import values as values_of
from synthpriv_sql.udf.encoded import pages


def leaky(seed=0, rows=600, copies=250, missing=0.0):
    """Synthetic, train and holdout: some of synthetic are people of train with a third of their cells redrawn."""
    rng = np.random.default_rng(seed)

    def people(count):
        kind = rng.integers(0, 40, count)
        columns = {f"n{i}": rng.normal(kind, 3.0).round(2) for i in range(3)}
        return columns | {
            f"c{i}": np.array([f"v{v}" for v in (kind + rng.integers(0, 25, count)) % 50]) for i in range(4)
        }

    train, holdout, fresh = people(rows), people(rows), people(rows)
    for name, values in fresh.items():
        values[:copies] = np.where(rng.random(copies) < 2 / 3, train[name][:copies], values[:copies])
    return [pa.table(table) for table in (fresh, train, holdout)]


@pytest.mark.slow
def test_a_score_of_ones_own_is_a_feature(session):
    """It is read of train and of the holdout alone, infinite or missing, and under no other attack."""
    synthetic, train, holdout = leaky(3, copies=0)
    rng = np.random.default_rng(1)

    def with_score(table, shift):
        score = rng.normal(shift, 1.0, len(table))
        score[:3] = [math.inf, -math.inf, math.nan]
        return table.append_column("my score", pa.array(score, mask=np.arange(len(table)) == 9))

    scored = [with_score(train, 1.5), with_score(holdout, 0.0)]
    told = rows_of(session.membership(synthetic, *scored, ["distance", "learned"], hints=["My Score"]))
    plain = rows_of(session.membership(synthetic, train, holdout, ["distance", "learned"]))
    aucs = [{row["attack"]: row["auc"] for row in rows} for rows in (told, plain)]
    assert aucs[0]["distance"] == aucs[1]["distance"]
    assert aucs[0]["learned"] > 0.75  # 0.86 is what the score alone can tell
    assert aucs[1]["learned"] < 0.57
    found = rows_of(session.membership_scores(synthetic, *scored, "learned", hints="my score"))
    assert any("my score" in row["evidence"] for row in found)
    with pytest.raises(RoleError, match=r'hints" names column "c0" of .* which is VARCHAR; a hint is a number'):
        session.membership(synthetic, *scored, "learned", hints=["c0"])
    with pytest.raises(UnknownColumn, match='hints" names column "nowhere"'):
        session.membership(synthetic, *scored, "learned", hints=["nowhere"])


def encoded(table):
    columns = []
    for column in table.columns:
        if pa.types.is_floating(column.type):
            columns.append(column.to_numpy())
        else:
            words = column.combine_chunks().dictionary_encode()
            columns.append(
                pages.Texts(
                    [words.indices.fill_null(-1).to_numpy()],
                    [len(words.dictionary)],
                    words.dictionary.cast(pa.large_string()),
                )
            )
    return pages.Encoded(len(table), tuple(columns))


def known(synthetic, train, holdout, selected=None, threads=2):
    real, other = encoded(pa.concat_tables([train, holdout])), encoded(synthetic)
    options = {
        "columns": train.column_names,
        "roles": ["numeric" if pa.types.is_floating(t) else "categorical" for t in train.schema.types],
        "weights": [1.0] * train.num_columns,
        "vectors": "euclidean",
        "threads": threads,
        "memory": 1 << 30,
    }
    who = np.arange(real.rows, dtype=np.int32)
    return Tables(real, other, real, other, who, options, selected)


def evidence(*tables, **options):
    return features.evidence(known(*tables, **options))


def test_columns_elsewhere_are_left_out_as_well():
    """Features of the other columns are those of tables without it, beside those of all columns."""
    synthetic, train, holdout = leaky(rows=260, copies=100)
    far = synthetic.set_column(1, "n1", pc.multiply(synthetic["n1"], -3.5))
    with_it, as_it_was = (evidence(one, train, holdout).features for one in (far, synthetic))
    without = evidence(*(one.drop_columns("n1") for one in (far, train, holdout))).features
    assert not any(nearness.NOT_ELSEWHERE in feature.label for feature in as_it_was)
    found = {f.label: f.values for f in with_it if nearness.NOT_ELSEWHERE in f.label}
    assert len(found) == 2 * 9 + len(features.BANDWIDTHS)
    expected = {f.label: f.values for f in without}
    for label, values in found.items():
        own = label.replace(f", {nearness.NOT_ELSEWHERE})", ")").replace(nearness.NOT_ELSEWHERE, nearness.ALL)
        if own not in expected:
            own = label.replace(nearness.NOT_ELSEWHERE, nearness.ALL)
        np.testing.assert_allclose(values, expected[own], rtol=1e-12)
    constant = far.set_column(1, "n1", pa.nulls(260, pa.float64()))
    assert not any(nearness.NOT_ELSEWHERE in f.label for f in evidence(constant, train, holdout).features)


def test_numbers_are_compared_as_normal_scores_as_well(monkeypatch):
    """Those of ranks among real values: any increasing function of the numbers leaves these features as they are."""
    synthetic, train, holdout = leaky(rows=260, copies=100)
    plain, bent = (
        {f.label: f.values for f in evidence(*tables).features if nearness.SCORED in f.label}
        for tables in [(synthetic, train, holdout), [_bent(one) for one in (synthetic, train, holdout)]]
    )
    assert len(plain) == 2 * 2 * len(nearness.SCORED_RANKS)
    for label, values in plain.items():
        np.testing.assert_allclose(bent[label], values, rtol=1e-9, err_msg=label)
    real = pa.concat_tables([train, holdout])
    scores = pa.table({name: _scores(real[name], real[name]) for name in real.column_names})
    of_synthetic = pa.table({name: _scores(synthetic[name], real[name]) for name in real.column_names})
    monkeypatch.setattr(nearness, "RANKS", nearness.SCORED_RANKS)
    expected = {f.label: f.values for f in evidence(of_synthetic, scores[:260], scores[260:]).features}
    for label, values in plain.items():
        own = label.replace(nearness.SCORED, nearness.ALL)
        np.testing.assert_allclose(values, expected[own], rtol=1e-9, err_msg=label)


def _bent(table):
    return table.set_column(0, "n0", pc.exp(pc.divide(table["n0"], 8.0)))


def _scores(values, real):
    """By counting, of numbers; words stay."""
    if not pa.types.is_floating(values.type):
        return values
    values, real = values.to_numpy(), real.to_numpy()
    below, equal = ((values[:, None] > real).sum(axis=1), (values[:, None] == real).sum(axis=1))
    return scipy.stats.norm.ppf(np.clip(below + equal / 2, 0.5, len(real) - 0.5) / len(real))


def test_normal_scores_of_missing_and_far_values_and_of_nothing():
    real = pages.Encoded(4, (np.array([2.0, np.nan, 7.0, 2.0]), np.full(4, np.nan)))
    far = pages.Encoded(5, (np.array([-9.0, np.nan, 2.0, 4.0, 99.0]), np.arange(5.0)))
    first, without = nearness.normal_scores(far, real).columns
    expected = scipy.stats.norm.ppf([1 / 6, np.nan, 1 / 3, 2 / 3, 5 / 6])
    np.testing.assert_allclose(first, expected)
    np.testing.assert_array_equal(without, np.arange(5.0))  # nothing to compare with


def test_near_copies_of_skewed_numbers_show_by_normal_scores():
    """Amounts whose scale is that of the few largest ones: all others look alike by their differences."""
    rng = np.random.default_rng(4)
    train, holdout = (rng.normal(0.0, 3.0, (300, 3)) for _ in range(2))
    synthetic = train + rng.normal(0.0, 0.1, train.shape)
    tables = [pa.table({f"n{i}": np.exp(one[:, i]) for i in range(3)}) for one in (synthetic, train, holdout)]
    found = {f.label: f.values for f in evidence(*tables).features}
    relative = "distance to the synthetic record of rank 1 relative to that to the real one (euclidean, {})"
    areas = []
    for subset in (nearness.ALL, nearness.SCORED):
        scores = found[relative.format(subset)]
        areas.append((scores[:300, None] > scores[None, 300:]).mean())
    assert areas[0] < 0.8, areas
    assert areas[1] > 0.95


@pytest.mark.nightly
def test_texts_that_come_back_nearly_are_features():
    """As all pairs of texts, and sets of words, say; other tables have no such features."""
    draw = random.Random(3)
    names = ["maria gonzales", "Bartholomew Cunningham", "Zoë Ångström", "Ann Lee", "שלום עולם", "x"]

    def texts(rows):
        drawn = [f"{draw.choice(names)} {draw.randrange(40)}" for _ in range(rows)]
        notes = [" ".join(draw.choices(["ein", "Hund", "und", "noch", "viel", "mehr"], k=9)) for _ in range(rows)]
        return pa.table({"who": pa.array([None, "", *drawn[2:]]), "note": notes, "n": [0.5] * rows})

    synthetic, train, holdout = texts(60), texts(40), texts(40)
    found = {
        f.label: f.values
        for f in evidence(synthetic, train, holdout).features
        if "words in" in f.label or "texts" in f.label
    }
    expected = np.zeros((2, 80))
    for column in ("who", "note"):
        real, ours = (
            [v if v is None else oracle_text.normalized(v) for v in one[column].to_pylist()]
            for one in (pa.concat_tables([train, holdout]), synthetic)
        )
        for i, text in enumerate(real):
            if text is None:
                continue
            near = [s for s in ours if s is not None and oracle_text.is_near(text, s)]
            bits = -math.log2(sum(other is not None and oracle_text.is_near(text, other) for other in real) / 80)
            expected[:, i] += bits * np.array([any(oracle_text.distance(text, s) <= 1 for s in near), bool(near)])
    for label, values in zip(("with an edit at most", "nearly"), expected, strict=True):
        np.testing.assert_allclose(found[f"bits of texts that come back {label}"], values, atol=1e-12)
    notes = [one["note"].to_pylist() for one in (synthetic, train, holdout)]
    shared = oracle_text.longest_phrases(*notes, list(range(80)), 4)
    words = np.zeros(80)
    for side, record, *_, size in shared:
        words[record + 40 * (side == "holdout")] = size
    np.testing.assert_array_equal(found["words in a row that nobody else has and a synthetic record has too"], words)
    assert not any("texts" in f.label for f in evidence(*leaky(rows=150, copies=60)).features)


def test_labels_never_reach_a_feature(monkeypatch):
    """Exchanged as wholes, or for single people, train and holdout leave the features of everybody as they were."""
    monkeypatch.setattr(conditionals, "LEAST_RECORDS", 1)
    monkeypatch.setattr(conditionals, "TREES", 4)
    synthetic, train, holdout = leaky(rows=260, copies=100)

    def matrix(train, holdout):
        tables = known(synthetic, train, holdout)
        return judging.matrix([*features.evidence(tables).features, *values_of(tables)])

    before, swapped = matrix(train, holdout), matrix(holdout, train)
    np.testing.assert_array_equal(np.roll(before, 260, axis=0), swapped)
    everybody = pa.concat_tables([train, holdout])
    order = np.arange(520)
    for one, other in ((3, 300), (17, 411), (259, 519)):
        order[[one, other]] = order[[other, one]]
    mixed = everybody.take(order)
    np.testing.assert_array_equal(before[order], matrix(mixed.slice(0, 260), mixed.slice(260)))


def test_some_people_have_the_features_that_they_have_among_all(monkeypatch):
    monkeypatch.setattr(conditionals, "LEAST_RECORDS", 1)
    monkeypatch.setattr(conditionals, "TREES", 4)
    synthetic, train, holdout = leaky(rows=150, copies=60)
    # All but a few, so that the smallest positive distance, which stands for 0, is among them.
    selected = np.delete(np.arange(300), [7, 151, 200])
    some, everybody = (evidence(synthetic, train, holdout, which) for which in (selected, None))
    np.testing.assert_array_equal(judging.matrix(some.features), judging.matrix(everybody.features)[selected])
    np.testing.assert_array_equal(some.nearest, everybody.nearest[selected])
    alone = judging.matrix(evidence(synthetic, train, holdout, threads=1).features)
    np.testing.assert_array_equal(alone, judging.matrix(everybody.features))


def test_features_of_combinations_are_those_of_their_definition():
    synthetic, train, holdout = leaky(rows=40, copies=20)
    found = {feature.label: feature.values for feature in evidence(synthetic, train, holdout).features}
    real, other = pa.concat_tables([train, holdout]).to_pydict(), synthetic.to_pydict()
    names = list(real)

    def binned(name, values):
        if isinstance(values[0], str):
            return values
        edges = np.unique(np.quantile(real[name], np.arange(1, 20) / 20))
        return np.searchsorted(edges, values).tolist()

    columns = {name: (binned(name, real[name]), binned(name, other[name])) for name in names}
    total = np.zeros(80)
    for name in names:
        ours, theirs = columns[name]
        total += [
            math.log((theirs.count(v) + 0.5) / 41) - math.log((ours.count(v) - 1 + 0.5) / 80) for v in ours
        ]  # fmt: skip
    np.testing.assert_allclose(
        found["how much more frequent its values of one column are in synthetic"], total / len(names), rtol=1e-12
    )


def test_rare_values_are_those_of_their_definition():
    synthetic, train, holdout = leaky(rows=40, copies=20, missing=0.1)
    found = {feature.label: feature.values for feature in evidence(synthetic, train, holdout).features}
    real, other = pa.concat_tables([train, holdout]).to_pydict(), synthetic.to_pydict()
    for width, label in ((1, "one column"), (3, "3 columns"), (4, "4 columns")):
        total = np.zeros(80)
        for chosen in itertools.combinations(real, width):
            ours, theirs = (list(zip(*(of[name] for name in chosen), strict=True)) for of in (real, other))
            counts = [ours.count(key) if key in theirs else 99 for key in ours]
            total += [math.log(80 / count) if count <= 3 else 0.0 for count in counts]
        assert total.any()
        np.testing.assert_allclose(
            found[f"rare values of {label} that a synthetic record has too"], total, rtol=1e-12, atol=1e-12
        )


def test_what_synthetic_foretells_better_than_people(monkeypatch):
    """Half of the values of synthetic follow another rule than people's, which some of train have as well."""
    rng = np.random.default_rng(5)

    def people(rows, odd):
        a, b = rng.integers(0, 4, rows), rng.integers(0, 4, rows)
        c = np.where(np.arange(rows) < odd, (a + b) % 4, rng.integers(0, 4, rows))
        return pa.table(
            {name: np.array([f"v{v}" for v in values]) for name, values in zip("abc", (a, b, c), strict=True)}
        )

    monkeypatch.setattr(conditionals, "LEAST_RECORDS", 1_500)
    tables = people(900, 450), people(800, 400), people(800, 0)
    label = "how much better synthetic records foretell c than other people do"
    found = {feature.label: feature.values for feature in evidence(*tables).features}
    told = found[label]
    assert told[:400].mean() > told[400:].mean() + 0.15
    real = pa.concat_tables(tables[1:]).to_pylist()
    by_value = {}
    for row, value in zip(real, told.tolist(), strict=True):
        by_value.setdefault(tuple(row.values()), set()).add(value)
    assert all(len(values) == 1 for values in by_value.values())  # equal people are alike
    swapped = conditionals.of_conditionals(known(tables[0], tables[2], tables[1]), None)
    np.testing.assert_array_equal(np.roll({f.label: f.values for f in swapped}[label], 800), told)
    # Trees of people are grown once for synthetic tables of one size, and again for others: all are told the same.
    for size, again in ((900, 0), (600, 3)):
        of_another = known(people(size, 0), *tables[1:])
        apart = [f.values for f in conditionals.of_conditionals(of_another, None)]
        grown = known(*tables)
        conditionals.of_conditionals(grown, None)
        assert sum(len(of_column) for of_column in grown.known.values()) == 3
        together = [f.values for f in conditionals.of_conditionals(replace(of_another, known=grown.known), None)]
        np.testing.assert_array_equal(together, apart)
        assert sum(len(of_column) for of_column in grown.known.values()) == 3 + again
    fewer = evidence(tables[0], tables[1].slice(0, 700), tables[2].slice(0, 700)).features
    assert not any("foretell" in feature.label for feature in fewer)


def test_densities_are_features_unless_there_are_many_pairs(shared, monkeypatch):
    tables = leaky(rows=40, copies=20)
    found = {feature.label: feature.values for feature in evidence(*tables).features}
    label = "density of synthetic records relative to real ones (bandwidth 0.5, 0.3)"
    scores = rows_of(shared.membership_scores(*tables, attack="kernel"))
    scores.sort(key=lambda row: (row["side"] == "holdout", row["record"]))
    np.testing.assert_array_equal(found[label], [row["score"] for row in scores])
    monkeypatch.setattr(features, "DENSITY_PAIRS", 80 * 120 - 1)
    assert not any("density" in feature.label for feature in evidence(*tables).features)


@pytest.fixture(scope="module")
def planted(shared):
    """Tables with a leak, what membership says of it, and the scores."""
    tables = leaky()
    (row,) = rows_of(shared.membership(*tables, attack="learned", false_positive_rates=0.1))
    return tables, row, shared.membership_scores(*tables, attack="learned").to_arrow().to_pylist()


def test_planted_leak_is_found_and_explained(shared, planted):
    tables, row, scores = planted
    assert row["auc"] > 0.65
    assert row["p_value"] < 1e-6
    assert row["traced_lower"] > 0.05
    assert len(scores) == 1200
    assert all(1 <= len(row["evidence"]) <= 3 for row in scores[:50] if row["score"] > 0.5)
    assert shared.membership_scores(*tables, attack="learned").to_arrow().to_pylist() == scores


def test_statistics_of_folds_are_put_together(shared, planted):
    """Means of the folds' rates, and bounds of each; people are named by the ranks in all folds together."""
    tables, row, scores = planted
    scores = np.array([one["score"] for one in scores])
    members = np.arange(1200) < 600
    folds = judging.assign_folds(np.arange(1200), members, 5, seed=0)
    aucs, rates, bounds, z = [], [], [], 0.0
    for fold in range(5):
        own, others = (scores[(folds == fold) & (members == side)] for side in (True, False))
        aucs.append(((own[:, None] > others).mean() + (own[:, None] >= others).mean()) / 2)
        thresholds = np.unique(scores[folds == fold])
        found = [((own >= c).mean(), (others >= c).mean()) for c in thresholds]
        rates.append(max(t for t, f in found if f <= 0.1))
        lead = max(t - f for t, f in found)
        bounds.append(max(0.0, lead - 2 * math.sqrt(math.log(200) / 240)))
        ties = np.unique(scores[folds == fold], return_counts=True)[1]
        variance = (241 - (ties**3 - ties).sum() / (240 * 239)) / (12 * 120 * 120)
        z += (aucs[-1] - 0.5) / math.sqrt(variance)
    own, others = scores[members], scores[~members]
    p = (1 + (others[None, :] >= own[:, None]).sum(axis=1)) / (len(others) + 1)
    order = np.argsort(p)
    q_values = np.empty(600)
    q_values[order] = np.minimum.accumulate((p[order] * 600 / np.arange(1, 601))[::-1])[::-1]
    assert row["auc"] == pytest.approx(np.mean(aucs), abs=1e-12)
    assert row["true_positive_rate"] == pytest.approx(np.mean(rates), abs=1e-12)
    assert row["traced_lower"] == pytest.approx(np.mean(bounds), abs=1e-12)
    assert row["p_value"] == pytest.approx(math.erfc(z / math.sqrt(20)) / 2, rel=1e-9)
    named = rows_of(shared.exposure(*tables, attack="learned"))
    np.testing.assert_allclose([r["p_value"] for r in named], p, rtol=1e-12)
    np.testing.assert_allclose([r["q_value"] for r in named], np.minimum(q_values, 1), rtol=1e-9)


def test_several_attacks_share_the_level(shared):
    """Each person has one q-value, the smallest of all attacks times their number, and the attack whose it is."""
    tables = leaky(seed=5)
    attacks = ("uniques", "agreement", "distance")
    alone = {attack: rows_of(shared.exposure(*tables, attack=attack)) for attack in attacks}
    together = rows_of(shared.exposure(*tables, attack=list(attacks)))
    for i, row in enumerate(together):
        least = min(alone[attack][i]["q_value"] for attack in attacks)
        assert row["q_value"] == pytest.approx(min(1.0, 3 * least), rel=1e-12)
        assert alone[row["attack"]][i]["q_value"] == least
        assert row["score"] == alone[row["attack"]][i]["score"]


def test_too_few_people(shared):
    tables = leaky(rows=150, copies=50)
    with pytest.raises(TooFew, match="needs 100 records of each side in each of 2 folds"):
        shared.membership_scores(*tables, attack="learned")
    with pytest.warns(SynthprivWarning, match="needs 100 records"):
        found = rows_of(shared.membership(*tables, attack=["uniques", "learned"], false_positive_rates=0.1))
    assert [row["attack"] for row in found] == ["uniques"]


@pytest.mark.again
def test_false_names_stay_below_the_level(shared):
    """Part of train leaks, the rest of synthetic are others: few of the names are of people who did not leak."""
    false, named = {"uniques": [], "learned": []}, {"uniques": 0, "learned": 0}
    for seed in range(2):
        tables = leaky(seed=10 + seed, rows=900, copies=300)
        for attack, shares in false.items():
            exposed = [row["record"] for row in rows_of(shared.exposure(*tables, attack=attack)) if row["exposed"]]
            named[attack] += len(exposed)
            shares.append(np.mean([record >= 300 for record in exposed]) if exposed else 0.0)
    assert named["uniques"] > 200
    # Two draws scatter; over many the mean is at most 0.05 (benchmarks/: names).
    assert all(np.mean(shares) < 0.12 for shares in false.values())


@pytest.mark.slow
def test_nothing_leaked_names_nobody(shared):
    hits = 0
    for seed in range(3):
        tables = leaky(seed=40 + seed, rows=400, copies=0)
        hits += any(row["exposed"] for row in rows_of(shared.exposure(*tables, attack=["uniques", "learned"])))
    assert hits <= 1


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize(
    ("table", "areas"), [("adult_synthpop", {"uniques": 0.859, "learned": 0.897}), ("adult_mostly", {"uniques": 0.504})]
)
def test_numbers_of_published_tables(shared, table, areas):
    files = [str(DATA / f"{name}.csv.gz") for name in (table, "adult_trn", "adult_val")]
    found = rows_of(shared.membership(*files, attack=list(areas), false_positive_rates=0.01))
    assert {row["attack"]: row["auc"] for row in found} == pytest.approx(areas, abs=0.011)
    named = sum(row["exposed"] for row in rows_of(shared.exposure(*files, attack="uniques")))
    assert named == (pytest.approx(12_291, rel=0.05) if table == "adult_synthpop" else 0)
