"""Features of conditional distributions: how much better synthetic foretells a value from the others than people do.

For each column, trees of synthetic records and of real ones give the probability of a record's value given all
its other values; a tree of real records never sees those that it speaks of, nor any label. The feature is the logarithm
of the ratio of both.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.kernels.threads import Cancelled
from synthpriv_sql.learned.tables import Feature, Tables, in_order
from synthpriv_sql.udf.encoded import pages

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I64  # imports numba

LEAST_RECORDS, MOST_RECORDS = 4_000, 10_000
"""Numbers of real records between which these are features: of fewer they tell nothing that other features do not
(docs/decisions/0009-learned.md), and of more they take longer than all else."""
TREES = 40
LEAF = 3
MOST_CLASSES = 200
"""Columns with more values, or with more than a third as many as there are records, are names and are left out."""
CLASSES = 7
"""Numbers and times are foretold as so many quantile groups."""
_SHARE = 0.632
_OF_TREE = 1_500
"""A tree is grown on 63 % of the records, as many as a bootstrap has, and on so many at most."""
_LEAST = 1e-3
"""What is added to a probability."""


class _Column(NamedTuple):
    """A column of real and of synthetic records: as an input, and as a class to foretell."""

    name: str
    inputs: tuple[F64, F64]
    classes: tuple[I64, I64]


def of_conditionals(tables: Tables, cancelled: Callable[[], bool] | None) -> list[Feature]:
    """Return the features of each column, their sum and the largest; none with few columns or many records."""
    if tables.synthetic is None or not LEAST_RECORDS <= tables.real.rows <= MOST_RECORDS:
        return []
    columns = list(_columns(tables))
    if len(columns) < 2 or not tables.synthetic.rows:
        return []
    real, group, sizes = _by_values([column.inputs[0] for column in columns])
    synthetic, *_ = _by_values([column.inputs[1] for column in columns])
    inputs = [np.stack([column.inputs[side] for column in columns], axis=1).astype(np.float32) for side in (0, 1)]
    given = inputs[0][real], inputs[1][synthetic]
    # Trees of real records see nothing of the synthetic ones, but their draws follow those of as many records.
    of_real = tables.once(("foretold", sha256(given[0].tobytes()).digest(), tuple(c.name for c in columns)), dict)

    def of_column(place: int) -> F64:
        if cancelled is not None and cancelled():
            raise Cancelled("the training was cancelled")
        wanted, others = columns[place].classes[0][real], columns[place].classes[1][synthetic]
        told = [np.delete(side, place, axis=1) for side in given]
        count = int(max(wanted.max(), others.max())) + 1
        random = np.random.default_rng(np.random.SeedSequence(place, spawn_key=(11,)))
        key = place, len(told[1]), sha256(wanted.tobytes()).digest()
        by_synthetic, by_people = _foretold(told, (wanted, others), count, random, of_real.get(key))
        of_real[key] = by_people
        # Equal records have one value, whichever trees saw which of them; sorted, as sums depend on the order.
        sums = np.bincount(group, by_people[np.lexsort((by_people, group))], len(sizes))
        ratios = np.log(by_synthetic + _LEAST) - np.log(sums / sizes + _LEAST)[group]
        out = np.empty(len(ratios))
        out[real] = ratios
        return out

    with ThreadPoolExecutor(max(1, min(tables.options["threads"], len(columns)))) as pool:
        found = list(pool.map(of_column, range(len(columns))))
    label = "how much better synthetic records foretell {} than other people do"
    each = [Feature(tables.select(f), label.format(c.name)) for f, c in zip(found, columns, strict=True)]
    every = np.stack(found, axis=1)
    total, largest = (tables.select(values) for values in (every.sum(axis=1), every.max(axis=1)))
    return [
        *each,
        Feature(total, label.format("all values")),
        Feature(largest, label.format("the best foretold value")),
    ]


def _foretold(
    told: list[NDArray[np.float32]], classes: tuple[I64, I64], count: int, random: np.random.Generator,
    by_people: F64 | None,
) -> tuple[F64, F64]:  # fmt: skip
    """The probability of the class of each real record, by trees of synthetic records, and of other real ones.

    The latter are not grown if it is known what they say.
    """
    from sklearn.tree import DecisionTreeClassifier

    rows = np.arange(len(classes[0]))
    sums, trees = np.zeros((2, len(rows))), np.zeros((2, len(rows)))
    for number in range(TREES):
        for of, side in ((0, 1), (1, 0)):  # of synthetic records, of real ones
            size = max(1, min(int(_SHARE * len(told[side])), _OF_TREE))
            seen = random.permutation(len(told[side]))[:size]
            if of and by_people is not None:
                continue
            tree: Any = DecisionTreeClassifier(min_samples_leaf=LEAF, max_features="sqrt", random_state=number)
            # Inputs are as scikit-learn would convert them: checking each takes as long as growing a tree.
            known, labels = np.unique(classes[side][seen], return_inverse=True)
            tree.fit(told[side][seen], labels.astype(np.float64), check_input=False)
            asked = rows if side else np.setdiff1d(rows, seen, assume_unique=True)
            place = np.full(count, -1, np.int64)
            place[known] = np.arange(len(known))
            wanted = place[classes[0][asked]]
            # Of the probabilities of all classes, that of the true one.
            found = tree.tree_.value[tree.tree_.apply(told[0][asked]), 0, wanted]
            sums[of, asked] += np.where(wanted >= 0, found, 0.0)
            trees[of, asked] += 1
    return sums[0] / TREES, sums[1] / np.maximum(trees[1], 1) if by_people is None else by_people


def _columns(tables: Tables) -> Any:
    """Yield the compared columns that have more than one value, but vectors."""
    assert tables.synthetic is not None
    for place, name in enumerate(tables.options["columns"]):
        both = tables.real.columns[place], tables.synthetic.columns[place]
        if tables.options["roles"][place] == "vector" or tables.options["weights"][place] <= 0:
            continue
        if isinstance(both[0], pages.Texts):
            places = in_order(pages.joined(both))
            inputs = places[: tables.real.rows], places[tables.real.rows :]
            classes = inputs[0].astype(np.int64) + 1, inputs[1].astype(np.int64) + 1
        else:
            known = both[0][~np.isnan(both[0])]
            if not len(known):
                continue
            edges = np.unique(np.quantile(known, np.arange(1, CLASSES) / CLASSES))
            least = float(known.min()) - 1.0 - float(np.ptp(known))
            inputs = np.where(np.isnan(both[0]), least, both[0]), np.where(np.isnan(both[1]), least, both[1])
            classes = _groups(both[0], edges), _groups(both[1], edges)
        largest = max(int(found.max(initial=0)) for found in classes)
        most = min(MOST_CLASSES, *(len(found) // 3 for found in classes))
        if classes[0].min() < classes[0].max() and largest < most:
            yield _Column(name, inputs, classes)


def _groups(values: F64, edges: F64) -> I64:
    found: I64 = np.where(np.isnan(values), 0, 1 + np.searchsorted(edges, values)).astype(np.int64)
    return found


def _by_values(inputs: list[F64]) -> tuple[I64, I64, I64]:
    """The records in an order by their values alone; for each of these, its group of equal ones; and group sizes."""
    order: I64 = np.lexsort(inputs)
    ordered = [values[order] for values in inputs]
    begins = np.zeros(len(order), bool)
    for values in ordered:
        begins[1:] |= values[1:] != values[:-1]
    group: I64 = np.cumsum(begins)
    return order, group, np.bincount(group)
