"""Statements that differ only in the names of their tables are assembled once.

A call is planned with placeholder names for its tables. The resulting tree and text are cached by everything else that
they depend on: the function, the options, and the columns with their types. Each call then fills in its own names.
Texts stay in the cache, but only the last trees: the garbage collector visits each of their objects.
"""

from __future__ import annotations

import re
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from threading import Lock
from typing import ClassVar, TypeVar

from sqlglot import exp

from synthpriv_sql.errors import SynthprivError
from synthpriv_sql.planner.columns.partitions import Groups
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.statement.names import Words, words_of
from synthpriv_sql.planner.statement.parts import Assembled, Part
from synthpriv_sql.planner.statement.trees import copied, nodes

Query = TypeVar("Query", bound=exp.Query)
# No text of a user contains this.
_MARK = uuid.uuid4().hex
_TABLE = re.compile(rf"{_MARK} table (\d+)")
_LABEL = re.compile(rf"{_MARK} label (\d+);")
_EITHER = re.compile(rf'"{_TABLE.pattern}"|{_LABEL.pattern}')
_MAX_CACHED = 8
"""Statements cached per call: tables named like parts of a statement require other names for these parts."""

_MAX_PARTS = 2_000
"""Parts of all statements whose trees are kept: `evaluate` has 600, which are 100,000 objects; most have a few."""

Build = Callable[[Sequence[Relation], Groups | None, Words], Assembled]


class Shape:
    """A statement that calls share.

    Its trees, tens of thousands of objects, are given up once its text is written. A call that needs them all the same
    has them assembled again, and they are kept for the next one.

    Parameters
    ----------
    statement
        As it was assembled for the first call.
    again
        Assembles it again.
    """

    _kept: ClassVar[OrderedDict[Shape, Assembled]] = OrderedDict()
    _lock: ClassVar = Lock()

    def __init__(self, statement: Assembled, again: Callable[[], Assembled]) -> None:
        self._unused: Assembled | None = statement
        self._again = again
        self.size = statement.size
        self.warnings = statement.warnings
        self.calls = statement.calls
        self.searches = statement.searches

    @property
    def assembled(self) -> Assembled:
        """Its parts and its query."""
        with Shape._lock:
            statement = Shape._kept.get(self) or self._unused
        statement = statement or self._again()
        with Shape._lock:
            self._unused = None
            Shape._kept[self] = statement
            Shape._kept.move_to_end(self)
            while len(Shape._kept) > 1 and sum(one.size for one in Shape._kept.values()) > _MAX_PARTS:
                Shape._kept.popitem(last=False)
        return statement

    @cached_property
    def sql(self) -> str:
        """The text for DuckDB."""
        with Shape._lock:
            statement, self._unused = self._unused, None
        return self.assembled.sql if statement is None else statement.last_text()


@dataclass(frozen=True)
class Written:
    """A statement, assembled for the tables of a call or, if it has ``names``, for placeholders to be filled in."""

    shape: Assembled | Shape
    names: _Names | None = None

    @cached_property
    def statement(self) -> Assembled:
        """Its parts and its query."""
        statement = self.shape.assembled if isinstance(self.shape, Shape) else self.shape
        return statement if self.names is None else self.names.statement(statement)

    @cached_property
    def sql(self) -> str:
        """The text for DuckDB."""
        return self.shape.sql if self.names is None else self.names.text(self.shape.sql)


def written(key: Hashable, relations: Sequence[Relation], groups: Groups | None, build: Build) -> Written:
    """Return the statement of a call, assembled for this call or for a similar one.

    Parameters
    ----------
    key
        What the statement depends on besides its tables.
    relations, groups
        The tables of the call and, if it has groups, a group with parameters for its values.
    build
        Assembles a statement.

    Raises
    ------
    SynthprivError
        As ``build``, with the tables' own names in the message.
    """
    names = _Names(relations)
    neutral = names.groups(groups)
    similar = _similar((key, names.neutral, neutral))
    reserved = words_of(relations)
    shape = next((statement for words, statement in similar if words.gives_same_names(reserved)), None)
    if shape is None:
        words = Words(reserved)

        def again() -> Assembled:
            return build(names.neutral, neutral, Words(reserved))

        try:
            shape = Shape(build(names.neutral, neutral, words), again)
        except SynthprivError:
            build(relations, groups, Words(reserved))
            raise
        similar.append((words, shape))
        del similar[:-_MAX_CACHED]
    return Written(shape, names)


@lru_cache(maxsize=256)
def _similar(key: Hashable) -> list[tuple[Words, Shape]]:
    """The statements assembled for calls that differ only in the names of their tables."""
    return []


class _Names:
    """The tables of a call, and the same with placeholder names: one per table, however often it is given."""

    def __init__(self, relations: Sequence[Relation]) -> None:
        self._relations = relations
        self._by_parameter = {relation.parameter: relation for relation in relations}
        places: dict[str, int] = {}
        neutral = []
        for i, relation in enumerate(relations):
            place = places.setdefault(relation.node.sql("duckdb"), i)
            node = exp.Table(this=exp.to_identifier(f"{_MARK} table {place}", quoted=True))
            neutral.append(replace(relation, node=node, label=f"{_MARK} label {i};"))
        self.neutral = tuple(neutral)

    def groups(self, groups: Groups | None) -> Groups | None:
        """Groups of the same tables with placeholder names."""
        if groups is None:
            return None
        ours = {relation.parameter: relation for relation in self.neutral}
        each = (
            replace(group, relations=tuple(replace(ours[r.parameter], only=r.only) for r in group.relations))
            for group in groups.each
        )
        return replace(groups, each=tuple(each))

    def text(self, text: str) -> str:
        """The text of a statement with the tables of the call."""

        def named(found: re.Match[str]) -> str:
            if found[1]:
                return self._relations[int(found[1])].node.sql("duckdb", normalize_functions=False)
            return exp.Literal.string(self._relations[int(found[2])].label).sql("duckdb")[1:-1]

        return _EITHER.sub(named, text)

    def statement(self, shape: Assembled) -> Assembled:
        """A statement with the tables of the call."""
        compared = (
            replace(column, labels={parameter: self._by_parameter[parameter].label for parameter in column.labels})
            for column in shape.compared
        )
        parts = [self.part(part) for part in shape.parts]
        return Assembled(parts, self._query(shape.query), tuple(compared), shape.groups)

    def part(self, part: Part) -> Part:
        """A part with the tables of the call."""
        source = part.source and replace(self._by_parameter[part.source.parameter], only=part.source.only)
        return replace(part, query=self._query(part.query), source=source)

    def _query(self, query: Query) -> Query:
        query = copied(query)
        for node in nodes(query, exp.Table, exp.Literal):
            if isinstance(node, exp.Literal):
                if node.is_string and _MARK in node.this:
                    node.set("this", _LABEL.sub(lambda found: self._relations[int(found[1])].label, node.this))
            elif table := _TABLE.fullmatch(node.name):
                node.replace(copied(self._relations[int(table[1])].node))
        return query
