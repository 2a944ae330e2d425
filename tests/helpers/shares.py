"""The oracle of the holdout share: all distances at once, and labels that are exchanged one by one."""

import math

import numpy as np
from attacks import joined
from calls import assert_same_rows
from oracle import Z_95, Space, dcr, nearest, quantile


def holdout_share(synthetic, train, holdout, roles=None, persons=None, **options):
    """The rows of `holdout_share`; ``persons`` are whose each row of train and of the holdout is.

    A p-value by exchanges is a pair: the expected number, and how far off 9,999 draws may be.
    """
    own, everybody = Space(train, roles=roles, **options), joined(train, holdout)
    both = Space(everybody, roles=roles, **options)
    m, n = (len(next(iter(table.values()))) for table in (train, everybody))
    units = [("train" if i < m else "holdout", persons[i] if persons else i) for i in range(n)]
    everyone = sorted(set(units), key=units.index)
    members = sum(side == "train" for side, _ in everyone)
    expected = members / len(everyone)

    distances = both.distances(synthetic, everybody)
    closest = distances.min(axis=1) if len(distances) else np.zeros(0)
    radius = quantile(nearest(both.distances(everybody, everybody), 1, exclude_self=True)[1][:, 0], 0.05)
    to_train, to_holdout = dcr(own, synthetic, train), dcr(own, synthetic, holdout)
    rows = []
    for depth, kept in (("all", closest >= 0), ("near", closest <= radius), ("copies", closest == 0)):
        tied = distances[kept] == closest[kept, None]
        counts = {
            "closer": int((to_train < to_holdout)[kept].sum()),
            "further": int((to_train > to_holdout)[kept].sum()),
            "equal": int((to_train == to_holdout)[kept].sum()),
        }
        N = len(tied)
        row = {"depth": depth, **counts, "n": N, "expected": expected}
        if not N:
            rows.append(row | dict.fromkeys(("share", "lower", "upper", "z", "p_value")))
            continue
        t = tied[:, :m].sum(axis=1) / tied.sum(axis=1)
        h = (tied / tied.sum(axis=1, keepdims=True)).sum(axis=0)
        weights = np.array([sum(h[i] for i in range(n) if units[i] == unit) for unit in everyone])
        clusters = {}
        for s, first in enumerate(tied.argmax(axis=1)):
            clusters.setdefault(units[first], []).append(t[s] - t.mean())
        half = Z_95 * math.sqrt(sum(sum(c) ** 2 for c in clusters.values())) / N
        u, share = len(everyone), t.mean()
        squares = (weights**2).sum()
        variance = expected * (1 - expected) * u / max(u - 1, 1) * (squares - N**2 / u) / N**2
        z = (share - expected) / math.sqrt(variance) if variance > 1e-18 else 0.0
        p_value = math.erfc(abs(z) / math.sqrt(2))
        if N < 30 or squares / N**2 > 0.1:
            p_value = by_exchanges(weights / N, members, abs(share - expected))
        limits = {"lower": max(share - half, 0.0), "upper": min(share + half, 1.0)}
        rows.append(row | {"share": share, **limits, "z": z, "p_value": p_value})
    return rows


def by_exchanges(weights, members, distance, draws=3000):
    random = np.random.default_rng(5)
    expected = members / len(weights)
    far = sum(abs(weights[random.permutation(len(weights))[:members]].sum() - expected) >= distance - 1e-12
              for _ in range(draws))  # fmt: skip
    share = far / draws
    return (share, 5 * math.sqrt(share * (1 - share) / draws) + 0.003)


def assert_same_shares(found, expected):
    """The rows as they are, but for what is drawn by lot."""
    for row, wanted in zip(found, expected, strict=True):
        if isinstance(wanted["p_value"], tuple):
            share, off = wanted["p_value"]
            assert abs(row["p_value"] - share) <= off, (row, wanted)
            wanted["p_value"] = row["p_value"]
    assert_same_rows(found, expected)
