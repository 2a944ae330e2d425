"""Checks of results: cautions about the input, the names of numbers, and comparison with an earlier run."""
