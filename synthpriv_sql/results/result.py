"""What a call gives back: rows, computed once, in whatever form the caller works with."""

from __future__ import annotations

import math
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from synthpriv_sql import errors
from synthpriv_sql.planner.headers import catalog

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from synthpriv_sql.engines.base import Answer, Engine, How, Moved
    from synthpriv_sql.results.pictures import Picture
    from synthpriv_sql.results.run import Run

_RECORDS_SHOWN, _MEASURES_SHOWN = 20, 200


class Result:
    """The rows of one call, computed once.

    ``result["share"]`` is a column as a list, and iterating gives a dict for each row. A result can be pickled,
    and `read` reads what ``--output`` has written.

    Parameters
    ----------
    engine
        Where `to_table` writes; None for a result that was read or unpickled.
    name
        The function that was called.
    answer
        What the engine gave: the rows, the DuckDB type of each column, the SQL that was run, and what left the engine.
    run
        The call that it is from; None for a result that was read or unpickled.
    """

    def __init__(self, engine: Engine | None, name: str, answer: Answer, run: Run | None = None) -> None:
        self._engine = engine
        self.run = run
        self._answer = answer
        self.name = name

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Return the result that was written into a file.

        Parameters
        ----------
        path
            ``.parquet``, ``.csv``, ``.json``, or ``.duckdb`` with one table. A CSV or JSON file gives the types that
            DuckDB finds in it.

        Raises
        ------
        OptionError
            The file cannot be read.
        """
        from synthpriv_sql.results.saved import load

        name, answer = load(Path(path))
        return cls(None, name, answer)

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
    def run_seconds(self) -> dict[str, float]:
        """How long each part of the run took, in seconds, with ``total`` last; empty where the run is not known.

        ``planning`` is done here, and ``binding`` by the database until the first part begins. ``encoding`` gathers
        rows for the searches, each of which has its own name; ``counts and joins`` is all else that the database does.
        """
        return dict(self.run.seconds) if self.run is not None else {}

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

    def head(self, rows: int) -> Self:
        """Return a result of so many first rows."""
        from synthpriv_sql.engines.base import Answer

        answer = Answer(self.first(rows), self.types, self.sql, self.moved)
        return type(self)(self._engine, self.name, answer, self.run)

    def __len__(self) -> int:
        return self._answer.rows

    def __float__(self) -> float:
        """Return the one number of a function that has one, such as discernibility, or mda at one threshold.

        Raises
        ------
        TypeError
            The function has none, or there are several rows.
        """
        functions = catalog.functions()
        number = functions[self.name].number if self.name in functions else ""
        if not number or number not in self.columns or len(self) != 1:
            rows = "1 row" if len(self) == 1 else f"{len(self)} rows"
            raise TypeError(
                f"the result of {self.name} is {rows} of the columns {', '.join(self.columns)}, and no one number: "
                f'take a column, result["{self.columns[0]}"]'
            )
        value = self[number][0]
        return math.nan if value is None else float(value)

    def __getitem__(self, column: str) -> list[Any]:
        """Return the values of a column.

        Raises
        ------
        UnknownColumn
            The result has none of that name.
        """
        if column not in self.columns:
            near = get_close_matches(str(column), self.columns, n=1)
            hint = f'; did you mean "{near[0]}"?' if near else f"; it has {', '.join(self.columns)}"
            raise errors.UnknownColumn(f'the result of {self.name} has no column "{column}"{hint}')
        at = self.columns.index(column)
        return _values(self._table.column(at), self.types[at])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self.fetchall():
            yield dict(zip(self.columns, row, strict=True))

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "table": self._table, "types": self.types, "sql": self.sql, "moved": self.moved}

    def __setstate__(self, state: dict[str, Any]) -> None:
        from synthpriv_sql.engines.base import Answer

        self._engine, self.run, self.name = None, None, state["name"]
        self._answer = Answer(state["table"], state["types"], state["sql"], state["moved"])

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pa.Table:
        """Return the rows as a `pyarrow.Table`."""
        return self._table

    def in_words(self) -> Self:
        """Return the same rows for a text format: intervals, blobs and their like as text that DuckDB reads back."""
        from synthpriv_sql.engines.base import Answer
        from synthpriv_sql.engines.duckdb.engine import with_words, without_words

        if not any(map(without_words, self.types)):
            return self
        answer = Answer(with_words(self._table, self.types), self.types, self.sql, self.moved)
        return type(self)(self._engine, self.name, answer, self.run)

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
            of = self._engine.name if self._engine else "a file"
            raise errors.OptionError(f"a result of {of} is no DataFrame of Spark; to_arrow() gives its rows")
        return self._engine.frame(self._answer)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rows as tuples of Python values."""
        return list(zip(*map(_values, self._table.columns, self.types), strict=True))

    def plot(self) -> Picture:
        """Return a picture: of membership the curve of each attack, of exposure, mda_curve and fidelity what they say.

        A notebook shows it, and ``.save("picture.svg")`` writes it (``.png`` too, or its specification as ``.json``).
        It takes the extra ``report``.

        Raises
        ------
        OptionError
            The function has no picture, or what draws it is not installed.
        """
        from synthpriv_sql.results.pictures import picture

        return picture(self)

    def to_latex(self, interval: str = "brackets", digits: int = 3) -> str:
        r"""Return the rows as a ``tabular`` of LaTeX, with the rules of its package booktabs.

        Parameters
        ----------
        interval
            How an interval stands beside its number: ``brackets``, 0.6 [0.5, 0.7], or ``plus_minus``, 0.6 ± 0.1 (the
            wider side).
        digits
            Significant digits of numbers that are not whole.

        Raises
        ------
        OptionError
            An option has another value.
        """
        from synthpriv_sql.results.latex import latex

        return latex(self, interval, digits)

    def to_table(self, name: str, replace: bool = False, append: bool = False) -> None:
        """Write the rows into a table of the session's database, whole or not at all.

        Parameters
        ----------
        name
            The table's name, or one with its schema (``schema.table``).
        replace
            Whether an existing table of that name is replaced.
        append
            Whether the rows are appended to the table of that name, which is made where it is not there. Before the
            columns of the result it has those of the run: ``run_at``, ``run_function``, and as JSON ``run_versions``,
            ``run_options``, ``run_tables``, ``run_rows``, how many rows each table had (as the result says it, else
            counted now; null for a table that can no longer be counted), and ``run_seconds``; and ``run_id``. A table
            that has this run already is left as it is.

        Raises
        ------
        OptionError
            Both are asked for.
        WriteError
            The table exists already, or has other columns, or the database cannot be written.
        """
        if replace and append:
            raise errors.OptionError("a table is replaced or appended to, not both")
        if self._engine is None:
            raise errors.WriteError(f'a result that was read or unpickled has no database to write "{name}" into')
        how: How = "replace" if replace else "append" if append else "create"
        try:
            run = self.run.id if append and self.run is not None else None
            self._engine.write(self.with_run() if append else self._answer, name, how, run)
        except errors.EngineError as error:
            hint = "; replace=True replaces an existing table, append=True adds to one" if how == "create" else ""
            failed = errors.WriteError(f'the result of {self.name} was not written to "{name}": {error}{hint}')
            failed.transient = error.transient
            raise failed from None

    def with_run(self) -> Answer:
        """Return the rows with what is known of their run in columns before them, as `to_table` appends them.

        Raises
        ------
        WriteError
            The run is not known, or a column of the user's has the name of one of these.
        """
        if self.run is None or self._engine is None:
            raise errors.WriteError("a result that was read or unpickled is not appended: its run is not known")
        values = self.run.values({self._engine.name: self._engine.version()}, self._rows_of_tables())
        taken = {name.lower() for name in self.columns} & {value.name for value in values}
        if taken:
            raise errors.WriteError(
                f"the result of {self.name} has a column {min(taken)} of its own, so its run cannot stand beside it"
            )
        return self._answer.beside(values)

    def _rows_of_tables(self) -> dict[str, int | None]:
        """How many rows the tables had, where the result says it."""
        if self.name != "evaluate":
            return {}
        return {
            row["variant"]: int(row["value"])
            for row in self
            if row["metric"] == "tables" and row["statistic"] == "rows"
        }

    @property
    def _shown(self) -> int:
        """How many rows are shown: all measures, but only some records."""
        function = catalog.functions().get(self.name)
        records = function is None or function.columns_of or "record" in function.columns
        return _RECORDS_SHOWN if records else _MEASURES_SHOWN

    def __repr__(self) -> str:
        from synthpriv_sql.results.display import text

        return text(self.in_words(), self._shown)

    def _repr_html_(self) -> str:
        from synthpriv_sql.results.display import html

        return html(self.in_words(), self._shown)


def _values(column: pa.ChunkedArray, type_: str) -> list[Any]:
    """A column as Python values; Arrow has no integers of 128 bits, they travel as decimals without a fraction."""
    values: list[Any] = column.to_pylist()
    return [None if v is None else int(v) for v in values] if type_ == "HUGEINT" else values
