"""Tables whose truth is known, second part: leaks of few people, holdouts that were seen, no holdout, safe tables."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from benchmarks.zoo import LEAK, SAFE, UNFIT, People, Specimen, cart, copula, densest, isolated, smote, spliced
from synthpriv_sql.report.verdict.replays import MANY
from synthpriv_sql.report.verdict.testing import at_least

PLANTED = (5, 20, 60, 150)
"""How many people are planted."""
FEWEST = 20
"""From how many planted people on a verdict has to be bad."""
DRAWS = 40
"""How often each safe table is drawn."""
PLANTED_IN = "planted in"
"""The attribute of a synthetic table that names the columns in which people are planted."""


def planted(kind: str, count: int):
    """Independent people, among whom records of `count` people of train are planted."""

    def draw(random: np.random.Generator, p: People):
        synthetic, train, holdout = (_with_names(random, table) for table in (p.others, p.train, p.holdout))
        if kind not in {"mails", "names replaced"}:
            synthetic, train, holdout = p.others.copy(), p.train, p.holdout
        here = random.choice(len(synthetic), count, replace=False)
        rare = isolated(p.train, count) if kind == "rare people" else None
        there = random.choice(len(train), count, replace=False) if rare is None else rare
        columns = _columns(random, kind, p.train)
        for column in columns:
            synthetic.loc[here, column] = train[column].to_numpy()[there]
        synthetic.attrs[PLANTED_IN] = [str(column) for column in columns]
        return synthetic, train, holdout

    return draw


def _columns(random, kind, train):
    """The planted columns: of some, the one that tells people apart most is among them."""
    if kind == "mails":
        return ["mail"]
    if kind not in {"four columns", "two columns"}:
        return list(train)
    most, *others = sorted(train, key=lambda column: -train[column].nunique())
    return [most, *random.choice(others, 3 if kind == "four columns" else 1, replace=False)]


def _with_names(random, table):
    """A name and an address that nobody else has."""
    names = [f"{a}{b}" for a, b in random.integers(10**8, 10**9, (len(table), 2))]
    return table.assign(name=names, mail=[f"{name[:9]}@{name[9:]}.org" for name in names])


def _seen(made):
    """A synthesizer that saw the holdout as well."""

    def draw(random, p):
        everybody = pd.concat([p.train, p.holdout], ignore_index=True)
        synthetic, *_ = made(random, replace(p, train=everybody))
        return synthetic.sample(min(len(p.train), len(synthetic)), random_state=0), p.train, p.holdout

    return draw


def _copies(count):
    def draw(random, p):
        copied = p.train.sample(count, random_state=int(random.integers(2**31)))
        return pd.concat([p.others.iloc[count:], copied], ignore_index=True), p.train, p.holdout

    return draw


def _without_holdout(draw):
    return lambda random, p: (*draw(random, p)[:2], None)


def _of_others(draw):
    """The same synthesizer, fitted on people who are in neither table."""

    def drawn(random, p):
        return draw(random, replace(p, train=p.others))[0], p.train, p.holdout

    return drawn


def _shuffled(random, p):
    return pd.DataFrame({c: random.permutation(p.train[c].to_numpy()) for c in p.train}), p.train, p.holdout


def _collapsed(random, p):
    """A hundred people of nobody's table, forty times."""
    few = p.others.iloc[:100]
    return pd.concat([few] * 40, ignore_index=True), p.train, p.holdout


def _real(random, p):
    return p.others, p.train, p.holdout


def known(synthetic, train, holdout) -> tuple[int, int] | None:
    """Whose cells come back, of train and of the holdout, for one who knows in which columns people are planted."""
    columns = synthetic.attrs.get(PLANTED_IN)
    if columns is None or holdout is None:
        return None
    there = pd.MultiIndex.from_frame(synthetic[columns].astype(str))
    train, holdout = (
        int(pd.MultiIndex.from_frame(real[columns].astype(str)).isin(there).sum()) for real in (train, holdout)
    )
    return train, holdout


def is_expected(specimen: Specimen, come_back: tuple[int, int] | None) -> bool:
    """Whether a leak has to be found: of enough people whose cells come back verbatim, and those of few strangers.

    Where the planted cells of many strangers come back by chance, one who knows the columns, and asks only whether they
    come back, could not tell that five people are given away. Who weighs rare values more sometimes can.
    """
    count = specimen.name.partition(" ")[0]
    if count.isdecimal() and int(count) < FEWEST:
        return False
    return come_back is None or at_least(*come_back, 0.5, 1) >= MANY


_KINDS = ("whole rows", "four columns", "two columns", "rare people", "mails", "names replaced")
_LEAKS = {"splices of 2": spliced(2), "CART, leaves of 1": cart(1), "SMOTE": smote, "800 copies": _copies(800)}
_SAFE = {
    "independent people": _real,
    "shuffled columns": _of_others(_shuffled),
    "Gaussian copula": _of_others(copula),
    "CART": _of_others(cart(1)),
    "SMOTE": _of_others(smote),
    "densest half": densest,
    "100 rows 40 times": _collapsed,
}
_SOURCES = ("adult", "acs", "midst", "generated")


def specimens() -> Iterator[Specimen]:
    """All of them. People are planted among generated ones, of whom there are enough and who do not share numbers."""
    for rows in (3_000, 25_000):
        for kind in _KINDS:
            for count in PLANTED:
                yield Specimen(f"{count} people, {kind}, of {rows:,}", LEAK, planted(kind, count), "generated", rows)
    for name, made in _LEAKS.items():
        yield Specimen(f"{name}, the holdout was seen", UNFIT, _seen(made), "adult", 3_000)
        yield Specimen(f"{name}, no holdout", LEAK, _without_holdout(made), "adult", 3_000)
    for name, made in _SAFE.items():
        yield Specimen(f"{name} of others, no holdout", UNFIT, _without_holdout(made), "adult", 3_000)
        for of in _SOURCES:
            yield Specimen(f"{name} of others", SAFE, made, of, 3_000)
