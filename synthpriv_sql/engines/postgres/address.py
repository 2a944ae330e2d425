"""The URL of a PostgreSQL server, whose password is never shown."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from synthpriv_sql.engines.remote.driver import Address, split_url
from synthpriv_sql.errors import OptionError

_DEFAULTS = {"client_encoding": "UTF8", "fallback_application_name": "synthpriv_sql"}
_MOST_HOSTS = 16


def read(url: str, name: str = "PostgreSQL", port: int | None = None) -> Address:
    """Read a URL: ``postgresql://user:password@host:port/database?name=value``, each part optional.

    Whatever the URL lacks (above all the password) libpq takes from the environment: PGHOST, PGPASSWORD, PGPASSFILE,
    PGSERVICE and so on.
    The URL is validated and rebuilt, so that the driver never rejects it in a message that quotes the password.

    Parameters
    ----------
    url
        As the user gave it.
    name
        The database, for the error.
    port
        That of a host without one; by default PostgreSQL's.

    Raises
    ------
    OptionError
        The URL is invalid; the message does not repeat it.
    """
    parts = split_url(url, None, lambda problem: _unreadable(problem, name), hosts=_MOST_HOSTS)
    options = dict(parts.given)
    # Options take precedence, as with libpq.
    user = options.pop("user", parts.user)
    secrets = [parts.password, options.pop("password", "")]
    options = _DEFAULTS | options
    written = quote(user, safe="")
    if any(secrets):
        written += ":" + quote(secrets[1] or secrets[0], safe="")
    if port is not None and parts.port is None:
        options.setdefault("port", str(port))
    query = urlencode(options, quote_via=quote)
    at = "@" if written else ""
    uri = f"postgresql://{written}{at}{parts.where}?{query}"
    hidden = {*secrets, options.get("sslpassword", "")} - {""}
    # The longest first: one secret may contain another.
    scheme = name.lower()
    return Address(uri, f"{scheme}://{parts.where}", tuple(sorted(hidden, key=len, reverse=True)))


def _unreadable(problem: str, name: str) -> OptionError:
    return OptionError(
        f"the URL of the {name} database cannot be read: {problem}. It is {name.lower()}://user@host:port/database; "
        "in a password the characters : / @ ? # % are percent-encoded, or it is given in PGPASSWORD or a password file"
    )
