"""Assembles the call of a function as one SQL statement.

`expanding` turns files of sql/ into its parts; this module adds the columns of the result, the user's keys next to
record numbers and, with groups, the rows of each group, and decides which parts are materialized.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from synthpriv_sql.planner.columns import releases
from synthpriv_sql.planner.columns.partitions import REASON, Groups
from synthpriv_sql.planner.columns.tables import Relation
from synthpriv_sql.planner.headers import known_files
from synthpriv_sql.planner.headers.catalog import Function
from synthpriv_sql.planner.statement.expanding import Bound, Expansion
from synthpriv_sql.planner.statement.lists import internal_name
from synthpriv_sql.planner.statement.names import distinct_names
from synthpriv_sql.planner.statement.parts import Assembled, Part
from synthpriv_sql.planner.statement.trees import copied, in_order, nodes


@dataclass
class Statement(Expansion):
    """A statement under construction; see `Expansion` for the parameters."""

    _groups: Sequence[str] = ()

    def build(self, function: Function, groups: Groups | None = None) -> Assembled:
        """Return the statement for a call of a public function with this statement's relations and options.

        Parameters
        ----------
        function
            The function to call.
        groups
            The groups of rows that it is called for separately; by default all rows at once.
        """
        if groups is not None:
            return self._finish(self._of_groups(function, groups))
        query, columns, name = self._called(function, self.relations)
        query = query.select(*distinct_names(columns))
        for column in function.order:
            # Qualified, because the user may have a column of the same name.
            query = query.order_by(in_order(exp.column(column, table=name)))
        return self._finish(query)

    def _called(self, function: Function, relations: Sequence[Relation]) -> tuple[exp.Select, list[exp.Expr], str]:
        """The call of a public function: the query for its rows, the columns of the result, and the name of its CTE."""
        bound: dict[str, Bound] = {p.name: None for p in function.relations}
        # One of several tables for a parameter has its name with a number.
        bound |= {p if p in bound else p.rpartition("_")[0]: r for r in relations for p in [r.parameter]}
        name = self._call(function, bound, self.options)
        query = exp.select().from_(name)
        table = name if self.lists.named.get("key") and function.keys else None
        columns: list[exp.Expr] = [
            exp.alias_(exp.column(internal_name(c), table=table, quoted=True), c.name, quoted=True)
            for c in self.lists.named.get(function.columns_of, ())
        ]
        present = [
            c for c in function.columns if self.options.get(function.columns_with.get(c, ""), True) not in (None, False)
        ]
        columns += [exp.column(exp.to_identifier(c, quoted=c != c.lower()), table=table) for c in present]
        if table:
            query, columns = self._with_keys(function, bound, query, columns)
        return query, columns, name

    def _of_groups(self, function: Function, groups: Groups) -> exp.Select:
        """The rows of all groups, one group after the other, each row with the values of its group first."""
        names = {column.name.lower() for column in groups.columns}
        selects: list[exp.Query] = []
        for place, group in enumerate(groups.each, 1):
            if group.reason:
                continue
            self._about(group.relations)
            query, columns, name = self._called(function, group.relations)
            heads = [
                exp.alias_(copied(value), column.name, quoted=True)
                for column, value in zip(groups.columns, group.values, strict=True)
            ]
            # The user's own columns include the grouping columns.
            own = len(self.lists.named.get(function.columns_of, ()))
            columns = [c for i, c in enumerate(columns) if i >= own or c.alias_or_name.lower() not in names]
            reason = [] if groups.strict else [exp.alias_(exp.cast(exp.null(), "VARCHAR"), REASON)]
            shown = distinct_names([*heads, *columns, *reason])
            order = [exp.column(column, table=name) for column in function.order]
            placed = [exp.Literal.number(place), *order]
            selects.append(
                query.select(
                    *(exp.alias_(value, f"[place {i}]", quoted=True) for i, value in enumerate(placed)), *shown
                )
            )
        parts = [Part(self._name("of_group"), select, None) for select in selects]
        self._parts += parts
        self._groups = [part.name for part in parts]
        rows: exp.Query = exp.select("*").from_(parts[0].name)
        for part in parts[1:]:
            rows = exp.union(rows, exp.select("*").from_(part.name), distinct=False, copy=False)
        for place, group in enumerate(groups.each, 1):
            if group.reason:
                values = [exp.Literal.number(place), *(exp.null() for _ in order), *map(copied, group.values)]
                values += [exp.null() for _ in shown[len(heads) : -1]]
                lacking = exp.select(*values, exp.Literal.string(group.reason))
                rows = exp.union(rows, lacking, distinct=False, copy=False)
        visible = [exp.column(exp.to_identifier(c.alias_or_name, quoted=True)) for c in shown]
        query = exp.select(*visible).from_(rows.subquery("of_groups"))
        return query.order_by(*(in_order(exp.column(f"[place {i}]", quoted=True)) for i in range(len(placed))))

    def _with_keys(
        self, function: Function, bound: Mapping[str, Bound], query: exp.Select, columns: Sequence[exp.Expr]
    ) -> tuple[exp.Select, list[exp.Expr]]:
        """Add the user's key next to each record number that the function declares."""
        placed: list[exp.Expr] = []
        for column in columns:
            placed.append(column)
            if column.name not in function.keys:
                continue
            alias = "key" if column.name == "record" else "neighbor_key"
            # The record is of one relation, or of the one of several that the column ``side`` names.
            several: dict[str, str] = {parameter: parameter for parameter in function.keys[column.name]}
            side = function.side if len(several) > 1 else ""
            of_release = "release" in function.columns  # else the record is of the newest, whatever the releases
            if of_release and self.options.get(releases.OPTION) and [*several] == [releases.NEWEST]:
                several, side = {one.parameter: one.name for one in releases.places(self.options)}, "release"
            found: list[exp.Expr] = []
            for parameter, name in several.items():
                relation = bound[parameter]
                if isinstance(relation, Relation) and self.lists.named["key"][0].name.lower() in relation.by_name:
                    query, key = self._join_keys(query, relation, f"{alias}s_{parameter}", column, (side, name))
                    found.append(key)
            placed.append(
                exp.alias_(exp.func("coalesce", *found) if len(found) > 1 else [*found, exp.null()][0], alias)
            )
        return query, placed

    def _join_keys(
        self, query: exp.Select, relation: Relation, alias: str, record: exp.Expr, side: tuple[str, str]
    ) -> tuple[exp.Select, exp.Expr]:
        keys = self._file(known_files.KEYS)
        assert keys is not None
        table = exp.alias_(exp.to_table(self._call(keys, {"relation": relation}, {})), alias, table=True)
        on: exp.Expr = exp.column("record", table=alias).eq(copied(record))
        column, name = side
        if column:
            on = exp.and_(on, exp.column(column).eq(exp.Literal.string(name)))
        return query.join(table, on=on, join_type="left"), exp.column("key", table=alias)

    def _finish(self, query: exp.Select) -> Assembled:
        """Drop the parts that nothing reads, and decide which of the user's relations are materialized."""
        times = Counter(table.name for table in nodes(query, exp.Table))
        needed: list[Part] = []
        for part in reversed(self._parts):  # a part is read only by later ones
            if part.name not in times:
                continue
            needed.append(part)
            if part.once and part.materialized is None:
                # Read once, it is not worth materializing; read twice, its rows must have the same order.
                part.materialized = times[part.name] > 1
            # A part that is not materialized is inlined, so it reads its own sources as often as it is read.
            again = 1 if part.materialized else times[part.name]
            for table in nodes(part.query, exp.Table):
                times[table.name] += again
        return Assembled(needed[::-1], query, self.lists.compared, self._groups)
