"""One suite for every backend, ours and others'.

A backend of somebody else joins by an entry point of the group `memory_workbench.conformance`: its
name is the backend's, its object a function `(folder, *, create, read_only, clock, entropy)` that
returns an open `Store` kept in that folder, or a new one where the backend does not persist.
What a backend can do it says by its capabilities; a test names those that it needs by
`@pytest.mark.requires(Capability.X)`, and never asks for a backend by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from store import Store, open_store
from tests.conformance.scene import LATER, Clock, Desk, Entropy, day

Opener = Callable[..., Store]


def _memory(_folder: Path, **options: Any) -> Store:
    return open_store("memory:", **options)


def _sqlite(folder: Path, **options: Any) -> Store:
    return open_store(str(folder / "x.db"), **options)


OPENERS: dict[str, Opener] = {"memory": _memory, "sqlite": _sqlite}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "opener" in metafunc.fixturenames:
        others = entry_points(group="memory_workbench.conformance")
        cases = [*OPENERS.items(), *((point.name, point) for point in others)]
        metafunc.parametrize(
            "opener",
            [pytest.param(it, id=name) for name, it in cases],
            indirect=True,
            scope="module",
        )


@pytest.fixture(scope="module")
def opener(request: pytest.FixtureRequest) -> Opener:
    chosen = request.param
    found: Opener = chosen.load() if hasattr(chosen, "load") else chosen
    return found


@pytest.fixture(scope="session")
def fast_place() -> str | None:
    """A place in memory, where there is one: nothing here is about surviving a power cut."""
    place = "/dev/shm"
    return place if os.access(place, os.W_OK) else None


@pytest.fixture
def stores_folder(fast_place: str | None) -> Iterator[Path]:
    """A folder for the stores of one test."""
    with TemporaryDirectory(prefix="conformance-", dir=fast_place) as folder:
        yield Path(folder)


@pytest.fixture
def make_store(
    opener: Opener, stores_folder: Path, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Store]]:
    """Open stores: `make_store(name, clock=…, entropy=…, create=…, read_only=…)`."""
    opened: list[Store] = []
    needed = {c for mark in request.node.iter_markers("requires") for c in mark.args}

    def make(
        name: str = "store",
        *,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
        create: bool = True,
        read_only: bool = False,
    ) -> Store:
        folder = stores_folder / name
        folder.mkdir(exist_ok=True)
        store = opener(
            folder,
            create=create,
            read_only=read_only,
            clock=clock or Clock(day(LATER)),
            entropy=entropy or Entropy(name),
        )
        opened.append(store)
        missing = needed - store.capabilities
        if missing:
            pytest.skip(f"{store.url} lacks {', '.join(sorted(missing))}")
        return store

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock(day(LATER))


@pytest.fixture
def store(make_store: Callable[..., Store], clock: Clock) -> Store:
    return make_store(clock=clock)


@pytest.fixture
def desk(store: Store, clock: Clock) -> Iterator[Desk]:
    """The operator of tenant acme. What a test leaves behind must be sound."""
    desk = Desk(store, clock)
    yield desk
    desk.check()
