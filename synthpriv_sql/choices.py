"""What may be chosen, where the modules that do it take long to import: a shell that completes a line waits."""

PUSHDOWN = ("auto", "require")
FORMATS = ("table", "json", "csv", "markdown")
DIALECTS = ("postgres", "spark", "clickhouse", "databricks", "snowflake", "bigquery", "redshift", "trino")
