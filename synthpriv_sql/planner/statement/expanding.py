"""Turns the bodies of files of sql/ into the parts of a statement: its CTEs.

Files are parsed once and changed as syntax trees; no text is pasted. `templates` describes the extensions of plain SQL
in a file; this module combines a file with those that it calls:

``FROM dcr(synthetic := queries, …)``
    becomes a CTE. Equal calls share one CTE, so nothing is computed twice in a statement; of calls that differ only in
    a parameter declared ``widest`` (the neighbors k) the largest is computed, and the others read its first ranks.
``ratio(a, b)``
    a file that is an expression is inlined.
``label(relation)``
    the name of the relation in messages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlglot import exp

from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement import templates
from synthpriv_sql.planner.statement.deciding import decided
from synthpriv_sql.planner.statement.lists import (
    Lists,
    differs_by_release,
    goes_through_releases,
    internal_name,
    repeated_releases,
)
from synthpriv_sql.planner.statement.names import Words, words_of
from synthpriv_sql.planner.statement.parts import Part
from synthpriv_sql.planner.statement.trees import copied, literal, nodes, python_value

WITHOUT_VECTORS = "all but vectors"
"""The columns compared by a function that takes no vectors, if it is called by one that does."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A CTE of the statement, passed to a function as a relation; ``like`` is the relation whose columns it has."""

    name: str
    like: Relation | None = None
    label: str = ""
    """Its name in messages: that of the relations that it is computed from."""


Bound = Relation | Reference | None


@dataclass
class Expansion:
    """The parts of a statement under construction.

    Parameters
    ----------
    relations
        The tables that the call reads.
    lists
        Their columns, by the name of a list.
    options
        The options of the call; shared options are passed on to inner calls implicitly.
    plain
        The files for which the variant in sql/plain/ is used.
    dialect
        The dialect of the engine that holds the tables.
    words
        Reserved names that no part may have; by default those of the relations.
    """

    relations: Sequence[Relation]
    lists: Lists
    options: Mapping[str, Any]
    plain: Collection[str] = ()
    dialect: str = "duckdb"
    words: Words | None = None
    _members: Mapping[str, Relation] = field(default_factory=dict)
    """The tables of the call by parameter; of a group of rows, with its rows only."""
    _known: dict[Any, Part] = field(default_factory=dict)
    _parts: list[Part] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._words = self.words or Words(words_of(self.relations))
        self._about(self.relations)

    def _about(self, relations: Sequence[Relation]) -> None:
        """Have calls that go through the releases read these tables."""
        self._members = {relation.parameter: relation for relation in relations}

    def _released(self, options: Mapping[str, Any]) -> tuple[Any, ...]:
        """What tells the calls apart that go through other releases, or through the rows of another group."""
        further = (self._members.get(member.parameter) for member in releases.places(options))
        return options.get(releases.RELEASED), *map(_identity, further)

    def _key_in(self, relation: Bound) -> str | None:
        """The user's key column of a table; None if it has none."""
        named = [column.name for column in self.lists.named.get("key", ())]
        return next((n for n in named if isinstance(relation, Relation) and n.lower() in relation.by_name), None)

    def _file(self, name: str) -> Function | None:
        return catalog.part(name, plain=name in self.plain)

    # --- functions become CTEs

    def _call(self, function: Function, bound: Mapping[str, Bound], options: Mapping[str, Any]) -> str:
        """Add a function's body to the statement, or find it there; return the name of its CTE."""
        if function.name in self.plain:
            function = self._file(function.name) or function
        if function.unites and options.get(releases.RELEASED) and releases.UNITED in self.lists.named:
            options = {**options, "among": releases.UNITED}
        leaves_out = self._leaves_out(function, options)
        if leaves_out:
            options = {**options, "among": (options.get("among") or "") + WITHOUT_VECTORS}
        widest = function.widest
        key = (
            function.name,
            *((p.name, _identity(bound.get(p.name))) for p in function.relations),
            *((p.name, repr(options[p.name])) for p in function.options if p.name != widest),
            options.get("among"),
            self._released(options) if differs_by_release(function.name) else None,
        )
        found = self._known.get(key)
        if found is None:
            name = self._name("_".join(dict.fromkeys([function.name, *_labels(bound)])))
            used = {p.name: options[p.name] for p in function.options}
            found = self._known[key] = Part(
                name, exp.Select(), function.materialized, function.name, used, function.operator
            )
            found.warning = self._warning(function) or leaves_out
            if widest:
                found.widest = exp.Literal(this=str(options[widest]), is_string=False)
            found.query = self._expand(function, bound, options, found)
            self._parts.append(found)
        elif found.widest is not None and options[widest] > int(found.widest.this):
            found.widest.set("this", str(options[widest]))
            found.options = {**found.options, widest: options[widest]}
        return found.name

    def _leaves_out(self, function: Function, options: Mapping[str, Any]) -> str:
        """The warning for a function that ignores vectors; empty if it ignores none."""
        among = (options.get("among") or "") + WITHOUT_VECTORS
        if function.vectors or not function.compares or among not in self.lists.named:
            return ""
        names = ", ".join(f'"{column.name}"' for column in self.lists.compared if column.role == "vector")
        return f"Vectors ({names}) are compared by distance or as copies; what counts or predicts values ignores them."

    def _name(self, base: str) -> str:
        name, number = base, 1
        while not self._words.is_free(name):
            number += 1
            name = f"{base}_{number}"
        self._words.taken.add(name.lower())
        return name

    def _warning(self, function: Function) -> str:
        warning = function.warning
        return warning if isinstance(warning, str) else warning.get(self.dialect, "")

    def _expand(
        self, function: Function, bound: Mapping[str, Bound], options: Mapping[str, Any], owner: Part
    ) -> exp.Query:
        # Whether a relation was given to this file or, if it has no such parameter, to the call.
        given: dict[str, Any] = {"holdout": None} | {r.parameter: r.label for r in self.relations}
        given |= {p.name: p.name if bound.get(p.name) is not None else None for p in function.relations}
        given["dialect"] = self.dialect
        given["columns_differ"] = releases.UNITED in self.lists.named
        given["vector_columns"] = [c.name for c in self._lists(options).compared if c.role == "vector"] or None
        given |= {f"{p.name}_key": self._key_in(bound.get(p.name)) for p in function.relations}
        special = {function.widest: owner.widest} if owner.widest is not None else {}
        # A shared option that the call does not take has its default.
        shared = {p.name: p.default for group in catalog.groups().values() for p in group.options}
        tree = decided(function, {**shared, **options, **given}, special)
        local: dict[str, Bound] = dict(bound)
        with_ = tree.args.pop("with_", None)
        for cte in with_.expressions if with_ else []:
            query = self._fill(cte.this, local, options)
            base = cte.alias if self._words.is_free(cte.alias) else f"{owner.name}_{cte.alias}"
            local[cte.alias] = Reference(self._name(base))
            self._parts.append(Part(str(local[cte.alias].name), query, cte.args.get("materialized")))  # type: ignore[union-attr]
        return self._fill(tree, local, options)

    def _fill(self, tree: exp.Query, local: Mapping[str, Bound], options: Mapping[str, Any]) -> exp.Query:
        """Fill in columns, relations and calls of other files."""
        if goes_through_releases(tree):
            tree, local = self._of_releases(tree, local, options)
        tree = templates.fill(tree, self._lists(options))
        # Before the user's columns are filled in, which may have such a name.
        calls: list[exp.Anonymous] = []
        for node in nodes(tree, exp.Column, exp.Anonymous):
            if isinstance(node, exp.Anonymous):
                calls.append(node)
            elif node.name == "this_record":
                node.replace(self._record(_source_of(node, local)))
        self._place_expressions(calls, local)
        for table in nodes(tree, exp.Table):
            if isinstance(table.this, exp.Anonymous):
                self._place_call(table, local, options)
            elif not table.db and table.name in local:
                name = self._read(local[table.name])
                table.replace(_table(name, table.alias or table.name))
        return tree

    def _of_releases(
        self, tree: exp.Query, local: Mapping[str, Bound], options: Mapping[str, Any]
    ) -> tuple[exp.Query, Mapping[str, Bound]]:
        """Repeat each SELECT from each_release for the releases that the options name."""
        members = []
        for place, name, parameter in releases.places(options):
            local = {parameter: self._members.get(parameter), **local}
            lacking = releases.lacking(self.lists.named.get(releases.UNITED, ()), parameter)
            values = {"place_of": place, "name_of": name, "lacks": lacking}
            members.append((parameter, {f"this_{key}": literal(value) for key, value in values.items()}))
        return repeated_releases(tree, members), local

    def _lists(self, options: Mapping[str, Any]) -> Lists:
        """The lists of columns for a call and all that it calls: the option ``among`` selects a group to compare."""
        among = options.get("among")
        compared = [c for c in self.lists.named.get(str(among), ()) if isinstance(c, ComparedColumn)]
        return replace(self.lists, compared=compared) if among else self.lists

    def _place_call(self, table: exp.Table, local: Mapping[str, Bound], options: Mapping[str, Any]) -> None:
        function = self._file(table.this.name)
        if function is None:
            return  # a table function of the database, such as unnest
        bound, inner = self._arguments(function, table.this.expressions, local, options)
        name = self._call(function, bound, inner)
        alias = table.alias or function.name
        if function.widest:
            first = exp.column("rank") <= exp.Literal.number(inner[function.widest])
            table.replace(exp.select("*").from_(exp.to_table(name)).where(first).subquery(alias))
        else:
            table.replace(_table(name, alias))

    def _arguments(
        self,
        function: Function,
        given: Sequence[exp.Expr],
        local: Mapping[str, Bound],
        options: Mapping[str, Any],
    ) -> tuple[dict[str, Bound], dict[str, Any]]:
        """The relations and options of a call in a file, passed by name or by position."""
        arguments = {
            value.this.name if isinstance(value, exp.PropertyEQ) else name: (
                value.expression if isinstance(value, exp.PropertyEQ) else value
            )
            for name, value in zip(function.parameters, given, strict=False)
        }
        bound: dict[str, Bound] = {}
        inner = dict(options)
        for parameter in function.parameters.values():
            value = arguments.get(parameter.name)
            if parameter.type == "relation":
                bound[parameter.name] = None if value is None else self._relation(value, local, options)
            elif value is None and parameter.name == "among" and str(inner.get("among")).startswith(releases.COLUMNS):
                continue  # the columns of a release hold for all that is called about it
            elif value is not None or not parameter.group or parameter.name not in inner:
                found = None if value is None else python_value(value)
                if parameter.type == "integer" and isinstance(found, float):
                    found = int(found)  # an element of a list of whole numbers
                found = None if parameter.name == releases.RELEASED and found == releases.ALONE else found
                inner[parameter.name] = parameter.default if found is None else found
        own = (f"{releases.COLUMNS}{b.parameter}" for b in bound.values() if isinstance(b, Relation))
        if not inner.get("among"):
            inner["among"] = next((name for name in own if name in self.lists.named), None)
        return bound, inner

    def _relation(self, value: exp.Expr, local: Mapping[str, Bound], options: Mapping[str, Any]) -> Bound:
        """A relation that a file passes to another: one of its own, or the result of a nested call."""
        if not isinstance(value, exp.Anonymous):
            return local[value.name]
        function = self._file(value.name)
        assert function is not None, value.name
        bound, inner = self._arguments(function, value.expressions, local, options)
        like = next((b for b in bound.values() if isinstance(b, Relation)), None) if function.columns_of else None
        label = " and ".join(b.label for b in bound.values() if b is not None)
        return Reference(self._call(function, bound, inner), like, label)

    def _read(self, relation: Bound) -> str:
        """The name of a relation in the statement; the user's own becomes a CTE of the columns in use."""
        assert relation is not None
        if isinstance(relation, Reference):
            return relation.name
        key = ("source", _identity(relation))
        if key not in self._known:
            columns = [c.sources[relation.parameter] for c in self.lists.compared if relation.parameter in c.sources]
            for listed in self.lists.named.values():
                columns += [relation.by_name[c.name.lower()] for c in listed if c.name.lower() in relation.by_name]
            query = exp.select(*(c.read for c in dict.fromkeys(columns))).from_(copied(relation.node))
            query = query.where(*(copied(condition) for condition in relation.only))
            if not columns:
                query = query.select("*")
            kept = False if relation.base else None
            part = Part(self._name(relation.parameter), query, kept, source=relation, once=True)
            self._known[key] = part
            self._parts.append(part)
        return self._known[key].name

    def _record(self, relation: Bound) -> exp.Column:
        """The column of record numbers; the user's own relation is numbered where it is read, in scan order."""
        if not isinstance(relation, Relation):
            return exp.column("record")
        self._read(relation)
        query = self._known["source", _identity(relation)].query
        name = "record_number"
        while name in relation.by_name:
            name += "_"
        if name not in query.named_selects:
            order = exp.Order(expressions=[exp.Ordered(this=copied(o)) for o in relation.order])
            place = exp.Window(this=exp.RowNumber(), order=order if relation.order else None)
            number = exp.Sub(this=place, expression=exp.Literal(this="1", is_string=False))
            query.select(exp.alias_(number, name), copy=False)
        return exp.column(name)

    def _place_expressions(self, calls: list[exp.Anonymous], local: Mapping[str, Bound]) -> None:
        """Replace calls that stand for expressions: innermost first, then the calls in their replacements."""
        waiting = [calls]
        while waiting:
            for call in reversed(waiting.pop()):
                if call.name == "label":
                    relation = local.get(call.expressions[0].name)
                    label = relation.label if relation is not None else ""
                    call.replace(exp.Literal.string(label or call.expressions[0].name))
                elif call.name in templates.VALUES:
                    self._place_value(call, local)
                else:
                    function = self._file(call.name)
                    if function is not None and function.scalar:
                        waiting.append(nodes(_inlined(call, function), exp.Anonymous))

    def _place_value(self, call: exp.Anonymous, local: Mapping[str, Bound]) -> None:
        source = _source_of(call, local)
        column = call.args["column"]
        if isinstance(source, Reference) and source.like is not None:
            # A table with the columns of the user's table: the same expressions over its internal names.
            value = copied(templates.value_of(call, source.like.parameter))
            names = {c.name: c for c in source.like.columns}
            for found in nodes(value, exp.Column):
                if found.name in names:
                    found.set("this", exp.to_identifier(internal_name(names[found.name]), quoted=True))
            call.replace(value)
            return
        if isinstance(source, Reference) and call.name in {"encoded_value", "key_value", "raw_value", "own_value"}:
            # A file computed it from encoded columns.
            call.replace(exp.column(internal_name(column), quoted=True))
            return
        if isinstance(source, Relation):
            parameter = source.parameter
            if isinstance(column, Column):
                # In the spelling of this relation.
                call.set("column", source.by_name.get(column.name.lower(), column))
        else:
            parameter = next(iter(column.sources)) if hasattr(column, "sources") else ""
        call.replace(copied(templates.value_of(call, parameter)))


def _inlined(call: exp.Anonymous, function: Function) -> exp.Expr:
    """Replace the call of a file that is an expression with its body, and return that."""
    around = call.parent
    body = call.replace(templates.inline(function, call.expressions))
    if isinstance(around, exp.Mul):
        templates.fold(around)
    return body


def _source_of(node: exp.Expr, local: Mapping[str, Bound]) -> Bound:
    """The relation that the SELECT around a node reads."""
    select = node.find_ancestor(exp.Select)
    assert isinstance(select, exp.Select)
    return local.get(select.args["from_"].this.name)


def _labels(bound: Mapping[str, Bound]) -> list[str]:
    return [b.parameter if isinstance(b, Relation) else b.name for b in bound.values() if b is not None]


def _identity(bound: Bound) -> str | None:
    if bound is None:
        return None
    # A table given for two parameters is one relation, and is read once.
    if isinstance(bound, Reference):
        return f"cte {bound.name}"
    return bound.rows


def _table(name: str, alias: str) -> exp.Table:
    named = None if alias == name else exp.TableAlias(this=exp.to_identifier(alias))
    return exp.Table(this=exp.to_identifier(name), alias=named)
