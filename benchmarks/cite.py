"""Writes docs/benchmark.md and the Parquet files next to latest.json: the citable results of attacks.

``python -m benchmarks.cite`` writes them from the last measurements; so does every run of one of the cases.
"""

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import published, results_file

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "benchmark.md"
CASES = ("attacks", "verdict", "few", "names", "generators", "remedies", "text")
BEGIN, END = "<!-- measured -->\n", "<!-- end of measured -->\n"

_ATTACK = re.compile(r"(?:sample; )?AUC ([\d.]+); found at 1 %: ([\d.]+) %, at 10 %: ([\d.]+) %")
_VERDICT = re.compile(
    r"(?P<verdict>.*?); (?P<named>[\d,]+) named(?:; at least (?P<least>[\d,]+))?; worst AUC (?P<auc>[\d.]+)"
    r"(?:; come back: (?P<train>[\d,]+) of train, (?P<holdout>[\d,]+) of the holdout)?"
)
_NAMED = (
    "Of tables of which 900 people leak: the mean number of people named at a false discovery rate of 5 %, over draws."
)
_REMEDY = re.compile(
    r"(?P<named>[\d,]+) named; at least (?P<least>[\d,]+) given away; loss (?P<loss>-?[\d.]+)%; "
    r"(?P<records>[\d,]+) records; (?P<changes>.*)"
)
_PLANTED = re.compile(
    r"AUC (?P<auc>[\d.]+); found at 1 %: (?P<found>[\d.]+) %; (?P<named>[\d,]+) named, "
    r"(?P<planted_named>[\d,]+) of them planted; at least (?P<least>[\d,]+) of (?P<listed>[\d,]+)"
)
_REPLAYED = re.compile(
    r"(?P<column>.*): (?P<train>[\d,]+) of train, (?P<holdout>[\d,]+) of the holdout; p (?P<p>[-\d.e]+), adjusted "
    r"(?P<adjusted>[-\d.e]+)"
)
_NAMES = re.compile(r"([\d,]+) named, ([\d.]+) % of them falsely; without a leak in (\d+) of (\d+) draws")


def tables(report):
    """The rows of each case as a table: the parameters and the results."""
    rows = {case: [row for row in report["rows"] if row["case"] == case] for case in CASES}
    found = {case: [] for case in CASES}
    for row in rows["attacks"]:
        who, _, of = row["who"].rpartition(", ")
        auc, at_1, at_10 = map(float, _ATTACK.fullmatch(row["note"]).groups())
        found["attacks"].append(
            {"tables": of.removeprefix("all of "), "all_rows": of.startswith("all of "), "attack": who, "auc": auc}
            | {"found_at_1_per_100": at_1 / 100, "found_at_1_per_10": at_10 / 100, "seconds": row["median"]}
        )
    for case in ("verdict", "few"):
        found[case] = [judged for row in rows[case] if (judged := _judged(row)) is not None]
    found["generators"] = sorted(map(published.parsed, rows["generators"]), key=published.place)
    found["remedies"] = [_treated(row) for row in rows["remedies"]]
    found["text"] = [_planted(row) for row in rows["text"]]
    for row in rows["names"]:
        named, false, alarms, draws = _NAMES.fullmatch(row["note"]).groups()
        found["names"].append(
            {"attack": row["who"], "named": _whole(named), "named_falsely": float(false) / 100}
            | {"draws_without_a_leak": int(draws), "of_them_with_names": int(alarms)}
        )
    when = {case: _when(rows[case][0]) for case in CASES if rows[case]}
    # Generators have the date of each row: it was measured with the tables that were there.
    return {
        case: pa.Table.from_pylist([row if "date" in row else row | when[case] for row in found[case]])
        for case in CASES
        if found[case]
    }


def _when(row):
    return {"date": row["measured"]["date"], "commit": row["measured"]["commit"]}


def _judged(row):
    """A row with a verdict; None for a sum of others."""
    said = _VERDICT.fullmatch(row["note"])
    if said is None:
        return None
    kind, _, what = row["who"].partition(": ")
    what, _, of = what.rpartition(", ")
    return {
        "tables": of, "kind": kind, "synthetic": what, "verdict": said["verdict"], "named": _whole(said["named"]),
        "at_least": _whole(said["least"]), "worst_auc": float(said["auc"]), "come_back": _whole(said["train"]),
        "come_back_of_holdout": _whole(said["holdout"]), "seconds": row["median"],
    }  # fmt: skip


def _treated(row):
    """What became of a table in one way."""
    said = _REMEDY.fullmatch(row["note"]).groupdict()
    table, _, way = row["who"].partition(": ")
    return {
        "tables": table, "way": way, "named": _whole(said["named"]), "at_least": _whole(said["least"]),
        "loss": float(said["loss"]) / 100, "records": _whole(said["records"]), "changes": said["changes"],
        "seconds": row["median"],
    }  # fmt: skip


def _planted(row):
    """What an attack, or `replay`, finds of planted texts; or how long `replay` takes of large columns."""
    asked, planted = _PLANTED.fullmatch(row["note"]), _REPLAYED.fullmatch(row["note"])
    out = {"table": None, "planted": row["who"], "people": None, "of": None, "attack": None}
    if asked or planted:
        attack, _, what = row["who"].partition(", ")
        table, _, what = what.partition(": ")
        what, _, count = what.rpartition(", ")
        people, of = map(_whole, count.split(" of "))
        out = {"table": table, "planted": what, "people": people, "of": of, "attack": attack}
    out |= {
        "auc": float(asked["auc"]) if asked else None,
        **{
            name: _whole(asked[key]) if asked else None
            for name, key in (("named", "named"), ("named_planted", "planted_named"), ("at_least", "least"),
                              ("listed", "listed"))
        },
        "column": planted["column"] if planted else None,
        "come_back": _whole(planted["train"]) if planted else None,
        "come_back_of_holdout": _whole(planted["holdout"]) if planted else None,
        "p_adjusted": float(planted["adjusted"]) if planted else None,
        "seconds": row["median"],
        "cpu_seconds": None if asked or planted else float(row["note"].partition(" s ")[0]),
    }  # fmt: skip
    return out


def _whole(text):
    return None if text is None else int(text.replace(",", ""))


def text(report):
    """The generated part of the page."""
    found = tables(report)
    lines = []
    if "attacks" in found:
        lines += ["## Attacks", ""]
        for all_rows, title in ((True, "On all rows"), (False, "On a sample, beside attacks of others")):
            rows = [row for row in found["attacks"].to_pylist() if row["all_rows"] is all_rows]
            names, attacks = (list(dict.fromkeys(row[key] for row in rows)) for key in ("tables", "attack"))
            cells = {(row["attack"], row["tables"]): row for row in rows}
            lines += [f"{title}: AUC · found at 1 error in 100, in percent · at 1 in 10.", ""]
            lines += [f"| attack | {' | '.join(names)} |", f"| --- |{' --- |' * len(names)}"]
            lines += [
                f"| {attack} | {' | '.join(_cell(cells.get((attack, name))) for name in names)} |" for attack in attacks
            ]
            lines.append("")
    if "names" in found:
        lines += [
            "## Names",
            "",
            _NAMED,
            "",
            "| attack | named | falsely | names without a leak |",
            "| --- | ---: | ---: | --- |",
        ]
        lines += [
            f"| {row['attack']} | {row['named']:,} | {row['named_falsely']:.1%} | "
            f"in {row['of_them_with_names']} of {row['draws_without_a_leak']} draws |"
            for row in found["names"].to_pylist()
        ]
        lines.append("")
    if "verdict" in found:
        lines += [
            "## Verdicts",
            "",
            "| synthetic | of | verdict | named | worst AUC |",
            "| --- | --- | --- | ---: | ---: |",
        ]
        lines += [
            f"| {row['kind']}: {row['synthetic']} | {row['tables']} | {row['verdict']} | {row['named']:,} | "
            f"{row['worst_auc']:.3f} |"
            for row in found["verdict"].to_pylist()
        ]
        lines.append("")
    if "generators" in found:
        lines += published.lines(found["generators"].to_pylist())
    if "few" in found:
        lines += [
            "## Verdicts on few people",
            "",
            "| synthetic | of | verdict | named | at least | come back, of train : of the holdout |",
            "| --- | --- | --- | ---: | ---: | --- |",
        ]
        lines += [
            f"| {row['kind']}: {row['synthetic']} | {row['tables']} | {row['verdict']} | {row['named']:,} | "
            f"{row['at_least']:,} | {_pair(row)} |"
            for row in found["few"].to_pylist()
        ]
        sums = [row for row in report["rows"] if row["case"] == "few" and _VERDICT.fullmatch(row["note"]) is None]
        lines += ["", *(f"- {row['who']}: {row['note']}" for row in sums), ""]
    if "remedies" in found:
        lines += [
            "## Remedies of each table",
            "",
            "| table | way | named | at least given away | loss | records left | changes | seconds |",
            "| --- | --- | ---: | ---: | ---: | ---: | --- | ---: |",
        ]
        lines += [
            f"| {row['tables']} | {row['way']} | {row['named']:,} | {row['at_least']:,} | {row['loss']:.2%} | "
            f"{row['records']:,} | {row['changes']} | {'–' if row['seconds'] is None else round(row['seconds'])} |"
            for row in found["remedies"].to_pylist()
        ]
        lines.append("")
    if "text" in found:
        lines += _texts(found["text"].to_pylist())
    lines += ["## Measured", ""]
    runs = {(row["case"], row["measured"]["commit"]): row["measured"] for row in report["rows"] if row["case"] in found}
    for case, commit in sorted(runs, key=lambda run: (CASES.index(run[0]), runs[run]["date"])):
        when = runs[case, commit]
        versions = ", ".join(
            f"{name} {when['versions'][name]}" for name in ("python", "duckdb", "numpy", "scikit-learn")
        )
        lines.append(f"- {case}: {when['date']}, commit {commit}, {versions}")
    return "\n".join([*lines, ""])


def _texts(rows):
    """The tables of planted texts: a line for each way and number of people, a column for each attack."""
    lines = [
        "## Planted texts",
        "",
        "AUC · people named (of these planted) · given away at least; for `replay` how many texts come back, of",
        "train : of the holdout, in the column that tells most, and the p-value, adjusted for the number of columns.",
        "",
    ]
    attacked = [row for row in rows if row["attack"]]
    attacks = list(dict.fromkeys(row["attack"] for row in attacked))
    lines += [f"| planted | people | {' | '.join(attacks)} |", f"| --- | ---: |{' --- |' * len(attacks)}"]
    for table, planted, people, of in dict.fromkeys((r["table"], r["planted"], r["people"], r["of"]) for r in attacked):
        cells = {
            r["attack"]: r for r in attacked if (r["table"], r["planted"], r["people"]) == (table, planted, people)
        }
        what = f"{table}: nothing" if planted == "nothing" else planted
        who = f"{people} of {of:,}" if people else f"of {of:,}"
        lines.append(f"| {what} | {who} | {' | '.join(_found(cells.get(attack)) for attack in attacks)} |")
    lines += ["", "| texts | seconds | of the processors |", "| --- | ---: | ---: |"]
    lines += [
        f"| {row['planted']} | {row['seconds']:.1f} | {row['cpu_seconds']:.1f} |" for row in rows if not row["attack"]
    ]
    return [*lines, ""]


def _found(row):
    if row is None:
        return "–"
    if row["column"]:
        p = f"p {row['p_adjusted']:.1g}"
        return f"{row['column']} {row['come_back']:,} : {row['come_back_of_holdout']:,}, {p}"
    named = f"{row['named']:,} ({row['named_planted']:,})" if row["named"] else "0"
    least = f"{row['at_least']:,} of {row['listed']:,}" if row["at_least"] else "0"
    return f"{row['auc']:.3f} · {named} · {least}"


def _pair(row):
    return "" if row["come_back"] is None else f"{row['come_back']:,} : {row['come_back_of_holdout']:,}"


def _cell(row):
    if row is None:
        return "–"
    return f"{row['auc']:.3f} · {100 * row['found_at_1_per_100']:.1f} · {100 * row['found_at_1_per_10']:.1f}"


def write(report):
    """Write the page and the Parquet files."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{text(report)}\n{END}{after}", encoding="utf-8")
    for case, table in tables(report).items():
        pq.write_table(table, RESULTS / f"{case}.parquet", compression="zstd")


def main():
    write(results_file.read(RESULTS / "latest.json"))


if __name__ == "__main__":
    main()
