"""Charts about people: the top of each attack's list, and which groups of people are at risk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synthpriv_sql.language.messages import _, plural
from synthpriv_sql.language.numbers import count, percent, short
from synthpriv_sql.report.drawn.charts import Chart, draw
from synthpriv_sql.report.measured import AtRisk, Measured, Top
from synthpriv_sql.results.drawing import Rows


def charts(measured: Measured) -> Mapping[str, Chart]:
    """Draw the charts about people that have data."""
    drawn = {}
    if measured.of(Top):
        drawn["top"] = _lists(measured)
    if measured.value("releases", "tables") is not None:
        drawn["releases"] = _releases(measured)
    if measured.of(AtRisk):
        drawn["at_risk"] = _at_risk(measured)
    return drawn


def trend(runs: Rows) -> Mapping[str, Chart]:
    """Draw the largest AUC of each evaluation in a history, if there are several."""
    if not any(run["auc"] is not None for run in runs):
        return {}
    drawn = [
        {
            # Zero-width characters keep days apart that have several runs.
            "label": f"{run['time']:%Y-%m-%d}" + "\u200b" * place,
            "level": run["level"],
            "auc": run["auc"],
            "lower": run["auc_lower"],
            "upper": run["auc_upper"],
            "tip": _(
                "{table}, {time}: AUC of {attack} {auc}, at least {given} people given away",
                table=run["table"] or "",
                time=f"{run['time']:%Y-%m-%d %H:%M}",
                attack=run["attack"] or "",
                auc=short(run["auc"], 3),
                given=count(run["at_least"]),
            ),
        }
        for place, run in enumerate(runs)
        if run["time"] is not None and run["auc"] is not None
    ]
    return {"trend": draw("trend", _("The largest AUC of an attack in each evaluation"), runs=drawn)} if drawn else {}


def _lists(measured: Measured) -> Chart:
    """People of train against people of the holdout down each list, with the most that chance explains of any."""
    tops = measured.of(Top)
    lists = [{"attack": top.attack, "others": top.others, "members": top.listed} for top in tops]
    chance: dict[int, float] = {}
    for top in tops:
        chance[top.others] = max(chance.get(top.others, 0.0), top.by_chance or 0.0)
    return draw(
        "top",
        _("The top of each attack's list: people of train, people of the holdout, and what chance explains"),
        lists=lists,
        chance=[{"others": others, "members": members} for others, members in sorted(chance.items())],
        best=[_end(measured, top) for top in tops if top.is_end],
    )


def _end(measured: Measured, end: Top) -> dict[str, Any]:
    """The point of a list at which it gives most people away."""
    tip = _(
        "{attack}: at least {top} of the {listed} people of train that it puts first",
        attack=end.attack,
        top=count(measured.value("membership", "at_least", end.attack)),
        listed=count(measured.value("membership", "listed", end.attack)),
    )
    return {"attack": end.attack, "others": end.others, "members": end.listed, "tip": tip}


def _releases(measured: Measured) -> Chart:
    """People at least given away: by this table alone, by the first releases, by all before it, and by all."""
    before = round(measured.value("releases", "tables") or 1) - 1
    names = {"alone": _("this table alone")}
    first = [n for n in range(1, before) if measured.value("releases", "at_least", str(n)) is not None]
    names |= {str(n): plural("the first release", "the first {n} releases", n) for n in first}
    names |= {"before": plural("the release before it", "all {n} before it", before), "union": _("all together")}
    people = measured.value("releases", "people")
    rows = []
    for name, label in names.items():
        given, named = (measured.value("releases", statistic, name) or 0.0 for statistic in ("at_least", "exposed"))
        tip = _(
            "{label}: at least {given} of {people} people given away, {named} identified",
            label=label,
            given=count(given),
            people=count(people),
            named=count(named),
        )
        rows.append({"label": label, "given": given, "named": named, "tip": tip})
    return draw("releases", _("People at least given away, by the releases that an attacker has"), releases=rows)


def _at_risk(measured: Measured) -> Chart:
    """Groups of people who can be identified more often than all others."""
    rows = []
    for group in measured.of(AtRisk):
        value = _("missing") if group.category is None else group.category
        tip = _(
            "{column} {value}: {rate} of {people} people, {elsewhere} of all others (p {p})",
            column=group.column_name,
            value=value,
            rate=percent(group.rate),
            people=count(group.people),
            elsewhere=percent(group.rate_elsewhere),
            p=short(group.p_adjusted, 2),
        )
        label = f"{group.column_name}: {value}"
        rows.append({"label": label, "rate": group.rate, "elsewhere": group.rate_elsewhere, "tip": tip})
    return draw("at_risk", _("Groups of people at more risk than all others"), groups=rows)
