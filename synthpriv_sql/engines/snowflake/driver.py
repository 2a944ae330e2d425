"""Snowflake's ADBC driver, and the URL of an account, whose password and token are never shown."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any

from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.engines.remote.adbc import Adbc
from synthpriv_sql.engines.remote.driver import Address, Said, split_url
from synthpriv_sql.unsaid import without_values

_UTC = exp.Command(this="ALTER SESSION SET", expression="TIMEZONE = 'UTC'").sql("snowflake")
_CLIENT = "adbc.snowflake.sql.client_option."
_PLACES = {"host": "uri.host", "port": "uri.port", "protocol": "uri.protocol", "warehouse": "warehouse", "role": "role"}
_KEY, _AUTHENTICATOR = "private_key_file", "authenticator"
_WAYS = {"externalbrowser": "auth_ext_browser", "oauth": "auth_oauth", "pat": "auth_pat", "snowflake": "auth_snowflake"}
_PASSWORD, _TOKEN, _PASSPHRASE = "SNOWFLAKE_PASSWORD", "SNOWFLAKE_TOKEN", "SNOWFLAKE_PRIVATE_KEY_PASSPHRASE"
_STOPPED = 604
_SESSION_GONE = frozenset({390111, 390112, 390114})
_ABOUT_VALUES = 100_000
"""Codes of errors of values begin here; lower ones are about names, rights and the text of a statement."""
_SAID = re.compile(r"^[A-Z_]+: (?:\[Snowflake\] )?(?:\d+ \(\w+\): )*(.*?)(?:\. Vendor code: .*)?$", re.DOTALL)
# A check of this package that fails; in DuckDB's words where it stands for Snowflake.
_CHECK = re.compile(r"(?:value|onvert string) ['\"](\w+: .*)['\"] (?:is not recognized|to )", re.DOTALL)


class SnowflakeDriver(Adbc):
    """The driver, for an account.

    Statements see what is committed when they begin, each for itself: Snowflake has no snapshot for several. A result
    is written by one.
    """

    module, database, extra = "adbc_driver_snowflake", "Snowflake", "snowflake"
    begin = begin_writing = ""

    def connect(self) -> Any:
        """Open a connection whose times are in UTC."""
        opened = self._dbapi.connect(db_kwargs=dict(self.address.options or {}), autocommit=True)
        try:
            self.ask(opened, _UTC, None)
        except BaseException:
            opened.close()
            raise
        return opened

    def cancel(self, opened: Any) -> None:
        """Cancel what the connection runs, as far as the driver can."""
        with suppress(self._dbapi.NotSupportedError):
            super().cancel(opened)

    def said(self, error: Exception) -> Said:
        """Explain an error by its number."""
        code = getattr(error, "vendor_code", None) or 0
        found = _SAID.match(str(error))
        message = found[1] if found else str(error)
        check = _CHECK.search(message)
        if check is not None:
            message = f": {check[1]}"
        return Said(
            message,
            without_values(message, about_names=0 < code < _ABOUT_VALUES),
            getattr(error, "sqlstate", None) or str(code),
            stopped=code == _STOPPED,
            lost=code in _SESSION_GONE,
            final=390_000 <= code < 391_000 or "UNAUTHENTICATED" in str(error),
        )


def read(url: str) -> Address:
    """Read a URL: ``snowflake://user:password@account/database/schema?warehouse=…&role=…``.

    Without a password in the URL, that of SNOWFLAKE_PASSWORD is used. ``authenticator`` is ``externalbrowser``,
    ``oauth`` or ``pat`` (a programmatic access token): the token is that of SNOWFLAKE_TOKEN. ``private_key_file`` is
    the key of a key pair, with the passphrase of SNOWFLAKE_PRIVATE_KEY_PASSPHRASE. ``host``, ``port`` and ``protocol``
    are for private links.

    Raises
    ------
    OptionError
        The URL is invalid; the message does not repeat it.
    """
    parts = split_url(url, _PASSWORD, _unreadable, most=2)
    if not parts.host or not parts.path:
        raise _unreadable("it names no account or no database")
    given = dict(parts.given)
    options = {"adbc.snowflake.sql.account": parts.host, "adbc.snowflake.sql.db": parts.path[0]}
    if len(parts.path) > 1:
        options["adbc.snowflake.sql.schema"] = parts.path[1]
    options |= {f"adbc.snowflake.sql.{_PLACES[name]}": given.pop(name) for name in _PLACES if name in given}
    options |= {
        f"{_CLIENT}app_name": "synthpriv_sql",
        f"{_CLIENT}max_timestamp_precision": "microseconds",
        f"{_CLIENT}login_timeout": "30s",
    }
    if parts.user:
        options["username"] = parts.user
    token, passphrase = os.environ.get(_TOKEN, ""), os.environ.get(_PASSPHRASE, "")
    way = given.pop(_AUTHENTICATOR, "")
    if way and way not in _WAYS:
        raise _unreadable(f"authenticator is one of {', '.join(_WAYS)}")
    if way:
        options["adbc.snowflake.sql.auth_type"] = _WAYS[way]
    if _KEY in given:
        options["adbc.snowflake.sql.auth_type"] = "auth_jwt"
        options |= _key(given.pop(_KEY), passphrase)
    elif way in {"oauth", "pat"}:
        options[f"{_CLIENT}auth_token"] = token or parts.password
    elif parts.password:
        options["password"] = parts.password
    if given:
        raise _unreadable(f"it has an unknown option; there are: {', '.join([*_PLACES, _AUTHENTICATOR, _KEY])}")
    secrets = sorted({parts.password, token, passphrase} - {""}, key=len, reverse=True)
    return Address("", f"snowflake://{parts.host}/{'/'.join(parts.path)}", tuple(secrets), options)


def _key(path: str, passphrase: str) -> dict[str, str]:
    """The options of a private key; the driver takes the text of one with a passphrase, and the path of another."""
    if not passphrase:
        return {f"{_CLIENT}jwt_private_key": path}
    try:
        with open(path, encoding="ascii") as file:
            text = file.read()
    except (OSError, ValueError):
        raise _unreadable("private_key_file names no file with a key in PEM") from None
    return {f"{_CLIENT}jwt_private_key_pkcs8_value": text, f"{_CLIENT}jwt_private_key_pkcs8_password": passphrase}


def _unreadable(problem: str) -> errors.OptionError:
    return errors.OptionError(
        f"the URL of the Snowflake database cannot be read: {problem}. It is "
        "snowflake://user@account/database/schema?warehouse=NAME&role=NAME; in a password the characters : / @ ? # % "
        "are percent-encoded, or it is given in SNOWFLAKE_PASSWORD"
    )
