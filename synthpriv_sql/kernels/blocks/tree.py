"""The order of the reference, in which similar rows are in the same block of 64, and the routing of queries to leaves.

Every node is split by the column with the largest spread of its rows: a number near the median, a category into sets of
about equal size. Codes that few rows have are no spread: most blocks lack them wherever they are cut. Blocks do not
cross the boundaries of large nodes; inside a packet, a block is every 64 rows of the final order, so that nearly all
blocks are full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from synthpriv_sql.kernels.jit import F32, F64, I32, I64, U8, U64, inner, kernel
from synthpriv_sql.kernels.sorting import comb_sort
from synthpriv_sql.kernels.threads import each

BLOCK = 64  # rows of a block: within a packet, blocks start at multiples of it
PACKET = 1024  # maximum number of rows of a packet; a quarter of that if the table is small
LEAF = 32  # smaller nodes are not split
SAMPLE = 128  # rows sampled to choose a column
MEDIAN = 1024  # rows sampled to estimate a median
DEEPEST = 256  # maximum depth of the tree
APART = 1 << 16  # maximum number of rows of a tree that one thread grows
SHARES = 16  # into so many shares the rows of larger trees are divided among threads


class Tree(NamedTuple):
    """Inner nodes; node 0 is the root. A child c >= 0 is a node, c < 0 the leaf -1 - c; leaves are numbered in order.

    Columns below the number of numeric columns are numbers (value <= threshold goes left, missing goes right), the
    others are categories (a code whose bit is set goes left).
    """

    column: I32
    threshold: F32
    bits: U64  # (nodes, 4): the set of the 256 codes
    child: I64  # (nodes, 2)


class _Scratch(NamedTuple):
    spare: I64
    sample: F32
    mean: F64
    present: I64
    score: F64
    tally: I32  # (columns, 256)
    stack: I64  # (DEEPEST + 2, 5)


@inner
def _choose(
    values: F32, codes: U8, order: I64, start: int, stop: int, costs: F64, power: int, scratch: _Scratch
) -> int:
    """Return the column with the largest spread of the rows of a node, or -1 if none would make bounds larger."""
    numbers, texts = values.shape[1], codes.shape[1]
    step = max(1, (stop - start) // SAMPLE)
    for j in range(numbers):
        scratch.mean[j], scratch.present[j], scratch.score[j] = 0.0, 0, 0.0
    for j in range(texts):
        for code in range(256):
            scratch.tally[j, code] = 0
    for i in range(start, stop, step):
        row = order[i]
        for j in range(numbers):
            if values[row, j] == values[row, j]:  # missing numbers are represented by a category
                scratch.mean[j] += values[row, j]
                scratch.present[j] += 1
        for j in range(texts):
            scratch.tally[j, codes[row, j]] += 1
    for j in range(numbers):
        scratch.mean[j] /= max(scratch.present[j], 1)
    for i in range(start, stop, step):
        row = order[i]
        for j in range(numbers):
            if values[row, j] == values[row, j]:
                gap = abs(values[row, j] - scratch.mean[j])
                scratch.score[j] += gap * gap if power == 2 else gap
    rows = (stop - start + step - 1) // step
    best, chosen = 0.0, -1
    for j in range(numbers):
        if scratch.score[j] / rows > best and scratch.present[j] > 1:
            best, chosen = scratch.score[j] / rows, j
    for j in range(texts):
        most = single = 0
        for code in range(256):
            most = max(most, scratch.tally[j, code])
            single += scratch.tally[j, code] == 1
        share = max(0.5, most / rows)
        # A code that a single row of the sample has costs its queries something in most blocks, split or not.
        spread = (2 * share * (1 - share) - share * single / rows) * costs[j]
        if spread > best:
            best, chosen = spread, numbers + j
    return chosen


@inner
def _halve(codes: U8, order: I64, start: int, stop: int, column: int, tally: I32, bits: U64) -> None:
    """Choose the codes that go left: in descending frequency in the table, each is added to the smaller side."""
    for code in range(256):
        tally[column, code] = 0
    for i in range(start, stop):
        tally[column, codes[order[i], column]] += 1
    left = right = 0
    for code in range(256):
        if left <= right:
            left += tally[column, code]
            bits[code >> 6] |= np.uint64(1) << np.uint64(code & 63)
        else:
            right += tally[column, code]


@inner
def _median(values: F32, order: I64, start: int, stop: int, base: int, column: int, sample: F32) -> float:
    """Choose a threshold near the median; inside a packet, one that sends whole blocks left."""
    size = stop - start
    n = 0
    for i in range(start, stop, 1 + (size - 1) // len(sample)):
        value = values[order[i], column]
        sample[n] = value if value == value else np.inf
        n += 1
    comb_sort(sample, n)
    half = size // 2
    if base >= 0 and size > BLOCK:
        half = (start - base + half + BLOCK // 2) // BLOCK * BLOCK - (start - base)
    at = min(max(n * half // size, 1), n - 1)
    while at > 1 and sample[at - 1] == sample[n - 1]:  # nothing would go right: split below the run of equal values
        at -= 1
    return float(sample[at - 1])


@inner
def _part(
    values: F32,
    codes: U8,
    order: I64,
    start: int,
    stop: int,
    column: int,
    threshold: float,
    bits: U64,
    spare: I64,
) -> int:
    """Partition rows stably into those that go left and the others; return where the others start."""
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
    for i in range(kept):
        order[left + i] = spare[i]
    return left


@kernel
def _grow(
    values: F32,
    codes: U8,
    costs: F64,
    power: int,
    packet: int,
    least: int,
    order: I64,
    roots: I64,
    links: I64,
    starts: I64,
    tree: Tree,
    deferred: I64,
    scratch: _Scratch,
    halt: U8,
) -> tuple[int, int, int, int]:
    """Split the nodes `roots` down to leaves, or to nodes of at most `least` rows, which are written to `deferred`.

    A node is its first row, its end, parent, side, and packet (where it starts, or -1 above packets). Fills order,
    block starts, nodes, and links, the child that each root is. Returns the number of blocks, nodes, leaves, and of
    deferred nodes.
    """
    numbers = values.shape[1]
    stack = scratch.stack
    nodes = leaves = blocks = later = 0
    for root in range(len(roots)):
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = (
            roots[root, 0],
            roots[root, 1],
            -1,
            0,
            roots[root, 4],
        )
        depth = 1
        while depth > 0 and halt[0] == 0:
            depth -= 1
            start, stop, parent, side = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
            base = stack[depth, 4]
            cut = start
            if stop - start > max(LEAF, least) and depth < DEEPEST:
                chosen = _choose(values, codes, order, start, stop, costs, power, scratch)
                if base < 0 and (chosen < 0 or stop - start <= packet):
                    base = start
                if chosen >= numbers:
                    _halve(codes, order, start, stop, chosen - numbers, scratch.tally, tree.bits[nodes])
                elif chosen >= 0:
                    tree.threshold[nodes] = _median(values, order, start, stop, base, chosen, scratch.sample)
                if chosen >= 0:
                    tree.column[nodes] = chosen
                    cut = _part(
                        values,
                        codes,
                        order,
                        start,
                        stop,
                        chosen,
                        tree.threshold[nodes],
                        tree.bits[nodes],
                        scratch.spare,
                    )
            whole = cut in (start, stop)
            if least == 0 and (base == start or (whole and base < 0)) and stack[depth, 4] < 0:
                for at in range(start, stop, BLOCK):
                    starts[blocks] = at
                    blocks += 1
            if whole:
                for word in range(4):
                    tree.bits[nodes, word] = 0
                child = -1 - leaves
                if least > 0:
                    deferred[later, 0], deferred[later, 1], deferred[later, 2], deferred[later, 3] = (
                        start,
                        stop,
                        parent,
                        side,
                    )
                    deferred[later, 4] = stack[depth, 4]
                    later += 1
                else:
                    leaves += 1
            else:
                child = nodes
                stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = cut, stop, nodes, 1
                stack[depth, 4] = stack[depth + 1, 4] = base
                depth += 1
                stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = start, cut, nodes, 0
                depth += 1
                nodes += 1
            if parent >= 0:
                tree.child[parent, side] = child
            else:
                links[root] = child
    return blocks, nodes, leaves, later


class _Part(NamedTuple):
    """Result of `_grow`."""

    links: I64
    starts: I64
    tree: Tree
    leaves: int
    deferred: I64


def _part_of(
    values: F32, codes: U8, costs: F64, power: int, packet: int, least: int, order: I64, roots: I64, halt: U8
) -> _Part:
    rows, numbers = int((roots[:, 1] - roots[:, 0]).sum()), values.shape[1]
    most = rows + 1  # a split takes at least one row away
    tree = Tree(
        np.empty(most, np.int32),
        np.zeros(most, np.float32),
        np.zeros((most, 4), np.uint64),
        np.zeros((most, 2), np.int64),
    )
    scratch = _Scratch(
        np.empty(int((roots[:, 1] - roots[:, 0]).max(initial=0)), np.int64),
        np.empty(MEDIAN, np.float32),
        np.empty(numbers),
        np.empty(numbers, np.int64),
        np.empty(numbers),
        np.empty((codes.shape[1], 256), np.int32),
        np.empty((DEEPEST + 2, 5), np.int64),
    )
    links, starts = np.empty(len(roots), np.int64), np.empty(rows + 2, np.int64)
    deferred = np.empty((most if least else 0, 5), np.int64)
    blocks, nodes, leaves, later = _grow(
        values=values, codes=codes, costs=costs, power=power, packet=packet, least=least, order=order, roots=roots,
        links=links, starts=starts, tree=tree, deferred=deferred, scratch=scratch, halt=halt,
    )  # fmt: skip
    return _Part(
        links,
        starts[:blocks].copy(),
        Tree(
            tree.column[:nodes].copy(),
            tree.threshold[:nodes].copy(),
            tree.bits[:nodes].copy(),
            tree.child[:nodes].copy(),
        ),
        leaves,
        deferred[:later].copy(),
    )


def grow(
    values: F32, codes: U8, costs: F64, power: int, halt: U8, full: bool = False, threads: int = 1
) -> tuple[I64, I64, Tree]:
    """Sort the rows of a table into blocks of similar rows.

    Parameters
    ----------
    values : float32 (rows, p), NaN = missing
    codes : uint8 (rows, c)
    costs : float64 (c,)
        The cost of a different code.
    power : int
        The power of differences of numbers.
    halt : uint8 (1,)
        Set to cancel; the result is then invalid.
    full : bool
        Whether full blocks matter more than blocks within one node.
    threads : int
        They affect the speed, not the result, except for the numbers of nodes.

    Returns
    -------
    order : int64 (rows,)
    starts : int64 (blocks + 1,)
        Where blocks of at most 64 rows start in that order.
    tree : Tree
    """
    rows = len(values)
    order = np.arange(rows)
    packet = PACKET if full else max(PACKET // 4, min(PACKET, rows >> 7))

    def part(roots: I64, least: int = 0) -> _Part:
        return _part_of(values, codes, costs, power, packet, least, order, roots, halt)

    everything = np.array([[0, rows, -1, 0, -1]])
    if threads == 1 or rows <= APART:
        only = part(everything)
        return order, np.append(only.starts, rows), only.tree
    top = part(everything, rows // SHARES)
    if halt[0] != 0:
        return order, np.array([0, rows]), top.tree
    sizes = np.cumsum(top.deferred[:, 1] - top.deferred[:, 0])
    cuts = np.unique(np.searchsorted(sizes, rows * np.arange(1, SHARES) // SHARES))
    parts = each((roots for roots in np.split(top.deferred, cuts) if len(roots)), threads, part)
    return order, np.append(np.concatenate([one.starts for one in parts]), rows), _joined(top, parts)


def _joined(top: _Part, parts: Sequence[_Part]) -> Tree:
    """Return one tree: the nodes of the top, then those of the parts, whose leaves are in order."""
    child: list[I64] = [top.tree.child]
    links: list[I64] = []
    nodes, leaves = len(top.tree.column), 0
    for part in parts:
        for found, of_part in ((child, part.tree.child), (links, part.links)):
            found.append(np.where(of_part < 0, of_part - leaves, of_part + nodes))
        nodes += len(part.tree.column)
        leaves += part.leaves
    below = top.deferred[:, 2] >= 0  # not the root
    child[0][top.deferred[below, 2], top.deferred[below, 3]] = np.concatenate(links)[below]
    trees = [top.tree, *(part.tree for part in parts)]
    return Tree(
        np.concatenate([tree.column for tree in trees]),
        np.concatenate([tree.threshold for tree in trees]),
        np.concatenate([tree.bits for tree in trees]),
        np.concatenate(child),
    )


@kernel
def route(values: F32, codes: U8, tree: Tree, start: int, stop: int, leaf: I64) -> None:
    """Write the leaf of the rows from `start` to `stop` to `leaf`."""
    numbers = values.shape[1]
    for i in range(start, stop):
        node = 0 if len(tree.column) > 0 else -1
        while node >= 0:
            column = tree.column[node]
            if column < numbers:
                goes = values[i, column] <= tree.threshold[node]
            else:
                code = codes[i, column - numbers]
                goes = (tree.bits[node, code >> 6] >> np.uint64(code & 63)) & np.uint64(1) != 0
            node = tree.child[node, 0 if goes else 1]
        leaf[i] = -1 - node
