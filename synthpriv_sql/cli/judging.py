"""Declares the commands that judge evaluations, and the options of evaluate for this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from synthpriv_sql.choices import FORMATS
from synthpriv_sql.cli.failing import said_of
from synthpriv_sql.cli.options import GATE, LIMIT, PRINTING


class Judged(click.Command):
    """A command that with ``--format junit`` also writes a file of test results if it comes to no result."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if _value(given, "--format") == "junit":
                _write_failure(error, _value(given, "--output"), "--append" in given)
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except (Exception, KeyboardInterrupt) as error:
            if ctx.params.get("form") == "junit":
                _write_failure(error, ctx.params.get("output"), bool(ctx.params.get("append")))
            raise


def _value(args: Sequence[str], name: str) -> str | None:
    """The value of an option in arguments that could not be read."""
    for place, text in enumerate(args):
        if text == name:
            return args[place + 1] if place + 1 < len(args) else None
        if text.startswith(f"{name}="):
            return text.partition("=")[2]
    return None


def _write_failure(error: BaseException, output: str | Path | None, append: bool) -> None:
    from synthpriv_sql.errors import WriteError
    from synthpriv_sql.results import gate
    from synthpriv_sql.results.checks.junit import failed

    with suppress(WriteError, OSError):  # the error itself is still to be told
        gate.write(failed(*said_of(error)), None if output is None or append else Path(output))


EVALUATION_PRINTING = [
    click.Option(
        ["--format", "form"],
        type=click.Choice([*FORMATS, "junit", "prometheus", "croissant"]),
        default="table",
        show_default=True,
        help="Output format; table: the verdict first; junit: the conditions and whether they hold, for "
        "continuous integration; prometheus: all numbers as OpenMetrics text; croissant: metadata of the synthetic "
        "file, with the verdict and the numbers.",
    ),
    click.Option(["--all", "everything"], is_flag=True, help="Print all numbers below the verdict."),
    *PRINTING[1:],
    click.Option(
        ["--remember"],
        is_flag=True,
        help="With --append: also remember the --key, or --unit, of the people who are named. The file is then as "
        "secret as train. Otherwise it remembers each table (its place and hash), its verdict and counts.",
    ),
    click.Option(
        ["--since"],
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Print the changes since the evaluation in this file; with several runs from --append, since the last "
        "run.",
    ),
    click.Option(["--apart"], is_flag=True, help="With --since: only numbers that differ beyond chance."),
]


def gate_command(callback: Callable[..., None]) -> click.Command:
    """Return the command that checks a saved evaluation."""
    return Judged(
        "gate",
        callback=callback,
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
                ["--output"], type=click.Path(dir_okay=False, path_type=Path), help="Write them to this file instead."
            ),
            *GATE,
            click.Option(
                ["--tolerance"],
                type=click.FloatRange(0, 0.5, max_open=True),
                help="Judge verdict.level with this tolerance instead of that of the evaluation.",
            ),
            click.Option(
                ["--run"],
                metavar="RUN",
                help="The run to check in a history: its number, or the beginning of its time or run_id, as history "
                "lists them; by default the last.",
            ),
            click.Option(["--all-runs"], is_flag=True, help="Check each run of a history."),
        ],
        short_help="Check conditions on an evaluation saved with --output, or the last run of a history (or: changes).",
        help="Check conditions on an evaluation saved with --output, or on the last run of a history (--append): "
        "nothing is computed again.",
    )


def history_command(callback: Callable[..., None]) -> click.Command:
    """Return the command that lists the runs of a history."""
    text = "List the runs in a history: a line each, with time, table, level, and what attacks found."
    return click.Command(
        "history",
        callback=callback,
        params=[
            click.Argument(["file"], type=click.Path(exists=True, dir_okay=False, path_type=Path)),
            click.Option(
                ["--format", "form"],
                type=click.Choice([*FORMATS, "prometheus"]),
                default="table",
                show_default=True,
                help="The output format; prometheus: the numbers of the last run as OpenMetrics text.",
            ),
            click.Option(
                ["--output"],
                type=click.Path(dir_okay=False, path_type=Path),
                help="Write the lines to this file instead: .parquet, .csv, .json or .duckdb; OpenMetrics text to any.",
            ),
            LIMIT,
        ],
        short_help=text,
        help=f"{text} The file is one that evaluate --output FILE.duckdb --append writes.",
    )
