"""Results as LaTeX tables, with the rules of booktabs and intervals next to their numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.results.drawing import Columns
from synthpriv_sql.visible import visible

_ESCAPED = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "\n": " ",
}
_OF_BARE_ENDS = ("value", "share", "true_positive_rate", "auc", "risk", "score", "rate")
"""Candidates for the column that unprefixed lower and upper belong to: the first present one."""
INTERVALS = ("brackets", "plus_minus")
_PROSE = frozenset({"meaning", "reason", "note", "why", "headline", "sentence"})
"""Columns of sentences, which no table of numbers has room for."""


def latex(result: Columns, interval: str, digits: int, chosen: Sequence[str] | None = None) -> str:
    """Return the rows as a ``tabular``; see `Result.to_latex`."""
    if interval not in INTERVALS:
        raise OptionError(f"{wording.refused('interval', interval)} is not one of {', '.join(INTERVALS)}")
    if isinstance(digits, bool) or not isinstance(digits, int) or digits < 1:
        raise OptionError(f"{wording.refused('digits', digits)} is not a whole number of at least 1")
    columns = result.columns
    ends = _ends(columns)
    taken = {end for pair in ends.values() for end in pair}
    shown = [name for name in columns if name not in taken and name not in _PROSE]
    if chosen is not None:
        listed = [chosen] if isinstance(chosen, str) else list(chosen)
        unknown = [name for name in listed if name not in columns]
        if unknown or not listed:
            raise OptionError(
                f"{wording.refused('columns', unknown or listed)} does not name columns of the result, which has "
                f"{', '.join(columns)}"
            )
        shown = list(dict.fromkeys(listed))
    lines, numeric = [], dict.fromkeys(shown, True)
    for row in result:
        cells = []
        for name in shown:
            value = row[name]
            if not (value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))):
                numeric[name] = False
            text = _cell(value, digits)
            if name in ends and value is not None:
                lower, upper = (row[end] for end in ends[name])
                text += _interval(value, lower, upper, interval, digits)
            cells.append(text)
        lines.append(" & ".join(cells) + r" \\")
    heads = " & ".join(_escaped(name) for name in shown) + r" \\"
    sides = "".join("r" if numeric[name] else "l" for name in shown)
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            heads,
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _ends(columns: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Map each column that has an interval to the columns of its ends."""
    there = set(columns)
    found = {
        name: (f"{name}_lower", f"{name}_upper") for name in columns if {f"{name}_lower", f"{name}_upper"} <= there
    }
    bare = next((name for name in _OF_BARE_ENDS if name in there and name not in found), None)
    if bare is not None and {"lower", "upper"} <= there:
        found[bare] = ("lower", "upper")
    return found


def _interval(value: float, lower: float | None, upper: float | None, kind: str, digits: int) -> str:
    if lower is None or upper is None:
        return ""
    if kind == "brackets":
        return f" [{_number(lower, digits)}, {_number(upper, digits)}]"
    # An interval may be asymmetric: show the wider side.
    return rf" $\pm$ {_number(max(value - lower, upper - value), digits)}"


def _cell(value: Any, digits: int) -> str:
    if value is None:
        return "--"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return _number(value, digits)
    if isinstance(value, list):
        return _escaped(", ".join(map(str, value)))
    return _escaped(str(value))


def _number(value: float, digits: int) -> str:
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        return "--" if math.isnan(value) else r"$\infty$" if value > 0 else r"$-\infty$"
    text = f"{value:.{digits}g}"
    mantissa, e, exponent = text.partition("e")
    return rf"${mantissa} \cdot 10^{{{int(exponent)}}}$" if e else text.replace("-", "$-$") if value < 0 else text


def _escaped(text: str) -> str:
    return "".join(_ESCAPED.get(sign, sign) for sign in visible(text))
