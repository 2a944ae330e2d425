"""Recommended next steps, for each level of the verdict."""

from __future__ import annotations

from collections.abc import Mapping

from synthpriv_sql.language.messages import _, listed
from synthpriv_sql.language.numbers import count
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict import people, releases
from synthpriv_sql.report.verdict.evidence import Evidence
from synthpriv_sql.report.verdict.reasons import far, low_contrast

_COLUMNS = 3
"""Maximum number of columns that a step names."""


def next_steps(
    measured: Measured, found: Evidence, level: str, worst: set[str], kinds: Mapping[str, str], too_few: bool
) -> list[str]:
    """Return the steps, the most important first.

    Parameters
    ----------
    measured, found
        The numbers, and the evidence in them.
    level, worst
        The level of the verdict, and the sections that have it.
    kinds
        The cautions about the input, by kind.
    too_few
        Whether there are too few people for any statement.
    """
    if level == "bad":
        return _after_a_leak(measured, found, worst)
    steps: list[str] = []
    if too_few and measured.drawn:
        steps.append(_("Evaluate the whole tables, or draw a larger sample."))
    if not measured.has_holdout:
        steps.append(_for_a_holdout())
    if found.same or found.differs:
        steps.append(
            _("Draw train and holdout at random from the same rows, in the same format; split_check shows each column.")
        )
    elif found.saw_holdout:
        steps.append(_("Check whether train and the holdout were exchanged, and which of them the synthesizer saw."))
    elif found.below:
        steps.append(_("Check that the synthesizer saw train, and that no rows near train were removed."))
    if "holdout" in kinds and not found.same:
        steps.append(_("Remove the rows of train from the holdout."))
    if found.other_values:
        steps.append(
            _(
                "Write synthetic in the format of train: units, upper case, blanks. split_check counts the "
                "values that differ."
            )
        )
    if "identifiers" in kinds:
        steps.append(_("Give identifiers as key, or exclude them."))
    if "key" in kinds:
        steps.append(
            _("If all rows with the same key belong to one person, give it as unit too: then people are counted.")
        )
    steps += _of_columns(measured, found)
    steps += _of_copies(measured, found, level, worst)
    if too_few and not measured.drawn:
        steps.append(
            _(
                "No table can be cleared by this test with so few people: evaluate with more of them, or decide on the "
                "terms of access instead."
            )
        )
    return steps + _of_the_tables(measured)


def _of_copies(measured: Measured, found: Evidence, level: str, worst: set[str]) -> list[str]:
    """What to do about copies, or about another finding that needs review."""
    if level == "good" and measured.value("copies", "records") and found.copies_are_unexpected:
        return [_("So few copies may be coincidences: screen shows them; safe gives the table without them.")]
    if level != "watch":
        return []
    if "copies" in worst:
        return [_("screen shows the copies; safe gives the table without them.")]
    if not measured.has_holdout:
        return []  # a holdout is the first step
    return [_("Repeat with more rows of synthetic and of the holdout, to distinguish chance from a leak.")]


def _of_columns(measured: Measured, found: Evidence) -> list[str]:
    """The columns whose values come back, if any do that need review."""
    columns = listed(people.names_in(measured, found)[:_COLUMNS])
    if not columns:
        counted = [
            _("replay_sets counts the people, by set of columns: above all {columns} together.", columns=one.column)
            for one in found.sets[:1]
            if one.level != "good"
        ]
        return counted or [
            _(
                "replay_sets with the same releases counts the people, by set of columns: above all {columns} "
                "together.",
                columns=one.column,
            )
            for one in releases.sets_of_all(measured, found)[:1]
        ]
    return [_("replay counts the values that come back, by column: above all in {columns}.", columns=columns)]


def _after_a_leak(measured: Measured, found: Evidence, worst: set[str]) -> list[str]:
    steps = []
    if "exposure" in worst:
        steps.append(_("exposure lists the people and, for each, the columns that identify them; uniques lists these."))
    elif "top" in worst and found.top:
        attack = wording.given("attack", found.top.name)
        steps.append(
            _("exposure with {attack} marks those listed (sure), with the records responsible.", attack=attack)
        )
    elif "within" in worst and (found.saw_holdout or not measured.has_holdout):
        steps.append(_for_a_holdout())
    elif "releases" in worst and releases.given_away(measured):
        steps.append(
            _("exposure with the same releases lists the people and, for each, the release and record responsible.")
        )
    steps += _without_a_column(measured)
    steps += _of_columns(measured, found)
    columns = listed(people.names_in(measured, found)[:_COLUMNS])
    # Without strangers nobody is named, so that no record is responsible.
    compared = measured.has_holdout and not (found.saw_holdout and "within" in worst)
    of_sets = [] if worst & {"exposure", "top", "replay", "copies"} else [*found.sets]
    if not releases.given_away(measured):
        of_sets += releases.sets_of_all(measured, found)
    together = of_sets[0].column if of_sets else ""
    if releases.are_given(measured):
        # Of what only columns together give away, no record is to blame.
        steps += [] if together and "sets" not in worst else [_of_releases(measured)]
    elif together:  # nobody is named, so that no record is responsible
        steps.append(_("remedy looks for the least change after which the table may be released."))
    elif compared:
        steps.append(
            _(
                "safe with {until_safe} returns the table without the records responsible.",
                until_safe=wording.given("until_safe", True),
            )
        )
    else:
        steps.append(_("uniques lists the combinations that come back, and safe gives the table without copies."))
    if columns:
        return [
            *steps,
            _("Or retrain the synthesizer without {columns}, or with values made up there.", columns=columns),
        ]
    noise = (
        together
        or _to_blame(measured)
        or (_("the columns that exposure lists") if compared else _("the columns that uniques lists"))
    )
    steps.append(
        _("Or retrain the synthesizer with fewer rounds, larger leaves, or noise on {columns}.", columns=noise)
    )
    return steps


def _of_releases(measured: Measured) -> str:
    """What can still be changed: the newest of several releases."""
    until_safe = wording.given("until_safe", True)
    if releases.adds_nobody(measured):
        return _(
            "The releases before it give these people away without this table; safe with {until_safe} and the same "
            "releases tells whether a record of it adds to them.",
            until_safe=until_safe,
        )
    return _(
        "safe with {until_safe} and the same releases returns this table without the records that add people to those "
        "before it.",
        until_safe=until_safe,
    )


def _without_a_column(measured: Measured) -> list[str]:
    """How many fewer people replicated uniques would name without the first column to blame, if half at most."""
    column = _to_blame(measured)
    if not column:
        return []
    named, left = (measured.value("remedy", name, column) for name in ("named_before", "named_after"))
    return [
        _(
            "Without {column}, uniques would name {left} people instead of {named}; remedy looks for the least change "
            "after which the table may be released.",
            named=count(named),
            left=count(left),
            column=column,
        )
    ]


def _to_blame(measured: Measured) -> str:
    """The first column to blame for people who are named, if at least half of them are no more without it."""
    column = next((name for name in measured.variants("remedy") if name), "")
    named, left = (measured.value("remedy", name, column) for name in ("named_before", "named_after"))
    return column if named is not None and left is not None and left <= named / 2 else ""


def _for_a_holdout() -> str:
    return _(
        "Give real people as holdout whom the synthesizer never saw: to split train now does not help. Take people "
        "registered since, or hold back a random sample and train again."
    )


def _of_the_tables(measured: Measured) -> list[str]:
    """Next steps if the tables themselves limit what can be detected."""
    steps = []
    if low_contrast(measured) is not None:
        steps.append(_("Repeat with the columns that matter (columns); dimension_columns shows what each contributes."))
    if far(measured) is not None:
        steps.append(_("fidelity shows how useful a table so far from the real one is."))
    return steps
