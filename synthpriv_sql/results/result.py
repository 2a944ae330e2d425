"""The result of a call: rows, computed once, which convert to the usual data structures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from synthpriv_sql import errors
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.results.values import python_values

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

    ``result["share"]`` is a column as a list, and iterating yields a dict for each row. A result can be pickled, and
    `read` reads a file written by ``--output``.

    Parameters
    ----------
    engine
        The engine that `to_table` writes to; None for a result that was read or unpickled.
    name
        The function that was called.
    answer
        The engine's answer: the rows, the DuckDB type of each column, the executed SQL, and the data that left the
        engine.
    run
        The metadata of the call; None for a result that was read or unpickled.
    """

    def __init__(self, engine: Engine | None, name: str, answer: Answer, run: Run | None = None) -> None:
        self._engine = engine
        self.run = run
        self._answer = answer
        self.name = name
        self._again: Callable[..., Result] | None = None
        """Makes the same call with other options; only where a picture needs more than the rows."""

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a result from a file.

        Parameters
        ----------
        path
            ``.parquet``, ``.csv``, ``.json``, or ``.duckdb`` with one table. The types of a CSV or JSON file are those
            DuckDB detects.

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
        """The duration of each part of the run in seconds, with ``total`` last; empty if the run is not known.

        ``planning`` happens in this package, and ``binding`` in the database until the first part begins. ``encoding``
        collects rows for the searches, each of which has its own name; ``counts and joins`` is everything else in the
        database.
        """
        return dict(self.run.seconds) if self.run is not None else {}

    @property
    def removed(self) -> dict[str, int]:
        """What ``safe`` with ``until_safe`` took out; otherwise empty.

        ``near`` is how many records equal one of train or are within the limits, ``naming`` how many more carry people
        who can be named or are given away, ``rounds`` how many rounds that took. They leave a hole around people of
        train.
        """
        return dict(self.run.removed) if self.run is not None else {}

    @property
    def _table(self) -> pa.Table:
        return self._answer.fetch()

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._answer.columns

    def first(self, rows: int) -> pa.Table:
        """Return the first rows as a `pyarrow.Table`; if the result stays in the engine, only these rows leave it."""
        return self._answer.fetch(rows)

    def head(self, rows: int) -> Self:
        """Return a result with the first rows only."""
        from synthpriv_sql.engines.base import Answer

        answer = Answer(self.first(rows), self.types, self._answer.statement, self.moved)
        return type(self)(self._engine, self.name, answer, self.run)

    def __len__(self) -> int:
        return self._answer.rows

    def __float__(self) -> float:
        """Return the number of a result that is a single number, such as discernibility, or mda at one threshold.

        Raises
        ------
        TypeError
            The result is not a single number.
        """
        functions = catalog.functions()
        number = functions[self.name].number if self.name in functions else ""
        if not number or number not in self.columns or len(self) != 1:
            rows = "1 row" if len(self) == 1 else f"{len(self)} rows"
            raise TypeError(
                f"the result of {self.name} is {rows} of the columns {', '.join(self.columns)}, not a single number: "
                f'take a column, result["{self.columns[0]}"]'
            )
        value = self[number][0]
        return math.nan if value is None else float(value)

    def __getitem__(self, column: str) -> list[Any]:
        """Return the values of a column.

        Raises
        ------
        UnknownColumn
            The result has no column of that name.
        """
        if column not in self.columns:
            near = get_close_matches(str(column), self.columns, n=1)
            hint = f'; did you mean "{near[0]}"?' if near else f"; it has {', '.join(self.columns)}"
            raise errors.UnknownColumn(f'the result of {self.name} has no column "{column}"{hint}')
        at = self.columns.index(column)
        return python_values(self._table.column(at), self.types[at])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self.fetchall():
            yield dict(zip(self.columns, row, strict=True))

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "table": self._table, "types": self.types, "sql": self.sql, "moved": self.moved}

    def __setstate__(self, state: dict[str, Any]) -> None:
        from synthpriv_sql.engines.base import Answer

        self._engine, self.run, self.name, self._again = None, None, state["name"], None
        self._answer = Answer(state["table"], state["types"], state["sql"], state["moved"])

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pa.Table:
        """Return the rows as a `pyarrow.Table`."""
        return self._table

    def in_words(self) -> Self:
        """Return the same rows for a text format, with intervals, blobs and the like as text that DuckDB can parse."""
        from synthpriv_sql.engines.base import Answer
        from synthpriv_sql.engines.duckdb.writing import with_words, without_words

        if not any(map(without_words, self.types)):
            return self
        answer = Answer(with_words(self._table, self.types), self.types, self._answer.statement, self.moved)
        return type(self)(self._engine, self.name, answer, self.run)

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas data frame; dates that Python lacks are text."""
        try:
            return self._table.to_pandas()
        except (OverflowError, ValueError):
            import pandas as pd

            return pd.DataFrame(dict(zip(self.columns, map(python_values, self._table.columns), strict=True)))

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

        The executors keep them, and the data they depend on, until the session ends.

        Raises
        ------
        OptionError
            The session runs on another engine.
        """
        from synthpriv_sql.engines.spark.engine import Spark

        if not isinstance(self._engine, Spark):
            of = self._engine.name if self._engine else "a file"
            raise errors.OptionError(f"a result of {of} is not a Spark DataFrame; to_arrow() returns its rows")
        return self._engine.frame(self._answer)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rows as tuples of Python values; dates that Python lacks, such as infinite ones, are text."""
        types = self.types or [""] * len(self.columns)
        return list(zip(*map(python_values, self._table.columns, types), strict=True))

    def plot(self) -> Picture:
        """Return a picture of a result of membership or membership_scores (ROC curves), exposure, mda_curve, fidelity
        or `repeat`.

        A notebook shows it, and ``.save("picture.pdf")`` writes it (``.svg`` and ``.png`` too, or its specification as
        ``.json``). For the whole curve, that of membership runs its attacks again; a result that was read or unpickled
        has only the rates that were asked for. This needs the extra ``report``.

        Raises
        ------
        OptionError
            The function has no picture, or the drawing library is not installed.
        """
        from synthpriv_sql.results.pictures import picture

        return picture(self)

    def _at_rates(self, rates: Sequence[float]) -> Result | None:
        """The same result of membership at other false positive rates; None if the call cannot be made again."""
        return self._again(false_positive_rates=rates) if self._again is not None else None

    def to_latex(self, interval: str = "brackets", digits: int = 3, columns: Sequence[str] | None = None) -> str:
        r"""Return the rows as a LaTeX ``tabular``, with the rules of the package booktabs.

        Parameters
        ----------
        interval
            How to show an interval next to its number: ``brackets``, 0.6 [0.5, 0.7], or ``plus_minus``, 0.6 ± 0.1 (the
            wider side).
        digits
            Significant digits of numbers that are not integers.
        columns
            The columns to show, in this order; an interval follows its number. By default all but those of sentences,
            such as ``meaning``.

        Raises
        ------
        OptionError
            An option has an unsupported value, or names a column that the result lacks.
        """
        from synthpriv_sql.results.latex import latex

        return latex(self, interval, digits, columns)

    def to_table(self, name: str, replace: bool = False, append: bool = False) -> None:
        """Write the rows to a table of the session's database atomically.

        Parameters
        ----------
        name
            The table's name, or one with its schema (``schema.table``).
        replace
            Whether to replace an existing table of that name.
        append
            Whether to append the rows to the table of that name, which is created if it does not exist. Before the
            columns of the result it has those of the run: ``run_at``, ``run_function``, and as JSON ``run_versions``,
            ``run_options``, ``run_tables``, ``run_rows``, the number of rows of each table (taken from the result,
            otherwise counted now; null for a table that can no longer be counted), and ``run_seconds``; and ``run_id``.
            A table that already has this run is not changed.

        Raises
        ------
        OptionError
            Both are given.
        WriteError
            The table already exists, or has other columns, or the database cannot be written.
        """
        if replace and append:
            raise errors.OptionError("a table is replaced or appended to, not both")
        if self._engine is None:
            raise errors.WriteError(f'a result that was read or unpickled has no database to write "{name}" to')
        how: How = "replace" if replace else "append" if append else "create"
        try:
            run = self.run.id if append and self.run is not None else None
            written = self.as_written()
            self._engine.write(written.with_run() if append else written._answer, name, how, run)
        except errors.EngineError as error:
            hint = "; replace=True replaces an existing table, append=True adds to one" if how == "create" else ""
            failed = errors.WriteError(f'the result of {self.name} was not written to "{name}": {error}{hint}')
            failed.transient = error.transient
            raise failed from None

    def as_written(self) -> Result:
        """Return the rows that files and tables get."""
        return self

    def with_run(self) -> Answer:
        """Return the rows with the metadata of their run in the first columns, as `to_table` appends them.

        Raises
        ------
        WriteError
            The run is not known, or a user's column has the name of one of these.
        """
        if self.run is None or self._engine is None:
            raise errors.WriteError("a result that was read or unpickled cannot be appended: its run is not known")
        values = self.run.values({self._engine.name: self._engine.version()}, self._rows_of_tables())
        taken = {name.lower() for name in self.columns} & {value.name for value in values}
        if taken:
            raise errors.WriteError(
                f"the result of {self.name} already has a column {min(taken)}, so the columns of its run cannot be "
                "added"
            )
        return self._answer.beside(values)

    def _rows_of_tables(self) -> dict[str, int | None]:
        """The numbers of rows of the tables, as far as the result contains them."""
        if self.name != "evaluate":
            return {}
        return {
            row["variant"]: int(row["value"])
            for row in self
            if row["metric"] == "tables" and row["statistic"] == "rows"
        }

    @property
    def _shown(self) -> int:
        """How many rows to display: all measures, but only some records."""
        function = catalog.functions().get(self.name)
        records = function is None or function.columns_of or "record" in function.columns
        return _RECORDS_SHOWN if records else _MEASURES_SHOWN

    def __repr__(self) -> str:
        from synthpriv_sql.results.display import text

        return text(self.in_words(), self._shown)

    def _repr_html_(self) -> str:
        from synthpriv_sql.results.display import html

        return html(self.in_words(), self._shown)
