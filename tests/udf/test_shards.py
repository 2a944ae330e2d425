"""A search in shards and cells, without anything that carries them: the same as one search of the whole."""

import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.kernels.knn import index
from synthpriv_sql.udf import shards
from synthpriv_sql.udf.encoded import arrange, pages

ROWS, ASKED, K = 500, 300, 4
SPREADS = [2.0, 0.0]


def facts(exclude_self):
    return {
        "metric": "euclidean",
        "columns": ["number", "text", "constant in train"],
        "roles": ["numeric", "categorical", "numeric"],
        "weights": [1, 2, 1.5],
        "category_mismatch": 1.3,
        "vectors": "euclidean",
        "queries": "q",
        "reference": "r",
        "exclude_self": exclude_self,
        "ties": False,
        "k": K,
    }


def table(rows, words, seed):
    """Few values, so that there are ties and equal records, and some missing."""
    draw = np.random.default_rng(seed)
    numbers = np.where(draw.random(rows) < 0.1, np.nan, draw.integers(0, 5, rows))
    texts = [None if draw.random() < 0.1 else words[draw.integers(len(words))] for _ in range(rows)]
    return [pa.array(numbers), pa.array(texts, pa.string()), pa.array(draw.choice([3.0, 4.0], rows))]


def batches(columns, size, records=None):
    records = np.arange(len(columns[0])) if records is None else records
    whole = pa.table([pa.array(records), *columns], names=["record", "a", "b", "c"])
    return whole.to_batches(max_chunksize=size)


def written(columns, shard_rows, size=50):
    return list(shards.Paging(shard_rows, page_rows=37, page_bytes=700)(batches(columns, size)))


def placed(columns, page_rows):
    """Pages of two partitions whose records have places, with the numbers that they get when all are counted."""
    half = len(columns[0]) // 2
    found = []
    for part, (start, stop) in enumerate([(0, half), (half, len(columns[0]))]):
        records = (part << 33) + np.arange(stop - start)
        cut = [column.slice(start, stop - start) for column in columns]
        for page in shards.Paging(1 << 62, page_rows)(iter(batches(cut, 50, records))):
            first = page["first"][0].as_py() - (part << 33) + start
            found.append(pa.record_batch([[first], page["page"]], names=["first", "page"]))
    return found


def in_cells(reference, queries, asked, shard_rows, shares, exclude_self):
    """The search as an engine spreads it: each shard with each share of the queries."""
    count = -(-ROWS // shard_rows)
    merging = shards.Merging(K, exclude_self)
    found = []
    for shard in range(count):
        for share in range(shares):
            rows = [(shards.REFERENCE, p) for p in reference if p["first"][0].as_py() // shard_rows == shard]
            rows += [(shards.QUERIES, p) for p in queries if p["first"][0].as_py() * shares // asked == share]
            firsts = pa.array([p["first"][0].as_py() for _, p in rows])
            columns = [pa.array([side for side, _ in rows]), firsts, pa.concat_arrays([p["page"] for _, p in rows])]
            sent = pa.record_batch(columns, names=["side", "first", "page"])
            cell = shards.Cell(
                f"{shard_rows} {exclude_self}",
                facts(exclude_self),
                SPREADS,
                merging,
                alone=count == 1,
                threads=lambda: 1,
                chunk_rows=60,
                piece_bytes=16 * K * 20,
            )
            found += cell(sent.slice(at, 3) for at in range(0, len(rows), 3))
    if count > 1:
        ordered = pa.Table.from_batches(found, schema=shards.FOUND).sort_by("first")
        found = list(merging(iter(ordered.to_batches(max_chunksize=2))))
    return pa.Table.from_batches(found, schema=shards.NEIGHBORS).sort_by(
        [("record", "ascending"), ("rank", "ascending")]
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("exclude_self", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("shard_rows", "write"), [(ROWS, written), (170, written), (3, written), (3, placed), (170, placed)]
)
def test_shards_give_what_the_whole_gives(shard_rows, write, exclude_self):
    reference = table(ROWS, "abcdefg", seed=1)
    queries = reference if exclude_self else table(ASKED, "abcdefghij", seed=2)
    asked = len(queries[0])
    arrangement = arrange.Arrangement(facts(exclude_self), SPREADS)
    kinds = arrange.kinds(facts(exclude_self)["roles"])
    whole = [pages.read(pages.write(pa.array(np.arange(len(t[0]))), *t)[:1], kinds) for t in (reference, queries)]
    columns = arrangement.reference(whole[0])
    wanted = index.search(arrangement.queries(whole[1]), columns, arrangement.distance, K, exclude_self=exclude_self)

    reference_pages = write(reference, shard_rows)
    query_pages = reference_pages if exclude_self else write(queries, shard_rows)
    found = in_cells(reference_pages, query_pages, asked, shard_rows, 3, exclude_self)

    assert found["record"].to_pylist() == np.repeat(np.arange(asked), K).tolist()
    assert found["rank"].to_pylist() == [1, 2, 3, 4] * asked
    assert found["neighbor"].to_pylist() == wanted[0].reshape(-1).tolist()
    assert found["distance"].to_pylist() == wanted[1].reshape(-1).tolist()


@pytest.mark.parametrize("order", [np.r_[40:100, 0:40], np.r_[97:100, 30:97, 0:30], np.arange(100)[::-1]])
def test_a_chunk_of_records_that_do_not_follow_each_other_is_several_pages(order):
    columns = table(100, "abc", seed=4)
    kinds = arrange.kinds(facts(False)["roles"])
    whole = pages.read(pages.write(pa.array(np.arange(100)), *columns)[:1], kinds)
    written = pages.write(pa.array(order), *(column.take(pa.array(order)) for column in columns))
    assert len(written) == 100
    found = pages.read(written.drop_null(), kinds)
    assert found.rows == 100
    for one, other in zip(found.columns, whole.columns, strict=True):
        assert values(one) == values(other)


def values(column):
    if not isinstance(column, pages.Texts):
        return column.astype(str).tolist()
    codes, words = pages.codes(column)
    return [None if code < 0 else words[int(code)].as_py() for code in codes]


def test_pages_cross_no_shard_and_hold_what_follows_each_other():
    columns = table(100, "abc", seed=3)
    records = np.r_[200:260, 40:80]
    written_pages = list(shards.Paging(25, page_rows=20, page_bytes=10_000)(iter(batches(columns, 33, records))))
    spans = [(p["first"][0].as_py(), p["rows"][0].as_py()) for p in written_pages]
    assert spans == [pages.span(p["page"][0]) for p in written_pages]
    assert sum(rows for _, rows in spans) == 100
    assert all(first // 25 == (first + rows - 1) // 25 and rows <= 20 for first, rows in spans)
    assert sorted(r for first, rows in spans for r in range(first, first + rows)) == sorted(records)


def test_pages_count_infinite_values():
    columns = [pa.array([1.0, np.inf, None, -np.inf]), pa.array(["inf"] * 4), pa.array([0.0] * 4)]
    (page,) = shards.Paging(10)(iter(batches(columns, 4)))
    assert page["infinite"].to_pylist() == [[2, 0, 0]]
