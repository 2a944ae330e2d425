"""Two small synthesizers for trying repeat and person_risk: a Gaussian copula, and sequential trees (CART).

Both have the methods fit and sample of SDV and of many models of scikit-learn, and take a pandas data frame. On the
command line:

    python synthesizers.py copula|cart train.csv synthetic.csv SEED
"""

import sys

import numpy as np
import pandas as pd
from scipy.stats import norm
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor


class Copula:
    """Keeps the distribution of each column, and the correlations of normal scores."""

    def fit(self, frame):
        self.frame = frame
        self.values = {name: ordered(frame[name]) for name in frame}
        scores = np.column_stack([normal_scores(frame[name], self.values[name]) for name in frame])
        self.correlation = np.atleast_2d(np.corrcoef(scores, rowvar=False)) + 1e-6 * np.eye(frame.shape[1])
        return self

    def sample(self, n, seed=None):
        random = np.random.default_rng(seed)
        places = norm.cdf(random.multivariate_normal(np.zeros(len(self.values)), self.correlation, n))
        drawn = {name: at(self.values[name], place) for (name, place) in zip(self.values, places.T, strict=True)}
        return pd.DataFrame(drawn)


class Cart:
    """Draws each column from the leaves of a tree grown on the columns before it, like synthpop.

    Parameters
    ----------
    leaf
        The minimum number of rows of a leaf. A leaf with one row reproduces the value of that person.
    """

    def __init__(self, leaf=5):
        self.leaf = leaf

    def fit(self, frame):
        self.frame = frame
        self.trees = {}
        for place, name in enumerate(frame.columns[1:], 1):
            kind = DecisionTreeRegressor if is_number(frame[name]) else DecisionTreeClassifier
            target = frame[name] if is_number(frame[name]) else frame[name].astype(str)
            tree = kind(min_samples_leaf=self.leaf, random_state=0)
            self.trees[name] = tree.fit(codes(frame.iloc[:, :place], frame), target)
        return self

    def sample(self, n, seed=None):
        random = np.random.default_rng(seed)
        drawn = pd.DataFrame({self.frame.columns[0]: random.choice(self.frame.iloc[:, 0], n)})
        for name, tree in self.trees.items():
            before = self.frame.loc[:, drawn.columns]
            leaves = pd.Series(self.frame[name].to_numpy()).groupby(tree.apply(codes(before, self.frame)))
            values = {leaf: group.to_numpy() for leaf, group in leaves}
            drawn[name] = [random.choice(values[leaf]) for leaf in tree.apply(codes(drawn, self.frame))]
        return drawn


def is_number(column):
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def ordered(column):
    """Return the values in ascending order; categories by descending frequency."""
    if is_number(column):
        return np.sort(column)
    return column.iloc[np.argsort(-column.map(column.value_counts()), kind="stable")].to_numpy()


def normal_scores(column, values):
    if is_number(column):
        return norm.ppf((column.rank() - 0.5) / len(column))
    places = pd.Series(np.arange(len(values)) + 0.5).groupby(values).mean() / len(values)
    return norm.ppf(column.map(places))


def at(values, place):
    """Return the values at quantiles from 0 to 1; numbers are interpolated."""
    if not np.issubdtype(values.dtype, np.number):
        return values[(place * len(values)).astype(int).clip(0, len(values) - 1)]
    between = np.quantile(values, place)
    return between.round().astype(values.dtype) if np.issubdtype(values.dtype, np.integer) else between.round(2)


def codes(frame, known):
    """Return the columns as numbers for trees; a category becomes its position among the known ones."""
    return np.column_stack(
        [
            frame[name] if is_number(known[name]) else pd.Categorical(frame[name], known[name].unique()).codes
            for name in frame
        ]
    )


if __name__ == "__main__":
    kind, train, synthetic, seed = sys.argv[1:]
    read = pd.read_csv(train)
    {"copula": Copula, "cart": Cart}[kind]().fit(read).sample(len(read), int(seed)).to_csv(synthetic, index=False)
