"""A list is read page by page: on as one scrolls, again after a failure, and one list at a time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from store.query import FactQuery, Page
from tests.sessions import LongList, session_on, settled
from workbench.messages import Message, MessageBoard, Severity
from workbench.widgets.page_reader import PageReader
from workbench.widgets.paged_rows import PagedRows

UNREADABLE = Message("list.unreadable", Severity.ERROR, "It could not be read. {reason}")


class Numbers(PagedRows):
    """The values of the facts."""

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        is_shown = role == Qt.ItemDataRole.DisplayRole
        return self.rows[index.row()].value if is_shown else None


class List:
    """A list of facts, ten to a page, and what reads it."""

    def __init__(self, session, store, qtbot):
        self.store, self.session, self.qtbot = store, session, qtbot
        self.rows, self.messages = Numbers(), MessageBoard()
        self.reader = PageReader(
            session, self.rows, area="list", messages=self.messages, unreadable=UNREADABLE
        )

    def read_page(self, view, after):
        return view.store.facts(view.scope, FactQuery(), page=Page(10, after))

    def scroll(self):
        self.rows.fetchMore(self.rows.index(-1, -1))

    def can_scroll(self):
        return self.rows.canFetchMore(self.rows.index(-1, -1))

    def settle(self):
        self.qtbot.waitUntil(lambda: settled(self.session))

    @property
    def values(self):
        return [row.value for row in self.rows.rows]


@pytest.fixture
def listed(qtbot):
    store = LongList(25)
    with session_on(store) as session:
        made = List(session, store, qtbot)
        made.settle()
        yield made
        store.let.set()


def values(*numbers):
    return [f"value {number}" for number in numbers]


def test_pages_follow_until_the_end(listed, qtmodeltester):
    qtmodeltester.check(listed.rows, force_py=True)
    assert not listed.reader.is_known
    listed.reader.begin(listed.read_page)
    listed.settle()
    assert listed.reader.is_known
    while listed.can_scroll():
        listed.scroll()
        assert not listed.can_scroll()  # it is asked for once
        listed.settle()
    assert listed.values == values(*range(25))


def test_what_did_not_come_can_be_wanted_again(listed):
    listed.reader.begin(listed.read_page)
    listed.settle()
    listed.store.is_broken = True
    listed.scroll()
    listed.settle()
    assert [it.message for it in listed.messages.shown] == [UNREADABLE]
    listed.store.is_broken = False
    listed.scroll()
    listed.settle()
    assert listed.messages.shown == ()
    assert listed.values == values(*range(20))


def test_what_follows_an_older_list_does_not_come_into_a_newer_one(listed):
    listed.reader.begin(listed.read_page)
    listed.settle()
    listed.store.let.clear()
    listed.scroll()
    listed.store.held = list(range(100, 105))
    listed.reader.begin(listed.read_page)
    listed.scroll()
    listed.store.let.set()
    listed.settle()
    assert listed.values == values(*range(100, 105))


def test_a_look_while_the_beginning_is_read_reads_it_again(listed):
    listed.store.let.clear()
    listed.reader.begin(listed.read_page)
    looked = []
    listed.reader.look(lambda view: view.scope, looked.append)
    listed.store.let.set()
    listed.settle()
    assert looked == []
    assert listed.values == values(*range(10))
    listed.reader.look(lambda view: view.scope.tenant_id, looked.append)
    listed.settle()
    assert looked == ["acme"]


def test_a_list_that_is_forgotten_has_no_rows_and_nothing_follows(listed):
    listed.reader.begin(listed.read_page)
    listed.settle()
    listed.reader.forget()
    assert not listed.reader.is_known
    assert listed.values == []
    assert not listed.can_scroll()
