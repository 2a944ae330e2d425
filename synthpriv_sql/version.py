"""The version of the package, for whatever has to say it."""

__version__ = "0.1.0"
