"""The names of all numbers of `evaluate`, from the headers of its sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from synthpriv_sql.planner.headers import catalog
from synthpriv_sql.planner.headers.arguments import ALL
from synthpriv_sql.planner.headers.catalog import Parameter

VERDICT = "verdict.level"
"""The name of the verdict in conditions; `evaluate` has it as a row in files only."""
LEVELS = {"good": 0.0, "none": 1.0, "watch": 2.0, "bad": 3.0}
"""Its values, from no sign of a leak to a leak."""


def declared() -> dict[str, list[str]]:
    """Return the declared names of all numbers, by the arguments they need."""
    # As text: importing sqlglot takes too long for shell completion.
    read = catalog.function("evaluate").text
    sections = [f for f in catalog.files() if f.numbers and f"{f.name}(" in read]
    found: dict[str, list[str]] = {}
    for section in sorted(sections, key=lambda f: read.index(f"{f.name}(")):
        for need, names in section.numbers.items():
            found.setdefault(need, []).extend(names)
    return found


def offered(given: Mapping[str, Any], incomplete: str) -> list[str]:
    """Complete the beginning of a condition: metrics, or the numbers of the only matching one."""
    names = [n for listed in declared().values() for n in expanded(listed, given) if "*" not in n and " " not in n]
    left = [name for name in dict.fromkeys([*names, VERDICT]) if name.startswith(incomplete)]
    metrics = dict.fromkeys(name.partition(".")[0] for name in left)
    return left if len(metrics) == 1 else list(metrics)


def expanded(names: Iterable[str], given: Mapping[str, Any]) -> Iterator[str]:
    """Expand names: ``{a,b}`` stands for either, and ``{option}`` for the values of an option."""
    for name in names:
        before, brace, rest = name.partition("{")
        if not brace:
            yield name
            continue
        inside, _, after = rest.partition("}")
        option = catalog.function("evaluate").parameters.get(inside)
        # The names of attacks in a table are only known from its rows.
        own = ["*"] if option and "own" in option.choices and given.get("scores") is not None else []
        for choice in [*_values(option, given.get(inside)), *own] if option else inside.split(","):
            yield from expanded([f"{before}{choice}{after}"], given)


def _values(option: Parameter, value: Any) -> list[str]:
    values = option.default if value is None else value
    if values is None:
        return ["*"]
    listed = values if isinstance(values, (list, tuple)) else [values]
    if ALL in listed and not option.choices:  # the columns of a table, which is not known here
        return ["*"]
    # An option that belongs to a table, such as user-defined attacks, is absent without it.
    return (
        [c for c in option.choices if c != ALL and c not in option.beside]
        if ALL in listed
        else [f"{v}" for v in listed]
    )


def is_given(need: str, given: Mapping[str, Any]) -> bool:
    """Whether arguments of `evaluate` include what a number needs."""
    if need == "no holdout":
        return given.get("holdout") is None
    if " and " in need:
        return all(is_given(one, given) for one in need.split(" and "))
    if need == "releases" and given.get("history") is not None:
        return True  # it names them; of the first release see `gate.of_first_release`
    return need == "always" or given.get(need) not in (None, False)
