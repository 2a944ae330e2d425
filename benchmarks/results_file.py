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
    # A line for each: a row that was measured again is one line of a diff.
    lists = {
        name: ",\n".join(json.dumps(one, ensure_ascii=False) for one in those)
        for name, those in (("measured", measured), ("rows", rows))
    }
    text = ",\n".join(f'"{name}": [\n{lines}\n]' for name, lines in lists.items())
    path.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
