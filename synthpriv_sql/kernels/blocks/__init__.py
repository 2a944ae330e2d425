"""A reference in blocks of 64 rows: its order, its encoding, its bounds, and which blocks a query visits."""
