"""The commands that show a window: what they ask of it, and what they do where there is none."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from store import Scope, bind
from store.audit import take_snapshot
from store.backends.memory import MemoryStore
from store.errors import Corrupt, Locked, NotAStore, TooOld
from store.temporal import NOW, AsOf

if TYPE_CHECKING:
    from tests.unit.workbench.conftest import CommandLine


class Window:
    """Stands in for `workbench.app`: notes how it was asked to run."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.status = 0

    def run_workbench(self, store_location: str, **more: Any) -> int:
        self.asked.append((store_location, more))
        return self.status


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Window:
    stub, module = Window(), ModuleType("workbench.app")
    module.run_workbench = stub.run_workbench  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "workbench.app", module)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    return stub


@pytest.fixture
def no_display(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        # Set first, so that what the program sets in its place is taken away afterwards.
        monkeypatch.setenv(name, "x")
        monkeypatch.delenv(name)
    monkeypatch.setattr(sys, "platform", "linux")


@pytest.fixture
def store(cli: CommandLine) -> MemoryStore:
    cli.stores["a.db"] = MemoryStore()
    return cli.stores["a.db"]


def test_open_passes_on_what_was_asked(
    cli: CommandLine, window: Window, store: MemoryStore
) -> None:
    cli.ok("open", "a.db")
    names = ("tenant", "screenshot", "theme", "language", "subject", "attribute", "conflict")
    nothing = dict.fromkeys(names)
    assert window.asked == [("a.db", {**nothing, "as_of": NOW, "size": (1600, 900)})]
    said = cli.ok(
        "open", "a.db", "--tenant", "acme", "--valid-at", "2026-06-01", "--known-at",
        "2026-06-02T00:00Z", "--screenshot", "w.png", "--size", "1200x800", "--theme", "dark",
        "--language", "es", "--zone", "+02:00", "--subject", "mira", "--attribute", "tier",
        "--conflict", "c1", "--json",
    )  # fmt: skip
    assert said.document == {"store": "a.db", "screenshot": "w.png", "status": 0}
    assert window.asked[1] == (
        "a.db",
        {
            "tenant": "acme",
            "as_of": AsOf(datetime(2026, 5, 31, 22, tzinfo=UTC), datetime(2026, 6, 2, tzinfo=UTC)),
            "screenshot": Path("w.png"),
            "size": (1200, 800),
            "theme": "dark",
            "language": "es",
            "subject": "mira",
            "attribute": "tier",
            "conflict": "c1",
        },
    )
    window.status = 1
    assert cli("open", "a.db").status == 1


def test_open_takes_a_snapshot(
    cli: CommandLine, window: Window, store: MemoryStore, tmp_path: Path
) -> None:
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "Hello.", occurred_at=datetime(2026, 3, 1, tzinfo=UTC))
    package = tmp_path / "acme.zip"
    take_snapshot(store, Scope("acme"), package)
    cli.ok("open", str(package))
    assert window.asked[0][0] == str(package)
    package.write_bytes(package.read_bytes()[:100])
    said = cli("open", str(package))
    assert said.status == 1
    assert "acme.zip" in said.err
    assert len(window.asked) == 1


LINK = "memory-workbench:sqlite:///a.db?tenant=acme&valid_at=2026-06-01T00%3A00%3A00Z&subject=mira"


def test_open_takes_a_copied_link(cli: CommandLine, window: Window, store: MemoryStore) -> None:
    said = cli.ok("open", LINK, "--theme", "dark", "--json")
    assert said.document["store"] == "a.db"
    assert window.asked[0][0] == LINK, "the window reads the rest of it"
    assert window.asked[0][1]["theme"] == "dark"
    for extra in (["--tenant", "other"], ["--known-at", "2026-01-01"], ["--subject", "tom"]):
        said = cli("open", LINK, *extra)
        assert said.status == 2
        assert "leave the other options out" in said.err
    said = cli("open", "memory-workbench:sqlite:///a.db")
    assert (said.status, len(window.asked)) == (1, 1)
    assert "names no store and tenant" in said.err
    said = cli("open", LINK.replace("a.db", "none.db"))
    assert (said.status, said.err) == (1, "memory-workbench: There is no store none.db.\n")


def test_a_store_that_is_held_is_left_to_the_window_at_once(
    cli: CommandLine, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def held(*_words: object, patience_s: float, **_more: object) -> None:
        waits.append(patience_s)
        raise Locked("a.db is locked by another program.")

    monkeypatch.setattr("workbench.commands.opening.open_store", held)
    cli.ok("open", "a.db")
    assert waits == [0.0]
    assert len(window.asked) == 1


def test_open_makes_no_store(cli: CommandLine, window: Window) -> None:
    said = cli("open", "none.db")
    assert (said.status, said.err) == (1, "memory-workbench: There is no store none.db.\n")
    assert (window.asked, cli.stores) == ([], {})


@pytest.mark.parametrize(
    ("error", "opens", "draws"),
    [(NotAStore("no"), False, False), (Corrupt("torn"), True, False), (TooOld("old"), True, True)],
    ids=lambda it: type(it).__name__,
)
def test_what_the_window_has_a_door_for_is_left_to_it(
    cli: CommandLine,
    window: Window,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    opens: bool,
    draws: bool,
) -> None:
    def fail(*_words: object, **_more: object) -> None:
        raise error

    monkeypatch.setattr("workbench.commands.opening.open_store", fail)
    assert cli("open", "a.db").status == (0 if opens else 1)
    assert cli("open", "a.db", "--screenshot", "w.png").status == (0 if draws else 1)
    assert len(window.asked) == opens + draws


@pytest.mark.usefixtures("no_display")
def test_without_a_display_it_says_so_and_draws(
    cli: CommandLine, window: Window, store: MemoryStore
) -> None:
    said = cli("open", "a.db")
    assert said.status == 1
    assert "there is no display here" in said.err
    assert "memory-workbench open a.db --screenshot window.png" in said.err
    assert window.asked == []
    assert cli.ok("open", "a.db", "--screenshot", "w.png").out == "Drew w.png\n"
    assert len(window.asked) == 1


def test_without_qt_it_says_so(
    cli: CommandLine, window: Window, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "workbench.app")
    real = __import__

    def refuse(name: str, *more: Any) -> Any:
        if name == "workbench.app":
            raise ImportError("libEGL.so.1: cannot open shared object file", name="PySide6.QtGui")
        return real(name, *more)

    monkeypatch.setattr("builtins.__import__", refuse)
    said = cli("open", "a.db")
    assert said.status == 1
    assert "The window needs PySide6, which cannot be loaded here (libEGL.so.1" in said.err
