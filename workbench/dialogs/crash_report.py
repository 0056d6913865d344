"""The one window that tells about bugs: non-modal, to be read and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench.theme import set_icon, set_look
from workbench.widgets.icon_label import IconLabel
from workbench.widgets.on_screen import OnScreen

if TYPE_CHECKING:
    from workbench.crash import CrashReport, CrashReporter


class CrashDialog(QDialog):
    """Shows all that a `CrashReporter` caught in this run; opens by itself, once.

    Further bugs, and further strikes of the same, change what it says and open nothing. Once
    closed it opens again only for a bug that is new.
    """

    def __init__(self, reporter: CrashReporter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("crash_report")
        OnScreen(self)
        self.setModal(False)
        self.resize(720, 460)
        self._reporter = reporter
        self._title = QLabel()
        set_look(self._title, "title")
        self._says = QLabel()
        self._says.setWordWrap(True)
        self._report = QPlainTextEdit()
        self._report.setReadOnly(True)
        self._report.setTabChangesFocus(True)
        self._report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        set_look(self._report, "value")
        self._copy = QPushButton()
        set_icon(self._copy, "copy", "on_accent")
        set_look(self._copy, "primary")
        self._copy.clicked.connect(self._copy_report)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self._copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(IconLabel("bug", "danger", size=20))
        head.addWidget(self._title, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 12)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self._says)
        column.addWidget(self._report, 1)
        column.addWidget(buttons)
        self._say()
        self._copy.setFocus()
        reporter.crashed.connect(self._on_reporter_crashed)

    @Slot(object)
    def _on_reporter_crashed(self, report: CrashReport) -> None:
        self._say()
        if report.count == 1:
            self.show()
            self.raise_()

    def _say(self) -> None:
        reports = self._reporter.reports
        self.setWindowTitle(self.tr("Report of a fault in the program"))
        self._title.setText(
            self.tr("The program has %n fault(s) that you ran into", "", len(reports))
        )
        self._says.setText(
            self.tr(
                "What was committed to the store is safe. You can go on; if something does not "
                "answer, start the program again. Copy the report and send it to the people who "
                "make the program, after you have looked through it: it can hold words from your "
                "store."
            )
        )
        self._copy.setText(self.tr("Copy report"))
        self._report.setAccessibleName(self.tr("Report"))
        self._report.setPlainText(self._reporter.report_text())

    def _copy_report(self) -> None:
        QGuiApplication.clipboard().setText(self._reporter.report_text())
        self._copy.setText(self.tr("Copied"))
