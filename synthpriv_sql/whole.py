"""Files are written whole or not at all: a reader never sees a part, whatever ends the process.

A new file has the mode that the umask gives, an existing one keeps its own. A symbolic link stays and its file is
written; devices, pipes and what a shell has redirected are written through, as nothing can take their place.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PRIVATE = 0o600
_OF_THE_SYSTEM = ("/dev/", "/proc/")
"""Names of open files, behind which a file cannot be replaced."""


def write(path: Path, content: bytes, private: bool = False) -> None:
    """Write a file.

    Parameters
    ----------
    path
        Where.
    content
        What.
    private
        Whether only its owner may read it.

    Raises
    ------
    OSError
        It cannot be written, and is as it was.
    """
    with beside(path, private) as place:
        place.write_bytes(content)


@contextmanager
def beside(path: Path, private: bool = False) -> Iterator[Path]:
    """Yield a place to write what takes the place of a file at the end, unless there is an error.

    Parameters and errors as of `write`.
    """
    if _is_written_through(path):
        with tempfile.TemporaryDirectory(prefix="synthpriv-") as folder:
            place = Path(folder) / path.name
            yield place
            with place.open("rb") as written, path.open("wb") as through:
                shutil.copyfileobj(written, through)
        return
    target = Path(os.path.realpath(path))
    place = target.with_name(f".{target.name[:200]}.{os.urandom(4).hex()}")
    mode = _mode(place, target, private)
    try:
        yield place
        place.chmod(mode)
        _sync(place)
        place.replace(target)
        with suppress(OSError):  # some file systems have no such thing
            _sync(target.parent)
    finally:
        place.unlink(missing_ok=True)


def _is_written_through(path: Path) -> bool:
    """Whether there is something that is no file."""
    if str(path.absolute()).startswith(_OF_THE_SYSTEM):
        return path.exists()
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def _mode(place: Path, target: Path, private: bool) -> int:
    """Create the place, for its owner alone if it must be, and return the mode that it has in the end."""
    try:
        before: os.stat_result | None = target.stat()
    except FileNotFoundError:
        before = None
    created = os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE if private or before else 0o666)
    try:
        if before is None:
            return stat.S_IMODE(os.fstat(created).st_mode)
        with suppress(OSError, AttributeError):  # who may not give it to its owner keeps it
            os.fchown(created, before.st_uid, before.st_gid)
        return stat.S_IMODE(before.st_mode) & (_PRIVATE if private else 0o777)
    finally:
        os.close(created)


def _sync(path: Path) -> None:
    """Have the system write what it keeps of a file or a folder."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
