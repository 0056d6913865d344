"""One point of view for all panels: the session and its undo, on a real store in memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from store import (
    AsOf,
    Capture,
    Change,
    ChangeNotice,
    Correct,
    EpisodeDraft,
    EpisodeKind,
    MemoryDelta,
    Outcome,
    Receipt,
    Scope,
    StoreError,
    open_store,
)
from workbench.actions import Selection as Kind
from workbench.history import History
from workbench.ops import Operations
from workbench.session import NOTHING, Filter, Selection, Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from store import Store

JUNE = datetime(2026, 6, 1, tzinfo=UTC)
ACME = Scope("acme")


def capture(store: Store, episode_id: str, scope: Scope = ACME) -> None:
    draft = EpisodeDraft(
        episode_id=episode_id, kind=EpisodeKind.MESSAGE, content="said", occurred_at=JUNE
    )
    store.write(scope, Capture(episode=draft))


def change(value: str, *, day: int = 0, tenant: str = "acme", subject: str = "mira") -> Change:
    return Change(
        delta=MemoryDelta(
            tenant_id=tenant,
            subject=subject,
            attribute="city",
            value=value,
            valid_from=JUNE + timedelta(days=day),
            source_episode_id="e1",
        )
    )


@pytest.fixture
def store() -> Store:
    made = open_store("memory:")
    capture(made, "e1")
    return made


@pytest.fixture
def session(qtbot: QtBot, store: Store) -> Iterator[Session]:
    operations = Operations()
    made = Session(operations)
    made.open(store, store.tenants(), tenant_id="acme")
    qtbot.waitUntil(lambda: made.summary is not None and made.newest == 1)
    yield made
    made.close()
    operations.shutdown()


def value_now(store: Store) -> list[object]:
    return [fact.value for fact in store.read(ACME, "mira", "city")]


def test_a_write_is_told_with_its_origin(qtbot: QtBot, session: Session) -> None:
    receipts: list[Receipt] = []
    with qtbot.waitSignal(session.changed) as told:
        session.write("Add city", change("Porto"), on_done=receipts.append, origin=session)
    notice, origin = told.args
    assert isinstance(notice, ChangeNotice)
    assert notice.subjects == {"mira"}
    assert origin is session
    assert receipts[0].outcome is Outcome.APPLIED


def test_a_foreign_write_is_noticed(qtbot: QtBot, session: Session, store: Store) -> None:
    with qtbot.waitSignal(session.changed, timeout=5000) as told:
        qtbot.waitUntil(lambda: session._revision is not None)
        store.write(ACME, change("Lisbon"))
    notice, origin = told.args
    assert notice.newest == 2
    assert origin is None


def test_looking_at_the_past_only_counts_what_is_newer(
    qtbot: QtBot, session: Session, store: Store
) -> None:
    known_at = store.head(ACME).recorded_at
    session.set_as_of(AsOf(known_at=known_at))
    heard: list[object] = []
    session.changed.connect(lambda *args: heard.append(args))
    with qtbot.waitSignal(session.newer_waiting_changed, timeout=5000) as told:
        session.write("Add city", change("Porto"))
    assert told.args == [1]
    assert heard == []
    with qtbot.waitSignal(session.newer_waiting_changed) as told:
        session.set_as_of(AsOf())
    assert told.args == [0]


def test_a_refused_write_comes_back_as_a_sentence(qtbot: QtBot, session: Session) -> None:
    with qtbot.waitSignal(session.failed) as told:
        session.write("Correct", Correct(memory_id="nobody", value=1, episode_id="e1", reason="x"))
    assert isinstance(told.args[0], StoreError)
    assert "nobody" in str(told.args[0])


def test_selections_can_be_gone_back_and_forth(session: Session) -> None:
    one, other = (Selection(Kind.SUBJECT, subject=name) for name in ("mira", "jonas"))
    session.select(one)
    session.select(other)
    assert session.can_go_back
    session.go_back()
    assert session.selection == one
    assert session.can_go_forward
    session.go_forward()
    assert session.selection == other


def test_another_tenant_begins_from_now_with_nothing_selected(
    qtbot: QtBot, session: Session, store: Store
) -> None:
    capture(store, "e1", Scope("globex"))
    session.select(Selection(Kind.SUBJECT, subject="mira"))
    session.set_filter(subject="mira")
    session.set_as_of(AsOf(valid_at=JUNE))
    with qtbot.waitSignal(session.scope_changed):
        session.set_scope(Scope("globex"))
    assert session.selection == NOTHING
    assert session.filter.subject is None
    assert session.as_of.is_now
    qtbot.waitUntil(lambda: session.summary is not None)
    assert session.summary is not None
    assert session.summary.facts == 0


def test_undo_and_redo_are_transactions(qtbot: QtBot, session: Session, store: Store) -> None:
    history = History(session)
    with qtbot.waitSignal(history.changed):
        session.write("Add city", change("Porto"))
    assert history.undo_label == "Add city"
    with qtbot.waitSignal(history.undone):
        history.undo()
    assert value_now(store) == []
    assert (history.undo_label, history.redo_label) == ("", "Add city")
    with qtbot.waitSignal(history.redone):
        history.redo()
    assert value_now(store) == ["Porto"]
    with qtbot.waitSignal(history.undone):
        history.undo()
    assert value_now(store) == []
    assert store.head(ACME).number == 5


def test_undo_that_others_built_upon_says_so_and_stays(
    qtbot: QtBot, session: Session, store: Store
) -> None:
    history = History(session)
    receipts: list[Receipt] = []
    with qtbot.waitSignal(history.changed):
        session.write("Add city", change("Porto"), on_done=receipts.append)
    memory_id = receipts[0].memory_id
    assert memory_id is not None
    store.write(
        ACME, Correct(memory_id=memory_id, value="Faro", episode_id="e1", reason="misheard")
    )
    with qtbot.waitSignal(session.failed) as told:
        history.undo()
    assert "3" in str(told.args[0])
    assert history.undo_label == "Add city"
    assert value_now(store) == ["Faro"]


def test_what_is_known_already_is_no_step(qtbot: QtBot, session: Session, store: Store) -> None:
    history = History(session)
    store.write(ACME, change("Porto"))
    with qtbot.waitSignal(session.written):
        session.write("Add city", change("Porto"))
    assert history.undo_label == ""


def test_closing_lets_go_of_the_store(qtbot: QtBot, session: Session, store: Store) -> None:
    with qtbot.waitSignal(session.closed):
        session.close()
    assert not session.is_open
    assert session.read(("x",), lambda view: view, on_done=lambda _: None) is None
    qtbot.waitUntil(lambda: not session.operations.is_writing)
    with pytest.raises(StoreError):
        store.head(ACME)


def test_a_closed_store_leaves_no_filter_behind(qtbot: QtBot, session: Session) -> None:
    session.set_filter(subject="mira", history=True)
    session.set_as_of(AsOf(valid_at=JUNE))
    with qtbot.waitSignals([session.closed, session.filter_changed]):
        session.close()
    assert session.filter == Filter()
    assert session.as_of.is_now
