"""What databases and libraries say about an error, without the values that it is about, which are those of people.

A message about names (a missing table, a wrong function) is passed on. Of every other message only those words are
kept that databases use themselves, up to the first that they do not use: what follows may be a value in any form.
"""

from __future__ import annotations

import re

VALUE = "‹value›"
"""What stands for all that is left out."""

_LABELS = re.compile(r"\bENUM\s*\((?:'(?:[^']|'')*'(?:,\s*)?)*(?:\)|$)")
"""An ENUM type as DuckDB writes it: its labels are values of the column."""
_KIND = re.compile(r"(?:[A-Z][\w ]*? Error: |\[[A-Z][A-Z0-9_.]*\] )*")
_ABOUT_NAMES = re.compile(
    r"(?:Binder|Catalog|Connection|Dependency|Extension|HTTP|IO|Missing Extension|Out of Memory|Parser|Permission"
    r"|Settings|Syntax|Transaction|TransactionContext) Error: |Not implemented Error: (?!Unknown TimeZone)"
    r"|\[(?:AMBIGUOUS|COLUMN_NOT|DATATYPE_MISMATCH|FIELD_NOT|MISSING|PARSE|PATH|SCHEMA|TABLE|UNRESOLVED|UNSUPPORTED"
    r"|WRONG_NUM)[A-Z0-9_.]*\] "
)
_OF_DATABASES = """\
a an and are argument array as at be because been bigint bit bits blob bool boolean bucket but by byte bytes can
can't cannot cast character characters check column columns constraint contained contains conversion convert could
date decimal decode destination different digit dimension division does double due duplicate element elements
elements. encoding end entry enum error exceed exceeded exception expected expression extract failed failure field
float for format found from function greater has have hex if in index inet inf input insert integer interval invalid
is it its json key keys large larger least length less list lists literal logarithm long longer malformed map match
maximum memory minimum missing more multiplication must negative not null number numbers numeric object of offset on
one only operator operation or out outside overflow overflowed parse pattern placeholder point precision primary
query range real recognized regexp regular result returned row rows scalar scale separator sequence shift size
smallint smaller specifier square root string strings struct subqueries subquery subtraction addition supported
syntax take text than that the their this time timestamp timestamptz timezone to too tried type unexpected unique
unknown unsupported used using uuid value values varchar vector violates was when which while with without xml year
years zero zone
"""
_WORDS = frozenset(_OF_DATABASES.split())
"""Words of DuckDB, PostgreSQL, Spark, Arrow and Python, in lower case."""
_OF_SYSTEM = re.compile(
    "No space left on device|Disk quota exceeded|Read-only file system|Too many open files|Input/output error"
    "|Cannot allocate memory|Permission denied|Broken pipe|Connection (?:refused|reset by peer|timed out)"
)
"""What the operating system says of an error, wherever it stands."""
_WORD = re.compile(r"[ ,]*([A-Za-z][A-Za-z'.]*)(?=[ ,:;.!]|$)")


def without_labels(text: str) -> str:
    """Return a text in which ENUM types stand without their labels."""
    return _LABELS.sub("ENUM", text) if "ENUM" in text else text


def without_values(said: str, about_names: bool | None = None) -> str:
    """Return what a database or a library says without values.

    Parameters
    ----------
    said
        The message.
    about_names
        Whether it is about names, and is passed on; by default what its kind says, as DuckDB and Spark begin with it.
    """
    said = without_labels(said)
    kind = _KIND.match(said)
    kept = kind[0] if kind else ""
    if about_names or (about_names is None and _ABOUT_NAMES.match(said)):
        return said
    at = len(kept)
    while (word := _WORD.match(said, at)) is not None and word[1].lower().rstrip(".") in _WORDS:
        at = word.end()
    rest = said[at:].strip(" .;!\n")
    if not rest:
        return said[:at].rstrip(" :;")
    begun, by_system = said[:at].rstrip(" ,:;"), _OF_SYSTEM.search(rest)
    shown = by_system[0] if by_system else VALUE
    return f"{begun}: {shown}" if begun else shown


_CONVERSION = re.compile(
    r"Conversion Error: (?!CSV )|Invalid Input Error: (?:Could not parse string |Type \w+ with value )"
    r"|Out of Range Error: Overflow"
)
_SOURCE = re.compile(r"when casting from source column (.+?)\s*$", re.MULTILINE)
_TARGET = re.compile(
    r"\bto (?:the destination type )?([A-Z][A-Z0-9]+(?:\([\d,]+\))?(?:\[\])*)(?=$| when casting)", re.MULTILINE
)


_CLOSED = "server closed the connection unexpectedly"
"""What PostgreSQL's client says where the server said nothing."""
_BY_ATTACHED = re.compile(rf"((?:IO Error: )?Failed to [a-z ]+)[\s\S]*: (?:\w+:  |(?={_CLOSED}))(.*)")
"""What DuckDB's extension for PostgreSQL passes on: what it did, and the first line of what was said of it."""
_OF_NAMES = re.compile(
    r'(?:[a-z]+ "[^"]*" (?:of relation "[^"]*" )?(?:already exists|does not exist)|permission denied for [a-z]+ \w+'
    rf"|(?:terminating connection|canceling statement) due to [a-z -]+|{_CLOSED})$"
)
"""What PostgreSQL says of names and connections, where no SQLSTATE tells it from what it says of values."""


def of_duckdb(text: str) -> str:
    """Return DuckDB's message without values; a value that it cannot convert is told by its column and type."""
    text = without_labels(text)
    if attached := _BY_ATTACHED.match(text):
        did, said = attached[1].rstrip(), attached[2]
        return f"{did}: {without_values(said, about_names=_OF_NAMES.match(said) is not None)}"
    if not _CONVERSION.match(text):
        return without_values(text)
    column, type_ = _SOURCE.search(text), _TARGET.search(text)
    what = f'a value of column "{column[1]}"' if column else "a value"
    into = f" to {type_[1]}" if type_ else ""
    return f"{what} cannot be converted{into}, as a query or view here asks; TRY_CAST makes such values NULL"


_STATES_ABOUT_VALUES = ("", "22", "23", "38", "39", "44", "P0", "XX")
"""Classes of SQLSTATE: exceptions of data, constraints, and what users' own functions raise."""


_READ_ONLY = re.compile(r"(?:.*ERROR: +)?cannot execute [A-Za-z_ ]+(?:\(\))? in a read-only transaction")
"""What PostgreSQL says of a statement that writes; its driver gives no state for it."""


def of_postgres(message: str, state: str) -> str:
    """Return PostgreSQL's message without values: by the class of its SQLSTATE, whatever language it is in."""
    refused = _READ_ONLY.match(message)
    return refused[0] if refused else without_values(message, about_names=state[:2] not in _STATES_ABOUT_VALUES)
