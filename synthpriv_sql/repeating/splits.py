"""Repeated splits: a synthesizer is trained on many random samples of the data, and each result is evaluated."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthpriv_sql.api.opening import connect
from synthpriv_sql.api.session import Session
from synthpriv_sql.engines.base import Answer, Engine
from synthpriv_sql.errors import OptionError, SynthesizerError
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.progress import Progress
from synthpriv_sql.repeating import data as given_data
from synthpriv_sql.repeating.kept import Kept
from synthpriv_sql.repeating.options import OF_SPLITS
from synthpriv_sql.repeating.pairs import NAMES, PAIRED, in_pairs, mean_of, people, table
from synthpriv_sql.repeating.running import Runs
from synthpriv_sql.repeating.synthesizers import Maker, check_columns, maker
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results.result import Result

_TYPES = {
    "section": "VARCHAR", "metric": "VARCHAR", "variant": "VARCHAR", "statistic": "VARCHAR", "splits": "BIGINT",
    "mean": "DOUBLE", "lower": "DOUBLE", "upper": "DOUBLE", "sd": "DOUBLE", "within_lower": "DOUBLE",
    "within_upper": "DOUBLE", "better": "VARCHAR", "meaning": "VARCHAR",
}  # fmt: skip


class Repeated(Result):
    """The numbers of `evaluate` over repeated splits; see `repeat` for its columns."""

    _by_split: Mapping[int, pa.Table]

    @classmethod
    def of(cls, engine: Engine | None, by_split: Mapping[int, pa.Table]) -> Repeated:
        """Return the numbers over splits, from the rows of `evaluate` of each split by its seed."""
        made = cls(engine, "repeat", Answer(_over_splits(by_split), list(_TYPES.values()), ""))
        made._by_split = by_split
        return made

    @cached_property
    def splits(self) -> Result:
        """The rows of `evaluate` of each split, with the seed of the split as first column."""
        tables = [
            rows.add_column(0, "seed", pa.array([seed] * rows.num_rows, pa.int64()))
            for seed, rows in self._by_split.items()
        ]
        types = ["BIGINT", *_types_of_evaluate()]
        return Result(self._engine, "repeat_splits", Answer(pa.concat_tables(tables), types, ""))

    @cached_property
    def evaluations(self) -> Mapping[int, Evaluation]:
        """The evaluation of each split, with its verdict, by the seed of the split."""
        return {
            seed: Evaluation.of(Result(self._engine, "evaluate", Answer(rows, _types_of_evaluate(), "")))
            for seed, rows in self._by_split.items()
        }

    def against(self, other: Repeated) -> Result:
        """Compare two synthesizers over the same splits, number by number.

        Parameters
        ----------
        other
            What `repeat` returned for another synthesizer, with the same data, ``share`` and seeds.

        Returns
        -------
        Result
            A row for each number of `evaluate` that both have in a split: ``section``, ``metric``, ``variant``,
            ``statistic``; ``splits``, in how many both have it; ``mean`` and ``other_mean``; ``difference``, the mean
            of this minus the other, with ``lower`` and ``upper``, its 95 % interval, and ``p_value``, two-sided
            (Student's t of the differences; null for one split, and where all are equal), for these data;
            ``corrected_lower``, ``corrected_upper`` and ``corrected_p_value``, the same for other data of the same
            kind; ``better``. Numbers that are p-values themselves are left out: their means say nothing.

        Raises
        ------
        OptionError
            The results have no split in common, or were made of other data.

        Notes
        -----
        Splits share records: ``p_value`` asks whether the difference would remain in other splits of these data, and
        is too small for the question whether it would in data of other people. That is what the corrected ones are for:
        the variance of the mean over J splits is s² (1/J + the records of the holdout per record of train) in place of
        s² / J (Nadeau and Bengio 2003, Inference for the generalization error, Machine Learning 52). With half of the
        records in train they are cautious, and more splits hardly narrow them. A p-value is of one number: adjust those
        that you choose from.
        """
        shared = [seed for seed in self._by_split if seed in other._by_split]
        if not shared:
            raise OptionError("the results have no split in common: repeat both with the same seed and times")
        for seed in shared:
            mine, theirs = (people(one._by_split[seed]) for one in (self, other))
            if mine != theirs:
                raise OptionError(
                    f"the split of seed {seed} has other people in the two results: repeat both with the same data, "
                    "share and seed"
                )
        found = in_pairs([(self._by_split[seed], other._by_split[seed]) for seed in shared])
        return Result(self._engine, "repeat_against", Answer(table(found, PAIRED), list(PAIRED.values()), ""))

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "by_split": dict(self._by_split)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._by_split = state["by_split"]


def _types_of_evaluate() -> list[str]:
    numbers = {"value", "lower", "upper"}
    return ["DOUBLE" if name in numbers else "VARCHAR" for name in catalog.function("evaluate").columns]


def repeat(
    synthesizer: Any,
    data: Any,
    times: int = 10,
    *,
    share: float = 0.5,
    seed: int = 0,
    into: str | os.PathLike[str] | None = None,
    name: str | None = None,
    workers: int = 1,
    threads: int | None = None,
    form: str = "arrow",
    files: str = "csv",
    session: Session | None = None,
    wait: float = 60,
    progress: Progress | bool | None = None,
    **options: Any,
) -> Repeated:
    """Train a synthesizer on random samples of the data, evaluate each of its tables, and aggregate the numbers.

    A coin flip decides for each record (with ``unit``, for each person) whether it is in train or in the holdout. The
    interval across splits holds for these data only: splits share records, so it does not cover other data.

    Parameters
    ----------
    synthesizer
        A function of train that returns a table of Arrow, pandas or polars; an object with ``fit`` (of a pandas data
        frame) and ``sample`` (of a number of rows), which is copied for each split; or a command with ``{train}`` and
        ``{synthetic}``, which runs without a shell. The seed of the split is passed to a function, ``fit`` or
        ``sample`` with a parameter ``seed``, and to a command with ``{seed}``.
    data
        All real rows, as a session takes a table. The synthesizer gets all columns. Its table must have the same ones;
        ``key``, ``unit`` and excluded columns may be absent.
    times
        The number of splits.
    share
        The probability of a record to be in train.
    seed
        The seed of the first split; it increases by one per split.
    into
        A DuckDB file that saves each finished split (table ``repeat``). Saved splits with the same data, options, name
        and version are not computed again: an interrupted call resumes, and more ``times`` add to it.
    name
        The name under which results of this synthesizer are saved; by default the command, the name of the function, or
        that of the class with the parameters of the object that are plain values. A synthesizer changed in another way
        needs another name: its code is not inspected.
    workers
        The number of concurrent splits, each in its own process.
    threads
        Threads of an evaluation; by default all cores divided by the workers.
    form
        ``arrow`` or ``pandas``: the input of a function.
    files
        ``csv`` or ``parquet``: the file format of a command.
    session
        The session with ``data``, if it is in a database. Evaluations run in DuckDB.
    wait
        How many seconds to wait for ``into`` while another process has locked it.
    progress
        A callable ``(done, total, label)``, or True for a bar.
    **options
        Options of `evaluate`, except tables, ``group_by`` and ``children``.

    Returns
    -------
    Repeated
        A row for each number of `evaluate`: ``section``, ``metric``, ``variant``, ``statistic``; ``splits``, the number
        of splits that have it; ``mean`` over these; ``lower`` and ``upper``, the 95 % interval of Student's t of that
        mean (null for one split); ``sd``, the standard deviation between splits; ``within_lower`` and ``within_upper``,
        the means of the ends of the interval within a split; ``better``, ``meaning``. The attribute ``splits`` has the
        rows of each split, ``evaluations`` the verdicts.

    Raises
    ------
    SynthesizerError
        The synthesizer failed, or returned other columns. The message names the split.
    OptionError
        An option is invalid, or a synthesizer cannot be sent to workers.
    WriteError
        ``into`` cannot be read or written.
    """
    given_data.check_times(times, 1)
    given_data.check_share(share)
    csv = options.pop("csv", None)
    made = maker(synthesizer, form, files)
    asked = given_data.checked_options("evaluate", options, OF_SPLITS)
    known = given_data.kept_name(name, made, into)
    with connect() as own:
        rows = given_data.read(session or own, data, csv)
        mark = given_data.fingerprint(own, rows, share=share, name=known, options=asked)
    unit = asked.get("unit")
    work = _Split(made, rows, share, asked, unit and given_data.column(rows, unit, "unit"))
    kept = Kept(into, "repeat", mark, wait)
    found = Runs(work, kept, workers, threads, progress).rows(range(seed, seed + times))
    return Repeated.of(session.engine if session is not None else None, found)


@dataclass(frozen=True)
class _Split:
    maker: Maker
    rows: pa.Table
    share: float
    options: Mapping[str, Any]
    unit: str | None

    def __call__(self, session: Session, seed: int) -> pa.Table:
        chosen = given_data.halves(session, self.rows, self.share, seed, self.unit)
        train, holdout = self.rows.filter(chosen), self.rows.filter(pc.invert(chosen))
        for half, called in ((train, "train"), (holdout, "the holdout")):
            if not half.num_rows:
                raise SynthesizerError(f"{called} has no records; give more data, or another share or seed")
        synthetic = self.maker.make(train, seed)
        check_columns(synthetic, train, given_data.left_out(self.options))
        evaluated = session.call(
            "evaluate", synthetic=synthetic, train=train, holdout=holdout, seed=seed, **self.options
        )
        return evaluated.to_arrow()

    def called(self, seed: int) -> str:
        return f"the split of seed {seed}"


def _over_splits(by_split: Mapping[int, pa.Table]) -> pa.Table:
    """Aggregate the numbers over all splits."""
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for rows in by_split.values():
        for row in rows.to_pylist():
            found.setdefault(tuple(row[name] for name in NAMES), []).append(row)
    made = []
    for names, rows in found.items():
        values = _known(rows, "value")
        mean, lower, upper, sd = mean_of(values)
        within = [mean_of(_known(rows, end))[0] for end in ("lower", "upper")]
        said = (rows[0]["better"], rows[0]["meaning"])
        made.append((*names, len(values), mean, lower, upper, sd, *within, *said))
    return table(made, _TYPES)


def _known(rows: list[dict[str, Any]], column: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([row[column] for row in rows if row[column] is not None], np.float64)
