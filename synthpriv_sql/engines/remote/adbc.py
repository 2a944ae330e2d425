"""Drivers of ADBC, whose rows are Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pyarrow as pa

from synthpriv_sql import errors
from synthpriv_sql.engines.remote.driver import Address, Reader


class Adbc:
    """What the drivers share.

    Parameters
    ----------
    address
        Where the database is.

    Raises
    ------
    OptionError
        The driver is not installed.
    """

    module: str
    database: str
    """The database by its name."""
    extra: str
    """The extra of this package that installs the driver."""
    settings: Sequence[str] = ()

    def __init__(self, address: Address) -> None:
        self._dbapi = driver(f"{self.module}.dbapi", self.database, self.extra)
        self.address = address
        self.errors: tuple[type[Exception], ...] = (self._dbapi.Error,)

    def ask(self, opened: Any, sql: str, parameters: Sequence[Any] | None) -> list[dict[str, Any]]:
        """Return the few rows of a statement as dicts."""
        with opened.cursor() as cursor:
            cursor.execute(sql, parameters)
            return [] if cursor.description is None else cursor.fetch_arrow_table().to_pylist()

    def start(self, opened: Any, sql: str, types: Sequence[str]) -> Reader:
        """Start a query; the driver knows the types of its rows."""
        cursor = opened.cursor()
        try:
            cursor.execute(sql)
            reader = cursor.fetch_record_batch()
        except BaseException:
            cursor.close()
            raise

        def close() -> None:
            try:
                reader.close()
            finally:
                cursor.close()

        return Reader(lambda: next(reader, None), close)

    def plain(self, column: pa.Array) -> pa.Array:
        """The column itself."""
        return column

    def cancel(self, opened: Any) -> None:
        """Cancel the query on the server."""
        opened.adbc_cancel()


def driver(module: str, database: str, extra: str, package: str = "") -> Any:
    """Import the driver of a database, or raise an `OptionError` that says how it is installed.

    It names the package, by default the first part of the module, or what that lacks.
    """
    package = package or module.partition(".")[0]
    try:
        import_module(package)
        return import_module(module)
    except ModuleNotFoundError as missing:
        lacking = package if package.startswith(f"{missing.name}.") else missing.name
        raise errors.OptionError(
            f'{database} needs {lacking}, which is not installed: pip install "synthpriv-sql[{extra}]"'
        ) from None


def schema(opened: Any, sql: str) -> pa.Schema:
    """Return the columns of a query, without running it."""
    with opened.cursor() as cursor:
        return cursor.adbc_execute_schema(sql)
