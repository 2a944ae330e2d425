"""Compares a careful synthetic table with a leaky one: python examples/quickstart.py."""

import synthpriv_sql
from synthpriv_sql import demo

with synthpriv_sql.connect() as session:
    demo.create(session.connection)  # instead of your own tables, files or data frames
    real = {"train": "customers_train", "holdout": "customers_holdout", "key": "customer_id"}

    for table in ("synthetic_careful", "synthetic_leaky"):
        print(table)
        print(session.holdout_share(table, **real))

    screened = session.screen("synthetic_leaky", **real).to_arrow()
    flagged = sum(screened["flagged"].to_pylist())
    print(f"{flagged} of {screened.num_rows} records of synthetic_leaky are copies or too close")

    session.safe("synthetic_leaky", **real, copies_only=True).to_table("cleaned")
    print(session.connection.table("cleaned").aggregate("count(*) AS cleaned").fetchall())
