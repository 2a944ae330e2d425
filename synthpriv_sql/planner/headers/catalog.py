"""The functions, read from the headers of the files in sql/.

A file is one function. Its header, a TOML document in the first comment, says what the function is, what it takes
and what it gives; its body is one SELECT. Files marked ``part = true`` serve other files and are not public.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from synthpriv_sql.errors import OptionError

if TYPE_CHECKING:
    from sqlglot import exp

REQUIRED = object()
"""The default of a parameter that has none."""
_POSITION = ("line", "col", "start", "end")
"""What sqlglot notes of where it read a node."""
_OF_EVERY_FUNCTION = ("groups", "files")
"""The groups of options that every public function with a table has, without saying so."""
_OF_COMPARED_COLUMNS = "types"
"""That of those that compare the columns of their tables."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a function takes.

    ``type`` is one of relation, relations, expression, integer, number, numbers, boolean, text, name, names and
    weights.
    """

    name: str
    type: str
    default: Any = REQUIRED
    doc: str = ""
    choices: tuple[str, ...] = ()
    group: str = ""
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    below: float | None = None
    whole: bool = False
    """Whether numbers must be whole."""
    words: Mapping[str, float] = field(default_factory=dict)
    """Words that may stand in the place of a number, and what stands for them in the statement."""
    needs: tuple[str, ...] = ()
    """The columns that a relation must have."""
    positions: bool = False
    """Whether columns may be given by their places, from 0, as well as by name."""
    counts: bool = False
    """Whether a table may be given in the place of a number: that of its rows."""
    each: bool = False
    """Whether several tables may be given by name, which the function then looks at one by one."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """The relation that must be given beside a choice; beside any value, for the choice ``*``."""

    @property
    def range(self) -> str:
        """The range in words."""
        bounds = {"at least": self.minimum, "at most": self.maximum, "above": self.above, "below": self.below}
        said = ["whole"] if self.whole else []
        return " and ".join(said + [f"{words} {bound:g}" for words, bound in bounds.items() if bound is not None])

    def admits(self, number: float) -> bool:
        """Whether a number is in the range."""
        return (
            (not self.whole or number == int(number))
            and (self.minimum is None or number >= self.minimum)
            and (self.maximum is None or number <= self.maximum)
            and (self.above is None or number > self.above)
            and (self.below is None or number < self.below)
        )

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return self.default is REQUIRED


@dataclass(frozen=True)
class Function:
    """One file of sql/.

    ``columns`` are what it gives (those of another file that the header names as columns_like), after the user's own
    columns of the list ``columns_of``; ``order`` is that of its rows; ``keys`` says whose record numbers its columns
    hold (where of several, ``side`` is the column that says so for each row); ``columns_with`` are those that it gives
    with an option only; ``units`` are the relations that must have
    the column that the option ``unit`` names;
    ``compares`` whether it goes through the columns that its tables share, and ``vectors`` whether these may be of
    vectors; ``groups`` the options that name groups of columns, of which it compares the first, ``vector_groups`` those
    of them that may name vectors, and ``rest`` the one that stands for all others where it is not given;
    ``asks`` the functions that it calls where their groups are given to it;
    ``number`` the column of the one number that it is asked for, where there is one;
    ``weighted_by`` a file whose rows, asked for before, are the weights of the columns.
    ``part`` files serve others;
    ``materialized`` ones are kept (or, if false, never kept) while a statement runs; ``few`` ones give a handful of
    rows however large the tables are, although they group them; a ``warning`` stands before the text of a statement
    that calls it: one for all engines, or one by dialect.
    """

    name: str
    family: str
    summary: str
    source: str
    parameters: Mapping[str, Parameter]
    columns: Mapping[str, str]
    order: tuple[str, ...]
    keys: Mapping[str, tuple[str, ...]]
    columns_with: Mapping[str, str]
    units: tuple[str, ...]
    side: str
    columns_of: str
    compares: bool
    vectors: bool
    groups: tuple[str, ...]
    vector_groups: tuple[str, ...]
    asks: tuple[str, ...]
    rest: str
    number: str
    weighted_by: str
    part: bool
    materialized: bool | None
    few: bool
    widest: str
    warning: str | Mapping[str, str]
    path: Path
    text: str
    numbers: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """What a section of `evaluate` measures, by what has to be given for it: see sql/evaluation/README.md."""
    several: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Where one parameter took several tables: their names by the parameters that stand for them."""
    spread_of: tuple[Function, Parameter] | None = None
    """The function and the parameter that this one was made of, see `synthpriv_sql.planner.calls.several`."""

    @cached_property
    def tree(self) -> exp.Query:
        """The body as a syntax tree; copy it before changing it."""
        import sqlglot  # headers are read without it, when a shell completes a line

        tree = sqlglot.parse_one(self.text, dialect="duckdb")
        if not isinstance(tree, sqlglot.exp.Query):
            raise TypeError(f"{self.path.name}: the body must be one SELECT")
        for node in tree.walk():
            # Where it stood in the file: every copy would carry it, at a third of the cost of copying.
            node._meta = {key: value for key, value in node.meta.items() if key not in _POSITION} or None
        return tree

    @cached_property
    def placeholders(self) -> tuple[str, ...]:
        """The options that the body names."""
        from sqlglot import exp

        return tuple(sorted({placeholder.name for placeholder in self.tree.find_all(exp.Placeholder)}))

    @property
    def relations(self) -> tuple[Parameter, ...]:
        """The parameters that are tables."""
        return tuple(p for p in self.parameters.values() if p.type == "relation")

    @property
    def options(self) -> tuple[Parameter, ...]:
        """The parameters that are values."""
        return tuple(p for p in self.parameters.values() if p.type not in {"relation", "relations", "expression"})

    @property
    def scalar(self) -> bool:
        """Whether it is an expression to be put in place rather than a table."""
        return bool(self.parameters) and all(p.type == "expression" for p in self.parameters.values())


def sql_folder() -> Path:
    """Where the SQL files are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parents[2]
    installed = package / "sql"
    return installed if installed.is_dir() else package.parent / "sql"


@cache
def functions() -> Mapping[str, Function]:
    """All public functions by name."""
    return MappingProxyType({name: f for name, f in _all().items() if not f.part})


def names() -> list[str]:
    """Return the names of all public functions, without reading what headers say beyond that: much faster."""
    return [p.stem for p in _paths() if "\npart = true\n" not in p.read_text(encoding="utf-8").partition("*/")[0]]


def files() -> tuple[Function, ...]:
    """Every file with a header, public or not, and the variants in plain SQL."""
    return (*_all().values(), *_plain().values())


@cache
def families() -> Mapping[str, str]:
    """The families of public functions in the order in which they are listed, with their titles."""
    titles = tomllib.loads((sql_folder() / "families.toml").read_text(encoding="utf-8"))
    present = {f.family: f.family.replace("_", " ").capitalize() for f in functions().values()}
    return MappingProxyType(
        {name: titles.get(name, present[name]) for name in {**titles, **present} if name in present}
    )


@dataclass(frozen=True, slots=True)
class Group:
    """Options that several functions share."""

    name: str
    about: str
    options: tuple[Parameter, ...]


@cache
def groups() -> Mapping[str, Group]:
    """The groups of shared options by name."""
    return MappingProxyType(
        {
            name: Group(name, facts["about"], tuple(p for p in _shared(_groups()).values() if p.group == name))
            for name, facts in _groups().items()
        }
    )


def function(name: str) -> Function:
    """Return a public function.

    Raises
    ------
    OptionError
        There is none of that name.
    """
    found = functions().get(name)
    if found is None:
        raise OptionError(f'there is no function "{name}"; there are: {", ".join(functions())}')
    return found


def part(name: str, plain: bool = False) -> Function | None:
    """Return any function, public or not, by the name that SQL files call it by; or its variant in sql/plain/."""
    return (_plain() if plain else _all()).get(name)


def file(name: str) -> Function:
    """Return a file of ours that is known to be there, public or not."""
    return _all()[name]


@cache
def _all() -> dict[str, Function]:
    return _read_all(_paths())


@cache
def _plain() -> dict[str, Function]:
    return _read_all(sorted((sql_folder() / "plain").glob("*.sql")))


def _read_all(paths: Iterable[Path]) -> dict[str, Function]:
    return {path.stem: _read(path, _groups()) for path in paths}


def _paths() -> list[Path]:
    """The files of functions and of parts, but for the variants in plain SQL."""
    return [p for p in sorted(sql_folder().glob("*/*.sql")) if p.parent.name not in {"plain", "statements"}]


@cache
def _groups() -> Mapping[str, Any]:
    return tomllib.loads((sql_folder() / "options.toml").read_text(encoding="utf-8"))


def _read(path: Path, groups: Mapping[str, Any]) -> Function:
    opening, _, rest = path.read_text(encoding="utf-8").partition("/*")
    header, closing, body = rest.partition("*/")
    if opening.strip() or not closing:
        raise ValueError(f"{path.name}: a file of sql/ starts with its header, a TOML document in /* */")
    facts = tomllib.loads(header)
    if "columns_like" in facts:
        facts["columns"] = _read(path.with_stem(facts["columns_like"]), groups).columns
    parameters = _parameters(path, facts, groups)
    return Function(
        name=path.stem,
        family=path.parent.name,
        summary=facts["summary"],
        source=facts.get("source", ""),
        parameters=MappingProxyType(parameters),
        columns=MappingProxyType(facts.get("columns", {})),
        order=tuple(facts.get("order", [])),
        keys=MappingProxyType({c: (k,) if isinstance(k, str) else tuple(k) for c, k in facts.get("keys", {}).items()}),
        columns_with=MappingProxyType(facts.get("columns_with", {})),
        units=tuple(facts.get("units", [])),
        side=facts.get("side", ""),
        columns_of=facts.get("columns_of", ""),
        compares=_compares(facts),
        vectors=facts.get("vectors", "vectors" in parameters),
        groups=tuple(facts.get("groups", [])),
        vector_groups=tuple(facts.get("vector_groups", [])),
        asks=tuple(facts.get("asks", [])),
        rest=facts.get("rest", ""),
        number=facts.get("number", ""),
        weighted_by=facts.get("weighted_by", ""),
        part=facts.get("part", False),
        materialized=facts.get("materialized"),
        few=facts.get("few", False),
        widest=facts.get("widest", ""),
        warning=facts.get("warning", ""),
        path=path,
        text=body.strip(),
        numbers=MappingProxyType({needs: tuple(names) for needs, names in facts.get("numbers", {}).items()}),
    )


def _compares(facts: Mapping[str, Any]) -> bool:
    """Whether a file compares the columns that its tables share."""
    return bool(facts.get("compares", "distance" in facts.get("options", [])))


def _parameters(path: Path, facts: Mapping[str, Any], groups: Mapping[str, Any]) -> dict[str, Parameter]:
    """The parameters of a file: its own, then those that it shares with others."""
    shared = _shared(groups)
    own = facts.get("parameters", {})
    for name, fact in own.items():
        if name in shared and fact["type"] != "expression" and not fact.get("own"):
            raise ValueError(
                f'{path.name}: "{name}" is a shared option: name its group under options, or say that it is own'
            )
    parameters = {name: _parameter(name, fact) for name, fact in own.items()}
    for wanted in facts.get("options", []):
        taken = {name: p for name, p in shared.items() if wanted in {p.group, f"{p.group}.{name}"}}
        if not taken:
            raise ValueError(f'{path.name}: there is no group or option "{wanted}" in options.toml')
        parameters |= taken
    if not facts.get("part") and any(p.counts for p in parameters.values()):
        parameters |= {name: p for name, p in shared.items() if p.group == "files"}
    if not facts.get("part") and any(p.type in {"relation", "relations"} for p in parameters.values()):
        parameters |= {name: p for name, p in shared.items() if p.group in _OF_EVERY_FUNCTION}
        if _compares(facts) or facts.get("groups"):
            parameters |= {name: p for name, p in shared.items() if p.group == _OF_COMPARED_COLUMNS}
    for name in facts.get("required", []):
        parameters[name] = replace(parameters[name], default=REQUIRED)
    for name, default in facts.get("defaults", {}).items():
        if name not in parameters or not parameters[name].group:
            raise ValueError(f'{path.name}: a default for "{name}", which is no shared option that it takes')
        parameters[name] = replace(parameters[name], default=default)
    return parameters


def _shared(groups: Mapping[str, Any]) -> dict[str, Parameter]:
    """The options of all groups."""
    return {
        name: _parameter(name, fact, group)
        for group, facts in groups.items()
        for name, fact in facts.items()
        if name != "about"
    }


_EMPTY = {"text": "", "name": "", "names": [], "weights": {}, "numbers": []}


def _parameter(name: str, fact: Mapping[str, Any], group: str = "") -> Parameter:
    default = fact.get("default", REQUIRED)
    if fact.get("optional") or (default is not REQUIRED and default == _EMPTY.get(fact["type"], REQUIRED)):
        default = None  # TOML has no null: an empty default stands for "not given"
    if fact["type"] == "numbers" and isinstance(default, float):
        default = [default]
    bounds = {bound: fact[bound] for bound in ("minimum", "maximum", "above", "below", "whole") if bound in fact}
    choices = tuple(fact.get("choices", ()))
    beside = fact.get("beside", {})
    return Parameter(
        name,
        fact["type"],
        default,
        fact.get("doc", ""),
        choices,
        group,
        needs=tuple(fact.get("columns", ())),
        positions=name == "quasi_identifiers",
        counts=fact.get("counts", False),
        each=fact.get("each", False),
        beside={"*": beside} if isinstance(beside, str) else beside,
        words=fact.get("words", {}),
        **bounds,
    )


@cache
def statement(name: str) -> str:
    """Return the text of a plain statement of sql/statements/, which is no function."""
    return (sql_folder() / "statements" / f"{name}.sql").read_text(encoding="utf-8")
