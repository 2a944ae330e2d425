"""The function that SQL calls: pages of real and synthetic records in, a score for every real record out."""

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
from synthpriv_sql.udf.neighbors import Monitor, compiling, watched, whole

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
        Arrow lists of pages, one list a row, of synthetic, train and holdout; the same of their keys; lists of pages
        that say whose each record of train and of the holdout is, null where no unit is named; the same of their
        hints; and structs with the fields that sql/membership/learned.sql gives.
    monitor
        Who follows the search and may end it.

    Returns
    -------
    pyarrow.Array
        Per row a struct: how many records train has; then for all real records, train's before the holdout's (or as
        many of each side as the option ``most`` says), the position, the fold, the score, the closest synthetic record,
        what raises the score and the score of the control (null where not asked for). No records where there are too
        few of them and the options are lenient.

    Raises
    ------
    EmptyTable, InfiniteValue, TooFew, Stopped
        See `synthpriv_sql.errors`.
    """
    arguments = [whole(a) for a in given]
    found = [watched(_judge_one, [a[i] for a in arguments], monitor) for i in range(len(arguments[-1]))]
    for said in {said for _, said in found if said}:
        warnings.warn(said, SynthprivWarning, stacklevel=2)
    return pa.concat_arrays([one for one, _ in found])


def _judge_one(*given: Any, monitor: Monitor) -> tuple[Any, str]:
    *listed, options = given
    facts = options.as_py()
    found, said = answer([one.values for one in listed], facts, monitor)
    return _struct(found), said


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of real records: their positions, of which the first so many are train's, and of each its share.

    positions, folds, blamed (-1: nobody) : int64; scores : float64; words: what raises each score, where asked for;
    control : float64, the scores that need no synthetic table, where they are asked for beside the others.
    """

    members: int
    positions: NDArray[np.int64]
    folds: NDArray[np.int64]
    scores: NDArray[np.float64]
    blamed: NDArray[np.int64]
    words: list[list[str]] | None
    control: NDArray[np.float64] | None = None


def answer(listed: Sequence[Any], facts: Mapping[str, Any], monitor: Monitor) -> tuple[Answer, str]:
    """Judge all real records that are asked for.

    Parameters
    ----------
    listed
        Pages of synthetic, train and holdout; of their keys; of the units of train and of the holdout; and of the hints
        of both. None where there are none.
    facts
        The fields that sql/membership/learned.sql gives.
    monitor
        Who follows and may end it.

    Returns
    -------
    tuple
        The answer, and what is to be said where it is empty because there are too few records.
    """
    *listed, train_units, holdout_units, train_hints, holdout_hints = listed
    tables, keys = _read(listed, facts)
    members, rows = tables["train"].rows, tables["train"].rows + tables["holdout"].rows
    who = uniques.persons([train_units, holdout_units], rows)
    is_member = np.arange(rows) < members
    asked = judging.sampled(who, is_member, facts["most"], facts["seed"])
    positions = np.arange(rows) if asked is None else asked
    is_member, judged_who = is_member[positions], who[positions]
    folds = judging.draw(judged_who.astype(np.int64), is_member, facts["folds"], facts["seed"])
    too_few = _too_few(facts, judged_who, is_member, folds, train_units is not None)
    if too_few:
        if not facts["lenient"]:
            raise TooFew(too_few)
        if monitor.progress is not None:
            monitor.progress(2, 2, "learned")  # a total of 1 is a call without a search
        nothing = np.zeros(0, np.int64)
        # A control that is left out shows as a number that is missing.
        empty = Answer(members, nothing, nothing, np.zeros(0), nothing, None)
        return empty, "" if facts["judges"] == "control" else too_few
    real, real_keys = ([one["train"], one["holdout"]] for one in (tables, keys))
    about = Tables(
        joined(real), tables.get("synthetic"), joined(real_keys), keys.get("synthetic"), who, facts,
        asked,
    )  # fmt: skip
    del tables, keys, real, real_keys
    judges = ("members", "control") if facts["judges"] == "both" else (facts["judges"],)
    progress = _Progress(monitor, facts["train"], features.steps(about), facts["folds"] * len(judges))
    with compiling(monitor):
        found = features.evidence(about, progress.of_features, monitor.cancelled)
    listened = features.hints([train_hints, holdout_hints], facts["hints"], about) if facts["hints"] else []
    seen = {
        "members": [*found.features, *listened],
        "control": [f for f in found.features if not f.of_synthetic] + features.values(about),
    }
    del about

    def judged(judge: str) -> judging.Judged:
        return judging.judge(
            judging.matrix(seen[judge]),
            is_member,
            folds,
            facts["seed"],
            facts["evidence"] and judge == "members",
            facts["threads"],
            partial(progress.of_folds, judges.index(judge) * facts["folds"]),
        )

    first, *others = map(judged, judges)
    words = _words(first.reasons, [feature.words for feature in seen["members"]]) if facts["evidence"] else None
    control = others[0].scores if others else None
    return Answer(members, positions, folds, first.scores, found.blamed, words, control), ""


def _read(listed: Sequence[Any], facts: Mapping[str, Any]) -> tuple[dict[str, pages.Encoded], dict[str, pages.Encoded]]:
    """The tables, and their keys, by side; of a control there is no synthetic one."""
    kinds = arrange.kinds(facts["roles"])
    tables, keys = {}, {}
    for side, held, side_keys in zip(_SIDES, listed[:3], uniques.read(listed[3:], len(kinds)), strict=True):
        if side == "synthetic" and facts["judges"] == "control":
            continue
        tables[side] = pages.read([] if held is None else held, kinds)
        if not tables[side].rows:
            raise EmptyTable(f"{facts[side]} has no rows; without a record there is no closest one")
        arrange.check_values(facts, tables[side], facts[side])
        keys[side] = side_keys
    return tables, keys


@dataclass(frozen=True, slots=True)
class _Progress:
    """Tells of features and of folds as of one piece of work, and ends it where it is cancelled."""

    monitor: Monitor
    label: str
    features: int
    folds: int

    def of_features(self, done: int, total: int, step: str) -> None:
        self._report(done, f"features of {self.label}: {step}")

    def of_folds(self, before: int, done: int, total: int) -> None:
        self._report(self.features + before + done, f"learning of {self.label}")

    def _report(self, done: int, label: str) -> None:
        if self.monitor.cancelled():
            raise Cancelled("the search was cancelled")
        if self.monitor.progress is not None:
            self.monitor.progress(done, self.features + self.folds, label)


def _too_few(
    facts: Any, who: NDArray[np.int32], is_member: NDArray[np.bool_], folds: NDArray[np.int64], units: bool
) -> str:
    """Say which side has too few records, or persons, in a fold; empty where none has."""
    for side, here in (("train", is_member), ("holdout", ~is_member)):
        least = min(len(np.unique(who[here & (folds == fold)])) for fold in range(facts["folds"]))
        if least < judging.LEAST:
            what = "persons" if units else "records"
            return (
                f"the attack learned needs {judging.LEAST} {what} of each side in each of {facts['folds']} folds, and "
                f"{facts[side]} has {len(np.unique(who[here]))}: give more, or ask another attack"
            )
    return ""


def _words(reasons: NDArray[np.int64], words: Sequence[str]) -> list[list[str]]:
    return [[words[place] for place in row if place >= 0] for row in reasons.tolist()]


def _struct(found: Answer) -> Any:
    rows = len(found.positions)
    listed = pa.list_(pa.string())
    said = pa.nulls(rows, listed) if found.words is None else pa.array(found.words, listed)
    blamed = pa.array(found.blamed, mask=found.blamed < 0)
    control = pa.nulls(rows, pa.float64()) if found.control is None else pa.array(found.control)
    columns = (pa.array(found.positions), pa.array(found.folds), pa.array(found.scores), blamed, said, control)
    lists = [pa.ListArray.from_arrays(pa.array([0, rows], pa.int32()), values) for values in columns]
    names = ["members", "positions", "folds", "scores", "synthetic", "evidence", "control"]
    return pa.StructArray.from_arrays([pa.array([found.members], pa.int64()), *lists], names=names)
