"""Looking for damage in a store, rule by rule, and against a head that was kept elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Slot,
)
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from store import Invalid
from store.audit.noted import read_head
from workbench.messages import Message, Severity
from workbench.ops import ReadOp
from workbench.text import QT_TRANSLATE_NOOP, number, one_line, tooltip, visible
from workbench.theme import appearance, set_look
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.icon_label import IconLabel
from workbench.widgets.link_text import CopyButton
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.section_head import SectionHead
from workbench.widgets.verdict_band import VerdictBand
from workbench.widgets.work_dialog import WorkDialog

if TYPE_CHECKING:
    from store import Head
    from store.query import CheckReport, Finding
    from workbench.session import Session

_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
AREA: Final = "check"
FAILED: Final = Message("check.failed", Severity.ERROR, "{reason}")
STOPPED: Final = Message(
    "check.stopped",
    Severity.INFO,
    QT_TRANSLATE_NOOP("Messages", "The check was stopped; it says nothing about the store."),
)
WIDTH_PX: Final = 720
BEFORE_PX: Final = 300
"""Height until there is a result, which needs HEIGHT_PX."""
HEIGHT_PX: Final = 680

OUTSIDE_HEAD: Final = "the outside head is in the chain"
#: The rules as the backends name them.
RULES: Final = frozenset(
    {
        QT_TRANSLATE_NOOP("CheckRules", "the file is whole"),
        QT_TRANSLATE_NOOP("CheckRules", "live rows have different beginnings"),
        QT_TRANSLATE_NOOP("CheckRules", "stated ends follow beginnings"),
        QT_TRANSLATE_NOOP("CheckRules", "derived rows follow from the assertions"),
        QT_TRANSLATE_NOOP("CheckRules", "beliefs end after they begin"),
        QT_TRANSLATE_NOOP("CheckRules", "transactions are numbered without gaps and rise in time"),
        QT_TRANSLATE_NOOP("CheckRules", "the chain of digests holds"),
        QT_TRANSLATE_NOOP("CheckRules", "the outside head is in the chain"),
        QT_TRANSLATE_NOOP("CheckRules", "sources exist"),
        QT_TRANSLATE_NOOP("CheckRules", "the rows of a fact say one value"),
        QT_TRANSLATE_NOOP("CheckRules", "everything has what it belongs to"),
        QT_TRANSLATE_NOOP("CheckRules", "the indexes and short cuts fit the record"),
    }
)


def rule_words(rule: str) -> str:
    """Say a rule in the language in force; one that is not known here stays as it is."""
    said = QCoreApplication.translate("CheckRules", rule) if rule in RULES else visible(rule)
    return said[:1].upper() + said[1:]


class FindingsModel(QAbstractTableModel):
    """What is wrong: where, and a sentence; which rule is broken is told on hover."""

    def __init__(self, findings: tuple[Finding, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._findings = findings

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._findings)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else 2

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        finding = self._findings[index.row()]
        text = finding.where if index.column() == 0 else finding.sentence
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(text)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(f"{rule_words(finding.rule)}\n{text}")
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (self.tr("Where"), self.tr("What is wrong"))[section]


class CheckDialog(WorkDialog):
    """Checks the open store off the GUI thread and shows what holds and what does not."""

    stopped_message: ClassVar = STOPPED
    failed_message: ClassVar = FAILED
    stays_until_stopped: ClassVar = False

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "store.check", parent)
        self.setWindowTitle(self.tr("Check store"))
        self._text = ""
        self.outcome = _Result()
        self.outcome.hide()
        self._make_choices()
        self._make_buttons()
        self._lay_out()
        session.closed.connect(self.leave)
        self._say()
        self.check_button.setFocus()

    # -- building -----------------------------------------------------------------------------

    def _make_choices(self) -> None:
        self.fast = QRadioButton(self.tr("At what can be seen at once"))
        self.full = QRadioButton(self.tr("At everything: each row of each tenant, the whole file"))
        self.fast.setChecked(True)
        self._depth = QButtonGroup(self)
        for button in (self.fast, self.full):
            self._depth.addButton(button)
        self.tenant = QComboBox()
        self.tenant.setAccessibleName(self.tr("Tenant of the head"))
        self.tenant.view().setAccessibleName(self.tr("Tenant of the head"))
        for tenant in self._session.tenants:
            self.tenant.addItem(one_line(tenant.tenant_id, 60), tenant.tenant_id)
        scope = self._session.scope
        if scope is not None:
            self.tenant.setCurrentIndex(max(0, self.tenant.findData(scope.tenant_id)))
        self.head = QLineEdit()
        self.head.setObjectName("check.head")
        self.head.setAccessibleName(self.tr("Head that you kept"))
        self.head.setPlaceholderText(self.tr("NUMBER:DIGEST or its whole line, if you kept one"))
        self.head.textChanged.connect(self._say)

    def _make_buttons(self) -> None:
        self.copy = self._button(self.tr("Copy report"), self._copy, icon_name="copy")
        self.close_button = self._button(self.tr("Close"), self.reject)
        self.check_button = QPushButton(self.tr("Check"))
        set_look(self.check_button, "primary")
        self.check_button.clicked.connect(self.check)

    def _lay_out(self) -> None:
        choices = QGridLayout()
        choices.setHorizontalSpacing(16)
        choices.setVerticalSpacing(6)
        look = QLabel(self.tr("Look"))
        look.setBuddy(self.fast)
        choices.addWidget(look, 0, 0)
        choices.addWidget(self.fast, 0, 1)
        choices.addWidget(self.full, 1, 1)
        head = QLabel(self.tr("Compare with"))
        head.setBuddy(self.head)
        pair = QHBoxLayout()
        pair.setSpacing(8)
        pair.addWidget(self.tenant)
        pair.addWidget(self.head, 1)
        choices.addWidget(head, 2, 0)
        choices.addLayout(pair, 2, 1)
        says = QLabel(
            self.tr(
                "A head is the number and the digest of the newest transaction. One that was "
                "kept elsewhere shows whether the end of the record was cut off since."
            )
        )
        says.setWordWrap(True)
        set_look(says, "secondary")
        choices.addWidget(says, 3, 1)
        choices.setColumnStretch(1, 1)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(16)
        column.addLayout(choices)
        column.addWidget(self.outcome, 1)
        column.addStretch(0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(page)
        line = QFrame()
        set_look(line, "hairline")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(MessageBar(self._board))
        whole.addWidget(area, 1)
        whole.addWidget(line)
        whole.addLayout(self._foot())
        self.resize(WIDTH_PX, BEFORE_PX)

    def _foot(self) -> QVBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.copy)
        row.addStretch(1)
        row.addWidget(self.close_button)
        row.addWidget(self.check_button)
        foot = QVBoxLayout()
        foot.setContentsMargins(24, 12, 24, 12)
        foot.setSpacing(10)
        foot.addWidget(self.work)
        foot.addLayout(row)
        return foot

    # -- doing --------------------------------------------------------------------------------

    @Slot()
    def _say(self) -> None:
        typed = self.head.text().strip()
        is_wrong = bool(typed) and self._outside_head() is None
        self.head.setProperty("invalid", is_wrong)
        self.head.style().unpolish(self.head)
        self.head.style().polish(self.head)
        said = self.tr("A head is a number, a colon and 64 digits of a digest.")
        self.head.setToolTip(said if is_wrong else "")
        self.head.setAccessibleDescription(said if is_wrong else "")
        self.check_button.setEnabled(not is_wrong and not self.work.is_working)
        self.copy.setVisible(bool(self._text))

    def _outside_head(self) -> Head | None:
        tenant = self.tenant.currentData()
        try:
            return None if tenant is None else read_head(self.head.text()).head_of(tenant)
        except Invalid:
            return None

    @Slot()
    def check(self) -> None:
        """Look for damage."""
        store = self._session.store
        if store is None:
            return
        is_full, head = self.full.isChecked(), self._outside_head()
        ticket = self._session.operations.read(
            ReadOp(
                (AREA,),
                lambda work: store.check(
                    full=is_full, head=head, progress=work.progress, cancel=work.cancel
                ),
                self.tr("Checking the store"),
                is_long=True,
            ),
            on_done=self._on_checked,
            on_failed=self._on_work_failed,
            owner=self,
        )
        self._follow(ticket, self.tr("Checking"))

    def _on_checked(self, report: CheckReport) -> None:
        self.outcome.show_report(report)
        self.outcome.show()
        self.resize(self.width(), max(self.height(), HEIGHT_PX))
        self._on_screen.bring_later()
        self._text = self.outcome.text
        self._say()
        self.check_button.setFocus()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)


class _Result(QWidget):
    """A report: the verdict, each rule with its sign and word, the findings, the heads."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.verdict = VerdictBand()
        self._rules = QGridLayout()
        self._rules.setHorizontalSpacing(12)
        self._rules.setVerticalSpacing(4)
        self._rules.setColumnStretch(1, 1)
        self._findings_head = SectionHead(self.tr("Findings"))
        self.findings = QTableView()
        self.findings.setAccessibleName(self.tr("Findings"))
        self.findings.setTabKeyNavigation(False)
        self.findings.setShowGrid(False)
        self.findings.setWordWrap(False)
        self.findings.verticalHeader().hide()
        self.findings.horizontalHeader().setHighlightSections(False)
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.findings.horizontalHeader().setDefaultAlignment(side)
        self._heads_head = SectionHead(self.tr("Heads"))
        self._heads = QGridLayout()
        self._heads.setHorizontalSpacing(12)
        self._heads.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.verdict)
        column.addLayout(self._rules)
        column.addWidget(self._findings_head)
        column.addWidget(self.findings, 100)
        column.addWidget(self._heads_head)
        column.addLayout(self._heads)
        column.addStretch(1)

    def show_report(self, report: CheckReport) -> None:
        """Show a report in the language in force."""
        if report.is_clean:
            severity = Severity.DONE
            said = self.tr("Nothing is wrong.")
            if not report.full:
                said += " " + self.tr("This was a look at what can be seen at once.")
        else:
            severity = Severity.ERROR
            said = self.tr(
                "The store is damaged: %n finding(s). Keep the file as it is, and go on with a "
                "copy or a backup.",
                "",
                len(report.findings),
            )
        self.verdict.say(severity, said)
        lines = [said, ""]
        _clear(self._rules)
        broken = {finding.rule for finding in report.findings}
        for row, (rule, count) in enumerate(report.rules):
            # What one is compared with is looked at only if it was given.
            is_done = report.full and rule != OUTSIDE_HEAD
            word = self._add_rule(row, rule, count, is_broken=rule in broken, is_done=is_done)
            lines.append(f"{rule_words(rule)}: {word} ({number(count)})")
        self._show_findings(report.findings)
        lines += ["", *(f"{it.where}: {it.sentence}" for it in report.findings)]
        _clear(self._heads)
        self._heads_head.setVisible(bool(report.heads))
        for row, head in enumerate(report.heads):
            self._add_head(row, head)
            lines.append(self.tr("Head of {tenant}").format(tenant=head))
        self.text = "\n".join(map(visible, lines)) + "\n"

    def _add_rule(self, row: int, rule: str, count: int, *, is_broken: bool, is_done: bool) -> str:
        if is_broken:
            sign, word, look = IconLabel("x", "danger"), self.tr("broken"), "danger"
        elif count:
            sign, word, look = IconLabel("check", "ok"), self.tr("holds"), "ok"
        else:
            word = self.tr("nothing to look at") if is_done else self.tr("not looked at")
            sign, look = IconLabel("minus", "dim"), "secondary"
        state = QLabel(word)
        set_look(state, look)
        looked_at = QLabel(number(count) if count else "")
        set_look(looked_at, "secondary")
        looked_at.setToolTip(self.tr("So many things were looked at"))
        self._rules.addWidget(sign, row, 0)
        self._rules.addWidget(QLabel(rule_words(rule)), row, 1)
        self._rules.addWidget(looked_at, row, 2, Qt.AlignmentFlag.AlignRight)
        self._rules.addWidget(state, row, 3)
        return word

    def _show_findings(self, findings: tuple[Finding, ...]) -> None:
        self._findings_head.setVisible(bool(findings))
        self.findings.setVisible(bool(findings))
        old = self.findings.model()
        self.findings.setModel(FindingsModel(findings, self.findings))
        if old is not None:
            old.deleteLater()
        row_px = appearance().row_height("table")
        self.findings.verticalHeader().setDefaultSectionSize(row_px)
        self.findings.setMinimumHeight((min(6, len(findings)) + 1) * row_px + 8)
        self.findings.setMaximumHeight((len(findings) + 1) * row_px + 8)
        self.findings.setColumnWidth(0, 280)
        stretch = QHeaderView.ResizeMode.Stretch
        self.findings.horizontalHeader().setSectionResizeMode(1, stretch)

    def _add_head(self, row: int, text: str) -> None:
        tenant, _, head = text.rpartition(": ")
        title = QLabel(one_line(tenant, 40))
        set_look(title, "secondary")
        value = ElidedLabel(head, mode=Qt.TextElideMode.ElideMiddle)
        set_look(value, "mono")
        copy = CopyButton(self.tr("Copy the head of {tenant}").format(tenant=one_line(tenant, 40)))
        copy.set_content(head)
        self._heads.addWidget(title, row, 0)
        self._heads.addWidget(value, row, 1)
        self._heads.addWidget(copy, row, 2)


def _clear(grid: QGridLayout) -> None:
    while (item := grid.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
