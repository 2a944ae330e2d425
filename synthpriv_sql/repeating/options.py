"""The options that repeated runs do not support; a separate module, so that shell completion imports quickly."""

TABLES = dict.fromkeys(("synthetic", "train", "holdout", "reference"), "the runs create the tables themselves")
OF_SPLITS = TABLES | {
    "children": "splits are drawn from one table",
    "releases": "earlier releases were made from other rows than those of a split",
    "history": "earlier releases were made from other rows than those of a split",
    "spend": "the tables of splits are not released",
    "scores": "the records differ between splits, so give an attack as a function",
    "group_by": "give the rows of one group",
    "strict_groups": "give the rows of one group",
}
"""Options of evaluate that `repeat` does not support, and why."""
_ONE_RECORD = "the risk is that of one record; aggregate the records of each person"
OF_PERSONS = (
    OF_SPLITS
    | dict.fromkeys(("unit", "unit_score", "shared_units", "order", "length"), _ONE_RECORD)
    | {
        "hints": "the synthesizer would see the columns with them",
        "k": "attacks on one person use the nearest synthetic record",
    }
)
"""Options of membership_scores that `person_risk` does not support, and why."""
