"""What the verdict says of numbers, in which words; and how numbers are written."""

import math

import pytest
from suites import only_where_tested

from synthpriv_sql.language import numbers as words

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.words import verdict

only_where_tested("page")


def number(metric, statistic, value, variant=None, lower=None, upper=None):
    row = {"item": "number", "section": metric, "metric": metric, "variant": variant, "statistic": statistic}
    return row | {"value": value, "lower": lower, "upper": upper, "better": None, "meaning": ""}


def counted(metric, count, share, usual):
    """A share of 1,000 records that is `usual` in the holdout; an excess of half a point is sure."""
    excess = share - usual
    return [
        number(metric, count, 1000 * share),
        number(metric, "share", share, lower=max(0.0, share - 0.005), upper=share + 0.005),
        number(metric, "expected", usual, lower=max(0.0, usual - 0.005), upper=usual + 0.005),
        number(metric, "excess", excess, lower=excess - 0.005, upper=excess + 0.005),
        number(metric, "p_value", 1e-6 if excess > 0.005 else 0.5),
    ]


def judged(
    copies=0.0,
    usual=0.0,
    shares=(0.5, 0.5, None),
    p_values=(0.3, 0.3, 1.0),
    held=0.0,
    band=3.0,
    people=1000.0,
    holdout=True,
    overlap=0.0,
    same=0.0,
    names=(),
    exposed=0.0,
    auc=0.5,
    learned_auc=0.5,
    learned=None,
    singled=None,
    noticed=0.54,
    differs=None,
    control=0.5,
    others=(),
):
    """The verdict on 1,000 synthetic records; ``shares`` and ``p_values`` are of all, near ones and copies."""
    found = [
        number("tables", "rows", 1000.0, "synthetic"),
        number("tables", "rows", people, "train"),
        number("identifiers", "columns", len(names)),
        *(number("identifiers", "distinct", 1.0, name) for name in names),
        *counted("copies", "records", copies, usual),
        *counted("near_copies", "records", 0.05, 0.05),
        *counted("screen", "flagged", copies + 0.05, 0.05),
        number("dcr", "band", band, "holdout" if holdout else "train"),
        number("dcr", "difference_percent", 5.0, "holdout" if holdout else "train"),
    ]
    if not holdout:
        found = [n for n in found if n["statistic"] not in {"excess", "p_value"}]
        return verdict(Measured(found))
    found += [number("tables", "rows", people, "holdout"), *counted("holdout", "overlap", overlap, 0.0)]
    for depth, share, p_value in zip((None, "near", "copies"), shares, p_values, strict=True):
        lower, upper = (None, None) if share is None else (share - 0.01, share + 0.01)
        found += [
            number("holdout_share", "share", share, depth, lower=lower, upper=upper),
            number("holdout_share", "expected", 0.5, depth),
            number("holdout_share", "p_value", p_value, depth),
            number("holdout_share", "closer", 1000.0 * (share or 0.0), depth),
            number("holdout_share", "further", held if depth == "copies" else 0.0, depth),
        ]
    found += [
        number("holdout", "same", same),
        number("exposure", "exposed", exposed),
        number("exposure", "exposed", exposed, "uniques"),
        number("exposure", "exposed", 0.0, "learned"),
        number("exposure", "share", exposed / 1000),
        number("exposure", "by_chance", 0.05 * exposed),
        number("exposure", "people", people),
        number("exposure", "least", 40.0),
        number("membership", "noticed", noticed),
        number("split", "auc", control, lower=control - 0.01, upper=control + 0.01),
        {**number("split", "differs", float(differs is not None)), "meaning": differs or ""},
        *({**number("split", "differs", 1.0, name), "meaning": why} for name, why in others),
    ]
    for attack, area in (("agreement", auc), ("learned", learned_auc)):
        found += [
            number("membership", "auc", area, attack, lower=area - 0.01, upper=area + 0.01),
            number("membership", "p_value", 1e-6 if area > 0.51 else 0.5, attack),
        ]
    if learned is not None:
        found += [number("attribute_inference", "risk", r, f"column {i}", lower=r - 0.02, upper=r + 0.02)
                  for i, r in enumerate(learned)]  # fmt: skip
    if singled is not None:
        found.append(number("singling_out", "risk", singled, lower=singled - 0.02, upper=singled + 0.02))
    return verdict(Measured([n | {"statistic": {"excess": "overlap_excess"}.get(n["statistic"], n["statistic"])}
                             if n["metric"] == "holdout" else n for n in found]))  # fmt: skip


CLOSER = "This table is closer to real records than expected."
NOTHING = "The attacks identify none of 1,000 people; a leak that affects fewer than 40 of them would go undetected."
SAME = "The holdout is the same table as train, so no statement is possible."
TOLD = "Membership in the training data can be inferred better than by guessing."
LEARNED = "More can be learned about people who were in the data than about others."
BELOW = (
    "This table is closer to the holdout than to train: the two are swapped, the synthesizer saw the "
    "holdout, or rows near train were removed."
)
NEAR = "This table contains near-copies of real records."
REAL = "This table contains real records."
COPIES = "{} synthetic records equal a real one; by chance, fewer than one is expected."
ALONE = "Nothing was compared with people whom the synthesizer never saw, so a leak can be neither found nor ruled out."
OTHERS = "The values of job in synthetic do not occur in real rows, which may hide a leak."
JOB = ("job", "6.1 % of the holdout's values never occur in train, 0.1 % expected")
BLANKS = f"No statement is possible: train and holdout differ in job ({JOB[1]})."
NAMED = "15 of 1,000 people can be identified as members of the training data."


@pytest.mark.parametrize(
    ("numbers", "level", "headline"),
    [
        ({}, "good", NOTHING),
        # All attacks and depths are tested together (Holm).
        ({"shares": (0.55, 0.5, None), "p_values": (1e-6, 0.3, 1.0)}, "bad", "This table leaks."),
        ({"shares": (0.55, 0.5, None), "p_values": (5e-4, 0.3, 1.0)}, "watch", CLOSER),
        ({"shares": (0.55, 0.5, None), "p_values": (5e-3, 0.3, 1.0)}, "good", NOTHING),
        ({"shares": (0.5, 0.7, None), "p_values": (0.3, 1e-6, 1.0)}, "bad", NEAR),
        ({"copies": 0.05, "shares": (0.5, 0.5, 1.0), "p_values": (0.3, 0.3, 1e-9)}, "bad", REAL),
        (
            {"copies": 0.05, "shares": (0.5, 0.7, 1.0), "p_values": (0.3, 1e-6, 1e-9)},
            "bad",
            "This table contains real records, and near-copies of others.",
        ),
        ({"copies": 0.006}, "watch", COPIES.format(6)),
        # Attacks find what distances do not.
        ({"exposed": 15.0}, "bad", NAMED),
        ({"exposed": 15.0, "copies": 0.05}, "bad", NAMED),
        ({"auc": 0.72}, "bad", TOLD),
        ({"auc": 0.53}, "bad", TOLD),
        ({"auc": 0.53, "learned_auc": 0.53, "control": 0.53}, "good", NOTHING),
        # What is learned of people because they were in the data; of several numbers one is large by chance.
        ({"learned": [0.3, 0.0]}, "bad", LEARNED),
        ({"learned": [0.022, 0.0], "singled": 0.0}, "good", NOTHING),
        ({"learned": [0.024, *[0.0] * 9]}, "good", NOTHING),
        ({"singled": 0.93}, "bad", LEARNED),
        # What coincides in the holdout as well is not copied.
        ({"copies": 0.411, "usual": 0.424}, "good", NOTHING),
        # Bands are a convention, and no evidence: neither against a table nor for it.
        ({"band": 1.0}, "good", NOTHING),
        ({"band": None}, "good", NOTHING),
        # Below chance is never good, and what learns from labels finds that too.
        ({"shares": (0.4, 0.5, None), "p_values": (1e-6, 0.3, 1.0)}, "none", BELOW),
        ({"shares": (0.4, 0.5, 0.0), "p_values": (1e-6, 0.3, 1e-6), "held": 40.0, "learned_auc": 0.8}, "none", BELOW),
        ({"auc": 0.44, "learned_auc": 0.6}, "none", BELOW),
        ({"auc": 0.44, "exposed": 15.0}, "bad", NAMED),
        # What is in the way of an answer.
        ({"names": ["id"]}, "none", "Identifiers are compared, so copies cannot be detected."),
        ({"overlap": 0.5}, "none", "The holdout contains rows of train, which may hide a leak."),
        ({"overlap": 0.5, "exposed": 15.0}, "bad", NAMED),
        ({"same": 1.0, "exposed": 15.0}, "none", SAME),
        ({"differs": "1 column", "others": [JOB], "exposed": 15.0}, "none", BLANKS),
        ({"differs": "1 column", "others": [JOB], "auc": 0.7, "control": 0.9}, "none", BLANKS),
        ({"differs": "1 column", "others": [JOB], "auc": 0.7}, "bad", TOLD),
        ({"others": [JOB]}, "none", OTHERS),
        ({"people": 90.0}, "none", "Too few records for a statement."),
        ({"noticed": 0.63}, "none", "Too few people to detect an attack with an AUC below 0.63."),
        ({"holdout": False}, "none", ALONE),
        ({"holdout": False, "copies": 0.16}, "watch", COPIES.format(160)),
    ],
)  # fmt: skip
def test_the_verdict_is_as_bad_as_the_worst_finding(numbers, level, headline):
    found = judged(**numbers)
    assert (found.level, found.headline) == (level, headline)
    assert "equal a real one" in found.sentence
    assert [finding.level for finding in found.findings if finding.section == "distance"] == [""]
    assert bool(found.cautions) == bool({"names", "overlap", "same", "people"} & numbers.keys())
    assert ("equal one of the holdout" in found.sentence) == ("held" in numbers)


def test_it_says_when_attacks_and_distances_disagree():
    assert "The attacks succeed although copies and distances show nothing" in judged(exposed=15.0).disagreement
    assert "may hide a copied part of the records: dimension_columns" in judged(exposed=15.0).disagreement
    assert "band of DCR is high" in judged(auc=0.72).disagreement
    assert judged(exposed=15.0, copies=0.05).disagreement == ""
    near = judged(shares=(0.5, 0.7, None), p_values=(0.3, 1e-6, 1.0))
    assert "these attacks identify nobody with them" in near.disagreement
    assert "which nothing else confirms" in judged(band=1.0).disagreement
    assert judged(band=1.0, holdout=False).disagreement == ""
    assert judged().disagreement == ""


def test_it_says_what_to_do_next():
    assert judged().next_steps == []
    assert "safe with until_safe" in " ".join(judged(exposed=15.0).next_steps)
    assert "give it as holdout" in " ".join(judged(holdout=False).next_steps)
    assert "at random from the same rows" in " ".join(judged(differs="1 column", others=[JOB]).next_steps)
    assert "the synthesizer saw train" in " ".join(judged(auc=0.44).next_steps)
    assert "as key, or exclude them" in " ".join(judged(names=["id"]).next_steps)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "—"),
        (0.0, "0"),
        (5000, "5,000"),
        (0.5, "0.5000"),
        (0.053456, "0.05346"),
        (123456.78, "123,457"),
        (1.234e-7, "1.23 × 10⁻⁷"),
        (math.inf, "∞"),
        (-2, "−2"),
    ],
)
def test_numbers(value, shown):
    assert words.number(value).replace("\u202f", " ") == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (None, "—"),
        (0, "0 %"),
        (1, "100 %"),
        (0.5, "50 %"),
        (0.6892, "68.9 %"),
        (0.00077, "0.077 %"),
        (1e-7, "0.00001 %"),
    ],
)
def test_shares(share, shown):
    assert words.percent(share).replace("\u202f", " ") == shown
