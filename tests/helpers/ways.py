"""The ways in which numbers alone are searched, each of them forced: tests are too small to choose as others do."""

import pytest

from synthpriv_sql.neighbors import choice, whole

WAYS = ["blocks", *(choice.WAYS if whole.available() else [])]


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    if request.param == "blocks":
        monkeypatch.setattr(choice, "possible", lambda learned: False)
    else:
        monkeypatch.setattr(choice, "WAYS", (request.param,))
        monkeypatch.setattr(choice, "_TIMES", float("inf"))
        monkeypatch.setattr(choice, "_SHARE", 0)
    return request.param
