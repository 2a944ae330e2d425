"""A server that speaks BigQuery's REST interface, with DuckDB behind it: run in the environment that has bqemulator.

Its argument is the port. What bqemulator lacks and BigQuery has: names of tables with spaces, and a BIGNUMERIC that
divides, and is written, as the integer that it is wherever a statement of this package has one without digits. Shapes,
for which it loads an extension of DuckDB that is no package, are not asked of it.
"""

import re
import sys

from bqemulator.config import Settings
from bqemulator.server import run_forever
from bqemulator.storage import sql_identifiers
from bqemulator.storage.engine import DuckDBEngine
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB

_written = DuckDB.Generator.datatype_sql


def datatype(self, node):
    whole = node.this == exp.DataType.Type.BIGDECIMAL and not node.expressions
    return "HUGEINT" if whole else _written(self, node)


if __name__ == "__main__":
    DuckDBEngine._load_spatial = DuckDBEngine._load_format_extensions = lambda self: None
    sql_identifiers._SQL_SAFE_ID_RE = re.compile(r"^\w[\w\- ]{0,254}$")
    DuckDB.Generator.datatype_sql = datatype
    run_forever(Settings(rest_port=int(sys.argv[1]), grpc_port=0, default_project_id="bank", log_level="critical"))
