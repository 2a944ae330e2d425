"""A process that has DuckDB and nothing of this package: it runs the statements that it reads, one after the other.

Run by `elsewhere.InDuckDBAlone`, which gives it the folder where DuckDB is and the file of a database.
"""

import importlib.util
import pickle
import sys


def main():
    """Answer each statement with its columns, types and rows, or with what was wrong."""
    sys.path.append(sys.argv[1])
    import duckdb

    if importlib.util.find_spec("synthpriv_sql") is not None:
        sys.exit("synthpriv_sql can be imported here")
    connection = duckdb.connect(sys.argv[2])
    connection.execute("SET TimeZone = 'UTC'")
    while True:
        try:
            sql = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            ran = connection.execute(sql)
            answer = [(name, str(type_)) for name, type_, *_ in ran.description or ()], ran.fetchall()
        except duckdb.Error as error:
            answer = str(error)
        pickle.dump(answer, sys.stdout.buffer)
        sys.stdout.buffer.flush()


main()
