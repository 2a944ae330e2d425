"""The command line: a command for each function of the catalog, generated from its header."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Collection
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import click
from click.shell_completion import get_completion_class

from synthpriv_sql import errors
from synthpriv_sql.cli.failing import said_of
from synthpriv_sql.cli.judging import EVALUATION_PRINTING, Judged, gate_command, history_command
from synthpriv_sql.cli.options import (
    COMMON,
    DECISION,
    GATE,
    LANGUAGE,
    LIMIT,
    NUMBERS,
    PAGE,
    PRINTING,
    REMEDYING,
    RUNS,
    SPREADSHEET_SAFE,
    WRITING,
    option,
)
from synthpriv_sql.planner.headers import catalog, wording
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.repeating.options import OF_PERSONS, OF_SPLITS
from synthpriv_sql.version import __version__

_MEANT = {
    "compare": {
        "comparison": "distances to train beside those of real rows",
        "candidates": "several synthetic tables",
        "changes": "two evaluations, as of last month and this one",
        "fidelity": "distributions of synthetic and real columns",
    }
}
"""What may be meant by words that are no commands."""


class Commands(click.Group):
    """Functions as commands: those that most people need first, the others by family."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command; dashes are treated as underscores."""
        return super().get_command(ctx, cmd_name.replace("-", "_"))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; of a word that several could be meant by, say which does what."""
        if args and args[0] in _MEANT and self.get_command(ctx, args[0]) is None:
            meant = "; ".join(f"{name}: {what}" for name, what in _MEANT[args[0]].items())
            ctx.fail(f"No such command '{args[0]}'. {meant}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands under headings."""
        titles = {"first": "What most people need", **catalog.families(), "": "Other commands"}
        headings: dict[str, list[tuple[str, str]]] = {heading: [] for heading in titles}
        names = self.list_commands(ctx)
        first = [name for name in catalog.first() if name in names]
        for name in (*first, *(name for name in names if name not in first)):
            command = self.get_command(ctx, name)
            function = catalog.functions().get(name)
            heading = "first" if name in first else function.family if function else ""
            headings[heading].append((name, command.get_short_help_str(100) if command else ""))
        for heading, commands in headings.items():
            if commands:
                with formatter.section(titles[heading]):
                    formatter.write_dl(commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C becomes one of this package's errors, as does a standard output that takes nothing."""
        try:
            found = super().invoke(ctx)
            _flush()
            return found
        except KeyboardInterrupt as error:
            raise errors.stopped() from error
        except BrokenPipeError:
            # click would exit with 1, which means a broken condition.
            sys.stdout = StringIO()  # what is left in its buffer cannot be written at exit either
            sys.exit(_PIPE_CLOSED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="synthpriv")
def synthpriv() -> None:
    """Does a synthetic record expose a real person?

    Each command is a function that is also available in DuckDB SQL (FROM synthpriv.NAME(...)) and in Python. A table is
    a file (Parquet, CSV, JSON, Excel; compressed, or a glob), a query in parentheses, a name in --database, or a Delta
    (delta:PATH) or Iceberg (iceberg:CATALOG.NAMESPACE.TABLE) table.

    \b
    synthpriv evaluate --synthetic s.csv --train t.csv --holdout h.csv --html report.html --require exposure.exposed=0
    synthpriv dcr --synthetic synthetic.parquet --train train.parquet
    synthpriv comparison --synthetic s --train t --holdout h --database data.duckdb
    synthpriv sql dcr --synthetic synthetic.parquet --train train.parquet

    For shell completion of commands, options, tables and columns, see synthpriv completion --help.

    Exit codes: 0 success, 1 a required condition is broken, 2 wrong usage or input, 3 could not evaluate, 4 temporary
    failure: a locked file, a full disk, a server that cannot be reached.
    """  # noqa: D301


@synthpriv.group(name="sql", cls=Commands, short_help="Print the SQL of a function instead of running it.")
def sql_group() -> None:
    """Print the SQL of a function instead of running it."""


@synthpriv.group(name="plan", cls=Commands, short_help="Show what a function would do, without running it.")
def plan_group() -> None:
    """Show what a function would do, without running it: which statements run where, which columns leave the database,
    how many rows each step takes, and what is left out. Only rows are counted.
    """


@synthpriv.command(
    short_help="Create tables of customers, and distinguish synthetic tables that leak from a careful one."
)
@click.option("--database", type=click.Path(dir_okay=False), help="Keep the tables in this DuckDB file.")
def demo(database: str | None) -> None:
    """Create tables of customers, and distinguish synthetic tables that leak from a careful one."""
    _does("demo")(database=database)


@synthpriv.command(short_help="Print the shell script that enables completion of commands and options.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the shell script that enables completion of commands and options.

    \b
    eval "$(synthpriv completion bash)"      in ~/.bashrc; zsh in ~/.zshrc alike
    synthpriv completion fish | source      in ~/.config/fish/config.fish
    """  # noqa: D301
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(synthpriv, {}, "synthpriv", "_SYNTHPRIV_COMPLETE").source())


@synthpriv.command(short_help="Compile the kernel ahead of the first call, for example in an image.")
def warm() -> None:
    """Compile the kernel ahead of the first call, for example in an image.

    The compiled code is cached in the folder NUMBA_CACHE_DIR if that is set, otherwise in the installed package,
    otherwise in the user's cache. Other users who can read the folder share it if they have the same package, Python
    and processor.
    """
    _does("warm")()


@synthpriv.command(short_help="Compare what a database gives for every function with DuckDB.")
@click.argument("database", metavar="FILE|URL")
@click.option("--schema", help="Where to create the tables: in PostgreSQL public by default, else where the user is.")
@click.option("--all", "more", is_flag=True, help="More calls of each function: about twice as many.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a report to send to this .json file: calls, differences, times and versions.",
)
@click.option(
    "--timeout",
    "time_limit",
    type=click.FloatRange(min=0, min_open=True),
    default=720,
    show_default=True,
    metavar="SECONDS",
    help="Stop after this time; what was not compared by then is told, and the exit code is 3.",
)
@click.option("--threads", type=click.IntRange(min=1), help="The number of threads beside the database.")
def conformance(**given: Any) -> None:
    """Compare what a database gives for every function with DuckDB.

    It creates small tables with made-up rows (their names begin with synthpriv_), calls every function on them there
    and in DuckDB, prints a line for each, and drops the tables. Nothing else is read or written. The exit code is 1 if
    anything differs: a number by more than 1e-9, a type, or the words of an error.

    \b
    synthpriv conformance postgresql://me@db.example/bank --schema scratch --output report.json
    """  # noqa: D301
    _does("conformance")(**given)


def _does(action: str, *first: str, module: str = "actions") -> Callable[..., None]:
    """Return a callback that imports the implementation of a command only when it runs, because that takes long."""

    def do(**given: Any) -> None:
        getattr(import_module(f"synthpriv_sql.cli.{module}"), action)(*first, **given)

    return do


_PIPE_CLOSED = 128 + 13
"""The exit code where the reader of a pipe has gone, as of a process that SIGPIPE ends."""


def main() -> None:
    """Run the command line; errors become one line on stderr and an exit code, 1 only for broken conditions."""
    _open_streams()
    with warnings.catch_warnings(), wording.spoken("shell"):
        warnings.simplefilter("always", errors.SynthprivWarning)
        warnings.showwarning = _warned(warnings.showwarning)
        try:
            synthpriv(prog_name="synthpriv")
        except Exception as error:
            message, code = said_of(error)
            click.echo(f"synthpriv: {message}", err=True)
            sys.exit(code)


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout = StringIO()  # what is left in its buffer cannot be written at exit either
        raise errors.not_written("standard output", error) from None


def _open_streams() -> None:
    """Replace standard streams that the caller has closed: writing to standard output becomes an error."""
    if sys.stderr is None:
        sys.stderr = StringIO()
    if sys.stdout is None:
        sys.stdout = _Closed()


class _Closed(StringIO):
    """Standard output of a process that was started without one."""

    def write(self, text: str) -> int:
        raise errors.WriteError("standard output is closed, so nothing can be printed; --output FILE writes the rows")


def _warned(others: Callable[..., None]) -> Callable[..., None]:
    """Return a handler that prints this package's warnings as one line, once, and passes on all others."""
    said = set()

    def show(message: Warning | str, category: type[Warning], *where: Any) -> None:
        if issubclass(category, errors.SynthprivWarning):
            if str(message) not in said:
                click.echo(f"synthpriv: {message}", err=True)
            said.add(str(message))
        else:
            others(message, category, *where)

    return show


# --- commands of the catalog


def _command(
    function: Function,
    callback: Callable[..., None],
    more: list[click.Option],
    kind: type[click.Command] = click.Command,
) -> click.Command:
    columns = "\n".join(f"  {name:<24}{doc}" for name, doc in function.columns.items())
    listed = f"\n\n\b\nColumns:\n{columns}" if columns else ""
    return kind(
        function.name,
        callback=callback,
        params=[*(option(p) for p in function.parameters.values()), *COMMON, *more],
        short_help=function.summary,
        help=f"{function.summary}{listed}",
    )


for _function in catalog.functions().values():
    if _function.name not in {"evaluate", "candidates", "remedy"}:
        synthpriv.add_command(_command(_function, _does("run", _function.name), [*PRINTING, SPREADSHEET_SAFE, LIMIT]))
    plan_group.add_command(_command(_function, _does("plan", _function.name), PRINTING[:2]))
    _written = [one for one in WRITING if one.name not in _function.parameters]
    sql_group.add_command(_command(_function, _does("show_sql", _function.name), _written))


synthpriv.add_command(_command(catalog.function("remedy"), _does("remedy"), [*REMEDYING, SPREADSHEET_SAFE]))


_CANDIDATES_PAGE = click.Option(
    ["--html"],
    type=click.Path(dir_okay=False),
    help="Write a page with the fidelity and exposure of each to this file, and a report of each next to it.",
)
_COMPARING = [*PRINTING, LIMIT, LANGUAGE, _CANDIDATES_PAGE, DECISION]
synthpriv.add_command(_command(catalog.function("candidates"), _does("candidates"), _COMPARING))
_EVALUATION = catalog.function("evaluate")
synthpriv.add_command(
    _command(
        _EVALUATION,
        _does("evaluate", module="evaluating"),
        [*EVALUATION_PRINTING, SPREADSHEET_SAFE, LANGUAGE, *PAGE, *GATE],
        Judged,
    )
)
synthpriv.add_command(
    click.Command(
        "report",
        callback=_does("report", module="evaluating"),
        params=[
            NUMBERS,
            *(option(p) for p in _EVALUATION.parameters.values() if p.name != "effort"),  # a page has all parts
            *COMMON,
            LANGUAGE,
            *PAGE,
        ],
        short_help="Evaluate, and write a report page, or a decision page to sign.",
        help="Evaluate, and write a report page (--html: one file that works offline), a decision page to sign "
        "(--decision), or all numbers (--numbers).",
    )
)
synthpriv.add_command(gate_command(_does("check", module="evaluating")))
synthpriv.add_command(history_command(_does("show_history", module="evaluating")))


_DATA = option(catalog.function("split").parameters["data"])
_LASTING = [one for one in COMMON if one.name != "timeout"]
"""Options that these commands do not have: their runs take long, and can be resumed after an interruption."""


def _repeating(name: str, called: str, refused: Collection[str], more: list[click.Option], summary: str) -> None:
    """Add a command that trains a synthesizer repeatedly, with the options of the function it calls each time."""
    own = {"data", "seed", *(one.name for one in more)}
    options = [option(p) for p in catalog.function(called).parameters.values() if p.name not in {*refused, *own}]
    synthpriv.add_command(
        click.Command(
            name,
            callback=_does(name),
            params=[_DATA, *more, *RUNS, *options, *_LASTING, *PRINTING[:2], LIMIT],
            short_help=summary,
            help=f"{summary} With --into, the result of each run is saved, and not computed again.",
        )
    )


_repeating(
    "repeat",
    "evaluate",
    OF_SPLITS,
    [click.Option(["--times"], type=click.IntRange(min=1), default=10, show_default=True, help="How many splits.")],
    "Train a synthesizer on random parts of the data, evaluate each of its tables, and aggregate the numbers.",
)
_repeating(
    "person_risk",
    "membership_scores",
    OF_PERSONS,
    [
        click.Option(
            ["--person"],
            required=True,
            help="The value of --key that identifies the person; without --key, the record number, from 0.",
        ),
        click.Option(
            ["--times"],
            type=click.IntRange(min=2),
            default=20,
            show_default=True,
            help="The number of trainings with the person, and of those without.",
        ),
        click.Option(
            ["--attack"],
            multiple=True,
            default=["agreement"],
            show_default=True,
            metavar="NAME",
            help="An attack of membership_scores. May be repeated.",
        ),
    ],
    "Train a synthesizer with and without one person, and measure how well an attack distinguishes the two.",
)
