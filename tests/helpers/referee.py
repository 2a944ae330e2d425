"""Classes with sensitive columns and disclosure by groups, counted in plain Python."""

import math
from collections import Counter, defaultdict
from fractions import Fraction

Z2 = 3.8414588206941254


def wilson(share, n):
    """The ends of the 95 % interval of a share."""
    middle = (share + Z2 / (2 * n)) / (1 + Z2 / n)
    half = math.sqrt(Z2 * (share * (1 - share) / n + Z2 / (4 * n * n))) / (1 + Z2 / n)
    return middle - half, middle + half


def difference(share, n, control, control_n):
    """The ends of the 95 % interval of a difference of shares, after Newcombe."""
    (low, high), (control_low, control_high) = wilson(share, n), wilson(control, control_n)
    return (
        share - control - math.hypot(share - low, control_high - control),
        share - control + math.hypot(high - share, control - control_low),
    )


def members(keys, values):
    """The values in each class."""
    found = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        found[key].append(value)
    return found


def in_order(values):
    """Values in their order, missing last."""
    return sorted(set(values), key=lambda v: (v is None, 0 if v is None else v))


def sensitive_column(keys, values, least, ordered):
    """The row of `anonymity` for one sensitive column, from column_name on, as exact as fractions are."""
    table, n = Counter(values), len(values)
    places = in_order(values) if ordered else list(table)
    rows = []
    for of_class in members(keys, values).values():
        size, counts = len(of_class), Counter(of_class)
        shares = [(Fraction(counts[v], size), Fraction(table[v], n)) for v in places]
        present = [(q, p) for q, p in shares if q]
        descending = sorted(counts.values(), reverse=True)
        running = [abs(sum(q - p for q, p in shares[: i + 1])) for i in range(len(shares))]
        tail = sum(descending[least - 1 :])
        rows.append({
            "distinct_l": len(counts),
            "entropy_l": math.exp(-sum(q * math.log(q) for q, _ in present)),
            "recursive_c": Fraction(descending[0], tail) if tail else math.inf,
            "alpha": max(q for q, _ in present),
            "t_equal": sum(abs(q - p) for q, p in shares) / 2,
            "t_ordered": sum(running) / max(len(shares) - 1, 1) if ordered else None,
            "beta": max((q - p) / p for q, p in present),
            "delta": max(abs(math.log(q / p)) for q, p in present),
        })  # fmt: skip
    found = dict.fromkeys(("distinct_l", "entropy_l", "recursive_c", "alpha", "t_equal", "t_ordered", "beta"))
    for name in found:
        values_of = [row[name] for row in rows if row[name] is not None]
        found[name] = (min if name.endswith("_l") else max)(values_of, default=None)
    found["enhanced_beta"] = min(found["beta"], max(-math.log(c / n) for c in table.values())) if rows else None
    found["delta"] = max(row["delta"] for row in rows) if rows else None
    return {name: None if value is None else float(value) for name, value in found.items()}


def grouped(values, train, bins):
    """The group of each number: how many of train's lie below it, in whole parts of all."""
    known = [v for v in train if v is not None]
    if not bins or not known:
        return list(values) if not bins else [None if v is None else bins - 1 for v in values]
    below = {v: sum(r < v for r in known) for v in set(values) - {None}}
    return [None if v is None else min(below[v] * bins // len(known), bins - 1) for v in values]


def disclosure(synthetic, real):
    """The measures of one target; each table is a list of (keys, target)."""
    n, m = len(real), len(synthetic)
    d_tq, s_tq = Counter(real), Counter(synthetic)
    d_q, s_q = Counter(q for q, _ in real), Counter(q for q, _ in synthetic)
    d_t = Counter(t for _, t in real)
    alone = {q for q, t in s_tq if s_tq[q, t] == s_q[q]}
    correct = {(q, t) for q, t in d_tq if 0 < s_tq[q, t] == s_q[q]}
    disclosive = sum(d_q[q] for q in alone)
    sums = {
        "unique_real": sum(c == 1 for c in d_q.values()),
        "replicated_uniques": sum(c == 1 and s_q[q] == 1 for q, c in d_q.items()),
        "keys_in_synthetic": sum(c for q, c in d_q.items() if s_q[q]),
        "attributable_real": sum(c for (q, _), c in d_tq.items() if c == d_q[q]),
        "disclosive_in_synthetic": disclosive,
        "correct_disclosures": sum(d_tq[both] for both in correct),
        "DiSDiO": sum(d_tq[q, t] for q, t in correct if d_tq[q, t] == d_q[q]),
        "baseline": Fraction(sum(c * c for c in d_t.values()), n) if n else 0,
        "CAPd": sum(Fraction(c * c, d_q[q]) for (q, _), c in d_tq.items()),
        "DCAP": sum(Fraction(c * s_tq[q, t], s_q[q]) for (q, t), c in d_tq.items() if s_q[q]),
    }
    of_synthetic = {
        "attributable_synthetic": sum(c for (q, _), c in s_tq.items() if c == s_q[q]),
        "CAPs": sum(Fraction(c * c, s_q[q]) for (q, _), c in s_tq.items()),
    }
    found = {name: float(Fraction(value) / n) if n else None for name, value in sums.items()}
    found |= {name: float(Fraction(value) / m) if m else None for name, value in of_synthetic.items()}
    found["TCAP"] = float(Fraction(sum(d_tq[both] for both in correct), disclosive)) if disclosive else None
    return found, disclosive


def residual(rate, n, control, control_n):
    """Residual risk and the ends of its interval."""
    if control == 1:
        return None, None, None
    risk = (rate - control) / (1 - control)
    (low, high), (control_low, control_high) = wilson(rate, n), wilson(control, control_n)
    slope = (1 - rate) / (1 - control)
    down = math.hypot(rate - low, (control_high - control) * slope) / (1 - control)
    up = math.hypot(high - rate, (control - control_low) * slope) / (1 - control)
    return risk, risk - down, min(1.0, risk + up)
