"""A command line whose stores live in memory, by name, from one command to the next."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from store.backends.memory import MemoryStore
from store.contract import Store
from store.errors import NotFound
from workbench.cli import run


@dataclass(frozen=True)
class Said:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


class CommandLine:
    """Runs commands in this process; `stores` are the stores that they see, by location."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.stores: dict[str, MemoryStore] = {}
        self._capsys = capsys

    def __call__(self, *words: str) -> Said:
        self._capsys.readouterr()
        status = run(list(words))
        caught = self._capsys.readouterr()
        return Said(status, caught.out, caught.err)

    def ok(self, *words: str) -> Said:
        """Run a command that must succeed."""
        said = self(*words)
        assert (said.status, said.err) == (0, ""), said
        return said

    def open(
        self, location: str | Path, *, create: bool = False, read_only: bool = False, **more: Any
    ) -> Store:
        """Stand in for `open_store`."""
        name = str(location)
        if name == "memory:":
            return MemoryStore(**more)
        if name not in self.stores:
            if not create:
                raise NotFound(f"There is no store {name}.")
            self.stores[name] = MemoryStore(**more)
        store = self.stores[name]
        store.is_writable = not read_only
        return store


@pytest.fixture
def cli(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[CommandLine]:
    line = CommandLine(capsys)
    for place in ("workbench.commands.opening", "workbench.filling"):
        monkeypatch.setattr(f"{place}.open_store", line.open)
    monkeypatch.setattr(MemoryStore, "close", lambda _store: None)
    monkeypatch.setenv("MEMORY_WORKBENCH_HOME", str(tmp_path / "home"))
    return line
