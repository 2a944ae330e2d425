"""Runs other tools on the tables of tests/helpers/peers.py, and writes their results into tests/helpers/peers.json.

``make peers`` runs it, in the environment of the benchmarks. The tests compare functions of sql/peers/ with the file.
"""

import contextlib
import importlib
import importlib.metadata
import io
import json
import logging
import statistics
import sys
import types
import warnings
from pathlib import Path

import pandas as pd

HELPERS = Path(__file__).parent.parent / "tests" / "helpers"
sys.path.insert(0, str(HELPERS))

import peers  # noqa: E402

KINDS = {"age": "numerical", "income": "numerical", "since": "datetime", "smokes": "boolean"}
KNOWN, SENSITIVE = ["city", "smokes"], ["job", "age"]


def frames(missing):
    """The tables as pandas frames."""
    found = {name: pd.DataFrame(columns) for name, columns in peers.tables(missing).items()}
    for frame in found.values():
        frame["since"] = pd.to_datetime(frame["since"])
    return found


def sdmetrics():
    """The results of SDMetrics."""
    from sdmetrics.column_pairs import ContingencySimilarity, CorrelationSimilarity
    from sdmetrics.reports.single_table import QualityReport
    from sdmetrics.single_column import KSComplement, TVComplement
    from sdmetrics.single_table import NewRowSynthesis
    from sdmetrics.single_table.privacy import (
        CategoricalCAP,
        CategoricalGeneralizedCAP,
        DCRBaselineProtection,
        DCROverfittingProtection,
        DisclosureProtection,
    )

    of = frames(missing=True)
    train, synthetic = of["train"], of["synthetic"]
    metadata = {"columns": {name: {"sdtype": KINDS.get(name, "categorical")} for name in train}}
    complete = frames(missing=False)
    report = QualityReport()
    report.generate(complete["train"], complete["synthetic"], metadata, verbose=False)
    shapes, pairs = report.get_details("Column Shapes"), report.get_details("Column Pair Trends")
    scores = report.get_properties().set_index("Property")["Score"]
    rows = [["overall", [], None, report.get_score()]]
    rows += [["column_shapes", [], None, scores["Column Shapes"]]]
    rows += [["column_shapes", [r["Column"]], r["Metric"], r["Score"]] for _, r in shapes.iterrows()]
    rows += [["column_pair_trends", [], None, scores["Column Pair Trends"]]]
    rows += [
        ["column_pair_trends", [r["Column 1"], r["Column 2"]], r["Metric"], r["Score"]] for _, r in pairs.iterrows()
    ]

    def of_both(names):
        columns = names[0] if len(names) == 1 else list(names)
        return train[columns], synthetic[columns]

    # For columns with missing values, call the metrics directly: the report has no score for some of them.
    alone = [
        (("age",), KSComplement),
        (("since",), KSComplement),
        (("city",), TVComplement),
        (("age", "income"), CorrelationSimilarity),
        (("income", "since"), CorrelationSimilarity),
        (("city", "job"), ContingencySimilarity),
        (("job", "smokes"), ContingencySimilarity),
    ]
    table = {"metadata": metadata, "table_name": None}
    overfitting = DCROverfittingProtection.compute_breakdown(train, synthetic, of["holdout"], **table)
    baselines = [DCRBaselineProtection.compute_breakdown(train, synthetic, **table) for _ in range(20)]
    medians = [b["median_DCR_to_real_data"]["random_data_baseline"] for b in baselines]
    attacked = {"known_column_names": KNOWN, "sensitive_column_names": SENSITIVE}
    disclosed = {
        f"{method}, {bins} bins": DisclosureProtection.compute_breakdown(
            train[KNOWN + SENSITIVE],
            synthetic[KNOWN + SENSITIVE],
            **attacked,
            computation_method=method,
            continuous_column_names=["age"] if bins else None,
            num_discrete_bins=bins or 10,
        )
        for method in ("cap", "zero_cap")
        for bins in (0, 10)
    }
    fields = {"key_fields": ["city", "smokes", "age"], "sensitive_fields": ["job"]}
    asked = [complete[name][[*fields["key_fields"], *fields["sensitive_fields"]]] for name in ("train", "synthetic")]
    return {
        "quality": rows,
        "with missing values": [[list(names), metric.compute(*of_both(names))] for names, metric in alone],
        "overfitting": {"score": overfitting["score"], **overfitting["synthetic_data_percentages"]},
        "baseline": {
            "synthetic_median": baselines[0]["median_DCR_to_real_data"]["synthetic_data"],
            "random_median": statistics.mean(medians),
            "random_spread": statistics.stdev(medians),
        },
        "new_rows": NewRowSynthesis.compute_breakdown(train, synthetic, metadata),
        "disclosure": disclosed,
        "cap": CategoricalCAP.compute(*asked, **fields),
        "generalized_cap": CategoricalGeneralizedCAP.compute(*asked, **fields),
    }


def syntheval():
    """The results of SynthEval on tables without missing values and dates."""
    from syntheval import SynthEval

    of = {name: frame.drop(columns="since") for name, frame in frames(missing=False).items()}
    asked = SynthEval(
        of["train"], of["holdout"], cat_cols=["city", "job", "smokes"], nn_distance="gower", unique_threshold=0
    )
    asked.verbose = False
    with contextlib.redirect_stdout(io.StringIO()):
        asked.evaluate(of["synthetic"], None, None, dcr={}, nndr={}, hit_rate={}, nnaa={}, eps_risk={})
    return {name: dict(found) for name, found in asked._raw_results.items()}


def mostlyai():
    """The accuracy of mostlyai-qa; empty if it is not installed.

    Its package requires torch and a language model, which its accuracy does not need: `pip install --no-deps
    mostlyai-qa phik`.
    """
    try:
        import mostlyai as around
    except ModuleNotFoundError:
        return None
    # Its own __init__ would load the embedding model.
    inside = types.ModuleType("mostlyai.qa")
    inside.__path__ = [str(Path(folder) / "qa") for folder in around.__path__]
    sys.modules[inside.__name__] = inside
    accuracy = importlib.import_module("mostlyai.qa._accuracy")

    found = {}
    for name, missing, sides in (("train", True, ["train"]), ("train and holdout", False, ["train", "holdout"])):
        # The complete tables of the tests have no dates.
        of = {side: frame if missing else frame.drop(columns="since") for side, frame in frames(missing).items()}
        both = pd.concat([of[side] for side in sides]), of["synthetic"]
        # Prepared as by its sampling, but without shuffling.
        real, synthetic = (frame.add_prefix("tgt::").reset_index(drop=True) for frame in both)
        binned, bins = accuracy.bin_data(real, 10)
        other, _ = accuracy.bin_data(synthetic, bins)
        rows = []
        for level in ("univariates", "bivariates", "trivariates"):
            accuracies = getattr(accuracy, f"calculate_{level}")(binned, other)
            for _, row in accuracies.iterrows():
                columns = sorted(row[c].removeprefix("tgt::") for c in ("column", "col1", "col2", "col3") if c in row)
                rows.append([columns, row["accuracy"], row["accuracy_max"]])
        found[name] = sorted(rows, key=lambda row: (len(row[0]), row))
    return found


def main():
    """Write the results."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    path = HELPERS / "peers.json"
    before = json.loads(path.read_text(encoding="utf-8"))
    versions = {name: importlib.metadata.version(name) for name in ("sdmetrics", "syntheval")}
    found = {"versions": versions, "sdmetrics": sdmetrics(), "syntheval": syntheval(), "mostlyai": mostlyai()}
    if found["mostlyai"] is None:
        # Keep the earlier results of a tool that is not installed.
        found["mostlyai"] = before["mostlyai"]
        versions["mostlyai-qa"] = before["versions"]["mostlyai-qa"]
    else:
        versions["mostlyai-qa"] = importlib.metadata.version("mostlyai-qa")
    path.write_text(json.dumps(found, indent=1, default=float) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
