"""Protection against SQL of somebody else: a view of a foreign database, or a query that is given as a table."""
