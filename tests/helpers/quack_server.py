"""A DuckDB server in a process of its own, which serves a database file over Quack."""

import socket
import subprocess
import sys
from contextlib import contextmanager

TOKEN = "some 'token' of 4 words"
PROGRAM = """
import sys
import duckdb
from synthpriv_sql.engines.quack.driver import load
connection = duckdb.connect(sys.argv[1])
load(connection)
connection.execute("SET TimeZone = 'UTC'")
connection.execute("CALL quack_serve(?, token := ?)", [f"quack:localhost:{sys.argv[2]}", sys.argv[3]])
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def serving(database, port=None):
    """Serve a database file; gives the URL, without the token, and the process."""
    if port is None:
        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = str(free.getsockname()[1])
    command = [sys.executable, "-c", PROGRAM, str(database), port, TOKEN]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout.readline() == "ready\n"
            yield f"duckdb+quack://localhost:{port}", server
        finally:
            server.kill()
