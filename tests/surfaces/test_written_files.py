"""How files are written: whole or not at all, with the mode that they should have, through what is no file."""

import gc
import os
import stat
import threading
from pathlib import Path

import pytest
from calls import cli, create
from surfaces import TABLES

import synthpriv_sql
from synthpriv_sql import whole
from synthpriv_sql.results import gate


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o022, 0o077, 0o002])
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def test_modes(umask, tmp_path):
    new, secret = tmp_path / "new", tmp_path / "secret"
    whole.write(new, b"a")
    whole.write(secret, b"a", private=True)
    assert (mode(new), mode(secret)) == (0o666 & ~umask, 0o600)
    for before in (0o600, 0o644, 0o640, 0o664):
        new.chmod(before)
        whole.write(new, b"b")
        assert mode(new) == before
        whole.write(new, b"c", private=True)
        assert mode(new) == before & 0o600
    assert new.read_bytes() == b"c"
    assert {path.name for path in tmp_path.iterdir()} == {"new", "secret"}


def test_what_is_no_file_is_written_through(tmp_path):
    target, link, dangling = tmp_path / "target", tmp_path / "link", tmp_path / "dangling"
    target.write_bytes(b"before")
    target.chmod(0o640)
    link.symlink_to(target)
    dangling.symlink_to(tmp_path / "made")
    for path in (link, dangling):
        whole.write(path, b"after")
        assert path.is_symlink()
        assert path.read_bytes() == b"after"
    assert mode(target) == 0o640
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    whole.write(pipe, b"through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    whole.write(type(pipe)("/dev/null"), b"gone")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with (tmp_path / "redirected").open("wb") as redirected:
        whole.write(type(pipe)(f"/dev/fd/{redirected.fileno()}"), b"open")
    assert (tmp_path / "redirected").read_bytes() == b"open"


def test_an_error_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "gate.xml"
    path.write_text("before")

    def full(*given):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Exception, match="was not written"):
        gate.write("<after/>", path)
    assert [one.read_text() for one in tmp_path.iterdir()] == ["before"]


def test_files_of_commands(session, tmp_path):
    before = os.umask(0o027)
    try:
        create(session, **TABLES)
        for name in ("synthetic", "train"):
            session.connection.table(name).write_parquet(str(tmp_path / f"{name}.parquet"))
        tables = [part for name in ("synthetic", "train") for part in (f"--{name}", str(tmp_path / f"{name}.parquet"))]
        outputs = [tmp_path / f"rows.{form}" for form in ("csv", "json", "parquet")]
        for output in outputs:
            assert cli("copies", *tables, "--output", str(output))[0] == 0
            assert mode(output) == 0o640
            output.chmod(0o644)
            assert cli("copies", *tables, "--output", str(output))[0] == 0
            assert mode(output) == 0o644
    finally:
        os.umask(before)


@pytest.mark.again
def test_what_does_not_fit_into_memory_goes_to_a_private_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with synthpriv_sql.connect(memory_limit="60MB", threads=1) as session:
        ((folder,),) = session.connection.execute("SELECT current_setting('temp_directory')").fetchall()
        session.connection.execute(
            "CREATE TABLE large AS SELECT i || repeat('x', 90) AS a FROM range(900_000) AS r(i) ORDER BY hash(i)"
        )
        assert list(Path(folder).iterdir())
        assert mode(Path(folder)) == 0o700
    del session
    gc.collect()
    assert not Path(folder).exists()
    assert list(tmp_path.iterdir()) == []
