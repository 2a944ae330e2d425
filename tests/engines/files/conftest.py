"""Fixtures of the tests of files."""

import itertools

import pytest


@pytest.fixture
def write(tmp_path):
    """Write a file and return its path."""
    numbers = itertools.count()

    def written(content, encoding="utf-8", suffix=".csv", pack=bytes):
        path = tmp_path / f"f{next(numbers)}{suffix}"
        path.write_bytes(pack(content.encode(encoding) if isinstance(content, str) else content))
        return str(path)

    return written
