"""One SQL statement, assembled from the files of sql/ that a call needs."""
