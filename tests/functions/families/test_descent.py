"""Tables of children: what names their rows is left out, options reach their aggregates, and children have children."""

import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calls import cli

from synthpriv_sql.cli.parsing import family
from synthpriv_sql.errors import OptionError, SynthprivWarning
from synthpriv_sql.planner.calls.descent import Child, related

PEOPLE, ORDERS = 100, 3
CHEAP = {"attack": "uniques", "named_by": "uniques"}
SIDES = ("synthetic", "train", "holdout")


def shop(rng, first):
    """Customers, their orders with a number of their own, and the items of these."""
    who = np.arange(first, first + PEOPLE)
    number = np.arange(10 * first, 10 * first + PEOPLE * ORDERS)
    customers = {"customer": who, "age": rng.integers(18, 80, PEOPLE)}
    orders = {
        "order_id": number,
        "customer": np.repeat(who, ORDERS),
        "amount": rng.integers(0, 20, PEOPLE * ORDERS),
        "shop": rng.choice(list("abcd"), PEOPLE * ORDERS),
    }
    items = {"order_id": np.repeat(number, 2), "article": rng.integers(0, 30, 2 * PEOPLE * ORDERS)}
    return pa.table(customers), pa.table(orders), pa.table(items)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    rng, place = np.random.default_rng(3), tmp_path_factory.mktemp("shop")
    made = {side: shop(rng, first) for side, first in zip(SIDES, (9000, 0, 5000), strict=True)}
    for side, tables in made.items():
        for name, table in zip(("customers", "orders", "items"), tables, strict=True):
            pq.write_table(table, place / f"{side}_{name}.parquet")
    return place


def asked(folder, **more):
    paths = {
        name: [str(folder / f"{side}_{name}.parquet") for side in SIDES] for name in ("customers", "orders", "items")
    }
    call = dict(zip(SIDES, paths["customers"], strict=True))
    return call | {"children": {"orders": [*paths["orders"], "customer"]}, **more}, paths


def columns_of(shared, **given):
    """The columns that split_check compares, by part."""
    found = {}
    for row in shared.split_check(given["train"], given["holdout"], given["synthetic"], **{
        name: value for name, value in given.items() if name not in SIDES
    }):  # fmt: skip
        if row["column_name"] is not None:
            found.setdefault(row["part"], set()).add(row["column_name"])
    return found


@pytest.mark.nightly
def test_a_number_of_orders_is_left_out_and_so_are_its_aggregates(shared, folder):
    given, _ = asked(folder)
    with pytest.warns(SynthprivWarning, match="order_id.* names the rows of orders"):
        found = columns_of(shared, **given)
    together = {"orders_rows", "orders_amount_min", "orders_amount_max", "orders_amount_mean", "orders_shop_most"}
    assert found["orders, together"] == {*together, "orders_shop_distinct"}
    assert not [name for columns in found.values() for name in columns if "order_id" in name]
    with warnings.catch_warnings():
        warnings.simplefilter("error", SynthprivWarning)
        found = columns_of(shared, **given, exclude=["order_id", "shop"])
    assert found["orders, together"] == {name for name in together if "shop" not in name}
    assert found["orders"] == {"amount"}


@pytest.mark.nightly
def test_roles_and_weights_reach_aggregates(shared, folder):
    given, _ = asked(folder, exclude=["order_id"])
    found = columns_of(shared, **given, categorical=["amount"])
    assert {"orders_amount_most", "orders_amount_distinct"} < found["orders, together"]
    assert "orders_amount_mean" not in found["orders, together"]
    tables = [given.pop(side) for side in ("train", "holdout", "synthetic")]
    options = {**given, "attack": "distance"}
    plain, weighed = (
        {row["part"]: row["auc"] for row in shared.membership(tables[2], *tables[:2], **options, **more)}
        for more in ({}, {"weights": {"amount": 50.0}})
    )
    assert plain["parents"] == weighed["parents"]
    assert plain["orders, together"] != weighed["orders, together"]


@pytest.mark.slow
def test_the_statement_of_sql_leaves_out_the_same(shared, folder):
    given, _ = asked(folder)
    tables = ", ".join(f"'{given[side]}'" for side in ("train", "holdout", "synthetic"))
    children = ", ".join(f"'{part}'" for part in given["children"]["orders"])
    sql = f"FROM synthpriv.split_check({tables}, children := {{'orders': [{children}]}})"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = shared.connection.sql(f"SELECT part, column_name FROM ({sql})").fetchall()
    assert {name for part, name in rows if part == "orders, together"} >= {"orders_amount_min", "orders_rows"}
    assert not [name for _, name in rows if name and "order_id" in name]


@pytest.mark.slow
def test_children_have_children(shared, folder):
    given, paths = asked(folder)
    given["children"]["items"] = [*paths["items"], "orders.order_id"]
    found = columns_of(shared, **given)
    assert list(found) == ["parents", "orders, together", "parents and orders", "orders"]
    assert {"orders_items_rows_mean", "orders_items_article_mean_mean"} < found["orders, together"]
    assert {"items_rows", "items_article_min", "amount", "shop"} == {
        name for name in found["orders"] if not name.endswith(("_max", "_mean"))
    }
    with pytest.raises(OptionError, match="among its own parents"):
        related({"a": Child({}, "b.k"), "b": Child({}, "a.k")})


@pytest.mark.nightly
def test_on_the_command_line(folder):
    _, paths = asked(folder)
    queries = [f"(SELECT customer, amount FROM '{path}' WHERE shop IN ('a', 'b'))" for path in paths["orders"]]
    tables = [f"--{side}={path}" for side, path in zip(SIDES, paths["customers"], strict=True)]
    code, out, errors = cli("split_check", *tables, f"--children=orders={','.join(queries)},customer", "--format=csv")
    assert code == 0, errors
    assert "orders_amount_mean" in out
    assert "shop" not in out
    for text, parts in {
        "v=a.csv,b.csv,,key": ["a.csv", "b.csv", None, "key"],
        'v="a,b.csv",c,d,"the ""key"""': ["a,b.csv", "c", "d", 'the "key"'],
        "v=(SELECT a, f(b, ')') FROM \"x,y\"),(FROM t),(FROM u),k": [
            "(SELECT a, f(b, ')') FROM \"x,y\")",
            "(FROM t)",
            "(FROM u)",
            "k",
        ],
    }.items():
        assert family(text) == ("v", parts)
    with pytest.raises(ValueError, match="v=a,b"):
        family("v=a,b")


def test_the_key_of_parents_is_no_column_of_children_beside_them(shared, folder):
    given, _ = asked(folder, exclude=["order_id"])
    rows = shared.fidelity(given.pop("synthetic"), given.pop("train"), given.pop("holdout"), **given)
    columns = {name for row in rows if row["part"] == "orders with parents" for name in row["columns"] or []}
    assert columns == {"amount", "shop", "age", "has_customer"}
