"""What begins or ends because time passes is shown without a write."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from store import AsOf, bind, open_store
from tests.sessions import session_on, settled
from workbench import turnings
from workbench.turnings import Turnings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from workbench.session import Session

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    """Stands where it is set."""

    def __init__(self) -> None:
        self.at = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(turnings, "ASK_AFTER_MS", 1)
    return Clock()


@pytest.fixture
def session(qapp: object) -> Iterator[Session]:
    store = open_store("memory:")
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "said", occurred_at=LONG_AGO)
    with session_on(store) as opened:
        yield opened


def add(session: Session, value: str, *, begins: datetime, ends: datetime | None = None) -> None:
    assert session.store is not None
    memory = bind(session.store, "acme", agent_id="support")
    memory.change(value, "is", value, valid_from=begins, until=ends, episode="e1")


def test_the_next_beginning_or_end_is_waited_for(
    qtbot: QtBot, session: Session, clock: Clock
) -> None:
    hour = timedelta(hours=1)
    add(session, "over", begins=LONG_AGO, ends=clock.at - hour)
    add(session, "open", begins=LONG_AGO)
    add(session, "ends", begins=LONG_AGO, ends=clock.at + 2 * hour)
    add(session, "begins", begins=clock.at + 3 * hour)
    watch = Turnings(session, session, clock=clock)
    session.opened.emit()
    qtbot.waitUntil(lambda: watch.next == clock.at + 2 * hour)
    add(session, "sooner", begins=clock.at + hour)
    session.refresh()
    qtbot.waitUntil(lambda: watch.next == clock.at + hour)


def test_panels_look_again_when_a_fact_has_ended(
    qtbot: QtBot, session: Session, clock: Clock
) -> None:
    add(session, "ends", begins=LONG_AGO, ends=datetime.now(UTC) + timedelta(milliseconds=400))
    session.refresh()
    qtbot.waitUntil(lambda: session.newest == 2 and settled(session))
    Turnings(session, session)
    with qtbot.waitSignal(session.changed, timeout=5_000) as told:
        session.opened.emit()
    assert told.args[0].everything
    qtbot.waitUntil(lambda: session.summary is not None and session.summary.facts == 0)


def test_nothing_turns_while_an_instant_is_held(
    qtbot: QtBot, session: Session, clock: Clock
) -> None:
    add(session, "ends", begins=LONG_AGO, ends=clock.at + timedelta(hours=1))
    watch = Turnings(session, session, clock=clock)
    session.opened.emit()
    qtbot.waitUntil(lambda: watch.next is not None)
    session.set_as_of(AsOf(valid_at=LONG_AGO))
    assert watch.next is None
    assert not watch._ask_later.isActive()
