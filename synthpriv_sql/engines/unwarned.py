"""Suppression of database driver warnings that do not concern the caller."""

from __future__ import annotations

import re
import warnings
from itertools import takewhile

_Filter = tuple[str, re.Pattern[str], type[Warning], re.Pattern[str], int]
_OURS: set[_Filter] = set()


def ignore(message: str, module: str) -> None:
    """Ignore a warning from now on.

    The filters of `warnings` apply to the whole process. `warnings.catch_warnings` restores them on exit and so reverts
    changes that other threads made in between; therefore this filter is never removed. It takes precedence over other
    filters, since a caller may turn warnings into errors.

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
