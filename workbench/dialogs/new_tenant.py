"""Asking for the name of a tenant that is to be begun."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from store.model import LONGEST_NAME, clean_name
from workbench.text import one_line, tooltip
from workbench.theme import set_look
from workbench.widgets.on_screen import OnScreen

if TYPE_CHECKING:
    from collections.abc import Collection

WIDTH_PX: Final = 460


class NewTenantDialog(QDialog):
    """Asks for a tenant's name, and says in place what is wrong with it.

    Nothing is written: a tenant is in the store from its first fact or episode on.

    Signals:
        named: the name, cleaned, once a person has decided.

    Args:
        known: the tenants that are in the store already.
        suggested: a name to begin with.
        store_name: of the store that is made for it; "" if it is for the store that is open.
    """

    named = Signal(str)

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        known: Collection[str] = (),
        suggested: str = "",
        store_name: str = "",
    ) -> None:
        super().__init__(parent)
        self.setObjectName("tenant.new")
        OnScreen(self)
        self._known = frozenset(known)
        self.setWindowTitle(self.tr("New store") if store_name else self.tr("New tenant"))
        self._make_field(suggested)
        buttons = self._make_buttons(is_store=bool(store_name))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(8)
        column.addWidget(self._heading(store_name))
        column.addWidget(self.name)
        column.addWidget(self.says)
        column.addStretch(1)
        column.addSpacing(8)
        column.addLayout(buttons)
        self._say()
        self.name.setFocus()
        self.name.selectAll()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH_PX, super().sizeHint().height())

    def _heading(self, store_name: str) -> QLabel:
        title = self.tr("&Name of the tenant")
        if store_name:
            said = self.tr("&Name of the first tenant in {store}")
            title = said.format(store=one_line(store_name, 40).replace("&", "&&"))
        label = QLabel(title)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setBuddy(self.name)
        label.setWordWrap(True)
        set_look(label, "strong")
        return label

    def _make_field(self, suggested: str) -> None:
        self.name = QLineEdit(suggested)
        self.name.setObjectName("tenant.name")
        self.name.setAccessibleName(self.tr("Name of the tenant"))
        self.name.textChanged.connect(self._say)
        self.says = QLabel()
        self.says.setTextFormat(Qt.TextFormat.PlainText)
        self.says.setWordWrap(True)
        # Two lines, so that nothing moves while one types.
        self.says.setMinimumHeight(2 * self.says.fontMetrics().lineSpacing() + 2)
        self.says.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def _make_buttons(self, *, is_store: bool) -> QHBoxLayout:
        leave = QPushButton(self.tr("Cancel"))
        leave.setAutoDefault(False)
        leave.clicked.connect(self.reject)
        self.begin = QPushButton(self.tr("Make the store") if is_store else self.tr("Begin"))
        set_look(self.begin, "primary")
        self.begin.setDefault(True)
        self.begin.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(leave)
        row.addWidget(self.begin)
        return row

    @Slot()
    def _say(self) -> None:
        """Say what is wrong with the name, or what a tenant is."""
        typed = self.name.text()
        problem = name_problem(typed)
        if not problem and clean_name(typed) in self._known:
            problem = self.tr("The store has a tenant of that name already.")
        is_wrong = bool(problem) and bool(typed.strip())
        explained = self.tr(
            "Whose memory it is: a customer, a team, a deployment. Tenants of a store never see "
            "each other's facts."
        )
        said = problem if is_wrong else explained
        self.says.setText(said)
        set_look(self.says, "danger" if is_wrong else "secondary")
        self.name.setProperty("invalid", is_wrong)
        self.name.style().unpolish(self.name)
        self.name.style().polish(self.name)
        self.name.setAccessibleDescription(said)
        self.begin.setEnabled(not problem)
        self.begin.setToolTip(tooltip(problem) if problem else "")

    def accept(self) -> None:
        if self.begin.isEnabled():
            self.named.emit(clean_name(self.name.text()))
            super().accept()


def name_problem(text: str) -> str:
    """Say what stands against a name, in the language in force; "" if nothing does."""
    try:
        clean_name(text)
    except ValueError:
        pass
    else:
        return ""
    if not text.strip():
        return QCoreApplication.translate("NewTenantDialog", "Give it a name.")
    if len(text.strip()) > LONGEST_NAME:
        said = QCoreApplication.translate(
            "NewTenantDialog", "A name has at most {most} characters."
        )
        return said.format(most=LONGEST_NAME)
    return QCoreApplication.translate(
        "NewTenantDialog", "A name may not have control characters, such as a line break."
    )
