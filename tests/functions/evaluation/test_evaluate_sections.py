"""Sections of `evaluate` that are asked for: those of the single functions, and each number is declared."""

import pytest
from calls import rows_of
from test_evaluate import TRIO, as_floats, numbers, one, session_with_tables

from synthpriv_sql import errors
from synthpriv_sql.learned import inferring
from synthpriv_sql.results import gate


@pytest.fixture(scope="module")
def session(shared):
    return session_with_tables(shared)


ASKED = {
    "quasi_identifiers": ["city"],
    "targets": ["n"],
    "sensitive": ["n"],
    "known": ["city"],
    "secrets": ["n", "x"],
    "other": ["x"],
    "risks": True,
}
FAMILIES = [
    *("disclosure", "anonymity", "reidentification", "attribute_inference", "identifiability", "hit_rate"),
    *("adversarial_accuracy", "singling_out", "linkability"),
]


def families(session, tables, weights):
    """The numbers of the sections that are asked for, from the single functions."""
    pair, holdout = tables[:2], tables[2] if len(tables) == 3 else None
    known, found = {"weights": {n: w for n, w in weights.items() if n == "city"}}, {}

    def put(section, variant, row, names):
        for statistic, column in names.items():
            if holdout or not statistic.endswith(("control", "excess", "risk", "privacy_loss")):
                found[section, section, variant, statistic] = row[column]

    for row in rows_of(session.disclosure(*pair, ["city"], targets=["n"], holdout=holdout)):
        if (measure := row["measure"]) in {"replicated_uniques", "correct_disclosures", "DCAP", "baseline"}:
            names = {measure: "value", f"{measure}_control": "holdout", f"{measure}_excess": "excess"}
            put("disclosure", row["target"], row, names)
    for side, table in zip(TRIO, tables, strict=False):
        row = one(rows_of(session.anonymity(table, ["city"], sensitive=["n"])))
        names = ("k", "distinct_l", "entropy_l", "alpha", "t_equal", "t_ordered")
        put("anonymity", f"{side}.n", row, dict(zip(names, names, strict=True)))
        row = one(rows_of(session.reidentification(table, ["city"])))
        names = ("unique_share", "prosecutor_mean", "prosecutor_share")
        put("reidentification", side, row, dict(zip(names, names, strict=True)))
    for row in rows_of(session.attribute_inference(*pair, ["city"], ["n", "x"], holdout, **known)):
        put("attribute_inference", row["secret"], row, {n: n for n in ("rate", "baseline", "control", "risk")})
    trained = {f"trained_{n}": n for n in ("rate", "control", "others", "excess")}
    trained |= {n: n for n in ("auc", "p_value", "at_least", "listed", "top_p_value", "read")}
    for row in (
        rows_of(session.attribute_inference(*pair, ["city"], ["n", "x"], holdout, attack="learned")) if holdout else ()
    ):
        put("attribute_inference", row["secret"], row, trained)
    for row in rows_of(session.linkability(*pair, ["city"], ["x"], holdout, **known)):
        put("linkability", f"k {row['k']}", row, {n: n for n in ("rate", "control", "risk")})
    for name in ("identifiability", "hit_rate"):
        options = {"weights": weights} if name == "identifiability" else {}
        row = one(rows_of(getattr(session, name)(*pair, holdout, **options)))
        put(name, None, row, {n: n for n in ("share", "control", "excess")})
    row = one(rows_of(session.adversarial_accuracy(*pair, holdout, weights=weights)))
    names = {"accuracy": "accuracy", "control": "holdout_accuracy", "privacy_loss": "privacy_loss"}
    put("adversarial_accuracy", None, row, names)
    row = one(rows_of(session.singling_out(*pair, holdout)))
    put("singling_out", None, row, {n: n for n in ("rate", "control", "risk")})
    return found


WEIGHTS = {"city": 2.0, "n": 0.5}


@pytest.fixture
def one_round(monkeypatch):
    """Models of secrets that are trained for one round."""
    for name in ("MOST_ROUNDS", "LEAST_ROUNDS"):
        monkeypatch.setattr(inferring, name, 1)


@pytest.fixture(scope="module")
def all_sections(session):
    """All that can be asked for of three tables, asked once."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("MOST_ROUNDS", "LEAST_ROUNDS"):
            patch.setattr(inferring, name, 1)
        given = ASKED | {"weights": WEIGHTS, "k": 2, "attack": "all"}
        return session.evaluate(*TRIO, **given).to_arrow().to_pylist()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("sides", [TRIO, TRIO[:2]])
def test_sections_that_are_asked_for_are_the_single_functions(session, sides, one_round, request):
    weights = WEIGHTS
    if len(sides) == 3:
        rows = request.getfixturevalue("all_sections")
    else:
        rows = session.evaluate(*sides, **ASKED, weights=weights).to_arrow().to_pylist()
    found = {key: row["value"] for key, row in numbers(rows).items() if key[0] in FAMILIES}
    expected = families(session, sides, weights)
    assert found.keys() == expected.keys()
    assert as_floats(found) == pytest.approx(as_floats(expected), rel=1e-12, nan_ok=True)
    assert list(dict.fromkeys(row["section"] for row in rows if row["section"] in FAMILIES)) == FAMILIES
    for row in (row for row in rows if row["section"] in FAMILIES):
        assert row["meaning"].strip().endswith(".")
        assert row["lower"] is None or row["lower"] <= row["value"] <= row["upper"]
        assert row["better"] is None or "control" not in row["statistic"]


@pytest.mark.nightly
def test_a_leak_shows_in_each_family_and_not_where_there_is_none(session, one_round):
    asked = {name: ASKED[name] for name in ("known", "secrets", "other", "risks")}
    asked |= {"attack": "distance", "named_by": "uniques"}
    fair = session.evaluate("holdout", "train", "synthetic", **asked).to_arrow().to_pylist()
    copied = session.evaluate("train", "train", "holdout", **asked).to_arrow().to_pylist()
    for section, variant, statistic, leak in (
        ("attribute_inference", "x", "risk", 0.05),
        ("linkability", "k 1", "risk", 0.01),
        ("identifiability", None, "excess", 0.2),
        ("hit_rate", None, "excess", 0.1),
        ("adversarial_accuracy", None, "privacy_loss", 0.2),
        ("singling_out", None, "risk", 0.7),
    ):
        key = (section, section, variant, statistic)
        assert numbers(copied)[key]["value"] > max(leak, numbers(fair)[key]["value"]), key


def test_sections_that_are_not_asked_for_cost_nothing(session):
    sql = session.sql("evaluate", **dict(zip(TRIO, TRIO, strict=True)), quasi_identifiers=["city"], known=None)
    assert not any(name in sql for name in ("singling_out", "attribute_inference", "disclosure_cells", "hit_rate"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"targets": ["n"]}, '"targets" also needs the option "quasi_identifiers"'),
        ({"sensitive": ["n"]}, '"sensitive" also needs the option "quasi_identifiers"'),
        ({"known": ["n"]}, '"known" also needs the option "secrets" or "other"'),
        ({"secrets": ["n"]}, '"secrets" also needs the option "known"'),
        ({"quasi_identifiers": ["city"], "targets": ["CITY"]}, '"city" is in both options targets and'),
        ({"quasi_identifiers": ["city"], "targets": []}, '"targets" names no column'),
    ],
)
def test_a_group_that_lacks_another_is_an_error(session, options, message):
    with pytest.raises(errors.OptionError, match=message):
        session.evaluate(*TRIO, **options)
    with pytest.raises(errors.UnknownColumn, match='"secrets" names column "none"'):
        session.evaluate(*TRIO, known=["n"], secrets=["none"])


@pytest.mark.parametrize("given", [{}, {"holdout": "holdout", "k": 2, "attack": "all", "weights": WEIGHTS} | ASKED])
def test_every_number_is_declared_in_the_header_of_its_section(session, given, all_sections):
    declared = {
        name
        for need, names in gate.declared().items()
        if gate.is_given(need, given)
        for name in gate.expanded(names, given)
    }
    found = set()
    for row in all_sections if given else session.evaluate("synthetic", "train").to_arrow().to_pylist():
        name, of_any = (
            ".".join(filter(None, (row["metric"], variant, row["statistic"]))) for variant in (row["variant"], "*")
        )
        found.add(of_any if row["variant"] and of_any in declared else name)
    assert found <= declared
    # Of columns only those that there is something to say of are named, and an attack needs records to learn from.
    depends = (
        "identifiers.*.",
        "left_out.*.",
        "near_replay.*.",
        "phrase_replay.*.",
        "set_replay.*.",
        "texts.*.",
        "remedy.*.",
        "split.*.",
        "membership.learned.",
    )
    assert {name for name in declared - found if not name.startswith(depends)} == set()
