"""A file of sql/ and the arguments of a call become one SQL statement.

Files are parsed once and changed as syntax trees; no text is pasted. What may stand in a file beside plain SQL:

``$option``
    the value of an option; CASE and WHERE over options are decided here, and a branch of a UNION whose condition is
    false is dropped.
``FROM dcr(synthetic := queries, …)``
    another file, which becomes a CTE. Equal calls share one CTE, so nothing is computed twice in a statement; of calls
    that differ only in a parameter declared ``widest`` (the neighbors k) the largest is computed, and the others read
    its first ranks.
``ratio(a, b)``
    another file that is an expression.
``each(list, expression)``, ``every(list, condition)``
    the expression for each column of a list (``compared``, ``numeric``, ``categorical``, ``key`` or ``$names``):
    several projections, list items or grouping keys; or one condition that holds for all.
``FROM each_column(list, relation)``
    the SELECT for each column of a list, put together by UNION ALL.
``this_column``, ``this_name``, ``this_role``, ``this_weight``, ``this_position``, ``encoded_value(this_column)``, ``raw_value(this_column)``
    the column at hand, inside these.
``label(relation)``
    how messages name the relation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.simplify import simplify

from synthpriv_sql import catalog
from synthpriv_sql.catalog import Function
from synthpriv_sql.tables import ComparedColumn, Relation


@dataclass(frozen=True, slots=True)
class Reference:
    """A CTE of the statement, given to a function as a relation."""

    name: str


Bound = Relation | Reference | None


@dataclass(slots=True)
class _Shared:
    """A CTE that several calls may read."""

    name: str
    query: exp.Query
    materialized: bool | None
    widest: exp.Literal | None = None


@dataclass
class Statement:
    """One statement in the making.

    Parameters
    ----------
    compared
        The columns that the tables share.
    options
        The options of the call; those of the families that functions share pass into inner calls unseen.
    """

    compared: Sequence[ComparedColumn]
    options: Mapping[str, Any]
    relations: Sequence[Relation]
    lists: Mapping[str, Sequence[exp.Column]] = field(default_factory=dict)
    _shared: dict[Any, _Shared] = field(default_factory=dict)
    _order: list[_Shared] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)

    def build(self, function: Function) -> exp.Query:
        """Return the statement for a call of a public function with this statement's relations and options."""
        self._names |= {part.name.lower() for r in self.relations for part in r.node.find_all(exp.Identifier)}
        bound: dict[str, Bound] = {p.name: None for p in function.relations}
        bound |= {r.parameter: r for r in self.relations}
        name = self._call(function, bound, self.options)
        keyed = bool(self.lists.get("key") and function.keys)
        columns = [exp.column(exp.to_identifier(c), table=name if keyed else None) for c in function.columns]
        query = exp.select().from_(name)
        if keyed:
            query, columns = self._with_keys(function, bound, query, columns)
        query = query.select(*columns)
        for column in function.order:
            query = query.order_by(exp.column(column, table=name if keyed else None))
        return self._finish(query)

    def _with_keys(
        self, function: Function, bound: Mapping[str, Bound], query: exp.Select, columns: list[exp.Column]
    ) -> tuple[exp.Select, list[Any]]:
        """Put the key that the user named beside each record number that the function declares."""
        keys = catalog.part("keys")
        assert keys is not None
        placed: list[Any] = []
        for column in columns:
            placed.append(column)
            parameter = function.keys.get(column.name)
            relation = bound.get(parameter) if parameter else None
            if not isinstance(relation, Relation):
                continue
            alias = "key" if column.name == "record" else "neighbor_key"
            if self._key_of(relation) is None:
                placed.append(exp.alias_(exp.null(), alias))
                continue
            table = self._call(keys, {"relation": relation}, {})
            beside = f"{alias}s"
            query = query.join(
                exp.alias_(exp.to_table(table), beside, table=True),
                on=exp.column("record", table=beside).eq(column.copy()),
                join_type="left",
            )
            placed.append(exp.alias_(exp.column("key", table=beside), alias))
        return query, placed

    def _key_of(self, relation: Relation) -> exp.Column | None:
        (key,) = self.lists["key"]
        column = relation.by_name.get(key.name.lower())
        return column.node if column else None

    # --- functions become CTEs

    def _call(self, function: Function, bound: Mapping[str, Bound], options: Mapping[str, Any]) -> str:
        """Add a function's body to the statement, or find it there; return the name of its CTE."""
        widest = function.widest
        key = (
            function.name,
            *((name, _identity(bound.get(name))) for name in (p.name for p in function.relations)),
            *((p.name, repr(options[p.name])) for p in function.options if not p.group and p.name != widest),
        )
        found = self._shared.get(key)
        if found is None:
            found = _Shared(self._name(function, bound), exp.select("1"), function.materialized or None)
            self._shared[key] = found
            tree = function.tree.copy()
            if widest:
                found.widest = exp.Literal.number(options[widest])
            found.query = self._expand(function, tree, bound, options, found)
            self._order.append(found)
        elif found.widest is not None and options[widest] > int(found.widest.this):
            found.widest.set("this", str(options[widest]))
        return found.name

    def _name(self, function: Function, bound: Mapping[str, Bound]) -> str:
        labels = [b.parameter if isinstance(b, Relation) else b.name for b in bound.values() if b is not None]
        name = base = "_".join(dict.fromkeys([function.name, *labels]))
        number = 1
        while name.lower() in self._names:
            number += 1
            name = f"{base}_{number}"
        self._names.add(name.lower())
        return name

    def _expand(
        self,
        function: Function,
        tree: exp.Query,
        bound: Mapping[str, Bound],
        options: Mapping[str, Any],
        shared: _Shared,
    ) -> exp.Query:
        # $relation IS NULL asks whether it was given, to this file or, where it has no such parameter, to the call.
        given = {r.parameter: r.label for r in self.relations}
        given |= {p.name: p.name if bound.get(p.name) is not None else None for p in function.relations}
        given = {"holdout": None} | given
        tree = _decide(tree, options | given, shared.widest, function.widest)
        local: dict[str, Bound] = dict(bound)
        with_ = tree.args.pop("with_", None)
        for cte in with_.expressions if with_ else []:
            name = self._name_local(shared.name, cte.alias)
            query = self._fill(cte.this, local, options)
            local[cte.alias] = Reference(name)
            self._order.append(_Shared(name, query, cte.args.get("materialized")))
        return self._fill(tree, local, options)

    def _name_local(self, owner: str, name: str) -> str:
        candidate = name if name.lower() not in self._names else f"{owner}_{name}"
        while candidate.lower() in self._names:
            candidate += "_"
        self._names.add(candidate.lower())
        return candidate

    def _fill(self, tree: exp.Query, local: Mapping[str, Bound], options: Mapping[str, Any]) -> exp.Query:
        """Put relations, columns and calls of other files in place."""
        tree = self._repeat_selects(tree)
        tree = self._repeat_columns(tree)
        self._place_expressions(tree, local)
        for table in list(tree.find_all(exp.Table)):
            self._place_relation(table, local, options)
        return tree

    def _place_relation(self, table: exp.Table, local: Mapping[str, Bound], options: Mapping[str, Any]) -> None:
        if isinstance(table.this, exp.Anonymous):
            function = catalog.part(table.this.name)
            if function is None:
                return  # a table function of the database, such as unnest
            arguments = _arguments(function, table.this.expressions)
            bound: dict[str, Bound] = {}
            inner = dict(options)
            for parameter in function.parameters.values():
                value = arguments.get(parameter.name)
                if parameter.type == "relation":
                    bound[parameter.name] = local[value.name] if value is not None else None
                elif value is not None:
                    inner[parameter.name] = _python(value)
                elif not parameter.group:
                    inner[parameter.name] = parameter.default
            name = self._call(function, bound, inner)
            alias = table.alias or function.name
            if function.widest:
                first = exp.column("rank") <= exp.Literal.number(inner[function.widest])
                table.replace(exp.select("*").from_(exp.to_table(name)).where(first).subquery(alias))
            else:
                table.replace(_table(name, alias))
        elif not table.db and table.name in local:
            relation = local[table.name]
            assert relation is not None, f"{table.name} is not given"
            name = self._source(relation) if isinstance(relation, Relation) else relation.name
            table.replace(_table(name, table.alias or table.name))

    def _source(self, relation: Relation) -> str:
        """The user's relation as a CTE of the columns that the statement reads."""
        key = ("source", relation.parameter)
        if key not in self._shared:
            used = {id(c): c for column in self.compared for c in [column.sources[relation.parameter]]}
            nodes = [c.node for c in used.values()]
            names = {n.name.lower() for n in nodes}
            for listed in self.lists.values():
                for node in listed:
                    column = relation.by_name.get(node.name.lower())
                    if column is not None and column.name.lower() not in names:
                        names.add(column.name.lower())
                        nodes.append(column.node)
            name = self._name_local("source", relation.parameter)
            query = exp.select(*nodes).from_(relation.node.copy())
            found = _Shared(name, query, False if relation.base else None)
            self._shared[key] = found
            self._order.append(found)
        return self._shared[key].name

    # --- columns are put in place

    def _columns(self, listed: exp.Expression) -> list[tuple[int, ComparedColumn | exp.Column]]:
        name = listed.name
        if name in self.lists:
            return list(enumerate(self.lists[name]))
        roles = {"compared": None, "numeric": {"numeric", "temporal"}, "categorical": {"categorical"}}[name]
        return [(i, c) for i, c in enumerate(self.compared) if roles is None or c.role in roles]

    def _repeat_selects(self, tree: exp.Query) -> exp.Query:
        for table in list(tree.find_all(exp.Table)):
            if not (isinstance(table.this, exp.Anonymous) and table.this.name == "each_column"):
                continue
            select = table.find_ancestor(exp.Select)
            assert isinstance(select, exp.Select)
            listed, *relation = table.this.expressions
            if relation:
                table.replace(exp.Table(this=relation[0].copy()))
            else:
                select.set("from_", None)
            copies = [self._at(select.copy(), i, column) for i, column in self._columns(listed)]
            if not copies:
                # No column of this kind: the same shape without rows.
                anything = exp.to_identifier("this_column")
                copies = [self._nothing(select, anything)]
            union: exp.Query = copies[0]
            for copy in copies[1:]:
                union = exp.union(union, copy, distinct=False, copy=False)
            if select is tree:
                tree = union
            else:
                select.replace(union)
        return tree

    def _nothing(self, select: exp.Select, column: exp.Identifier) -> exp.Select:
        nulls = [exp.alias_(exp.null(), p.alias_or_name) for p in select.expressions]
        return exp.select(*nulls).where(exp.false())

    def _repeat_columns(self, tree: exp.Query) -> exp.Query:
        for call in list(tree.find_all(exp.Anonymous)):
            if call.name not in {"each", "every"}:
                continue
            listed, body = call.expressions
            columns = self._columns(listed)
            copies = [self._at(body.copy(), i, column) for i, column in columns]
            if call.name == "every":
                call.replace(exp.and_(*copies))
                continue
            if isinstance(call.parent, exp.Alias):
                call.replace(copies[0])
            elif call.arg_key == "expressions" and isinstance(call.parent, exp.Select):
                # A projection takes the name of its column.
                named = [
                    c if isinstance(c, exp.Column) and not c.table else exp.alias_(c, _internal(column), quoted=True)
                    for c, (_, column) in zip(copies, columns, strict=True)
                ]
                _splice(call, named)
            else:
                _splice(call, copies)
        return tree

    def _at(self, node: Any, position: int, column: ComparedColumn | exp.Column) -> Any:
        """Put one column in the place of this_column and its companions."""
        values: dict[str, Callable[[], exp.Expression]] = {
            "this_name": lambda: exp.Literal.string(column.name),
            "this_role": lambda: exp.Literal.string(_compared(column).role),
            "this_weight": lambda: exp.Literal.number(_compared(column).weight),
            "this_position": lambda: exp.Literal.number(position),
        }

        def place(found: exp.Expression) -> exp.Expression:
            if isinstance(found, exp.Anonymous) and found.name in {"encoded_value", "raw_value"}:
                # Filled in when the relation at hand is known.
                found.set("column", column)
                return found
            if isinstance(found, exp.Column) and found.name in values:
                return values[found.name]()
            if isinstance(found, exp.Identifier) and found.name == "this_column":
                return exp.to_identifier(_internal(column), quoted=True)
            return found

        return node.transform(place, copy=False)

    def _place_expressions(self, tree: exp.Query, local: Mapping[str, Bound]) -> None:
        for call in list(tree.find_all(exp.Anonymous)):
            if call.name == "label":
                relation = local.get(call.expressions[0].name)
                label = relation.label if isinstance(relation, Relation) else call.expressions[0].name
                call.replace(exp.Literal.string(label))
            elif call.name in {"encoded_value", "raw_value"}:
                select = call.find_ancestor(exp.Select)
                assert isinstance(select, exp.Select)
                source = local[select.args["from_"].this.name]
                assert isinstance(source, Relation)
                column = call.args["column"]
                value = column.encoded(source.parameter) if call.name == "encoded_value" else column.raw(source.parameter)
                call.replace(value.copy())
            else:
                function = catalog.part(call.name)
                if function is not None and function.scalar:
                    call.replace(_scalar(function, call.expressions))
                    # An argument may hold further calls.
                    self._place_expressions(tree, local)
                    return

    # --- the end

    def _finish(self, query: exp.Select) -> exp.Select:
        reads: dict[str, int] = {}
        for node in [query, *(shared.query for shared in self._order)]:
            for table in node.find_all(exp.Table):
                reads[table.name] = reads.get(table.name, 0) + 1
        for shared in self._order:
            materialized = shared.materialized
            if materialized is None and _is_source(shared, self._shared):
                materialized = reads.get(shared.name, 0) > 1
            elif materialized is None and shared.name.startswith(("encoded_", "raw_", "keys_")):
                materialized = False
            query = query.with_(
                exp.to_identifier(shared.name), as_=shared.query, materialized=materialized, copy=False
            )
        return query


def _is_source(shared: _Shared, known: Mapping[Any, _Shared]) -> bool:
    return any(found is shared and key[0] == "source" for key, found in known.items())


def _identity(bound: Bound) -> str | None:
    if bound is None:
        return None
    return f"relation {bound.parameter}" if isinstance(bound, Relation) else f"cte {bound.name}"


def _compared(column: ComparedColumn | exp.Column) -> ComparedColumn:
    assert isinstance(column, ComparedColumn)
    return column


def _internal(column: ComparedColumn | exp.Column) -> str:
    """The name of a column inside a statement: no name that the files use can be that of a compared column."""
    return f"[{column.name}]" if isinstance(column, ComparedColumn) else column.name


def _arguments(function: Function, given: Sequence[exp.Expression]) -> dict[str, exp.Expression]:
    """The arguments of a call in a file, by name or in the order of the parameters."""
    return {
        value.this.name if isinstance(value, exp.PropertyEQ) else name: (
            value.expression if isinstance(value, exp.PropertyEQ) else value
        )
        for name, value in zip(function.parameters, given, strict=False)
    }


def _table(name: str, alias: str) -> exp.Table:
    table = exp.Table(this=exp.to_identifier(name))
    return table if alias == name else exp.alias_(table, alias, table=True)


def _operand(node: exp.Expression) -> exp.Expression:
    return exp.paren(node) if isinstance(node, (exp.Binary, exp.Unary)) else node


def _splice(call: exp.Expression, copies: list[Any]) -> None:
    parent = call.parent
    assert parent is not None
    siblings = list(parent.args[str(call.arg_key)])
    at = next(i for i, sibling in enumerate(siblings) if sibling is call)
    parent.set(str(call.arg_key), siblings[:at] + copies + siblings[at + 1 :])


def _scalar(function: Function, arguments: Sequence[exp.Expression]) -> exp.Expression:
    body = function.tree.copy()
    assert isinstance(body, exp.Select)
    values = dict(zip(function.parameters, arguments, strict=True))
    expression = body.expressions[0]
    filled: exp.Expression = expression.transform(
        lambda node: _operand(values[node.name].copy())
        if isinstance(node, exp.Column) and not node.table and node.name in values
        else node
    )
    return _operand(filled)


def _decide(
    tree: exp.Query, options: Mapping[str, Any], widest: exp.Literal | None, widest_name: str
) -> exp.Query:
    """Put option values in place, decide what depends on nothing else, and drop branches that are out."""
    decided: list[exp.Expression] = []
    for placeholder in list(tree.find_all(exp.Placeholder)):
        outer = placeholder.find_ancestor(exp.Case, exp.Where)
        if outer is not None and not any(outer is d for d in decided):
            decided.append(outer)
        if widest is not None and placeholder.name == widest_name:
            placeholder.replace(widest)
        else:
            placeholder.replace(literal(options[placeholder.name]))
    for node in decided:
        if isinstance(node, exp.Where):
            node.set("this", simplify(node.this.copy()))
        else:
            node.replace(simplify(node.copy()))
    return _without_dead_branches(tree)


def _without_dead_branches(tree: exp.Query) -> exp.Query:
    with_ = tree.args.get("with_")
    for cte in with_.expressions if with_ else []:
        cte.set("this", _without_dead_branches(cte.this))
    living = [branch for branch in _branches(tree) if not _is_false(branch)]
    if isinstance(tree, exp.Union) and len(living) < len(_branches(tree)):
        # A UNION of nothing keeps one branch, which gives the names and no rows.
        living = living or _branches(tree)[:1]
        kept = living[0].copy()
        for branch in living[1:]:
            kept = exp.union(kept, branch.copy(), distinct=False, copy=False)
        if with_ is not None:
            kept.set("with_", with_.copy())
        tree = kept
    for where in list(tree.find_all(exp.Where)):
        if isinstance(where.this, exp.Boolean) and where.this.this:
            where.pop()
    return tree


def _branches(query: exp.Query) -> list[exp.Query]:
    if isinstance(query, exp.Union) and not query.args.get("distinct"):
        return [*_branches(query.this), *_branches(query.expression)]
    return [query]


def _is_false(query: exp.Expression) -> bool:
    where = query.args.get("where")
    return where is not None and isinstance(where.this, exp.Boolean) and not where.this.this


def literal(value: Any) -> exp.Expression:
    """A Python value as a node: never as text that could be read as SQL."""
    if isinstance(value, Mapping):
        return exp.Struct(
            expressions=[
                exp.PropertyEQ(this=exp.to_identifier(str(k), quoted=True), expression=literal(v))
                for k, v in value.items()
            ]
        )
    if isinstance(value, (list, tuple)):
        return exp.Array(expressions=[literal(v) for v in value])
    return exp.convert(value)


def _python(node: exp.Expression) -> Any:
    """The value of a literal that a file gives to another."""
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if isinstance(node, exp.Null):
        return None
    if isinstance(node, exp.Literal):
        return node.this if node.is_string else int(node.this) if node.is_int else float(node.this)
    raise TypeError(f"a file of sql/ gives {node.sql('duckdb')} where a value is due")
