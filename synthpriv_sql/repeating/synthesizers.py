"""Adapters for the caller's synthesizers: functions, objects with fit and sample, and commands."""

from __future__ import annotations

import copy
import inspect
import shlex
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from synthpriv_sql.engines.duckdb.opening import open_database
from synthpriv_sql.engines.duckdb.writing import arrow_rows, write_parquet
from synthpriv_sql.errors import OptionError, SynthesizerError, without_secrets
from synthpriv_sql.planner.headers import wording
from synthpriv_sql.unsaid import of_duckdb, without_values

FORMS = ("arrow", "pandas")
"""Input formats of a function."""
FILES = ("csv", "parquet")
"""File formats of a command."""
_LINES = 5
"""Number of last lines of a command's standard error in messages."""


class Maker(ABC):
    """Creates a synthetic table from train."""

    name: str
    """The name in messages, and of its saved results."""

    @abstractmethod
    def make(self, train: pa.Table, seed: int) -> pa.Table:
        """Return a synthetic table.

        Raises
        ------
        SynthesizerError
            The synthesizer failed, or returned no table.
        """


def maker(synthesizer: Any, form: str = "arrow", files: str = "csv") -> Maker:
    """Return the adapter for a synthesizer.

    Parameters
    ----------
    synthesizer
        A command as a string, an object with ``fit`` and ``sample``, or a function of train.
    form
        One of `FORMS`, for a function.
    files
        One of `FILES`, for a command.

    Raises
    ------
    OptionError
        The synthesizer is none of these, or an option is invalid.
    """
    for option, value, choices in (("form", form, FORMS), ("files", files, FILES)):
        if value not in choices:
            raise OptionError(f"{wording.refused(option, value)} is not one of {', '.join(choices)}")
    if isinstance(synthesizer, str):
        return _Command.of(synthesizer, files)
    if isinstance(synthesizer, type):
        raise OptionError(f"the synthesizer {synthesizer.__name__} is a class; give an instance of it")
    if callable(getattr(synthesizer, "fit", None)) and callable(getattr(synthesizer, "sample", None)):
        found = synthesizer.get_params() if hasattr(synthesizer, "get_params") else getattr(synthesizer, "__dict__", {})
        return _Fitted(synthesizer, _with_parameters(type(synthesizer).__qualname__, found))
    if callable(synthesizer):
        inner = synthesizer.func if isinstance(synthesizer, partial) else synthesizer
        name = getattr(inner, "__qualname__", type(inner).__qualname__)
        if isinstance(synthesizer, partial):
            placed = {str(place): value for place, value in enumerate(synthesizer.args)}
            name = _with_parameters(name, placed | synthesizer.keywords)
        return _Function(synthesizer, name, form)
    raise OptionError(
        f"a {type(synthesizer).__name__} is not a synthesizer: give a function of train, an object with fit and "
        "sample, or a command with {train} and {synthetic}"
    )


@dataclass(frozen=True)
class _Function(Maker):
    function: Callable[..., Any]
    name: str
    form: str

    def make(self, train: pa.Table, seed: int) -> pa.Table:
        given = _frame(train) if self.form == "pandas" else train
        try:
            return _table(self.function(given, **_seeded(self.function, seed)))
        except Exception as error:
            raise _failed(self.name, error) from error


@dataclass(frozen=True)
class _Fitted(Maker):
    model: Any
    name: str

    def make(self, train: pa.Table, seed: int) -> pa.Table:
        try:
            # State learned in one split must not leak into the next.
            model = copy.deepcopy(self.model)
            model.fit(_frame(train), **_seeded(model.fit, seed))
            return _table(model.sample(train.num_rows, **_seeded(model.sample, seed)))
        except Exception as error:
            raise _failed(self.name, error) from error


@dataclass(frozen=True)
class _Command(Maker):
    name: str
    arguments: tuple[str, ...]
    files: str

    @classmethod
    def of(cls, command: str, files: str) -> _Command:
        lacking = [place for place in ("{train}", "{synthetic}") if place not in command]
        if lacking:
            raise OptionError(
                f"the command {command!r} has no {' and no '.join(lacking)}, where the file of that table is named"
            )
        try:
            return cls(without_secrets(command), tuple(shlex.split(command)), files)
        except ValueError as error:
            raise OptionError(f"the command {command!r} cannot be split into words: {error}") from None

    def make(self, train: pa.Table, seed: int) -> pa.Table:
        with tempfile.TemporaryDirectory(prefix="synthpriv-") as folder:
            read, written = (Path(folder) / f"{name}.{self.files}" for name in ("train", "synthetic"))
            with open_database() as connection:
                rows = connection.from_arrow(train)
                types = dict(zip(rows.columns, map(str, rows.types), strict=True))
                if self.files == "csv":
                    rows.write_csv(str(read))
                else:
                    write_parquet(train, list(types.values()), str(read))
                self._run({"{train}": str(read), "{synthetic}": str(written), "{seed}": str(seed)})
                if not written.is_file():
                    raise SynthesizerError(f"{self.name} succeeded, but wrote no {{synthetic}}")
                try:
                    return self._rows(connection, str(written), types)
                except duckdb.Error as error:
                    raise SynthesizerError(
                        f"the output of {self.name} cannot be read: {of_duckdb(str(error))}"
                    ) from None

    def _run(self, places: dict[str, str]) -> None:
        arguments = [_filled(argument, places) for argument in self.arguments]
        try:
            done = subprocess.run(  # noqa: S603, no shell reads it
                arguments, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, check=False
            )
        except OSError as error:
            raise SynthesizerError(f"{self.name} cannot be run: {error}") from None
        if done.returncode:
            last = "; ".join(line for line in done.stderr.strip().splitlines()[-_LINES:] if line.strip())
            raise SynthesizerError(f"{self.name} exited with {done.returncode}: {last or 'no output'}")

    def _rows(self, connection: duckdb.DuckDBPyConnection, path: str, types: dict[str, str]) -> pa.Table:
        if self.files == "parquet":
            return arrow_rows(connection.read_parquet(path))
        # Columns have their types in train, instead of detected ones.
        named = connection.read_csv(path, header=True, delimiter=",", all_varchar=True).columns
        by_name = {name.lower(): type_ for name, type_ in types.items()}
        read = [by_name.get(name.lower(), "VARCHAR") for name in named]
        return arrow_rows(connection.read_csv(path, header=True, delimiter=",", dtype=read))


def check_columns(synthetic: pa.Table, train: pa.Table, left_out: Collection[str]) -> None:
    """Raise an error if a synthetic table has other columns than train.

    Parameters
    ----------
    synthetic, train
        The tables.
    left_out
        Columns that are not compared, which synthetic may lack.

    Raises
    ------
    SynthesizerError
        The table has other columns, lacks one, or has no rows.
    """
    made, wanted = ({name.lower(): name for name in table.column_names} for table in (synthetic, train))
    spared = {name.lower() for name in left_out}
    surplus = [name for lower, name in made.items() if lower not in wanted]
    lacking = [name for lower, name in wanted.items() if lower not in made and lower not in spared]
    if surplus or lacking:
        said = [f"it lacks {', '.join(lacking)}"] * bool(lacking) + [f"it also has {', '.join(surplus)}"] * bool(
            surplus
        )
        raise SynthesizerError(f"the synthetic table has other columns than train: {' and '.join(said)}")
    if not synthetic.num_rows:
        raise SynthesizerError("the synthetic table has no rows")


def _with_parameters(name: str, parameters: Mapping[str, Any]) -> str:
    """A name that distinguishes an object from others of its class by its plain values."""
    plain = (str, int, float, bool, type(None), list, tuple)
    said = ", ".join(f"{key}={value!r}" for key, value in parameters.items() if isinstance(value, plain))
    return f"{name}({said})"


def _filled(argument: str, places: dict[str, str]) -> str:
    for place, value in places.items():
        argument = argument.replace(place, value)
    return argument


def _seeded(function: Callable[..., Any], seed: int) -> dict[str, int]:
    """The seed as an argument, if a function takes one."""
    try:
        return {"seed": seed} if "seed" in inspect.signature(function).parameters else {}
    except (TypeError, ValueError):  # some compiled functions
        return {}


def _frame(train: pa.Table) -> Any:
    """Convert to pandas, with decimals as floats: pandas would store them as objects, like categories."""
    for place, field in enumerate(train.schema):
        if pa.types.is_decimal(field.type):
            train = train.set_column(place, field.name, train.column(place).cast(pa.float64()))
    return train.to_pandas()


def _table(made: Any) -> pa.Table:
    """Convert the output of a synthesizer to an Arrow table."""
    if isinstance(made, pa.Table):
        return made
    if type(made).__module__.partition(".")[0] == "pandas":
        return pa.Table.from_pandas(made, preserve_index=False)
    if not hasattr(made, "__arrow_c_stream__"):
        raise SynthesizerError(f"it returned a {type(made).__name__} instead of a table of Arrow, pandas or polars")
    return pa.table(made)


def _failed(name: str, error: Exception) -> SynthesizerError:
    said = (
        str(error) if isinstance(error, SynthesizerError) else f"{type(error).__name__}: {without_values(str(error))}"
    )
    return SynthesizerError(f"the synthesizer {name} failed: {said}")
