"""What a call may be besides one statement on its tables, and the order in which it is rewritten into that.

A call is run, written as SQL, planned, made into a page, or planned inside SQL. Each of these has a `Rewriter`, which
says for each kind of call what it makes of it: another call, or the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Generic, TypeVar

from synthpriv_sql.planner.calls import families, own, sampling, several
from synthpriv_sql.planner.columns import nested
from synthpriv_sql.planner.columns.releases import HISTORY, SPEND
from synthpriv_sql.planner.headers import arguments, catalog, files
from synthpriv_sql.planner.headers.catalog import Function

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the catalog, or a part, and its arguments by name: tables and options."""

    function: Function
    given: Mapping[str, Any]

    @classmethod
    def of(cls, function: str | Function, given: Mapping[str, Any]) -> Call:
        """Look the function up, if it is given by its name."""
        return cls(function if isinstance(function, Function) else catalog.function(function), given)

    def on(self, given: Mapping[str, Any]) -> Call:
        """Return the call of the same function with other arguments."""
        return replace(self, given=given)

    def with_a_parameter_for_each_table(self) -> Call:
        """Return the call that is planned: a list of tables becomes one parameter for each of them."""
        return Call(*several.resolved(self.function, self.given))


class Rewriter(Generic[T]):
    """What one use of a call makes of each kind; by default nothing, and planning refuses what is left.

    A method returns another call, or the answer, after which nothing else is asked.
    """

    def of_history(self, call: Call) -> Call | T:
        """Call with ``history`` or ``spend``: the releases that a file remembers, and the level that is left."""
        return call

    def of_csv_options(self, call: Call) -> Call | T:
        """Any call: the options of its CSV files are those of each file."""
        return with_csv_options(call)

    def of_files(self, call: Call) -> Call | T:
        """Any call: its files are read as the other tables decide."""
        return call

    def of_json(self, call: Call) -> Call | T:
        """Call with ``json``: nested columns of its tables are read as columns of one level."""
        return call

    def of_search(self, call: Call) -> Call | T:
        """Function whose rows are found by many calls, such as `remedy`."""
        return call

    def until_safe(self, call: Call) -> Call | T:
        """`safe`, repeated on the rows that are left."""
        return call

    def of_family(self, call: Call) -> Call | T:
        """Call with ``children``: one call for each view of the tables."""
        return call

    def of_several(self, call: Call) -> Call | T:
        """Call with several synthetic tables, for each of which the function is called."""
        return call

    def of_own_attacks(self, call: Call) -> Call | T:
        """Call with attacks that are functions in Python: they become a table of scores."""
        return call

    def of_counts(self, call: Call) -> Call | T:
        """Call with a table in the place of a number of rows."""
        return call


def rewritten(call: Call, rewriter: Rewriter[T]) -> Call | T:
    """Rewrite a call in the one order that all uses share.

    Parameters
    ----------
    call
        As the user gave it.
    rewriter
        What the call is for.

    Returns
    -------
    Call or T
        The call to plan, or the rewriter's answer.

    Raises
    ------
    SynthprivError
        See `synthpriv_sql.errors`.
    """
    arguments.refuse_tables(call.function, call.given)
    sampling.check(call.function, call.given)
    steps: tuple[tuple[Callable[[Call], bool], Callable[[Call], Call | T]], ...] = (
        (_asks_a_history, rewriter.of_history),
        (_is_any, rewriter.of_csv_options),
        (_is_any, rewriter.of_files),
        (_has_nested, rewriter.of_json),
        (_is_searched, rewriter.of_search),
        (_is_until_safe, rewriter.until_safe),
        (_is_of_a_family, rewriter.of_family),
        (_has_several, rewriter.of_several),
        (_has_own_attacks, rewriter.of_own_attacks),
        (_counts_a_table, rewriter.of_counts),
    )
    for is_one, rewrite in steps:
        if is_one(call):
            made = rewrite(call)
            if not isinstance(made, Call):
                return made
            call = made
    return call


def _is_any(call: Call) -> bool:
    return True


def _asks_a_history(call: Call) -> bool:
    return call.given.get(HISTORY) is not None or bool(call.given.get(SPEND))


def with_csv_options(call: Call) -> Call:
    """Return a call with the options of CSV files attached to each of them."""
    return call.on(files.with_reading(call.function, call.given))


def _has_nested(call: Call) -> bool:
    return bool(call.given.get(nested.OPTION)) and nested.OPTION in call.function.parameters


def _is_searched(call: Call) -> bool:
    return call.function.searched


def _is_until_safe(call: Call) -> bool:
    return "until_safe" in call.function.parameters and bool(call.given.get("until_safe"))


def _is_of_a_family(call: Call) -> bool:
    return families.are_asked_for(call.function, call.given)


def _has_several(call: Call) -> bool:
    return several.are_given(call.function, call.given)


def _has_own_attacks(call: Call) -> bool:
    return own.are_functions(call.function, call.given)


def _counts_a_table(call: Call) -> bool:
    return any(counted(call))


def counted(call: Call) -> dict[str, Any]:
    """Return the tables of a call that stand in the place of the number of their rows, by parameter."""
    values = {p.name: call.given.get(p.name) for p in call.function.parameters.values() if p.counts}
    return {name: value for name, value in values.items() if value is not None and not isinstance(value, Real)}
