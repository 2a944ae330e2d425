"""Functions and their parameters, as the headers of the files of sql/ declare them."""

from __future__ import annotations

import re
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
"""The metadata in which sqlglot records the position of a node in its source."""


class Operator(StrEnum):
    """The steps that an engine runs outside of SQL, as headers name them."""

    SEARCH = "search"
    AGREEMENT = "search by agreement"
    LEARNING = "learning"
    LEARNING_OF_RELEASES = "learning of releases"
    FORESTS = "forests"
    DONORS = "donors"
    DETECTION = "forests of two tables"
    UTILITY = "forests of a target"
    GATHERING = "gathering"
    BETA_QUANTILES = "beta quantiles"
    EXCHANGES = "exchanges of labels"
    ROW_EXCHANGES = "exchanges of rows"
    TEXTS = "texts of columns"
    COPIED_TEXTS = "texts of records"
    OWNED_TEXTS = "texts of synthetic"
    PHRASES = "phrases of columns"


_LARGEST = 2**63 - 1
_MANY = 1_000_000


def _shown(bound: float) -> str:
    if bound == _LARGEST:
        return "2^63 - 1"
    return f"{int(bound):,}" if abs(bound) >= _MANY and bound == int(bound) else f"{bound:g}"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function.

    ``type`` is one of relation, relations, expression, integer, number, numbers, boolean, text, name, names, weights
    and ladders.
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
    """Words that may be given instead of a number, and their values in the statement."""
    needs: tuple[str, ...] = ()
    """The columns that a relation must have."""
    positions: bool = False
    """Whether columns may be given by position, from 0, as well as by name."""
    counts: bool = False
    """Whether a table may be given instead of a number, which is then that of its rows."""
    each: bool = False
    """Whether several tables may be given by name; the function is then called for each."""
    repeats: bool = False
    """Whether numbers are told apart by their place, so that equal ones are kept."""
    apart: tuple[str, ...] = ()
    """The choices that ``all`` does not stand for: they take so long that they are asked for by name."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """The parameter that a choice requires, by choice; the choice ``*`` is any value."""

    @property
    def range(self) -> str:
        """The range in words."""
        bounds = {"at least": self.minimum, "at most": self.maximum, "above": self.above, "below": self.below}
        texts = ["whole"] if self.whole else []
        return " and ".join(
            texts + [f"{words} {_shown(bound)}" for words, bound in bounds.items() if bound is not None]
        )

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

    ``columns`` are those of its result, after the user's own columns of the list ``columns_of``; ``order`` is the order
    of its rows; ``keys`` maps its columns of record numbers to the relations that they refer to (if several, the column
    ``side`` names the one of each row); ``columns_with`` are columns that exist only with an option; ``units`` are the
    relations that must have the column that the option ``unit`` names.
    ``compares`` says whether it compares the columns that its tables share, and ``vectors`` whether these may hold
    vectors; ``common`` says whether it reads all columns that its tables share, compared or not; ``groups`` are the
    options that name groups of columns, of which it compares the first, ``vector_groups`` those of them that may name
    vectors, and ``rest`` the one that has all other columns by default.
    ``asks`` are the functions that it calls if it is given their groups, ``asks_before`` the files that are run
    before the call is planned, by the use of their rows.
    ``searched`` says that its rows are found by many calls (`synthpriv_sql.remedies`), and not by its statement.
    ``number`` is the column of its main number, if there is one; ``result`` is the class of its result in Python, and
    ``sentences`` says whether this has sentences for people, in a language that the call selects;
    ``example`` has arguments for a call, which tests use.
    ``part`` files serve others; ``operator`` names the step that an engine runs outside of SQL; a variant in
    sql/plain/ ``stands_in`` where there is ``no kernel``, or ``no control`` of attacks, in ``other databases``, or
    in a dialect; ``not_on`` has the dialects of the engines that do not run it, each with a reason; ``sets`` has
    internal options for its calls.
    ``materialized`` files are materialized (or, if false, never) while a statement runs; ``few`` ones return a handful
    of rows however large the tables are, although they group them; ``exact`` ones return values of the tables, to the
    last digit; a ``warning`` precedes the text of a statement that calls it: one for all engines, or one by dialect.
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
    common: bool
    groups: tuple[str, ...]
    vector_groups: tuple[str, ...]
    asks: tuple[str, ...]
    asks_before: Mapping[str, str]
    searched: bool
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
    unites: bool = False
    """Whether it takes all releases of a call as one table, by the columns of all."""
    numbers: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """The measures of a section of `evaluate`, by the arguments that they need: see sql/evaluation/README.md."""
    several: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """If several tables were given for one parameter: their names by the parameters that replace it."""
    spread_of: tuple[Function, Parameter] | None = None
    """The function and parameter from which this one was expanded, see `synthpriv_sql.planner.calls.several`."""

    released: bool = False
    """Whether it has a parameter for each of several releases, see `synthpriv_sql.planner.columns.releases`."""

    @cached_property
    def tree(self) -> exp.Query:
        """The body as a syntax tree; copy it before changing it."""
        import sqlglot  # imported here because shell completion reads headers without it

        tree = sqlglot.parse_one(self.text, dialect="duckdb")
        if not isinstance(tree, sqlglot.exp.Query):
            raise TypeError(f"{self.path.name}: the body must be one SELECT")
        if isinstance(tree, sqlglot.exp.Union) and tree.args.get("by_name"):
            _place(tree, self.types)
        if any(union.args.get("by_name") for union in tree.find_all(sqlglot.exp.Union)):
            raise TypeError(f"{self.path.name}: only the last SELECTs of a file may be combined by name")
        for parameter in list(tree.find_all(sqlglot.exp.Parameter)):
            # SQLMesh, where it is imported, has sqlglot read $option as a macro of its own.
            parameter.replace(sqlglot.exp.Placeholder(this=parameter.name))
        for node in tree.walk():
            # Drop its position in the file, which would take a third of the time of each copy.
            node._meta = {key: value for key, value in node.meta.items() if key not in _POSITION} or None
        return tree

    @property
    def types(self) -> dict[str, str]:
        """The types of its columns, with which their descriptions begin."""
        return {name: re.split("[,;:]", text, maxsplit=1)[0] for name, text in self.columns.items()}

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
        """Whether it is an expression to inline rather than a table."""
        return bool(self.parameters) and all(p.type == "expression" for p in self.parameters.values())


def _place(union: exp.Query, types: Mapping[str, str]) -> None:
    """Make of a UNION ALL BY NAME one by position, as all dialects have it: each SELECT gets all columns, NULL or not.

    The first SELECT, which no option may remove, gives the types.
    """
    from sqlglot import exp

    nulls: dict[str, exp.Expr] = {name: exp.cast(exp.null(), type_, dialect="duckdb") for name, type_ in types.items()}
    for select in _branches(union):
        of = {projection.alias_or_name: projection for projection in select.expressions}
        if unknown := of.keys() - types.keys():
            raise TypeError(f"the header has no column {', '.join(sorted(unknown))}, which a SELECT by name gives")
        select.set("expressions", [of[name] if name in of else exp.alias_(nulls[name], name) for name in types])
        nulls = dict.fromkeys(types, exp.null())
    while isinstance(union, exp.Union):
        union.set("by_name", False)
        union = union.left


def _branches(query: exp.Query) -> list[exp.Query]:
    """The SELECTs that a UNION combines, in their order."""
    from sqlglot import exp

    return _branches(query.left) + _branches(query.right) if isinstance(query, exp.Union) else [query]
