"""Sixty damaged Parquet files: each is read or refused, and the process lives on."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
from writers import read_each

FILES = 60


def test_each_is_read_or_refused(processes, tmp_path):
    chance = random.Random(0)
    rows = pa.table(
        {"a": range(500), "b": [f"word {i % 7}" for i in range(500)], "c": [[i, i / 2] for i in range(500)]}
    )
    pq.write_table(rows, tmp_path / "whole.parquet", row_group_size=100)
    whole, paths = (tmp_path / "whole.parquet").read_bytes(), []
    for number in range(FILES):
        at, damaged = chance.randrange(len(whole)), bytearray(whole)
        if number % 3 == 0:
            damaged = damaged[:at]
        elif number % 3 == 1:
            damaged[at : at + 8] = chance.randbytes(8)
        else:  # in what describes the rows
            at = len(whole) - chance.randrange(8, 1_200)
            damaged[at] ^= 1 << chance.randrange(8)
        paths.append(str(tmp_path / f"{number}.parquet"))
        (tmp_path / f"{number}.parquet").write_bytes(damaged)
    told = processes.Queue()
    process = processes.Process(target=read_each, args=(paths, told))
    process.start()
    found = dict(iter(lambda: told.get(timeout=60), None))
    process.join(60)
    assert process.exitcode == 0
    assert len(found) == FILES
    assert {path: end for path, end in found.items() if end.startswith("raw")} == {}
    assert len(set(found.values())) > 1
