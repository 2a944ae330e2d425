"""Choices of options, apart from the modules that implement them, so that shell completion imports quickly."""

PUSHDOWN = ("auto", "require")
FORMATS = ("table", "json", "csv", "markdown")
DIALECTS = ("postgres", "spark", "clickhouse", "databricks", "snowflake", "bigquery", "redshift", "trino")
