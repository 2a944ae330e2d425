"""The constants by which a search chooses its way, measured anew on this machine: `make tune`.

They stand in synthpriv_sql/kernels/knn/costs.py and dispatch.py; what is printed is to be written there by hand. Only
their ratios matter, so a machine that is twice as fast at all of it needs no change. One thread, processor time, the
least of several runs: other work on the machine makes all of them larger. A distance is measured with all that leads to
it, such as a run of blocks that is multiplied once more; the constant in the source is the distance alone.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

from synthpriv_sql.kernels import Columns, Distance, Neighbors
from synthpriv_sql.kernels.blocks import state
from synthpriv_sql.kernels.knn import brute, build, costs, dispatch, pairs, products, scan
from synthpriv_sql.kernels.layout import records
from synthpriv_sql.kernels.threads import SearchOptions, Workers

RUNS = 5
ROWS = 8_192
NARROW, WIDE = 8, 128  # numbers of a row: what grows with them is the slope between the two

LOAD = """
import numpy as np
from synthpriv_sql.kernels import Columns, Distance, search
table = Columns((np.arange(300.0),), ((np.arange(300) % 5).astype(np.int32),), 300)
search(table, table, Distance(1, False, 1.0, (1.0,), (1.0,), 1.0, False), 1)
"""
COMPILE = "from synthpriv_sql.kernels.knn import compiling; compiling.compile_kernel()"


def seconds(work):
    """The least processor time of several runs."""
    best = np.inf
    for _ in range(RUNS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def table(rows, numbers, seed):
    return Columns(tuple(np.random.default_rng(seed).normal(size=(numbers, rows))), (), rows)


class Case:
    """Normals to be searched both ways."""

    def __init__(self, rows, numbers, k=1, queries=1_008):
        distance = Distance(2, False, 1.0, (1.0,) * numbers, (), 1.0, True)
        self.fitted = build.fit(records(table(rows, numbers, 0), distance), distance, 0, Workers(SearchOptions(1)))
        asked = records(table(queries, numbers, 1), distance)
        encoded = self.fitted.encoder.encode(asked)
        self.queries = state.Queries(np.arange(queries), *encoded, asked.numeric, asked.codes)
        self.distance, self.count, self.k, self.stop = distance, queries, k, np.zeros(1, np.uint8)

    def nothing_found(self):
        return Neighbors(np.full((self.count, self.k), state.NONE), np.full((self.count, self.k), np.inf))

    def brute_force(self):
        """Nanoseconds of a query, and how many distances it computes."""
        values = self.fitted.encoded.values
        step = brute.step_of_8(brute.extent(values).most)
        rows = brute.pack_rows(self.fitted, np.arange(len(values)), 8, step, 1)
        queries = brute.pack_queries(self.queries, self.queries.order, 8, step, 1)
        scratch, near = brute.make_scratch(rows, self.k), []

        def work():
            found = self.nothing_found()
            near.append(brute.search_pairs(0, self.count, queries, rows, self.fitted.metric, scratch, found, self.stop))

        return seconds(work) / self.count * 1e9, near[0] / self.count

    def grow(self):
        """Nanoseconds of a row."""
        grown = []
        spent = seconds(lambda: grown.append(build.grow(self.fitted, self.distance, Workers(SearchOptions(1)))))
        self.grown = grown[0]
        return spent / self.fitted.table.rows * 1e9

    def blocks(self):
        """Nanoseconds of a query, and how many blocks it visits."""
        kept, visited = build.make_state(self.grown.blocks, self.count, self.k), []
        tiles = products.make_tiles(self.grown.half_norms, self.count, len(self.distance.numeric_weights))

        def work():
            visited.append(
                scan.search_batches(
                    0, self.count, self.count, self.queries, self.grown.blocks, self.fitted.metric, kept, tiles, None,
                    self.nothing_found(), self.stop,
                )
            )  # fmt: skip

        return seconds(work) / self.count * 1e9, visited[0] / self.count


def brute_force():
    """Products, by the words of a row; then distances, of which a search for more neighbors computes more."""
    narrow, wide = Case(ROWS, NARROW), Case(ROWS, WIDE)
    (few, _), (many, _) = narrow.brute_force(), wide.brute_force()
    words = [brute.words_of(numbers, 8) for numbers in (NARROW, WIDE)]
    per_word = (many - few) / ROWS / (words[1] - words[0])
    alone, _ = Case(64, NARROW).brute_force()
    distances = []
    for numbers in (NARROW, WIDE):
        one, several = Case(ROWS, numbers).brute_force(), Case(ROWS, numbers, 8).brute_force()
        distances.append((several[0] - one[0]) / (several[1] - one[1]))
    yield "NANOSECONDS_PER_PAIR", max(few / ROWS - per_word * words[0], 0.0)
    yield "NANOSECONDS_PER_PAIR_AND_WORD", per_word
    yield "NANOSECONDS_PER_QUERY_AND_SET", alone
    per_number = (distances[1] - distances[0]) / (WIDE - NARROW)
    yield "NANOSECONDS_PER_DISTANCE", max(distances[0] - per_number * NARROW, 0.0)
    yield "NANOSECONDS_PER_DISTANCE_AND_NUMBER", per_number


def blocks():
    """Growing by the numbers of a row; visits by a small and a large reference of which bounds exclude nothing."""
    narrow, wide, small = Case(ROWS, NARROW), Case(ROWS, WIDE), Case(ROWS // 8, WIDE)
    few, many, _ = narrow.grow(), wide.grow(), small.grow()
    per_number = (many - few) / (WIDE - NARROW)
    yield "NANOSECONDS_PER_ROW_GROWN", max(few - per_number * NARROW, 0.0)
    yield "NANOSECONDS_PER_ROW_GROWN_AND_NUMBER", per_number
    (least, fewest), (most, visits) = small.blocks(), wide.blocks()
    per_block = (most - least) / (visits - fewest) / WIDE
    yield "NANOSECONDS_PER_QUERY_OF_BLOCKS", max(least - per_block * fewest * WIDE, 0.0)
    yield "NANOSECONDS_PER_BLOCK_AND_NUMBER", per_block


def in_a_process(code, **environment):
    """Processor time of a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], env=os.environ | environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def numpy_first():
    """Pairs times columns that NumPy compares in the seconds that loading, or compiling, takes."""
    distance = Distance(1, False, 1.0, (1.0,) * NARROW, (), 1.0, False)
    queries, reference = table(1_000, NARROW, 0), table(2_000, NARROW, 1)
    rate = 1_000 * 2_000 * NARROW / seconds(lambda: pairs.search(queries, reference, distance, 2))
    importing = min(in_a_process("import numpy, synthpriv_sql.kernels") for _ in range(RUNS))
    in_a_process(LOAD)
    yield "PAIR_COLUMNS_WHILE_LOADING", rate * (min(in_a_process(LOAD) for _ in range(RUNS)) - importing)
    with tempfile.TemporaryDirectory() as empty:
        yield "PAIR_COLUMNS_WHILE_COMPILING", rate * (in_a_process(COMPILE, NUMBA_CACHE_DIR=empty) - importing)


def main():
    print(f"{'constant':38} {'in the source':>14} {'measured here':>14}")
    for module, measured in ((costs, brute_force), (costs, blocks), (dispatch, numpy_first)):
        for name, value in measured():
            print(f"{name:38} {getattr(module, name):>14,.4g} {value:>14,.4g}", flush=True)


if __name__ == "__main__":
    main()
