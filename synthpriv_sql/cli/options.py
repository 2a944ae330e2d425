"""Options of the command line: those of the functions, generated from their headers, and common ones."""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synthpriv_sql.choices import DIALECTS, FORMATS, PUSHDOWN, SERVERS, STORAGE
from synthpriv_sql.cli import parsing
from synthpriv_sql.cli.completing import completer, starting
from synthpriv_sql.language.spoken import languages
from synthpriv_sql.planner.headers import files
from synthpriv_sql.planner.headers.catalog import Parameter
from synthpriv_sql.results.checks import numbers

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # takes no type in older ones


class _Parsed(_ParamType):
    """A parameter type with its own parser."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse the value, or report what is wrong with it."""
        if not isinstance(value, str):
            return value
        try:
            return self._read(value)
        except (ValueError, csv.Error):
            self.fail(f"{value!r} is not {self.name}", param, ctx)


_TYPES: dict[str, click.ParamType[Any]] = {
    "relation": _Parsed("table", str),
    "relations": _Parsed("name=table", parsing.named_table),
    "integer": click.INT,
    "number": click.FLOAT,
    "numbers": _Parsed("number,…", lambda text: [float(v) for v in text.split(",")]),
    "text": _Parsed("text", str),
    "name": _Parsed("column", str),
    "names": _Parsed("column,…", parsing.names),
    "weights": _Parsed("column=weight,…", parsing.weights),
    "tables": _Parsed("table", parsing.release),
    "families": _Parsed("name=synthetic,train,holdout,key", parsing.family),
    "ladders": _Parsed("column=expression", parsing.ladder),
    "csv": _Parsed("option=value,…", files.from_text),
}


def _number_or(words: Collection[str]) -> click.ParamType[Any]:
    """A number, or one of the given words."""
    return _Parsed("|".join(("number", *words)), lambda text: text if text in words else float(text))


def option(parameter: Parameter) -> click.Option:
    """Return the option for a parameter of a function."""
    flag = "--" + parameter.name.replace("_", "-")
    if parameter.type == "tables":
        flag = flag.removesuffix("s")  # one each time
    if parameter.type == "boolean":
        either = flag if parameter.default is False else f"{flag}/--no-{flag[2:]}"
        return click.Option([either, parameter.name], is_flag=True, default=parameter.default, help=parameter.doc)
    chosen = "one of " + ", ".join(parameter.choices) if parameter.choices else ""
    more = [words for words in (parameter.range, chosen) if words]
    default = None if parameter.required else parameter.default
    # The choices are checked by the planner, so the error is the same on every surface.
    return click.Option(
        [flag, parameter.name],
        type=_number_or(parameter.words) if parameter.words else _TYPES[parameter.type],
        shell_complete=completer(parameter),
        required=parameter.required,
        multiple=parameter.each or parameter.type in {"relations", "tables", "families", "ladders", "csv"},
        callback=_one_or_several if parameter.each else None,
        default=default,
        show_default=default is not None,
        metavar=("NAME,…" if parameter.type == "names" else "NAME") if parameter.choices else None,
        help="; ".join([parameter.doc.rstrip("."), *more]) if more else parameter.doc,
    )


def _one_or_several(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> Any:
    """A single table as it is, or several by name."""
    if len(given) <= 1:
        return given[0] if given else None
    named = dict(map(parsing.named_table, given))
    if len(named) < len(given):
        raise click.BadParameter("a name is given twice; write NAME=TABLE with distinct names", ctx, param)
    return named


COMMON = [
    click.Option(
        ["--database"],
        type=click.Path(dir_okay=False),
        metavar="FILE|URL",
        help="The database with the tables: a DuckDB file, opened read-only, sqlite:///path.db, "
        "postgresql://user@host/name, mysql://user@host/name, duckdb+quack://host:port, or an address of ClickHouse, "
        "Snowflake, Redshift, BigQuery or Databricks (put the password into PGPASSWORD, a password file, MYSQL_PWD or "
        "QUACK_TOKEN, because others can see command lines).",
    ),
    click.Option(
        ["--engine"],
        type=click.Choice(["duckdb", *dict.fromkeys(SERVERS.values()), "spark"]),
        help="The kind of database, if --database does not determine it. postgres without --database uses PGHOST, "
        "PGDATABASE and so on; spark uses the session of spark-submit or of Spark's own settings.",
    ),
    click.Option(
        ["--pushdown"],
        type=click.Choice(PUSHDOWN),
        default=PUSHDOWN[0],
        show_default=True,
        help="require: fail if rows other than the result would leave the database.",
    ),
    click.Option(
        ["--init"],
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="A file of SQL that DuckDB runs first, such as LOAD and ATTACH.",
    ),
    click.Option(
        ["--threads"],
        type=click.IntRange(min=1),
        help="The number of threads (in Spark: concurrent tasks); all cores if not given.",
    ),
    click.Option(
        ["--wait"],
        type=click.FloatRange(min=0),
        default=60,
        show_default=True,
        metavar="SECONDS",
        help="How long to wait for a DuckDB file, to read or to write, that another process has locked.",
    ),
    click.Option(
        ["--timeout"],
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help="Stop after this time; there is no result then, and the exit code is 3.",
    ),
    click.Option(
        ["--log"],
        type=click.Choice(["info", "debug"]),
        help="Write a line to stderr when a part of the work begins, instead of a progress bar; debug: also "
        "statements.",
    ),
    click.Option(
        ["--log-format"],
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="json: each line of --log is an object, with time, level, function, part and seconds.",
    ),
]
OPENING = ("database", "engine", "pushdown", "init", "threads", "wait", "timeout", "log", "log_format")
PRINTING = [
    click.Option(
        ["--format", "form"],
        type=click.Choice(list(FORMATS)),
        default="table",
        show_default=True,
        help="The output format.",
    ),
    click.Option(
        ["--output"],
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write the rows to this file instead: .parquet, .csv, .json or .duckdb.",
    ),
    click.Option(
        ["--append"],
        is_flag=True,
        help="Add the rows to those in --output, a .duckdb file, with the time, versions, options and row counts of "
        "the run.",
    ),
    click.Option(
        ["--storage-version"],
        metavar="VERSION",
        expose_value=False,
        callback=lambda ctx, param, value: STORAGE.set(value) and None,
        help="The storage version of a new .duckdb file, such as v1.2.0, which DuckDB 1.2 and later can open; by "
        "default that of this DuckDB.",
    ),
]
SPREADSHEET_SAFE = click.Option(
    ["--spreadsheet-safe"],
    is_flag=True,
    help="In CSV, put an apostrophe before texts that a spreadsheet would run as formulas: those with = + - @ first.",
)
LIMIT = click.Option(
    ["--limit"],
    type=_Parsed("a number of rows, from 0, or none", parsing.limit),
    metavar="ROWS|none",
    help="The maximum number of rows to print; 200 by default in a table, all in other formats; none: all. --output "
    "writes all.",
)
LANGUAGE = click.Option(
    ["--language"],
    shell_complete=lambda _, __, incomplete: starting(languages(), incomplete),
    metavar="LANGUAGE",
    help="The language of messages, such as de; English if not given. Names and files are not translated.",
)
DECISION = click.Option(
    ["--decision"],
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write an A4 decision page to sign, with the verdict and the numbers behind it: .html, .docx or .md.",
)
PAGE = [
    click.Option(["--html"], type=click.Path(dir_okay=False), help="Write the report page to this file."),
    DECISION,
    click.Option(
        ["--show-values"],
        is_flag=True,
        help="Show values of the riskiest records, including real ones, on the page, and a plot of records.",
    ),
    click.Option(
        ["--hide-keys"],
        is_flag=True,
        help="Call the records that the page lists by their position; otherwise it shows their --key.",
    ),
    click.Option(["--baseline"], is_flag=True, help="Also show the random forest baseline, which is slow to compute."),
    click.Option(
        ["--remedy"],
        is_flag=True,
        help="If the verdict is bad, search for the changes after which the table may be released, and show them on "
        "the page and the decision page. Takes some minutes.",
    ),
]
NUMBERS = click.Option(
    ["--numbers"],
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write all numbers to this file, which the page then links to: .csv, .parquet, .json or .duckdb.",
)
REMEDYING = [
    PRINTING[0],
    LIMIT,
    LANGUAGE,
    click.Option(
        ["--output"],
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write the synthetic table after the remedy to this file: .parquet, .csv, .json or .duckdb.",
    ),
    click.Option(
        ["--sql", "select"],
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the SELECT that treats the table to this file; on the next delivery it runs without a search.",
    ),
    click.Option(["--dialect"], type=click.Choice(["duckdb", *DIALECTS]), help="The database whose SQL --sql writes."),
    click.Option(
        ["--with", "found"],
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Treat the tables by the SELECT in this file, which --sql has written for DuckDB, and evaluate them: no "
        "search. Exits with 1 if the verdict is bad.",
    ),
]
WRITING = [
    click.Option(
        ["--dialect"],
        type=click.Choice(["duckdb", *DIALECTS]),
        help="Write SQL for this database, which does not need this package there. The tables here only provide the "
        "columns; neighbors are found in plain SQL. That --key is unique and never NULL there is taken for granted.",
    ),
    click.Option(
        ["--plain"],
        is_flag=True,
        help="The same as --dialect duckdb: SQL for a DuckDB without this package, such as its shell, R, JDBC or "
        "MotherDuck. Without either option, the statement needs a connection on which synthpriv_sql.register() was "
        "called.",
    ),
    click.Option(
        ["--table"],
        multiple=True,
        metavar="TABLE=NAME",
        help="The name of a table in the other database, such as train=analytics.customers. By default a table keeps "
        "its name, and the table of a file has the name of the file. May be repeated.",
    ),
    click.Option(
        ["--part"],
        metavar="NAME",
        help="Only the rows of one part: a section of evaluate, such as copies, or a file of sql/.",
    ),
]
GATE = [
    click.Option(
        ["--require"],
        multiple=True,
        shell_complete=lambda ctx, _, incomplete: starting(numbers.offered(ctx.params, incomplete), incomplete),
        metavar="CONDITION",
        help="A condition that must hold, otherwise the exit code is 1: metric[.variant].statistic, one of < <= = != "
        ">= >, and a value, such as copies.share=0, dcr.band=high, 'holdout_share.share<=0.52'. May be repeated.",
    ),
    click.Option(
        ["--requirements"],
        type=click.Path(dir_okay=False, path_type=Path),
        help='A TOML file of conditions: require = ["copies.share = 0", …].',
    ),
    click.Option(
        ["--require-no-regression", "no_regression"],
        is_flag=True,
        help="Require that nothing became worse since the last run that met its conditions: the verdict, numbers of "
        "the verdict beyond chance, who is named, columns and their types.",
    ),
]

RUNS = [
    click.Option(
        ["--command"],
        required=True,
        metavar="COMMAND",
        help="The program that creates the synthetic table, with its arguments: {train} stands for the file to read, "
        "{synthetic} for the file to write, and {seed} for the seed of the run. No shell interprets it.",
    ),
    click.Option(
        ["--files"],
        type=click.Choice(["csv", "parquet"]),
        default="csv",
        show_default=True,
        help="The format of these files.",
    ),
    click.Option(
        ["--share"], type=click.FLOAT, default=0.5, show_default=True, help="The probability of a row to be in train."
    ),
    click.Option(
        ["--seed"],
        type=click.INT,
        default=0,
        show_default=True,
        help="The seed of the first run; it increases by one per run.",
    ),
    click.Option(
        ["--into"],
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="A .duckdb file that saves each finished run; saved runs are not computed again.",
    ),
    click.Option(
        ["--name"],
        metavar="NAME",
        help="The name under which runs are saved instead of the command, such as its version.",
    ),
    click.Option(
        ["--workers"],
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="The number of concurrent runs, each in its own process.",
    ),
    click.Option(
        ["--each"],
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the rows of each run to this file: .parquet, .csv, .json or .duckdb.",
    ),
]
