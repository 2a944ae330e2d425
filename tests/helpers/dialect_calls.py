"""Calls of every function, and the tables that they read: what is compared between dialects."""

import elsewhere
import surfaces

from synthpriv_sql.conformance.examples import tables_alone
from synthpriv_sql.planner.headers import catalog

PAIR = {"synthetic": "syn", "train": "train"}
TRIO = PAIR | {"holdout": "Hold out"}
TWO = {"a": "syn", "b": "train"}
KNOWN = {p: f'(FROM "{t}" WHERE id IS NOT NULL)' for p, t in TRIO.items()} | {"columns": ["cat"], "unit": "id"}
FEW = {"columns": ["cat", 'Mixed "x"', "day", "flag"]}
NOT_IN_SQL = {
    "baseline": {"train": "train", "p": 0.5},
    "baseline_sweep": {"train": "train", "p": 0.5},
    "candidates": TRIO | {"synthetic": ["syn"]},
    "membership": TRIO | {"attack": "distance"},
    "audit": TRIO | {"attack": "distance"},
    "detection": PAIR,
    "detection_columns": PAIR,
    "utility": TRIO | {"target": "cat"},
    "inference_scores": TRIO | {"known": ["cat"], "secrets": ["flag"]},
    "reduce": {"train": "train", "data": "syn"},
    "remedy": TRIO,
    "principal_axes": {"train": "train"},
}
CALLS = {
    "scaling": ("scaling", {"train": "train"}),
    "scaling of no rows": ("scaling", {"train": "none"}),
    "scaling of numbers": ("scaling", {"train": "train", "columns": ["id", "at"]}),
    "scaling of categories": ("scaling", {"train": "train", "columns": ["cat", "uuid"]}),
    "scaling, other roles": ("scaling", {"train": "train", "categorical": ["id", "day"], "numeric": ["flag"]}),
    "equivalence_classes": ("equivalence_classes", {"data": "syn", "quasi_identifiers": ["cat", "flag", 'Mixed "x"']}),
    "discernibility": (
        "discernibility",
        {"data": "syn", "quasi_identifiers": ["cat", "flag"], "k": 2, "suppressed": 3},
    ),
    "discernibility of no rows": ("discernibility", {"data": "none", "quasi_identifiers": ["level"], "k": 3}),
    "discernibility_from_classes": ("discernibility_from_classes", {"classes": "sizes", "size": "Size", "k": 3}),
    "best_discernibility": ("best_discernibility", {"n": 10**15 + 7, "k": 10**7}),
    "copies": ("copies", PAIR),
    "copies of rows that repeat": ("copies", PAIR | FEW | {"key": "id"}),
    "neighbors": ("neighbors", {"queries": "syn", "reference": "train", "k": 3, "key": "id"}),
    "neighbors of themselves": ("neighbors", {"queries": "train", "reference": "train", "exclude_self": True} | FEW),
    "dcr, euclidean": ("dcr", PAIR | FEW | {"metric": "euclidean", "category_mismatch": 1.5, "weights": {"cat": 0.3}}),
    "dcr, manhattan, robust": ("dcr", PAIR | FEW | {"metric": "manhattan", "scaling": "robust"}),
    "dcr, hamming": ("dcr", PAIR | {"metric": "hamming"}),
    "dcr of no rows": ("dcr", PAIR | FEW | {"synthetic": "none"}),
    "neighbors equally near": ("neighbors", {"queries": "odd steps", "reference": "even steps", "k": 4}),
    "nndr, local": ("nndr", PAIR | FEW | {"variant": "local", "k": 2}),
    "dcr_summary": ("dcr_summary", TRIO | FEW),
    "nndr_summary": ("nndr_summary", TRIO | {"metric": "hamming", "columns": ["cat"]}),
    "comparison": ("comparison", PAIR | {"columns": ["cat"]}),
    "holdout_share": ("holdout_share", TRIO | {"columns": ["cat", 'Mixed "x"']}),
    "split_check": ("split_check", TRIO | FEW),
    "split": ("split", {"data": "syn"}),
    "screen": ("screen", PAIR | FEW | {"nndr_below": 0.5}),
    "safe": ("safe", TRIO | FEW | {"dcr_below": 0.1}),
    "membership_scores": ("membership_scores", TRIO | FEW | {"attack": "density", "k": 2}),
    "membership_scores of persons": ("membership_scores", KNOWN | {"attack": "ratio", "shared_units": True}),
    "exposure": ("exposure", TRIO | FEW | {"attack": "distance"}),
    "exposure by uniques": ("membership_scores", TRIO | {"columns": ["cat", "day"], "attack": "uniques"}),
    "uniques": ("uniques", TRIO | {"columns": ["cat", 'Mixed "x"', "flag"]}),
    "within": ("within", {"synthetic": "syn", "real": "train"} | {"columns": ["cat", 'Mixed "x"', "flag"]}),
    "replay": ("replay", TRIO),
    "selftest": ("selftest", {"train": "train", "holdout": "Hold out", "columns": ["cat"], "attack": "distance"}),
    "concentration": ("concentration", {p: KNOWN[p] for p in KNOWN if p != "holdout"}),
    "person_copies": ("person_copies", {p: KNOWN[p] for p in KNOWN if p != "holdout"}),
    "mda_distances": ("mda_distances", TWO | FEW | {"key": "id"}),
    "mda_curve": ("mda_curve", TWO | FEW),
    "mda_curve, even": ("mda_curve", TWO | FEW | {"points": 11}),
    "mda": ("mda", TWO | FEW | {"threshold": [0.1, 0.5]}),
    "mda, grid": ("mda", TWO | FEW | {"method": "grid", "normalizer": 0.5}),
    "mda_grid": ("mda_grid", {"curve": "curve", "threshold": [0.2, 0.45]}),
    "anonymity": (
        "anonymity",
        {"data": "train", "quasi_identifiers": ["cat", "flag"], "sensitive": ['Mixed "x"', "day", "id"]},
    ),
    "reidentification": ("reidentification", {"data": "syn", "quasi_identifiers": ["flag"], "population": "train"}),
    "disclosure": ("disclosure", TRIO | {"quasi_identifiers": ["cat"], "targets": ["flag", 'Mixed "x"'], "bins": 3}),
    "marginals": ("marginals", PAIR | {"k": 3, "bins": 3, "categories": 2, "columns": ["cat", "id", "flag"]}),
    "marginals of numbers": ("marginals", PAIR | {"k": 2, "columns": ["id", "at"]}),
    "fidelity": ("fidelity", TRIO),
    "fidelity of no rows": ("fidelity", PAIR | FEW | {"synthetic": "none"}),
    "fidelity_summary": ("fidelity_summary", TRIO | {"columns": ["cat", "id", 'Mixed "x"']}),
    "propensity": ("propensity", PAIR | FEW),
    "propensity_cells": ("propensity_cells", PAIR | FEW | {"worst": 4}),
    "attribute_inference": (
        "attribute_inference",
        TRIO | {"known": ["cat", "flag"], "secrets": ["level", 'Mixed "x"']},
    ),
    "linkability": ("linkability", TRIO | {"known": ["cat"], "other": ["flag", 'Mixed "x"'], "k": [1, 3]}),
    "singling_out": ("singling_out", TRIO),
    "singling_out by two columns": (
        "singling_out",
        {"synthetic": "(SELECT cat, flag FROM syn)", "train": "(SELECT cat, flag FROM train)", "columns": 2},
    ),
    "identifiability": ("identifiability", TRIO | FEW),
    "hit_rate": ("hit_rate", TRIO | FEW | {"tolerance": 0.2}),
    "adversarial_accuracy": ("adversarial_accuracy", TRIO | {"columns": ["cat"]}),
    "dimensions": ("dimensions", {"train": "train"} | FEW),
    "flatten": ("flatten", {"parents": "Hold out", "children": "train", "key": "cat", "order": "at"}),
    "shared_runs": ("shared_runs", KNOWN | {"columns": ["cat"], "order": "at", "length": 2}),
    "sequence_fidelity": ("sequence_fidelity", KNOWN | {"columns": ["cat", 'Mixed "x"'], "order": "at"}),
    "dimension_columns": ("dimension_columns", {"train": "train"}),
    "peers_sdmetrics_quality": ("peers_sdmetrics_quality", PAIR | FEW),
    "peers_sdmetrics_overfitting": ("peers_sdmetrics_overfitting", TRIO | FEW),
    "peers_sdmetrics_baseline": ("peers_sdmetrics_baseline", PAIR | FEW | {"seed": 3}),
    "peers_sdmetrics_new_rows": ("peers_sdmetrics_new_rows", PAIR | FEW | {"tolerance": 0.5}),
    "peers_sdmetrics_disclosure": (
        "peers_sdmetrics_disclosure",
        PAIR | {"known": ["cat"], "sensitive": ["flag", "id"], "bins": 3},
    ),
    "peers_syntheval": ("peers_syntheval", PAIR | FEW),
    "peers_mostlyai_accuracy": ("peers_mostlyai_accuracy", PAIR | FEW),
    "peers_syntheval_risk": ("peers_syntheval_risk", TRIO | FEW),
    "peers_synthpop_disclosure": (
        "peers_synthpop_disclosure",
        PAIR | {"quasi_identifiers": ["cat"], "targets": ["id"]},
    ),
    "peers_synthpop_utility": ("peers_synthpop_utility", PAIR | FEW),
    "changes": ("changes", {"now": "evaluated", "before": "evaluated before"}),
    "identifiers": ("identifiers", TRIO | {"columns": ["cat", "id"]}),
    "evaluate without holdout": ("evaluate", PAIR | {"columns": ["cat"], "quasi_identifiers": ["flag"]}),
    "evaluate": ("evaluate", TRIO | {"columns": ["cat", "id"], "quasi_identifiers": ["cat", "flag"], "k": 3}),
}
AS_SHOWN = {
    f"{name}, as its header shows": (name, surfaces.on_tables_alone(function))
    for name, function in catalog.functions().items()
    if name not in {*NOT_IN_SQL, *(name for name, _ in CALLS.values())}
}
"""The functions without a call of their own here."""
CALLS |= AS_SHOWN


def step(n):
    """A row of steps that no DOUBLE can hold, where records on either side are equally near."""
    return f"{n // 10}.{n % 10}", f"2024-05-06 00:00:{n // 10:02}.{n % 10}00001"


ODD = """a"b`c'd\\e [x]"""
EVALUATED = dict.fromkeys(("section", "metric", "variant", "statistic", "better"), ("VARCHAR", [])) | dict.fromkeys(
    ("value", "lower", "upper"), ("DOUBLE", [])
)
MORE_TABLES = {
    ODD: ({ODD: ("DOUBLE", [])}, [("1",), ("3",), (None,), ("Infinity",)]),
    "sizes": ({"Size": ("BIGINT", [])}, [("3",), ("1",), ("5000000000",), ("2",)]),
    "curve": (
        {"theta": ("DOUBLE", []), "accumulation": ("DOUBLE", [])},
        [(str(i / 9), str(y / 32)) for i, y in enumerate([0, 8, 12, 20, 23, 25, 28, 31, 32, 32])],
    ),
    "evaluated": (
        EVALUATED,
        [("a", "a", "x", "share", "lower", "0.5", "0.4", "0.6"), ("a", "a", None, "n", None, "3", None, None)],
    ),
    "evaluated before": (
        EVALUATED,
        [("a", "a", "x", "share", "lower", "0.2", "0.1", "0.3"), ("a", "b", None, "n", None, "3", None, None)],
    ),
    "infinite": ({"cat": ("VARCHAR", []), 'Mixed "x"': ("DOUBLE", [])}, [("a", "Infinity"), ("b", "1")]),
    "texts": ({"cat": ("VARCHAR", []), "id": ("VARCHAR", [])}, [("a", "1"), ("b", "two")]),
    "even steps": ({"a": ("DECIMAL(9,2)", []), "b": ("TIMESTAMP", [])}, [step(n) for n in range(0, 40, 2)]),
    "odd steps": ({"a": ("DECIMAL(9,2)", []), "b": ("TIMESTAMP", [])}, [step(n) for n in range(1, 40, 2)]),
    "odd sizes": ({"Size": ("VARCHAR", [])}, [("3",), ("2.5",)]),
}
USED = {value for _, given in AS_SHOWN.values() for value in given.values() if isinstance(value, str)}
MORE_TABLES |= {
    name: (
        {column: (type_, []) for column, type_ in table.columns.items()},
        [tuple(None if value is None else str(value) for value in row) for row in table.rows],
    )
    for name, table in tables_alone(USED).items()
}


def fill(place):
    for name, rows in elsewhere.tables().items():
        place.create(name, rows)
    for name, (columns, rows) in MORE_TABLES.items():
        place.create(name, rows, columns)
