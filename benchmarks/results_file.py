"""The file of results: rows, and once each the machines and versions by which they were measured."""

import json


def read(path):
    """Return a report as it was written; no rows where there is no file."""
    if not path.exists():
        return {"rows": []}
    kept = json.loads(path.read_text(encoding="utf-8"))
    return {"rows": [row | {"measured": kept["measured"][row["measured"]]} for row in kept["rows"]]}


def write(path, report):
    """Write a report that `read` returns."""
    measured = []
    rows = []
    for row in report["rows"]:
        if row["measured"] not in measured:
            measured.append(row["measured"])
        rows.append(row | {"measured": measured.index(row["measured"])})
    path.write_text(json.dumps({"measured": measured, "rows": rows}, indent=2, ensure_ascii=False) + "\n")
