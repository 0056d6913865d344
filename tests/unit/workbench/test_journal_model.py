"""The journal's table keeps Qt's rules, and finds transactions by number."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex, Qt

from store.model import Transaction, WriteKind
from workbench.panels.journal.model import ROW_ROLE, Column, JournalModel

BASE = datetime(2026, 6, 1, tzinfo=UTC)


def row(number, **more):
    given = {
        "tenant_id": "acme",
        "number": number,
        "recorded_at": BASE + timedelta(hours=number),
        "actor": "support",
        "tool": "test",
        "kind": WriteKind.CHANGE,
        "reason": None,
        "digest": "00",
        "entries": 1,
    }
    return Transaction(**{**given, **more})


def numbers(model):
    return [it.number for it in model.rows]


def test_it_keeps_qts_rules(qtmodeltester):
    model = JournalModel()
    qtmodeltester.check(model, force_py=True)
    model.set_rows([row(9), row(7)], has_more=True)
    model.append([row(7), row(4)], has_more=False)
    model.prepend([row(12), row(10), row(9)])
    model.set_known_at(BASE + timedelta(hours=8))
    assert numbers(model) == [12, 10, 9, 7, 4]


@given(st.sets(st.integers(1, 500), min_size=1), st.sets(st.integers(501, 600)))
def test_a_number_is_found_wherever_it_is(held, new):
    model = JournalModel()
    model.set_rows([row(n) for n in sorted(held, reverse=True)], has_more=False)
    kept = {n: QPersistentModelIndex(model.index(model.place_of(n), 0)) for n in held}
    model.prepend([row(n) for n in sorted(new, reverse=True)])
    for n, index in kept.items():
        assert index.data(ROW_ROLE).number == n
    for n in range(1, 601):
        place = model.place_of(n)
        assert (place >= 0) == (n in held | new)
        assert place < 0 or model.rows[place].number == n


def cell(model, column, role=Qt.ItemDataRole.DisplayRole):
    return model.index(0, column).data(role)


def test_cells_say_who_when_what_and_why(qapp):
    model = JournalModel()
    shown = row(
        482,
        kind=WriteKind.CORRECT,
        reason="It was <b>wrong</b>\nfrom the start",
        subjects=("mira", "teo", "ines"),
        attributes=("home_city",),
    )
    model.set_rows([shown], has_more=False)
    assert cell(model, Column.NUMBER) == "482"
    assert cell(model, Column.RECORDED) == "21 Jun 2026 02:00:00"
    assert cell(model, Column.RECORDED, Qt.ItemDataRole.ToolTipRole).count("T02:00:00Z") == 1
    assert cell(model, Column.KIND) == "correction"
    assert cell(model, Column.KIND, Qt.ItemDataRole.DecorationRole) is not None
    assert cell(model, Column.ABOUT).startswith("mira and 2 more")
    assert cell(model, Column.REASON) == "It was <b>wrong</b>⏎from the start"
    assert "<b>" not in cell(model, Column.REASON, Qt.ItemDataRole.ToolTipRole)
    spoken = cell(model, Column.NUMBER, Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "transaction 482"


def test_what_was_not_recorded_yet_is_said(qapp):
    model = JournalModel()
    model.set_rows([row(10)], has_more=False)
    model.set_known_at(BASE)
    spoken = cell(model, Column.NUMBER, Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "transaction 10, not recorded yet then"
    assert cell(model, Column.KIND, Qt.ItemDataRole.ForegroundRole) is not None
