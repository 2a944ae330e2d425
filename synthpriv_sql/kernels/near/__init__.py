"""Texts that are nearly equal: optimal string alignment distances up to a bound, never all pairs.

`limits` says how many edits texts of a length may differ by, `distance` decides about two texts, `deletions` finds
candidates among short texts and `grams` among long ones, `search` shares the texts out among threads.
"""
