"""The split of a table into leaves of at most 64 similar rows, and the way of a query down to its leaf.

Every node is cut where the expected cost between a row of one side and a row of the other is largest: a category by
halves of its mass, a number at its median. The leaves, in order, give rows that are near to one another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

SAMPLE = 1024


class Tree(NamedTuple):
    """Inner nodes, node 0 the root. A child c >= 0 is a node, c < 0 the leaf -1 - c; column < 0: there is no node.

    Columns below the number of numeric columns are numbers (value <= threshold goes left), the others categories (a
    code whose bit is set goes left).
    """

    column: NDArray[np.int32]
    threshold: NDArray[np.float32]
    bits: NDArray[np.uint64]  # (nodes, 4): the set of the 256 codes
    child: NDArray[np.int64]  # (nodes, 2)


@njit(cache=True, nogil=True)
def _number_score(values, order, start, stop, step, column, power, scratch):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    n = 0
    for i in range(start, stop, step):
        scratch[n] = values[order[i], column]
        n += 1
    part = scratch[:n]
    part.sort()
    middle = part[n // 2]
    total = 0.0
    for i in range(n):
        gap = abs(np.float64(part[i]) - middle)
        total += min(gap * gap if power == 2 else gap, 1e30)
    return total / n


@njit(cache=True, nogil=True)
def _category_score(codes, order, start, stop, step, column, counts):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    counts[:] = 0
    n = 0
    for i in range(start, stop, step):
        counts[codes[order[i], column]] += 1
        n += 1
    most = max(0.5, counts.max() / n)
    return 2 * most * (1 - most)


@njit(cache=True, nogil=True)
def _halves(codes, order, start, stop, column, counts, bits):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Choose the codes that go left: the commonest first, each to the lighter side."""
    counts[:] = 0
    for i in range(start, stop):
        counts[codes[order[i], column]] += 1
    bits[:] = 0
    ranks = np.argsort(-counts)
    left = right = 0
    for code in ranks:
        if counts[code] == 0:
            break
        if left <= right:
            left += counts[code]
            bits[code >> 6] |= np.uint64(1) << np.uint64(code & 63)
        else:
            right += counts[code]


@njit(cache=True, nogil=True)
def _partition(values, codes, order, start, stop, column, threshold, bits, spare):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    numbers = values.shape[1]
    left, kept = start, 0
    for i in range(start, stop):
        row = order[i]
        if column < numbers:
            goes = values[row, column] <= threshold
        else:
            code = codes[row, column - numbers]
            goes = (bits[code >> 6] >> np.uint64(code & 63)) & np.uint64(1) != 0
        if goes:
            order[left] = row
            left += 1
        else:
            spare[kept] = row
            kept += 1
    order[left:stop] = spare[:kept]
    return left


@njit(cache=True, nogil=True)
def grow(values, codes, costs, power, leaf_rows):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Cut a table into leaves.

    values: float32 (rows, p), infinite where missing; codes: uint8 (rows, c); costs: float64 (c,), the mismatch.
    Returns order (rows,), leaf starts (leaves + 1,) and the four arrays of a `Tree`.
    """
    rows, numbers = values.shape
    columns = numbers + codes.shape[1]
    order = np.arange(rows)
    spare = np.empty(rows, np.int64)
    scratch = np.empty(SAMPLE * 2, np.float32)
    counts = np.zeros(256, np.int64)
    capacity = 2 * (rows // leaf_rows + 1) + 64
    while True:
        node_column = np.empty(capacity, np.int32)
        threshold = np.zeros(capacity, np.float32)
        bits = np.zeros((capacity, 4), np.uint64)
        child = np.zeros((capacity, 2), np.int64)
        starts = np.empty(capacity + 2, np.int64)
        stack = np.empty((256 + 64, 4), np.int64)
        stack[0] = 0, rows, -1, 0
        depth, nodes, leaves = 1, 0, 0
        full = False
        while depth > 0:
            depth -= 1
            start, stop, parent, side = stack[depth]
            size = stop - start
            if nodes + 2 >= capacity or leaves + 2 >= capacity:
                full = True
                break
            best, chosen = 0.0, -1
            if size > leaf_rows:
                step = max(1, size // SAMPLE)
                for column in range(columns):
                    if column < numbers:
                        score = _number_score(values, order, start, stop, step, column, power, scratch)
                    else:
                        score = costs[column - numbers] * _category_score(
                            codes, order, start, stop, step, column - numbers, counts
                        )
                    if score > best:
                        best, chosen = score, column
            cut = start
            if chosen >= 0:
                if chosen < numbers:
                    n = 0
                    for i in range(start, stop, step):
                        scratch[n] = values[order[i], chosen]
                        n += 1
                    part = scratch[:n]
                    part.sort()
                    half = (size + leaf_rows - 1) // leaf_rows // 2 * leaf_rows if size <= 4096 else size // 2
                    at = min(max(n * half // size, 1), n - 1)
                    threshold[nodes] = part[at - 1]
                    if part[at - 1] == part[n - 1]:  # nothing would go right: cut below the run of equal values
                        below = at - 1
                        while below > 0 and part[below] == part[n - 1]:
                            below -= 1
                        threshold[nodes] = part[below]
                else:
                    _halves(codes, order, start, stop, chosen - numbers, counts, bits[nodes])
                cut = _partition(values, codes, order, start, stop, chosen, threshold[nodes], bits[nodes], spare)
            if chosen < 0 or cut == start or cut == stop:
                # A leaf, or rows that the filters cannot tell apart: leaves of consecutive rows, the query to the first.
                if parent >= 0:
                    child[parent, side] = -1 - leaves
                at = start
                while at < stop:
                    if leaves + 2 >= capacity:
                        full = True
                        break
                    starts[leaves] = at
                    leaves += 1
                    at += leaf_rows
                if full:
                    break
                continue
            node_column[nodes] = chosen
            if parent >= 0:
                child[parent, side] = nodes
            stack[depth] = cut, stop, nodes, 1
            stack[depth + 1] = start, cut, nodes, 0
            depth += 2
            nodes += 1
        if not full:
            break
        capacity *= 2
        order[:] = np.arange(rows)
    starts[leaves] = rows
    return (
        order,
        starts[: leaves + 1].copy(),
        node_column[:nodes].copy(),
        threshold[:nodes].copy(),
        bits[:nodes].copy(),
        child[:nodes].copy(),
    )


@njit(cache=True, nogil=True)
def route(values, codes, column, threshold, bits, child, out):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Write the leaf of each row to `out`."""
    numbers = values.shape[1]
    for i in range(len(out)):
        node = 0 if len(column) > 0 else -1
        while node >= 0:
            if column[node] < numbers:
                goes = values[i, column[node]] <= threshold[node]
            else:
                code = codes[i, column[node] - numbers]
                goes = (bits[node, code >> 6] >> np.uint64(code & 63)) & np.uint64(1) != 0
            node = child[node, 0 if goes else 1]
        out[i] = -1 - node
