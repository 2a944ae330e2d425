-- The macros live in a separate database, so that the user's databases are unchanged and may be read-only.
ATTACH ':memory:' AS synthpriv (READ_WRITE)
