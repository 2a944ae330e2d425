"""Work divided among threads that report progress and can be cancelled or interrupted."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

ProgressCallback = Callable[[int, int], None]
"""Called with the work done and the total, from the calling thread."""
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_TICK = 0.05  # seconds between two looks at `cancelled`
SMALL = 8192  # rows that are not worth a second thread


class Cancelled(Exception):
    """The caller's `cancelled` said so; there is no result."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search runs and who follows it: options that change time and memory, never results.

    Parameters
    ----------
    threads : int, optional
        Threads to use; all processors by default.
    shard_rows : int, optional
        Searches that build an index: rows of it at a time. They search one shard after the other, to bound memory.
    progress : callable, optional
        Called with (done, total), in what the search counts (queries times shards, or combinations), from the calling
        thread.
    cancelled : callable, optional
        Asked about twenty times a second, from the calling thread; true ends the search with `Cancelled`.
    """

    threads: int | None = None
    shard_rows: int | None = None
    progress: ProgressCallback | None = None
    cancelled: Callable[[], bool] | None = None

    @property
    def thread_count(self) -> int:
        """The number of threads, also where none is given."""
        return self.threads or os.cpu_count() or 1

    def shards(self, rows: int) -> range:
        """Return the first row of each shard of a table with so many rows."""
        return range(0, rows, max(1, min(self.shard_rows or rows, rows)))

    def report(self, done: int, total: int) -> None:
        """Call the progress callback, if there is one."""
        if self.progress is not None:
            self.progress(done, total)


def distribute(rows: int, threads: int, work: Callable[[int, int], None]) -> None:
    """Call ``work(start, stop)`` for one range of rows per thread."""
    parts = max(1, min(threads, rows // SMALL))
    ends = [rows * part // parts for part in range(parts + 1)]
    if parts == 1:
        work(0, rows)
        return
    with ThreadPoolExecutor(parts) as pool:
        for future in [pool.submit(work, *ends[part : part + 2]) for part in range(parts)]:
            future.result()


def each(items: Iterable[_Item], threads: int, work: Callable[[_Item], _Result]) -> list[_Result]:
    """Return ``work(item)`` for all items, in their order."""
    if threads == 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, items))


def together(rows: int, threads: int, *works: Callable[[], Any]) -> list[Any]:
    """Call `works`, each of which goes over so many rows, in several threads; return their results."""
    return each(works, threads if rows > SMALL else 1, lambda work: work())


class Workers:
    """Threads that work for a caller who follows, cancels or interrupts them.

    The calling thread only waits, reports and asks `cancelled`, about twenty times a second, and so stays open to
    Ctrl-C. `stop[0]` is set as soon as the work is cancelled, interrupted or fails; the work polls it.
    """

    def __init__(self, options: SearchOptions = SearchOptions()) -> None:
        self.stop = np.zeros(1, np.uint8)
        self.threads = options.thread_count
        self._options = options

    def raise_if_stopped(self) -> None:
        """Raise `Cancelled`, from inside the work, once it has been stopped."""
        if self.stop[0]:
            raise Cancelled("the search was cancelled")

    def run(
        self, count: int, work: Callable[[], object], tick: Callable[[], None] = lambda: None, here: bool = False
    ) -> None:
        """Run `work` in `count` threads and wait for all of them; or `here`, where it takes less than a thread does."""
        if here:
            work()
            tick()
            return
        with ThreadPoolExecutor(count) as pool:
            try:
                running = {pool.submit(work) for _ in range(count)}
                while running:
                    finished, running = wait(running, timeout=_TICK, return_when=FIRST_EXCEPTION)
                    for future in finished:
                        future.result()
                    tick()
                    cancelled = self._options.cancelled
                    if running and cancelled is not None and cancelled():
                        raise Cancelled("the search was cancelled")
            except BaseException:
                self.stop[0] = 1
                raise

    def run_chunks(
        self,
        total: int,
        chunk: int,
        worker: Callable[[], Callable[[int, int], None]],
        *,
        report: ProgressCallback | None = None,
        here: bool = False,
    ) -> None:
        """Have threads take chunks of `total` items until none is left; or `here`, as in `run`.

        Every thread calls `worker` once, and what it returns once per chunk. `report` stands in for the progress
        callback, where these items are a part of what is counted.
        """
        report = report or self._options.report
        lock = threading.Lock()
        taken = done = 0

        def work() -> None:
            nonlocal taken, done
            search = worker()
            while not self.stop[0]:
                with lock:
                    begin, end = taken, min(taken + chunk, total)
                    taken = end
                if begin == end:
                    return
                search(begin, end)
                with lock:
                    done += end - begin

        self.run(max(1, min(self.threads, -(-total // chunk))), work, lambda: report(done, total), here)
