"""Errors of a file for `--init` show no text of it: such files have keys, tokens and passwords."""

import re

from calls import cli

MARK = "Zq7secret"
FAULTS = [
    "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET '{0}', CLIENT_SECRET '{0}', nothing '{0}')",
    "CREATE SECRET s (TYPE http, BEARER_TOKEN $${0}$$, EXTRA_HTTP_HEADERS MAP {{'Authorization': 'Bearer {0}'}}, x)",
    "SET s3_secret_access_key = '{0}' || now",
    "SET nothing = '{0}'",
    "SET s3_session_token = {0} + 1 FROM",
    "ATTACH 'postgres://user:{0}@nowhere.invalid/db?SESSION_TOKEN={0}' AS p (TYPE nothing)",
    "ATTACH 'host=nowhere password={0}' AS p (TYPE {0})",
    "SELECT '{0}'::INTEGER",
    "SELECT error('{0}')",
    "CREATE TABLE t AS SELECT '{0}' AS a; CREATE UNIQUE INDEX i ON t (a); INSERT INTO t SELECT a FROM t",
    "COPY (SELECT 1) TO '/nowhere/{0}/x.csv'",
    "FROM read_csv('{0}.csv')",
    "SELECT {0} FROM nothing",
    "PRAGMA {0}",
    "$${0}$$",
    "'{0}",
]


def test_no_line_of_it_is_shown(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n2\n")
    init = tmp_path / "init.sql"
    table = str(tmp_path / "t.csv")
    lines = []
    for fault in FAULTS:
        init.write_text(f"-- keys: {MARK}\nSET threads = 1;\n\n{fault.format(MARK)};\n")
        code, out, err = cli("copies", "--synthetic", table, "--train", table, "--init", str(init), "--log", "debug")
        assert code == 2, fault
        assert MARK not in out + err
        found = re.search(r'init.sql" failed(?: in line (\d+))? with a [A-Z]', err)
        assert found is not None, fault
        lines.append(found[1])
    assert set(lines) == {"4", None}
    assert lines.count("4") > 10
