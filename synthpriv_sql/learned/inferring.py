"""What can be learned of a secret: a model of it trained on synthetic, beside one trained on other real people.

Both models are told what is known of a person, and neither who is in train. Where the first gives a person's true value
a higher probability than the second, synthetic tells of this person what real people like them do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synthpriv_sql.learned import boosting, learners, sure
from synthpriv_sql.udf.encoded import pages

if TYPE_CHECKING:
    from synthpriv_sql.kernels.jit import F64, I64  # imports numba

GROUPS = 20
"""Numbers are predicted as one of so many quantile groups of real people."""
CLASSES = 30
"""The most frequent values that a model tells apart; others are one class, in which each has its share."""
CODES = 254
"""The most frequent values of a known category that a model tells apart; others count as missing."""
MOST_RECORDS = 100_000
"""A model is trained on so many records at most."""
FOLDS = 2
TREES, MOST_ROUNDS, LEAST_ROUNDS, RATE, LEAVES, LEAF, PENALTY = 900, 80, 20, 0.1, 31, 10, 1.0
"""Of the boosted trees: the number of rounds is that of trees, divided by that of the classes."""
PRIOR = 0.02
"""The share of a probability that is that of the value among all people, whatever is known of the person."""

Booleans = NDArray[np.bool_]
Progress = Callable[[int, int], None]


class Inferred(NamedTuple):
    """For each real person: whether guesses are right, and by how much synthetic tells the truth better than people do.

    right : bool, by the model trained on synthetic; others : bool, by that trained on other people; usual : bool, by
    guessing the most frequent value, or the median, of synthetic; score : float64; sure : float64, see
    `synthpriv_sql.learned.sure.odds`.
    """

    right: Booleans
    others: Booleans
    usual: Booleans
    score: F64
    sure: F64


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of each record, float64 (records, features), and which features are categories."""

    features: F64
    categories: Booleans


def known(synthetic: Sequence[Any], real: Sequence[Any], rows: int) -> tuple[Known, Known]:
    """Return the known columns as features of synthetic records, of which there are so many, and of real ones."""
    made: list[tuple[F64, F64, bool]] = []
    for s, r in zip(synthetic, real, strict=True):
        if isinstance(s, pages.Texts):
            codes, _ = _ordered(s, r)
            values = _most_frequent(codes)
            made.append((values[:rows], values[rows:], True))
        elif isinstance(s, pages.Vectors):
            width = max(s.values.shape[1], r.values.shape[1])
            made += [(_component(s, i), _component(r, i), False) for i in range(width)]
        else:
            made.append((s, r, False))
    categories = np.array([category for *_, category in made], bool)
    of_synthetic, of_real = (np.stack([one[i] for one in made], axis=1).astype(np.float64) for i in (0, 1))
    return Known(of_synthetic, categories), Known(of_real, categories)


def _component(column: pages.Vectors, i: int) -> F64:
    if i >= column.values.shape[1]:
        return np.full(len(column.missing), np.nan)
    component: F64 = column.values[:, i].astype(np.float64)
    return component


def _ordered(synthetic: pages.Texts, real: pages.Texts) -> tuple[I64, int]:
    """Return the codes of two columns, -1 if missing, and their number: the order of tables and rows does not show."""
    codes, words = pages.codes(pages.joined([synthetic, real]))
    names = [str(word).encode() for word in words.to_pylist()]
    places = np.full(len(names) + 1, -1, np.int64)
    places[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return places[codes], len(names)


def _most_frequent(codes: NDArray[Any]) -> F64:
    """Return the places of codes by frequency, of equal ones the smallest first; NaN if missing or beyond the most."""
    counts = np.bincount(codes[codes >= 0])
    places = np.full(len(counts) + 1, np.nan)
    order = np.argsort(-counts, kind="stable")[:CODES]
    places[order] = np.arange(len(order))
    found: F64 = places[codes]  # missing is -1, the last
    return found


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret column as classes.

    Parameters
    ----------
    synthetic, real : int64
        The class of each record: of categories the value, of numbers the quantile group among real records; missing is
        the last class.
    classes
        The number of classes.
    numbers
        The values themselves, of synthetic and of real records; None for categories.
    reach
        The range of real times, to which their tolerance is relative; None for numbers, whose own size is.
    """

    synthetic: I64
    real: I64
    classes: int
    numbers: tuple[F64, F64] | None
    reach: float | None = None


def secret(synthetic: Any, real: Any, role: str) -> Secret:
    """Return a secret column of a role, of synthetic and of real records, as classes."""
    if isinstance(synthetic, pages.Texts):
        codes, count = _ordered(synthetic, real)
        cut = sum(len(part) for part in synthetic.codes)
        codes = np.where(codes < 0, count, codes)
        return Secret(codes[:cut], codes[cut:], count + 1, None)
    present = real[~np.isnan(real)]
    edges = _edges(present)
    classes = len(edges) + 2
    of_synthetic, of_real = (
        np.where(np.isnan(values), classes - 1, np.searchsorted(edges, values)).astype(np.int64)
        for values in (synthetic, real)
    )
    reach = float(np.ptp(present)) if role == "temporal" and len(present) else None
    return Secret(of_synthetic, of_real, classes, (synthetic, real), reach)


def _edges(values: F64) -> F64:
    """Return the upper ends of quantile groups but the last; of few distinct values each is a group."""
    distinct = np.unique(values)
    if len(distinct) <= GROUPS:
        return distinct[:-1]
    inner = np.arange(1, GROUPS) / GROUPS
    edges = np.unique(np.quantile(values, inner, method="inverted_cdf"))
    lower: F64 = edges[edges < distinct[-1]]
    return lower


def infer(
    of: Secret,
    synthetic: Known,
    real: Known,
    folds: I64,
    tolerance: float,
    seed: int,
    threads: int,
    progress: Progress | None = None,
) -> Inferred:
    """Predict a secret of each real record, by a model of synthetic and by models of other real records.

    Parameters
    ----------
    of
        The secret.
    synthetic, real
        What is known.
    folds : int64 (real,)
        0 or 1; other people are those of the other fold.
    tolerance
        A number is right within this share of the truth, a time within this share of the range.
    seed, threads
        Of the models, of which so many are trained at once.
    progress
        Called with the number of finished models, and of all.
    """
    from threadpoolctl import threadpool_limits

    learners.load()
    rows = len(synthetic.features)
    narrow = learners.for_trees(np.concatenate([synthetic.features, real.features]))
    *coarse, shares = sure.most_frequent(of.synthetic, of.real)
    works: list[tuple[Known, I64, F64 | None, I64]] = []  # features, classes and numbers to learn from; whom to ask
    everybody = np.arange(len(of.real))
    works.append((synthetic, of.synthetic, None if of.numbers is None else of.numbers[0], everybody))
    by_heart = [(narrow[:rows], coarse[0])]
    for fold in range(FOLDS):
        others = np.flatnonzero(folds != fold)
        values = None if of.numbers is None else of.numbers[1][others]
        taught = Known(real.features[others], real.categories)
        works.append((taught, of.real[others], values, np.flatnonzero(folds == fold)))
        by_heart.append((narrow[rows:][others], coarse[1][others]))
    truth = None if of.numbers is None else of.numbers[1]
    found: list[Any] = [None] * len(works)

    def work(place: int) -> None:
        taught, classes, values, asked = works[place]
        seeded = np.random.SeedSequence(seed, spawn_key=(place, 6))
        with threadpool_limits(max(1, threads // len(works)), user_api="openmp"):
            model = Model.trained(taught, classes, values, of.classes, seeded)
            numbers = None if truth is None else truth[asked]
            told = model.ask(real.features[asked], of.real[asked], numbers, tolerance, of.reach)
        state = int(np.random.SeedSequence(seed, spawn_key=(place, 8)).generate_state(1)[0])
        surely = sure.likely(*by_heart[place], narrow[rows:][asked], coarse[1][asked], state, 1)
        found[place] = asked, *told, surely

    with ThreadPoolExecutor(max(1, min(threads, len(works)))) as pool:
        for done, future in enumerate(as_completed([pool.submit(work, i) for i in range(len(works))]), 1):
            future.result()
            if progress is not None:
                progress(done, len(works))
    (_, right, likely, surely), *other = found
    by_others: Booleans = np.zeros(len(everybody), bool)
    likely_by_others, surely_by_others = np.zeros((2, len(everybody)))
    for asked, right_there, likely_there, surely_there in other:
        by_others[asked], likely_by_others[asked], surely_by_others[asked] = right_there, likely_there, surely_there
    odds = sure.odds(surely, surely_by_others, shares[coarse[1]])
    return Inferred(right, by_others, _usual(of, tolerance), likely - likely_by_others, odds)


def _usual(of: Secret, tolerance: float) -> Booleans:
    """Whether the most frequent value of synthetic, or its median, is right."""
    if of.numbers is None:
        usual: Booleans = of.real == np.bincount(of.synthetic).argmax()
        return usual
    values, truth = of.numbers
    present = values[~np.isnan(values)]
    return _near(np.full(len(truth), np.median(present) if len(present) else np.nan), truth, tolerance, of.reach)


def _near(guesses: F64, truth: F64, tolerance: float, reach: float | None) -> Booleans:
    """Whether numbers are within a share of the true ones, or of the range of times; missing equals missing."""
    found: Booleans = np.abs(guesses - truth) <= tolerance * (np.abs(truth) if reach is None else reach)
    return found | (np.isnan(guesses) & np.isnan(truth))


@dataclass(frozen=True, slots=True)
class Model:
    """A model of a secret.

    Parameters
    ----------
    features : int64
        The features that it uses: those with a value among the records that it was trained on.
    places : int64 (classes,)
        The place of each class among those that the classifier tells apart; the last one is that of all others.
    within, shares : float64 (classes,)
        The share of a class in its place, and among all records; of one that no record has that of half a record.
    alone : float64 (places,)
        The share of the records that has a class of each place: its probability without a classifier.
    classifier, median
        What was trained; None where all records are of one place, and where the secret is no number.
    middle
        The median of all records; NaN if none has a number.
    """

    features: I64
    places: I64
    within: F64
    shares: F64
    alone: F64
    classifier: Any
    median: Any
    middle: float

    @classmethod
    def trained(
        cls, taught: Known, classes: I64, values: F64 | None, count: int, seed: np.random.SeedSequence
    ) -> Model:
        """Train a model on records of these classes, of so many, and numbers."""
        if len(classes) > MOST_RECORDS:
            chosen = np.sort(np.random.default_rng(seed).choice(len(classes), MOST_RECORDS, replace=False))
            taught = Known(taught.features[chosen], taught.categories)
            classes, values = classes[chosen], None if values is None else values[chosen]
        found = np.bincount(classes, minlength=count)
        counts = np.maximum(found, 0.5)
        # scikit-learn warns of more classes than half of the records.
        told_apart = np.argsort(-counts, kind="stable")[: min(CLASSES, max(2, len(classes) // 2 - 1))]
        places = np.full(count, len(told_apart))
        places[told_apart] = np.arange(len(told_apart))
        features = np.flatnonzero(~np.isnan(taught.features).all(axis=0))  # scikit-learn cannot bin the others
        given, categories = taught.features[:, features], taught.categories[features]
        state = int(seed.generate_state(1)[0])
        classifier = median = None
        if len(features) and len(np.unique(places[classes])) > 1:
            classifier = _classifier(categories, len(np.unique(places[classes])), state).fit(given, places[classes])
        present = np.zeros(0, bool) if values is None else ~np.isnan(values)
        if values is not None and len(features) and present.any():
            median = _median(categories, state).fit(given[present], values[present])
        middle = np.median(values[present]) if values is not None and present.any() else np.nan
        within = counts / np.bincount(places, counts)[places]
        alone = np.bincount(places, found) / max(len(classes), 1)
        return cls(features, places, within, counts / counts.sum(), alone, classifier, median, float(middle))

    def _probabilities(self, features: F64) -> F64:
        """Return the probability of each place, float64 (records, places)."""
        of_places = np.zeros((len(features), len(self.alone)))
        if self.classifier is None:
            return of_places + self.alone
        of_places[:, self.classifier.classes_] = self.classifier.predict_proba(features[:, self.features])
        return of_places

    def ask(
        self, features: F64, classes: I64, numbers: F64 | None, tolerance: float, reach: float | None = None
    ) -> tuple[Booleans, F64]:
        """Return whether the guess for each record is right, and the logarithm of the probability of the truth."""
        of_places = self._probabilities(features)
        rows = np.arange(len(features))
        likely = of_places[rows, self.places[classes]] * self.within[classes]
        likely = np.log((1 - PRIOR) * likely + PRIOR * self.shares[classes])
        # In each place the most frequent class is the best guess.
        best = np.lexsort((np.arange(len(self.places)), -self.within, self.places))
        _, first = np.unique(self.places[best], return_index=True)
        candidates = best[first]
        guesses = candidates[(of_places[:, self.places[candidates]] * self.within[candidates]).argmax(axis=1)]
        if numbers is None:
            return guesses == classes, likely
        missing = len(self.places) - 1
        values = np.full(len(rows), self.middle)
        if self.median is not None:
            values = self.median.predict(features[:, self.features])
        lacks = of_places[:, self.places[missing]] * self.within[missing] > 0.5
        return _near(np.where(lacks, np.nan, values), numbers, tolerance, reach), likely


def _classifier(categories: Booleans, classes: int, seed: int) -> Any:
    rounds = max(LEAST_ROUNDS, min(MOST_ROUNDS, TREES // (classes if classes > 2 else 1)))
    return boosting.classifier(max_iter=rounds, **_boosting(categories, seed))


def _median(categories: Booleans, seed: int) -> Any:
    return boosting.regressor(loss="absolute_error", max_iter=MOST_ROUNDS, **_boosting(categories, seed))


def _boosting(categories: Booleans, seed: int) -> dict[str, Any]:
    return {
        "learning_rate": RATE,
        "max_leaf_nodes": LEAVES,
        "min_samples_leaf": LEAF,
        "l2_regularization": PENALTY,
        "categorical_features": categories,
        "early_stopping": False,
        "random_state": seed,
    }
