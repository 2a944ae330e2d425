"""An evaluation as Croissant metadata: the synthetic table with its hash, the verdict, and the numbers."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synthpriv_sql.results.checks.runs import Kept
from synthpriv_sql.version import __version__

if TYPE_CHECKING:
    from synthpriv_sql.results.run import Run

_OF_CROISSANT = (
    "citeAs column equivalentProperty extract field fileProperty fileObject fileSet format includes isLiveDataset "
    "jsonPath key md5 parentField path recordSet references regex repeated replace samplingRate separator source "
    "subField transform"
)
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{name: f"cr:{name}" for name in _OF_CROISSANT.split()},
}
"""The context of Croissant 1.0."""
_SET = "evaluation"
_FIELDS = {
    "number": ("sc:Text", "Its name in conditions of the gate."),
    "value": ("sc:Text", "The number."),
    "lower": ("sc:Text", "The lower end of its 95 % interval."),
    "upper": ("sc:Text", "The upper end."),
    "better": ("sc:Text", "Whether higher or lower means more privacy."),
    "meaning": ("sc:Text", "What the number means."),
}
_KINDS = {".parquet": "application/vnd.apache.parquet", ".csv": "text/csv", ".json": "application/json"}


def croissant(kept: Kept, run: Run | None = None) -> str:
    """Return the metadata of an evaluation and its synthetic table as JSON-LD.

    Only the synthetic table is described and hashed, if it is a file: the real tables are not to be published. Numbers
    are texts, since some are missing.

    Parameters
    ----------
    kept
        The evaluation, with the rows of its verdict.
    run
        Its run, if it was not read from a file.
    """
    table = str((run.tables if run is not None else {}).get("synthetic", "")) or kept.synthetic
    at = run.at if run is not None else kept.at
    said = [row["meaning"] for row in kept.whole if row["section"] == "verdict" and row["statistic"] in _SENTENCES]
    level = kept.of_verdict("level")
    found: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"privacy of {Path(table).name or 'a synthetic table'}",
        "description": f"Evaluated by synthpriv_sql {__version__}: {level and level['meaning']}. {' '.join(said)}",
    }
    if at is not None:
        found["datePublished"] = at.isoformat(timespec="seconds")
    found["distribution"] = list(_files(table))
    found["recordSet"] = [
        {
            "@type": "cr:RecordSet",
            "@id": _SET,
            "name": _SET,
            "description": "The verdict and the numbers of the evaluation.",
            "field": [
                {"@type": "cr:Field", "@id": f"{_SET}/{name}", "name": f"{_SET}/{name}"}
                | {"description": text, "dataType": type_}
                for name, (type_, text) in _FIELDS.items()
            ],
            "data": [
                {f"{_SET}/{name}": value for name, value in _record(row).items()}
                for row in kept.whole
                if row["section"] != "columns"
            ],
        }
    ]
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


_SENTENCES = ("headline", "reason")


def _record(row: Mapping[str, Any]) -> dict[str, str]:
    name = ".".join(part for part in (row["metric"], row["variant"], row["statistic"]) if part)
    ends = {end: _number(row[end]) for end in ("value", "lower", "upper")}
    return {"number": name, **ends, "better": row["better"] or "", "meaning": row["meaning"] or ""}


def _number(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else repr(float(value))


def _files(table: str) -> Iterator[dict[str, str]]:
    """The synthetic table, if it is a file."""
    path = Path(table)
    if not table or not path.is_file():
        return
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    yield {
        "@type": "cr:FileObject",
        "@id": path.name,
        "name": path.name,
        "contentUrl": path.name,
        "encodingFormat": _KINDS.get(path.suffix.lower(), "application/octet-stream"),
        "sha256": digest,
    }
