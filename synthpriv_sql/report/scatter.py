"""The scatter plot of real and synthetic records in two dimensions, with lines between the listed pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from synthpriv_sql.language.messages import N_, _
from synthpriv_sql.report.measured import Measured

Rows = Sequence[Mapping[str, Any]]
_POINTS = {"synthetic": N_("synthetic record {record}"), "train": N_("train record {record}")}
_LINES = {
    "copy": N_("synthetic record {synthetic} equals train record {train}"),
    "near": N_("synthetic record {synthetic} is near train record {train}"),
    "exposed": N_("synthetic record {synthetic} reveals most about train record {train}"),
}


def pairs(measured: Measured) -> list[tuple[str, int, int]]:
    """Return the listed pairs of a synthetic and a train record, each once, under the first kind that applies."""
    found = [("copy", risk.record, risk.neighbor) for risk in measured.risks["copy"]]
    found += [("near", risk.record, risk.neighbor) for risk in measured.risks["near"]]
    found += [("exposed", person.synthetic, person.record) for person in measured.people]
    first: dict[tuple[int, int], str] = {}
    for kind, synthetic, train in found:
        first.setdefault((synthetic, train), kind)
    return [(kind, *both) for both, kind in first.items()]


@dataclass(frozen=True)
class Scatter:
    """The rows of sql/report/page_scatter.sql.

    Parameters
    ----------
    rows
        As dicts.
    measured
        The measurements with the listed pairs.
    """

    rows: Rows
    measured: Measured

    @cached_property
    def explained(self) -> list[float]:
        """The share of variance that each axis explains; empty if the records do not differ."""
        if not self.rows or self.rows[0]["explained_x"] is None:
            return []
        return [self.rows[0]["explained_x"], self.rows[0]["explained_y"]]

    def drawn(self, side: str) -> int:
        """How many records of a table were drawn at random."""
        return sum(row["drawn"] for row in self.rows if row["side"] == side)

    @property
    def points(self) -> list[dict[str, Any]]:
        """A point for each record; those of train are drawn first."""
        return [
            {
                "x": row["x"],
                "y": row["y"],
                "kind": f"{row['side']}_train",
                "tip": self._tip(row["side"], row["record"]),
            }
            for row in sorted(self.rows, key=lambda row: row["side"], reverse=True)
        ]

    def _tip(self, side: str, record: int) -> str:
        return _(_POINTS[side], record=self.measured.called(side, record))

    @property
    def lines(self) -> list[dict[str, Any]]:
        """A line for each pair; both ends of a copy are the same point."""
        at = {(row["side"], row["record"]): (row["x"], row["y"]) for row in self.rows}
        lines = []
        for kind, synthetic, train in pairs(self.measured):
            (x, y), (x2, y2) = at["synthetic", synthetic], at["train", train]
            tip = _(
                _LINES[kind],
                synthetic=self.measured.called("synthetic", synthetic),
                train=self.measured.called("train", train),
            )
            lines.append({"x": x, "y": y, "x2": x2, "y2": y2, "pair": kind, "tip": tip})
        return lines
