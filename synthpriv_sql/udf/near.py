"""``synthpriv_near``: which values of one person alone come back nearly, in a column of texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.udf.encoded.texts import normalized
from synthpriv_sql.udf.neighbors import Monitor, combined, watched

FOUND_SQL = (
    "STRUCT(train BIGINT, holdout BIGINT, edits BIGINT[], replayed BIGINT[], holdout_replayed BIGINT[], "
    "records BIGINT[])"
)
TYPE = pa.struct(
    [
        *((name, pa.int64()) for name in ("train", "holdout")),
        *((name, pa.list_(pa.int64())) for name in ("edits", "replayed", "holdout_replayed", "records")),
    ]
)
NOBODY = -2
"""The owner of a value that no real person has; -1 is that of a value that several have."""
ONE = 1
"""Nearness is also asked for with so many edits: chance brings texts near less often then."""


def near(values: Any, options: Any, *, monitor: Monitor) -> Any:
    """``synthpriv_near(values, options)``.

    Parameters
    ----------
    values
        Arrow lists of structs with the fields of sql/uniques/near_values.sql, one list per column: each distinct value
        once.
    options
        Arrow structs with the number of threads, the name of the column, and whether it has texts; other values are
        equal or not, whose number of edits is null.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per column: how many values one person alone has, of train and of the holdout: nobody else has one
        near it. For each number of edits how many of these have one in synthetic, and how many records that is for
        those of train.
    """
    listed, asked = combined(values), combined(options)
    found = [watched(_one, [listed[i].values, asked[i].as_py()], monitor) for i in range(len(options))]
    return pa.array(found, TYPE)


def _one(values: Any, options: dict[str, Any], *, monitor: Monitor) -> dict[str, Any]:
    # numba is loaded by the first search, not on import
    from synthpriv_sql.kernels.near import limits
    from synthpriv_sql.kernels.near.search import Search
    from synthpriv_sql.udf import compiling

    owners, records = (
        values.field(name).to_numpy(zero_copy_only=False).astype(np.int64) for name in ("owner", "records")
    )
    numbers: dict[str, int] = {}
    form = normalized if options["is_text"] else str
    whose = np.array([numbers.setdefault(form(text), len(numbers)) for text in values.field("value").to_pylist()])
    size = len(numbers)
    # The least and the largest owner of each text; those of values of synthetic alone do not count.
    least, most, fresh = np.full(size, np.iinfo(np.int64).max), np.full(size, -2), np.zeros(size, np.int64)
    real = owners != NOBODY
    np.minimum.at(least, whose[real], owners[real])
    np.maximum.at(most, whose[real], owners[real])
    np.add.at(fresh, whose, records)
    own = np.where((least == most) & (least >= 0), least, -1)
    ids = np.full(size, -1, np.int32)
    ids[own >= 0] = np.unique(own[own >= 0], return_inverse=True)[1]
    there, reference = np.flatnonzero(most > NOBODY).astype(np.int32), np.flatnonzero(fresh).astype(np.int32)
    label = f"texts of {options['column']}, {len(there):,} values"
    with compiling.reported(monitor.progress):
        search = Search(
            limits.texts(list(numbers)),
            threads=options["threads"],
            progress=lambda done, total: monitor.progress(done, total, label) if monitor.progress else None,
            cancelled=monitor.cancelled,
        )
        alone = there[search.alone(there, ids) if options["is_text"] else own[there] >= 0]
        of_train = own[alone] % 2 == 0
        found: dict[str, Any] = {"train": int(of_train.sum()), "holdout": int((~of_train).sum()), "edits": []}
        found |= {"replayed": [], "holdout_replayed": [], "records": []}
        for edits in (0, ONE, limits.MOST) if options["is_text"] else (None,):
            back, hit = search.returning(alone, reference, of_train, edits or 0)
            found["edits"].append(edits)
            found["replayed"].append(int(back[of_train].sum()))
            found["holdout_replayed"].append(int(back[~of_train].sum()))
            found["records"].append(int(fresh[reference[hit == 1]].sum()))
    return found
