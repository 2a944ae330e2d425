"""Warnings of the databases' libraries that do not concern the caller."""

from __future__ import annotations

import re
import warnings
from itertools import takewhile

_Filter = tuple[str, re.Pattern[str], type[Warning], re.Pattern[str], int]
_OURS: set[_Filter] = set()


def ignore(message: str, module: str) -> None:
    """Ignore a warning from now on.

    The filters of `warnings` are the whole process's. `warnings.catch_warnings` puts back what it found, and with it
    undoes what other threads have changed meanwhile, so the filter stays. It goes before those of others: a caller may
    turn warnings into errors.

    Parameters
    ----------
    message
        How the warning begins.
    module
        A pattern for the name of the module that warns.
    """
    ours: _Filter = ("ignore", re.compile(message, re.IGNORECASE), Warning, re.compile(module), 0)
    _OURS.add(ours)
    if ours not in takewhile(_OURS.__contains__, warnings.filters):
        warnings.filterwarnings("ignore", message=message, category=Warning, module=module)
