"""Objects as tables: nothing asks whether one is true, equals another or how long it is, as a data frame refuses."""

import pyarrow as pa
import pytest
from surfaces import OF_EVERY_KIND, TABLES

from synthpriv_sql import errors
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.build import statement


class Frame:
    """A table that can only be read."""

    __hash__ = None

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)

    def refuse(self, *others):
        raise ValueError("the truth value of a table is ambiguous")

    __bool__ = __eq__ = __ne__ = __len__ = __contains__ = __iter__ = refuse


FRAMES = {name: Frame(table) for name, table in TABLES.items()}
TRIO = [FRAMES[name] for name in ("synthetic", "train", "holdout")]


def children(prefix):
    return Frame(pa.table({"id": [f"{prefix}{i % 8}" for i in range(24)], "v": [i * i % 7 for i in range(24)]}))


KIDS = [*map(children, "srh")]


def given(name):
    """The example of a function with objects as its tables."""
    function = catalog.function(name)
    made = dict(function.example)
    for parameter in function.parameters.values():
        value = made.get(parameter.name)
        if isinstance(value, str) and (parameter.type == "relation" or parameter.counts):
            made[parameter.name] = FRAMES.get(value, value)
        elif parameter.type == "relations" and value:
            pairs = value.items() if isinstance(value, dict) else zip(value, value, strict=True)
            made[parameter.name] = {key: FRAMES.get(table, table) for key, table in pairs}
    return made


@pytest.mark.nightly
def test_functions_of_every_kind_plan_them(shared):
    for name in OF_EVERY_KIND:
        assert shared.sql(name, **given(name)), name


@pytest.mark.parametrize("name", ["screen", "best_discernibility"])
def test_functions_read_them(shared, name):
    assert len(shared.call(name, **given(name)))


@pytest.mark.again
def test_families_and_pages_read_them(shared):
    found = shared.split_check(*TRIO[1:], children={"kids": [*KIDS, "id"]}, key="id")
    assert set(found["part"]) >= {"parents", "kids"}
    named = {"a": FRAMES["synthetic"], "b": FRAMES["holdout"]}
    shown = statement(shared, "candidates", {"synthetic": named, "train": TRIO[1], "holdout": TRIO[2], "key": "id"})
    assert "'a': 'a test_objects_as_tables Frame'" in shown.call


def test_a_family_of_another_form_is_an_error(shared):
    with pytest.raises(errors.OptionError, match="needs four values"):
        shared.evaluate(*TRIO, children={"kids": [*KIDS[:2], "id", KIDS[2]]}, key="id")


def test_a_table_as_an_option_is_refused_without_its_values(shared, tmp_path):
    train = TABLES["train"].to_pandas()
    for table in (TRIO[1], TABLES["train"], train):
        for option in ("children", "group_by", "order", "csv", "attack", "columns", "key", "weights"):
            for call in (
                shared.evaluate,
                lambda *tables, **options: shared.report(tmp_path / "p.html", *tables, **options),
            ):
                with pytest.raises(errors.OptionError) as refused:
                    call(*TRIO, **{option: table})
                assert f'"{option}"' in str(refused.value)
                assert "r1" not in str(refused.value)
    assert not (tmp_path / "p.html").exists()
