"""Privacy metrics of synthetic tables, computed inside the database.

`connect` opens a DuckDB or PostgreSQL database, `register` makes the functions available on an existing DuckDB
connection. Both return a `Session`, whose methods return a `Result`; in DuckDB SQL the same functions are
``FROM synthpriv.dcr('synthetic', 'train')`` and so on.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from synthpriv_sql.errors import (
    Cancelled,
    ColumnMismatch,
    ConnectionLost,
    DataWouldLeave,
    EmptyTable,
    EngineError,
    InfiniteValue,
    OptionError,
    RoleError,
    SynthesizerError,
    SynthprivError,
    SynthprivWarning,
    UnitError,
    UnknownColumn,
    UnknownTable,
    WriteError,
)
from synthpriv_sql.version import __version__

if TYPE_CHECKING:
    from synthpriv_sql.api.opening import connect, register, spark
    from synthpriv_sql.api.session import Session
    from synthpriv_sql.repeating.persons import person_risk
    from synthpriv_sql.repeating.shadow import shadow
    from synthpriv_sql.repeating.splits import repeat
    from synthpriv_sql.results.result import Result

__all__ = [
    "Cancelled",
    "ColumnMismatch",
    "ConnectionLost",
    "DataWouldLeave",
    "EmptyTable",
    "EngineError",
    "InfiniteValue",
    "OptionError",
    "Result",
    "RoleError",
    "Session",
    "SynthesizerError",
    "SynthprivError",
    "SynthprivWarning",
    "UnitError",
    "UnknownColumn",
    "UnknownTable",
    "WriteError",
    "__version__",
    "connect",
    "person_risk",
    "register",
    "repeat",
    "shadow",
    "spark",
]

_LATER = {
    "Result": "synthpriv_sql.results.result",
    "Session": "synthpriv_sql.api.session",
    "connect": "synthpriv_sql.api.opening",
    "person_risk": "synthpriv_sql.repeating.persons",
    "register": "synthpriv_sql.api.opening",
    "repeat": "synthpriv_sql.repeating.splits",
    "shadow": "synthpriv_sql.repeating.shadow",
    "spark": "synthpriv_sql.api.opening",
}
"""Names that are imported lazily, because shell completion imports this module."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(import_module(_LATER[name]), name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
