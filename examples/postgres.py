"""Evaluates tables where they are, in PostgreSQL: python examples/postgres.py.

Where the server is say libpq's own variables: PGHOST, PGPORT, PGDATABASE, PGUSER, and PGPASSWORD or ~/.pgpass.
The tables are those of `synthpriv demo`, copied there; the schema `reviewed` is there to be written to.
"""

import synthpriv_sql

REAL = {"train": "customers_train", "holdout": "customers_holdout", "key": "customer_id"}

with synthpriv_sql.connect("postgresql://") as session:
    # Counts and joins run in PostgreSQL, and "require" makes sure of it.
    copies = session.copies("synthetic_leaky", "customers_train", key="customer_id", pushdown="require")
    print(
        f"{sum(count > 0 for count in copies.to_arrow()['copies'].to_pylist())} copies, {copies.moved.rows} rows left"
    )

    # For neighbors the compared columns leave, as Arrow, and each result says how much that was.
    for table in ("synthetic_careful", "synthetic_leaky"):
        result = session.holdout_share(table, **REAL)
        share, *_ = result.to_arrow().to_pylist()
        print(f"{table}: {share['share']:.0%} closer to train than to the holdout, {result.moved.rows} rows left")

    # What may be given away goes back, in the types of the table that it is from.
    session.safe("synthetic_leaky", **REAL).to_table("reviewed.customers", replace=True)
