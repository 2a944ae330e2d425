"""The command line: a command for each function of the catalog, made from its header."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import duckdb
from click.shell_completion import get_completion_class
from rich.console import Console

from synthpriv_sql import errors
from synthpriv_sql.cli_options import COMMON, GATE, OPENING, PAGE, PRINTING, WRITING, option
from synthpriv_sql.opening import POSTGRES, connect, spark
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results import gate, output
from synthpriv_sql.results.cautions import cautions_of
from synthpriv_sql.results.since import last_run
from synthpriv_sql.results.since import show as show_changes
from synthpriv_sql.session import Session
from synthpriv_sql.statements import catalog
from synthpriv_sql.statements.catalog import Function
from synthpriv_sql.version import __version__


class Commands(click.Group):
    """Functions as commands, listed by family."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command; dashes do for underscores."""
        return super().get_command(ctx, cmd_name.replace("-", "_"))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands under a heading for each family of functions."""
        headings: dict[str, list[tuple[str, str]]] = {family: [] for family in (*catalog.families(), "")}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            function = catalog.functions().get(name)
            family = function.family if function else ""
            headings[family].append((name, command.get_short_help_str(100) if command else ""))
        for family, commands in headings.items():
            if commands:
                with formatter.section(catalog.families().get(family, "Other commands")):
                    formatter.write_dl(commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C is an error of ours like any other."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise errors.stopped() from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="synthpriv")
def synthpriv() -> None:
    """Does a synthetic record give a real person away?

    Each command is a function that is also there in DuckDB SQL (FROM synthpriv.NAME(...)) and in Python. A table is a
    file (Parquet, CSV, JSON; compressed, or a glob), a query in parentheses, a name in --database, or a table of Delta
    (delta:PATH) or Iceberg (iceberg:CATALOG.NAMESPACE.TABLE).

    \b
    synthpriv dcr --synthetic synthetic.parquet --train train.parquet
    synthpriv comparison --synthetic s --train t --holdout h --database data.duckdb
    synthpriv sql dcr --synthetic synthetic.parquet --train train.parquet
    synthpriv evaluate --synthetic s.csv --train t.csv --holdout h.csv --html report.html --require copies.share=0

    Completion of commands and options: eval "$(_SYNTHPRIV_COMPLETE=bash_source synthpriv)" in ~/.bashrc (zsh_source,
    fish_source for these).

    Exit codes: 0 fine, 1 a required condition is broken, 2 wrong usage or input, 3 could not evaluate.
    """  # noqa: D301


@synthpriv.group(name="sql", cls=Commands, short_help="Print the SQL of a function instead of running it.")
def sql_group() -> None:
    """Print the SQL of a function instead of running it."""


@synthpriv.command(short_help="Make tables of customers, and tell synthetic ones that leak from a careful one.")
@click.option("--database", type=click.Path(dir_okay=False), help="Keep the tables in this DuckDB file.")
def demo(database: str | None) -> None:
    """Make tables of customers, and tell synthetic ones that leak from a careful one."""
    from synthpriv_sql.demo import run

    try:
        run(Console(), database or ":memory:")
    except duckdb.Error as error:
        raise errors.WriteError(f'the tables of the demo were not written to "{database}": {error}') from None


@synthpriv.command(short_help="Print what makes a shell complete commands and options.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes a shell complete commands and options.

    \b
    eval "$(synthpriv completion bash)"      in ~/.bashrc; zsh in ~/.zshrc alike
    synthpriv completion fish | source      in ~/.config/fish/config.fish
    """  # noqa: D301
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(synthpriv, {}, "synthpriv", "_SYNTHPRIV_COMPLETE").source())


@synthpriv.command(short_help="Compile the search ahead of the first call, such as in an image.")
def warm() -> None:
    """Compile the search ahead of the first call, such as in an image.

    What is compiled is kept in the folder NUMBA_CACHE_DIR where that is set, else in the installed package, else in the
    cache of the user. Others who can read the folder use it; for that they need the same package, Python and processor.
    """
    from synthpriv_sql.warming import warm as compile_all

    warmed = compile_all()
    if warmed.folder is None:
        raise errors.WriteError(
            "compiled, but there is no folder to keep it in that can be written: set NUMBA_CACHE_DIR to one"
        )
    click.echo(f"compiled in {warmed.seconds:.0f} s, kept in {warmed.folder}")


def main() -> None:
    """Run the command line; errors of ours become one line on stderr and an exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", errors.SynthprivWarning)
        warnings.showwarning = _warned(warnings.showwarning)
        try:
            synthpriv(prog_name="synthpriv")
        except errors.SynthprivError as error:
            click.echo("synthpriv: " + " ".join(str(error).split("\n")), err=True)
            sys.exit(3 if isinstance(error, (errors.EngineError, errors.Stopped)) else 2)


def _warned(others: Callable[..., None]) -> Callable[..., None]:
    """Return what shows a warning of ours as one line on stderr, and leaves those of others as they are."""

    def show(message: Warning | str, category: type[Warning], *where: Any) -> None:
        if issubclass(category, errors.SynthprivWarning):
            click.echo(f"synthpriv: {message}", err=True)
        else:
            others(message, category, *where)

    return show


# --- commands out of the catalog


def _open(given: dict[str, Any]) -> Session:
    """Open what the common options say; they are taken out of what is given."""
    database, engine, pushdown, init, threads = (given.pop(name) for name in OPENING)
    config: dict[str, Any] = {} if threads is None else {"threads": threads}
    if engine == "spark":
        return _open_spark(database, init, threads, pushdown)
    if engine == "postgres" and database is None:
        database = POSTGRES[0]
    is_url = database is not None and database.startswith(POSTGRES)
    if engine is not None and (engine == "postgres") != is_url:
        raise errors.OptionError(
            f"--engine {engine} does not go with this --database: PostgreSQL has a URL, postgresql://user@host/name, "
            "and DuckDB a file"
        )
    if is_url:
        if init is not None:
            raise errors.OptionError("--init is for DuckDB; in PostgreSQL nothing is run but what only reads")
        return connect(database, read_only=True, pushdown=pushdown, **config)
    if database is not None and not Path(database).is_file():
        raise errors.UnknownTable(f'there is no database file "{database}"')
    try:
        session = connect(database or ":memory:", read_only=database is not None, pushdown=pushdown, **config)
    except duckdb.Error as error:
        raise errors.UnknownTable(f'the database "{database}" cannot be opened: {error}') from None
    if init is not None:
        try:
            session.connection.execute(init.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, duckdb.Error) as error:
            session.close()
            raise errors.OptionError(f'--init "{init}" did not run: {error}') from None
    return session


def _open_spark(database: str | None, init: Path | None, threads: int | None, pushdown: str) -> Session:
    if database is not None or init is not None:
        raise errors.OptionError(
            "--database and --init do not go with --engine spark: its tables are names of Spark's catalog, or paths "
            "with their format, such as parquet.`/data/customers`"
        )
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise errors.OptionError(
            '--engine spark needs pyspark, which is not installed: pip install "synthpriv-sql[spark]", or run '
            "synthpriv by spark-submit"
        ) from None
    return spark(SparkSession.builder.getOrCreate(), tasks=threads, pushdown=pushdown)


def _name_tables(function: Function, given: dict[str, Any]) -> None:
    """Put the tables of an option that is given several times together, by their names."""
    for parameter in function.parameters.values():
        if parameter.type == "relations":
            pairs = given[parameter.name]
            given[parameter.name] = dict(pairs)
            if len(given[parameter.name]) < len(pairs):
                raise errors.OptionError(f"--{parameter.name}: one name is given twice; write NAME=TABLE, each its own")


def _running(function: Function) -> Callable[..., None]:
    def run(form: str, output: Path | None, append: bool, **given: Any) -> None:
        _check_appending(output, append)
        _name_tables(function, given)
        with _open(given) as session:
            result = session.call(function.name, progress=sys.stderr.isatty() or None, **given)
            _deliver(result, form, output, append)

    return run


def _evaluate(
    form: str,
    output: Path | None,
    html: str | None,
    require: tuple[str, ...],
    requirements: Path | None,
    everything: bool,
    since: Path | None,
    append: bool,
    **given: Any,
) -> None:
    """Evaluate, show the numbers, and stop with 1 where a condition is broken."""
    conditions = [*map(gate.parse, require), *(gate.read(requirements) if requirements else ())]
    if form == "junit" and not conditions:
        raise errors.OptionError("--format junit shows conditions: give some with --require or --requirements")
    gate.foresee(conditions, given)
    if since is not None and output is None and form != "table":
        raise errors.OptionError("--since prints a table of what has changed: leave --format out, or give --output too")
    if since is not None and given.get("group_by"):
        raise errors.OptionError("--since compares evaluations of whole tables: leave --group-by out, or --since")
    before = None if since is None or _begins(since, output, append) else last_run(since)
    _check_appending(output, append)
    page = {name: given.pop(name) for name in ("show_values", "baseline")}
    if html is None and any(page.values()):
        raise errors.OptionError("--show-values and --baseline are about the page: give its file with --html")
    progress = sys.stderr.isatty() or None
    with _open(given) as session:
        if html is None:
            result = session.evaluate(progress=progress, **given)
        else:
            result = session.report(html, **page, progress=progress, **given)
        outcomes = gate.check(result, conditions)
        if form == "junit":
            said = [caution.text for caution in cautions_of(result)]
            gate.write(gate.junit(outcomes, said), output)
        elif form == "table" and output is None:
            result.show(Console(), everything)
        else:
            _deliver(result, form, output, append)
        if before is not None:
            show_changes(session.changes(result, before.result), result, before, Console())
    _stop_where_broken(outcomes)


def _check_appending(output: Path | None, append: bool) -> None:
    """Say before anything is computed that rows cannot be appended."""
    if append and (output is None or output.suffix != ".duckdb"):
        raise errors.OptionError("--append adds rows to those in a .duckdb file: give it with --output")


def _begins(since: Path, output: Path | None, append: bool) -> bool:
    """Whether this is the first run of a file that grows by a run each time, with nothing to compare with yet."""
    if since != output or not append or since.exists():
        return False
    click.echo(f"synthpriv: {since} begins with this run; there is nothing to compare with", err=True)
    return True


def _stop_where_broken(outcomes: Sequence[gate.Outcome]) -> None:
    broken = [outcome for outcome in outcomes if not outcome.holds]
    for outcome in broken:
        click.echo(f"synthpriv: required {outcome}", err=True)
    if broken:
        sys.exit(1)


def _gate(
    evaluation: Path, form: str, output: Path | None, require: tuple[str, ...], requirements: Path | None
) -> None:
    """Check conditions on an evaluation that was saved, and stop with 1 where one is broken."""
    conditions = [*map(gate.parse, require), *(gate.read(requirements) if requirements else ())]
    if not conditions:
        raise errors.OptionError("there is nothing to check: give conditions with --require or --requirements")
    result = Evaluation.read(evaluation)
    if result.name != "evaluate":
        raise errors.OptionError(f'"{evaluation}" holds no result of evaluate: it has {", ".join(result.columns)}')
    outcomes = gate.check(result, conditions)
    if form == "junit":
        said = [caution.text for caution in cautions_of(result)]
        gate.write(gate.junit(outcomes, said), output)
    else:
        gate.write("".join(f"{'holds' if o.holds else 'BROKEN'}  {o}\n" for o in outcomes), output)
    _stop_where_broken(outcomes)


def _report(html: str, **given: Any) -> None:
    """Evaluate, and write the page."""
    with _open(given) as session:
        result = session.report(html, progress=sys.stderr.isatty() or None, **given)
    result.show(Console())
    click.echo(f"{html} is written")


def _deliver(result: Any, form: str, path: Path | None, append: bool = False) -> None:
    if path is None:
        output.show(result, form, Console())
    else:
        output.write(result, path, append)


def _table_name(text: str) -> tuple[str, str]:
    parameter, equals, name = text.partition("=")
    if not (parameter and equals and name):
        raise errors.OptionError(f"--table {text}: give a table and its name, such as train=analytics.customers")
    return parameter.replace("-", "_"), name


def _printing(function: Function) -> Callable[..., None]:
    def show(dialect: str | None, plain: bool, table: tuple[str, ...], **given: Any) -> None:
        named = dict(_table_name(text) for text in table)
        _name_tables(function, given)
        with _open(given) as session:
            click.echo(session.sql(function.name, dialect=dialect, plain=plain, tables=named, **given))

    return show


def _command(function: Function, callback: Callable[..., None], more: list[click.Option]) -> click.Command:
    columns = "\n".join(f"  {name:<24}{doc}" for name, doc in function.columns.items())
    return click.Command(
        function.name,
        callback=callback,
        params=[*(option(p) for p in function.parameters.values()), *COMMON, *more],
        short_help=function.summary,
        help=f"{function.summary}\n\n\b\nColumns:\n{columns}",
    )


for _function in catalog.functions().values():
    if _function.name != "evaluate":
        synthpriv.add_command(_command(_function, _running(_function), PRINTING))
    sql_group.add_command(_command(_function, _printing(_function), WRITING))


_EVALUATION = catalog.function("evaluate")
_EVALUATION_PRINTING = [
    click.Option(
        ["--format", "form"],
        type=click.Choice([*output.FORMATS, "junit"]),
        default="table",
        show_default=True,
        help="How numbers are printed; table: the verdict first; junit: the conditions and whether they hold, for "
        "continuous integration.",
    ),
    click.Option(["--all", "everything"], is_flag=True, help="Print all numbers below the verdict."),
    *PRINTING[1:],
    click.Option(
        ["--since"],
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Print what has changed since the evaluation in this file; of one that --append has grown, since its last "
        "run.",
    ),
]
synthpriv.add_command(_command(_EVALUATION, _evaluate, [*_EVALUATION_PRINTING, *PAGE, *GATE]))
synthpriv.add_command(
    click.Command(
        "report",
        callback=_report,
        params=[
            click.Option(["--html"], required=True, type=click.Path(dir_okay=False), help="The file to write."),
            *(option(p) for p in _EVALUATION.parameters.values()),
            *COMMON,
            *PAGE[1:],
        ],
        help="Evaluate, and write a page that shows the numbers: one HTML file that works offline.",
    )
)
synthpriv.add_command(
    click.Command(
        "gate",
        callback=_gate,
        params=[
            click.Argument(["evaluation"], type=click.Path(exists=True, dir_okay=False, path_type=Path)),
            click.Option(
                ["--format", "form"],
                type=click.Choice(["text", "junit"]),
                default="text",
                show_default=True,
                help="A line for each condition, or test results for continuous integration.",
            ),
            click.Option(
                ["--output"], type=click.Path(dir_okay=False, path_type=Path), help="Write them into this file instead."
            ),
            *GATE,
        ],
        short_help="Check conditions on an evaluation that was saved with --output.",
        help="Check conditions on an evaluation that was saved with --output: nothing is computed again.",
    )
)
