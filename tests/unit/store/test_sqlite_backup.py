"""A copy of a whole store, made while others write to it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from store import Cancel, Cancelled, Invalid, NotFound, ReadOnly, Store, Unsupported, open_store
from store.backends.sqlite import doors
from tests.conformance.scene import LATER, Clock, Desk, Entropy, day
from tests.conformance.told import populate, telling


@pytest.fixture
def desk(tmp_path: Path):
    clock = Clock(day(LATER))
    address = str(tmp_path / "x.db")
    with open_store(address, create=True, clock=clock, entropy=Entropy()) as store:
        desk = Desk(store, clock)
        populate(desk)
        desk.of(tenant_id="globex").fact("A", 1)
        yield desk


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_copy_is_a_proper_store_with_all_tenants(desk: Desk, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    said: list[tuple[int, int | None]] = []
    desk.store.backup(copy, progress=lambda done, total: said.append((done, total)))
    assert said[-1][0] == said[-1][1]
    with open_store(str(copy), clock=desk.clock) as store:
        assert store.notice == ""
        assert store.store_id == desk.store.store_id
        there = Desk(store, desk.clock)
        assert telling(there) == telling(desk)
        assert telling(there.of(tenant_id="globex")) == telling(desk.of(tenant_id="globex"))
        assert store.check(full=True).findings == ()
        there.fact("written to the copy", 500)
    assert names(tmp_path) == [
        "copy.db",
        "copy.db-gate",
        "x.db",
        "x.db-gate",
        "x.db-shm",
        "x.db-wal",
    ]


def test_what_is_written_meanwhile_does_not_show(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "PAGES_AT_ONCE", 2)
    before = telling(desk)
    written: list[str] = []

    def heard(_done: int, _total: int | None) -> None:
        if len(written) < 3:
            written.append(desk.fact(f"meanwhile {len(written)}", 600 + len(written)))

    desk.store.backup(tmp_path / "copy.db", progress=heard)
    assert len(written) == 3
    with open_store(str(tmp_path / "copy.db")) as store:
        assert telling(Desk(store, desk.clock)) == before


def test_a_copy_that_is_stopped_leaves_nothing(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "PAGES_AT_ONCE", 2)
    before, cancel = names(tmp_path), Cancel()
    with pytest.raises(Cancelled):
        desk.store.backup(tmp_path / "copy.db", progress=lambda *_: cancel.cancel(), cancel=cancel)
    assert names(tmp_path) == before
    desk.store.backup(tmp_path / "copy.db")


@pytest.mark.parametrize("kind", ["file", "folder", "link", "itself"])
def test_what_is_there_is_left_alone(desk: Desk, tmp_path: Path, kind: str) -> None:
    path = tmp_path / ("x.db" if kind == "itself" else "there")
    match kind:
        case "file":
            path.write_bytes(b"mine")
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to(tmp_path / "nowhere")
    before = names(tmp_path)
    with pytest.raises(Invalid, match="something at"):
        desk.store.backup(path)
    assert names(tmp_path) == before
    assert kind != "file" or path.read_bytes() == b"mine"


def test_a_copy_needs_a_folder(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="folder"):
        desk.store.backup(tmp_path / "missing" / "copy.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_may_not_be_written_is_named(desk: Desk, tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o500)
    with pytest.raises(ReadOnly, match="folder"):
        desk.store.backup(shut / "copy.db")


def test_a_store_open_for_reading_can_be_copied(desk: Desk, tmp_path: Path) -> None:
    with open_store(str(tmp_path / "x.db"), read_only=True) as reader:
        reader.backup(tmp_path / "copy.db")
    with open_store(str(tmp_path / "copy.db")) as store:
        assert telling(Desk(store, desk.clock)) == telling(desk)


def test_a_store_in_memory_has_no_file_to_copy(tmp_path: Path) -> None:
    store: Store = open_store("memory:")
    with store, pytest.raises(Unsupported, match="no file"):
        store.backup(tmp_path / "copy.db")
    assert names(tmp_path) == []
