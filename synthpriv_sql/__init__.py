"""Privacy metrics of synthetic tables, computed inside the database."""

__version__ = "0.1.0"
