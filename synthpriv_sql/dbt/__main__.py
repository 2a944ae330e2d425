"""Prints the folder of the dbt package, for packages.yml."""

from pathlib import Path

print(Path(__file__).parent)
