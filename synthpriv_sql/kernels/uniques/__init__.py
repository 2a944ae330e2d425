"""Replicated uniques: combinations of values that one real record alone has, and that a synthetic record has too.

`combinations` chooses the sets of columns, `keys` turns columns into codes, `counting` compiles the passes over the
rows, `search` shares them out among threads, and `udf` is what SQL calls.
"""
