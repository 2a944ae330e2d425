-- Runs a statement on the server.
FROM quack_query_by_name(?, ?)
