"""Families of tables: parents, their children together, both, children by row, and children in order."""

import numpy as np
import pyarrow as pa
import pytest
from calls import DATA, cli, create, needs_data, quoted, rows_of

from synthpriv_sql import errors
from synthpriv_sql.report.evaluation import Evaluation

PEOPLE, ROWS = 500, 8
QUICK = {"attack": "uniques", "named_by": "uniques"}
VIEWS = ["parents", "events, together", "parents and events", "events", "events, in order"]


def accounts(rng, first):
    """Accounts with events in time; who has which is chance."""
    who = np.arange(first, first + PEOPLE)
    parents = {
        "account": who,
        "age": rng.integers(18, 80, PEOPLE),
        "income": rng.lognormal(10, 0.5, PEOPLE).round(2),
        "region": rng.choice(list("abcdef"), PEOPLE),
    }
    events = {
        "account": np.repeat(who, ROWS),
        "event": rng.integers(0, 14, PEOPLE * ROWS),
        "hour": rng.integers(0, 24, PEOPLE * ROWS),
        "at": np.tile(np.arange(ROWS), PEOPLE),
    }
    return parents, events


@pytest.fixture(scope="module")
def families(shared):
    """The real tables, and three synthetic families: careful, leaking through parents, and through runs alone."""
    rng = np.random.default_rng(5)
    (train, train_events), (holdout, holdout_events), (fresh, fresh_events) = (
        accounts(rng, first) for first in (0, 5000, 9000)
    )
    copied = {**fresh, **{name: values.copy() for name, values in fresh.items()}}
    for name in ("age", "income", "region"):
        copied[name][:200] = train[name][:200]
    ordered = {name: values.copy() for name, values in fresh_events.items()}
    steps, real = (events["event"].reshape(PEOPLE, ROWS) for events in (ordered, train_events))
    steps[:300, 2:7] = real[:300, 2:7]
    create(
        shared, train=pa.table(train), train_events=pa.table(train_events), holdout=pa.table(holdout),
        holdout_events=pa.table(holdout_events), fresh=pa.table(fresh), fresh_events=pa.table(fresh_events),
        copied=pa.table(copied), ordered_events=pa.table(ordered),
    )  # fmt: skip
    return {
        "careful": ("fresh", "fresh_events"),
        "parents": ("copied", "fresh_events"),
        "runs": ("fresh", "ordered_events"),
    }


def asked(events):
    return {"children": {"events": (events, "train_events", "holdout_events", "account")}, "order": "at", "length": 5}


@pytest.mark.nightly
def test_the_verdict_says_which_table_gives_people_away(shared, families):
    """Where nothing leaks is one of the households, and a leak of the parents that of the command line."""
    synthetic, events = families["runs"]
    result = shared.evaluate(synthetic, "train", "holdout", **asked(events), **QUICK)
    assert result.group_columns == ["part"]
    levels = {part: found.verdict.level for (part,), found in result.groups.items()}
    assert list(levels) == VIEWS
    assert {part for part, level in levels.items() if level == "bad"} == {"events, in order"}, levels


def test_each_view_is_the_call_of_its_tables(shared, families):
    synthetic, events = families["parents"]
    options = {"attack": "uniques"}
    rows = rows_of(shared.exposure(synthetic, "train", "holdout", **asked(events), **options))
    found = {part: [row for row in rows if row["part"] == part] for part in dict.fromkeys(row["part"] for row in rows)}
    assert list(found) == VIEWS

    def without(rows):
        return [
            {name: value for name, value in row.items() if name not in {"part", "key", "neighbor_key"}} for row in rows
        ]

    def same(part, expected):
        expected = without(expected)
        names = expected[0].keys()
        assert [{name: row[name] for name in names} for row in without(found[part])] == expected

    parents = ("copied", "train", "holdout")
    children = (events, "train_events", "holdout_events")
    same("parents", rows_of(shared.exposure(*parents, key="account", **options)))
    same("events", rows_of(shared.exposure(*children, unit="account", **options)))
    same("events, in order", rows_of(shared.exposure(*children, unit="account", order="at", length=5, **options)))
    flat = [
        shared.flatten(parent, child, "account", prefix="events_").to_arrow()
        for parent, child in zip(parents, children, strict=True)
    ]
    same("parents and events", rows_of(shared.exposure(*flat, key="account", **options)))
    summaries = [name for name in flat[0].column_names if name.startswith("events_")]
    same("events, together", rows_of(shared.exposure(*flat, columns=summaries, **options)))


@pytest.mark.nightly
def test_sql_gives_the_rows_of_python(shared, families):
    given = "'fresh', 'train', 'holdout', attack := 'uniques', false_positive_rates := [0.1]"
    events = "children := {'events': ('ordered_events', 'train_events', 'holdout_events', 'account')}"
    found = shared.connection.sql(f"FROM synthpriv.membership({given}, {events}, {quoted('order')} := 'at')").fetchall()
    options = asked("ordered_events") | {"length": 3, "attack": "uniques", "false_positive_rates": [0.1]}
    assert sorted(found) == sorted(shared.membership("fresh", "train", "holdout", **options).fetchall())


@pytest.mark.nightly
def test_several_tables_of_children_and_none_for_the_holdout(shared, families):
    create(shared, cards=pa.table({"account": [0, 0, 1, 9000], "kind": ["a", "b", "a", "a"]}))
    children = {
        "events": ["fresh_events", "train_events", None, "account"],
        "cards": ["cards", "cards", None, "account"],
    }
    with pytest.warns(errors.SynthprivWarning, match="belong to no row of"):
        result = shared.evaluate("fresh", "train", children=children, **QUICK)
    parts = [part for (part,) in result.groups]
    assert parts == [
        "parents", "events, together", "cards, together", "parents and events and cards", "events", "cards",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"children": {"events": ("fresh_events", "train_events", "account")}}, errors.OptionError, "four values"),
        ({"children": {}}, errors.OptionError, "not a mapping"),
        ({"children": {"events": ("fresh_events", None, "holdout_events", "account")}}, errors.OptionError, "no train"),
        ({"children": {"events": ("fresh_events", "train_events", None, "account")}}, errors.OptionError, "no holdout"),
        ({"children": {"events": ("fresh_events", "train_events", "holdout_events", "hour")}}, errors.UnknownColumn,
         'the key "hour" is not a column of the parents'),
        (asked("fresh_events") | {"order": "nowhere"}, errors.UnknownColumn, 'order" names column "nowhere"'),
        (asked("fresh_events") | {"exclude": ["nowhere"]}, errors.UnknownColumn, 'exclude" names column "nowhere"'),
        (asked("fresh_events") | {"unit": "account"}, errors.OptionError, '"unit" is about one table'),
        (asked("nowhere_events"), errors.UnknownTable, "nowhere_events"),
    ],
)  # fmt: skip
def test_mistakes_are_told(shared, families, options, error, words):
    with pytest.raises(error, match=words):
        shared.membership("fresh", "train", "holdout", **options)


@pytest.mark.nightly
def test_on_the_command_line(shared, families, tmp_path):
    files = {}
    for name in ("copied", "train", "holdout", "fresh_events", "train_events", "holdout_events"):
        files[name] = str(tmp_path / f"{name}.parquet")
        shared.connection.table(name).write_parquet(files[name])
    tables = ["--synthetic", files["copied"], "--train", files["train"], "--holdout", files["holdout"]]
    events = f"events={files['fresh_events']},{files['train_events']},{files['holdout_events']},account"
    asked_for = ["--children", events, "--order", "at", "--length", "5", "--exclude", "hour", "--attack", "uniques",
                 "--named-by", "uniques"]  # fmt: skip
    written = tmp_path / "written"
    written.mkdir()
    page, rows = written / "family.html", written / "evaluation.parquet"
    code, _, err = cli(
        "evaluate", *tables, *asked_for, "--html", str(page), "--output", str(rows), "--require", "verdict.level=good"
    )
    assert code == 1, err
    assert "verdict.level is bad where part parents" in err
    levels = {part: found.verdict.level for (part,), found in Evaluation.read(rows).groups.items()}
    assert list(levels) == VIEWS
    assert {part for part, level in levels.items() if level == "bad"} == {"parents", "parents and events"}
    text = page.read_text(encoding="utf-8")
    for name in ("parents", "events-together", "parents-and-events", "events"):
        place = list(levels).index(name.replace("-", " ").replace("events together", "events, together")) + 1
        assert f'href="family-{place}-{name}.html"' in text
        assert "</html>" in (written / f"family-{place}-{name}.html").read_text(encoding="utf-8")
    assert "events, in order" in text
    assert len(list(written.iterdir())) == 6
    code, _, err = cli("evaluate", *tables, "--children", "events=a,b,account")
    assert code == 2
    assert "is not name=synthetic,train,holdout,key" in err
    code, _, err = cli("candidates", *tables[2:], "--synthetic", files["copied"], "--children", f"{events}x")
    assert code == 2
    assert 'the key "accountx" is not a column' in err


@pytest.mark.nightly
def test_what_learns_sees_the_scores_of_every_part(shared, families):
    """Neither the rows of the leaking family nor what flatten makes of them tell anything; their order does."""
    synthetic, events = families["runs"]
    options = asked(events) | {"attack": "learned", "false_positive_rates": [0.1], "exclude": ["hour", "region"]}
    rows = {row["part"]: row for row in rows_of(shared.membership(synthetic, "train", "holdout", **options))}
    assert rows["parents and events"]["auc_lower"] > 0.6
    assert all(rows[part]["auc_lower"] < 0.53 for part in ("parents", "events, together", "events"))
    children = "{'events': ('ordered_events', 'train_events', 'holdout_events', 'account')}"
    told = shared.connection.sql(
        f"FROM synthpriv.membership('fresh', 'train', 'holdout', children := {children}, {quoted('order')} := 'at', "
        "length := 5, attack := 'learned', false_positive_rates := [0.1], exclude := ['hour', 'region'])"
    )
    assert sorted(told.fetchall()) == sorted(tuple(row.values()) for row in rows.values())


@pytest.mark.nightly
def test_candidates_and_fidelity_of_families(shared, families):
    children = {"events": (["fresh_events", "ordered_events"], "train_events", "holdout_events", "account")}
    options = {"attack": ["uniques"], "trees": 3, "exclude": ["region"]}
    synthetic = {"careful": "fresh", "copied": "copied"}
    few = [f"(FROM {name} LIMIT 60)" for name in ("train", "holdout")]
    synthetic = {name: f"(FROM {table} LIMIT 60)" for name, table in synthetic.items()}
    rows = rows_of(
        shared.candidates(synthetic, *few, children=children, **options | {"exclude": ["region", "hour", "at"]})
    )
    assert [(row["part"], row["candidate"]) for row in rows] == [
        (part, name) for part in VIEWS[:-1] for name in synthetic
    ]
    alone = rows_of(shared.candidates(synthetic, *few, key="account", **options))
    assert [{name: row[name] for name in alone[0]} for row in rows[:2]] == alone
    children = {"events": ("(FROM fresh_events WHERE account < 9300)", "train_events", "holdout_events", "account")}
    rows = rows_of(
        shared.fidelity(
            "(FROM fresh WHERE account >= 9200)", "train", "holdout", children=children, exclude=["region", "hour"]
        )
    )
    assert list(dict.fromkeys(row["part"] for row in rows)) == [*VIEWS[:3], "events with parents"]
    found = {(row["part"], *row["columns"]): row["value"] for row in rows if row["measure"].startswith(("ks_", "tv_"))}
    # 200 of 300 parents have no children, of whom each in train has 8; 200 of 300 accounts with events have no parent.
    assert found["events, together", "events_rows"] == pytest.approx(1 - 200 / 300)
    assert found["events with parents", "has_account"] == pytest.approx(1 - 200 / 300)
    pairs = [row["columns"] for row in rows if row["part"] == "events with parents" and row["level"] == "pair"]
    assert ["event", "age"] in pairs


def households(rng, first, copied=None):
    """Households with members, in the manner of the demo; of the members of ``copied`` those of 150 are taken over."""
    size = rng.integers(1, 6, 600)
    who = np.arange(first, first + 600)
    homes = {"home": who, "rent": rng.lognormal(7, 0.4, 600).round(), "town": rng.integers(0, 60, 600)}
    people = {
        "home": np.repeat(who, size),
        "age": rng.integers(0, 95, size.sum()),
        "job": rng.integers(0, 70, size.sum()),
    }
    if copied is not None:
        _, people_of = copied
        taken = people_of["home"] < people_of["home"][0] + 150
        kept = people["home"] >= first + 150
        people = {name: np.concatenate([people_of[name][taken], values[kept]]) for name, values in people.items()}
        people["home"][: taken.sum()] += first - people_of["home"][0]
    return homes, people


@pytest.mark.nightly
@pytest.mark.parametrize("leak", ["none", "members"])
def test_households_with_members(shared, leak):
    rng = np.random.default_rng(8)
    train, holdout = households(rng, 0), households(rng, 2000)
    copied = None if leak == "none" else train
    synthetic = households(rng, 4000, copied)
    homes, people = ([pa.table(family[i]) for family in (synthetic, train, holdout)] for i in (0, 1))
    result = shared.evaluate(*homes, children={"members": (*people, "home")}, **QUICK)
    bad = {part for (part,), found in result.groups.items() if found.verdict.level == "bad"}
    if leak == "none":
        assert bad == set()
    else:
        assert "members" in bad
        assert "parents" not in bad


@pytest.mark.nightly
@needs_data
def test_histories_of_real_accounts(shared):
    """Transactions by the account that they go to: those of others are careful, those of train moved in time leak."""
    real = f"{DATA}/midst_1_"
    shared.connection.execute(
        "CREATE OR REPLACE TABLE paid AS FROM read_csv(?) WHERE account <> 0", [f"{real}train.csv.gz"]
    )
    shared.connection.execute(
        "CREATE OR REPLACE TABLE others AS FROM read_csv(?) "
        "WHERE account NOT IN (SELECT account FROM paid UNION SELECT 0)",
        [f"{real}holdout.csv.gz"],
    )
    train, holdout = "(FROM paid WHERE account % 2 = 0)", "(FROM paid WHERE account % 2 = 1)"
    moved = "SELECT * REPLACE (account + 1000000000 AS account, trans_date + 200 AS trans_date)"
    leaking = f"(FROM others WHERE account % 3 <> 0 UNION ALL {moved} FROM {train} WHERE account % 3 = 0)"
    by_account = {"unit": "account", "exclude": ["balance"]}
    levels = {
        name: shared.evaluate(synthetic, train, holdout, **by_account, **QUICK).verdict.level
        for name, synthetic in (("others", "others"), ("leaking", leaking))
    }
    assert levels == {"others": "good", "leaking": "bad"}
    options = by_account | {"order": "trans_date", "length": 2}
    beyond = {
        name: sum(row["beyond"] for row in rows_of(shared.shared_runs(synthetic, train, holdout, **options)))
        for name, synthetic in (("others", "others"), ("leaking", leaking))
    }
    assert beyond["others"] <= 5
    assert beyond["leaking"] > 150


@pytest.fixture(scope="module")
def visits(shared):
    """Parents whose addresses come back, and visits whose days do; a column of parents has the same name."""
    rng = np.random.default_rng(3)
    made = {}
    for place, side in enumerate(("synthetic", "seen", "unseen")):
        who = np.arange(40) + 1000 * place
        mail = [f"a{number}@b.org" for number in rng.integers(10**9, size=40)]
        made[f"{side}_people"] = {"id": who, "mail": mail, "day": rng.integers(0, 9, 40)}
        made[f"{side}_visits"] = {"id": who, "day": rng.integers(0, 10**9, 40)}
    for table, column in (("people", "mail"), ("visits", "day")):
        made[f"synthetic_{table}"][column][:20] = made[f"seen_{table}"][column][:20]
    create(shared, **{name: pa.table(of) for name, of in made.items()})
    return [f"{side}_people" for side in ("synthetic", "seen", "unseen")]


BACK = {
    ("parents", "mail"): 20, ("parents and v", "mail"): 20, ("v", "day"): 20,
    **{(part, f"v_day_{of}"): 20 for part in ("v, together", "parents and v") for of in ("min", "mean", "max")},
}  # fmt: skip
"""How many values come back, by part and column, if any do."""


def replayed(rows):
    return {(part, column): value for part, metric, column, name, value in rows
            if (metric, name) == ("replay", "replayed") and value}  # fmt: skip


@pytest.mark.nightly
def test_each_part_looks_at_its_own_columns(shared, visits):
    """Neither those of parents nor their absence are said of the aggregates of children."""
    children = {"v": (*(name.replace("people", "visits") for name in visits), "id")}
    found = shared.evaluate(*visits, children=children, exclude="mail", **QUICK)
    rows = [tuple(row[name] for name in ("part", "metric", "variant", "statistic", "value")) for row in found]
    assert replayed(rows) == BACK
    left_out = {(part, column) for part, metric, column, *_ in rows if metric == "left_out" and column}
    assert left_out == {("parents", "mail"), ("parents and v", "mail")}
