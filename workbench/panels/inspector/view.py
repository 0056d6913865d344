"""The inspector panel: a page for what is selected, and what can be done about a fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QContextMenuEvent, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.actions import action
from workbench.panels.inspector.items import (
    ConflictSheet,
    EpisodeSheet,
    FactSheet,
    MissingSheet,
    SubjectSheet,
    TransactionSheet,
)
from workbench.panels.inspector.pages import (
    MARGIN,
    ConflictPage,
    EpisodeSummary,
    FactPage,
    SubjectPage,
    TransactionPage,
    hairline,
    is_held,
)
from workbench.panels.inspector.presenter import AREA, InspectorPresenter
from workbench.text import tooltip
from workbench.theme import set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.flow_layout import FlowLayout
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.panel import Panel

if TYPE_CHECKING:
    from workbench.panels.inspector.items import Sheet
    from workbench.session import Session

_LEAST_WIDTH_PX: Final = 312
"""What a page of pairs needs beside its scroll bar; narrower, it would be cut at its end."""
_WORDS_EVERY_MS: Final = 30_000
_BUTTONS: Final = ("fact.correct", "fact.end", "fact.retract", "fact.confirm")


class _Scroll(QScrollArea):
    """As tall as what it shows, where there is room; scrolls where there is not."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("inspector_scroll")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(_LEAST_WIDTH_PX)

    def viewportEvent(self, event: QEvent) -> bool:
        """Take another height when the page has another."""
        done = super().viewportEvent(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.fit()
        return done

    def fit(self) -> None:
        """Be no taller than the page."""
        page = self.widget()
        if page is None:
            return
        layout = page.layout()
        height = page.sizeHint().height()
        if layout is not None and layout.hasHeightForWidth():
            height = layout.totalHeightForWidth(self.width())
            height = max(height, layout.totalMinimumSize().height())
        self.setMaximumHeight(max(height, 1))


class InspectorView(Panel):
    """The right column of the desk."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(AREA)
        self.presenter = InspectorPresenter(session, self, is_shown=False)
        self._page: QWidget | None = None
        self._shown: Sheet | None = None
        self._busy = BusyLine.over(self)
        self._busy.follow(session.operations, AREA)
        self._empty = EmptyState("panel-right", "", parent=self)
        self._empty.setObjectName("inspector_empty")
        self._demo = self._empty.add_button("store.open_demo", "", is_primary=True)
        self._now = self._empty.add_button("view.now", "")
        self._empty.action_chosen.connect(self._on_empty_action_chosen)
        self._scroll = _Scroll()
        self._footer = QWidget()
        self._lay_out()
        self._words = QTimer(self, interval=_WORDS_EVERY_MS)
        self._words.timeout.connect(self._on_words_timeout)
        self.sight_changed.connect(self.presenter.set_shown)
        self.presenter.changed.connect(self._on_presenter_changed)
        session.operations.started.connect(self._follow_writes)
        session.operations.settled.connect(self._follow_writes)
        self._session = session
        self._name()
        self._on_presenter_changed()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(MessageBar(self.presenter.messages))
        column.addWidget(self._scroll, 1000)
        column.addWidget(self._footer)
        column.addWidget(self._empty, 1)
        self._rest = QWidget()
        column.addWidget(self._rest, 1)
        self._hint = QLabel()
        self._hint.setTextFormat(Qt.TextFormat.PlainText)
        self._hint.setWordWrap(True)
        self._buttons: dict[str, QPushButton] = {}
        row = FlowLayout()
        for action_id in _BUTTONS:
            button = QPushButton()
            button.setObjectName(action_id)
            button.clicked.connect(lambda _c=False, it=action_id: self.presenter.ask_for(it))
            self._buttons[action_id] = button
            row.addWidget(button)
        box = QVBoxLayout()
        box.setContentsMargins(MARGIN, 12, MARGIN, 12)
        box.setSpacing(8)
        box.addWidget(self._hint)
        box.addLayout(row)
        outer = QVBoxLayout(self._footer)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(hairline())
        outer.addLayout(box)
        outer.addWidget(hairline())

    # -- for the window -----------------------------------------------------------------------

    def first_focus(self) -> QWidget:
        """Return the first thing on the page that takes the focus."""
        if self._page is not None:
            for child in self._page.findChildren(QWidget):
                if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isEnabled():
                    return child
        return self._demo if self._demo.isVisible() else self

    def follow_back(self) -> bool:
        """Go to the fact that the shown one displaced; say whether there is one."""
        return self.presenter.follow_back()

    def follow_forward(self) -> bool:
        """Go to the fact that displaced the shown one; say whether there is one."""
        return self.presenter.follow_forward()

    # -- what is shown ------------------------------------------------------------------------

    @Slot()
    def _on_presenter_changed(self) -> None:
        sheet = self.presenter.sheet
        is_same = _subject_of(sheet) == _subject_of(self._shown)
        place = self._scroll.verticalScrollBar().value() if is_same else 0
        focus = self._focused_name() if is_same else ""
        self._shown = sheet
        self._put(self._made(sheet))
        self._footer.setVisible(isinstance(sheet, FactSheet))
        self._follow_writes()
        self._show_emptiness(sheet)
        if self._page is not None:
            self._settle_layout(place)
            self._give_back_focus(focus)

    def _made(self, sheet: Sheet | None) -> QWidget | None:
        match sheet:
            case FactSheet():
                return FactPage(self.presenter, sheet)
            case SubjectSheet():
                return SubjectPage(self.presenter, sheet)
            case EpisodeSheet():
                return EpisodeSummary(self.presenter, sheet)
            case TransactionSheet():
                return TransactionPage(self.presenter, sheet)
            case ConflictSheet():
                return ConflictPage(self.presenter, sheet)
        return None

    def _put(self, page: QWidget | None) -> None:
        old, self._page = self._scroll.takeWidget(), page
        if old is not None:
            old.hide()
            old.deleteLater()
        if page is not None:
            self._scroll.setWidget(page)
            page.setAutoFillBackground(False)  # what it stands on shows through
        self._scroll.setVisible(page is not None)
        self._rest.setVisible(page is not None)

    def _settle_layout(self, place: int) -> None:
        """Lay the new page out at once, so that nothing jumps, and scroll to where the old was."""
        page, own = self._page, self.layout()
        assert page is not None
        assert own is not None
        for widget in (page, *page.findChildren(QWidget)):
            widget.ensurePolished()  # the style sheet has its say in sizes
        layout = page.layout()
        if layout is not None:
            layout.activate()
        self._scroll.fit()
        own.activate()
        bar = self._scroll.verticalScrollBar()
        bar.setMaximum(max(bar.maximum(), place))
        bar.setValue(place)

    def _focused_name(self) -> str:
        focus = QApplication.focusWidget()
        if focus is not None and self._page is not None and self._page.isAncestorOf(focus):
            return focus.objectName()
        return ""

    def _give_back_focus(self, name: str) -> None:
        found = self._page.findChild(QWidget, name) if self._page is not None and name else None
        if isinstance(found, QWidget):
            found.setFocus()

    def _show_emptiness(self, sheet: Sheet | None) -> None:
        is_open = self.presenter.is_open
        if isinstance(sheet, MissingSheet):
            self._empty.set_text(self.tr("It is not there from where you look."), sheet.reason)
        elif is_open:
            self._empty.set_text(
                self.tr("What you select is explained here."),
                self.tr(
                    "Click a bar on the timeline, a row of a table or a subject to see its record, "
                    "its sources and all its versions."
                ),
            )
        else:
            self._empty.set_text(
                self.tr("What you select is explained here."),
                self.tr("Open a store first; the demo shows in two minutes what there is."),
            )
        self._demo.setVisible(not is_open)
        self._now.setVisible(isinstance(sheet, MissingSheet))
        self._empty.setVisible(self._page is None)

    @Slot()
    def _follow_writes(self, _ticket: object = None) -> None:
        """Allow what can be done to the fact that is shown."""
        sheet = self._shown
        if not isinstance(sheet, FactSheet):
            return
        held = is_held(sheet.fact, self.presenter.known_at)
        is_idle = not self._session.operations.is_writing
        can = self.presenter.is_writable and is_idle and held
        for button in self._buttons.values():
            button.setEnabled(can)
        hint = ""
        if not self.presenter.is_writable:
            hint = self.tr("This store is open for reading.")
        elif not held:
            hint = self.tr("The ledger no longer holds this fact; there is nothing to act on.")
        elif not sheet.as_of.is_now:
            hint = self.tr(
                "You look from another time; what you do applies to the record as it is now."
            )
        set_look(self._hint, "warn" if held and hint else "secondary")
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))

    def retranslate(self) -> None:
        self._name()
        self._on_presenter_changed()

    def _name(self) -> None:
        for action_id, button in self._buttons.items():
            spec = action(action_id)
            button.setText(spec.label().replace("&", ""))
            button.setToolTip(tooltip(spec.help_line()))
            button.setAccessibleDescription(spec.help_line())
        self._demo.setText(self.tr("Open the demo store"))
        self._now.setText(self.tr("Look from now"))
        self._scroll.setAccessibleName(self.tr("What is selected"))

    # -- events -------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._on_words_timeout()
        self._words.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._words.stop()
        super().hideEvent(event)

    def event(self, event: QEvent) -> bool:
        # Before the window's shortcuts: here the keys follow the links that are in sight.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            can = {
                "[": self.presenter.can_follow_back,
                "]": self.presenter.can_follow_forward,
            }
            if can.get(event.text()):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        follow = {"[": self.follow_back, "]": self.follow_forward}.get(event.text())
        if follow is not None and follow():
            event.accept()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.presenter.sheet is not None:
            self.menu_requested.emit(event.globalPos())
            event.accept()

    @Slot()
    def _on_words_timeout(self) -> None:
        if isinstance(self._page, FactPage):
            self._page.refresh_words()

    @Slot(str)
    def _on_empty_action_chosen(self, action_id: str) -> None:
        self.presenter.ask_for(action_id)


def _subject_of(sheet: Sheet | None) -> object:
    """Say what a sheet is about, to tell a refresh from another selection."""
    match sheet:
        case FactSheet(fact=fact):
            return fact.memory_id
        case SubjectSheet(subject=subject, attribute=attribute):
            return subject, attribute
        case EpisodeSheet(episode=episode):
            return episode.episode_id
        case TransactionSheet(detail=detail):
            return detail.transaction.number
        case ConflictSheet(conflict=conflict):
            return conflict.conflict_id
    return None
