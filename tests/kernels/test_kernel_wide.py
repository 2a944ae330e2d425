"""Searches of hundreds of columns, and of columns of many kinds at once."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from suites import only_where_tested
from test_kernel import METRICS, check, distance_of, table

from synthpriv_sql.kernels import Columns

only_where_tested("kernel")


@st.composite
def wide_cases(draw):
    """Hundreds of columns: counts that need more bits than those of narrow tables, and sums of many numbers."""
    metric = draw(st.sampled_from(METRICS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    numeric = 0 if metric == "hamming" else draw(st.sampled_from((0, 3, 100, 150)))
    sizes = draw(st.sampled_from(((2,), (1, 3, 17), (2, 300))))
    categories = [sizes[j % len(sizes)] for j in range(draw(st.sampled_from((120, 128, 136, 250))))]
    even = draw(st.booleans())  # where weights differ, a category is counted several times
    weights = np.ones(len(categories)) if even else rng.choice([0.0, 0.25, 1.0, 3.7], len(categories))
    distance = distance_of(metric, (1.0,) * numeric, weights.tolist(), draw(st.sampled_from((1.0, 2**0.5, 0.3))))
    missing, alike = draw(st.sampled_from((0.0, 0.1))), draw(st.booleans())
    reference, queries = (table(rng, rows, numeric, categories, missing) for rows in (150, 20))
    if alike:  # as copies with some columns changed: limits are low, and counts end early
        rows = rng.integers(0, 150, 20)
        changed = iter(rng.random(numeric + len(categories)) < draw(st.sampled_from((0.0, 0.05, 0.9))))
        queries = Columns(
            tuple(
                own if next(changed) else of[rows] for own, of in zip(queries.numeric, reference.numeric, strict=True)
            ),
            tuple(
                own if next(changed) else of[rows]
                for own, of in zip(queries.categorical, reference.categorical, strict=True)
            ),
            20,
        )
    return queries, reference, distance


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=wide_cases(), k=st.sampled_from((1, 5)))
def test_hundreds_of_mixed_columns(case, k):
    queries, reference, distance = case
    check(queries, reference, distance, k)


def test_a_thousand_columns():
    rng = np.random.default_rng(11)
    queries, reference = (table(rng, rows, 400, (3,) * 600) for rows in (20, 300))
    for metric in ("gower", "euclidean"):
        check(queries, reference, distance_of(metric, (1.0,) * 400, (1.0,) * 600), 2)
