"""The fidelity section of the page: the least similar columns and pairs, compared with fresh real rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from synthpriv_sql.language.messages import _
from synthpriv_sql.language.numbers import decimals, percent

_SHOWN = 12
"""Number of columns whose distributions are drawn, the worst first."""
_PAIRS = 8
"""Number of pairs that are listed, the worst first."""
_DISTANCE = "wasserstein"
_SERIES = (("synthetic_train", "synthetic"), ("train_train", "train"), ("holdout_train", "holdout"))


@dataclass(frozen=True)
class Column:
    """The similarity of a column in synthetic and in the holdout, and the bars of its distribution."""

    name: str
    value: float | None
    holdout: float | None
    bars: Sequence[Mapping[str, Any]] = field(default_factory=tuple)


@dataclass(frozen=True)
class Pair:
    """The similarity of a pair of columns in synthetic and in the holdout."""

    names: tuple[str, str]
    value: float | None
    holdout: float | None


class Fidelity:
    """The rows of sql/report/page_fidelity.sql, the worst first.

    Parameters
    ----------
    rows
        As dicts.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows = rows
        self.overall = next(row for row in rows if row["item"] == "summary" and row["level"] == "overall")
        means = {row["level"]: row for row in rows if row["item"] == "summary" and not row["measure"]}
        self.of_columns, self.of_pairs = means.get("column"), means.get("pair")
        measures = [row for row in rows if row["item"] == "measure" and row["measure"] != _DISTANCE]
        shares: dict[int, list[Mapping[str, Any]]] = {}
        for row in rows:
            if row["item"] == "share":
                shares.setdefault(row["first"], []).append(row)
        self.columns = sorted(
            (
                Column(row["columns"][0], row["synthetic"], row["holdout"], _bars(shares.get(row["first"], [])))
                for row in measures
                if row["level"] == "column"
            ),
            key=lambda column: _badness(column.value),
        )
        self.pairs = sorted(
            (
                Pair((row["columns"][0], row["columns"][1]), row["synthetic"], row["holdout"])
                for row in measures
                if row["level"] == "pair"
            ),
            key=lambda pair: _badness(pair.value),
        )

    @property
    def worst_pairs(self) -> Sequence[Pair]:
        """The pairs that are listed."""
        return [pair for pair in self.pairs if pair.value is not None][:_PAIRS]

    @property
    def drawn(self) -> Sequence[Column]:
        """The columns whose distributions are drawn."""
        return [column for column in self.columns if column.bars][:_SHOWN]

    def bars(self) -> list[dict[str, Any]]:
        """Return the data of the chart of distributions."""
        rows = []
        for place, column in enumerate(self.drawn):
            for step, bar in enumerate(column.bars):
                for kind, side in _SERIES:
                    if bar[side] is None or side == "holdout":
                        continue
                    tip = _(
                        "{column}, {value}: {share} of {table}",
                        column=column.name,
                        value=bar["label"],
                        share=percent(bar[side]),
                        table=side,
                    )
                    rows.append(
                        {
                            "column": column.name,
                            "place": place,
                            "step": step,
                            "label": bar["label"],
                            "kind": kind,
                            "share": bar[side],
                            "tip": tip,
                        }
                    )
        return rows

    def squares(self) -> list[dict[str, Any]]:
        """Return the data of the chart of pairs: each pair twice, columns sorted by their mean similarity."""
        found: dict[str, list[float]] = {}
        for pair in self.pairs:
            for name in pair.names:
                found.setdefault(name, []).extend([] if pair.value is None else [pair.value])
        order = sorted(found, key=lambda name: sum(found[name]) / len(found[name]) if found[name] else 2.0)
        places = {name: place for place, name in enumerate(order)}
        return [
            {
                "one": one,
                "two": two,
                "one_place": places[one],
                "two_place": places[two],
                "loss": min(1.0, 2 * (1 - pair.value)),
                "tip": _tip(pair),
            }
            for pair in self.pairs
            if pair.value is not None
            for one, two in (pair.names, pair.names[::-1])
        ]


def _tip(pair: Pair) -> str:
    shown = {"one": pair.names[0], "other": pair.names[1], "similarity": percent(pair.value)}
    if pair.holdout is None:
        return _("{one} and {other}: {similarity}", **shown)
    return _("{one} and {other}: {similarity}, fresh real rows {holdout}", holdout=percent(pair.holdout), **shown)


def _badness(value: float | None) -> float:
    return 2.0 if value is None else value


def _bars(shares: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the bars of a column: bins in order, categories by frequency in train, then other values and missing."""
    ends = [end for row in shares for end in (row["above"], row["up_to"]) if end is not None]
    of_days = bool(ends) and not (min(ends) >= 0 and max(ends) < 86400)
    ordered = sorted(shares, key=lambda row: (row["measure"] == "missing", row["measure"] == "other", row["place"]))
    return [
        {"label": _label(row, of_days), "synthetic": row["synthetic"], "train": row["train"], "holdout": row["holdout"]}
        for row in ordered
    ]


def _label(row: Mapping[str, Any], of_days: bool) -> str:
    if row["measure"] != "bin":
        return {"missing": _("missing"), "other": _("other values")}.get(row["measure"]) or _short(row["category"])
    above, up_to = (None if end is None else _end(end, row["level"], of_days) for end in (row["above"], row["up_to"]))
    if above is None or up_to is None:
        if above == up_to:
            return _("all")
        return _("up to {end}", end=up_to) if above is None else _("over {end}", end=above)
    return _("to {end}", end=up_to)


def _end(end: float, role: str, of_days: bool) -> str:
    """Round the end of a bin to three significant digits: the exact one may be the value of one person."""
    if role == "temporal":
        if not of_days:
            return f"{int(end) // 3600:02}:{int(end) % 3600 // 60:02}"
        try:
            return datetime.fromtimestamp(end, UTC).strftime("%Y-%m-%d")
        except (ValueError, OverflowError, OSError):
            return f"{end:.3g}"
    if end == 0 or not math.isfinite(end):
        return f"{end:g}"
    digits = 2 - math.floor(math.log10(abs(end)))
    text = f"{round(end, digits):.{max(0, digits)}f}"
    # Trailing zeros of rounded values carry no information.
    return decimals(round(end, digits), len(text.rstrip("0").partition(".")[2]))


def _short(text: str) -> str:
    return text if len(text) <= 18 else text[:17] + "…"
