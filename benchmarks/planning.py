"""The overhead of a call in CPU seconds: small tables of the same columns, and many groups."""

import time
from functools import partial

import synthpriv_sql

_COLUMNS = """
i * {step} % 29 AS age, (i * {step} % 291) / 7.0 AS income, 'c' || (i * {step} % 7) AS city,
'o' || (i * {step} % 13) AS job,
DATE '2024-01-31' + (i * {step} % 100)::INT AS day, i * {step} % 2 = 1 AS flag, i * {step} % 17 AS years
"""
SIDES = {"synthetic": 5, "train": 7, "holdout": 11}


def _create(session, rows, more="", suffix=""):
    for name, step in SIDES.items():
        columns = _COLUMNS.format(step=step)
        session.connection.execute(
            f"CREATE OR REPLACE TABLE {name}{suffix} AS SELECT {columns}{more} FROM range({rows}) AS r(i)"
        )
    return [name + suffix for name in SIDES]


def _in_sql(name, tables, options):
    given = ", ".join([*map(repr, tables), *(f"{option} := {value}" for option, value in options.items())])
    return f"FROM synthpriv.{name}({given})"


def _cpu(run):
    begin = time.process_time()
    run()
    return time.process_time() - begin


def measured(quick):
    """Yield names and lists of CPU seconds, of a single call or of several calls together."""
    tables, groups, times = (100, 50, 2) if quick else (1_000, 500, 5)
    with synthpriv_sql.connect() as session:
        of = _create(session, 200)
        session.dcr(*of[:2])  # compiled
        session.evaluate(*of)
        for name, given in (("dcr", 2), ("evaluate", 3)):
            # No two calls have the same options, so that no plan is cached.
            tables_of = dict(zip(SIDES, of[:given], strict=False))
            runs = [_cpu(partial(session.sql, name, **tables_of, weights={"age": 2 + at})) for at in range(times)]
            yield f"plan and text of {name}", runs
        for name, given in (("dcr", ("synthetic", "train")), ("discernibility", ("data",)), ("evaluate", tuple(SIDES))):
            more = {"quasi_identifiers": ["age", "city"]} if name == "discernibility" else {}
            runs = []
            for time_ in range(times + 1):
                made = _create(session, 200, suffix=f"_again_{name}_{time_}")
                call = partial(session.call, name, **dict(zip(given, made, strict=False)), **more)
                runs.append(_cpu(call))
            yield f"{name} of 200 rows, other tables of the same columns", runs[1:]
            session.connection.execute(f"CREATE VIEW view_of_{name} AS {_in_sql(name, made[: len(given)], more)}")
            view = partial(session.connection.execute, f"CREATE OR REPLACE TABLE rows AS FROM view_of_{name}")
            yield f"a view of the same {name}, run again", [_cpu(view) for _ in range(times + 1)][1:]
        for name in ("holdout_share", "evaluate"):
            runs = []
            for time_ in range(1 + times):
                made = _create(session, 200, suffix=f"_loop_{name}_{time_}")
                runs.append(_cpu(partial(session.call, name, **dict(zip(SIDES, made, strict=True)))))
            yield f"{name} of 200 rows in a loop", runs[1:]
        small = [_create(session, 10, suffix=f"_{i}") for i in range(tables)]
        yield f"dcr of {tables:,} small tables", [_cpu(lambda: [session.dcr(*one[:2]) for one in small])]
        _create(session, 50 * groups, f", i % {groups} AS tenant")
        yield f"dcr of {groups} groups", [_cpu(lambda: session.dcr(*of[:2], group_by="tenant"))]
        yield f"holdout_share of {groups} groups", [_cpu(lambda: session.holdout_share(*of, group_by="tenant"))]
        _create(session, 1_500, ", i % 12 AS tenant")
        yield "evaluate of 1,500 rows", [_cpu(lambda: session.evaluate(*of, exclude=["tenant"]))]
        yield "evaluate of 125 rows", [_cpu(lambda: session.evaluate(*_create(session, 125, suffix="_one")))]
        yield "evaluate of 1,500 rows in 12 groups", [_cpu(lambda: session.evaluate(*of, group_by="tenant"))]
