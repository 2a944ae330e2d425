"""A remedy that was found before, on the next delivery: the same expressions, and no search."""

import pyarrow as pa
import pyarrow.csv as pc
import pytest
from calls import cli

from synthpriv_sql.errors import ColumnMismatch, OptionError
from synthpriv_sql.remedies import again

SELECT = """SELECT "a" AS "a", CAST(FLOOR("B c" / 10) * 10 AS BIGINT) AS "B c" FROM synthetic"""
TABLE = pa.table({"b C": [11, 27, None], "a": ["x", "y", None], "more": [1, 2, 3]})


def test_the_expressions_treat_other_tables():
    expressions = again.read(SELECT, "remedy.sql")
    assert again.treated(expressions, TABLE, "synthetic", more=False).to_pydict() == {
        "a": ["x", "y", None],
        "B c": [10, 20, None],
    }
    assert again.treated(expressions, TABLE, "train", more=True)["more"].to_pylist() == [1, 2, 3]
    with pytest.raises(ColumnMismatch, match="train lacks columns of the remedy: B c"):
        again.treated(expressions, TABLE.select(["a"]), "train", more=True)


def test_values_that_an_expression_does_not_take_are_said_by_their_column_alone():
    named = TABLE.set_column(0, "b C", pa.array(["11", "Mrs Smith", None]))
    with pytest.raises(ColumnMismatch, match='synthetic: the remedy cannot treat "B c"; it expects') as raised:
        again.treated(again.read(SELECT, "remedy.sql"), named, "synthetic", more=False)
    assert "Smith" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "DROP TABLE a",
        "SELECT a FROM t WHERE a > 1",
        "SELECT a, (SELECT 1) AS b FROM t",
        "SELECT read_text('x') AS a FROM t",
        "SELECT a AS b FROM t",
        "SELECT a FROM t; SELECT 1",
        "nothing (",
    ],
)
def test_another_statement_is_not_run(text):
    with pytest.raises(OptionError, match="is no SELECT that remedy has written"):
        again.read(text, "remedy.sql")


def test_a_release_before_is_treated_where_it_has_the_columns(shared):
    expressions = again.read('SELECT "a", FLOOR("n" / 50) * 50 AS "n" FROM synthetic', "remedy.sql")
    newest = pa.table({"a": ["x"], "n": [70]})
    for given, expected in (
        ({"N": [70], "more": [1]}, {"N": [50.0], "more": [1]}),
        ({"a": ["x"], "n": ["70"]}, {"a": ["x"], "n": ["70"]}),
    ):
        found = again._treated_alike(shared, expressions, pa.table(given), newest)
        assert {name.lower(): values for name, values in found.to_pydict().items()} == {
            name.lower(): values for name, values in expected.items()
        }


@pytest.mark.again
def test_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for side, shift in (("synthetic", 3), ("train", 0), ("holdout", 5)):
        pc.write_csv(pa.table({"a": ["x", "y"] * 10, "n": [i * 7 + shift for i in range(20)]}), f"{side}.csv")
    (tmp_path / "remedy.sql").write_text('SELECT "a", FLOOR("n" / 50) * 50 AS "n" FROM synthetic;\n')
    tables = [word for side in ("synthetic", "train", "holdout") for word in (f"--{side}", f"{side}.csv")]
    code, out, err = cli("remedy", *tables, "--with", "remedy.sql", "--output", "released.csv")
    assert code == 0, err
    assert "too few" in out.lower() + err.lower()
    assert set(pc.read_csv("released.csv")["n"].to_pylist()) == {0, 50, 100}
    code, out, err = cli("remedy", *tables, "--with", "remedy.sql", "--release", "train.csv")
    assert (code, "All releases together" in " ".join(out.split())) == (0, True), err
    code, _, err = cli("remedy", *tables, "--with", "remedy.sql", "--output", "none.csv", "--synthetic", "nope.csv")
    assert (code, '"nope.csv", given as synthetic' in err, (tmp_path / "none.csv").exists()) == (2, True, False)
    code, _, err = cli("remedy", *tables, "--with", "remedy.sql", "--steps", "3")
    assert (code, "--with does not search: omit --steps" in err) == (2, True)
