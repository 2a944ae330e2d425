"""No name of a user's column meets a word of ours: each word of the files of sql/ as a column, a key and a table."""

import json
import re
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from calls import call, cli, cli_arguments, quoted
from shop import run
from sqlglot import exp

import synthpriv_sql
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.statement import templates

pytestmark = pytest.mark.duckdb_1

TRIO = ("synthetic", "train", "holdout")
ROWS = dict(zip(TRIO, (9, 14, 8), strict=True))


@cache
def words():
    """Every name in the files of sql/: of columns, parts, parameters, options, and what templates put in."""
    found = {"record_number", "record_number_", "key", "neighbor_key", "digit", "quantile_0", "given_as_train"}
    for function in catalog.files():
        found |= {function.name, *function.parameters, *function.columns}
        for node in function.tree.find_all(exp.Identifier, exp.Anonymous, exp.Placeholder):
            found.add(node.name)
    return list({word.lower(): word for word in sorted(found) if word}.values())


# What templates replace, what stands beside the user's columns in a part, and the like of these in another case.
NEAR = sorted({word for function in catalog.files() for word in re.findall(r"\bthis_\w+", function.text)})
NEAR += [
    "record",
    "rank",
    "neighbor",
    "distance",
    "size",
    "key",
    "rows",
    "copies",
    "THIS_Record_",
    "[this_column]",
    "[x]",
    "x",
]
FUNCTIONS = {
    "nndr": {"variant": "local", "k": 2},
    "comparison": {},
    "holdout_share": {},
    "screen": {},
    "safe": {},
    "mda": {},
    "equivalence_classes": {"quasi_identifiers": NEAR[:12]},
    "discernibility": {"quasi_identifiers": NEAR},
    "baseline": {"trees": 2, "seed": 1},
    "membership": {"attack": "agreement"},
    "disclosure": {"quasi_identifiers": NEAR[:3], "targets": NEAR[3:6]},
}


def values(names, side):
    """Columns of few values, the same whatever they are called."""
    draw = np.random.default_rng(TRIO.index(side))
    columns = [draw.integers(0, 3, ROWS[side]) for _ in names]
    return [column if i % 2 else np.array(["a", "b", "c"])[column] for i, column in enumerate(columns)]


def tables(session, names, prefix):
    """Three tables with columns of these names."""
    for side in TRIO:
        incoming = pa.table([pa.array(column) for column in values(names, side)], names=list(names))
        session.connection.register("incoming", incoming)
        session.connection.execute(f"CREATE TABLE {quoted(prefix + side)} AS FROM incoming")
        session.connection.unregister("incoming")


def given(function, prefix):
    """The tables of a function, the first of which is synthetic unless there is one only; what may be left out is."""
    relations = [parameter.name for parameter in catalog.function(function).relations if parameter.required]
    sides = TRIO[1:2] if len(relations) == 1 else TRIO
    return {name: prefix + side for name, side in zip(relations, sides, strict=False)}


@pytest.mark.parametrize("function", [pytest.param("dcr", marks=pytest.mark.slow), "copies"])
def test_every_word_as_a_column(session, function):
    neutral = [f"c{i}" for i in range(len(words()))]
    assert len(words()) > 400
    tables(session, words(), "odd ")
    tables(session, neutral, "even ")
    odd, even = (getattr(session, function)(**given(function, prefix)).fetchall() for prefix in ("odd ", "even "))
    assert odd == even


@pytest.mark.one_in(2)
@pytest.mark.parametrize("surface", ["python", pytest.param("sql", marks=pytest.mark.slow)])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_words_of_ours_in_every_function(session, function, surface):
    neutral = {name: f"c{i}" for i, name in enumerate(NEAR)}
    tables(session, NEAR, "odd ")
    tables(session, neutral.values(), "even ")
    found = []
    for prefix, name_of in (("odd ", str), ("even ", neutral.get)):
        options = {o: [name_of(v) for v in value] if isinstance(value, list) else value
                   for o, value in FUNCTIONS[function].items()}  # fmt: skip
        sides = given(function, prefix)
        if surface == "python":
            rows = session.call(function, **sides, **options).fetchall()
        else:
            rows = session.connection.execute(call(function, *sides.values(), **options)).fetchall()
        # "copies" is a depth of holdout_share as well, which names no columns.
        targets = {name_of(name): i for i, name in enumerate(NEAR) if function != "holdout_share"}
        rows = [tuple(targets.get(v, v) if isinstance(v, str) else v for v in row) for row in rows]
        found.append(sorted(rows, key=str) if function == "equivalence_classes" else rows)
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "word", [pytest.param(word, marks=[] if i % 6 == 0 else pytest.mark.slow) for i, word in enumerate(NEAR)]
)
def test_a_word_as_table_key_and_column(session, word):
    """The table whose first row is a copy has one, whatever it and its columns are called."""
    name = quoted(word)
    other = quoted(word + " too")
    session.connection.execute(f"CREATE TABLE {name} AS SELECT * FROM (VALUES (7, 1), (8, 5)) AS t({name}, {other})")
    synthetic = f"(SELECT {name}, {other} FROM {name} WHERE {name} = 7)"
    assert [row[1:] for row in session.dcr(synthetic, word).fetchall()] == [(0.0, 0)]
    assert session.copies(synthetic, word).fetchall() == [(0, 1)]
    keyed = session.neighbors(synthetic, word, key=word, k=2).to_arrow()
    assert keyed["key"].to_pylist() == [7, 7]
    assert keyed["neighbor_key"].to_pylist() == [7, 8]
    assert session.copies(synthetic, word, key=word, columns=[word + " too"]).fetchall() == [(0, 7, 1)]


ELSEWHERE = {
    "copies": lambda named: {"key": named("copies")},  # all words as columns
    "neighbors": lambda named: {"k": 2, "key": named("this_record"), "columns": [named(word) for word in NEAR[:6]]},
    "discernibility": lambda named: {"quasi_identifiers": [named(word) for word in NEAR[:12]]},
}
"""Words of ours as columns, as keys and as quasi-identifiers."""


@cache
def others():
    """A word of no meaning for each word of ours."""
    return {word: f"c{i}" for i, word in enumerate(words())}


@pytest.fixture(scope="module")
def words_on_disk(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("names") / "words.duckdb")
    with synthpriv_sql.connect(path) as session:
        tables(session, words(), "this_")
        tables(session, others().values(), "even ")
    return path


@pytest.mark.parametrize("function", [pytest.param("neighbors", marks=pytest.mark.again), "discernibility"])
def test_words_on_the_command_line(words_on_disk, function):
    found = []
    for prefix, named in (("this_", str), ("even ", others().get)):
        arguments = cli_arguments(function, *given(function, prefix).values(), **ELSEWHERE[function](named))
        code, out, err = cli(*arguments, "--database", words_on_disk, "--format", "json")
        assert code == 0, err
        found.append([list(row.values()) for row in json.loads(out)])
    assert found[0] == found[1]


@pytest.fixture(scope="module")
def words_on_postgresql(pg_url):
    made = []
    for prefix, named in (("this_", str), ("even ", others().get)):
        for side in TRIO[:2]:
            table = f"shop.{quoted(prefix + side)}"
            columns = (f"{quoted(named(word))} {'int' if i % 2 else 'text'}" for i, word in enumerate(words()))
            rows = zip(*(column.tolist() for column in values(words(), side)), strict=True)
            run(
                pg_url,
                f"CREATE TABLE {table} ({', '.join(columns)})",
                f"INSERT INTO {table} VALUES {', '.join(str(tuple(row)) for row in rows)}",
            )
            made.append(table)
    yield
    run(pg_url, f"DROP TABLE {', '.join(made)}")


@pytest.mark.one_in(1, 3)
@pytest.mark.again
@pytest.mark.parametrize("function", ELSEWHERE)
def test_every_word_on_postgresql(pg, words_on_postgresql, function):
    found = []
    for prefix, named in (("this_", str), ("even ", others().get)):
        sides = {side: f"shop.{quoted(name)}" for side, name in given(function, prefix).items()}
        found.append(getattr(pg, function)(**sides, **ELSEWHERE[function](named)).fetchall())
    assert found[0] == found[1]


def test_words_of_templates_are_those_listed():
    """A word that templates replace is named here, so that the tests above hold it."""
    assert set(templates._BESIDE) <= set(words())
