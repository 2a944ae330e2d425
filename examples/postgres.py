"""Evaluates tables where they are, in PostgreSQL: python examples/postgres.py.

The server is set by the environment variables of libpq: PGHOST, PGPORT, PGDATABASE, PGUSER, and PGPASSWORD or
~/.pgpass.
The tables are those of `synthpriv demo`, copied there; the result is written to the schema `reviewed`.
"""

import synthpriv_sql

REAL = {"train": "customers_train", "holdout": "customers_holdout", "key": "customer_id"}

with synthpriv_sql.connect("postgresql://") as session:
    # Counts and joins run in PostgreSQL; "require" raises an error if rows would have to leave it.
    copies = session.copies("synthetic_leaky", "customers_train", key="customer_id", pushdown="require")
    print(
        f"{sum(count > 0 for count in copies.to_arrow()['copies'].to_pylist())} copies, {copies.moved.rows} rows left"
    )

    # For neighbors, the compared columns leave the database as Arrow; each result says how many rows.
    for table in ("synthetic_careful", "synthetic_leaky"):
        result = session.holdout_share(table, **REAL)
        share, *_ = result.to_arrow().to_pylist()
        print(f"{table}: {share['share']:.0%} closer to train than to the holdout, {result.moved.rows} rows left")

    # What is left without copies is written back, with the column types of the original table.
    session.safe("synthetic_leaky", **REAL, copies_only=True).to_table("reviewed.customers", replace=True)
