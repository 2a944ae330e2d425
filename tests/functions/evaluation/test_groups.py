"""`group_by`: what a function measures of each group is what it measures of a table of that group alone."""

import pytest
from calls import cli

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.results import gate

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


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CALLS)
def test_a_group_is_measured_as_if_it_were_alone(grouped, name):
    own = {"distances", "scores"}  # of the user's, which are of all records
    sides = dict(zip((p.name for p in catalog.function(name).relations if p.name not in own), SIDES, strict=False))
    found = [list(row.items()) for row in grouped.call(name, group_by="region", **sides, **CALLS[name])]
    expected = []
    for region in REGIONS:
        alone = {parameter: of_region(table, region) for parameter, table in sides.items()}
        left_out = {"exclude": ["Region"]} if "exclude" in catalog.function(name).parameters else {}
        given = left_out | CALLS[name]
        for row in grouped.call(name, **alone, **given):
            rest = [(column, value) for column, value in row.items() if column != "Region"]
            expected.append([("Region", region), *rest, ("reason", None)])
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
    assert [row[1:-1] for row in found.fetchall()[-2:]] == alone.fetchall()
    # Train is searched in itself once, for all three groups.
    assert found.sql.count("synthpriv_search(") == 3 + 1


@pytest.mark.parametrize(
    ("given", "kind", "said"),
    [
        ({"group_by": "regoin"}, errors.UnknownColumn, 'option "group_by" names column "regoin"'),
        ({"group_by": ["Region", "regoin"]}, errors.UnknownColumn, "regoin"),
        ({"group_by": "Region", "train": "(FROM train WHERE Region IS NOT NULL)", "strict_groups": True},
         errors.ColumnMismatch,
         r'1 of the 3 groups of "synthetic" is not in the query .*coarser than "Region"'),
        ({"group_by": "listed", "train": "(SELECT *, [1] AS listed FROM train)"}, errors.RoleError, "INTEGER"),
    ],
)  # fmt: skip
def test_what_cannot_be_grouped(grouped, given, kind, said):
    with pytest.raises(kind, match=said):
        grouped.call("dcr", **{"synthetic": "synthetic", "train": "train"} | given)


def test_values_of_groups_stand_in_no_message(grouped):
    with pytest.raises(errors.ColumnMismatch) as caught:
        grouped.dcr("synthetic", "(SELECT * REPLACE ('hidden ' || city AS city) FROM train)", group_by="city")  # none
    assert "hidden c" not in str(caught.value)


def test_evaluate_has_a_verdict_for_each_group(grouped):
    few = {"attack": ["distance", "uniques"], "named_by": "uniques", "effort": "quick"}
    two = [f"(FROM {name} WHERE \"Region\" IS DISTINCT FROM 'it''s 1')" for name in SIDES]  # a statement has each group
    found = grouped.evaluate(*two, group_by="Region", **few)
    assert list(found.groups) == [("it's 0",), (None,)]
    alone = grouped.evaluate(*(of_region(name, None) for name in SIDES), exclude=["Region"], **few)
    # What a group is of is looked at as that, and not left out.
    same = [row for row in alone.fetchall() if row[1] != "left_out"]
    assert [row for row in found.groups[None,].fetchall() if row[1] != "left_out"] == same
    of_group = found.groups[None,].verdict
    assert (of_group.headline, of_group.findings) == (alone.verdict.headline, alone.verdict.findings)
    assert " ".join(alone.verdict.headline.split()[:4]) in repr(found)
    assert "it's 0" in found._repr_html_()
    with pytest.raises(errors.OptionError, match="groups"):
        assert found.verdict


def test_the_page_is_about_one_table(grouped, tmp_path):
    with pytest.raises(errors.OptionError, match="page"):
        grouped.report(tmp_path / "page.html", "synthetic", "train", group_by="Region")
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def uneven(grouped):
    """Tables of which each lacks a group that another has, of odd values."""
    grouped.connection.execute("""
CREATE TABLE odd_train AS
SELECT * REPLACE (coalesce("Region", 'only "train"') AS "Region"), [city, 'a, ''b'', "c"', NULL] AS listed,
  TIMESTAMPTZ '2024-03-31 00:59:59.123456+00' + INTERVAL (row_number() OVER ()) HOUR AS at FROM train;
CREATE TABLE odd_synthetic AS SELECT *, [city] AS listed FROM synthetic
WHERE "Region" IS DISTINCT FROM 'it''s 1'""")
    return {"synthetic": "odd_synthetic", "train": "odd_train", "group_by": "Region", "columns": ["age", "city"]}


def test_a_group_without_rows_on_one_side_is_a_row_that_says_so(grouped, uneven, tmp_path):
    found = list(grouped.dcr_summary(**uneven))
    alone = grouped.dcr_summary(of_region("synthetic", "it's 0"), of_region("train", "it's 0"), columns=["age", "city"])
    assert [tuple(row.values()) for row in found[:2]] == [("it's 0", *row, None) for row in alone.fetchall()]
    assert [(row["Region"], row["comparison"], row["n"], row["reason"]) for row in found[2:]] == [
        ("it's 1", None, None, 'no such rows in "odd_synthetic"'),
        ('only "train"', None, None, 'no such rows in "odd_synthetic"'),
        (None, None, None, 'no such rows in "odd_train"'),
    ]
    in_sql = grouped.connection.sql(
        "FROM synthpriv.dcr_summary('odd_synthetic', 'odd_train', group_by := 'Region', columns := ['age', 'city'])"
    )
    assert [dict(zip(in_sql.columns, row, strict=True)) for row in in_sql.fetchall()] == found
    with pytest.raises(errors.ColumnMismatch, match="2 of the 3 groups"):
        grouped.dcr_summary(**uneven, strict_groups=True)
    assert "reason" not in grouped.dcr_summary("synthetic", "train", group_by="Region", strict_groups=True).columns
    for name in ("synthetic", "train"):
        grouped.connection.table(uneven[name]).write_parquet(str(tmp_path / f"{name}.parquet"))
    given = [part for name in ("synthetic", "train") for part in (f"--{name}", str(tmp_path / f"{name}.parquet"))]
    given += ["--group-by", "Region", "--columns", "age,city", "--format", "csv"]
    code, out, _ = cli("dcr_summary", *given)
    assert (code, out.count("no such rows")) == (0, 3)
    code, _, err = cli("dcr_summary", *given, "--strict-groups")
    assert (code, "2 of the 3 groups" in err) == (2, True)


def test_values_come_out_of_sql_as_they_are(grouped, uneven):
    grouped.connection.execute("SET TimeZone = 'Europe/Berlin'")
    called = "synthpriv.screen('odd_train', 'odd_synthetic', group_by := 'Region', columns := ['age', 'city'])"
    in_sql = grouped.connection.sql(f"FROM {called}")
    given = {"synthetic": "odd_train", "train": "odd_synthetic", "group_by": "Region", "columns": ["age", "city"]}
    in_python = grouped.screen(**given)
    assert list(map(str, in_sql.types)) == in_python.types
    assert in_sql.fetchall() == in_python.fetchall()
    shown = grouped.sql("screen", **given)
    assert shown.count("synthpriv_search(") == 2  # whatever the number of groups
    assert grouped.connection.sql(shown).fetchall() == in_python.fetchall()


@pytest.mark.again
def test_frames_and_temporary_tables_are_grouped_in_python(grouped):
    grouped.connection.execute("CREATE TEMP TABLE passing AS FROM train")
    frame = grouped.connection.table("synthetic").to_arrow_table()
    found = grouped.holdout_share(frame, "passing", "holdout", group_by="Region")
    assert found.fetchall() == grouped.holdout_share("synthetic", "train", "holdout", group_by="Region").fetchall()


@pytest.mark.again
def test_an_evaluation_has_no_verdict_where_a_group_is_missing(grouped, uneven):
    few = {"attack": ["distance"], "named_by": "distance"}
    sides = {"synthetic": "odd_synthetic", "train": "train", "holdout": "holdout"}
    found = grouped.evaluate(**sides, group_by="Region", columns=["age", "city"], **few)
    assert list(found.groups) == [("it's 0",), (None,)]
    assert found.missing == {("it's 1",): 'no such rows in "odd_synthetic"'}
    assert "no such rows" in repr(found)
    outcomes = [o for o in gate.check(found, [gate.parse("copies.share<=1")]) if not o.holds]
    assert [(o.measured, o.group) for o in outcomes] == [(None, "Region it's 1")]
