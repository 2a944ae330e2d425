"""The URL of a PostgreSQL server, whose password is never shown."""

from __future__ import annotations

from urllib.parse import quote, unquote, urlencode, urlsplit

from synthpriv_sql.engines.remote.driver import Address
from synthpriv_sql.errors import OptionError

_DEFAULTS = {"client_encoding": "UTF8", "fallback_application_name": "synthpriv_sql"}


def read(url: str) -> Address:
    """Read a URL: ``postgresql://user:password@host:port/database?name=value``, each part optional.

    Whatever the URL lacks (above all the password) libpq takes from the environment: PGHOST, PGPASSWORD, PGPASSFILE,
    PGSERVICE and so on.
    The URL is validated and rebuilt, so that the driver never rejects it in a message that quotes the password.

    Raises
    ------
    OptionError
        The URL is invalid; the message does not repeat it.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _unreadable("it is not a URL") from None
    pairs = [option.partition("=") for option in parts.query.split("&") if option]
    options = {unquote(name): unquote(value) for name, _, value in pairs}
    login, _, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    for server in host.split(","):
        port = server.rpartition("]")[2].partition(":")[2]
        if port and not port.isdecimal():
            raise _unreadable("the port is not a number")
    if "@" in parts.path or "@" in parts.query or parts.fragment:
        raise _unreadable("there is an @ or a # after the host")
    # Options take precedence, as with libpq.
    user = options.pop("user", unquote(user))
    secrets = [unquote(password), options.pop("password", "")]
    options = _DEFAULTS | options
    written = quote(user, safe="")
    if any(secrets):
        written += ":" + quote(secrets[1] or secrets[0], safe="")
    where = host + parts.path
    query = urlencode(options, quote_via=quote)
    uri = f"postgresql://{written}@{where}?{query}" if written else f"postgresql://{where}?{query}"
    hidden = {*secrets, options.get("sslpassword", "")} - {""}
    # The longest first: one secret may contain another.
    return Address(uri, f"postgresql://{where}", tuple(sorted(hidden, key=len, reverse=True)))


def _unreadable(problem: str) -> OptionError:
    return OptionError(
        f"the URL of the PostgreSQL database cannot be read: {problem}. It is postgresql://user@host:port/database; "
        "in a password the characters : / @ ? # % are percent-encoded, or it is given in PGPASSWORD or a password file"
    )
