"""What a session makes of each kind of call: when it runs it, writes its SQL, plans it, or makes a page of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from synthpriv_sql import errors
from synthpriv_sql.dialects.flattening import flattened
from synthpriv_sql.planner.calls.rewriting import Call, Rewriter, counted, with_csv_options
from synthpriv_sql.planner.headers import catalog, known_files, wording
from synthpriv_sql.planner.headers.files import OPTION
from synthpriv_sql.results.calls import history, many, own_attacks, removal
from synthpriv_sql.results.calls.caller import Caller
from synthpriv_sql.results.calls.family import family_call
from synthpriv_sql.results.result import Result

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _OfSession(Rewriter[T], Generic[T]):
    """What is the same for all.

    ``session`` has the tables, and ``lock`` protects its engine; ``again`` calls a function with the progress and
    pushdown of the call; ``count`` counts the rows of a table.
    """

    session: Caller
    lock: AbstractContextManager[Any]
    again: Callable[..., Result]
    count: Callable[[Any], int]

    def of_history(self, call: Call) -> Call | T:
        """Take the releases from the file, and the level that is left."""
        return call.on(history.resolved(self.session, call.function, call.given).given)

    def of_csv_options(self, call: Call) -> Call | T:
        """Attach them, on engines that read files."""
        if call.given.get(OPTION) and "csv" in self.session.engine.lacks:
            lacks = self.session.engine.lacks["csv"]
            raise errors.OptionError(f"{call.function.name}: {wording.option(OPTION)}: {lacks}")
        return with_csv_options(call)

    def of_files(self, call: Call) -> Call | T:
        """Read its files as the other tables decide."""
        with self.lock:
            return call.on(self.session.engine.read_alike(call.function, call.given))

    def of_json(self, call: Call) -> Call | T:
        """Ask the tables for what their nested columns hold."""
        return call.on(flattened(call.function, call.given, self._opened))

    @contextmanager
    def _opened(self, table: Any) -> Iterator[tuple[Any, Any]]:
        """The engine and a table, while it can be read."""
        engine = self.session.engine
        with self.lock, engine.call(), engine.holding(catalog.file(known_files.ROW_COUNT), {"data": table}) as named:
            yield engine, named["data"]

    def of_counts(self, call: Call) -> Call | T:
        """Count the rows."""
        return call.on({**call.given, **{name: self.count(table) for name, table in counted(call).items()}})


@dataclass(frozen=True, slots=True)
class ToRun(_OfSession[Result]):
    """A call to run: some are answered by several calls. ``search`` runs a search."""

    search: Callable[[Call], Result]

    def of_search(self, call: Call) -> Result:
        """Search, and answer with the rows."""
        return self.search(call)

    def until_safe(self, call: Call) -> Result:
        """Repeat the call on what is left."""
        if "objects" in self.session.engine.lacks:
            raise errors.OptionError(
                f"until_safe repeats the call on the remaining rows, which {self.session.engine.name} does not accept: "
                "write the result of safe to a table, and call safe on that"
            )
        return removal.until_safe(self.again, self.count(call.given.get("synthetic")), call.given)

    def of_family(self, call: Call) -> Result:
        """Answer with the rows of all views."""
        return family_call(self.session, call.function, call.given, self.again)

    def of_several(self, call: Call) -> Call | Result:
        """Answer with the rows of batches, if one statement does not take all tables."""
        return many.many_call(call, self.again)

    def of_own_attacks(self, call: Call) -> Call:
        """Call the functions."""
        return call.on(own_attacks.with_scores(self.session.engine, self.again, call.function, call.given))


@dataclass(frozen=True, slots=True)
class ToWrite(_OfSession[str]):
    """A call whose SQL is written. ``search`` searches, and writes the SELECT that treats the table."""

    search: Callable[[Call], str]

    def of_search(self, call: Call) -> Call | str:
        """Search, and answer with the SELECT; the steps have no statement."""
        return self.search(call) if call.function.columns_of else call

    def of_family(self, call: Call) -> str:
        """Refuse it."""
        raise errors.OptionError(
            f"{call.function.name}: a call with children runs several statements; request the SQL of flatten, and of "
            "each call on its tables"
        )

    def of_own_attacks(self, call: Call) -> str:
        """Refuse them."""
        raise _of_functions(call)


@dataclass(frozen=True, slots=True)
class ToPlan(_OfSession[Call]):
    """A call that is planned, and not run."""

    def of_family(self, call: Call) -> Call:
        """Refuse it."""
        raise errors.OptionError(
            f"{call.function.name}: a call with children makes several calls; request the plan of each of its tables"
        )

    def of_own_attacks(self, call: Call) -> Call:
        """Refuse them."""
        raise _of_functions(call)


@dataclass(frozen=True, slots=True)
class ToShow(_OfSession[Call]):
    """An evaluation of which a page is made; a page of children consists of pages of its own."""

    def of_several(self, call: Call) -> Call:
        """Refuse them."""
        raise errors.OptionError(
            "a page is about one synthetic table, but several are given: call report for each; report_candidates "
            "(on the command line candidates with --html) compares them on one page, and evaluate returns the "
            "numbers and the verdict of each"
        )

    def of_own_attacks(self, call: Call) -> Call:
        """Call the functions, but for children: each page calls them for its tables."""
        if call.given.get("children") is not None:
            return call
        return call.on(own_attacks.with_scores(self.session.engine, self.again, call.function, call.given))


@dataclass(frozen=True, slots=True)
class ToCompare(_OfSession[Call]):
    """A comparison of candidates on one page; what else it consists of is called for each of them."""


def _of_functions(call: Call) -> errors.OptionError:
    return errors.OptionError(
        f"{call.function.name}: an attack is a function in Python, which no SQL statement calls; give a table of its "
        "scores instead"
    )
