"""How many examples hypothesis tries: a profile says it for all tests.

``quick`` is what `make test` asks, ``ci`` what `make test-all` asks of its own tests, ``nightly`` what `make nightly`
asks of all. They try the same examples in every run, so that a red run means a changed product, and show them at once,
as they are.
HYPOTHESIS_PROFILE=search looks further and shrinks what it finds.
"""

import os

from hypothesis import HealthCheck, Phase, settings

PROFILES = {"quick": 8, "ci": 14, "nightly": 20, "search": 300}
AS_FOUND = {"derandomize": True, "database": None, "phases": [Phase.explicit, Phase.generate]}
QUIET = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.function_scoped_fixture,
]


def load_profile():
    for name, number in PROFILES.items():
        how = {} if name == "search" else AS_FOUND
        settings.register_profile(name, max_examples=number, deadline=None, suppress_health_check=QUIET, **how)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def many(test):
    """Try five times as many: of what takes milliseconds, such as the kernel on arrays."""
    return settings(max_examples=5 * settings().max_examples)(test)


def some(test):
    """Try half as many in `make test`, and all elsewhere: of what is planned anew for each, in a third of a second."""
    all_ = settings().max_examples
    return settings(max_examples=all_ // 2 if all_ == PROFILES["quick"] else all_)(test)


def few(test):
    """Try a quarter as many: of what takes tenths of a second, such as functions of many parts."""
    return settings(max_examples=max(2, settings().max_examples // 4))(test)
