"""Five numbers of the README and the speeds in docs/benchmark.md, from benchmarks/results/latest.json.

``python -m benchmarks.readme`` writes both.
"""

import re
from pathlib import Path

from benchmarks import results_file

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "latest.json"
README = ROOT / "README.md"
PAGE = ROOT / "docs" / "benchmark.md"
BEGIN, END = "<!-- benchmarks -->\n", "<!-- end of benchmarks -->\n"

WORK = {
    "adult": "Adult, 50,000 × 24,421, 15 columns",
    "acs": "ACS, 147,621 twice, 32 columns",
    "acs-numbers": "its 4 numeric columns",
    "acs-categories": "its 28 categories",
    "numbers": "24 correlated numbers, 100,000 twice",
    "dcr": "Adult, 5,000 twice",
    "dense, 16 normals": "16 independent numbers, 20,000 twice",
    "dense, 128 normals": "128 independent numbers, 20,000 twice",
    "dense, 10 normals, 1,000 rows": "10 independent numbers, 1,000 twice",
    "dense, 10 normals, 100,000 rows": "10 independent numbers, 100,000 twice",
    "exposure": "Who of Adult can be named, 48,842 × 50,000",
    "exposure-acs": "Who of ACS can be named, 295,242 × 147,621",
}


def numbers(report):
    """The five numbers that matter most, a line each, with the page that has the others of their kind."""
    rows = {(row["case"], row["who"]): row for row in report["rows"]}
    auc = {who: _auc(row) for (case, who), row in rows.items() if case == "attacks" and "adult_synthpop" in who}
    sample = {who: number for who, number in auc.items() if "all of" not in who}
    others = max(number for who, number in sample.items() if not who.startswith("synthpriv"))
    ours = max(number for who, number in sample.items() if who.startswith("synthpriv"))
    named = [row for (case, _), row in rows.items() if case == "names"]
    most = max(float(re.search(r"([\d.]+) % of them falsely", row["note"])[1]) for row in named)
    alarms = [re.search(r"in (\d+) of (\d+) draws", row["note"]).groups() for row in named]
    leaks = rows["verdict", "leaks that an attack tells with an AUC above 0.6"]["note"]
    safe = re.match(r"not bad ([\d,]+ of [\d,]+)", rows["verdict", "safe draws"]["note"])[1]
    acs, faiss = rows["acs", "synthpriv gower"], rows["acs", "faiss IndexFlatL2"]
    large = rows["growth", "synthpriv gower 10,000,000, limit 8GB"]
    lines = [
        (
            f"{auc['synthpriv learned, all of adult_synthpop']:.3f}",
            "AUC of membership inference (0.5 is guessing) on all rows of a published table of synthpop; the best of "
            f"nine published attacks reaches {others:.3f} on its usual sample, ours {ours:.3f}",
            "Attacks",
        ),
        (
            f"≤ {most:g} %",
            "of the people named at a false discovery rate of 5 % are named falsely, on average over draws; without a "
            f"leak somebody is named in {sum(int(a) for a, _ in alarms)} of {sum(int(n) for _, n in alarms):,} draws",
            "Names",
        ),
        (
            leaks.removeprefix("bad "),
            "tables with a leak that an attack tells (AUC above 0.6) get the verdict bad; "
            f"{safe} draws of safe tables do not",
            "Verdicts",
        ),
        (
            f"{faiss['ratios']['synthpriv gower']:.0f} ×",
            f"the speed of faiss's exact index, on mixed columns: 147,621 × 147,621 records in {acs['median']:.1f} s "
            "on two cores; on small dense tables faiss is faster",
            "Speed",
        ),
        (
            f"{large['median']:.0f} s",
            "for the exact nearest neighbors of 10,000,000 records among 10,000,000, 14 mixed columns, within "
            f"{large['note'].removeprefix('peak ').partition(',')[0]} of memory, on two cores",
            "Speed",
        ),
    ]
    said = [f"| **{number}** | {what} | [{at}](docs/benchmark.md#{at.lower()}) |" for number, what, at in lines]
    return "\n".join(["| | | source |", "| ---: | --- | --- |", *said]) + "\n"


def _auc(row):
    return float(re.search(r"AUC ([\d.]+)", row["note"])[1])


def table(report):
    """One line for each of our searches and each peer of its case, and for measurements without a peer."""
    lines = ["| records | this | seconds | peer | seconds | times |", "| --- | --- | ---: | --- | ---: | ---: |"]
    rows = report["rows"]
    for case, work in WORK.items():
        peers = [row for row in rows if row["case"] == case and row["ratios"]]
        for ours in (row for row in rows if row["case"] == case and row["who"].startswith("synthpriv")):
            for peer in peers:
                if len(peers) > 1 and peer["same_as"] not in ("", ours["who"]):
                    continue  # the other of our metrics computes the same distances
                metric = ours["who"].removeprefix("synthpriv ")
                seconds, times = _short(peer["median"]), _short(peer["ratios"][ours["who"]])
                lines.append(f"| {work} | {metric} | {_short(ours['median'])} | {peer['who']} | {seconds} | {times} |")
    return "\n".join(lines) + "\n"


def _short(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def shown(page):
    """What a page shows of the measurements."""
    return page.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].strip()


def main():
    report = results_file.read(RESULTS)
    for page, said in ((README, numbers(report)), (PAGE, table(report))):
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        page.write_text(f"{before}{BEGIN}\n{said}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
