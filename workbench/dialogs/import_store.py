"""Bringing a foreign memory into a tenant's: tried first, imported in place, reported in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Literal

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from store import Invalid, Scope
from store.importers import ImportReport, OnError, run_import
from workbench.dialogs.import_forms import AREA, SourceForm, TableForm, ZeroclawForm
from workbench.dialogs.import_report import ReportView
from workbench.messages import Message, Severity
from workbench.ops import ReadOp, WriteOp
from workbench.text import QT_TRANSLATE_NOOP, one_line
from workbench.theme import set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.section_head import SectionHead
from workbench.widgets.work_dialog import WorkDialog

if TYPE_CHECKING:
    from store import Store
    from store.importers import Importer
    from workbench.ops import Work
    from workbench.session import Session

Kind = Literal["zeroclaw", "table"]
FAILED: Final = Message("import.failed", Severity.ERROR, "{reason}")
"""Carries the sentence of a store's error; nothing was written, or what the sentence says."""
STOPPED: Final = Message(
    "import.stopped",
    Severity.INFO,
    QT_TRANSLATE_NOOP("Messages", "Stopped on request; nothing was written."),
)
WIDTH_PX: Final = 860
HEIGHT_PX: Final = 720


class ImportDialog(WorkDialog):
    """One page for what and how, one for the report of a trial or of the import.

    It works beside the main window. Closing it while something runs asks that to stop.
    """

    stopped_message: ClassVar = STOPPED
    failed_message: ClassVar = FAILED

    def __init__(self, session: Session, kind: Kind, parent: QWidget | None = None) -> None:
        super().__init__(session, f"import.{kind}", parent)
        self._store = session.store
        self._shown_tenant = ""
        self._is_tried = self._is_trial_shown = False
        self.form: SourceForm = (
            ZeroclawForm() if kind == "zeroclaw" else TableForm(session.operations)
        )
        self.setWindowTitle(
            self.tr("Import ZeroClaw memory") if kind == "zeroclaw" else self.tr("Import a table")
        )
        self.report = ReportView()
        self._make_target()
        self._make_buttons()
        self._lay_out()
        self.form.changed.connect(self._on_form_changed)
        self.form.failed.connect(self._on_failed)
        session.closed.connect(self._on_session_closed)
        session.tenants_changed.connect(self._fill_tenants)
        self._fill_tenants()
        self._say()
        self.form.setFocus()

    # -- building -----------------------------------------------------------------------------

    def _make_target(self) -> None:
        self.tenant = QComboBox()
        self.tenant.setObjectName("import.tenant")
        line = QLineEdit()
        line.setAccessibleName(self.tr("Tenant"))
        self.tenant.setLineEdit(line)
        self.tenant.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.tenant.setAccessibleName(self.tr("Tenant"))
        self.tenant.view().setAccessibleName(self.tr("Tenant"))
        self.tenant.editTextChanged.connect(self._on_form_changed)
        self._tenant_says = QLabel()
        set_look(self._tenant_says, "secondary")
        self.stop_on_error = QRadioButton(self.tr("Import nothing, and say what is wrong"))
        self.skip_errors = QRadioButton(self.tr("Leave it out, and import the rest"))
        self.stop_on_error.setChecked(True)
        self._on_error = QButtonGroup(self)
        for button in (self.stop_on_error, self.skip_errors):
            self._on_error.addButton(button)
            button.toggled.connect(self._on_form_changed)

    def _make_buttons(self) -> None:
        self.back = self._button(self.tr("Back"), self._go_back, icon_name="arrow-left")
        self.copy = self._button(self.tr("Copy report"), self._copy, icon_name="copy")
        self.show_tenant = self._button("", self._switch_tenant, icon_name="building-2")
        self.close_button = self._button(self.tr("Close"), self.close)
        self.try_button = self._button(self.tr("Try"), self.try_out)
        self.import_button = self._button(self.tr("Import"), self.carry_out)
        self.try_button.setToolTip(self.tr("Show what an import would do, and write nothing"))

    def _lay_out(self) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(10)
        column.addWidget(self.form)
        column.addSpacing(4)
        column.addWidget(SectionHead(self.tr("Into")))
        target = QFormLayout()
        target.setHorizontalSpacing(16)
        target.setVerticalSpacing(6)
        tenant = QHBoxLayout()
        tenant.setSpacing(12)
        tenant.addWidget(self.tenant)
        tenant.addWidget(self._tenant_says, 1)
        self.tenant.setMinimumWidth(260)
        tenant_label = QLabel(self.tr("Tenant"))
        tenant_label.setBuddy(self.tenant)
        target.addRow(tenant_label, tenant)
        wrong = QLabel(self.tr("If a row is wrong"))
        wrong.setBuddy(self.stop_on_error)
        target.addRow(wrong, self.stop_on_error)
        target.addRow("", self.skip_errors)
        column.addLayout(target)
        column.addStretch(1)
        report = QWidget()
        report_column = QVBoxLayout(report)
        report_column.setContentsMargins(24, 16, 24, 16)
        report_column.addWidget(self.report)
        _align(page)
        self.pages = QStackedWidget()
        for content in (page, report):
            area = QScrollArea()
            area.setWidgetResizable(True)
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            area.setWidget(content)
            self.pages.addWidget(area)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        busy = BusyLine()
        busy.follow(self._session.operations, AREA)
        whole.addWidget(busy)
        whole.addWidget(MessageBar(self._board))
        whole.addWidget(self.pages, 1)
        line = QFrame()
        set_look(line, "hairline")
        whole.addWidget(line)
        whole.addLayout(self._foot())
        self.resize(WIDTH_PX, HEIGHT_PX)

    def _foot(self) -> QVBoxLayout:
        self._problem = QLabel()
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        set_look(self._problem, "secondary")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.back)
        row.addWidget(self.copy)
        row.addWidget(self._problem, 1)
        row.addWidget(self.show_tenant)
        row.addWidget(self.close_button)
        row.addWidget(self.try_button)
        row.addWidget(self.import_button)
        foot = QVBoxLayout()
        foot.setContentsMargins(24, 12, 24, 12)
        foot.setSpacing(10)
        foot.addWidget(self.work)
        foot.addLayout(row)
        return foot

    # -- what is shown ------------------------------------------------------------------------

    @Slot()
    def _fill_tenants(self) -> None:
        typed = self.tenant.currentText()
        scope = self._session.scope
        known = [tenant.tenant_id for tenant in self._session.tenants]
        self.tenant.blockSignals(True)
        self.tenant.clear()
        self.tenant.addItems(known)
        self.tenant.setEditText(typed or (scope.tenant_id if scope is not None else ""))
        self.tenant.blockSignals(False)
        self._say()

    @Slot()
    def _on_form_changed(self) -> None:
        self._is_tried = False
        self._board.clear()
        self._say()

    def _say(self) -> None:
        """Enable what can be done now, and say what is missing."""
        is_form = self.pages.currentIndex() == 0
        problem = self._problem_now()
        can = not problem and not self.work.is_working
        self._problem.setText(problem if is_form else "")
        self._tenant_says.setText(self._tenant_words())
        for widget in (self.form, self.tenant, self.stop_on_error, self.skip_errors):
            widget.setEnabled(not self.work.is_working)
        self.back.setVisible(not is_form)
        self.back.setEnabled(not self.work.is_working)
        self.copy.setVisible(not is_form)
        self.try_button.setVisible(is_form)
        self.try_button.setEnabled(can)
        self.import_button.setVisible(is_form or self._is_tried)
        self.import_button.setEnabled(can and self._session.is_writable)
        self.show_tenant.setVisible(bool(self._shown_tenant) and not is_form)
        first = self.import_button if self._is_tried else self.try_button
        for button in (self.try_button, self.import_button):
            set_look(button, "primary" if button is first else "")
            button.setDefault(button is first and not button.isHidden())

    def _problem_now(self) -> str:
        if self.form.problem:
            return self.form.problem
        try:
            self._scope()
        except Invalid:
            return self.tr("Name the tenant, in up to 255 characters.")
        return ""

    def _tenant_words(self) -> str:
        typed = self.tenant.currentText().strip()
        known = {tenant.tenant_id for tenant in self._session.tenants}
        return "" if not typed or typed in known else self.tr("New; the import makes it.")

    def _scope(self) -> Scope:
        return Scope(self.tenant.currentText().strip())

    # -- doing --------------------------------------------------------------------------------

    @Slot()
    def try_out(self) -> None:
        """Read the source and show what an import would do; nothing is written."""
        store, importer = self._store, self.form.importer()
        if store is None:
            return
        run = _Run(store, self._scope(), importer, on_error=self._choice, is_trial=True)
        words = self.tr("Trying")
        ticket = self._session.operations.read(
            ReadOp((AREA, "trial"), run, words, is_long=True),
            on_done=self._on_tried,
            on_failed=self._on_failed,
            owner=self,
        )
        self._follow(ticket, self.tr("Reading; nothing is written."))

    @Slot()
    def carry_out(self) -> None:
        """Import; batches that are committed stay if it is stopped."""
        store, importer = self._store, self.form.importer()
        if store is None:
            return
        scope = self._scope()
        run = _Run(store, scope, importer, on_error=self._choice, is_trial=False)
        ticket = self._session.operations.write(
            WriteOp(self.tr("Importing"), run, can_cancel=True),
            on_done=lambda report: self._on_imported(scope, report),
            on_failed=self._on_failed,
            owner=self,
        )
        self._follow(ticket, self.tr("Importing {source}").format(source=_short(importer)))

    @property
    def _choice(self) -> OnError:
        return OnError.STOP if self.stop_on_error.isChecked() else OnError.SKIP

    def _on_tried(self, report: ImportReport) -> None:
        self._is_tried = not report.refused
        self._is_trial_shown = True
        self._show_report(report)

    def _on_imported(self, scope: Scope, report: ImportReport) -> None:
        self._is_tried = self._is_trial_shown = False
        own = self._session.scope
        is_elsewhere = own is None or own.tenant_id != scope.tenant_id
        known = {tenant.tenant_id for tenant in self._session.tenants}
        if is_elsewhere and (report.transactions is not None or scope.tenant_id in known):
            self._shown_tenant = scope.tenant_id
            name = one_line(scope.tenant_id, 40)
            self.show_tenant.setText(self.tr("Look at {tenant}").format(tenant=name))
        self._session.refresh()
        self._show_report(report)

    def _show_report(self, report: ImportReport) -> None:
        self.report.show_report(report)
        self.pages.setCurrentIndex(1)
        self._say()
        ways_on = ((self._is_tried, self.import_button), (self._shown_tenant, self.show_tenant))
        focus = next((button for is_there, button in ways_on if is_there), self.close_button)
        set_look(self.show_tenant, "primary" if focus is self.show_tenant else "")
        self.show_tenant.setDefault(focus is self.show_tenant)
        focus.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _go_back(self) -> None:
        self.pages.setCurrentIndex(0)
        self._shown_tenant = ""
        self._say()
        self.form.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.text)

    @Slot()
    def _switch_tenant(self) -> None:
        self._session.set_scope(Scope(self._shown_tenant))
        self.close()

    # -- the end ------------------------------------------------------------------------------

    @Slot()
    def _on_session_closed(self) -> None:
        """The store is leaving: what was asked for is carried out, and shown nowhere."""
        self._store = None
        self.leave()

    def reject(self) -> None:
        if self._can_go_back and not self.work.is_working:
            self._go_back()
        else:
            super().reject()

    @property
    def _can_go_back(self) -> bool:
        """Whether a trial is shown, from which one steps back to the form; an import is over."""
        return self.pages.currentIndex() == 1 and self._is_trial_shown


class _Run:
    """One trial or import, on a worker thread."""

    def __init__(
        self, store: Store, scope: Scope, importer: Importer, *, on_error: OnError, is_trial: bool
    ) -> None:
        self._store, self._scope, self._importer = store, scope, importer
        self._on_error, self._is_trial = on_error, is_trial

    def __call__(self, work: Work) -> ImportReport:
        """Read the source, and write it unless this is a trial."""
        return run_import(
            self._store,
            self._scope,
            self._importer,
            dry_run=self._is_trial,
            on_error=self._on_error,
            progress=work.progress,
            cancel=work.cancel,
        )


def _align(page: QWidget) -> None:
    """Give the titles of all groups one width, so that their fields stand in one column."""
    titles = [label for label in page.findChildren(QLabel) if label.buddy() is not None]
    width = max(title.sizeHint().width() for title in titles)
    for title in titles:
        title.setMinimumWidth(width)


def _short(importer: Importer) -> str:
    return one_line(importer.source.rstrip("/").rpartition("/")[2] or importer.source, 60)
