"""The sentences below the headline: the numbers that carry the verdict, and what it did not look at."""

from __future__ import annotations

from collections.abc import Sequence

from synthpriv_sql.language.messages import _, listed
from synthpriv_sql.language.numbers import count, number, percent, share_interval, times
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.planner.planning import QUICK_PEOPLE
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict import headlines, people, releases, samples
from synthpriv_sql.report.verdict.evidence import Evidence

FLAT = 0.6
"""The contrast above which all records are about equally far apart, so that distances say little."""
FAR = 3.0
"""The ratio of median distances to train above which synthetic is too far from it to be useful."""
_COLUMNS = 2
"""Maximum number of columns whose replayed values get a sentence."""


def reasons(measured: Measured, found: Evidence, headline: str) -> Sequence[str]:
    """Return the sentences, without those that the headline says already."""
    together = [finding.note for finding in releases.of_releases(measured, found) if finding.level != "none"]
    said = [*samples.lost(measured), *together, *_people(measured, found), *_copies(measured, found)]
    said += [*_near(measured), *_scope(measured, found)]
    if measured.has_holdout:
        said += [*_distances(measured, found), *_noticed(measured, found), *_of_the_tables(measured)]
    return [sentence for sentence in said if sentence != headline]


def low_contrast(measured: Measured) -> float | None:
    """Return the contrast if distances say little, otherwise None."""
    contrast = measured.value("dimensions", "contrast")
    return contrast if contrast is not None and contrast > FLAT else None


def far(measured: Measured) -> tuple[float, float] | None:
    """Return the median distances to train of synthetic and of real records if synthetic is far, otherwise None."""
    usual = measured.value("dcr", "median", f"{measured.baseline}_train")
    found = measured.value("dcr", "median", "synthetic_train")
    return (found, usual) if found is not None and usual and found / usual > FAR else None


def _people(measured: Measured, found: Evidence) -> list[str]:
    """Who is identified or given away, by attacks, by replayed values, and by rare combinations."""
    said = []
    named, chance = measured.value("exposure", "exposed"), measured.value("exposure", "by_chance")
    if found.usable and named:
        said.append(
            _(
                "An attacker with the synthetic table and a person's data can infer for {named} people that they were "
                "in the training data; at most {chance} of them ({share}) are expected by chance.",
                named=count(named),
                chance=count(chance),
                share=percent((chance or 0) / named),
            )
        )
    if found.top and found.top.top > (named or 0):
        said.append(headlines.given_away(measured, found))
    leaking = sorted((r for r in found.replays if r.level != "good"), key=lambda replay: -replay.top)
    said += [headlines.replayed(replay) for replay in leaking[:_COLUMNS]]
    said += [headlines.back(replay) for replay in people.come_back(measured)[:_COLUMNS]]
    if not named:  # else whoever is named says more
        said += [headlines.together(one) for one in found.sets[:1] if one.level != "good"]
    train = found.within.get("train")
    if train and train.leaks:
        said.append(headlines.recurring(train))
    if found.saw_holdout:
        held = found.within["holdout"]
        shown = {
            "ratio": times(held.ratio.value),
            "replicated": count(held.replicated),
            "people": count(held.people),
            "control": count(held.control),
        }
        said.append(
            _(
                "The synthesizer has seen the holdout as well: its rare combinations recur {ratio} times as often as "
                "among real people ({replicated} combinations of {people} people, where {control} are expected).",
                **shown,
            )
            if train and train.leaks
            else _(
                "The synthesizer has seen the holdout: its rare combinations recur {ratio} times as often as among "
                "real people ({replicated} combinations of {people} people, where {control} are expected), those of "
                "train {train} times.",
                train="—" if train is None else times(train.ratio.value),
                **shown,
            )
        )
    return said


def _copies(measured: Measured, found: Evidence) -> list[str]:
    """How many synthetic records equal a real one, and how many real ones do."""
    copies, usual = measured.value("copies", "records"), measured.value("copies", "expected")
    if copies is None:
        return []
    shown = {
        "copies": count(copies),
        "records": count(measured.value("tables", "rows", "synthetic")),
        "usual": percent(usual),
    }
    if found.held_copies:
        return [
            _(
                "{copies} of {records} synthetic records equal a real one of train; of holdout records, {usual} do.",
                **shown,
            ),
            _("{n} equal one of the holdout.", n=count(found.held_copies)),
        ]
    if usual is None:
        return [_("{copies} of {records} synthetic records equal a real one.", **shown)]
    if measured.has_holdout:
        return [_("{copies} of {records} synthetic records equal a real one; of holdout records, {usual} do.", **shown)]
    return [
        _(
            "{copies} of {records} synthetic records equal a real one; of train records among themselves, {usual} do.",
            **shown,
        )
    ]


def _near(measured: Measured) -> list[str]:
    """Without a holdout: how many more are near to train."""
    if measured.has_holdout:
        return []
    unknown = _("How many to expect by chance is unknown, because no holdout was given.")
    near = measured.value("near_copies", "records")
    if near is None:
        return [unknown]
    more = _(
        "{n} more are closer to a record of train than 95 of 100 records of train are to any other.", n=count(near)
    )
    return [more, unknown]


def _scope(measured: Measured, found: Evidence) -> list[str]:
    """What the verdict did not look at, and where synthetic lies elsewhere than real rows."""
    said = []
    names = left_out(measured)
    running = [name for name in names if measured.value("replay", "running", name)]
    names = [name for name in names if name not in running]
    if running:
        said.append(
            _("Row numbers are left out: {columns}. If they name people, give them as key.", columns=listed(running))
        )
    if names:
        said.append(
            _(
                "Left out, so that no distance and no attack looked at them: {columns}. Only whether their values "
                "come back was counted.",
                columns=listed(names),
            )
        )
    texts = [name for name in measured.variants("texts") if name]
    if texts:
        said.append(_("No distance looked at the texts in {columns}; attacks did.", columns=listed(texts)))
    if found.other_numbers and not found.differs:
        said.append(
            _(
                "The values of {columns} in synthetic do not occur in real rows; the verdict stands on the other "
                "columns.",
                columns=listed(found.other_numbers),
            )
        )
    learned = measured.value("membership", "asked", "learned")
    if measured.value("scope", "quick"):
        said.append(_quickly(measured))
    elif learned is not None:
        said.append(
            _(
                "The attack learned scored {people} people of each side at most, drawn at random; exposure asks it of "
                "everybody.",
                people=count(learned),
            )
        )
    if found.few_distinct:
        distinct, usual = found.few_distinct
        said.append(
            _(
                "Synthetic has only {distinct} different records; as many records of train have {usual}.",
                distinct=count(distinct),
                usual=count(usual),
            )
        )
    return said


def _quickly(measured: Measured) -> str:
    """What a quick evaluation leaves out, and of how many people it asks which attacks."""
    said = {"people": count(QUICK_PEOPLE), "full": wording.given("effort", "full")}
    asked = measured.value("scope", "asked")
    if asked is None:
        return _(
            "Evaluated quickly: dcr, nndr, comparison, mda and dimensions are left out, and learned is asked of "
            "{people} people of each side at most; {full} has everything.",
            **said,
        )
    return _(
        "Evaluated quickly: dcr, nndr, comparison, mda and dimensions are left out; learned scores at most {people} "
        "people of each side, attacks by distance and agreement at most {asked}. {full} has everything.",
        asked=count(asked),
        **said,
    )


def left_out(measured: Measured) -> list[str]:
    """Return the columns of synthetic that no distance and no attack looked at."""
    return [name for name in measured.variants("left_out") if name]


def _distances(measured: Measured, found: Evidence) -> list[str]:
    closer = measured.number("holdout_share", "share")
    if closer is None or closer.value is None or not found.usable:
        return []
    hole = [
        _(
            "No synthetic record is as close to train as {share} of holdout records are: such records were removed, as "
            "safe does. That the table is further from train than chance explains therefore says nothing; but such a "
            "hole shows where train is, and safe with {until_safe} cuts a smaller one.",
            share=percent(measured.value("screen", "expected")),
            until_safe=wording.given("until_safe", True),
        )
    ]
    return [
        *(hole if found.hole else []),
        _(
            "{share} are closer to train than to the holdout; {expected} is expected if nothing leaks.",
            share=share_interval(closer),
            expected=percent(measured.value("holdout_share", "expected")),
        ),
    ]


def _noticed(measured: Measured, found: Evidence) -> list[str]:
    """Which leak of the crowd would have been detected."""
    noticed = measured.value("membership", "noticed")
    if measured.drawn:
        return []  # of a sample, how much less that is has been said
    if not found.trusts_holdout or measured.value("exposure", "exposed") or noticed is None:
        return []
    return [
        _(
            "An attacker who is right {share} of the time, where guessing is right {half} of the time, would have been "
            "detected in nine of ten cases.",
            share=percent(noticed),
            half=percent(0.5),
        )
        if noticed < 1
        else _("With so few people, no attack on the crowd would have been detected reliably.")
    ]


def _of_the_tables(measured: Measured) -> list[str]:
    said = []
    contrast = low_contrast(measured)
    if contrast is not None:
        said.append(
            _(
                "Distances say little with so many columns: the distance to the nearest other record of train is "
                "{contrast} of that to any other.",
                contrast=percent(contrast),
            )
        )
    away = far(measured)
    if away is not None:
        said.append(
            _(
                "The median synthetic record is more than three times as far from train as holdout records are "
                "({far} and {usual}).",
                far=number(away[0]),
                usual=number(away[1]),
            )
        )
    return said
