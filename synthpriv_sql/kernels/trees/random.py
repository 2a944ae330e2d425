"""Extremely randomized trees for two classes (Geurts et al. 2006): of some features, the best of one cut each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.jit import F32, F64, I32, I64, U8, U64, inner, kernel, unordered
from synthpriv_sql.kernels.trees.drawing import draw, uniform

_EQUAL = 1e-7
"""Values of a feature that lie no further apart are one."""
_AT_ONCE = 64
"""The features of so many records are near at hand."""


def votes(
    features: F32, known: I64, members: NDArray[np.bool_], asked: I64, seeds: NDArray[Any], *, records: int, leaf: int,
    drawn: int,
) -> F64:  # fmt: skip
    """Add up the shares of members in the leaves of a tree per seed.

    Parameters
    ----------
    features : float32 (records, features), contiguous
        Nothing is missing.
    known : int64
        The records that trees are grown on.
    members : bool (known,)
    asked : int64
        The records that they are asked about.
    seeds
        A tree each.
    records
        How many random ones of the known a tree is grown on, at most 2**24: they are counted in floats.
    leaf, drawn
        Least records of a leaf, and features that a split chooses from.

    Returns
    -------
    float64 (asked,)
    """
    nodes = 2 * max(1, records // leaf) + 1
    width = features.shape[1]
    total = np.zeros(len(asked))
    work = _Work(
        known=np.empty(len(known), np.int64), own=np.empty((width, records), np.float32),
        block=np.empty((_AT_ONCE, width), np.float32),
        own_labels=np.empty(records, np.uint8), order=np.empty(records, np.int64), spare=np.empty(records, np.int64),
        features=np.empty(width, np.int64), values=np.empty(records, np.float32), labels=np.empty(records, np.float32),
        nodes=np.empty((nodes, 3), np.int64), found=np.empty((nodes, 2)), state=np.zeros(1, np.uint64),
    )  # fmt: skip
    places, found = np.empty((len(seeds), nodes, 2), np.int32), np.empty((len(seeds), nodes))
    labels = members.astype(np.uint8)
    _grow(features, known, labels, seeds.astype(np.uint64), leaf, drawn, places, found, work)
    _vote(features, asked, places, found, work.block, total)
    return total


class _Work(NamedTuple):
    """What a tree is grown in.

    known : places of known records, the first ones of which are those of the tree; own, own_labels : their features,
    float32 (features, records), and labels; order, spare : their places by node; features, in random order; values,
    labels : of the records of a node; nodes : int64 (nodes, 3), the feature of a split (-1 of a leaf), then its left
    child or the first record, and the end of records; found : float64 (nodes, 2), the cut of a split and the share of
    members.
    """

    known: I64
    own: F32
    block: F32
    own_labels: U8
    order: I64
    spare: I64
    features: I64
    values: F32
    labels: F32
    nodes: I64
    found: F64
    state: U64


@kernel
def _grow(
    features: F32, known: I64, members: U8, seeds: U64, leaf: int, drawn: int, places: I32, found_of: F64, work: _Work
) -> None:
    """Write of each node of each tree its feature (-1 of a leaf) and left child, and its cut, or share of members."""
    order, nodes, found, members_of = work.order, work.nodes, work.found, work.own_labels
    for number in range(len(seeds)):
        work.state[0] = seeds[number]
        if number == 0 or len(order) < len(known):  # otherwise every tree is grown on all of them
            _choose(features, known, members, work)
        for i in range(len(order)):
            order[i] = i
        for i in range(len(work.features)):
            work.features[i] = i
        count, node = 1, 0
        nodes[0, 1], nodes[0, 2] = 0, len(order)
        while node < count:
            first, end = nodes[node, 1], nodes[node, 2]
            positive = 0
            for k in range(first, end):
                positive += members_of[order[k]]
            found[node, 1] = positive / (end - first)
            nodes[node, 0] = -1
            if end - first >= 2 * leaf and 0 < positive < end - first:
                _split(node, first, end, positive, leaf, drawn, work)
            if nodes[node, 0] >= 0:
                place = _divide(work.own[nodes[node, 0]], found[node, 0], first, end, order, work.spare)
                nodes[node, 1] = count
                nodes[count, 1], nodes[count, 2] = first, place
                nodes[count + 1, 1], nodes[count + 1, 2] = place, end
                count += 2
            node += 1
        for node in range(count):
            places[number, node, 0], places[number, node, 1] = nodes[node, 0], nodes[node, 1]
            found_of[number, node] = found[node, 0 if nodes[node, 0] >= 0 else 1]


@inner
def _choose(features: F32, known: I64, members: U8, work: _Work) -> None:
    """Draw the records of a tree, and copy their features: a split reads those of a feature next to each other."""
    chosen, own, block, records = work.known, work.own, work.block, len(work.order)
    for i in range(len(known)):
        chosen[i] = i
    if records < len(known):
        for i in range(records):
            draw(chosen, i, work.state)
    for begin in range(0, records, _AT_ONCE):
        end = min(begin + _AT_ONCE, records)
        for i in range(begin, end):
            record, work.own_labels[i] = known[chosen[i]], members[chosen[i]]
            for feature in range(features.shape[1]):
                block[i - begin, feature] = features[record, feature]
        for feature in range(features.shape[1]):
            for i in range(begin, end):
                own[feature, i] = block[i - begin, feature]


@kernel
def _vote(features: F32, asked: I64, places: I32, found: F64, block: F32, total: F64) -> None:
    """Add up what each tree says; a few records ask all trees, one after another."""
    for begin in range(0, len(asked), _AT_ONCE):
        end = min(begin + _AT_ONCE, len(asked))
        for i in range(begin, end):
            for feature in range(features.shape[1]):
                block[i - begin, feature] = features[asked[i], feature]
        for number in range(len(places)):
            of, cuts = places[number], found[number]
            for i in range(begin, end):
                record = block[i - begin]
                node = 0
                while of[node, 0] >= 0:
                    node = of[node, 1] + (0 if record[of[node, 0]] <= cuts[node] else 1)
                total[i] += cuts[node]


@inner
def _split(node: int, first: int, end: int, positive: int, leaf: int, drawn: int, work: _Work) -> None:
    """Write the cut that makes both sides purest; at least one feature that is not constant is looked at."""
    size = end - first
    order, values, labels = work.order[first:end], work.values[: end - first], work.labels[: end - first]
    for k in range(size):
        labels[k] = work.own_labels[order[k]]
    best = -1.0
    looked = 0
    for place in range(len(work.features)):
        if place >= drawn and looked > 0:
            break
        feature = draw(work.features, place, work.state)
        here = work.own[feature]
        for k in range(size):
            values[k] = here[order[k]]
        least, largest = _ends(values)
        if largest <= least + np.float32(_EQUAL):
            continue
        looked += 1
        cut = np.float32(least + uniform(work.state) * (largest - least))
        if cut >= largest:
            cut = least
        left, left_positive = _below(values, labels, cut)
        right = size - left
        if left < leaf or right < leaf:
            continue
        other, right_positive = left - left_positive, positive - left_positive
        pure = (left_positive * left_positive + other * other) / left
        other = right - right_positive
        pure += (right_positive * right_positive + other * other) / right
        if pure > best:
            best = pure
            work.nodes[node, 0], work.found[node, 0] = feature, cut


@inner
def _ends(values: F32) -> tuple[np.float32, np.float32]:
    """The least and the largest value; of every fourth value apart, since each comparison waits for the one before."""
    least = lower = low = under = values[0]
    largest = upper = high = over = values[0]
    for k in range(0, len(values) - 3, 4):
        least, largest = min(least, values[k]), max(largest, values[k])
        lower, upper = min(lower, values[k + 1]), max(upper, values[k + 1])
        low, high = min(low, values[k + 2]), max(high, values[k + 2])
        under, over = min(under, values[k + 3]), max(over, values[k + 3])
    for k in range(len(values) - len(values) % 4, len(values)):
        least, largest = min(least, values[k]), max(largest, values[k])
    return min(least, lower, low, under), max(largest, upper, high, over)


@unordered
def _below(values: F32, labels: F32, cut: np.float32) -> tuple[int, int]:
    """The number of values that are not above a cut, and of members among them; in floats, 16 of them at a time."""
    left = members = np.float32(0)
    one, none = np.float32(1), np.float32(0)
    for k in range(len(values)):
        is_below = values[k] <= cut
        left += one if is_below else none
        members += labels[k] if is_below else none
    return int(left), int(members)


@inner
def _divide(here: F32, cut: float, first: int, end: int, order: I64, spare: I64) -> Any:
    """Order records by a cut, those of a side as they were; return the place of the first of the right side."""
    place = first
    others = 0
    for k in range(first, end):
        record = order[k]
        if here[record] <= cut:
            order[place] = record
            place += 1
        else:
            spare[others] = record
            others += 1
    for k in range(others):
        order[place + k] = spare[k]
    return place
