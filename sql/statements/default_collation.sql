-- The collation of texts without one of their own; empty if they are compared by their characters.
SELECT current_setting('default_collation') AS collation
