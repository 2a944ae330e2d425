"""The ways in which numbers alone are searched, each of them forced: tests are too small to choose as others do."""

import pytest

from synthpriv_sql.neighbors import choice, whole

WAYS = ["blocks", *(["8 bits", "16 bits"] if whole.available() else [])]


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    if request.param == "blocks":
        monkeypatch.setattr(choice, "possible", lambda learned: False)
    else:
        monkeypatch.setattr(choice, "WIDTHS", (int(request.param.split()[0]),))
        monkeypatch.setattr(choice, "_TIMES", float("inf"))
        monkeypatch.setattr(choice, "_SHARE", 0)
    return request.param
