"""Runs of rows of persons: replicated uniques among them, against a plain count."""

import duckdb
import oracle
import pyarrow as pa
import pytest
from calls import call, cli, create, rows_of, sql_rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from suites import only_where_tested
from test_uniques import expected_rows, quiet, way

from synthpriv_sql import errors

only_where_tested("oracles")
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


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
    _, _, smallest = oracle.uniques(*columns, width=width, persons=persons)
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
    with pytest.raises(errors.OptionError, match="an order takes no group_by"):
        shared.uniques("odd_train", "odd_train", unit="who is it", order="at", group_by="runs")
    with pytest.raises(errors.UnknownColumn, match='"when", which "odd_train" does not have'):
        shared.uniques("odd_train", "odd_train", unit="who is it", order="when")
    with pytest.raises(errors.OptionError, match=r"length.*at least 2 and at most 8"):
        shared.uniques("odd_train", "odd_train", unit="who is it", order="at", length=9)
    with pytest.raises(duckdb.Error, match="OptionError"):
        shared.connection.execute(call("uniques", "odd_train", "odd_train", order="at")).fetchall()


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
