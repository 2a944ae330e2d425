"""Processes that are killed while they write, and full disks: what was there stays, or the new is whole."""

import os
import random
import subprocess
import time

import pytest
from repetitions import EVERY_CASE
from writers import WRITERS, is_whole, write_again_and_again, write_without_space

KILLS = 20 if EVERY_CASE else 8
SECONDS = 30


@pytest.mark.parametrize("name", WRITERS)
def test_kills_lose_nothing(processes, tmp_path, name):
    path = tmp_path / name
    WRITERS[name]("first", path)
    assert is_whole(path, "first")
    chance, found = random.Random(name), []
    for _ in range(KILLS):
        begun = processes.Event()
        process = processes.Process(target=write_again_and_again, args=(name, str(tmp_path), begun))
        process.start()
        assert begun.wait(SECONDS)
        time.sleep(chance.uniform(0, 0.15))
        process.kill()
        process.join(SECONDS)
        assert process.exitcode == -9, "it ended by itself"
        found.append("first" if is_whole(path, "first") else "second" if is_whole(path, "second") else "neither")
    assert "neither" not in found


@pytest.mark.parametrize("name", WRITERS)
def test_without_space_the_file_stays(processes, tmp_path, name):
    path = tmp_path / name
    WRITERS[name]("first", path)
    before, told = sorted(os.listdir(tmp_path)), processes.Queue()
    process = processes.Process(target=write_without_space, args=(name, str(tmp_path), 8192, told))
    process.start()
    said = told.get(timeout=SECONDS)
    process.join(SECONDS)
    assert said.startswith("WriteError"), said
    assert is_whole(path, "first")
    ours = {f"expected-first{path.suffix}", f"{name}.wal"}  # what DuckDB has logged of it, and ignores
    assert sorted(set(os.listdir(tmp_path)) - ours) == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
def test_a_full_standard_output_is_a_temporary_failure(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,y\n")
    command = ["synthpriv", "copies", "--synthetic", "t.csv", "--train", "t.csv"]
    import sys

    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "synthpriv_sql", *command[1:]], check=False, stdout=full, stderr=subprocess.PIPE,
            text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )  # fmt: skip
    assert ran.returncode == 4
    assert "no space left on device" in ran.stderr
    assert len(list(tmp_path.glob("copies-kept-*.parquet"))) == 1
