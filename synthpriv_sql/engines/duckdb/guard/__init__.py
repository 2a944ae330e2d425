"""What SQL of somebody else may have us run: a view of a foreign database, or a query that is given as a table."""
