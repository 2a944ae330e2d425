"""The columns of the tables of a call: their types, which are compared, and as what."""
