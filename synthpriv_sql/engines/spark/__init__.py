"""Spark: runs calls in the user's SparkSession. Importing this package does not import Spark."""
