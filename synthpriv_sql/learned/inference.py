"""``synthpriv_inference``: from pages of synthetic and real records to what is learned of each person's secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from synthpriv_sql.errors import EmptyTable
from synthpriv_sql.kernels.threads import Cancelled
from synthpriv_sql.learned import inferring
from synthpriv_sql.learned.tables import joined
from synthpriv_sql.udf.encoded import arrange, pages
from synthpriv_sql.udf.neighbors import Monitor, combined, watched

FOUND_SQL = (
    "STRUCT(members BIGINT, secrets BIGINT[], positions BIGINT[], hits BOOLEAN[], others BOOLEAN[], usual BOOLEAN[], "
    "scores DOUBLE[], sure DOUBLE[])"
)


def infer(synthetic_pages: Any, train_pages: Any, holdout_pages: Any, options: Any, monitor: Monitor) -> Any:
    """``synthpriv_inference(synthetic_pages, train_pages, holdout_pages, options)``: guesses of secrets.

    Parameters
    ----------
    synthetic_pages, train_pages, holdout_pages
        Arrow lists of pages, one list per row: the known columns, then the secret ones; null if the table has no rows,
        or there is no holdout.
    options
        Arrow structs with the fields of sql/disclosure/learned_secrets.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the number of records of train; then, for each secret and each real record, those of train
        before those of the holdout, the position of the secret and of the record, whether the guesses of
        `inferring.Inferred` are right, the score, and how sure trees are of the truth.

    Raises
    ------
    EmptyTable, InfiniteValue, Stopped
        See `synthpriv_sql.errors`.
    """
    arguments = [combined(a) for a in (synthetic_pages, train_pages, holdout_pages, options)]
    return pa.concat_arrays([watched(_infer_one, [a[i] for a in arguments], monitor) for i in range(len(options))])


def _infer_one(synthetic_pages: Any, train_pages: Any, holdout_pages: Any, options: Any, *, monitor: Monitor) -> Any:
    options = options.as_py()
    tables = _read({"synthetic": synthetic_pages, "train": train_pages, "holdout": holdout_pages}, options)
    synthetic, members = tables["synthetic"], tables["train"].rows
    real = joined([table for side, table in tables.items() if side != "synthetic" and table.rows])
    random = np.random.default_rng(np.random.SeedSequence(options["seed"], spawn_key=(7,)))
    folds = random.permutation(np.arange(real.rows) % inferring.FOLDS)
    known_columns = range(len(options["known"]))
    secrets = range(len(known_columns), len(options["columns"]))
    total = (1 + inferring.FOLDS) * len(secrets)
    found = []
    for place, column in enumerate(secrets):
        # Without known columns, each secret is guessed from the others.
        told = known_columns or [c for c in secrets if c != column]

        def report(done: int, _of: int, place: int = place, name: str = options["columns"][column]) -> None:
            if monitor.cancelled():
                raise Cancelled("the training was cancelled")
            if monitor.progress is not None:
                monitor.progress((1 + inferring.FOLDS) * place + done, total, f'models of "{name}"')

        report(0, 0)
        known = inferring.known([synthetic.columns[c] for c in told], [real.columns[c] for c in told], synthetic.rows)
        secret = inferring.secret(synthetic.columns[column], real.columns[column], options["roles"][column])
        found.append(
            inferring.infer(secret, *known, folds, options["tolerance"], options["seed"], options["threads"], report)
        )
    return _struct(found, members, real.rows)


def _read(given: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, pages.Encoded]:
    kinds = arrange.kinds(options["roles"])
    tables = {}
    for side, listed in given.items():
        tables[side] = pages.read(listed.values or [], kinds)
        if side != "holdout" and not tables[side].rows:
            raise EmptyTable(f"{options[side]} has no rows; a model needs records")
        arrange.check_values(options, tables[side], options[side])
    return tables


def _struct(found: list[inferring.Inferred], members: int, rows: int) -> Any:
    positions = np.arange(rows)
    columns = [
        np.repeat(np.arange(len(found)), rows),
        np.tile(positions, len(found)),
        *(np.concatenate(values) for values in zip(*found, strict=True)),
    ]
    ends = pa.array([0, len(columns[0])], pa.int32())
    lists = [pa.ListArray.from_arrays(ends, pa.array(values)) for values in columns]
    names = ["members", "secrets", "positions", "hits", "others", "usual", "scores", "sure"]
    return pa.StructArray.from_arrays([pa.array([members], pa.int64()), *lists], names=names)
