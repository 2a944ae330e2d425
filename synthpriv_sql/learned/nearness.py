"""Distances to the nearest synthetic and to the nearest real records, by subset of columns: features of `learned`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from synthpriv_sql.kernels.knn import searching
from synthpriv_sql.kernels.knn.index import rows_within
from synthpriv_sql.kernels.layout import Columns
from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.learned.tables import Feature, Tables, not_elsewhere
from synthpriv_sql.metrics import METRICS
from synthpriv_sql.udf.encoded import arrange, embeddings, pages

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I64  # imports numba

DISTANCE_METRICS = ("gower", "euclidean")
RANKS = (1, 2, 5)
SCORED_RANKS = (1, 2, 5, 10)
"""Of neighbors by normal scores."""
LEAVE_ONE_OUT_COLUMNS = 12
FEW_ROWS = 200_000
"""Real records, up to which columns are left out one by one, and numbers are compared as normal scores, too. Those of a
call may be a part of them: its answer is to have the features of that about all."""
ALL = "all columns"
NOT_ELSEWHERE = "columns whose numbers lie where real ones do"
SCORED = "numbers as normal scores"
"""Diffusion models learn numbers so, and what they repeat of a person is near by these."""


class Subset(NamedTuple):
    """Columns whose distances are features; where ``scored``, their numbers are compared as normal scores."""

    label: str
    columns: list[int]
    scored: bool = False

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the neighbors whose distances are features."""
        return SCORED_RANKS if self.scored else RANKS

    @property
    def ranks_of_real(self) -> tuple[int, ...]:
        """Those of neighbors among real records: by normal scores none, as the control, with them, tells less."""
        return () if self.scored else RANKS

    def key(self, metric: str, tables: Tables) -> tuple[Any, ...]:
        """Return by what the distances among real records are known: subsets may have equal columns."""
        return "distances", metric, self.scored, tuple(tables.options["columns"][i] for i in self.columns)


def subsets(tables: Tables) -> Iterator[Subset]:
    """Yield each subset of columns whose distances are features."""
    weighted = [i for i, weight in enumerate(tables.options["weights"]) if weight > 0]
    roles, names = tables.options["roles"], tables.options["columns"]
    yield Subset(ALL, weighted)
    near = not_elsewhere(tables)
    if near:
        yield Subset(NOT_ELSEWHERE, near)
    numbers = [i for i in weighted if roles[i] in {"numeric", "temporal"}]
    rest = [i for i in weighted if i not in numbers]
    if numbers and rest:
        yield Subset("numbers and times", numbers)
        yield Subset("categories", rest)
    if (tables.options.get("real_from") or tables.real.rows) > FEW_ROWS:
        return
    if numbers:
        yield Subset(SCORED, near or weighted, scored=True)
    if 1 < len(weighted) <= LEAVE_ONE_OUT_COLUMNS:
        for left_out in weighted:
            yield Subset(f"all columns but {names[left_out]}", [i for i in weighted if i != left_out])


def neighbors(
    tables: Tables, metric: str, subset: Subset, cancelled: Callable[[], bool] | None
) -> tuple[I64 | None, F64 | None, F64]:
    """Return the nearest synthetic records, their distances, and the logarithms of those to the nearest real ones."""
    columns = subset.columns
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
    if subset.scored:
        synthetic = None if synthetic is None else normal_scores(synthetic, real)
        real = tables.once(("normal scores", tuple(options["columns"])), lambda: normal_scores(real, real))
    scales = _scales(options, real)

    def search(reference: pages.Encoded | None) -> tuple[I64, F64]:
        arrangement = arrange.Arrangement(options, scales)
        rows = (reference or real).rows
        searched = arrangement.reference(reference or real)
        queries = searched if reference is None else arrangement.queries(real)
        k = min(max(subset.ranks), rows if reference is not None else rows - 1)
        itself = reference is None
        # A selection of the records is not the reference itself, so `exclude_self` does not apply: each record finds
        # itself first, at distance 0.
        shard_rows = rows_within(tables.options["memory"] // 4, arrangement.distance)
        found_first = int(itself and tables.selected is not None)
        nearest, distances = searching.search(
            _select_rows(queries, tables.selected),
            searched,
            arrangement.distance,
            k + found_first,
            exclude_self=itself and tables.selected is None,
            options=SearchOptions(tables.options["threads"], shard_rows, cancelled=cancelled),
        )
        return nearest[:, found_first:], distances[:, found_first:]

    among_real = tables.once(subset.key(metric, tables), lambda: _logarithms(search(None)[1]))
    if synthetic is None:
        return None, None, among_real
    return *search(synthetic), among_real


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


def of_distances(metric: str, subset: Subset, others: F64, distances: F64 | None) -> list[Feature]:
    """Return the features of distances: ``others``, logarithms of those to real records; to synthetic ones or None."""
    by = f"({metric}, {subset.label})"
    found = [
        Feature(others[:, _at(others, k)], f"distance to the real record of rank {k} {by}", False)
        for k in subset.ranks_of_real
    ]
    if distances is None:
        return found
    mine = _logarithms(distances)
    for k in subset.ranks:
        here, label = mine[:, _at(mine, k)], f"distance to the synthetic record of rank {k}"
        found.append(Feature(here, f"{label} {by}"))
        found.append(Feature(others[:, _at(others, k)] - here, f"{label} relative to that to the real one {by}"))
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
