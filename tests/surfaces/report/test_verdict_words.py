"""What the verdict says of numbers, in which words."""

import pytest

pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.family import family
from synthpriv_sql.report.verdict.words import verdict


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
    distance=0.3,
    missed=7.0,
    tops=(),
    replays=(),
    nearly=(),
    within=(),
    rare=(),
    distinct=None,
    numbers=(),
    left_out=(),
    columns=5.0,
    tolerance=0.02,
    found_lower=0.0,
):
    """The verdict on 1,000 synthetic records; ``shares`` and ``p_values`` are of all, near ones and copies.

    ``tops`` are attacks with at_least, listed and top_p_value; ``replays`` columns with kind, replayed, replayed of the
    holdout and p_value, ``nearly`` the same of texts; ``within`` sides with replicated, control, p_value and at_least.
    """
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
        number("scope", "tolerance", tolerance),
        number("scope", "columns", columns),
        *(number("left_out", "column", 1.0, name) for name in left_out),
        *(
            number("tables", name, n, "synthetic")
            for name, n in zip(("distinct", "distinct_expected"), distinct or (), strict=False)
        ),
    ]
    for side, replicated, control_, p_value, least in within:
        found += [
            *(number("within", name, n, side) for name, n in (("people", 500.0), ("replicated", replicated))),
            number("within", "control", control_, side),
            number("within", "ratio", replicated / control_, side),
            number("within", "p_value", p_value, side),
            number("within", "at_least", least, side),
        ]
    for metric, column, kind, replayed, held, p_value in [
        *(("replay", *one) for one in replays),
        *(("near_replay", *one) for one in nearly),
    ]:
        found += [
            number(metric, "train", people, column),
            number(metric, "holdout", people, column),
            {**number(metric, "replayed", replayed, column), "meaning": f"They look like: {kind}."},
            number(metric, "holdout_replayed", held, column),
            number(metric, "p_value", p_value, column),
        ]
    found += [number("copies", name, n) for name, n in zip(("rare", "rare_p_value"), rare, strict=False)]
    if not holdout:
        found = [n for n in found if n["metric"] == "within" or n["statistic"] not in {"excess", "p_value"}]
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
        number("exposure", "missed", missed),
        number("membership", "noticed", noticed),
        number("split", "auc", control, lower=control - 0.01, upper=control + 0.01),
        {**number("split", "differs", float(differs is not None)), "meaning": differs or ""},
        *({**number("split", "differs", 1.0, name), "meaning": why} for name, why in others),
    ]
    for name, _ in others:
        found += [number("split", "number", float(name in numbers), name), number("split", "distance", distance, name)]
    areas = {name: 0.5 for name, *_ in tops} | {"agreement": auc, "learned": learned_auc}
    for attack, area in areas.items():
        found += [
            number("membership", "auc", area, attack, lower=area - 0.01, upper=area + 0.01),
            number("membership", "p_value", 1e-6 if area > 0.51 else 1 - 1e-9 if area < 0.49 else 0.5, attack),
            number("membership", "found_at_1_per_100", found_lower + 0.01, attack, lower=found_lower),
        ]
    for attack, least, listed, p_value in tops:
        found += [
            number("membership", name, value, attack)
            for name, value in zip(("at_least", "listed", "top_p_value"), (least, listed, p_value), strict=True)
        ]
    if learned is not None:
        found += [number("attribute_inference", "risk", r, f"column {i}", lower=r - 0.02, upper=r + 0.02)
                  for i, r in enumerate(learned)]  # fmt: skip
    if singled is not None:
        found.append(number("singling_out", "risk", singled, lower=singled - 0.02, upper=singled + 0.02))
    return verdict(Measured([n | {"statistic": {"excess": "overlap_excess"}.get(n["statistic"], n["statistic"])}
                             if n["metric"] == "holdout" else n for n in found]))  # fmt: skip


CLOSER = "This table is closer to real records than expected."
NOTHING = (
    "The attacks identify none of 1,000 people; a leak of fewer than 7 of them, or of people whom no attack puts "
    "first, would go undetected."
)
SAME = "The holdout is the same table as train, so no statement is possible."
TOLD = "Membership in the training data can be inferred better than by guessing."
LEARNED = "More can be learned about people who were in the data than about others."
BELOW = (
    "This table is further from train than chance explains: the synthesizer did not see train, or rows near train were "
    "removed."
)
SEEN = "The synthesizer saw the holdout, or train and the holdout are swapped: no statement is possible."
FAINT = "A trace of train can be measured, too faint to name anybody."
AWAY = "At least {} of 1,000 people are given away: of the {} that agreement puts first, chance explains {}."
FIRST = "People of train come first on a list more often than chance explains, too few to say how many."
MAILS = "60 e-mail addresses in mail, each of one person of train alone, come back; of the holdout, 0 do."
ONE_MAIL = "1 of the e-mail addresses in mail, of one person of train alone, comes back; of the holdout, 0 do."
MAIL, LEAK = ("mail", "email", 1.0, 1.0, 0.5), ("mail", "email", 60.0, 0.0, 1e-17)
NEARLY = MAILS.replace("come back; of the holdout, 0 do", "come back as they are or nearly; of the holdout, 9 do")
RARE = "Rare combinations of values of train recur 1.80 times as often as among real people"
NEAR = "This table contains near-copies of real records."
REAL = "This table contains real records."
COPIES = "{} synthetic records equal a real one; by chance, fewer than one is expected."
ALONE = "Nothing was compared with people whom the synthesizer never saw, so a leak can be neither found nor ruled out."
OTHERS = "The values of job in synthetic do not occur in real rows, which may hide a leak."
JOB = ("job", "6.1 % of the holdout's values never occur in train, 0.1 % expected")
BLANKS = f"No statement is possible: train and holdout differ in job ({JOB[1]})."
TOO_FEW = (
    "Too few people: neither an attacker who is right 55\u202f% of the time nor a leak of 5\u202f% of 1,000 people "
    "would have been detected."
)
BEYOND = (
    "Nothing was compared with people whom the synthesizer never saw, so a leak cannot be ruled out; rare combinations "
    "of train recur no more often than among real people."
)
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
        ({"copies": 0.006, "rare": (6.0, 0.0014)}, "watch", COPIES.format(6)),
        # Where people coincide now and then, one table has some and the other has none: no evidence.
        ({"copies": 0.004, "rare": (4.0, 0.012)}, "good", NOTHING),
        # Attacks find what distances do not.
        ({"exposed": 15.0}, "bad", NAMED),
        ({"exposed": 15.0, "copies": 0.05}, "bad", NAMED),
        ({"auc": 0.72}, "bad", TOLD),
        # A trace of the crowd gives nobody away; the limits can be chosen.
        ({"auc": 0.53}, "watch", FAINT),
        ({"auc": 0.53, "tolerance": 0.005}, "bad", TOLD),
        ({"auc": 0.53, "found_lower": 0.02}, "bad", TOLD),
        ({"shares": (0.52, 0.5, None), "p_values": (1e-6, 0.3, 1.0)}, "watch", FAINT),
        # The top of a list: few people, whom no average shows. Every attack speaks.
        ({"tops": [("agreement", 130.0, 137.0, 1e-39), ("learned", 9.0, 30.0, 1)]}, "bad", AWAY.format(130, 137, 7)),
        ({"tops": [("agreement", 4.0, 11.0, 0.5)]}, "watch", AWAY.format(4, 11, 7)),
        ({"tops": [("agreement", 0.0, 0.0, 1e-9)]}, "watch", FIRST),
        ({"tops": [("agreement", 0.0, 0.0, 1e-9)], "found_lower": 0.02}, "bad", FIRST),
        ({"tops": [("agreement", 5.0, 11.0, 0.5)], "exposed": 15.0}, "bad", NAMED),
        ({"tops": [("agreement", 9.0, 15.0, 1e-9)], "same": 1.0}, "none", SAME),
        ({"tops": [("agreement", 9.0, 15.0, 1e-9)], "differs": "1 column", "others": [JOB]}, "none", BLANKS),
        # Values of single people that come back, in a column that nothing else looks at.
        ({"replays": [("mail", "email", 60.0, 0.0, 1e-17)], "left_out": ["mail"]}, "bad", MAILS),
        ({"replays": [("mail", "email", 60.0, 55.0, 0.3)]}, "good", NOTHING),
        ({"replays": [("mail", "email", 9.0, 0.0, 0.0012)]}, "watch", MAILS.replace("60", "9")),
        # Of two findings that say how many people are given away, the headline has the one with more.
        ({"replays": [LEAK], "tops": [("agreement", 9.0, 16.0, 1e-9)]}, "bad", MAILS),
        ({"replays": [LEAK], "tops": [("agreement", 130.0, 137.0, 1e-39)]}, "bad", AWAY.format(130, 137, 7)),
        # An address that comes back is never good, unless those of strangers do, too; a number may be chance.
        ({"replays": [("mail", "email", 2.0, 0.0, 0.25)]}, "watch", MAILS.replace("60", "2")),
        ({"replays": [("mail", "email", 2.0, 1.0, 0.25)]}, "good", NOTHING),
        ({"replays": [("mail", "email", 1.0, 0.0, 0.5)]}, "watch", ONE_MAIL),
        ({"replays": [("dose", "number", 2.0, 0.0, 0.25)]}, "good", NOTHING),
        # Texts come back nearly: said where that is worse, or more.
        ({"replays": [MAIL], "nearly": [("mail", "email", 60.0, 9.0, 1e-9)]}, "bad", NEARLY),
        ({"replays": [MAIL], "nearly": [("mail", "email", 30.0, 9.0, 0.3)]}, "good", NOTHING),
        ({"replays": [MAIL], "nearly": [("mail", "email", 60.0, 50.0, 1e-4)]}, "watch", NEARLY.replace("9", "50")),
        ({"replays": [LEAK], "nearly": [("mail", "email", 60.0, 0.0, 1e-9)]}, "bad", MAILS),
        ({"replays": [LEAK], "nearly": [("mail", "email", 80.0, 9.0, 1e-9)]}, "bad", NEARLY.replace("60", "80")),
        # Rare combinations, beside those of other real people: of train, and of the holdout.
        ({"within": [("train", 90.0, 50.0, 1e-9, 20.0)], "holdout": False}, "bad", f"{RARE}: at least 20 of 500 people "
         "are given away, if a careful table repeats rare values no more often than people do."),
        ({"within": [("train", 52.0, 50.0, 1e-9, 0.0)], "holdout": False}, "watch", RARE.replace("1.80", "1.04") + "."),
        ({"within": [("train", 45.0, 50.0, 0.9, 3.0)], "holdout": False}, "watch", None),
        ({"within": [("train", 45.0, 50.0, 0.9, 0.0)], "holdout": False}, "none", BEYOND),
        ({"within": [("train", 90.0, 50.0, 1e-9, 20.0), ("holdout", 50.0, 50.0, 0.5, 0.0)]}, "bad", None),
        ({"within": [("train", 90.0, 50.0, 1e-9, 20.0), ("holdout", 90.0, 50.0, 1e-9, 9.0)], "auc": 0.7}, "bad", None),
        ({"within": [("train", 50.0, 50.0, 0.5, 0.0), ("holdout", 90.0, 50.0, 1e-9, 9.0)], "learned_auc": 0.9}, "none",
         SEEN),
        # Copies too rare for coincidences, where coincidences are usual.
        ({"copies": 0.006, "usual": 0.006, "rare": (6.0, 0.0014)}, "watch",
         "6 synthetic records equal real people who are too rare to be coincidences."),
        ({"copies": 0.006, "usual": 0.006, "rare": (1.0, 0.3)}, "good", NOTHING),
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
        ({"others": [JOB], "numbers": ["job"]}, "good", NOTHING),
        ({"others": [JOB], "numbers": ["job"], "columns": 1.0}, "none", OTHERS),
        ({"people": 90.0}, "none", "Too few records for a statement."),
        # Either leak must have been noticeable: one of the crowd, or one of a few.
        ({"noticed": 0.63}, "good", NOTHING),
        ({"noticed": 0.54, "missed": 90.0}, "good", NOTHING.replace("7 of", "90 of")),
        ({"noticed": 0.63, "missed": 90.0}, "none", TOO_FEW),
        ({"holdout": False}, "none", ALONE),
        ({"holdout": False, "copies": 0.16}, "watch", COPIES.format(160)),
    ],
)  # fmt: skip
def test_the_verdict_is_as_bad_as_the_worst_finding(numbers, level, headline):
    found = judged(**numbers)
    assert (found.level, found.headline) == (level, headline or found.headline)
    assert "equal a real one" in found.sentence
    assert [finding.level for finding in found.findings if finding.section == "distance"] == [""]
    assert bool(found.cautions) == bool({"names", "overlap", "same", "people"} & numbers.keys())
    assert ("equal one of the holdout" in found.sentence) == ("held" in numbers)


def test_it_says_when_attacks_and_distances_disagree():
    assert "The attacks succeed although copies and distances show nothing" in judged(exposed=15.0).disagreement
    assert "may hide a copied part of the records: dimension_columns" in judged(exposed=15.0).disagreement
    assert "band of DCR is high" in judged(auc=0.72).disagreement
    assert judged(exposed=15.0, copies=0.05, rare=(50.0, 0.0)).disagreement == ""
    near = judged(shares=(0.5, 0.7, None), p_values=(0.3, 1e-6, 1.0))
    assert "these attacks identify nobody with them" in near.disagreement
    assert judged(band=1.0).disagreement == judged(band=1.0, holdout=False).disagreement == ""
    # An attack by distance does not disagree with distances, nor does what may be chance.
    assert judged(tops=[("density", 30.0, 40.0, 1e-9)]).disagreement == ""
    assert judged(tops=[("agreement", 2.0, 9.0, 0.1)]).disagreement == ""
    assert "copies and distances show nothing" in judged(tops=[("agreement", 30.0, 40.0, 1e-9)]).disagreement
    # What was not judged does not disagree.
    assert judged(within=[("train", 90.0, 50.0, 1e-9, 20.0)], holdout=False).disagreement == ""
    assert judged().disagreement == ""


def test_it_says_what_to_do_next():
    assert judged().next_steps == []
    assert judged(copies=0.006, usual=0.006).next_steps == []
    assert "screen shows them" in " ".join(judged(copies=0.004).next_steps)
    assert "safe with until_safe" in " ".join(judged(exposed=15.0).next_steps)
    assert "Give real people as holdout" in " ".join(judged(holdout=False).next_steps)
    # What needs a holdout is no advice where there is none, and what is found is not denied.
    alone = judged(holdout=False, within=[("train", 90.0, 50.0, 1e-9, 20.0)])
    assert "until_safe" not in " ".join(alone.next_steps)
    assert "the columns that uniques lists" in " ".join(alone.next_steps)
    assert [obstacle for obstacle in alone.obstacles if "no more often" in obstacle] == []
    mails = judged(replays=[("mail", "email", 60.0, 0.0, 1e-17)], left_out=["mail"])
    assert "without mail, or with values made up there" in " ".join(mails.next_steps)
    assert "Check whether train and the holdout were exchanged" in " ".join(
        judged(within=[("train", 50.0, 50.0, 0.5, 0.0), ("holdout", 90.0, 50.0, 1e-9, 9.0)]).next_steps
    )
    assert "decide on the terms of access" in " ".join(judged(noticed=0.63, missed=90.0).next_steps)


def test_it_says_what_it_did_not_look_at():
    assert "no distance and no attack looked at them: mail and note." in judged(left_out=["mail", "note"]).sentence
    assert "only 30 different records; as many records of train have 900" in judged(distinct=(30.0, 900.0)).sentence
    assert "different records" not in judged(distinct=(800.0, 900.0)).sentence
    assert "the verdict stands on the other columns" in judged(others=[JOB], numbers=["job"]).sentence


def test_it_says_that_the_synthesizer_saw_the_holdout_as_well():
    both = [("train", 90.0, 50.0, 1e-9, 20.0), ("holdout", 90.0, 50.0, 1e-9, 9.0)]
    assert "The synthesizer has seen the holdout as well: its rare" in judged(within=both, auc=0.7).sentence
    assert "seen the holdout" not in judged(within=both[:1], auc=0.7).sentence


def test_the_parts_of_a_family_agree():
    """One sentence says which table gives people away; a part that is below chance does not contradict it."""
    leaks, careful = judged(exposed=15.0), judged()
    below = judged(shares=(0.4, 0.5, None), p_values=(1e-6, 0.3, 1.0))
    found = family({"parents": below, "visits": leaks, "both": judged(exposed=9.0)})
    assert (found.level, found.headline) == ("bad", f"visits: {NAMED} Also both.")
    both = family({"visits": leaks, "parents": judged(exposed=9.0), "parents and visits": judged(exposed=9.0)})
    assert both.headline == f'visits: {NAMED} Also "parents" and "parents and visits".'
    few, back = judged(tops=[("agreement", 9.0, 16.0, 1e-9)]), judged(replays=[LEAK])
    assert (few.given_away, few.at_the_top, back.at_the_top) == (9.0, 9.0, 0.0)
    assert family({"parents": few, "visits": back}).headline == f"visits: {MAILS} Also parents."
    assert found.parts["parents"].headline == "This part alone shows no leak: see visits."
    assert found.parts["visits"] is leaks
    assert family({"parents": below, "visits": careful}).parts["parents"] is below
    assert family({"parents": below, "visits": careful}).headline == "No verdict on parents."
    assert family({"parents": careful, "visits": careful}).headline == "Nothing was found in any part."


def test_identified_nobody_besides_those_who_are_copied():
    def note(**given):
        return next(f.note for f in judged(**given).findings if f.section == "exposure")

    copied = {"copies": 0.03, "shares": (0.5, 0.5, 1.0), "p_values": (0.3, 0.3, 1e-9)}
    assert "besides those who are copied: 30 records" in note(**copied)
    assert "besides" not in note() + note(copies=0.411, usual=0.424)
    assert "at random from the same rows" in " ".join(judged(differs="1 column", others=[JOB]).next_steps)
    assert "the synthesizer saw train" in " ".join(judged(auc=0.44).next_steps)
    assert "as key, or exclude them" in " ".join(judged(names=["id"]).next_steps)


def test_no_attack_beats_a_column_that_tells_the_holdout_without_fail():
    given = {"differs": "town", "others": [("town", "town")], "control": 0.76, "auc": 0.94}
    assert [judged(distance=distance, **given).level for distance in (0.3, 1.0)] == ["bad", "none"]
