"""Localization: message catalogs, and the formatting of numbers and dates."""
