"""The definitions of membership scores read literally, beside `oracle`."""

import collections
import itertools
import math
import unicodedata

import numpy as np
import oracle_text
from oracle import as_number, as_text, is_missing, role_of


def agreement(synthetic, train, holdout=None, near=0.0, weights=None, roles=None):
    """Per record of train, then of holdout: score, record to blame, own bits, and the bits of each column."""
    real = {name: [*values, *((holdout or {}).get(name) or [])] for name, values in train.items()}
    rows = len(next(iter(real.values())))
    others = len(next(iter(synthetic.values())))
    each = []
    for name, values in real.items():
        role = (roles or {}).get(name) or role_of(values)
        write = as_text if role == "categorical" else as_number
        x, s = ([None if is_missing(v) else write(v) for v in side] for side in (values, synthetic[name]))
        known = [v for v in x if v is not None]
        is_text = near and role == "categorical" and has_texts(known)
        bits = np.zeros((rows, others + 1))  # the last against an exact copy
        for i, value in enumerate(x):
            equal = 0.0 - math.log2(x.count(value) / rows)
            nearby, close = 0.0, lambda _: False
            if role != "categorical" and value is not None:
                rank2 = {v: sum(p < v for p in known) + sum(p <= v for p in known) for v in {*x, *s} - {None}}

                def close(v, value=value, rank2=rank2):
                    return v is not None and abs(rank2[v] - rank2[value]) <= 2 * near * rows

                nearby = min(equal, 0.0 - math.log2(sum(map(close, x)) / rows))
            if is_text and value is not None:

                def close(v, value=value):
                    return v is not None and oracle_text.is_near(*map(oracle_text.normalized, (v, value)))

                people = sum(map(close, x))
                nearby = 0.0 - math.log2(people / rows) if people <= 200 else 0.0
            for k, other in enumerate([*s, value]):
                bits[i, k] = equal if other == value else nearby if close(other) else 0.0
        each.append((weights or {}).get(name, 1.0) * bits)
    total = np.zeros((rows, others + 1))
    for bits in each:
        total += bits
    best = total[:, :-1].argmax(axis=1)  # the first of the largest
    at = np.arange(rows), best
    return total[at], best, total[:, -1], np.stack([bits[at] for bits in each], axis=1)


def has_texts(values):
    """More distinct values than half of all, most of which have more letters than digits."""
    distinct = set(values)
    kinds = [[unicodedata.category(c) for c in value] for value in distinct]
    lettered = sum(sum(k[0] == "L" for k in kind) > kind.count("Nd") for kind in kinds)
    return 2 * len(distinct) > len(values) and 2 * lettered > len(distinct)


def _present(value):
    return None if value is None or value != value else value + 0 if isinstance(value, float) else value


def uniques(synthetic, train, holdout=None, width=2, combinations=2000, persons=None):
    """Part 19: per real record (or person) its score, the synthetic record to blame (None), and its smallest uniques.

    Smallest uniques: a list of (columns, first synthetic record, how many); `persons` says whose each real row is.
    """
    names = list(train)
    both = {n: [_present(v) for v in [*train[n], *((holdout or {}).get(n, []))]] for n in names}
    other = {n: [_present(v) for v in synthetic[n]] for n in names}
    rows, fresh = len(both[names[0]]), len(other[names[0]])
    persons = list(range(rows)) if persons is None else persons
    distinct = [len(set(both[n])) for n in names]
    sets = [c for w in range(1, width + 1) for c in itertools.combinations(range(len(names)), w)]
    sets.sort(key=lambda c: (-math.prod(distinct[i] for i in c), c))
    sets = sorted(sets[:combinations], key=lambda c: (len(c), c))
    scores, blame = collections.Counter(), collections.defaultdict(collections.Counter)
    smallest = collections.defaultdict(list)
    for chosen in sets:
        holders = collections.defaultdict(set)
        for i in range(rows):
            holders[tuple(both[names[j]][i] for j in chosen)].add(persons[i])
        having = collections.defaultdict(list)
        for s in range(fresh):
            having[tuple(other[names[j]][s] for j in chosen)].append(s)
        for key, who in holders.items():
            if len(who) == 1 and having[key]:
                (person,) = who
                scores[person] += 1
                blame[person].update(having[key])
                if not smallest[person] or len(smallest[person][0][0]) == len(chosen):
                    smallest[person].append(([names[j] for j in chosen], having[key][0], len(having[key])))
    blamed = {p: min(counts, key=lambda s: (-counts[s], s)) for p, counts in blame.items() if counts}
    return scores, blamed, smallest
