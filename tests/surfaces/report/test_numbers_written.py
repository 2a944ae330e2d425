"""How numbers and shares are written on a page."""

import math

import pytest

from synthpriv_sql.language import numbers as words

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "—"),
        (0.0, "0"),
        (5000, "5,000"),
        (0.5, "0.5000"),
        (0.053456, "0.05346"),
        (123456.78, "123,457"),
        (1.234e-7, "1.23 × 10⁻⁷"),
        (math.inf, "∞"),
        (-2, "−2"),
    ],
)
def test_numbers(value, shown):
    assert words.number(value).replace("\u202f", " ") == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (None, "—"),
        (0, "0 %"),
        (1, "100 %"),
        (0.5, "50 %"),
        (0.6892, "68.9 %"),
        (0.00077, "0.077 %"),
        (1e-7, "0.00001 %"),
    ],
)
def test_shares(share, shown):
    assert words.percent(share).replace("\u202f", " ") == shown
