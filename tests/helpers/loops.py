"""One test for many of a kind, such as all headers: each on its own costs more to collect and report than to check."""

import functools
import inspect


def each(name, items):
    """Call a test with each of ``items`` as its argument ``name``; a failure says which."""

    def decorate(test):
        @functools.wraps(test)
        def looped(**fixtures):
            failed = []
            for item in items:
                try:
                    test(**{name: item}, **fixtures)
                except Exception as error:
                    error.add_note(f"{name}: {item}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(items)}", failed)

        taken = [p for p in inspect.signature(test).parameters.values() if p.name != name]
        looped.__signature__ = inspect.Signature(taken)
        del looped.__wrapped__
        return looped

    return decorate
