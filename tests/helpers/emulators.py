"""Emulators of warehouses, each a process of an environment of its own: their pins contradict those of this project."""

import contextlib
import os
import subprocess
import time
from pathlib import Path

import pytest
import servers

import synthpriv_sql
from synthpriv_sql import errors

ROOT = Path(__file__).parents[2]
PASSWORD = "p@ss/w:rd"
SECONDS = 90


@contextlib.contextmanager
def running(name, url):
    """Start the emulator NAME by its script; yields a URL of it, which ``url`` makes of its port, once it answers.

    ``make .venv-NAME/server`` makes its environment; the variable NAME_PYTHON names another one.
    """
    python = Path(os.environ.get(f"{name.upper()}_PYTHON", ROOT / f".venv-{name}" / "bin" / "python"))
    if not python.exists():
        pytest.skip(f"there is no {name}: make .venv-{name}/server")
    port = servers._free_port()
    script = Path(__file__).with_name(f"{name}_server.py")
    with subprocess.Popen([python, script, str(port), PASSWORD]) as process:
        try:
            deadline = time.monotonic() + SECONDS
            while True:
                try:
                    synthpriv_sql.connect(url(port), threads=1).close()
                    break
                except errors.EngineError:
                    assert process.poll() is None
                    assert time.monotonic() < deadline
                    time.sleep(0.5)
            yield url(port)
        finally:
            process.terminate()


@contextlib.contextmanager
def filled(name, url, statements, train):
    """The same, after these statements, and with rows in shop.TRAIN and shop.synthetic (a float, b text, c integer)."""
    with running(name, url) as found:
        with synthpriv_sql.connect(found, threads=1) as session:
            for statement in statements.split(";\n"):
                session.engine._connection.execute(statement)
            for table, step in ((train, 7), ("synthetic", 5)):
                rows = ", ".join(str((i * step % 11 / 2, "xyX"[i * step % 3], i % 4)) for i in range(40))
                session.engine._connection.execute(f"INSERT INTO shop.{table} VALUES {rows}")
        yield found
