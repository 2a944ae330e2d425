"""What a call gives back: rows, computed once, in whatever form the caller works with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from synthpriv_sql import errors

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from synthpriv_sql.engines.base import Answer, Engine, Moved

_SHOWN = 20


class Result:
    """The rows of one call.

    Parameters
    ----------
    engine
        Where `to_table` writes.
    name
        The function that was called.
    answer
        What the engine gave: the rows, the DuckDB type of each column, the SQL that was run, and what left the engine.
    """

    def __init__(self, engine: Engine, name: str, answer: Answer) -> None:
        self._engine = engine
        self._answer = answer
        self.name = name

    @property
    def sql(self) -> str:
        """The SQL that was run."""
        return self._answer.sql

    @property
    def types(self) -> list[str]:
        """The DuckDB type of each column."""
        return list(self._answer.types)

    @property
    def moved(self) -> Moved:
        """Rows and bytes that left the engine."""
        return self._answer.moved

    @property
    def _table(self) -> pa.Table:
        return self._answer.fetch()

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._answer.columns

    def first(self, rows: int) -> pa.Table:
        """Return so many first rows as a `pyarrow.Table`; where a result stays in the engine, only they leave it."""
        return self._answer.fetch(rows)

    def __len__(self) -> int:
        return self._answer.rows

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

    def to_spark(self) -> DataFrame:
        """Return the rows as a DataFrame of the Spark session that computed them, where they stay.

        The executors keep them, and what they are computed from, as long as the session.

        Raises
        ------
        OptionError
            The session runs on another engine.
        """
        from synthpriv_sql.engines.spark.engine import Spark

        if not isinstance(self._engine, Spark):
            raise errors.OptionError(
                f"a result of {self._engine.name} is no DataFrame of Spark; to_arrow() gives its rows"
            )
        return self._engine.frame(self._answer)

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
        try:
            self._engine.write(self._answer, name, replace)
        except errors.EngineError as error:
            hint = "" if replace else "; replace=True replaces an existing table"
            raise errors.WriteError(f'the result of {self.name} was not written to "{name}": {error}{hint}') from None

    def __repr__(self) -> str:
        from synthpriv_sql.results.display import text

        return text(self, _SHOWN)

    def _repr_html_(self) -> str:
        from synthpriv_sql.results.display import html

        return html(self, _SHOWN)
