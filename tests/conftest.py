"""Fixtures for all tests; the first thing pytest imports."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

# Without a screen Qt aborts the interpreter unless it is told so before the first import.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.support import find_shared

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from workbench.session import Session

# The machine that runs the tests is shared and slow at times: a deadline would test the machine.
settings.register_profile(
    "default", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True)
def garbage_stays_home(request: pytest.FixtureRequest) -> Iterator[None]:
    """Collect what a test of Qt leaves on this thread, before a later test's worker does it."""
    yield
    if "qapp" in request.fixturenames:
        gc.collect()


@pytest.fixture(autouse=True)
def formats_stay_home(request: pytest.FixtureRequest) -> Iterator[None]:
    """Put back how numbers and dates are written: a window in Spanish says it for the process."""
    if "qapp" not in request.fixturenames:
        yield
        return
    from workbench import text

    before = text.current_format()
    yield
    text.use_format(before)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real input beside the checkout; without it the test is skipped."""
    folder = find_shared()
    if folder is None:
        pytest.skip("needs the real data in ../shared (or in $MEMORY_WORKBENCH_SHARED)")
    return folder


@pytest.fixture
def session(qapp: QApplication) -> Iterator[Session]:
    """A session on the demo store, for tests that do not write."""
    from tests.sessions import session_on, standing_demo

    with session_on(standing_demo()) as opened:
        yield opened
