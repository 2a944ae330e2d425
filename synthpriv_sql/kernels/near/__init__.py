"""Texts that are nearly equal: optimal string alignment distances up to a bound, never all pairs.

`limits` says how many edits texts of a length may differ by, `distance` decides about two texts. What near texts have
in common is found among short texts by `deletions`, among longer ones by `halves`, among long ones by `grams`; `lookup`
has the index and the search of all three; `search` shares the texts out among threads.
"""
