"""The features of the attack `learned`: evidence about each real record that does not depend on membership in train.

Every feature is a function of the synthetic records, of all real records as one table, and of the record itself, so
exchanging train and holdout changes none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.learned import nearness, smoothing
from synthpriv_sql.learned.combined import of_combinations
from synthpriv_sql.learned.conditionals import of_conditionals
from synthpriv_sql.learned.tables import Feature, Tables, not_elsewhere
from synthpriv_sql.progress import Progress

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I32, I64  # imports numba

BANDWIDTHS = ((0.1, 0.1), (0.25, 0.3), (0.5, 0.3), (1.0, 0.8))
DENSITY_PAIRS = 50_000_000
"""Pairs of a real record and another record, up to which densities are features."""


class Evidence(NamedTuple):
    """The features, and the nearest synthetic record of each real one by gower (int64; -1 without synthetic).

    distances : float64 (real, up to 5 or 10) by metric and columns, to the nearest synthetic records; bits : float64
    (real, 2), of agreement with the two best synthetic records. None of them without synthetic.
    """

    features: list[Feature]
    nearest: I64
    distances: dict[tuple[str, str], F64]
    bits: F64 | None


def evidence(tables: Tables, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Evidence:
    """Compute all features of the selected records.

    Parameters
    ----------
    tables
        At least two real records, and at least one synthetic if there is a synthetic table.
    progress
        Called with the number of finished steps, the number of all steps, and the current step.
    cancelled
        Returns whether to stop; searches then raise `Cancelled`.
    """
    found: list[Feature] = []
    found_distances: dict[tuple[str, str], F64] = {}
    nearest_gower = np.full(tables.real.rows if tables.selected is None else len(tables.selected), -1, np.int64)
    chosen = list(nearness.subsets(tables))
    total, done = _steps(chosen), 0

    def begin(label: str) -> None:
        nonlocal done
        if progress is not None:
            progress(done, total, label)
        done += 1

    for metric in nearness.DISTANCE_METRICS:
        for subset in chosen:
            begin(f"distances, {subset.label}")
            if tables.synthetic is None and not subset.ranks_of_real:
                continue
            neighbors, mine, others = nearness.neighbors(tables, metric, subset, cancelled)
            found += nearness.of_distances(metric, subset, others, mine)
            if mine is not None:
                found_distances[metric, subset.label] = mine
            if metric == "gower" and subset.label == nearness.ALL and neighbors is not None:
                nearest_gower = neighbors[:, 0].astype(np.int64)
    begin("agreement")
    among_real, bits = _agreement(tables, cancelled)
    found += of_agreement(among_real, bits)
    begin("texts")
    found += of_texts(tables, cancelled)
    begin("densities")
    found += of_densities(tables, cancelled)
    begin("combinations")
    found += of_combinations(tables, cancelled)
    begin("conditionals")
    found += of_conditionals(tables, cancelled)
    if progress is not None:
        progress(total, total, "conditionals")
    return Evidence(found, nearest_gower, found_distances, bits)


def steps(tables: Tables) -> int:
    """Return the number of steps that `evidence` reports."""
    return _steps(list(nearness.subsets(tables)))


def _steps(chosen: Sequence[Any]) -> int:
    return len(chosen) * len(nearness.DISTANCE_METRICS) + 5


# --- agreement


def _agreement(tables: Tables, cancelled: Callable[[], bool] | None) -> tuple[F64, F64 | None]:
    """The bits of agreement with another real record, and with the two best synthetic ones."""
    # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.agreement import index
    from synthpriv_sql.udf.encoded.population import Population, values_of

    options = tables.options
    threads, columns = options["threads"], tuple(options["columns"])

    def of_real() -> tuple[Population, I32]:
        real = tables.real.by_equality()
        counted = Population(options["roles"], options["weights"], values_of([real], threads), real.rows, 0.0)
        return counted, counted.codes(real, threads)

    population, codes = tables.once(("population", columns), of_real)
    queries = np.ascontiguousarray(tables.select(codes))
    run = SearchOptions(threads, index.rows_within(options["memory"] // 4, len(columns)), cancelled=cancelled)

    def search(codes: I32) -> Any:
        return index.search(queries, codes, population.shares, second=True, options=run)

    # No record agrees in more bits than the record itself, so the second best is the best of the others.
    among_real = tables.once(("agreement", columns), lambda: search(codes).second)
    if tables.synthetic is None:
        return among_real, None
    mine = search(population.codes(tables.synthetic.by_equality(), threads))
    return among_real, np.stack([mine.bits, mine.second], axis=1)


def of_agreement(among_real: F64, bits: F64 | None) -> list[Feature]:
    """Return the features of the bits of agreement with a real record, and with synthetic ones."""
    found = [Feature(among_real, "bits of agreement with another real record", False)]
    if bits is None:
        return found
    best, second = bits.T
    return [
        *found,
        Feature(best, "bits of agreement with a synthetic record"),
        Feature(second, "bits of agreement with the second synthetic record"),
        Feature(best - among_real, "bits of agreement with a synthetic record beyond those with a real one"),
    ]


# --- texts


def of_texts(tables: Tables, cancelled: Callable[[], bool] | None) -> list[Feature]:
    """Return the features of names, addresses and notes that come back nearly, or some words of them."""
    from synthpriv_sql.udf.texts import evidence

    if tables.synthetic is None:
        return []
    real, synthetic = tables.real.by_equality(), tables.synthetic.by_equality()
    found = evidence.evidence(real, synthetic, tables.persons, tables.options, cancelled)
    return [Feature(tables.select(values), label) for values, label in found]


# --- densities


def of_densities(tables: Tables, cancelled: Callable[[], bool] | None) -> list[Feature]:
    """Return the scores of the attack ``kernel`` at several bandwidths, unless that takes longer than all others."""
    if tables.synthetic is None:
        return []
    rows = tables.real.rows
    if rows * (rows + tables.synthetic.rows) > DENSITY_PAIRS:
        return []
    found = []
    rest = not_elsewhere(tables)
    for of, those in [(tables, ""), *([(tables.among(rest), f", {nearness.NOT_ELSEWHERE}")] if rest else [])]:
        assert of.synthetic is not None
        smoothed = smoothing.Smoothed.of([of.real.by_equality()], of.synthetic.by_equality(), of.options)
        for width, share in BANDWIDTHS:
            run = SearchOptions(of.options["threads"], cancelled=cancelled)
            scores, _ = smoothed.ratios(width, share, run)
            label = f"density of synthetic records relative to real ones (bandwidth {width:g}, {share:g}{those})"
            found.append(Feature(tables.select(scores), label))
    return found
