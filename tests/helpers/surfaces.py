"""An example of every function, with tables to run it on: what tests of surfaces and engines compare."""

import pytest
from repetitions import EVERY_CASE

from synthpriv_sql.conformance.cases import CASES, FIRST, LEAN, PEERS
from synthpriv_sql.conformance.examples import EXAMPLES, TABLES, alone, evaluated, example
from synthpriv_sql.planner.headers import catalog

__all__ = ["EXAMPLES", "TABLES", "alone", "evaluated", "example"]

PAIR, TRIO = ("synthetic", "train"), ("synthetic", "train", "holdout")
NAMES = sorted(catalog.functions())
# Groups, scales, one search and several, by distance and by agreement, forests, the user's own columns, several tables.
OF_EVERY_KIND = [
    "anonymity",
    "baseline",
    "candidates",
    "comparison",
    "disclosure",
    "evaluate",
    "exposure",
    "fidelity_summary",
    "linkability",
    "mda",
    "neighbors",
    "nndr_summary",
    "scaling",
    "screen",
]
EACH = [name if name in OF_EVERY_KIND else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]
"""All functions; `make test` asks those that stand for the others."""
_OTHERS = [name for name in NAMES if name not in OF_EVERY_KIND]
HALF, OTHER_HALF = (
    [*OF_EVERY_KIND, *(pytest.param(name, marks=pytest.mark.slow) for name in _OTHERS[start::2])] for start in (0, 1)
)
"""Of the functions that others stand for every other one, for what a surface does with all of them in the same way."""
# These take seconds there, half a minute for `evaluate`, and are made of parts that the other cases have as well.
_LONG_THERE = {"baseline", "candidates", "evaluate", "exposure", "fidelity_summary", "linkability"}
_LEAN_THERE = [CASES[FIRST[name]] for name in OF_EVERY_KIND if name not in _LONG_THERE]
IN_WAREHOUSES = LEAN + PEERS if EVERY_CASE else _LEAN_THERE
"""The cases that a warehouse is asked for: every one by `make nightly`, otherwise one of most kinds of functions."""
# These begin with the user's own columns, or with as many as the call asks for.
OWN_COLUMNS = ("split", "screen", "safe", "equivalence_classes", "baseline", "reduce", "flatten", "remedied")


def on_tables_alone(function):
    """The arguments that the header of a function shows, with its tables called so."""
    return {k: alone(v) if isinstance(v, str) and v in TABLES else v for k, v in function.example.items()}


def sides_read(name):
    """The tables of an example whose numbers are read: where the limit is given, a holdout is asked for texts alone."""
    sides, options = EXAMPLES[name]
    return [side for side in sides if side != "holdout" or "dcr_below" not in options]


def by_position(rows):
    """Rows in an order that does not depend on the surface; missing values first."""
    return sorted(rows, key=lambda row: [(value is not None, str(value)) for value in row.values()])


def ask(session, name):
    tables, options = EXAMPLES[name]
    return getattr(session, name)(*tables, **options)


_asked = {}


def python_table(session, name):
    """The rows of an example as Arrow, asked for once."""
    if name not in _asked:
        _asked[name] = ask(session, name).to_arrow()
    return _asked[name]


def python_rows(session, name):
    """The rows of an example, asked for once."""
    return python_table(session, name).to_pylist()
