"""Where a PostgreSQL server is: a URL of the user's, of which the password is never shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from synthpriv_sql.errors import OptionError

_SECRETS = ("password", "sslpassword")
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
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise _unreadable("it is no URL") from None
    login, _, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    for server in host.split(","):
        port = server.rpartition("]")[2].partition(":")[2]
        if port and not port.isdecimal():
            raise _unreadable("the port is no number")
    if "@" in parts.path or "@" in parts.query or parts.fragment:
        raise _unreadable("there is an @ or a # behind the host")
    # As libpq does it: user and password in the options count as well, and more than those before the host.
    secrets = [unquote(password), *(options.pop(name) for name in _SECRETS[:1] if name in options)]
    options = _DEFAULTS | options
    written = quote(unquote(user), safe="")
    if secrets[-1]:
        written += ":" + quote(secrets[-1], safe="")
    where = host + parts.path
    query = urlencode(options, quote_via=quote)
    uri = f"postgresql://{written}@{where}?{query}" if written else f"postgresql://{where}?{query}"
    hidden = {*secrets, *(options[name] for name in _SECRETS if name in options)} - {""}
    # The longest first: one may be a part of another.
    return Address(uri, f"postgresql://{where}", tuple(sorted(hidden, key=len, reverse=True)))


def _unreadable(problem: str) -> OptionError:
    return OptionError(
        f"the URL of the PostgreSQL database cannot be read: {problem}. It is postgresql://user@host:port/database; "
        "in a password the characters : / @ ? # % are percent-encoded, or it is given in PGPASSWORD or a password file"
    )
