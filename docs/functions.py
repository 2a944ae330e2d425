"""Writes the pages of the functions, from the headers of the files in sql/, whenever mkdocs builds the site.

A hook of mkdocs: `on_config` puts them and the decisions into the navigation, `on_files` makes them. Tracked pages link
to the files themselves, which are there in a checkout as well; `on_page_markdown` leads these links to the pages. Run
as a program (`make methods`), it writes docs/functions.md, the list of all functions, and the table of the engines.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlglot import exp

from synthpriv_sql.engines.duckdb.engine import DuckDB
from synthpriv_sql.engines.postgres.engine import Postgres
from synthpriv_sql.engines.spark.engine import Spark
from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.catalog import Function, Parameter

ENGINES = (DuckDB, Postgres, Spark)
ABILITIES = {"objects": "data frames and Arrow as tables", "files": "files as tables"}

TYPES = {
    "relation": "table",
    "name": "column",
    "names": "list of columns",
    "numbers": "number or list",
    "weights": "{column: weight}",
}


def on_config(config: Any) -> Any:
    """Put the functions, by family, and the decisions into the navigation."""
    functions: list[dict[str, Any]] = [
        {title: [{f.name: f"functions/{f.name}.md"} for f in catalog.functions().values() if f.family == family]}
        for family, title in catalog.families().items()
    ]
    functions.insert(0, {"All functions": INDEX.name})
    functions.append({"Shared options": "functions/options.md"})
    functions.append({"Python": "functions/api.md"})
    definitions = next(i for i, entry in enumerate(config["nav"]) if "metrics.md" in entry.values())
    config["nav"].insert(definitions + 1, {"Functions": functions})
    decisions = sorted(Path(config["docs_dir"], "decisions").glob("*.md"))
    built = config["nav"][-1]["How it is built"]
    built[-1] = {"Decisions": [f"decisions/{path.name}" for path in decisions]}
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages."""
    from mkdocs.structure.files import File

    for name, text in pages().items():
        files.append(File.generated(config, f"functions/{name}.md", content=text))
    return files


_SOURCE = re.compile(
    r"\]\(\.\./((?:\.\./)*)(?:sql/\w+/(\w+)\.sql|sql/(options)\.toml|synthpriv_sql/(api)/methods\.pyi)"
)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Lead links to files of sql/ to their pages."""
    return _SOURCE.sub(lambda found: f"]({found[1]}functions/{found[2] or found[3] or found[4]}.md", markdown)


INDEX = Path(__file__).parent / "functions.md"


def index() -> str:
    """The list of all functions: those that most people need, then the others by family."""
    functions = catalog.functions()
    first = catalog.first()
    parts = [
        "# All functions",
        "Each name leads to its page on the site that `make docs` builds, and in a checkout to its file, whose header\n"
        "has its parameters and columns. Every function takes `group_by`, to measure [each region, month or\n"
        "tenant](tasks/groups.md) separately. `make methods` writes this page.",
        "## What most people need",
        listed([(name, functions[name].summary if name in functions else REPORT) for name in first]),
    ]
    for family, title in catalog.families().items():
        members = [(f.name, f.summary) for f in functions.values() if f.family == family and f.name not in first]
        parts += [f"## {title}", listed(members)] if members else []
    return "\n\n".join(parts) + "\n"


REPORT = (
    "The verdict, its evidence and charts as one HTML page that works offline, and [a decision page to "
    "sign](tasks/decision.md): `synthpriv report` and `session.report`."
)


def listed(functions: list[tuple[str, str]]) -> str:
    """A table of functions."""
    known = catalog.functions()
    names = [
        f"[{name}](../sql/{known[name].family}/{name}.sql)" if name in known else f"`{name}`" for name, _ in functions
    ]
    rows = [f"| {name} | {cell(said)} |" for name, (_, said) in zip(names, functions, strict=True)]
    return "\n".join(["| | |", "| --- | --- |", *rows])


def pages() -> dict[str, str]:
    """Every page by name."""
    functions = catalog.functions()
    written = {name: page(function) for name, function in functions.items()}
    parts = ["# Shared options", "Several functions have these options, and they mean the same in all of them."]
    for group in catalog.groups().values():
        users = ", ".join(f"[{f.name}]({f.name}.md)" for f in functions.values() if group.name in groups(f))
        parts += [f"## {group.name}", f"{group.about} Taken by {users}.", parameters(list(group.options))]
    parts += ["[What the numbers mean](../metrics.md#distances) defines the distances, and how what is missing counts."]
    written["options"] = "\n\n".join(parts) + "\n"
    written["api"] = runpy.run_path(str(Path(__file__).parent / "api.py"))["page"]()
    return written


def page(function: Function) -> str:
    """The page of one function."""
    own = [p for p in function.parameters.values() if not p.group]
    parts = [f"# {function.name}", function.summary]
    parts += ["```sql\n" + in_sql(function, own) + "\n```"]
    parts += ["```python\n" + in_python(function, own) + "\n```"]
    parts += ["```sh\n" + in_a_shell(function, own) + "\n```"]
    parts += ["## What it takes", parameters(own)]
    if groups(function):
        parts += ["And the shared options:\n\n" + "\n".join(f"- {line}" for line in taken(function))]
    rows = [f"| `{name}` | {cell(doc)} |" for name, doc in function.columns.items()]
    before = {
        "own": "The table's own columns.",
        "quasi_identifiers": "The quasi-identifiers, and:",
        "flattened": "The columns of parents, `rows` (BIGINT, how many children there are), and of each column c of "
        "children: of numbers and times `c_min`, `c_max` (in the type of c) and `c_mean` (DOUBLE; times in theirs), of "
        "others `c_most` (the most frequent value, of several the first in text order) and `c_distinct` (BIGINT); "
        "with `order` also `c_first` and `c_last`, of equal times by all columns. NULL where a parent has no children; "
        "`rows` is 0 there. A name that parents have already gets a number, as `rows_1`.",
        "components": "`component_1` and so on (DOUBLE), and:",
    }
    parts += ["## What it gives", *filter(None, [before.get(function.columns_of)])]
    parts += ["\n".join(["| column | |", "| --- | --- |", *rows])] if rows else []
    if function.keys:
        parts += ["With `key`, the keys of the records stand beside their numbers."]
    parts += ["## Source", function.source] if function.source else []
    file = function.path.read_text(encoding="utf-8").strip()
    parts += [f"## The file sql/{function.family}/{function.name}.sql", f"```sql\n{file}\n```"]
    return "\n\n".join(parts) + "\n"


def groups(function: Function) -> list[str]:
    """The groups that a function takes options of."""
    return list(dict.fromkeys(p.group for p in function.parameters.values() if p.group))


def taken(function: Function) -> Iterator[str]:
    """The shared options of a function, a line a group: their names, and where its default is its own."""
    for group in groups(function):
        usual = {p.name: p.default for p in catalog.groups()[group].options}
        named = [
            f"`{p.name}`" + ("" if p.default == usual[p.name] else f" (here `{p.default}`)")
            for p in function.parameters.values()
            if p.group == group
        ]
        yield f"[{group}](options.md#{group}): {', '.join(named)}"


ENGINES_PAGE = Path(__file__).parent / "engines" / "index.md"
_DECLARED = re.compile(r"(<!-- what the engines declare[^\n]*-->\n).*(<!-- end -->)", re.DOTALL)


def engines_page() -> str:
    """The page of the engines, with the table as it is now."""
    text = ENGINES_PAGE.read_text(encoding="utf-8")
    return _DECLARED.sub(lambda found: f"{found[1]}{engines()}{found[2]}", text)


def engines() -> str:
    """What runs where, as the engines declare it: a table of Markdown."""
    counted, searched = [], []
    for function in catalog.functions().values():
        (searched if kernel(function) else counted).append(f"`{function.name}`")
    rows = [
        ["", *(engine.name for engine in ENGINES)],
        ["---"] * (len(ENGINES) + 1),
        [", ".join(counted), *(f"in {engine.name}" for engine in ENGINES)],
        [f"neighbors, forests and axes: {', '.join(searched)}", *(engine.kernel for engine in ENGINES)],
    ]
    lacking = [
        (words, {e.dialect: e.lacks[what] for e in ENGINES if what in e.lacks}) for what, words in ABILITIES.items()
    ]
    lacking += [(f"`{function.name}`", function.not_on) for function in catalog.functions().values() if function.not_on]
    for words, reasons in lacking:
        rows.append([words, *(f"no: {reasons[e.dialect]}" if e.dialect in reasons else "yes" for e in ENGINES)])
    return "\n".join(f"| {' | '.join(map(cell, row))} |" for row in rows) + "\n"


def kernel(function: Function) -> bool:
    """Whether a function, or one that it calls, calls the kernel."""
    waiting, seen = [function.name], set()
    while waiting:
        name = waiting.pop()
        called = catalog.part(name)
        if name == "synthpriv_page":  # what the kernel and its like take
            return True
        if called is not None and name not in seen:
            seen.add(name)
            waiting += [call.name for call in called.tree.find_all(exp.Anonymous)]
    return False


def parameters(given: list[Parameter]) -> str:
    """A table of parameters."""
    rows = ["| parameter | type | default | |", "| --- | --- | --- | --- |"]
    for p in given:
        default = "" if p.required else "not given" if p.default is None else f"`{p.default}`"
        more = [", ".join(f"`{choice}`" for choice in p.choices), p.range]
        doc = "; ".join(filter(None, [p.doc.rstrip("."), *more]))
        rows.append(f"| `{p.name}` | {TYPES.get(p.type, p.type)} | {default} | {cell(doc)} |")
    return "\n".join(rows) + "\n"


def cell(text: str) -> str:
    """A text inside a table of Markdown."""
    return text.replace("|", "\\|")


def in_sql(function: Function, own: list[Parameter]) -> str:
    """How it is called in SQL."""
    required = [f"'{p.name}'" if p.type == "relation" else p.name for p in own if p.required]
    return f"FROM synthpriv.{function.name}({', '.join(required)})"


def in_python(function: Function, own: list[Parameter]) -> str:
    """How it is called in Python."""
    required = [f'"{p.name}"' if p.type == "relation" else p.name for p in own if p.required]
    return f"session.{function.name}({', '.join(required)})"


def in_a_shell(function: Function, own: list[Parameter]) -> str:
    """How it is called in a shell."""
    required = [f"--{p.name.replace('_', '-')} {p.name.upper()}" for p in own if p.required]
    return " ".join(["synthpriv", function.name, *required])


if __name__ == "__main__":
    ENGINES_PAGE.write_text(engines_page(), encoding="utf-8")
    INDEX.write_text(index(), encoding="utf-8")
