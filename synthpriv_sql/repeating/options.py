"""Which options of functions runs do not take. The command line reads it where a shell completes a line."""

TABLES = dict.fromkeys(("synthetic", "train", "holdout", "reference"), "the runs make the tables themselves")
OF_SPLITS = TABLES | {
    "children": "splits are drawn of one table",
    "scores": "the records of each split are others, so give an attack as a function",
    "group_by": "ask for the rows of one group",
    "strict_groups": "ask for the rows of one group",
}
"""Options of evaluate that `repeat` does not take, and why."""
_ONE_RECORD = "the risk is that of one record; make one record of each person"
_LEARNED = "learned is told who was in train"
OF_PERSONS = (
    OF_SPLITS
    | dict.fromkeys(("unit", "unit_score", "shared_units", "order", "length"), _ONE_RECORD)
    | dict.fromkeys(("hints", "folds"), _LEARNED)
    | {"k": "attacks on one person look at the nearest synthetic record"}
)
"""Options of membership_scores that `person_risk` does not take, and why."""
