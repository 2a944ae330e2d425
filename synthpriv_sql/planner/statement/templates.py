"""The template syntax of files of sql/, beyond plain SQL, and how it is filled in.

``$option``
    the value of an option; CASE and WHERE over options are evaluated here, and a branch of a UNION whose condition is
    false is dropped. ``$relation IS NULL`` tests whether a relation was left out, ``$relation_key IS NULL`` whether it
    lacks the column that the option ``key`` names, and ``$vector_columns IS NULL`` whether no compared column holds
    vectors. ``$dialect`` is that of the engine, as sqlglot names it.
``UNION ALL BY NAME`` between the last SELECTs of a file
    each gives some of the columns of the header, in any order, and NULL for the others.
``each(list, expression)``, ``every(list, condition)``, ``total(list, expression, …)``
    the expression for each column of a list (``compared``, ``numeric`` (all that are a ``number`` or a ``moment``),
    ``categorical``, ``vector``, ``scalar`` (all but vectors), ``common`` (all that the tables share, compared or not;
    ``common_numeric``, ``common_temporal`` and ``common_categorical`` by their roles),
    ``own``, ``key``, ``quasi_identifiers``, and the groups of a header): ``each`` gives several projections, list items
    or grouping keys; ``every`` the conjunction of the conditions; ``total`` the sum over all columns of its lists.
    ``each(list, this_center := expression)`` also names the projections.
``each(numbers(first, last), expression)``, ``each(sets(list, k), expression)``, and likewise ``every`` and ``total``
    the expression for each whole number of a range, or for each set of columns that `sets` forms from a list; they may
    be nested.
``FROM each_column(list, relation)``, ``FROM each_value($option)``
    the SELECT for each column of a list, or each value of a list option, combined by UNION ALL.
``FROM each_release``
    likewise for each release that the option ``released`` names: ``this_release``, ``this_place_of``, ``this_name_of``,
    and ``this_lacks``, the names of the columns that only others have; see `repeated_releases`.
``JOIN each_joined(list, relation) AS this_joined``
    the join for each column of a list.
``this_column``, ``this_name``, ``this_role``, ``this_weight``,
``this_distance_weight`` (0 for texts), ``this_is_text``, ``this_is_written``, ``this_position``, ``this_value``
    the current column or value, inside these (texts are what the option names, written what is compared as characters);
    ``this_center``, ``this_spread``, ``this_least``, ``this_most``, ``this_range``, ``this_joined``, ``this_asked``,
    ``this_named``, ``this_kinds``, ``this_earliest`` and ``this_latest`` are names derived from that of the column, and
    so is ``this_edge``, one for each number.
``this_share``
    the current number as a share of the last.
``this_unit``
    the factor by which the encoding scales the current column, so that decimals and times are whole numbers.
``this_set``, ``this_first``, ``this_second``, ``this_third``, ``this_fourth``
    the number of the current set, and its columns; 0 if it has fewer.
``this_record``
    the record number, in a file that reads the user's relation.
``encoded_value(this_column)``, ``raw_value(this_column)``, ``own_value(this_column)``, ``key_value(this_column)``
    the column as read from the user's relation: in the encoding of the kernel, with NaN as NULL, unchanged, or in the
    form in which keys are compared.
``text_value(this_column)``
    one of the user's own columns as text, times with a zone in UTC.
``restored_value(this_column, number, text)``
    a value from the kernel, converted to the type of the column.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.simplify import simplify

from synthpriv_sql.planner.columns.compared import ComparedColumn
from synthpriv_sql.planner.columns.types import Column
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement import sets
from synthpriv_sql.planner.statement.deciding import nothing
from synthpriv_sql.planner.statement.lists import Listed, Lists, internal_name
from synthpriv_sql.planner.statement.trees import changed, copied, nodes

VALUES = {"encoded_value", "raw_value", "own_value", "key_value", "text_value", "restored_value"}
_BESIDE = {
    "this_column": "",
    "this_center": " center",
    "this_spread": " spread",
    "this_least": " least",
    "this_range": " range",
    "this_most": " most",
    "this_joined": " joined",
    "this_asked": " asked",
    "this_edge": " edge",
    "this_named": " named",
    "this_kinds": " kinds",
    "this_earliest": " earliest",
    "this_latest": " latest",
}
_NUMBERED = {"this_edge"}
_REPEATED = {"each", "every", "total"}
_SOURCES = {"each_column", "each_value", "each_joined"}


def fill(tree: exp.Query, lists: Lists) -> exp.Query:
    """Expand what is repeated for columns and values."""
    if not any(call.name in _REPEATED or call.name in _SOURCES for call in nodes(tree, exp.Anonymous)):
        return tree
    tree = _repeat_joins(tree, lists)
    waiting: list[exp.Expr] = [tree]
    while waiting:
        for call in [c for c in nodes(waiting.pop(), exp.Anonymous) if c.name in _REPEATED]:
            if not _is_inside(call, _REPEATED):  # otherwise its copies are expanded later
                waiting += _repeat(call, lists)
    # A SELECT that is repeated for the columns of one list may iterate over another inside.
    return _repeat_selects(tree, lists)


def _is_inside(node: exp.Expr, names: Collection[str]) -> bool:
    above = node.parent
    while above is not None and not (isinstance(above, exp.Anonymous) and above.name in names):
        above = above.parent
    return above is not None


def _repeat(call: exp.Anonymous, lists: Lists) -> list[exp.Expr]:
    """Replace a repeated expression with its copies, and return these."""
    listed, body, *_ = call.expressions
    if call.name == "each":
        copies = _copies(listed, body, lists)
        return _place_each(call, copies, _names(listed, lists))
    filled = _every(_copies(listed, body, lists)) if call.name == "every" else _total(call, lists)
    call.replace(filled)
    return [filled]


def _every(conditions: Sequence[exp.Expr]) -> exp.Expr:
    """The conjunction of conditions; true if there are none."""
    return exp.and_(*conditions) if conditions else exp.true()


def _total(call: exp.Anonymous, lists: Lists) -> exp.Expr:
    """The sum, added from the left as in the kernel; that of literals is computed here, and no column gives 0.0."""
    pairs = zip(call.expressions[::2], call.expressions[1::2], strict=True)
    addends = [copy for listed, body in pairs for copy in _copies(listed, body, lists)]
    if all(isinstance(addend, exp.Literal) for addend in addends):
        return exp.Literal.number(math.fsum(float(addend.name) for addend in addends))
    total: exp.Expr = _operand(addends[0])
    for addend in addends[1:]:
        total = exp.Add(this=total, expression=_operand(addend))
    return exp.paren(total)


def _copies(listed: exp.Expr, body: exp.Expr, lists: Lists) -> list[exp.Expr]:
    if not isinstance(listed, exp.Anonymous):
        return [_at_column(copied(body), i, column) for i, column in lists.columns(listed)]
    if listed.name == "numbers":
        first, last = (int(end.name) for end in listed.expressions)
        return [_at_number(copied(body), number, last) for number in range(first, last + 1)]
    return [_at_set(copied(body), chosen) for chosen in _sets(listed, lists)]


def _sets(listed: exp.Anonymous, lists: Lists) -> list[list[tuple[int, Listed]]]:
    columns, size = listed.expressions
    at = dict(lists.columns(columns))
    return [[(i, at[i]) for i in chosen] for chosen in sets.covering(list(at), int(size.name))]


def _names(listed: exp.Expr, lists: Lists) -> list[str]:
    """The names of projections that are repeated for a list of columns."""
    return [] if isinstance(listed, exp.Anonymous) else [internal_name(c) for _, c in lists.columns(listed)]


def _place_each(call: exp.Expr, copies: list[exp.Expr], names: list[str]) -> list[exp.Expr]:
    parent = call.parent
    assert parent is not None
    if isinstance(parent, exp.Ordered):
        # A sorting key for each column.
        call, parent, keys = parent, parent.parent, copies
        order = {"desc": call.args.get("desc"), "nulls_first": call.args.get("nulls_first")}
        copies = [exp.Ordered(this=key, **order) for key in keys]
        assert parent is not None
    if not isinstance(parent.args[str(call.arg_key)], list):
        (only,) = copies
        call.replace(only)
        return copies
    if isinstance(parent, exp.Select) and call.arg_key == "expressions":
        # A projection takes the name of its column.
        copies = [_named(copy, name) for copy, name in zip(copies, names or [""] * len(copies), strict=True)]
    siblings = list(parent.args[str(call.arg_key)])
    at = next(i for i, sibling in enumerate(siblings) if sibling is call)
    parent.set(str(call.arg_key), siblings[:at] + copies + siblings[at + 1 :])
    return copies


def _named(projection: exp.Expr, name: str) -> exp.Expr:
    if isinstance(projection, exp.Anonymous) and projection.name in _REPEATED:
        return projection
    if isinstance(projection, exp.PropertyEQ):
        return exp.alias_(projection.expression, projection.this.name, quoted=True)
    if isinstance(projection, exp.Column) and projection.name.startswith(name):
        return projection
    return exp.alias_(projection, name, quoted=True)


def _repeat_selects(tree: exp.Query, lists: Lists) -> exp.Query:
    for table in nodes(tree, exp.Table):
        if not isinstance(table.this, exp.Anonymous) or table.this.name not in {"each_column", "each_value"}:
            continue
        select = table.find_ancestor(exp.Select)
        assert isinstance(select, exp.Select)
        listed, *relation = table.this.expressions
        by_value = table.this.name == "each_value"
        _take_out(table, select, relation)
        if by_value:
            values = listed.expressions if isinstance(listed, exp.Array) else [listed]
            copies = [_at_value(copied(select), value) for value in values]
        else:
            copies = [_at_column(copied(select), i, column) for i, column in lists.columns(listed)]
        if not copies and isinstance(select.parent, exp.Union):
            # No column of this kind: only the other branch remains.
            both = select.parent
            other = both.expression if both.this is select else both.this
            if both is tree:
                tree = other.pop()
            else:
                both.replace(other)
            continue
        # No column of this kind and no other branch: the same columns without rows.
        union: exp.Query = copies[0] if copies else nothing(select, _TYPE_OF.get(listed.name, "VARCHAR"))
        for copy in copies[1:]:
            union = exp.union(union, copy, distinct=False, copy=False)
        if select is tree:
            tree = union
        else:
            select.replace(union)
    return tree


def _repeat_joins(tree: exp.Query, lists: Lists) -> exp.Query:
    for join in nodes(tree, exp.Join):
        table = join.this
        if not isinstance(table, exp.Table) or table.this.name != "each_joined":
            continue
        listed, relation = table.this.expressions
        table.set("this", copied(relation) if isinstance(relation, exp.Anonymous) else copied(relation.this))
        select = join.parent
        assert isinstance(select, exp.Select)
        copies = _copies(listed, join, lists)
        joins = select.args["joins"]
        at = next(i for i, other in enumerate(joins) if other is join)
        select.set("joins", joins[:at] + copies + joins[at + 1 :])
    return tree


def _take_out(table: exp.Table, select: exp.Select, relation: list[exp.Expr]) -> None:
    """Replace each_column in the FROM with the relation that it reads, or with the joined one."""
    joins = select.args.get("joins")
    if relation:
        call = copied(relation[0])
        name = exp.Table(this=call if isinstance(call, exp.Anonymous) else copied(call.this))
        table.replace(exp.alias_(name, table.alias, table=True) if table.alias else name)
    elif joins:
        select.set("from_", exp.From(this=joins[0].this))
        select.set("joins", joins[1:])
    else:
        select.set("from_", None)


_TYPE_OF = {"numeric": "DOUBLE"}
"""The type of the encoded columns of a list, if it is not text."""


def _distance_weight(column: Listed) -> float:
    if not isinstance(column, ComparedColumn):
        return 1
    return 0 if column.text else column.weight


def _at_column(node: Any, position: int, column: Listed) -> Any:
    """Fill in one column for this_column and the other names of it."""
    values: dict[str, Callable[[], exp.Expr]] = {
        "this_name": lambda: exp.Literal.string(column.name),
        "this_role": lambda: exp.Literal.string(column.role if isinstance(column, ComparedColumn) else ""),
        "this_weight": lambda: exp.Literal.number(column.weight if isinstance(column, ComparedColumn) else 1),
        "this_distance_weight": lambda: exp.Literal.number(_distance_weight(column)),
        "this_is_text": lambda: exp.Boolean(this=isinstance(column, ComparedColumn) and column.text),
        "this_is_written": lambda: exp.Boolean(this=isinstance(column, ComparedColumn) and column.written),
        "this_unit": lambda: exp.Literal.number(column.unit if isinstance(column, ComparedColumn) else 1),
        "this_position": lambda: exp.Literal.number(position),
    }

    def place(found: exp.Expr) -> exp.Expr:
        if isinstance(found, exp.Anonymous) and found.name in VALUES:
            # Filled in once the relation is known.
            if "column" not in found.args:
                found.set("column", column)
        elif isinstance(found, exp.Column) and found.name in values:
            return values[found.name]()
        elif isinstance(found, exp.Identifier) and found.name in _BESIDE:
            number = f" {found.meta['number']}" if "number" in found.meta else ""
            name = exp.to_identifier(internal_name(column) + _BESIDE[found.name] + number, quoted=True)
            name.meta["numbered"] = found.name in _NUMBERED and not number
            return name
        return found

    return changed(changed(node, place), _without_unit)


def _at_number(node: Any, number: int, last: int) -> Any:
    """Fill in a number for this_value, and in names that exist once per number."""
    values = {"this_value": number, "this_share": number / last if last else 0}

    def place(found: exp.Expr) -> exp.Expr:
        if isinstance(found, exp.Column) and found.name in values:
            return exp.Literal.number(values[found.name])
        if isinstance(found, exp.Identifier) and found.meta.get("numbered"):
            return exp.to_identifier(f"{found.name} {number}", quoted=True)
        if isinstance(found, exp.Identifier) and found.name in _NUMBERED:
            found.meta["number"] = number  # the column is filled in later
        return found

    return changed(node, place)


def _at_set(node: Any, chosen: Sequence[tuple[int, Listed]]) -> Any:
    """Fill in the columns of a set for this_first and so on."""
    names = [exp.to_identifier(internal_name(column), quoted=True) for _, column in chosen]
    columns = dict(zip(("this_first", "this_second", "this_third", "this_fourth"), names, strict=False))
    values = dict.fromkeys(("this_second", "this_third", "this_fourth"), 0)
    values["this_set"] = sets.number_of([position for position, _ in chosen])

    def place(found: exp.Expr) -> exp.Expr:
        if isinstance(found, exp.Identifier) and found.name in columns:
            return copied(columns[found.name])
        if isinstance(found, exp.Column) and found.name in values and found.name not in columns:
            return exp.Literal.number(values[found.name])
        return found

    return changed(node, place)


def _without_unit(node: exp.Expr) -> exp.Expr:
    """Remove a division by 1."""
    return node.this if isinstance(node, exp.Div) and node.expression == exp.Literal.number(1) else node


def _at_value(node: Any, value: exp.Expr) -> Any:
    return changed(
        node, lambda found: copied(value) if isinstance(found, exp.Column) and found.name == "this_value" else found
    )


def value_of(call: exp.Anonymous, parameter: str) -> exp.Expr:
    """Return the expression for a call of encoded_value or another of `VALUES`, for the relation of a parameter."""
    column: Listed = call.args["column"]
    if isinstance(column, Column):
        return {"raw_value": column.raw, "text_value": column.text}.get(call.name, lambda: column.node)()
    if call.name == "encoded_value":
        return column.encoded(parameter)
    if call.name == "raw_value":
        return column.raw(parameter)
    if call.name == "key_value":
        return column.keyed(parameter)
    if call.name == "own_value":
        return column.sources[parameter].node
    return column.restored(parameter, *call.expressions[1:])


def inline(function: Function, arguments: Sequence[exp.Expr]) -> exp.Expr:
    """Return the body of a file that is an expression, with its arguments filled in."""
    body = function.tree
    assert isinstance(body, exp.Select)
    values = dict(zip(function.parameters, arguments, strict=True))
    filled: exp.Expr = changed(
        copied(body.expressions[0]),
        lambda node: (
            _operand(copied(values[node.name]))
            if isinstance(node, exp.Column) and not node.table and node.name in values
            else node
        ),
    )
    if isinstance(filled, exp.Case) and isinstance(filled.this, exp.Literal):
        filled = simplify(filled)
    return _operand(filled)


def fold(product: exp.Mul) -> None:
    """Replace a multiplication of two literals with the product."""
    factors = [product.this, product.expression]
    if all(isinstance(factor, exp.Literal) for factor in factors):
        product.replace(exp.Literal.number(math.prod(float(factor.name) for factor in factors)))


def _operand(node: exp.Expr) -> exp.Expr:
    return exp.paren(node) if isinstance(node, (exp.Binary, exp.Unary)) else node
