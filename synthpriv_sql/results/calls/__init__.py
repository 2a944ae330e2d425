"""Results of several statements: many tables, families, attacks of one's own, and dry runs."""
