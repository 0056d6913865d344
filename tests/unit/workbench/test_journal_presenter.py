"""The journal's presenter: rows, detail, the way back and its refusals, the chain."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from store import AsOf, Revert, Unavailable, bind
from store.backends.memory import MemoryStore
from store.model import WriteKind
from store.query import CheckReport, Finding, TransactionQuery
from tests.sessions import demo_store, session_on, settled
from workbench.actions import Selection as Kind
from workbench.panels.journal import items
from workbench.panels.journal.presenter import DAMAGED, REVERTED, UNCHECKED, JournalPresenter
from workbench.session import Selection

BASE = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def written(qapp):
    """A session on a small store that a test writes to."""
    store = MemoryStore()
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "I live in Lisbon.", occurred_at=BASE)
    memory.change("mira", "home_city", "Lisbon", valid_from=BASE, episode="e1")
    memory.change("mira", "home_city", "Porto", valid_from=BASE + timedelta(days=30), episode="e1")
    with session_on(store) as session:
        yield session


def made(qtbot, session):
    presenter = JournalPresenter(session)
    presenter.setParent(session)
    qtbot.waitUntil(lambda: presenter.is_listed)
    qtbot.waitUntil(lambda: presenter.chain.head is not None)
    return presenter


@pytest.fixture
def presenter(qtbot, session):
    return made(qtbot, session)


def choose(qtbot, presenter, number):
    presenter.select(number)
    qtbot.waitUntil(
        lambda: presenter.detail is not None and presenter.detail.transaction.number == number
    )


def numbers(presenter):
    return [row.number for row in presenter.rows.rows]


def test_the_newest_come_first_and_more_as_wanted(qtbot, presenter):
    assert numbers(presenter) == list(range(638, 638 - items.PAGE, -1))
    presenter.rows.more_wanted.emit()
    presenter.rows.more_wanted.emit()
    qtbot.waitUntil(lambda: len(presenter.rows.rows) == 2 * items.PAGE)
    assert numbers(presenter) == list(range(638, 638 - 2 * items.PAGE, -1))


def test_filters_by_kind_words_and_subject(qtbot, session, presenter):
    presenter.set_filter(kinds=frozenset({WriteKind.RETRACT}), text="")
    qtbot.waitUntil(lambda: len(presenter.rows.rows) < 50)
    assert {row.kind for row in presenter.rows.rows} == {WriteKind.RETRACT}
    presenter.set_filter(kinds=frozenset(), text="Saturday")
    qtbot.waitUntil(lambda: numbers(presenter) == [578])
    presenter.clear_filter()
    qtbot.waitUntil(lambda: len(presenter.rows.rows) == items.PAGE)
    assert presenter.subject is None
    session.set_filter(subject="mira")
    presenter.narrow(True)
    qtbot.waitUntil(lambda: {row.subjects for row in presenter.rows.rows} == {("mira",)})
    session.set_filter(subject="jonas")
    qtbot.waitUntil(lambda: {row.subjects for row in presenter.rows.rows} == {("jonas",)})
    session.set_filter(subject=None)
    qtbot.waitUntil(lambda: len(presenter.rows.rows) == items.PAGE)


def test_a_selected_transaction_is_shown_in_detail(qtbot, session, presenter):
    choose(qtbot, presenter, 578)
    assert presenter.detail.transaction.kind is WriteKind.CORRECT
    assert session.selection == Selection(Kind.TRANSACTION, transaction=578)
    session.select(Selection(Kind.SUBJECT, subject="mira"))
    qtbot.waitUntil(lambda: settled(session))
    assert presenter.detail.transaction.number == 578


def test_one_looks_as_of_a_transaction(qtbot, session, presenter):
    choose(qtbot, presenter, 578)
    presenter.look_as_of_it()
    recorded_at = presenter.detail.transaction.recorded_at
    assert session.as_of == AsOf(known_at=recorded_at)
    assert presenter.rows.index(0, 0).data(11).endswith("not recorded yet then")


def test_new_transactions_come_on_top(qtbot, written):
    presenter = made(qtbot, written)
    resets = []
    presenter.rows.modelReset.connect(lambda: resets.append(1))
    memory = bind(written.store, "acme", agent_id="support")
    memory.capture("e2", "more", occurred_at=BASE)
    qtbot.waitUntil(lambda: numbers(presenter)[0] == written.store.head(written.scope).number)
    assert resets == []
    qtbot.waitUntil(lambda: presenter.chain.head.number == numbers(presenter)[0])


# --- the way back ---------------------------------------------------------------------------


def test_a_revert_is_previewed_reasoned_and_done(qtbot, written):
    presenter = made(qtbot, written)
    last = numbers(presenter)[0]
    choose(qtbot, presenter, last)
    presenter.begin_revert()
    assert presenter.draft.number == last
    qtbot.waitUntil(lambda: presenter.draft.plan is not None)
    assert [it.value for it in presenter.draft.plan.after] == ["Lisbon"]
    presenter.revert("   ")
    assert not presenter.draft.is_writing
    with qtbot.waitSignal(written.written) as told:
        presenter.revert("  misheard ")
    assert told.args[0] == f"Revert transaction {last}"
    qtbot.waitUntil(lambda: presenter.draft is None)
    qtbot.waitUntil(lambda: presenter.detail.reverted_by == last + 1)
    assert [it.message for it in presenter.messages.shown] == [REVERTED]
    assert not presenter.can_revert
    qtbot.waitUntil(lambda: numbers(presenter)[0] == last + 1)
    assert presenter.rows.rows[0].reason == "misheard"
    (fact,) = written.store.read(written.scope, "mira", "home_city")
    assert fact.value == "Lisbon"
    with qtbot.waitSignal(written.attention_wanted) as wanted:
        presenter.messages.choose_action(REVERTED.id)
    assert wanted.args == ["edit.undo"]


def test_a_refusal_is_said_in_place(qtbot, written):
    presenter = made(qtbot, written)
    last = numbers(presenter)[0]
    memory = bind(written.store, "acme", agent_id="support")
    (fact,) = written.store.read(written.scope, "mira", "home_city")
    memory.retract(fact.memory_id, episode="e1", reason="never")
    choose(qtbot, presenter, last)
    presenter.begin_revert()
    qtbot.waitUntil(lambda: bool(presenter.draft.problem))
    assert presenter.draft.plan is None
    presenter.cancel_revert()
    assert presenter.draft is None


def test_a_key_that_changes_meanwhile_refuses_the_write(qtbot, written):
    presenter = made(qtbot, written)
    last = numbers(presenter)[0]
    choose(qtbot, presenter, last)
    presenter.begin_revert()
    qtbot.waitUntil(lambda: presenter.draft.plan is not None)
    written.store.write(written.scope, Revert(transaction=last, reason="someone was faster"))
    presenter.revert("misheard")
    qtbot.waitUntil(lambda: bool(presenter.draft.problem))
    assert not presenter.draft.is_writing
    assert presenter.draft.number == last


def test_another_selection_gives_the_revert_up(qtbot, session, presenter):
    choose(qtbot, presenter, 578)
    presenter.begin_revert()
    choose(qtbot, presenter, 577)
    assert presenter.draft is None


def test_a_store_for_reading_reverts_nothing(qtbot, qapp):
    store = demo_store()
    store.is_writable = False
    with session_on(store) as session:
        presenter = made(qtbot, session)
        choose(qtbot, presenter, 578)
        assert not presenter.can_revert
        presenter.begin_revert()
        assert presenter.draft is None


# --- the chain ------------------------------------------------------------------------------


def test_the_chain_is_checked_up_to_its_head(qtbot, session, presenter):
    assert presenter.chain.head.number == 638
    assert not presenter.chain.is_clean
    presenter.check()
    assert presenter.chain.is_checking
    qtbot.waitUntil(lambda: presenter.chain.report is not None)
    assert presenter.chain.is_clean
    assert presenter.chain.checked_to == 638
    assert presenter.messages.shown == ()


def test_damage_is_said_with_its_first_sentence(qtbot, session, presenter, monkeypatch):
    finding = Finding("the chain of digests holds", "acme: 7", "Transaction 7 was changed.")

    def damaged(**_more):
        return CheckReport(full=True, rules=(), findings=(finding,), heads=("acme: 638:ab",))

    monkeypatch.setattr(session.store, "check", damaged)
    presenter.check()
    qtbot.waitUntil(lambda: presenter.chain.report is not None)
    assert not presenter.chain.is_clean
    (shown,) = presenter.messages.shown
    assert shown.message is DAMAGED
    assert "Transaction 7 was changed." in shown.text


def test_a_check_shows_progress_and_can_be_stopped(qtbot, session, presenter, monkeypatch):
    going = threading.Event()

    def slow(*, progress, cancel, **_more):
        progress(3, 10)
        going.set()
        while True:
            cancel.check()

    monkeypatch.setattr(session.store, "check", slow)
    presenter.check()
    qtbot.waitUntil(lambda: presenter.chain.done == 3)
    assert presenter.chain.total == 10
    assert going.is_set()
    presenter.cancel_check()
    qtbot.waitUntil(lambda: not presenter.chain.is_checking)
    assert presenter.chain.report is None
    assert presenter.messages.shown == ()


def test_a_check_that_fails_can_be_tried_again(qtbot, session, presenter, monkeypatch):
    def broken(**_more):
        raise Unavailable("The disk is gone.")

    monkeypatch.setattr(session.store, "check", broken)
    presenter.check()
    qtbot.waitUntil(lambda: bool(presenter.messages.shown))
    assert presenter.messages.shown[0].message is UNCHECKED
    monkeypatch.undo()
    presenter.messages.choose_action(UNCHECKED.id)
    qtbot.waitUntil(lambda: presenter.chain.is_clean)


# --- following ------------------------------------------------------------------------------


def test_out_of_sight_it_reads_later(qtbot, written):
    presenter = made(qtbot, written)
    presenter.set_shown(False)
    memory = bind(written.store, "acme", agent_id="support")
    before = numbers(presenter)[0]
    with qtbot.waitSignal(written.changed):
        memory.capture("e2", "more", occurred_at=BASE)
    assert numbers(presenter)[0] == before
    presenter.set_shown(True)
    qtbot.waitUntil(lambda: numbers(presenter)[0] == before + 1)


def test_closing_the_store_clears(qtbot, session, presenter):
    choose(qtbot, presenter, 578)
    presenter.begin_revert()
    session.close()
    assert presenter.detail is None
    assert presenter.draft is None
    assert presenter.chain == items.ChainState()
    assert not presenter.rows.rows


def test_what_is_new_is_read_down_to_what_is_there(session, monkeypatch):
    view = SimpleNamespace(
        store=session.store, scope=session.scope, work=SimpleNamespace(cancel=None)
    )
    few = items.read_newer(view, TransactionQuery(), newest=600)
    assert few.is_joined
    assert [row.number for row in few.rows] == list(range(638, 600, -1))
    monkeypatch.setattr(items, "_MOST_NEW", 100)
    assert not items.read_newer(view, TransactionQuery(), newest=0).is_joined
