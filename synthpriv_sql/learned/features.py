"""The features of the attack `learned`: evidence about each real record that does not depend on membership in train.

Every feature is a function of the synthetic records, of all real records as one table, and of the record itself, so
exchanging train and holdout changes none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from synthpriv_sql.kernels.knn import searching
from synthpriv_sql.kernels.knn.index import rows_within
from synthpriv_sql.kernels.layout import Columns
from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.learned import smoothing
from synthpriv_sql.learned.combined import of_combinations
from synthpriv_sql.learned.conditionals import of_conditionals
from synthpriv_sql.learned.tables import Feature, Tables, not_elsewhere
from synthpriv_sql.metrics import METRICS
from synthpriv_sql.progress import Progress
from synthpriv_sql.udf.encoded import arrange, embeddings, pages

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I32, I64  # imports numba

DISTANCE_METRICS = ("gower", "euclidean")
RANKS = (1, 2, 5)
SCORED_RANKS = (1, 2, 5, 10)
"""Of neighbors by normal scores."""
BANDWIDTHS = ((0.1, 0.1), (0.25, 0.3), (0.5, 0.3), (1.0, 0.8))
DENSITY_PAIRS = 50_000_000
"""Pairs of a real record and another record, up to which densities are features."""
LEAVE_ONE_OUT_COLUMNS = 12
FEW_ROWS = 200_000
"""Real records, up to which columns are left out one by one, and numbers are compared as normal scores, too. Those of a
call may be a part of them: its answer is to have the features of that about all."""


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
    chosen = list(subsets(tables))
    total, done = _steps(chosen), 0

    def begin(label: str) -> None:
        nonlocal done
        if progress is not None:
            progress(done, total, label)
        done += 1

    for metric in DISTANCE_METRICS:
        for label, columns in chosen:
            begin(f"distances, {label}")
            if label == SCORED and tables.synthetic is None:
                continue
            neighbors, distances, others = _neighbors(tables, metric, label, columns, cancelled)
            found += of_distances(metric, label, others, distances)
            if distances is not None:
                found_distances[metric, label] = distances
            if metric == "gower" and label == ALL and neighbors is not None:
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
    return _steps(list(subsets(tables)))


def _steps(chosen: Sequence[Any]) -> int:
    return len(chosen) * len(DISTANCE_METRICS) + 5


# --- distances
ALL = "all columns"
NOT_ELSEWHERE = "columns whose numbers lie where real ones do"
SCORED = "numbers as normal scores"
"""Diffusion models learn numbers so, and what they repeat of a person is near by these."""


def subsets(tables: Tables) -> Iterator[tuple[str, list[int]]]:
    """Yield the label of each subset of columns whose distances are features, and the columns."""
    weighted = [i for i, weight in enumerate(tables.options["weights"]) if weight > 0]
    roles, names = tables.options["roles"], tables.options["columns"]
    yield ALL, weighted
    near = not_elsewhere(tables)
    if near:
        yield NOT_ELSEWHERE, near
    numbers = [i for i in weighted if roles[i] in {"numeric", "temporal"}]
    rest = [i for i in weighted if i not in numbers]
    if numbers and rest:
        yield "numbers and times", numbers
        yield "categories", rest
    if (tables.options.get("real_from") or tables.real.rows) > FEW_ROWS:
        return
    if numbers:
        yield SCORED, near or weighted
    if 1 < len(weighted) <= LEAVE_ONE_OUT_COLUMNS:
        for left_out in weighted:
            yield f"all columns but {names[left_out]}", [i for i in weighted if i != left_out]


def ranks(label: str) -> tuple[int, ...]:
    """Return the ranks of the neighbors by a subset of columns whose distances are features."""
    return SCORED_RANKS if label == SCORED else RANKS


def _neighbors(
    tables: Tables, metric: str, label: str, columns: Sequence[int], cancelled: Callable[[], bool] | None
) -> tuple[I64 | None, F64 | None, F64]:
    """The nearest synthetic records and their distances, and the logarithms of those to the nearest real ones."""
    roles = [tables.options["roles"][i] for i in columns]
    options = {
        "metric": metric,
        "vectors": tables.options["vectors"],
        "category_mismatch": 1.0,
        "columns": [tables.options["columns"][i] for i in columns],
        "roles": roles,
        "weights": [tables.options["weights"][i] for i in columns],
        "queries": "the real records",
        "reference": "the real records",
    }
    real = _select_columns(tables.real, columns)
    synthetic = None if tables.synthetic is None else _select_columns(tables.synthetic, columns)
    if label == SCORED:
        synthetic = None if synthetic is None else normal_scores(synthetic, real)
        real = tables.once(("normal scores", tuple(options["columns"])), lambda: normal_scores(real, real))
    scales = _scales(options, real)

    def search(reference: pages.Encoded | None) -> tuple[I64, F64]:
        arrangement = arrange.Arrangement(options, scales)
        rows = (reference or real).rows
        searched = arrangement.reference(reference or real)
        queries = searched if reference is None else arrangement.queries(real)
        k = min(max(ranks(label)), rows if reference is not None else rows - 1)
        itself = reference is None
        # A selection of the records is not the reference itself, so `exclude_self` does not apply: each record finds
        # itself first, at distance 0.
        shard_rows = rows_within(tables.options["memory"] // 4, arrangement.distance)
        found_first = int(itself and tables.selected is not None)
        neighbors, distances = searching.search(
            _select_rows(queries, tables.selected),
            searched,
            arrangement.distance,
            k + found_first,
            exclude_self=itself and tables.selected is None,
            options=SearchOptions(tables.options["threads"], shard_rows, cancelled=cancelled),
        )
        return neighbors[:, found_first:], distances[:, found_first:]

    among_real = tables.once(key(metric, label, options["columns"]), lambda: _logarithms(search(None)[1]))
    if synthetic is None:
        return None, None, among_real
    return *search(synthetic), among_real


def key(metric: str, label: str, names: Sequence[str]) -> tuple[Any, ...]:
    """Return by what the distances among real records are known: subsets may have equal columns, but for the scores."""
    return "distances", metric, label == SCORED, tuple(names)


def normal_scores(table: pages.Encoded, real: pages.Encoded) -> pages.Encoded:
    """Return a table with the normal score of each number: the quantile, in a normal distribution, of its rank.

    The rank is that among real values, in the middle of equal ones; beyond all of them it is that of a half value.
    """
    from scipy.special import ndtri  # imported lazily: slow

    def scored(values: F64, known: F64) -> F64:
        known = np.sort(known[~np.isnan(known)])
        if not len(known):
            return values
        rank = (np.searchsorted(known, values, "left") + np.searchsorted(known, values, "right")) / 2
        scores: F64 = ndtri(np.clip(rank, 0.5, len(known) - 0.5) / len(known))
        return np.where(np.isnan(values), np.nan, scores)

    pairs = zip(table.columns, real.columns, strict=True)
    return pages.Encoded(
        table.rows, tuple(scored(own, of) if isinstance(own, np.ndarray) else own for own, of in pairs)
    )


def of_distances(metric: str, label: str, others: F64, distances: F64 | None) -> list[Feature]:
    """Return the features of distances: ``others``, logarithms of those to real records; to synthetic ones or None.

    There are none of normal scores alone to real records: the control, which has these features, would tell less.
    """
    found = [
        Feature(others[:, _at(others, k)], f"distance to the real record of rank {k} ({metric}, {label})", False)
        for k in (() if label == SCORED else ranks(label))
    ]
    if distances is None:
        return found
    mine = _logarithms(distances)
    for k in ranks(label):
        here = mine[:, _at(mine, k)]
        found.append(Feature(here, f"distance to the synthetic record of rank {k} ({metric}, {label})"))
        found.append(
            Feature(
                others[:, _at(others, k)] - here,
                f"distance to the synthetic record of rank {k} relative to that to the real one ({metric}, {label})",
            )
        )
    return found


def _select_rows(columns: Columns, rows: I64 | None) -> Columns:
    if rows is None:
        return columns
    return Columns(
        tuple(values[rows] for values in columns.numeric),
        tuple(codes[rows] for codes in columns.categorical),
        len(rows),
        tuple(vectors[rows] for vectors in columns.vectors),
    )


def _at(found: F64, k: int) -> int:
    return min(k, int(found.shape[1])) - 1


def _logarithms(distances: F64) -> F64:
    """Return logarithms; 0 is replaced by the smallest positive distance."""
    positive = distances[distances > 0]
    least = float(positive.min()) if positive.size else 1.0
    logarithms: F64 = np.log(np.maximum(distances, least))
    return logarithms


def _select_columns(table: pages.Encoded, columns: Sequence[int]) -> pages.Encoded:
    return pages.Encoded(table.rows, tuple(table.columns[i] for i in columns))


def _scales(options: Mapping[str, Any], real: pages.Encoded) -> list[float | None]:
    """Return the scales by which differences are divided: numbers first, then vectors."""
    scaling = METRICS[options["metric"]].scaling
    numbers: list[float | None] = []
    vectors: list[float | None] = []
    for column in real.columns:
        if isinstance(column, pages.Vectors):
            known = column.values[~column.missing]
            vectors.append(embeddings.ACROSS if options["vectors"] == "cosine" else embeddings.spread(known, scaling))
        elif not isinstance(column, pages.Texts):
            known = column[~np.isnan(column)]
            if not len(known):
                numbers.append(None)
            else:
                # Sorted, so that rounding does not depend on the order of the tables.
                numbers.append(float(np.ptp(known) if scaling == "minmax" else np.sort(known).std()))
    return numbers + vectors


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
    for of, those in [(tables, ""), *([(tables.among(rest), f", {NOT_ELSEWHERE}")] if rest else [])]:
        assert of.synthetic is not None
        smoothed = smoothing.Smoothed.of([of.real.by_equality()], of.synthetic.by_equality(), of.options)
        for width, share in BANDWIDTHS:
            run = SearchOptions(of.options["threads"], cancelled=cancelled)
            scores, _ = smoothed.ratios(width, share, run)
            label = f"density of synthetic records relative to real ones (bandwidth {width:g}, {share:g}{those})"
            found.append(Feature(tables.select(scores), label))
    return found
