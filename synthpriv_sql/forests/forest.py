"""The random forest baseline: for each column, what a forest grown on all the other columns makes of every record.

Arrays in, arrays out. A prediction is a number, or the number of an original record whose value is taken as it is:
so categories, donors and the ends of a range come back exactly, whatever their type.
docs/decisions/0006-random-forest-baseline.md says why the forests are as they are.
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
"""A column of more categories is an identifier or free text, which no forest predicts or predicts from."""
FEW_CATEGORIES = 20
"""A column of more categories is that as well where more than half of its values differ."""
BLOCK = 8192
"""Records that a thread takes at a time."""
VALUES = 1 << 14
"""Numbers that are looked up and added at a time: so many stay in the first caches."""

ColumnProgress = Callable[[int, int, int], None]
"""Called with (trees grown, all trees, position of the current column)."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Options:
    """How forests are grown and asked: the options of the function ``baseline``, and the threads to use.

    ``sample`` is the most records that a tree takes; what None means says `growing.tree_records`.
    """

    seed: int = 0
    trees: int = 100
    sample: int | None = growing.EVERY
    out_of_bag: bool = False
    donor: bool = False
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Prediction:
    """What replaces the cells of a column.

    Parameters
    ----------
    draws
        Uniform on [0, 1), shape (n,): a cell is replaced with probability p where its draw is below p.
    numbers
        Shape (n,): the predicted number; NaN where a donor is given.
    donors
        Shape (n,): the record whose value is taken; -1 where a number is given, or where the column has no value.
    """

    draws: Floats
    numbers: Floats
    donors: Integers


@dataclass(frozen=True, slots=True)
class Target:
    """A column to predict: the records that have a value, and these values as a forest takes them.

    Parameters
    ----------
    present
        The records that have one.
    values
        Theirs: numbers about 0 and of size 1, or codes from 0.
    holders
        For numbers a record with the least value and one with the largest; for categories one by code.
    center, exponent
        What numbers were less, and scaled by (a power of 2).
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
        """Whether there is one value only, or none."""
        return not (self.values != self.values[:1]).any()

    def restored(self, values: Floats) -> Floats:
        """The numbers of which ``values`` are the scaled ones."""
        return np.ldexp(values, self.exponent) + self.center


def is_identifier(column: NDArray[Any]) -> bool:
    """Whether a column of codes has too many categories for a forest.

    Parameters
    ----------
    column
        Codes (integers; -1 is missing), or numbers (floats), which are never too many.
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
    """Predict columns from all the others, for all records.

    Parameters
    ----------
    columns
        Of one length n: float64 (NaN is missing) for numbers and times, integer codes (-1 is missing) for categories.
    options
        The same options and columns give the same bits, whatever the threads.
    progress
        Called with trees grown, trees in all, and the position of the column at hand.
    positions
        Which columns; all where not given. What is predicted of one does not depend on the others asked for.

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
            numbers, donors = _nothing(len(column)), _any_record(target, random, len(column))
        elif target.constant:
            numbers, donors = _nothing(len(column)), np.full(len(column), target.holders[0])
        else:
            predictors = [f for i, f in enumerate(features) if i != position and f is not None]
            table = np.column_stack(predictors or [np.zeros(len(column), np.float32)])
            forests = grow(table, target, options, position)
            if progress is not None:
                forests = _reported(forests, progress, position, options.trees, len(columns))
            numbers, donors = _asked(forests, table, target, options, random)
        if progress is not None:
            progress((position + 1) * options.trees, len(columns) * options.trees, position)
        yield Prediction(draws, numbers, donors)


def _random(seed: int, position: int, purpose: str) -> np.random.Generator:
    return np.random.default_rng(_sequence(seed, position, purpose))


def _sequence(seed: int, position: int, purpose: str) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=(position, ("cells", "trees").index(purpose)))


# --- columns as a forest takes them


def feature(column: NDArray[Any]) -> NDArray[np.float32] | None:
    """A column to predict from; None where there is nothing in it."""
    if is_identifier(column):
        return None
    if column.dtype.kind == "i":
        missing = column < 0
        values, _ = _by_frequency(column[~missing])
        feature = np.full(len(column), values.max(initial=-1) + 1, np.float32)
    else:
        # Trees ask for the order of numbers only, and ranks fit into the single precision that they compute with.
        missing = np.isnan(column)
        _, values = np.unique(column[~missing], return_inverse=True)
        feature = np.full(len(column), np.nan, np.float32)
    feature[~missing] = values
    distinct = len(np.unique(values)) + bool(missing.any())
    return feature if distinct > 1 else None


def target_of(column: NDArray[Any]) -> Target:
    """Return a column as it is predicted; codes are numbered anew, from the most frequent on."""
    if column.dtype.kind == "i":
        present = np.flatnonzero(column >= 0)
        codes, first = _by_frequency(column[present])
        return Target(present, codes, present[first])
    present = np.flatnonzero(~np.isnan(column))
    values = column[present]
    if not len(present):
        return Target(present, values, present)
    # Squares of large numbers, or of small differences between large numbers, would lose what the trees split by.
    center = float(np.partition(values, len(values) // 2)[len(values) // 2])
    exponent = int(np.frexp(values.max() / 2 - values.min() / 2)[1]) + 1
    scaled = np.ldexp(values, -exponent) - np.ldexp(center, -exponent)
    return Target(present, scaled, present[[values.argmin(), values.argmax()]], center, exponent)


def _by_frequency(codes: NDArray[Any]) -> tuple[Integers, Integers]:
    """Number categories from the most frequent on, among equals from the first on; also give the first row of each."""
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
        Shape (n, columns): what is predicted from.
    target
        What is predicted.
    options
        Trees, records that a tree takes, seed and threads.
    position
        The column's position, which gives it random numbers of its own.
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
        if done < (position + 1) * trees:  # the last ones are told of when they have predicted
            progress(done, columns * trees, position)
        yield forest


# --- asking


def _asked(
    forests: Iterator[Any], table: NDArray[np.float32], target: Target, options: Options, random: np.random.Generator
) -> tuple[Floats, Integers]:
    """What the forests say: numbers and donors, as in `Prediction`."""
    rows = len(table)
    votes = _Donors(target, random, rows) if options.donor else _Means(target, rows)
    with ThreadPoolExecutor(options.threads) as pool:
        for forest in forests:
            bags = [target.present[bag] for bag in forest.estimators_samples_]
            # Out of bag, a tree says nothing about the records that it was grown on.
            silent = np.zeros((len(bags), rows), np.bool_)
            if options.out_of_bag:
                for tree, bag in enumerate(bags):
                    silent[tree, bag] = True
            trees = [estimator.tree_ for estimator in forest.estimators_]
            leaves = np.empty((len(bags), rows), np.int64)

            def ask(start: int, trees: Any = trees, leaves: Any = leaves, silent: Any = silent) -> None:
                block = slice(start, start + BLOCK)
                for i, tree in enumerate(trees):
                    leaves[i, block] = tree.apply(table[block])
                votes.add_block(block, trees, leaves[:, block], silent[:, block])

            # Every record has its trees added up in one order, on any number of threads.
            list(pool.map(ask, range(0, rows, BLOCK)))
            votes.add_batch(bags, leaves, silent)
    return votes.result()


class _Means:
    """Adds up what trees predict: the mean number, or the category with the largest mean share."""

    def __init__(self, target: Target, rows: int) -> None:
        self.target = target
        self.heard = np.zeros(rows, np.int64)
        shape = (rows, len(target.holders)) if target.categorical else (rows, 1)
        self.sums = np.zeros(shape, np.float32 if target.categorical else np.float64)

    def add_block(self, block: slice, trees: Sequence[Any], leaves: Integers, silent: Flags) -> None:
        classes = self.sums.shape[1]
        piece = max(1, VALUES // classes)
        room = np.empty((min(piece, leaves.shape[1]), classes))
        for tree, found, quiet in zip(trees, leaves, silent, strict=True):
            of_leaves = tree.value[:, 0]
            self.heard[block] += ~quiet
            for start in range(0, len(found), piece):
                some = slice(start, start + piece)
                said = np.take(of_leaves, found[some], axis=0, out=room[: len(found[some])], mode="clip")
                said[quiet[some]] = 0
                self.sums[block][some] += said

    def add_batch(self, bags: Sequence[Integers], leaves: Integers, silent: Flags) -> None:
        pass

    def result(self) -> tuple[Floats, Integers]:
        target, rows = self.target, len(self.sums)
        if target.categorical:
            # Where no tree spoke, and among equals: the most frequent category.
            return _nothing(rows), target.holders[self.sums.argmax(axis=1)]
        means = np.full(rows, target.values.mean())
        np.divide(self.sums[:, 0], self.heard, out=means, where=self.heard > 0)
        least, largest = target.values.min(), target.values.max()
        numbers, donors = target.restored(means), np.full(rows, -1, np.int64)
        ends = target.restored(np.array([least, largest]))
        for holder, reached in zip(target.holders, (numbers <= ends[0], numbers >= ends[1]), strict=True):
            # At the ends of the range the value itself, which may have more digits than a double.
            donors[reached] = holder
            numbers[reached] = np.nan
        return numbers, donors


class _Donors:
    """Picks for every record one of its trees at random, and in its leaf one of the records that this tree saw."""

    def __init__(self, target: Target, random: np.random.Generator, rows: int) -> None:
        self.random = random
        self.heard = np.zeros(rows, np.int64)
        # Kept where no tree speaks.
        self.donors = _any_record(target, random, rows)

    def add_block(self, block: slice, trees: Sequence[Any], leaves: Integers, silent: Flags) -> None:
        pass

    def add_batch(self, bags: Sequence[Integers], leaves: Integers, silent: Flags) -> None:
        for bag, found, quiet in zip(bags, leaves, silent, strict=True):
            self.heard += ~quiet
            # The i-th tree that speaks takes over with chance 1/i, so all of them have the same.
            chosen = self.random.random(len(quiet)) * self.heard < 1
            picked = np.flatnonzero(chosen & ~quiet)
            order = np.argsort(found[bag], kind="stable")
            grouped = found[bag][order]
            start, end = (np.searchsorted(grouped, found[picked], side) for side in ("left", "right"))
            place = start + (self.random.random(len(picked)) * (end - start)).astype(np.int64)
            self.donors[picked] = bag[order[place]]

    def result(self) -> tuple[Floats, Integers]:
        return _nothing(len(self.donors)), self.donors


def _nothing(rows: int) -> Floats:
    return np.full(rows, np.nan)


def _any_record(target: Target, random: np.random.Generator, rows: int) -> Integers:
    """A random record that has a value, for each record."""
    if not len(target.present):
        return np.full(rows, -1, np.int64)
    return target.present[random.integers(0, len(target.present), rows)].astype(np.int64)
