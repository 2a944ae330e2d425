"""What a user may write, for `mypy --strict`: ``make types`` checks it with the package. It is not run.

What mypy must refuse carries a ``type: ignore`` with its code, and strict mode refuses one that is not needed.
"""

from collections.abc import Mapping, Sequence

import synthpriv_sql
from synthpriv_sql import Result, Session

reveal: Session = synthpriv_sql.connect()
distances: Result = reveal.dcr("synthetic", "train", metric="euclidean", exclude=["id"])
distances = reveal.dcr(train="train", synthetic="synthetic", k=2)  # type: ignore[arg-type]
distances = reveal.dcr("synthetic", "train", metric="cosine")  # type: ignore[arg-type]
distances = reveal.dcr("synthetic")  # type: ignore[call-arg]
distances = reveal.discernibility("people", ["age"], 3)  # type: ignore[arg-type]
wrong: int = reveal.dcr("synthetic", "train")  # type: ignore[assignment]
reveal.dcrr("synthetic", "train")  # type: ignore[attr-defined]
evaluation = reveal.evaluate("synthetic", "train", "holdout", attack=["agreement"], language="de")
level: str = evaluation.verdict.level
level = distances.verdict  # type: ignore[attr-defined]


def nearest(session: Session, tables: Mapping[str, object], columns: Sequence[str]) -> list[str]:
    """Return the columns of a result."""
    return session.neighbors(tables["queries"], tables["reference"], k=2, columns=columns).columns


def judged(session: Session) -> str:
    """Return the verdict of a page."""
    session.report("page.html", "synthetic", "train", nothing=1)  # type: ignore[call-arg]
    return session.report("page.html", "synthetic", "train", k=3).verdict.level
