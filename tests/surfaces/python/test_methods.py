"""The methods of a session are made when they are asked for; whoever looks at one sees a method as any other."""

import ast
import inspect
import pickle
import threading
import typing
from pathlib import Path

import pyarrow as pa
import pytest
from loops import each

import synthpriv_sql
from synthpriv_sql import Session
from synthpriv_sql.api import methods
from synthpriv_sql.planner.headers import catalog

STUB = ast.parse(Path(methods.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
WRITTEN = {node.name: node for node in CLASSES["Methods"].body if isinstance(node, ast.FunctionDef)}
NAMES = [name for name in WRITTEN if name != "call"]


def test_the_stub_has_the_functions_and_no_more():
    assert list(catalog.functions()) == NAMES


@each("name", NAMES)
def test_a_method_is_what_its_stub_says(name):
    method = getattr(Session, name)
    stub = WRITTEN[name]
    # The stub itself, as Python would have it.
    bare = ast.FunctionDef(name, stub.args, [ast.Pass()], [], stub.returns, type_params=[])
    module = ast.fix_missing_locations(
        ast.Module([*ast.parse("from __future__ import annotations").body, bare], type_ignores=[])
    )
    space = {}
    exec(compile(module, "stub", "exec"), space)
    assert inspect.signature(method) == inspect.signature(space[name])
    assert inspect.getdoc(method) == inspect.cleandoc(ast.get_docstring(stub))
    assert method.__annotations__ == space[name].__annotations__
    assert (method.__name__, method.__qualname__, method.__module__) == (name, f"Methods.{name}", methods.__name__)
    assert typing.get_type_hints(method).keys() == method.__annotations__.keys()
    assert pickle.loads(pickle.dumps(method)) is method is vars(methods.Methods)[name]


def test_the_options_of_evaluate_are_those_of_the_stub():
    written = {node.target.id: ast.unparse(node.annotation) for node in CLASSES["EvaluateOptions"].body[1:]}
    # Texts until somebody asks for types.
    given = {name: ast.unparse(ast.parse(kind.__forward_arg__, mode="eval"))
             for name, kind in methods.EvaluateOptions.__annotations__.items()}  # fmt: skip
    assert given == written
    assert not methods.EvaluateOptions.__required_keys__
    assert typing.get_type_hints(Session.report)["options"] == typing.Unpack[methods.EvaluateOptions]
    with pytest.raises(AttributeError, match="no attribute 'Options'"):
        methods.Options  # noqa: B018


def test_arguments_that_no_method_takes(session):
    rows = pa.table({"a": [1, 2]})
    with pytest.raises(TypeError, match=r"^Methods\.dcr\(\): missing a required argument: 'train'$"):
        session.dcr(rows)
    with pytest.raises(TypeError, match=r"^Methods\.dcr\(\): too many positional arguments$"):
        session.dcr(*[rows] * 9)
    with pytest.raises(synthpriv_sql.OptionError, match='no option "self_"'):
        session.dcr(rows, rows, self_=1)
    with pytest.raises(synthpriv_sql.OptionError, match='no option "unknown"'):
        session.dcr(rows, rows, unknown={})
    assert session.dcr(train=rows, synthetic=rows)["dcr"] == [0, 0]


def test_threads_that_ask_at_once_get_one_method():
    found, ready = [], threading.Barrier(4)

    def ask():
        ready.wait(60)
        found.append(Session.dcr)

    methods.Methods.dcr = methods._Method("dcr")
    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(map(id, found))) == 1


@pytest.mark.slow
def test_a_notebook_completes_methods_and_their_arguments(session):
    completer = pytest.importorskip("IPython.core.completer")
    made = completer.IPCompleter(namespace={"session": session}, use_jedi=False)
    with completer.provisionalcompleter():
        assert "dcr_summary" in " ".join(made.complete("session.dcr")[1])
        assert "synthetic=" in " ".join(made.complete(line_buffer="session.dcr(synth", cursor_pos=17)[1])
