"""The function of the attack `learned` that SQL calls: pages of records in, a score for every real record out."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.errors import EmptyTable, SynthprivWarning, TooFew
from synthpriv_sql.kernels.threads import Cancelled
from synthpriv_sql.learned import features, judging
from synthpriv_sql.learned.tables import Tables, joined
from synthpriv_sql.udf import uniques
from synthpriv_sql.udf.encoded import arrange, pages
from synthpriv_sql.udf.neighbors import Monitor, combined, compiling, watched

FOUND_SQL = (
    "STRUCT(members BIGINT, positions BIGINT[], folds BIGINT[], scores DOUBLE[], synthetic BIGINT[], "
    "evidence VARCHAR[][], control DOUBLE[])"
)
_SIDES = ("synthetic", "train", "holdout")


def judge(*given: Any, monitor: Monitor) -> Any:
    """``synthpriv_learned(pages …, keys …, units …, hints …, options)``: the score of each real record.

    Parameters
    ----------
    given
        Arrow lists of pages, one list per row, of synthetic, train and holdout; the same of their keys; lists of pages
        with the unit of each record of train and holdout, null if no unit is named; the same of their hints; and
        structs with the fields of sql/membership/learned.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the number of records of train; then for all real records, those of train before those of
        the holdout (or a sample of each side according to the option ``most``), the position, the fold, the score, the
        closest synthetic record, the features that raise the score, and the score of the control (null if not
        requested). No records if there are too few and the options are lenient.

    Raises
    ------
    EmptyTable, InfiniteValue, TooFew, Stopped
        See `synthpriv_sql.errors`.
    """
    arguments = [combined(a) for a in given]
    found = [watched(_judge_one, [a[i] for a in arguments], monitor) for i in range(len(arguments[-1]))]
    for message in {message for _, message in found if message}:
        warnings.warn(message, SynthprivWarning, stacklevel=2)
    return pa.concat_arrays([struct for struct, _ in found])


def _judge_one(*given: Any, monitor: Monitor) -> tuple[Any, str]:
    *page_lists, options = given
    found, message = answer([one.values for one in page_lists], options.as_py(), monitor)
    return _struct(found), message


@dataclass(frozen=True, slots=True)
class Answer:
    """The scores of real records, those of train first; ``members`` is the number of all records of train.

    positions, folds, nearest (the closest synthetic record, -1 for none) : int64; scores : float64; labels: the
    features that raise each score, if requested; control : float64, the scores of a classifier that does not use the
    synthetic table, if requested.
    """

    members: int
    positions: NDArray[np.int64]
    folds: NDArray[np.int64]
    scores: NDArray[np.float64]
    nearest: NDArray[np.int64]
    labels: list[list[str]] | None
    control: NDArray[np.float64] | None = None


def answer(listed: Sequence[Any], options: Mapping[str, Any], monitor: Monitor) -> tuple[Answer, str]:
    """Score all selected real records.

    Parameters
    ----------
    listed
        Pages of synthetic, train and holdout; of their keys; of the units of train and holdout; and of the hints of
        both. None for missing pages.
    options
        The fields of sql/membership/learned.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    tuple
        The answer, and a warning if it is empty because there are too few records.
    """
    *listed, train_units, holdout_units, train_hints, holdout_hints = listed
    tables, keys = _read(listed, options)
    members, rows = tables["train"].rows, tables["train"].rows + tables["holdout"].rows
    who = uniques.persons([train_units, holdout_units], rows)
    is_member = np.arange(rows) < members
    selected = judging.sampled(who, is_member, options["most"], options["seed"])
    positions = np.arange(rows) if selected is None else selected
    is_member, selected_who = is_member[positions], who[positions]
    folds = judging.assign_folds(selected_who.astype(np.int64), is_member, options["folds"], options["seed"])
    too_few = _too_few(options, selected_who, is_member, folds, train_units is not None)
    if too_few:
        if not options["lenient"]:
            raise TooFew(too_few)
        if monitor.progress is not None:
            monitor.progress(2, 2, "learned")  # a total of 1 is a call without a search
        nothing = np.zeros(0, np.int64)
        # A control without scores is reported as a missing number.
        empty = Answer(members, nothing, nothing, np.zeros(0), nothing, None)
        return empty, "" if options["judges"] == "control" else too_few
    real, real_keys = ([one["train"], one["holdout"]] for one in (tables, keys))
    given = Tables(
        joined(real), tables.get("synthetic"), joined(real_keys), keys.get("synthetic"), who, options,
        selected,
    )  # fmt: skip
    del tables, keys, real, real_keys
    judges = ("members", "control") if options["judges"] == "both" else (options["judges"],)
    progress = _Progress(monitor, options["train"], features.steps(given), options["folds"] * len(judges))
    with compiling(monitor):
        found = features.evidence(given, progress.of_features, monitor.cancelled)
    hints = features.hints([train_hints, holdout_hints], options["hints"], given) if options["hints"] else []
    features_of = {
        "members": [*found.features, *hints],
        "control": [f for f in found.features if not f.uses_synthetic] + features.values(given),
    }
    del given

    def judged(judge: str) -> judging.Judged:
        return judging.judge(
            judging.matrix(features_of[judge]),
            is_member,
            folds,
            options["seed"],
            options["evidence"] and judge == "members",
            options["threads"],
            partial(progress.of_folds, judges.index(judge) * options["folds"]),
        )

    first, *others = map(judged, judges)
    labels = (
        _labels(first.reasons, [feature.label for feature in features_of["members"]]) if options["evidence"] else None
    )
    control = others[0].scores if others else None
    return Answer(members, positions, folds, first.scores, found.nearest, labels, control), ""


def _read(
    listed: Sequence[Any], options: Mapping[str, Any]
) -> tuple[dict[str, pages.Encoded], dict[str, pages.Encoded]]:
    """Return the tables and their keys by side; the control alone has no synthetic table."""
    kinds = arrange.kinds(options["roles"])
    tables, keys = {}, {}
    for side, held, side_keys in zip(_SIDES, listed[:3], uniques.read(listed[3:], len(kinds)), strict=True):
        if side == "synthetic" and options["judges"] == "control":
            continue
        tables[side] = pages.read([] if held is None else held, kinds)
        if not tables[side].rows:
            raise EmptyTable(f"{options[side]} has no rows; without a record there is no closest one")
        arrange.check_values(options, tables[side], options[side])
        keys[side] = side_keys
    return tables, keys


@dataclass(frozen=True, slots=True)
class _Progress:
    """Reports features and folds as one task, and raises `Cancelled` on request."""

    monitor: Monitor
    label: str
    features: int
    folds: int

    def of_features(self, done: int, total: int, step: str) -> None:
        self._report(done, f"features of {self.label}: {step}")

    def of_folds(self, before: int, done: int, total: int) -> None:
        self._report(self.features + before + done, f"training on {self.label}")

    def _report(self, done: int, label: str) -> None:
        if self.monitor.cancelled():
            raise Cancelled("the search was cancelled")
        if self.monitor.progress is not None:
            self.monitor.progress(done, self.features + self.folds, label)


def _too_few(
    options: Any, who: NDArray[np.int32], is_member: NDArray[np.bool_], folds: NDArray[np.int64], units: bool
) -> str:
    """Return a message that says which side has too few records, or persons, in a fold; empty if none has."""
    for side, here in (("train", is_member), ("holdout", ~is_member)):
        least = min(len(np.unique(who[here & (folds == fold)])) for fold in range(options["folds"]))
        if least < judging.MIN_RECORDS:
            what = "persons" if units else "records"
            return (
                f"the attack learned needs {judging.MIN_RECORDS} {what} of each side in each of {options['folds']} "
                f"folds, and {options[side]} has {len(np.unique(who[here]))}: use more records or another attack"
            )
    return ""


def _labels(reasons: NDArray[np.int64], labels: Sequence[str]) -> list[list[str]]:
    return [[labels[place] for place in row if place >= 0] for row in reasons.tolist()]


def _struct(found: Answer) -> Any:
    rows = len(found.positions)
    listed = pa.list_(pa.string())
    evidence = pa.nulls(rows, listed) if found.labels is None else pa.array(found.labels, listed)
    nearest = pa.array(found.nearest, mask=found.nearest < 0)
    control = pa.nulls(rows, pa.float64()) if found.control is None else pa.array(found.control)
    columns = (pa.array(found.positions), pa.array(found.folds), pa.array(found.scores), nearest, evidence, control)
    lists = [pa.ListArray.from_arrays(pa.array([0, rows], pa.int32()), values) for values in columns]
    names = ["members", "positions", "folds", "scores", "synthetic", "evidence", "control"]
    return pa.StructArray.from_arrays([pa.array([found.members], pa.int64()), *lists], names=names)
