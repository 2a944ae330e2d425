"""What comes back in synthetic of single people: values of a column, texts, phrases, and combinations of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synthpriv_sql.report.measured import Measured, Number
from synthpriv_sql.report.verdict.testing import at_least, beyond_chance, level_of

MANY = 5
"""From how many people on, at least so many given away are a leak; fewer need review."""
RATIO = 1.1
"""How many times as often as by chance rare combinations must recur to count as a leak."""
OF_PEOPLE = {"email", "phone", "iban", "card", "ip", "url", "uuid"}
"""The kinds of values that belong to a person or an organization, and are no measurements."""
SETS = "set_replay"
"""The metric of combinations of several columns."""
RELEASED_SETS = "released_sets"
"""The same for all releases together."""
_COLUMNS = ("replay", "near_replay", "phrase_replay")
_LEVELS = ("good", "watch", "bad")


@dataclass(frozen=True, slots=True)
class Replay:
    """A column: how many values that one person alone has come back, of train and of the holdout.

    ``how`` is the metric: ``replay``, ``near_replay`` of texts that come back nearly, ``phrase_replay`` of people whose
    texts have runs of ``words`` that come back, or ``set_replay`` of people whose combination of values in several
    columns does; ``column`` then has all their names.
    """

    column: str
    kind: str
    replayed: Number
    held: float
    top: float
    level: str
    how: str = "replay"
    words: float | None = None

    @property
    def weight(self) -> tuple[int, float, float]:
        """What of several columns the worst has the largest of."""
        return _LEVELS.index(self.level), self.top, -self.held


class Replays:
    """Reads what comes back from the numbers of an evaluation.

    Parameters
    ----------
    measured
        The numbers.
    sets
        The metric of combinations of several columns: of the table, or of all releases.
    """

    def __init__(self, measured: Measured, sets: str = SETS) -> None:
        self._measured = measured
        self._sets = sets
        self._judged = {
            how: [v for v in measured.variants(how) if v and measured.value(how, "p_value", v) is not None]
            for how in (*_COLUMNS, sets)
        }

    def p_values(self, same: bool, differs: bool) -> dict[tuple[str, str], float]:
        """One-sided p-values by metric and column; those of sets of columns are adjusted for the number of sets.

        They are 1 where the holdout is no control: for sets, as for attacks, also where it is of another population.
        """
        found = {}
        for how, columns in self._judged.items():
            name, nothing = ("p_adjusted", same or differs) if how == self._sets else ("p_value", same)
            for column in columns:
                p_value = self._measured.value(how, name, column)
                found[how, column] = 1.0 if nothing or p_value is None else p_value
        return found

    def of_columns(self, adjusted: Mapping[tuple[str, str], float]) -> Sequence[Replay]:
        """What comes back of each column, the worst first, with p-values that are adjusted together with all others."""
        columns = dict.fromkeys(column for how in _COLUMNS for column in self._judged[how])
        return _worst_first([self._of_column(column, adjusted) for column in columns])

    def of_sets(self, adjusted: Mapping[tuple[str, str], float]) -> Sequence[Replay]:
        """The sets of columns whose combinations come back, the worst first.

        One matters if chance does not explain `MANY` of the people, and `RATIO` times as many come back as it explains:
        else it is a trace of the crowd, which gives nobody away.
        """
        how = self._sets
        tests, found = int(self._measured.value(how, "sets") or 1), []
        for name in self._judged[how]:
            replayed, held, share = self._counts(how, name)
            members = replayed.value or 0.0
            top = beyond_chance(members, held, share, tests)
            matters = top >= MANY and members >= RATIO * (members - top)
            found.append(Replay(name, "", replayed, held, top, level_of(adjusted[how, name], matters), how))
        return _worst_first(found)

    def _of_column(self, column: str, adjusted: Mapping[tuple[str, str], float]) -> Replay:
        """What tells most about a column: values as they are, unless texts that are nearly equal, or phrases, do."""
        best, *others = (self._replayed(how, column, adjusted) for how in _COLUMNS if column in self._judged[how])
        for other in others:
            worse = _LEVELS.index(other.level) - _LEVELS.index(best.level)
            more = (other.replayed.value or 0.0) > (best.replayed.value or 0.0) and other.top > best.top
            if worse > 0 or (worse == 0 and other.level != "good" and more):
                best = other
        return best

    def _replayed(self, how: str, column: str, adjusted: Mapping[tuple[str, str], float]) -> Replay:
        replayed, held, share = self._counts(how, column)
        # As many tests as numbers of edits, or of words, were tried.
        tests = sum(len(self._judged[which]) * (1 if which == "replay" else 3) for which in _COLUMNS)
        bound = at_least if how == "replay" else beyond_chance
        top = bound(replayed.value or 0.0, held, share, tests)
        # An address of one person of train alone that comes back is reviewed unless one of the holdout does, too.
        alone = how == "replay" and replayed.look in OF_PEOPLE and bool(replayed.value) and not held
        level = level_of(adjusted[how, column], top >= MANY, alone)
        words = self._measured.value(how, "words", column)
        return Replay(column, replayed.look, replayed, held, top, level, how, words)

    def _counts(self, how: str, column: str) -> tuple[Number, float, float]:
        """How many come back, how many of the holdout do, and the share of train among all who may."""
        names = ("train", "holdout", "holdout_replayed")
        found = (self._measured.value(how, name, column) for name in names)
        train, others, held = (0.0 if value is None else value for value in found)  # which keep their names
        replayed = self._measured.number(how, "replayed", column)
        assert replayed is not None
        return replayed, held, train / (train + others) if train + others else 0.0


def _worst_first(found: Sequence[Replay]) -> Sequence[Replay]:
    return sorted(found, key=lambda one: one.weight, reverse=True)
