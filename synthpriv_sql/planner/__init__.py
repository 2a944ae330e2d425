"""From a call to one statement: files of sql/, checked arguments, compared columns, and the resulting SQL."""
