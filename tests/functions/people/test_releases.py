"""Several releases of the same people: every score against plain NumPy, and what adds up and what does not."""

import json
import math

import attacks
import numpy as np
import oracle_scores
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import cli

import synthpriv_sql
from synthpriv_sql.errors import ColumnMismatch, EmptyTable, OptionError, SynthprivError, UnknownTable
from synthpriv_sql.planner import planning

BY_DISTANCE = ["distance", "ratio", "density"]
NAMES = ('a"b', "Mixed Case", "select", "x")
ROLES = dict(zip(NAMES, ["numeric", "categorical", "categorical", "numeric"], strict=True))


def table(rng, rows):
    """Few values, so that there are ties; some are missing."""
    columns = {
        'a"b': rng.integers(0, 5, rows).astype(float) / 4,
        "Mixed Case": rng.choice(["", "a", "A", "it's"], rows),
        "select": rng.choice(["low", "high"], rows),
        "x": rng.integers(0, 9, rows),
    }
    return {n: [None if rng.random() < 0.1 else v for v in values.tolist()] for n, values in columns.items()}


def people(rng, rows):
    """Rows of four columns, whose values are rare enough to be unique at times."""
    return {name: rng.integers(0, 300, rows).tolist() for name in "abcd"}


@pytest.fixture(scope="module")
def tables():
    """Train, holdout, the newest release, and three before it."""
    rng = np.random.default_rng(5)
    made = [table(rng, rows) for rows in (11, 9, 8, 7, 9, 6)]
    for name, values in made[3].items():
        values[2:5] = made[0][name][:3]  # copies of people of train
    for name, values in made[4].items():
        values[0] = made[2][name][1]  # of a record of the newest
    return made


@pytest.fixture(params=["kernel", "plain"])
def way(request, monkeypatch):
    """The kernel, and the SQL that other engines run."""
    if request.param == "plain":
        from synthpriv_sql.api import calls

        monkeypatch.setattr(calls, "plan", lambda *a, plan=planning.plan: plan(*a, kernel=False))
    return request.param


def arrow(columns, without=()):
    types = dict(zip(NAMES, [pa.float64(), pa.string(), pa.string(), pa.int64()], strict=True))
    return pa.table({n: pa.array(v, types.get(n)) for n, v in columns.items() if n not in without})


def only(columns, without=()):
    return {n: v for n, v in columns.items() if n not in without}


def rows_of(result):
    return result.to_arrow().to_pylist()


def several_scores(attack, train, holdout, releases):
    """Per real record the score, the place of the release to blame, and its record there."""
    each = []
    for release in releases:
        real = [only(t, set(t) - set(release)) for t in (train, holdout)]
        found, blamed = attacks.scores(release, *real, attack, roles=ROLES, raw=True)
        each.append((np.array(found, float), np.array(blamed)))
    scores = np.stack([score for score, _ in each], axis=1)
    best = scores.argmax(axis=1)  # the first of the largest
    if attack == "density":
        total = [attacks.of_persons(row, [0] * len(row))[0] for row in scores.tolist()]
        scores = np.array(attacks.in_numbers(total))[:, None]
    rows = range(len(best))
    return scores.max(axis=1), best, [each[best[i]][1][i] for i in rows]


@pytest.mark.each_value
@pytest.mark.parametrize("attack", attacks.ATTACKS)
@pytest.mark.parametrize("without", [(), ("Mixed Case",)], ids=["same columns", "other columns"])
def test_scores_are_the_best_of_any_release(shared, tables, attack, without):
    train, holdout, newest, *before = tables
    leaner = [before[0], only(before[1], without), before[2]]
    found = rows_of(
        shared.membership_scores(
            *map(arrow, (newest, train, holdout)), attack=attack, releases=[arrow(t) for t in leaner]
        )
    )
    scores, places, records = several_scores(attack, train, holdout, [newest, *leaner])
    names = ["synthetic", "release 1", "release 2", "release 3"]
    np.testing.assert_allclose([row["score"] for row in found], scores, rtol=1e-9, atol=1e-12)
    assert [(row["release"], row["synthetic"]) for row in found] == [
        (names[place], record) for place, record in zip(places, records, strict=True)
    ]


@pytest.mark.each_value
@pytest.mark.parametrize("without", [(), ("Mixed Case",)], ids=["same columns", "other columns"])
def test_scores_are_the_best_of_any_release_in_sql(session, tables, way, without):
    train, holdout, newest, *before = tables
    before[1] = only(before[1], without)
    given = train, holdout, newest, *before
    for name, columns in zip(("train", "holdout", "newest", "one", "two", "three"), given, strict=True):
        session.connection.register(name, arrow(columns))
    for attack in BY_DISTANCE if way == "plain" else ["agreement"]:
        found = rows_of(
            session.membership_scores("newest", "train", "holdout", attack=attack, releases=["one", "two", "three"])
        )
        scores, *_ = several_scores(attack, train, holdout, [newest, *before])
        np.testing.assert_allclose([row["score"] for row in found], scores, rtol=1e-9, atol=1e-12)


def unlike(columns, place):
    """A table with values that no other table has in the columns that it lacks."""
    rows = len(next(iter(columns.values())))
    return {n: columns.get(n) or [f"absent {place} {i}" for i in range(rows)] for n in NAMES}


@pytest.mark.parametrize("without", [(), ("Mixed Case", "x")], ids=["same columns", "other columns"])
def test_uniques_are_those_of_the_union(shared, tables, way, without):
    train, holdout, newest, *before = tables
    leaner = [before[0], only(before[1], without), before[2]]
    given = [arrow(t) for t in (newest, train, holdout)], [arrow(t) for t in leaner]
    stacked = attacks.joined(*(unlike(t, place) for place, t in enumerate([newest, *leaner])))
    starts = np.cumsum([0, *(len(t["select"]) for t in [newest, *leaner])])
    names = ["synthetic", "release 1", "release 2", "release 3"]

    def at(record):
        place = int(np.searchsorted(starts, record, side="right") - 1)
        return names[place], record - starts[place]

    scores, blamed, smallest = oracle_scores.uniques(stacked, train, holdout)
    found = rows_of(shared.uniques(*given[0], releases=given[1]))
    members = len(train["x"])
    expected = [
        ("holdout" if record >= members else "train", record % members, columns, *at(first), also)
        for record in sorted(smallest)
        for columns, first, also in smallest[record]
    ]
    told = [(r["side"], r["record"], r["columns"], r["release"], r["synthetic"], r["also"]) for r in found]
    assert sorted(told) == sorted(expected)
    counted = rows_of(shared.membership_scores(*given[0], attack="uniques", releases=given[1]))
    assert [row["score"] for row in counted] == [scores[i] for i in range(len(counted))]
    assert [(row["release"], row["synthetic"]) for row in counted] == [
        at(blamed[i]) if i in blamed else (None, None) for i in range(len(counted))
    ]


def test_a_release_lacks_columns_in_any_place(shared, tables):
    """The newest may lack one that an older release has; a column that no real table has counts for nothing."""
    train, holdout, newest, *before = tables
    newest = only(newest, ["x"])
    spare = {**before[0], "spare": [1] * len(before[0]["x"])}
    given = arrow(newest), arrow(train), arrow(holdout)
    for attack in ("distance", "agreement"):
        found = shared.membership_scores(*given, attack=attack, releases=[arrow(spare)])
        scores, *_ = several_scores(attack, train, holdout, [newest, before[0]])
        np.testing.assert_allclose(found["score"], scores, rtol=1e-9, atol=1e-12)
    with pytest.raises(ColumnMismatch, match='"x" is in'):
        shared.membership_scores(*given, attack="distance", releases=[arrow(only(spare, ["x"]))])
    for options in ({"exclude": ["x", "select"]}, {"columns": ["x", 'a"b', "Mixed Case"]}):
        chosen = ["x", "select"] if "exclude" in options else ["select"]
        chosen_so = {**options, "weights": {'a"b': 2.0}, "numeric": ['a"b']}
        found = shared.membership_scores(*given, attack="distance", releases=[arrow(before[0])], **chosen_so)
        each = [
            attacks.scores(
                *(only(t, [*chosen, *(set(NAMES) - set(r))]) for t in (r, train, holdout)), weights={'a"b': 2.0}
            )
            for r in (newest, before[0])
        ]
        np.testing.assert_allclose(found["score"], np.max([e[0] for e in each], axis=0), rtol=1e-9)


def test_persons_and_keys(shared, tables):
    """A person's score is the mean of the best of each row; the key of the record to blame is that of its release."""
    train, holdout, newest, *before = tables
    numbered = [
        arrow(t).append_column("id", pa.array([f"{p}-{i}" for i in range(len(t["x"]))])) for p, t in enumerate(tables)
    ]
    found = rows_of(
        shared.membership_scores(numbered[2], *numbered[:2], attack="distance", key="id", releases=numbered[3:])
    )
    places = {"synthetic": 2, "release 1": 3, "release 2": 4, "release 3": 5}
    assert [row["neighbor_key"] for row in found] == [f"{places[r['release']]}-{r['synthetic']}" for r in found]
    owners = [i // 2 for i in range(len(train["x"]))] + [100 + i // 2 for i in range(len(holdout["x"]))]
    real = [
        arrow(t).append_column("who", pa.array(who))
        for t, who in ((train, owners[: len(train["x"])]), (holdout, owners[len(train["x"]) :]))
    ]
    scores, *_ = several_scores("agreement", train, holdout, [newest, *before])
    by_person = rows_of(
        shared.membership_scores(
            arrow(newest), *real, attack="agreement", unit="who", releases=[arrow(t) for t in before]
        )
    )
    expected = attacks.of_persons(scores, owners)
    np.testing.assert_allclose([row["score"] for row in by_person], [expected[row["person"]] for row in by_person])


@pytest.mark.again
def test_all_surfaces_say_the_same(session, tables, tmp_path):
    names = ("train", "holdout", "newest", "one", "two")
    for name, columns in zip(names, tables, strict=False):
        session.connection.from_arrow(arrow(columns)).create(name)
        pq.write_table(arrow(columns), tmp_path / f"{name}.parquet")
    found = rows_of(session.exposure("newest", "train", "holdout", releases=["one", "two"]))
    sql = "FROM synthpriv.exposure('newest', 'train', 'holdout', releases := ['one', 'two'])"
    assert session.connection.sql(sql).to_arrow_table().to_pylist() == found
    assert {row["release"] for row in found} <= {"synthetic", "one", "two"}
    flags = [
        f"--{n}={tmp_path / f'{t}.parquet'}"
        for n, t in zip(("synthetic", "train", "holdout"), ("newest", *names[:2]), strict=True)
    ]
    before = [f"--release={name}={tmp_path / name}.parquet" for name in ("one", "two")]
    code, out, _ = cli("exposure", *flags, *before, "--format=json")
    assert code == 0
    assert [row["release"] for row in json.loads(out)] == [row["release"] for row in found]


def test_wrong_releases(shared, tables):
    train, holdout, newest, *before = (arrow(t) for t in tables)
    given = (newest, train, holdout)
    for releases, error, says in (
        ([], OptionError, "has no table"),
        ([None], OptionError, "has no table"),
        (["missing"], UnknownTable, "missing"),
        ([pa.table({"other": [1]})], SynthprivError, "common columns|no column"),
        ([before[0].slice(0, 0)], EmptyTable, "no rows"),
        ([before[0].set_column(3, "x", pa.array(["text"] * len(before[0])))], SynthprivError, '"x"'),
    ):
        with pytest.raises(error, match=says):
            shared.membership(*given, attack=["distance", "uniques"], releases=releases)
    with pytest.raises(OptionError, match="releases"):
        shared.membership(*given, releases=[before[0]], order="x")
    session = synthpriv_sql.connect()
    for name, one in zip(("synthetic", "train", "holdout"), given, strict=True):
        session.connection.register(name, one)
    with pytest.raises(OptionError, match="itself"):
        session.membership("synthetic", "train", "holdout", releases=["synthetic"])
    with pytest.raises(OptionError, match="twice"):
        session.membership("synthetic", "train", "holdout", releases=["train", "train"])


def numbers_of(rows, attack):
    return next(row for row in rows if row["attack"] == attack)


def leaking(rng, train, first, last, names="abcd"):
    """Another table, with some columns of these people of train."""
    made = people(rng, 300)
    for name in names:
        made[name][: last - first] = train[name][first:last]
    return pa.table(made)


@pytest.fixture(scope="module")
def months():
    """Six releases that each give another 3 % of people."""
    rng = np.random.default_rng(3)
    train, holdout = people(rng, 300), people(rng, 300)
    releases = [leaking(rng, train, 9 * i, 9 * i + 9) for i in range(6)]
    return pa.table(train), pa.table(holdout), releases


def test_releases_add_up(shared, months):
    train, holdout, releases = months
    attack = ["uniques", "agreement"]
    counted = []
    for count in (1, 2, 4, 6):
        *before, newest = releases[:count]
        options = {"releases": before} if before else {}
        counted.append(
            numbers_of(rows_of(shared.membership(newest, train, holdout, attack=attack, **options)), "uniques")
        )
    at_least = [row["at_least"] for row in counted]
    assert at_least == sorted(at_least)
    assert at_least[0] < 5
    assert at_least[-1] > 35
    assert counted[-1]["auc"] > counted[0]["auc"]


DRAWS = [0, *(pytest.param(i, marks=pytest.mark.slow if i < 10 else pytest.mark.nightly) for i in range(1, 40))]


@pytest.mark.one_in(1, 2)
@pytest.mark.parametrize("seed", DRAWS)
def test_tables_of_other_people_do_not_add_up(shared, seed):
    rng = np.random.default_rng(seed)
    train, holdout, *releases = (pa.table(people(rng, 300)) for _ in range(6))
    *before, newest = releases
    attack = ["uniques", "distance", "density", "agreement"]
    rows = rows_of(shared.membership(newest, train, holdout, attack=attack, releases=before))
    assert {row["at_least"] for row in rows} == {0}
    assert not any(shared.exposure(newest, train, holdout, attack=attack, releases=before)["exposed"])


@pytest.mark.nightly
def test_learned_goes_through_releases(shared, months):
    """Its scores with one release are those without the option; more releases tell more; their order is nothing."""
    train, holdout, (one, two, three, *_) = months
    given = train, holdout

    def scored(newest, **options):
        return np.array(shared.membership_scores(newest, *given, attack="learned", **options)["score"])

    def auc(scores):
        return attacks.auc(scores[:300], scores[300:])

    together = scored(one, releases=[two, three])
    np.testing.assert_allclose(together, scored(three, releases=[one, two]))
    assert auc(together) > auc(scored(one))
    lacking = scored(one, releases=[two, three.drop_columns(["b"])])
    assert np.isfinite(lacking).all()
    assert not math.isclose(auc(lacking), auc(together))


def evaluated(rows):
    """The numbers of the section, by variant and statistic."""
    return {(r["variant"], r["statistic"]): r["value"] for r in rows if r["section"] == "releases"}


@pytest.mark.nightly
def test_evaluate_judges_all_releases_together(shared, months, tmp_path):
    train, holdout, releases = months
    holdout = holdout.slice(0, 190)  # for more, the classifiers of the split are trained
    *before, newest = releases[:4]
    attack = ["uniques", "agreement"]
    options = {"attack": attack, "named_by": ["uniques"]}
    page, decision = tmp_path / "page.html", tmp_path / "decision.md"
    found = shared.report(page, newest, train, holdout, releases=before, decision=decision, **options)
    told = evaluated(rows_of(found))
    assert (told[None, "tables"], told[None, "people"]) == (4, 300)
    sets = {"alone": [newest], "1": before[:1], "2": before[:2], "before": before, "union": releases[:4]}
    own, named, aucs = {}, {}, {}
    for name, chosen in sets.items():
        first, *further = chosen
        given = {"releases": further} if further else {}
        scores = {
            one: np.array(shared.membership_scores(first, train, holdout, attack=one, **given)["score"])
            for one in attack
        }
        lists = len(attack) * 3  # with this table alone, all before, and all together
        own[name] = max(attacks.top(s[:300], s[300:], lists)[0] for s in scores.values())
        exposed = shared.exposure(first, train, holdout, attack="uniques", **given)
        named[name] = {r for r, e in zip(exposed["record"], exposed["exposed"], strict=True) if e}
        aucs = {one: attacks.auc(s[:300], s[300:]) for one, s in scores.items()}
    chain = {"alone": ["alone"], "1": ["1"], "2": ["1", "2"], "before": ["1", "2", "before"], "union": [*sets]}
    longest = {name: max(reversed(parts), key=lambda part: len(named[part])) for name, parts in chain.items()}
    for name in chain:
        shared_by = {"alone", "before", "union"} if name == "union" else {name}
        assert told[name, "at_least"] == max(own[part] for part in shared_by)
        assert told[name, "exposed"] == len(named[longest[name]])
    assert told[None, "new"] == len(named[longest["union"]] - named[longest["before"]])
    assert [told[one, "auc"] for one in attack] == pytest.approx([aucs[one] for one in attack])
    assert found.verdict.level == "bad"
    assert "with the 3 releases before it" in found.verdict.headline + found.verdict.sentence
    assert found.verdict.given_away == max(told["union", "exposed"], told["union", "at_least"])
    assert "the same releases returns this table without the records that add" in " ".join(found.verdict.next_steps)
    shown = page.read_text(encoding="utf-8")
    assert "What do all releases give away together?" in shown
    assert "release 3" in shown
    assert "— records" not in shown  # of a release before, nobody has counted them
    assert "releases.union.at_least" in decision.read_text(encoding="utf-8")


@pytest.mark.nightly
def test_which_candidate_adds_least(shared, months):
    """The attacks on each of several candidates, together with all releases before."""
    train, holdout, releases = months
    rng = np.random.default_rng(12)
    tables = {"leaky": releases[3], "safe": pa.table(people(rng, 300))}
    # One of those before has other columns, and each candidate is compared with it by these.
    before, attack = [releases[0], releases[1].drop_columns("d"), releases[2]], ["uniques", "agreement"]
    rows = rows_of(shared.candidates(tables, train, holdout, releases=before, attack=attack, trees=1))
    for row in rows:
        numbers = rows_of(shared.membership(tables[row["candidate"]], train, holdout, attack=attack, releases=before))
        assert row["at_least"] == max(number["at_least"] for number in numbers)
        assert row["auc"] == max(number["auc"] for number in numbers)
    leaky, safe = rows
    assert leaky["at_least"] > safe["at_least"]
