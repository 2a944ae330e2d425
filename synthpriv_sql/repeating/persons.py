"""The risk of one person: a synthesizer is trained with and without his record, and an attack tells which is which."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from synthpriv_sql.api.opening import connect
from synthpriv_sql.api.session import Session
from synthpriv_sql.engines.base import Answer, Engine, Progress
from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.repeating import data as given_data
from synthpriv_sql.repeating.kept import Kept
from synthpriv_sql.repeating.options import OF_PERSONS
from synthpriv_sql.repeating.running import Runs
from synthpriv_sql.repeating.synthesizers import Maker, check_columns, maker
from synthpriv_sql.results.result import Result

_TYPES = {
    "attack": "VARCHAR", "runs": "BIGINT", "auc": "DOUBLE", "auc_lower": "DOUBLE", "auc_upper": "DOUBLE",
    "p_value": "DOUBLE", "mean_in": "DOUBLE", "mean_out": "DOUBLE",
}  # fmt: skip
_RUN_TYPES = {"seed": "BIGINT", "inside": "BOOLEAN", "attack": "VARCHAR", "score": "DOUBLE"}
_KINDS = {"VARCHAR": pa.string(), "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "BOOLEAN": pa.bool_()}
Attack = str | Callable[[pa.Table, pa.Table], Any]
Numbers = np.ndarray[Any, np.dtype[np.float64]]


class PersonRisk(Result):
    """How well attacks tell that a person was in train; see `person_risk` for its columns."""

    runs: Result
    """A row for each training and attack: ``seed``, ``inside``, ``attack``, ``score``."""

    @classmethod
    def of(cls, engine: Engine | None, by_seed: Mapping[int, pa.Table]) -> PersonRisk:
        """Return the risk, from the scores of each training by its seed."""
        rows = [{"seed": seed, **row} for seed, table in by_seed.items() for row in table.to_pylist()]
        attacks = dict.fromkeys(row["attack"] for row in rows)
        made = cls(engine, "person_risk", _answer([_told(name, rows) for name in attacks], _TYPES))
        made.runs = Result(engine, "person_risk_runs", _answer(rows, _RUN_TYPES))
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "runs": self.runs}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.runs = state["runs"]


def person_risk(
    synthesizer: Any,
    data: Any,
    person: Any,
    times: int = 20,
    *,
    attack: Attack | Sequence[Attack] = "agreement",
    key: str | None = None,
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
) -> PersonRisk:
    """Train a synthesizer with and without one person, and tell how well an attack sees from its tables which is which.

    Each training is on a random part of the other records, drawn anew: ``times`` with the person's record added, and
    ``times`` without. The attack scores all records of the data against the synthetic table, as in `membership`, and is
    not told who was in train. The score of the person is compared between the two kinds of trainings.

    Parameters
    ----------
    synthesizer, data, share, into, name, workers, threads, form, files, session, wait, progress
        As in `repeat`; the table in ``into`` is called ``person_risk``.
    person
        The value of ``key`` that names the person; without ``key``, the position of the record, from 0.
    times
        How many trainings with the person, and as many without.
    attack
        One attack of `membership_scores`, or several, or functions of your own; not ``learned``, which is told who was
        in train. Of several, each has an interval and a p-value of its own.
    key
        A column that names records, and is not compared.
    seed
        Of the first training; those after it have the next numbers. Even ones are with the person.
    **options
        Options of `membership_scores`, such as ``exclude`` and ``metric``.

    Returns
    -------
    PersonRisk
        A row for each attack: ``attack``; ``runs``, the trainings of each kind; ``auc``, the chance that a training
        with the person gives him a higher score than one without (ties count half); ``auc_lower`` and ``auc_upper``,
        the 95 % interval of Newcombe (2006, method 5), which has a width at 1 too; ``p_value``, the exact one-sided
        test of Mann and Whitney, with ties; ``mean_in`` and ``mean_out``, the mean scores. The attribute ``runs`` has
        a row for each training and attack: ``seed``, ``inside``, ``attack``, ``score``.

    Raises
    ------
    SynthesizerError
        The synthesizer failed, or gave other columns. The message names the training.
    OptionError
        No record, or several, are the person's; or an option is wrong.
    WriteError
        ``into`` cannot be read or written.
    """
    given_data.check_times(times, 2)
    given_data.check_share(share)
    csv = options.pop("csv", None)
    made = maker(synthesizer, form, files)
    attacks = _listed(attack)
    asked = given_data.checked_options("membership_scores", {"key": key, **options}, OF_PERSONS)
    known = given_data.kept_name(name, made, into)
    said = {"share": share, "name": known, "options": asked, "attacks": list(attacks), "person": str(person)}
    with connect() as own:
        rows = given_data.read(session or own, data, csv)
        mark = given_data.fingerprint(own, rows, **said)
    place = _place(rows, person, None if key is None else given_data.column(rows, key, "key"))
    if rows.num_rows < 3:
        raise OptionError(f"data has {rows.num_rows} records, too few to train without the person")
    work = _Training(made, rows, place, share, attacks, asked)
    kept = Kept(into, "person_risk", mark, wait)
    found = Runs(work, kept, workers, threads, progress).rows(range(seed, seed + 2 * times))
    return PersonRisk.of(session.engine if session is not None else None, found)


@dataclass(frozen=True)
class _Training:
    maker: Maker
    rows: pa.Table
    place: int
    share: float
    attacks: Mapping[str, Attack]
    options: Mapping[str, Any]

    def __call__(self, session: Session, seed: int) -> pa.Table:
        is_person = pc.equal(pa.array(range(self.rows.num_rows), pa.int64()), self.place)
        others, person = self.rows.filter(pc.invert(is_person)), self.rows.filter(is_person)
        train = others.filter(given_data.halves(session, others, self.share, seed))
        inside = _is_inside(seed)
        if inside:
            # In a place by lot: at the end he would be known by it.
            train = pa.concat_tables([train, person])
            train = train.take(np.random.default_rng(seed).permutation(train.num_rows))
        if not train.num_rows:
            raise OptionError("train has no records; give more data, or another share or seed")
        synthetic = self.maker.make(train, seed)
        check_columns(synthetic, train, given_data.left_out(self.options))
        scores = []
        for attack in self.attacks.values():
            # Who was in train is no part of this call: it is the same whether the person was.
            given = {"synthetic": synthetic, "train": others, "holdout": person, "attack": attack, **self.options}
            found = session.call("membership_scores", seed=seed, **given).to_arrow()
            (score,) = found.filter(pc.equal(found["side"], "holdout"))["score"].to_pylist()
            scores.append(score)
        made = {"inside": [inside] * len(scores), "attack": list(self.attacks), "score": scores}
        return pa.table({name: pa.array(values, _KINDS[_RUN_TYPES[name]]) for name, values in made.items()})

    def called(self, seed: int) -> str:
        return f"the training {'with' if _is_inside(seed) else 'without'} the person, seed {seed}"


def _is_inside(seed: int) -> bool:
    return seed % 2 == 0


def _listed(attack: Any) -> dict[str, Attack]:
    """The attacks by name."""
    listed = [attack] if isinstance(attack, str) or callable(attack) else list(attack)
    named: dict[str, Attack] = {}
    for one in listed:
        name = one if isinstance(one, str) else getattr(one, "__name__", type(one).__name__)
        if name in {"learned", "all", "own"}:
            raise OptionError(f'"{name}" is no attack on one person: name one of membership_scores other than learned')
        if named.setdefault(name, one) is not one:
            raise OptionError(f'two attacks are called "{name}"')
    if not named:
        raise OptionError(f"{wording.option('attack')} names no attack")
    return named


def _place(rows: pa.Table, person: Any, key: str | None) -> int:
    """The position of the person's record."""
    if key is None:
        try:
            place = int(person)
        except (TypeError, ValueError):
            raise OptionError(
                f'{wording.refused("person", person)} is no position; give "key", the column of that value'
            ) from None
        if not 0 <= place < rows.num_rows:
            raise OptionError(f"data has the records 0 to {rows.num_rows - 1}, and no record {place}")
        return place
    values = rows[key]
    try:
        wanted = pa.scalar(person).cast(values.type)
    except pa.ArrowException:
        raise OptionError(f'{wording.refused("person", person)} is no value of the column "{key}"') from None
    places = np.flatnonzero(np.asarray(pc.equal(values, wanted).fill_null(False)))
    if len(places) != 1:
        said = f"{len(places)} records have" if len(places) else "no record has"
        raise OptionError(f'{said} {person!r} in the column "{key}", and one has to')
    return int(places[0])


def _told(attack: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How well an attack tells the trainings apart."""
    inside, outside = (
        np.array([row["score"] for row in rows if row["attack"] == attack and row["inside"] is side], np.float64)
        for side in (True, False)
    )
    auc, p_value = mann_whitney(inside, outside)
    lower, upper = auc_interval(auc, len(inside), len(outside))
    means = {"mean_in": float(inside.mean()), "mean_out": float(outside.mean())}
    ends = {"auc_lower": lower, "auc_upper": upper}
    return {"attack": attack, "runs": len(inside), "auc": auc, **ends, "p_value": p_value, **means}


def mann_whitney(larger: Numbers, smaller: Numbers) -> tuple[float, float]:
    """Return the share of pairs in which the first is larger, and the exact one-sided p-value, ties among them.

    Parameters
    ----------
    larger, smaller
        Scores; ties count half.

    Returns
    -------
    float, float
        Of all ways to choose so many of the scores, the share whose rank sum is as large as that of the first. It is
        exact with ties as well, as the ranks in the middle of ties are what is summed.
    """
    from scipy.stats import rankdata  # takes a while to load, and few calls need it

    ranks = np.rint(2 * rankdata(np.concatenate([larger, smaller]))).astype(np.int64)
    step = int(np.gcd.reduce(ranks))
    ranks //= step
    chosen, most = len(larger), int(ranks.sum())
    # By how many are chosen, and the sum of their ranks: the share of the choices, as counts overflow.
    ways = np.zeros((chosen + 1, most + 1))
    ways[0, 0] = 1.0
    for seen, rank in enumerate(ranks):
        before = ways
        ways = np.zeros_like(before)
        sizes = np.arange(chosen + 1)[:, None] / (seen + 1)
        ways += before * np.clip(1 - sizes, 0, None)
        ways[1:, rank:] += before[:-1, : most + 1 - rank] * sizes[1:]
    total = int(ranks[:chosen].sum())
    pairs = chosen * len(smaller)
    auc = (total * step / 2 - chosen * (chosen + 1) / 2) / pairs
    return float(auc), float(min(ways[chosen, total:].sum(), 1.0))


def auc_interval(auc: float, first: int, second: int, level: float = 0.95) -> tuple[float, float]:
    """Return an interval of an area under the curve, which has a width at 0 and 1 as well.

    Parameters
    ----------
    auc
        The area found.
    first, second
        How many scores there are of each kind.
    level
        How sure the interval is.

    References
    ----------
    Newcombe (2006), Confidence intervals for an effect size measure based on the Mann-Whitney statistic, part 2,
    Statistics in Medicine 25, 559-573, method 5.
    """
    from scipy.optimize import brentq  # scipy takes a while to load, and few calls need it
    from scipy.stats import norm

    z = float(norm.ppf((1 + level) / 2))
    star = (first + second) / 2 - 1

    def beyond(theta: float) -> float:
        spread = 1 + star * (1 - theta) / (2 - theta) + star * theta / (1 + theta)
        return float((auc - theta) ** 2 - z * z * theta * (1 - theta) * spread / (first * second))

    tiny = 1e-9  # at 0 and at 1 an end is a root of its own
    inner = min(max(auc, tiny), 1 - tiny)
    lower = float(brentq(beyond, 0.0, inner)) if auc > 0 else 0.0
    upper = float(brentq(beyond, inner, 1.0)) if auc < 1 else 1.0
    return lower, upper


def _answer(rows: Sequence[Mapping[str, Any]], types: Mapping[str, str]) -> Answer:
    table = pa.table({name: pa.array([row[name] for row in rows], _KINDS[type_]) for name, type_ in types.items()})
    return Answer(table, list(types.values()), "")
