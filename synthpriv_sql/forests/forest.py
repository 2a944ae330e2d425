"""The random forest baseline: each column of every record predicted by a forest grown on all other columns.

Arrays in, arrays out. A prediction is a number, or a donor: the number of an original record whose value is copied, so
categories, donors and the ends of a range are exact for any type.
docs/decisions/0006-random-forest-baseline.md has the reasons for the parameters of the forests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.forests import growing

MOST_CATEGORIES = 200
"""A column of more categories is an identifier or free text: neither a target nor a feature of a forest."""
FEW_CATEGORIES = 20
"""A column of more categories is an identifier too if more than half of its values are distinct."""
BLOCK = 8192
"""Records per work item of a thread."""
VALUES = 1 << 14
"""Numbers that are gathered and added in one step; few enough for the L1 and L2 caches."""

ColumnProgress = Callable[[int, int, int], None]
"""Called with (trees grown, all trees, position of the current column)."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Options:
    """How forests are grown and used: the options of the function ``baseline``, and the number of threads.

    ``sample`` is the maximum number of records that a tree is grown on; for None see `growing.tree_records`.
    """

    seed: int = 0
    trees: int = 100
    sample: int | None = growing.EVERY
    out_of_bag: bool = False
    donor: bool = False
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Prediction:
    """The replacements of the cells of a column.

    Parameters
    ----------
    draws
        Uniform on [0, 1), shape (n,): a cell is replaced if its draw is below p, hence with probability p.
    numbers
        Shape (n,): the predicted number; NaN if there is a donor.
    donors
        Shape (n,): the record whose value is copied; -1 if there is a number, or if the column has no value.
    """

    draws: Floats
    numbers: Floats
    donors: Integers


@dataclass(frozen=True, slots=True)
class Target:
    """A column to predict: the records that have a value, and these values, prepared for a forest.

    Parameters
    ----------
    present
        The records that have a value.
    values
        Their values: numbers centered and scaled to about 1, or codes from 0.
    holders
        For numbers a record with the minimum and one with the maximum; for categories one record per code.
    center, exponent
        The center that was subtracted from numbers, and the power of 2 by which they were divided.
    """

    present: Integers
    values: NDArray[Any]
    holders: Integers
    center: float = 0.0
    exponent: int = 0

    @property
    def categorical(self) -> bool:
        """Whether the values are codes."""
        return self.values.dtype.kind == "i"

    @property
    def constant(self) -> bool:
        """Whether there is at most one distinct value."""
        return not (self.values != self.values[:1]).any()

    def restored(self, values: Floats) -> Floats:
        """Return scaled numbers in the original scale."""
        return np.ldexp(values, self.exponent) + self.center


def is_identifier(column: NDArray[Any]) -> bool:
    """Return whether a column of codes has too many categories for a forest.

    Parameters
    ----------
    column
        Codes (integers; -1 is missing), or numbers (floats), which are never an identifier.
    """
    if column.dtype.kind != "i":
        return False
    present = column[column >= 0]
    distinct = len(np.unique(present))
    return distinct > MOST_CATEGORIES or (distinct > FEW_CATEGORIES and 2 * distinct > len(present))


def predictions(
    columns: Sequence[NDArray[Any]],
    options: Options,
    progress: ColumnProgress | None = None,
    positions: Sequence[int] | None = None,
) -> Iterator[Prediction]:
    """Predict columns from all other columns, for all records.

    Parameters
    ----------
    columns
        All of length n: float64 (NaN is missing) for numbers and times, integer codes (-1 is missing) for categories.
    options
        Equal options and columns give bitwise equal results for any number of threads.
    progress
        Called with the number of trees grown, the number of all trees, and the position of the current column.
    positions
        The columns to predict, all by default. The prediction of a column does not depend on this selection.

    Yields
    ------
    Prediction
        One per column, in their order.
    """
    features = [feature(column) for column in columns]
    for position in range(len(columns)) if positions is None else positions:
        column = columns[position]
        random = _random(options.seed, position, "cells")
        draws = random.random(len(column))
        target = target_of(column)
        if is_identifier(column) or len(target.present) == 0:
            numbers, donors = _no_numbers(len(column)), _any_record(target, random, len(column))
        elif target.constant:
            numbers, donors = _no_numbers(len(column)), np.full(len(column), target.holders[0])
        else:
            predictors = [f for i, f in enumerate(features) if i != position and f is not None]
            table = np.column_stack(predictors or [np.zeros(len(column), np.float32)])
            forests = grow(table, target, options, position)
            if progress is not None:
                forests = _reported(forests, progress, position, options.trees, len(columns))
            numbers, donors = _predict(forests, table, target, options, random)
        if progress is not None:
            progress((position + 1) * options.trees, len(columns) * options.trees, position)
        yield Prediction(draws, numbers, donors)


def _random(seed: int, position: int, purpose: str) -> np.random.Generator:
    return np.random.default_rng(_sequence(seed, position, purpose))


def _sequence(seed: int, position: int, purpose: str) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=(position, ("cells", "trees").index(purpose)))


# --- preparing columns


def feature(column: NDArray[Any]) -> NDArray[np.float32] | None:
    """Return a column as a feature of forests; None if it has no information."""
    if is_identifier(column):
        return None
    if column.dtype.kind == "i":
        missing = column < 0
        values, _ = _by_frequency(column[~missing])
        feature = np.full(len(column), values.max(initial=-1) + 1, np.float32)
    else:
        # Splits depend on the order of numbers only, and ranks are exact in the float32 of scikit-learn's trees.
        missing = np.isnan(column)
        _, values = np.unique(column[~missing], return_inverse=True)
        feature = np.full(len(column), np.nan, np.float32)
    feature[~missing] = values
    distinct = len(np.unique(values)) + bool(missing.any())
    return feature if distinct > 1 else None


def target_of(column: NDArray[Any]) -> Target:
    """Return a column as a target; codes are renumbered by descending frequency."""
    if column.dtype.kind == "i":
        present = np.flatnonzero(column >= 0)
        codes, first = _by_frequency(column[present])
        return Target(present, codes, present[first])
    present = np.flatnonzero(~np.isnan(column))
    values = column[present]
    if not len(present):
        return Target(present, values, present)
    # Squares of large numbers, or of small differences between large numbers, would lose the digits that splits need.
    center = float(np.partition(values, len(values) // 2)[len(values) // 2])
    exponent = int(np.frexp(values.max() / 2 - values.min() / 2)[1]) + 1
    scaled = np.ldexp(values, -exponent) - np.ldexp(center, -exponent)
    return Target(present, scaled, present[[values.argmin(), values.argmax()]], center, exponent)


def _by_frequency(codes: NDArray[Any]) -> tuple[Integers, Integers]:
    """Renumber categories by descending frequency, ties by first occurrence; also return the first row of each."""
    _, first, inverse, counts = np.unique(codes, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -counts))
    numbered = np.empty(len(order), np.int64)
    numbered[order] = np.arange(len(order))
    return numbered[inverse], first[order].astype(np.int64)


# --- growing


def grow(table: NDArray[np.float32], target: Target, options: Options, position: int) -> Iterator[Any]:
    """Grow the forest of a column on the records that have a value, as `growing.grow` does.

    Parameters
    ----------
    table
        Shape (n, columns): the features.
    target
        The column to predict.
    options
        Number of trees, records per tree, seed and threads.
    position
        The position of the column, which seeds its random numbers.
    """
    random = _sequence(options.seed, position, "trees")
    known = table[target.present]
    return growing.grow(known, target.values, options.trees, options.sample, random, options.threads)


def _reported(
    forests: Iterator[Any], progress: ColumnProgress, position: int, trees: int, columns: int
) -> Iterator[Any]:
    done = position * trees
    for forest in forests:
        done += len(forest.estimators_)
        if done < (position + 1) * trees:  # the last batch is reported after its predictions
            progress(done, columns * trees, position)
        yield forest


# --- predicting


def _predict(
    forests: Iterator[Any], table: NDArray[np.float32], target: Target, options: Options, random: np.random.Generator
) -> tuple[Floats, Integers]:
    """Return the predicted numbers and donors, as in `Prediction`."""
    rows = len(table)
    votes = _Donors(target, random, rows) if options.donor else _Means(target, rows)
    with ThreadPoolExecutor(options.threads) as pool:
        for forest in forests:
            bags = [target.present[bag] for bag in forest.estimators_samples_]
            # Out of bag, a tree does not predict the records that it was grown on.
            excluded = np.zeros((len(bags), rows), np.bool_)
            if options.out_of_bag:
                for tree, bag in enumerate(bags):
                    excluded[tree, bag] = True
            trees = [estimator.tree_ for estimator in forest.estimators_]
            leaves = np.empty((len(bags), rows), np.int64)

            def predict_block(start: int, trees: Any = trees, leaves: Any = leaves, excluded: Any = excluded) -> None:
                block = slice(start, start + BLOCK)
                for i, tree in enumerate(trees):
                    leaves[i, block] = tree.apply(table[block])
                votes.add_block(block, trees, leaves[:, block], excluded[:, block])

            # For every record, trees are added in the same order, for any number of threads.
            list(pool.map(predict_block, range(0, rows, BLOCK)))
            votes.add_batch(bags, leaves, excluded)
    return votes.result()


class _Means:
    """Averages the predictions of trees: the mean number, or the category with the largest mean share."""

    def __init__(self, target: Target, rows: int) -> None:
        self.target = target
        self.counted = np.zeros(rows, np.int64)
        shape = (rows, len(target.holders)) if target.categorical else (rows, 1)
        self.sums = np.zeros(shape, np.float32 if target.categorical else np.float64)

    def add_block(self, block: slice, trees: Sequence[Any], leaves: Integers, excluded: Flags) -> None:
        classes = self.sums.shape[1]
        piece = max(1, VALUES // classes)
        buffer = np.empty((min(piece, leaves.shape[1]), classes))
        for tree, leaf, skipped in zip(trees, leaves, excluded, strict=True):
            of_leaves = tree.value[:, 0]
            self.counted[block] += ~skipped
            for start in range(0, len(leaf), piece):
                some = slice(start, start + piece)
                values = np.take(of_leaves, leaf[some], axis=0, out=buffer[: len(leaf[some])], mode="clip")
                values[skipped[some]] = 0
                self.sums[block][some] += values

    def add_batch(self, bags: Sequence[Integers], leaves: Integers, excluded: Flags) -> None:
        pass

    def result(self) -> tuple[Floats, Integers]:
        target, rows = self.target, len(self.sums)
        if target.categorical:
            # Without a tree, and among equal shares, the most frequent category.
            return _no_numbers(rows), target.holders[self.sums.argmax(axis=1)]
        means = np.full(rows, target.values.mean())
        np.divide(self.sums[:, 0], self.counted, out=means, where=self.counted > 0)
        least, largest = target.values.min(), target.values.max()
        numbers, donors = target.restored(means), np.full(rows, -1, np.int64)
        ends = target.restored(np.array([least, largest]))
        for holder, reached in zip(target.holders, (numbers <= ends[0], numbers >= ends[1]), strict=True):
            # At the ends of the range the original value, which may have more digits than a double.
            donors[reached] = holder
            numbers[reached] = np.nan
        return numbers, donors


class _Donors:
    """Picks a random tree for every record, and a random one of the records in its leaf that this tree was grown on."""

    def __init__(self, target: Target, random: np.random.Generator, rows: int) -> None:
        self.random = random
        self.counted = np.zeros(rows, np.int64)
        # Kept if no tree predicts the record.
        self.donors = _any_record(target, random, rows)

    def add_block(self, block: slice, trees: Sequence[Any], leaves: Integers, excluded: Flags) -> None:
        pass

    def add_batch(self, bags: Sequence[Integers], leaves: Integers, excluded: Flags) -> None:
        for bag, leaf, skipped in zip(bags, leaves, excluded, strict=True):
            self.counted += ~skipped
            # Reservoir sampling: the i-th tree replaces the choice with probability 1/i, so all are equally likely.
            chosen = self.random.random(len(skipped)) * self.counted < 1
            picked = np.flatnonzero(chosen & ~skipped)
            order = np.argsort(leaf[bag], kind="stable")
            grouped = leaf[bag][order]
            start, end = (np.searchsorted(grouped, leaf[picked], side) for side in ("left", "right"))
            place = start + (self.random.random(len(picked)) * (end - start)).astype(np.int64)
            self.donors[picked] = bag[order[place]]

    def result(self) -> tuple[Floats, Integers]:
        return _no_numbers(len(self.donors)), self.donors


def _no_numbers(rows: int) -> Floats:
    return np.full(rows, np.nan)


def _any_record(target: Target, random: np.random.Generator, rows: int) -> Integers:
    """Return a random record that has a value, for each record."""
    if not len(target.present):
        return np.full(rows, -1, np.int64)
    return target.present[random.integers(0, len(target.present), rows)].astype(np.int64)
