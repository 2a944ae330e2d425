"""A history remembers what was released: later calls take it from there, and the level of names is shared."""

import math
import os
import shutil

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import cli, rows_of

import synthpriv_sql
from synthpriv_sql.errors import OptionError, SynthprivWarning
from synthpriv_sql.planner.columns import releases
from synthpriv_sql.results.calls import history

CHEAP = ["--attack=uniques", "--named-by=uniques"]


def people(rng, rows=150):
    return {name: rng.integers(0, 150, rows).tolist() for name in "abc"}


@pytest.fixture(scope="module")
def months(tmp_path_factory):
    """A folder with train, the holdout, and three months that each give away other people."""
    rng, folder = np.random.default_rng(1), tmp_path_factory.mktemp("months")
    made = {"train": people(rng), "holdout": people(rng)} | {f"month_{month}": people(rng) for month in (1, 2, 3)}
    for month in (1, 2, 3):
        for name in "abc":
            made[f"month_{month}"][name][:40] = made["train"][name][40 * month - 40 : 40 * month]
    for place, (name, table) in enumerate(made.items()):
        keyed = pa.table(table | {"id": [f"{place} {i}" for i in range(150)]})
        pq.write_table(keyed, folder / f"{name}.parquet")
    return folder


@pytest.fixture
def folder(months, tmp_path, monkeypatch):
    """A copy, as the current folder."""
    shutil.copytree(months, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def evaluated(month, *more):
    tables = [f"--synthetic=month_{month}.parquet", "--train=train.parquet", "--holdout=holdout.parquet"]
    return cli("evaluate", *tables, "--key=id", *CHEAP, "--output=h.duckdb", "--append", *more)


@pytest.mark.nightly
def test_each_month_is_told_with_those_before(folder):
    said = [evaluated(1, "--history=h.duckdb", "--remember", "--since=h.duckdb")]
    # What a gate stops is not released, but was evaluated: it has a number, and its part of the level.
    said.append(evaluated(2, "--history=h.duckdb", "--require=copies.records=3", "--since=h.duckdb"))
    said.append(evaluated(3, "--history=h.duckdb", "--remember", "--html=page.html"))
    assert [code for code, *_ in said] == [0, 1, 0]
    assert "not released: a condition is broken" in said[1][2]
    assert "month_1.parquet is now told together with this table" in said[1][1]
    first, second, third = history.read("h.duckdb")
    assert [(one.number, one.name, one.released) for one in (first, second, third)] == [
        (1, "month_1.parquet", True),
        (2, "month_2.parquet", False),
        (3, "month_3.parquet", True),
    ]
    assert first.location == str(folder / "month_1.parquet")
    levels = [one.false_discovery for one in (first, second, third)]
    np.testing.assert_allclose(levels, [0.05 * 6 / (math.pi * k) ** 2 for k in (1, 2, 3)])
    trend = (folder / "page.html").read_text().partition('<section id="trend"')[2].partition("</section>")[0]
    assert [f"({level}\u202f%)" in trend for level in ("3", "0.76", "0.34")] == [True] * 3
    assert "stands beside" in trend
    tables = ("month_3.parquet", "train.parquet", "holdout.parquet")
    with synthpriv_sql.connect() as session:
        options = {"key": "id", "attack": "uniques", "false_discovery": levels[2]}
        rows = rows_of(session.exposure(*tables, releases=["month_1.parquet"], **options))
        asked = {"key": "id", "attack": "uniques", "history": "h.duckdb"}
        assert rows_of(session.exposure(*tables, **asked)) == rows
        unspent = session.exposure(*tables, **asked, spend=False)
        assert sum(unspent["exposed"]) > sum(row["exposed"] for row in rows)
    assert third.names == sorted(row["key"] for row in rows if row["exposed"])
    assert third.named == len(third.names)
    assert (second.names, third.people) == (None, 150)
    assert "it is as secret as train" in said[2][2]
    assert oct(os.stat("h.duckdb").st_mode)[-3:] == "600"
    # Once more, and the number, its level and what was before it are the same.
    code, _, errors = evaluated(1, "--history=h.duckdb")
    assert (code, "release 1 in h.duckdb" in errors) == (0, True)
    again = history.read("h.duckdb")
    assert [one.number for one in again] == [1, 2, 3]
    assert (again[0].false_discovery, again[0].names) == (first.false_discovery, None)
    # The numbers of all runs are there as ever.
    with duckdb.connect("h.duckdb", read_only=True) as connection:
        assert connection.sql("SELECT count(DISTINCT run_id) FROM evaluate").fetchall() == [(4,)]
    assert cli("gate", "h.duckdb", "--require=copies.records>=0")[0] in {0, 1, 2}


@pytest.fixture
def remembered(folder):
    """A history with two months, of which only the places are known."""
    with synthpriv_sql.connect() as session:
        for number in (1, 2):
            path = str(folder / f"month_{number}.parquet")
            made = (number, f"month_{number}.parquet", path, history.hash_of(session, path))
            history.remember("h.duckdb", history.Release(*made, history.now(), True, "good", *[None] * 5))
    return folder


def asked(session, **options):
    tables = ("month_3.parquet", "train.parquet", "holdout.parquet")
    given = {"history": "h.duckdb", "attack": "uniques", "exclude": ["id"], **options}
    return rows_of(session.exposure(*tables, **given))


def test_what_was_released_must_be_there(remembered):
    with synthpriv_sql.connect() as session:
        expected = asked(session)
        assert {row["release"] for row in expected} >= {"month_1.parquet", "month_2.parquet"}
        os.rename("month_2.parquet", "kept.parquet")
        shutil.copy("holdout.parquet", "month_1.parquet")
        with pytest.raises(OptionError) as raised:
            asked(session)
        for said in ("(release 1, 20", "has changed", "(release 2, 20", "is missing", "released = false"):
            assert said in str(raised.value)
        # By its name, a copy stands for it; another table is used with a warning.
        named = {"month_2.parquet": "kept.parquet", "month_1.parquet": "month_1.parquet"}
        with pytest.warns(SynthprivWarning, match="month_1.parquet.*differs from what was evaluated then"):
            assert asked(session, releases=named) != expected
        with duckdb.connect("h.duckdb") as connection:
            connection.execute("UPDATE remembered.releases SET released = false")
        # What was not released tells nothing; its evaluations have taken their parts of the level all the same.
        alone, level = asked(session, false_discovery=0.9), 0.9 * releases.share_of_level(3)
        assert [row["exposed"] for row in alone] == [row["q_value"] <= level for row in alone]
        assert "release" not in alone[0]


def test_a_history_moves_together_with_its_tables(remembered, tmp_path):
    with synthpriv_sql.connect() as session:
        expected = asked(session)
        (tmp_path / "moved").mkdir()
        for name in ("month_1.parquet", "month_2.parquet", "h.duckdb"):
            shutil.move(name, tmp_path / "moved" / name)
        assert asked(session, history=tmp_path / "moved" / "h.duckdb") == expected


@pytest.mark.nightly
def test_python_remembers_tables_of_a_database(folder):
    with synthpriv_sql.connect() as session:
        for name in ("train", "holdout", "month_1", "month_2"):
            session.connection.execute(f"CREATE TABLE {name} AS FROM '{name}.parquet'")
        options = {"attack": ["uniques"], "named_by": ["uniques"], "key": "id"}
        found = session.evaluate("month_1", "train", "holdout", **options)
        release = session.remember("h.duckdb", found, "month_1", "train", "holdout", names=True, **options)
        assert (release.number, release.location, release.false_discovery) == (1, "month_1", 0.05)
        assert release.named == len(release.names) > 0
        given = {"history": "h.duckdb", "attack": "uniques", "key": "id"}
        assert "month_1" in session.exposure("month_2", "train", "holdout", **given)["release"]
        session.connection.execute("UPDATE month_1 SET a = a + 1 WHERE id = '2 5'")
        with pytest.raises(OptionError, match='"month_1" has another hash'):
            session.exposure("month_2", "train", "holdout", **given)
        session.remember("h.duckdb", found, pq.read_table("month_3.parquet"), "train", "holdout", released=True)
        with pytest.raises(OptionError, match="was an object in Python"):
            session.exposure("month_2", "train", "holdout", **given)


def test_the_level_is_shared_without_a_history_too(months):
    tables = [str(months / f"{name}.parquet") for name in ("month_2", "train", "holdout", "month_1")]
    with synthpriv_sql.connect() as session:
        options = {"attack": "uniques", "exclude": ["id"]}
        for before, number in (({}, 1), ({"releases": tables[3:]}, 2)):
            found = session.exposure(*tables[:3], **options, **before, spend=True, false_discovery=0.4)
            level = 0.4 * 6 / (math.pi * number) ** 2
            assert found["exposed"] == [q <= level for q in found["q_value"]]
        sql = f"FROM synthpriv.exposure({str(tables[:3])[1:-1]}, attack := 'uniques', spend := true, exclude := ['id'])"
        assert session.connection.sql(sql).fetchall() == session.exposure(*tables[:3], **options, spend=True).fetchall()
    assert math.isclose(sum(map(releases.share_of_level, range(1, 100_000))), 1, abs_tol=1e-4)


@pytest.mark.slow
def test_a_gate_on_releases_holds_from_the_first_month_on(folder):
    """Whom the first release names is new; later the same condition is about what the history names."""
    new, more = "--require=releases.new=0", "--require=releases.before.exposed=0"
    code, out, errors = evaluated(1, "--history=h.duckdb", more)
    assert (code, "the history has none: begin it without this condition" in errors) == (2, True)
    code, out, errors = evaluated(1, "--history=h.duckdb", new, "--require=releases.union.at_least<100")
    assert (code, "required releases.new=0: exposure.exposed is" in out + errors) == (1, True)
    with duckdb.connect("h.duckdb") as connection:
        connection.execute("UPDATE remembered.releases SET released = true")
    code, out, errors = evaluated(3, "--history=h.duckdb", new, "--require=releases.before.at_least>0")
    assert code == (0 if "required" not in out + errors else 1)
    assert [one.number for one in history.read("h.duckdb")] == [1, 2]


def test_wrong_histories(folder):
    tables = ("month_3.parquet", "train.parquet", "holdout.parquet")
    duckdb.connect("empty.duckdb").close()
    (folder / "broken.duckdb").write_text("nothing")
    with synthpriv_sql.connect() as session:
        for path, says in (("none.duckdb", "--append begins one"), ("h.csv", "duckdb file"), ("broken.duckdb", "read")):
            with pytest.raises(OptionError, match=says):
                session.exposure(*tables, exclude=["id"], history=path)
        with pytest.warns(SynthprivWarning, match="remembers no release"):
            session.exposure(*tables, exclude=["id"], history="empty.duckdb")
        with pytest.raises(duckdb.Error, match="in Python and on the command line"):
            session.connection.sql(f"FROM synthpriv.exposure({str(tables)[1:-1]}, history := 'empty.duckdb')")
        with pytest.raises(OptionError, match=r"spend.* needs false_discovery"):
            session.screen(*tables, exclude=["id"], spend=True)
    assert (
        "give these too"
        in cli(
            "evaluate",
            *(f"--{n}={t}" for n, t in zip(("synthetic", "train", "holdout"), tables, strict=True)),
            "--remember",
        )[2]
    )
    code, _, said = evaluated(1, "--history=empty.duckdb")
    assert (code, "give one file for both" in said) == (2, True)
    assert not (folder / "h.duckdb").exists()
