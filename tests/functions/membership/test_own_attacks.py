"""Attacks and distances of the user's own, beside ours: the numbers, who is named, the verdict, and what is refused."""

import functools
import math

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from attacks import auc, exposure, scores
from calls import call, cli, create, rows_of, sql_rows

import synthpriv_sql
from synthpriv_sql.errors import OptionError, RoleError, SynthprivError, UnknownColumn
from synthpriv_sql.report.evaluation import level_of

MEMBERS, OTHERS = 300, 280
SIDES = ("synthetic", "train", "holdout")


def table(random, n, first):
    # Columns of mixed case and with a quote, one that is missing here and there.
    return pa.table(
        {
            "Id": range(first, first + n),
            "X": random.normal(size=n),
            'y"': random.normal(size=n),
            "kind": pa.array(random.choice(["a", "b", None], n)),
        }
    )


@pytest.fixture(scope="module")
def tables():
    """A planted leak: the digits of y beyond the third hold x of somebody of train."""
    random = np.random.default_rng(5)
    train, holdout, synthetic = table(random, MEMBERS, 0), table(random, OTHERS, 1000), table(random, MEMBERS, 5000)
    hidden = np.round(synthetic['y"'].to_numpy(), 3) + train["X"].to_numpy() * 1e-6
    return {"synthetic": synthetic.set_column(2, 'y"', pa.array(hidden)), "train": train, "holdout": holdout}


@pytest.fixture(scope="module")
def asked(tables):
    with synthpriv_sql.connect() as session:
        create(session, **tables)
        yield session


def trick(real, synthetic):
    """Who knows where to look."""
    y, x = synthetic['y"'].to_numpy(), real["X"].to_numpy()
    hidden = np.sort((y - np.round(y, 3)) * 1e6)
    at = np.clip(np.searchsorted(hidden, x), 1, len(hidden) - 1)
    return -np.minimum(abs(hidden[at] - x), abs(hidden[at - 1] - x))


def luck(real, synthetic):
    return pa.array(np.random.default_rng(3).normal(size=len(real)))


def given(tables, score):
    """A table of scores as `membership_scores` gives one."""
    n = [len(tables[side]) for side in SIDES[1:]]
    sides = ["train"] * n[0] + ["holdout"] * n[1]
    return {"side": sides, "record": [*range(n[0]), *range(n[1])], "score": list(score)}


@pytest.mark.nightly
def test_what_a_function_knows_evaluate_counts_as_a_leak(asked):
    blind = asked.evaluate(*SIDES, key="id", attack=["uniques", "distance", luck], named_by="uniques")
    assert level_of(blind) != "bad"
    told = asked.evaluate(*SIDES, key="id", attack=["uniques", "distance", luck, trick], named_by=["uniques", trick])
    assert level_of(told) == "bad"
    numbers = {(row["metric"], row["variant"], row["statistic"]): row["value"] for row in told}
    assert numbers["membership", "trick", "auc"] > 0.99
    assert numbers["exposure", "trick", "exposed"] >= 0.95 * MEMBERS
    assert abs(numbers["membership", "luck", "auc"] - 0.5) < 0.1


def test_chance_names_nobody_and_the_trick_names_all(asked):
    assert sum(asked.exposure(*SIDES, key="id", attack=luck)["exposed"]) == 0
    both = rows_of(asked.exposure(*SIDES, key="id", attack={"mine": trick, "other": luck}))
    assert sum(row["exposed"] for row in both) >= 0.95 * MEMBERS
    assert {row["attack"] for row in both if row["exposed"]} == {"mine"}


def test_a_function_sees_what_is_compared_in_an_order_that_says_nothing(asked, tables):
    seen = {}

    def looks(real, synthetic):
        seen.update(real=real, synthetic=synthetic)
        return np.arange(len(real))

    found = rows_of(asked.membership_scores(*SIDES, key="id", exclude=["KIND"], attack=looks))
    assert seen["real"].column_names == seen["synthetic"].column_names == ["X", 'y"']
    assert seen["synthetic"].equals(tables["synthetic"].select(["X", 'y"']))
    both = pa.concat_tables([tables["train"], tables["holdout"]])
    places = pc.index_in(seen["real"]["X"], value_set=both["X"].combine_chunks()).to_numpy()
    assert sorted(places) == list(range(len(both)))
    # As many of train in the first half as in the second, but for what chance does.
    half = len(both) // 2
    assert abs(np.mean(places[:half] < MEMBERS) - MEMBERS / len(both)) < 0.15
    expected = {int(place): score for score, place in enumerate(places)}
    assert {r["record"] + MEMBERS * (r["side"] == "holdout"): r["score"] for r in found} == expected


def test_scores_of_a_table_are_those_of_the_oracle(asked, tables):
    columns = [{n: t[n].to_pylist() for n in ("X", 'y"', "kind")} for t in map(tables.get, SIDES)]
    score, _ = scores(*columns, "distance")
    create(asked, mine=pa.table(given(tables, score)))
    ours, own = rows_of(asked.membership(*SIDES, key="id", attack=["distance", "own"], scores="mine"))[::3]
    assert ours["auc"] == pytest.approx(auc(score[:MEMBERS], score[MEMBERS:]))
    same = ["auc", "auc_lower", "auc_upper", "p_value", "advantage", "epsilon_lower", "traced_lower"]
    assert [own[n] for n in same] == pytest.approx([ours[n] for n in same])
    assert (own["attack"], own["p_adjusted"]) == ("own", pytest.approx(min(2 * own["p_value"], 1)))
    in_sql = sql_rows(asked.connection, call("exposure", *SIDES, key="id", scores="mine", false_discovery=0.5))
    p, q = exposure(score[:MEMBERS], score[MEMBERS:])
    assert [(r["p_value"], r["q_value"], r["attack"]) for r in in_sql] == [
        (pytest.approx(a), pytest.approx(b), "own") for a, b in zip(p, q, strict=True)
    ]


def test_records_are_named_by_side_by_number_or_by_key(asked, tables):
    score = np.random.default_rng(1).integers(0, 9, MEMBERS + OTHERS).tolist()
    by_side = given(tables, score)
    by_number = {"record": range(MEMBERS + OTHERS), "score": score}
    by_key = {"ID": [*range(MEMBERS), *range(1000, 1000 + OTHERS)][::-1], "score": score[::-1]}
    found = [
        rows_of(asked.membership_scores(*SIDES, key="id", scores=pa.table(one))) for one in (by_side, by_number, by_key)
    ]
    assert found[0] == found[1] == found[2]
    assert [row["score"] for row in found[0] if row["side"] == "train"] == score[:MEMBERS]


def test_attacks_of_one_table_have_names(asked, tables):
    two = {n: v * 2 for n, v in given(tables, np.arange(MEMBERS + OTHERS)).items()}
    two["attack"] = ["Mine"] * (MEMBERS + OTHERS) + ["it's"] * (MEMBERS + OTHERS)
    two = pa.table(two)
    found = asked.membership(*SIDES, key="id", attack="distance", scores=two, false_positive_rates=0.1)
    assert found["attack"] == ["distance", "Mine", "it's"]
    assert asked.membership(*SIDES, key="id", attack="it's", scores=two)["attack"] == ["it's"] * 3
    with pytest.raises(OptionError, match="has the attacks Mine, it's; name one of them"):
        asked.membership_scores(*SIDES, key="id", scores=two)


def test_persons_have_the_scores_of_their_rows(asked, tables):
    score = np.random.default_rng(1).normal(size=MEMBERS + OTHERS)
    owners = np.arange(MEMBERS + OTHERS) // 2
    real = pa.concat_tables([tables["train"], tables["holdout"]]).append_column("who", pa.array(owners))
    sides = tables["synthetic"], real.slice(0, MEMBERS), real.slice(MEMBERS)
    own = pa.table(given(tables, score))
    found = asked.membership_scores(*sides, key="id", unit="who", unit_score="max", scores=own)
    assert dict(zip(found["person"], found["score"], strict=True)) == {
        p: score[2 * p : 2 * p + 2].max() for p in range((MEMBERS + OTHERS) // 2)
    }


@pytest.mark.parametrize("unit", ["who", None])
def test_a_function_is_told_whose_row_it_is_if_it_asks(asked, tables, unit):
    """Rows of a person have one number, which says nothing about the side: persons are numbered as they occur."""
    owners = np.arange(MEMBERS + OTHERS) // 2
    real = pa.concat_tables([tables["train"], tables["holdout"]]).append_column("who", pa.array(owners))
    seen = {}

    def asks(real, synthetic, persons):
        seen.update(x=real["X"].to_numpy(), persons=persons)
        return persons

    sides = tables["synthetic"], real.slice(0, MEMBERS), real.slice(MEMBERS)
    asked.membership_scores(*sides, key="id", exclude=[] if unit else ["who"], unit=unit, attack=asks)
    rows = {x: i for i, x in enumerate(real["X"].to_numpy())}
    told = [owners[rows[x]] if unit else rows[x] for x in seen["x"]]
    numbers = {person: number for number, person in enumerate(dict.fromkeys(told))}
    assert seen["persons"].tolist() == [numbers[person] for person in told]


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        (lambda t: t["score"].__setitem__(3, math.nan), OptionError, "1 of the scores .* are missing, NaN or infinite"),
        (lambda t: t["score"].__setitem__(3, -math.inf), OptionError, "missing, NaN or infinite"),
        (lambda t: t["score"].__setitem__(3, None), OptionError, "missing, NaN or infinite"),
        (lambda t: t["record"].__setitem__(3, MEMBERS), OptionError, "1 of the scores .* are of no record"),
        (lambda t: t["side"].__setitem__(3, "Train"), OptionError, "1 of the scores .* are of no record"),
        (lambda t: t["record"].__setitem__(3, 4), OptionError, "1 records have more than one score.* record 4"),
        (lambda t: [column.pop(3) for column in t.values()], OptionError, "1 of 580 records .* no score.* record 3"),
        (lambda t: t.update(score=["a"] * (MEMBERS + OTHERS)), RoleError, '"score" .* is VARCHAR; it must be a num'),
        (lambda t: t.pop("score"), UnknownColumn, '"score"'),
        (lambda t: t.pop("record"), OptionError, "identifies records: it has side, score"),
        (
            lambda t: t.update(attack=["learned"] * (MEMBERS + OTHERS)),
            OptionError,
            '"learned", which is a built-in one',
        ),
        (lambda t: t.update(attack=[None] * (MEMBERS + OTHERS)), OptionError, "whose attack is missing"),
        (lambda t: [column.clear() for column in t.values()], OptionError, "a table without rows"),
    ],
)
def test_scores_that_make_no_sense(asked, tables, change, kind, message):
    changed = given(tables, np.arange(MEMBERS + OTHERS, dtype=float))
    change(changed)
    with pytest.raises(kind, match=message):
        asked.membership(*SIDES, key="id", attack="own", scores=pa.table(changed))


@pytest.mark.parametrize(
    ("attack", "message"),
    [
        (lambda real, synthetic: [1.0], r'"<lambda>" returned an array of the shape \(1,\).* 580 rows'),
        (lambda real, synthetic: [None, *range(1, len(real))], "returned 1 scores that are missing"),
        (lambda real, synthetic: ["1"] * len(real), "returned <U1 instead of numbers"),
        (lambda real, synthetic: None, "returned a NoneType that is not numeric"),
        (lambda real, synthetic: np.r_[np.inf, np.zeros(len(real) - 1)], "returned 1 scores"),
        ([luck, {"luck": trick}], 'two attacks have the name "luck"'),
        ({"agreement": luck}, 'has an attack "agreement", which is a built-in one'),
    ],
)
def test_functions_that_make_no_sense(asked, attack, message):
    with pytest.raises(OptionError, match=message):
        asked.membership(*SIDES, key="id", attack=attack)


def test_what_does_not_go_together(asked, tables):
    own = pa.table(given(tables, np.zeros(MEMBERS + OTHERS)))
    for options, message in (
        ({"attack": luck, "scores": own}, "not both"),
        ({"attack": luck, "group_by": "kind"}, '"group_by" is not supported'),
        ({"scores": own, "group_by": "kind"}, 'exclude "group_by"'),
        ({"attack": "own"}, 'needs the table "scores"'),
    ):
        with pytest.raises(OptionError, match=message):
            asked.membership(*SIDES, key="id", **options)


def test_a_function_with_no_name_of_its_own_has_that_of_its_type(asked):
    found = asked.membership(*SIDES, key="id", attack=functools.partial(luck), false_positive_rates=0.1)
    assert found["attack"] == ["partial"]


@pytest.mark.again
def test_scores_on_the_command_line(asked, tables, tmp_path):
    files = {}
    for name, one in {**tables, "scores": pa.table(given(tables, np.arange(MEMBERS + OTHERS)))}.items():
        files[name] = str(tmp_path / f"{name}.parquet")
        asked.connection.from_arrow(one).write_parquet(files[name])
    sides = [part for name in (*SIDES, "scores") for part in (f"--{name}", files[name])]
    code, out, err = cli("membership", *sides, "--key", "Id", "--attack", "own", "--format", "csv")
    assert (code, err) == (0, "")
    assert out.splitlines()[1].startswith(f"own,{MEMBERS},{OTHERS},0.0,")
    code, out, err = cli(
        "evaluate", *sides, "--key", "Id", "--attack", "distance,own", "--require", "membership.own.auc<=0.6"
    )
    assert code == 0, err


# Distances of the user's own


def test_the_distances_of_neighbors_give_what_ours_give(asked):
    asked.connection.execute(
        "CREATE OR REPLACE TABLE nearest AS SELECT record AS query, rank, neighbor, distance "
        "FROM synthpriv.neighbors('synthetic', 'train', k := 2, key := 'id')"
    )
    for function in ("dcr", "nndr"):
        ours = rows_of(getattr(asked, function)("synthetic", "train", key="id"))
        assert rows_of(getattr(asked, function)("synthetic", "train", key="id", distances="nearest")) == ours
        assert sql_rows(asked.connection, call(function, "synthetic", "train", key="id", distances="nearest")) == ours


def test_the_holdout_share_by_a_distance_of_ones_own(asked, tables):
    x = [tables[side]["X"].to_numpy() for side in SIDES]
    real = np.round(np.r_[x[1], x[2]], 1)
    distances = abs(np.round(x[0], 1)[:, None] - real[None, :])
    query, neighbor = np.nonzero(distances == distances.min(axis=1, keepdims=True))
    rank = np.concatenate([np.arange(1, n + 1) for n in np.bincount(query)])
    own = pa.table({"query": query, "rank": rank, "neighbor": neighbor, "distance": distances[query, neighbor]})
    found = {row["depth"]: row for row in rows_of(asked.holdout_share(*SIDES, key="id", distances=own))}
    assert set(found) == {"all", "copies"}
    of_train = np.bincount(query, neighbor < MEMBERS) / np.bincount(query)
    counts = [int((of_train == 1).sum()), int((of_train == 0).sum()), int(((of_train > 0) & (of_train < 1)).sum())]
    assert [found["all"][n] for n in ("closer", "further", "equal")] == counts
    assert found["all"]["share"] == pytest.approx(of_train.mean())
    assert found["copies"]["n"] == int((distances.min(axis=1) == 0).sum())
    # Where labels are exchanged, every real record weighs as much as queries are nearest to it.
    weights = np.bincount(neighbor, (1 / np.bincount(query))[query], MEMBERS + OTHERS) / MEMBERS
    p, n = MEMBERS / (MEMBERS + OTHERS), MEMBERS + OTHERS
    chance = p * (1 - p) * n / (n - 1) * ((weights**2).sum() - 1 / n)
    assert found["all"]["z"] == pytest.approx((of_train.mean() - p) / math.sqrt(chance))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"distance": [0.5, math.nan]}, "1 of the distances .* missing, NaN, infinite or below 0"),
        ({"distance": [0.5, -1.0]}, "below 0"),
        ({"neighbor": [0, 2]}, "1 rows .* an invalid query"),
        ({"query": [0, 5]}, "an invalid query"),
        ({"rank": [1, 0]}, "an invalid query"),
        ({"query": [0, 0]}, "2 rows .* repeat a rank"),
        ({"query": [0, 0], "rank": [2, 1]}, "smaller distance than the rank before|fewer than 1 neighbors"),
        ({"rank": [1, 2]}, "1 queries have fewer than 1 neighbors .* record 1"),
    ],
)
def test_distances_that_make_no_sense(asked, change, message):
    two = pa.table({"x": [1.0, 2.0]})
    own = {"query": [0, 1], "rank": [1, 1], "neighbor": [0, 1], "distance": [0.5, 0.7]} | change
    with pytest.raises(SynthprivError, match=message):
        asked.dcr(two, two, distances=pa.table(own))


def test_other_variants_and_persons_are_made_of_more_than_distances(asked):
    two = pa.table({"x": [1.0, 2.0], "who": [1, 2]})
    own = pa.table({"query": [0, 1], "rank": [1, 1], "neighbor": [0, 1], "distance": [0.5, 0.7]})
    with pytest.raises(OptionError, match="only the variant second"):
        asked.nndr(two, two, variant="local", distances=own)
    with pytest.raises(OptionError, match='exclude "unit"'):
        asked.holdout_share(two, two, two, unit="who", distances=own)
