"""Writing a result by INSERTs of literals, for warehouses whose drivers load files only."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from secrets import token_hex
from typing import Any

from sqlglot import exp

from synthpriv_sql.engines.remote import rows, writing
from synthpriv_sql.errors import SynthprivError

_MOST_CHARACTERS = 500_000
"""Of a statement: Snowflake and BigQuery take a million."""
_MOST_ROWS = 1_000
_NULL = exp.null()


class BatchWriter(writing.Writer):
    """Fills a table under another name, and makes the table from it by one statement, which is atomic."""

    types: Mapping[str, str]
    """The declared type for a DuckDB type, by the beginning of its name; ``""`` is that of all others."""

    def target(self, named: exp.Table) -> exp.Table:
        """Return the table that a name means, in the case that the database reads it in."""
        parts = [self._part(part) for part in named.parts if isinstance(part, exp.Identifier)]
        return exp.Table(**dict(zip(("this", "db", "catalog"), reversed(parts), strict=False)))

    def _part(self, part: exp.Identifier) -> exp.Identifier:
        return exp.to_identifier(part.name if part.args.get("quoted") else self.lookup.fold(part.name), quoted=True)

    def there(self, target: exp.Table) -> bool:
        """Whether there is such a table."""
        return self.lookup.one(target) is not None

    def columns(self, target: exp.Table) -> list[str]:
        """Return the names of its columns."""
        return [column.name for column in self.lookup.described(target, (), False)[1]]

    def append(self, target: exp.Table) -> None:
        """Add the rows, by one statement."""
        with self._staged(target) as staged:
            names = [exp.to_identifier(name, quoted=True) for name in self.answer.table.column_names]
            self._execute(exp.insert(self._read(staged), target.copy(), columns=names))

    def make(self, target: exp.Table, replaced: bool) -> None:
        """Create the table with the rows."""
        with self._staged(target) as staged:
            made = exp.Create(this=self.made(target), kind="TABLE", expression=self._read(staged), replace=replaced)
            self._execute(made)

    def _read(self, staged: exp.Table) -> exp.Select:
        columns = [exp.column(name, quoted=True) for name in self.answer.table.column_names]
        return exp.select(*columns).from_(staged.copy())

    def made(self, target: exp.Table) -> exp.Expr:
        """The table that is created from a query, which gives its columns."""
        return target.copy()

    def columns_written(self) -> list[exp.ColumnDef]:
        """Return the columns with the types that they are declared with."""
        return writing.definitions(self.answer, self.own, self.lookup.declared, self.types, self.dialect)

    @contextmanager
    def _staged(self, target: exp.Table) -> Iterator[exp.Table]:
        """Yield a table with the rows, which is dropped at the end."""
        staged = target.copy()
        staged.set("this", exp.to_identifier(f"synthpriv_{token_hex(8)}", quoted=True))
        columns = self.columns_written()
        made = exp.Schema(this=staged.copy(), expressions=columns)
        try:
            self._execute(exp.Create(this=made, kind="TABLE"))
            for statement in self._inserts(staged, columns):
                self.connection.execute(statement)
            yield staged
        finally:
            with suppress(SynthprivError):
                self._execute(exp.Drop(tables=[staged.copy()], kind="TABLE", exists=True))

    def _inserts(self, staged: exp.Table, columns: Sequence[exp.ColumnDef]) -> Iterator[str]:
        """Yield INSERTs of as many rows as a statement may have."""
        kinds = [column.args["kind"] for column in columns]
        names = [exp.to_identifier(column.name, quoted=True) for column in columns]
        into = exp.Schema(this=staged.copy(), expressions=names).sql(self.dialect)
        waiting: list[str] = []
        size = 0
        for chunk in rows.values(self.answer.table, rows.plain):
            for row in chunk:
                literals = [self.literal(value, kind) for value, kind in zip(row, kinds, strict=True)]
                text = exp.Tuple(expressions=literals).sql(self.dialect)
                if waiting and (len(waiting) == _MOST_ROWS or size + len(text) > _MOST_CHARACTERS):
                    yield _insert(into, waiting, self.dialect)
                    waiting, size = [], 0
                waiting.append(text)
                size += len(text)
        if waiting:
            yield _insert(into, waiting, self.dialect)

    def literal(self, value: Any, kind: exp.DataType) -> exp.Expr:
        """A value as a literal: a text in the dialect's own escapes, cast to the type where it is none."""
        if value is None:
            return _NULL.copy()
        if isinstance(value, bool):
            return exp.Boolean(this=value)
        if isinstance(value, int | Decimal) or (isinstance(value, float) and math.isfinite(value)):
            return exp.Literal.number(str(value)) if value >= 0 else exp.Neg(this=exp.Literal.number(str(-value)))
        if isinstance(value, float):
            text = "NaN" if math.isnan(value) else "inf" if value > 0 else "-inf"
        elif isinstance(value, datetime.datetime):
            text = value.isoformat(" ")
        elif isinstance(value, datetime.date | datetime.time):
            text = value.isoformat()
        else:
            return exp.Literal.string(str(value))
        return exp.Cast(this=exp.Literal.string(text), to=kind.copy())

    def _execute(self, statement: exp.Expr) -> None:
        self.connection.execute(statement.sql(self.dialect))


def _insert(into: str, texts: Sequence[str], dialect: str) -> str:
    values = exp.Command(this="INSERT INTO", expression=f"{into} VALUES {', '.join(texts)}")
    return values.sql(dialect)
