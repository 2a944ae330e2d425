"""The demo: real customers, a careful synthetic table and one that leaks, drawn in SQL and told apart."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import duckdb
from rich.console import Console
from rich.table import Table

from synthpriv_sql.opening import connect
from synthpriv_sql.results.display import cell

SYNTHETIC = ("synthetic_careful", "synthetic_leaky")
TRAIN = "customers_train"
HOLDOUT = "customers_holdout"
KEY = "customer_id"

Row = dict[str, Any]


def create(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the four tables of the demo in the connection's current schema: all of them, or none.

    Parameters
    ----------
    connection
        An open connection that is in no transaction.

    Raises
    ------
    duckdb.CatalogException
        Where a table of one of the names is there already; it stays as it was.
    """
    folder = files(__package__)
    connection.begin()
    try:
        for name in ("population.sql", "tables.sql"):
            connection.execute(folder.joinpath(name).read_text(encoding="utf-8"))
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def run(console: Console, database: str = ":memory:") -> None:
    """Create the tables, evaluate both synthetic ones, and print what tells them apart.

    Parameters
    ----------
    console
        Where to print.
    database
        A DuckDB file that keeps the tables; in memory, they are gone at the end.
    """
    status = "Drawing the tables and measuring (the first time compiles as well)"
    with connect(database) as session, console.status(status):
        create(session.connection)
        dcr = _per_comparison(_measure(session.dcr_summary, holdout=HOLDOUT))
        nndr = _per_comparison(_measure(session.nndr_summary, holdout=HOLDOUT))
        comparison = _measure(session.comparison, holdout=HOLDOUT)
        shares = _measure(session.holdout_share, holdout=HOLDOUT)
        copies = _measure(session.copies)

    distribution = ("p05", "median", "mean", "share_zero")
    _print(console, "How near is the closest real record? (DCR: 0 is the same record)", dcr, *distribution)
    _print(console, "Is it much nearer than the second closest? (NNDR: 1 is no, 0 is a copy)", nndr, *distribution)
    _print(
        console,
        "How does that compare with real people whom the synthesizer never saw?",
        comparison,
        *("metric", "difference_percent", "band"),
    )
    _print(
        console,
        "Is the closest real record more often one that the synthesizer saw?",
        shares,
        *("share", "expected", "lower", "upper", "p_value"),
    )
    for share in shares:
        counts = [row["copies"] for row in copies if row["table"] == share["table"]]
        console.print(_verdict(share, copied=sum(count > 0 for count in counts)))
    console.print("Such numbers screen for copies and near-copies; they do not prove privacy (arXiv 2505.01524).")


def _measure(function: Callable[..., Any], **options: str) -> list[Row]:
    """Call a function for both synthetic tables; `table` in a row says for which."""
    return [
        {"table": table, **row}
        for table in SYNTHETIC
        for row in function(table, TRAIN, key=KEY, **options).to_arrow().to_pylist()
    ]


def _per_comparison(rows: list[Row]) -> list[Row]:
    """Rows of a summary: the synthetic tables, then once what they are measured by, which is the same for both."""
    own = [row for row in rows if row["comparison"] == "synthetic_train"]
    return own + [
        {**row, "table": row["comparison"]}
        for row in rows
        if row["table"] == SYNTHETIC[0] and row["comparison"] != "synthetic_train"
    ]


def _print(console: Console, question: str, rows: list[Row], *columns: str) -> None:
    table = Table("", *columns, header_style="bold", show_edge=False, pad_edge=False)
    for row in rows:
        table.add_row(row["table"], *(cell(row[column]) for column in columns))
    console.print(question, table, "", sep="\n")


def _verdict(share: Row, copied: int) -> str:
    """One plain sentence on a synthetic table."""
    leaks = copied > 0 or share["lower"] > share["expected"]
    return (
        f"{share['table']}: {copied:,} of {share['n']:,} records are exact copies of real people, and "
        f"{share['share']:.0%} lie closer to people whom the synthesizer saw than to others of their kind "
        f"({share['expected']:.0%} expected): {'it leaks.' if leaks else 'no sign of a leak.'}"
    )
