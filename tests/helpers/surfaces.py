"""An example of every function, with tables to run it on: what tests of surfaces and engines compare."""

from itertools import takewhile

import pyarrow as pa
import pytest

from synthpriv_sql.planner.headers import catalog

PAIR, TRIO = ("synthetic", "train"), ("synthetic", "train", "holdout")


def example(function):
    """The arguments that the header of a function shows: tables in their order, then options."""
    given = dict(function.example)
    tables = takewhile(lambda p: p.type == "relation" and p.name in given, function.parameters.values())
    return tuple(given.pop(p.name) for p in tables), given


EXAMPLES = {name: example(function) for name, function in catalog.functions().items()}
NAMES = sorted(catalog.functions())
# Groups, scales, one search and several, by distance and by agreement, forests, the user's own columns, several tables.
OF_EVERY_KIND = [
    "anonymity",
    "baseline",
    "candidates",
    "comparison",
    "disclosure",
    "evaluate",
    "exposure",
    "fidelity_summary",
    "linkability",
    "mda",
    "neighbors",
    "nndr_summary",
    "scaling",
    "screen",
]
EACH = [name if name in OF_EVERY_KIND else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]
"""All functions; `make test` asks those that stand for the others."""
# These begin with the user's own columns, or with as many as the call asks for.
OWN_COLUMNS = ("split", "screen", "safe", "equivalence_classes", "baseline", "reduce", "flatten", "remedied")


def people(prefix, cities, numbers):
    return pa.table(
        {
            "id": [f"{prefix}{i}" for i in range(len(cities))],
            "city": list(cities),
            "n": numbers,
            "x": [None if number % 5 == 0 else number**1.5 for number in numbers],
        }
    )


def evaluated(*numbers):
    """A few rows of `evaluate`: metric, variant, value, ends of the interval, direction."""
    names = ("metric", "variant", "value", "lower", "upper", "better")
    types = [pa.string(), pa.string(), *[pa.float64()] * 3, pa.string()]
    columns = [pa.array(values, type_) for values, type_ in zip(zip(*numbers, strict=True), types, strict=True)]
    rows = pa.table(dict(zip(names, columns, strict=True)))
    return rows.append_column("section", rows["metric"]).append_column("statistic", pa.array(["share"] * len(rows)))


TABLES = {
    "evaluated": evaluated(
        ("a", "x", 0.5, 0.4, 0.6, "lower"), ("a", None, 1.0, None, None, "higher"), ("b", "x", 2.0, None, None, None)
    ),
    "evaluated_before": evaluated(
        ("a", "x", 0.3, 0.2, 0.39, "lower"), ("a", None, 0.0, 0.0, 0.1, "higher"), ("c", "x", None, None, None, None)
    ),
    "synthetic": people("s", "ABCABCABC", [1, 2, 3, 4, 6, 8, 11, 13, 20]),
    "train": people("r", "ABBACCABAA", [1, 3, 5, 7, 9, 11, 12, 14, 21, 21]),
    "holdout": people("h", "CBABCABB", [2, 4, 6, 8, 10, 12, 15, 25]),
    "classes": pa.table({"size": [1, 2, 3, 5]}),
    "curve": pa.table({"theta": [0.0, 0.25, 0.5, 0.75, 1.0], "accumulation": [0.0, 0.2, 0.5, 0.8, 1.0]}),
}


def alone(table):
    """What a table of these is called where there are others."""
    return f"example {table}"


def on_tables_alone(function):
    """The arguments that the header of a function shows, with its tables called so."""
    return {k: alone(v) if isinstance(v, str) and v in TABLES else v for k, v in function.example.items()}


def tables_alone(types, used):
    """The tables that are used, called so: columns, with the types given for texts, integers and numbers; and rows."""
    of_arrow = dict(zip((pa.string(), pa.int64(), pa.float64()), types, strict=True))
    return {
        alone(name): ({c.name: of_arrow[c.type] for c in table.schema}, [[*row.values()] for row in table.to_pylist()])
        for name, table in TABLES.items()
        if alone(name) in used
    }


def sides_read(name):
    """The tables of an example whose rows are read: where the limit is given nothing is asked of a holdout."""
    sides, options = EXAMPLES[name]
    return [side for side in sides if side != "holdout" or "dcr_below" not in options]


def by_position(rows):
    """Rows in an order that does not depend on the surface; missing values first."""
    return sorted(rows, key=lambda row: [(value is not None, str(value)) for value in row.values()])


def ask(session, name):
    tables, options = EXAMPLES[name]
    return getattr(session, name)(*tables, **options)


_asked = {}


def python_table(session, name):
    """The rows of an example as Arrow, asked for once."""
    if name not in _asked:
        _asked[name] = ask(session, name).to_arrow()
    return _asked[name]


def python_rows(session, name):
    """The rows of an example, asked for once."""
    return python_table(session, name).to_pylist()
