"""The risk of one person: a synthesizer is trained with and without their record, and an attack is scored."""

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
from synthpriv_sql.engines.base import Answer, Engine
from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.progress import Progress
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
    """How well attacks infer that a person was in train; see `person_risk` for its columns."""

    runs: Result
    """A row for each training and attack: ``seed``, ``inside``, ``attack``, ``score``."""

    @classmethod
    def of(cls, engine: Engine | None, by_seed: Mapping[int, pa.Table]) -> PersonRisk:
        """Return the risk, from the scores of each training by its seed."""
        rows = [{"seed": seed, **row} for seed, table in by_seed.items() for row in table.to_pylist()]
        attacks = dict.fromkeys(row["attack"] for row in rows)
        made = cls(engine, "person_risk", _answer([_risk(name, rows) for name in attacks], _TYPES))
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
    """Train a synthesizer with and without one person, and measure how well an attack on its tables distinguishes the
    two.

    Each training uses a new random sample of the other records: ``times`` with the person's record added, and ``times``
    without. The attack scores all records of the data against the synthetic table, as in `membership`, without knowing
    whether the person was in train. The score of the person is compared between the two kinds of trainings.

    Parameters
    ----------
    synthesizer, data, share, into, name, workers, threads, form, files, session, wait, progress
        As in `repeat`; the table in ``into`` is ``person_risk``.
    person
        The value of ``key`` that identifies the person; without ``key``, the position of the record, from 0.
    times
        The number of trainings with the person, and of those without.
    attack
        One attack of `membership_scores`, or several, or your own functions. ``learned`` is told who else was in
        train. Each of several has its own interval and p-value.
    key
        A column that identifies records, and is not compared.
    seed
        The seed of the first training; it increases by one per training. Even seeds include the person.
    **options
        Options of `membership_scores`, such as ``exclude`` and ``metric``.

    Returns
    -------
    PersonRisk
        A row for each attack: ``attack``; ``runs``, the trainings of each kind; ``auc``, the probability that a
        training with the person gives a higher score than one without (ties count half); ``auc_lower`` and
        ``auc_upper``, the 95 % interval of Newcombe (2006, method 5), which has a positive width even at 1; ``p_value``
        of the exact one-sided Mann-Whitney test with ties; ``mean_in`` and ``mean_out``, the mean scores. The attribute
        ``runs`` has a row for each training and attack: ``seed``, ``inside``, ``attack``, ``score``.

    Raises
    ------
    SynthesizerError
        The synthesizer failed, or returned other columns. The message names the training.
    OptionError
        The person does not have exactly one record, or an option is invalid.
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
        drawn = given_data.halves(session, others, self.share, seed)
        train, rest = others.filter(drawn), others.filter(pc.invert(drawn))
        inside = _is_inside(seed)
        # What learned is told: all but whether the person is in train.
        labelled = {"train": train, "holdout": pa.concat_tables([rest, person])}
        if inside:
            # At a random position: the last one would give the person away.
            train = pa.concat_tables([train, person])
            train = train.take(np.random.default_rng(seed).permutation(train.num_rows))
        if not train.num_rows:
            raise OptionError("train has no records; give more data, or another share or seed")
        synthetic = self.maker.make(train, seed)
        check_columns(synthetic, train, given_data.left_out(self.options))
        scores = []
        for attack in self.attacks.values():
            # The input of the attack is the same whether the person was in train or not.
            sides = labelled if attack == "learned" else {"train": others, "holdout": person}
            given = {"synthetic": synthetic, **sides, "attack": attack, **self.options}
            found = session.call("membership_scores", seed=seed, **given).to_arrow()
            # Rows are in the order of records: the person is the last of the holdout.
            scores.append(found.filter(pc.equal(found["side"], "holdout"))["score"].to_pylist()[-1])
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
        if name in {"all", "own"}:
            raise OptionError(f'"{name}" is not an attack on one person: give one of membership_scores')
        if named.setdefault(name, one) is not one:
            raise OptionError(f'two attacks have the name "{name}"')
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
                f'{wording.refused("person", person)} is not a position; give "key", the column of that value'
            ) from None
        if not 0 <= place < rows.num_rows:
            raise OptionError(f"data has the records 0 to {rows.num_rows - 1}, but no record {place}")
        return place
    values = rows[key]
    try:
        wanted = pa.scalar(person).cast(values.type)
    except pa.ArrowException:
        raise OptionError(f'{wording.refused("person", person)} is not a value of the column "{key}"') from None
    places = np.flatnonzero(np.asarray(pc.equal(values, wanted).fill_null(False)))
    if len(places) != 1:
        said = f"{len(places)} records have" if len(places) else "no record has"
        raise OptionError(f'{said} {person!r} in the column "{key}", but exactly one must')
    return int(places[0])


def _risk(attack: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How well an attack distinguishes the trainings."""
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
        The share of pairs, and the share of all choices of as many scores whose rank sum is at least that of the first.
        It is also exact with ties, because midranks are summed.
    """
    from scipy.stats import rankdata  # imported lazily: slow, and few calls need it

    ranks = np.rint(2 * rankdata(np.concatenate([larger, smaller]))).astype(np.int64)
    step = int(np.gcd.reduce(ranks))
    ranks //= step
    chosen, most = len(larger), int(ranks.sum())
    # By number of chosen scores and rank sum: the share of choices, because counts would overflow.
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
    """Return an interval of an area under the curve, which has a positive width even at 0 and 1.

    Parameters
    ----------
    auc
        The estimated area.
    first, second
        The number of scores of each kind.
    level
        The confidence level.

    References
    ----------
    Newcombe (2006), Confidence intervals for an effect size measure based on the Mann-Whitney statistic, part 2,
    Statistics in Medicine 25, 559-573, method 5.
    """
    from scipy.optimize import brentq  # scipy imported lazily: slow, and few calls need it
    from scipy.stats import norm

    z = float(norm.ppf((1 + level) / 2))
    star = (first + second) / 2 - 1

    def beyond(theta: float) -> float:
        spread = 1 + star * (1 - theta) / (2 - theta) + star * theta / (1 + theta)
        return float((auc - theta) ** 2 - z * z * theta * (1 - theta) * spread / (first * second))

    tiny = 1e-9  # at 0 and at 1 one end is a trivial root
    inner = min(max(auc, tiny), 1 - tiny)
    lower = float(brentq(beyond, 0.0, inner)) if auc > 0 else 0.0
    upper = float(brentq(beyond, inner, 1.0)) if auc < 1 else 1.0
    return lower, upper


def _answer(rows: Sequence[Mapping[str, Any]], types: Mapping[str, str]) -> Answer:
    table = pa.table({name: pa.array([row[name] for row in rows], _KINDS[type_]) for name, type_ in types.items()})
    return Answer(table, list(types.values()), "")
