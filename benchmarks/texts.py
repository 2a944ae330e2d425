"""Texts of people that come back with typos: attacks beside LevAtt's score, and how long texts take.

LevAtt (Ward et al., arXiv 2512.08875) scores a person by the least Levenshtein distance of the row, written as one
text, to rows of synthetic. It is written anew here, from its definition.
"""

import time
import warnings

import numba
import numpy as np
import pandas as pd

import synthpriv_sql
from synthpriv_sql.errors import SynthprivWarning
from tests.helpers import texts

COLUMNS = ["first", "name", "mail", "employer", "age", "income"]
PLANTED = {
    "nothing": (),
    "name and address, verbatim": ("verbatim",),
    "name and address, one edit": ("one edit",),
    "name and address, two edits": ("two edits",),
    "name and address, other case and blanks": ("other case and blanks",),
    "whole rows, one edit": ("one edit", "first", "employer", "age", "income"),
    "whole rows, last digit of income": ("verbatim", "first", "employer", "age"),
}
"""How the names and addresses of people come back, and which of their columns come back as they are."""
ATTACKS = ("LevAtt", "agreement", "agreement_near")


def people(rows, planted, count, seed=0):
    """Synthetic, train and holdout, with texts of `count` people of train in synthetic."""
    train, holdout, synthetic = (texts.drawn(n, 3 * seed + k)[COLUMNS] for k, n in enumerate((rows, rows, 2 * rows), 1))
    if planted != "nothing":
        random, (how, *kept) = np.random.default_rng(seed), PLANTED[planted]
        for column in ("name", "mail"):
            synthetic.loc[: count - 1, column] = [texts.PLANTED[how](t, random) for t in train[column][:count]]
        for column in kept:
            synthetic.loc[: count - 1, column] = train[column][:count]
        if planted.endswith("income"):
            synthetic.loc[: count - 1, "income"] = (train.income[:count] + random.integers(1, 10, count) / 100).round(2)
    return synthetic, train, holdout


def written(*tables):
    """Rows of tables as texts: characters as numbers, all rows one after another, and where each begins; how many."""
    rows = [["|".join(str(value) for value in row) for row in table.itertuples(index=False)] for table in tables]
    points = [np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32) for texts in rows]
    alphabet = np.unique(np.concatenate(points))
    starts = [np.concatenate([[0], np.cumsum([len(row) for row in texts])]) for texts in rows]
    return [(np.searchsorted(alphabet, p), s) for p, s in zip(points, starts, strict=True)], len(alphabet)


@numba.njit(nogil=True)
def _distance(where, size, other, first, last, plus, minus):
    """The Levenshtein distance, 64 rows of its table at a time (Myers 1999, Hyyrö 2003); `where` has each character."""
    plus[:], minus[:] = ~np.uint64(0), np.uint64(0)
    one, end = np.uint64(1), np.uint64((size - 1) & 63)
    score = size
    for j in range(first, last):
        carry = 1
        for word in range(len(plus)):
            equal, up, down = where[other[j], word], plus[word], minus[word]
            vertical = equal | down
            if carry < 0:
                equal |= one
            horizontal = (((equal & up) + up) ^ up) | equal
            more, less = down | ~(horizontal | up), up & horizontal
            if word == len(plus) - 1:
                score += np.int64((more >> end) & one) - np.int64((less >> end) & one)
            out = np.int64(more >> np.uint64(63)) - np.int64(less >> np.uint64(63))
            more, less = (more << one) | np.uint64(carry > 0), (less << one) | np.uint64(carry < 0)
            plus[word], minus[word] = less | ~(vertical | more), more & vertical
            carry = out
    return score


@numba.njit(nogil=True, parallel=True)
def _least(points, starts, others, their_starts, alphabet, out):
    for i in numba.prange(len(out)):
        begin, size = starts[i], starts[i + 1] - starts[i]
        words = (size + 63) >> 6
        where = np.zeros((alphabet, words), np.uint64)
        for p in range(size):
            where[points[begin + p], p >> 6] |= np.uint64(1) << np.uint64(p & 63)
        plus, minus = np.empty(words, np.uint64), np.empty(words, np.uint64)
        best = 1 << 30
        for k in range(len(their_starts) - 1):
            if abs(their_starts[k + 1] - their_starts[k] - size) < best:
                best = min(best, _distance(where, size, others, their_starts[k], their_starts[k + 1], plus, minus))
        out[i] = best


def levatt(synthetic, real):
    """Minus the least distance of each real row to rows of synthetic."""
    (mine, theirs), alphabet = written(real, synthetic)
    out = np.zeros(len(real), np.int64)
    _least(*mine, *theirs, alphabet, out)
    return -out.astype(float)


def measured(quick):
    """Yield what was planted, the attack, its seconds, and what it finds."""
    rows, count = (1_000, 10) if quick else (3_000, 30)
    levatt(*(texts.drawn(5, 1)[COLUMNS],) * 2)  # compiled
    for planted in PLANTED:
        synthetic, train, holdout = people(rows, planted, count)
        with synthpriv_sql.connect() as session, warnings.catch_warnings():
            warnings.simplefilter("ignore", SynthprivWarning)
            for attack in ATTACKS:
                begin, asked = time.perf_counter(), {"attack": attack}
                if attack == "LevAtt":
                    scores = levatt(synthetic, pd.concat([train, holdout], ignore_index=True))
                    asked = {"scores": pd.DataFrame({"record": range(2 * rows), "score": scores}), "attack": "own"}
                (found,) = session.membership(
                    synthetic, train, holdout, false_positive_rates=[0.01], **asked
                ).to_arrow().to_pylist()  # fmt: skip
                seconds = time.perf_counter() - begin
                named = session.exposure(synthetic, train, holdout, **asked).to_pandas()
                exposed = named[named.exposed]
                yield (
                    f"{attack}, {planted} of {count} of {rows:,}",
                    seconds,
                    f"AUC {found['auc']:.3f}; found at 1 %: {100 * found['true_positive_rate']:.1f} %; "
                    f"{len(exposed)} named, {int((exposed.record < count).sum())} of them planted; "
                    f"at least {found['at_least']} of {found['listed']}",
                )


def timed(quick):
    """Yield what is searched, and its seconds: of train against synthetic, and of three tables."""
    many = 10_000 if quick else 100_000
    random = np.random.default_rng(0)
    words = np.array(texts.WORDS.split())
    half = many // 2

    def column(name, rows, seed):
        return texts.drawn(rows, seed)[[name]]

    def notes(rows):
        return pd.DataFrame({"note": [" ".join(random.choice(words, 60)) for _ in range(rows)]})

    tables = {
        f"{many:,} × {many:,} names": (("name", many), 2, {"near": True}),
        f"{half:,} e-mail addresses three times": (("mail", half), 3, {"near": True}),
        f"{half:,} notes of 60 words three times, phrases": (("note", half), 3, {"phrase": 4}),
        f"{half:,} notes of 60 words three times, nearness": (("note", half), 3, {"near": True}),
    }
    for label, ((name, rows), several, options) in tables.items():
        drawn = [notes(rows) if name == "note" else column(name, rows, seed) for seed in range(several)]
        with synthpriv_sql.connect() as session, warnings.catch_warnings():
            warnings.simplefilter("ignore", SynthprivWarning)
            sides = ("synthetic", "train", "holdout")[:several]
            for side, table in zip(sides, drawn, strict=True):
                session.connection.register("given", table)
                session.connection.execute(f'CREATE OR REPLACE TABLE "{side}" AS FROM given')
            begin, spent = time.perf_counter(), time.process_time()
            session.replay(*sides, **options).to_arrow()
            yield label, time.perf_counter() - begin, f"{time.process_time() - spent:.1f} s of the processors"
