"""Running a plan on Spark: every part of the statement is a view in the user's session while the plan runs.

Parts that are read more than once are cached on the executors; kernels run there as well. A part of a few rows that
aggregates all records is collected to the driver, so that statements that read it are planned quickly. CTEs are not
used: Spark does not recognize a cached plan if the same CTE has another number in another statement.
"""

from __future__ import annotations

import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from synthpriv_sql import errors
from synthpriv_sql.dialects import render
from synthpriv_sql.engines.spark import records, search, shapes, tasks, text
from synthpriv_sql.engines.spark.lookup import Lookup, from_arrow, is_remote, stable, without_plan
from synthpriv_sql.engines.spark.reading import Reading
from synthpriv_sql.engines.spark.records import Numbered
from synthpriv_sql.engines.spark.search import Paged, Unpaged
from synthpriv_sql.kernels.agreement import index as agreement
from synthpriv_sql.kernels.knn.index import rows_within
from synthpriv_sql.planner.columns.tables import Made
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.function import Operator
from synthpriv_sql.planner.planning import Plan
from synthpriv_sql.planner.statement.parts import Part
from synthpriv_sql.planner.statement.shapes import Written
from synthpriv_sql.progress import Progress
from synthpriv_sql.udf import exchanges, quantiles
from synthpriv_sql.udf.encoded.arrange import Arrangement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_SIDES = ("query_pages", "reference_pages")
_INDEX_BYTES = 512 << 20


class Run:
    """One plan while it runs, and as long as its result needs the cached rows.

    Parameters
    ----------
    lookup
        Finds the user's tables.
    plan
        The plan to run.
    tasks
        The approximate number of parallel tasks.
    shard_rows
        The maximum number of records in a shard of a reference; by default, as many as an index of 512 MB holds.
    progress
        Called when a search is done.
    cancelled
        Called before each statement; returns whether to stop.
    """

    def __init__(
        self,
        lookup: Lookup,
        plan: Plan,
        tasks: int,
        shard_rows: int | None,
        progress: Progress | None,
        cancelled: Callable[[], bool],
    ) -> None:
        self.session = lookup.session
        self.numbered: dict[str, Numbered] = {}
        self.moved_rows = self.moved_bytes = 0
        self._lookup = lookup
        self._tasks = tasks
        self._shard_rows = shard_rows
        self._progress = progress
        self._cancelled = cancelled
        self._reading = Reading(plan)
        self._query, self._parts = self._reading.query, self._reading.parts
        self._token = uuid.uuid4().hex[:12]
        self._views: dict[str, str] = {}
        self._holds_rows: set[str] = set()
        """The parts that are read from the executors: user tables, search results, cached parts."""
        self._in_order: set[str] = set()
        """The parts that are cached with their rows in record order."""
        self._kept: list[DataFrame] = []
        self._read: list[DataFrame] = []
        self._inner: list[Run] = []
        self._pages: dict[str, Paged] = {}
        self._unread: dict[str, str] = {}
        """The tables of which only the pages are cached, with their names in messages."""
        self._scales: dict[str, list[float | None]] = {}

    def frame(self) -> DataFrame:
        """Prepare all parts, and return the rows of the plan as a lazy DataFrame."""
        self._read_sources([part for part in self._parts.values() if part.source is not None])
        searches = [part for part in self._parts.values() if part.operator is Operator.SEARCH]
        of_tables = [part for part in searches if all(self._table_of(part.reads[side]) for side in _SIDES)]
        self._search(of_tables)
        # Generated tables first: a baseline, or the records that an earlier search left.
        waiting = [part for part in searches if part not in of_tables]
        while waiting:
            names = {part.name for part in waiting}
            ready = [part for part in waiting if names.isdisjoint(self._reading.needed(part))]
            self._search(ready)
            waiting = [part for part in waiting if part not in ready]
        by = shapes.by_record(self._query)
        if not by:
            return self._sql(self._query)
        frame = self._sql(shapes.unordered(self._query))
        layers = self._layers()
        if layers is not None and all(map(shapes.shows_record, layers)):
            return frame
        # Spark's own sort first samples the rows, and computes them once more for that.
        most = max((table.rows for table in self.numbered.values()), default=0)
        return search.in_order(frame, most, self._tasks, *by)

    @property
    def stays(self) -> bool:
        """Whether the result consists of columns of a cached, ordered part, and need not be cached again."""
        layers = self._layers()
        return layers is not None and all(map(shapes.only_columns, layers))

    def _layers(self) -> list[exp.Select] | None:
        """The nested queries, the outermost first, that map a cached, ordered part row by row; None for other plans."""
        name, found = shapes.layers(shapes.unordered(self._query))
        while name in self._parts and name not in self._in_order:
            name, more = shapes.layers(self._parts[name].query)
            found += more
        return found if name in self._in_order else None

    def release(self) -> None:
        """Free the caches on the executors."""
        # Frames that read other cached frames go first: otherwise Spark would plan them again.
        for frame in reversed(self._kept):
            frame.unpersist()
        self._kept.clear()
        self._read.clear()
        for inner in self._inner:
            inner.release()
        self._forget_views()

    def settle(self) -> None:
        """Drop the views from the user's session, if the result does not need them any more."""
        # Over Spark Connect a frame is an unresolved plan, which the server analyzes at every use.
        if not is_remote(self.session):
            self._forget_views()

    def _forget_views(self) -> None:
        for view in self._views.values():
            self.session.catalog.dropTempView(view)
        self._views.clear()

    def keep(self, frame: DataFrame) -> DataFrame:
        """Cache rows on the executors, in memory or on disk, until `release`."""
        kept = frame.persist()
        self._kept.append(kept)
        return kept

    # --- parts

    def _read_sources(self, parts: Sequence[Part]) -> None:
        """Read the user's tables; those that need record numbers are numbered and cached, all in one job."""
        to_number: dict[str, tuple[DataFrame, str, str]] = {}
        for part in parts:
            assert part.source is not None
            source = self._lookup.frame(part.source.node) if part.source.made is None else self._made(part.source.made)
            # All but the record number, which numbers rows by a window.
            columns = [c for c in part.query.expressions if not c.find(exp.Window)]
            only = part.query.args.get("where")
            kept = source if only is None else source.where(render(only.this, "spark"))
            rows = kept if part.query.is_star else kept.selectExpr(*(render(c, "spark") for c in columns))
            number = text.number_of(part)
            self._holds_rows.add(part.name)
            if number is not None and self._reading.only_in_pages(part, number) and stable(rows):
                self._unread[part.name] = part.source.label
                self._view(part.name, records.placed(rows, number))
            elif number is not None:
                to_number[part.name] = rows, part.source.label, number
            else:
                self._view(part.name, self.keep(rows) if self._reading.reads[part.name] > 1 else rows)
        for name, table in zip(to_number, records.numbered(list(to_number.values())), strict=True):
            self._kept.append(table.kept)
            self.numbered[name] = table
            self._in_order.add(name)
            self._view(name, table.frame)

    def _made(self, made: Made) -> DataFrame:
        """The rows of a generated table, whose statement runs like any other."""
        function = catalog.part(made.file)
        assert function is not None, made.file
        plan = Plan(function, [made.of], Written(made.statement), {}, {})
        inner = Run(self._lookup, plan, self._tasks, self._shard_rows, None, self._cancelled)
        self._inner.append(inner)
        return self.keep(inner.frame())  # read many times: nested plans would grow too large

    def _search(self, parts: Sequence[Part]) -> None:
        """Search for several parts in one job."""
        searches = []
        for part in parts:
            options = text.arguments(text.call_in(part, "synthpriv_search"))
            spreads = self._spreads(part.reads["scale"])
            most = self._shard_rows or rows_within(_INDEX_BYTES, Arrangement(options, spreads).distance)
            searches.append((part, options, spreads, most))
        if not searches:
            return
        self._write_pages({part.reads[side]: most for part, _, _, most in searches for side in _SIDES})
        found = []
        for part, options, spreads, _ in searches:
            queries, reference = (self._pages[part.reads[side]] for side in _SIDES)
            given = queries, reference, options, spreads, self._tasks
            found.append(self.keep(search.tied(*given, self.keep) if options["ties"] else search.nearest(*given)))
            self._holds_rows.add(part.name)
        # Computed now: two readers in one statement would both search.
        search.count(found)
        for (part, *_), rows in zip(searches, found, strict=True):
            self._view(part.name, rows)
        self._in_order |= {part.name for part, options, *_ in searches if not options["ties"]}
        if self._progress is not None:
            self._progress(len(found), len(found), "searches")

    def _table_of(self, name: str) -> str | None:
        """The user table that a part that gathers pages reads, if it reads one."""
        (encoded,) = self._reading.inner(self._parts[name])
        named = (part.name for part in self._reading.inner(encoded))
        return next((table for table in named if table in self.numbered or table in self._unread), None)

    def _write_pages(self, names: Mapping[str, int]) -> None:
        """Write the pages of parts that gather them in one job; the values of ``names`` are the records per shard."""
        missing = {name: self._encoded(self._parts[name]) for name in names if name not in self._pages}
        if not missing:
            return
        of = {name: table for name in missing if (table := self._table_of(name)) is not None}
        tables = {}
        for name, table in of.items():
            numbered = self.numbered.get(table)
            label, rows = (numbered.label, numbered.rows) if numbered else (self._unread[table], None)
            tables[name] = Unpaged(missing[name], label, rows)
        others = [name for name in missing if name not in of]
        if others:
            # Records of a generated query come in any order.
            counts = search.count([missing[name] for name in others])
            for name, counted in zip(others, counts, strict=True):
                tables[name] = Unpaged(search.in_order(missing[name], counted, self._tasks), name, counted)
        for name, (found, numbered) in zip(tables, search.paged([*tables.values()], max(names.values())), strict=True):
            self._kept.append(numbered.kept)
            self._pages[name] = found
            if tables[name].rows is None:
                self.numbered[of[name]] = numbered

    def _encoded(self, part: Part) -> DataFrame:
        """The record numbers and columns that a part that gathers pages encodes."""
        call = text.call_in(part, "synthpriv_page")
        (encoded,) = self._reading.inner(part)
        columns = [exp.column(column.this.copy()) for column in call.expressions]
        return self._sql(exp.select(*columns).from_(encoded.name))

    def _donate(self, part: Part) -> None:
        """Train the forests for a part that takes the values of donors."""
        forest, originals = (self._parts[part.reads[alias]] for alias in ("predicted", "unchanged"))
        options = text.arguments(text.call_in(forest, "synthpriv_forest"))
        pages = forest.reads["train_pages"]
        self._write_pages({pages: 1 << 62})
        train = self._pages[pages]
        values = self._sql(originals.query)
        predicted = self.keep(tasks.grown(train, values, options, self._tasks))
        rows = self.keep(tasks.gathered(predicted, values, train.rows, options, self._tasks))
        self._holds_rows.add(part.name)
        self._view(part.name, rows)

    def _agree(self, part: Part) -> None:
        """Run the search by agreement for a part."""
        options = text.arguments(text.call_in(part, "synthpriv_agreement"))
        holdout = self._parts[part.reads["holdout_pages"]]
        sides = [part.reads["synthetic_pages"], part.reads["train_pages"]]
        sides += [inner.name for inner in self._reading.inner(holdout) if inner.operator is Operator.GATHERING]
        most = self._shard_rows or agreement.rows_within(_INDEX_BYTES, len(options["columns"]))
        self._write_pages(dict.fromkeys(sides, most))
        synthetic, train, *others = (self._pages[name] for name in sides)
        found = search.agreement(synthetic, train, next(iter(others), None), options, self._tasks)
        self._computed(part, self.keep(found), "searches")

    def _take_pages(self, part: Part) -> None:
        """Take a step for a part that has one executor read all its tables."""
        assert part.operator is not None
        step = tasks.OF_PAGES[part.operator]
        options = text.arguments(text.call_in(part, step.function))
        held = {side: self._reading.held(part.reads[alias]) for side, alias in step.aliases().items()}
        releases = [one for one in held["synthetic"] if one.release is not None]
        if releases:
            options |= {"names": [one.release for one in releases], "lacks": [one.lacks for one in releases]}
        self._write_pages(dict.fromkeys((one.pages for each in held.values() for one in each), 1 << 62))
        tables = {side: [self._pages[one.pages] for one in each] for side, each in held.items()}
        found = self.keep(tasks.in_one_task(step, tables, options))
        rows = self._computed(part, found, step.label)
        for message in tasks.cautions(step, found, rows, options):
            warnings.warn(message, errors.SynthprivWarning, stacklevel=2)

    def _compare_texts(self, part: Part) -> None:
        """Compare texts for a part."""
        assert part.operator is not None
        function, of, *beside = tasks.OF_TEXTS[part.operator]
        call = text.call_in(part, function)
        (given,) = self._reading.inner(part)
        rows = of(self._sql(text.rows_of(call, given.name, *beside)), text.arguments(call))
        self._computed(part, self.keep(rows), "texts")

    def _computed(self, part: Part, found: DataFrame, label: str) -> int:
        """Compute the cached rows of a part, which two readers in one statement would both do, and count them."""
        self._holds_rows.add(part.name)
        (rows,) = search.count([found])
        self._view(part.name, found)
        if self._progress is not None:
            self._progress(1, 1, label)
        return rows

    def _on_the_driver(self, part: Part, function: str, of: Callable[..., Any], gives: str) -> None:
        """Call a function of this package on the few rows of a part."""
        call = text.call_in(part, function)
        query = part.query.copy()
        kept = [column for column in query.expressions if column.find(exp.Anonymous) is None]
        names = [f"argument_{i}" for i in range(len(call.expressions))]
        query.set("expressions", [*kept, *map(exp.alias_, call.copy().expressions, names)])
        table = self._sql(query).toArrow()
        self._count(table.num_rows, table.nbytes)
        found = of(*(table[name] for name in names))
        table = table.drop_columns(names).append_column(gives, found)
        self._view(part.name, from_arrow(self.session, table))

    def _spreads(self, name: str) -> list[float | None]:
        """The spreads of the columns, from the one row of a part."""
        if name not in self._scales:
            row = self._sql(self._parts[name].query).collect()[0]
            self._scales[name] = list(row["spreads"])
            self._count(1, 8 + 8 * len(row["spreads"]))
        return self._scales[name]

    def _ready(self, part: Part) -> None:
        """Create the view of a part, and those of the parts that it reads."""
        beta, exchanged = ("synthpriv_beta_quantile", quantiles.beta), ("synthpriv_exchanged", exchanges.p_value)
        runs: dict[Operator | None, Callable[[Part], None]] = {
            Operator.SEARCH: lambda part: self._search([part]),
            Operator.DONORS: self._donate,
            Operator.AGREEMENT: self._agree,
            **dict.fromkeys(tasks.OF_PAGES, self._take_pages),
            **dict.fromkeys(tasks.OF_TEXTS, self._compare_texts),
            Operator.BETA_QUANTILES: lambda part: self._on_the_driver(part, *beta, "lower"),
            Operator.EXCHANGES: lambda part: self._on_the_driver(part, *exchanged, "p_value"),
        }
        if part.operator in runs:
            runs[part.operator](part)
            return
        rows = self._sql(part.query)
        if self._reading.is_few(part) and self._reading.reads_rows(part, self._holds_rows):
            table = rows.toArrow()
            self._count(table.num_rows, table.nbytes)
            rows = from_arrow(self.session, table)
        elif self._reading.reads[part.name] > 1 and self._reading.computes(part, self._holds_rows):
            rows = self.keep(rows)
            self._holds_rows.add(part.name)
        self._view(part.name, rows)

    # --- statements

    def _sql(self, query: exp.Query) -> DataFrame:
        """The rows of a query that reads parts."""
        if self._cancelled():
            raise errors.stopped()
        tree = query.copy()
        for table in [t for t in tree.find_all(exp.Table) if t.name in self._parts and not t.db]:
            if table.name not in self._views:
                self._ready(self._parts[table.name])
            alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name))
            table.replace(exp.Table(this=exp.to_identifier(self._views[table.name]), alias=alias))
        return self.session.sql(render(tree, "spark"))

    def _view(self, name: str, frame: DataFrame) -> None:
        view = self._views[name] = f"synthpriv_{self._token}_{name}"
        if any(frame is kept for kept in self._kept):
            frame = without_plan(frame)
            self._read.append(frame)  # over Connect a view has no rows once its frame is gone
        frame.createTempView(view)

    def _count(self, rows: int, size: int) -> None:
        self.moved_rows += rows
        self.moved_bytes += size
