"""A search for agreement in shards and cells, without anything that carries them: the same as one of the whole."""

import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.kernels.agreement import index
from synthpriv_sql.udf import agreement_cells as cells
from synthpriv_sql.udf import shards
from synthpriv_sql.udf.encoded import nearness, pages
from synthpriv_sql.udf.encoded.population import Population, values_of

KINDS = ["number", "text", "number"]
FACTS = {"roles": ["numeric", "categorical", "temporal"], "weights": [1, 2, 0.5], "near": 0.05, "texts": [False] * 3}
ROWS = {"synthetic": 300, "train": 150, "holdout": 110}


def table(rows, seed):
    """Few values, so that there are ties and equal records, and some missing."""
    draw = np.random.default_rng(seed)
    numbers = np.where(draw.random(rows) < 0.1, np.nan, draw.integers(0, 12, rows))
    texts = [None if draw.random() < 0.1 else f"{'ab'[seed % 2]}{draw.integers(9)}" for _ in range(rows)]
    return [pa.array(numbers), pa.array(texts, pa.string()), pa.array(draw.normal(size=rows).round(1))]


def note(i, draw):
    """A text with a typo, often of a person with a number below 60."""
    text = f"patient number {'abcdefghij'[i % 10]}{'klmnopqrst'[i // 10 % 10]} {'came back' * (i % 3)}"
    place = draw.integers(len(text))
    return text[:place] + text[place + 1 :]


def written(columns, shard_rows):
    whole = pa.table([pa.array(np.arange(len(columns[0]))), *columns], names=["record", "a", "b", "c"])
    return list(shards.Paging(shard_rows, page_rows=37, page_bytes=900)(whole.to_batches(max_chunksize=50)))


@pytest.fixture(scope="module")
def tables():
    return {side: table(rows, seed) for seed, (side, rows) in enumerate(ROWS.items())}


@pytest.mark.parametrize("shard_rows", [70, 300])
@pytest.mark.parametrize("texts", [False, True])
def test_cells_give_what_the_whole_gives(tables, shard_rows, texts):
    if texts:
        draw = np.random.default_rng(7)
        tables = {side: [c[0], pa.array([note(i, draw) for i in range(len(c[0]))]), c[2]] for side, c in tables.items()}
    paged = {side: written(columns, shard_rows) for side, columns in tables.items()}
    real = [*paged["train"], *paged["holdout"]]
    parts = [real[i::3] for i in range(3)]
    rows = [
        row for part in parts for batch in cells.Counting(KINDS)(iter(part)) for row in batch["counted"].to_pylist()
    ]
    values = cells.counted(rows)
    count = sum(len(tables[side][0]) for side in cells.SIDES.values())
    best = {}
    for shard in range(-(-ROWS["synthetic"] // shard_rows)):
        sent = [(cells.SYNTHETIC, p) for p in paged["synthetic"] if p["first"][0].as_py() // shard_rows == shard]
        sent += [(number, p) for number, side in cells.SIDES.items() for p in paged[side]]
        batches = [
            pa.record_batch([pa.array([side]), page["page"]], names=["side", "page"]) for side, page in sent
        ]  # fmt: skip
        cell = cells.Cell(f"{shard_rows} {texts}", FACTS, values, count, lambda: 1)
        for row in pa.Table.from_batches(cell(iter(batches)), cells.AGREED).to_pylist():
            place = row["side"], row["record"]
            if place not in best or (row["score"], -row["synthetic"]) > (
                best[place]["score"],
                -best[place]["synthetic"],
            ):
                best[place] = row

    encoded = {
        side: pages.read([page for batch in written(columns, 10_000) for page in batch["page"]], KINDS)
        for side, columns in tables.items()
    }
    both = [encoded["train"], encoded["holdout"]]
    known = values_of(both)
    population = Population(FACTS["roles"], FACTS["weights"], known, count, FACTS["near"])
    queries = np.concatenate([population.codes(side) for side in both])
    synthetic = population.codes(encoded["synthetic"])
    found = index.search(queries, synthetic, population.shares)
    own = index.own(queries, population.shares)
    near, columns = None, nearness.texts_of(FACTS, known)
    assert columns == ([1] if texts else [])
    if texts:
        near = nearness.nearby(columns, FACTS["weights"], known, count, encoded["synthetic"])
        index.offer_near(queries, synthetic, population.shares, near, found)
    bits = index.agreeing(queries, synthetic, found.records, population.shares, nearby=near)
    places = [(side, i) for side in cells.SIDES.values() for i in range(ROWS[side])]
    assert best.keys() == set(places)
    for i, place in enumerate(places):
        row = best[place]
        assert [row["score"], row["synthetic"], row["own_bits"]] == [found.bits[i], found.records[i], own[i]]
        assert row["bits"] == bits[i].tolist()
