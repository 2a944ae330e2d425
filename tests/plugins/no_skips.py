"""A skipped test fails: `make test` turns this pytest plugin on where CI=true, so that nothing is left out unseen."""

from collections.abc import Generator
from typing import TypeVar

import pytest

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

# Reasons for which a test may be skipped in CI as well, word for word.
ALLOWED: frozenset[str] = frozenset()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _fail_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _fail_if_skipped((yield))


def _fail_if_skipped(report: Report) -> Report:
    expected_failure = hasattr(report, "wasxfail")
    if report.skipped and not expected_failure:
        _, _, reason = report.longrepr
        reason = reason.removeprefix("Skipped: ")
        if reason not in ALLOWED:
            report.outcome = "failed"
            report.longrepr = f"{report.nodeid} was skipped, and in CI it must run: {reason}"
    return report
