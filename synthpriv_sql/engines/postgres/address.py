"""Where a PostgreSQL server is: a URL of the user's, of which the password is never shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote, unquote, urlencode, urlsplit

from synthpriv_sql.errors import OptionError

_DEFAULTS = {"client_encoding": "UTF8", "fallback_application_name": "synthpriv_sql"}


@dataclass(frozen=True, slots=True)
class Address:
    """A server and a database as libpq takes them.

    ``shown`` is for messages. What is not in the URL (the password above all) libpq takes from its environment: PGHOST,
    PGPASSWORD, PGPASSFILE, PGSERVICE and so on.
    """

    uri: str = field(repr=False)
    shown: str
    secrets: tuple[str, ...] = field(repr=False)

    def without_secrets(self, text: str) -> str:
        """Return a message of the server's or the driver's with nothing of a password in it."""
        for secret in self.secrets:
            text = text.replace(secret, "***").replace(quote(secret, safe=""), "***")
        return text


def read(url: str) -> Address:
    """Read a URL: ``postgresql://user:password@host:port/database?name=value``, each part optional.

    It is put together anew, so that the driver has nothing to complain about in words that hold the password.

    Raises
    ------
    OptionError
        It cannot be read; the message does not repeat it.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _unreadable("it is no URL") from None
    pairs = [option.partition("=") for option in parts.query.split("&") if option]
    options = {unquote(name): unquote(value) for name, _, value in pairs}
    login, _, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    for server in host.split(","):
        port = server.rpartition("]")[2].partition(":")[2]
        if port and not port.isdecimal():
            raise _unreadable("the port is no number")
    if "@" in parts.path or "@" in parts.query or parts.fragment:
        raise _unreadable("there is an @ or a # behind the host")
    # Those among the options count more, as with libpq.
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
    # The longest first: one may be a part of another.
    return Address(uri, f"postgresql://{where}", tuple(sorted(hidden, key=len, reverse=True)))


def _unreadable(problem: str) -> OptionError:
    return OptionError(
        f"the URL of the PostgreSQL database cannot be read: {problem}. It is postgresql://user@host:port/database; "
        "in a password the characters : / @ ? # % are percent-encoded, or it is given in PGPASSWORD or a password file"
    )
