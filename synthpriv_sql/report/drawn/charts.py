"""Charts: Vega-Lite specifications from charts/, drawn to SVG while the page is built.

A chart is drawn at two widths, and the page shows the one that fits. Colors are CSS variables, so light, dark and print
share one drawing; the browser draws nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import vl_convert
from markupsafe import Markup

from synthpriv_sql.language.messages import N_, _, plural
from synthpriv_sql.language.numbers import axes, count, interval, number, percent, short
from synthpriv_sql.report.fidelity import Fidelity
from synthpriv_sql.report.measured import COMPARISONS, Bin, Measured, Point, Rate, Size
from synthpriv_sql.report.scatter import Scatter
from synthpriv_sql.report.writing import Remedy
from synthpriv_sql.results.drawing import VEGA_LITE, Rows, specification

WIDE, NARROW = 700, 320
"""Widths in pixels."""
SERIES = {
    "synthetic_train": N_("Synthetic records to their nearest train record"),
    "holdout_train": N_("Holdout records to their nearest train record"),
    "train_train": N_("Train records to the nearest other train record"),
}


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart at two widths, with a one-sentence description."""

    label: str
    wide: Markup
    narrow: Markup


PUBLISHED = (0.1, 0.5)
"""The thresholds at which the paper of 2018 draws areas by p."""


@dataclass(frozen=True, slots=True)
class PageData:
    """The data of the page.

    Parameters
    ----------
    measured
        Rows of sql/report/page.sql.
    fidelity
        The fidelity numbers; None if all columns are vectors.
    scatter
        The projected records, if values are shown.
    baseline
        Rows of sql/report/page_baseline.sql, if the baseline was requested.
    remedy
        What a search for a remedy has found, if the table is bad and one was requested.
    trend
        Evaluations in a history, with this one at the end, if one was given.
    """

    measured: Measured
    fidelity: Fidelity | None
    scatter: Scatter | None
    baseline: Rows | None
    remedy: Remedy | None = None
    trend: Rows = ()


def charts(found: PageData, threshold: float) -> Mapping[str, Chart]:
    """Draw every chart that has data.

    Parameters
    ----------
    found
        The numbers.
    threshold
        The threshold of privacy and resemblance that is shown initially.
    """
    measured, fidelity, baseline = found.measured, found.fidelity, found.baseline
    drawn = {"mda": _mda(measured)}
    if any(rate.true_positive_rate for rate in measured.of(Rate)):
        drawn["roc"] = _roc(measured)
    if any(one.metric == "bits" for one in measured.of(Bin)):
        drawn["bits"] = _bits(measured)
    copies = _zero_shares(measured)
    if any(row["share"] for row in copies):
        drawn["zero"] = draw("zero", _("Shares of records that equal a train record"), shares=copies)
    if measured.has_holdout:
        drawn["closer"] = _closer(measured)
    for metric in ("dcr", "nndr_second"):
        if any(one.metric == metric for one in measured.of(Bin)):
            drawn[metric] = _spread(measured, metric)
    if measured.of(Size):
        drawn["classes"] = _classes(measured)
    if found.scatter is not None and found.scatter.explained:
        label = _("Synthetic and train records on the two principal axes of real rows")
        drawn["scatter"] = draw("scatter", label, points=found.scatter.points, lines=found.scatter.lines)
    if fidelity and fidelity.drawn:
        drawn["marginals"] = _marginals(fidelity)
    if fidelity and fidelity.worst_pairs:
        drawn["pairs"] = draw("pairs", _("Similarity of each pair of columns to train"), squares=fidelity.squares())
    if found.remedy is not None and found.remedy.changes:
        drawn["remedy"] = _remedy(found.remedy)
    if baseline:
        drawn["baseline"] = _baseline([row for row in baseline if row["threshold"] == threshold])
        drawn["areas"] = _areas(baseline)
        drawn["thresholds"] = _thresholds(baseline)
    return drawn


def draw(name: str, label: str, *, wide: int = WIDE, **datasets: Rows) -> Chart:
    """Draw a specification of charts/ at both widths."""
    return Chart(label, _svg(name, wide, datasets), _svg(name, NARROW, datasets))


def _svg(name: str, width: int, datasets: Mapping[str, Rows], **more: Any) -> Markup:
    drawn = specification(name, width, datasets, **more)
    # Vega escapes the texts of the data.
    svg = vl_convert.vegalite_to_svg(drawn, vl_version=VEGA_LITE, format_locale=axes())
    return Markup(svg)  # noqa: S704


def _remedy(remedy: Remedy) -> Chart:
    """People given away against loss, a point a step of the search; the last, filled, is confirmed by other people."""
    rows = [row for row in remedy.rows if not row["together"]]  # of half of the people, as all others
    steps = [
        {
            "step": row["step"],
            "loss": row["loss"],
            "people": max(row["named"], row["at_least"]),
            "confirms": row is rows[-1],
            "tip": _(
                "step {step}: {people} people given away, loss {loss}",
                step=count(row["step"]),
                people=count(max(row["named"], row["at_least"])),
                loss=percent(row["loss"]),
            ),
        }
        for row in rows
    ]
    return draw("remedy", _("People given away after each step, against the loss of similarity to train"), steps=steps)


def _marginals(fidelity: Fidelity) -> Chart:
    """Small charts, three in a row on wide screens, otherwise one."""
    label = _("Distributions of the least similar columns in synthetic and in train")
    bars = {"bars": fidelity.bars()}
    return Chart(
        label, _svg("marginals", WIDE // 3 - 128, bars, columns=3), _svg("marginals", NARROW - 112, bars, columns=1)
    )


def _zero_shares(measured: Measured) -> Rows:
    rows = []
    for kind in COMPARISONS:
        share = (
            measured.value("copies", "share")
            if kind == "synthetic_train"
            else measured.value("dcr", "share_zero", kind)
        )
        if share is not None:
            names = {"synthetic_train": _("Synthetic"), "holdout_train": _("Holdout")}
            series = names.get(kind, _("Train, other rows"))
            rows.append({"kind": kind, "series": series, "share": share, "label": percent(share)})
            rows[-1]["tip"] = _("{what}: {share}", what=series, share=percent(share))
    return rows


def _closer(measured: Measured) -> Chart:
    total = measured.value("tables", "rows", "synthetic") or 1.0
    segments, start = [], 0.0
    for kind in ("closer", "equal", "further"):
        records = measured.value("holdout_share", kind) or 0.0
        end = start + records / total
        tip = _side(kind, records, percent(records / total))
        segments.append({"kind": kind, "start": start, "end": end, "tip": tip})
        start = end
    share = measured.number("holdout_share", "share")
    expected = measured.value("holdout_share", "expected")
    assert share is not None
    row = {
        "share": share.value,
        "lower": share.lower,
        "upper": share.upper,
        "expected": expected,
        "expected_label": _("{share} if nothing leaks", share=percent(expected)),
        "label": f"{percent(share.value)} ({interval(share)})",
        "short_label": percent(share.value),
        "tip": _(
            "Share closer to train: {share}, 95\u202f% interval {interval}",
            share=percent(share.value),
            interval=interval(share),
        ),
    }
    label = _("{share} closer to train", share=percent(share.value))
    return draw("closer", label, segments=segments, share=[row])


def _side(kind: str, records: float, share: str) -> str:
    """The number of records closer to one of the two tables, or equally close to both."""
    if kind == "closer":
        return plural(
            "{n} record closer to train ({share})", "{n} records closer to train ({share})", records, share=share
        )
    if kind == "equal":
        return plural("{n} record equally close ({share})", "{n} records equally close ({share})", records, share=share)
    return plural(
        "{n} record closer to the holdout ({share})",
        "{n} records closer to the holdout ({share})",
        records,
        share=share,
    )


def _spread(measured: Measured, metric: str) -> Chart:
    bins = [(one, one.upper) for one in measured.of(Bin) if one.metric == metric and one.upper is not None]
    end = max((upper for _one, upper in bins), default=1.0)
    rows: list[dict[str, Any]] = []
    for place, (kind, called) in enumerate(SERIES.items()):
        series = _(called)
        rows += [
            {
                "kind": kind,
                "series": series,
                "place": place,
                "lower": one.lower,
                "upper": upper,
                "share": one.share,
                "tip": _(
                    "{lower} to {upper}: {share} of records",
                    lower=number(one.lower),
                    upper=number(upper),
                    share=percent(one.share),
                ),
            }
            for one, upper in bins
            if one.comparison == kind
        ]
        median = measured.value(metric, "median", kind)
        if median is not None and median <= end:
            label = _("median {value}", value=number(median))
            rows.append({"kind": kind, "series": series, "place": place, "median": median, "label": label})
            rows[-1]["left"] = median < end / 2
    return draw("spread", _("Distributions of {metric}", metric="DCR" if metric == "dcr" else "NNDR"), bins=rows)


def _roc(measured: Measured) -> Chart:
    """ROC curves on logarithmic axes, because the true positive rate at very low false positive rates matters."""
    rates = [rate for rate in measured.of(Rate) if rate.true_positive_rate]
    names = list(dict.fromkeys(rate.attack for rate in rates))
    smallest = min(rate.false_positive_rate for rate in rates)
    rows: list[dict[str, Any]] = []
    for rate in rates:
        false, found = rate.false_positive_rate, rate.true_positive_rate
        tip = _(
            "{attack}: {found} of train found, {taken} of others mistaken for train",
            attack=rate.attack,
            found=percent(found),
            taken=percent(false),
        )
        rows.append({"attack": rate.attack, "false": false, "found": found, "tip": tip})
    rows += [{"attack": name, "false": 1.0, "found": 1.0, "tip": ""} for name in names]
    chance = [{"false": share, "found": share} for share in (smallest, 1.0)]
    last = [next(row for row in rows if row["attack"] == name) for name in names]
    return draw(
        "roc",
        _("ROC curves: how many records of train each attack finds"),
        lines=rows,
        curves=rows,
        chance=chance,
        labels=last,
    )


def _bits(measured: Measured) -> Chart:
    rows = [
        {
            "kind": f"{one.comparison}_train",
            "lower": one.lower,
            "upper": one.upper,
            "share": one.share,
            "tip": _(
                "{lower} to {upper} bits: {share}, {table}",
                lower=number(one.lower),
                upper=number(one.upper),
                share=percent(one.share),
                table=one.comparison,
            ),
        }
        for one in measured.of(Bin)
        if one.metric == "bits" and one.upper is not None
    ]
    limits = [row["bits"] for row in measured.items("limit") if row["bits"] is not None]
    limit = [
        {"bits": value, "label": _("agreement alone identifies from {bits} bits", bits=number(value))}
        for value in limits
    ]
    label = _("Bits that synthetic reveals about each record of train and of the holdout")
    return draw("bits", label, bins=rows, limit=limit)


def _mda(measured: Measured) -> Chart:
    curve = [{"theta": point.theta, "accumulation": point.accumulation} for point in measured.of(Point)]
    return draw("mda", _("The share of records within each distance of the other table"), curve=curve)


def _classes(measured: Measured) -> Chart:
    found = {(size.side, size.lower, size.upper): size.records for size in measured.of(Size)}
    rows = []
    for lower, upper in sorted({key[1:] for key in found}):
        for table in ("synthetic", "train"):
            share = found.get((table, lower, upper), 0.0) / (measured.value("tables", "rows", table) or 1.0)
            size = count(lower) if lower == upper else _("{lower} to {upper}", lower=count(lower), upper=count(upper))
            tip = _("{share} of {table} records are in classes of {size}", share=percent(share), table=table, size=size)
            rows.append({"kind": f"{table}_train", "size": count(upper), "share": share, "tip": tip})
    return draw("classes", _("Shares of records in equivalence classes of each size"), classes=rows)


def _baseline(rows: Rows) -> Chart:
    points = []
    for row in rows:
        label = _who(row)
        tip = _(
            "{who}: privacy {privacy}, resemblance {resemblance}",
            who=label,
            privacy=number(row["privacy"]),
            resemblance=number(row["resemblance"]),
        )
        points.append({**row, "label": label, "tip": tip})
    own = [point for point in points if point["p"] is None]
    others = [point for point in points if point["p"] is not None]
    return draw("baseline", _("Privacy and resemblance, compared with the baseline"), synthetic=own, baseline=others)


_AREAS = {"privacy_area": "synthetic_train", "resemblance": "holdout_train"}
_AREA_TITLES = {"privacy_area": N_("Privacy area"), "resemblance": N_("Resemblance")}


def _who(row: Mapping[str, Any]) -> str:
    """The label of a point: synthetic, or the baseline's share of replaced cells."""
    return _("synthetic") if row["p"] is None else f"p = {short(row['p'])}"


def _area_tip(row: Mapping[str, Any], area: str) -> str:
    return _(
        "{who}, threshold {threshold}. {area}: {value}",
        who=_who(row),
        threshold=short(row["threshold"]),
        area=_(_AREA_TITLES[area]),
        value=number(_of(row, area)),
    )


def _of(row: Mapping[str, Any], area: str) -> float:
    return float(1 - row["privacy"] if area == "privacy_area" else row["resemblance"])


def _areas(rows: Rows) -> Chart:
    """Privacy area and resemblance by p, as in figure 4 of the paper of 2018; synthetic as a dashed line across."""
    points = []
    for row in rows:
        if row["threshold"] in PUBLISHED:
            for area, kind in _AREAS.items():
                tip = _area_tip(row, area)
                panel = _("Threshold {threshold}", threshold=short(row["threshold"]))
                points.append({"panel": panel, "p": row["p"], "value": _of(row, area), "kind": kind, "tip": tip})
    return draw("areas", _("Privacy area and resemblance of the baseline by p"), points=points)


def _thresholds(rows: Rows) -> Chart:
    """Privacy area and resemblance by threshold, a line for each p, as in figure 5 of the paper of 2018."""
    points = []
    for place, area in enumerate(_AREAS):
        for row in rows:
            tip = _area_tip(row, area)
            shade = 1.0 if row["p"] is None else 0.25 + 0.75 * row["p"]
            points.append(
                {
                    "panel": _(_AREA_TITLES[area]),
                    "place": place,
                    "who": _who(row),
                    "own": row["p"] is None,
                    "shade": shade,
                    "threshold": row["threshold"],
                    "value": _of(row, area),
                    "tip": tip,
                }
            )
    return draw("thresholds", _("Privacy area and resemblance by threshold"), points=points)
