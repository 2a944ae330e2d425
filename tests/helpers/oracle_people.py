"""What is said of single people, read literally: uniques within one real table, values that come back."""

import collections
import fractions
import itertools
import math

import numpy as np
from oracle_scores import _present

PRIME = 2_147_483_647
EXCHANGES = 999


def drawn(record, seed):
    x = (record % PRIME * 48_271 + (seed % PRIME + 1) * 69_621) % PRIME
    return pow(x, 5, PRIME)


def halves(persons, fresh, seed):
    """The rows of half of the people; as many rows of synthetic and of the others, in the order of their pairs."""
    first = {person: persons.index(person) for person in persons}
    in_order = sorted(first, key=lambda person: (drawn(2 * first[person], seed), first[person]))
    asked = set(in_order[: len(in_order) // 2])
    others = sorted(
        (i for i, person in enumerate(persons) if person not in asked), key=lambda i: (drawn(2 * i, seed), i)
    )
    synthetic = sorted(range(fresh), key=lambda i: (drawn(2 * i + 1, seed), i))
    size = min(len(others), fresh)
    return [i for i, person in enumerate(persons) if person in asked], synthetic[:size], others[:size]


def within(synthetic, real, width=2, combinations=2000, persons=None, seed=0):
    """Part 29: a row of `within`; and of each unique that is replicated, on which sides its rows are, by pair."""
    names = list(real)
    known = {n: [_present(v) for v in real[n]] for n in names}
    fresh = {n: [_present(v) for v in synthetic[n]] for n in names}
    rows = len(known[names[0]])
    persons = list(range(rows)) if persons is None else persons
    asked, of_synthetic, others = halves(persons, len(fresh[names[0]]), seed)
    distinct = [len({known[n][i] for i in asked}) for n in names]
    sets = [c for w in range(1, width + 1) for c in itertools.combinations(range(len(names)), w)]
    sets = sorted(sets, key=lambda c: (-math.prod(distinct[i] for i in c), c))[:combinations]
    differences, found = collections.Counter({persons[i]: 0 for i in asked}), []
    for chosen in sets:
        holders, having = collections.defaultdict(set), collections.defaultdict(list)
        for i in asked:
            holders[tuple(known[names[j]][i] for j in chosen)].add(persons[i])
        for table, drawn_rows, side in ((fresh, of_synthetic, 1), (known, others, -1)):
            for pair, i in enumerate(drawn_rows):
                having[tuple(table[names[j]][i] for j in chosen)].append((pair, side))
        for key, who in holders.items():
            if len(who) == 1 and key in having:
                sides = {side for _, side in having[key]}
                differences[min(who)] += sum(sides)
                found.append(having[key])
    replicated, control = (sum(any(s == side for _, s in one) for one in found) for side in (1, -1))
    sizes = sorted({abs(d) for d in differences.values() if d}, reverse=True)
    above = [(sum(d >= t for d in differences.values()), sum(-d >= t for d in differences.values())) for t in sizes]
    c = math.log(20) / math.log(1.95)
    at_least, listed = min(((-math.floor(v - c * (1 + h)), v) for v, h in above), default=(0, 0))
    row = {"people": len({persons[i] for i in asked}), "replicated": replicated, "control": control}
    row["ratio"] = replicated / control if control else math.inf if replicated else None
    row |= {"at_least": -min(at_least, 0), "listed": listed if at_least < 0 else 0}
    return row, found, len(of_synthetic)


def exchanged(found, pairs, seed):
    """The difference of both sums after each exchange, by the coins of the product: 1,024 bits for each pair."""
    coins = np.random.PCG64(seed).random_raw(pairs * 16).reshape(pairs, 16)
    bits = np.unpackbits(coins.astype("<u8").view(np.uint8), axis=1, bitorder="little")[:, :EXCHANGES].astype(int)
    out = np.zeros(EXCHANGES, int)
    for one in found:
        sides = np.stack([side * (1 - 2 * bits[pair]) for pair, side in one])
        out += (sides.min(axis=0) + sides.max(axis=0)) // 2
    return out


def tail(population, successes, draws, observed):
    """The probability of at least so many successes among the draws, without rounding."""
    ways = [
        math.comb(successes, k) * math.comb(population - successes, draws - k)
        for k in range(observed, min(successes, draws) + 1)
        if draws - k <= population - successes
    ]
    return float(fractions.Fraction(sum(ways), math.comb(population, draws)))


def holm(p_values):
    """Adjusted p-values by name; None stays None."""
    order = sorted((p, name) for name, p in p_values.items() if p is not None)
    out, largest = dict.fromkeys(p_values), 0.0
    for place, (p, name) in enumerate(order):
        largest = max(largest, p * (len(order) - place))
        out[name] = min(largest, 1.0)
    return out


def replay(synthetic, train, holdout=None, persons=None):
    """Part 30: per column of all tables its counts; `persons` are those of each row of train, then of the holdout."""
    rows, p_values = {}, {}
    members = len(next(iter(train.values())))
    for name in train:
        real = [_present(v) for v in [*train[name], *((holdout or {}).get(name, []))]]
        whose = persons or list(range(len(real)))
        owners = collections.defaultdict(set)
        for i, value in enumerate(real):
            if value is not None:
                owners[value].add((whose[i], "train" if i < members else "holdout"))
        alone = {value: next(iter(who))[1] for value, who in owners.items() if len(who) == 1}
        fresh = collections.Counter(_present(v) for v in synthetic[name])
        counts = {
            side: (sum(s == side for s in alone.values()), sum(s == side and fresh[v] > 0 for v, s in alone.items()))
            for side in ("train", "holdout")
        }
        (n, came), (others, others_came) = counts["train"], counts["holdout"]
        row = {"train": n, "replayed": came, "holdout": None, "holdout_replayed": None, "excess": None}
        row["records"] = sum(fresh[v] for v, side in alone.items() if side == "train")
        p_values[name] = None
        if holdout is not None:
            row |= {"holdout": others, "holdout_replayed": others_came}
            row["excess"] = came / n - others_came / others if n and others else None
            p_values[name] = tail(n + others, came + others_came, n, came) if n else None
        rows[name] = row
    adjusted = holm(p_values)
    return {name: row | {"p_value": p_values[name], "p_adjusted": adjusted[name]} for name, row in rows.items()}


def replay_sets(synthetic, train, holdout=None, width=2, persons=None):
    """Per set of columns the people of train and of the holdout with a combination of their own that synthetic has.

    A set of several columns with a constant one is left out.
    """
    names, members = list(train), len(next(iter(train.values())))
    real = {n: [_present(v) for v in [*train[n], *((holdout or {}).get(n, []))]] for n in names}
    fresh = {n: [_present(v) for v in synthetic[n]] for n in names}
    rows = len(real[names[0]])
    whose, found = persons or list(range(rows)), {}
    constant = {n for n in names if len(set(real[n])) == 1}
    for chosen in (c for w in range(1, width + 1) for c in itertools.combinations(names, w)):
        if len(chosen) > 1 and constant.intersection(chosen):
            continue
        owners = collections.defaultdict(list)
        for i in range(rows):
            owners[tuple(real[n][i] for n in chosen)].append(i)
        there = set(zip(*(fresh[n] for n in chosen), strict=True))
        back = {
            (whose[held[0]], held[0] < members)
            for key, held in owners.items()
            if len({whose[i] for i in held}) == 1 and key in there
        }
        if back:
            found[chosen] = sum(is_member for _, is_member in back), sum(not is_member for _, is_member in back)
    if holdout is None:
        return {chosen: (counts[0], None, None, None) for chosen, counts in found.items()}
    sides = [len(set(some)) for some in (whose[:members], whose[members:])]
    p_values = {chosen: tail(sum(sides), sum(counts), sides[0], counts[0]) for chosen, counts in found.items()}
    adjusted = holm(p_values)
    return {chosen: (*counts, p_values[chosen], adjusted[chosen]) for chosen, counts in found.items()}


def evaluated(session, tables, options):
    """The rows of `evaluate` about single people, from the functions within, replay and exposure_by."""
    synthetic, *real = tables
    of_within, found = {name: value for name, value in options.items() if name in {"exclude", "weights"}}, {}
    for side, table in zip(("train", "holdout"), real, strict=False):
        (row,) = session.within(synthetic, table, **of_within).to_arrow().to_pylist()
        found |= {("within", "within", side, name): value for name, value in row.items()}
    replays = session.replay(*tables).to_arrow().to_pylist()
    names = ("train", "replayed", "holdout", "holdout_replayed", "excess", "p_value", "p_adjusted", "records")
    for row in replays:
        if row["train"] or row["holdout"]:
            key = ("replay", "replay", row["column_name"])
            given = names if len(real) > 1 else ("train", "replayed", "records")
            found |= {(*key, name): row[name] for name in given} | {(*key, "running"): row["kind"] == "running"}
    if len(real) > 1:
        sets = session.replay_sets(*tables, **of_within).to_arrow().to_pylist()
        found["replay", "set_replay", None, "sets"] = len(sets)
        named = ("train", "replayed", "holdout", "holdout_replayed", "p_value", "p_adjusted")
        for row in [row for row in sets if row["width"] > 1 and row["p_adjusted"] < 0.01][:3]:
            found |= {("replay", "set_replay", ", ".join(row["columns"]), name): row[name] for name in named}
    back = sum(row["replayed"] > 0 and row["kind"] != "running" for row in replays)
    found["replay", "replay", None, "columns"] = back
    if len(real) > 1:
        adjusted = [row["p_adjusted"] for row in replays if row["p_adjusted"] is not None]
        found["replay", "replay", None, "p_adjusted"] = min(adjusted, default=None)
        groups = session.exposure_by(*tables, attack="uniques", **of_within).to_arrow().to_pylist()
        assert all(row["p_adjusted"] > 0.01 for row in groups)  # so few that no group stands out
        found |= {("exposure_by", "exposure_by", None, name): 0 for name in ("people", "named")}
        found["exposure_by", "exposure_by", None, "max_ratio"] = 1.0
    return found
