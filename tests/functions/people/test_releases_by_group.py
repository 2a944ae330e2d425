"""Several releases with ``group_by``: each group is judged by its own rows of each release."""

import json
import math
from collections import Counter

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import cli, literal, rows_of

import synthpriv_sql
from synthpriv_sql.errors import ColumnMismatch

BY = 'Of "it'
GROUPS = ("north", "South", None)
COLUMNS = ("a", "Mixed", 'q"c')
SIDES = {"synthetic": "newest", "train": "train", "holdout": "holdout"}
CALLS = {
    "membership": {"attack": ["distance", "density", "agreement", "uniques"]},
    "membership_scores": {"attack": "ratio"},
    "exposure": {"attack": ["agreement", "uniques"], "false_discovery": 0.5},
    "uniques": {"width": 2},
    "screen": {"attack": ["uniques"], "false_discovery": 0.5},
    "safe": {"attack": ["uniques"], "false_discovery": 0.5},
    "evaluate": {"attack": ["uniques", "agreement"], "named_by": ["uniques"]},
}


def people(rng, rows):
    """Rows of three columns, some missing, and a group each."""
    made = {name: [None if rng.random() < 0.05 else int(i) for i in rng.integers(0, 40, rows)] for name in COLUMNS}
    return {**made, BY: [GROUPS[i % 3] for i in range(rows)]}


def table(columns):
    return pa.table({name: pa.array(values, pa.string() if name == BY else None) for name, values in columns.items()})


@pytest.fixture(scope="module")
def tables():
    """Train, holdout, and three releases, each of which gives away other people of train."""
    rng = np.random.default_rng(3)
    train, holdout = people(rng, 60), people(rng, 60)
    releases = []
    for i in range(3):
        made = people(rng, 40)
        for name in COLUMNS:
            made[name][:9] = train[name][9 * i : 9 * i + 9]
        releases.append(made)
    return [table(one) for one in (train, holdout, *releases)]


def of_group(one, group):
    """The rows of a table that have this value, without it."""
    return one.filter(pa.array([value == group for value in one[BY].to_pylist()])).drop([BY])


def told(rows):
    """Rows without their numbers within a table and the names of tables, in an order of their own."""
    out = {BY, "reason", "record", "synthetic", "release", "first_record"}
    kept = [{name: value for name, value in row.items() if name not in out} for row in rows]
    return sorted(repr({n: float(f"{v:.9g}") if isinstance(v, float) else v for n, v in r.items()}) for r in kept)


FEW = ("membership", "uniques")


@pytest.mark.parametrize(
    "name",
    [
        *FEW,
        *(
            pytest.param(name, marks=pytest.mark.nightly if name == "evaluate" else pytest.mark.again)
            for name in CALLS
            if name not in FEW
        ),
    ],
)
def test_each_group_is_what_its_own_rows_of_each_release_say(shared, tables, name):
    train, holdout, newest, *before = tables
    call = getattr(shared, name)
    rows = rows_of(call(newest, train, holdout, releases=before, group_by=[BY], **CALLS[name]))
    assert {row[BY] for row in rows} == {*GROUPS}
    assert not any(row["reason"] for row in rows)
    for group in GROUPS:
        own = [of_group(one, group) for one in (newest, train, holdout)]
        expected = call(*own, releases=[of_group(one, group) for one in before], **CALLS[name])
        assert told([row for row in rows if row[BY] == group]) == told(rows_of(expected))


def combinations_that_return(columns, people, everybody, releases):
    """How many people have a combination that nobody else of ``everybody`` has, and that a release has."""

    def key(row):
        return tuple(row[name] for name in columns)

    times, back = Counter(map(key, everybody)), {key(row) for one in releases for row in one}
    return sum(times[key(row)] == 1 and key(row) in back for row in people)


def test_people_whose_combinations_come_back_by_group(shared, tables):
    train, holdout, newest, *before = tables
    rows = rows_of(shared.replay_sets(newest, train, holdout, releases=before, group_by=BY))
    for group in GROUPS:
        real = [of_group(one, group).to_pylist() for one in (train, holdout)]
        released = [of_group(one, group).to_pylist() for one in (newest, *before)]
        pairs = [row for row in rows if row[BY] == group and row["width"] == 2]
        assert pairs
        for row in pairs:
            expected = [combinations_that_return(row["columns"], one, [*real[0], *real[1]], released) for one in real]
            assert [row["replayed"], row["holdout_replayed"]] == expected
    assert sum(row["replayed"] for row in rows) > 30


def test_a_leak_of_two_releases_is_found_in_its_group_only(shared):
    """People of the north have their columns in two releases, other ones in each; those of the south in none."""
    rng = np.random.default_rng(8)

    def made():
        return {**{name: rng.integers(0, 300, 300).tolist() for name in "abc"}, BY: ["north", "south"] * 150}

    train, holdout, newest, before = (made() for _ in range(4))
    for one, first in ((newest, 0), (before, 30)):
        for name in "abc":
            one[name][0:30:2] = train[name][first : first + 30 : 2]
    rows = rows_of(
        shared.membership(
            table(newest), table(train), table(holdout), releases=[table(before)], group_by=BY, attack="uniques"
        )
    )
    found = {row[BY]: row for row in rows}
    alone = rows_of(shared.membership(table(newest), table(train), table(holdout), group_by=BY, attack="uniques"))
    assert found["north"]["at_least"] > max(row["at_least"] for row in alone) > 0
    assert found["south"]["at_least"] == 0
    assert found["south"]["p_value"] > 0.05


def test_a_group_that_a_release_lacks_gets_a_reason(shared, tables):
    train, holdout, newest, before, _ = tables
    north = before.filter(pa.array([value == "north" for value in before[BY].to_pylist()]))
    options = {"releases": {"may": north}, "group_by": BY, "attack": "uniques"}
    rows = {row[BY]: row for row in rows_of(shared.membership(newest, train, holdout, **options))}
    assert not rows["north"]["reason"]
    assert "no such rows in release_1" in rows["South"]["reason"]
    assert rows["South"]["auc"] is None
    with pytest.raises(ColumnMismatch, match="2 of the 3 groups"):
        shared.membership(newest, train, holdout, **options, strict_groups=True)


def test_a_release_without_the_column_counts_in_each_group(shared, tables):
    train, holdout, newest, before, _ = tables
    options = {"attack": ["uniques"]}
    whole = before.drop([BY])
    rows = rows_of(shared.membership(newest, train, holdout, releases=[whole], group_by=BY, **options))
    for group in GROUPS:
        own = [of_group(one, group) for one in (newest, train, holdout)]
        expected = rows_of(shared.membership(*own, releases=[whole], **options))
        assert told([row for row in rows if row[BY] == group]) == told(expected)
    assert math.isfinite(rows[0]["auc"])


@pytest.mark.again
def test_groups_in_sql_and_on_the_command_line(shared, tables, tmp_path):
    path = {name: tmp_path / f"{name}.parquet" for name in ("train", "holdout", "newest", "may", "june")}
    for file, one in zip(path.values(), tables, strict=True):
        pq.write_table(one, file)
    connection = duckdb.connect()
    synthpriv_sql.register(connection)
    for name, file in path.items():
        connection.read_parquet(str(file)).create(name)
    found = connection.sql(
        "FROM synthpriv.membership('newest', 'train', 'holdout', releases := ['may', 'june'], "
        f"group_by := {literal(BY)}, attack := 'uniques')"
    )
    real = [f"--{side}={path[name]}" for side, name in SIDES.items()]
    before = [f"--release={path[name]}" for name in ("may", "june")]
    code, out, _ = cli("membership", *real, *before, f"--group-by={BY}", "--attack=uniques", "--format=json")
    assert code == 0
    train, holdout, newest, *releases = tables
    expected = rows_of(shared.membership(newest, train, holdout, releases=releases, group_by=BY, attack="uniques"))
    assert told(json.loads(out)) == told(expected) == told(found.to_arrow_table().to_pylist())
