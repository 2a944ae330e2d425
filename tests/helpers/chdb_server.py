"""chDB behind the HTTP interface of a ClickHouse server, as far as sessions need it: a process of its own.

    python chdb_server.py PORT PASSWORD

The SQL runs in chDB, which is ClickHouse; what answers the requests is this file. A statement is not stopped by
KILL QUERY: the server only says so of one that sleeps.
"""

import base64
import http.server
import re
import sys
import tempfile
import threading
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from chdb.session import Session

_NOT_SETTINGS = {"query", "query_id", "database", "default_format", "wait_end_of_query"}


class Handler(http.server.BaseHTTPRequestHandler):
    """One request is one statement; statements run one by one, but for KILL QUERY."""

    session, password, one, stopped = None, "", threading.Lock(), threading.Event()

    def do_POST(self):
        asked = dict(parse_qsl(urlsplit(self.path).query))
        body = self.rfile.read(int(self.headers["Content-Length"]))
        wanted = "Basic " + base64.b64encode(f"default:{self.password}".encode()).decode()
        if self.headers["Authorization"] != wanted:
            return self._answer(
                403, b"Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED)"
            )
        sql = asked.get("query") or body.decode()
        if sql.startswith("KILL QUERY"):
            self.stopped.set()
            return self._answer(200, b"")
        if "sleep(3)" in sql and self.stopped.wait(10):
            self.stopped.clear()
            return self._answer(500, b"Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED)")
        try:
            with self.one:
                return self._answer(200, self._run(sql, asked, body))
        except Exception as error:
            return self._answer(500, str(error).encode())

    def _run(self, sql, asked, body):
        for name, value in asked.items():
            if name not in _NOT_SETTINGS:
                self.session.query(f"SET {name} = '{value}'")
        if asked.get("database"):
            self.session.query(f"USE {asked['database']}")
        if "query" not in asked:
            return self.session.query(sql, asked["default_format"]).bytes()
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "rows").write_bytes(body)
            rows = f"SELECT * FROM file('{folder}/rows', 'ArrowStream')"
            self.session.query(re.sub(r"FORMAT ArrowStream$", lambda _: rows, sql))
        return b""

    def _answer(self, status, content):
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    Handler.session, Handler.password = Session(), sys.argv[2]
    Handler.session.query("CREATE DATABASE shop ENGINE = Atomic")
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
