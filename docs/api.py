"""Writes the page of the Python interface, from the docstrings; `functions.py` calls it when mkdocs builds the site."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.report.verdict.findings import Finding
from synthpriv_sql.report.verdict.words import Verdict
from synthpriv_sql.results import gate

OPENING = (synthpriv_sql.connect, synthpriv_sql.register, synthpriv_sql.spark)
CLASSES = (synthpriv_sql.Session, synthpriv_sql.Result, Evaluation, Verdict, Finding)
AGAIN = (synthpriv_sql.repeat, synthpriv_sql.person_risk, synthpriv_sql.shadow)
GATE = (gate.parse, gate.read, gate.check, gate.junit)


def page() -> str:
    """The page."""
    parts = ["# Python", "Every function is a method of `Session`; each has [a page of its own](../index.md)."]
    parts += ["## Open a session", *(part for function in OPENING for part in described(function))]
    for kind in CLASSES:
        parts += [f"## {kind.__name__}", markdown(inspect.getdoc(kind) or "")]
        parts += [part for name in members(kind) for part in described(inspect.getattr_static(kind, name), name)]
    parts += ["## Train a synthesizer again and again", *(part for function in AGAIN for part in described(function))]
    parts += ["## The gate", f"`from synthpriv_sql.results import gate`. {markdown(inspect.getdoc(gate) or '')}"]
    parts += [part for function in GATE for part in described(function)]
    parts += ["## Errors", "All but `Interrupted` are a `SynthprivError`.", "\n".join(kinds())]
    return "\n\n".join(parts) + "\n"


def members(kind: type) -> list[str]:
    """The public members that a class has beside the functions."""
    own = [name for name, value in vars(kind).items() if not name.startswith("_") and documented(value)]
    return [name for name in own if name not in catalog.functions()]


def documented(value: Any) -> bool:
    """Whether a member is a method or a property with a docstring."""
    return (callable(value) or hasattr(value, "__get__")) and bool(inspect.getdoc(value))


def described(value: Any, name: str = "") -> Iterator[str]:
    """A heading, the signature and the docstring."""
    value = getattr(value, "__func__", value)
    name = name or value.__name__
    yield f"### `{name}`"
    if inspect.isfunction(value):
        yield f"```python\n{signature(value, name)}\n```"
    yield markdown(inspect.getdoc(value) or "")


def signature(function: Callable[..., Any], name: str) -> str:
    """How it is called."""
    found = inspect.signature(function)
    own = [
        p.replace(annotation=Written(p.annotation)) for p in found.parameters.values() if p.name not in {"self", "cls"}
    ]
    return f"{name}{found.replace(parameters=own, return_annotation=Written(found.return_annotation))}"


class Written(str):
    """An annotation, shown as it is written."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def kinds() -> Iterator[str]:
    """The errors, a line each."""
    yield "| error | |\n| --- | --- |"
    for name, kind in sorted(vars(errors).items()):
        if inspect.isclass(kind) and issubclass(kind, BaseException) and kind.__module__ == errors.__name__:
            yield f"| `{name}` | {(inspect.getdoc(kind) or '').splitlines()[0]} |"


def markdown(text: str) -> str:
    """A docstring of numpydoc as Markdown: sections in bold, and their entries as lists."""
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    blocks = re.split(r"\n?^(\w+)\n-{3,}\n", text, flags=re.MULTILINE)
    parts = [blocks[0].strip()]
    for heading, body in zip(blocks[1::2], blocks[2::2], strict=True):
        parts += [
            f"**{heading}**",
            "\n".join(entries(body)) if re.search(r"^ {4}", body, re.MULTILINE) else body.strip(),
        ]
    return "\n\n".join(parts)


def entries(body: str) -> Iterator[str]:
    """What stands under a heading: names, and below each its meaning."""
    for entry in re.split(r"\n(?=\S)", body.strip("\n")):
        name, _, meaning = entry.partition("\n")
        yield f"- `{name.replace('`', '')}`: {' '.join(meaning.split())}"
