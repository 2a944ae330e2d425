"""Engines: the databases in which tables are evaluated where they live."""
