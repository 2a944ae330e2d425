"""Calls that are more than one function of plain tables: families, several tables, runs, scores of one's own."""
