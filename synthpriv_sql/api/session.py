"""Session: a method for each function, whatever engine runs it, and those that write reports."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from types import TracebackType
from typing import Any, Self, Unpack

from synthpriv_sql import errors
from synthpriv_sql.api import methods
from synthpriv_sql.api.calls import Calls
from synthpriv_sql.api.methods import Table
from synthpriv_sql.api.rewriters import ToCompare, ToShow
from synthpriv_sql.language.spoken import speaking
from synthpriv_sql.planner.calls.rewriting import Call, rewritten
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.arguments import check_names
from synthpriv_sql.remedies.result import Remedy
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results.calls import history
from synthpriv_sql.results.calls.history import Release
from synthpriv_sql.results.result import Result


class Session(Calls):
    """A connection to one engine, with a method for each function.

    A table argument is a name, a file, a query in parentheses, a DuckDB relation, a pandas or polars frame, or any
    object with ``__arrow_c_stream__``. Every method returns a `Result` and raises subclasses of `SynthprivError`; the
    help of a method describes the columns of its result.

    Parameters
    ----------
    engine
        The engine with the tables; created by `connect`, `register` and `spark`.
    pushdown
        As in `synthpriv_sql.connect`.
    """

    @property
    def connection(self) -> Any:
        """The connection of the engine; only `close` closes it."""
        return self.engine.connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.engine.close()

    def cancel(self) -> None:
        """Stop running calls on this connection, and all searches in this database; to be called from another thread.

        A stopped call raises `Cancelled`, a stopped statement of the user the database's own error; the connection
        remains usable.
        """
        self.engine.cancel()
        self.searches.cancel()

    def report(
        self,
        path: str | os.PathLike[str] | None,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        *,
        decision: str | os.PathLike[str] | None = None,
        numbers: str | os.PathLike[str] | None = None,
        show_values: bool = False,
        hide_keys: bool = False,
        baseline: bool = False,
        remedy: bool = False,
        trend: str | os.PathLike[str] | None = None,
        **options: Unpack[methods.EvaluateOptions],
    ) -> Evaluation:
        """Evaluate, write the report page, and return the numbers as `evaluate` does.

        Parameters
        ----------
        path
            The HTML file to write, which needs no other file and no network. None: only the files below.
        decision
            A file for an A4 decision page to sign, ``.html``, ``.docx`` or ``.md``: the evaluated tables with the hash
            of their contents, the verdict, the four numbers behind it, and what was not tested.
        numbers
            A file for all numbers: ``.csv``, ``.parquet``, ``.json`` or ``.duckdb``.
        show_values
            Whether the page shows values of the riskiest records, including those of real people, and a plot of
            records.
        hide_keys
            Whether the page calls records by their position only; otherwise it shows the ``key`` of those that it
            lists.
        baseline
            Whether to compute the random forest baseline, which takes far longer than everything else.
        remedy
            Whether to search, if the verdict is bad, for the changes after which the table may be released, which takes
            some minutes: the page and the decision page then say what `remedy` finds.
        trend
            A history of evaluations (``--output FILE.duckdb --append``) whose levels and AUC the page shows together
            with these; by default that of ``history``.
        **options
            Tables and options as in `evaluate`.

        Raises
        ------
        OptionError
            A package that the report needs is not installed (``pip install "synthpriv-sql[report]"``).
        WriteError
            The file cannot be written.
        """
        asked: dict[str, Any] = {"synthetic": synthetic, "train": train, "holdout": holdout, **options}
        progress, language = asked.pop("progress", None), asked.pop("language", None)
        check_names(replace(catalog.function("evaluate"), name="report"), asked)
        if asked.pop("effort", None) == "quick":
            raise errors.OptionError("the page shows all parts: omit effort, or evaluate(..., effort='quick')")
        to_show = ToShow(self, self._lock, self.call, self._count)
        given = {**rewritten(Call.of("evaluate", asked), to_show).given}
        if given.get("children") is None:
            given.pop("length", None)
        if given.get("order") and given.get("children") is None:
            raise errors.OptionError(
                "the page is about single rows, so it takes no order: evaluate(..., order=...) has the numbers and the "
                "verdict of sequences of rows"
            )
        if given.get("group_by"):
            raise errors.OptionError(
                "the page is about one table, so it takes no group_by: evaluate(..., group_by=...) has the numbers and "
                "the verdict of each group, and a query in parentheses selects the rows of one"
            )
        found = cache(partial(self._remedied, given)) if remedy else None
        of_history = None if path is None or given.get("children") else trend or asked.get("history")
        if remedy and (holdout is None or given.get("children") is not None):
            raise errors.OptionError(
                "a remedy is confirmed by a holdout, and treats one table: omit remedy, or children"
            )
        with speaking(language), _installed():
            from synthpriv_sql.report.files import write_files
            from synthpriv_sql.report.trend import earlier
            from synthpriv_sql.report.writing import Shown

            return write_files(
                self,
                given,
                page=path,
                decision=decision,
                numbers=numbers,
                shown=Shown(show_values, not hide_keys, baseline, found, earlier(of_history)),
                progress=progress,
            )

    def remember(
        self,
        path: str | os.PathLike[str],
        evaluation: Evaluation,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        *,
        names: bool = False,
        released: bool = True,
        **options: Unpack[methods.EvaluateOptions],
    ) -> Release:
        """Remember a table that has been evaluated as a release in a history, from which later calls take it.

        Parameters
        ----------
        path
            The history: a ``.duckdb`` file, made if there is none. A table with the same contents keeps its number.
        evaluation
            What `evaluate` or `report` returned.
        synthetic, train, holdout, **options
            The arguments of that call.
        names
            Whether the history remembers who is named, by ``key`` or ``unit``: it is then as secret as train.
        released
            Whether the table is released; what is not counts for the level only (``spend``).

        Raises
        ------
        OptionError
            The evaluation is of groups, or names are to be remembered and nothing identifies people.
        WriteError
            The file cannot be written.
        """
        asked = {"synthetic": synthetic, "train": train, "holdout": holdout, **options}
        return history.remembered(self, path, evaluation, evaluation.verdict.level, asked, names, released)

    def _remedied(self, given: Mapping[str, Any]) -> Remedy:
        """Search for a remedy of a table with the options of its evaluation."""
        known = catalog.function("remedy").parameters
        return self.remedy(**{name: value for name, value in given.items() if name in known})

    def report_candidates(
        self,
        path: str | os.PathLike[str] | None,
        synthetic: Mapping[str, Table] | Sequence[str],
        train: Table,
        holdout: Table,
        *,
        decision: str | os.PathLike[str] | None = None,
        numbers: str | os.PathLike[str] | None = None,
        pages: bool = True,
        **options: Any,
    ) -> Result:
        """Compare candidates, write a page with the fidelity and exposure of each, and return the numbers as
        `candidates` does.

        Parameters
        ----------
        path
            The HTML file to write. None: only the files below.
        synthetic
            The synthetic tables by name, or a list of the names of tables.
        train, holdout
            The real rows that the synthesizers saw, and those they never saw.
        decision
            A file for a decision page to sign, ``.html``, ``.docx`` or ``.md``, with a recommendation or none.
        numbers
            A file for the rows of `candidates`: ``.csv``, ``.parquet``, ``.json`` or ``.duckdb``.
        pages
            Whether to also write a report of each candidate next to this page, which links to it.
        **options
            As in `candidates`.

        Raises
        ------
        OptionError
            A package that the report needs is not installed (``pip install "synthpriv-sql[report]"``).
        WriteError
            A file cannot be written.
        """
        asked: dict[str, Any] = {"synthetic": synthetic, "train": train, "holdout": holdout, **options}
        progress, language = asked.pop("progress", None), asked.pop("language", None)
        to_compare = ToCompare(self, self._lock, self.call, self._count)
        given = {**rewritten(Call.of("candidates", asked), to_compare).given}
        with speaking(language), _installed():
            from synthpriv_sql.report.candidates import build_candidates

            return build_candidates(
                self, given, page=path, decision=decision, numbers=numbers, pages=pages, progress=progress
            )


@contextmanager
def _installed() -> Iterator[None]:
    """Report the missing extra if a page cannot be written."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise errors.OptionError(
            f'the report needs {missing.name}, which is not installed: pip install "synthpriv-sql[report]"'
        ) from None
