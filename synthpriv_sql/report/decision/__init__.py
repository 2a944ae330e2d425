"""The decision page, to be signed."""
