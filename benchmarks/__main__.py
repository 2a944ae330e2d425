"""The command: runs cases, and writes their results as Markdown and JSON into benchmarks/results/."""

import argparse
import dataclasses
import math
from pathlib import Path

from benchmarks import cite, machine, peers, results_file, where
from benchmarks.cases import ADDED_TO, ALSO, CASES

RESULTS = Path(__file__).parent / "results"


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "cases",
        nargs="*",
        metavar="CASE",
        help=f"of {', '.join(sorted({case.split(', ')[0] for case in CASES}))}; default: all",
    )
    parser.add_argument("--quick", action="store_true", help="small tables: minutes instead of an hour, other ratios")
    parser.add_argument("--name", help="name of the files in benchmarks/results/; default: latest, or quick")
    parser.add_argument("--profile", metavar="CASE", choices=where.TABLES, help="show where the time goes instead")
    parser.add_argument("--metric", default="gower", help="for --profile")
    options = parser.parse_args()
    # The name of a family selects all of its cases.
    named = {
        name: [case for case in CASES if case == name or case.startswith(f"{name}, ") or case in ALSO.get(name, ())]
        for name in options.cases
    }
    unknown = {name for name, cases in named.items() if not cases}
    if unknown:
        parser.error(f"no case is called {', '.join(sorted(unknown))}")
    if options.profile:
        where.profile(options.profile, options.metric)
        return
    name = options.name or ("quick" if options.quick else "latest")
    chosen = [case for cases in named.values() for case in cases] or list(CASES)
    before = results_file.read(RESULTS / f"{name}.json")["rows"]
    report = {"rows": [row for row in before if row["case"] not in chosen]}
    RESULTS.mkdir(exist_ok=True)
    for case in chosen:
        rows, now = [], machine.now() | {"versions": machine.versions() | peers.versions()}
        for row in CASES[case](options.quick):
            print(f"{row.case:34}{row.who:44}{f'{row.seconds:10.3f} s' if row.runs else '':12} {row.note}", flush=True)
            rows.append(row)
            if case in ADDED_TO:  # so that one that is ended has added something
                save(name, with_rows(report, before, case, described(rows, now)))
        report = with_rows(report, before, case, described(rows, now))
        # After each case, so that results are kept if a later one fails.
        save(name, report)


def with_rows(report, before, case, rows):
    """Return a report with the rows of a case, which has none so far, besides those of other runs that it keeps."""
    now = {row["who"] for row in rows}
    kept = [row for row in before if case in ADDED_TO and row["case"] == case and row["who"] not in now]
    return {"rows": sorted(report["rows"] + rows + kept, key=lambda row: list(CASES).index(row["case"]))}


def save(name, report):
    """Write the files of a report, and the page that cites it."""
    results_file.write(RESULTS / f"{name}.json", report)
    (RESULTS / f"{name}.md").write_text(markdown(report))
    if name == "latest" and {row["case"] for row in report["rows"]} & set(cite.CASES):
        cite.write(report)


def described(rows, measured):
    """Return rows with their ratios to this package, and whether the distances agree."""
    by_name = {row.who: row for row in rows if row.runs}
    ours = [row for row in rows if row.who.startswith("synthpriv") and row.runs]
    found = []
    for row in rows:
        entry = dataclasses.asdict(row) | {"median": row.seconds if row.runs else None, "ratios": {}, "agrees": None}
        entry |= {"measured": measured}
        if row.runs and row.total is not None and row not in ours:
            entry["ratios"] = {our.who: row.seconds / our.seconds for our in ours}
        same = by_name.get(row.same_as)
        if same and row.runs:
            # Peers use single precision; our own results may only differ by the order of summation.
            precision = 1e-12 if row in ours else 1e-3
            entry["agrees"] = math.isclose(same.total, row.total, rel_tol=precision)
        found.append(entry)
    return found


def markdown(report):
    lines = ["# Benchmarks", "", "Seconds are medians; a ratio says how many times longer the peer takes.", ""]
    lines += ["| case | who | seconds | ratio to | distances agree | |", "| --- | --- | ---: | --- | --- | --- |"]
    for row in report["rows"]:
        ratios = ", ".join(f"{who.removeprefix('synthpriv ')} {ratio:,.1f} ×" for who, ratio in row["ratios"].items())
        agrees = {None: "", True: "yes", False: "**no**"}[row["agrees"]]
        seconds = "" if row["median"] is None else f"{row['median']:.3f}"
        lines.append(f"| {row['case']} | {row['who']} | {seconds} | {ratios} | {agrees} | {row['note']} |")
    measured = list({(row["case"], row["measured"]["commit"]): row["measured"] for row in report["rows"]}.items())
    facts = {"machine": [], "versions": []}
    rest = f"All rows of a case in one run, on one machine, but for {', '.join(ADDED_TO)}."
    lines += ["", "## Measured", "", rest, ""]
    for (case, _), when in measured:
        of = ""
        for what, kinds in facts.items():
            if when[what] not in kinds:
                kinds.append(when[what])
            of += f", {what} {kinds.index(when[what]) + 1}"
        lines.append(f"- {case}: {when['date']}, commit {when['commit']}{of}")
    for what, kinds in facts.items():
        for number, kind in enumerate(kinds, 1):
            lines += _section(f"{what.capitalize()} {number}", kind)
    return "\n".join(lines) + "\n"


def _section(title, facts):
    items = [f"- {name}: {value if value is not None else 'not installed'}" for name, value in facts.items()]
    return ["", f"## {title}", "", *items]


if __name__ == "__main__":
    main()
