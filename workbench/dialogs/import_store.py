"""Bringing a foreign memory into a tenant's: tried first, imported in place, reported in full."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from PySide6.QtCore import Qt, Signal, Slot
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
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from store import Invalid, Scope
from store.audit.restore import RestoreReport
from store.importers import OnError
from workbench.dialogs.import_forms import AREA, SourceForm, TableForm, ZeroclawForm
from workbench.dialogs.import_report import ReportView
from workbench.dialogs.import_run import Run
from workbench.dialogs.import_snapshot import RecordForm
from workbench.dialogs.import_target import StoreChoice
from workbench.messages import Message, Severity
from workbench.ops import ReadOp, WriteOp
from workbench.text import QT_TRANSLATE_NOOP, one_line
from workbench.theme import set_icon, set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.section_head import SectionHead
from workbench.widgets.work_dialog import WorkDialog

if TYPE_CHECKING:
    from workbench.dialogs.import_words import Report
    from workbench.session import Session

Kind = Literal["zeroclaw", "table", "snapshot"]
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

    It works beside the main window. Closing it while something runs asks that to stop. Only a
    snapshot can go into another store than the open one.

    Signals:
        store_wanted: the path of a store and a tenant in it that are to be looked at.
    """

    stopped_message: ClassVar = STOPPED
    failed_message: ClassVar = FAILED
    store_wanted = Signal(object, str)

    def __init__(self, session: Session, kind: Kind, parent: QWidget | None = None) -> None:
        super().__init__(session, f"import.{kind}", parent)
        self._kind = kind
        self._shown: tuple[Path | None, str] | None = None
        self._suggested = ""
        self._is_tried = self._is_trial_shown = False
        self.form = self._make_form(kind)
        self.store = StoreChoice(session)
        self.report = ReportView()
        self._make_target()
        self._make_buttons()
        self._lay_out()
        self.form.changed.connect(self._on_source_changed)
        self.form.failed.connect(self._on_failed)
        self.store.changed.connect(self._on_store_changed)
        session.closed.connect(self._on_session_closed)
        session.opened.connect(self._on_session_opened)
        session.tenants_changed.connect(self._fill_tenants)
        self._fill_tenants()
        self._say()
        self.form.setFocus()

    # -- building -----------------------------------------------------------------------------

    def _make_form(self, kind: Kind) -> SourceForm:
        match kind:
            case "zeroclaw":
                self.setWindowTitle(self.tr("Import ZeroClaw memory"))
                return ZeroclawForm()
            case "table":
                self.setWindowTitle(self.tr("Import a table"))
                return TableForm(self._session.operations)
            case "snapshot":
                self.setWindowTitle(self.tr("Restore a snapshot"))
                return RecordForm(self._session.operations)

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
            button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def _make_buttons(self) -> None:
        self.back = self._button(self.tr("Back"), self._go_back, icon_name="arrow-left")
        self.copy = self._button(self.tr("Copy report"), self._copy, icon_name="copy")
        self.show_tenant = self._button("", self._look_there)
        set_look(self.show_tenant, "primary")  # it is there only where nothing else is left to do
        self.close_button = self._button(self.tr("Close"), self.close)
        self.try_button = self._button(self.tr("Try"), self.try_out)
        words = self.tr("Restore") if self._kind == "snapshot" else self.tr("Import")
        self.import_button = self._button(words, self.carry_out)
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
        self._store_label = QLabel(self.tr("Store"))
        self._store_label.setBuddy(self.store)
        if self._kind == "snapshot":
            target.addRow(self._store_label, self.store)
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

    def choose_snapshot(self, path: Path) -> None:
        """Mean a snapshot, and another store than the open one, of which it most likely is."""
        if not self.work.is_working and isinstance(self.form, RecordForm):
            self.pages.setCurrentIndex(0)
            self._shown = None
            self.form.file.set_path(str(path))
            self.store.mean_another()
            self._say()
            self.store.file.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- what is shown ------------------------------------------------------------------------

    @Slot()
    def _fill_tenants(self) -> None:
        typed = self.tenant.currentText()
        scope = self._session.scope
        own = scope.tenant_id if scope is not None and self._kind != "snapshot" else ""
        self.tenant.blockSignals(True)
        self.tenant.clear()
        self.tenant.addItems(self._known_tenants())
        self.tenant.setEditText(typed or own)
        self.tenant.blockSignals(False)
        self._say()

    def _known_tenants(self) -> list[str]:
        """Return the tenants of the store that is filled, where that is the open one."""
        known = [tenant.tenant_id for tenant in self._session.tenants]
        return known if self._is_here else []

    @Slot()
    def _on_source_changed(self) -> None:
        """Name the tenant that the source names, unless a person typed another one."""
        named = self.form.tenant_id
        if named and self.tenant.currentText() in ("", self._suggested):
            self._suggested = named
            self.tenant.setEditText(named)
        self._on_form_changed()

    @Slot()
    def _on_form_changed(self) -> None:
        self._is_tried = False
        self._board.clear()
        self._say()

    @Slot()
    def _on_store_changed(self) -> None:
        self._fill_tenants()
        self._on_form_changed()

    @Slot()
    def _on_session_opened(self) -> None:
        self.store.refresh()
        self._fill_tenants()

    @property
    def _is_here(self) -> bool:
        """Whether the open store is filled."""
        return self._kind != "snapshot" or self.store.is_here

    def _say(self) -> None:
        """Enable what can be done now, and say what is missing."""
        is_form = self.pages.currentIndex() == 0
        problem = self._problem_now()
        can = not problem and not self.work.is_working
        self._problem.setText(problem if is_form else "")
        self._tenant_says.setText(self._tenant_words())
        for widget in (
            self.form,
            self.store,
            self.tenant,
            self.stop_on_error,
            self.skip_errors,
        ):
            widget.setEnabled(not self.work.is_working)
        self.back.setVisible(not is_form)
        self.back.setEnabled(not self.work.is_working)
        self.copy.setVisible(not is_form)
        self.try_button.setVisible(is_form)
        self.try_button.setEnabled(can)
        self.import_button.setVisible(is_form or self._is_tried)
        self.import_button.setEnabled(can and (not self._is_here or self._session.is_writable))
        self.show_tenant.setVisible(self._shown is not None and not is_form)
        first = self.import_button if self._is_tried else self.try_button
        for button in (self.try_button, self.import_button):
            set_look(button, "primary" if button is first else "")
            button.setDefault(button is first and not button.isHidden())

    def _problem_now(self) -> str:
        if self.form.problem:
            return self.form.problem
        if not self._is_here and self.store.problem:
            return self.store.problem
        try:
            self._scope()
        except Invalid:
            return self.tr("Name the tenant, in up to 255 characters.")
        return ""

    def _tenant_words(self) -> str:
        typed = self.tenant.currentText().strip()
        is_known = self._is_here or self.store.is_new  # of other stores nothing is known
        is_new = is_known and bool(typed) and typed not in self._known_tenants()
        return self.tr("New; the import makes it.") if is_new else ""

    def _scope(self) -> Scope:
        return Scope(self.tenant.currentText().strip())

    # -- doing --------------------------------------------------------------------------------

    @Slot()
    def try_out(self) -> None:
        """Read the source and show what an import would do; nothing is written."""
        run = self._run(is_trial=True)
        if run is None:
            return
        ticket = self._session.operations.read(
            ReadOp((AREA, "trial", self._kind), run, self.tr("Trying"), is_long=True),
            on_done=self._on_tried,
            on_failed=self._on_work_failed,
            owner=self,
        )
        self._follow(ticket, self.tr("Reading; nothing is written."))

    @Slot()
    def carry_out(self) -> None:
        """Import; batches that are committed stay if it is stopped."""
        run = self._run(is_trial=False)
        if run is None:
            return
        is_restored = self._kind == "snapshot"
        label = self.tr("Restoring a snapshot") if is_restored else self.tr("Importing")
        ticket = self._session.operations.write(
            WriteOp(label, run, can_cancel=True),
            on_done=lambda report: self._on_imported(run, report),
            on_failed=self._on_work_failed,
            owner=self,
        )
        words = self.tr("Restoring {source}") if is_restored else self.tr("Importing {source}")
        self._follow(ticket, words.format(source=_short(run.job.source)))

    def _run(self, *, is_trial: bool) -> Run | None:
        target = self._session.store if self._is_here else self.store.target
        if target is None or self._problem_now():
            return None
        on_error = OnError.STOP if self.stop_on_error.isChecked() else OnError.SKIP
        return Run(
            job=self.form.job(),
            target=target,
            scope=self._scope(),
            on_error=on_error,
            is_trial=is_trial,
        )

    def _on_tried(self, report: Report) -> None:
        is_own = isinstance(report, RestoreReport) and report.is_own
        self._is_tried = not report.refused and not is_own  # else there is nothing to carry out
        self._is_trial_shown = True
        self._show_report(report)

    def _on_imported(self, run: Run, report: Report) -> None:
        self._is_tried = self._is_trial_shown = False
        tenant, name = run.scope.tenant_id, one_line(run.scope.tenant_id, 40)
        if isinstance(run.target, Path):
            if _has_written(report) or not self.store.is_new:
                self._shown = run.target, tenant
                words = self.tr("Open {store}")
                set_icon(self.show_tenant, "folder-open", "on_accent")
                self.show_tenant.setText(words.format(store=one_line(run.target.name, 40)))
        else:
            own = self._session.scope
            is_elsewhere = own is None or own.tenant_id != tenant
            if is_elsewhere and (_has_written(report) or tenant in self._known_tenants()):
                self._shown = None, tenant
                set_icon(self.show_tenant, "building-2", "on_accent")
                self.show_tenant.setText(self.tr("Look at {tenant}").format(tenant=name))
            self._session.refresh()
        self._show_report(report)

    def _show_report(self, report: Report) -> None:
        self.report.show_report(report)
        self.pages.setCurrentIndex(1)
        self._say()
        is_elsewhere = self._shown is not None
        ways_on = ((self._is_tried, self.import_button), (is_elsewhere, self.show_tenant))
        focus = next((button for is_there, button in ways_on if is_there), self.close_button)
        self.show_tenant.setDefault(focus is self.show_tenant)
        focus.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _go_back(self) -> None:
        self.pages.setCurrentIndex(0)
        self._shown = None
        self._say()
        self.form.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.text)

    @Slot()
    def _look_there(self) -> None:
        """Look at what was filled: another tenant, or another store."""
        if self._shown is None:
            return
        place, tenant = self._shown
        if place is None:
            self._session.set_scope(Scope(tenant))
        else:
            self.store_wanted.emit(place, tenant)
        self.close()

    # -- the end ------------------------------------------------------------------------------

    @Slot()
    def _on_session_closed(self) -> None:
        """The store is leaving: what was asked for is carried out, and shown nowhere."""
        if self._is_here:
            self.leave()
        else:
            self._on_session_opened()

    def reject(self) -> None:
        if self._can_go_back and not self.work.is_working:
            self._go_back()
        else:
            super().reject()

    @property
    def _can_go_back(self) -> bool:
        """Whether a trial is shown, from which one steps back to the form; an import is over."""
        return self.pages.currentIndex() == 1 and self._is_trial_shown


def _align(page: QWidget) -> None:
    """Give the titles of all groups one width, so that their fields stand in one column."""
    titles = [label for label in page.findChildren(QLabel) if label.buddy() is not None]
    width = max(title.sizeHint().width() for title in titles)
    for title in titles:
        title.setMinimumWidth(width)


def _short(source: str) -> str:
    return one_line(source.rstrip("/").rpartition("/")[2] or source, 60)


def _has_written(report: Report) -> bool:
    if isinstance(report, RestoreReport):
        return report.imported is None or report.imported.transactions is not None
    return report.transactions is not None
