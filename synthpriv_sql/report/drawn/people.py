"""Charts about people: the top of each attack's list, and which groups of people are at risk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from synthpriv_sql.language.messages import _
from synthpriv_sql.language.numbers import count, percent, short
from synthpriv_sql.report.drawn.charts import Chart, draw
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.testing import per_other

_BEYOND = 3
"""How far the lists are drawn, as a multiple of the people of the holdout on the list that gives most away."""
_LEAST = 12
"""The fewest people of the holdout that the axis shows."""


def charts(measured: Measured) -> Mapping[str, Chart]:
    """Draw the charts about people that have data."""
    drawn = {}
    if any(measured.items("top")):
        drawn["top"] = _lists(measured)
    if any(measured.items("risk")):
        drawn["at_risk"] = _at_risk(measured)
    return drawn


def _lists(measured: Measured) -> Chart:
    """People of train against people of the holdout down each list, with what chance explains."""
    rows = [
        {"attack": row["variant"], "members": row["value"], "others": row["lower"]} for row in measured.items("top")
    ]
    best = list(_best(measured, rows))
    end = max(_LEAST, _BEYOND * max((row["others"] for row in best), default=0))
    share = _share(measured)
    slope = per_other(share, max(len(measured.attacks), 1))
    chance = [{"others": h, "members": slope * (1 + h)} for h in range(int(end) + 1)]
    return draw(
        "top",
        _("The top of each attack's list: people of train, people of the holdout, and what chance explains"),
        lists=[row for row in rows if row["others"] <= end],
        chance=chance,
        best=best,
    )


def _best(measured: Measured, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The point of each list at which it gives most people away."""
    for attack in measured.attacks:
        listed = measured.value("membership", "listed", attack)
        if not measured.value("membership", "at_least", attack) or listed is None:
            continue
        tip = _(
            "{attack}: at least {top} of the {listed} people of train that it puts first",
            attack=attack,
            top=count(measured.value("membership", "at_least", attack)),
            listed=count(listed),
        )
        yield from ({**row, "tip": tip} for row in rows if row["attack"] == attack and row["members"] == listed)


def _share(measured: Measured) -> float:
    train, holdout = (measured.value("tables", "rows", side) or 1.0 for side in ("train", "holdout"))
    return float(train / (train + holdout))


def _at_risk(measured: Measured) -> Chart:
    rows = [
        {
            "label": f"{row['metric']}: {row['variant']}",
            "rate": row["value"],
            "elsewhere": row["lower"],
            "tip": _(
                "{column} {value}: {rate} of {people} people, {elsewhere} of all others (p {p})",
                column=row["metric"],
                value=row["variant"],
                rate=percent(row["value"]),
                people=count(row["record"]),
                elsewhere=percent(row["lower"]),
                p=short(row["upper"], 2),
            ),
        }
        for row in measured.items("risk")
    ]
    return draw("at_risk", _("Groups of people at more risk than all others"), groups=rows)
