"""Limits of the search: the largest distance of interest, plus the maximum error of each filter."""

from __future__ import annotations

import numpy as np

from synthpriv_sql.kernels.blocks.state import Blocks, Metric, Queries, State
from synthpriv_sql.kernels.jit import inner

SMALLEST = 1e-300  # below, a float64 has fewer digits
SMALLEST_SUM = 1e-36  # and a float32


def slack(columns: int) -> float:
    """Return the share by which a limit is widened for rounding in float64.

    The sum of an exact distance is off by a rounding of 2 ** -53 for each column and six for a cost; what filters know
    of it by as many for columns, eight where bitmaps are counted, and few more for the way from one to the other.
    """
    return (columns + 16) * 2.0**-52


@inner
def sum_slack(numbers: int) -> float:
    """Return the share by which a sum of so many numbers may exceed what it would be without rounding to float32.

    A rounding for each addition, three for a square and its difference, two for the limit and its margin.
    """
    return (numbers + 5) * 2.0**-24


@inner
def tighten(state: State, slot: int, queries: Queries, query: int, blocks: Blocks, metric: Metric) -> None:
    """Set the limits of all filters from the worst distance of a query's list."""
    worst = state.distances[slot, -1]
    if worst == np.inf:
        return
    limit = worst * worst if metric.root else worst
    limit *= metric.divisor
    slack = limit * metric.slack + SMALLEST
    state.sum_limit[slot] = limit + slack
    limit, slack = limit / metric.unit, slack / metric.unit
    margin = queries.margin[query]
    limit = max(limit - queries.surcharge[query], 0.0) + slack  # no filter knows of it
    limit += 2 * margin * np.sqrt(limit) + margin * margin if metric.power == 2 else margin
    state.filter_limit[slot] = limit
    if metric.counted:
        # Equal counts are equal distances, to the bit: less is certain to win, and a tie needs a smaller record.
        count, total = 0, metric.costs[0]
        while count < len(metric.costs):
            distance = total / metric.divisor
            if (np.sqrt(distance) if metric.root else distance) > worst:
                break
            total += metric.costs[0]
            count += 1
        tie = count - 1
    else:
        count = tie = int(min(float(len(blocks.counted)), limit / blocks.price))
    state.count_limit[slot], state.count_tie[slot] = count, tie
    if metric.counted:
        each = int(metric.costs[0] / metric.unit / blocks.unit)  # as the tables have it
        state.table_limit[slot] = min(count * each, 65535)
    else:
        state.table_limit[slot] = int(min(65535.0, limit / blocks.unit))
    state.value_limit[slot] = np.float32(min(limit * (1 + sum_slack(metric.summed)) + SMALLEST_SUM, 1e38))
