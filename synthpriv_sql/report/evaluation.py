"""The result of `evaluate`: the verdict, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from io import StringIO
from typing import Any, Self
from xml.etree import ElementTree

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from synthpriv_sql.engines.base import Answer
from synthpriv_sql.errors import OptionError
from synthpriv_sql.language.messages import _
from synthpriv_sql.language.numbers import count
from synthpriv_sql.language.spoken import ENGLISH, speaking, spoken
from synthpriv_sql.planner.calls.families import PART
from synthpriv_sql.planner.columns.partitions import REASON
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.report.measured import Measured
from synthpriv_sql.report.verdict.family import Family, family
from synthpriv_sql.report.verdict.words import Verdict, verdict
from synthpriv_sql.report.written import above, of_columns, of_verdict
from synthpriv_sql.results.display import cell, words
from synthpriv_sql.results.gate import Judged
from synthpriv_sql.results.result import Result
from synthpriv_sql.results.saved import VERDICT
from synthpriv_sql.visible import markup, visible

_STYLES = {"good": "green", "none": "yellow", "watch": "yellow", "bad": "red"}
_NUMBERS = ("value", "lower", "upper", "better")
_LINES = 20
"""The maximum number of groups that have a line each."""


class Evaluation(Result):
    """The numbers of `evaluate` and their verdict; it is displayed as the verdict in a few lines."""

    language = ENGLISH
    """The language of its sentences."""
    passed: bool | None = None
    """Whether all conditions held that were required of it; None if there were none."""

    @classmethod
    def of(cls, result: Result) -> Self:
        """Return the same rows with their verdict, in the current language."""
        made = cls(result._engine, result.name, result._answer, result.run)
        made.language = spoken()
        return made

    @property
    def group_columns(self) -> list[str]:
        """The columns of ``group_by``; empty if all rows were evaluated together."""
        return self.columns[: self.columns.index("section")]

    @cached_property
    def groups(self) -> Mapping[tuple[Any, ...], Evaluation]:
        """The evaluation of each group that has numbers, by the values of ``group_columns``; see ``missing``."""
        by = self.group_columns
        found: dict[tuple[Any, ...], list[int]] = {}
        for place, values in enumerate(zip(*(self[name] for name in by), strict=True)):
            if values not in self.missing:
                found.setdefault(values, []).append(place)
        numbers = list(catalog.function("evaluate").columns)
        table = self.to_arrow().select(numbers)
        types = self.types[len(by) : len(by) + len(numbers)]
        with speaking(self.language):
            answers = {
                values: Answer(table.take(places), types, self._answer.statement) for values, places in found.items()
            }
            return {
                values: Evaluation.of(Result(self._engine, self.name, answer)) for values, answer in answers.items()
            }

    @cached_property
    def missing(self) -> Mapping[tuple[Any, ...], str]:
        """The groups without numbers, by their values, with the reason: a table has no rows of them."""
        if not self.group_columns or REASON not in self.columns:
            return {}
        named = zip(*(self[name] for name in self.group_columns), self[REASON], strict=True)
        return {tuple(values): reason for *values, reason in named if reason}

    @cached_property
    def verdict(self) -> Verdict:
        """The overall verdict; with ``group_by``, each group has its own (``groups``).

        ``level`` is ``good``, ``watch``, ``bad``, or ``none`` if no statement is possible. ``headline`` and
        ``sentence`` say it in words, ``cautions`` are warnings about the input, and ``findings`` are the answers it
        combines.
        """
        if self.group_columns:
            raise OptionError(
                "each group has its own verdict: see groups, a mapping from the values of group_by to evaluations"
            )
        with speaking(self.language):
            return verdict_of(list(self))

    def as_written(self) -> Result:
        """Return the rows that files and tables get: the verdict, the columns of the tables, then the numbers.

        They are in English, as all that programs read. Reading them back gives the numbers.
        """
        if self.name != "evaluate" or VERDICT in self["section"]:
            return self
        if self.language != ENGLISH:
            with speaking(ENGLISH):
                english = Evaluation.of(self)
            english.passed = self.passed
            return english.as_written()
        of_each = self._of_each if self.group_columns else {(): self.verdict}
        by = self.group_columns
        rows: list[Mapping[str, Any]] = [
            {**dict(zip(by, values, strict=True)), **row}
            for values, found in of_each.items()
            for row in of_verdict(found, self.passed)
        ]
        if self.run is not None and not by:
            rows += of_columns(self.run.columns)
        answer = self._answer
        table = above(rows, self.to_arrow())
        return Result(self._engine, self.name, Answer(table, self.types, answer.statement, answer.moved), self.run)

    @property
    def unseen(self) -> list[str]:
        """A line on the columns that no distance and no attack looked at, if there are any: for whoever gates."""
        names = dict.fromkeys(row["variant"] for row in self if row["metric"] == "left_out" and row["variant"])
        with speaking(self.language):
            columns = ", ".join(map(visible, names))
            return [_("no distance and no attack looked at {columns}", columns=columns)] if names else []

    @property
    def in_a_line(self) -> list[str]:
        """The level and the headline; of groups a line each, of a family one for all its parts."""
        groups = list(self._of_each.items())[:_LINES] if self.group_columns and not self.is_family else []
        if self.is_family:
            return [f"{self.family.level}: {self.family.headline}"]
        if not self.group_columns:
            return [f"{self.verdict.level}: {self.verdict.headline}"]
        return [
            f"{', '.join(cell(value) for value in values)}: {found.level}: {found.headline}" for values, found in groups
        ]

    @property
    def is_family(self) -> bool:
        """Whether the groups are the parts of a family of tables."""
        return self.group_columns == [PART] and ("parents",) in self.groups

    @cached_property
    def family(self) -> Family:
        """One verdict on a family of tables (``children``), in which its parts agree."""
        if not self.is_family:
            raise OptionError("this is no evaluation of a family of tables: see verdict, or groups with group_by")
        with speaking(self.language):
            return family({name: found.verdict for (name,), found in self.groups.items()})

    @property
    def _of_each(self) -> Mapping[tuple[Any, ...], Verdict]:
        """The verdict of each group; those of the parts of a family agree."""
        if self.is_family:
            return {(name,): found for name, found in self.family.parts.items()}
        return {values: found.verdict for values, found in self.groups.items()}

    def show(self, console: Console, everything: bool = False) -> None:
        """Print the verdict; with `everything`, also all numbers."""
        console.print(self._rendered())  # the cautions were warnings, which the terminal shows
        if everything:
            console.print()
            console.print(self._every_number())
        else:
            with speaking(self.language):
                summary = _(
                    "Based on {n} numbers; --all prints them, and --output FILE writes them.", n=count(len(self))
                )
            console.print(Text(f"\n{summary}", style="dim"))

    def _rendered(self, cautions: bool = False) -> RenderableType:
        with speaking(self.language):
            return self._in_words(cautions)

    def _in_words(self, cautions: bool) -> RenderableType:
        if self.group_columns:
            table = self._of_groups()
            if not self.is_family:
                return table
            return Group(words(self.family.headline, style=f"bold {_STYLES[self.family.level]}"), Text(), table)
        found = self.verdict
        lines = [words(found.headline, style=f"bold {_STYLES[found.level]}"), words(_plain(found.sentence))]
        lines += [words(_("They disagree: {text}", text=found.disagreement))] if found.disagreement else []
        lines += [words(_("Note: {text}.", text=caution.text)) for caution in found.cautions if cautions]
        lines += [words(_("Next: {step}", step=step)) for step in found.next_steps]
        table = Table(show_edge=False, pad_edge=False, header_style="bold", title=None)
        for heading in (_("question"), _("found"), _("what it means")):
            table.add_column(heading, overflow="fold")
        for finding in found.findings:
            figure = words(_plain(finding.figure), style=_STYLES.get(finding.level, ""))
            table.add_row(words(finding.question), figure, words(_plain(finding.note)))
        return Group(*lines, Text(), table)

    def _of_groups(self) -> Table:
        """A row for each group: its values, headline and reasons."""
        table = Table(show_edge=False, pad_edge=False, header_style="bold")
        for heading in (*self.group_columns, _("verdict"), _("what it means")):
            table.add_column(words(heading), overflow="fold")
        for values, found in self._of_each.items():
            shown = words(found.headline, style=_STYLES[found.level])
            table.add_row(*(words(cell(value)) for value in values), shown, words(_plain(found.sentence)))
        for values, reason in self.missing.items():
            table.add_row(*(words(cell(value)) for value in values), "", words(reason))
        return table

    def _every_number(self) -> Table:
        """All numbers, under the names that conditions of the gate use."""
        table = Table(show_edge=False, pad_edge=False, header_style="bold")
        for name in (*self.group_columns, "number"):
            table.add_column(words(name), overflow="fold")
        for name in _NUMBERS:
            table.add_column(name, justify="left" if name == "better" else "right")
        for row in self:
            name = ".".join(part for part in (row["metric"], row["variant"], row["statistic"]) if part)
            name = name or row[REASON]
            of = [words(cell(row[column])) for column in self.group_columns]
            table.add_row(*of, words(name), *(cell(row[number]) for number in _NUMBERS))
        return table

    def __repr__(self) -> str:
        # In a notebook, rich would display the text itself, in addition to the returned one.
        console = Console(file=StringIO(), width=100, color_system=None, force_jupyter=False)
        console.print(self._rendered(cautions=True))
        text = console.file.getvalue()  # type: ignore[attr-defined]
        lines = [line.rstrip() for line in text.rstrip().split("\n")]
        return "\n".join([*lines, "", self._summary()])

    def _summary(self) -> str:
        """How many numbers there are, and how to get them in Python."""
        with speaking(self.language):
            return _(
                "Based on {n} numbers: to_pandas(), to_arrow() or fetchall()",
                n=count(len(self)),
            )

    def _repr_html_(self) -> str:
        with speaking(self.language):
            return self._as_html()

    def _as_html(self) -> str:
        shown = ElementTree.Element("div")
        if self.group_columns:
            if self.is_family:
                ElementTree.SubElement(ElementTree.SubElement(shown, "p"), "strong").text = self.family.headline
            body = ElementTree.SubElement(ElementTree.SubElement(shown, "table"), "tbody")
            for values, found in self._of_each.items():
                line = ElementTree.SubElement(body, "tr")
                for value in (*map(cell, values), found.headline, found.sentence):
                    ElementTree.SubElement(line, "td", style="text-align: left").text = value
            for values, reason in self.missing.items():
                line = ElementTree.SubElement(body, "tr")
                for value in (*map(cell, values), "", reason):
                    ElementTree.SubElement(line, "td", style="text-align: left").text = value
            return markup(shown, "html")
        found = self.verdict
        ElementTree.SubElement(ElementTree.SubElement(shown, "p"), "strong").text = found.headline
        ElementTree.SubElement(shown, "p").text = found.sentence
        for caution in found.cautions:
            ElementTree.SubElement(shown, "p").text = _("Note: {text}.", text=caution.text)
        for step in found.next_steps:
            ElementTree.SubElement(shown, "p").text = _("Next: {step}", step=step)
        body = ElementTree.SubElement(ElementTree.SubElement(shown, "table"), "tbody")
        for finding in found.findings:
            line = ElementTree.SubElement(body, "tr")
            for value in (finding.question, finding.figure, finding.note):
                ElementTree.SubElement(line, "td", style="text-align: left").text = value
        ElementTree.SubElement(shown, "p").text = self._summary()
        return markup(shown, "html")


def judged(rows: Sequence[Mapping[str, Any]], tolerance: float | None = None) -> Judged:
    """The verdict on rows of `evaluate`, with another ``tolerance`` than theirs if one is given."""
    if tolerance is not None:
        rows = [{**row, "value": tolerance} if row["statistic"] == "tolerance" else row for row in rows]
    found = verdict_of(rows)
    return Judged(found.level, " ".join([found.headline, *found.reasons]))


def level_of(rows: Sequence[Mapping[str, Any]], tolerance: float | None = None) -> str:
    """The level of the verdict on rows of `evaluate`, with another ``tolerance`` than theirs if one is given."""
    return judged(rows, tolerance).level


def verdict_of(rows: Sequence[Mapping[str, Any]]) -> Verdict:
    """The verdict on rows of `evaluate`."""
    return verdict(Measured([{"item": "number", **row} for row in rows]))


def _plain(text: str) -> str:
    """Replace narrow spaces, at which a terminal would break the line."""
    return text.replace("\u202f%", "%").replace("\u202f", " ")
