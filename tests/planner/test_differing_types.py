"""Tables whose columns have different types or spellings: equal values are equal, or it is said why they are not."""

import json
import warnings

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synthpriv_sql import errors

ZONE = "SET timezone = 'America/New_York'"


def copied(session, *tables, **given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.SynthprivWarning)
        found = session.copies(*tables, **given)["copies"]
        zero = [distance == 0 for distance in session.dcr(*tables, **given)["dcr"]]
    assert [copies > 0 for copies in found] == zero
    return sum(zero)


def table(session, **columns):
    """Queries of one column each, with these values in SQL."""
    return [f"(SELECT {value} AS v FROM range(3) AS r(i))" for value in columns.values()]


def test_text_and_truth_values(session, tmp_path):
    kinds = {"csv": "v\nyes\nno\nYes\n", "json": "\n".join(json.dumps({"v": v}) for v in (True, False, True))}
    for suffix, content in kinds.items():
        (tmp_path / f"truth.{suffix}").write_text(content)
    (tmp_path / "text.csv").write_text("v\nyes\nno\nunknown\n")
    (tmp_path / "text.json").write_text("\n".join(json.dumps({"v": v}) for v in ("True", "False", "maybe")))
    frame = pa.table({"v": [True, False, None]})
    for truth in (tmp_path / "truth.csv", tmp_path / "truth.json", frame):
        for text in (tmp_path / "text.csv", tmp_path / "text.json"):
            assert copied(session, truth, text) == 2 + (truth is not frame)
            assert copied(session, text, truth) == 2
            with pytest.warns(errors.SynthprivWarning, match='column "v" is BOOLEAN in .* and VARCHAR in '):
                session.copies(truth, text)
    # A third table decides as well.
    three = "(SELECT unnest(['yes', 'TRUE']) AS v)", "(SELECT unnest(['y', 'no']) AS v)", "(SELECT true AS v)"
    with pytest.warns(errors.SynthprivWarning, match="truth value"):
        assert [row["copies"] for row in session.screen(*three)] == [1, 1]


def test_uuids_and_their_texts(session):
    uuid = "550e8400-e29b-41d4-a716-446655440000"
    texts = table(session, a=f"uuid '{uuid}'", b=f"'{uuid.upper()}'", c=f"'{{{uuid}}}'")
    assert [copied(session, a, b) for a in texts for b in texts[:1]] == [3, 3, 3]


def test_the_zone_of_the_session_changes_nothing(session):
    noon = "timestamp '2020-01-01 12:00:00' + to_days(i::INT)"
    plain, zoned, early = table(
        session, a=noon, b=f"({noon}) AT TIME ZONE 'UTC'", c=f"({noon}) AT TIME ZONE 'America/New_York'"
    )
    day, midnight = table(session, a="date '2020-01-01'", b="timestamptz '2020-01-01 00:00:00+00'")
    for setting in ("RESET timezone", ZONE):
        session.connection.execute(setting)
        for given in ({}, {"categorical": ["v"]}):
            assert copied(session, plain, zoned, **given) == copied(session, zoned, plain, **given) == 3
            assert copied(session, day, midnight, **given) == 3
        assert copied(session, plain, early) == 0
        screened = session.screen(plain, zoned, early)
        assert [row["copies"] for row in screened] == [1, 1, 1]
        shown = session.fidelity(plain, zoned).fetchall()
        assert shown == session.fidelity(zoned, plain).fetchall() == session.fidelity(zoned, zoned).fetchall()
    session.connection.execute("RESET timezone")


def test_times_of_day_with_a_zone_are_instants(session):
    noon, same, other, plain = table(
        session, a="timetz '12:00:00+00'", b="timetz '17:00:00+05'", c="timetz '12:00:00+05'", d="time '12:00:00'"
    )
    for given in ({}, {"categorical": ["v"]}):
        assert copied(session, noon, same, **given) == copied(session, same, plain, **given) == 3
        assert copied(session, noon, other, **given) == copied(session, other, plain, **given) == 0


def test_cast_texts_keep_offsets_and_nanoseconds(session):
    noon = "timestamp '2020-01-01 12:00:00'"
    plain, zoned, day = table(session, a=noon, b="timestamptz '2020-01-01 12:00:00+00'", c="date '2020-01-01'")
    same, other, text, fine = table(
        session,
        a="'2020-01-01T17:00:00+05'",
        b="'2020-01-01 12:00:00+05'",
        c="'2020-01-01 12:00:00'",
        d="'2020-01-01 12:00:00.000000001'",
    )
    session.connection.execute(ZONE)
    for target in (plain, zoned):
        assert copied(session, same, target, auto_cast=True) == copied(session, text, target, auto_cast=True) == 3
        assert copied(session, other, target, auto_cast=True) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.SynthprivWarning)
        assert sum(session.copies(fine, plain, auto_cast=True)["copies"]) == 0
    assert copied(session, same, day, auto_cast=True) == 0
    session.connection.execute("RESET timezone")
    (hour,) = table(session, a="timetz '12:00:00+00'")
    same, other = table(session, a="'17:00:00+05'", b="'12:00:00+05'")
    assert copied(session, same, hour, auto_cast=True) == 3
    assert copied(session, other, hour, auto_cast=True) == 0


def test_names_that_differ_in_case_only_are_those_of_the_source(session, tmp_path):
    one, two = pa.table({"a": [1, 2], "A": [7, 8]}), pa.table({"A": [7, 8], "a": [1, 2]})
    for name, rows in (("one", one), ("two", two)):
        pq.write_table(rows, tmp_path / f"{name}.parquet")
        lines = [rows.column_names, *zip(*rows.to_pydict().values(), strict=True)]
        (tmp_path / f"{name}.csv").write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
        (tmp_path / f"{name}.json").write_text("\n".join(map(json.dumps, rows.to_pylist())))
    pairs = [(one, two), (one.to_pandas(), two.to_pandas())]
    pairs += [(tmp_path / f"one.{suffix}", tmp_path / f"two.{suffix}") for suffix in ("parquet", "csv", "json")]
    for first, second in pairs:
        assert copied(session, first, second) == copied(session, second, first) == 2
    with pytest.warns(errors.SynthprivWarning, match='"A" is called "A_1" here'):
        session.copies(one, two)
    for order in ((one, two.select(["A"])), (two.select(["A"]), one)):
        with pytest.raises(errors.ColumnMismatch, match='column "a" is in'):
            session.copies(*order)


def test_numbers_of_two_precisions_are_said(session):
    single, double, exact = table(session, a="CAST(0.1 * i AS FLOAT)", b="CAST(0.1 * i AS DOUBLE)", c="0.1 * i")
    for pair in ((single, double), (double, single), (exact, single)):
        with pytest.warns(errors.SynthprivWarning, match='column "v" is .*FLOAT in .* 0.1 is not the same number'):
            session.copies(*pair)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        session.copies(single, single)
        session.copies(double, exact)


def test_numbers_that_a_distance_does_not_tell_apart_are_said(session):
    large, small, decimal = table(
        session, a="9007199254740992 + i", b="i", c="CAST(90071992547409.93 + i AS DECIMAL(18, 2))"
    )
    for pair in ((large, small), (small, large), (decimal, decimal)):
        with pytest.warns(errors.SynthprivWarning, match='column "v" of .* holds whole numbers beyond 2\\^53'):
            session.dcr(*pair)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        session.dcr(small, small)
        session.dcr(*table(session, a="1e17 * i + 0.5", b="0.25 * i"))
