"""Copies too rare to coincide, and few different records, beside their definitions read literally."""

import numpy as np
import pyarrow as pa
import pytest
from attacks import distinct_expected, rare_copies, rows_in

TRIO = ("synthetic", "train", "holdout")


def people(rows, seed, kinds=9):
    random = np.random.default_rng(seed)
    return {
        "City": random.choice(list("abcdefghi")[:kinds], rows).tolist(),
        'a"b': [None if i % 11 == 3 else int(v) for i, v in enumerate(random.integers(0, kinds, rows))],
        "x": [float(v) for v in random.integers(0, kinds**2, rows)],
        "t": random.choice(["", "u", "v", None], rows).tolist(),
    }


def with_rows(table, of, at, records):
    """The table with some records of another in the place of its own."""
    return {name: [*values[:at], *(of[name][i] for i in records), *values[at + len(records):]]
            for name, values in table.items()}  # fmt: skip


def cases():
    train, holdout = people(50, 1), people(40, 2)
    copied = with_rows(people(45, 3), train, 4, [0, 1, 2, 3, 4, 4, 3])
    yield "copied", copied, train, holdout, None
    yield "no holdout", copied, train, None, None
    yield "rare twins", copied, with_rows(train, train, 20, [5, 6]), holdout, None
    yield "in the holdout", copied, train, with_rows(holdout, train, 7, [0, 1]), None
    yield "few kinds", people(90, 4, 2), people(60, 5, 2), people(30, 6, 2), None
    whose = [i // 2 for i in range(50)], [100 + i // 2 for i in range(40)]
    yield "persons", copied, with_rows(train, train, 1, [0]), holdout, whose


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("synthetic", "train", "holdout", "whose"), [pytest.param(*c[1:], id=c[0]) for c in cases()])
def test_numbers_are_those_of_the_definition(shared, synthetic, train, holdout, whose):
    tables = [pa.table(t) for t in (synthetic, train, holdout) if t]
    options = {"attack": "distance", "named_by": "uniques"}
    if whose:
        owned = [pa.array([10**6] * len(synthetic["x"])), *map(pa.array, whose)]
        tables = [table.append_column("who", who) for table, who in zip(tables, owned, strict=True)]
        options["unit"] = "who"
    rows = shared.evaluate(*tables, **options).to_arrow().to_pylist()
    found = {(row["section"], row["variant"], row["statistic"]): row["value"] for row in rows}
    copies, p_value = rare_copies(synthetic, train, holdout, whose and [*whose[0], *whose[1]])
    assert found["copies", None, "rare"] == copies
    assert found["copies", None, "rare_p_value"] == pytest.approx(p_value, rel=1e-9)
    expected, different = distinct_expected(synthetic, train), len({*rows_in(synthetic)})
    assert found["tables", "train", "distinct"] == len({*rows_in(train)})
    assert found["tables", "synthetic", "distinct"] == different
    assert found["tables", "synthetic", "distinct_expected"] == pytest.approx(expected, rel=1e-9)
    assert found["tables", "synthetic", "distinct_share"] == pytest.approx(different / expected, rel=1e-9)
