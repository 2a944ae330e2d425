"""The gate: conditions read, compared, reported, and what the command line makes of them."""

import itertools
from pathlib import Path
from xml.etree import ElementTree as ET

import pyarrow as pa
import pytest
from calls import ROOT, cli

from synthpriv_sql import errors
from synthpriv_sql.engines.base import Answer
from synthpriv_sql.report.evaluation import level_of
from synthpriv_sql.results import gate
from synthpriv_sql.results.checks.junit import junit
from synthpriv_sql.results.result import Result

NUMBERS = [
    ("tables", "synthetic", "rows", 8.0),
    ("tables", "train", "rows", 9.0),
    ("copies", None, "share", 0.25),
    ("dcr", "synthetic_train", "median", 0.5),
    ("dcr", "train_train", "median", 0.75),
    ("dcr", "holdout", "band", 2.0),
    ("nndr_second", "holdout", "band", None),
    ("mda", "threshold 0.2", "privacy", 0.1),
    ("mda", "threshold 0.5", "privacy", 0.3),
    ("discernibility", "synthetic", "smallest_class", 3.0),
    ("discernibility", "train", "smallest_class", 1.0),
]


@pytest.fixture(scope="module")
def numbers():
    columns = dict(zip(("metric", "variant", "statistic", "value"), zip(*NUMBERS, strict=True), strict=True))
    table = pa.table({name: list(values) for name, values in columns.items()})
    return Result(None, "evaluate", Answer(table, [], ""))


def outcome(numbers, text):
    (found,) = gate.check(numbers, [gate.parse(text)])
    return found


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("copies.share=0.25", True),
        ("copies.share = 0", False),
        ("copies.share!=0", True),
        ("copies.share<0.25", False),
        ("copies.share<=0.25", True),
        ("copies.share>0.25", False),
        ("copies.share>=2.5e-1", True),
        ("dcr.median<0.6", True),
        ("dcr.train_train.median<0.6", False),
        ("dcr.band=medium", True),
        ("dcr.band>=medium", True),
        ("dcr.holdout.band=high", False),
        ("dcr.band=2", True),
        ("mda.threshold 0.2.privacy<0.2", True),
        ("mda.threshold 0.5.privacy<0.2", False),
        ("discernibility.smallest_class>=3", True),
        ("discernibility.train.smallest_class>=3", False),
        ("tables.rows=8", True),
    ],
)
def test_a_condition_compares(numbers, text, holds):
    assert outcome(numbers, text).holds is holds


@pytest.mark.parametrize("sign", gate.OPERATORS)
def test_a_missing_value_breaks_every_condition(numbers, sign):
    found = outcome(numbers, f"nndr_second.band{sign}high")
    assert not found.holds
    assert str(found).endswith("nndr_second.holdout.band is missing")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("copies.shares=0", "there are: copies.share"),
        ("copy.share=0", "there are: tables, copies, dcr"),
        ("dcr.nowhere.median=0", "there are: dcr.synthetic_train.median, dcr.train_train.median"),
        ("mda.privacy>0", "more than one number; there are: mda.threshold 0.2.privacy, mda.threshold 0.5.privacy"),
    ],
)
def test_an_unknown_or_ambiguous_name_lists_what_there_is(numbers, text, problem):
    with pytest.raises(errors.OptionError, match=problem.replace("(", r"\(")):
        outcome(numbers, text)


@pytest.mark.parametrize(
    "text", ["", "copies.share", "copies=0", "=0", ".share=0", "copies.=0", "copies.share=", "copies.share==0"]
)
def test_what_is_no_condition(text):
    with pytest.raises(errors.OptionError, match="condition"):
        gate.parse(text)


@pytest.mark.parametrize("value", ["high", "nan", "0,5", "__import__('os')"])
def test_what_is_no_value(value):
    with pytest.raises(errors.OptionError, match="not a number"):
        gate.parse(f"copies.share<{value}")


def test_a_band_has_three_names():
    with pytest.raises(errors.OptionError, match="low, medium, high"):
        gate.parse("dcr.band=good")


def test_the_verdict_may_be_that_of_another_tolerance():
    """A trace of the crowd is a leak where less is tolerated."""
    found = [
        ("tables", "train", "rows", 1000.0, None, None),
        ("tables", "holdout", "rows", 1000.0, None, None),
        ("scope", None, "tolerance", 0.02, None, None),
        ("membership", "agreement", "auc", 0.53, 0.52, 0.54),
        ("membership", "agreement", "p_value", 1e-6, None, None),
        ("exposure", None, "exposed", 0.0, None, None),
        ("copies", None, "share", 0.0, None, 0.01),
    ]
    names = ("metric", "variant", "statistic", "value", "lower", "upper")
    rows = [{**dict(zip(names, one, strict=True)), "better": None, "meaning": ""} for one in found]
    rows = [row | {"item": "number", "section": row["metric"]} for row in rows]
    assert level_of(rows) == "watch"
    assert level_of(rows, 0.005) == "bad"


def test_conditions_of_a_file_are_those_of_the_command_line():
    conditions = gate.read(ROOT / "examples" / "gate.toml")
    assert conditions
    assert conditions == [gate.parse(condition.text) for condition in conditions]


@pytest.mark.parametrize(
    "content", ["", "require = 'copies.share=0'", "require = [1]", "require = []\nrequires = []", "require = ["]
)
def test_what_is_no_file_of_conditions(tmp_path, content):
    path = tmp_path / "gate.toml"
    path.write_text(content)
    with pytest.raises(errors.OptionError, match=r"gate\.toml"):
        gate.read(path)
    with pytest.raises(errors.OptionError, match=r"absent\.toml"):
        gate.read(tmp_path / "absent.toml")


def test_junit_says_what_is_broken(numbers):
    texts = ["copies.share=0", "dcr.band<=medium", "nndr_second.band=high"]
    root = ET.fromstring(junit(gate.check(numbers, map(gate.parse, texts))))
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "2", "0")
    assert [case.get("name") for case in suite] == texts
    messages = [case.find("failure").get("message") for case in suite if case.find("failure") is not None]
    assert messages == [
        "copies.share=0: copies.share is 0.25",
        "nndr_second.band=high: nndr_second.holdout.band is missing",
    ]


def test_the_ends_of_an_interval_are_numbers_too():
    rows = {"metric": ["copies"], "variant": [None], "statistic": ["excess"], "value": [0.01]}
    table = pa.table(rows | {"lower": [-0.005], "upper": [0.025]})
    result = Result(None, "evaluate", Answer(table, [], ""))
    for text, holds in {
        "copies.excess<=0": False,
        "copies.excess_lower<=0": True,
        "copies.excess_upper<=0.02": False,
    }.items():
        assert outcome(result, text).holds is holds
    with pytest.raises(errors.OptionError, match="which has no holdout"):
        outcome(result, "holdout.overlap_excess<=0.01")


def test_junit_carries_what_is_to_be_said_first(numbers):
    root = ET.fromstring(junit(gate.check(numbers, [gate.parse("copies.share=0.25")]), ["one", "two"]))
    assert root.find("testsuite/system-err").text == "one\ntwo"


def test_conditions_are_about_every_group():
    columns = {"Region": ["a", None], "section": ["copies"] * 2, "metric": ["copies"] * 2, "variant": [None] * 2,
               "statistic": ["share"] * 2, "value": [0.0, 0.25]}  # fmt: skip
    outcomes = gate.check(Result(None, "evaluate", Answer(pa.table(columns), [], "")), [gate.parse("copies.share=0")])
    assert [outcome.holds for outcome in outcomes] == [True, False]
    assert str(outcomes[1]) == "copies.share=0: copies.share is 0.25 where Region missing"
    assert 'name="copies.share=0 (Region a)"' in junit(outcomes)


HOLDOUT = {"holdout": "h"}


@pytest.mark.parametrize(
    ("text", "given", "said"),
    [
        ("copies.shares=0", {}, "similar names: copies.share"),
        ("copy.share=0", {}, "similar names: copies.share"),
        ("nothing.here=0", {}, "metrics: exposure, set_replay, exposure_by, remedy, membership, split, within"),
        ("dcr.holdout_train.median>0", {}, "only with a holdout, which is not given"),
        ("holdout_share.share<=0.52", {}, "only with a holdout"),
        ("copies.excess_upper<=0", {}, "only with a holdout"),
        ("exposure.beyond=0", HOLDOUT, "only without a holdout"),
        ("discernibility.smallest_class>2", HOLDOUT, "only with quasi_identifiers"),
        ("singling_out.risk_lower<=0", HOLDOUT, "only with risks and holdout"),
        ("disclosure.income.DCAP_excess<=0.1", HOLDOUT, "only with targets and holdout"),
        (
            "disclosure.income.DCAP_excess<=0.1",
            HOLDOUT | {"targets": ["age"]},
            "similar names: disclosure.age.DCAP_excess",
        ),
        ("linkability.k 1.risk<0.1", {"known": ["a"], "other": ["b"]}, "only with other and holdout"),
        ("membership.ratio.auc<0.6", HOLDOUT, "similar names: membership"),
        ("mda.threshold 0.5.privacy>0", {}, "similar names: mda.threshold 0.2.privacy"),
    ],
)
def test_a_condition_that_no_evaluation_can_meet_is_found_before(text, given, said):
    with pytest.raises(errors.OptionError, match=said):
        gate.foresee([gate.parse(text)], given)


def test_conditions_that_will_have_their_number_pass():
    for text, given in {
        "copies.share_lower=0": {},
        "dcr.band=high": {},
        "dcr.median>0": HOLDOUT,
        "membership.ratio.auc<0.6": HOLDOUT | {"attack": "all"},
        "mda.threshold 0.5.privacy>0": {"threshold": [0.2, 0.5]},
        "identifiers.id.distinct<1": {},
        "singling_out.risk_upper<=0.1": HOLDOUT | {"risks": True},
        "attribute_inference.Home Town.risk_lower<=0": HOLDOUT | {"known": ["a"], "secrets": ["Home Town"]},
        "anonymity.synthetic.income.t_equal<=0.3": {"sensitive": ["income"]},
        "discernibility.train.c_avg<9": {"quasi_identifiers": ["a"], "k": 2},
    }.items():
        gate.foresee([gate.parse(text)], given)


# The command line


@pytest.fixture(scope="module")
def arguments(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    for name, start in (("synthetic", 0), ("train", 2), ("holdout", 50)):
        rows = "\n".join(f"{start + i * i}" for i in range(8))
        (folder / f"{name}.csv").write_text(f"x\n{rows}\n")
    files = [(f"--{name}", str(folder / f"{name}.csv")) for name in ("synthetic", "train", "holdout")]
    return ["evaluate", *itertools.chain(*files)]


UNLEARNED = "synthpriv: the attack learned needs 100 records of each side in each of 2 folds, and "
FEW = (
    "synthpriv: synthetic has 8 records, train has 8 records and holdout has 8 records: too few for a "
    "statement, which needs at least 100"
)


def test_a_condition_that_holds(arguments):
    code, out, err = cli(*arguments, "--require", "tables.rows=8", "--format", "csv")
    learned, *others = err.splitlines()
    assert (code, others) == (0, [FEW])
    assert learned.startswith(UNLEARNED)
    assert out.startswith("section,metric")


def test_a_broken_condition_ends_with_1_and_the_measured_value(arguments, tmp_path):
    required = tmp_path / "gate.toml"
    required.write_text('require = ["tables.rows = 9", "tables.rows > 0"]')
    code, out, err = cli(
        *arguments, "--require", "copies.records>7", "--requirements", str(required), "--format", "json"
    )
    assert code == 1
    assert out.startswith("[")
    assert err.splitlines()[1:] == [
        FEW,
        "synthpriv: required copies.records>7: copies.records is 0",
        "synthpriv: required tables.rows = 9: tables.synthetic.rows is 8",
    ]


@pytest.mark.nightly
def test_conditions_of_groups_here_and_on_a_file(arguments, tmp_path):
    files = [part for part in arguments if part.endswith(".csv")]
    for path in files:
        rows = Path(path).read_text().splitlines()[1:]
        (tmp_path / path.rpartition("/")[2]).write_text("x,g\n" + "".join(f"{x},{i % 2}\n" for i, x in enumerate(rows)))
    grouped = [str(tmp_path / part.rpartition("/")[2]) if part in files else part for part in arguments]
    saved = tmp_path / "evaluation.parquet"
    code, _, err = cli(*grouped, "--group-by", "g", "--require", "tables.rows=5", "--output", str(saved))
    assert (code, err.count("tables.synthetic.rows is 4 where g")) == (1, 2)
    assert "in 2 of 2 groups, for example: synthetic has 4 records" in err
    code, out, _ = cli("gate", str(saved), "--require", "tables.rows=4")
    assert (code, out) == (0, "".join(
        f"holds  tables.rows=4: tables.synthetic.rows is 4 where g {g}\n" for g in (0, 1)
    ))  # fmt: skip


def test_junit_goes_into_a_file(arguments, tmp_path):
    path = tmp_path / "junit.xml"
    code, out, _ = cli(*arguments, "--require", "tables.rows=9", "--format", "junit", "--output", str(path))
    assert (code, out) == (1, "")
    assert ET.parse(path).getroot().get("failures") == "1"


@pytest.mark.parametrize(
    "wrong",
    [
        ["--require", "nothing"],
        ["--require", "copies.nothing=0"],
        ["--format", "junit"],
        ["--requirements", "absent.toml"],
        ["--show-values"],
    ],
)
def test_wrong_usage_ends_with_2(arguments, wrong):
    code, _, err = cli(*arguments, *wrong)
    assert code == 2
    assert len([line for line in err.splitlines() if line != FEW and not line.startswith(UNLEARNED)]) == 1
