"""The definitions of attacks read literally: who was in train, in the plainest NumPy there is."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
from oracle import Z_95, Space, is_missing, nearest
from oracle_scores import agreement

BY_DISTANCE = ("distance", "ratio", "density")
ATTACKS = (*BY_DISTANCE, "agreement", "agreement_near")


def joined(*tables):
    """Tables one under another."""
    return {name: [value for table in tables for value in table[name]] for name in tables[0]}


def distinct(table):
    """The first of each record and its duplicates: (records, their numbers)."""
    rows = list(zip(*[[None if is_missing(v) else v for v in column] for column in table.values()], strict=True))
    kept = [i for i, row in enumerate(rows) if row not in rows[:i]]
    return {name: [column[i] for i in kept] for name, column in table.items()}, np.array(kept)


def scores(
    synthetic, train, holdout=None, attack="distance", k=1, reference=None, near=0.005, roles=None, raw=False, **options
):
    """(scores, records to blame) of train's records and then the holdout's; raw densities may be infinite."""
    if attack.startswith("agreement"):
        near = 0.0 if attack == "agreement" else near
        return agreement(synthetic, train, holdout, near, options.get("weights"), roles)[:2]
    population = joined(train, holdout) if holdout else train
    space = Space(population, roles=roles, **options)
    several, numbers = distinct(synthetic)
    found, d = nearest(space.distances(population, several), 2)
    first = d[:, 0]
    blamed = numbers[found[:, 0]]
    if attack == "distance":
        return -first, blamed
    if attack == "calibrated":
        return nearest(space.distances(population, reference))[1][:, 0] - first, blamed
    if attack == "ratio":
        if d.shape[1] == 1:
            return np.full(len(d), -1.0), blamed
        return np.array([-1.0 if b == 0 else -a / b for a, b in d]), blamed
    own = nearest(space.distances(population, population), k, exclude_self=True)[1][:, k - 1]
    there = nearest(space.distances(population, synthetic), k)[1][:, k - 1]
    densities = [log_ratio(a, b) for a, b in zip(own, there, strict=True)]
    return np.array(densities if raw else in_numbers(densities)), blamed


def log_ratio(a, b):
    if a == b:
        return 0.0
    if b == 0:
        return math.inf
    return -math.inf if a == 0 else math.log(a) - math.log(b)


def in_numbers(values):
    """One more than the largest finite score in the place of infinity, one less than the smallest for the other."""
    finite = [v for v in values if math.isfinite(v)] or [0.0]
    return [max(finite) + 1 if v == math.inf else min(finite) - 1 if v == -math.inf else v for v in values]


def auc(members, others):
    """Pair by pair, ties one half."""
    m, h = np.asarray(members)[:, None], np.asarray(others)[None, :]
    return float(((m > h) + 0.5 * (m == h)).mean())


def delong(members, others):
    """The standard error of the AUC; None where one side has one score only."""
    m, h = np.asarray(members)[:, None], np.asarray(others)[None, :]
    wins = (m > h) + 0.5 * (m == h)
    if min(wins.shape) < 2:
        return None
    return math.sqrt(wins.mean(axis=1).var(ddof=1) / wins.shape[0] + wins.mean(axis=0).var(ddof=1) / wins.shape[1])


def rank_sum_p_value(members, others):
    m, h = len(members), len(others)
    ties = sum(t**3 - t for t in Counter([*members, *others]).values())
    variance = m * h / 12 * (m + h + 1 - ties / ((m + h) * (m + h - 1)))
    if variance <= 1e-12:
        return 1.0
    return 0.5 * math.erfc((auc(members, others) - 0.5) * m * h / math.sqrt(2 * variance))


def rates(members, others):
    """(false positive rate, true positive rate) for every threshold, that above all scores too."""
    members, others = np.asarray(members), np.asarray(others)
    return [(0.0, 0.0)] + [
        (float((others >= c).mean()), float((members >= c).mean())) for c in {*members.tolist(), *others.tolist()}
    ]


def wilson(share, n):
    centre = (share + Z_95**2 / (2 * n)) / (1 + Z_95**2 / n)
    half = Z_95 / (1 + Z_95**2 / n) * math.sqrt(share * (1 - share) / n + Z_95**2 / (4 * n**2))
    return centre - half, centre + half


def drawn(record, seed):
    """The number that a seed draws for a record."""
    p = 2**31 - 1
    return pow((record * 48271 + (seed + 1) * 69621) % p, 5, p)


def epsilon_lower(members, others, seed=0, places=None):
    """By bisection of binomial tails, without a beta distribution; None where nobody is guessed."""
    lots = [[(drawn(2 * i + side, seed), i) for i in range(len(s))] for side, s in enumerate((members, others))]
    size = min(len(members), len(others))
    chosen = [
        (-score, *lot, side)
        for side, s in enumerate((members, others))
        for score, lot in zip(s, lots[side], strict=True)
        if lot in sorted(lots[side])[:size]
    ]
    best = None
    for one_in in (1000, 100, 10):
        r = 2 * size // one_in
        if r == 0:
            continue
        v = sum(guess[-1] == 0 for guess in sorted(chosen)[:r])
        p = clopper_pearson_lower(v, r, 0.05 / 3)
        best = max(best or 0.0, math.log(p / (1 - p)) if p > 0.5 else 0.0)
    return best


def clopper_pearson_lower(v, r, alpha):
    """The share at which v or more of r have the chance alpha."""
    low, high = 0.0, 1.0 if v else 0.0
    for _ in range(200):
        middle = (low + high) / 2
        tail = math.fsum(math.comb(r, i) * middle**i * (1 - middle) ** (r - i) for i in range(v, r + 1))
        low, high = (middle, high) if tail < alpha else (low, middle)
    return low


def holm(p_values):
    """Adjusted p-values, in the order given."""
    order = np.argsort(p_values, kind="stable")
    adjusted = np.maximum.accumulate([(len(order) - i) * p_values[j] for i, j in enumerate(order)])
    result = np.empty(len(order))
    result[order] = np.minimum(adjusted, 1.0)
    return result.tolist()


def hypergeometric_tail(population, successes, draws, observed):
    """The probability of at least ``observed`` successes among the draws, exactly."""
    ways = (
        math.comb(successes, v) * math.comb(population - successes, draws - v)
        for v in range(observed, min(successes, draws) + 1)
    )
    return Fraction(sum(ways), math.comb(population, draws))


def by_chance(members, others, lists=1):
    """c: of those listed at most c (1 + others listed) are there by chance, at 5 % for so many lists."""
    share, level = members / (members + others), 0.05 / lists
    return math.log(1 / level) / math.log((1 - (1 - share) * level) / share)


def top(members, others, lists=1):
    """(at least how many of the members, how many are listed, down to which score), at 5 % for so many lists."""
    members, others = np.asarray(members), np.asarray(others)
    c = by_chance(len(members), len(others), lists)
    best = 0, 0, math.inf
    for threshold in sorted({*members.tolist(), *others.tolist()}, reverse=True):
        listed = int((members >= threshold).sum())
        beyond = math.floor(listed - c * (1 + int((others >= threshold).sum())))
        best = (beyond, listed, threshold) if beyond > best[0] else best
    return best


def top_p_value(members, others):
    """That of the most striking of seven lengths of the list, times seven; equal scores are taken whole."""
    members, others = np.asarray(members), np.asarray(others)
    heads = [(int((members >= c).sum()), int((others >= c).sum())) for c in {*members.tolist(), *others.tolist()}]
    p = Fraction(1)
    for most in (8, 16, 32, 64, 128, 256, 512):
        listed, of_train = max(((m + h, m) for m, h in heads if m + h <= most), default=(0, 0))
        if listed >= 5:
            p = min(p, 7 * hypergeometric_tail(len(members) + len(others), len(members), listed, of_train))
    return float(p)


def exposure(members, others):
    """(p-values, q-values) of the members."""
    p = np.array([(1 + sum(h >= m for h in others)) / (len(others) + 1) for m in members])
    q = [min(len(p) * other / (p <= other).sum() for other in p if other >= own) for own in p]
    return p.tolist(), q


def of_persons(values, owners, how="mean"):
    """Scores of persons by person: infinite ones of both signs cancel each other."""
    result = {}
    for person in dict.fromkeys(owners):
        own = [v for v, o in zip(values, owners, strict=True) if o == person]
        finite = [v for v in own if math.isfinite(v)]
        infinite = sum(math.copysign(1, v) for v in own if math.isinf(v))
        if how == "max":
            result[person] = max(own)
        elif infinite:
            result[person] = math.copysign(math.inf, infinite)
        else:
            result[person] = sum(finite) / (max(len(finite), 1) if how == "mean" else 1)
    return result


def rows_in(table):
    return list(zip(*table.values(), strict=True))


def rare_copies(synthetic, train, holdout=None, owners=None):
    """(people copied too rarely to coincide, p-value); ``owners`` says whose each real row is."""
    real = [*rows_in(train), *(rows_in(holdout) if holdout else [])]
    owners = owners or list(range(len(real)))
    alike = Counter(real)
    people = {row: {o for other, o in zip(real, owners, strict=True) if other == row} for row in alike}
    counts = [Counter(column) for column in zip(*real, strict=True)]

    def bits(row):
        others = len(real) - alike[row]
        return sum(math.log2(others / max(c[v] - alike[row], 1)) for c, v in zip(counts, row, strict=True))

    most = max((bits(row) for row in alike if len(people[row]) > 1), default=-math.inf)
    copied = set(rows_in(synthetic)) & set(rows_in(train))
    found = {
        min(people[row]) for row in copied
        if len(people[row]) == 1 and not (holdout and row in rows_in(holdout)) and bits(row) > most + 3
    }  # fmt: skip
    among = len(rows_in(synthetic)) * len(rows_in(train))
    return len(found), (among / (among + math.comb(len(real), 2))) ** len(found)


def distinct_expected(synthetic, train):
    rows = rows_in(train)
    drawn = min(len(rows), len(rows_in(synthetic)))
    return float(sum(hypergeometric_tail(len(rows), times, drawn, 1) for times in Counter(rows).values()))
