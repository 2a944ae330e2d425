"""The ways in which numbers alone are searched, each of them forced: tests are too small to choose as others do."""

import pytest

from synthpriv_sql.kernels.knn import choice

WAYS = ["blocks", *choice.WAYS]


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    if request.param == "blocks":
        monkeypatch.setattr(choice, "possible", lambda learned: False)
    else:
        # Also on a processor that makes these products slowly.
        monkeypatch.setattr(choice, "has_products", lambda: True)
        monkeypatch.setattr(choice, "WAYS", (request.param,))
        monkeypatch.setattr(choice, "_TIMES", float("inf"))
        monkeypatch.setattr(choice, "_SHARE", 0)
    return request.param
