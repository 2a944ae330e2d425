"""The files of sql/ that Python itself calls by name, besides the functions that users call.

Everywhere else, files are selected by keys of their headers, so that they can be renamed. A test checks this for
engines and planner.
"""

from __future__ import annotations

ROW_COUNT = "row_count"
"""How many rows a table has."""
INFINITE_COLUMNS = "infinite_columns"
"""The columns of a table with infinite values."""
READINGS = "readings"
"""The types to which the texts of columns can be cast."""
EQUIVALENCE_CLASSES = "equivalence_classes"
"""The values that rows are grouped by: those of the option ``group_by``."""
OWN_ATTACKS = "own_attacks"
"""The names of the attacks in a table of scores."""
KEYS = "keys"
"""Record numbers with the column that the option ``key`` names."""
RUNS = "runs"
"""The runs of consecutive rows that a call with ``order`` compares instead of rows."""
FLATTEN = "flatten"
"""A table of parents with aggregates of their children: a view of a family of tables."""
CHOSEN = "chosen"
"""Some columns of a table: the aggregates alone, for another view."""
WITH_PARENTS = "with_parents"
"""A table of children with the columns of their parents: another view of a family."""
VIEW_SCORES = "view_scores"
"""The scores of attacks on one view, features of the attack that learns on another."""
CARRIERS = "carriers"
"""The synthetic records that ``until_safe`` takes out next."""
STILL_NAMED = "still_named"
"""How many people `safe` leaves exposed, and how many the releases before expose."""
RUNNING_NUMBERS = "running_numbers"
"""The columns that number the rows of a table."""
KEPT = "kept"
"""All rows of a table, unchanged, but for records that are left out."""
