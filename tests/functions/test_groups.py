"""`group_by`: what a function measures of each group is what it measures of a table of that group alone."""

import pytest
from calls import cli
from suites import only_where_tested

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.statements import catalog

only_where_tested("distances")

TABLE = """
CREATE TABLE {name} AS
SELECT CASE WHEN i % 3 < 2 THEN 'it''s ' || (i % 3) END AS "Region", DATE '2024-01-31' + (i % 2)::INT AS day,
  (i * {step} % 29) AS age, 'c' || (i * {step} % 7 % 4) AS city
FROM range(48) AS r(i)
"""
SIDES = {"synthetic": 5, "train": 7, "holdout": 11}
REGIONS = ["it's 0", "it's 1", None]


@pytest.fixture(scope="module")
def grouped():
    with synthpriv_sql.connect() as session:
        for name, step in SIDES.items():
            session.connection.execute(TABLE.format(name=name, step=step))
            session.connection.execute(f"CREATE TABLE {name}_whole AS SELECT age, city FROM {name}")
        yield session


def of_region(name, region):
    if region is None:
        return f'(FROM {name} WHERE "Region" IS NULL)'
    return f"""(FROM {name} WHERE "Region" = '{region.replace("'", "''")}')"""


CALLS = {
    "dcr": {},
    "dcr_summary": {"columns": ["age", "city"]},
    "holdout_share": {"metric": "euclidean"},
    "exposure": {},
    "neighbors": {"k": 2},
    "scaling": {},
    "anonymity": {"quasi_identifiers": ["city"], "sensitive": ["age"]},
    "screen": {},
}


@pytest.mark.parametrize("name", CALLS)
def test_a_group_is_measured_as_if_it_were_alone(grouped, name):
    sides = dict(zip((p.name for p in catalog.function(name).relations), SIDES, strict=False))
    found = [list(row.items()) for row in grouped.call(name, group_by="region", **sides, **CALLS[name])]
    expected = []
    for region in REGIONS:
        alone = {parameter: of_region(table, region) for parameter, table in sides.items()}
        left_out = {"exclude": ["Region"]} if "exclude" in catalog.function(name).parameters else {}
        given = left_out | CALLS[name]
        for row in grouped.call(name, **alone, **given):
            rest = [(column, value) for column, value in row.items() if column != "Region"]
            expected.append([("Region", region), *rest])
    assert found == expected


def test_groups_of_two_columns_keep_their_types_on_every_surface(grouped, tmp_path):
    called = "synthpriv.dcr_summary('synthetic', 'train', group_by := ['day', 'Region'])"
    in_sql = grouped.connection.sql(f"SELECT * FROM {called}")
    assert list(map(str, in_sql.types[:2])) == ["DATE", "VARCHAR"]
    in_python = grouped.dcr_summary("synthetic", "train", group_by=["day", "Region"])
    assert in_sql.fetchall() == in_python.fetchall()
    assert in_python["day"] == sorted(in_python["day"])
    assert len(in_python) == 2 * 3 * 2
    for name in ("synthetic", "train"):
        grouped.connection.table(name).write_parquet(str(tmp_path / f"{name}.parquet"))
    given = [part for name in ("synthetic", "train") for part in (f"--{name}", str(tmp_path / f"{name}.parquet"))]
    code, out, _ = cli("dcr_summary", *given, "--group-by", "day,Region", "--format", "csv")
    assert (code, len(out.splitlines())) == (0, 13)
    assert out.startswith("day,Region,comparison,n,")


def test_a_table_without_the_column_stands_whole_beside_every_group(grouped):
    found = grouped.dcr_summary("synthetic", "train_whole", group_by="Region", columns=["age", "city"])
    alone = grouped.dcr_summary(of_region("synthetic", None), "train_whole", columns=["age", "city"])
    assert [row[1:] for row in found.fetchall()[-2:]] == alone.fetchall()
    # Train is searched in itself once, for all three groups.
    assert found.sql.count("synthpriv_search(") == 3 + 1


@pytest.mark.parametrize(
    ("given", "kind", "said"),
    [
        ({"group_by": "regoin"}, errors.UnknownColumn, 'option "group_by" names column "regoin"'),
        ({"group_by": ["Region", "regoin"]}, errors.UnknownColumn, "regoin"),
        ({"group_by": "Region", "train": "(FROM train WHERE Region IS NOT NULL)"}, errors.ColumnMismatch,
         r'1 of the 3 groups of "synthetic" is not in the query .*coarser than "Region"'),
        ({"group_by": "listed", "train": "(SELECT *, [1] AS listed FROM train)"}, errors.RoleError, "INTEGER"),
    ],
)  # fmt: skip
def test_what_cannot_be_grouped(grouped, given, kind, said):
    with pytest.raises(kind, match=said):
        grouped.call("dcr", **{"synthetic": "synthetic", "train": "train"} | given)


def test_values_of_groups_stand_in_no_message(grouped):
    with pytest.raises(errors.ColumnMismatch) as caught:
        grouped.dcr("synthetic", "(SELECT * REPLACE ('hidden ' || city AS city) FROM train)", group_by="city")
    assert "hidden c" not in str(caught.value)


def test_evaluate_has_a_verdict_for_each_group(grouped):
    few = {"attack": ["distance", "uniques"], "named_by": "uniques"}
    found = grouped.evaluate("synthetic", "train", "holdout", group_by="Region", **few)
    assert list(found.groups) == [(region,) for region in REGIONS]
    alone = grouped.evaluate(*(of_region(name, None) for name in SIDES), exclude=["Region"], **few)
    assert found.groups[None,].fetchall() == alone.fetchall()
    assert found.groups[None,].verdict == alone.verdict
    assert " ".join(alone.verdict.headline.split()[:4]) in repr(found)
    assert "it's 0" in found._repr_html_()
    with pytest.raises(errors.OptionError, match="groups"):
        assert found.verdict


def test_the_page_is_about_one_table(grouped, tmp_path):
    with pytest.raises(errors.OptionError, match="page"):
        grouped.report(tmp_path / "page.html", "synthetic", "train", group_by="Region")
    assert not list(tmp_path.iterdir())
