"""Synthesizers that are trained again and again: planted ones, whose risk is known, and every way to give one."""

import itertools
import pickle
import shlex
import sys
from functools import partial

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from calls import cli
from scipy import stats

import synthpriv_sql
from synthpriv_sql.errors import OptionError, SynthesizerError, UnknownColumn, WriteError
from synthpriv_sql.repeating import data as given_data
from synthpriv_sql.repeating.persons import auc_interval, mann_whitney
from synthpriv_sql.repeating.synthesizers import check_columns, maker

RANDOM = np.random.default_rng(5)
PEOPLE = pa.table(
    {
        "Id": pa.array(range(120), pa.int64()),
        "age": RANDOM.integers(18, 90, 120),
        "weight kg": RANDOM.normal(70, 12, 120),
        "zip": pa.array([None if i % 11 == 0 else f"0{i % 7}" for i in range(120)]),
    }
)
FEW = {"key": "id", "attack": ["agreement"], "named_by": ["agreement"], "identifiers": "compare"}
STRANGERS = PEOPLE.set_column(1, "age", pa.array(RANDOM.integers(18, 90, 120))).set_column(
    2, "weight kg", pa.array(RANDOM.normal(70, 12, 120))
)

pytestmark = pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")


def copies(train):
    return train


def looks_away(train, seed):
    """Draws of strangers: nothing of train is in it, not even its size."""
    return STRANGERS.take(np.random.default_rng(seed).integers(0, 120, 60))


class Shuffled:
    """Columns in an order by lot, one by one: on pandas, as scikit-learn and SDV have it."""

    def fit(self, frame):
        assert not hasattr(self, "frame"), "fitted twice"
        self.frame = frame

    def sample(self, n, seed=None):
        random = np.random.default_rng(seed)
        return self.frame.apply(random.permutation).head(n)


class Cart:
    def __init__(self, leaf):
        self.leaf = leaf

    fit = sample = print


# --- repeated splits


@pytest.fixture(scope="module")
def repeated(tmp_path_factory):
    """Three splits of copies, in two calls, the second of which has the first one's; and what was trained on."""
    trained, into = [], tmp_path_factory.mktemp("runs") / "runs.duckdb"

    def records(train, seed):
        trained.append((seed, train))
        if seed == 2 and len(trained) == 3:
            raise ValueError("out of luck")
        return train

    # The third run fails; the first two are kept, and not trained again.
    with pytest.raises(SynthesizerError, match=r"the split of seed 2: .*records failed: ValueError: out of: ‹value›"):
        synthpriv_sql.repeat(records, PEOPLE, 3, into=into, **FEW)
    found = synthpriv_sql.repeat(records, PEOPLE, 3, into=into, **FEW)
    assert [seed for seed, _ in trained] == [0, 1, 2, 2]
    return found, dict(trained), into


def test_numbers_over_splits_are_those_of_the_splits(repeated):
    found, _, _ = repeated
    splits = found.splits.to_pandas()
    assert list(dict.fromkeys(splits["seed"])) == [0, 1, 2]
    names = ["section", "metric", "variant", "statistic"]
    by_name = dict(list(splits.groupby(names, dropna=False, sort=False)))
    assert len(found) == len(by_name) > 100
    seen = 0
    for row in found:
        of = by_name[tuple(np.nan if row[name] is None else row[name] for name in names)]
        values = of["value"].dropna()
        assert row["splits"] == len(values)
        if len(values) == 3 and values.std() > 0 and np.isfinite(values).all():
            wanted = stats.t.interval(0.95, 2, values.mean(), stats.sem(values))
            assert (row["lower"], row["upper"]) == pytest.approx(wanted)
            assert (row["mean"], row["sd"]) == pytest.approx((values.mean(), values.std()))
            seen += 1
        if of["lower"].notna().any():
            assert row["within_lower"] == pytest.approx(of["lower"].mean())
    assert seen > 50
    assert found["mean"][found["statistic"].index("share")] is not None
    (auc,) = [row for row in found if (row["variant"], row["statistic"]) == ("agreement", "auc")]
    assert auc["lower"] > 0.95
    assert {seed: one.verdict.level for seed, one in found.evaluations.items()} == dict.fromkeys(range(3), "bad")
    again = pickle.loads(pickle.dumps(found))
    assert again.to_arrow().equals(found.to_arrow())
    assert again.splits.to_arrow().equals(found.splits.to_arrow())


def test_a_split_is_that_of_split_and_its_numbers_those_of_evaluate(shared, repeated):
    found, trained, _ = repeated
    split = shared.split(PEOPLE, seed=1).to_arrow()
    sides = {side: split.filter(pc.equal(split["side"], side)).drop_columns(["side"]) for side in ("train", "holdout")}
    assert trained[1].equals(sides["train"])
    wanted = shared.evaluate(sides["train"], sides["train"], sides["holdout"], seed=1, **FEW).to_arrow()
    rows = found.splits.to_arrow()
    assert rows.filter(pc.equal(rows["seed"], 1)).drop_columns(["seed"]).equals(wanted)


def test_what_is_kept_is_of_this_data_and_these_options(repeated, shared):
    _, _, into = repeated
    with duckdb.connect(str(into), read_only=True) as connection:
        kept = connection.table("repeat").to_df()
    (mark,) = set(kept["fingerprint"])
    assert set(kept["run_id"]) == {f"{mark}-{seed}" for seed in range(3)}
    one = {"share": 0.5, "name": "x", "options": {"k": 1}}
    other = [
        (PEOPLE, one | {"share": 0.6}), (PEOPLE, one | {"name": "y"}), (PEOPLE, one | {"options": {}}),
        (PEOPLE.slice(1), one), (PEOPLE.take(list(reversed(range(120)))), one),
        (PEOPLE.rename_columns(["Id", "age", "weight", "zip"]), one),
    ]  # fmt: skip
    marks = [given_data.fingerprint(shared, rows, **said) for rows, said in [(PEOPLE, one), *other]]
    assert len(set(marks)) == len(marks)
    assert given_data.fingerprint(shared, pa.concat_tables([PEOPLE.slice(0, 9), PEOPLE.slice(9)]), **one) == marks[0]


def test_persons_are_drawn_whole(shared):
    rows = pa.table({"who": ["a", "b", None, "c", "b", "a", None, "d"] * 5, "v": range(40)})
    for seed in range(5):
        chosen = given_data.halves(shared, rows, 0.5, seed, "who")
        sides = pd.DataFrame({"who": rows["who"].to_pylist(), "in": chosen.to_pylist()})
        assert sides.groupby("who", dropna=False)["in"].nunique().tolist() == [1] * 5
        assert chosen.to_pylist() == given_data.halves(shared, rows, 0.5, seed, "who").to_pylist()


# --- ways to give a synthesizer


ODD = pa.table(
    {
        'the "name"': pa.array(["0123", None, 'a,"b"\nc', "ü"]),
        "n": pa.array([1, None, 3, 4], pa.int64()),
        "when": pa.array([0, 1, None, 3], pa.timestamp("us")),
        "yes": pa.array([True, None, False, True]),
    }
)


def command(program, *arguments):
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(program)} {' '.join(arguments)}"


COPY = "import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])"


@pytest.mark.slow
@pytest.mark.parametrize("files", ["csv", "parquet"])
def test_a_command_reads_and_writes_files(files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = maker(command(COPY, "{train}", "{synthetic}", "';'", "touch", "here", "'$HOME'"), files=files)
    assert made.make(ODD, 7).cast(ODD.schema).equals(ODD)
    assert list(tmp_path.iterdir()) == []  # no shell has read the ;
    seeds = command(
        "import sys; open(sys.argv[2], 'w').write('n\\n' + sys.argv[3])", "{train}", "{synthetic}", "{seed}"
    )
    assert maker(seeds).make(ODD.select(["n"]), 7).to_pylist() == [{"n": 7}]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import sys; sys.exit('no luck today')", "exited with 1: no luck today"),
        ("pass", r"wrote no \{synthetic\}"),
        ("import sys; open(sys.argv[2], 'w').write('n\\nmany')", "cannot be read"),
        ("import os; os.abort()", "exited with -6: no output"),
    ],
)
def test_a_command_that_fails(program, words):
    with pytest.raises(SynthesizerError, match=words):
        maker(command(program, "{train}", "{synthetic}")).make(ODD, 0)


def test_other_synthesizers_that_fail():
    with pytest.raises(SynthesizerError, match="cannot be run"):
        maker("no_such_thing {train} {synthetic}").make(ODD, 0)
    with pytest.raises(OptionError, match=r"has no \{train\} and no \{synthetic\}"):
        maker("synthesize")
    with pytest.raises(OptionError, match="is a class"):
        maker(Shuffled)
    with pytest.raises(OptionError, match="a int is not a synthesizer"):
        maker(3)
    with pytest.raises(OptionError, match="not one of arrow, pandas"):
        maker(copies, form="numpy")
    with pytest.raises(SynthesizerError, match="returned a ndarray instead of a table"):
        maker(lambda train: np.zeros((2, 2))).make(ODD, 0)
    with pytest.raises(SynthesizerError, match="lacks yes and it also has more"):
        check_columns(ODD.rename_columns(['THE "NAME"', "n", "When", "more"]), ODD, [])
    check_columns(ODD.drop_columns(["n"]), ODD, ["N"])
    with pytest.raises(SynthesizerError, match="no rows"):
        check_columns(ODD.slice(0, 0), ODD, [])


def test_functions_and_objects_are_given_what_they_take():
    seen = []
    pandas = maker(lambda train: seen.append(type(train)) or train, form="pandas")
    assert pandas.make(PEOPLE, 0).num_rows == 120
    assert seen == [pd.DataFrame]
    decimals = pa.table({"d": pa.array([1, 2], pa.decimal128(9, 2))})
    assert maker(lambda train: train, form="pandas").make(decimals, 0).schema.field("d").type == pa.float64()
    # What runs are kept under tells parameters apart.
    assert maker(partial(near, 3, synthetic=None)).name == "near(0=3, synthetic=None)"
    assert {maker(model).name for model in (Cart(leaf=1), Cart(leaf=5))} == {"Cart(leaf=1)", "Cart(leaf=5)"}
    fitted = maker(Shuffled())
    first, again, other = (fitted.make(PEOPLE, seed) for seed in (1, 1, 2))  # a copy is fitted each time
    assert first.equals(again)
    assert not first.equals(other)
    assert sorted(first["age"].to_pylist()) == sorted(PEOPLE["age"].to_pylist())


def test_options_that_do_not_go_together():
    for options, words in (
        ({"group_by": ["zip"]}, '"group_by" cannot be combined'),
        ({"keyy": "Id"}, 'no option "keyy"; did you mean "key"'),
        ({"times": 0}, '"times" := 0'),
        ({"share": 1.0}, '"share" := 1.0'),
        ({"workers": 0}, '"workers" := 0'),
        ({"into": "runs.csv"}, "is not one"),
        ({"synthesizer": lambda train: train, "into": "runs.duckdb"}, "of a lambda"),
    ):
        with pytest.raises(OptionError, match=words):
            synthpriv_sql.repeat(**{"synthesizer": copies, "data": PEOPLE} | options)
    with pytest.raises(UnknownColumn, match='no column "who"'):
        synthpriv_sql.repeat(copies, PEOPLE, unit="who")
    with pytest.raises(OptionError, match="cannot be sent to other processes"):
        synthpriv_sql.repeat(lambda train: train, PEOPLE, workers=2)


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "no.duckdb").write_text("something else")
    with pytest.raises(WriteError, match=r"runs cannot be saved to .*no\.duckdb"):
        synthpriv_sql.repeat(copies, PEOPLE, into=tmp_path / "no.duckdb")


# --- one person


def near(real, synthetic):
    """How near the nearest weight is; larger is nearer."""
    return -abs(real["weight kg"].to_numpy()[:, None] - synthetic["weight kg"].to_numpy()).min(axis=1)


@pytest.mark.nightly
def test_copies_tell_and_what_does_not_look_does_not(tmp_path):
    asked = {"key": "id", "attack": ["agreement", near], "into": tmp_path / "risk.duckdb"}
    told = synthpriv_sql.person_risk(copies, PEOPLE, 7, 5, **asked)
    for row in told:
        assert (row["runs"], row["auc"], row["auc_upper"]) == (5, 1.0, 1.0)
        assert 0.6 < row["auc_lower"] < 0.9
        assert row["p_value"] == pytest.approx(1 / 252)  # one of all choices of 5 of 10
        assert row["mean_in"] > row["mean_out"]
    assert set(zip(told.runs["seed"], told.runs["inside"], strict=True)) == {(s, s % 2 == 0) for s in range(10)}
    again = synthpriv_sql.person_risk(copies, PEOPLE, 7, 5, **asked, workers=2)  # begins no process
    assert again.to_arrow().equals(told.to_arrow())
    assert pickle.loads(pickle.dumps(again)).runs.to_arrow().equals(told.runs.to_arrow())
    blind = synthpriv_sql.person_risk(looks_away, PEOPLE, 7, 5)
    for row in blind:
        assert row["auc_lower"] < 0.5 < row["auc_upper"]
        assert row["p_value"] > 0.02


@pytest.mark.slow
def test_learned_tells_of_a_person_and_is_not_told_of_them():
    """It is told who else was in train; the person stands among the others in either case."""
    random = np.random.default_rng(2)
    people = pa.table({"x": random.normal(size=480), "y": random.normal(size=480)})
    strangers = pa.table({"x": random.normal(size=240), "y": random.normal(size=240)})
    (told,), (blind,) = (
        synthpriv_sql.person_risk(made, people, 7, 3, attack="learned", folds=2)
        for made in (copies, lambda train, seed: strangers.slice(seed))
    )
    assert told["auc"] == 1
    assert told["mean_in"] > told["mean_out"] + 0.2
    assert abs(blind["mean_in"] - blind["mean_out"]) < 0.5


@pytest.mark.nightly
def test_processes_give_what_one_gives():
    alone, beside = (synthpriv_sql.person_risk(looks_away, PEOPLE, 7, 2, workers=workers) for workers in (1, 2))
    assert beside.runs.to_arrow().equals(alone.runs.to_arrow())


@pytest.mark.parametrize(
    ("person", "options", "words"),
    [
        (120, {}, "records 0 to 119"),
        ("Ann", {}, "is not a position"),
        ("Ann", {"key": "id"}, "is not a value of the column"),
        (500, {"key": "id"}, "no record has 500"),
        ("01", {"key": "zip"}, r"records have '01' in the column \"zip\", but exactly one must"),
        (1, {"attack": "all"}, "not an attack on one person"),
        (1, {"unit": "zip"}, "records of each person"),
        (1, {"attack": []}, "names no attack"),
    ],
)
def test_a_person_that_is_none(person, options, words):
    with pytest.raises(OptionError, match=words):
        synthpriv_sql.person_risk(copies, PEOPLE, person, 2, **options)


def test_the_test_is_exact_with_ties():
    random = np.random.default_rng(1)
    for first, second, values in ((5, 4, 3), (3, 6, 2), (4, 4, 1), (6, 3, 50)):
        scores = random.integers(0, values, first + second).astype(float)
        auc, p_value = mann_whitney(scores[:first], scores[first:])
        wins = np.sign(scores[:first, None] - scores[None, first:])
        assert auc == pytest.approx((wins + 1).mean() / 2)
        ranks = stats.rankdata(scores)
        sums = [sum(ranks[list(chosen)]) for chosen in itertools.combinations(range(first + second), first)]
        assert p_value == pytest.approx(np.mean(np.array(sums) >= ranks[:first].sum() - 1e-9))
    a, b = random.normal(0.3, 1, 20), random.normal(0, 1, 15)
    wanted = stats.mannwhitneyu(a, b, alternative="greater", method="exact")
    assert mann_whitney(a, b) == pytest.approx((wanted.statistic / 300, wanted.pvalue))


def test_the_interval_of_an_area_covers_it():
    # Normal scores, so that the area is known.
    random = np.random.default_rng(2)
    for shift in (0.0, 1.0, 2.5):
        area, covered = stats.norm.cdf(shift / 2**0.5), 0
        for _ in range(400):
            wins = random.normal(shift, 1, 12)[:, None] > random.normal(0, 1, 12)
            lower, upper = auc_interval(wins.mean(), 12, 12)
            covered += lower <= area <= upper
        assert covered / 400 > 0.92
    assert auc_interval(0.0, 9, 9)[0] == 0.0
    assert auc_interval(0.0, 9, 9)[1] == pytest.approx(1 - auc_interval(1.0, 9, 9)[0])


# --- the command line


@pytest.mark.slow
def test_on_the_command_line(tmp_path):
    PEOPLE.to_pandas().to_csv(tmp_path / "people.csv", index=False)
    data = ["--data", str(tmp_path / "people.csv"), "--key", "Id", "--command", command(COPY, "{train}", "{synthetic}")]
    into = ["--into", str(tmp_path / "runs.duckdb")]
    few = ["--attack", "agreement", "--named-by", "agreement", "--identifiers", "compare", "--format", "json"]
    each = tmp_path / "each.parquet"
    code, out, err = cli("repeat", *data, *into, "--times", "1", *few, "--each", str(each))
    assert code == 0, err
    assert '"statistic": "exposed"' in out
    found = synthpriv_sql.Result.read(each)
    assert set(found["seed"]) == {0}
    code, out, err = cli("person-risk", *data, *into, "--person", "7", "--times", "2", "--format", "csv")
    assert (code, err) == (0, "")
    assert out.splitlines()[1].startswith("agreement,2,1.0,")
    with duckdb.connect(str(tmp_path / "runs.duckdb"), read_only=True) as connection:
        assert connection.table("person_risk").to_df()["inside"].tolist() == [True, False, True, False]
    failing = ["--command", command("import sys; sys.exit('no luck')", "{train}", "{synthetic}")]
    code, out, err = cli("repeat", *data[:4], *failing)
    assert (code, out) == (3, "")
    assert "the split of seed 0" in err
    assert "no luck" in err
