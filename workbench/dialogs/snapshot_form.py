"""What a snapshot is to hold, in which form, and where it goes: the fields to fill in."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from store import Capability, Invalid
from store.audit.format import Form, Selection, Withhold
from store.model import OPERATOR
from workbench.dialogs.snapshot_words import LANGUAGES, withhold_help, withhold_name
from workbench.text import current_format, one_line
from workbench.theme import set_look
from workbench.widgets.instant_edit import InstantEdit
from workbench.widgets.link_text import LinkText
from workbench.widgets.path_edit import PathEdit
from workbench.widgets.section_head import SectionHead

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayout

    from workbench.session import Session

SIGN_EXTRA: Final = "cryptography"
"""The package that the optional extra `sign` brings."""
_LEAST_PX: Final = 160
_INSTANT_PX: Final = 112
_INSET_PX: Final = 26
"""From the edge of a check box or radio button to its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What was ordered: everything but the store and the tenant."""

    selection: Selection
    form: Form
    language: str
    with_store: bool
    key: Path | None
    out: Path


class SnapshotForm(QWidget):
    """The fields; they begin with what the session is narrowed to and from where it looks.

    Signals:
        selection_changed: something else is to be in it; count anew.
        changed: anything else is ordered otherwise.
        key_wanted: a file in which a new key is to be made.
    """

    selection_changed = Signal()
    changed = Signal()
    key_wanted = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._suggested = ""
        self._make_scope()
        self._make_point()
        self._make_withhold()
        self._make_package()
        self._lay_out()
        self._connect()
        self._say()

    # -- building -----------------------------------------------------------------------------

    def _make_scope(self) -> None:
        chosen, summary = self._session.filter, self._session.summary
        self.subject = QLineEdit(chosen.subject or "")
        self.subject.setPlaceholderText(self.tr("every subject"))
        self.attribute = _combo(
            self.tr("Attribute"),
            self.tr("every attribute"),
            [name for name, _count in summary.by_attribute] if summary else [],
            chosen.attribute or "",
        )
        self.memory_type = _combo(
            self.tr("Type"),
            self.tr("every type"),
            [name for name, _count in summary.by_type] if summary else [],
            chosen.memory_type or "",
        )
        self.subject.setAccessibleName(self.tr("Subject"))
        self.subject.setObjectName("snapshot.subject")
        self.attribute.setObjectName("snapshot.attribute")
        self.memory_type.setObjectName("snapshot.type")

    def _make_point(self) -> None:
        as_of = self._session.as_of
        newest, recorded = self.tr("newest"), self.tr("that transaction’s time")
        self.known_at = InstantEdit(self.tr("Known at"), empty_text=newest)
        self.known_at.set_instant(as_of.known_at)
        self.take_newest = LinkText(self.tr("Take the newest"))
        self.point = QLabel()
        self.point.setTextFormat(Qt.TextFormat.PlainText)
        set_look(self.point, "secondary")
        self.in_force = QRadioButton(self.tr("in force at"))
        self.in_window = QRadioButton(self.tr("at any time of a window"))
        self.in_force.setChecked(True)
        self._which = _group(self, self.in_force, self.in_window)
        self.valid_at = InstantEdit(self.tr("Valid at"), empty_text=recorded)
        self.valid_at.set_instant(as_of.valid_at)
        self.window_from = InstantEdit(self.tr("Window from"), empty_text=self.tr("from"))
        self.window_to = InstantEdit(self.tr("Window to"), empty_text=self.tr("to"))
        for edit in (self.window_from, self.window_to):
            edit.line_edit.setMinimumWidth(_INSTANT_PX)

    def _make_withhold(self) -> None:
        self.withhold: dict[Withhold, QRadioButton] = {}
        for choice in Withhold:
            button = self.withhold[choice] = QRadioButton(withhold_name(choice))
            button.setAccessibleDescription(withhold_help(choice))
        self.withhold[Withhold.NOTHING].setChecked(True)
        self._kept_back = _group(self, *self.withhold.values())

    def _make_package(self) -> None:
        self.zip = QRadioButton(self.tr("One file (zip)"))
        self.folder = QRadioButton(self.tr("A folder"))
        self.zip.setChecked(True)
        self._form = _group(self, self.zip, self.folder)
        self.language = QComboBox()
        self.language.setAccessibleName(self.tr("Language of the report"))
        self.language.view().setAccessibleName(self.tr("Language of the report"))
        for code, name in LANGUAGES:
            self.language.addItem(name, code)
        spoken = current_format().locale.name().partition("_")[0]
        self.language.setCurrentIndex(max(0, self.language.findData(spoken)))
        self.with_store = QCheckBox(self.tr("A copy of the store beside the record"))
        self.store_says = _note(_INSET_PX)
        self.sign = QCheckBox(self.tr("Sign it with a key"))
        self.sign_says = _note(_INSET_PX)
        self.key = PathEdit(self.tr("Key to sign with"))
        self.key.line.setPlaceholderText(self.tr("File of the key"))
        self.new_key = QPushButton(self.tr("New key…"))
        self.new_key.setAutoDefault(False)
        # Laid out by the dialog, where it stays in view.
        self.out = PathEdit(self.tr("Destination"), kind="new")
        self.out.setObjectName("snapshot.out")

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        rows = _Rows(grid)
        rows.head(self.tr("What"))
        scope = self._session.scope
        tenant = QLabel(one_line(scope.tenant_id, 60) if scope is not None else "")
        tenant.setTextFormat(Qt.TextFormat.PlainText)
        set_look(tenant, "strong")
        rows.add(self.tr("Tenant"), tenant)
        if scope is not None and scope.agent_id != OPERATOR:
            note = _note(0)
            said = self.tr("It has the facts of every agent, not only what {agent} may see.")
            note.setText(said.format(agent=one_line(scope.agent_id, 40)))
            rows.add("", note)
        rows.add(self.tr("Subject"), self.subject)
        rows.add(self.tr("Attribute"), self.attribute)
        rows.add(self.tr("Type"), self.memory_type)
        rows.head(self.tr("As of"))
        known = _row(self.known_at, self.take_newest)
        rows.add(self.tr("Known at"), known, buddy=self.known_at.line_edit)
        rows.add("", self.point)
        rows.add(self.tr("Facts"), _row(self.in_force, self.valid_at), buddy=self.in_force)
        rows.add("", self.in_window)
        window = _row(self.window_from, QLabel("–"), self.window_to)
        window.setContentsMargins(_INSET_PX, 0, 0, 0)
        rows.add("", window)
        rows.head(self.tr("Kept back"))
        for choice, button in self.withhold.items():
            note = _note(_INSET_PX)
            note.setText(withhold_help(choice))
            rows.across(_noted(button, note))
        rows.head(self.tr("Package"))
        rows.add(self.tr("As"), _row(self.zip, self.folder), buddy=self.zip)
        language = _row(self.language)
        rows.add(self.tr("Report in"), language, buddy=self.language)
        rows.add("", _noted(self.with_store, self.store_says))
        rows.add("", _noted(self.sign, self.sign_says))
        self._key_row = QWidget()
        inside = QHBoxLayout(self._key_row)
        inside.setContentsMargins(_INSET_PX, 0, 0, 0)
        inside.setSpacing(8)
        inside.addWidget(self.key, 1)
        inside.addWidget(self.new_key)
        rows.add("", self._key_row)
        grid.setRowStretch(grid.rowCount(), 1)

    def _connect(self) -> None:
        self.subject.textChanged.connect(self._on_selection_edited)
        for combo in (self.attribute, self.memory_type):
            combo.editTextChanged.connect(self._on_selection_edited)
        for edit in (self.known_at, self.valid_at, self.window_from, self.window_to):
            edit.instant_changed.connect(self._on_selection_edited)
            edit.problem_changed.connect(self._on_selection_edited)
        self.take_newest.clicked.connect(self._on_take_newest_clicked)
        for button in (self.in_force, *self.withhold.values()):
            button.toggled.connect(self._on_selection_edited)
        for box in (self.with_store, self.sign):
            box.toggled.connect(self._on_edited)
        self.zip.toggled.connect(self._on_edited)
        self.key.path_changed.connect(self._on_edited)
        self.new_key.clicked.connect(self._on_new_key_clicked)
        self.out.path_changed.connect(self._on_edited)

    # -- what is said -------------------------------------------------------------------------

    @Slot()
    def _on_selection_edited(self) -> None:
        self._say()
        self.selection_changed.emit()

    @Slot()
    def _on_edited(self) -> None:
        self._say()
        self.changed.emit()

    @Slot()
    def _on_take_newest_clicked(self) -> None:
        self.known_at.set_instant(None)
        self.known_at.setFocus()
        self._on_selection_edited()

    def _say(self) -> None:
        """Enable what can be chosen now, and say why the rest cannot."""
        self.take_newest.setVisible(self.known_at.instant is not None)
        self.valid_at.setEnabled(self.in_force.isChecked())
        for edit in (self.window_from, self.window_to):
            edit.setEnabled(self.in_window.isChecked())
        reason = self._why_no_store()
        self.with_store.setEnabled(not reason)
        if not reason and self.known_at.instant is not None:
            self.store_says.setText(self.tr("The copy has what was recorded later too."))
        else:
            self.store_says.setText(reason)
        self.store_says.setVisible(bool(self.store_says.text()))
        self.with_store.setAccessibleDescription(reason)
        can_sign = find_spec(SIGN_EXTRA) is not None
        self.sign.setEnabled(can_sign)
        missing = self.tr("This needs the package “cryptography”, which is not installed.")
        self.sign_says.setText("" if can_sign else missing)
        self.sign_says.setVisible(not can_sign)
        self.sign.setAccessibleDescription(self.sign_says.text())
        self._key_row.setVisible(self.is_signed)

    def _why_no_store(self) -> str:
        store = self._session.store
        combos = (self.attribute, self.memory_type)
        named = (self.subject.text(), *(combo.currentText() for combo in combos))
        is_filtered = any(name.strip() for name in named)
        if store is None or Capability.PERSISTENCE not in store.capabilities:
            return self.tr("The store has no file that could be copied.")
        if len(self._session.tenants) > 1:
            return self.tr("The store has other tenants, whose records would go with it.")
        if is_filtered or not self.withhold[Withhold.NOTHING].isChecked():
            return self.tr("A copy would hold what is left out or kept back here.")
        return ""

    def show_point(self, words: str) -> None:
        """Say which transaction the known-at comes to."""
        self.point.setText(words)

    def suggest(self, out: Path) -> None:
        """Suggest a destination, unless a person wrote one."""
        if self.out.line.text() == self._suggested:
            self._suggested = str(out)
            self.out.set_path(str(out))

    # -- what was ordered ---------------------------------------------------------------------

    @property
    def is_signed(self) -> bool:
        """Whether it is to be signed, and can be."""
        return self.sign.isEnabled() and self.sign.isChecked()

    @property
    def form(self) -> Form:
        """As what it is written."""
        return Form.ZIP if self.zip.isChecked() else Form.DIRECTORY

    @property
    def selection_problem(self) -> str:
        """What is wrong with what is to be in it, as a sentence; "" if nothing is."""
        for edit in (self.known_at, self.valid_at, self.window_from, self.window_to):
            if edit.problem and edit.isEnabled():
                return edit.problem
        if self.in_window.isChecked():
            begins, ends = self.window_from.instant, self.window_to.instant
            if begins is None or ends is None:
                return self.tr("Say where the window begins and ends.")
            if ends <= begins:
                return self.tr("The window must end after it begins.")
        try:
            _ = self.selection
        except Invalid as error:
            return str(error)
        return ""

    @property
    def problem(self) -> str:
        """What is missing or wrong, as a sentence; "" when it can be taken."""
        if self.selection_problem:
            return self.selection_problem
        if self.is_signed and self.key.path is None:
            return self.tr("Choose the key to sign with, or make one.")
        return "" if self.out.path is not None else self.tr("Say where it goes.")

    @property
    def selection(self) -> Selection:
        """What is to be in it, once there is no problem with that."""
        begins, ends = self.window_from.instant, self.window_to.instant
        has_window = self.in_window.isChecked() and begins is not None and ends is not None
        return Selection(
            subject=self.subject.text().strip() or None,
            attribute=self.attribute.currentText().strip() or None,
            memory_type=self.memory_type.currentText().strip() or None,
            valid_at=self.valid_at.instant if self.in_force.isChecked() else None,
            known_at=self.known_at.instant,
            window=(begins, ends) if has_window and begins and ends else None,
            withhold=next(it for it, button in self.withhold.items() if button.isChecked()),
        )

    def order(self) -> Order:
        """Give what was ordered, once there is no problem."""
        assert self.out.path is not None
        return Order(
            selection=self.selection,
            form=self.form,
            language=self.language.currentData(),
            with_store=self.with_store.isEnabled() and self.with_store.isChecked(),
            key=self.key.path if self.is_signed else None,
            out=self.out.path.absolute(),
        )

    @Slot()
    def _on_new_key_clicked(self) -> None:
        folder = self.out.path.parent if self.out.path is not None else None
        at = str(folder / "snapshots.key") if folder is not None else "snapshots.key"
        chosen = QFileDialog.getSaveFileName(self, self.tr("New key"), at)[0]
        if chosen:
            self.key_wanted.emit(Path(chosen))


class _Rows:
    """Rows of a name and a field, under heads that go across."""

    def __init__(self, grid: QGridLayout) -> None:
        self._grid = grid

    def head(self, words: str) -> None:
        """Begin a group."""
        row = self._grid.rowCount()
        head = SectionHead(words)
        if row > 1:
            head.setContentsMargins(0, 12, 0, 0)
        self._grid.addWidget(head, row, 0, 1, 2)

    def add(self, name: str, field: QWidget | QLayout, *, buddy: QWidget | None = None) -> None:
        """Add a field with its name; "" for one that belongs to the field above."""
        row = self._grid.rowCount()
        if name:
            label = QLabel(name)
            label.setTextFormat(Qt.TextFormat.PlainText)
            set_look(label, "secondary")
            label.setBuddy(buddy or (field if isinstance(field, QWidget) else label))
            self._grid.addWidget(label, row, 0)
        if isinstance(field, QWidget):
            self._grid.addWidget(field, row, 1)
        else:
            self._grid.addLayout(field, row, 1)

    def across(self, row: QLayout) -> None:
        """Add something that needs no name."""
        self._grid.addLayout(row, self._grid.rowCount(), 0, 1, 2)


def _noted(button: QWidget, note: QLabel) -> QVBoxLayout:
    """Put a choice and what it means, or why it is none, close together."""
    box = QVBoxLayout()
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    box.addWidget(button)
    box.addWidget(note)
    return box


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(12)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return row


def _group(parent: QWidget, *buttons: QRadioButton) -> QButtonGroup:
    group = QButtonGroup(parent)
    for button in buttons:
        group.addButton(button)
    return group


def _note(inset: int) -> QLabel:
    note = QLabel()
    note.setContentsMargins(inset, 0, 0, 0)
    note.setTextFormat(Qt.TextFormat.PlainText)
    note.setWordWrap(True)
    note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    set_look(note, "secondary")
    return note


def _combo(name: str, hint: str, offered: list[str], chosen: str) -> QComboBox:
    combo = QComboBox()
    line = QLineEdit()
    line.setPlaceholderText(hint)
    line.setAccessibleName(name)
    combo.setLineEdit(line)
    combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    combo.setAccessibleName(name)
    combo.view().setAccessibleName(name)
    combo.setMinimumWidth(_LEAST_PX)
    combo.addItems(sorted(offered))
    combo.setEditText(chosen)
    return combo
