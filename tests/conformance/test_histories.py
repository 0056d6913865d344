"""Random histories of every kind of write: the answer as of N never changes, and undo is exact."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import Store
from tests.conformance.played import STEPS, Played, step
from tests.conformance.scene import LATER, Clock, Desk, Entropy, day


@pytest.fixture
def examples() -> list[None]:
    """Counts the examples of a test: each has a store of its own."""
    return []


@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(step, min_size=4, max_size=STEPS))
def test_random_histories(
    make_store: Callable[..., Store],
    examples: list[None],
    steps: list[tuple[str, int, int, int, int]],
) -> None:
    clock = Clock(day(LATER))
    examples.append(None)
    name = f"example {len(examples)}"
    with make_store(name, clock=clock, entropy=Entropy("the same")) as store:
        history = Played(Desk(store, clock))
        for kind, *drawn in steps:
            history.play(kind, *drawn)
        history.conclude()
