"""Several synthetic tables in one call: the numbers of each are those of a call for it alone."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from calls import call, cli, create, sql_rows

import synthpriv_sql
from synthpriv_sql.errors import ColumnMismatch, EmptyTable, OptionError, UnknownTable
from synthpriv_sql.results.calls import many

AT_ONCE = 3
"""Tables of one statement here, so that a few are more."""
ATTACKS = ["distance", "density", "uniques"]


def table(random, n):
    return pa.table({"Id": range(n), "x": random.normal(size=n), "kind": random.choice(["a", "b"], n)})


@pytest.fixture(scope="module")
def tables():
    random = np.random.default_rng(2)
    train, holdout = table(random, 120), table(random, 110)
    synthetic = {f"it's {i}": table(random, 30 + i) for i in range(AT_ONCE + 2)}
    synthetic["copies"] = train.slice(0, 60)
    return synthetic, train, holdout


@pytest.fixture(scope="module")
def asked(tables):
    synthetic, train, holdout = tables
    with synthpriv_sql.connect() as session:
        create(session, train=train, holdout=holdout, first=synthetic["it's 0"], Second=synthetic["copies"])
        yield session


def test_the_rows_are_those_of_each_call(asked, tables, monkeypatch):
    assert many.AT_ONCE > AT_ONCE
    monkeypatch.setattr(many, "AT_ONCE", AT_ONCE)
    synthetic, train, holdout = tables
    options = {"attack": ATTACKS, "key": "id", "seed": 3}
    found = asked.membership(synthetic, train, holdout, **options)
    assert list(dict.fromkeys(found["name"])) == list(synthetic)
    # The first, those where one statement ends and the next begins, and the last.
    for name in [list(synthetic)[at] for at in (0, AT_ONCE - 1, AT_ONCE, -1)]:
        alone = asked.membership(synthetic[name], train, holdout, **options).to_arrow()
        of_it = found.to_arrow().filter(pc.equal(found.to_arrow()["name"], name))
        assert of_it.drop_columns("name").equals(alone)
    assert found.columns[0] == "name"


def test_what_they_share_is_there_once(asked, tables):
    synthetic, *_ = tables
    named = dict(list(synthetic.items())[:3])
    options = {"train": "train", "holdout": "holdout", "attack": "density", "key": "id"}
    # The searches: those among real records once, those for each table beside it.
    searches = [
        asked.sql("membership", synthetic=one, **options).count("synthpriv_search(") for one in (named, "first")
    ]
    assert searches == [1 + 3 * (searches[1] - 1), searches[1]]


@pytest.mark.nightly
def test_evaluate_has_a_verdict_for_each(asked, tables):
    synthetic, train, holdout = tables
    names = ["it's 0", "copies"]
    options = {"attack": ["distance", "uniques"], "named_by": "uniques", "key": "id", "identifiers": "compare"}
    found = asked.evaluate({name: synthetic[name] for name in names}, train, holdout, **options)
    assert found.group_columns == ["name"]
    assert {name: one.verdict.level for (name,), one in found.groups.items()} == {"it's 0": "none", "copies": "bad"}
    for (name,), one in found.groups.items():
        assert one.to_arrow().equals(asked.evaluate(synthetic[name], train, holdout, **options).to_arrow())


def test_in_sql_by_name_or_in_a_list(asked):
    options = {"attack": ATTACKS, "key": "id"}
    by_name = sql_rows(
        asked.connection, call("membership", {"a": "first", "b": "Second"}, "train", "holdout", **options)
    )
    listed = sql_rows(asked.connection, call("membership", ["first", "Second"], "train", "holdout", **options))
    assert [row["name"] for row in by_name] == ["a"] * 9 + ["b"] * 9
    assert [row | {"name": {"a": "first", "b": "Second"}[row["name"]]} for row in by_name] == listed


@pytest.mark.nightly
def test_on_the_command_line(asked, tables, tmp_path):
    synthetic, train, holdout = tables
    files = {}
    for name, one in {"train": train, "holdout": holdout, "a": synthetic["it's 0"], "b": synthetic["copies"]}.items():
        files[name] = str(tmp_path / f"{name}.parquet")
        asked.connection.from_arrow(one).write_parquet(files[name])
    given = ["--train", files["train"], "--holdout", files["holdout"], "--key", "id", "--attack", "distance"]
    several = ["--synthetic", f"fine={files['a']}", "--synthetic", f"leaky={files['b']}"]
    code, out, err = cli("membership", *several, *given, "--format", "csv")
    assert (code, err) == (0, "")
    assert [line.partition(",")[0] for line in out.splitlines()] == ["name", *["fine"] * 3, *["leaky"] * 3]
    code, _, err = cli("evaluate", *several, *given, "--named-by", "uniques", "--require", "copies.share=0")
    assert code == 1
    assert "leaky" in err
    assert "fine" not in err
    code, _, err = cli("membership", *[part.replace("leaky", "fine") for part in several], *given)
    assert code == 2
    assert "a name is given twice" in err


@pytest.mark.parametrize(
    ("synthetic", "kind", "message"),
    [
        ({}, OptionError, "has no table"),
        (["first", "first"], OptionError, "names a table twice"),
        (["first", "nowhere"], UnknownTable, "nowhere"),
        ({"a": "first", "b": pa.table({"x": [1.0], "Id": [1]})}, ColumnMismatch, "kind"),
        ({"a": "first", "b": "(FROM first WHERE false)"}, EmptyTable, "no rows"),
    ],
)
def test_tables_that_are_none(asked, synthetic, kind, message):
    with pytest.raises(kind, match=message):
        asked.membership(synthetic, "train", "holdout", attack="distance", key="id")


@pytest.mark.parametrize(
    "option", [{"group_by": "kind"}, {"scores": "first"}, {"children": {"a": ("a", "b", "c", "d")}}]
)
def test_what_is_about_one_table(asked, option):
    with pytest.raises(OptionError, match="is about one table"):
        asked.membership(["first", "Second"], "train", "holdout", **option)
