"""Texts of people that come back, changed: attacks beside LevAtt's score, and how long texts take.

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

REST = ["first", "employer", "age", "income"]
COLUMNS = {"names": ["name", "mail", *REST], "notes": ["note", *REST], "accounts": ["account", *REST]}
"""The columns of each table. Accounts are twelve digits at random."""
PLANTED = {
    "names": {
        "nothing": None,
        "name and address, verbatim": ("verbatim", "name", "mail"),
        "name and address, one edit": ("one edit", "name", "mail"),
        "name and address, two edits": ("two edits", "name", "mail"),
        "name and address, other case and blanks": ("other case and blanks", "name", "mail"),
        "whole rows, name and address with one edit": ("one edit", "name", "mail", *REST),
        "whole rows, last digit of income": ("verbatim", "name", "mail", *REST),
    },
    "notes": {
        "nothing": None,
        "note, verbatim": ("verbatim", "note"),
        "note, one edit": ("one edit", "note"),
        "note, two edits": ("two edits", "note"),
        "note, other case and blanks": ("other case and blanks", "note"),
        "note, its halves the other way round": ("reordered", "note"),
        "eight words inside a new note": ("eight words", "note"),
    },
    "accounts": {"nothing": None, "account number, another last digit": ("last digit", "account")},
}
"""How texts of people come back, and which of their columns do; those of the rest as they are."""
ATTACKS = ("LevAtt", "agreement", "agreement_near", "learned")
"""The last takes longest: where fewer people are planted, it is not asked."""


class People:
    """Synthetic, train and holdout of a table; texts of at most so many people of train can be planted in it.

    LevAtt's distances to the synthetic records that stay as they are drawn are measured once.
    """

    def __init__(self, table, rows, most):
        self.table, self.rows, self.most = table, rows, most
        drawn = [texts.drawn(n, k) for k, n in enumerate((2 * rows, rows, rows), 1)]
        drawn = texts.with_accounts(drawn, dense=False, changed=0) if table == "accounts" else drawn
        # Templates are nobody's: they stay behind.
        drawn = [one.sort_values("note", key=lambda note: note == texts.TEMPLATE, kind="stable") for one in drawn]
        self.tables = [one[COLUMNS[table]].reset_index(drop=True) for one in drawn]
        begin = time.perf_counter()
        self.real = pd.concat(self.tables[1:], ignore_index=True)
        self.least = least(self.tables[0][most:], self.real)
        self.seconds = time.perf_counter() - begin

    def planted(self, what, count):
        """The tables, with texts of the first people of train in the first records of synthetic."""
        synthetic, train, holdout = self.tables
        if PLANTED[self.table][what] is None:
            return self.tables
        how, *columns = PLANTED[self.table][what]
        random, synthetic, here = np.random.default_rng(0), synthetic.copy(), slice(0, count - 1)
        for column in columns:
            known = train[column][:count]
            if column in REST:
                made = known
            elif how == "eight words":
                made = [
                    _inside(mine, text, random) for mine, text in zip(synthetic[column][:count], known, strict=True)
                ]
            elif how == "last digit":
                made = [text[:-1] + str((int(text[-1]) + random.integers(1, 10)) % 10) for text in known]
            else:
                made = [texts.PLANTED[how](text, random) for text in known]
            synthetic.loc[here, column] = list(made)
        if what.endswith("income"):
            synthetic.loc[here, "income"] = (
                (train.income[:count] + random.integers(1, 10, count) / 100).round(2).tolist()
            )
        return synthetic, train, holdout

    def scores(self, synthetic):
        """LevAtt's scores of all real people, and how long it takes to compare them with all rows."""
        begin = time.perf_counter()
        found = np.minimum(self.least, least(synthetic[: self.most], self.real))
        seconds = self.seconds + time.perf_counter() - begin
        return pd.DataFrame({"record": range(len(found)), "score": -found.astype(float)}), seconds


def _inside(note, other, random):
    """A note with eight words in a row of another in its middle."""
    mine, words, place = note.split(" "), other.split(" "), int(random.integers(0, 25 - 8))
    return " ".join([*mine[:9], *words[place : place + 8], *mine[9:]])


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


def least(synthetic, real):
    """The least distance of each real row to rows of synthetic."""
    (mine, theirs), alphabet = written(real, synthetic)
    out = np.zeros(len(real), np.int64)
    _least(*mine, *theirs, alphabet, out)
    return out


def measured(quick):
    """Yield what was planted, the attack, its seconds, and what it finds."""
    rows, counts = (500, (5, 10)) if quick else (2_000, (10, 20))
    least(*(texts.drawn(5, 1)[REST],) * 2)  # compiled
    for table, ways in PLANTED.items():
        people = People(table, rows, max(counts))
        for what in ways:
            for count in counts if ways[what] is not None else [0]:
                tables = people.planted(what, count)
                who = f"{table}: {what}, {count} of {rows:,}"
                with synthpriv_sql.connect() as session, warnings.catch_warnings():
                    warnings.simplefilter("ignore", SynthprivWarning)
                    for attack in ATTACKS if count != min(counts) else ATTACKS[:-1]:
                        yield f"{attack}, {who}", *_asked(session, people, tables, attack, count)
                    yield f"replay, {who}", *_replayed(session, tables)


def _asked(session, people, tables, attack, count):
    """The seconds of an attack, and what it finds."""
    asked, seconds = {"attack": attack}, 0.0
    if attack == "LevAtt":
        scores, seconds = people.scores(tables[0])
        asked = {"scores": scores, "attack": "own"}
    begin = time.perf_counter()
    (found,) = session.membership(*tables, false_positive_rates=[0.01], **asked).to_arrow().to_pylist()
    seconds += time.perf_counter() - begin
    named = session.exposure(*tables, **asked).to_pandas()
    exposed = named[named.exposed]
    return seconds, (
        f"AUC {found['auc']:.3f}; found at 1 %: {100 * found['true_positive_rate']:.1f} %; "
        f"{len(exposed)} named, {int((exposed.record < count).sum())} of them planted; "
        f"at least {found['at_least']} of {found['listed']}"
    )


def _replayed(session, tables):
    """The seconds of `replay`, and the column and kind that tell most."""
    begin = time.perf_counter()
    found = session.replay(*tables, near=True, phrase=4).to_arrow().to_pylist()
    seconds = time.perf_counter() - begin
    row = min((row for row in found if row["p_value"] is not None), key=lambda row: row["p_value"])
    kind = ", phrases" if row["kind"] == "phrase" else ""
    return seconds, (
        f"{row['column_name']}{kind}: {row['replayed']} of train, {row['holdout_replayed']} of the holdout; "
        f"p {row['p_value']:.1g}, adjusted {row['p_adjusted']:.1g}"
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
