"""Tables that leak, of which a remedy is asked."""

import numpy as np
import pyarrow as pa


def two_columns_copied(seed, rows, copied):
    """Income and zip of so many people of train come back, together."""
    rng = np.random.default_rng(seed)

    def people():
        return {
            "income": rng.lognormal(10, 1, rows).round(2),
            "zip": rng.integers(1000, 9999, rows),
            "sex": rng.choice(["f", "m"], rows),
        }

    train, holdout, synthetic = people(), people(), people()
    for name in ("income", "zip"):
        synthetic[name][:copied] = train[name][:copied]
    return {"synthetic": pa.table(synthetic), "train": pa.table(train), "holdout": pa.table(holdout)}


def nothing_copied():
    """The tables of `incomes_copied`, with incomes of nobody in synthetic."""
    others = np.random.default_rng(6).integers(10_000, 99_999, 90)
    tables = incomes_copied()
    return {**tables, "synthetic": tables["synthetic"].set_column(0, "Income", pa.array(others))}


def incomes_copied():
    """All incomes of train come back, with the jobs of other people."""
    rng = np.random.default_rng(5)
    tables = {
        side: pa.table({"Income": rng.integers(10_000, 99_999, 90), "job": rng.choice(list("abc"), 90)})
        for side in ("train", "holdout")
    }
    tables["synthetic"] = tables["train"].set_column(1, "job", tables["holdout"]["job"])
    return tables
