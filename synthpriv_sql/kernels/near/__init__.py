"""Texts that are nearly equal: optimal string alignment distances up to a bound, never all pairs.

`limits` says how many edits texts of a length may differ by, `distance` decides about two texts. Candidates are found
among short texts by `deletions`, among longer ones by `halves` (`lookup` has the index of both), among long ones by
`grams`; `search` shares the texts out among threads.
"""
