"""``synthpriv_kernel``: from pages of synthetic and real records to a density ratio for every real record."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthpriv_sql.errors import EmptyTable, OptionError
from synthpriv_sql.kernels.threads import SearchOptions
from synthpriv_sql.udf.encoded import arrange, pages
from synthpriv_sql.udf.neighbors import Monitor, combined, compiling, watched

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I64  # imports numba
    from synthpriv_sql.kernels.smoothing import Factors, Rows

FOUND_SQL = "STRUCT(members BIGINT, scores DOUBLE[], synthetic BIGINT[])"


def ratios(synthetic_pages: Any, train_pages: Any, holdout_pages: Any, options: Any, monitor: Monitor) -> Any:
    """``synthpriv_kernel(synthetic_pages, train_pages, holdout_pages, options)``: the score of each real record.

    Parameters
    ----------
    synthetic_pages, train_pages, holdout_pages
        Arrow lists of pages, one list per row; null if the table has no rows, or there is no holdout.
    options
        Arrow structs with the fields of sql/parts/kernel_ratios.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the number of records in train; then, for all records of train followed by those of holdout,
        the score, and the synthetic record with the largest product.

    Raises
    ------
    EmptyTable, InfiniteValue, OptionError, Stopped
        See `synthpriv_sql.errors`.
    """
    arguments = [combined(a) for a in (synthetic_pages, train_pages, holdout_pages, options)]
    return pa.concat_arrays([watched(_ratios_of_one, [a[i] for a in arguments], monitor) for i in range(len(options))])


def _ratios_of_one(
    synthetic_pages: Any, train_pages: Any, holdout_pages: Any, options: Any, *, monitor: Monitor
) -> Any:
    options = options.as_py()
    width, share = bandwidth(options["bandwidth"])
    kinds = arrange.kinds(options["roles"])
    tables = {}
    for side, given in (("synthetic", synthetic_pages), ("train", train_pages), ("holdout", holdout_pages)):
        tables[side] = pages.read(given.values or [], kinds)
        if side != "holdout" and not tables[side].rows:
            raise EmptyTable(f"{options[side]} has no rows; without a record there is no density")
        arrange.check_values(options, tables[side], options[side])
        tables[side] = tables[side].by_equality()
    members = tables["train"].rows
    real = [tables[side] for side in ("train", "holdout") if tables[side].rows]
    rows = sum(table.rows for table in real)
    label = f"densities of {rows:,} × {tables['synthetic'].rows:,} rows"

    with compiling(monitor):
        smoothed = Smoothed.of(real, tables["synthetic"], options)
        scores, nearest = smoothed.ratios(width, share, monitor.search_options(options["threads"], label))
    one = pa.array([0, rows], pa.int32())
    lists = [pa.ListArray.from_arrays(one, values) for values in (pa.array(scores), pa.array(nearest))]
    names = ["members", "scores", "synthetic"]
    return pa.StructArray.from_arrays([pa.array([members], pa.int64()), *lists], names=names)


def bandwidth(given: Sequence[float]) -> tuple[float, float]:
    """Return the width of numbers and the share of categories, or raise."""
    if len(given) != 2 or given[1] > 1:
        raise OptionError(
            '"bandwidth" must be two numbers: the width of numbers in standard deviations, and the share, at most 1, '
            "of the weight of a category that others have"
        )
    return given[0], given[1]


@dataclass(frozen=True, slots=True)
class Smoothed:
    """Real and synthetic records as the kernel takes them.

    Parameters
    ----------
    real, synthetic
        Those of real are in the order of their values, so that the order of the tables changes no sum.
    order
        int64: which real record stands at each place.
    deviations
        The standard deviation of each number among real records.
    shares
        For each column, the share of real records that have each code; of numbers only that of missing and of present
        ones, and that of the rarest value.
    weights
        The weight of each column.
    """

    real: Rows
    synthetic: Rows
    order: I64
    deviations: Sequence[float]
    shares: Sequence[F64]
    rarest: Sequence[float]
    weights: Sequence[float]

    @classmethod
    def of(cls, real: Sequence[Any], synthetic: Any, options: Mapping[str, Any]) -> Smoothed:
        """Encode tables of pages; a number that all real records share, or that all lack, is a category."""
        from synthpriv_sql.udf.encoded.population import Population, values_of

        threads = options["threads"]
        weighted = [i for i, weight in enumerate(options["weights"]) if weight > 0]
        tables = [pages.Encoded(t.rows, tuple(t.columns[i] for i in weighted)) for t in (*real, synthetic)]
        roles = [options["roles"][i] for i in weighted]
        values = values_of(tables[:-1], threads)
        rows = sum(table.rows for table in tables[:-1])
        population = Population(roles, [1.0] * len(roles), values, rows, 0.0)
        codes = [population.codes(table, threads) for table in tables]
        numeric = [i for i, role in enumerate(roles) if role in {"numeric", "temporal"} and len(values[i].counts) > 1]
        columns = [*numeric, *(i for i in range(len(roles)) if i not in numeric)]
        tallies = [np.concatenate([[values[i].missing], values[i].counts]) for i in columns]
        numbers = [np.concatenate([t.columns[i] for t in tables]) for i in numeric]
        together = np.concatenate(codes)[:, columns].T.astype(np.int32)
        for place, column in enumerate(numbers):
            together[place] = ~np.isnan(column)
        stacked = np.array([np.nan_to_num(column) for column in numbers]).reshape(len(numeric), together.shape[1])
        # Codes of words are in the order of their first rows, which reveals train.
        ranked = [_ranks(values[i].known)[together[place, :rows]] for place, i in enumerate(columns)]
        order = np.lexsort([*stacked[:, :rows], *ranked]) if columns else np.arange(rows)
        deviations = [float(np.sort(column[:rows][~np.isnan(column[:rows])]).std()) for column in numbers]
        shares = [
            np.array([values[i].missing, rows - values[i].missing, 1]) / rows
            if i in numeric
            else np.append(tally, 1) / rows
            for i, tally in zip(columns, tallies, strict=True)
        ]
        rarest = [float(tally[tally > 0].min()) / rows for tally in tallies]
        return cls(
            _rows(stacked[:, :rows][:, order], together[:, :rows][:, order]),
            _rows(stacked[:, rows:], together[:, rows:]),
            order,
            deviations,
            shares,
            rarest,
            [float(options["weights"][weighted[i]]) for i in columns],
        )

    def ratios(self, width: float, share: float, options: SearchOptions = SearchOptions()) -> tuple[F64, I64]:
        """Return the score of each real record, float64, and the synthetic record with the largest product, int64."""
        from synthpriv_sql.kernels import smoothing

        factors = self._factors(width, share)
        rows = len(self.order)
        own = np.arange(rows)
        sizes = [self.synthetic.codes.shape[1], rows]

        def part(before: int, size: int) -> SearchOptions:
            def report(done: int, _: int) -> None:
                options.report((before * rows + done * size) // sum(sizes), rows)

            return replace(options, progress=report)

        nobody = np.full(rows, -1)
        near = smoothing.log_means(self.real, self.synthetic, factors, nobody, options=part(0, sizes[0]))
        score = near.logarithms
        if rows > 1:
            others = smoothing.log_means(self.real, self.real, factors, own, options=part(*sizes))
            score = score - others.logarithms
        scores, nearest = np.empty(rows), np.empty(rows, np.int64)
        scores[self.order], nearest[self.order] = score, near.nearest
        return scores, nearest

    def _factors(self, width: float, share: float) -> Factors:
        from synthpriv_sql.kernels.smoothing import Factors

        numeric = len(self.deviations)
        equal, different = [], []
        for place, (shares, weight) in enumerate(zip(self.shares, self.weights, strict=True)):
            known = np.where(shares > 0, shares, 1.0)
            same = weight * np.log1p(-share * (1 - known))
            if place < numeric:
                same[1] = 0.0  # of two numbers the difference counts alone
            equal.append(same)
            different.append(weight * np.log(share * known))
        steps = [math.sqrt(w) / (width * d) for w, d in zip(self.weights[:numeric], self.deviations, strict=True)]
        return Factors(
            np.cumsum([0, *map(len, equal)], dtype=np.int64),
            np.concatenate([np.zeros(0), *equal]),
            np.concatenate([np.zeros(0), *different]),
            np.array([w * math.log(share * one) for w, one in zip(self.weights, self.rarest, strict=True)]),
            np.array(steps),
        )


def _ranks(known: Any) -> Any:
    """The rank of the value of each code, by the order of values."""
    if isinstance(known, np.ndarray):
        return np.arange(len(known) + 2)
    ranks = np.empty(len(known) + 1, np.int64)
    ranks[1 + pc.array_sort_indices(known).to_numpy()] = np.arange(1, len(known) + 1)
    ranks[0] = 0
    return ranks


def _rows(numbers: Any, codes: Any) -> Rows:
    from synthpriv_sql.kernels.smoothing import Rows

    gaps = (codes == 0).any(axis=1).astype(np.uint8)
    return Rows(np.ascontiguousarray(numbers, np.float64), np.ascontiguousarray(codes, np.int32), gaps)
