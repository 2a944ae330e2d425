"""Near equality of texts, by the full table of distances and all pairs."""

import functools
import re
import statistics
import unicodedata


def normalized(text):
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())


def distance(a, b):
    """Optimal string alignment, which is the same either way."""
    return _aligned(*sorted((a, b)))


@functools.cache
def _aligned(a, b):
    table = [[i + j if i * j == 0 else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            found = [table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1])]
            if i > 1 and j > 1 and (a[i - 1], a[i - 2]) == (b[j - 2], b[j - 1]):
                found.append(table[i - 2][j - 2] + 1)
            table[i][j] = min(found)
    return table[-1][-1]


def edits(length):
    if length < 5 or length > 10_000:
        return 0
    return 1 if length < 10 else 2 if length < 20 else min(length // 10, 20)


def is_near(a, b):
    """Of normalized texts."""
    most = edits(min(len(a), len(b)))
    return a == b or (abs(len(a) - len(b)) <= most and max(len(a), len(b)) <= 10_000 and distance(a, b) <= most)


def replay(synthetic, train, holdout, persons):
    """Of a column of texts: by number of edits, how many values of one person alone there are and come back.

    `persons` are those of each row of train, then of the holdout. Returns for each number of edits (train, replayed,
    holdout, holdout_replayed, records).
    """
    owners = {}
    real = [*((text, 0) for text in train), *((text, 1) for text in holdout or [])]
    for (text, side), person in zip(real, persons, strict=True):
        if text is not None:
            owners.setdefault(normalized(text), set()).add((person, side))
    alone = {
        text: next(iter(who))[1]
        for text, who in owners.items()
        if len(set().union(who, *(others for other, others in owners.items() if is_near(text, other)))) == 1
    }
    fresh = [normalized(text) for text in synthetic if text is not None]
    found = {}
    for most in (0, 1, 20):
        near = {t: [s for s in fresh if is_near(t, s) and (t == s or distance(t, s) <= most)] for t in alone}
        counts = [
            (sum(h == side for h in alone.values()), sum(alone[t] == side and bool(near[t]) for t in alone))
            for side in (0, 1)
        ]
        records = sum(
            any(alone[t] == 0 and is_near(t, s) and (t == s or distance(t, s) <= most) for t in alone) for s in fresh
        )
        found[most] = (*counts[0], *counts[1], records)
    return found


def phrases(synthetic, train, holdout, persons, length):
    """Of a column of texts: by number of words, how many people have a run that nobody else has, as `replay`."""
    real = [*((text, 0) for text in train), *((text, 1) for text in holdout or [])]
    known = [(normalized(t), (person, side)) for (t, side), person in zip(real, persons, strict=True) if t is not None]
    if statistics.median(len(words(text)) for text in {text for text, _ in known}) < 6:
        return {}
    found = {}
    for size in (length, 2 * length, 3 * length):
        owners = {}
        for text, who in known:
            for run in runs(text, size):
                owners.setdefault(run, set()).add(who)
        lone = {run: next(iter(who)) for run, who in owners.items() if len(who) == 1}
        fresh = [runs(normalized(text), size) for text in synthetic if text is not None]
        back = lone.keys() & set().union(*fresh)
        counts = [
            len({who for run, who in lone.items() if who[1] == side and (run in back or not only)})
            for side in (0, 1)
            for only in (False, True)
        ]
        found[size] = (*counts, sum(any(run in back and lone[run][1] == 0 for run in one) for one in fresh))
    return found


def words(text):
    return re.findall(r"[^\W_]+", text)


def runs(text, size):
    known = words(text)
    return {tuple(known[i : i + size]) for i in range(len(known) - size + 1)}


def flagged(synthetic, train, holdout=None):
    """Of a column of texts: for each synthetic one, whether it is nearly one of one row of train alone, and the words
    of the longest run of 8 or more that such a row alone has.
    """
    real = [
        *((normalized(t), (i, 0)) for i, t in enumerate(train)),
        *((normalized(t), (i, 1)) for i, t in enumerate(holdout or [])),
    ]
    fresh = [normalized(text) for text in synthetic]
    alone = [(t, who[1]) for t, who in real if all(who == other or not is_near(t, u) for u, other in real)]
    near = [False] * len(fresh)
    for most in (20, 1, 0):
        back = [[is_near(t, s) and (t == s or distance(t, s) <= most) for s in fresh] for t, _ in alone]
        replayed, held = (
            sum(any(row) for row, (_, h) in zip(back, alone, strict=True) if h == side) for side in (0, 1)
        )
        mine, others = (sum(h == side for _, h in alone) for side in (0, 1))
        if 2 * held * mine <= replayed * others:
            near = [any(row[k] for row, (_, h) in zip(back, alone, strict=True) if h == 0) for k in range(len(fresh))]
            break
    longest = [0] * len(fresh)
    if statistics.median(len(words(t)) for t in {t for t, _ in real}) >= 6:
        for size in range(8, 65):
            owners = {}
            for text, who in real:
                for run in runs(text, size):
                    owners.setdefault(run, set()).add(who)
            lone = {run for run, who in owners.items() if len(who) == 1 and next(iter(who))[1] == 0}
            longest = [size if lone & set(runs(s, size)) else before for s, before in zip(fresh, longest, strict=True)]
    return near, longest


def longest_phrases(synthetic, train, holdout, persons, least):
    """For each person and side with the text: how many words in a row are theirs alone and in synthetic; see `uniques`.

    Returns the set of (side, record, first synthetic record, how many of these, words).
    """
    real = [normalized(text) if text is not None else "" for text in [*train, *holdout]]
    ours = [normalized(text) if text is not None else "" for text in synthetic]
    found = set()
    for person in set(persons):
        for size in range(64, least - 1, -1):
            mine = {row: runs(text, size) for row, text in enumerate(real) if persons[row] == person}
            others = set().union(*(runs(text, size) for row, text in enumerate(real) if persons[row] != person))
            alone = set().union(*mine.values()) - others
            with_it = [row for row, text in enumerate(ours) if alone & runs(text, size)]
            if with_it:
                back = set().union(*(runs(ours[row], size) for row in with_it)) & alone
                sides = {}
                for row in [row for row, known in mine.items() if known & back]:
                    sides.setdefault(row >= len(train), row - len(train) * (row >= len(train)))
                found |= {("holdout" if h else "train", r, with_it[0], len(with_it), size) for h, r in sides.items()}
                break
    return found
