"""Membership attacks of this package and from the literature, each by its published formula, on the same people.

The others run on a sample, as in their own code: 1,500 members and as many non-members, 2,000 reference rows and at
most 4,000 synthetic ones. Numbers are standardized; categorical columns are one-hot encoded up to 50 categories,
otherwise replaced by frequency ranks. Densities are Gaussian kernels (Scott) on the first ten principal components: on
all columns they are all zero.
"""

import time

import numpy as np
import pandas as pd
from scipy.stats import gaussian_kde, rankdata
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import NearestNeighbors

from benchmarks import data
from synthpriv_sql.planner.headers import catalog

SEED = 20
PEOPLE, REFERENCE, SYNTHETIC = 1_500, 2_000, 4_000
TABLES = {
    **{
        name: (name, "adult_trn", "adult_val")
        for name in ("adult_synthpop", "adult_flip70", "adult_flip90", "adult_mostly")
    },
    "midst_1": ("midst_1_synthetic", "midst_1_train", "midst_1_holdout"),
}
OURS = [
    name
    for name in catalog.function("membership").parameters["attack"].choices
    if name not in ("all", "calibrated", "own")
]


def frames(table):
    return [pd.read_csv(data.DATA / f"{name}.csv.gz") for name in TABLES[table]]


def sample(table):
    """Members, non-members, reference and synthetic rows; the reference is from the rest of the holdout."""
    synthetic, train, holdout = frames(table)
    random = np.random.default_rng(SEED)
    others = holdout.iloc[random.permutation(len(holdout))]
    return (
        train.iloc[random.choice(len(train), PEOPLE, replace=False)],
        others.iloc[:PEOPLE],
        others.iloc[PEOPLE : PEOPLE + REFERENCE],
        synthetic.iloc[random.choice(len(synthetic), min(SYNTHETIC, len(synthetic)), replace=False)][
            list(train.columns)
        ],
    )


def encoded(*tables):
    """Encode rows as numbers, by statistics of the reference and the synthetic table."""
    together = pd.concat(tables, ignore_index=True)
    known = pd.concat(tables[-2:], ignore_index=True)
    columns = []
    for name in together.columns:
        if pd.api.types.is_numeric_dtype(together[name]):
            deviation = known[name].std() or 1.0
            columns.append(((together[name] - known[name].mean()) / deviation).fillna(0).to_numpy()[:, None])
        elif known[name].nunique() <= 50:
            columns.append(pd.get_dummies(together[name]).to_numpy(float))
        else:
            ranks = known[name].value_counts().rank()
            columns.append((together[name].map(ranks).fillna(0) / len(ranks)).to_numpy()[:, None])
    rows = np.hstack(columns)
    return np.split(rows, np.cumsum([len(table) for table in tables])[:-1])


def nearest(rows, reference, k=1):
    return NearestNeighbors(n_neighbors=k).fit(reference).kneighbors(rows)


def dcr(people, reference, synthetic):
    return -nearest(people, synthetic)[0][:, 0]


def dcr_difference(people, reference, synthetic):
    return nearest(people, reference)[0][:, 0] - nearest(people, synthetic)[0][:, 0]


def plagiarism(people, reference, synthetic, k=30):
    """Data plagiarism index (Ward et al. 2024): the share of synthetic rows among the nearest synthetic and reference
    rows.
    """
    places = nearest(people, np.vstack([synthetic, reference]), k)[1]
    near = (places < len(synthetic)).sum(axis=1)
    return np.log((near / len(synthetic) + 1e-6) / ((k - near) / len(reference) + 1e-6))


def monte_carlo(people, reference, synthetic):
    """Hilprecht et al. 2019: synthetic rows within the median distance to the closest."""
    radius = float(np.median(nearest(people, synthetic)[0]))
    found = NearestNeighbors(radius=radius).fit(synthetic).radius_neighbors(people, return_distance=False)
    return np.array([len(rows) for rows in found], float)


def local_neighborhood(people, reference, synthetic):
    """Synthetic compared with reference rows within the reference's median nearest distance."""
    radius = float(np.median(nearest(reference, reference, 2)[0][:, 1]))
    counts = [
        np.array(
            [len(r) for r in NearestNeighbors(radius=radius).fit(t).radius_neighbors(people, return_distance=False)]
        )
        for t in (synthetic, reference)
    ]
    return np.log((counts[0] + 0.5) / len(synthetic)) - np.log((counts[1] + 0.5) / len(reference))


def _components(people, reference, synthetic):
    axes = PCA(min(10, synthetic.shape[1]), random_state=SEED).fit(np.vstack([reference, synthetic]))
    return [axes.transform(rows) for rows in (people, reference, synthetic)]


def density(people, reference, synthetic):
    people, _, synthetic = _components(people, reference, synthetic)
    return gaussian_kde(synthetic.T).logpdf(people.T)


def domias(people, reference, synthetic):
    """Van Breugel et al. 2023: the density of synthetic divided by that of the reference."""
    people, reference, synthetic = _components(people, reference, synthetic)
    return gaussian_kde(synthetic.T).logpdf(people.T) - gaussian_kde(reference.T).logpdf(people.T)


def gen_lra(people, reference, synthetic, k=20):
    """Ward et al. 2025: how much likelier the nearest synthetic rows are once the person is in the reference."""
    people, reference, synthetic = _components(people, reference, synthetic)
    kernel = gaussian_kde(reference.T)
    before = kernel.logpdf(synthetic.T)
    places = nearest(people, synthetic, k)[1]
    gaps = synthetic[places] - people[:, None]
    exponent = -0.5 * np.einsum("nki,ij,nkj->nk", gaps, kernel.inv_cov, gaps)
    added = exponent - 0.5 * np.linalg.slogdet(2 * np.pi * kernel.covariance)[1]
    n = len(reference)
    after = np.logaddexp(before[places] + np.log(n), added) - np.log(n + 1)
    return (after - before[places]).sum(axis=1)


def forest(people, reference, synthetic):
    """A random forest that distinguishes synthetic from reference rows."""
    model = RandomForestClassifier(200, min_samples_leaf=2, n_jobs=-1, random_state=SEED)
    model.fit(np.vstack([synthetic, reference]), np.arange(len(synthetic) + len(reference)) < len(synthetic))
    return model.predict_proba(people)[:, 1]


PEERS = {
    "DCR": dcr,
    "DCR difference": dcr_difference,
    "DPI": plagiarism,
    "MC": monte_carlo,
    "local neighborhood": local_neighborhood,
    "density, KDE": density,
    "DOMIAS, KDE": domias,
    "Gen-LRA, KDE": gen_lra,
    "random forest": forest,
}


def rates(members, others):
    """AUC, and the share of members found at 1 % and at 10 % false positives."""
    ranks = rankdata(np.concatenate([members, others]))
    n, m = len(members), len(others)
    auc = (ranks[:n].sum() - n * (n + 1) / 2) / (n * m)
    limits = np.sort(others)[::-1]
    return auc, *((members > limits[int(share * m)]).mean() for share in (0.01, 0.1))


def note(auc, one, ten):
    return f"AUC {auc:.3f}; found at 1 %: {100 * one:.1f} %, at 10 %: {100 * ten:.1f} %"


def peers_on(table):
    """Run each attack from the literature on the sample: its name, seconds, and results."""
    members, others, reference, synthetic = encoded(*sample(table))
    for name, attack in PEERS.items():
        begin = time.perf_counter()
        scores = attack(np.vstack([members, others]), reference, synthetic)
        yield name, time.perf_counter() - begin, rates(scores[: len(members)], scores[len(members) :])


def ours_on(session, tables, attacks=OURS):
    """Run each attack of this package on tables by name: its name, seconds, and results."""
    for attack in attacks:
        begin = time.perf_counter()
        rows = session.membership(*tables, attack=attack, false_positive_rates=[0.01, 0.1]).to_arrow().to_pylist()
        seconds = time.perf_counter() - begin
        yield attack, seconds, (rows[0]["auc"], *(row["true_positive_rate"] for row in rows))


def write(session, table, whole):
    """Write the tables of the sample, or all rows; return their names."""
    members, others, _, synthetic = sample(table)
    if whole:
        synthetic, members, others = frames(table)
        synthetic = synthetic[list(members.columns)]
    for name, frame in (("train", members), ("holdout", others), ("synthetic", synthetic)):
        session.connection.register("incoming", frame)
        session.connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM incoming")
        session.connection.unregister("incoming")


def leaking(seed, leaks=True, rows=3_000, share=0.3):
    """People of Adult: synthetic is other people, and for a share of train a copy with 30 % of the cells redrawn."""
    random = np.random.default_rng((SEED, seed))
    people = pd.concat([pd.read_csv(data.DATA / f"adult_{name}.csv.gz") for name in ("trn", "val")], ignore_index=True)
    drawn = people.iloc[random.permutation(len(people))[: 3 * rows]].reset_index(drop=True)
    train, holdout, synthetic = (drawn.iloc[i * rows : (i + 1) * rows].reset_index(drop=True) for i in range(3))
    if leaks:
        count = int(share * rows)
        for name in people.columns:
            redrawn = people[name].to_numpy()[random.integers(0, len(people), count)]
            kept = random.random(count) >= 0.3
            values = synthetic[name].to_numpy().copy()
            values[:count] = np.where(kept, train[name].to_numpy()[:count], redrawn)
            synthetic[name] = values
    return synthetic, train, holdout


def false_names(session, attack, draws):
    """The mean number of people named, and the mean share of them who did not leak."""
    named, false = [], []
    for seed in range(draws):
        exposed = session.exposure(*leaking(seed), attack=attack).to_arrow()
        records = np.array(exposed["record"])[np.array(exposed["exposed"])]
        named.append(len(records))
        false.append((records >= 900).mean() if len(records) else 0.0)
    return float(np.mean(named)), float(np.mean(false))


def named_without_a_leak(session, attack, draws):
    """The number of draws of tables without a leak in which anybody is named."""
    tables = (leaking(1_000 + seed, leaks=False) for seed in range(draws))
    return sum(any(session.exposure(*found, attack=attack).to_arrow()["exposed"].to_pylist()) for found in tables)
