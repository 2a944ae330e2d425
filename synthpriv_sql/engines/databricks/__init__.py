"""Databricks by Spark Connect: the engine is that of Spark, on a cluster of a workspace."""
