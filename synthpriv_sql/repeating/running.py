"""Executes runs sequentially in this process, or concurrently in several; each finished run is saved."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, Protocol

import pyarrow as pa

from synthpriv_sql.api.opening import connect
from synthpriv_sql.api.session import Session
from synthpriv_sql.errors import OptionError, SynthprivError, about
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.progress import Progress
from synthpriv_sql.repeating.kept import Kept
from synthpriv_sql.results.watching.progress import bar


class Work(Protocol):
    """The work of each run."""

    def __call__(self, session: Session, seed: int) -> pa.Table:
        """Return the rows of the run of a seed."""

    def called(self, seed: int) -> str:
        """Return the name of the run of a seed in messages."""


@dataclass
class Runs:
    """The configuration of the runs.

    ``threads`` are those of DuckDB in each process; by default all cores divided by the number of processes.
    """

    work: Work
    kept: Kept
    workers: int = 1
    threads: int | None = None
    progress: Progress | bool | None = None
    _done: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise OptionError(f"{wording.refused('workers', self.workers)} is not at least 1")
        if self.workers > 1:
            _check_portable(self.work)

    def rows(self, seeds: Iterable[int]) -> dict[int, pa.Table]:
        """Return the rows of each seed: saved ones, and those of the others, which are run.

        Raises
        ------
        SynthprivError
            A run failed; finished runs are saved.
        """
        seeds = list(seeds)
        kept = self.kept.read()
        found = {seed: kept[seed] for seed in seeds if seed in kept}
        left = [seed for seed in seeds if seed not in found]
        with _shown(self.progress) as report:
            self._done = len(found)
            for seed, rows in self._run(left) if left else ():
                self.kept.add(seed, rows)
                found[seed] = rows
                self._done += 1
                if report is not None:
                    report(self._done, len(seeds), f"{self._done} of {len(seeds)} runs")
        return {seed: found[seed] for seed in seeds}

    def _run(self, seeds: list[int]) -> Iterator[tuple[int, pa.Table]]:
        workers = min(self.workers, len(seeds))
        threads = self.threads or max((os.cpu_count() or 1) // workers, 1)
        if workers == 1:
            with connect(threads=threads) as session:
                for seed in seeds:
                    yield seed, _named(self.work, session, seed)
            return
        given = (self.work, threads, wording.current(), os.environ.get(_SAFE_PATH))
        with ExitStack() as stack:
            with _importing_nothing_here():  # processes start with the pool, and when a run is submitted
                # A fork would copy locks held by DuckDB threads.
                pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin, given)
                stack.callback(pool.shutdown, wait=True, cancel_futures=True)
                waiting = {pool.submit(_do, seed): seed for seed in seeds}
            failed: SynthprivError | None = None
            for future in as_completed(waiting):
                if future.cancelled():
                    continue
                try:
                    rows = future.result()
                except BrokenProcessPool as error:
                    raise OptionError(
                        "a worker process ended before its run was finished. A script that uses workers must start "
                        'under if __name__ == "__main__":, with its functions defined above, and the processes need '
                        "memory for that many concurrent runs"
                    ) from error
                except SynthprivError as error:
                    failed = failed or error
                    for other in waiting:
                        other.cancel()
                    continue
                yield waiting[future], rows
            if failed is not None:
                raise failed


_here: dict[str, Any] = {}
"""The work and session of this process."""


_SAFE_PATH = "PYTHONSAFEPATH"


@contextmanager
def _importing_nothing_here() -> Iterator[None]:
    """Have processes that start meanwhile take no module from the current folder before they get the path of this one.

    They begin with ``python -c``, which looks for ``multiprocessing`` in the current folder first.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        _restore_safe_path(before)


def _restore_safe_path(before: str | None) -> None:
    if before is None:
        os.environ.pop(_SAFE_PATH, None)
    else:
        os.environ[_SAFE_PATH] = before


def _begin(work: Work, threads: int, surface: wording.Surface, safe_path: str | None) -> None:
    _restore_safe_path(safe_path)
    _here.update(work=work, session=connect(threads=threads), surface=surface)


def _do(seed: int) -> pa.Table:
    with wording.spoken(_here["surface"]):
        return _named(_here["work"], _here["session"], seed)


def _named(work: Work, session: Session, seed: int) -> pa.Table:
    """Do the work, and prefix errors with the name of the run."""
    try:
        return work(session, seed)
    except SynthprivError as error:
        raise about(work.called(seed), error) from error.__cause__


def _check_portable(work: Work) -> None:
    """Raise an error if the work cannot be pickled for other processes."""
    try:
        pickle.dumps(work)
    except Exception as error:
        raise OptionError(
            f"the synthesizer, or an attack, cannot be sent to other processes ({error}): give named functions from a "
            "file, or workers=1"
        ) from None
    if b"__main__" in pickle.dumps(work) and not getattr(sys.modules["__main__"], "__file__", None):
        raise OptionError(
            "the synthesizer, or an attack, was defined interactively, so other processes cannot import it: put it "
            "into a module, or use workers=1"
        )


@contextmanager
def _shown(progress: Progress | bool | None) -> Iterator[Progress | None]:
    if progress is not True:
        yield progress or None
        return
    with bar() as drawn:
        drawn.expect(1)
        yield drawn
