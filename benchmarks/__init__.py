"""Benchmarks of this package and of similar tools: ``python -m benchmarks --help``."""
