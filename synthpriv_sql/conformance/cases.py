"""Calls of every function on the tables of `tables` and `examples`, what is awkward in them first, and each error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from synthpriv_sql.conformance.examples import EXAMPLES, alone, tables_alone
from synthpriv_sql.conformance.tables import PEOPLE, TABLES, Table


@dataclass(frozen=True)
class Case:
    """A call: a function, its tables in order, and options."""

    function: str
    tables: tuple[str | None, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The call in short; no two cases have one name."""
        options = ",".join(f"{k}={v}" for k, v in self.options.items() if k not in {"key", "exclude"})
        tables = ",".join(filter(None, self.tables))
        return f"{self.function}({tables}{';' + options if options else ''})".replace("\n", " ")


KEY: dict[str, Any] = {"key": "Id"}
PAIR = ("synthetic", "Train Rows")
TRIO = (*PAIR, "holdout")
NUMBERS: dict[str, Any] = {"columns": ["Größe", 'a"b', "price", "day", "clock", "seen", "Seen At", "tiny"]}
SOME: dict[str, Any] = KEY | {"columns": ["Größe", 'a"b', "select", "seen", "Flag"]}
TIES: dict[str, Any] = {"columns": ['a"b', "select", "Flag"]}
WHO: dict[str, Any] = {"unit": "id", "shared_units": True, "columns": SOME["columns"]}
QIDS: dict[str, Any] = {"quasi_identifiers": ["select", 'a"b', "tiny", "mood"]}
TIES_ARE_KNOWN: dict[str, Any] = {"known": ['a"b', "Flag", "mood"]}
FEW_QIDS: dict[str, Any] = {"quasi_identifiers": ['a"b', "Flag"]}

LEAN = [
    Case("scaling", ("Train Rows",)),
    Case("neighbors", PAIR, KEY | {"k": 3}),
    Case("neighbors", PAIR, KEY | TIES | {"k": 2, "metric": "manhattan", "scaling": "minmax"}),
    Case("neighbors", ("Train Rows", "Train Rows"), KEY | {"k": 2, "exclude_self": True, "metric": "euclidean"}),
    Case("neighbors", ("odd steps", "even steps"), {"k": 4}),
    Case("dcr", PAIR, NUMBERS | {"metric": "euclidean", "weights": {"Größe": 3.0, "day": 0.25}}),
    Case("nndr", PAIR, SOME | {"variant": "within_synthetic", "metric": "hamming"}),
    Case("dcr_summary", TRIO, SOME),
    Case("nndr_summary", TRIO, SOME | {"variant": "local", "k": 3}),
    Case("comparison", TRIO, SOME),
    Case("holdout_share", TRIO, SOME),
    Case("holdout_share", (*TRIO, "distances"), TIES),
    Case("nndr", (*PAIR, "train distances"), TIES),
    Case("membership", (*TRIO, None, "scores"), TIES | {"attack": ["own", "distance"]}),
    Case("exposure", (*TRIO, None, "scores"), WHO | {"attack": ["own", "uniques"]}),
    Case("audit", ("few", "holdout", "synthetic"), TIES | {"attack": ["agreement", "distance"], "seed": 1}),
    Case("split", ("few",), {"share": 0.4, "seed": 2}),
    Case("copies", PAIR, KEY),
    Case("screen", TRIO, TIES | {"false_discovery": 0.5, "attack": "distance"}),
    Case("safe", PAIR, SOME),
    Case("membership", TRIO, TIES | {"seed": 3, "attack": ["ratio", "agreement"], "false_positive_rates": [0.05, 0.2]}),
    Case("membership_scores", TRIO, WHO | TIES | {"attack": "density", "k": 2}),
    Case("exposure", TRIO, SOME | {"attack": "agreement_near", "near": 0.02}),
    Case("uniques", TRIO, SOME | {"width": 3, "combinations": 9}),
    Case("within", PAIR, {"unit": "Id", "columns": SOME["columns"], "width": 3, "combinations": 9, "seed": 2}),
    Case("replay", TRIO, {"unit": "id", "shared_units": True}),
    Case("split_check", ("Train Rows", "holdout", "synthetic"), TIES),
    Case("exposure", TRIO, WHO | TIES | {"attack": ["uniques", "distance"], "false_discovery": 0.5}),
    Case(
        "membership_scores",
        ("synthetic", "Train Rows", "Train Rows"),
        WHO | TIES | {"attack": "learned", "seed": 5, "hints": ["Größe", "price"]},
    ),
    Case("person_copies", PAIR, {"unit": "Id", "columns": ['a"b', "select"]}),
    Case("concentration", PAIR, {"unit": "Id"}),
    Case("selftest", ("Train Rows", "holdout"), TIES | {"attack": "distance", "planted": 0.3}),
    Case("equivalence_classes", ("Train Rows",), QIDS),
    Case("discernibility", ("Train Rows",), QIDS | {"k": 3, "suppressed": 2}),
    Case("discernibility_from_classes", ("classes",), {"k": 3}),
    Case("best_discernibility", (), {"n": 11, "k": 4}),
    Case("anonymity", ("Train Rows",), QIDS | {"sensitive": ["Größe", "many", "day", "price"], "l": 2}),
    Case("reidentification", ("holdout", "Train Rows"), {"quasi_identifiers": ['a"b']}),
    Case("disclosure", TRIO, FEW_QIDS | {"targets": ["select", "Größe", "seen", "uid"], "bins": 4}),
    Case("identifiers", TRIO, SOME),
    Case("identifiability", TRIO, SOME),
    Case("linkability", TRIO, TIES_ARE_KNOWN | {"other": ["select", "Größe"], "k": [1, 4]}),
    Case("attribute_inference", TRIO, TIES_ARE_KNOWN | {"secrets": ["select", "Größe"], "tolerance": 0.3}),
    Case("singling_out", TRIO, {"exclude": sorted({*PEOPLE} - {*SOME["columns"]})}),
    Case("hit_rate", TRIO, SOME | {"tolerance": 0.2}),
    Case("adversarial_accuracy", PAIR, SOME),
    Case("mda_distances", PAIR, SOME),
    Case("mda_curve", PAIR, SOME),
    Case("mda", PAIR, SOME | {"threshold": [0.1, 0.5]}),
    Case("mda_grid", ("curve",), {"threshold": [0.2, 0.5]}),
    Case("baseline", ("synthetic",), {"p": 0.5, "seed": 3, "trees": 5}),
    Case(
        "baseline_sweep",
        ("holdout",),
        {"p": [0.0, 0.6], "threshold": [0.2], "seed": 1, "trees": 5, "columns": SOME["columns"]},
    ),
    Case("fidelity", TRIO, {"columns": ["Größe", 'a"b', "select", "Flag"]}),
    Case("fidelity_summary", TRIO, {"columns": ["Größe", "select"]}),
    Case("marginals", PAIR, {"columns": ["Größe", "seen", "Flag", "many"], "k": 3, "bins": 4, "categories": 3}),
    Case("propensity", PAIR, SOME),
    Case("dimensions", ("Train Rows",), TIES),
    Case("dimension_columns", ("Train Rows",), KEY),
    Case("reduce", PAIR[::-1], SOME | {"components": 3}),
    Case("principal_axes", ("Train Rows",), NUMBERS | {"scaling": "minmax"}),
    Case(
        "candidates",
        ("Train Rows", "holdout"),
        TIES | {"synthetic": ["synthetic", "few"], "attack": ["distance", "agreement"], "trees": 5},
    ),
    Case("detection", PAIR, SOME | {"trees": 5, "seed": 3}),
    Case("detection_columns", PAIR, SOME | {"trees": 5, "seed": 3}),
    Case("utility", TRIO, SOME | {"target": "select", "trees": 5, "seed": 3}),
    Case("propensity_cells", PAIR, TIES),
    Case(
        "evaluate", TRIO, TIES | {"quasi_identifiers": ["select"], "k": 2, "attack": "distance", "named_by": "uniques"}
    ),
    Case("shared_runs", TRIO, {"unit": "id", "order": "seen", "length": 1, "columns": ["select"]}),
    Case("sequence_fidelity", TRIO, {"unit": "id", "order": "seen", "columns": ["Größe", "select", "Flag", "day"]}),
    Case("flatten", ("holdout", "Train Rows"), {"key": 'a"b', "order": "seen", "columns": SOME["columns"]}),
    Case("changes", ("evaluated", "evaluated before")),
    # Few rows, or none.
    Case("holdout_share", ("few", "one", "empty"), SOME),
    Case("fidelity", ("few", "one", "empty"), TIES),
    Case("discernibility", ("empty",), QIDS | {"k": 2}),
    Case("equivalence_classes", ("one",), QIDS),
    Case("baseline", ("empty",)),
    # What is an error is the same error.
    Case("best_discernibility", (), {"n": 3, "k": 4}),
    Case("discernibility_from_classes", ("one",), {"size": "Größe"}),
    Case("mda_grid", ("classes",), {}),
    Case("dcr", ("synthetic", "classes"), {}),
    Case("dcr", PAIR, {"columns": ["unknown"]}),
    Case("copies", PAIR, {"unit": "select"}),
    Case("membership", ("few", "one", "few"), SOME | {"attack": "density", "k": 9}),
    Case("exposure", ("few", "one", "empty"), SOME | {"attack": "distance"}),
    Case("scaling", ("synthetic",), {"numeric": ["select"]}),
]
"""Each function on all that is awkward, where it has few rows or none, and each error."""

PEERS = [
    Case("peers_sdmetrics_quality", PAIR, {"columns": ['a"b', "Größe", "select", "Flag"]}),
    Case("peers_sdmetrics_overfitting", TRIO, TIES),
    Case("peers_sdmetrics_baseline", PAIR, SOME | {"seed": 3}),
    Case("peers_sdmetrics_new_rows", PAIR, {"columns": ['a"b', "Größe", "select"], "tolerance": 0.2}),
    Case("peers_sdmetrics_disclosure", PAIR, {"known": ["select", 'a"b'], "sensitive": ["Größe", "Flag"], "bins": 3}),
    Case("peers_syntheval", TRIO, SOME),
    Case("peers_syntheval_risk", TRIO, SOME),
    Case("peers_mostlyai_accuracy", TRIO, {"columns": ["Größe", "select"]}),
    Case("peers_synthpop_disclosure", PAIR, FEW_QIDS | {"targets": ["select", "Größe"], "bins": 4}),
    Case("peers_synthpop_utility", PAIR, {"columns": ["select", "Größe"]}),
]
"""The numbers of other tools: made of parts that the others are made of, and not worth Spark's time in every run."""

LEAN += [
    Case(name, tuple(map(alone, tables)), options)
    for name, (tables, options) in EXAMPLES.items()
    if name not in {case.function for case in LEAN + PEERS}
]
"""A function that has no case here is called as its header shows."""
ALL = TABLES | tables_alone({table for case in LEAN for table in case.tables})
"""All tables by their names."""

MORE = [
    Case("holdout_share", TRIO, {"columns": ['a"b', "select"], "group_by": "nothing"}),
    Case("holdout_share", TRIO, WHO | TIES),
    *PEERS,
    Case("dimensions", ("Train Rows",), {"columns": ['a"b', "select"], "group_by": "mood"}),
    Case(
        "singling_out",
        PAIR,
        {"exclude": sorted({*PEOPLE} - {*SOME["columns"]}), "columns": 2, "predicates": 10, "seed": 3},
    ),
    Case("screen", TRIO, KEY),
    Case("dcr", (*PAIR, "train distances"), TIES),
    Case("membership_scores", (*TRIO, None, "scores"), TIES | {"attack": "own"}),
    Case("membership", TRIO, SOME | {"seed": 3, "attack": ["ratio", "agreement"], "false_positive_rates": [0.05, 0.2]}),
    Case("membership_scores", TRIO, WHO | {"attack": "density", "k": 2}),
    Case("exposure", TRIO, KEY | {"attack": "agreement_near", "near": 0.02}),
    Case("safe", TRIO, SOME | {"false_discovery": 0.5, "attack": "distance", "rounds": 2}),
    Case("holdout_share", TRIO, WHO),
    Case("attribute_inference", TRIO, TIES_ARE_KNOWN | {"secrets": ["price", "uid"], "tolerance": 0.3}),
    Case("fidelity", TRIO, KEY),
    Case("marginals", ("empty", "few"), {"columns": ["select"], "k": 2}),
    Case("evaluate", TRIO, KEY | QIDS | {"k": 2}),
    Case("evaluate", ("empty", "few"), SOME),
    Case("scaling", ("empty",), {"columns": ["Größe", "select"]}),
    Case("nndr", ("few", "few"), SOME | {"variant": "local", "k": 9}),
    Case("holdout_share", TRIO, {"unit": "Id"}),
    Case("anonymity", ("Train Rows",), QIDS),
    Case("anonymity", ("empty",), QIDS | {"sensitive": ["Größe", "many"]}),
    Case("reidentification", ("few",), FEW_QIDS),
    Case("reidentification", ("holdout", "few"), FEW_QIDS),
    Case("hit_rate", TRIO, {"columns": ["select", "Flag"]}),
    Case("hit_rate", ("few", "empty"), NUMBERS),
    Case("attribute_inference", PAIR, {"known": ["Größe", "seen"], "secrets": ["Flag"], "metric": "euclidean"}),
    Case("attribute_inference", ("empty", "few"), TIES_ARE_KNOWN | {"secrets": ["Flag"]}),
    Case("identifiability", ("few", "one"), SOME),
    Case("disclosure", PAIR, {"quasi_identifiers": ["select", "mood", "day"], "targets": ["Flag", "many"]}),
    Case("disclosure", ("few", "empty", "one"), FEW_QIDS | {"targets": ["select", "Größe"]}),
    *(Case(f, TRIO, KEY) for f in ("dcr_summary", "comparison", "holdout_share")),
    Case("nndr_summary", TRIO, KEY | {"variant": "local", "k": 3}),
    *(Case(f, PAIR, KEY) for f in ("safe", "mda_distances", "mda_curve")),
    Case("mda", PAIR, KEY | {"threshold": [0.1, 0.5]}),
    Case(
        "baseline_sweep", ("holdout",), {"p": [0.0, 0.6], "threshold": [0.2], "seed": 1, "trees": 5, "exclude": ["Id"]}
    ),
    Case("scaling", ("Train Rows",), NUMBERS),
    Case("scaling", ("synthetic",), {"columns": ["many", "Flag", "uid"]}),
    *(
        Case("dcr", PAIR, KEY | {"metric": m, "scaling": s})
        for m, s in [
            ("gower", None),
            ("euclidean", None),
            ("manhattan", "robust"),
            ("hamming", None),
            ("gower", "none"),
        ]
    ),
    Case("dcr", PAIR, {"columns": ['a"b', "price"], "categorical": ['a"b', "price"], "category_mismatch": 2.0}),
    Case("dcr", PAIR, {"columns": ["tiny", "seen"], "categorical": ["tiny", "seen"]}),
    *(Case("nndr", PAIR, KEY | {"variant": v}) for v in ("second", "within_synthetic", "local", "global")),
    Case("dcr_summary", PAIR, KEY | {"metric": "euclidean"}),
    Case("comparison", PAIR, KEY | {"statistic": "mean"}),
    Case("copies", PAIR, TIES),
    Case("copies", PAIR, {"unit": "Id", "columns": TIES["columns"]}),
    Case("dcr_summary", TRIO, WHO),
    Case("membership", TRIO, WHO | {"unit_score": "max", "attack": ["density", "agreement"]}),
    Case("membership", TRIO, KEY | TIES | {"seed": 3, "false_positive_rates": [0.05, 0.2]}),
    Case("exposure", TRIO, WHO | {"attack": "ratio"}),
    *(
        Case("membership_scores", TRIO, KEY | {"attack": a, "k": 2})
        for a in ("distance", "ratio", "density", "agreement")
    ),
    Case("membership_scores", PAIR, KEY | {"attack": "agreement"}),
    Case("exposure", TRIO, WHO | {"unit_score": "sum"}),
    Case("uniques", TRIO, KEY | TIES),
    Case("uniques", PAIR, {"unit": "Id", "columns": ['a"b', "select", "mood"]}),
    Case("membership_scores", TRIO, KEY | TIES | {"attack": "uniques"}),
    Case("membership_scores", TRIO, SOME | {"attack": "learned"}),
    Case("screen", TRIO, KEY | {"false_discovery": 0.5}),
    Case("screen", PAIR, KEY | {"nndr_below": 0.5, "dcr_below": 0.01}),
    Case("mda_curve", PAIR, KEY | {"points": 11, "normalizer": 0.5}),
    Case("mda", PAIR, KEY | {"method": "grid", "points": 11, "direction": "a"}),
    Case(
        "baseline", ("synthetic",), {"p": 1.0, "seed": 3, "trees": 5, "sample": 9, "noise": "donor", "out_of_bag": True}
    ),
    Case("evaluate", PAIR, KEY),
    *(Case(f, t, KEY) for f in ("dcr", "copies", "screen", "mda") for t in (("few", "one"), ("one", "few"))),
    *(Case(f, ("empty", "few"), KEY) for f in ("dcr", "nndr", "copies", "screen", "safe", "mda")),
    *(Case(f, ("few", "empty"), KEY) for f in ("dcr", "copies", "mda", "evaluate")),
    *(Case(f, (table,)) for f, table in (("scaling", "empty"), ("scaling", "one"), ("baseline", "one"))),
    *(Case("holdout_share", tables, KEY) for tables in (("empty", "few", "one"), ("few", "one", "empty"))),
    *(Case("nndr", ("few", t), KEY | o) for t, o in (("one", {}), ("few", {"variant": "local", "k": 9}))),
]
"""More of the same, for engines of which a statement takes less than seconds."""

CASES = LEAN + MORE
FIRST = {case.function: number for number, case in reversed([*enumerate(LEAN)])}
"""The first case of each function."""

_INSTEAD = {"bigquery": {'a"b': "a+b"}, "spark": {"Seen At": "Seen_At"}}
"""Names of columns that tables of a database cannot have, and those that they have there."""


def written_for(
    dialect: str, all_tables: Mapping[str, Table], cases: Sequence[Case]
) -> tuple[dict[str, Table], list[Case]]:
    """Return tables and cases with the names that columns can have in a database."""
    instead = _INSTEAD.get(dialect, {})

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {named(key): named(one) for key, one in value.items()}
        return [named(one) for one in value] if isinstance(value, list) else instead.get(value, value)

    tables = {name: Table(named(dict(table.columns)), table.rows) for name, table in all_tables.items()}
    return tables, [replace(case, options=named(case.options)) for case in cases]
