"""The measurements of the page, from the rows of its statement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from math import ceil
from typing import Any, TypeVar

from synthpriv_sql.language.meanings import meaning
from synthpriv_sql.language.messages import _
from synthpriv_sql.language.numbers import Named, count

COMPARISONS = ("synthetic_train", "holdout_train", "train_train")
_Item = TypeVar("_Item")
_LONG = 40
"""Characters of a vector that are shown."""


@dataclass(frozen=True, slots=True)
class Number:
    """One row of evaluate."""

    section: str
    metric: str
    variant: str | None
    statistic: str
    value: float | None
    lower: float | None
    upper: float | None
    better: str | None
    meaning: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Number:
        """Return a row of evaluate as a number, whose value carries its name."""
        made = cls(**{name: row[name] for name in cls.__slots__})
        return made if made.value is None else replace(made, value=Named(made.value, made.name))

    @property
    def look(self) -> str:
        """What the values of a column look like, which stands at the end of the meaning of how many come back."""
        return self._look[0]

    @property
    def told_by(self) -> str:
        """What told the look, in parentheses behind it: `phonenumbers` or `rule`, of telephone numbers alone."""
        return self._look[2].rstrip(")")

    @property
    def _look(self) -> tuple[str, str, str]:
        return self.meaning.partition(": ")[2].rstrip(".").partition(" (")

    @property
    def name(self) -> str:
        """The name under which conditions of the gate refer to it."""
        return ".".join(part for part in (self.metric, self.variant, self.statistic) if part)


@dataclass(frozen=True, slots=True)
class Bin:
    """The share of records in a bin of distances, or of bits; the last bin has no upper end."""

    metric: str
    comparison: str
    share: float
    lower: float
    upper: float | None


@dataclass(frozen=True, slots=True)
class Size:
    """How many records of a table are in equivalence classes of these sizes."""

    side: str
    records: int
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve of accumulated distances."""

    theta: float
    accumulation: float


@dataclass(frozen=True, slots=True)
class Rate:
    """A point of the ROC curve of an attack."""

    attack: str
    true_positive_rate: float | None
    false_positive_rate: float


@dataclass(frozen=True, slots=True)
class Top:
    """The first people of an attack's list: of train, of the holdout, and of train by chance."""

    attack: str
    listed: int
    others: int
    by_chance: float | None
    is_end: bool
    """Whether the list gives most people away here."""


@dataclass(frozen=True, slots=True)
class AtRisk:
    """A group of people who can be identified more often than all others."""

    column_name: str
    category: str | None
    people: int
    rate: float
    rate_elsewhere: float
    p_adjusted: float


_ITEMS: Mapping[type, str] = {Bin: "bin", Size: "class", Point: "curve", Rate: "roc", Top: "top", AtRisk: "risk"}
"""The items of sql/report/page.sql whose columns are those of a class."""


@dataclass(frozen=True, slots=True)
class Risk:
    """A synthetic record and its nearest real record; values only if the user requested them."""

    record: int
    neighbor: int
    dcr: float
    nndr: float | None
    copies: int
    agreeing: Sequence[str]
    differing: Sequence[str]
    values: Sequence[tuple[str, bool, str | None, str | None]]


@dataclass(frozen=True, slots=True)
class Unique:
    """Columns in which a train record is unique, and how many synthetic records replicate it.

    ``others`` counts the other replicated combinations of as few columns.
    """

    columns: str
    synthetic: int
    also: int
    others: int


@dataclass(frozen=True, slots=True)
class Person:
    """A train record and the synthetic one that reveals most about it; values only if the user requested them."""

    record: int
    synthetic: int
    bits: float
    own_bits: float
    q_value: float | None
    agreeing: Sequence[str]
    differing: Sequence[str]
    values: Sequence[tuple[str, bool, str | None, str | None]]
    unique: Unique | None


@dataclass(frozen=True)
class Measured:
    """The rows of sql/report/page.sql.

    Parameters
    ----------
    rows
        As dicts, in the statement's order.
    sheets
        For tables that are files Excel can open: the row of their first record there.
    """

    rows: Sequence[Mapping[str, Any]]
    sheets: Mapping[str, int] = field(default_factory=dict)

    def items(self, item: str) -> Iterator[Mapping[str, Any]]:
        """Go through the rows of one kind."""
        return (row for row in self.rows if row["item"] == item)

    def of(self, kind: type[_Item]) -> list[_Item]:
        """Return the rows of one kind as what they are."""
        names = [column.name for column in fields(kind)]  # type: ignore[arg-type]
        return [kind(**{name: row[name] for name in names}) for row in self.items(_ITEMS[kind])]

    @cached_property
    def numbers(self) -> list[Number]:
        """The numbers of evaluate."""
        return [Number.of(row) for row in self.items("number")]

    @cached_property
    def _by_name(self) -> Mapping[tuple[str, str | None, str], Number]:
        return {(n.metric, n.variant, n.statistic): n for n in self.numbers}

    def number(self, metric: str, statistic: str, variant: str | None = None) -> Number | None:
        """Return a number of evaluate, or None if it was not measured."""
        return self._by_name.get((metric, variant, statistic))

    def value(self, metric: str, statistic: str, variant: str | None = None) -> float | None:
        """Return the value of a number, or None if there is none."""
        found = self.number(metric, statistic, variant)
        return None if found is None else found.value

    def variants(self, metric: str) -> list[str | None]:
        """Return the variants of a metric in their order: targets, secrets, or tables with columns."""
        return list(dict.fromkeys(n.variant for n in self.numbers if n.metric == metric))

    @property
    def attacks(self) -> list[str]:
        """The attacks that were tried."""
        return [n.variant or "" for n in self.numbers if (n.metric, n.statistic) == ("membership", "auc")]

    @property
    def drawn(self) -> Mapping[str, tuple[float, float]]:
        """If samples were evaluated: how many records or persons of each table were drawn, and from how many."""
        found = {}
        for side in ("synthetic", "train", "holdout"):
            drawn, of = (self.value("tables", statistic, side) for statistic in ("drawn", "drawn_from"))
            if drawn is not None and of is not None:
                found[side] = drawn, of
        return found

    @cached_property
    def kept_share(self) -> float:
        """The share of synthetic that was drawn: of what single records tell, no more can be found."""
        drawn, of = self.drawn.get("synthetic", (1.0, 1.0))
        return drawn / of

    @property
    def noticed(self) -> float | None:
        """The AUC that would have been noticed; of a sample, that of an attack on the whole tables.

        If each person comes back in one synthetic record, what exceeds one half is smaller by the share drawn.
        """
        found = self.value("membership", "noticed")
        if found is None or not self.drawn:
            return found
        return min(1.0, 0.5 + (found - 0.5) / self.kept_share)

    @property
    def missed(self) -> float | None:
        """How many people at the top of a list would have been noticed; of a sample, how many must have leaked."""
        found = self.value("exposure", "missed")
        return found if found is None or not self.drawn else Named(ceil(found / self.kept_share), "exposure.missed")

    @property
    def has_holdout(self) -> bool:
        """Whether a holdout was given."""
        return self.value("tables", "rows", "holdout") is not None

    def unique_share(self, table: str) -> float:
        """Return the share of a table's records that are unique in their quasi-identifiers."""
        rows = self.value("tables", "rows", table) or 1.0
        return sum(size.records for size in self.of(Size) if size.side == table and size.upper == 1) / rows

    @property
    def baseline(self) -> str:
        """The reference for synthetic: the holdout, or train within itself."""
        return "holdout" if self.has_holdout else "train"

    @cached_property
    def columns(self) -> list[Mapping[str, Any]]:
        """The columns compared: name, role, weight."""
        return [{name: row[name] for name in ("name", "role", "weight")} for row in self.items("column")]

    @cached_property
    def _keys(self) -> Mapping[tuple[str, int], str]:
        return {(row["side"], row["record"]): row["key"] for row in self.items("key")}

    def called(self, table: str, record: int) -> str:
        """Return the label of a record: its key, if the user named one that its table has, or its position from 1.

        For a file that Excel can open, the label includes its row there.
        """
        key = self._keys.get((table, record))
        if key or table not in self.sheets:
            return key or count(record + 1)
        return _("{position} (Excel: {row})", position=count(record + 1), row=count(record + self.sheets[table]))

    @property
    def named_by_key(self) -> Mapping[str, bool]:
        """Whether records are labeled by their key, for each table."""
        return {table: any(of == table for of, _ in self._keys) for table in ("synthetic", "train")}

    @cached_property
    def people(self) -> list[Person]:
        """The most exposed train records."""
        names = [column["name"] for column in self.columns]
        uniques = {
            row["record"]: Unique(row["columns"], row["synthetic"], row["records"], row["combinations"] - 1)
            for row in self.items("unique")
        }
        return [
            Person(
                record=row["record"],
                synthetic=row["synthetic"],
                bits=row["bits"],
                own_bits=row["own_bits"],
                q_value=row["q_value"],
                agreeing=[n for n, same in zip(names, row["agree"], strict=True) if same],
                differing=[n for n, same in zip(names, row["agree"], strict=True) if not same],
                values=_values(self.columns, row),
                unique=uniques.get(row["record"]),
            )
            for row in self.items("person")
        ]

    @cached_property
    def risks(self) -> Mapping[str, list[Risk]]:
        """The riskiest records: exact copies, and others (near)."""
        names = [column["name"] for column in self.columns]
        found: dict[str, list[Risk]] = {"copy": [], "near": []}
        for row in self.items("record"):
            agree = row["agree"]
            found[row["kind"]].append(
                Risk(
                    record=row["record"],
                    neighbor=row["nearest"],
                    dcr=row["dcr"],
                    nndr=row["nndr"],
                    copies=row["copies"],
                    agreeing=[n for n, same in zip(names, agree, strict=True) if same],
                    differing=[n for n, same in zip(names, agree, strict=True) if not same],
                    values=_values(self.columns, row),
                )
            )
        return found


def _values(
    columns: Sequence[Mapping[str, Any]], row: Mapping[str, Any]
) -> list[tuple[str, bool, str | None, str | None]]:
    """The values of two records by column, and whether they agree; empty if they are not to be shown."""
    given = zip(columns, row["agree"], row["invented_values"] or [], row["original_values"] or [], strict=False)
    return [
        (column["name"], agree, *(_truncated(value) if column["role"] == "vector" else value for value in pair))
        for column, agree, *pair in given
    ]


def _truncated(vector: str | None) -> str | None:
    """Truncate a vector for display."""
    return vector if vector is None or len(vector) <= _LONG else vector[: _LONG - 1] + "…"


def differing(measured: Measured) -> list[str]:
    """Return the columns in which train and holdout, or synthetic and real rows, differ."""
    names = measured.variants("split")
    return [name for name in names if name is not None and measured.value("split", "differs", name)]


def why_differs(measured: Measured) -> str:
    """Say in which columns train and holdout differ and why, or that a classifier separates them."""
    names = differing(measured)
    if not names:
        number = measured.number("split", "differs")
        return "" if number is None else meaning(number.meaning)
    first = measured.number("split", "differs", names[0])
    reason = "" if first is None else meaning(first.meaning)
    if len(names) == 1:
        return _("train and holdout differ in {column} ({reason})", column=names[0], reason=reason)
    return _(
        "train and holdout differ in {column} and {others} more ({reason})",
        column=names[0],
        others=len(names) - 1,
        reason=reason,
    )
