"""Each use of a call answers each kind of call: by rows, by a statement, or by an error that says what to do."""

import numpy as np
import pandas as pd
import pytest

from synthpriv_sql.errors import OptionError
from synthpriv_sql.planner.calls.rewriting import Call, Rewriter, rewritten

RANDOM = np.random.default_rng(44)
ROWS = pd.DataFrame({"id": range(40), "a": RANDOM.normal(size=40).round(2), "b": RANDOM.integers(0, 9, 40)})
TABLES = {"synthetic": ROWS.drop(columns="id"), "train": ROWS.drop(columns="id"), "holdout": ROWS[["a", "b"]] + 1}


class Named(Rewriter[str]):
    """Answers with the kind of a call."""

    def of_search(self, call):
        return "search"

    def until_safe(self, call):
        return "until_safe"

    def of_family(self, call):
        return "family"

    def of_several(self, call):
        return "several"

    def of_own_attacks(self, call):
        return "own attacks"


def nearest(real, synthetic):
    return np.zeros(len(real))


@pytest.mark.parametrize(
    ("function", "given", "kind"),
    [
        ("remedy", {}, "search"),
        ("safe", {"until_safe": True}, "until_safe"),
        ("evaluate", {"children": {"c": ("x", "y", "z", "id")}, "attack": nearest}, "family"),
        ("evaluate", {"synthetic": {"a": "x", "b": "y"}, "attack": nearest}, "several"),
        ("membership", {"attack": ["distance", nearest]}, "own attacks"),
    ],
)
def test_the_first_kind_answers(function, given, kind):
    tables = {"synthetic": "s", "train": "t", "holdout": "h"}
    assert rewritten(Call.of(function, tables | given), Named()) == kind


def test_any_other_call_is_planned_as_it_is():
    call = rewritten(Call.of("safe", {"synthetic": "s.csv", "train": "t.csv", "csv": {"delimiter": ";"}}), Named())
    assert dict(call.given["synthetic"].reading) == {"delimiter": ";"}
    assert "csv" not in call.given


def test_a_function_that_attacks_has_no_statement(session):
    for use in (session.sql, session.plan):
        with pytest.raises(OptionError, match=r"membership: an attack is a function in Python, .* table of its scores"):
            use("membership", **TABLES, attack=nearest)
    assert session.call("membership", **TABLES, attack=nearest)["attack"][0] == "nearest"


def test_children_are_called_one_by_one(session):
    children = {"c": (ROWS, ROWS, ROWS, "id")}
    for use in (session.sql, session.plan):
        with pytest.raises(OptionError, match="evaluate: a call with children"):
            use("evaluate", synthetic=ROWS, train=ROWS, holdout=ROWS, children=children)


def test_a_count_is_a_table_or_a_number_for_every_use(session):
    of_table, of_number = (session.sql("best_discernibility", n=n) for n in (ROWS, len(ROWS)))
    assert of_table == of_number
    assert list(session.plan("best_discernibility", n=ROWS)) == list(session.plan("best_discernibility", n=40))


def test_options_are_checked_before_an_attack_is_called(session):
    def never(real, synthetic):
        raise AssertionError

    with pytest.raises(OptionError, match='there is no option "false_positive_rate"'):
        session.call("membership", **TABLES, attack=never, false_positive_rate=0.1)
