"""Tables whose truth is known: leaks that the verdict has to find, and safe tables that it must not call a leak."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from scipy.stats import norm, rankdata
from sklearn.datasets import load_breast_cancer
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeRegressor

from benchmarks import data

SEED, ROWS = 20, 2_000
LEAK, SAFE, UNFIT = "a leak", "safe", "tables that allow no answer"
"""The verdict must be bad for a leak, not bad for safe tables, and not good for tables that allow no answer."""


@dataclass(frozen=True)
class Specimen:
    """One kind of synthetic table: its truth, and how it is drawn from real people."""

    name: str
    truth: str
    draw: Callable[[np.random.Generator, "People"], tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame | None]]
    of: str = "adult"
    rows: int = ROWS


@dataclass(frozen=True)
class People:
    """Real people in four disjoint parts; `more` are the remaining ones."""

    train: pd.DataFrame
    holdout: pd.DataFrame
    others: pd.DataFrame
    more: pd.DataFrame


@cache
def source(name):
    if name == "adult":
        return pd.concat([pd.read_csv(data.DATA / f"adult_{n}.csv.gz") for n in ("trn", "val")], ignore_index=True)
    if name == "acs":
        return pd.read_parquet(data.DATA / "acs_income.parquet").iloc[:, :12]
    if name == "generated":
        return data.registered(SEED, 80_000)
    if name == "midst":
        return pd.concat([pd.read_csv(data.DATA / f"midst_1_{n}.csv.gz") for n in ("train", "holdout")])
    return load_breast_cancer(as_frame=True).frame.round(4)


def people(name, rows, random):
    real = source(name)
    rows = min(rows, len(real) // 3)
    places = random.permutation(len(real))
    parts = [real.iloc[places[i * rows : (i + 1) * rows]].reset_index(drop=True) for i in range(3)]
    return People(*parts, real.iloc[places[3 * rows :]].reset_index(drop=True))


def numbers(table):
    """Numeric columns with many distinct values; few distinct ones are codes."""
    return [c for c in table if pd.api.types.is_numeric_dtype(table[c]) and table[c].nunique() > 30]


def _words(table):
    return [c for c in table if not pd.api.types.is_numeric_dtype(table[c])]


def _bootstrap(random, table, rows=None):
    return table.iloc[random.integers(0, len(table), rows or len(table))].reset_index(drop=True)


def _moved(random, table, share):
    """Add noise to each number, as a share of its spread."""
    moved = {c: table[c] + random.normal(0, share * table[c].std(), len(table)) for c in numbers(table)}
    return table.assign(**moved)


def _groups(table):
    """Assign columns, in table order, to sources in turn."""
    return lambda sources: [list(table.columns[i::sources]) for i in range(sources)]


def spliced(sources, factor=1.0):
    def draw(random, p):
        parts = [
            p.train[columns].iloc[random.integers(0, len(p.train), len(p.train))].reset_index(drop=True)
            for columns in _groups(p.train)(sources)
            if columns
        ]
        out = pd.concat(parts, axis=1)[list(p.train)]
        return out.assign(**{c: out[c] * factor for c in numbers(out)}), p.train, p.holdout

    return draw


def _of(change):
    """A table made from a bootstrap of train."""
    return lambda random, p: (change(random, _bootstrap(random, p.train)), p.train, p.holdout)


def _two_digits(random, table):
    def rounded(values):
        scale = 10.0 ** (np.floor(np.log10(np.abs(values.where(values != 0, 1)))) - 1)
        return (values / scale).round() * scale

    return table.assign(**{c: rounded(table[c].astype(float)) for c in numbers(table)})


def _binned(random, table):
    def middles(values):
        edges = np.unique(np.quantile(values, np.linspace(0, 1, 21)))
        return edges[np.clip(np.searchsorted(edges, values), 0, len(edges) - 1)]

    return table.assign(**{c: middles(table[c].to_numpy(float)) for c in numbers(table)})


def coded(table, fitted=None):
    categories = [c for c in table if c not in numbers(table)]
    encoder = OrdinalEncoder().fit((fitted if fitted is not None else table)[categories])
    values = table[numbers(table)].to_numpy(float)
    spread = values.std(axis=0)
    return np.column_stack([values / np.where(spread > 0, spread, 1), encoder.transform(table[categories])])


def _neighbors(table, k):
    return NearestNeighbors(n_neighbors=k).fit(coded(table)).kneighbors(coded(table))[1]


def _means(k):
    """Numbers are means of k neighbors, categories those of the first."""

    def draw(random, p):
        places = _neighbors(p.train, k)[random.integers(0, len(p.train), len(p.train))]
        means = {c: p.train[c].to_numpy(float)[places].mean(axis=1) for c in numbers(p.train)}
        return p.train.iloc[places[:, 0]].reset_index(drop=True).assign(**means), p.train, p.holdout

    return draw


def smote(random, p):
    places = _neighbors(p.train, 6)[random.integers(0, len(p.train), len(p.train))]
    first, second = places[:, 0], places[np.arange(len(places)), random.integers(1, 6, len(places))]
    share = random.random(len(places))
    between = {
        c: (1 - share) * p.train[c].to_numpy(float)[first] + share * p.train[c].to_numpy(float)[second]
        for c in numbers(p.train)
    }
    return p.train.iloc[first].reset_index(drop=True).assign(**between), p.train, p.holdout


def cart(leaf, source="train"):
    """Column by column, a random member of the leaf of a tree on the previous columns, as in synthpop."""

    def draw(random, p):
        real = getattr(p, source)
        codes = real.apply(lambda c: c if c.name in numbers(real) else c.astype("category").cat.codes).to_numpy(float)
        out = np.empty(codes.shape, dtype=np.int64)  # the source record of each cell
        made = np.empty(codes.shape)
        for j in range(codes.shape[1]):
            if j == 0:
                out[:, 0] = random.integers(0, len(real), len(real))
            else:
                tree = DecisionTreeRegressor(min_samples_leaf=leaf, random_state=0).fit(codes[:, :j], codes[:, j])
                leaves, wanted = tree.apply(codes[:, :j]), tree.apply(made[:, :j])
                for number in np.unique(wanted):
                    here = np.flatnonzero(wanted == number)
                    out[here, j] = random.choice(np.flatnonzero(leaves == number), len(here))
            made[:, j] = codes[out[:, j], j]
        table = pd.DataFrame({c: real[c].to_numpy()[out[:, j]] for j, c in enumerate(real)})
        return table, p.train, p.holdout

    return draw


def copula(random, p):
    """A Gaussian copula: ranks as normals, their correlation, values at the same quantiles."""
    table = p.train
    codes = np.column_stack([
        table[c] if c in numbers(table) else table[c].astype("category").cat.codes for c in table
    ]).astype(float)  # fmt: skip
    ranks = rankdata(codes + random.uniform(0, 1e-6, codes.shape), axis=0)
    normal = norm.ppf((ranks - 0.5) / len(codes))
    drawn = norm.cdf(random.multivariate_normal(np.zeros(codes.shape[1]), np.corrcoef(normal.T), len(codes)))
    ordered = [table[c].to_numpy()[np.argsort(ranks[:, j])] for j, c in enumerate(table)]
    places = (drawn * len(codes)).astype(int).clip(max=len(codes) - 1)
    return pd.DataFrame({c: ordered[j][places[:, j]] for j, c in enumerate(table)}), p.train, p.holdout


def _density(share):
    """A kernel density: a bootstrap with noise on numbers, and one in five categories redrawn."""

    def change(random, table):
        out = _moved(random, table, share)
        for c in set(table) - set(numbers(table)):
            redrawn = random.random(len(table)) < 0.2
            out[c] = np.where(redrawn, random.permutation(table[c].to_numpy()), out[c].to_numpy())
        return out

    return _of(change)


def _independent(source="train"):
    """Each column independently."""

    def draw(random, p):
        real = getattr(p, source)
        return pd.DataFrame({c: random.permutation(real[c].to_numpy()) for c in real}), p.train, p.holdout

    return draw


def isolated(table, count):
    """The records with the farthest nearest neighbors."""
    distances = NearestNeighbors(n_neighbors=2).fit(coded(table)).kneighbors(coded(table))[0][:, 1]
    return np.argsort(-distances)[:count]


def _copies(share, most_isolated=False, decoys=False):
    def draw(random, p):
        count = max(1, round(share * len(p.train)))
        places = random.choice(len(p.train), count, replace=False)
        if most_isolated:
            places = isolated(p.train, count)
        copied = p.train.iloc[places]
        if decoys:  # for each copy nine variants that differ in one cell, so that no copy is isolated
            copied = pd.concat([copied] + [_decoy(random, copied) for _ in range(9)])
        return pd.concat([p.others.iloc[len(copied) :], copied], ignore_index=True), p.train, p.holdout

    return draw


def _decoy(random, table):
    out = table.copy()
    column = random.choice(list(table))
    out[column] = random.permutation(table[column].to_numpy())
    return out


def _near_copy(random, p):
    count = len(p.train) // 100
    near = _moved(random, p.train.iloc[random.choice(len(p.train), count, replace=False)], 0.01)
    return pd.concat([p.others.iloc[count:], near], ignore_index=True), p.train, p.holdout


def _real(p):
    return p.others, p.train, p.holdout


def densest(random, p):
    """The half of others with the nearest neighbors."""
    distances = NearestNeighbors(n_neighbors=2).fit(coded(p.others)).kneighbors(coded(p.others))[0][:, 1]
    return p.others.iloc[np.argsort(distances)[: len(p.others) // 2]], p.train, p.holdout


def _some(rows, synthetic):
    """Train and holdout of `rows` rows, and `synthetic` rows of others."""
    return lambda random, p: (
        pd.concat([p.others, p.more]).iloc[:synthetic],
        p.train.iloc[:rows],
        p.holdout.iloc[:rows],
    )


def _only(columns):
    return lambda random, p: tuple(table[columns] for table in _real(p))


def _swapped(random, p):
    synthetic, train, holdout = cart(1)(random, p)
    return synthetic, holdout, train


def _in_other_units(random, p):
    first = numbers(p.train)[0]
    half = _moved(random, p.train.iloc[: len(p.train) // 2], 0.01)
    synthetic = pd.concat([half, p.others.iloc[len(half) :]], ignore_index=True)
    return synthetic, p.train.assign(**{first: p.train[first] * 1_000}), p.holdout


def _shouted(random, p):
    words = _words(p.train)
    return p.others.assign(**{c: p.others[c].str.upper() for c in words}), p.train, p.holdout


def _blank(random, p):
    word = _words(p.train)[0]
    return p.others, p.train, p.holdout.assign(**{word: p.holdout[word] + " "})


def _older(random, p):
    first = numbers(p.train)[0]
    return p.others, p.train, p.more.sort_values(first)[-len(p.train) :]


def _overlapping(random, p):
    synthetic, train, holdout = _of(lambda _, t: t)(random, p)
    return synthetic, train, pd.concat([holdout.iloc[len(holdout) // 5 :], train.iloc[: len(holdout) // 5]])


SPECIMENS = [
    Specimen("a bootstrap of train", LEAK, _of(lambda _, table: table)),
    Specimen("the same, a fifth of the holdout is of train", LEAK, _overlapping),
    *(Specimen(f"noise of {100 * share:g} %", LEAK, _of(lambda r, t, s=share: _moved(r, t, s)), of)
      for of in ("adult", "acs", "cancer") for share in (0.001, 0.01, 0.05, 0.2)),
    Specimen("two digits", LEAK, _of(_two_digits)),
    Specimen("20 bins", LEAK, _of(_binned)),
    *(Specimen(f"means of {k}", LEAK, _means(k), of) for of in ("adult", "cancer") for k in (3, 10)),
    *(Specimen("SMOTE", LEAK, smote, of) for of in ("adult", "acs", "cancer")),
    *(Specimen(f"splices of {n}", LEAK, spliced(n)) for n in (2, 4, 8)),
    Specimen("splices of 4, times 1.0001", LEAK, spliced(4, 1.0001)),
    *(Specimen(f"CART, leaves of {leaf}", LEAK, cart(leaf), of) for of in ("adult", "acs") for leaf in (1, 5, 20)),
    *(Specimen(f"kernel density of {100 * share:g} %", LEAK, _density(share)) for share in (0.05, 0.2)),
    *(Specimen(f"{100 * share:g} % copies", LEAK, _copies(share)) for share in (0.001, 0.003, 0.01)),
    *(Specimen(f"{100 * share:g} % copies of the most isolated", LEAK, _copies(share, most_isolated=True))
      for share in (0.003, 0.01)),
    Specimen("1 % copies among decoys", LEAK, _copies(0.01, decoys=True)),
    Specimen("one near-copy in a hundred", LEAK, _near_copy),
    Specimen("a bootstrap of the holdout", UNFIT, lambda r, p: (_bootstrap(r, p.holdout), p.train, p.holdout)),
    Specimen("train and holdout swapped", UNFIT, _swapped),
    Specimen("train in other units", UNFIT, _in_other_units),
    Specimen("synthetic in upper case", UNFIT, _shouted),
    Specimen("a trailing blank in the holdout", UNFIT, _blank),
    Specimen("a holdout of older people", UNFIT, _older),
    Specimen("no holdout", UNFIT, lambda r, p: (_moved(r, p.train, 0.001), p.train, None)),
    Specimen("independent people", SAFE, lambda r, p: _real(p)),
    Specimen("independent people", SAFE, lambda r, p: _real(p), "acs"),
    Specimen("independent people, 200 of each", SAFE, lambda r, p: _real(p), rows=200),
    Specimen("independent people, 1,000 of each", SAFE, lambda r, p: _real(p), rows=1_000),
    Specimen("independent people, 5,000 of each", SAFE, lambda r, p: _real(p), rows=5_000),
    Specimen("ten synthetic to one", SAFE, _some(500, 5_000)),
    Specimen("one synthetic to ten", SAFE, _some(2_000, 200)),
    Specimen("the densest half", SAFE, densest),
    Specimen("CART fitted on other people", SAFE, cart(1, "others")),
    Specimen("each column of other people by itself", SAFE, _independent("others")),
    Specimen("two columns", SAFE, _only(["age", "sex"])),
    Specimen("few combinations", SAFE, _only(["sex", "race", "relationship"])),
    Specimen("many duplicates", SAFE, _only(["age", "sex", "race", "education"])),
]  # fmt: skip


def drawn(specimen, seed):
    """The tables of one draw: synthetic, train and holdout."""
    random = np.random.default_rng((SEED, seed))
    return specimen.draw(random, people(specimen.of, specimen.rows, random))
