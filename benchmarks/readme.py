"""The table of the README, from benchmarks/results/latest.json: `python -m benchmarks.readme` updates it."""

import json
from pathlib import Path

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "latest.json"
README = ROOT / "README.md"
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


def main():
    before, _, rest = README.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(before + BEGIN + "\n" + table(json.loads(RESULTS.read_text())) + "\n" + END + after)


if __name__ == "__main__":
    main()
