"""One transaction in full: who, when and why, before and after, what it wrote, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from store.model import RowKind
from store.temporal import to_micros
from workbench import words
from workbench.text import exact, instant, isolate, number, one_line, tooltip, value_line, visible
from workbench.theme import set_icon, set_look
from workbench.widgets.before_after import BeforeAfter
from workbench.widgets.flow_layout import FlowLayout
from workbench.widgets.icon_label import IconLabel
from workbench.widgets.link_text import LinkText
from workbench.widgets.pair_grid import PairGrid
from workbench.widgets.plan_view import PlanView
from workbench.widgets.reason_edit import ReasonEdit
from workbench.widgets.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QKeyEvent

    from store.model import TransactionDetail, Version
    from workbench.panels.journal.presenter import JournalPresenter
    from workbench.widgets.reason_edit import RecentReasons

_ROWS_SHOWN: Final = 12
_MARGIN: Final = 14


def _hairline() -> QFrame:
    line = QFrame()
    set_look(line, "hairline")
    return line


def _plain(text: str, look: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    set_look(label, look)
    return label


class _Content(QWidget):
    """What scrolls: everything about one transaction."""

    def __init__(self, presenter: JournalPresenter, detail: TransactionDetail) -> None:
        super().__init__()
        self.setObjectName("transaction")
        self._presenter = presenter
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(_MARGIN, 10, _MARGIN, 12)
        self._column.setSpacing(10)
        self._add_head(detail)
        self._add_record(detail)
        if detail.before or detail.after:
            change = BeforeAfter()
            change.show_change(detail.before, detail.after, now_at=to_micros(presenter.clock()))
            self._column.addWidget(change)
        else:
            self._column.addWidget(
                _plain(self.tr("No read gives another answer because of it."), "secondary")
            )
        self._add_rows(self.tr("Rows that began"), detail.began)
        self._add_rows(self.tr("Rows that ceased"), detail.ceased)
        if detail.truncated:
            self._column.addWidget(
                _plain(self.tr("It is too large to be shown in full."), "secondary")
            )
        self._column.addStretch(1)

    def _add_head(self, detail: TransactionDetail) -> None:
        header = detail.transaction
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(IconLabel(words.write_icon(header.kind), "dim"))
        title = self.tr("Transaction {number} · {kind}")
        label = _plain(
            title.format(number=number(header.number), kind=words.write_kind(header.kind)), "title"
        )
        label.setObjectName("transaction_title")
        row.addWidget(label, 1)
        self._column.addLayout(row)
        if header.reason:
            reason = WrappedLabel()
            reason.set_text(f"“{isolate(visible(header.reason))}”")
            self._column.addWidget(reason)

    def _add_record(self, detail: TransactionDetail) -> None:
        header = detail.transaction
        grid = PairGrid()
        recorded = instant(header.recorded_at, has_seconds=True)
        grid.add_text(self.tr("Recorded"), recorded, hint=exact(header.recorded_at))
        who = self.tr("{actor}, with {tool}")
        grid.add_text(
            self.tr("Who"),
            who.format(actor=one_line(header.actor, 80), tool=one_line(header.tool, 80)),
        )
        self._add_links(grid, self.tr("Episodes"), detail.episodes, self._presenter.open_episode)
        cited = [link.episode_id for link in detail.evidence]
        others = [it for it in dict.fromkeys(cited) if it not in detail.episodes]
        self._add_links(grid, self.tr("Evidence"), others, self._presenter.open_episode)
        self._add_links(grid, self.tr("Conflicts"), detail.conflicts, self._presenter.open_conflict)
        for attribute in detail.attributes[:_ROWS_SHOWN]:
            said = f"{one_line(attribute.name, 80)} · {one_line(attribute.memory_type, 40)}"
            grid.add_text(self.tr("Attribute"), said)
        if detail.reverted_by is not None:
            by = detail.reverted_by
            link = LinkText(self.tr("transaction {number}").format(number=number(by)))
            link.setObjectName("reverted_by")
            link.clicked.connect(lambda: self._presenter.select(by))
            grid.add_widgets(self.tr("Reverted by"), link)
        grid.add_mono(self.tr("Digest"), header.digest, copies=self.tr("Copy the digest"))
        self._column.addWidget(grid)

    def _add_links(
        self, grid: PairGrid, name: str, ids: Iterable[str], follow: Callable[[str], None]
    ) -> None:
        wanted = list(ids)
        for place, identity in enumerate(wanted[:_ROWS_SHOWN]):
            link = LinkText(one_line(identity, 60))
            link.setObjectName(f"link.{identity}")
            link.clicked.connect(lambda _c=False, it=identity: follow(it))
            grid.add_widgets(name if place == 0 else "", link)
        left = len(wanted) - _ROWS_SHOWN
        if left > 0:
            grid.add_text("", self.tr("and %n more", "", left))

    def _add_rows(self, head: str, rows: tuple[Version, ...]) -> None:
        stated = [row for row in rows if row.kind in (RowKind.FACT, RowKind.END)]
        if not stated:
            return
        box = QVBoxLayout()
        box.setSpacing(1)
        box.addWidget(_plain(f"{head}: {number(len(stated))}", "strong"))
        for row in stated[:_ROWS_SHOWN]:
            link = LinkText(self._row_words(row), inset=0)
            link.setObjectName(f"row.{row.memory_id}")
            link.clicked.connect(lambda _c=False, it=row: self._presenter.select_version(it))
            link.setToolTip(tooltip(exact(row.valid_from)))
            box.addWidget(link)
        left = len(stated) - _ROWS_SHOWN
        if left > 0:
            box.addWidget(_plain(self.tr("and %n more", "", left), "secondary"))
        self._column.addLayout(box)

    def _row_words(self, row: Version) -> str:
        name = f"{one_line(row.subject, 60)} · {one_line(row.attribute, 60)}"
        value = self.tr("nothing") if row.kind is RowKind.END else value_line(row.value, 80)
        form = self.tr("{name}: {value} from {instant}")
        return form.format(name=name, value=isolate(value), instant=instant(row.valid_from))


class _Scroll(QScrollArea):
    """Scrolls the content up and down only."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def minimumSizeHint(self) -> QSize:
        return QSize(340, 60)


class RevertForm(QWidget):
    """Asks for a reason where one looks, and shows what would follow.

    Signals:
        confirmed: the reason, once the button was pressed.
        cancelled: it was given up, by the button or by Esc.
    """

    confirmed = Signal(str)
    cancelled = Signal()

    def __init__(self, reasons: RecentReasons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("revert_form")
        self._title = _plain("", "strong")
        self._plan = PlanView()
        self._problem = WrappedLabel("danger")
        self._problem.setObjectName("revert_problem")
        self.reason = ReasonEdit(reasons)
        self.reason.setObjectName("revert_reason")
        self.reason.reason_changed.connect(self._follow)
        self._confirm = QPushButton()
        self._confirm.setObjectName("revert_confirm")
        set_look(self._confirm, "danger")
        self._confirm.clicked.connect(lambda: self.confirmed.emit(self.reason.reason))
        self._cancel = QPushButton()
        self._cancel.setObjectName("revert_cancel")
        self._cancel.clicked.connect(self.cancelled)
        line = self.reason.lineEdit()
        assert line is not None
        line.returnPressed.connect(self._on_return_pressed)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.reason, 1)
        buttons.addWidget(self._confirm)
        buttons.addWidget(self._cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, 10, _MARGIN, 10)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addWidget(self._plan)
        column.addWidget(self._problem)
        column.addLayout(buttons)
        self._can_confirm = False
        self._number = 0
        self.name_all()

    def show_draft(self, presenter: JournalPresenter) -> None:
        """Show the revert that a presenter considers."""
        draft = presenter.draft
        if draft is None:
            self.reason.set_reason("")
            self._can_confirm = False
            return
        self._number = draft.number
        self.name_all()
        self._plan.setVisible(draft.plan is not None and not draft.problem)
        if draft.plan is not None:
            self._plan.show_plan(draft.plan, now_at=to_micros(presenter.clock()))
        self._problem.set_text(visible(draft.problem))
        self._problem.setVisible(bool(draft.problem))
        self._can_confirm = draft.plan is not None and not draft.problem and not draft.is_writing
        self._follow()

    def name_all(self) -> None:
        """Say everything in the language in force."""
        shown = number(self._number)
        title = self.tr("Revert transaction {number}? What it changed is put back as it was:")
        self._title.setText(title.format(number=shown))
        self._confirm.setText(self.tr("Revert"))
        said = self.tr("Revert transaction {number}").format(number=shown)
        self._confirm.setAccessibleName(said)
        self._cancel.setText(self.tr("Cancel"))
        self.reason.set_hint(self.tr("Reason for the revert"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    @Slot()
    def _follow(self, _reason: str = "") -> None:
        self._confirm.setEnabled(self._can_confirm and bool(self.reason.reason))

    @Slot()
    def _on_return_pressed(self) -> None:
        if self._confirm.isEnabled():
            self.confirmed.emit(self.reason.reason)


class DetailPane(QWidget):
    """The selected transaction over what can be done with it.

    Signals:
        left: the form of a revert that had the keyboard is gone.
    """

    left = Signal()

    def __init__(
        self, presenter: JournalPresenter, reasons: RecentReasons, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("journal_detail")
        self._presenter = presenter
        self._reasons = reasons
        self._scroll = _Scroll()
        self.form = RevertForm(reasons)
        self.form.confirmed.connect(self._on_form_confirmed)
        self.form.cancelled.connect(presenter.cancel_revert)
        self._look = QPushButton()
        self._look.setObjectName("look_as_of_it")
        set_icon(self._look, "history")
        self._look.clicked.connect(presenter.look_as_of_it)
        self._revert = QPushButton()
        self._revert.setObjectName("transaction.revert")
        set_icon(self._revert, "undo")
        self._revert.clicked.connect(presenter.begin_revert)
        self._buttons = QWidget()
        row = FlowLayout()
        row.addWidget(self._look)
        row.addWidget(self._revert)
        box = QVBoxLayout(self._buttons)
        box.setContentsMargins(_MARGIN, 8, _MARGIN, 8)
        box.addLayout(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._scroll, 1)
        column.addWidget(_hairline())
        column.addWidget(self.form)
        column.addWidget(self._buttons)
        presenter.detail_changed.connect(self._on_presenter_detail_changed)
        presenter.draft_changed.connect(self._on_presenter_draft_changed)
        self._name()
        self._on_presenter_detail_changed()
        self._on_presenter_draft_changed()

    @Slot()
    def _on_presenter_detail_changed(self) -> None:
        detail = self._presenter.detail
        old = self._scroll.takeWidget()
        if old is not None:
            old.hide()
            old.deleteLater()
        if detail is not None:
            content = _Content(self._presenter, detail)
            self._scroll.setWidget(content)
            content.setAutoFillBackground(False)  # what it stands on shows through
        self._follow()

    @Slot()
    def _on_presenter_draft_changed(self) -> None:
        draft = self._presenter.draft
        was_hidden = self.form.isHidden()
        focus = QApplication.focusWidget()
        is_left = draft is None and focus is not None and self.form.isAncestorOf(focus)
        self.form.show_draft(self._presenter)
        self.form.setVisible(draft is not None)
        self._buttons.setVisible(draft is None)
        self._follow()
        if draft is not None and was_hidden:
            self.form.reason.setFocus()
        if is_left:
            self.left.emit()

    def _follow(self) -> None:
        presenter = self._presenter
        detail = presenter.detail
        self._revert.setEnabled(presenter.can_revert)
        hint = self.tr("Take it back by a new transaction that says why")
        if detail is not None and detail.reverted_by is not None:
            hint = self.tr("It was reverted already")
        elif not presenter.is_writable:
            hint = self.tr("This store is open for reading")
        self._revert.setToolTip(tooltip(hint))
        self._revert.setAccessibleDescription(hint)

    @Slot(str)
    def _on_form_confirmed(self, reason: str) -> None:
        self._reasons.remember(reason)
        self._presenter.revert(reason)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._name()
            self._on_presenter_detail_changed()

    def _name(self) -> None:
        self._look.setText(self.tr("Look as of then"))
        hint = self.tr("Look at the record as the ledger knew it with this transaction")
        self._look.setToolTip(tooltip(hint))
        self._look.setAccessibleDescription(hint)
        self._revert.setText(self.tr("Revert…"))
        self.form.name_all()
