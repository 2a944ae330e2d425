"""Numbers as a reader likes them: those of `synthpriv_sql.language.numbers`."""

from synthpriv_sql.language.numbers import number, percent

__all__ = ["number", "percent"]
