"""The search for the least change of a synthetic table after which it may be released."""
