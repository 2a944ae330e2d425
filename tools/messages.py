"""Updates the catalogs with the messages in the source.

``make messages`` runs it; tests check that the catalogs are up to date. New messages are added to each catalog without
a translation, and obsolete ones are removed. ``python tools/messages.py fr`` starts the catalog of another language.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import sqlglot
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po
from sqlglot import exp

PACKAGE = Path(__file__).parent.parent / "synthpriv_sql"
CATALOGS = PACKAGE / "language" / "catalogs"
KEYWORDS: dict[str, Any] = {"_": None, "N_": None, "plural": (1, 2), "gettext": None, "ngettext": (1, 2)}
READERS: dict[str, tuple[str, dict[str, Any]]] = {
    "*.py": ("python", {}),
    "*.j2": ("jinja2.ext:babel_extract", {"trimmed": "true", "silent": "false", "newstyle_gettext": "true"}),
}


def sources() -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """Yield the files that may contain messages, with the extractor for each."""
    for pattern, (reader, options) in READERS.items():
        for path in sorted(PACKAGE.rglob(pattern)):
            yield path, reader, options


def sentences(tree: exp.Expression) -> Iterator[str]:
    """Yield the sentences in a statement, with placeholders for inserted values."""
    for node in tree.find_all(exp.DPipe, exp.Literal):
        if isinstance(node.parent, exp.DPipe) or (isinstance(node, exp.Literal) and not node.is_string):
            continue
        if node.find_ancestor(exp.DPipe) is None:
            yield from (text for text in texts_of(node) if len(re.sub(r"\{\w+\}", "", text).split()) > 1)


def texts_of(node: exp.Expression) -> list[str]:
    """Return the possible texts of an expression: one for each branch of a CASE."""
    if isinstance(node, exp.Literal):
        return [str(node.this)]
    if isinstance(node, exp.DPipe):
        return [before + after for before in texts_of(node.left) for after in texts_of(node.right)]
    if isinstance(node, exp.Case):
        branches = [*(when.args["true"] for when in node.args["ifs"]), node.args.get("default")]
        return [text for branch in branches if branch is not None for text in texts_of(branch)]
    if isinstance(node, exp.Paren):
        return texts_of(node.this)
    named = next(iter(node.find_all(exp.Column, exp.Parameter, exp.Placeholder)), None)
    return ["{" + (named.name if isinstance(named, exp.Column) else str(named.this) if named else "value") + "}"]


def titles(specification: Any) -> Iterator[str]:
    """Yield the axis titles of a chart."""
    if isinstance(specification, dict):
        if isinstance(specification.get("title"), str):
            yield specification["title"]
        for part in specification.values():
            yield from titles(part)
    elif isinstance(specification, list):
        for part in specification:
            yield from titles(part)


def extracted() -> Catalog:
    """Return the messages in the source, each with the files that contain it."""
    catalog = Catalog()
    for path, reader, options in sources():
        place = str(path.relative_to(PACKAGE))
        found = extract_from_file(reader, path, keywords=KEYWORDS, comment_tags=["Translators:"], options=options)
        for _, message, comments, context in found:
            catalog.add(message, locations=[(place, 0)], auto_comments=comments, context=context)
    for path in sorted(PACKAGE.rglob("*.vl.json")):
        for title in titles(json.loads(path.read_text(encoding="utf-8"))):
            catalog.add(title, locations=[(str(path.relative_to(PACKAGE)), 0)])
    for path in sorted((PACKAGE.parent / "sql" / "evaluation").glob("*.sql")):
        place = str(path.relative_to(PACKAGE.parent))
        if path.name.startswith(("evaluated_", "split_check")):
            for text in sentences(sqlglot.parse_one(path.read_text(encoding="utf-8"), dialect="duckdb")):
                catalog.add(text, locations=[(place, 0)])
    return catalog


def updated(path: Path) -> str:
    """Return the text of a catalog with the current messages."""
    language = path.stem
    catalog = Catalog(language, project="synthpriv_sql")
    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, locale=language)
    catalog.update(extracted(), no_fuzzy_matching=True)
    written = BytesIO()
    write_po(written, catalog, width=0, sort_output=True, ignore_obsolete=True, include_lineno=False, omit_header=True)
    header = [
        'msgid ""',
        'msgstr ""',
        f'"Language: {language}\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        f'"Plural-Forms: {catalog.plural_forms}\\n"',
    ]
    return "\n".join(header) + "\n\n" + written.getvalue().decode().strip() + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        (CATALOGS / f"{name}.po").touch()
    for each in sorted(CATALOGS.glob("*.po")):
        each.write_text(updated(each), encoding="utf-8")
