"""`evaluate`: every number is that of the single function, searched for once, and says what it means."""

import math

import numpy as np
import oracle
import oracle_people
import oracle_scores
import pyarrow as pa
import pytest
from attacks import by_chance, distinct_expected, rare_copies, rows_in
from calls import call, create, rows_of

TRIO = ("synthetic", "train", "holdout")
COLUMNS = ["section", "metric", "variant", "statistic", "value", "lower", "upper", "better", "meaning"]
SECTIONS = [
    "exposure",
    "exposure_by",
    "membership",
    "split",
    "within",
    "replay",
    "dimensions",
    "tables",
    "scope",
    "identifiers",
    "holdout",
    "copies",
    "holdout_share",
    "dcr",
    "nndr",
    "comparison",
    "screen",
    "mda",
    "discernibility",
]
BANDS = {"high": 3, "medium": 2, "low": 1, None: None}
SUMMARY = ("n", "min", "p01", "p05", "p25", "median", "p75", "mean", "max", "share_zero")
QIDS = ["city", "n"]
USUAL = {"quasi_identifiers": QIDS, "k": 3, "threshold": [0.2, 0.5]}
"""What most ask for of three tables, asked once."""
ATTACKS = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"]


def people(rows, seed, copied=None):
    random = np.random.default_rng(seed)
    table = {
        "city": random.choice(list("abcde"), rows).tolist(),
        "n": [None if i % 13 == 7 else int(v) for i, v in enumerate(random.integers(0, 6, rows))],
        "x": random.normal(size=rows).tolist(),
    }
    for name, values in (copied or {}).items():
        table[name][3:9] = values[:6]
    return table


TRAIN = people(60, 2)
TABLES = {"synthetic": people(45, 1, TRAIN), "train": TRAIN, "holdout": people(50, 3)}


def session_with_tables(session):
    create(session, **{name: pa.table(table) for name, table in TABLES.items()})
    return session


@pytest.fixture(scope="module")
def session(shared):
    return session_with_tables(shared)


def numbers(rows):
    """Values by section, metric, variant and statistic; each stands there once."""
    found = {(row["section"], row["metric"], row["variant"], row["statistic"]): row for row in rows}
    assert len(found) == len(rows)
    return found


def one(rows):
    (row,) = rows
    return row


def excess(count, hits, n, usual, usual_n):
    """The numbers of a count beside that of the holdout."""
    difference = oracle.excess(hits, n, usual, usual_n)
    return {count: hits, "share": hits / n, "expected": usual / usual_n} | {
        name: difference[name] for name in ("excess", "p_value")
    }


def single_functions(
    session, tables, quasi_identifiers=None, k=None, threshold=0.2, statistic="median", normalizer=None, **options
):
    """The same numbers, from one call of each function."""
    synthetic, train, *holdout = tables
    found = {("tables", "tables", side, "rows"): session.connection.table(table).shape[0]
             for side, table in zip(TRIO, tables, strict=False)}  # fmt: skip
    copies = [row["copies"] > 0 for row in rows_of(session.copies(synthetic, train, **options))]
    repeated = [row["copies"] > 1 for row in rows_of(session.copies(train, train, **options))]
    named = [row for row in rows_of(session.identifiers(*tables, **options)) if row["identifier"]]
    found["identifiers", "identifiers", None, "columns"] = len(named)
    for row in named:
        found["identifiers", "identifiers", row["column_name"], "distinct"] = row["distinct"] / row["count"]
    copied = {"records": sum(copies), "share": np.mean(copies), "expected": np.mean(repeated)}
    left = [name for name in TRAIN if name not in options.get("exclude", ())]
    plain = [{name: TABLES[side][name] for name in left} for side in tables]
    different = [len({*rows_in(table)}) for table in plain]
    found |= {("scope", "left_out", name, "column"): 1 for name in TRAIN if name not in left}
    scope = {("scope", "tolerance"): 0.02, ("scope", "columns"): len(left), ("left_out", "columns"): 3 - len(left)}
    found |= {("scope", metric, None, name): value for (metric, name), value in scope.items()}
    rare = dict(zip(("rare", "rare_p_value"), rare_copies(*plain), strict=True))
    found |= {("tables", "tables", side, "distinct"): n for side, n in zip(TRIO[:2], different, strict=False)}
    found["tables", "tables", "synthetic", "distinct_expected"] = distinct_expected(*plain[:2])
    found["tables", "tables", "synthetic", "distinct_share"] = different[0] / distinct_expected(*plain[:2])
    found |= oracle_people.evaluated(session, tables, options)
    if not holdout:
        sides = [{name: TABLES[side][name] for name in left} for side in TRIO[:2]]
        scores, *_ = oracle_scores.agreement(*sides, weights=options.get("weights"))
        found["exposure", "exposure", None, "beyond"] = sum(scores > np.log2(len(copies)))
    if holdout:
        members, others = (session.connection.table(table).shape[0] for table in tables[1:])
        named_by = [row["attack"] for row in rows_of(session.exposure(*tables, **options)) if row["exposed"]]
        # The records are too few to learn from, so that uniques alone names.
        named = {"exposed": len(named_by), "share": len(named_by) / members, "by_chance": 0.05 * len(named_by)}
        named |= {"people": members, "least": math.ceil(members / ((others + 1) * 0.05 / 2))}
        found |= {("exposure", "exposure", None, name): value for name, value in named.items()}
        found["exposure", "exposure", "uniques", "exposed"] = named_by.count("uniques")
        found["exposure", "exposure", "learned", "exposed"] = None
        found["membership", "membership", None, "noticed"] = 0.5 + 4.37 * math.sqrt(
            (members + others + 1) / (12 * members * others)
        )
        rates = {"found_at_1_per_1000": 0.001, "found_at_1_per_100": 0.01, "found_at_1_per_10": 0.1}
        attacks = session.membership(*tables, attack=ATTACKS, **options).to_arrow().to_pylist()
        most = min(attacks, key=lambda row: (-row["at_least"], row["listed"], row["attack"]))
        named = {n: most[n] for n in ("at_least", "listed")} | {
            "missed": math.ceil(by_chance(members, others, len(attacks) // 3) + 1)
        }
        found |= {("exposure", "exposure", None, name): value for name, value in named.items()}
        for row in attacks:
            key, names = ("membership", "membership", row["attack"]), ("auc", "p_value", "p_adjusted", "advantage")
            names = (*names, "epsilon_lower", "traced_lower", "at_least", "listed", "top_p_value")
            found |= {(*key, n): row[n] for n in names}
            found |= {(*key, n): row["true_positive_rate"] for n, r in rates.items() if row["false_positive_rate"] == r}
        for row in rows_of(session.split_check(train, *holdout, synthetic, **options)):
            found["split", "split", row["column_name"], "differs"] = row["differs"]
            if row["column_name"] is None:
                found["split", "split", None, "auc"] = row["auc"]
        overlap = [row["copies"] > 0 for row in rows_of(session.copies(*holdout, train, **options))]
        copied = excess("records", sum(copies), len(copies), sum(overlap), len(overlap))
        split = excess("overlap", sum(overlap), len(overlap), sum(repeated), len(repeated))
        split |= {"overlap_excess": split.pop("excess"), "same": 0}
        found |= {("holdout", "holdout", None, name): value for name, value in split.items()}
        for share in rows_of(session.holdout_share(*tables, **options)):
            depth = None if share["depth"] == "all" else share["depth"]
            for name in ("share", "expected", "z", "p_value", "closer", "further", "equal"):
                found["holdout_share", "holdout_share", depth, name] = share[name]
    if options.get("metric", "gower") == "gower":
        found["dimensions", "dimensions", None, "contrast"] = one(rows_of(session.dimensions(train)))["contrast"]
    found |= {("copies", "copies", None, name): value for name, value in (copied | rare).items()}
    for row in rows_of(session.dcr_summary(*tables, **options)):
        found |= {("dcr", "dcr", row["comparison"], name): row[name] for name in SUMMARY}
    for variant in oracle.VARIANTS:
        for row in rows_of(session.nndr_summary(*tables, variant=variant, **options)):
            found |= {("nndr", f"nndr_{variant}", row["comparison"], name): row[name] for name in SUMMARY}
    for row in rows_of(session.comparison(*tables, statistic=statistic, **options)):
        key = ("comparison", row["metric"], row["baseline"])
        names = ("difference_percent", "privacy_score", "privacy_score_clipped")
        found |= {(*key, name): row[name] for name in names} | {(*key, "band"): BANDS[row["band"]]}
    screened = rows_of(session.screen(*tables, **options))
    flagged = [row["flagged"] for row in screened]
    near = [row["flagged"] and not row["copies"] for row in screened]
    counts = {"screen": {"flagged": sum(flagged), "share": np.mean(flagged)},
              "near_copies": {"records": sum(near), "share": np.mean(near)}}  # fmt: skip
    if holdout:
        distances = [row["dcr"] for row in rows_of(session.dcr(*holdout, train, **options))]
        below = np.array(distances) < np.quantile(distances, 0.05)
        usual, n = sum(below | np.array(overlap)), len(overlap)
        counts["screen"] = excess("flagged", sum(flagged), len(flagged), usual, n)
        counts["near_copies"] = excess("records", sum(near), len(near), sum(below & ~np.array(overlap)), n)
    found |= {("screen", metric, None, name): v for metric, values in counts.items() for name, v in values.items()}
    for row in rows_of(session.mda(synthetic, train, threshold=threshold, normalizer=normalizer, **options)):
        key = ("mda", "mda", f"threshold {row['threshold']}")
        found |= {(*key, n): row[n] for n in ("privacy", "privacy_area", "resemblance", "tradeoff_area")}
    if quasi_identifiers:
        names = ["discernibility", "classes", "smallest_class", "average_class_size"]
        names += ["rows_below_k", "classes_below_k", "c_avg", "ratio_to_best"] if k else []
        for side, table in zip(TRIO[:2], tables, strict=False):
            result = session.discernibility(table, quasi_identifiers, k=k)
            row = dict(zip(result.columns, result.fetchall()[0], strict=True))
            found |= {("discernibility", "discernibility", side, name): row[name] for name in names}
    return found


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("sides", "options"),
    [
        (TRIO, USUAL),
        (TRIO, {"metric": "hamming", "statistic": "mean", "normalizer": 5.0}),
        (TRIO[:2], {"quasi_identifiers": ["city"]}),
        (TRIO[:2], {"metric": "euclidean", "scaling": "robust", "weights": {"n": 2.0}, "exclude": ["x"]}),
    ],
)
def test_every_number_is_that_of_the_single_function(session, usual, sides, options):
    result = usual if options is USUAL else session.evaluate(*sides, **options)
    assert result.columns == COLUMNS
    rows = result.to_arrow().to_pylist()
    found = {key: row["value"] for key, row in numbers(rows).items()}
    expected = single_functions(session, sides, **options)
    assert found.keys() == expected.keys()
    # The mean of many distances depends on the order in which threads add them up.
    assert as_floats(found) == pytest.approx(as_floats(expected), rel=1e-12, nan_ok=True)
    order = list(dict.fromkeys(row["section"] for row in rows))
    assert order == [section for section in SECTIONS if section in order]
    assert ("holdout_share" in order, "discernibility" in order) == (len(sides) == 3, "quasi_identifiers" in options)
    if "weights" in options:  # of SQL once: it runs the same statement
        again = sql_rows_in_order(session, sides, options)
        assert [tuple(row.values())[:4] for row in again] == [tuple(row.values())[:4] for row in rows]
        again = {key: row["value"] for key, row in numbers(again).items()}
        assert as_floats(again) == pytest.approx(as_floats(found), rel=1e-12, nan_ok=True)


def as_floats(values):
    return {key: math.nan if value is None else float(value) for key, value in values.items()}


def sql_rows_in_order(session, sides, options):
    return session.connection.execute(call("evaluate", *sides, **options)).to_arrow_table().to_pylist()


@pytest.fixture(scope="module")
def usual(session):
    return session.evaluate(*TRIO, **USUAL)


@pytest.fixture(scope="module")
def usual_rows(usual):
    return usual.to_arrow().to_pylist()


def test_every_number_has_a_meaning_and_a_direction(usual_rows):
    rows = usual_rows
    for row in rows:
        assert row["meaning"].strip().endswith(".")
        assert not row["meaning"][0].islower()
        assert row["better"] in ("higher", "lower", None)
        if row["lower"] is not None or row["upper"] is not None:
            assert row["lower"] <= row["value"] <= row["upper"]
    better = {(row["section"], row["metric"], row["statistic"]): row["better"] for row in rows
              if row["variant"] in (None, "synthetic_train", "holdout", "threshold 0.2", "synthetic")}  # fmt: skip
    assert better["copies", "copies", "share"] == better["holdout_share", "holdout_share", "share"] == "lower"
    assert better["holdout_share", "holdout_share", "p_value"] == better["dcr", "dcr", "median"] == "higher"
    assert better["dcr", "dcr", "share_zero"] == better["mda", "mda", "privacy_area"] == "lower"
    assert better["mda", "mda", "privacy"] == better["comparison", "dcr", "band"] == "higher"
    # How many there are, and what would be expected, is neither good nor bad; nor is what real rows do.
    assert {row["better"] for row in rows if row["section"] == "tables" or row["statistic"] in ("n", "expected")} == {
        None
    }
    assert {row["better"] for row in rows if row["variant"] in ("train_train", "holdout_train")} == {None}


def test_intervals_are_wilsons(session, usual_rows):
    found = numbers(usual_rows)
    for section, count in (("copies", "records"), ("screen", "flagged")):
        hits = int(found[section, section, None, count]["value"])
        wanted = oracle.share_statistics(hits, 45 - hits, 0, 1, 1)
        row = found[section, section, None, "share"]
        assert (row["lower"], row["upper"]) == pytest.approx((wanted["lower"], wanted["upper"]), rel=1e-9)
    share, *_ = rows_of(session.holdout_share(*TRIO))
    row = found["holdout_share", "holdout_share", None, "share"]
    assert (row["lower"], row["upper"]) == (share["lower"], share["upper"])
    for metric in ("copies", "screen", "near_copies"):
        section = "copies" if metric == "copies" else "screen"
        share, usual, difference = (found[section, metric, None, name] for name in ("share", "expected", "excess"))
        wanted = oracle.excess(round(45 * share["value"]), 45, round(50 * usual["value"]), 50)
        assert (difference["lower"], difference["upper"]) == pytest.approx((wanted["lower"], wanted["upper"]), rel=1e-9)
    with_interval = {key[1::2] for key, row in found.items() if row["lower"] is not None}
    numbers_with_intervals = {
        ("holdout", "overlap_excess"),
        ("holdout", "share"),
        ("holdout", "expected"),
        ("holdout_share", "share"),
        ("membership", "auc"),
        ("membership", "found_at_1_per_10"),
    }
    counts = ("copies", "screen", "near_copies")
    assert with_interval == numbers_with_intervals | {(m, s) for m in counts for s in ("share", "expected", "excess")}
