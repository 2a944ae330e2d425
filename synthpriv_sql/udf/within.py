"""``synthpriv_within``: the uniques of one half of a real table, in rows of the other half and in synthetic rows.

`Task` is the same on a cluster: all pages go to one executor, which counts.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.errors import SynthprivWarning
from synthpriv_sql.udf import persons, uniques
from synthpriv_sql.udf.neighbors import Monitor, combined, watched

FOUND_SQL = (
    "STRUCT(replicated BIGINT, control BIGINT, z DOUBLE, above BIGINT, exchanges BIGINT, "
    "differences BIGINT[], people BIGINT[])"
)
_PRIME = 2_147_483_647


SIDES = ("synthetic", "real", "real units")
"""The tables of a task, by their numbers."""
ROWS = pa.schema(
    [
        *((name, pa.int64()) for name in ("replicated", "control")),
        ("z", pa.float64()),
        *((name, pa.int64()) for name in ("above", "exchanges", "difference", "people")),
    ]
)
"""The columns of sql/uniques/within_found.sql."""


class Halves(NamedTuple):
    """The rows of a real table and of a synthetic one that are compared, by their positions.

    asked: the rows of half of the people; persons: int32, whose each is, from 0 on. synthetic, others: as many
    synthetic rows as rows of the other half, in the order in which they are exchanged.
    """

    asked: NDArray[np.int64]
    persons: NDArray[np.int32]
    synthetic: NDArray[np.int64]
    others: NDArray[np.int64]


def within(synthetic_pages: Any, real_pages: Any, real_units: Any, options: Any, *, monitor: Monitor) -> Any:
    """``synthpriv_within(synthetic_pages, real_pages, real_units, options)``.

    Parameters
    ----------
    synthetic_pages, real_pages, real_units
        Arrow lists of pages of keys, and of units, one list per row; null if a table has no rows, or there is no unit.
    options
        Arrow structs with the fields of sql/uniques/within_found.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the replicated uniques in synthetic rows and in real ones, the difference in standard
        deviations under exchanges, how many of these were at least as large, the number of exchanges, and the
        differences of single persons, each with how many have it (0 at first, with none).

    Raises
    ------
    InfiniteValue, Stopped
        See `synthpriv_sql.errors`.
    """
    arguments = [combined(a) for a in (synthetic_pages, real_pages, real_units, options)]
    found = []
    for i in range(len(options)):
        *given, asked = (a[i] for a in arguments)
        pages = [one.values for one in given]
        found.append(watched(answer, [pages, asked.as_py()], monitor))
    for left_out in {left_out for _, left_out in found if left_out}:
        warnings.warn(left_out, SynthprivWarning, stacklevel=2)
    return pa.array([one for one, _ in found], TYPE)


TYPE = pa.struct(
    [
        *((name, pa.int64()) for name in ("replicated", "control")),
        ("z", pa.float64()),
        *((name, pa.int64()) for name in ("above", "exchanges")),
        *((name, pa.list_(pa.int64())) for name in ("differences", "people")),
    ]
)


def drawn(records: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """The pseudorandom number of each record, as in sql/membership/drawn.sql."""
    x = (records % _PRIME * 48_271 + (seed % _PRIME + 1) * 69_621) % _PRIME
    squared = x * x % _PRIME
    return squared * squared % _PRIME * x % _PRIME


def halves(persons: NDArray[np.int32], synthetic: int, seed: int) -> Halves:
    """Split real rows into two halves by persons, and draw as many synthetic rows as the second half has.

    Parameters
    ----------
    persons : int32 (rows,)
        Whose row each real row is, from 0 on.
    synthetic
        The number of synthetic rows; if there are fewer, rows of the second half are drawn.
    seed
        Of the draws, which are those of sql/plain/within_halves.sql.
    """
    rows = np.arange(len(persons), dtype=np.int64)
    known, first = np.unique(persons, return_index=True)
    place = np.empty(len(known), np.int64)
    place[np.lexsort((first, drawn(2 * first, seed)))] = np.arange(len(known))
    is_asked = place[persons] < len(known) // 2
    asked, others = rows[is_asked], rows[~is_asked]
    others = others[np.lexsort((others, drawn(2 * others, seed)))]
    fresh = np.arange(synthetic, dtype=np.int64)
    fresh = fresh[np.lexsort((fresh, drawn(2 * fresh + 1, seed)))]
    size = min(len(others), len(fresh))
    return Halves(asked, place[persons[asked]].astype(np.int32), fresh[:size], others[:size])


def answer(given: Sequence[Any], options: dict[str, Any], *, monitor: Monitor) -> tuple[dict[str, Any], str]:
    """Return the fields of `TYPE`, and a message if combinations are left out.

    Parameters
    ----------
    given
        The pages of synthetic rows, of real ones and of their units; None for those that are missing.
    options, monitor
        As for `within`.
    """
    # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.uniques import combinations, exchanging
    from synthpriv_sql.udf import compiling
    from synthpriv_sql.udf.encoded import keys

    width, (synthetic, real) = len(options["columns"]), given[:2]
    fresh, known = uniques.read([synthetic, real], width)
    for table, relation in ((fresh, options["synthetic"]), (known, options["real"])):
        uniques.check_infinite(options, table, relation)
    drawn = halves(persons.of_records([given[2]], known.rows), fresh.rows, options["seed"])
    columns = [i for i, weight in enumerate(options["weights"]) if weight > 0]
    with compiling.reported(monitor.progress):
        rows = np.concatenate([drawn.asked, known.rows + drawn.synthetic, drawn.others])
        coded = keys.keys([known, fresh], len(drawn.asked), columns, options["threads"], rows)
        del fresh, known
        chosen, left_out = combinations.choose(
            coded.distinct, range(1, int(options["width"]) + 1), int(options["combinations"])
        )
        label = f"combinations of half of {options['real']}, {len(drawn.asked):,} rows"
        found = exchanging.exchange(
            coded,
            drawn.persons,
            chosen,
            options["seed"],
            options=monitor.search_options(options["threads"], label, before=1),
        )
    observed = 2 * (found.first - found.second)
    squares = float(np.mean(np.square(found.exchanged.astype(np.float64))))  # their mean is 0: sides are symmetric
    differences, people = np.unique(found.differences, return_counts=True)
    message = (
        f"within looks at {len(chosen):,} of {len(chosen) + left_out:,} combinations of up to {options['width']} "
        "columns, those with the most values; the option combinations changes how many, the option columns which "
        "columns"
        if left_out
        else ""
    )
    return {
        "replicated": found.first,
        "control": found.second,
        "z": observed / math.sqrt(squares) if squares > 0 else 0.0,
        "above": int(np.count_nonzero(found.exchanged >= observed)),
        "exchanges": exchanging.EXCHANGES,
        # Without people there is still a row, with the sums.
        "differences": [0, *differences.tolist()],
        "people": [0, *people.tolist()],
    }, message


@dataclass(frozen=True, slots=True)
class Task:
    """Counts what the given pages have.

    Parameters
    ----------
    options
        The fields of sql/uniques/within_found.sql, except for threads and memory.
    threads
        Returns the number of threads to use; called on the executor.
    """

    options: Mapping[str, Any]
    threads: Callable[[], int]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Turn batches of (side, page) into one of `ROWS`; the sides are positions in `SIDES`."""
        pages: dict[int, list[Any]] = {}
        for batch in batches:
            for side, page in zip(batch.column("side").to_pylist(), batch.column("page"), strict=True):
                pages.setdefault(side, []).append(page)
        if not pages:
            return  # a partition without pages
        listed = [pages.get(side) for side in range(len(SIDES))]
        found, message = answer(listed, {**self.options, "threads": self.threads()}, monitor=Monitor())
        if message:
            warnings.warn(message, SynthprivWarning, stacklevel=2)
        differences, people = found.pop("differences"), found.pop("people")
        columns = {**{name: [value] * len(differences) for name, value in found.items()}, "difference": differences}
        columns["people"] = people
        yield pa.record_batch([pa.array(columns[f.name], f.type) for f in ROWS], schema=ROWS)
