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
from synthpriv_sql.learned import features, judging, releases
from synthpriv_sql.learned.tables import Feature, Tables, joined
from synthpriv_sql.learned.tables import hints as hints_of
from synthpriv_sql.learned.tables import values as values_of
from synthpriv_sql.udf import persons, uniques
from synthpriv_sql.udf.encoded import arrange, pages
from synthpriv_sql.udf.encoded.releases import Releases
from synthpriv_sql.udf.neighbors import Monitor, combined, compiling, watched

FOUND_SQL = (
    "STRUCT(members BIGINT, positions BIGINT[], folds BIGINT[], scores DOUBLE[], synthetic BIGINT[], "
    "evidence VARCHAR[][], control DOUBLE[], releases VARCHAR[], released VARCHAR[])"
)
_SIDES = ("train", "holdout")
_ALONE = "alone"


def judge(*given: Any, monitor: Monitor) -> Any:
    """``synthpriv_learned(pages …, keys …, units …, hints …, options)``: the score of each real record.

    Parameters
    ----------
    given
        Arrow lists of pages, one list per row, of synthetic, train and holdout; the same of their keys; lists of pages
        with the unit of each record of train and holdout, null if no unit is named; the same of their hints; and
        structs with the fields of sql/membership/learned_releases.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    pyarrow.Array
        One struct per row: the number of records of train; then for all real records, those of train before those of
        the holdout (or a sample of each side according to the option ``most``), the position, the fold, the score, the
        closest synthetic record, the features that raise the score, the score of the control (null if not
        requested), the release that this synthetic record is of (null without releases), and the set of releases that
        was judged; all records for each set. No records if there are too few and the options are lenient.

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
    found, message = answers([one.values for one in page_lists], options.as_py(), monitor)
    return _struct(found), message


@dataclass(frozen=True, slots=True)
class Answer:
    """The scores of real records, those of train first; ``members`` is the number of all records of train.

    positions, folds, nearest (the closest synthetic record, -1 for none) : int64; scores : float64; labels: the
    features that raise each score, if requested; control : float64, the scores of a classifier that does not use the
    synthetic table, if requested; releases: the names of those that ``nearest`` is of, as an Arrow array; released: the
    set of releases.
    """

    members: int
    positions: NDArray[np.int64]
    folds: NDArray[np.int64]
    scores: NDArray[np.float64]
    nearest: NDArray[np.int64]
    labels: list[list[str]] | None
    control: NDArray[np.float64] | None = None
    releases: Any = None
    released: str = _ALONE


def answers(listed: Sequence[Any], options: Mapping[str, Any], monitor: Monitor) -> tuple[list[Answer], str]:
    """Score all selected real records.

    Parameters
    ----------
    listed
        Pages of synthetic, train and holdout; of their keys; of the units of train and holdout; and of the hints of
        both. None for missing pages.
    options
        The fields of sql/membership/learned_releases.sql.
    monitor
        The progress callback and the check for cancellation.

    Returns
    -------
    tuple
        The answer for each set of releases, and a warning if there is none because there are too few records.
    """
    *listed, train_units, holdout_units, train_hints, holdout_hints = listed
    several = Releases.of(options)
    sets = options["released_of"] if several.names else [_ALONE]
    tables, keys, synthetic, synthetic_keys = _read(listed, options, several)
    members, rows = tables["train"].rows, tables["train"].rows + tables["holdout"].rows
    who = persons.of_records([train_units, holdout_units], rows)
    is_member = np.arange(rows) < members
    selected = persons.sampled(who, is_member, options["most"], options["seed"])
    positions = np.arange(rows) if selected is None else selected
    is_member, selected_who = is_member[positions], who[positions]
    if several.names and len(np.unique(selected_who)) > judging.FEW_PERSONS:
        sets = [one for one in sets if one in releases.MAIN] or sets
    options = {**options, "folds": judging.folds_of(selected_who, is_member, options["folds"])}
    folds = judging.assign_folds(selected_who.astype(np.int64), is_member, options["folds"], options["seed"])
    too_few = _too_few(options, selected_who, is_member, folds, train_units is not None)
    if too_few:
        return _nobody(too_few, members, options, monitor)
    real, real_keys = ([one["train"], one["holdout"]] for one in (tables, keys))
    given = Tables(joined(real), None, joined(real_keys), None, who, options, selected)
    del tables, keys, real, real_keys
    hints = hints_of([train_hints, holdout_hints], options["hints"], given) if options["hints"] else []
    judges = {"both": ["members", "control"]}.get(options["judges"], [options["judges"]])
    trained = len(judges) + len(sets) - 1
    count = releases.steps(given, several, sets) if synthetic else features.steps(given)
    progress = _Progress(monitor, options["train"], count, options["folds"] * trained)
    with compiling(monitor):
        if synthetic:
            found = releases.judged(
                given, synthetic, synthetic_keys, several, sets, progress.of_features, monitor.cancelled
            )
        else:
            alone = features.evidence(given, progress.of_features, monitor.cancelled)
            found = {_ALONE: releases.Judged(alone.features, alone.nearest, given)}
    sizes = [table.rows for table in synthetic]
    del given, synthetic, synthetic_keys
    done = 0

    def judged(made: Sequence[Feature], reasons: bool) -> judging.Judged:
        nonlocal done
        before, done = done, done + options["folds"]
        return judging.judge(
            judging.matrix(made),
            is_member,
            folds,
            options["seed"],
            reasons,
            options["threads"],
            partial(progress.of_folds, before),
        )

    made = []
    for released, one in found.items():
        answered: dict[str, judging.Judged] = {}
        for judge in judges if released == sets[0] else judges[:1]:
            of_judge = [*one.features, *hints]
            if judge == "control":
                of_judge = [f for f in one.features if not f.uses_synthetic] + values_of(one.tables)
            answered[judge] = judged(of_judge, options["evidence"] and judge == "members")
            if judge == "members" and options["evidence"]:
                labels = _labels(answered[judge].reasons, [feature.label for feature in of_judge])
        first = answered[judges[0]]
        control = answered["control"].scores if len(judges) > 1 and "control" in answered else None
        nearest, names = several.records(one.nearest, sizes)
        made.append(
            Answer(
                members,
                positions,
                folds,
                first.scores,
                nearest.fill_null(-1).to_numpy(zero_copy_only=False),
                labels if options["evidence"] else None,
                control,
                names,
                released,
            )
        )
    return made, ""


def _nobody(too_few: str, members: int, options: Mapping[str, Any], monitor: Monitor) -> tuple[list[Answer], str]:
    """No answer, and why; an error unless the options are lenient."""
    if not options["lenient"]:
        raise TooFew(too_few)
    if monitor.progress is not None:
        monitor.progress(2, 2, "learned")  # a total of 1 is a call without a search
    nothing = np.zeros(0, np.int64)
    # A control without scores is reported as a missing number.
    empty = Answer(members, nothing, nothing, np.zeros(0), nothing, None)
    return [empty], "" if options["judges"] == "control" else too_few


def _read(
    listed: Sequence[Any], options: Mapping[str, Any], several: Releases
) -> tuple[dict[str, pages.Encoded], dict[str, pages.Encoded], list[pages.Encoded], list[pages.Encoded]]:
    """Return the real tables and their keys by side, and each release and its keys; the control alone has none."""
    kinds = arrange.kinds(options["roles"])
    synthetic_pages, *real_pages = listed[:3]
    synthetic_keys, *real_keys = listed[3:]
    releases_of = several.pages(synthetic_pages, options)
    keys_of = several.pages(synthetic_keys, {"counts": options.get("key_counts")})
    if options["judges"] == "control":
        releases_of, keys_of = [], []
    read = [pages.read([] if held is None else held, kinds) for held in [*real_pages, *releases_of]]
    names = [*_SIDES, *(["synthetic"] * len(releases_of))]
    for side, table in zip(names, read, strict=True):
        if not table.rows:
            raise EmptyTable(f"{options[side]} has no rows; without a record there is no closest one")
        arrange.check_values(options, table, options[side])
    read_keys = uniques.read([*real_keys, *keys_of], len(kinds))
    return (
        dict(zip(_SIDES, read, strict=False)),
        dict(zip(_SIDES, read_keys, strict=False)),
        read[len(_SIDES) :],
        read_keys[len(_SIDES) :],
    )


@dataclass(frozen=True, slots=True)
class _Progress:
    """Reports features and folds as one task, and raises `Cancelled` on request."""

    monitor: Monitor
    label: str
    features: int
    folds: int

    def of_features(self, done: int, total: int, step: str) -> None:
        # With synthetic there may be steps that real records alone have not.
        self._report(min(done, self.features), f"features of {self.label}: {step}")

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


def _struct(found: Sequence[Answer]) -> Any:
    listed = pa.list_(pa.string())
    columns: list[list[Any]] = []
    for one in found:
        rows = len(one.positions)
        columns.append(
            [
                pa.array(one.positions),
                pa.array(one.folds),
                pa.array(one.scores),
                pa.array(one.nearest, mask=one.nearest < 0),
                pa.nulls(rows, listed) if one.labels is None else pa.array(one.labels, listed),
                pa.nulls(rows, pa.float64()) if one.control is None else pa.array(one.control),
                pa.nulls(rows, pa.string()) if one.releases is None else one.releases,
                pa.array([one.released] * rows, pa.string()),
            ]
        )
    together = [pa.concat_arrays(parts) for parts in zip(*columns, strict=True)]
    lists = [pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values) for values in together]
    names = ["members", "positions", "folds", "scores", "synthetic", "evidence", "control", "releases", "released"]
    return pa.StructArray.from_arrays([pa.array([found[0].members], pa.int64()), *lists], names=names)
