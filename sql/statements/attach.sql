-- The macros live beside the user's databases, so that these stay as they are and may be read-only.
ATTACH ':memory:' AS synthpriv (READ_WRITE)
