"""The verdict on tables whose truth is known: never good on a leak, never bad on a careful table."""

from html import unescape
from io import StringIO

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from calls import create
from rich.console import Console

from synthpriv_sql.report.evaluation import Evaluation, level_of
from synthpriv_sql.report.verdict.findings import LEVELS
from synthpriv_sql.results import gate, output

ROWS = 1500


def people(rows, seed):
    """Categories of very different frequency, numbers that hang on them, and whole numbers with few values."""
    random = np.random.default_rng(seed)
    job = random.geometric(0.12, rows).clip(max=25)
    town = random.zipf(1.6, rows).clip(max=60)
    age = (20 + 60 * random.beta(2, 3, rows)).round()
    income = np.exp(random.normal(10 + 0.02 * job, 0.6, rows)).round(-1)
    return pd.DataFrame(
        {"job": [f"job {j}" for j in job], "town": [f"town {t}" for t in town], "age": age, "income": income,
         "children": random.poisson(1.2, rows)}
    )  # fmt: skip


def drawn(table, rows, seed=7):
    return table.sample(rows, replace=True, random_state=seed).reset_index(drop=True)


def moved(table, by, seed=8):
    random = np.random.default_rng(seed)
    numbers = table.select_dtypes("number")
    return table.assign(**{c: numbers[c] + random.normal(0, by * numbers[c].std(), len(table)) for c in numbers})


TRAIN, HOLDOUT, OTHERS = (people(ROWS, seed) for seed in (1, 2, 3))


def copied(records):
    random = np.random.default_rng(5)
    rows = random.choice(ROWS, records, replace=False)
    return pd.concat([OTHERS[:-records], TRAIN.iloc[rows]], ignore_index=True)


def splices():
    random = np.random.default_rng(6)
    rows = [random.integers(0, ROWS, ROWS) for _ in range(2)]
    numbers, words = ["age", "income"], ["job", "town", "children"]
    return pd.concat([TRAIN[numbers].iloc[rows[0]].reset_index(drop=True) * 1.0001,
                      TRAIN[words].iloc[rows[1]].reset_index(drop=True)], axis=1)[list(TRAIN)]  # fmt: skip


def shouted():
    table = people(ROWS, 4)
    return table.assign(job=table.job.str.upper(), town=table.town.str.upper(), income=table.income * 100)


def planted(records, columns):
    """Independent people, some of whom have these columns of one of train."""
    table, random = OTHERS.copy(), np.random.default_rng(11)
    here, there = (random.choice(ROWS, records, replace=False) for _ in range(2))
    table.loc[here, columns] = TRAIN[columns].to_numpy()[there]
    return table


def with_mails(replayed):
    """The three tables with an address that nobody else has; some of train's come back."""
    numbers = np.random.default_rng(12).permutation(10**6)[: 3 * ROWS].reshape(3, ROWS)
    made = [
        t.assign(mail=[f"u{n}@{n % 97}.org" for n in of])
        for t, of in zip((OTHERS, TRAIN, HOLDOUT), numbers, strict=True)
    ]
    made[0].loc[: replayed - 1, "mail"] = made[1].loc[: replayed - 1, "mail"]
    return tuple(made)


# What synthetic is, train, holdout; the level; words of the headline.
ZOO = {
    "independent rows": ((OTHERS, TRAIN, HOLDOUT), "good", "identify none of 1,500 people"),
    "the densest half": (
        (OTHERS.sort_values("income").iloc[ROWS // 4 : -ROWS // 4], TRAIN, HOLDOUT),
        "good", "identify none of 1,500 people",
    ),
    "a bootstrap of train": ((drawn(TRAIN, ROWS), TRAIN, HOLDOUT), "bad", "can be identified as members"),
    "splices": ((splices(), TRAIN, HOLDOUT), "bad", "can be identified as members"),
    "an overlap clears nothing": (
        (drawn(TRAIN, ROWS), TRAIN, pd.concat([HOLDOUT[:1200], TRAIN[:300]])), "bad", "can be identified as members",
    ),
    "some people, four columns": (
        (planted(36, ["job", "town", "age", "income"]), TRAIN, HOLDOUT), "bad", "1,500 people are given away: of the",
    ),
    "twenty people": ((planted(20, list(TRAIN)), TRAIN, HOLDOUT), "bad", "people are given away: of the"),
    "mails": (with_mails(60), "bad", "60 e-mail addresses in mail, each of one person of train alone, come back"),
    "no mails": (with_mails(0), "none", "Identifiers are compared"),
    "copies without a holdout": (
        (planted(400, list(TRAIN)), TRAIN, None), "bad", "times as often as among real people: at least",
    ),
    "copies of train and of the holdout": (
        (pd.concat([TRAIN[:400], HOLDOUT[:400], OTHERS[:700]], ignore_index=True), TRAIN, HOLDOUT),
        "bad", "times as often as among real people",
    ),
    "a hundred rows, fifteen times": (
        (pd.concat([OTHERS[:100]] * 15, ignore_index=True), TRAIN, HOLDOUT), "good", "identify none of 1,500",
    ),
    "six copies": ((copied(6), TRAIN, HOLDOUT), "watch", "real one; by chance, fewer than one"),
    "a bootstrap of the holdout": ((drawn(HOLDOUT, ROWS), TRAIN, HOLDOUT), "none", "synthesizer saw the holdout"),
    "no holdout": ((moved(drawn(TRAIN, ROWS), 0.001), TRAIN, None), "none", "Nothing was compared"),
    "one trailing blank": (
        (OTHERS, TRAIN, HOLDOUT.assign(town=HOLDOUT.town + " ")), "none", "differ in town (100.0 % of the holdout's",
    ),
    "an older holdout": (
        (OTHERS, TRAIN, people(4 * ROWS, 9).sort_values("age")[-ROWS:]), "none", "train and holdout differ in age",
    ),
    "train in other units": (
        (pd.concat([moved(TRAIN[:750], 0.01), OTHERS[750:]]), TRAIN.assign(income=TRAIN.income * 1000), HOLDOUT),
        "none", "train and holdout differ in income",
    ),
    "train as holdout": ((OTHERS, TRAIN, TRAIN), "none", "the same table as train"),
    "upper case": ((shouted(), TRAIN, HOLDOUT), "none", "do not occur in real rows"),
    "few": ((OTHERS, TRAIN[:90], HOLDOUT), "none", "Too few records"),
    "too few to see much": ((OTHERS, TRAIN[300:600], HOLDOUT[:300]), "good", "identify none of 300 people"),
}  # fmt: skip


def wide(rows, seed):
    """Fifty columns that say nothing, and four that tell people apart."""
    random = np.random.default_rng(seed)
    nothing = {f"n{i}": random.normal(size=rows) for i in range(50)}
    return pd.DataFrame(nothing | {name: random.integers(0, 500, rows).astype(str) for name in "abcd"})


@pytest.mark.nightly
def test_where_distances_say_nothing_or_the_table_is_far_away_it_is_said(shared):
    # For 200 people of the holdout or more, the classifiers of the split are trained.
    train, holdout, synthetic = (wide(rows, seed) for seed, rows in ((1, 300), (2, 190), (3, 300)))
    synthetic.loc[:79, list("abcd")] = train.loc[:79, list("abcd")]
    found = shared.evaluate(synthetic, train, holdout, attack="uniques", named_by="uniques").verdict
    assert found.level == "bad", found
    assert "distances say little with so many columns" in found.sentence.lower()
    away = OTHERS[:300].copy()
    away[away.select_dtypes("number").columns] += 50 * away.select_dtypes("number").std()
    found = shared.evaluate(away, TRAIN[:300], HOLDOUT[:190], attack="density", named_by="uniques").verdict
    assert found.level != "bad"
    assert "times as far from train as holdout records are" in found.sentence
    assert any("fidelity" in step for step in found.next_steps)


# What says the most about the levels comes in `make test`. All attacks are asked of tables that have to be good or bad
# by them; where another section decides, or no verdict is possible, few attacks are.
AT_ONCE = {"independent rows", "no holdout", "copies without a holdout"}
AGAIN = {"some people, four columns", "mails", "splices"}
LATER = {"a bootstrap of train", "an overlap clears nothing", "copies of train and of the holdout", "twenty people"}
LATER |= {"train in other units", "an older holdout", "a bootstrap of the holdout"}
WITH_FEW = {"six copies", "mails", *(case for case, (_, level, _) in ZOO.items() if level == "none")} - AT_ONCE
FEW_AT_ONCE = {"six copies"}
FEW = {"attack": ["distance", "agreement", "uniques"], "named_by": ["uniques"]}


def marked(case):
    if case in AT_ONCE | FEW_AT_ONCE:
        return []
    return pytest.mark.again if case in AGAIN else pytest.mark.slow if case in LATER else pytest.mark.nightly


CASES = [pytest.param(case, FEW if case in WITH_FEW else {}, marks=marked(case), id=case) for case in ZOO]
CASES.append(pytest.param("splices", FEW, id="splices, few attacks"))  # a leak that they find as well


@pytest.mark.parametrize(("case", "options"), CASES)
def test_the_verdict_is_right(session, case, options, tmp_path):
    (synthetic, train, holdout), level, words = ZOO[case]
    sides = {"synthetic": synthetic, "train": train, "holdout": holdout}
    create(
        session, **{side: pa.Table.from_pandas(t, preserve_index=False) for side, t in sides.items() if t is not None}
    )
    names = {side: side for side, table in sides.items() if table is not None}
    if case == "train as holdout":
        names["holdout"] = "train"
    result = session.evaluate(**names, **options)
    found = result.verdict
    assert (found.level, words in found.headline) == (level, True), found
    assert_every_surface_agrees(result, found, tmp_path)
    assert "can be named" not in found.headline + found.sentence
    # A fifth of a holdout that overlaps was seen, as part of train.
    seen = {"copies of train and of the holdout", "an overlap clears nothing"}
    assert ("seen the holdout as well" in found.sentence) == (case in seen)
    assert ("different records" in found.sentence) == (case == "a hundred rows, fifteen times")
    assert bool(found.next_steps) == (level != "good")
    assert len(found.next_steps) <= 3
    if level == "good":
        assert {finding.level for finding in found.findings} <= {"good", ""}


def assert_every_surface_agrees(result, found, folder):
    """The terminal, the notebook, a file that is read again, and the gate that a pipeline asks."""
    for form in ("parquet", "json"):
        output.write(result, folder / f"evaluation.{form}")
        assert Evaluation.read(folder / f"evaluation.{form}").verdict == found
    for level in LEVELS:
        (outcome,) = gate.check(result, [gate.parse(f"verdict.level={level}")], level_of)
        assert outcome.holds == (level == found.level)
        assert ("<failure" in gate.junit([outcome])) == (level != found.level)
    console = Console(file=StringIO(), width=200)
    result.show(console)
    said = " ".join(console.file.getvalue().split())
    assert " ".join(found.headline.split()) in said
    assert found.headline in unescape(result._repr_html_())
