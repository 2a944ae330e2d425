"""What a function is, and what it takes: what the header of a file of sql/ says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlglot import exp

REQUIRED = object()
"""The default of a parameter that has none."""
_POSITION = ("line", "col", "start", "end")
"""What sqlglot notes of where it read a node."""


class Operator(StrEnum):
    """The steps that an engine takes where SQL ends, as headers name them."""

    SEARCH = "search"
    AGREEMENT = "search by agreement"
    LEARNING = "learning"
    FORESTS = "forests"
    DONORS = "donors"
    GATHERING = "gathering"
    BETA_QUANTILES = "beta quantiles"
    EXCHANGES = "exchanges of labels"


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a function takes.

    ``type`` is one of relation, relations, expression, integer, number, numbers, boolean, text, name, names and
    weights.
    """

    name: str
    type: str
    default: Any = REQUIRED
    doc: str = ""
    choices: tuple[str, ...] = ()
    group: str = ""
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    below: float | None = None
    whole: bool = False
    """Whether numbers must be whole."""
    words: Mapping[str, float] = field(default_factory=dict)
    """Words that may stand in the place of a number, and what stands for them in the statement."""
    needs: tuple[str, ...] = ()
    """The columns that a relation must have."""
    positions: bool = False
    """Whether columns may be given by their places, from 0, as well as by name."""
    counts: bool = False
    """Whether a table may be given in the place of a number: that of its rows."""
    each: bool = False
    """Whether several tables may be given by name, which the function then looks at one by one."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """The relation that must be given beside a choice; beside any value, for the choice ``*``."""

    @property
    def range(self) -> str:
        """The range in words."""
        bounds = {"at least": self.minimum, "at most": self.maximum, "above": self.above, "below": self.below}
        said = ["whole"] if self.whole else []
        return " and ".join(said + [f"{words} {bound:g}" for words, bound in bounds.items() if bound is not None])

    def admits(self, number: float) -> bool:
        """Whether a number is in the range."""
        return (
            (not self.whole or number == int(number))
            and (self.minimum is None or number >= self.minimum)
            and (self.maximum is None or number <= self.maximum)
            and (self.above is None or number > self.above)
            and (self.below is None or number < self.below)
        )

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return self.default is REQUIRED


@dataclass(frozen=True)
class Function:
    """One file of sql/.

    ``columns`` are what it gives, after the user's own columns of the list ``columns_of``; ``order`` is that of its
    rows; ``keys`` says whose record numbers its columns hold (where of several, ``side`` is the column that says so for
    each row); ``columns_with`` are those that it gives with an option only; ``units`` are the relations that must have
    the column that the option ``unit`` names;
    ``compares`` whether it goes through the columns that its tables share, and ``vectors`` whether these may be of
    vectors; ``groups`` the options that name groups of columns, of which it compares the first, ``vector_groups`` those
    of them that may name vectors, and ``rest`` the one that stands for all others where it is not given;
    ``asks`` the functions that it calls where their groups are given to it, ``asks_before`` the files that are run
    before the call is planned, by what their rows are for;
    ``number`` the column of the one number that it is asked for, where there is one; ``result`` the class of what
    Python gives, and ``sentences`` whether that has sentences for people, in a language that the call chooses;
    ``example`` has arguments to call it with, which tests do.
    ``part`` files serve others; ``operator`` names the step that an engine takes where SQL ends; a variant in
    sql/plain/ ``stands_in`` where there is ``no kernel``, or in ``other databases``; ``not_on`` has the dialects of the
    engines that do not run it, each with a reason; ``sets`` the internal options that a call of it has.
    ``materialized`` ones are kept (or, if false, never kept) while a statement runs; ``few`` ones give a handful of
    rows however large the tables are, although they group them; ``exact`` ones give values of the tables back, to the
    last digit; a ``warning`` stands before the text of a statement that calls it: one for all engines, or one by
    dialect.
    """

    name: str
    family: str
    summary: str
    source: str
    parameters: Mapping[str, Parameter]
    columns: Mapping[str, str]
    order: tuple[str, ...]
    keys: Mapping[str, tuple[str, ...]]
    columns_with: Mapping[str, str]
    units: tuple[str, ...]
    side: str
    columns_of: str
    compares: bool
    vectors: bool
    groups: tuple[str, ...]
    vector_groups: tuple[str, ...]
    asks: tuple[str, ...]
    asks_before: Mapping[str, str]
    rest: str
    number: str
    part: bool
    operator: Operator | None
    stands_in: tuple[str, ...]
    not_on: Mapping[str, str]
    sets: Mapping[str, Any]
    materialized: bool | None
    few: bool
    exact: bool
    widest: str
    warning: str | Mapping[str, str]
    result: str
    sentences: bool
    example: Mapping[str, Any]
    path: Path
    text: str
    numbers: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """What a section of `evaluate` measures, by what has to be given for it: see sql/evaluation/README.md."""
    several: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Where one parameter took several tables: their names by the parameters that stand for them."""
    spread_of: tuple[Function, Parameter] | None = None
    """The function and the parameter that this one was made of, see `synthpriv_sql.planner.calls.several`."""

    @cached_property
    def tree(self) -> exp.Query:
        """The body as a syntax tree; copy it before changing it."""
        import sqlglot  # headers are read without it, when a shell completes a line

        tree = sqlglot.parse_one(self.text, dialect="duckdb")
        if not isinstance(tree, sqlglot.exp.Query):
            raise TypeError(f"{self.path.name}: the body must be one SELECT")
        for node in tree.walk():
            # Where it stood in the file: every copy would carry it, at a third of the cost of copying.
            node._meta = {key: value for key, value in node.meta.items() if key not in _POSITION} or None
        return tree

    @cached_property
    def placeholders(self) -> tuple[str, ...]:
        """The options that the body names."""
        from sqlglot import exp

        return tuple(sorted({placeholder.name for placeholder in self.tree.find_all(exp.Placeholder)}))

    @property
    def relations(self) -> tuple[Parameter, ...]:
        """The parameters that are tables."""
        return tuple(p for p in self.parameters.values() if p.type == "relation")

    @property
    def options(self) -> tuple[Parameter, ...]:
        """The parameters that are values."""
        return tuple(p for p in self.parameters.values() if p.type not in {"relation", "relations", "expression"})

    @property
    def scalar(self) -> bool:
        """Whether it is an expression to be put in place rather than a table."""
        return bool(self.parameters) and all(p.type == "expression" for p in self.parameters.values())
