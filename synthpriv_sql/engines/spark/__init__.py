"""Spark: what runs in the user's own SparkSession. Importing this imports no Spark."""
