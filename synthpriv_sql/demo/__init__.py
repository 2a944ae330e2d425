"""The demo: random customers, a careful synthetic table and two that leak, the numbers that differ, and a way out."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import duckdb
from rich.console import Console
from rich.table import Table

from synthpriv_sql.api.opening import connect
from synthpriv_sql.learned import ahead
from synthpriv_sql.results.display import cell

SPLICED = "synthetic_spliced"
SYNTHETIC = ("synthetic_careful", "synthetic_leaky", SPLICED)
TRAIN = "customers_train"
HOLDOUT = "customers_holdout"
KEY = "customer_id"
ATTACKS = ("distance", "agreement")

Row = dict[str, Any]


def create(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the five tables of the demo in the connection's current schema: all of them, or none.

    Parameters
    ----------
    connection
        An open connection without a running transaction.

    Raises
    ------
    duckdb.CatalogException
        A table with one of the names already exists; it is not changed.
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
    """Create the tables, print the numbers that distinguish the three synthetic ones, and a way out for the third.

    Parameters
    ----------
    console
        Where to print.
    database
        A DuckDB file for the tables; in memory, they are lost at the end.
    """
    begun = "Creating the tables and measuring (the first run also compiles)"
    ahead.expect()
    with connect(database) as session, console.status(begun) as status:
        create(session.connection)
        dcr = _per_comparison(_measure(session.dcr_summary, holdout=HOLDOUT))
        nndr = _per_comparison(_measure(session.nndr_summary, holdout=HOLDOUT))
        comparison = _measure(session.comparison, holdout=HOLDOUT)
        shares = _measure(session.holdout_share, holdout=HOLDOUT)
        copies = _measure(session.copies)
        attacks = _measure(session.membership, holdout=HOLDOUT, attack=ATTACKS, false_positive_rates=[0.01])
        exposure = _measure(session.exposure, holdout=HOLDOUT)
        status.update(f"Searching for the least change after which {SPLICED} may be released")
        remedied = session.remedy(SPLICED, TRAIN, HOLDOUT, key=KEY)

    distribution = ("p05", "median", "mean", "share_zero")
    _print(console, "How close is the closest real record? (DCR: 0 is the same record)", dcr, *distribution)
    _print(console, "Is it much closer than the second closest? (NNDR: 1 is no, 0 is a copy)", nndr, *distribution)
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
        *("depth", "n", "share", "expected", "lower", "upper", "p_value"),
    )
    _print(
        console,
        "Can an attacker infer who was in the training data? (AUC: 0.5 is guessing; found at 1 error in 100)",
        attacks,
        *("attack", "auc", "auc_lower", "auc_upper", "true_positive_rate"),
    )
    for share in (row for row in shares if row["depth"] == "all"):
        copied = sum(row["copies"] > 0 for row in copies if row["table"] == share["table"])
        exposed = [row["exposed"] for row in exposure if row["table"] == share["table"]]
        console.print(_summary(share, copied, sum(exposed), len(exposed)))
    console.print("The command evaluate combines these numbers for each table: its first line is the verdict.")
    console.print("Such numbers can show that a table leaks, but never that it does not (arXiv 2505.01524).")
    console.print(f"A way out for {SPLICED}, as the command remedy finds it:", *remedied.sentences, sep="\n")


def _measure(function: Callable[..., Any], **options: Any) -> list[Row]:
    """Call a function for all synthetic tables, and add the column `table`."""
    return [
        {"table": table, **row}
        for table in SYNTHETIC
        for row in function(table, TRAIN, key=KEY, **options).to_arrow().to_pylist()
    ]


def _per_comparison(rows: list[Row]) -> list[Row]:
    """Rows of a summary: the synthetic tables, then once the baselines, which are the same for all."""
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


def _summary(share: Row, copied: int, exposed: int, people: int) -> str:
    """One sentence with the numbers of a synthetic table."""
    return (
        f"{share['table']}: {copied:,} of {share['n']:,} records are exact copies of real people, "
        f"{share['share']:.0%} lie closer to people whom the synthesizer saw than to others of their kind "
        f"({share['expected']:.0%} expected), and {exposed:,} of {people:,} people can be identified as members of the "
        "training data."
    )
