"""Runs of rows of persons: replicated uniques among them, against a plain count."""

import itertools

import duckdb
import oracle_scores
import pyarrow as pa
import pytest
from calls import call, cli, create, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st
from test_uniques import expected_rows, quiet, way

from examples import some
from synthpriv_sql import errors

__all__ = ["way"]

TYPES = {"who": pa.int64(), "at": pa.float64(), "n": pa.int64(), "t": pa.string()}


def person_rows(first):
    return st.lists(
        st.tuples(
            st.integers(first, first + 3),
            st.sampled_from([None, 1.0, 2.0, 3.0, 4.5]),
            st.sampled_from([None, 2, 10]),
            st.sampled_from([None, "", "a", "a|1:b", "B"]),
        ),
        min_size=1,
        max_size=14,
    )


def table(rows):
    return pa.table({name: pa.array([row[i] for row in rows], kind) for i, (name, kind) in enumerate(TYPES.items())})


def runs(rows, length):
    """(record of the first row, person, values of n, values of t) of every run."""
    found = []
    for person in {row[0] for row in rows}:
        own = [(i, *row) for i, row in enumerate(rows) if row[0] == person and row[2 - 1] is not None]
        own.sort(key=lambda row: (row[2], row[3] is None, row[3] or 0, row[4] is None, (row[4] or "").encode(), row[0]))
        for start in range(len(own) - length + 1):
            part = own[start : start + length]
            found.append((part[0][0], person, tuple(row[3] for row in part), tuple(row[4] for row in part)))
    return sorted(found)


@some
@given(
    synthetic=person_rows(0),
    train=person_rows(0),
    holdout=person_rows(10),
    length=st.integers(2, 4),
    width=st.integers(1, 2),
)
def test_uniques_are_those_of_runs(shared, way, synthetic, train, holdout, length, width):
    tables = [synthetic, train, holdout]
    of_each = [runs(rows, length) for rows in tables]
    arrow = [table(rows) for rows in tables]
    options = {"unit": "who", "order": "at", "length": length, "width": width}
    if not all(of_each[:2]):
        with pytest.raises(errors.EmptyTable):
            shared.uniques(*arrow, **options)
        return
    columns = [{"n": [run[2] for run in part], "t": [run[3] for run in part]} for part in of_each]
    persons = [run[1] for run in of_each[1] + of_each[2]]
    _, _, smallest = oracle_scores.uniques(*columns, width=width, persons=persons)
    found = rows_of(quiet(lambda: shared.uniques(*arrow, **options)))
    first = {person: i for i, person in reversed(list(enumerate(persons)))}
    synthetic_at = [run[0] for run in of_each[0]]
    wanted = expected_rows(smallest, len(of_each[1]), lambda person: first[person])
    wanted = [(side, chosen, synthetic_at[at], also) for side, _, chosen, at, also in wanted]
    told = [(row["side"], row["columns"], row["synthetic"], row["also"]) for row in found]
    assert sorted(told, key=repr) == sorted(wanted, key=repr)
    owners = {"train": train, "holdout": holdout}
    starts = {"train": {run[0] for run in of_each[1]}, "holdout": {run[0] for run in of_each[2]}}
    for row in found:
        assert owners[row["side"]][row["record"]][0] == row["person"]
        assert row["record"] in starts[row["side"]]


ODD = {
    "who is it": [1, 1, 1, 2, 2, 2],
    "runs": ["a", "b", "c", "a", "b", "d"],
    "record": [1, 2, 3, 1, 2, 4],
    "at": [1, 2, 3] * 2,
}


@pytest.mark.again
def test_names_that_we_use_as_well(shared, tmp_path):
    """In Python, in SQL and on the command line; a column may be called as a part of the statement is."""
    odd = pa.table(ODD)
    create(shared, odd_train=odd, odd_synthetic=odd.slice(0, 3))
    options = {"unit": "who is it", "order": "at"}
    rows = rows_of(shared.uniques("odd_synthetic", "odd_train", **options))
    assert [(row["person"], row["record"], row["columns"], row["synthetic"]) for row in rows] == [
        (1, 0, ["runs"], 0), (1, 0, ["record"], 0),
    ]  # fmt: skip
    assert sql_rows(shared.connection, call("uniques", "odd_synthetic", "odd_train", **options)) == rows
    files = [tmp_path / "synthetic.parquet", tmp_path / "train.parquet"]
    for name, file in zip(("odd_synthetic", "odd_train"), files, strict=True):
        shared.connection.table(name).write_parquet(str(file))
    code, out, err = cli(
        "uniques", "--synthetic", str(files[0]), "--train", str(files[1]), "--unit", "who is it", "--order", "at",
        "--format", "csv",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 3


def test_mistakes_are_told(shared):
    odd = pa.table(ODD)
    create(shared, odd_train=odd)
    with pytest.raises(errors.OptionError, match='option "order" needs the option "unit"'):
        shared.uniques("odd_train", "odd_train", order="at")
    with pytest.raises(errors.OptionError, match="order excludes group_by"):
        shared.uniques("odd_train", "odd_train", unit="who is it", order="at", group_by="runs")
    with pytest.raises(errors.UnknownColumn, match='"when", which "odd_train" does not have'):
        shared.uniques("odd_train", "odd_train", unit="who is it", order="when")
    with pytest.raises(errors.OptionError, match=r"length.*at least 2 and at most 8"):
        shared.uniques("odd_train", "odd_train", unit="who is it", order="at", length=9)
    with pytest.raises(duckdb.Error, match="OptionError"):
        shared.connection.execute(call("uniques", "odd_train", "odd_train", order="at")).fetchall()


def in_order(rows):
    """Of every person the rows in order: (record, value of n, value of t)."""
    singles = sorted(runs(rows, 1), key=lambda run: run[0])
    by_person = {person: [] for person in {row[0] for row in rows}}
    for person, found in by_person.items():
        own = {run[0]: run for run in singles if run[1] == person}
        keys = {
            i: (rows[i][1], rows[i][2] is None, rows[i][2] or 0, rows[i][3] is None, (rows[i][3] or "").encode(), i)
            for i in own
        }
        found += [(i, own[i][2][0], own[i][3][0]) for i in sorted(own, key=keys.__getitem__)]
    return by_person


def longest(mine, theirs, least):
    """(rows, other record, record) of the longest run that two persons share, of several the first of the other."""
    found = []
    for i in range(len(mine)):
        for j in range(len(theirs)):
            length = 0
            while (
                max(i, j) + length < min(len(mine) - i + max(i, j), len(theirs) - j + max(i, j))
                and mine[i + length][1:] == theirs[j + length][1:]
            ):
                length += 1
            if length >= least:
                found.append((-length, theirs[j][0], mine[i][0]))
    return min(found, default=None)


def most_shared(rows, reference, least):
    of_reference = in_order(reference).values()
    best = {}
    for person, mine in in_order(rows).items():
        found = [one for theirs in of_reference if (one := longest(mine, theirs, least))]
        best[person] = min(found, default=None)
    return best


@some
@given(synthetic=person_rows(0), train=person_rows(0), holdout=person_rows(10), length=st.integers(1, 3))
def test_shared_runs_are_those_of_a_plain_search(shared, synthetic, train, holdout, length):
    arrow = [table(rows) for rows in (synthetic, train, holdout)]
    found = shared.shared_runs(*arrow, unit="who", order="at", length=length).to_arrow().to_pylist()
    wanted = most_shared(synthetic, train, length)
    others = sorted(-(one or (0,))[0] for one in most_shared(holdout, train, length).values())
    usual = next(n for i, n in enumerate(others, 1) if 100 * i >= 99 * len(others))
    assert {row["person"] for row in found} == set(wanted)
    for row in found:
        best = wanted[row["person"]]
        assert row["shared"] == (-best[0] if best else 0)
        assert (row["train_record"], row["record"]) == (best[1:] if best else (None, None))
        assert row["train_person"] == (train[best[1]][0] if best else None)
        assert (row["usual"], row["beyond"]) == (usual, row["shared"] > usual)
    assert [row["shared"] for row in found] == sorted((row["shared"] for row in found), reverse=True)


def steps(rows):
    return [(one[1:], two[1:]) for own in in_order(rows).values() for one, two in itertools.pairwise(own)]


@some
@given(synthetic=person_rows(0), train=person_rows(0), holdout=person_rows(10))
def test_sequence_fidelity_is_that_of_a_plain_count(shared, synthetic, train, holdout):
    import numpy as np

    arrow = [table(rows) for rows in (synthetic, train, holdout)]
    found = {row["measure"]: row for row in rows_of(shared.sequence_fidelity(*arrow, unit="who", order="at"))}

    def lengths(rows):
        return [len(own) for own in in_order(rows).values() if own]

    def ks(one, two):
        if not one or not two:
            return None
        return 1 - max(abs(np.mean([x <= n for x in one]) - np.mean([x <= n for x in two])) for n in one + two)

    def tv(one, two):
        if not one or not two:
            return None
        return 1 - sum(abs(one.count(pair) / len(one) - two.count(pair) / len(two)) for pair in {*one, *two}) / 2

    def categories(rows):
        return [(a[1], b[1]) for a, b in steps(rows)]

    def lag(rows):
        pairs = [(a[0], b[0]) for a, b in steps(rows) if a[0] is not None and b[0] is not None]
        columns = list(zip(*pairs, strict=True))
        return np.corrcoef(columns)[0, 1] if pairs and all(len(set(c)) > 1 for c in columns) else None

    def lags(one, two):
        return None if one is None or two is None else 1 - abs(one - two) / 2

    expected = {
        "length_similarity": [ks(lengths(other), lengths(train)) for other in (synthetic, holdout)],
        "transition_similarity": [tv(categories(other), categories(train)) for other in (synthetic, holdout)],
        "lag_similarity": [lags(lag(other), lag(train)) for other in (synthetic, holdout)],
    }
    assert list(found) == list(expected)
    for measure, values in expected.items():
        for value, wanted in zip((found[measure]["value"], found[measure]["holdout"]), values, strict=True):
            assert value == (None if wanted is None else pytest.approx(wanted, abs=1e-12)), measure
    assert [row["columns"] for row in found.values()] == [[], ["t"], ["n"]]


def test_a_copied_history_is_named_with_its_person(shared):
    """Rows of a real person in order, as nobody of the holdout has them; what they say is common."""
    import numpy as np

    rng = np.random.default_rng(3)

    def histories(first):
        return {"who": np.repeat(np.arange(first, first + 200), 20), "at": np.tile(np.arange(20), 200),
                "event": rng.integers(0, 10, 4000)}  # fmt: skip

    train, holdout, synthetic = histories(0), histories(1000), histories(2000)
    synthetic["event"].reshape(200, 20)[7, 4:16] = train["event"].reshape(200, 20)[31, 5:17]
    tables = [pa.table(history) for history in (synthetic, train, holdout)]
    rows = shared.shared_runs(*tables, unit="who", order="at", length=4).to_arrow().to_pylist()
    assert (rows[0]["person"], rows[0]["train_person"], rows[0]["beyond"]) == (2007, 31, True)
    # Two more rows before it are the same by chance.
    assert (rows[0]["record"], rows[0]["train_record"]) == (7 * 20 + 2, 31 * 20 + 3)
    assert rows[0]["shared"] == 14
    assert sum(row["beyond"] for row in rows) < 8
    with pytest.raises(errors.OptionError, match='needs the option "order"'):
        shared.shared_runs(*tables, unit="who")
    with pytest.raises(errors.OptionError, match='needs the option "unit"'):
        shared.sequence_fidelity(*tables, order="at")


def test_a_run_that_is_copied_is_found_where_rows_tell_nothing(shared):
    """Every row is somebody else's too: only the order is one person's."""
    import numpy as np

    rng = np.random.default_rng(0)

    def people(count, first):
        steps = rng.integers(0, 12, (count, 9))
        return pa.table({
            "who": np.repeat(np.arange(first, first + count), 9),
            "at": np.tile(np.arange(9), count),
            "event": [f"event {i}" for i in steps.ravel()],
        })  # fmt: skip

    train, holdout, fresh = people(150, 0), people(150, 1000), people(150, 2000)
    leaking = pa.concat_tables([fresh.slice(0, 90 * 9), train.slice(0, 60 * 9)])
    assert not rows_of(shared.uniques(leaking, train, holdout, unit="who"))
    counts = {}
    for name, synthetic in (("careful", fresh), ("leaking", leaking)):
        rows = rows_of(shared.uniques(synthetic, train, holdout, unit="who", order="at"))
        counts[name] = {
            side: len({row["person"] for row in rows if row["side"] == side}) for side in ("train", "holdout")
        }
    assert abs(counts["careful"]["train"] - counts["careful"]["holdout"]) < 40
    assert counts["leaking"]["train"] >= counts["leaking"]["holdout"] + 15
