"""What the attack that learns looks at: evidence about each real record, none of which knows who was in train.

Every feature is a function of the synthetic records, of the real ones as one table, and of the record itself, so that
exchanging who is of train changes none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from synthpriv_sql.kernels.knn import searching
from synthpriv_sql.kernels.knn.index import rows_within
from synthpriv_sql.kernels.layout import Columns
from synthpriv_sql.learned.tables import Feature, Tables, joined
from synthpriv_sql.metrics import METRICS
from synthpriv_sql.progress import Progress
from synthpriv_sql.udf.encoded import arrange, embeddings, pages

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I32, I64  # imports numba

METRICS_ASKED = ("gower", "euclidean")
RANKS = (1, 2, 5)
WIDTHS = (1, 2, 3)
COMBINATIONS = 500
BINS = 20
LEAVE_ONE_OUT_COLUMNS = 12
LEAVE_ONE_OUT_ROWS = 200_000


class Evidence(NamedTuple):
    """Features, and the synthetic record that is nearest to each real one by gower (int64; -1 without synthetic)."""

    features: list[Feature]
    blamed: I64


def evidence(tables: Tables, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Evidence:
    """Compute all features of the records that are asked for.

    Parameters
    ----------
    tables
        At least two real records, and at least one synthetic where there is a synthetic table.
    progress
        Called with steps done, all steps, and what is done.
    cancelled
        Asked whether to stop; searches then raise `Cancelled`.
    """
    found: list[Feature] = []
    blamed = np.full(tables.real.rows if tables.asked is None else len(tables.asked), -1, np.int64)
    subsets = list(_subsets(tables))
    total, done = steps(tables), 0

    def begin(label: str) -> None:
        nonlocal done
        if progress is not None:
            progress(done, total, label)
        done += 1

    for metric in METRICS_ASKED:
        for words, columns in subsets:
            begin(f"distances, {words}")
            here, nearest = _distances(tables, metric, columns, words, cancelled)
            found += here
            if metric == "gower" and words == _ALL and nearest is not None:
                blamed = nearest
    begin("agreement")
    found += _agreement(tables, cancelled)
    begin("combinations")
    found += _combinations(tables, cancelled)
    if progress is not None:
        progress(total, total, "combinations")
    return Evidence(found, blamed)


def steps(tables: Tables) -> int:
    """How many steps `evidence` tells of."""
    return len(list(_subsets(tables))) * len(METRICS_ASKED) + 2


# --- distances

_ALL = "all columns"


def _subsets(tables: Tables) -> Iterator[tuple[str, list[int]]]:
    """The sets of columns whose distances are looked at, and what they are called."""
    weighed = [i for i, weight in enumerate(tables.facts["weights"]) if weight > 0]
    roles, names = tables.facts["roles"], tables.facts["columns"]
    yield _ALL, weighed
    numbers = [i for i in weighed if roles[i] in {"numeric", "temporal"}]
    rest = [i for i in weighed if i not in numbers]
    if numbers and rest:
        yield "numbers and times", numbers
        yield "categories", rest
    if 1 < len(weighed) <= LEAVE_ONE_OUT_COLUMNS and tables.real.rows <= LEAVE_ONE_OUT_ROWS:
        for left_out in weighed:
            yield f"all columns but {names[left_out]}", [i for i in weighed if i != left_out]


def _distances(
    tables: Tables, metric: str, columns: Sequence[int], words: str, cancelled: Callable[[], bool] | None
) -> tuple[list[Feature], I64 | None]:
    roles = [tables.facts["roles"][i] for i in columns]
    facts = {
        "metric": metric,
        "vectors": tables.facts["vectors"],
        "category_mismatch": 1.0,
        "columns": [tables.facts["columns"][i] for i in columns],
        "roles": roles,
        "weights": [tables.facts["weights"][i] for i in columns],
        "queries": "the real records",
        "reference": "the real records",
    }
    real = _chosen(tables.real, columns)
    scales = _scales(facts, real)

    def search(reference: pages.Encoded | None) -> tuple[I64, F64]:
        arrangement = arrange.Arrangement(facts, scales)
        rows = (reference or real).rows
        kept = arrangement.reference(reference or real)
        asked = kept if reference is None else arrangement.queries(real)
        k = min(max(RANKS), rows if reference is not None else rows - 1)
        itself = reference is None
        # Some of the records are no table of their own: each finds itself first, at distance 0.
        found_first = int(itself and tables.asked is not None)
        neighbors, distances = searching.search(
            _rows(asked, tables.asked),
            kept,
            arrangement.distance,
            k + found_first,
            exclude_self=itself and tables.asked is None,
            threads=tables.facts["threads"],
            shard_rows=rows_within(tables.facts["memory"] // 4, arrangement.distance),
            cancelled=cancelled,
        )
        return neighbors[:, found_first:], distances[:, found_first:]

    _, among_real = search(None)
    others = _logarithms(among_real)
    found = [
        Feature(others[:, _at(others, k)], f"distance to the real record of rank {k} ({metric}, {words})", False)
        for k in RANKS
    ]
    if tables.synthetic is None:
        return found, None
    neighbors, distances = search(_chosen(tables.synthetic, columns))
    mine = _logarithms(distances)
    for k in RANKS:
        here = mine[:, _at(mine, k)]
        found.append(Feature(here, f"distance to the synthetic record of rank {k} ({metric}, {words})"))
        found.append(
            Feature(
                others[:, _at(others, k)] - here,
                f"distance to the synthetic record of rank {k} beside that to the real one ({metric}, {words})",
            )
        )
    return found, neighbors[:, 0].astype(np.int64)


def _rows(columns: Columns, asked: I64 | None) -> Columns:
    if asked is None:
        return columns
    return Columns(
        tuple(values[asked] for values in columns.numeric),
        tuple(codes[asked] for codes in columns.categorical),
        len(asked),
        tuple(vectors[asked] for vectors in columns.vectors),
    )


def _at(found: F64, k: int) -> int:
    return min(k, int(found.shape[1])) - 1


def _logarithms(distances: F64) -> F64:
    """Logarithms, with the smallest positive distance in the place of 0."""
    positive = distances[distances > 0]
    least = float(positive.min()) if positive.size else 1.0
    logarithms: F64 = np.log(np.maximum(distances, least))
    return logarithms


def _chosen(table: pages.Encoded, columns: Sequence[int]) -> pages.Encoded:
    return pages.Encoded(table.rows, tuple(table.columns[i] for i in columns))


def _scales(facts: Mapping[str, Any], real: pages.Encoded) -> list[float | None]:
    """What differences are divided by: numbers first, then vectors."""
    scaling = METRICS[facts["metric"]].scaling
    numbers: list[float | None] = []
    vectors: list[float | None] = []
    for column in real.columns:
        if isinstance(column, pages.Vectors):
            known = column.values[~column.missing]
            vectors.append(embeddings.ACROSS if facts["vectors"] == "cosine" else embeddings.spread(known, scaling))
        elif not isinstance(column, pages.Texts):
            known = column[~np.isnan(column)]
            if not len(known):
                numbers.append(None)
            else:
                # Sorted, so that the order of the tables shows in no digit.
                numbers.append(float(np.ptp(known) if scaling == "minmax" else np.sort(known).std()))
    return numbers + vectors


# --- agreement


def _agreement(tables: Tables, cancelled: Callable[[], bool] | None) -> list[Feature]:
    # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.agreement import index
    from synthpriv_sql.udf.encoded.population import Population, values_of

    facts, real = tables.facts, tables.real.by_equality()
    threads = facts["threads"]
    population = Population(facts["roles"], facts["weights"], values_of([real]), real.rows, 0.0)
    codes = population.codes(real, threads)
    queries = np.ascontiguousarray(tables.wanted(codes))
    shard = index.rows_within(facts["memory"] // 4, len(real.columns))

    def search(codes: I32) -> Any:
        return index.search(
            queries, codes, population.shares, threads=threads, shard_rows=shard, second=True, cancelled=cancelled
        )

    # A record agrees with itself in as many bits as anybody can, so the second best is the best of the others.
    among_real = search(codes).second
    found = [Feature(among_real, "bits of agreement with another real record", False)]
    if tables.synthetic is None:
        return found
    mine = search(population.codes(tables.synthetic.by_equality(), threads))
    return [
        *found,
        Feature(mine.bits, "bits of agreement with a synthetic record"),
        Feature(mine.second, "bits of agreement with the second synthetic record"),
        Feature(mine.bits - among_real, "bits of agreement with a synthetic record beyond those with a real one"),
    ]


# --- combinations


def _combinations(tables: Tables, cancelled: Callable[[], bool] | None) -> list[Feature]:
    from synthpriv_sql.kernels.uniques import combinations, search
    from synthpriv_sql.udf.encoded import keys

    if tables.synthetic is None or tables.synthetic_keys is None:
        return []
    threads = tables.facts["threads"]
    # Vectors take no part, nor does a column that weighs nothing.
    roles, weights = tables.facts["roles"], tables.facts["weights"]
    columns = [i for i, role in enumerate(roles) if role != "vector" and weights[i] > 0]
    if not columns:
        return []
    exact = keys.keys([tables.real_keys, tables.synthetic_keys], tables.real.rows, columns, threads)
    binned = _binned(tables, columns)
    found = []
    for width in WIDTHS:
        chosen, _ = combinations.choose(exact.distinct, [width], COMBINATIONS)
        if not chosen:
            continue
        counted = search.search(exact, tables.persons, chosen, threads=threads, cancelled=cancelled)
        scores = tables.wanted(counted.scores.sum(axis=1)[tables.persons]).astype(np.float64)
        words = f"{width} columns" if width > 1 else "one column"
        found.append(Feature(scores, f"values of {words} that nobody else has and a synthetic record has too"))
        ratios = search.mean_ratios(binned, chosen, threads=threads, cancelled=cancelled)
        found.append(Feature(tables.wanted(ratios), f"how much more frequent its values of {words} are in synthetic"))
    return found


def _binned(tables: Tables, columns: Sequence[int]) -> Any:
    """The columns as codes, numbers and times by the quantile bins of the real records; missing is a value."""
    from synthpriv_sql.kernels.uniques.keys import Keys
    from synthpriv_sql.udf.encoded import keys

    assert tables.synthetic is not None
    codes = np.empty((len(columns), tables.real.rows + tables.synthetic.rows), np.int32)
    for place, i in enumerate(columns):
        both = [tables.real.columns[i], tables.synthetic.columns[i]]
        if isinstance(both[0], pages.Texts):
            codes[place] = keys.numbered(both)
            continue
        known = both[0][~np.isnan(both[0])]
        edges = np.unique(np.quantile(known, np.arange(1, BINS) / BINS)) if len(known) else np.zeros(0)
        numbers = np.concatenate(both)
        codes[place] = np.where(np.isnan(numbers), 0, 1 + np.searchsorted(edges, numbers))
    sizes = codes.max(axis=1).astype(np.int64) + 1
    return Keys(codes, sizes, [], tables.real.rows)


def values(tables: Tables) -> list[Feature]:
    """The columns themselves, categories by their order as texts: what `judging` tells two real tables apart by."""
    found = []
    for name, column in zip(tables.facts["columns"], tables.real.columns, strict=True):
        if isinstance(column, pages.Vectors):
            continue
        numbers = _in_order(column) if isinstance(column, pages.Texts) else column
        found.append(Feature(tables.wanted(numbers), f"values of {name}", False))
    return found


def hints(held: Sequence[Any], names: Sequence[str], tables: Tables) -> list[Feature]:
    """The columns that the user names as evidence, a little beyond the largest number where they are infinite."""
    sides = [pages.read(one, ["number"] * len(names)) for one in held]
    found = []
    for name, column in zip(names, joined(sides).columns, strict=True):
        assert isinstance(column, np.ndarray)
        finite = np.abs(column[np.isfinite(column)])
        most = float(finite.max()) + 1 if finite.size else 1.0
        found.append(Feature(tables.wanted(np.clip(column, -most, most)), name))
    return found


def _in_order(column: pages.Texts) -> F64:
    """Number categories by their texts: by who has them first, numbers would tell train from the holdout."""
    codes, words = pages.codes(column)
    places = np.empty(len(words) + 1, np.float64)
    places[pc.array_sort_indices(words).to_numpy()] = np.arange(len(words))
    places[-1] = -1  # missing
    return places[codes]
