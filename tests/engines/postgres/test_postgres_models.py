"""Models of secrets, which are trained beside PostgreSQL."""

import numpy as np
import pytest
from calls import assert_same_rows, rows_of

import synthpriv_sql


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::synthpriv_sql.SynthprivWarning")
def test_models_of_secrets_are_trained_beside_postgres(pg):
    """The rows that they need leave; the numbers are those of DuckDB on the same rows."""
    random = np.random.default_rng(3)
    rows = [(i, int(random.integers(0, 60)), "abc"[int(random.integers(0, 3))]) for i in range(90)]
    values = ", ".join(f"({i}, {age}, '{kind}')" for i, age, kind in rows)
    tables = [f"(SELECT * FROM (VALUES {values}) AS t (id, age, kind) WHERE id % 3 = {side})" for side in range(3)]
    with synthpriv_sql.connect() as here:
        for function in ("inference_scores", "attribute_inference"):
            options = {"attack": ["nearest", "learned"]} if function == "attribute_inference" else {}
            order = (*tables, ["age"], ["kind"]) if not options else (*tables[:2], ["age"], ["kind"], tables[2])
            found, expected = (rows_of(getattr(session, function)(*order, **options)) for session in (pg, here))
            assert_same_rows(found, expected)
        asked = {"secrets": "all", "attack": "distance", "named_by": "distance"}
        told = [
            [(row["variant"], row["statistic"], row["value"]) for row in session.evaluate(*tables, **asked)
             if row["section"] == "attribute_inference"]
            for session in (pg, here)
        ]  # fmt: skip
    assert len(told[0]) == 30
    assert told[0] == told[1]
