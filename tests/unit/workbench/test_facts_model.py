"""The windowed model: Qt's own tester, and random lists of which only a part is ever here."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex, Qt

from tests.sessions import a_fact
from workbench.panels.facts.columns import Column, FactRow
from workbench.panels.facts.model import FLASH_ROLE, ROW_ROLE, FactTable


def rows_of(numbers, values=None):
    return [FactRow(a_fact(number, (values or {}).get(number))) for number in numbers]


def ids(model):
    return {at: row.fact.memory_id for at, row in model.rows()}


def watched(model):
    """Keep count by the model's own signals, as a view does."""
    kept = [model.rowCount()]

    def insert(_parent, first, last):
        assert 0 <= first <= kept[0]
        kept[0] += last - first + 1

    def remove(_parent, first, last):
        assert 0 <= first <= last < kept[0]
        kept[0] -= last - first + 1

    def reset():
        kept[0] = model.rowCount()

    model.rowsInserted.connect(insert)
    model.rowsRemoved.connect(remove)
    model.modelReset.connect(reset)
    return kept


def test_qt_finds_no_fault(qtmodeltester):
    model = FactTable()
    qtmodeltester.check(model)
    model.load(0, rows_of(range(20)))
    model.set_count(1000)
    model.merge(0, rows_of([0, 2, 3, 50, 51, 5]), count=998)
    model.merge(256, rows_of(range(300, 500)), count=700)
    model.unload(256, 300)
    model.set_count(10)
    model.clear()
    qtmodeltester.check(model)


def test_placeholders_say_what_they_are():
    model = FactTable()
    model.set_count(3)
    index = model.index(1, 0)
    assert model.data(index) is None
    assert model.data(index, ROW_ROLE) is None
    assert model.data(index, Qt.ItemDataRole.AccessibleTextRole) == "being read"


def test_a_cell_says_more_on_hover_and_to_a_reader():
    model = FactTable()
    model.load(0, rows_of([7], {7: "<b>bold</b>\u202e"}))
    at = model.index(0, Column.VALUE)
    assert model.data(at) == "<b>bold</b>⟨U+202E⟩"
    assert "&lt;b&gt;" in model.data(at, Qt.ItemDataRole.ToolTipRole)
    end = model.index(0, Column.VALID_TO)
    assert model.data(end) == "—"
    assert model.data(end, Qt.ItemDataRole.AccessibleTextRole) == "until changed"
    summary = model.data(at, Qt.ItemDataRole.AccessibleDescriptionRole)
    assert summary == "subject 0000007 is: <b>bold</b>⟨U+202E⟩, current"


def test_rows_that_came_or_changed_flash_until_it_is_over():
    model = FactTable()
    model.merge(0, rows_of(range(5)), count=5)
    model.merge(0, rows_of([0, 1, 9, 2, 3], {3: "new"}), count=5, flashes=True)
    lit = [at for at in range(5) if model.index(at, 0).data(FLASH_ROLE)]
    assert lit == [2, 4]
    model.end_flash()
    assert not model.has_flashes


def test_rows_that_only_came_into_view_do_not_flash():
    model = FactTable()
    model.merge(256, rows_of(range(256, 512)), count=2000)
    model.merge(256, rows_of(range(256, 768)), count=2000, flashes=True)
    assert not model.has_flashes


def test_an_insertion_above_moves_the_rows_in_view():
    model = FactTable()
    model.merge(256, rows_of(range(256, 512)), count=2000)
    kept = QPersistentModelIndex(model.index(300, 0))
    model.merge(256, rows_of(range(250, 506)), count=2006)
    assert kept.row() == 306
    assert model.row(306).fact.memory_id == "m300"


def test_a_superseded_fact_keeps_its_row_without_history_only():
    before = FactRow(a_fact(1))
    after = FactRow(a_fact(1, "other").model_copy(update={"memory_id": "successor"}))
    model = FactTable()
    model.load(0, [before])
    kept = QPersistentModelIndex(model.index(0, 0))
    model.merge(0, [after], count=1)
    assert kept.isValid()
    model.is_history = True
    model.merge(0, [before], count=1)
    assert not kept.isValid()


lists = st.lists(st.integers(0, 60), unique=True, max_size=40).map(sorted)


@st.composite
def readings(draw):
    """Lists, and of each the part that is read: where it begins and how long it is."""
    found = []
    for numbers in draw(st.lists(lists, min_size=1, max_size=6)):
        first = draw(st.integers(0, max(0, len(numbers) - 1)))
        length = draw(st.integers(0 if not numbers else 1, 12))
        is_counted = draw(st.booleans())
        found.append((numbers, first, numbers[first : first + length], is_counted))
    return found


@given(readings())
@settings(max_examples=150)
def test_whatever_is_read_the_rows_stand_where_the_list_has_them(found):
    model = FactTable()
    kept = watched(model)
    for numbers, first, part, is_counted in found:
        selected = {
            number: QPersistentModelIndex(model.index(at, 0))
            for at, number in ((at, int(name[1:])) for at, name in ids(model).items())
        }
        model.merge(first, rows_of(part), count=len(numbers) if is_counted else None)
        assert kept[0] == model.rowCount() == model.count
        assert ids(model) == {at: f"m{number}" for at, number in enumerate(part, first)}
        if is_counted:
            assert model.count == len(numbers)
        else:
            assert model.count >= first + len(part)
        for number, index in selected.items():
            if index.isValid() and number in part:
                assert index.row() == first + part.index(number)


@given(readings(), st.data())
@settings(max_examples=100)
def test_loading_and_forgetting_pages_never_moves_a_row(found, data):
    model = FactTable()
    kept = watched(model)
    numbers = found[0][0]
    model.set_count(len(numbers))
    for _ in range(5):
        first = data.draw(st.integers(0, len(numbers)))
        part = numbers[first : first + 8]
        if data.draw(st.booleans()):
            model.load(first, rows_of(part))
        else:
            model.unload(first, first + 8)
        assert kept[0] == model.count == len(numbers)
        assert all(name == f"m{numbers[at]}" for at, name in ids(model).items())
