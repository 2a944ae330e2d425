"""What `make test` leaves for `make test-all`, because it has one of its kind, and that for `make nightly`."""

import os

EVERY_CASE = bool(os.environ.get("EVERY_CASE"))
"""Set by `make nightly`."""


def leave_repetitions(items):
    """Mark the cases that ``each_value`` and ``one_in`` leave with ``again``, and as ``slow`` what is asked later."""
    tests, slow = {}, {}
    for item in items:
        if item.get_closest_marker("again") or item.get_closest_marker("nightly"):
            item.add_marker("slow")
        kind = slow if item.get_closest_marker("slow") else tests
        kind.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, cases in tests.items():
        every = cases[0].get_closest_marker("one_in")
        asked = cases if every is None else cases[:: every.args[0]]
        if cases[0].get_closest_marker("each_value"):
            asked = showing_each_value(cases)
        for case in cases:
            if case not in asked:
                case.add_marker("again")
                case.add_marker("slow")
                slow.setdefault(name, []).append(case)
    for cases in slow.values():
        every = cases[0].get_closest_marker("one_in")
        left = [case for case in cases if not case.get_closest_marker("nightly")]
        if every is not None and len(every.args) > 1:
            for case in {*left} - {*left[:: every.args[1]]}:
                case.add_marker("nightly")


def showing_each_value(cases):
    """A few cases in which each value of each parameter occurs."""
    values = {case: {(name, repr(value)) for name, value in case.callspec.params.items()} for case in cases}
    missing = set().union(*values.values())
    asked = []
    while missing:
        asked.append(max(cases, key=lambda case: len(values[case] & missing)))
        missing -= values[asked[-1]]
    return asked
