"""Fills the Vega-Lite specifications of report/charts/ with data, for the page and for pictures of results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from synthpriv_sql.language.messages import _
from synthpriv_sql.visible import inside

Rows = Sequence[Mapping[str, Any]]
VEGA_LITE = "6.1"


class Columns(Protocol):
    """The part of a result that pictures and LaTeX tables need."""

    name: str

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""

    def __getitem__(self, column: str) -> list[Any]: ...

    def __iter__(self) -> Iterator[dict[str, Any]]: ...


def specification(name: str, width: int, datasets: Mapping[str, Rows], **more: Any) -> dict[str, Any]:
    """Return a specification with its data and a width in pixels, with axis titles in the current language.

    The drawing library aborts the process at control characters, so texts are made `visible`.
    """
    found: dict[str, Any] = json.loads(_file(f"{name}.vl.json"))
    found.get("spec", found)["width"] = width - found.pop("margin", 0)
    _translate(found)
    return found | {"config": json.loads(_file("config.json")), "datasets": inside(datasets)} | more


def _translate(part: Any) -> None:
    if isinstance(part, dict):
        title = part.get("title")
        if isinstance(title, str):
            part["title"] = _(title)
        for inner in part.values():
            _translate(inner)
    elif isinstance(part, list):
        for inner in part:
            _translate(inner)


@cache
def _file(name: str) -> str:
    return files("synthpriv_sql").joinpath("report", "charts", name).read_text(encoding="utf-8")
