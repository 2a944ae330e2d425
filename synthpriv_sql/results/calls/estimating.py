"""How long a call takes: a cost of each step by its numbers of rows and columns, and the speed of this machine.

The costs are processor seconds on the machine of `calibrating.REFERENCE`, between those of columns that depend on each
other, where bounds exclude most of a search, and of independent ones: either is within a factor of two with 12 columns
and up to 60,000 records. A pilot search tells the two apart. How they were measured is in docs/debugging.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from synthpriv_sql.results.calls.calibrating import Speed

_COLUMNS = 12
"""The columns of the tables on which costs were measured, 20,000 records three times."""
_ROWS = 20_000
_EXPONENT = 0.38
"""How the cost of a query grows with the reference."""
_QUERY = 4.2e-6
PILOT = 50_000
"""How many records of each table a pilot search compares: with fewer, bounds exclude too little."""
_STEEPER, _FLATTER = 0.45, 0.2
"""How much the exponent grows beyond a pilot that took e times as long as expected, or shrinks below one e times as
short; it stays between 0 and 1."""
_MANY_COLUMNS = 30
"""From here on records are so far apart that bounds exclude less, and a search costs what comparing costs."""
_FASTER, _SLOWER = 1.3, 0.95
"""How the cost of a query grows with the columns, from `_COLUMNS` up to `_MANY_COLUMNS` and beyond."""
_AGREEMENT = 4e-6
_AGREEMENT_EXPONENT = 0.5
"""The same for the search for agreement, of all real records."""
_COMBINATIONS = 3e-6
_TEXT = 1e-6
_FOLD = 0.35
_PERSON = 0.3e-3
_FEW_ROWS = 200_000
"""Up to so many real rows the features of ``learned`` leave each of up to twelve columns out, and use normal scores."""
_FEWER, _OF_A_COLUMN, _OF_SCORES = 66, 18, 16
"""Features of ``learned`` without those that leave a column out, of these for each column, and of normal scores."""
_SCORED = 3
"""The searches by normal scores, for more neighbors, take as long as so many others of all columns."""
_FORETOLD = 4_000, 10_000
"""Between so many real rows ``learned`` has features of how well the other values of a record foretell each."""
_CONDITIONAL = 0.5
_WHOLE_TREES = 4_000
"""People from whom on a random tree is as large as one becomes."""
_FEW_PERSONS = 20_000
_PART = 4e-3
_CELL = 4.5e-9
"""A value of a table, for each part of the statement."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What a step goes through.

    ``rows`` and ``against`` are numbers of queries and of records searched among (of other steps than a search: of
    synthetic and of real records), ``people`` those whom classifiers score, ``folds`` how many of these there are,
    ``columns`` those compared.
    """

    rows: int
    against: int
    columns: int
    people: int = 0
    folds: int | None = None


def of_step(step: str, sizes: Sizes, speed: Speed, pilot: float = 1.0) -> float | None:
    """Return the processor seconds of a step of the kernel; None if its costs were not measured.

    Parameters
    ----------
    step
        Its name in a plan.
    sizes
        What it goes through.
    speed
        How many times as long as on the machine of reference this one takes.
    pilot
        How many times as long as expected a pilot search of these tables took.
    """
    real = sizes.against or sizes.rows
    if step == "learning":
        return _learning(sizes, speed, pilot)
    if step == "search for agreement":
        growth = math.pow(max(sizes.rows, 1) / _ROWS, _AGREEMENT_EXPONENT)
        return speed.search * _AGREEMENT * _wide(sizes.columns) * real * growth * pilot
    if step in {"combinations", "combinations of halves"}:
        pairs = min(2_000, sizes.columns * (sizes.columns + 1) / 2) / (_COLUMNS * (_COLUMNS + 1) / 2)
        return speed.search * _COMBINATIONS * pairs * real
    if step == "search":
        return speed.search * _search(sizes.rows, sizes.against or sizes.rows, _wide(sizes.columns), pilot)
    return speed.search * _TEXT * sizes.rows if step == "texts" else None


def of_pilot(seconds: float, against: int, columns: int, speed: Speed) -> float:
    """Return how many times as long as expected a query of a pilot search took, among so many of the records."""
    return seconds / (speed.search * _search(1, min(against, PILOT), _wide(columns), 1.0))


def _search(rows: float, against: float, wide: float, pilot: float) -> float:
    beyond = max(against / PILOT, 1.0)
    more = math.log(pilot) * (_STEEPER if pilot > 1 else _FLATTER)
    more = min(max(more, -_EXPONENT), 1.0 - _EXPONENT)
    return _QUERY * wide * rows * pilot * math.pow(max(against, 1) / _ROWS, _EXPONENT) * math.pow(beyond, more)


def _wide(columns: int) -> float:
    """How many times as much as with `_COLUMNS` a query costs."""
    if columns <= _COLUMNS:
        return columns / _COLUMNS
    few = min(columns, _MANY_COLUMNS) / _COLUMNS
    return math.pow(few, _FASTER) * math.pow(max(columns / _MANY_COLUMNS, 1.0), _SLOWER)


def _learning(sizes: Sizes, speed: Speed, pilot: float) -> float:
    synthetic, real = (sizes.rows, sizes.against) if sizes.against else (0, sizes.rows)
    people = sizes.people or real
    folds = sizes.folds or (5 if people <= _FEW_PERSONS else 2)
    few = real <= _FEW_ROWS
    searches = 6 + (2 * sizes.columns if sizes.columns <= _COLUMNS and few else 0)
    # A third of the searches compare all columns, the others numbers or categories alone.
    wide = (_wide(sizes.columns) + 2 * sizes.columns / _COLUMNS) / 3
    shares = [(searches, wide), (_SCORED * few, _wide(sizes.columns))]
    found = sum(n * _search(people, against, each, pilot) for n, each in shares for against in (synthetic, real))
    count = _FEWER + _OF_SCORES * few + _OF_A_COLUMN * (searches - 6) / 2
    features = 0.24 + 0.76 * count / (_FEWER + _OF_SCORES + _OF_A_COLUMN * _COLUMNS)
    if synthetic and _FORETOLD[0] <= real <= _FORETOLD[1]:
        found += _CONDITIONAL * sizes.columns
    trained = (folds * _FOLD * min(1.0, people / _WHOLE_TREES) + people * _PERSON) * features
    return speed.search * found + speed.learning * trained


def of_statement(parts: int, rows: int, columns: int, speed: Speed) -> float:
    """Return the processor seconds of planning a statement of so many parts, and of what is not the kernel's."""
    bound = _PART * (0.3 + 0.7 * math.pow(columns / _COLUMNS, 1.7))
    return speed.database * parts * (bound + _CELL * rows * columns)


def on_threads(seconds: float, threads: int) -> float:
    """Return how long processor seconds take on several threads, which wait for each other now and then."""
    return seconds / (1 + 0.8 * (threads - 1))


def in_words(seconds: float) -> str:
    """Return a duration as somebody who waits says it."""
    if seconds < 90:
        return f"{max(1, round(seconds, -1 if seconds >= 20 else 0)):.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"


def shares(seconds: Mapping[str, float], least: float = 0.05) -> list[tuple[str, float]]:
    """Return the shares of steps in the whole, the largest first, without those below the least."""
    total = sum(seconds.values()) or 1.0
    found = sorted(((name, of / total) for name, of in seconds.items()), key=lambda one: -one[1])
    return [(name, share) for name, share in found if share >= least]
