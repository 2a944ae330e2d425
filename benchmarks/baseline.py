"""The random forest baseline: seconds, memory, and the accuracy of its predictions with fewer records per tree.

`python -m benchmarks.baseline` prints the out-of-bag error of every column with the default and with all records, for
docs/decisions/0006; `python -m benchmarks.baseline TABLE ROWS` measures one call in this process.
"""

import json
import sys
import time

import numpy as np
import pyarrow as pa

import synthpriv_sql
from benchmarks import data, machine

ALL = 2**31 - 1
"""A sample as large as the table: the behavior of the baseline before it used fewer records."""


def prepare(session, name, rows):
    """Create the table `train`: a real one, or one of the search benchmarks."""
    make = {"acs": data.acs, "mixed": data.mixed, "numbers": data.skewed_numbers}
    if name == "adult":
        data.adult(session, 0, rows)
    else:
        make[name](session, rows)
    session.connection.execute("CREATE OR REPLACE TABLE train AS FROM reference")


def baseline(session, sample=None, trees=100):
    """Create the table `result` of out-of-bag predictions; return the seconds."""
    option = "" if sample is None else f", sample := {sample}"
    start = time.perf_counter()
    session.connection.execute(
        "CREATE OR REPLACE TABLE result AS "
        f"FROM synthpriv.baseline('train', p := 1, out_of_bag := true, trees := {trees}{option})"
    )
    return time.perf_counter() - start


def errors(session):
    """The error by column: for categories the share of errors, for numbers the mean squared error / variance."""
    found = {}
    tables = [session.connection.sql(f"FROM {name}").to_arrow_table() for name in ("train", "result")]
    for name in tables[0].column_names:
        truth, said = (table[name].combine_chunks() for table in tables)
        if pa.types.is_string(truth.type):
            known = np.array(truth.is_valid())
            truth, said = (np.array(column.to_pylist(), object)[known] for column in (truth, said))
            found[name] = float((truth != said).mean())
        else:
            truth, said = (
                column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) for column in (truth, said)
            )
            known = ~np.isnan(truth)
            truth, said = truth[known], said[known]
            found[name] = float(np.square(said - truth).mean() / truth.var())
    return found


def quality(name, rows, trees=100):
    """Seconds and errors with the default, and with all records."""
    with synthpriv_sql.connect() as session:
        prepare(session, name, rows)
        for sample in (None, ALL):
            seconds = baseline(session, sample, trees)
            yield seconds, errors(session)


def main():
    if len(sys.argv) > 1:
        with synthpriv_sql.connect() as session:
            prepare(session, sys.argv[1], int(sys.argv[2]))
            before = machine.most()
            seconds = baseline(session)
            print(json.dumps({"seconds": seconds, "before": before, "peak": machine.most()}))
        return
    for name in ("adult", "acs"):
        fewer, every = (found for _, found in quality(name, 15_000))
        print(f"| {name} | default | all records |\n| --- | ---: | ---: |")
        for column, error in fewer.items():
            print(f"| {column} | {error:.4f} | {every[column]:.4f} |")


if __name__ == "__main__":
    main()
