"""The columns of the tables of a call: their types, which of them are compared, and their roles."""
