"""The list of conflicts: read by pages, sorted, followed, and opened."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QAbstractItemModelTester

from store import NOW, AsOf, Resolution, Scope, Settle, bind, open_store
from workbench.actions import Selection as SelectionKind
from workbench.dialogs.conflict import ConflictDialog
from workbench.ops import Operations
from workbench.panels.conflicts.model import CONFLICT_ROLE, Column, ConflictModel
from workbench.panels.conflicts.presenter import PAGE
from workbench.panels.conflicts.view import ConflictsView
from workbench.session import Session

BEGINS = datetime(2026, 1, 1, tzinfo=UTC)
SCOPE = Scope("acme")


def fill(store, count):
    """Make so many conflicts, about subjects s0000, s0001, …"""
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "one", occurred_at=BEGINS)
    memory.capture("e2", "two", occurred_at=BEGINS)
    for number in range(count):
        subject = f"s{number:04}"
        memory.change(subject, "plan", f"v{9 - number % 10}", valid_from=BEGINS, episode="e1")
        memory.change(subject, "plan", "other", valid_from=BEGINS, episode="e2")


class Desk:
    def __init__(self, qtbot, count=5):
        self.qtbot = qtbot
        self.store = open_store("memory:", create=True)
        fill(self.store, count)
        self.ops = Operations()
        self.session = Session(self.ops)
        self.view = ConflictsView(self.session)
        qtbot.addWidget(self.view)
        self.view.resize(1000, 400)
        self.view.show()
        self.session.open(self.store, self.store.tenants(), tenant_id="acme")
        self.wait(lambda: self.session.summary is not None and self.view.presenter.is_loaded)

    @property
    def model(self):
        return self.view.presenter.model

    def wait(self, holds):
        self.qtbot.waitUntil(lambda: bool(holds()))

    def wait_rows(self, count):
        self.wait(lambda: self.model.rowCount() == count)

    def subjects(self):
        return [it.subject for it in self.model.rows]

    def settle(self, row=0):
        conflict = self.model.rows[row]
        self.store.write(
            SCOPE,
            Settle(
                conflict_id=conflict.conflict_id, resolution=Resolution.STANDING, reason="checked"
            ),
        )
        self.session.refresh()
        return conflict.conflict_id

    def close(self):
        for dialog in self.view.findChildren(ConflictDialog):
            dialog.close()
        self.session.close()
        self.ops.shutdown()


@pytest.fixture
def desk(qtbot):
    desk = Desk(qtbot)
    yield desk
    desk.close()


def test_the_open_conflicts_are_listed_oldest_first(desk):
    desk.wait_rows(5)
    assert desk.subjects() == [f"s000{number}" for number in range(5)]
    shown = [desk.model.index(0, column).data() for column in Column]
    assert shown[:2] == ["s0000", "plan"]
    assert shown[Column.STANDING] == "v9"
    assert shown[Column.INCOMING] == "other"
    assert shown[Column.KIND] == "values differ"
    assert shown[Column.STATE] == "open"
    assert all(shown)


def test_settled_ones_are_shown_on_request(desk):
    desk.settle()
    desk.wait_rows(4)
    desk.view.presenter.show_all(True)
    desk.wait_rows(5)
    row = desk.model.index(0, Column.STATE)
    assert row.data().startswith("settled")
    assert "checked" in row.data(Qt.ItemDataRole.ToolTipRole)


def test_a_selected_row_is_selected_for_every_panel_with_its_lane(desk):
    desk.view.table.selectRow(2)
    chosen = desk.session.selection
    conflict = desk.model.rows[2]
    assert chosen.kind is SelectionKind.CONFLICT
    assert (chosen.subject, chosen.attribute) == ("s0002", "plan")
    assert chosen.conflict_id == conflict.conflict_id
    assert chosen.memory_id == conflict.standing.claim_id


def test_what_another_panel_selects_is_selected_here(desk):
    desk.view.presenter.select(desk.model.rows[3])
    assert desk.view.table.currentIndex().row() == 3
    desk.session.go_back()
    desk.view.table.selectRow(1)
    assert desk.session.selection.subject == "s0001"


def test_enter_and_double_click_open_the_dialog(desk, qtbot):
    table = desk.view.table
    table.setFocus()
    table.selectRow(1)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    (dialog,) = desk.view.findChildren(ConflictDialog)
    desk.wait(lambda: dialog.presenter.case is not None)
    assert dialog.presenter.case.conflict.subject == "s0001"
    spot = table.visualRect(desk.model.index(2, Column.SUBJECT)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    desk.wait(lambda: dialog.presenter.case.conflict.subject == "s0002")
    assert desk.view.findChildren(ConflictDialog) == [dialog]


def test_next_conflict_opens_the_first_then_the_one_after(desk):
    following = desk.view.handlers()["conflict.next"]
    following()
    assert desk.session.selection.subject == "s0000"
    following()
    assert desk.session.selection.subject == "s0001"
    desk.view.presenter.select(desk.model.rows[4])
    following()
    assert desk.session.selection.subject == "s0000"


def test_next_conflict_finds_one_that_the_filter_hides(desk):
    desk.session.set_filter(subject="nobody")
    desk.wait_rows(0)
    desk.view.handlers()["conflict.next"]()
    desk.wait(lambda: desk.session.selection.conflict_id is not None)


def test_resolve_opens_the_conflict_that_is_selected_anywhere(desk):
    desk.view.presenter.select(desk.model.rows[4])
    desk.view.handlers()["conflict.resolve"]()
    (dialog,) = desk.view.findChildren(ConflictDialog)
    desk.wait(lambda: dialog.presenter.case is not None)
    assert dialog.presenter.case.conflict.subject == "s0004"


def test_a_conflict_settled_elsewhere_goes_and_the_selection_stays(desk):
    desk.view.table.selectRow(3)
    desk.settle(row=0)
    desk.wait_rows(4)
    assert desk.view.table.currentIndex().data(CONFLICT_ROLE).subject == "s0003"
    assert desk.session.selection.subject == "s0003"


def test_a_new_conflict_comes_and_flashes_once(desk, qtbot):
    with qtbot.waitSignal(desk.view.presenter.flashed) as told:
        memory = bind(desk.store, "acme", agent_id="support")
        memory.change("zoe", "plan", "a", valid_from=BEGINS, episode="e1")
        memory.change("zoe", "plan", "b", valid_from=BEGINS, episode="e2")
        desk.session.refresh()
    desk.wait_rows(6)
    row = desk.model.row_of(*told.args[0])
    assert desk.model.rows[row].subject == "zoe"
    ground = Qt.ItemDataRole.BackgroundRole
    desk.wait(lambda: desk.model.index(row, 0).data(ground) is not None)
    desk.wait(lambda: desk.model.index(row, 0).data(ground) is None)


def test_a_header_sorts_and_sorts_back(desk):
    header = desk.view.table.horizontalHeader()
    header.setSortIndicator(Column.STANDING, Qt.SortOrder.AscendingOrder)
    desk.wait(lambda: desk.subjects()[0] == "s0004")
    assert [it.standing.value for it in desk.model.rows] == ["v5", "v6", "v7", "v8", "v9"]
    header.setSortIndicator(Column.RAISED, Qt.SortOrder.DescendingOrder)
    desk.wait(lambda: desk.subjects() == [f"s000{number}" for number in (4, 3, 2, 1, 0)])
    header.setSortIndicator(Column.AGE, Qt.SortOrder.DescendingOrder)
    desk.wait(lambda: desk.subjects()[0] == "s0000")


def test_the_filter_of_the_session_narrows_the_list(desk):
    desk.session.set_filter(subject="s0002")
    desk.wait_rows(1)
    desk.session.set_filter(subject=None, text="S0003 pl")
    desk.wait(lambda: desk.subjects() == ["s0003"])
    desk.session.set_filter(text="", attribute="colour")
    desk.wait_rows(0)
    assert "filter" in desk.view._empty.accessibleName()


def test_pages_are_read_as_one_scrolls(qtbot):
    desk = Desk(qtbot, count=PAGE + 40)
    desk.wait_rows(PAGE)
    assert desk.model.canFetchMore(desk.model.index(-1, -1))
    desk.view.table.scrollToBottom()
    desk.wait_rows(PAGE + 40)
    assert not desk.model.canFetchMore(desk.model.index(-1, -1))
    assert len(set(desk.subjects())) == PAGE + 40
    desk.view.table.horizontalHeader().setSortIndicator(Column.RAISED, Qt.SortOrder.DescendingOrder)
    desk.wait(lambda: desk.subjects()[0] == f"s{PAGE + 39:04}")
    desk.close()


def test_the_empty_list_says_what_belongs_here(qtbot):
    desk = Desk(qtbot, count=0)
    empty = desk.view._empty
    assert empty.isVisible()
    assert empty.accessibleName() == "No conflicts wait."
    desk.view.presenter.show_all(True)
    desk.wait(lambda: empty.accessibleName() == "There was no conflict yet.")
    desk.close()


def test_a_closed_store_leaves_no_rows(desk):
    desk.session.close()
    assert desk.model.rowCount() == 0
    assert desk.view._empty.accessibleName() == "Conflicts are listed here."


def test_from_another_instant_the_list_says_that_it_is_as_of_now(desk):
    desk.session.set_as_of(AsOf(valid_at=BEGINS + timedelta(days=3)))
    (shown,) = desk.view.presenter.messages.shown
    assert shown.message.id == "conflicts.as_they_stand"
    desk.session.set_as_of(NOW)
    assert not desk.view.presenter.messages.shown


def test_the_model_keeps_the_rules_of_models(qtbot):
    desk = Desk(qtbot, count=3)
    model = ConflictModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    rows, asked = desk.model.rows, []
    model.more_wanted.connect(lambda: asked.append(True))
    model.set_rows(rows[:1], has_more=True)
    model.fetchMore(model.index(-1, -1))
    assert asked == [True]
    model.append(rows[1:], has_more=False)
    model.flash(frozenset({rows[0].conflict_id}))
    model.say_ages()
    assert model.rowCount() == 3
    model.set_rows(())
    assert tester.model() is model
    desk.close()


def test_cells_and_the_table_have_names(desk):
    table = QAccessible.queryAccessibleInterface(desk.view.table)
    assert table.text(QAccessible.Text.Name)
    cell = desk.model.index(0, Column.STANDING).data(Qt.ItemDataRole.AccessibleTextRole)
    assert cell == "Standing: v9"
    desk.view.table.selectionModel().setCurrentIndex(
        desk.model.index(1, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
