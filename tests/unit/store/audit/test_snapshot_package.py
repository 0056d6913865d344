"""Files of a snapshot: hashed while they are written, whole or not there, always the same bytes."""

from __future__ import annotations

import hashlib
import os
import stat
import zipfile
from pathlib import Path

import pytest

from store.audit.format import FACTS, MANIFEST, REPORT_MARKDOWN, Form
from store.audit.package import CHUNK, Package
from store.contract import Cancel
from store.errors import Cancelled, Invalid, Unavailable

LINES = ["one\n", "zwö\n", "drei 🙂\n"]


def _write(out: Path, form: Form = Form.DIRECTORY, cancel: Cancel | None = None) -> Package:
    with Package(out, form, cancel=cancel) as package:
        facts = package.open(FACTS)
        for line in LINES:
            facts.line(line)
        package.close(FACTS)
        package.add(REPORT_MARKDOWN, "# Hello\n")
        package.add(MANIFEST, "{}\n")
        package.finish()
    return package


def _fail(out: Path, error: Exception) -> None:
    with Package(out, Form.DIRECTORY) as package:
        package.add(MANIFEST, "{}\n")
        package.open(FACTS).line("one\n")
        raise error


def test_a_file_says_its_bytes_lines_and_digest(tmp_path: Path) -> None:
    package = _write(tmp_path / "s")
    written = (tmp_path / "s" / FACTS).read_bytes()
    assert written.decode() == "".join(LINES)
    told = package.files[FACTS]
    assert (told.bytes, told.lines) == (len(written), 3)
    assert told.sha256 == hashlib.sha256(written).hexdigest()
    assert package.files[REPORT_MARKDOWN].lines is None
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


def test_a_long_file_is_written_in_pieces_and_whole(tmp_path: Path) -> None:
    with Package(tmp_path / "s", Form.DIRECTORY) as package:
        sink = package.open(FACTS)
        for _ in range(5):
            sink.line("ä" * (CHUNK // 2) + "\n")
        told = package.close(FACTS)
        package.finish()
    written = (tmp_path / "s" / FACTS).read_bytes()
    assert written == ("ä" * (CHUNK // 2) + "\n").encode() * 5
    assert told.sha256 == hashlib.sha256(written).hexdigest()


def test_a_zip_has_the_same_files_and_always_the_same_bytes(tmp_path: Path) -> None:
    _write(tmp_path / "s")
    _write(tmp_path / "a.zip", Form.ZIP)
    os.utime(tmp_path / "s" / FACTS, (10**9, 10**9))
    _write(tmp_path / "b.zip", Form.ZIP)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        assert packed.namelist() == [MANIFEST, FACTS, REPORT_MARKDOWN]
        for member in packed.infolist():
            assert member.date_time == (1980, 1, 1, 0, 0, 0)
            assert packed.read(member) == (tmp_path / "s" / member.filename).read_bytes()


def test_only_the_owner_may_read_what_is_written(tmp_path: Path) -> None:
    _write(tmp_path / "s")
    _write(tmp_path / "a.zip", Form.ZIP)
    for path in (tmp_path / "a.zip", tmp_path / "s" / FACTS):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("form", list(Form))
def test_what_is_there_stays(tmp_path: Path, form: Form) -> None:
    out = tmp_path / "s"
    out.write_text("mine")
    with pytest.raises(Invalid, match="something at"):
        _write(out, form)
    assert out.read_text() == "mine"
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(Invalid, match="something at"):
        _write(link, form)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "s"]


@pytest.mark.parametrize("form", list(Form))
def test_what_appears_meanwhile_stays(tmp_path: Path, form: Form) -> None:
    out = tmp_path / "s"

    def write_late() -> None:
        with Package(out, form) as package:
            package.add(MANIFEST, "{}")
            out.write_text("mine")
            package.finish()

    with pytest.raises(Invalid, match="something at"):
        write_late()
    assert out.read_text() == "mine"
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"no folder .*missing"):
        _write(tmp_path / "missing" / "s")


def test_nothing_is_left_when_something_goes_wrong(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        _fail(tmp_path / "s", ZeroDivisionError())
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"cannot be written to .*: No space left"):
        _fail(tmp_path / "s", OSError(28, os.strerror(28)))
    assert list(tmp_path.iterdir()) == []


def test_packing_can_be_cancelled(tmp_path: Path) -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        _write(tmp_path / "s.zip", Form.ZIP, cancel)
    assert list(tmp_path.iterdir()) == []


def test_text_waits_on_disk(tmp_path: Path) -> None:
    with Package(tmp_path / "s", Form.DIRECTORY) as package:
        spool = package.spool()
        assert spool.is_empty
        spool.add("b" * CHUNK)
        spool.settle()
        spool.add("c")
        assert not spool.is_empty
        sink = package.open(FACTS)
        sink.write("a")
        spool.pour_into(sink)
        sink.write("d")
        package.close(FACTS)
        package.finish()
    assert (tmp_path / "s" / FACTS).read_text() == "a" + "b" * CHUNK + "cd"


def test_records_are_sorted_however_many_there_are(tmp_path: Path) -> None:
    records = [hashlib.sha256(b"%d" % n).digest() for n in range(1000)]
    with Package(tmp_path / "s", Form.DIRECTORY) as package:
        sorter = package.sorter(32, run=64)
        for record in records:
            sorter.add(record)
        assert list(sorter.sorted()) == sorted(records)
        assert sorter.count == 1000
    assert list(tmp_path.iterdir()) == []
