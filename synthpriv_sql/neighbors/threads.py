"""Work shared out among threads, with a place to report, to cancel and to be interrupted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

import numpy as np
from numpy.typing import NDArray

_TICK = 0.05  # seconds between two looks at `cancelled`
_SMALL = 8192  # rows that are not worth a second thread


class Cancelled(Exception):
    """The caller's `cancelled` said so; there is no result."""


def spread(rows: int, threads: int, work: Callable[[int, int], None]) -> None:
    """Call ``work(start, stop)`` for one range of rows per thread."""
    parts = max(1, min(threads, rows // _SMALL))
    ends = [rows * part // parts for part in range(parts + 1)]
    if parts == 1:
        work(0, rows)
        return
    with ThreadPoolExecutor(parts) as pool:
        for future in [pool.submit(work, *ends[part : part + 2]) for part in range(parts)]:
            future.result()


def share_out(
    total: int,
    chunk: int,
    threads: int,
    worker: Callable[[], Callable[[int, int], None]],
    stop: NDArray[np.uint8],
    report: Callable[[int, int], None],
    cancelled: Callable[[], bool] | None,
) -> None:
    """Let threads take chunks of `total` items until none is left.

    Every thread calls `worker` once and what it returns once per chunk. `stop` is set as soon as the call is cancelled,
    interrupted or fails; whoever works on a chunk is expected to look at it. `report` and `cancelled` are called from
    the calling thread, which does nothing else and so stays open to Ctrl-C.
    """
    lock = threading.Lock()
    taken = done = 0

    def work() -> None:
        nonlocal taken, done
        search = worker()
        while not stop[0]:
            with lock:
                begin, end = taken, min(taken + chunk, total)
                taken = end
            if begin == end:
                return
            search(begin, end)
            with lock:
                done += end - begin

    count = max(1, min(threads, -(-total // chunk)))
    with ThreadPoolExecutor(count) as pool:
        try:
            running = {pool.submit(work) for _ in range(count)}
            while running:
                finished, running = wait(running, timeout=_TICK, return_when=FIRST_EXCEPTION)
                for future in finished:
                    future.result()
                report(done, total)
                if running and cancelled is not None and cancelled():
                    raise Cancelled("the search was cancelled")
        finally:
            stop[0] = 1
