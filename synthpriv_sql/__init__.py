"""Privacy metrics of synthetic tables, computed inside the database.

`connect` opens a database of DuckDB or PostgreSQL, `register` makes the functions available on a DuckDB connection that
is already there. Both give a `Session`, whose methods return a `Result`; in DuckDB's SQL the same functions are
``FROM synthpriv.dcr('synthetic', 'train')`` and so on.
"""

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
    SynthprivError,
    SynthprivWarning,
    UnitError,
    UnknownColumn,
    UnknownTable,
    WriteError,
)
from synthpriv_sql.opening import connect, register, spark
from synthpriv_sql.results.result import Result
from synthpriv_sql.session import Session
from synthpriv_sql.version import __version__

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
    "SynthprivError",
    "SynthprivWarning",
    "UnitError",
    "UnknownColumn",
    "UnknownTable",
    "WriteError",
    "__version__",
    "connect",
    "register",
    "spark",
]
