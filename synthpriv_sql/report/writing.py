"""Helpers of all pages: writing of files, and the label of a table."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthpriv_sql import whole
from synthpriv_sql.errors import WriteError, not_written, without_secrets
from synthpriv_sql.language.messages import _
from synthpriv_sql.visible import visible


@dataclass(frozen=True, slots=True)
class Shown:
    """Contents of the page besides numbers.

    ``values`` are those of the riskiest records, including real ones; ``keys`` name the records that the page lists;
    ``baseline`` is the random forest baseline beside the table.
    """

    values: bool = False
    keys: bool = True
    baseline: bool = False


def has_folder(path: Path) -> None:
    """Raise before anything is computed if the folder of a file does not exist."""
    if not path.parent.is_dir():
        raise WriteError(f'"{path}" cannot be written: there is no folder "{path.parent}"')


def write_page(path: Path, content: str | bytes, private: bool = False) -> None:
    """Write a page, whole or not at all; ``private`` if only its owner may read it."""
    try:
        whole.write(path, visible(content).encode() if isinstance(content, str) else content, private)
    except OSError as error:
        raise not_written(f'"{path}"', error) from None


def label(table: Any) -> str:
    """Return the label of a table: its name, file, query (without passwords), or the type of the object."""
    if isinstance(table, (str, os.PathLike)):
        return without_secrets(os.fspath(table))
    return _("a {kind}", kind=f"{type(table).__module__.partition('.')[0]} {type(table).__name__}")
