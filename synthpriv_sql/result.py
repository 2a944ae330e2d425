"""What a call gives back: rows, computed once, in whatever form the caller works with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.engine import table_name

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

_SHOWN = 20


class Result:
    """The rows of one call.

    Parameters
    ----------
    connection
        Where `to_table` writes.
    name
        The function that was called.
    sql
        The statement that was run.
    table
        Its rows.
    types
        The DuckDB type of each column.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, name: str, sql: str, table: pa.Table, types: list[str]
    ) -> None:
        self._connection = connection
        self._table = table
        self.types = types
        self.name = name
        self.sql = sql

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._table.column_names)

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pa.Table:
        """Return the rows as a `pyarrow.Table`."""
        return self._table

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas data frame."""
        return self._table.to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """Return the rows as a polars data frame.

        Raises
        ------
        ImportError
            polars is not installed (``pip install "synthpriv-sql[polars]"``).
        """
        import polars

        frame = polars.from_arrow(self._table)
        assert isinstance(frame, polars.DataFrame)
        return frame

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rows as tuples of Python values."""
        columns = []
        for column, type_ in zip(self._table.columns, self.types, strict=True):
            values = column.to_pylist()
            # Arrow has no integers of 128 bits: they travel as decimals without a fraction.
            columns.append([None if v is None else int(v) for v in values] if type_ == "HUGEINT" else values)
        return list(zip(*columns, strict=True))

    def to_table(self, name: str, replace: bool = False) -> None:
        """Write the rows into a table of the session's database, whole or not at all.

        Parameters
        ----------
        name
            The table's name, or one with its schema (``schema.table``).
        replace
            Whether an existing table of that name is replaced.

        Raises
        ------
        WriteError
            The table exists already, or the database cannot be written.
        """
        rows = "synthpriv_result"
        columns = [
            exp.alias_(exp.cast(exp.column(c, quoted=True), type_, dialect="duckdb"), c, quoted=True)
            for c, type_ in zip(self.columns, self.types, strict=True)
        ]
        create = exp.Create(
            this=table_name(name), kind="TABLE", replace=replace, expression=exp.select(*columns).from_(rows)
        )
        self._connection.register(rows, self._table)
        try:
            self._connection.execute(create.sql("duckdb"))
        except duckdb.Error as error:
            hint = "" if replace else "; replace=True replaces an existing table"
            raise errors.WriteError(f'the result of {self.name} was not written to "{name}": {error}{hint}') from None
        finally:
            self._connection.unregister(rows)

    def __repr__(self) -> str:
        from synthpriv_sql.display import text

        return text(self, _SHOWN)

    def _repr_html_(self) -> str:
        from synthpriv_sql.display import html

        return html(self, _SHOWN)
