"""The result of `evaluate`: the verdict first, in the words of the page, and then the numbers."""

from __future__ import annotations

from functools import cached_property
from io import StringIO
from typing import Self
from xml.etree import ElementTree

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict import Verdict, verdict
from synthpriv_sql.results.display import cell
from synthpriv_sql.results.result import Result

_STYLES = {"good": "green", "none": "yellow", "watch": "yellow", "bad": "red"}
_NUMBERS = ("value", "lower", "upper", "better")


class Evaluation(Result):
    """What `evaluate` measures, and the verdict; shown, it is the verdict in a few lines."""

    @classmethod
    def of(cls, result: Result) -> Self:
        """Return the same rows with their verdict."""
        return cls(result._engine, result.name, result._answer, result.run)

    @cached_property
    def verdict(self) -> Verdict:
        """What the numbers say together.

        ``level`` is ``good``, ``watch``, ``bad``, or ``none`` where nothing can be said. ``headline`` and
        ``sentence`` say it in words, ``cautions`` what has to be said before, and ``findings`` are the answers that it
        is made of.
        """
        return verdict(Measured([{"item": "number", **row} for row in self.to_arrow().to_pylist()]))

    def show(self, console: Console, everything: bool = False) -> None:
        """Print the verdict, and with `everything` all numbers after it."""
        console.print(self._said())  # what has to be said before it was a warning, which the terminal shows
        if everything:
            console.print()
            console.print(self._every_number())
        else:
            console.print(Text(f"\n{len(self):,} numbers are behind this; {_HOW}.", style="dim"))

    def _said(self, cautions: bool = False) -> RenderableType:
        found = self.verdict
        lines = [Text(found.headline, style=f"bold {_STYLES[found.level]}"), Text(_plain(found.sentence))]
        lines += [Text(f"Note: {caution.text}.") for caution in found.cautions if cautions]
        table = Table(show_edge=False, pad_edge=False, header_style="bold", title=None)
        for heading in ("question", "found", "what it means"):
            table.add_column(heading, overflow="fold")
        for finding in found.findings:
            figure = Text(_plain(finding.figure), style=_STYLES.get(finding.level, ""))
            table.add_row(Text(finding.question), figure, Text(_plain(finding.note)))
        return Group(*lines, Text(), table)

    def _every_number(self) -> Table:
        """All numbers, by the names that conditions of the gate have for them."""
        table = Table(show_edge=False, pad_edge=False, header_style="bold")
        table.add_column("number", overflow="fold")
        for name in _NUMBERS:
            table.add_column(name, justify="left" if name == "better" else "right")
        for row in self:
            name = ".".join(part for part in (row["metric"], row["variant"], row["statistic"]) if part)
            table.add_row(Text(name), *(cell(row[number]) for number in _NUMBERS))
        return table

    def __repr__(self) -> str:
        # In a notebook rich would show it by itself, beside the text that is returned.
        console = Console(file=StringIO(), width=100, color_system=None, force_jupyter=False)
        console.print(self._said(cautions=True))
        text = console.file.getvalue()  # type: ignore[attr-defined]
        lines = [line.rstrip() for line in text.rstrip().split("\n")]
        return "\n".join([*lines, "", f"{len(self):,} numbers are behind this: to_pandas(), to_arrow() or fetchall()"])

    def _repr_html_(self) -> str:
        found = self.verdict
        shown = ElementTree.Element("div")
        ElementTree.SubElement(ElementTree.SubElement(shown, "p"), "strong").text = found.headline
        ElementTree.SubElement(shown, "p").text = found.sentence
        for caution in found.cautions:
            ElementTree.SubElement(shown, "p").text = f"Note: {caution.text}."
        body = ElementTree.SubElement(ElementTree.SubElement(shown, "table"), "tbody")
        for finding in found.findings:
            line = ElementTree.SubElement(body, "tr")
            for value in (finding.question, finding.figure, finding.note):
                ElementTree.SubElement(line, "td", style="text-align: left").text = value
        last = f"{len(self):,} numbers are behind this: to_pandas(), to_arrow() or fetchall()"
        ElementTree.SubElement(shown, "p").text = last
        return ElementTree.tostring(shown, encoding="unicode", method="html")


def _plain(text: str) -> str:
    """A text of the page for a terminal, which breaks lines at narrow spaces too."""
    return text.replace("\u202f%", "%").replace("\u202f", " ")


_HOW = "--all prints them, and --output FILE writes them"
