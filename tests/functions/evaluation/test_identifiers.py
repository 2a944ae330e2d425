"""Columns that name records: found by their values, said on every surface, and left out where that is asked for."""

import json
import uuid
import warnings

import numpy as np
import pyarrow as pa
import pytest
from calls import call, cli, create, rows_of, sql_rows

from synthpriv_sql import demo, errors
from synthpriv_sql.planner import planning
from synthpriv_sql.planner.headers import catalog

ROWS = 400
TRIO = ("synthetic", "train", "holdout")


def columns(seed, start, shared):
    """Columns of every kind; `shared` draws what people of one population share."""
    random = np.random.default_rng(seed)
    uuids = [str(uuid.UUID(int=int(i), version=4)) for i in random.integers(0, 2**62, ROWS)]
    return {
        "serial": list(range(start, start + ROWS)),
        "wide": [int(i) for i in random.integers(10**15, 10**16, ROWS)],
        "whole": [float(i) if i % 9 else None for i in range(start, start + ROWS)],
        "mail": [f"{u}@example.org" for u in uuids],
        "uid": uuids,
        "nearly": [f"n{seed}-{max(i, 2)}" for i in range(ROWS)],
        # No identifiers, although most or all of their values differ.
        "income": random.lognormal(10, 1, ROWS).round(2).tolist(),
        "dollars": [int(v) for v in random.lognormal(10, 0.5, ROWS)],
        "signup": [1_500_000_000_000_000 + int(i) for i in random.integers(0, 10**14, ROWS)],
        "place": shared.permutation([f"place {i}" for i in range(ROWS)]).tolist(),
        "age": [int(i) for i in random.integers(18, 90, ROWS)],
        "city": random.choice(list("abc"), ROWS).tolist(),
        "empty": [None] * ROWS,
    }


def table(seed, start):
    made = pa.table(columns(seed, start, np.random.default_rng(99 + seed)))
    at = made.column_names.index("signup")
    made = made.set_column(at, "signup", made["signup"].cast(pa.timestamp("us")))
    return made.set_column(made.column_names.index("empty"), "empty", made["empty"].cast(pa.string()))


NAMES = {"serial", "wide", "whole", "mail", "uid", "nearly"}


@pytest.fixture(scope="module")
def session(shared):
    create(shared, synthetic=table(1, 5000), train=table(2, 0), holdout=table(3, ROWS))
    return shared


def found(rows):
    return {row["column_name"] for row in rows if row["identifier"]}


def test_what_looks_like_an_identifier(session):
    rows = rows_of(session.identifiers(*TRIO))
    assert found(rows) == NAMES
    by_name = {row["column_name"]: row for row in rows}
    assert (by_name["nearly"]["count"], by_name["nearly"]["distinct"]) == (ROWS, ROWS - 2)
    assert by_name["place"]["shared_holdout"] == 1
    assert by_name["age"]["shared_holdout"] is None
    assert found(sql_rows(session.connection, call("identifiers", *TRIO))) == NAMES


def test_without_a_holdout_nothing_tells_a_name_from_a_place(session):
    assert found(rows_of(session.identifiers(*TRIO[:2]))) == NAMES | {"place"}


def test_a_measurement_that_is_copied_is_shared(session):
    copied = table(1, 5000).set_column(1, "wide", table(2, 0)["wide"])
    assert found(rows_of(session.identifiers(copied, "train", "holdout"))) == NAMES - {"wide"}
    # An address is one however many of them were copied.
    mails = table(1, 5000).set_column(3, "mail", table(2, 0)["mail"])
    assert "mail" in found(rows_of(session.identifiers(mails, "train", "holdout")))


def test_few_values_may_differ_by_chance(session):
    few = [table(i, 10 * i).slice(0, 19) for i in range(3)]
    assert found(rows_of(session.identifiers(*few))) == set()


# The leaky table of the tutorial, without its key


@pytest.fixture(scope="module")
def customers(session):
    """Some rows of each; with more of the holdout, `evaluate` would train classifiers."""
    demo.create(session.connection)
    tables = ("synthetic_leaky", demo.TRAIN, demo.HOLDOUT)
    for name in tables:
        rows = 190 if name == demo.HOLDOUT else 400
        first = f"FROM {name} ORDER BY customer_id LIMIT {rows}"
        session.connection.execute(f"CREATE OR REPLACE TABLE few_{name} AS {first}")
    return tuple(f"few_{name}" for name in tables)


@pytest.fixture(scope="module")
def copied(session, customers):
    """How many rows are copies but for the columns that are left out."""
    leaky, train = (
        f"(SELECT CAST(p AS VARCHAR) AS p FROM (SELECT * EXCLUDE (customer_id, referral) FROM {name}) AS p)"
        for name in customers[:2]
    )
    ((rows,),) = session.connection.execute(f"SELECT count(*) FROM {leaky} WHERE p IN {train}").fetchall()
    assert rows > 3
    return rows


FEW_ATTACKS = {"attack": "distance", "named_by": "uniques"}


def values(rows):
    return {(row["metric"], row["variant"], row["statistic"]): row["value"] for row in rows}


@pytest.mark.again
def test_evaluate_warns_of_it(session):
    few = *TRIO[:2], "(FROM holdout LIMIT 190)"  # for more, classifiers are trained
    with pytest.warns(errors.SynthprivWarning, match='"mail".* look like identifiers'):
        got = values(session.evaluate(*few, columns=["age", "mail", "wide"], **FEW_ATTACKS).to_arrow().to_pylist())
    assert got["copies", None, "records"] == 0
    assert got["identifiers", None, "columns"] == 2
    assert got["identifiers", "mail", "distinct"] == 1


@pytest.mark.again
def test_evaluate_leaves_row_numbers_out_by_itself_and_says_so_once(session, customers, copied):
    with pytest.warns() as said:
        got = values(session.evaluate(*customers, exclude="referral", **FEW_ATTACKS).to_arrow().to_pylist())
    assert [str(warning.message) for warning in said] == [
        'column "customer_id" numbers the rows of "few_synthetic_leaky": equal numbers do not mean the same person, so '
        "it is left out. If it names people, give key='customer_id'; to compare it all the same, identifiers='compare'"
    ]
    assert got["copies", None, "records"] == copied
    assert got["identifiers", None, "columns"] == 0
    assert got["left_out", "customer_id", "column"] == 1
    # Replayed values are counted of it nevertheless, and are no evidence.
    assert got["replay", "customer_id", "running"] == 1
    # A column that another option names is used as that says.
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*numbers the rows")
        warnings.filterwarnings("ignore", message=".*looks like an identifier")
        for option, rows in (({"key": "customer_id"}, copied), ({"weights": {"customer_id": 2.0}}, 0)):
            got = session.evaluate(*customers, exclude="referral", **option, **FEW_ATTACKS).to_arrow().to_pylist()
            assert values(got)["copies", None, "records"] == rows


@pytest.mark.one_in(2)
@pytest.mark.parametrize("surface", ["python", "sql"])
def test_evaluate_leaves_it_out(session, customers, copied, surface):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if surface == "python":
            rows = (
                session.evaluate(*customers, identifiers="exclude", exclude="referral", **FEW_ATTACKS)
                .to_arrow()
                .to_pylist()
            )
        else:
            query = call("evaluate", *customers, identifiers="exclude", exclude=["referral"], **FEW_ATTACKS)
            rows = session.connection.sql(query).to_arrow_table().to_pylist()
    got = values(rows)
    assert got["copies", None, "records"] == copied
    assert got["identifiers", None, "columns"] == 0


@pytest.mark.again
def test_evaluate_compares_it_where_told_so(session, customers):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = values(session.evaluate(*customers, identifiers="compare", **FEW_ATTACKS).to_arrow().to_pylist())
    assert got["copies", None, "records"] == 0
    assert not any(metric == "identifiers" for metric, _, _ in got)


@pytest.mark.nightly
def test_the_command_line_says_it_and_the_gate_can_ask_for_it(session, customers, copied, tmp_path):
    arguments = ["--attack", "distance", "--named-by", "uniques"]
    for parameter, name in zip(TRIO, customers, strict=True):
        # A name of its own in each table beside the number of the row.
        path = tmp_path / f"{name}.parquet"
        named = f"SELECT *, md5('{name}' || customer_id) || '@x.org' AS token FROM {name}"
        session.connection.sql(named).write_parquet(str(path))
        arguments += [f"--{parameter}", str(path)]
    code, out, err = cli("evaluate", *arguments, "--format", "json", "--require", "identifiers.columns=0")
    assert code == 1
    assert 'synthpriv: column "token" looks like an identifier' in err
    assert err.count('synthpriv: column "customer_id" numbers the rows') == 1
    assert "--key customer_id" in err
    assert "required identifiers.columns=0: identifiers.columns is 1" in err
    assert values(json.loads(out))["copies", None, "records"] == 0
    excluded = ("--identifiers", "exclude", "--require", f"copies.records<={copied}", "--format", "junit")
    code, out, err = cli("evaluate", *arguments, *excluded)
    assert (code, err) == (0, "synthpriv: no distance and no attack looked at customer_id, token\n")
    assert "looks like" not in out
    assert "numbers the rows" not in out
    code, out, _ = cli("evaluate", *arguments, "--require", "copies.records=0", "--format", "junit")
    assert code == 0
    said = out[out.index("<system-err>") :]
    assert "looks like an identifier" in said
    assert "looked at customer_id" in said


@pytest.mark.one_in(2)
@pytest.mark.parametrize("option", [{"weights": {"MAIL": 2.0, "age": 1.0}}, {"categorical": "mail"}])
def test_what_is_said_of_an_excluded_identifier_is_ignored_with_a_warning(session, option):
    (name,) = option
    with pytest.warns(errors.SynthprivWarning, match=f'(?i)"{name}" is ignored for column "mail", .*compare') as warned:
        planned = planning.plan(
            session.engine, catalog.function("evaluate"),
            dict(zip(TRIO, TRIO, strict=True)) | option | {"identifiers": "exclude", "exclude": ["serial", "whole"]},
        )  # fmt: skip
    assert len(warned) == 1
    assert "mail" in planned.options["exclude"]
    assert planned.options["weights"] in (None, {"age": 1.0})


def test_tables_are_read_again_only_for_columns_that_may_number_rows(session):
    """The first thousand rows of synthetic decide, but for these columns: a file or a view is not read twice."""
    rows = 5000
    read = []
    session.connection.execute("CREATE TABLE many AS SELECT i AS n, i % 7 AS c, random() AS x FROM range(5000) r(i)")
    session.connection.create_function(
        "sees", lambda n: [read.append(n), n][1], ["BIGINT"], "BIGINT", side_effects=True
    )
    session.connection.execute("CREATE VIEW counted AS SELECT * REPLACE (sees(c) AS c) FROM many")
    evaluate, detection = (catalog.function("evaluate"), catalog.file("numbering_columns"))
    assert evaluate.asks_before["row_numbers"] == detection.name
    possible = session.call(catalog.file(detection.asks_before["possible"]), synthetic="counted", train="counted")
    assert possible["column_name"] == ["n"]
    assert len(read) < rows
    read.clear()
    found = session.call(detection, synthetic="counted", train="counted", columns=["n"])
    assert (found["column_name"], read) == (["n"], [])
