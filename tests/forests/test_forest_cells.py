"""A baseline in cells, without anything that carries them: the same as one of the whole."""

import numpy as np
import pyarrow as pa
import pytest

from synthpriv_sql.forests import cells as forest_cells
from synthpriv_sql.forests import forest
from synthpriv_sql.forests import udf as forest_udf
from synthpriv_sql.udf.encoded import pages

ROWS = 90
OPTIONS = {
    "columns": ["a", "b", "c"],
    "roles": ["numeric", "categorical", "numeric"],
    "relation": "train",
    "seed": 5,
    "out_of_bag": False,
    "noise": "none",
    "trees": 4,
    "sample": 40,
    "threads": 1,
}


def table():
    draw = np.random.default_rng(1)
    numbers = np.where(draw.random(ROWS) < 0.1, np.nan, draw.integers(0, 9, ROWS))
    texts = [None if draw.random() < 0.1 else "xyz"[draw.integers(3)] for _ in range(ROWS)]
    return [pa.array(numbers), pa.array(texts, pa.string()), pa.array(draw.random(ROWS))]


def in_cells(columns, originals, options, cells, piece_rows):
    """The baseline as an engine spreads it: to each cell the whole table, and the original values of its columns."""
    records = pa.array(np.arange(ROWS))
    rows = pa.table([records, *originals], names=["record", *options["columns"]])
    cut = list(forest_cells.Cutting(cells)(iter(rows.to_batches(max_chunksize=40))))
    whole = list(pages.write(records, *columns)[:1])
    predicted = []
    for cell in range(cells):
        sent = [(forest_cells.PAGES, page) for page in whole]
        sent += [
            (forest_cells.ORIGINALS, b["page"][i]) for b in cut for i in range(cells) if b["cell"][i].as_py() == cell
        ]
        sides, packed = zip(*sent, strict=True)
        batch = pa.record_batch(
            [pa.array([cell] * len(sent)), pa.array(sides), pa.array([p.as_py() for p in packed], pa.binary())],
            names=["cell", "side", "page"],
        )
        growing = forest_cells.Growing(options, cells, lambda: 1, piece_rows)
        predicted += growing(batch.slice(at, 2) for at in range(0, len(sent), 2))
    ordered = pa.Table.from_batches(predicted).sort_by([("first", "ascending"), ("column", "ascending")])
    gathered = forest_cells.Gathering(options["columns"])(iter(ordered.to_batches(max_chunksize=2)))
    return pa.Table.from_batches(gathered), ordered


@pytest.mark.parametrize("noise", ["none", "donor"])
@pytest.mark.parametrize("cells", [1, 2, 3])
def test_cells_give_what_the_whole_gives(cells, noise):
    columns, options = table(), OPTIONS | {"noise": noise}
    originals = [pa.array(np.arange(ROWS)), columns[1], pa.array([f"value {i}" for i in range(ROWS)])]
    found, _ = in_cells(columns, originals, options, cells, piece_rows=25)
    written = pages.write(pa.array(np.arange(ROWS)), *columns)[:1]
    wanted = forest_udf.predict(pa.array([written.to_pylist()]), pa.array([options]))[0].values

    assert found["record"].to_pylist() == list(range(ROWS))
    for name in ("draws", "numbers"):
        assert found[name].to_pylist() == wanted.field(name).to_pylist()
    donors = wanted.field("donors").to_pylist()
    for position, (name, values) in enumerate(zip(options["columns"], originals, strict=True)):
        of = [None if donor[position] is None else values[donor[position]].as_py() for donor in donors]
        assert found[name].to_pylist() == of
    assert any(donor[0] is not None for donor in donors) == (noise == "donor")


def test_cells_say_which_columns_no_forest_predicts():
    columns = table()
    columns[1] = pa.array([f"name {i}" for i in range(ROWS)])
    assert forest.is_identifier(
        pages.codes(
            pages.read(pages.write(pa.array(np.arange(ROWS)), *columns)[:1], ["number", "text", "number"]).columns[1]
        )[0]
    )
    _, predicted = in_cells(columns, columns, OPTIONS, 2, piece_rows=50)
    found = {row["column"]: row["identifier"] for row in predicted.select(["column", "identifier"]).to_pylist()}
    assert found == {0: False, 1: True, 2: False}


def test_a_column_that_is_missing_is_an_error():
    columns = table()
    _, predicted = in_cells(columns, columns, OPTIONS, 3, piece_rows=ROWS)
    with pytest.raises(RuntimeError, match="2 of 3 columns"):
        list(forest_cells.Gathering(OPTIONS["columns"])(iter(predicted.slice(0, 2).to_batches())))
