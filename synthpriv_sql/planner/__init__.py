"""From a call to one statement: files of sql/, checked arguments, compared columns, and the SQL that comes of them."""
