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
    if length < 5:
        return 0
    return 1 if length < 10 else 2 if length < 20 else min(length // 10, 20)


def is_near(a, b):
    """Of normalized texts."""
    most = edits(min(len(a), len(b)))
    return a == b or (abs(len(a) - len(b)) <= most and distance(a, b) <= most)
