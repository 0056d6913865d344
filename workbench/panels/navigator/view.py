"""The navigator panel: the left column of the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from workbench.panels.navigator.delegate import PAD_PX
from workbench.panels.navigator.lists import EntryListView, SectionView
from workbench.panels.navigator.presenter import AREA, NavigatorPresenter, Section
from workbench.theme import appearance
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.panel import Panel
from workbench.widgets.search_field import SearchField

if TYPE_CHECKING:
    from workbench.session import Session

_MOST_TYPES: Final = 7  # rows that the types take at most before they scroll
_LEAST_PX: Final = 130
_LEAST_SUBJECTS: Final = 3


class NavigatorView(Panel):
    """Lists what the session can be narrowed to."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("navigator")
        self.presenter = NavigatorPresenter(session, self)
        self.presenter.set_shown(False)
        lists = self.presenter.lists
        self.sections = {
            Section.INBOX: SectionView(
                "inbox", EntryListView(lists[Section.INBOX], has_badge=True)
            ),
            Section.SUBJECTS: SectionView("subjects", EntryListView(lists[Section.SUBJECTS])),
            Section.TYPES: SectionView("types", EntryListView(lists[Section.TYPES], has_dots=True)),
            Section.ATTRIBUTES: SectionView("attributes", EntryListView(lists[Section.ATTRIBUTES])),
        }
        self.field = SearchField("")
        self.field.setObjectName("navigator.filter")
        self.field.installEventFilter(self)
        self.busy_line = BusyLine.over(self)
        self.busy_line.follow(session.operations, AREA)
        self._lay_out()
        self._connect()
        self.retranslate()

    def first_focus(self) -> QWidget:
        return self.sections[Section.SUBJECTS].entries

    def _lay_out(self) -> None:
        subjects = self.sections[Section.SUBJECTS]
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 4, 0, 6)
        column.setSpacing(2)
        # All lists have their least height; where a low window has less, they scroll as one.
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setMinimumWidth(_LEAST_PX)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(content)
        content.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(MessageBar(self.presenter.messages))
        outer.addWidget(scroll, 1)
        for section, stretch in (
            (Section.INBOX, 0),
            (Section.SUBJECTS, 5),
            (Section.TYPES, 0),
            (Section.ATTRIBUTES, 4),
        ):
            column.addWidget(self.sections[section], stretch)
        room = QVBoxLayout()
        room.setContentsMargins(PAD_PX - 4, 0, PAD_PX - 4, 4)
        room.addWidget(self.field)
        subjects.column.insertLayout(1, room)

    def _connect(self) -> None:
        presenter = self.presenter
        self.sight_changed.connect(presenter.set_shown)
        order = list(Section)
        for place, (section, view) in enumerate(self.sections.items()):
            view.entries.chosen.connect(lambda entry, it=section: presenter.choose(it, entry))
            view.entries.left.connect(self._leave)
            view.entries.passed.connect(lambda way, at=place: self._pass_on(at, order, way))
            view.clear_wanted.connect(lambda it=section: self._clear_section(it))
            model = presenter.lists[section]
            for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset):
                signal.connect(self._fit)
        self.field.searched.connect(presenter.set_text)
        self.field.next_requested.connect(self._enter_subjects)
        self.field.left.connect(self._enter_subjects)
        presenter.active_changed.connect(self._show_active)
        presenter.heads_changed.connect(self._show_heads)
        appearance().changed.connect(self._fit)

    def retranslate(self) -> None:
        titles = {
            Section.INBOX: self.tr("Inbox"),
            Section.SUBJECTS: self.tr("Subjects"),
            Section.TYPES: self.tr("Types"),
            Section.ATTRIBUTES: self.tr("Attributes"),
        }
        clears = {
            Section.INBOX: "",
            Section.SUBJECTS: self.tr("Show all subjects again"),
            Section.TYPES: self.tr("Show all types again"),
            Section.ATTRIBUTES: self.tr("Show all attributes again"),
        }
        for section, view in self.sections.items():
            view.say(titles[section], clear=clears[section])
        self.field.set_hint(self.tr("Filter subjects"))
        self.presenter.retranslate()
        self._show_active()
        self._show_heads()
        self._fit()

    # -- showing ------------------------------------------------------------------------------

    @Slot()
    def _show_active(self) -> None:
        for section, view in self.sections.items():
            view.show_active(self.presenter.active(section))
        if not self.presenter.text and self.field.text():
            self.field.clear()

    @Slot()
    def _show_heads(self) -> None:
        presenter = self.presenter
        for section, view in self.sections.items():
            view.show_count(presenter.head_count(section))
            view.entries.set_active(presenter.active(section), reveals=False)
        subjects = self.sections[Section.SUBJECTS].entries
        if not presenter.has_answer:
            subjects.set_empty_text("")
        elif presenter.has_subjects:
            subjects.set_empty_text(self.tr("No subject has these letters."))
        elif presenter.is_narrowed:
            subjects.set_empty_text(self.tr("No subject fits the filter."))
        else:
            subjects.set_empty_text(
                self.tr("Subjects appear here with their first fact: people, accounts, tasks.")
            )

    @Slot()
    def _fit(self) -> None:
        """Give the short lists the room that they need, and hide those that have nothing."""
        lists = self.presenter.lists
        for section, most in ((Section.INBOX, 4), (Section.TYPES, _MOST_TYPES)):
            view = self.sections[section].entries
            view.setFixedHeight(view.height_of(min(most, max(1, len(lists[section].entries)))))
        subjects = self.sections[Section.SUBJECTS].entries
        subjects.setMinimumHeight(subjects.height_of(_LEAST_SUBJECTS))
        is_open = self.presenter.session.is_open
        for section in (Section.TYPES, Section.ATTRIBUTES):
            self.sections[section].setVisible(bool(lists[section].entries))
        self.sections[Section.INBOX].setVisible(is_open)
        self.sections[Section.SUBJECTS].setVisible(is_open)

    # -- keys ---------------------------------------------------------------------------------

    def _pass_on(self, place: int, order: list[Section], direction: int) -> None:
        """Go to the next list that has entries; the field for subjects lies before them."""
        for section in order[place + 1 :] if direction > 0 else order[:place][::-1]:
            if self.presenter.lists[section].entries and self.sections[section].isVisible():
                self.sections[section].entries.enter_from(direction)
                return

    @Slot()
    def _enter_subjects(self) -> None:
        if self.presenter.lists[Section.SUBJECTS].entries:
            self.sections[Section.SUBJECTS].entries.enter_from(1)

    @Slot()
    def _leave(self) -> None:
        """Take back what narrows the session; once nothing does, the letters typed here."""
        if not self.presenter.clear() and self.field.text():
            self.field.clear()

    def _clear_section(self, section: Section) -> None:
        self.presenter.clear(section)
        self.sections[section].entries.setFocus()

    # -- Qt -----------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self.field
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Down
        ):
            self._enter_subjects()
            return True
        return super().eventFilter(watched, event)
