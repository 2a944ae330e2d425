"""Discernibility of 10 million rows, compared with the bare GROUP BY in DuckDB, and with pandas and pycanon.

    python benchmarks/discernibility.py [--rows 10000000] [--repeat 7] [--threads N] [--json FILE]

Prints a Markdown table. The contestants take turns, so that other load on the machine affects all of them; shown are
medians, and the median of the ratios of each turn. pandas and pycanon are left out if they are not installed.
"""

import argparse
import importlib.util
import json
import platform
import statistics
import sys
import time
from pathlib import Path

import duckdb

import synthpriv_sql

SEED = 7
# Like a register of people: numbers, texts, a date and missing values; over all columns about 3 rows per class.
PEOPLE = """
CREATE TABLE people AS
WITH profiles AS (
  SELECT CAST(hash(i, $seed) % ($rows * 3 // 10) AS BIGINT) AS person
  FROM range($rows) AS rows(i)
),
draws AS (
  SELECT list_transform(range(8), lambda place: CAST(hash(person, place) % 1000000007 AS BIGINT)) AS draw
  FROM profiles
)
SELECT
  CAST(18 + draw[1] % 73 AS UTINYINT) AS age,
  CASE draw[2] % 20 // 9 WHEN 0 THEN 'female' WHEN 1 THEN 'male' END AS sex,
  CAST(10000 + draw[3] % 400 AS INTEGER) AS zip,
  'education ' || draw[4] % 16 AS education,
  'job ' || draw[5] % 30 AS occupation,
  DATE '1990-01-01' + CAST(draw[6] % 36 * 30 AS INTEGER) AS joined,
  draw[7] % 2 = 0 AS married,
  CAST(draw[8] % 12 * 2500 AS DOUBLE) AS income
FROM draws
"""
QUASI_IDENTIFIERS = {
    3: ["age", "sex", "zip"],
    8: ["age", "sex", "zip", "education", "occupation", "joined", "married", "income"],
}


def bare(session, names):
    """The minimum work of counting classes; it returns a single row, so that no result has to be transferred."""
    grouped = f"SELECT count(*) AS size FROM people GROUP BY {', '.join(names)}"
    return session.connection.execute(f"SELECT max(size), count(*) FROM ({grouped})").fetchall()


def method(session, names):
    return session.discernibility("people", names, k=5).fetchall()


def in_sql(session, names):
    return session.connection.execute(f"FROM synthpriv.discernibility('people', {names}, k := 5)").fetchall()


def pandas_groupby(frame, names):
    sizes = frame.groupby(names, dropna=False, observed=True, sort=False).size()
    below = int(sizes[sizes < 5].sum())
    return int((sizes[sizes >= 5].astype("int64") ** 2).sum()) + below * len(frame)


def pycanon_k(frame, names):
    from pycanon import anonymity

    return anonymity.k_anonymity(frame, names)


def timed(function, *arguments):
    begin = time.perf_counter()
    value = function(*arguments)
    return time.perf_counter() - begin, value


def measure(session, count, repeat, frame):
    """Seconds of each contestant in each turn, for `count` quasi-identifiers."""
    names = QUASI_IDENTIFIERS[count]
    contestants = {
        "GROUP BY of DuckDB alone": bare,
        "Session.discernibility": method,
        "synthpriv.discernibility": in_sql,
    }
    values = {label: run(session, names) for label, run in contestants.items()}  # warm: pages and catalog
    assert values["Session.discernibility"] == values["synthpriv.discernibility"]
    seconds = {label: [] for label in contestants}
    for turn in range(repeat):
        # Vary the order, so that nobody always follows the same contestant.
        order = list(contestants)[turn % 3 :] + list(contestants)[: turn % 3]
        for label in order:
            seconds[label].append(timed(contestants[label], session, names)[0])
    if frame is not None:
        runs = [timed(pandas_groupby, frame, names) for _ in range(min(repeat, 3))]
        assert runs[0][1] == values["Session.discernibility"][0][0]
        seconds["pandas groupby"] = [second for second, _ in runs]
        if importlib.util.find_spec("pycanon"):
            seconds["pycanon k_anonymity"] = [timed(pycanon_k, frame.head(len(frame) // 100), names)[0]]
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--no-frames", action="store_true", help="leave out pandas and pycanon")
    parser.add_argument("--json", type=Path, help="also write the numbers to this file")
    given = parser.parse_args()
    config = {"threads": given.threads} if given.threads else {}
    results = []
    with synthpriv_sql.connect(**config) as session:
        session.connection.execute(PEOPLE, {"rows": given.rows, "seed": SEED})
        frame = None if given.no_frames else session.connection.table("people").to_df()
        threads = session.connection.execute("SELECT current_setting('threads')").fetchone()[0]
        for count in QUASI_IDENTIFIERS:
            seconds = measure(session, count, given.repeat, frame)
            base = seconds["GROUP BY of DuckDB alone"]
            for label, runs in seconds.items():
                turns = zip(runs, base, strict=False)
                results.append(
                    {
                        "rows": given.rows // 100 if label.startswith("pycanon") else given.rows,
                        "quasi_identifiers": count,
                        "contestant": label,
                        "seconds": round(statistics.median(runs), 4),
                        "least_seconds": round(min(runs), 4),
                        "runs": len(runs),
                        "ratio": round(statistics.median(run / bare_run for run, bare_run in turns), 3),
                    }
                )
    facts = {"duckdb": duckdb.__version__, "python": platform.python_version(), "threads": threads, "seed": SEED}
    print(f"DuckDB {facts['duckdb']}, Python {facts['python']}, {threads} threads\n")
    print("| quasi-identifiers | rows | contestant | median s | least s | runs | × GROUP BY alone |")
    print("| ---: | ---: | --- | ---: | ---: | ---: | ---: |")
    for row in results:
        ratio = f"{row['ratio']:.2f}" if row["rows"] == given.rows else "(fewer rows)"
        print(
            f"| {row['quasi_identifiers']} | {row['rows']:,} | {row['contestant']} | {row['seconds']:.3f} "
            f"| {row['least_seconds']:.3f} | {row['runs']} | {ratio} |"
        )
    if given.json:
        given.json.write_text(json.dumps({**facts, "results": results}, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
