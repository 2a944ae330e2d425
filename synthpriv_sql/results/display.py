"""Display of results: tables in terminals and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from io import StringIO
from typing import TYPE_CHECKING, Any, Protocol
from xml.etree import ElementTree

from rich.console import Console, JustifyMethod
from rich.filesize import decimal
from rich.table import Table
from rich.text import Text

from synthpriv_sql.results.values import python_values
from synthpriv_sql.visible import markup, visible

_UNBOUNDED = 100_000
_TRANSPOSED = 6

if TYPE_CHECKING:
    import pyarrow as pa

    from synthpriv_sql.engines.base import Moved


class Rows(Protocol):
    """The rows of a result, as far as displaying needs them."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""

    @property
    def moved(self) -> Moved:
        """Rows and bytes that left the engine."""

    def first(self, rows: int) -> pa.Table:
        """The first rows."""

    def to_arrow(self) -> pa.Table:
        """All rows."""

    def __len__(self) -> int: ...


class Printed(Console):
    """Standard output; a closed pipe raises an error, where rich would exit with 1, which means a broken condition."""

    def on_broken_pipe(self) -> None:
        """Pass the error on."""
        raise BrokenPipeError


def table(result: Rows, rows: int | None = None) -> Table:
    """Return the first rows as a table for rich."""
    shown = Table(header_style="bold", show_edge=False, pad_edge=False)
    data = result.to_arrow() if rows is None else result.first(rows)
    for name in result.columns:
        values = python_values(data.column(name))
        shown.add_column(words(name), justify="right" if _numeric(values) else "left", overflow="fold")
    for row in zip(*(python_values(data.column(name)) for name in result.columns), strict=True):
        shown.add_row(*(words(cell(value)) for value in row))
    return shown


def words(text: str, style: str = "", *, justify: JustifyMethod | None = None) -> Text:
    """Return a text for rich, without markup, and with control characters as escapes."""
    return Text(visible(text), style, justify=justify)


def show(result: Rows, console: Console) -> None:
    """Print all rows: fitted to the width of a terminal, elsewhere with every row on one line."""
    shown = table(result)
    width = console.measure(shown, options=console.options.update(max_width=_UNBOUNDED)).maximum
    if not console.is_terminal:
        console.width = max(width, console.width)
    elif width > console.width and 0 < len(result) <= _TRANSPOSED:
        shown = _transposed(result)
    console.print(shown)


def _transposed(result: Rows) -> Table:
    """Transpose a few wide rows: a line for each column."""
    shown = Table(show_header=False, show_edge=False, pad_edge=False)
    shown.add_column(style="bold")
    data = result.to_arrow()
    for name in result.columns:
        values = python_values(data.column(name))
        shown.add_row(words(name), *(words(cell(value), justify="right") for value in values))
    return shown


def cell(value: Any) -> str:
    """Format a value for display; numbers with six significant digits."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return ", ".join(cell(v) for v in value)
    return str(value)


def text(result: Rows, rows: int) -> str:
    """Return the first rows as text."""
    # In a notebook, rich would display the table itself, in addition to the returned text.
    console = Console(file=StringIO(), width=200, color_system=None, force_jupyter=False)
    console.print(table(result, rows))
    with_more = f"{console.file.getvalue().rstrip()}"  # type: ignore[attr-defined]
    return "\n".join([with_more, *_notes(result, rows)])


def html(result: Rows, rows: int) -> str:
    """Return the first rows as an HTML table with numbers as in a terminal; every value is escaped."""
    data = result.first(rows)
    columns = [python_values(data.column(name)) for name in result.columns]
    sides = ["right" if _numeric(values) else "left" for values in columns]
    shown = ElementTree.Element("table")
    head = ElementTree.SubElement(ElementTree.SubElement(shown, "thead"), "tr")
    body = ElementTree.SubElement(shown, "tbody")
    for name, side in zip(result.columns, sides, strict=True):
        ElementTree.SubElement(head, "th", style=f"text-align: {side}").text = name
    for row in zip(*columns, strict=True):
        line = ElementTree.SubElement(body, "tr")
        for value, side in zip(row, sides, strict=True):
            ElementTree.SubElement(line, "td", style=f"text-align: {side}").text = cell(value)
    more = "".join(f"<p>{note}</p>" for note in _notes(result, rows))
    return markup(shown, "html") + more


def _notes(result: Rows, rows: int) -> Iterator[str]:
    """The notes below the first rows."""
    if len(result) > rows:
        more = len(result) - rows
        yield f"… {more:,} more row{'s' * (more != 1)}: to_pandas(), to_arrow() or fetchall() returns all"
    moved = result.moved
    if moved.rows:
        yield f"{moved.rows:,} row{'s' * (moved.rows != 1)} ({decimal(moved.bytes)}) left the database for this"


def _numeric(values: list[Any]) -> bool:
    return all(v is None or (isinstance(v, (int, float, Decimal)) and not isinstance(v, bool)) for v in values)
