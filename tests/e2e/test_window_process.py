"""The window as a program: real processes without a screen, on a store that others write too."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from store import AsOf, bind, open_store
from tests.support import ROOT
from workbench.settings import WindowState

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
SIZE = "1024x700"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")


@dataclass
class Program:
    """Runs `python -m workbench` with a home of its own; `windows` are ended afterwards."""

    folder: Path
    windows: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "MEMORY_WORKBENCH_HOME": str(self.folder / "home"),
            "QT_QPA_PLATFORM": "offscreen",
        }

    def start(self, *words: str) -> subprocess.Popen[str]:
        window = subprocess.Popen(
            [sys.executable, "-P", "-m", "workbench", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.windows.append(window)
        return window

    def __call__(self, *words: str) -> tuple[int, str, str]:
        process = self.start(*words)
        out, err = process.communicate(timeout=60)
        assert "Traceback" not in err, err
        return process.returncode, out, err

    def draw(self, name: str, *words: str) -> QImage:
        status, _out, err = self("open", "m.db", "--screenshot", name, "--size", SIZE, *words)
        assert (status, err) == (0, "")
        picture = QImage(str(self.folder / name))
        assert picture.size().toTuple() == tuple(map(int, SIZE.split("x")))
        return picture

    def open_window(self) -> subprocess.Popen[str]:
        """Open a window, and come back when it has remembered that it opened the store."""
        window = self.start("open", "m.db")
        settings = self.folder / "home" / "config" / "settings.json"
        ends_at = time.monotonic() + 40
        while not (settings.is_file() and "m.db" in settings.read_text(encoding="utf-8")):
            assert time.monotonic() < ends_at
            with contextlib.suppress(subprocess.TimeoutExpired):
                window.wait(timeout=0.05)
                pytest.fail(f"The window is gone: {window.communicate()}")
        return window

    def write(self, value: str, valid_from: str) -> None:
        """Write a fact by another process."""
        status, out, _err = self(
            *("write", "m.db", "--tenant", "acme", "--subject", "mira"),
            *("--attribute", "home_city", "--value", json.dumps(value)),
            *("--valid-from", valid_from, "--episode", "e1", "--json"),
        )
        assert status == 0
        assert json.loads(out)["outcome"] == "applied"

    def check(self) -> None:
        status, out, err = self("check", "m.db", "--full")
        assert status == 0, out + err


def differing(one: QImage, other: QImage) -> int:
    """Count the pixels that differ."""
    pixels = [
        np.frombuffer(it.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32)
        for it in (one, other)
    ]
    return int(np.count_nonzero(pixels[0] != pixels[1]))


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    with open_store(tmp_path / "m.db", create=True) as store:
        memory = bind(store, "acme", agent_id="support")
        memory.capture("e1", "I live in Lisbon.", occurred_at=AT)
        memory.change("mira", "home_city", "Lisbon", valid_from=AT, episode="e1")
    made = Program(tmp_path)
    yield made
    for window in made.windows:
        if window.poll() is None:
            window.kill()
        window.communicate()


def test_a_picture_shows_what_another_process_wrote(program: Program) -> None:
    before = program.draw("before.png")
    again = program.draw("again.png")
    assert differing(before, again) < 40, "of all but the clock, a picture is the same each time"
    program.write("Porto", "2026-06-01T09:00Z")
    after = program.draw("after.png")
    assert differing(before, after) > 400


def test_a_copied_link_opens_as_it_was_looked_at(program: Program) -> None:
    program.write("Porto", "2026-06-01T09:00Z")
    with open_store(program.folder / "m.db", read_only=True) as store:
        (then,) = bind(store, "acme").read("mira", "home_city", AsOf(AT))
        place = f"memory-workbench:{store.url}?store_id={store.store_id}"
    link = f"{place}&tenant=acme&valid_at={AT:%Y-%m-%dT%H:%M:%SZ}&memory={then.memory_id}"
    pictures = []
    for name, opened in (("plain.png", "m.db"), ("view.png", link), ("again.png", link)):
        status, _out, err = program("open", opened, "--screenshot", name, "--size", SIZE)
        assert (status, err) == (0, "")
        pictures.append(QImage(str(program.folder / name)))
    assert differing(pictures[0], pictures[1]) > 400, "another as-of, and something selected"
    assert differing(pictures[1], pictures[2]) < 40
    other = link.replace(store.store_id, "01ARZ3NDEKTSV4RRFFQ69G5FAV")
    status, _out, err = program("open", other, "--screenshot", "window.png")
    assert status == 1
    assert "Another store lies at" in err


def test_what_cannot_be_opened_is_said_in_one_sentence(program: Program) -> None:
    (program.folder / "notes.txt").write_text("No store, and far from one. " * 50)
    for name in ("missing.db", "notes.txt"):
        status, out, err = program("open", name, "--screenshot", "window.png")
        assert (status, out) == (1, "")
        assert name in err
        assert len(err.splitlines()) == 1
        assert err.rstrip().endswith(".")
    assert not (program.folder / "window.png").exists()
    assert not (program.folder / "missing.db").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_window_that_is_asked_to_end_ends_cleanly(
    program: Program, number: signal.Signals
) -> None:
    window = program.open_window()
    program.write("Porto", "2026-06-01T09:00Z")
    window.send_signal(number)
    out, err = window.communicate(timeout=20)
    assert (window.returncode, out, err) == (0, "", "")
    kept = WindowState(program.folder / "home" / "config").load("geometry")
    assert kept is not None, "where everything is was remembered"
    assert not Path(program.folder / "m.db-wal").exists(), "the last one out closed the store"
    program.check()


def test_a_killed_window_leaves_a_whole_store(program: Program) -> None:
    window = program.open_window()
    program.write("Porto", "2026-06-01T09:00Z")
    window.kill()
    window.communicate()
    program.write("Faro", "2026-07-01T09:00Z")
    program.check()
    with open_store(program.folder / "m.db", read_only=True) as store:
        (now,) = bind(store, "acme").read("mira", "home_city")
    assert now.value == "Faro"
    program.open_window()
