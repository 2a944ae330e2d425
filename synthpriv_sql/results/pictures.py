"""Pictures of the results of some functions, from the same chart specifications as the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from synthpriv_sql import whole
from synthpriv_sql.errors import OptionError, WriteError
from synthpriv_sql.language.numbers import axes
from synthpriv_sql.results.drawing import VEGA_LITE, Columns, Rows, specification

WIDTH = 640
_LEVELS = [i / 200 for i in range(1, 101)]
"""The false discovery rates at which the picture of `exposure` shows how many people are named."""
_POINTS = 120
"""The false positive rates at which a curve is drawn, at most: as far from each other on a logarithmic axis."""
_PAIRS = 20
"""Maximum number of pairs of columns that are drawn, the least similar first."""
_BELOW_ONE = ("ks_complement", "tv_complement", "correlation_similarity", "mixed_similarity", "contingency_similarity")
"""The fidelity measures that are 1 for equal distributions."""


@dataclass(frozen=True)
class Picture:
    """A picture of a result; a notebook shows it.

    Parameters
    ----------
    specification
        The Vega-Lite specification with its data.
    """

    specification: Mapping[str, Any]

    @property
    def svg(self) -> str:
        """The picture as SVG.

        Raises
        ------
        OptionError
            The drawing library is not installed (``pip install "synthpriv-sql[report]"``).
        """
        drawn: str = _drawing().vegalite_to_svg(dict(self.specification), vl_version=VEGA_LITE, format_locale=axes())
        return drawn

    def png(self, scale: float = 2.0) -> bytes:
        """Return the picture as PNG, enlarged by `scale`; raises the same errors as `svg`."""
        drawn: bytes = _drawing().vegalite_to_png(
            dict(self.specification), vl_version=VEGA_LITE, scale=scale, format_locale=axes()
        )
        return drawn

    def pdf(self) -> bytes:
        """Return the picture as PDF, with its texts as text; raises the same errors as `svg`."""
        drawn: bytes = _drawing().vegalite_to_pdf(dict(self.specification), vl_version=VEGA_LITE, format_locale=axes())
        return drawn

    def save(self, path: str | Path) -> None:
        """Write the picture into a file.

        Parameters
        ----------
        path
            ``.pdf``, ``.svg``, ``.png``, or ``.json`` for the specification.

        Raises
        ------
        OptionError
            Another file extension; or as `svg`.
        WriteError
            The file cannot be written.
        """
        kind = Path(path).suffix.lower()
        if kind == ".svg":
            content = self.svg.encode()
        elif kind == ".png":
            content = self.png()
        elif kind == ".pdf":
            content = self.pdf()
        elif kind == ".json":
            content = json.dumps(self.specification, indent=2).encode()
        else:
            raise OptionError(f'a picture is written as .pdf, .svg, .png or .json, not as "{Path(path).name}"')
        try:
            whole.write(Path(path), content)
        except OSError as error:
            raise WriteError(f"the picture was not written to {path}: {error.strerror}") from None

    def _repr_svg_(self) -> str:
        return self.svg


def picture(result: Columns) -> Picture:
    """Draw the result of one of the functions that have a picture.

    Raises
    ------
    OptionError
        The function has no picture, or the result has several groups, or nothing to draw.
    """
    draw = _PICTURES.get(result.name)
    if draw is None:
        raise OptionError(f"{result.name} has no picture; these functions have one: {', '.join(_PICTURES)}")
    if result.columns[0] not in {"attack", "record", "person", "side", "section", "theta", "level"}:
        raise OptionError(
            f'the result has several parts by "{result.columns[0]}", and a picture shows one of them: call the '
            "function for it"
        )
    name, datasets = draw(result)
    if not any(datasets.values()):
        raise OptionError(f"the result of {result.name} has nothing that can be drawn")
    made = specification(name, WIDTH, datasets, background="white")
    if name == "mda":  # the page animates this chart
        made["layer"] = [layer for layer in made["layer"] if "name" not in layer]
    colored = re.sub(r"var\(--([\w-]+)\)", lambda found: _colors()[found[1]], json.dumps(made))
    return Picture(json.loads(colored.replace('"font": "inherit"', '"font": "sans-serif"')))


def _roc(result: Columns) -> tuple[str, Mapping[str, Rows]]:
    """The ROC curve of each attack, and its rates with intervals; rates of 0 cannot be drawn on logarithmic axes."""
    rows = [
        {"attack": row["attack"], "false": row["false_positive_rate"], "found": row["true_positive_rate"]}
        | {"lower": max(row["lower"], row["true_positive_rate"] / 100), "upper": row["upper"], "tip": row["attack"]}
        for row in result
        if row["true_positive_rate"]
    ]
    if not rows:
        return "roc", {"curves": []}
    more: Columns | None = getattr(result, "_at_rates", lambda _: None)(_rates(result))
    along = [
        {"attack": row["attack"], "false": row["false_positive_rate"], "found": row["true_positive_rate"]}
        for row in (more or ())
        if row["true_positive_rate"]
    ]
    ends = [{"attack": name, "false": 1.0, "found": 1.0} for name in dict.fromkeys(row["attack"] for row in rows)]
    return "roc", {"lines": [*(along or rows), *ends], "curves": rows, "chance": _chance([*along, *rows])}


def _rates(result: Columns) -> list[float]:
    """The false positive rates of a whole curve: each allows a number of non-members."""
    most = max(row["non_members"] for row in result)
    numbers = {round(most ** (i / _POINTS)) for i in range(_POINTS)}
    # A rate that is rounded down must not allow one less.
    return [(n + 1e-9) / most for n in sorted(numbers) if n < most]


def _chance(rows: Rows) -> Rows:
    return [{"false": rate, "found": rate} for rate in (min(row["false"] for row in rows), 1.0)]


def _of_scores(result: Columns) -> tuple[str, Mapping[str, Rows]]:
    """The ROC curve of one attack, from the scores of both sides."""
    from numpy import array, searchsorted, sort

    sides, scores = array(result["side"]), array(result["score"], float)
    members, others = (sort(-scores[sides == side]) for side in ("train", "holdout"))
    if not len(members) or not len(others):
        return "roc", {"curves": []}
    numbers = sorted({round(len(others) ** (i / _POINTS)) for i in range(_POINTS + 1)})
    rows = []
    for n in numbers:
        # All scores above that of the first of the holdout that is not taken.
        taken = int(searchsorted(others, others[n - 1], side="right"))
        found = int(searchsorted(members, others[taken], side="left")) if taken < len(others) else len(members)
        if found:
            rows.append({"attack": "", "false": taken / len(others), "found": found / len(members)})
    rows.append({"attack": "", "false": 1.0, "found": 1.0})
    return "roc", {"lines": rows, "curves": [], "chance": _chance(rows)}


def _over_splits(result: Columns) -> tuple[str, Mapping[str, Rows]]:
    """The AUC of each attack in each split, with its mean; AUCs of other sections are not drawn."""
    means = [
        {"number": row["variant"], "mean": row["mean"], "lower": row["lower"], "upper": row["upper"]}
        for row in result
        if (row["metric"], row["statistic"]) == ("membership", "auc") and row["mean"] is not None
    ]
    splits = [
        {"number": row["variant"], "value": row["value"]}
        for row in getattr(result, "splits", ())
        if (row["metric"], row["statistic"]) == ("membership", "auc") and row["value"] is not None
    ]
    return "repeat", {"splits": splits, "means": means}


def _named(result: Columns) -> tuple[str, Mapping[str, Rows]]:
    """The number of people named at each false discovery rate, and the most expected by chance."""
    values = result["q_value"]
    named = [sum(value <= level for value in values) for level in _LEVELS]
    rows = [{"level": level, "named": n, "chance": level * n} for level, n in zip(_LEVELS, named, strict=True)]
    return "exposure", {"named": rows if values else []}


def _mda(result: Columns) -> tuple[str, Mapping[str, Rows]]:
    return "mda", {"curve": [{"theta": row["theta"], "accumulation": row["accumulation"]} for row in result]}


def _fidelity(result: Columns) -> tuple[str, Mapping[str, Rows]]:
    """All columns and the least similar pairs, compared with fresh real rows."""
    rows = [row for row in result if row["measure"] in _BELOW_ONE and row["value"] is not None]
    pairs = sorted((row for row in rows if row["level"] == "pair"), key=lambda row: row["value"])[:_PAIRS]
    alike = [
        {"columns": " × ".join(row["columns"]), "value": row["value"], "holdout": row["holdout"]}
        for row in [*(row for row in rows if row["level"] == "column"), *pairs]
    ]
    return "fidelity", {"alike": alike}


_PICTURES: Mapping[str, Callable[[Columns], tuple[str, Mapping[str, Rows]]]] = {
    "membership": _roc,
    "membership_scores": _of_scores,
    "repeat": _over_splits,
    "exposure": _named,
    "mda_curve": _mda,
    "fidelity": _fidelity,
}


@cache
def _colors() -> Mapping[str, str]:
    """The colors of the page's light theme."""
    text = files("synthpriv_sql").joinpath("report", "static", "page.css").read_text(encoding="utf-8")
    first = text[text.index(":root {") : text.index("}")]
    return dict(re.findall(r"--([\w-]+): ([^;]+);", first))


def _drawing() -> Any:
    try:
        import vl_convert
    except ModuleNotFoundError:
        raise OptionError(
            'a picture needs vl-convert-python, which is not installed: pip install "synthpriv-sql[report]"'
        ) from None
    return vl_convert
