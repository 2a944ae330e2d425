"""Test results for continuous integration: JUnit XML of what was required, or of why nothing could be said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from xml.etree import ElementTree

from synthpriv_sql.visible import markup


class Checked(Protocol):
    """A requirement, and whether it is met."""

    @property
    def holds(self) -> bool:
        """Whether it is met."""

    @property
    def titled(self) -> str:
        """The requirement."""

    @property
    def name(self) -> str:
        """The number that it is about."""

    @property
    def why(self) -> str:
        """What the number means, or the reasons of a verdict."""


def junit(
    outcomes: Sequence[Checked],
    cautions: Sequence[str] = (),
    seconds: Mapping[str, float] | None = None,
    at: datetime | None = None,
) -> str:
    """Return the outcomes as JUnit XML: a test case for each requirement, a failure where it is not met.

    Parameters
    ----------
    outcomes
        The checked requirements.
    cautions
        Warnings about the input, which become the suite's ``system-err``.
    seconds, at
        The durations of the parts of the run, with ``total`` last, and when it began, if they are known. The suite
        took the total, and its properties are the parts.
    """
    broken = sum(not outcome.holds for outcome in outcomes)
    suites, suite = _suites(len(outcomes), failures=broken)
    if at is not None:
        suite.set("timestamp", at.replace(tzinfo=None).isoformat(timespec="seconds"))
    if seconds:
        for one in (suites, suite):
            one.set("time", f"{seconds.get('total', 0.0):.3f}")
        properties = ElementTree.SubElement(suite, "properties")
        for part, took in seconds.items():
            ElementTree.SubElement(properties, "property", name=f"seconds: {part}", value=f"{took:.3f}")
    for outcome in outcomes:
        case = ElementTree.SubElement(suite, "testcase", classname=outcome.name, name=outcome.titled, time="0")
        if not outcome.holds:
            failure = ElementTree.SubElement(case, "failure", type="requirement", message=str(outcome))
            failure.text = outcome.why or None
        else:
            ElementTree.SubElement(case, "system-out").text = str(outcome)
    if cautions:
        ElementTree.SubElement(suite, "system-err").text = "\n".join(cautions)
    return _text(suites)


def failed(message: str, code: int) -> str:
    """Return JUnit XML of a run that came to no result: one test case, with an error.

    Parameters
    ----------
    message
        What went wrong.
    code
        The exit code, which is the type of the error.
    """
    suites, suite = _suites(1, errors=1)
    case = ElementTree.SubElement(suite, "testcase", classname="synthpriv", name="the evaluation runs", time="0")
    ElementTree.SubElement(case, "error", type=f"exit code {code}", message=message)
    return _text(suites)


def _suites(tests: int, failures: int = 0, errors: int = 0) -> tuple[ElementTree.Element, ElementTree.Element]:
    counts = {"tests": f"{tests}", "failures": f"{failures}", "errors": f"{errors}"}
    suites = ElementTree.Element("testsuites", counts)
    named = {"name": "synthpriv evaluate", "skipped": "0", **counts}
    return suites, ElementTree.SubElement(suites, "testsuite", named)


def _text(suites: ElementTree.Element) -> str:
    ElementTree.indent(suites)
    return markup(suites) + "\n"
