"""Evaluates tables of a PostgreSQL server that DuckDB has attached: python examples/attached_postgres.py.

The server is set by the environment variables of libpq: PGHOST, PGPORT, PGDATABASE, PGUSER, and PGPASSWORD or
~/.pgpass.
The tables are those of `synthpriv demo`, copied there.
"""

from importlib import resources

import duckdb

import synthpriv_sql

with synthpriv_sql.connect() as session:
    # The extension as a package (pip install duckdb-extension-postgres-scanner). Without it, use SQL instead:
    # INSTALL postgres; LOAD postgres.
    package = resources.files("duckdb_extension_postgres_scanner")
    session.connection.load_extension(
        str(package / f"extensions/v{duckdb.__version__}/postgres_scanner.duckdb_extension")
    )
    session.connection.execute(
        "SET GLOBAL pg_use_ctid_scan = false"
    )  # all tables of a statement are read from one snapshot
    session.connection.execute("ATTACH '' AS pg (TYPE postgres, READ_ONLY)")

    real = {"train": "pg.public.customers_train", "holdout": "pg.public.customers_holdout", "key": "customer_id"}
    for table in ("synthetic_careful", "synthetic_leaky"):
        share, *_ = session.holdout_share(f"pg.public.{table}", **real).to_arrow().to_pylist()
        print(f"{table}: {share['share']:.0%} of {share['n']} records are closer to train than to the holdout")

    # The same in SQL, into a table in DuckDB.
    session.connection.execute(
        "CREATE TABLE copied AS FROM synthpriv.copies('pg.public.synthetic_leaky', 'pg.public.customers_train', "
        "key := 'customer_id') WHERE copies > 0"
    )
    print(session.connection.table("copied").aggregate("count(*) AS copied").fetchall())
