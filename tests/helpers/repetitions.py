"""Which cases of a parametrized test `make test` asks; the others get the mark ``slow`` and come in `make test-all`."""


def leave_repetitions(items):
    """Mark the cases that ``each_value`` and ``one_in`` leave for later."""
    tests = {}
    for item in items:
        if not item.get_closest_marker("slow"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in tests.values():
        every = cases[0].get_closest_marker("one_in")
        asked = cases if every is None else cases[:: every.args[0]]
        if cases[0].get_closest_marker("each_value"):
            asked = showing_each_value(cases)
        for case in {*cases} - {*asked}:
            case.add_marker("slow")


def showing_each_value(cases):
    """A few cases in which each value of each parameter occurs."""
    values = {case: {(name, repr(value)) for name, value in case.callspec.params.items()} for case in cases}
    missing = set().union(*values.values())
    asked = []
    while missing:
        asked.append(max(cases, key=lambda case: len(values[case] & missing)))
        missing -= values[asked[-1]]
    return asked
