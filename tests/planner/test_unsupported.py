"""Columns that cannot be compared as they are: all are named at once, texts are cast, and columns are left out."""

import datetime
import math

import pyarrow as pa
import pytest
from calls import cli, create

from synthpriv_sql import connect, errors

pytestmark = pytest.mark.duckdb_1

DAY = datetime.date(2024, 1, 31)
ROWS = [(i % 15, i * 1.25, DAY + datetime.timedelta(days=i), datetime.time(i % 24, 5)) for i in range(40)]
TYPED = pa.table(
    {
        "n": [None if i == 3 else i for i, *_ in ROWS],
        "x": [None if i == 5 else x for i, x, *_ in ROWS],
        "day": [day for _, _, day, _ in ROWS],
        "at": pa.array([at for *_, at in ROWS], pa.time64("us")),
        "c": [f"c{i % 4}" for i, *_ in ROWS],
    }
)
OTHERS = TYPED.slice(10)
TEXTS = pa.table(
    {name: [None if v is None else str(v) for v in TYPED[name].to_pylist()] for name in TYPED.column_names}
)
ODD = pa.table(
    {
        "n": TEXTS["n"],
        "x": [math.inf] * 2 + [0.5] * 38,
        "day": TEXTS["day"],
        "at": TEXTS["at"],
        "c": [[value] for value in TEXTS["c"].to_pylist()],
        "more": TEXTS["c"],
    }
)
SAID = "text is cast to the type in other tables: column"


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("unsupported") / "tables.duckdb")
    with connect(path) as opened:
        create(opened, typed=TYPED, others=OTHERS, texts=TEXTS, odd=ODD)
    return path


@pytest.fixture(scope="module")
def session(database):
    with connect(database, read_only=True) as opened:
        yield opened


@pytest.mark.parametrize("name", ["dcr", "copies", "identifiability", "fidelity"])
def test_texts_are_compared_as_what_other_tables_hold(session, name):
    given = {"exclude": ["at"]} if name == "fidelity" else {}
    with pytest.warns(errors.SynthprivWarning, match=SAID) as warned:
        found = getattr(session, name)("texts", "others", auto_cast=True, **given)
    assert found.to_arrow().equals(getattr(session, name)("typed", "others", **given).to_arrow())
    assert 'columns "n" of "texts" as BIGINT' not in str(warned[0].message)
    for words in ('"n" of "texts" as BIGINT', '"x" of "texts" as DOUBLE', '"day" of "texts" as DATE'):
        assert words in str(warned[0].message)


def test_the_same_on_other_surfaces(session, database):
    found = session.dcr("typed", "others").fetchall()
    with pytest.warns(errors.SynthprivWarning, match=SAID):
        assert session.connection.sql("FROM synthpriv.dcr('texts', 'others', auto_cast := true)").fetchall() == found
    code, out, err = cli(
        "dcr",
        "--synthetic",
        "texts",
        "--train",
        "others",
        "--database",
        database,
        "--auto-cast",
        "--format",
        "csv",
    )
    assert code == 0
    assert SAID in err
    assert len(out.splitlines()) == len(found) + 1


@pytest.mark.parametrize(
    ("texts", "other", "type_"),
    [
        (["1", "2"], pa.array([1, 2]), "BIGINT"),
        ([" 1 ", "+2"], pa.array([1, 2]), "BIGINT"),
        (["1", "2.5"], pa.array([1, 2]), "DOUBLE"),  # nothing is rounded
        (["1", "1e3"], pa.array([1, 2]), "DOUBLE"),
        (["9007199254740993", "1"], pa.array([9007199254740992, 1]), "BIGINT"),
        ([None, "2"], pa.array([1.5, 2]), "DOUBLE"),
        (["2024-01-31", "2024-02-01"], pa.array([DAY, DAY]), "DATE"),
        (["2024-01-31 10:00", "2024-02-01"], pa.array([DAY, DAY]), "TIMESTAMP"),  # no time of day is lost
        (["2024-01-31 10:00", "2024-02-01"], pa.array([datetime.datetime(2024, 1, 1)] * 2), "TIMESTAMP"),
        (["10:00", "23:59:59.5"], pa.array([datetime.time(1)] * 2), "TIME"),
    ],
)
def test_a_text_keeps_what_it_says(shared, texts, other, type_):
    with pytest.warns(errors.SynthprivWarning, match=f" as {type_}$"):
        found = shared.copies(pa.table({"v": texts}), pa.table({"v": other}), auto_cast=True)
    if type_ == "BIGINT":
        expected = [sum(int(text) == value for value in other.to_pylist()) for text in texts]
        assert (
            found["copies"].to_list() == expected
            if hasattr(found["copies"], "to_list")
            else list(found["copies"]) == expected
        )


@pytest.mark.parametrize(
    ("texts", "other", "words"),
    [
        (
            ["1", "n/a", "x", None],
            pa.array([1, 2]),
            ["2 of its 3 values cannot be read as a number", "record 1 (counted from 0)"],
        ),
        (["", "1"], pa.array([1, 2]), ["1 of its 2 values cannot be read as a number", 'TRY_CAST("v" AS BIGINT)']),
        (
            ["2024-01-31", "31.12.2024"],
            pa.array([DAY]),
            [
                "1 of its 2 values cannot be read as a date",
                "record 1",
                "strptime(\"v\", '%d.%m.%Y')",
                "categorical=['v']",
            ],
        ),
        (
            ["10:00", "later"],
            pa.array([datetime.time(1)]),
            ["1 of its 2 values cannot be read as a time of day", "record 1"],
        ),
    ],
)
def test_a_text_that_is_none_is_told_by_its_record(shared, texts, other, words):
    with pytest.raises(errors.RoleError) as caught:
        shared.dcr(pa.table({"v": texts}), pa.table({"v": other}), auto_cast=True)
    for word in words:
        assert word in str(caught.value)
    for value in ("n/a", "later", "31.12.2024"):  # values are those of people
        assert value not in str(caught.value)


def test_without_it_the_error_gives_the_cast(session):
    with pytest.raises(errors.RoleError) as caught:
        session.dcr("texts", "others")
    for words in (
        'CAST("n" AS BIGINT)',
        'CAST("x" AS DOUBLE)',
        'CAST("day" AS DATE)',
        "auto_cast=True",
        "categorical=[",
    ):
        assert words in str(caught.value)


def test_all_that_is_wrong_is_said_at_once(session, database):
    words = [
        'column "more" is in "odd" but not in',
        '"c" of "odd" has type VARCHAR[]',
        '"n" is VARCHAR (categorical) in',
        'column "x" of "odd" holds 2 infinite values',
    ]
    with pytest.raises(errors.ColumnMismatch) as caught:
        session.dcr("odd", "others")
    ways = ["exclude=['more', 'c', 'n', 'day', 'at']", "exclude_unsupported=True", "auto_cast=True casts text"]
    for word in [*words, *ways]:
        assert word in str(caught.value)
    code, _, err = cli("dcr", "--synthetic", "odd", "--train", "others", "--database", database)
    assert code == 2
    for word in [*words, "--exclude more,c,n,day,at", "--exclude-unsupported does"]:
        assert word in err


def test_all_infinite_values_are_named(shared):
    synthetic = pa.table({"a": [math.inf, 1.0], "b": [1.0, 2.0], "c": [-math.inf, math.inf]})
    train = pa.table({"a": [1.0, 2.0], "b": [math.inf, 2.0], "c": [1.0, 2.0]})
    with pytest.raises(errors.InfiniteValue) as caught:
        shared.dcr(synthetic, train)
    for words in ('"a" of synthetic', '"c" of synthetic (a pyarrow Table) holds 2', '"b" of train', "['a', 'c', 'b']"):
        assert words in str(caught.value)


def test_what_cannot_be_compared_is_left_out(session, database):
    left = {"exclude": ["more"], "columns": ["n", "day", "at"], "auto_cast": True}
    with pytest.warns(errors.SynthprivWarning):
        expected = session.dcr("odd", "others", **left).to_arrow()
    with pytest.warns(errors.SynthprivWarning) as warned:
        found = session.dcr("odd", "others", exclude_unsupported=True, auto_cast=True, weights={"n": 1, "c": 2})
    assert found.to_arrow().equals(expected)
    said = next(str(w.message) for w in warned if str(w.message).startswith("left out: "))
    for words in (
        '"more" is in "odd" but not',
        '"c" of "odd" has type VARCHAR[]',
        '"x" of "odd" holds 2 infinite values',
    ):
        assert words in said
    assert '"n"' not in said
    call = "FROM synthpriv.dcr('odd', 'others', exclude_unsupported := true, auto_cast := true)"
    with pytest.warns(errors.SynthprivWarning):
        assert session.connection.sql(call).fetchall() == found.fetchall()
    code, _, err = cli(
        "dcr", "--synthetic", "odd", "--train", "others", "--database", database, "--exclude-unsupported",
        "--auto-cast",
    )  # fmt: skip
    assert code == 0
    assert 'left out: column "more" is in "odd"' in err


@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_what_asks_further_leaves_the_same_out(session):
    given = {"exclude_unsupported": True, "auto_cast": True}
    tables = {"synthetic": "odd", "train": "others", "holdout": "typed"}
    planned = session.sql("evaluate", **tables, identifiers="exclude", **given)
    assert '"day"' in planned
    assert "'more' AS \"column_name\"" in planned or "'more' AS column_name" in planned  # it is said to be left out
    targets = set(session.disclosure("odd", "others", quasi_identifiers=["day"], **given)["target"])
    assert targets == {None, "n", "at"}


def test_nothing_is_said_where_nothing_is_wrong(session, recwarn):
    found = session.dcr("typed", "others", exclude_unsupported=True, auto_cast=True).to_arrow()
    assert found.equals(session.dcr("typed", "others").to_arrow())
    assert not [w for w in recwarn if issubclass(w.category, errors.SynthprivWarning)]


def test_vectors_are_left_out_where_a_function_takes_none(shared):
    table = pa.table({"v": [[0.5, 1.0], [1.0, 2.0]], "n": [1, 2]})
    with pytest.warns(
        errors.SynthprivWarning, match='left out: column "v" of vectors, which fidelity does not compare'
    ):
        found = shared.fidelity(table, table, exclude_unsupported=True)
    assert "v" not in str(found.fetchall())


def test_where_everything_is_left_out_nothing_is_left(shared):
    with (
        pytest.warns(errors.SynthprivWarning, match="left out"),
        pytest.raises(errors.ColumnMismatch, match="is left to compare"),
    ):
        shared.dcr(pa.table({"v": [[["a"]]]}), pa.table({"v": [[["a"]]]}), exclude_unsupported=True)
