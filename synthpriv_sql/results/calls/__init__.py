"""Calls of several statements: many tables, families, user-defined attacks, and dry runs."""
