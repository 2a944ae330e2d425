"""Session: a method for each function, whatever engine runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import RLock
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

from synthpriv_sql import errors
from synthpriv_sql.dialects.text import text
from synthpriv_sql.engines.base import Engine, Progress
from synthpriv_sql.results.result import Result
from synthpriv_sql.statements import catalog
from synthpriv_sql.statements.catalog import Function
from synthpriv_sql.statements.planning import Plan, plan


class DistanceOptions(TypedDict, total=False):
    """Options of every function that takes distances; sql/options.toml says what each means."""

    metric: str
    scaling: str | None
    columns: Sequence[str] | None
    exclude: Sequence[str] | None
    numeric: Sequence[str] | None
    categorical: Sequence[str] | None
    weights: Mapping[str, float] | None
    category_mismatch: float
    key: str | None
    progress: Progress | bool | None
    pushdown: str | None


PUSHDOWN = ("auto", "require")


class Session:
    """The functions, on one engine.

    A table argument is a name, a file, a query in parentheses, a DuckDB relation, a pandas or polars frame, or any
    object with ``__arrow_c_stream__``. Every method returns a `Result` and raises the kinds of `SynthprivError`; what
    columns a result has stands in the header of the function's file in sql/.

    Parameters
    ----------
    engine
        Where the tables are; `connect`, `register` and `spark` make one.
    pushdown
        As in `synthpriv_sql.connect`.
    """

    def __init__(self, engine: Engine, pushdown: str = "auto") -> None:
        self.engine = engine
        self.pushdown = _checked(pushdown)
        self._lock = RLock()

    @property
    def connection(self) -> Any:
        """The connection that the engine works on; it stays the caller's, and only `close` closes it."""
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
        """Stop what runs on this connection, and every search in this database; for another thread to call.

        The stopped call raises `Cancelled`, or the database's own error where it is a statement of the user's; the
        connection stays usable.
        """
        self.engine.cancel()

    def call(
        self,
        function: str | Function,
        /,
        *,
        progress: Progress | bool | None = None,
        pushdown: str | None = None,
        **given: Any,
    ) -> Result:
        """Call a function of the catalog by its name.

        Parameters
        ----------
        function
            As in ``FROM synthpriv.NAME(…)``; or a file of sql/ that is no function of its own.
        progress
            A callable ``(done, total, label)``, or True for a bar.
        pushdown
            ``auto`` or ``require``, for this call; see `connect`.
        **given
            The function's arguments by name.
        """
        required = _checked(pushdown or self.pushdown) == "require"
        with self._lock, _reported(progress) as report, self.engine.call(), self._planned(function, given) as planned:
            leaving = self.engine.leaving(planned) if required else ""
            if leaving:
                raise errors.DataWouldLeave(
                    f'{planned.function.name} cannot be computed in {self.engine.name} alone, which pushdown "require" '
                    f'asks for: {leaving}. Allow it (pushdown "auto"), or call what runs there as a whole.'
                )
            answer = self.engine.run(planned, report)
        return Result(self.engine, planned.function.name, answer)

    def sql(
        self,
        function: str,
        /,
        *,
        dialect: str | None = None,
        plain: bool = False,
        tables: Mapping[str, str] | None = None,
        **given: Any,
    ) -> str:
        """Return the SQL that a call would run, without running it; or that of the same call for another database.

        Parameters
        ----------
        function
            As in `call`.
        dialect
            ``postgres``, ``spark`` and others (`synthpriv_sql.dialects.DIALECTS`). The tables there have the columns of
            those given here; neighbors are searched for in plain SQL. The engine's own where not given.
        plain
            Whether neighbors are searched for in plain SQL in DuckDB too, which then needs nothing of this package.
        tables
            The names that tables have there, by parameter. Where nothing is said, a table keeps its name and a file's
            table is named after the file.
        **given
            The function's arguments by name.

        Raises
        ------
        NotInDialect
            The function needs what the dialect does not have.
        """
        if dialect is None and not plain and not tables:
            with self._lock, self.engine.call(), self._planned(function, given) as planned:
                return self.engine.sql(planned)
        called = catalog.function(function)
        with self._lock, self.engine.call(), self.engine.holding(called, given) as named:
            return text(self.engine, called, named, dialect or self.engine.dialect, plain, tables)

    @contextmanager
    def _planned(self, function: str | Function, given: Mapping[str, Any]) -> Iterator[Plan]:
        """Plan a call with the Python objects among its tables in view."""
        called = catalog.function(function) if isinstance(function, str) else function
        with self.engine.holding(called, given) as named:
            yield plan(self.engine, called, named)

    # --- distances

    def scaling(self, train: Any, **options: Unpack[DistanceOptions]) -> Result:
        """Return statistics of every compared column of the train table."""
        return self.call("scaling", train=train, **options)

    def neighbors(
        self,
        queries: Any,
        reference: Any,
        k: int = 1,
        exclude_self: bool = False,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return the k nearest records of the reference for every query record, exact."""
        return self.call("neighbors", queries=queries, reference=reference, k=k, exclude_self=exclude_self, **options)

    def dcr(self, synthetic: Any, train: Any, **options: Unpack[DistanceOptions]) -> Result:
        """Return the distance of every synthetic record to its closest train record."""
        return self.call("dcr", synthetic=synthetic, train=train, **options)

    def nndr(
        self,
        synthetic: Any,
        train: Any,
        variant: str = "second",
        k: int = 5,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return the nearest neighbor distance ratio of every synthetic record.

        ``variant`` is ``second``, ``within_synthetic``, ``local`` or ``global``; the last two average over ``k``.
        """
        return self.call("nndr", synthetic=synthetic, train=train, variant=variant, k=k, **options)

    # --- comparison

    def dcr_summary(
        self, synthetic: Any, train: Any, holdout: Any = None, **options: Unpack[DistanceOptions]
    ) -> Result:
        """Return the distribution of DCR of synthetic to train, holdout to train, and train within itself."""
        return self.call("dcr_summary", synthetic=synthetic, train=train, holdout=holdout, **options)

    def nndr_summary(
        self,
        synthetic: Any,
        train: Any,
        holdout: Any = None,
        variant: str = "second",
        k: int = 5,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return the distribution of NNDR of synthetic to train, holdout to train, and train within itself."""
        return self.call(
            "nndr_summary", synthetic=synthetic, train=train, holdout=holdout, variant=variant, k=k, **options
        )

    def comparison(
        self,
        synthetic: Any,
        train: Any,
        holdout: Any = None,
        statistic: str = "median",
        k: int = 5,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Compare DCR and NNDR of synthetic with those of the holdout, or of train within itself without one."""
        return self.call(
            "comparison", synthetic=synthetic, train=train, holdout=holdout, statistic=statistic, k=k, **options
        )

    def holdout_share(self, synthetic: Any, train: Any, holdout: Any, **options: Unpack[DistanceOptions]) -> Result:
        """Return the share of synthetic records that are closer to train than to the holdout, with its interval."""
        return self.call("holdout_share", synthetic=synthetic, train=train, holdout=holdout, **options)

    # --- screening

    def copies(self, synthetic: Any, train: Any, **options: Unpack[DistanceOptions]) -> Result:
        """Return how many train records equal each synthetic record, on the raw values."""
        return self.call("copies", synthetic=synthetic, train=train, **options)

    def screen(
        self,
        synthetic: Any,
        train: Any,
        holdout: Any = None,
        dcr_below: float | None = None,
        nndr_below: float | None = None,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return every synthetic record with how near it comes to a real one, and why it should be removed."""
        given = {"holdout": holdout, "dcr_below": dcr_below, "nndr_below": nndr_below}
        return self.call("screen", synthetic=synthetic, train=train, **given, **options)

    def safe(
        self,
        synthetic: Any,
        train: Any,
        holdout: Any = None,
        dcr_below: float | None = None,
        nndr_below: float | None = None,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return the synthetic records that `screen` does not flag, as they are."""
        given = {"holdout": holdout, "dcr_below": dcr_below, "nndr_below": nndr_below}
        return self.call("safe", synthetic=synthetic, train=train, **given, **options)

    # --- discernibility

    def equivalence_classes(self, data: Any, quasi_identifiers: Sequence[str]) -> Result:
        """Return the classes of records that are equal in all quasi-identifiers, with their sizes."""
        return self.call("equivalence_classes", data=data, quasi_identifiers=quasi_identifiers)

    def discernibility(
        self, data: Any, quasi_identifiers: Sequence[str], k: int | None = None, suppressed: int = 0
    ) -> Result:
        """Return the discernibility of a table; classes below ``k`` are suppressed."""
        return self.call("discernibility", data=data, quasi_identifiers=quasi_identifiers, k=k, suppressed=suppressed)

    def discernibility_from_classes(
        self, classes: Any, size: str = "size", k: int | None = None, suppressed: int = 0
    ) -> Result:
        """Return the discernibility of a table of which only the sizes of its classes are given."""
        return self.call("discernibility_from_classes", classes=classes, size=size, k=k, suppressed=suppressed)

    def best_discernibility(self, n: int, k: int) -> Result:
        """Return the least discernibility of ``n`` rows in classes of at least ``k``."""
        return self.call("best_discernibility", n=n, k=k)

    # --- minimum distance accumulation

    def mda_distances(self, a: Any, b: Any, direction: str = "both", **options: Unpack[DistanceOptions]) -> Result:
        """Return the nearest neighbor distances of table a (synthetic) to b (real) and of b to a."""
        return self.call("mda_distances", a=a, b=b, direction=direction, **options)

    def mda_curve(
        self,
        a: Any,
        b: Any,
        direction: str = "both",
        normalizer: float | None = None,
        points: int | None = None,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return the share of records within each relative distance of the other table."""
        given = {"direction": direction, "normalizer": normalizer, "points": points}
        return self.call("mda_curve", a=a, b=b, **given, **options)

    def mda(
        self,
        a: Any,
        b: Any,
        threshold: float | Sequence[float] = 0.2,
        method: str = "exact",
        direction: str = "both",
        normalizer: float | None = None,
        points: int = 101,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return privacy and resemblance at one threshold or several."""
        given = {"threshold": threshold, "method": method, "direction": direction}
        return self.call("mda", a=a, b=b, normalizer=normalizer, points=points, **given, **options)

    def mda_grid(self, curve: Any, threshold: float | Sequence[float] = 0.2) -> Result:
        """Return privacy and resemblance of a curve given on an even grid, by Simpson's rule."""
        return self.call("mda_grid", curve=curve, threshold=threshold)

    # --- baseline

    def baseline(
        self,
        train: Any,
        p: float = 0.5,
        seed: int = 0,
        out_of_bag: bool = False,
        noise: str = "none",
        trees: int = 100,
        progress: Progress | bool | None = None,
        pushdown: str | None = None,
    ) -> Result:
        """Return a synthetic table: train with each cell replaced, with probability p, by a random forest."""
        given = {"p": p, "seed": seed, "out_of_bag": out_of_bag, "noise": noise, "trees": trees}
        return self.call("baseline", train=train, progress=progress, pushdown=pushdown, **given)

    def baseline_sweep(
        self,
        train: Any,
        p: float | Sequence[float] | None = None,
        threshold: float | Sequence[float] | None = None,
        seed: int = 0,
        out_of_bag: bool = False,
        noise: str = "none",
        trees: int = 100,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return privacy and resemblance of the baseline for each p and threshold; forests are trained once."""
        given = {"p": p, "threshold": threshold, "seed": seed, "out_of_bag": out_of_bag, "noise": noise, "trees": trees}
        return self.call("baseline_sweep", train=train, **given, **options)

    # --- evaluation

    def evaluate(
        self,
        synthetic: Any,
        train: Any,
        holdout: Any = None,
        quasi_identifiers: Sequence[str] | None = None,
        k: int | None = None,
        threshold: float | Sequence[float] = 0.2,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Return everything that is measured of a synthetic table, one number a row, each with its meaning."""
        given = {"holdout": holdout, "quasi_identifiers": quasi_identifiers, "k": k, "threshold": threshold}
        return self.call("evaluate", synthetic=synthetic, train=train, **given, **options)

    def report(
        self,
        path: str | os.PathLike[str],
        synthetic: Any,
        train: Any,
        holdout: Any = None,
        quasi_identifiers: Sequence[str] | None = None,
        k: int | None = None,
        threshold: float | Sequence[float] = 0.2,
        *,
        show_values: bool = False,
        baseline: bool = False,
        **options: Unpack[DistanceOptions],
    ) -> Result:
        """Evaluate, write a page that shows the numbers, and return them as `evaluate` does.

        Parameters
        ----------
        path
            The HTML file to write. It needs nothing beside it and no network.
        show_values
            Whether the page shows the values of the riskiest records: those of real people among them.
        baseline
            Whether the random forest baseline is grown, which takes far longer than all else.

        Raises
        ------
        OptionError
            What the report needs is not installed (``pip install "synthpriv-sql[report]"``).
        WriteError
            The file cannot be written.
        """
        try:
            from synthpriv_sql.report.build import build
        except ModuleNotFoundError as missing:
            raise errors.OptionError(
                f'the report needs {missing.name}, which is not installed: pip install "synthpriv-sql[report]"'
            ) from None
        given: dict[str, Any] = {"synthetic": synthetic, "train": train, "holdout": holdout}
        given |= {"quasi_identifiers": quasi_identifiers, "k": k, "threshold": threshold} | options
        progress = given.pop("progress", None)
        return build(self, os.fspath(path), given, show_values=show_values, baseline=baseline, progress=progress)


def _reported(progress: Progress | bool | None) -> AbstractContextManager[Progress | None]:
    from synthpriv_sql.results.display import bar

    return bar() if progress is True else nullcontext(progress or None)


def _checked(pushdown: str) -> str:
    if pushdown not in PUSHDOWN:
        raise errors.OptionError(f'option "pushdown" := {pushdown!r} is not one of {", ".join(PUSHDOWN)}')
    return pushdown
