-- How many threads a connection uses.
SELECT CAST(current_setting('threads') AS INTEGER)
