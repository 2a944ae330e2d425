"""A skipped test fails: make turns this pytest plugin on where CI=true, so that nothing is left out unseen."""

from collections.abc import Generator
from typing import TypeVar

import pytest

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


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
        report.outcome = "failed"
        reason = reason.removeprefix("Skipped: ")
        report.longrepr = f"{report.nodeid} was skipped, and in CI it must run: {reason}"
    return report
