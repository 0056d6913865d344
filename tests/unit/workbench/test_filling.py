"""Stores that something is brought into: made, kept with a record only, or tried out."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from store import Scope, bind, open_store
from store.errors import Invalid
from workbench.filling import open_to_fill, open_to_try

AT = datetime(2026, 3, 1, tzinfo=UTC)
TOOL = "a test"


def fill(store) -> None:
    bind(store, "acme", agent_id="support").capture("e1", "Hello.", occurred_at=AT)


def test_one_that_was_filled_stays_and_is_told(tmp_path: Path) -> None:
    path, told = tmp_path / "new.db", []
    with open_to_fill(path, tool=TOOL, on_kept=lambda: told.append("kept")) as store:
        fill(store)
        assert told == []
    assert told == ["kept"]
    with open_to_fill(path, tool=TOOL, on_kept=lambda: told.append("kept")) as store:
        assert store.head(Scope("acme")).number == 1
    assert told == ["kept"], "it was there"


def test_one_that_has_no_record_is_gone_again(tmp_path: Path) -> None:
    with open_to_fill(tmp_path / "new.db", tool=TOOL):
        pass
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(Invalid, match="no"), open_to_fill(tmp_path / "new.db", tool=TOOL):
        raise Invalid("no")
    assert list(tmp_path.iterdir()) == []


def test_what_was_written_before_a_failure_stays(tmp_path: Path) -> None:
    def stop_midway() -> None:
        with open_to_fill(tmp_path / "new.db", tool=TOOL) as store:
            fill(store)
            raise Invalid("later")

    with pytest.raises(Invalid, match="later"):
        stop_midway()
    with open_store(tmp_path / "new.db", read_only=True) as store:
        assert store.head(Scope("acme")).number == 1


def test_an_empty_one_that_was_there_is_left_there(tmp_path: Path) -> None:
    open_store(tmp_path / "old.db", create=True).close()
    with open_to_fill(tmp_path / "old.db", tool=TOOL):
        pass
    assert (tmp_path / "old.db").is_file()


def test_a_trial_writes_and_makes_nothing(tmp_path: Path) -> None:
    missing = []
    with open_to_try(tmp_path / "new.db", tool=TOOL, on_missing=lambda: missing.append(1)) as store:
        assert store.tenants() == ()
    assert missing == [1]
    assert list(tmp_path.iterdir()) == []
    open_store(tmp_path / "old.db", create=True).close()
    with open_to_try(tmp_path / "old.db", tool=TOOL, on_missing=lambda: missing.append(2)) as store:
        assert not store.is_writable
    assert missing == [1]
