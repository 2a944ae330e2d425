"""The peak throughput of the kernel's loops on this CPU: `python -m benchmarks.peak`.

Eight rows of bitmaps, 512 records each, are counted repeatedly: from the L1 cache, where additions are the bottleneck,
and at random positions of tables as large as the L2 cache, the L3 cache and memory, where loads are.
"""

import time

import numpy as np

from synthpriv_sql.kernels.jit import I32, U64, kernel
from synthpriv_sql.kernels.simd.lanes import MOST, PLANES, count_mismatches

BITMAPS = 32  # of 64 bytes each, a record's bit in each
TIMES = 200_000


@kernel
def _count(bits: U64, offsets: I32, rows: I32, within: U64, planes: U64) -> int:
    found = 0
    for i in range(len(offsets)):
        found += count_mismatches(bits, np.int64(offsets[i]) * 8, rows, len(rows), MOST // 2, within, planes)
    return found


def measure(size):
    """Seconds for one count of 512 records in a table of `size` bytes."""
    rng = np.random.default_rng(0)
    lines = size // 64
    bits = rng.integers(0, 2**63, lines * 8, np.int64).view(np.uint64)
    rows = rng.permutation(max(BITMAPS, min(lines, 1024)))[:BITMAPS].astype(np.int32) % lines
    offsets = rng.integers(0, max(lines - rows.max(), 1), TIMES).astype(np.int32)
    within, planes = np.zeros(8, np.uint64), np.zeros(8 * PLANES, np.uint64)
    _count(bits, offsets[:10], rows, within, planes)
    runs = []
    for _ in range(5):
        start = time.perf_counter()
        _count(bits, offsets, rows, within, planes)
        runs.append(time.perf_counter() - start)
    return sorted(runs)[2] / TIMES


def main():
    print("| table | ns per 512 records and 32 bitmaps | records and bitmaps per ns | GB/s read |")
    print("| --- | ---: | ---: | ---: |")
    for name, size in (("2 KB", 2048), ("16 KB", 1 << 14), ("64 KB", 1 << 16), ("1 MB", 1 << 20), ("16 MB", 1 << 24)):
        seconds = measure(size)
        pairs, read = 512 * BITMAPS, 64 * BITMAPS
        print(f"| {name} | {seconds * 1e9:.0f} | {pairs / seconds / 1e9:.0f} | {read / seconds / 1e9:.0f} |")


if __name__ == "__main__":
    main()
