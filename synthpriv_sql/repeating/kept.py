"""Saves the rows of finished runs to a DuckDB file, so that interrupted calls can resume."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import duckdb
import pyarrow as pa

from synthpriv_sql.engines.base import RUN_ID
from synthpriv_sql.engines.duckdb.writing import write_table
from synthpriv_sql.errors import EngineError, OptionError, WriteError, may_go_away, transient
from synthpriv_sql.results.locks import when_free
from synthpriv_sql.results.watching.log import logger
from synthpriv_sql.unsaid import of_duckdb

SEED = "seed"
_FINGERPRINT = "fingerprint"

T = TypeVar("T")


class Kept:
    """The saved rows of runs, by seed.

    Parameters
    ----------
    path
        A DuckDB file; None saves nothing.
    table
        The table in it.
    fingerprint
        A hash of the data, the options and the synthesizer; runs with another one are ignored.
    wait
        How many seconds to wait for a file that another process has locked.
    """

    def __init__(self, path: str | os.PathLike[str] | None, table: str, fingerprint: str, wait: float) -> None:
        self._path = None if path is None else Path(path)
        if self._path is not None and self._path.suffix != ".duckdb":
            raise OptionError(f'runs are saved to a .duckdb file, and "{self._path}" is not one')
        self._table = table
        self._fingerprint = fingerprint
        self._wait = wait

    def read(self) -> dict[int, pa.Table]:
        """Return the rows of the saved runs, by seed.

        Raises
        ------
        WriteError
            The file cannot be read.
        """
        if self._path is None or not self._path.exists():
            return {}

        def rows(connection: duckdb.DuckDBPyConnection) -> pa.Table | None:
            try:
                found = connection.table(self._table)
            except duckdb.CatalogException:
                return None
            own = duckdb.ColumnExpression(_FINGERPRINT) == duckdb.ConstantExpression(self._fingerprint)
            return found.filter(own).to_arrow_table()

        table = self._opened(rows, read_only=True)
        if table is None:
            return {}
        seeds = table[SEED].to_pylist()
        places: dict[int, list[int]] = {}
        for place, seed in enumerate(seeds):
            places.setdefault(seed, []).append(place)
        alone = table.drop_columns([RUN_ID, _FINGERPRINT, SEED])
        return {seed: alone.take(at) for seed, at in places.items()}

    def add(self, seed: int, rows: pa.Table) -> None:
        """Save the rows of a run atomically.

        Raises
        ------
        WriteError
            The file cannot be written.
        """
        if self._path is None:
            return
        run = f"{self._fingerprint}-{seed}"
        count = rows.num_rows
        beside = pa.table(
            {
                RUN_ID: pa.array([run] * count, pa.string()),
                _FINGERPRINT: pa.array([self._fingerprint] * count, pa.string()),
                SEED: pa.array([seed] * count, pa.int64()),
                **{name: rows[name] for name in rows.column_names},
            }
        )

        def write(connection: duckdb.DuckDBPyConnection) -> None:
            types = [str(type_) for type_ in connection.from_arrow(beside).types]
            write_table(connection, beside, types, self._table, "append", run)

        self._opened(write)

    def _opened(self, act: Callable[[duckdb.DuckDBPyConnection], T], read_only: bool = False) -> T:
        try:
            with when_free(
                lambda: duckdb.connect(str(self._path), read_only=read_only), self._wait, logger.info
            ) as connection:
                return act(connection)
        except (duckdb.Error, EngineError) as error:
            failed = WriteError(f'runs cannot be saved to "{self._path}": {of_duckdb(str(error))}')
            raise (transient(failed) if may_go_away(error) else failed) from None
