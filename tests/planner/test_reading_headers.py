"""Reading the files of sql/: unknown functions, and headers and bodies that are refused."""

import tomllib

import pytest
from test_catalog import GROUPS

from synthpriv_sql.errors import BrokenFile, OptionError
from synthpriv_sql.planner.headers import catalog, reading
from synthpriv_sql.planner.headers.function import Parameter
from synthpriv_sql.planner.statement.deciding import decided


def test_unknown_functions():
    with pytest.raises(OptionError, match=r'no function "dcrr"; there are: .*dcr, '):
        catalog.function("dcrr")
    assert catalog.part("dcrr") is None
    # Parts serve other files only.
    assert catalog.part("nearest").part
    with pytest.raises(OptionError, match='"nearest"'):
        catalog.function("nearest")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("SELECT 1", ValueError),
        ("SELECT 1 /* summary = 'x' */", ValueError),
        ("/* summary = 'x' ", ValueError),
        ("/* summary = */ SELECT 1", tomllib.TOMLDecodeError),
        ("/* source = 'x' */ SELECT 1", KeyError),
    ],
)
def test_a_file_without_a_header_is_refused(tmp_path, text, error):
    (tmp_path / "broken.sql").write_text(text)
    with pytest.raises(error):
        reading.read(tmp_path / "broken.sql", reading.Shared({}, {}))


@pytest.mark.parametrize(
    ("header", "error"),
    [
        ('options = ["nobody"]', r'broken\.sql: .*no group or option "nobody"'),
        ('options = ["seed.nobody"]', r'no group or option "seed\.nobody"'),
        ("parameters.seed = { type = 'integer', doc = 'x' }", r'broken\.sql: "seed" is a shared option'),
        (
            'options = ["seed"]\nparameters.metric = { default = "hamming" }',
            r'broken\.sql: "metric" has no type, and is',
        ),
        ("parameters.n = { default = 1 }", r'"n" has no type'),
        ('options = ["seed"]\nparameters.seed = { minimum = 1 }', r'"seed" has no type, and is no shared option'),
        ("few = true", r'broken\.sql: a header has no key "few"; docs/headers\.md'),
        ("run.fewer = true", r'a header has no key "run\.fewer"'),
    ],
)
def test_a_shared_option_is_taken_by_its_name_only(tmp_path, header, error):
    (tmp_path / "broken.sql").write_text(f"/* summary = 'x'\n{header} */ SELECT 1")
    with pytest.raises(ValueError, match=error):
        reading.read(tmp_path / "broken.sql", reading.Shared(GROUPS, {}))


def test_several_groups_and_defaults_of_a_file(tmp_path):
    (tmp_path / "some.sql").write_text(
        """/*
summary = "Some."
options = ["forest.trees", "seed", "distance.key"]
parameters.seed = { default = 7 }
*/
SELECT $seed"""
    )
    taken = reading.read(tmp_path / "some.sql", reading.Shared(GROUPS, {}))
    assert [(p.name, p.default, p.group) for p in taken.options] == [
        ("trees", 100, "forest"), ("seed", 7, "seed"), ("key", None, "distance")
    ]  # fmt: skip
    assert not taken.compares
    assert taken.options[1].minimum == 0


def test_a_body_is_one_select(tmp_path):
    (tmp_path / "broken.sql").write_text("/* summary = 'x' */ CREATE TABLE t (i INTEGER)")
    with pytest.raises(TypeError, match=r"broken\.sql.*SELECT"):
        _ = reading.read(tmp_path / "broken.sql", reading.Shared({}, {})).tree


def test_selects_by_name_give_all_columns_of_the_header(tmp_path):
    header = 'summary = "x"\n[columns]\na = "BIGINT"\nb = "DOUBLE[], of one"\nc = "VARCHAR; of both"'
    body = "SELECT 'x' AS c, 1 AS a UNION ALL BY NAME SELECT [2.5] AS b, c FROM t UNION ALL BY NAME SELECT 3 AS a"

    def tree(body):
        (tmp_path / "some.sql").write_text(f"/*\n{header}\n*/\n{body}")
        return reading.read(tmp_path / "some.sql", reading.Shared({}, {})).tree

    assert tree(body).sql(dialect="duckdb") == (
        "SELECT 1 AS a, CAST(NULL AS DOUBLE[]) AS b, 'x' AS c UNION ALL SELECT NULL AS a, [2.5] AS b, c FROM t "
        "UNION ALL SELECT 3 AS a, NULL AS b, NULL AS c"
    )
    for body, error in (
        ("SELECT 1 AS a UNION ALL BY NAME SELECT 2 AS d", "the header has no column d"),
        ("FROM (SELECT 1 AS a UNION ALL BY NAME SELECT 2 AS b)", "only the last SELECTs of a file"),
    ):
        with pytest.raises(TypeError, match=error):
            tree(body)


def test_parameters_as_read(tmp_path):
    (tmp_path / "some.sql").write_text(
        """/*
summary = "Some."
options = ["group"]
[parameters]
t = { type = "relation", doc = "a table", columns = ["x"] }
n = { type = "integer", default = 3, minimum = 1, maximum = 9, doc = "n" }
o = { type = "number", optional = true, above = 0, below = 1, doc = "o" }
v = { type = "numbers", default = 0.5, doc = "v" }
*/
SELECT $n AS n FROM t"""
    )
    group = {"about": "x", "w": {"type": "weights", "default": {}, "doc": "w"}}
    some = reading.read(tmp_path / "some.sql", reading.Shared({"group": group}, {}))
    assert [p.name for p in some.relations] == ["t"]
    assert [(p.name, p.default, p.group) for p in some.options] == [
        ("n", 3, ""), ("o", None, ""), ("v", [0.5], ""), ("w", None, "group")
    ]  # fmt: skip
    assert some.parameters["t"].required
    assert some.parameters["t"].needs == ("x",)
    assert some.parameters["n"].range == "at least 1 and at most 9"
    assert [some.parameters["n"].admits(n) for n in (0, 1, 9, 10)] == [False, True, True, False]
    assert [some.parameters["o"].admits(n) for n in (0, 0.5, 1)] == [False, True, False]
    assert not some.part
    assert not some.scalar


def test_misspelt_keys_and_options_are_told(tmp_path):
    path = tmp_path / "broken.sql"
    path.write_text("/* summary = 'x'\nparameters.n = { type = 'integer', minium = 1, doc = 'n' } */ SELECT 1")
    with pytest.raises(ValueError, match=r'broken\.sql: "n" has no key "minium"; docs/headers\.md'):
        reading.read(path, reading.Shared({}, {}))
    with pytest.raises(ValueError, match=r'options\.toml: "n" has no key "minium"'):
        reading.Shared({"rare": {"about": "x", "n": {"type": "integer", "minium": 1, "doc": "n"}}}, {})
    with pytest.raises(ValueError, match=r'options\.toml: the group "rare" has no about'):
        reading.Shared({"rare": {"n": {"type": "integer", "doc": "n"}}}, {})
    path.write_text("/* summary = 'x'\nparameters.at_most = { type = 'integer', doc = 'n' } */ SELECT $atmost")
    with pytest.raises(BrokenFile, match=r"broken\.sql reads \$atmost, which its header does not declare"):
        decided(reading.read(path, reading.Shared({}, {})), {"at_most": 1}, {})


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("FROM dcrr(synthetic, train)", r"broken\.sql calls dcrr\(…\), and no file of sql/ has this name; near.*: dcr"),
        ("SELECT a FROM dcr(synthetic := frequences(t))", r"calls frequences\(…\).*near by name: frequencies"),
        ("SELECT 1 AS a FROM zzzzzz()", r"calls zzzzzz\(…\).*; the README of each folder of sql/ says"),
        ("WITH b AS (SELECT 1 AS a) SELECT a, 2 AS place FROM b", 'declares the column "c", which its SELECT does not'),
        ("SELECT 1 AS a UNION ALL SELECT 2 AS c", 'declares the column "c".*; it gives a$'),
        ("SELECT 1 AS a, 2 AS c, 3 AS d FROM dcr()", 'its SELECT gives "d", which its header declares neither'),
    ],
)
def test_a_body_that_does_not_fit_is_told_when_it_is_first_called(tmp_path, body, error):
    path = tmp_path / "broken.sql"
    path.write_text(f'/* summary = "x"\norder = ["place"]\ncolumns = {{ a = "BIGINT", c = "BIGINT" }} */ {body}')
    for _ in range(2):
        with pytest.raises(BrokenFile, match=error):
            decided(reading.read(path, reading.Shared({}, {})), {}, {})
    path.write_text(path.read_text().partition("*/")[0] + "*/ SELECT 1 AS c, 2 AS a, 3 AS place FROM dcr()")
    assert decided(reading.read(path, reading.Shared({}, {})), {}, {}).named_selects == ["c", "a", "place"]


def test_a_range_in_words():
    assert Parameter("n", "integer", minimum=1, maximum=1_000_000).range == "at least 1 and at most 1,000,000"
    assert Parameter("n", "number", above=0, below=0.5).range == "above 0 and below 0.5"
