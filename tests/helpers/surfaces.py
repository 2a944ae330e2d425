"""An example of every function, with tables to run it on: what tests of surfaces and engines compare."""

import os

import pyarrow as pa

from synthpriv_sql.planner.headers import catalog

# The arguments that each function is shown with: tables, then options. Whoever adds a function adds an example.
PAIR, TRIO = ("synthetic", "train"), ("synthetic", "train", "holdout")
QIDS = {"quasi_identifiers": ["city", "n"]}
EXAMPLES = {
    "scaling": (("train",), {"exclude": ["id"]}),
    "neighbors": (PAIR, {"k": 2, "key": "id", "metric": "euclidean"}),
    "dcr": (PAIR, {"key": "id", "weights": {"n": 2.5, "city": 0.5}}),
    "nndr": (PAIR, {"variant": "local", "k": 3, "exclude": ["id"]}),
    "dcr_summary": (TRIO, {"metric": "manhattan", "scaling": "robust", "exclude": ["id"]}),
    "nndr_summary": (TRIO, {"variant": "global", "k": 3, "columns": ["n", "city"]}),
    "comparison": (TRIO, {"statistic": "mean", "key": "id"}),
    "holdout_share": (TRIO, {"metric": "hamming", "exclude": ["id"]}),
    "membership": (TRIO, {"exclude": ["id"], "false_positive_rates": [0.1, 0.5], "seed": 3}),
    "membership_scores": (TRIO, {"key": "id", "attack": "density", "k": 2}),
    "exposure": (TRIO, {"key": "id", "attack": "ratio", "false_discovery": 0.5}),
    "uniques": (TRIO, {"key": "id", "width": 2, "combinations": 5}),
    "audit": (TRIO, {"exclude": ["id"], "attack": ["distance", "agreement"], "seed": 3}),
    "split": (("train",), {"share": 0.3, "seed": 3}),
    "selftest": (PAIR[1:] + TRIO[2:], {"exclude": ["id"], "planted": 0.5}),
    "concentration": (PAIR, {"unit": "city", "exclude": ["id"]}),
    "person_copies": (PAIR, {"unit": "city", "columns": ["n"]}),
    "copies": (PAIR, {"key": "id"}),
    "screen": (TRIO, {"key": "id", "dcr_below": 0.05}),
    "safe": (PAIR, {"key": "id"}),
    "equivalence_classes": (("train",), QIDS),
    "discernibility": (("train",), QIDS | {"k": 2, "suppressed": 1}),
    "discernibility_from_classes": (("classes",), {"k": 2}),
    "best_discernibility": ((), {"n": 10, "k": 7}),
    "mda_distances": (PAIR, {"key": "id"}),
    "mda_curve": (PAIR, {"exclude": ["id"], "points": 5}),
    "mda": (PAIR, {"exclude": ["id"], "threshold": [0.1, 0.5]}),
    "mda_grid": (("curve",), {"threshold": 0.5}),
    "baseline": (("train",), {"p": 0.5, "seed": 3, "trees": 5}),
    "baseline_sweep": (("train",), {"p": [0.0, 1.0], "threshold": [0.5], "seed": 3}),
    "anonymity": (("train",), {"quasi_identifiers": ["city"], "sensitive": ["n", "id"], "l": 1}),
    "reidentification": (("train",), {"quasi_identifiers": ["city", "n"], "threshold": 0.3}),
    "disclosure": (PAIR, {"quasi_identifiers": ["city"], "targets": ["n", "id"], "bins": 3}),
    "identifiers": (TRIO, {"exclude": ["x"]}),
    "split_check": (("train", "holdout", "synthetic"), {"exclude": ["id"]}),
    "fidelity": (TRIO, {"exclude": ["id"], "bins": 3}),
    "fidelity_summary": (TRIO, {"exclude": ["id"], "bins": 3}),
    "marginals": (PAIR, {"exclude": ["id"], "k": 2, "bins": 3, "categories": 2}),
    "detection": (PAIR, {"exclude": ["id"], "trees": 5, "seed": 3}),
    "detection_columns": (PAIR, {"exclude": ["id"], "trees": 5, "seed": 3}),
    "utility": (TRIO, {"exclude": ["id"], "target": "n", "trees": 5, "seed": 3}),
    "propensity": (PAIR, {"columns": ["city", "n"], "bins": 2}),
    "propensity_cells": (PAIR, {"columns": ["city", "n"], "bins": 2, "worst": 3}),
    "attribute_inference": (PAIR, {"known": ["city", "n"], "secrets": ["x", "id"], "tolerance": 0.5}),
    "linkability": (PAIR, {"known": ["city"], "other": ["n", "x"], "k": [1, 3]}),
    "singling_out": (TRIO, {"exclude": ["id"], "columns": 2, "predicates": 5, "seed": 1}),
    "identifiability": (TRIO, {"exclude": ["id"], "metric": "hamming"}),
    "hit_rate": (TRIO, {"exclude": ["id"], "tolerance": 0.1}),
    "adversarial_accuracy": (TRIO, {"exclude": ["id"]}),
    "dimensions": (("train",), {"exclude": ["id"], "weights": {"n": 2.0}}),
    "dimension_columns": (("train",), {"exclude": ["id"]}),
    "reduce": (PAIR[::-1], {"key": "id", "components": 2, "categories": 2}),
    "flatten": (("train", "train"), {"key": "id", "order": "n", "exclude": ["x"], "prefix": "s_"}),
    "shared_runs": (TRIO, {"unit": "city", "order": "n", "exclude": ["id"], "length": 1}),
    "sequence_fidelity": (TRIO, {"unit": "city", "order": "n", "exclude": ["id"]}),
    "principal_axes": (("train",), {"exclude": ["id"], "components": 3}),
    "candidates": (
        (),
        {
            "synthetic": ["synthetic", "holdout"],
            "train": "train",
            "holdout": "holdout",
            "columns": ["city", "n"],
            "attack": ["distance", "agreement"],
            "trees": 5,
        },
    ),
    "peers_sdmetrics_quality": (PAIR, {"exclude": ["id"]}),
    "peers_sdmetrics_overfitting": (TRIO, {"exclude": ["id"]}),
    "peers_sdmetrics_baseline": (PAIR, {"exclude": ["id"], "seed": 3}),
    "peers_sdmetrics_new_rows": (PAIR, {"exclude": ["id"], "tolerance": 0.2}),
    "peers_sdmetrics_disclosure": (PAIR, {"known": ["city"], "sensitive": ["n"], "bins": 2, "method": "zero_cap"}),
    "peers_syntheval": (TRIO, {"columns": ["city", "n"]}),
    "peers_mostlyai_accuracy": (TRIO, {"columns": ["city", "n"]}),
    "peers_syntheval_risk": (TRIO, {"columns": ["city", "n"]}),
    "peers_synthpop_disclosure": (PAIR, {"quasi_identifiers": ["city"], "targets": ["n"], "bins": 3}),
    "peers_synthpop_utility": (PAIR, {"columns": ["city", "n"]}),
    "changes": (("evaluated", "evaluated_before"), {}),
    "evaluate": (TRIO, {"key": "id", "quasi_identifiers": ["city"]}),
}
NAMES = sorted(catalog.functions())
# Groups, scales, one search and several, by distance and by agreement, forests, the user's own columns, several tables.
OF_EVERY_KIND = [
    "anonymity",
    "baseline",
    "candidates",
    "comparison",
    "disclosure",
    "evaluate",
    "exposure",
    "fidelity_summary",
    "linkability",
    "mda",
    "neighbors",
    "nndr_summary",
    "scaling",
    "screen",
]
OF_EVERY_KIND = NAMES if os.environ.get("EVERY_CASE") else OF_EVERY_KIND
# These begin with the user's own columns, or with as many as the call asks for.
OWN_COLUMNS = ("split", "screen", "safe", "equivalence_classes", "baseline", "reduce", "flatten")


def people(prefix, cities, numbers):
    return pa.table(
        {
            "id": [f"{prefix}{i}" for i in range(len(cities))],
            "city": list(cities),
            "n": numbers,
            "x": [None if number % 5 == 0 else number**1.5 for number in numbers],
        }
    )


def evaluated(*numbers):
    """A few rows of `evaluate`: metric, variant, value, ends of the interval, direction."""
    names = ("metric", "variant", "value", "lower", "upper", "better")
    types = [pa.string(), pa.string(), *[pa.float64()] * 3, pa.string()]
    columns = [pa.array(values, type_) for values, type_ in zip(zip(*numbers, strict=True), types, strict=True)]
    rows = pa.table(dict(zip(names, columns, strict=True)))
    return rows.append_column("section", rows["metric"]).append_column("statistic", pa.array(["share"] * len(rows)))


TABLES = {
    "evaluated": evaluated(
        ("a", "x", 0.5, 0.4, 0.6, "lower"), ("a", None, 1.0, None, None, "higher"), ("b", "x", 2.0, None, None, None)
    ),
    "evaluated_before": evaluated(
        ("a", "x", 0.3, 0.2, 0.39, "lower"), ("a", None, 0.0, 0.0, 0.1, "higher"), ("c", "x", None, None, None, None)
    ),
    "synthetic": people("s", "ABCABCABC", [1, 2, 3, 4, 6, 8, 11, 13, 20]),
    "train": people("r", "ABBACCABAA", [1, 3, 5, 7, 9, 11, 12, 14, 21, 21]),
    "holdout": people("h", "CBABCABB", [2, 4, 6, 8, 10, 12, 15, 25]),
    "classes": pa.table({"size": [1, 2, 3, 5]}),
    "curve": pa.table({"theta": [0.0, 0.25, 0.5, 0.75, 1.0], "accumulation": [0.0, 0.2, 0.5, 0.8, 1.0]}),
}


def sides_read(name):
    """The tables of an example whose rows are read: where the limit is given nothing is asked of a holdout."""
    sides, options = EXAMPLES[name]
    return [side for side in sides if side != "holdout" or "dcr_below" not in options]


def by_position(rows):
    """Rows in an order that does not depend on the surface; missing values first."""
    return sorted(rows, key=lambda row: [(value is not None, str(value)) for value in row.values()])


def ask(session, name):
    tables, options = EXAMPLES[name]
    return getattr(session, name)(*tables, **options)


_asked = {}


def python_rows(session, name):
    """The rows of an example, asked for once."""
    if name not in _asked:
        _asked[name] = ask(session, name).to_arrow().to_pylist()
    return _asked[name]
