"""Evaluates Delta and Iceberg tables in place: python examples/delta_iceberg.py FOLDER."""

import os
import sys
from pathlib import Path

import deltalake

import synthpriv_sql
from synthpriv_sql import demo

folder = Path(sys.argv[1]).resolve()
# The configuration of the catalog "lake" for pyiceberg; ~/.pyiceberg.yaml is an alternative.
os.environ["PYICEBERG_CATALOG__LAKE__TYPE"] = "sql"
os.environ["PYICEBERG_CATALOG__LAKE__URI"] = f"sqlite:///{folder}/catalog.db"
os.environ["PYICEBERG_CATALOG__LAKE__WAREHOUSE"] = f"file://{folder}/iceberg"

from pyiceberg.catalog import load_catalog  # noqa: E402

# Instead of your own tables: the real rows of the demo in Iceberg, its synthetic tables as versions of a Delta table.
with synthpriv_sql.connect() as session:
    demo.create(session.connection)
    catalog = load_catalog("lake")
    catalog.create_namespace("shop")
    for name in ("customers_train", "customers_holdout"):
        rows = session.connection.table(name).to_arrow_table()
        catalog.create_table(f"shop.{name}", schema=rows.schema).append(rows)
    for name in ("synthetic_leaky", "synthetic_careful"):
        rows = session.connection.table(name).to_arrow_table()
        deltalake.write_deltalake(folder / "synthetic", rows, mode="overwrite")

real = {
    "train": "iceberg:lake.shop.customers_train",
    "holdout": "iceberg:lake.shop.customers_holdout",
    "key": "customer_id",
}
with synthpriv_sql.connect() as session:
    for version in ("@v0", "@v1", ""):
        share, *_ = session.holdout_share(f"delta:{folder}/synthetic{version}", **real).to_arrow().to_pylist()
        print(
            f"synthetic{version}: {share['share']:.0%} of {share['n']} records are closer to train than to the holdout"
        )

    # Objects of the libraries can be passed as tables.
    leaky = deltalake.DeltaTable(folder / "synthetic", version=0)
    train = catalog.load_table("shop.customers_train")
    copies = session.copies(leaky, train, key="customer_id").to_arrow()["copies"].to_pylist()
    print(f"{sum(count > 0 for count in copies)} of its records in version 0 are copies")

    # And in SQL, on the same connection.
    session.connection.sql(
        f"FROM synthpriv.discernibility('delta:{folder}/synthetic', ['region', 'occupation'], k := 5) "
        "SELECT classes, rows_below_k"
    ).show()
