"""PyMySQL, the driver for MySQL and MariaDB, and the URL of a server, whose password is never shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from synthpriv_sql import errors
from synthpriv_sql.engines.remote import rows
from synthpriv_sql.engines.remote.driver import Address, Reader, Said, split_url
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.unsaid import without_values

_STOPPED = 1317
_OUT_OF_RANGE = 1690
_LOST = frozenset({0, 1053, 1927, 2006, 2013, 2055, 4031})
_REFUSED = frozenset({1044, 1045, 1049, 1698})
# Errors about names, privileges and the text of a statement, not about values.
_ABOUT_NAMES = frozenset(
    {1044, 1045, 1046, 1049, 1050, 1051, 1052, 1054, 1060, 1064, 1109, 1142, 1143, 1146, 1205, 1213, 1227, 1305, 1356}
    | {1370, 1698, 1792, 1969, 3024, _STOPPED, *_LOST}
)
_OPTIONS = (
    "unix_socket",
    "connect_timeout",
    "read_default_file",
    "read_default_group",
    "ssl_ca",
    "ssl_cert",
    "ssl_key",
)


class MySQLDriver:
    """The driver, for a server.

    Raises
    ------
    OptionError
        The driver is not installed (``pip install "synthpriv-sql[mysql]"``).
    """

    begin = catalog.statement("mysql_begin")
    begin_writing = catalog.statement("mysql_begin_writing")
    settings: Sequence[str] = ()

    def __init__(self, address: Address) -> None:
        try:
            import pymysql
            from pymysql.cursors import SSCursor
        except ModuleNotFoundError as missing:
            raise errors.OptionError(
                f'MySQL and MariaDB need {missing.name}, which is not installed: pip install "synthpriv-sql[mysql]"'
            ) from None
        self._pymysql = pymysql
        self._in_chunks = SSCursor
        self.address = address
        self.errors: tuple[type[Exception], ...] = (pymysql.err.Error,)
        self.mariadb = True

    def connect(self) -> Any:
        """Open a connection with the settings of this package."""
        opened = self._connect()
        try:
            (row,) = rows.ask(opened.cursor(), catalog.statement("mysql_version"), None)
            self.mariadb = "mariadb" in row["version"].lower()
            settings = "mariadb_settings" if self.mariadb else "mysql_settings"
            rows.ask(opened.cursor(), catalog.statement(settings), None)
        except BaseException:
            opened.close()
            raise
        return opened

    def _connect(self) -> Any:
        return self._pymysql.connect(
            charset="utf8mb4", autocommit=True, program_name="synthpriv_sql", **(self.address.options or {})
        )

    def ask(self, opened: Any, sql: str, parameters: Sequence[Any] | None) -> list[dict[str, Any]]:
        """Return the few rows of a statement as dicts."""
        try:
            return rows.ask(opened.cursor(), sql, parameters)
        except self._pymysql.err.Error as error:
            raise self._explained(opened, error) from None

    def start(self, opened: Any, sql: str, types: Sequence[str]) -> Reader:
        """Start a query whose rows stay in the server until they are fetched."""
        try:
            reader = rows.start(opened.cursor(self._in_chunks), sql, types)
        except self._pymysql.err.Error as error:
            raise self._explained(opened, error) from None

        def following() -> pa.RecordBatch | None:
            try:
                return reader.following()
            except self._pymysql.err.Error as error:
                raise self._explained(opened, error) from None

        return Reader(following, reader.close)

    def _explained(self, opened: Any, error: Exception) -> Exception:
        """The message of a check of this package, which the server has kept."""
        if error.args[:1] != (_OUT_OF_RANGE,):
            return error
        (row,) = rows.ask(opened.cursor(), catalog.statement("mysql_failed"), None)
        return self._pymysql.err.DataError(_OUT_OF_RANGE, f": {row['message']}") if row["message"] else error

    def plain(self, column: pa.Array) -> pa.Array:
        """The column itself."""
        return column

    def cancel(self, opened: Any) -> None:
        """Stop the statement, over another connection."""
        other = self._connect()
        try:
            _kill(other, opened.thread_id())
        finally:
            other.close()

    def said(self, error: Exception) -> Said:
        """Explain an error by its number."""
        number, message = _parts(error)
        return Said(
            message,
            without_values(message, about_names=number in _ABOUT_NAMES),
            str(number),
            stopped=number == _STOPPED,
            lost=number in _LOST,
            final=number in _REFUSED,
            transient=number in {1205, 1213},
        )


def _kill(opened: Any, thread: int) -> None:
    with opened.cursor() as cursor:
        cursor.execute(catalog.statement("mysql_stop"), [thread])


def _parts(error: Exception) -> tuple[int, str]:
    number, *more = error.args or (0,)
    if not isinstance(number, int):
        return -1, str(error)
    return number, str(more[0]) if more and more[0] else "the connection is closed"


def read(url: str) -> Address:
    """Read a URL: ``mysql://user:password@host:port/database?name=value``, or ``mariadb://…``.

    Options are ``unix_socket``, ``connect_timeout``, ``read_default_file`` (such as ~/.my.cnf), ``ssl_ca`` and others
    of PyMySQL. Without a password in the URL, that of MYSQL_PWD is used.

    Raises
    ------
    OptionError
        The URL is invalid; the message does not repeat it.
    """
    parts = split_url(url, "MYSQL_PWD", _unreadable)
    given = parts.given
    unknown = [name for name in given if name not in _OPTIONS]
    if unknown:
        raise _unreadable(f"it has an unknown option; there are: {', '.join(_OPTIONS)}")
    options: dict[str, Any] = {**given}
    if "connect_timeout" in given:
        if not given["connect_timeout"].isdecimal():
            raise _unreadable("connect_timeout is no number of seconds")
        options["connect_timeout"] = int(given["connect_timeout"])
    named = {name: getattr(parts, name) for name in ("host", "port", "user", "password", "database")}
    options |= {name: value for name, value in named.items() if value}
    where = parts.host + (f":{parts.port}" if parts.port else "")
    return Address(
        "", f"{parts.scheme}://{where}/{parts.database}", (parts.password,) if parts.password else (), options
    )


def _unreadable(problem: str) -> errors.OptionError:
    return errors.OptionError(
        f"the URL of the MySQL or MariaDB database cannot be read: {problem}. It is mysql://user@host:port/database; "
        "in a password the characters : / @ ? # % are percent-encoded, or it is given in MYSQL_PWD"
    )
