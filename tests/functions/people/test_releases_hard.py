"""Several releases where it is hard: other people each month, little by little, and what can only grow."""

import attacks
import numpy as np
import pyarrow as pa
import pytest
from calls import rows_of

from synthpriv_sql.errors import OptionError
from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.kernels.uniques import search, sharing
from synthpriv_sql.kernels.uniques.keys import Keys
from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.headers import catalog, wording

GROWING = ["distance", "ratio", "agreement", "agreement_near", "uniques"]
"""Attacks whose score of all releases is the best of any, or counts over all."""


def people(rng, rows=300, values=300):
    return {name: rng.integers(0, values, rows).tolist() for name in "abcd"}


def leaking(rng, train, first, last, names="abc"):
    """Another table, with some columns of these people."""
    made = people(rng)
    for name in names:
        made[name][: last - first] = train[name][first:last]
    return made


def table(rows):
    return pa.table({name: list(values) for name, values in rows.items()})


def joined(one, other):
    return {name: [*one[name], *other[name]] for name in one}


def part(rows, first, last):
    return {name: values[first:last] for name, values in rows.items()}


@pytest.mark.again
def test_a_different_train_each_month(shared):
    """What earlier releases tell of people who have left train is nothing, and of those who stayed all of it."""
    rng = np.random.default_rng(21)
    old, newcomers, holdout = people(rng), people(rng), people(rng)
    before = [table(leaking(rng, old, 60 * month, 60 * month + 60)) for month in range(3)]
    newest, attack = table(people(rng)), ["uniques", "agreement", "distance"]

    def found(train):
        options = {"attack": attack, "releases": before}
        rows = rows_of(shared.membership(newest, table(train), table(holdout), **options))
        exposed = rows_of(shared.exposure(newest, table(train), table(holdout), **options))
        return max(row["at_least"] for row in rows), [row for row in exposed if row["exposed"]]

    at_least, exposed = found(newcomers)
    assert (at_least, exposed) == (0, [])
    # The first 90 stay, and 210 come: these are the last of train.
    stayed, exposed = found(joined(part(old, 0, 90), part(newcomers, 0, 210)))
    assert 30 < stayed <= 90
    assert {row["release"] for row in exposed if row["record"] < 90} <= {"release 1", "release 2"}
    assert sum(row["record"] >= 90 for row in exposed) <= 0.1 * len(exposed)
    everybody, _ = found(old)
    assert everybody > stayed


def test_all_releases_never_tell_less_of_a_person(shared):
    """At any score, those above it in one release are above it in all together; so what names them alone stays."""
    rng = np.random.default_rng(22)
    for seed in (0, 2):
        train, holdout = people(rng, 60), people(rng, 60)
        made = [leaking(rng, train, 20 * i, 20 * i + 20, "abcd"[: 2 + i]) for i in range(3)]
        if seed == 2:  # missing values, and columns that not all have
            made = [{name: v for name, v in r.items() if name != "abc"[i]} for i, r in enumerate(made)]
            made = [{n: [None if rng.random() < 0.2 else x for x in v] for n, v in r.items()} for r in made]
        tables = [table(r) for r in made]
        real = table(train), table(holdout)
        for attack in GROWING if seed != 2 else ["agreement", "uniques"]:
            options = {"attack": attack}
            union = np.array(shared.membership_scores(tables[2], *real, releases=tables[:2], **options)["score"])
            for alone in tables:
                own = real
                if seed == 2:
                    own = tuple(one.select(alone.column_names) for one in real)
                single = np.array(shared.membership_scores(alone, *own, **options)["score"])
                assert (union >= single - 1e-9).all(), (attack, seed)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 10))])
def test_all_releases_never_name_fewer_than_one(shared, seed):
    """At the same level, and without the larger of the numbers that the verdict says."""
    rng = np.random.default_rng(seed)
    train, holdout = people(rng, 150), people(rng, 150)
    made = [table(leaking(rng, train, 25 * i, 25 * i + 25, "abcd"[: 2 + (seed + i) % 3])) for i in range(3)]
    options = {"attack": "uniques", "false_discovery": 0.2}

    def named(newest, **before):
        return sum(shared.exposure(newest, table(train), table(holdout), **options, **before)["exposed"])

    assert named(made[2], releases=made[:2]) > max(named(one) for one in made) > 20


@pytest.mark.again
@pytest.mark.parametrize("of", [0, 1, 2])
def test_all_releases_name_whom_one_names(shared, of):
    """Beside tables that repeat combinations by chance, attacks on all name fewer: the longest list stays."""
    rng = np.random.default_rng(of)
    made = [people(rng, values=60) for _ in range(5)]
    train = made[3]
    for name in "abc":
        made[of][name][:90] = train[name][:90]
    newest, *before, train, holdout = map(table, made)
    options = {"attack": "uniques", "false_discovery": 0.2}

    def named(table, **further):
        rows = rows_of(shared.exposure(table, train, holdout, **options, **further))
        return {row["record"] for row in rows if row["exposed"]}

    scores = np.array(shared.membership_scores(newest, train, holdout, attack="uniques", releases=before)["score"])
    together = sum(q <= 0.2 for q in attacks.exposure(scores[:300].tolist(), scores[300:].tolist())[1])
    alone = [named(one) for one in (newest, *before)]
    union = named(newest, releases=before)
    assert together < len(alone[of]) == len(union)
    assert union == alone[of]
    evaluated = shared.evaluate(
        newest, train, holdout, releases=before, attack=["uniques"], named_by=["uniques"], false_discovery=0.2
    )
    told = {
        row["variant"]: row["value"]
        for row in rows_of(evaluated)
        if row["section"] == "releases" and row["statistic"] == "exposed"
    }
    assert told["union"] == len(union)
    assert told["before"] >= max(map(len, alone[1:]))
    assert told["alone"] == len(alone[0])
    assert {*told} == {"alone", "1", "before", "union"}


def test_evaluate_of_releases_of_other_people(shared):
    """Nothing is found, and that is said of all releases."""
    rng = np.random.default_rng(8)
    # For 200 people of the holdout or more, classifiers are trained.
    train, holdout, *releases = (pa.table(people(rng, 190)) for _ in range(4))
    *before, newest = releases
    options = {"attack": ["uniques", "distance"], "named_by": ["uniques"]}
    found = shared.evaluate(newest, train, holdout, releases=before, **options)
    (said,) = (finding for finding in found.verdict.findings if finding.section == "releases")
    assert (said.level, said.figure) == ("good", "0")
    assert {r["variant"] for r in rows_of(found) if r["metric"] == "released_sets"} == {None}
    assert "nobody" in said.note
    with pytest.raises(OptionError, match="holdout"):
        shared.evaluate(newest, train, releases=before)


def test_many_releases_are_not_attacked_in_each_number():
    """All of them and those before are; between, a few show how they add up."""
    evaluate = catalog.function("evaluate")
    for before, shown in ((1, []), (2, ["1"]), (5, ["1", "2", "3", "4"]), (11, ["2", "4", "7", "9"])):
        found = releases.internal(evaluate, {"releases": [f"r{i}" for i in range(before)]})
        one = [f"only {place}" for place in range(2, before + 1)]
        assert found[releases.TOLD_OF] == ["alone", *shown, "before", "union"]
        assert found[releases.RELEASED_OF] == [*found[releases.TOLD_OF], *one]


@pytest.mark.parametrize("seed", [25, pytest.param(26, marks=pytest.mark.slow)])
def test_the_same_people_a_pair_of_columns_each_month(shared, seed):
    """No table gives anybody away, as chance repeats pairs of others as often; all together name most of them."""
    rng = np.random.default_rng(seed)
    train, holdout = people(rng, 500, 80), people(rng, 500, 80)
    tables = []
    for pair in ("ab", "cd", "ac", "bd", "ad", "bc"):
        made = people(rng, 200, 80)
        for name in pair:
            made[name][:60] = train[name][:60]
        tables.append(table(made))
    real, options = (table(train), table(holdout)), {"attack": ["uniques", "agreement"]}
    for one in tables:
        assert {row["at_least"] for row in rows_of(shared.membership(one, *real, **options))} == {0}
        assert not any(row["exposed"] for row in rows_of(shared.exposure(one, *real, **options)))
    newest, *before = tables
    options["releases"] = before
    assert max(row["at_least"] for row in rows_of(shared.membership(newest, *real, **options))) >= 30
    exposed = [row["record"] for row in rows_of(shared.exposure(newest, *real, **options)) if row["exposed"]]
    assert len(exposed) >= 40
    assert sum(record >= 60 for record in exposed) <= 0.1 * len(exposed)


def test_sets_of_releases_are_counted_as_each_would_be():
    """Counts of all sets of tables from one pass: equal to the last bit to those of each set as one table."""
    rng = np.random.default_rng(25)
    sizes, real, columns = [7, 0, 90, 40], 120, 4
    has = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [1, 1, 0, 1], [1, 1, 1, 1], [0, 1, 0, 0]], bool)
    table_of = np.repeat(np.arange(4, dtype=np.int32), sizes)
    persons = np.sort(rng.integers(0, 100, real)).astype(np.int32)
    chosen = [(0,), (2,), (0, 1), (1, 3), (0, 1, 2), (0, 1, 2, 3)]
    for values, factor in ((30, 1), (30, 1 << 18)):  # the larger keys are places of a hash
        codes = rng.integers(0, values, (columns, real + sum(sizes))).astype(np.int32) * np.int32(factor)
        size = np.full(columns, values * factor, np.int64)
        exact = Keys(np.where(codes == 0, np.int32(-1), codes), size, [values] * columns, real)
        found = sharing.scores(exact, persons, chosen, table_of, has, options=SearchOptions(2))
        binned = [one for one in chosen if factor == 1 or len(one) < 3]
        asked = np.arange(0, real, 3)
        ratios = sharing.mean_ratios(
            Keys(codes, *exact[1:]), binned, table_of, has, rows=asked, options=SearchOptions(2)
        )
        for one, members in enumerate(has):
            kept = np.concatenate([np.arange(real), real + np.flatnonzero(members[table_of])])
            of_set = exact._replace(codes=np.ascontiguousarray(exact.codes[:, kept]))
            alone = search.search(of_set, persons, chosen, only_scores=True).scores.sum(axis=1)
            np.testing.assert_array_equal(found[one], alone)
            counted = of_set._replace(codes=np.ascontiguousarray(codes[:, kept]))
            np.testing.assert_array_equal(ratios[one], search.mean_ratios(counted, binned, rows=asked))
        assert found[3].sum() > 0


def test_messages_on_the_command_line_name_the_option_that_is_there():
    from synthpriv_sql.cli import commands

    with wording.spoken("shell"):
        flag = wording.option(releases.OPTION)
        assert wording.given(releases.OPTION, "may.csv") == f"{flag} may.csv"
    evaluate = commands.synthpriv.commands["evaluate"]
    assert flag in {name for parameter in evaluate.params for name in parameter.opts}
