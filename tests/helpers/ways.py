"""The ways in which numbers alone are searched, each of them forced: tests are too small to choose as others do."""

import pytest

from synthpriv_sql.kernels.knn import costs

WAYS = ["blocks", *costs.WAYS]


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    if request.param == "blocks":
        monkeypatch.setattr(costs, "possible", lambda learned: False)
    else:
        # Also on a processor that makes these products slowly.
        monkeypatch.setattr(costs, "has_products", lambda: True)
        monkeypatch.setattr(costs, "WAYS", (request.param,))
        monkeypatch.setattr(costs, "TIMES_GROWING", float("inf"))
        monkeypatch.setattr(costs, "ROWS_PER_NEIGHBOR", 0)
    return request.param
