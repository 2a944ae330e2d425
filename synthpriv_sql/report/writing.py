"""What all pages share that needs nothing but the package: files written whole, and what a table is called."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from synthpriv_sql.errors import WriteError, without_secrets
from synthpriv_sql.language.messages import _


def has_folder(path: Path) -> None:
    """Say before anything is computed that a file cannot be written."""
    if not path.parent.is_dir():
        raise WriteError(f'"{path}" cannot be written: there is no folder "{path.parent}"')


def write_page(path: Path, content: str | bytes) -> None:
    """Write a page whole or not at all."""
    try:
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content.encode() if isinstance(content, str) else content)
            Path(beside).chmod(0o644)
            Path(beside).replace(path)
        finally:
            Path(beside).unlink(missing_ok=True)
    except OSError as error:
        raise WriteError(f'"{path}" was not written: {error}') from None


def label(table: Any) -> str:
    """Return what a table is called: its name, its file, its query without passwords, or what kind of object it is."""
    if isinstance(table, (str, os.PathLike)):
        return without_secrets(os.fspath(table))
    return _("a {kind}", kind=f"{type(table).__module__.partition('.')[0]} {type(table).__name__}")
