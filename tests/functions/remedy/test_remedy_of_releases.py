"""A remedy of the newest of several releases: what it adds to those before counts, and all are made coarser alike."""

import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.remedies.ladder import Step
from synthpriv_sql.remedies.measuring import Measuring
from synthpriv_sql.remedies.tables import State, Treating

PEOPLE = 150


@pytest.fixture(scope="module")
def tables():
    """The newest table has incomes and jobs of some people, the one before other values of other people."""
    rng = np.random.default_rng(11)

    def people():
        return {
            "income": rng.integers(10_000, 99_999, PEOPLE),
            "zip": rng.integers(1_000, 9_999, PEOPLE),
            "job": rng.choice(list("vwxyz"), PEOPLE),
            "age": rng.integers(18, 90, PEOPLE),
        }

    train, holdout, newest, before = (people() for _ in range(4))
    for name in ("income", "job"):
        newest[name][:60] = train[name][:60]
    for name in ("zip", "age"):
        before[name][40:90] = train[name][40:90]
    made = {"synthetic": newest, "train": train, "holdout": holdout, "release 1": before}
    return {name: pa.table(table) for name, table in made.items()}


def test_those_whom_the_releases_before_name_do_not_count(shared, tables):
    newest, train, holdout, before = tables.values()

    def exposed(*synthetic):
        others = {"releases": list(synthetic[1:])} if len(synthetic) > 1 else {}
        found = shared.exposure(synthetic[0], train, holdout, attack="uniques", **others)
        return {row["record"] for row in found if row["exposed"]}

    added = (exposed(newest) | exposed(newest, before)) - exposed(before)
    assert exposed(before)
    assert exposed(newest) & exposed(before)
    measuring = Measuring(shared.call, {})
    assert measuring.named(tables, ["uniques"]) == len(added)
    alone = {name: tables[name] for name in ("synthetic", "train", "holdout")}
    assert measuring.named(alone, ["uniques"]) == len(exposed(newest))


def test_releases_are_made_coarser_where_a_column_has_the_same_type(tables):
    from sqlglot import parse_one

    columns = {"income": Column("income", "BIGINT", "bigint"), "zip": Column("zip", "BIGINT", "bigint")}
    texts = tables["release 1"]["zip"].cast(pa.string())
    other = tables["release 1"].set_column(1, "zip", texts)
    treating = Treating(columns, {**tables, "release 1": other})
    half = {name: Step("level 1", parse_one(f'"{name}" // 1000', dialect="duckdb")) for name in columns}
    treated = treating.table("release 1", State(half))
    assert treated["zip"].equals(texts)
    assert treated["income"].to_pylist() == [value // 1_000 for value in other["income"].to_pylist()]


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore:train has 150 people", "ignore:the attack learned needs")
def test_a_remedy_takes_releases(shared, tables):
    newest, train, holdout, before = tables.values()
    found = shared.remedy(newest, train, holdout, releases=[before.to_pandas()], target="nobody")
    first, *_, last = found
    assert first["named"] > last["named"] == 0
    assert {row["column_name"] for row in found} & {"income", "zip", "age", "job"}
    with pytest.raises(OptionError, match="takes no option"):
        shared.remedy(newest, train, holdout, releases=[before], group_by="job")
