"""The result of `remedy`: its rows, what they mean in a sentence, and the SELECT that treats a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
from sqlglot import exp

from synthpriv_sql.engines.base import Answer, Engine, Moved
from synthpriv_sql.language.messages import N_, _, plural
from synthpriv_sql.language.numbers import count, percent
from synthpriv_sql.language.spoken import ENGLISH, speaking, spoken
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.remedies.finding import Found
from synthpriv_sql.remedies.ladder import written
from synthpriv_sql.remedies.measuring import EVERYONE, Measures
from synthpriv_sql.results.result import Result

_ACTIONS = {
    "start": N_("start"),
    "removed": N_("records taken out"),
    "unchanged": N_("unchanged"),
    "everyone": N_("all people together"),
    "confirmation": N_("confirmation"),
    "left out": N_("left out"),
    "day": N_("day"),
    "month": N_("month"),
    "quarter": N_("quarter"),
    "year": N_("year"),
}
_NUMBERED = {
    "# digit": N_("{n} digit"),
    "# digits": N_("{n} digits"),
    "# groups": N_("{n} groups"),
    "fewer than #": N_("values of fewer than {n} records together"),
    "level #": N_("level {n}"),
}
_LONG = 48
"""Characters of an expression that are printed."""


class Remedy(Result):
    """The steps of `remedy`; ``sentences`` say what they come to.

    Parameters
    ----------
    engine
        The engine that has the tables.
    found
        What the search has found.
    table
        The synthetic table as the SELECT names it.
    children
        The synthetic tables of children likewise, by name.
    moved
        The data that left the engine.
    there
        Returns synthetic after the remedy as the engine computes it itself, if it does.
    """

    found: Found

    @classmethod
    def of(
        cls,
        engine: Engine,
        found: Found,
        table: exp.Expr,
        moved: Moved,
        children: Mapping[str, exp.Expr] | None = None,
        there: Callable[[], Answer | None] = lambda: None,
    ) -> Remedy:
        """Return the steps of a search."""
        types = list(catalog.function("remedy").types.values())
        made = cls(engine, "remedy", Answer(found.steps, types, found.select(table).sql("duckdb", pretty=True), moved))
        made.found, made.table, made.language = found, table, spoken()
        made.child_tables, made._there = children or {}, there
        return made

    table: exp.Expr
    child_tables: Mapping[str, exp.Expr]
    _there: Callable[[], Answer | None]
    language = ENGLISH
    """The language of its sentences."""

    @property
    def remedied(self) -> Result:
        """Synthetic after the remedy, as `remedied` returns it."""
        answer = self._there()
        return self._made("", self.sql) if answer is None else Result(self._engine, "remedied", answer)

    @property
    def children(self) -> dict[str, Result]:
        """The synthetic tables of children after the remedy, by name."""
        return {child: self._made(child, self.statement(child=child)) for child in self.child_tables}

    def _made(self, child: str, select: str) -> Result:
        answer = Answer(self.found.made[child], self.found.types(child), select, self.moved)
        return Result(self._engine, "remedied", answer)

    def statement(self, table: str | None = None, dialect: str = "duckdb", child: str = "") -> str:
        """Return the SELECT that treats a table as this remedy does, in the SQL of a database.

        Parameters
        ----------
        table
            The name of the table there; by default that of synthetic.
        dialect
            A dialect of sqlglot, such as duckdb, postgres, spark or snowflake.
        child
            The name of a table of children; by default the parents are treated.
        """
        given = self.child_tables[child] if child else self.table
        source = given if table is None else exp.to_table(table, dialect=dialect)
        return written(self.found.select(source, child), dialect, pretty=True)

    def shortened(self) -> Result:
        """Return the rows with long expressions cut, to be printed."""
        table = self.to_arrow()
        at = table.column_names.index("expression")
        texts = [t if t is None or len(t) <= _LONG else t[: _LONG - 1] + "…" for t in table["expression"].to_pylist()]
        made = table.set_column(at, "expression", pa.array(texts, pa.string()))
        return Result(self._engine, self.name, Answer(made, self.types, self.sql, self.moved))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, with their action in the language of the call; ``together`` marks that of all people."""
        with speaking(self.language):
            return [{**row, "action": _said(row["action"]), "together": row["action"] == EVERYONE} for row in self]

    @property
    def is_confirmed_by_others(self) -> bool:
        """Whether people confirm it whom the search did not see."""
        return self.found.is_halved

    @property
    def changes(self) -> bool:
        """Whether it changes anything."""
        return bool(self.found.state.steps or self.found.removed)

    @property
    def unwritten(self) -> list[str]:
        """A line on what no statement does: take out records."""
        removed = len(self.found.removed)
        if not removed:
            return []
        with speaking(self.language):
            return [
                plural(
                    "One record was taken out; no statement does that: only the table itself is without it.",
                    "{n} records were taken out; no statement does that: only the table itself is without them.",
                    removed,
                )
            ]

    @property
    def level(self) -> str:
        """The level of the verdict on the people that confirm the result."""
        return str(self.found.rows[-1].measures.level)

    @property
    def sentences(self) -> list[str]:
        """What the steps come to."""
        first, *steps, last = self.found.rows
        together = next((row.measures for row in steps if row.action == EVERYONE), None)
        with speaking(self.language):
            if not self.changes and len(steps) == (together is not None):
                return [self._unchanged(str((together or first.measures).level)), *self._ended()]
            return [self._changed(), self._confirmed(first, last), *([self._together(together)] if together else [])]

    def _unchanged(self, level: str) -> str:
        if self.found.closest is not None:
            if level == "bad":
                return _("No step helps: the table leaks, and no change within the limits takes that away.")
            return _("No step helps: the verdict is {level}, and no change within the limits improves it.", level=level)
        if level == "bad":  # what is asked for may be less than a verdict
            return _("Nobody is named or given away as the table is: nothing has to change.")
        return _("The verdict is {level} as the table is: nothing has to change.", level=level)

    def _ended(self) -> list[str]:
        """Whom it gave away where a search ended that changed nothing."""
        closest = self.found.closest
        if closest is None or closest.measures.gives_nobody_away:
            return []
        return [
            _(
                "With a loss of {loss}, {named} of its people were still named, and at least {at_least} given away: "
                "train the synthesizer again, or allow more (remove, loss, steps).",
                loss=percent(closest.loss),
                named=count(closest.measures.named),
                at_least=count(closest.measures.at_least),
            )
        ]

    def _changed(self) -> str:
        changed = [
            _("{column} ({action})", column=name, action=_said(step.action))
            for name, step in self.found.state.steps.items()
        ]
        removed = len(self.found.removed)
        if removed:
            changed.append(plural("one record taken out", "{n} records taken out", removed))
        loss = self.found.rows[-1].loss
        return _("Changed: {changes}. Loss: {loss}.", changes="; ".join(changed) or "–", loss=percent(loss))

    def _confirmed(self, first: Any, last: Any) -> str:
        rest = {"people": count(self.found.people), "before": count(first.measures.named), "level": last.measures.level}
        nobody = not last.measures.named and not last.measures.at_least
        left = {"named": count(last.measures.named), "at_least": count(last.measures.at_least)}
        if nobody and not self.is_confirmed_by_others:
            said = _(
                "Of {people} people, too few to be confirmed by others than those of the search, nobody is named "
                "({before} were) and nobody given away at the top of a list; the verdict is {level}.",
                **rest,
            )
        elif not self.is_confirmed_by_others:
            said = _(
                "Of {people} people, too few to be confirmed by others than those of the search, {named} are named "
                "({before} were), and at least {at_least} are given away; the verdict is {level}.",
                **rest,
                **left,
            )
        elif nobody:
            said = _(
                "Of {people} people who confirm this, nobody is named (of those of the search {before} were) and "
                "nobody given away at the top of a list; the verdict is {level}.",
                **rest,
            )
        else:
            said = _(
                "Of {people} people who confirm this, {named} are named (of those of the search {before} were), and at "
                "least {at_least} are given away; the verdict is {level}.",
                **rest,
                **left,
            )
        said += f" {last.measures.headline}" if last.measures.level == "bad" else ""
        return said if first.measures.named or last.measures.named else f"{said} {self._unnamed(first.measures.least)}"

    @staticmethod
    def _unnamed(least: int) -> str:
        """Why nobody is named of a table that has to change."""
        return _(
            "Uniques and learned share the level at which they name people: fewer than {least} who stand out together "
            "are not named, though one attack asked alone (named_by) may name them.",
            least=count(least),
        )

    def _together(self, measures: Measures) -> str:
        """What is left of both halves together."""
        named, people = count(measures.named), count(self.found.everyone)
        if not measures.named and not measures.at_least:
            return _("Of all {people} people together nobody is named or given away.", people=people)
        return _(
            "Of all {people} people together {named} are named, and at least {at_least} given away.",
            people=people,
            named=named,
            at_least=count(measures.at_least),
        )


def _said(action: str) -> str:
    """An action in the current language; that of a step which a user gives as it is."""
    if action in _ACTIONS:
        return _(_ACTIONS[action])
    number = next(iter(re.findall(r"\d+", action)), "")
    found = _NUMBERED.get(action.replace(number, "#", 1)) if number else None
    return action if found is None else _(found, n=number)
