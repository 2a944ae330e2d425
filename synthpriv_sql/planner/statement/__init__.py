"""One SQL statement, put together from the files of sql/ that a call needs."""
