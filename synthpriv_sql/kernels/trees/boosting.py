"""Gradient boosting for two classes on features in bins: small trees grown best first, by Newton steps.

Trees and splits are those of scikit-learn's HistGradientBoostingClassifier (Chen and Guestrin 2016, Ke et al. 2017);
where a split chooses among a share of the features, only these are counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.jit import F64, I64, U8, U64, inner, kernel
from synthpriv_sql.kernels.simd.sums import SUMS, add_four
from synthpriv_sql.kernels.trees.drawing import draw

MISSING = 255
"""The code of a missing value; those of others are the numbers of their bins."""
_BINS = MISSING + 1
_AT_ONCE = 4
_LEAST_CURVATURE = 1e-3
_TINY = 1e-15


class Trees(NamedTuple):
    """Trees by round and node; the feature of a leaf is -1.

    features, bins (the last one of the left side) : int64; missing_left : uint8; children : int64 (rounds, nodes), the
    left one, the right one follows; values : float64, of leaves; start : float64 (1,), what is added for every record.
    """

    features: I64
    bins: I64
    missing_left: U8
    children: I64
    values: F64
    start: F64


class Rules(NamedTuple):
    """How trees grow; `grow` says it."""

    rate: float
    leaves: int
    leaf: int
    penalty: float
    drawn: int


class Growing(NamedTuple):
    """What all rounds use: of each record gradient and curvature, and the two in the order of nodes."""

    score: F64  # of each record by the trees so far
    gradients: F64
    curvatures: F64
    terms: F64  # (records, 4): gradient, curvature, 1 and 0 of the records of a node, next to each other
    order: I64
    spare: I64
    bins: F64  # (4 * 256, 4): of four features the sums of terms of each bin
    chosen: I64  # these features
    features: I64  # in the order in which the last node drew them
    nodes: F64  # (nodes, 9)
    state: U64  # (1,) of the random numbers


def grow(
    codes: U8, counts: I64, members: NDArray[np.bool_], seed: int, *, rounds: int, rate: float, leaves: int, leaf: int,
    penalty: float, drawn: int,
) -> Trees:  # fmt: skip
    """Grow trees.

    Parameters
    ----------
    codes : uint8 (features, records), contiguous
    counts : int64 (features,)
        Of bins, without that of missing values.
    members : bool (records,)
    seed
        Of the features that splits choose from.
    rounds, rate, leaves, leaf, penalty
        Trees, the share of a step that is taken, leaves of a tree, least records of a leaf, and l2 of its value.
    drawn
        Features that a split chooses from.
    """
    rows = codes.shape[1]
    nodes = 2 * leaves - 1
    share = members.mean()
    trees = Trees(
        np.full((rounds, nodes), -1), np.zeros((rounds, nodes), np.int64), np.zeros((rounds, nodes), np.uint8),
        np.zeros((rounds, nodes), np.int64), np.zeros((rounds, nodes)), np.array([np.log(share / (1 - share))]),
    )  # fmt: skip
    growing = Growing(
        score=np.full(rows, trees.start[0]),
        gradients=np.empty(rows),
        curvatures=np.empty(rows),
        terms=np.tile([0.0, 0.0, 1.0, 0.0], (rows, 1)),
        order=np.empty(rows, np.int64),
        spare=np.empty(rows, np.int64),
        bins=np.empty((_AT_ONCE * _BINS, SUMS)),
        chosen=np.empty(_AT_ONCE, np.int64),
        features=np.arange(len(codes)),
        nodes=np.empty((nodes, 9)),
        state=np.array([seed], np.uint64),
    )
    rules = Rules(rate, leaves, leaf, penalty, drawn)
    _grow(codes, counts, members.astype(np.float64), rules, trees, growing)
    return trees


_HALVES = (128, 64, 32, 16, 8, 4, 2, 1)


def put_into_bins(values: F64, edges: F64, codes: U8) -> None:
    """Write the bin of each value: how many edges, at most 254 in order, are smaller; ``MISSING`` if it is NaN."""
    padded = np.full(MISSING, np.inf)
    padded[: len(edges)] = edges
    _put_into_bins(values, padded, codes)


@kernel
def _put_into_bins(values: F64, padded: F64, codes: U8) -> None:
    for i in range(len(values)):
        value = values[i]
        found = 0
        for half in _HALVES:
            found += half if padded[found + half - 1] < value else 0
        codes[i] = found if value == value else MISSING


def score(codes: U8, trees: Trees) -> F64:
    """Return the logarithm of the odds of each record, float64 (records,)."""
    found = np.full(codes.shape[1], trees.start[0])
    _score(codes, trees, found)
    return found


# The columns of what is known of a node.
_FIRST, _END, _SUM, _CURVE, _GAIN, _FEATURE, _BIN, _LEFT, _CUT = range(9)


@kernel
def _grow(codes: U8, counts: I64, members: F64, rules: Rules, trees: Trees, growing: Growing) -> None:
    rows = len(members)
    raw, nodes = growing.score, growing.nodes
    gradients, curvatures, order = growing.gradients, growing.curvatures, growing.order
    for number in range(trees.features.shape[0]):
        total = curve = 0.0
        for i in range(rows):
            p = 1.0 / (1.0 + np.exp(-raw[i]))
            gradients[i], curvatures[i], order[i] = p - members[i], p * (1.0 - p), i
            total += gradients[i]
            curve += curvatures[i]
        nodes[0, _FIRST], nodes[0, _END], nodes[0, _SUM], nodes[0, _CURVE] = 0, rows, total, curve
        _find_split(0, codes, counts, rules, growing)
        count, grown = 1, 1
        while grown < rules.leaves:
            best = -1
            for node in range(count):
                if nodes[node, _GAIN] > 0 and (best < 0 or nodes[node, _GAIN] > nodes[best, _GAIN]):
                    best = node
            if best < 0:
                break
            trees.features[number, best], trees.bins[number, best] = int(nodes[best, _FEATURE]), int(nodes[best, _BIN])
            trees.missing_left[number, best], trees.children[number, best] = int(nodes[best, _LEFT]), count
            _divide(best, count, codes, trees.bins[number, best], growing)
            nodes[best, _GAIN] = -1.0
            grown += 1
            for child in range(count, count + 2):
                nodes[child, _GAIN] = -1.0
                if grown < rules.leaves:
                    _find_split(child, codes, counts, rules, growing)
            count += 2
        for node in range(count):
            if trees.features[number, node] < 0:
                value = -rules.rate * nodes[node, _SUM] / (nodes[node, _CURVE] + rules.penalty + _TINY)
                trees.values[number, node] = value
                for place in range(int(nodes[node, _FIRST]), int(nodes[node, _END])):
                    raw[order[place]] += value


@inner
def _find_split(node: int, codes: U8, counts: I64, rules: Rules, growing: Growing) -> None:
    """Write the best split of a node, of those by some random features."""
    leaf, penalty, drawn = rules.leaf, rules.penalty, rules.drawn
    bins, chosen, features, nodes = growing.bins, growing.chosen, growing.features, growing.nodes
    first, end = int(nodes[node, _FIRST]), int(nodes[node, _END])
    terms, order = growing.terms, growing.order
    size = end - first
    total, curve = nodes[node, _SUM], nodes[node, _CURVE]
    nodes[node, _GAIN] = -1.0
    if size < 2 * leaf or curve < _LEAST_CURVATURE:
        return
    for k in range(size):
        terms[k, 0], terms[k, 1] = growing.gradients[order[first + k]], growing.curvatures[order[first + k]]
    before = total * total / (curve + penalty + _TINY)
    for asked in range(0, drawn, _AT_ONCE):
        count = min(_AT_ONCE, drawn - asked)
        for k in range(_AT_ONCE):
            if k < count:
                chosen[k] = draw(features, asked + k, growing.state) if drawn < len(features) else asked + k
            else:
                chosen[k] = chosen[0]  # counted, and not looked at
        _count(codes, counts, chosen, first, size, growing)
        for k in range(count):
            at = k * _BINS
            _take_better(node, chosen[k], counts[chosen[k]], size, leaf, penalty, before, bins[at : at + _BINS], nodes)


@inner
def _count(codes: U8, counts: I64, chosen: I64, first: int, size: int, growing: Growing) -> None:
    """Add up gradients, curvatures and records by bin, of a few features at once: an addition waits for that before."""
    terms, order, bins = growing.terms, growing.order, growing.bins
    for k in range(_AT_ONCE):
        bins[k * _BINS : k * _BINS + counts[chosen[k]]] = 0.0
        bins[k * _BINS + MISSING] = 0.0
    one, two, three, four = codes[chosen[0]], codes[chosen[1]], codes[chosen[2]], codes[chosen[3]]
    for k in range(size):
        record = order[first + k]
        add_four(bins, one[record], terms, k)
        add_four(bins, _BINS + two[record], terms, k)
        add_four(bins, 2 * _BINS + three[record], terms, k)
        add_four(bins, 3 * _BINS + four[record], terms, k)


@inner
def _take_better(
    node: int, feature: int, last: int, size: int, leaf: int, penalty: float, before: float, bins: F64, nodes: F64
) -> None:
    """Write the best split by a feature, if it is better than what is written."""
    total, curve = nodes[node, _SUM], nodes[node, _CURVE]
    gaps = bins[MISSING, 2] > 0
    for missing_left in range(1 + gaps):
        left = left_curve = left_rows = 0.0
        if missing_left:
            left, left_curve, left_rows = bins[MISSING, 0], bins[MISSING, 1], bins[MISSING, 2]
        for b in range(last - 1 + (gaps and not missing_left)):
            left += bins[b, 0]
            left_curve += bins[b, 1]
            left_rows += bins[b, 2]
            if left_rows < leaf or left_curve < _LEAST_CURVATURE:
                continue
            if size - left_rows < leaf or curve - left_curve < _LEAST_CURVATURE:
                break
            right, right_curve = total - left, curve - left_curve
            gain = (
                left * left / (left_curve + penalty + _TINY) + right * right / (right_curve + penalty + _TINY) - before
            )
            if gain > 0 and gain > nodes[node, _GAIN]:
                nodes[node, _GAIN], nodes[node, _FEATURE], nodes[node, _BIN] = gain, feature, b
                nodes[node, _LEFT], nodes[node, _CUT] = missing_left, left_rows


@inner
def _divide(node: int, child: int, codes: U8, cut: int, growing: Growing) -> None:
    """Order the records of a node by its split, those of a side as they were, and begin both children."""
    nodes = growing.nodes
    first, end = int(nodes[node, _FIRST]), int(nodes[node, _END])
    here, order, spare = codes[int(nodes[node, _FEATURE])], growing.order, growing.spare
    missing_left = nodes[node, _LEFT] > 0
    place = first
    others = 0
    left = left_curve = 0.0
    for k in range(first, end):
        record = order[k]
        code = here[record]
        if missing_left if code == MISSING else code <= cut:
            order[place] = record
            place += 1
            left += growing.gradients[record]
            left_curve += growing.curvatures[record]
        else:
            spare[others] = record
            others += 1
    for k in range(others):
        order[place + k] = spare[k]
    for side in range(2):
        nodes[child + side, _FIRST] = place if side else first
        nodes[child + side, _END] = end if side else place
        nodes[child + side, _SUM] = nodes[node, _SUM] - left if side else left
        nodes[child + side, _CURVE] = nodes[node, _CURVE] - left_curve if side else left_curve


@kernel
def _score(codes: U8, trees: Trees, found: F64) -> None:
    for i in range(codes.shape[1]):
        for number in range(trees.features.shape[0]):
            node = 0
            while trees.features[number, node] >= 0:
                code = codes[trees.features[number, node], i]
                left = trees.missing_left[number, node] > 0 if code == MISSING else code <= trees.bins[number, node]
                node = trees.children[number, node] + (0 if left else 1)
            found[i] += trees.values[number, node]
