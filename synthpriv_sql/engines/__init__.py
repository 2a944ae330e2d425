"""Engines: the databases that run the statements, on tables that stay where they are."""
