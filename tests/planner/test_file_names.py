"""Files of sql/ can be renamed: engines and planner know them by what their headers say, not by their names."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from calls import ROOT
from sqlglot import exp

from synthpriv_sql.planner.headers import catalog, known_files
from synthpriv_sql.planner.headers.function import Operator

FILES = {function.name for function in catalog.files()}
KNOWN = {name for word, name in vars(known_files).items() if word.isupper()}
# Words of the code that a file happens to be called by as well, and what they are there.
WORDS = {
    "agreement": "an attack",
    "best": "a column of Spark's answers",
    "cells": "a column",
    "classes": "a parameter",
    "encoded": "a word of an error",
    "hints": "an option, and the alias of its pages",
    "identifiers": "an option, and the use of a file that is asked before",
    "keys": "a key of headers",
    "learned": "an attack",
    "left_out": "a list of columns",
    "moments": "a column",
    "named": "the ending of a column",
    "names": "a type of parameters",
    "nearest": "a way to guess secrets",
    "orphans": "a column",
    "own": "a list of columns, an attack, and a key of headers",
    "page": "a column of pages",
    "runs": "a list of columns, and an alias",
    "scaling": "an option",
    "summary": "a key of headers",
    "uniques": "an attack",
    "units": "a key of headers, and the alias of pages",
}
CALLS = [
    ["evaluate", ["synthetic", "train", "holdout"], {"exclude": ["id"], "attack": "all"}],
    ["detection", ["synthetic", "train"], {"exclude": ["id"], "trees": 5}],
    ["utility", ["synthetic", "train", "holdout"], {"exclude": ["id"], "target": "n", "trees": 5}],
    ["baseline", ["train"], {"p": 0.5, "seed": 3, "trees": 5}],
    ["flatten", ["train", "train"], {"key": "city", "order": "n"}],
    ["screen", ["synthetic", "train", "holdout"], {"key": "id"}],
    ["shared_runs", ["synthetic", "train", "holdout"], {"unit": "city", "order": "n", "exclude": ["id"], "length": 1}],
    ["copies", ["synthetic", "train"], {"exclude": ["id"], "near": True}],
    ["uniques", ["synthetic", "train"], {"exclude": ["id"], "phrase": 4}],
    ["peers_syntheval_risk", ["synthetic", "train"], {"columns": ["city", "n"]}],
]
SCRIPT = """
import json, pathlib, sys
from synthpriv_sql.planner.headers import catalog
catalog.sql_folder = lambda: pathlib.Path(sys.argv[1])
import synthpriv_sql, surfaces
from synthpriv_sql.planner.planning import plan

session = synthpriv_sql.connect()
for name, table in surfaces.TABLES.items():
    session.connection.register(name, table)
found = {}
for name, tables, options in json.loads(sys.argv[2]):
    function = catalog.function(name)
    given = dict(zip([p.name for p in function.relations], tables)) | options
    kernel, plain = (plan(session.engine, function, given, kernel=kernel) for kernel in (True, False))
    found[name] = {
        "rows": getattr(session, name)(*tables, **options).to_arrow().to_pylist(),
        "without the kernel": session.connection.execute(plain.sql).fetchall(),
        "steps": sorted(part.operator for part in kernel.statement.parts if part.operator is not None),
    }
json.dump(found, sys.stdout, default=str)
"""


@pytest.mark.parametrize("room", ["engines", "planner"])
def test_no_text_in_the_code_is_the_name_of_a_file(room):
    for path in sorted((ROOT / "synthpriv_sql" / room).rglob("*.py")):
        if path.name == "known_files.py":
            continue
        texts = {node.value for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_text(node)}
        assert texts & FILES <= WORDS.keys(), path


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_the_words_and_the_known_files_are_names_of_files():
    assert KNOWN <= FILES
    assert WORDS.keys() <= FILES
    assert KNOWN.isdisjoint(WORDS.keys() - {"identifiers", "keys", "runs"})


def test_each_operator_is_that_of_one_file():
    operators = [function.operator for function in catalog.files() if function.operator is not None]
    assert sorted(operators) == sorted(Operator)


def test_a_variant_says_where_it_stands_in():
    variants = [function for function in catalog.files() if function.path.parent.name == "plain"]
    assert all(variant.stands_in for variant in variants)
    places = {"no kernel", "other databases", "no control"}
    assert {where for variant in variants for where in variant.stands_in} == places
    assert not any(f.stands_in for f in catalog.files() if f.path.parent.name != "plain")


def rename_parts(folder):
    """Give all parts that files of sql/ call another name; return how many there are."""
    parts = {function.name for function in catalog.files() if function.part}
    parts -= KNOWN | {"page", "attacked_rows", "attacked_persons"}  # which other rooms ask for
    parts -= set(catalog.functions())  # copies has a variant
    for path in sorted(folder.glob("*/*.sql")):
        if path.parent.name == "statements":
            continue
        header, _, _ = path.read_text(encoding="utf-8").partition("*/")
        tree = next(f for f in catalog.files() if (f.name, f.family) == (path.stem, path.parent.name)).tree.copy()
        for table in list(tree.find_all(exp.Table)):
            if isinstance(table.this, exp.Anonymous) and not table.alias:
                read = [table.this, *(one for one in table.this.expressions[1:] if isinstance(one, exp.Anonymous))]
                named = next((one.name for one in read if one.name in parts), None)
                if named is not None:
                    table.set("alias", exp.TableAlias(this=exp.to_identifier(named)))
        for call in list(tree.find_all(exp.Anonymous)):
            if call.name in parts:
                call.set("this", f"renamed_{call.name}")
        for key in re.findall(r'(?m)^(run\.asks_before = .*|columns = ".*")$', header):
            header = header.replace(key, re.sub(r'"(\w+)"', lambda m: f'"{renamed(m[1], parts)}"', key))
        path.unlink()
        text = f"{header}*/\n{tree.sql('duckdb', normalize_functions=False)}\n"
        path.with_stem(renamed(path.stem, parts)).write_text(text, encoding="utf-8")
    return len(parts)


def renamed(name, parts):
    return f"renamed_{name}" if name in parts else name


def run(folder):
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "helpers")])
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, str(folder), json.dumps(CALLS)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)


@pytest.mark.nightly
def test_all_parts_can_be_renamed(tmp_path):
    shutil.copytree(ROOT / "sql", tmp_path / "sql")
    assert rename_parts(tmp_path / "sql") > 150
    expected, found = run(ROOT / "sql"), run(tmp_path / "sql")
    assert len(expected["evaluate"]["rows"]) > 50
    # Releases are tables that only a session adds to a call.
    missing = {Operator.LEARNING_OF_RELEASES}
    assert {step for call in expected.values() for step in call["steps"]} == set(Operator) - missing
    assert found == expected
