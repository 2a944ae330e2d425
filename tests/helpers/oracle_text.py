"""Near equality of texts, by the full table of distances and all pairs."""

import unicodedata


def normalized(text):
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())


def distance(a, b):
    """Optimal string alignment."""
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
