"""Small tables for the numbers of other tools: the same rows for the tools (benchmarks/others.py) and for the tests."""

import datetime
import random


def people(seed, rows, missing):
    """Columns by name; with ``missing``, values are missing here and there."""
    draw = random.Random(seed)
    table = {name: [] for name in ("age", "income", "city", "job", "smokes", "since")}
    for _ in range(rows):
        age = draw.randrange(18, 70)
        row = {
            "age": age,
            "income": round(draw.gauss(1000 + 20 * age, 300), 2),
            "city": draw.choice("AABBBCCCCD" + ("E" if seed == 1 else "")),
            "job": draw.choice(["clerk", "nurse", "cook"] if age < 40 else ["clerk", "judge"]),
            "smokes": draw.random() < 0.3,
            "since": datetime.date(2020, 1, 1) + datetime.timedelta(days=draw.randrange(1500)),
        }
        if missing and draw.random() < 0.4:
            row[draw.choice(list(row))] = None
        for name, value in row.items():
            table[name].append(value)
    return table


def tables(missing):
    """Synthetic, train and holdout; some synthetic rows are those of train, or near them."""
    synthetic, train = people(1, 90, missing), people(2, 100, missing)
    for place in range(12):
        for name, values in train.items():
            synthetic[name][place] = values[place]
        if place >= 6 and synthetic["income"][place] is not None:
            synthetic["income"][place] = round(synthetic["income"][place] * 1.004, 2)
    return {"synthetic": synthetic, "train": train, "holdout": people(3, 80, missing)}
