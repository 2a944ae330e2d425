"""The files of sql/ that Python itself calls by name, beside what a user calls.

Everywhere else a file is known by what its header says, so that it can be renamed. A test holds engines and planner to
that.
"""

from __future__ import annotations

ROW_COUNT = "row_count"
"""How many rows a table has."""
INFINITE_COLUMNS = "infinite_columns"
"""The columns of a table with infinite values."""
READINGS = "readings"
"""As what other types the texts of columns can be read."""
EQUIVALENCE_CLASSES = "equivalence_classes"
"""The values that rows are grouped by: those of the option ``group_by``."""
OWN_ATTACKS = "own_attacks"
"""The names of the attacks in a table of scores."""
KEYS = "keys"
"""The column that the option ``key`` names, beside record numbers."""
RUNS = "runs"
"""The runs of consecutive rows that a call with ``order`` compares in the place of rows."""
FLATTEN = "flatten"
"""A table of parents with aggregates of their children: a view of a family of tables."""
WITH_PARENTS = "with_parents"
"""Children beside their parents: another view of it."""
VIEW_SCORES = "view_scores"
"""The scores of attacks on one view, features of the attack that learns on another."""
