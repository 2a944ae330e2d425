"""Parents with what their children are together, against plain Python."""

import datetime as dt
import math
from collections import Counter

import duckdb
import pyarrow as pa
import pytest
from calls import call, cli, create, rows_of, sql_rows
from hypothesis import given
from hypothesis import strategies as st

from synthpriv_sql import errors

DAYS = [dt.date(2024, 1, day) for day in (1, 2, 4)]
VALUES = {
    "x": (pa.float64(), [None, float("nan"), -1.5, 0.0, 2.0, 1e6]),
    "n": (pa.int16(), [None, -3, 0, 7]),
    "t": (pa.string(), [None, "", "a", "B", "é", 'q"uote']),
    "f": (pa.bool_(), [None, True, False]),
    "d": (pa.date32(), [None, *DAYS]),
}
NUMBERS, OTHERS = ("x", "n", "d"), ("t", "f")


@st.composite
def families(draw):
    keys = st.sampled_from([None, 1, 2, 3, 5])
    parents = draw(st.lists(keys, min_size=0, max_size=5, unique=True))
    rows = draw(st.lists(st.tuples(keys, *(st.sampled_from(values) for _, values in VALUES.values())), max_size=12))
    order = draw(st.sampled_from([None, "n", "d", "x", "t"]))
    return parents, [dict(zip(("id", *VALUES), row, strict=True)) for row in rows], order


def tables(parents, rows):
    kinds = {"id": pa.int64()} | {name: kind for name, (kind, _) in VALUES.items()}
    made = {name: pa.array([row[name] for row in rows], kind) for name, kind in kinds.items()}
    return pa.table({"id": pa.array(parents, pa.int32()), "name": [f"p{i}" for i in range(len(parents))]}), pa.table(
        made
    )


def text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def mean(values):
    if isinstance(values[0], dt.date):
        seconds = sum((value - DAYS[0]).days for value in values) / len(values)
        return DAYS[0] + dt.timedelta(days=math.floor(seconds))
    return math.fsum(values) / len(values)


def place(row, order, names):
    """What a row is sorted by: the order, then all columns; what is missing comes last."""

    def of(name):
        value = row[name]
        if missing(value):
            return (1, 0)
        return (0, text(value).encode() if name in OTHERS and name != order else value)

    numbers = [name for name in names if name in NUMBERS]
    return [of(order), *map(of, numbers), *map(of, [name for name in names if name in OTHERS])]


def expected(parents, rows, order):
    for number, key in enumerate(parents):
        own = [row for row in rows if key is not None and row["id"] == key]
        found = {"id": key, "name": f"p{number}", "rows": len(own)}
        known = [row for row in own if not missing(row[order])] if order else []
        in_order = sorted(known, key=lambda row: place(row, order, list(VALUES)))
        for name in VALUES:
            values = [row[name] for row in own if not missing(row[name])]
            if name in NUMBERS:
                made = {"min": min, "max": max, "mean": mean}
                found |= {f"{name}_{ending}": of(values) if values else None for ending, of in made.items()}
            else:
                counts = Counter(values)
                best = sorted(counts, key=lambda value: (-counts[value], text(value).encode()))
                found |= {f"{name}_most": best[0] if best else None}
                found |= {f"{name}_distinct": len(counts) if own else None}
            if order:
                ends = [None if missing(row[name]) else row[name] for row in in_order]
                found |= {f"{name}_first": ends[0] if ends else None, f"{name}_last": ends[-1] if ends else None}
        yield found


def same(found, wanted):
    assert list(found) == list(wanted)
    for name, value in wanted.items():
        if name.endswith("_mean") and isinstance(value, float):
            assert found[name] == pytest.approx(value, rel=1e-12, abs=1e-12), name
        else:
            assert found[name] == value, name
            assert isinstance(found[name], type(value)), name


@given(family=families())
def test_every_parent_has_what_its_children_are(shared, family):
    parents, rows, order = family
    of_parents, of_children = tables(parents, rows)
    create(shared, parents=of_parents, children=of_children)
    options = {"key": "id"} | ({"order": order} if order else {})
    result = shared.flatten("parents", "children", **options)
    found = rows_of(result)
    wanted = list(expected(parents, rows, order))
    assert len(found) == len(parents)
    for one, other in zip(found, wanted, strict=True):
        same(one, other)
    assert [
        tuple(row.values()) for row in sql_rows(shared.connection, call("flatten", "parents", "children", **options))
    ] == [tuple(row.values()) for row in found]


def test_types_are_kept(shared):
    of_parents, of_children = tables([1], [dict(zip(("id", *VALUES), (1, 2.0, 7, "a", True, DAYS[0]), strict=True))])
    made = shared.flatten(of_parents, of_children, "id", order="n").to_arrow().schema
    kinds = {name: made.field(name).type for name in made.names}
    assert kinds["id"] == pa.int32()
    assert kinds["rows"] == pa.int64()
    assert {kinds[f"n_{ending}"] for ending in ("min", "max", "first", "last")} == {pa.int16()}
    assert kinds["n_mean"] == kinds["x_mean"] == pa.float64()
    assert {kinds[f"d_{ending}"] for ending in ("min", "max", "mean", "first", "last")} == {pa.date32()}
    assert {kinds[f"f_{ending}"] for ending in ("most", "first", "last")} == {pa.bool_()}
    assert kinds["t_distinct"] == pa.int64()


def test_children_without_parents_are_counted_and_said(shared):
    parents = pa.table({"id": [1, 2, 2, None]})
    children = pa.table({"id": [1, 9, None, 2, 9], "x": [1.0] * 5})
    with pytest.warns(errors.SynthprivWarning) as said:
        rows = rows_of(shared.flatten(parents, children, "id"))
    assert [row["rows"] for row in rows] == [1, 1, 1, 0]
    texts = sorted(str(warning.message) for warning in said)
    assert texts[0].startswith("1 keys occur in several rows of ")
    assert texts[1].startswith("3 of 5 rows of ")
    assert texts[1].endswith("1 without a key, and 2 with a key that no parent has")


def test_a_full_family_is_not_warned_of(shared, recwarn):
    shared.flatten(pa.table({"id": [1, 2]}), pa.table({"id": [1, 1], "x": [1, 2]}), "id")
    assert not recwarn


def test_grandchildren_and_several_tables_of_children(shared):
    """Grandchildren are flattened into children first, in one statement."""
    create(
        shared,
        people=pa.table({"person": ["a", "b"], "age": [30, 40]}),
        visits=pa.table({"person": ["a", "a", "b"], "visit": [1, 2, 3], "ward": ["x", "x", "y"]}),
        drugs=pa.table({"visit": [1, 1, 2, 3], "dose": [1.0, 3.0, 5.0, 7.0]}),
        bills=pa.table({"person": ["b", "b"], "amount": [10, 20]}),
    )
    inner = "(FROM synthpriv.flatten('visits', 'drugs', key := 'visit'))"
    rows = rows_of(shared.flatten("people", inner, "person", exclude=["visit"], prefix="visits_"))
    assert rows[0] == {
        "person": "a", "age": 30, "visits_rows": 2, "visits_ward_most": "x", "visits_ward_distinct": 1,
        "visits_rows_min": 1, "visits_rows_max": 2, "visits_rows_mean": 1.5,
        "visits_dose_min_min": 1.0, "visits_dose_min_max": 5.0, "visits_dose_min_mean": 3.0,
        "visits_dose_max_min": 3.0, "visits_dose_max_max": 5.0, "visits_dose_max_mean": 4.0,
        "visits_dose_mean_min": 2.0, "visits_dose_mean_max": 5.0, "visits_dose_mean_mean": 3.5,
    }  # fmt: skip
    both = "(FROM synthpriv.flatten('people', 'visits', key := 'person', exclude := ['visit']))"
    rows = rows_of(shared.flatten(both, "bills", "person"))
    assert [(row["rows"], row["rows_1"], row["amount_mean"]) for row in rows] == [(2, 0, None), (1, 2, 15.0)]


def test_keys_of_other_types_meet(shared):
    rows = rows_of(shared.flatten(pa.table({"k": [1.0, 2.0]}), pa.table({"k": pa.array([1, 1], pa.int8())}), "k"))
    assert [row["rows"] for row in rows] == [2, 0]
    with pytest.raises(errors.RoleError, match='column "k"'):
        shared.flatten(pa.table({"k": [1]}), pa.table({"k": ["1"]}), "k")


def test_mistakes_are_told(shared):
    create(shared, parents=pa.table({"id": [1]}), children=pa.table({"id": [1], "x": [1], "l": [{"a": 1}]}))
    with pytest.raises(errors.UnknownColumn, match='"who", which "parents" does not have'):
        shared.flatten("parents", "children", "who")
    with pytest.raises(errors.UnknownColumn, match='option "order" names column "at"'):
        shared.flatten("parents", "children", "id", order="at")
    with pytest.raises(errors.RoleError, match='column "l" of "children" has type STRUCT'):
        shared.flatten("parents", "children", "id")
    assert rows_of(shared.flatten("parents", "children", "id", exclude=["l"]))[0]["x_max"] == 1
    with pytest.raises(duckdb.Error, match="UnknownColumn"):
        shared.connection.execute(call("flatten", "parents", "children", key="who")).fetchall()


def test_from_files_on_the_command_line(tmp_path):
    (tmp_path / "people.csv").write_text("id,age\n1,30\n2,40\n")
    (tmp_path / "visits.csv").write_text("id,cost\n1,5\n1,7\n3,1\n")
    names = [str(tmp_path / name) for name in ("people.csv", "visits.csv")]
    code, out, err = cli("flatten", "--parents", names[0], "--children", names[1], "--key", "id", "--format", "csv")
    assert code == 0, err
    assert out.splitlines() == ["id,age,rows,cost_min,cost_max,cost_mean", "1,30,2,5,7,6.0", "2,40,0,,,"]
    assert "1 of 3 rows of" in err
