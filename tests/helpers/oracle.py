"""The definitions read literally: every number straight from its definition, in the plainest NumPy there is.

A table is a dict from column name to a list of Python values; None and NaN are missing. Nothing here is fast, nothing
is shared with the product, and every full distance matrix is built.
"""

import datetime as dt
import functools
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

UTC_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
Z_95 = 1.959963984540054  # the 97.5 % quantile of the standard normal distribution
QUANTILES = {"p01": 0.01, "p05": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75}
VARIANTS = ("second", "within_synthetic", "local", "global")
OWN_SCALING = {"gower": "minmax", "euclidean": "standard", "manhattan": "standard", "hamming": "none"}


# 1. Tables and columns


def is_missing(value):
    if isinstance(value, list):
        return any(is_missing(component) for component in value)
    return value is None or (isinstance(value, float) and math.isnan(value))


def present(values):
    return [value for value in values if not is_missing(value)]


def role_of(values):
    """The role that the Python values show; a column without any value counts as categorical."""
    example = next(iter(present(values)), "")
    if isinstance(example, (dt.date, dt.time)):
        return "temporal"
    if isinstance(example, list):
        return "vector"
    return "categorical" if isinstance(example, (str, bool)) else "numeric"


def as_number(value):
    """A number as a double; a date or time as seconds."""
    if isinstance(value, dt.datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=dt.UTC)
        return (moment - UTC_EPOCH) / dt.timedelta(seconds=1)
    if isinstance(value, dt.date):
        return float((value - UTC_EPOCH.date()).days * 86_400)
    if isinstance(value, dt.time):
        return value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
    return float(value)


def exactly(value):
    """A number without any rounding; a date or time as seconds."""
    if isinstance(value, dt.datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=dt.UTC)
        return Fraction((moment - UTC_EPOCH) // dt.timedelta(microseconds=1), 1_000_000)
    if isinstance(value, dt.time):
        return Fraction(value.hour * 3600 + value.minute * 60 + value.second) + Fraction(value.microsecond, 1_000_000)
    return Fraction(value) if isinstance(value, Decimal) else as_number(value)


def as_text(value):
    """A category as DuckDB writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# 2. Scaling statistics


def quantile(values, share):
    """Linear interpolation between the two values around the position (n - 1) * share, infinite ones included."""
    ordered = sorted(values)
    position = (len(ordered) - 1) * share
    low, high = ordered[math.floor(position)], ordered[math.ceil(position)]
    fraction = position - math.floor(position)
    return low if low == high or fraction == 0 else low + (high - low) * fraction


def statistics(values, role=None):
    role = role or role_of(values)
    kept = present(values)
    result = {
        "role": role,
        "count": len(kept),
        "missing": len(values) - len(kept),
        "distinct": len(set(kept)),
        **dict.fromkeys(("min", "max", "mean", "stddev", "median", "iqr", "most_frequent")),
    }
    if not kept:
        return result
    if role == "categorical":
        texts = [as_text(value) for value in kept]
        result["most_frequent"] = min(set(texts), key=lambda text: (-texts.count(text), text))
        return result
    numbers = [as_number(value) for value in kept]
    mean = math.fsum(numbers) / len(numbers)
    result |= {
        "min": min(numbers),
        "max": max(numbers),
        "mean": mean,
        "stddev": math.sqrt(math.fsum((number - mean) ** 2 for number in numbers) / len(numbers)),
        "median": quantile(numbers, 0.5),
        "iqr": quantile(numbers, 0.75) - quantile(numbers, 0.25),
    }
    return result


# 3. Distances


class Space:
    """Distances between records, in the scale of one train table."""

    def __init__(
        self, train, *, metric="gower", scaling=None, weights=None, category_mismatch=1.0, roles=None, columns=None,
        vectors="euclidean",
    ):  # fmt: skip
        self.metric = metric
        self.vectors = vectors
        self.scaling = scaling or OWN_SCALING[metric]
        self.columns = list(columns or train)
        self.weights = {column: (weights or {}).get(column, 1.0) for column in self.columns}
        self.roles = {column: (roles or {}).get(column) or role_of(train[column]) for column in self.columns}
        self.mismatch = {"euclidean": category_mismatch**2, "manhattan": category_mismatch}.get(metric, 1.0)
        self.scales = {column: self._scale(train[column], self.roles[column]) for column in self.columns}

    def _scale(self, values, role):
        """The scale of a numeric or temporal column; None where records are equal in it or not, and no more."""
        if role == "categorical" or self.metric == "hamming":
            return None
        if role == "vector":
            return self._vector_scale(present(values))
        if self.scaling == "none":
            return 1.0
        s = statistics(values, role)
        if s["count"] == 0 or s["min"] == s["max"]:
            return None
        scale = {"standard": s["stddev"], "minmax": s["max"] - s["min"], "robust": s["iqr"]}[self.scaling]
        return scale if scale > 0 else None

    def _vector_scale(self, values):
        """Of minmax the ball around the middle that holds all; else the components' own, by Pythagoras."""
        if self.vectors == "cosine" or self.scaling == "none":
            return 1.0
        components = list(zip(*values, strict=True))
        if self.scaling == "minmax":
            middle = [(min(component) + max(component)) / 2 for component in components]
            return 2 * max((math.dist(value, middle) for value in values), default=0) or None
        return math.hypot(*(self._scale(component, "numeric") or 0.0 for component in components)) or None

    def _between_vectors(self, column, left, right):
        """What vectors cost, pair by pair, those without a direction as if they were missing."""
        cost = np.full((len(left), len(right)), self.mismatch)
        for i, u in enumerate(left):
            for j, v in enumerate(right):
                lacking = [is_missing(x) or (self.vectors == "cosine" and not any(x)) for x in (u, v)]
                if all(lacking):
                    cost[i, j] = 0.0
                elif any(lacking):
                    continue
                elif self.vectors == "cosine":
                    cosine = math.fsum(x * y for x, y in zip(u, v, strict=True)) / math.hypot(*u) / math.hypot(*v)
                    cost[i, j] = (1 - cosine) / 2 if u != v else 0.0
                else:
                    delta = math.dist(u, v) / self.scales[column]
                    cost[i, j] = {"gower": min(delta, 1.0), "euclidean": delta**2, "manhattan": delta}[self.metric]
        return cost

    def contribution(self, column, left, right):
        """c_j of every pair: a matrix of len(left) rows and len(right) columns."""
        left_missing = np.array([is_missing(value) for value in left])[:, None]
        right_missing = np.array([is_missing(value) for value in right])[None, :]
        scale = self.scales[column]
        if self.roles[column] == "vector" and scale is not None:
            return self._between_vectors(column, left, right)
        if scale is None:
            number = {"categorical": as_text, "vector": str}.get(self.roles[column], as_number)
            x, y = (np.array([None if is_missing(v) else number(v) for v in side], object) for side in (left, right))
            compared = np.where(np.not_equal.outer(x, y), self.mismatch, 0.0)
        else:
            x, y = (np.array([0 if is_missing(v) else exactly(v) for v in side]) for side in (left, right))
            delta = np.abs(np.subtract.outer(x, y)).astype(float) / scale
            compared = {"gower": np.minimum(delta, 1.0), "euclidean": delta**2, "manhattan": delta}[self.metric]
        compared = np.where(left_missing | right_missing, self.mismatch, compared)
        return np.where(left_missing & right_missing, 0.0, compared)

    def distances(self, left, right):
        total = sum(self.weights[c] * self.contribution(c, left[c], right[c]) for c in self.columns)
        if self.metric == "gower":
            return total / sum(self.weights.values())
        return np.sqrt(total) if self.metric == "euclidean" else total


def nearest(distances, k=1, exclude_self=False):
    """The k nearest of each row: (records, distances); ties go to the smallest record, and a record may skip itself."""
    distances = distances.copy()
    if exclude_self:
        np.fill_diagonal(distances, np.inf)
    records = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return records, np.take_along_axis(distances, records, axis=1)


# 4. and 5. DCR and NNDR


def dcr(space, queries, train, itself=False):
    return nearest(space.distances(queries, train), 1, itself)[1][:, 0]


def ratio(numerator, denominator):
    if denominator == 0:
        return 1.0 if numerator == 0 else math.inf
    return numerator / denominator


def surroundings(space, train, k):
    """For each train record the mean distance to its k nearest others."""
    return nearest(space.distances(train, train), k, exclude_self=True)[1].mean(axis=1)


def nndr(space, queries, train, variant="second", k=5, itself=False):
    """(ratios, numerators, denominators); `itself`: the queries are the train table."""
    records, distances = nearest(space.distances(queries, train), 2, itself)
    numerator = distances[:, 0]
    if variant == "second":
        denominator = distances[:, 1]
    elif variant == "within_synthetic":
        denominator = dcr(space, queries, queries, itself=True)
    elif variant == "local":
        denominator = surroundings(space, train, k)[records[:, 0]]
    else:
        denominator = np.full(len(numerator), surroundings(space, train, k).mean())
    return np.array([ratio(*pair) for pair in zip(numerator, denominator, strict=True)]), numerator, denominator


def summary(values):
    values = [float(value) for value in values]
    if not values:
        return {"n": 0, **dict.fromkeys(("min", *QUANTILES, "mean", "max", "share_zero"))}
    return {
        "n": len(values),
        "min": min(values),
        **{name: quantile(values, share) for name, share in QUANTILES.items()},
        "mean": sum(values) / len(values),
        "max": max(values),
        "share_zero": values.count(0.0) / len(values),
    }


# 6. Test-train comparison and holdout share


def compare(baseline, synthetic):
    """T and Y of one metric → the other columns of `comparison`."""
    difference = 0.0 if baseline == synthetic else baseline - synthetic
    if baseline == 0 or (difference != 0 and math.isinf(difference)):
        percent = None
    else:
        percent = 100 * difference / baseline if difference else 0.0
    score = None if percent is None else 100 - percent
    return {
        "difference": difference,
        "difference_percent": percent,
        "privacy_score": score,
        "privacy_score_clipped": None if score is None else min(max(score, 0.0), 100.0),
        "band": None if percent is None else "high" if percent < 10 else "medium" if percent <= 50 else "low",
    }


def excess(hits, n, usual, usual_n):
    """A count beside a usual one: the difference of the shares, Newcombe's interval, and Yates' one-sided p-value."""
    share, other = hits / n, usual / usual_n
    low, high = (share_statistics(hits, n - hits, 0, 1, 1)[end] for end in ("lower", "upper"))
    other_low, other_high = (share_statistics(usual, usual_n - usual, 0, 1, 1)[end] for end in ("lower", "upper"))
    pooled = (hits + usual) / (n + usual_n)
    error = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / usual_n))
    p_value = 1.0
    if error:
        p_value = 0.5 * math.erfc((share - other - 0.5 * (1 / n + 1 / usual_n)) / error / math.sqrt(2))
    return {
        "excess": share - other,
        "lower": share - other - math.hypot(share - low, other_high - other),
        "upper": share - other + math.hypot(high - share, other - other_low),
        "p_value": p_value,
    }


def share_statistics(closer, further, equal, train_rows, holdout_rows):
    n = closer + further + equal
    share = (closer + equal / 2) / n
    expected = train_rows / (train_rows + holdout_rows)
    centre = (share + Z_95**2 / (2 * n)) / (1 + Z_95**2 / n)
    half = Z_95 / (1 + Z_95**2 / n) * math.sqrt(share * (1 - share) / n + Z_95**2 / (4 * n**2))
    z = (share - expected) / math.sqrt(expected * (1 - expected) / n)
    return {
        "closer": closer,
        "further": further,
        "equal": equal,
        "n": n,
        "share": share,
        "expected": expected,
        "lower": centre - half,
        "upper": centre + half,
        "p_value": 0.5 * math.erfc(z / math.sqrt(2)),
    }


# 7. Exact copies


def copies(synthetic, train, columns=None):
    columns = list(columns or train)

    def rows(table):
        return list(zip(*([None if is_missing(v) else v for v in table[c]] for c in columns), strict=True))

    return [rows(train).count(row) for row in rows(synthetic)]


# 8. Discernibility


def discernibility(sizes, k=None, suppressed=0):
    kept = [size for size in sizes if k is None or size >= k]
    taken_out = suppressed + sum(sizes) - sum(kept)
    return sum(size**2 for size in kept) + taken_out * (sum(sizes) + suppressed)


@functools.cache
def best_discernibility(n, k):
    """The least sum of squares over all partitions of n rows into classes of at least k; infinite where none exists."""
    if n == 0:
        return 0
    return min((size**2 + best_discernibility(n - size, k) for size in range(k, n + 1)), default=math.inf)


def documented_discernibility(n, k):
    q, r = divmod(n, k)
    return (q - r) * k**2 + r * (k + 1) ** 2


# 9. Minimum distance accumulation


def mda_distances(space, a, b, direction="both"):
    d = space.distances(a, b)
    sides = {"a": [d.min(axis=1)], "b": [d.min(axis=0)], "both": [d.min(axis=1), d.min(axis=0)]}
    return np.concatenate(sides[direction])


def normalized(distances, normalizer=None):
    normalizer = distances.max() if normalizer is None else normalizer
    return np.minimum(distances / normalizer, 1.0) if normalizer > 0 else np.zeros(len(distances))


def mda(x, threshold):
    """(privacy_area, resemblance) of normalized distances, exactly."""
    return (
        float(np.mean(np.maximum(0, threshold - x)) / threshold),
        float(np.mean(1 - np.maximum(x, threshold)) / (1 - threshold)),
    )


def mda_tradeoff(x, steps=20_001):
    """Area under resemblance as a function of privacy; a trapezoid sum over thresholds, good to about 1e-6."""
    points = np.array([mda(x, threshold) for threshold in (np.arange(steps) + 0.5) / steps])
    return float(np.sum(np.diff(points[:, 0]) * (points[1:, 1] + points[:-1, 1]) / 2))


def simpson(y, h):
    if len(y) % 2:
        return h / 3 * (y[0] + y[-1] + 4 * sum(y[1:-1:2]) + 2 * sum(y[2:-1:2])) if len(y) > 1 else 0.0
    last, first = h * (y[-2] + y[-1]) / 2, h * (y[0] + y[1]) / 2
    return (simpson(y[:-1], h) + last + first + simpson(y[1:], h)) / 2


def grid_curve(x, points, strict=True):
    """The curve at even points: what is below them, at 0 what is there; or up to them."""
    grid = np.arange(points) / (points - 1)
    return np.array([np.mean(x < theta) if strict and theta > 0 else np.mean(x <= theta) for theta in grid])


def mda_grid(y, threshold):
    """(privacy_area, resemblance) of an accumulation curve on an even grid over [0, 1]."""
    h = 1 / (len(y) - 1)
    i = math.ceil(round(threshold / h, 9))  # 4/9 over 1/9 is 4, whatever the last bit says
    return simpson(y[:i], h) / threshold, simpson(y[i:], h) / (1 - threshold)
