"""The data of the page's charts against plain counting, and colors that stand out."""

import math
import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from calls import ROOT, rows_of
from test_report import page_rows, tables_of_people

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.report.drawn import people
from synthpriv_sql.report.measured import AtRisk, Measured


@pytest.fixture(scope="module")
def tables():
    return tables_of_people()


@pytest.fixture(scope="module")
def rows(shared, tables):
    """The data of a page, asked for once."""
    return page_rows(shared, **tables)


def test_bins_hold_every_record_once(shared, tables, rows):
    for comparison, queries in (("synthetic_train", "synthetic"), ("holdout_train", "holdout")):
        found = [row for row in rows if (row["item"], row["metric"], row["comparison"]) == ("bin", "dcr", comparison)]
        distances = [row["dcr"] for row in rows_of(shared.dcr(tables[queries], tables["train"]))]
        assert sum(row["share"] for row in found) == pytest.approx(1)
        for row in found:
            upper = math.inf if row["upper"] is None else row["upper"]
            inside = sum(row["lower"] < d < upper for d in distances)
            edges = sum(d in {row["lower"], upper} for d in distances)
            assert inside <= round(row["share"] * len(distances)) <= inside + edges


def test_riskiest_records_are_the_nearest_with_what_agrees(shared, tables, rows):
    measured = Measured(rows)
    found = rows_of(shared.dcr(tables["synthetic"], tables["train"]))
    copied = {row["record"] for row in rows_of(shared.copies(tables["synthetic"], tables["train"])) if row["copies"]}
    assert {risk.record for risk in measured.risks["copy"]} == copied
    others = sorted((row["dcr"], row["record"]) for row in found if row["record"] not in copied)
    assert [risk.dcr for risk in measured.risks["near"]] == [dcr for dcr, _ in others[:10]]
    synthetic, train = tables["synthetic"].to_pylist(), tables["train"].to_pylist()
    for risk in measured.risks["near"]:
        pair = synthetic[risk.record], train[risk.neighbor]
        assert list(risk.agreeing) == [name for name in pair[0] if pair[0][name] == pair[1][name]]
        assert not risk.values


@pytest.mark.again
def test_class_sizes_add_up_to_the_table(shared, tables):
    rows = [r for r in page_rows(shared, **tables, quasi_identifiers=["age"]) if r["item"] == "class"]
    sizes = {row["age"]: 0 for row in tables["train"].to_pylist()}
    for row in tables["train"].to_pylist():
        sizes[row["age"]] += 1
    of_train = [row for row in rows if row["side"] == "train"]
    for row in of_train:
        assert row["records"] == sum(size for size in sizes.values() if row["lower"] <= size <= row["upper"])
    assert sum(row["records"] for row in of_train) == 60


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_text_and_marks_stand_out_in_light_and_dark():
    css = (ROOT / "synthpriv_sql" / "report" / "static" / "page.css").read_text()
    blocks = re.findall(r":root[^{]*\{([^}]*--page[^}]*)\}", css)
    light, dark, chosen = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in blocks)
    assert dark == chosen
    for of in (light, dark):
        for ground in ("page", "surface", "sunken"):
            for text in ("ink-1", "ink-2", "accent"):
                assert contrast(of[text], of[ground]) >= 4.5, (text, ground)
            for mark in ("synthetic", "holdout", "train"):
                assert contrast(of[mark], of[ground]) >= 2.7, (mark, ground)
        for level in ("good", "watch", "bad", "none"):
            assert contrast(of[level], of[f"{level}-bg"]) >= 4.5, level


@pytest.mark.slow
def test_groups_at_risk_are_those_that_stand_out(shared):
    random = np.random.default_rng(3)

    def drawn(rows):
        towns = np.where(random.random(rows) < 0.4, "", random.choice([*"abc"], rows))
        return pa.table({
            "town": [town or None for town in towns.tolist()],
            "income": random.lognormal(10, 1, rows),
            "size": random.normal(170, 9, rows),
            "weight": random.normal(70, 9, rows),
        })  # fmt: skip

    tables = {"train": drawn(300), "holdout": drawn(300)}
    tables["synthetic"] = pa.concat_tables([tables["train"].filter(pc.is_null(tables["train"]["town"])), drawn(100)])
    measured = Measured(page_rows(shared, **tables, attack="uniques", named_by="uniques"))
    (row,) = measured.of(AtRisk)
    groups = shared.exposure_by(*(tables[side] for side in ("synthetic", "train", "holdout")), attack="uniques")
    stand_out = [g for g in groups.to_arrow().to_pylist() if g["p_adjusted"] < 0.01]
    (found,) = (group for group in stand_out if group["column_name"] != "isolation")
    assert [row.column_name, row.category, row.rate, row.rate_elsewhere, row.people] == [
        *(found[name] for name in ("column_name", "value", "rate", "rate_elsewhere", "people"))
    ]
    assert row.category is None
    assert row.p_adjusted < found["p_adjusted"] < 1e-9  # which is adjusted for the groups of isolation as well
    chart = people.charts(measured)["at_risk"]
    assert f"town missing: {row.rate * 100:.0f}" in chart.wide


def test_charts_use_only_colors_that_the_page_has():
    """A mark in a color that is not defined is not there: the point where a list gives most people away was not."""
    style = (ROOT / "synthpriv_sql/report/static/page.css").read_text(encoding="utf-8")
    known = set(re.findall(r"(--[\w-]+)\s*:", style))
    charts = [*(ROOT / "synthpriv_sql/report/charts").glob("*.json"), *(ROOT / "synthpriv_sql/report").rglob("*.py")]
    used = {name for file in charts for name in re.findall(r"var\((--[\w-]+)\)", file.read_text(encoding="utf-8"))}
    assert {"--ink-1", "--train"} <= used <= known
