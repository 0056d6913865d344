"""The view as a link, and looking on while others write."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from store import AsOf, Scope, Store, bind, open_store
from tests.sessions import session_on, settled
from workbench.actions import Selection as Kind
from workbench.ops import Operations
from workbench.session import Selection, Session

AT = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def store() -> Store:
    store = open_store("memory:")
    write(store, "Lisbon", 1)
    return store


@pytest.fixture
def session(qtbot, store: Store) -> Iterator[Session]:
    with session_on(store) as opened:
        qtbot.waitUntil(lambda: settled(opened))
        yield opened


def write(store: Store, value: str, day: int) -> None:
    memory = bind(store, "acme", agent_id="support")
    memory.capture(f"e{day}", value, occurred_at=AT)
    memory.change("mira", "city", value, valid_from=AT.replace(day=day), episode=f"e{day}")


# --- the link -------------------------------------------------------------------------------


def test_a_plain_look_is_a_short_link(session: Session, store: Store) -> None:
    assert session.link() == f"memory-workbench:memory:?store_id={store.store_id}&tenant=acme"


def test_a_link_holds_as_of_filter_and_selection(session: Session, store: Store) -> None:
    session.set_as_of(AsOf(valid_at=AT, known_at=AT.replace(hour=8)))
    session.set_filter(subject="mira & co", text="a=b?", history=True)
    session.select(Selection(Kind.FACT, memory_id="m1"))
    parts = urlsplit(session.link())
    assert parts.scheme == "memory-workbench"
    assert parse_qs(parts.query) == {
        "store_id": [store.store_id],
        "tenant": ["acme"],
        "valid_at": ["2026-06-01T00:00:00Z"],
        "known_at": ["2026-06-01T08:00:00Z"],
        "subject": ["mira & co"],
        "text": ["a=b?"],
        "history": ["1"],
        "memory": ["m1"],
    }


def test_an_agents_view_names_the_agent(session: Session) -> None:
    session.set_scope(Scope("acme", "support"))
    assert "&agent=support" in session.link()


def test_without_a_store_there_is_no_link(qapp) -> None:
    operations = Operations()
    assert Session(operations).link() == ""
    operations.shutdown()


# --- following ------------------------------------------------------------------------------


def test_what_others_write_waits_while_they_are_not_followed(
    qtbot, session: Session, store: Store
) -> None:
    heard = []
    session.changed.connect(lambda notice, _origin: heard.append(notice))
    session.set_following(False)
    write(store, "Porto", 9)
    qtbot.waitUntil(lambda: session.newer_waiting == 2, timeout=5_000)
    assert heard == []
    session.refresh()
    qtbot.waitUntil(lambda: session.newer_waiting == 0 and settled(session))
    assert heard


def test_ones_own_writes_are_shown_at_once(qtbot, session: Session, store: Store) -> None:
    session.set_following(False)
    with qtbot.waitSignal(session.changed):
        session.write("Write", lambda view: write(view.store, "Porto", 9) or receipt(view.store))
    assert session.newer_waiting == 0


def receipt(store: Store):
    return bind(store, "acme", agent_id="support").capture("e0", "more", occurred_at=AT)


def test_following_again_shows_what_waited(qtbot, session: Session, store: Store) -> None:
    session.set_following(False)
    write(store, "Porto", 9)
    qtbot.waitUntil(lambda: session.newer_waiting == 2, timeout=5_000)
    with qtbot.waitSignal(session.changed):
        session.set_following(True)
    assert session.newer_waiting == 0
