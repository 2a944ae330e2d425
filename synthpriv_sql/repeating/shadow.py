"""The attack `shadow`, of an attacker who can train the synthesizer: it learns what membership looks like from tables
whose members it knows.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from synthpriv_sql.api.opening import connect
from synthpriv_sql.api.session import Session
from synthpriv_sql.errors import OptionError
from synthpriv_sql.learned import features, judging
from synthpriv_sql.learned.tables import Tables
from synthpriv_sql.planner.headers import catalog, wording
from synthpriv_sql.progress import Progress
from synthpriv_sql.repeating import data as given_data
from synthpriv_sql.repeating.kept import Kept
from synthpriv_sql.repeating.running import Runs
from synthpriv_sql.repeating.synthesizers import Maker, check_columns, maker
from synthpriv_sql.udf import uniques
from synthpriv_sql.udf.encoded import arrange, pages

LEAST = 4
"""Fewer shadow tables say nothing about the spread of a person's features."""
Numbers = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]


class Shadow:
    """An attack for ``attack`` of `membership`, `exposure` and others; made by `shadow`."""

    __name__ = "shadow"

    def __init__(
        self, work: _Training, shadows: int, seed: int, kept: Mapping[str, Any], runs: Mapping[str, Any]
    ) -> None:
        self._work = work
        self._shadows = shadows
        self._seed = seed
        self._kept = kept
        self._runs = runs

    def __call__(self, real: pa.Table, synthetic: pa.Table, persons: Integers | None = None) -> Numbers:
        """Score real people, of whom it does not know who was in train.

        Parameters
        ----------
        real, synthetic
            The compared columns of all people, in any order, and of the released table.
        persons : int64 (real,), optional
            The number of the person of each real record, from 0: a half has all records of a person, or none. Each
            record is a person by default.

        Returns
        -------
        float64 (real,): larger for likely members.
        """
        who = np.arange(real.num_rows) if persons is None else np.asarray(persons)
        people = len(np.unique(who))
        if people < 2 * judging.MIN_RECORDS:
            raise OptionError(
                f"the attack shadow trains the synthesizer on halves of all people, and there are {people}: it "
                f"needs {2 * judging.MIN_RECORDS}"
            )
        work = replace(self._work, rows=real, persons=who)
        threads = self._runs["threads"]
        with connect(**({} if threads is None else {"threads": threads})) as session:
            said: dict[str, Any] = {"name": self._kept["name"], "options": work.options}
            if people < real.num_rows:
                said["persons"] = hashlib.sha256(np.ascontiguousarray(who, np.int64).tobytes()).hexdigest()
            mark = given_data.fingerprint(session, real, **said)
            released = work.evidence(session, synthetic)
        kept = Kept(self._kept["into"], "shadow", mark, self._kept["wait"])
        found = Runs(work, kept, **self._runs).rows(range(self._seed, self._seed + self._shadows))
        shadows = [_Evidence.read(table) for table in found.values()]
        return scores(shadows, released, self._seed, threads or os.cpu_count() or 1)


def shadow(
    synthesizer: Any,
    shadows: int = 10,
    *,
    seed: int = 0,
    into: str | os.PathLike[str] | None = None,
    name: str | None = None,
    workers: int = 1,
    threads: int | None = None,
    form: str = "arrow",
    files: str = "csv",
    wait: float = 60,
    progress: Progress | bool | None = None,
    **options: Any,
) -> Shadow:
    """Return the attack of somebody who can train the synthesizer, for ``attack`` of `membership` and others.

    The synthesizer is trained on random halves of all people, of train and of the holdout alike. These shadow tables
    show for each person how the features of the attack `learned` differ between tables of a synthesizer that has seen
    them, and of one that has not: classifiers learn that, and score the released table. Nobody's side is known to the
    attack.

    Parameters
    ----------
    synthesizer, into, name, workers, threads, form, files, wait, progress
        As in `repeat`; the table in ``into`` is ``shadow``, and what it remembers serves every table released of the
        same people.
    shadows
        The number of shadow tables: 8 to 12 are usual, at least 4.
    seed
        The seed of the first one; it increases by one for each.
    **options
        How columns are compared, as in `membership_scores`: ``numeric``, ``categorical``, ``weights``.

    Returns
    -------
    Shadow
        A function of all people and the released table. Columns that the call leaves out, such as its ``key``, are left
        out of the trainings too. With ``unit``, halves are drawn of persons: all records of a person are in, or none.

    Raises
    ------
    OptionError
        The synthesizer is none, an option is invalid, or there are too few shadow tables or people.
    SynthesizerError
        A training failed; the message names its seed.

    References
    ----------
    Shokri et al. (2017), Membership inference attacks against machine learning models, IEEE S&P.
    """
    if shadows < LEAST:
        raise OptionError(f"{wording.refused('shadows', shadows)} is not at least {LEAST}")
    made = maker(synthesizer, form, files)
    asked = given_data.checked_options("membership_scores", options, _NOT_HERE)
    known = given_data.kept_name(name, made, into)
    work = _Training(made, pa.table({}), np.zeros(0, np.int64), asked)
    runs = {"workers": workers, "threads": threads, "progress": progress}
    return Shadow(work, shadows, seed, {"into": into, "name": known, "wait": wait}, runs)


_OF_THE_CALL = "the call that asks the attack decides"
_NOT_HERE = dict.fromkeys(
    ("attack", "unit", "unit_score", "exclude", "key", "order", "group_by", "releases", "scores", "most"), _OF_THE_CALL
)


_OPTIONS = ("columns", "roles", "weights", "texts", "vectors", "threads", "memory")
"""Those of sql/membership/evidence_pages.sql that features need."""


@dataclass(frozen=True)
class _Evidence:
    """The features of all people by label, and whether the synthesizer saw each; none for the released table."""

    features: Mapping[str, Numbers]
    inside: Booleans | None = None

    @classmethod
    def read(cls, row: pa.Table) -> _Evidence:
        """Return what `table` made a row of."""
        (one,) = row.to_pylist()
        values = np.array(one["features"], np.float64).reshape(len(one["labels"]), -1)
        return cls(dict(zip(one["labels"], values, strict=True)), np.array(one["inside"], bool))

    def table(self) -> pa.Table:
        """One row, to be saved."""
        flat = np.concatenate(list(self.features.values()))
        inside: Any = [] if self.inside is None else self.inside
        return pa.table({"labels": [list(self.features)], "inside": [inside], "features": [flat]})


@dataclass(frozen=True)
class _Training:
    maker: Maker
    rows: pa.Table
    persons: Integers
    options: Mapping[str, Any]

    def __call__(self, session: Session, seed: int) -> pa.Table:
        drawn = given_data.halves(session, pa.table({"person": self.persons}), 0.5, seed, "person")
        train = self.rows.filter(drawn)
        synthetic = self.maker.make(train, seed)
        check_columns(synthetic, train, ())
        found = self.evidence(session, synthetic)
        return replace(found, inside=np.asarray(drawn.combine_chunks())).table()

    def evidence(self, session: Session, synthetic: pa.Table) -> _Evidence:
        """Compute the features that depend on a synthetic table."""
        given = {"synthetic": synthetic, "train": self.rows, **self.options}
        (row,) = session.call(catalog.file("evidence_pages"), **given).to_arrow().to_batches()
        options = {name: row[name][0].as_py() for name in _OPTIONS}
        kinds = arrange.kinds(options["roles"])
        of = {name: pages.read(row[name][0].values, kinds) for name in ("synthetic", "real")}
        for name, table in of.items():
            arrange.check_values(options, table, "synthetic" if name == "synthetic" else "the real records")
        keys = uniques.read([row[name][0].values for name in ("synthetic_keys", "real_keys")], len(kinds))
        tables = Tables(of["real"], of["synthetic"], keys[1], keys[0], self.persons.astype(np.int32), options)
        found = features.evidence(tables).features
        return _Evidence({one.label: one.values for one in found if one.uses_synthetic})

    def called(self, seed: int) -> str:
        return f"the training of a shadow table, seed {seed}"


def scores(shadows: Sequence[_Evidence], released: _Evidence, seed: int, threads: int = 1) -> Numbers:
    """Score people in a released table by classifiers that learned from shadow tables.

    Parameters
    ----------
    shadows
        The features of all people in each shadow table, and who was inside.
    released
        Their features in the released table.
    seed
        Of the classifiers.
    threads
        How many work at once.

    Returns
    -------
    float64 (people,): the mean rank of three classifiers. Each feature is given to them as it is, and relative to the
    same person in the other shadow tables: less the mean there, divided by the spread.
    """
    labels = [label for label in released.features if all(label in one.features for one in shadows)]
    seen = np.stack([np.stack([one.features[label] for label in labels], axis=1) for one in shadows])
    asked = np.stack([released.features[label] for label in labels], axis=1)
    inside = [one.inside for one in shadows if one.inside is not None]
    total, squares, count = seen.sum(axis=0), (seen * seen).sum(axis=0), len(seen)
    # Few tables may give a person a spread that is by chance far too small: it is at least the usual one.
    usual = np.sqrt(np.mean(np.maximum(squares / count - (total / count) ** 2, 0.0), axis=0))

    def relative(values: Numbers, total: Numbers, squares: Numbers, count: int) -> Numbers:
        mean = total / count
        spread = np.sqrt(np.maximum(squares / count - mean * mean, 0.0) * count / (count - 1))
        return np.hstack([(values - mean) / np.maximum(spread, np.where(usual > 0, usual, 1.0)), values])

    known = np.concatenate([relative(one, total - one, squares - one * one, count - 1) for one in seen])
    asked = relative(asked, total, squares, count)
    return judging.trained_apart(known, np.concatenate(inside), asked, seed, threads)
