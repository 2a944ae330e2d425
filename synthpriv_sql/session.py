"""Session: a DuckDB connection on which the functions are registered, with a method for each of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

import duckdb

from synthpriv_sql import catalog, errors, registration
from synthpriv_sql.engine import DuckDB
from synthpriv_sql.planning import Plan, plan
from synthpriv_sql.result import Result

Progress = Callable[[int, int, str], None]


class DistanceOptions(TypedDict, total=False):
    """Options of every function that takes distances; sql/options.toml says what each means."""

    metric: str
    scaling: str | None
    columns: Sequence[str] | None
    exclude: Sequence[str] | None
    numeric: Sequence[str] | None
    categorical: Sequence[str] | None
    weights: Mapping[str, float] | None
    category_mismatch: float
    key: str | None
    progress: Progress | bool | None


def connect(database: str = ":memory:", read_only: bool = False, **config: Any) -> Session:
    """Open a DuckDB database with the functions registered.

    Parameters
    ----------
    database
        A path, or ``":memory:"``.
    read_only
        Whether the database is opened for reading only.
    **config
        DuckDB settings, such as ``threads=2`` or ``memory_limit="2GB"``.

    Returns
    -------
    Session
        A context manager that closes the connection.
    """
    connection = duckdb.connect(database, read_only=read_only, config=config)
    try:
        return register(connection)
    except BaseException:
        connection.close()
        raise


def register(connection: duckdb.DuckDBPyConnection) -> Session:
    """Make the functions available on a connection that the user has: in its SQL, and as methods of a Session."""
    return Session(connection)


class Session:
    """The functions on one connection.

    A table argument is a name, a file, a query in parentheses, a DuckDB relation, a pandas or polars frame, or any
    object with ``__arrow_c_stream__``. Every method returns a `Result` and raises the kinds of `SynthprivError`; what
    columns a result has stands in the header of the function's file in sql/.

    Parameters
    ----------
    connection
        Stays the caller's; only `close` closes it.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self._registration = registration.register(connection)
        self._lock = RLock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def call(self, function: str, /, *, progress: Progress | bool | None = None, **given: Any) -> Result:
        """Call a function of the catalog by its name.

        Parameters
        ----------
        function
            As in ``FROM synthpriv.NAME(…)``.
        progress
            A callable ``(done, total, label)``, or True for a bar.
        **given
            The function's arguments by name.
        """
        with self._lock, self._planned(function, given) as planned, self._progress(progress):
            try:
                table, types = DuckDB(self.connection).run(planned.sql)
            except duckdb.Error as error:
                raise errors.from_database(error) from None
            return Result(self.connection, function, planned.sql, table, types)

    def sql(self, function: str, /, **given: Any) -> str:
        """Return the SQL that a call would run, without running it."""
        with self._planned(function, given) as planned:
            return planned.sql

    @contextmanager
    def _planned(self, function: str, given: Mapping[str, Any]) -> Iterator[Plan]:
        """Plan a call with the Python objects among its tables in view."""
        called = catalog.function(function)
        named = dict(given)
        registered: list[str] = []
        try:
            for parameter in called.relations:
                value = named.get(parameter.name)
                if isinstance(value, os.PathLike):
                    named[parameter.name] = value = os.fspath(value)
                if value is not None and not isinstance(value, str):
                    name = f"given_as_{parameter.name}"
                    self._register_object(name, parameter.name, value)
                    registered.append(name)
                    named[parameter.name] = name
            yield plan(DuckDB(self.connection), called, named)
        finally:
            for name in registered:
                self.connection.unregister(name)

    def _register_object(self, name: str, parameter: str, value: Any) -> None:
        problem = ""
        try:
            self.connection.register(name, value)
        except Exception as error:
            problem = str(error).partition("\n")[0]
        if problem:
            raise errors.UnknownTable(
                f"what is given as {parameter} is a {type(value).__name__}, which DuckDB cannot read as a table "
                f"({problem}); give a name, a file, a query in parentheses, a DuckDB relation, a data frame, or an "
                "object with __arrow_c_stream__"
            )

    @contextmanager
    def _progress(self, progress: Progress | bool | None) -> Iterator[None]:
        from synthpriv_sql.display import bar

        with bar() if progress is True else _given(progress or None) as report:
            self._registration.progress = report
            try:
                yield
            finally:
                self._registration.progress = None

    # --- distances

    def scaling(self, train: Any, **options: Unpack[DistanceOptions]) -> Result:
        """Return statistics of every compared column of the train table."""
        return self.call("scaling", train=train, **options)

    def neighbors(
        self,
        queries: Any,
        reference: Any,
        k: int = 1,
        exclude_self: bool = False,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return the k nearest records of the reference for every query record, exact."""
        return self.call(
            "neighbors", queries=queries, reference=reference, k=k, exclude_self=exclude_self, **options
        )

    def dcr(self, synthetic: Any, train: Any, **options: Unpack[DistanceOptions]) -> Result:
        """Return the distance of every synthetic record to its closest train record."""
        return self.call("dcr", synthetic=synthetic, train=train, **options)

    def nndr(
        self,
        synthetic: Any,
        train: Any,
        variant: str = "second",
        k: int = 5,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return the nearest neighbor distance ratio of every synthetic record.

        ``variant`` is ``second``, ``within_synthetic``, ``local`` or ``global``; the last two average over ``k``.
        """
        return self.call("nndr", synthetic=synthetic, train=train, variant=variant, k=k, **options)

    # --- comparison

    def dcr_summary(
        self, synthetic: Any, train: Any, holdout: Any = None, **options: Unpack[DistanceOptions]
    ) -> Result:
        """Return the distribution of DCR of synthetic to train, holdout to train, and train within itself."""
        return self.call("dcr_summary", synthetic=synthetic, train=train, holdout=holdout, **options)

    def nndr_summary(
        self,
        synthetic: Any,
        train: Any,
        holdout: Any = None,
        variant: str = "second",
        k: int = 5,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return the distribution of NNDR of synthetic to train, holdout to train, and train within itself."""
        return self.call(
            "nndr_summary", synthetic=synthetic, train=train, holdout=holdout, variant=variant, k=k, **options
        )

    def comparison(
        self,
        synthetic: Any,
        train: Any,
        holdout: Any = None,
        statistic: str = "median",
        k: int = 5,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Compare DCR and NNDR of synthetic with those of the holdout, or of train within itself without one."""
        return self.call(
            "comparison", synthetic=synthetic, train=train, holdout=holdout, statistic=statistic, k=k, **options
        )

    def holdout_share(
        self, synthetic: Any, train: Any, holdout: Any, **options: Unpack[DistanceOptions]
    ) -> Result:
        """Return the share of synthetic records that are closer to train than to the holdout, with its interval."""
        return self.call("holdout_share", synthetic=synthetic, train=train, holdout=holdout, **options)

    # --- screening

    def copies(self, synthetic: Any, train: Any, **options: Unpack[DistanceOptions]) -> Result:
        """Return how many train records equal each synthetic record, on the raw values."""
        return self.call("copies", synthetic=synthetic, train=train, **options)


@contextmanager
def _given(progress: Progress | None) -> Iterator[Progress | None]:
    yield progress
