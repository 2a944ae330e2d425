"""CPU time of each test and file, the most expensive first: `pytest -p processor_time`; SHOWN=60 lists that many.

Suites that run beside each other share the cores, so durations say little. Processes that a test starts are counted,
those that still run (a server) as well as those that have ended.
"""

import os
from collections import Counter
from pathlib import Path

import pytest

TICKS = os.sysconf("SC_CLK_TCK")
SHOWN = 15
SPENT: Counter[str] = Counter()
TOTALS: list[float] = []


def _of_children() -> float:
    """CPU seconds of all descendants of this process that still run."""
    spent, parents = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        spent[process := int(stat.parent.name)] = sum(map(int, fields[11:15])) / TICKS
        parents[process] = int(fields[1])
    found, ours = 0.0, {os.getpid()}
    while ours := {process for process, parent in parents.items() if parent in ours}:
        found += sum(spent[process] for process in ours)
    return found


def _now() -> float:
    return sum(os.times()[:4]) + _of_children()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    before = _now()
    try:
        return (yield)
    finally:
        SPENT[item.nodeid.partition("@")[0]] += _now() - before


def pytest_sessionfinish(session):
    """A process of pytest-xdist hands its numbers over."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["processor_time"] = [dict(SPENT), _now()]


class Workers:
    """Gathers the numbers of the processes of pytest-xdist."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        spent, total = node.workeroutput.get("processor_time", ({}, 0.0))
        SPENT.update(spent)
        TOTALS.append(total)


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Workers())


def pytest_terminal_summary(terminalreporter):
    shown = int(os.environ.get("SHOWN", SHOWN))
    files = Counter()
    for test, seconds in SPENT.items():
        files[test.partition("::")[0]] += seconds
    total = sum(TOTALS) or _now()
    terminalreporter.section(f"CPU time: {total:.0f} s, {SPENT.total():.0f} s of it in tests")
    for spent in (SPENT, files):
        for name, seconds in spent.most_common(shown):
            terminalreporter.write_line(f"{seconds:8.1f}  {name}")
        terminalreporter.write_line("")
