"""What the navigator lists and does: it sets the session's filter; no widget in sight."""

from __future__ import annotations

from bisect import insort
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from store.query import LaneFilter
from workbench.actions import Selection as SelectionKind
from workbench.messages import RETRY, TRY_AGAIN, Message, MessageBoard, Severity
from workbench.panels.navigator.model import Entry, EntryList, named
from workbench.session import NOTHING, Selection
from workbench.text import QT_TRANSLATE_NOOP, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from store.contract import ChangeNotice
    from store.query import SubjectLanes
    from workbench.session import Session, View

AREA: Final = "navigator"
CONFLICTS: Final = "panel.conflicts"
"""Id of the entry of conflicts, and of the action that it asks for."""
UNREADABLE: Final = Message(
    "navigator.unreadable",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The subjects could not be read. {reason}"),
    action=TRY_AGAIN,
)


class Section(StrEnum):
    """The parts of the navigator, in their order."""

    INBOX = "inbox"
    SUBJECTS = "subjects"
    TYPES = "types"
    ATTRIBUTES = "attributes"


_FIELDS: Final = {
    Section.SUBJECTS: "subject",
    Section.TYPES: "memory_type",
    Section.ATTRIBUTES: "attribute",
}


class _Question(NamedTuple):
    """On what the list of subjects depends."""

    lanes: LaneFilter
    known_at: datetime | None


class _Answer(NamedTuple):
    subjects: tuple[SubjectLanes, ...]
    types: frozenset[str]


def _read_subjects(view: View, lanes: LaneFilter) -> _Answer:
    found = view.store.lane_outline(view.scope, lanes, as_of=view.as_of, cancel=view.work.cancel)
    registered = view.store.attributes(view.scope)
    return _Answer(found, frozenset(attribute.memory_type for attribute in registered))


class NavigatorPresenter(QObject):
    """State and intents of the navigator.

    Signals:
        active_changed: other entries than before narrow the session.
        heads_changed: what stands over a section is different.

    Attributes:
        lists: the entries of each section.
        messages: what could not be read.
    """

    active_changed = Signal()
    heads_changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.messages = MessageBoard(self)
        self.lists = {section: EntryList(self) for section in Section}
        self.lists[Section.INBOX].spoken = self._say_conflicts
        self.lists[Section.SUBJECTS].spoken = self._say_subject
        self.lists[Section.TYPES].spoken = self._say_facts
        self.lists[Section.ATTRIBUTES].spoken = self._say_facts
        self._subjects: tuple[SubjectLanes, ...] = ()
        self._tints: dict[str, int] = {}
        self._text = ""
        self._asked: _Question | None = None
        self._has_answer = False
        self._is_shown = True
        self._is_stale = False
        self._is_reading = False
        self._read_soon = QTimer(self, singleShot=True, interval=0)
        self._read_soon.timeout.connect(self._read)
        self.messages.action_chosen.connect(self._on_messages_action_chosen)
        session.opened.connect(self._on_session_opened)
        session.scope_changed.connect(self._on_session_opened)
        session.closed.connect(self._on_session_closed)
        session.as_of_changed.connect(self._on_session_question_changed)
        session.filter_changed.connect(self._on_session_filter_changed)
        session.summary_changed.connect(self._show_summary)
        session.changed.connect(self._on_session_changed)
        if session.is_open:
            self._on_session_opened()
            self._show_summary()

    # -- asking -------------------------------------------------------------------------------

    def active(self, section: Section) -> str | None:
        """Return the id of the entry that narrows the session, None if none does."""
        field = _FIELDS.get(section)
        chosen: str | None = getattr(self.session.filter, field) if field else None
        return chosen

    @property
    def text(self) -> str:
        """What the subjects are narrowed to in this list only."""
        return self._text

    @property
    def has_subjects(self) -> bool:
        """Whether there is any subject, typed filter or not."""
        return bool(self._subjects)

    @property
    def is_narrowed(self) -> bool:
        """Whether only subjects with some type, attribute or words are asked for."""
        return self._question().lanes != LaneFilter()

    @property
    def has_answer(self) -> bool:
        """Whether the subjects of the open store are known."""
        return self._has_answer

    def head_count(self, section: Section) -> str:
        """Return the number that stands over a section, or ""."""
        shown = len(self.lists[section].entries)
        if section is Section.INBOX or not self.session.is_open or not shown:
            return ""
        if section is Section.SUBJECTS and self._text.strip():
            return self.tr("{shown} of {all}").format(
                shown=number(shown), all=number(len(self._subjects))
            )
        return number(shown)

    # -- intents ------------------------------------------------------------------------------

    def choose(self, section: Section, entry_id: str) -> None:
        """Narrow the session to an entry, or no longer if it is so already."""
        if section is Section.INBOX:
            self.session.attention_wanted.emit(entry_id)
        elif self.active(section) == entry_id:
            self.clear(section)
        else:
            self.session.set_filter(**{_FIELDS[section]: entry_id})
            if section is Section.SUBJECTS:
                self.session.select(Selection(SelectionKind.SUBJECT, subject=entry_id))

    def clear(self, section: Section | None = None) -> bool:
        """Narrow the session to nothing of a section, or of any; say whether anything did."""
        wanted = list(_FIELDS) if section is None else [section]
        cleared = [it for it in wanted if self.active(it) is not None]
        if Section.SUBJECTS in cleared:
            chosen = self.session.selection
            is_subject = chosen.kind is SelectionKind.SUBJECT
            if is_subject and chosen.subject == self.active(Section.SUBJECTS):
                self.session.select(NOTHING)
        self.session.set_filter(**dict.fromkeys(map(_FIELDS.__getitem__, cleared)))
        return bool(cleared)

    def set_text(self, text: str) -> None:
        """List only the subjects in which all these words occur."""
        if text != self._text:
            self._text = text
            self._show_subjects()

    def set_shown(self, is_shown: bool) -> None:
        """Say whether anyone looks; a list out of sight reads nothing."""
        self._is_shown = is_shown
        if is_shown and self._is_stale:
            self._read_soon.start()

    def retranslate(self) -> None:
        """Put everything into the language in force."""
        self._show_summary()
        for entries in self.lists.values():
            entries.tell_texts_changed()

    # -- reading ------------------------------------------------------------------------------

    def _question(self) -> _Question:
        chosen = self.session.filter
        lanes = LaneFilter(None, chosen.attribute, chosen.memory_type)
        return _Question(lanes, self.session.as_of.known_at)

    def _ask(self) -> None:
        self._is_stale = True
        if self._is_shown:
            self._read_soon.start()

    @Slot()
    def _read(self) -> None:
        if not self._is_shown or not self.session.is_open:
            return
        self._is_stale = False
        self._is_reading = True
        self._asked = question = self._question()
        self.session.read(
            (AREA, "subjects"),
            lambda view: _read_subjects(view, question.lanes),
            on_done=self._take,
            on_failed=self._on_read_failed,
            owner=self,
            label=self.tr("Read subjects"),
        )

    def _take(self, answer: _Answer) -> None:
        self._is_reading = False
        self._has_answer = True
        self.messages.withdraw(UNREADABLE)
        self._subjects = answer.subjects
        self._tints = {name: tint for tint, name in enumerate(sorted(answer.types))}
        self._show_subjects()
        self._show_summary()
        if self._is_stale:
            self._ask()

    def _on_read_failed(self, error: Exception) -> None:
        self._is_reading = False
        self.messages.show(UNREADABLE, reason=str(error))

    # -- showing ------------------------------------------------------------------------------

    def _show_subjects(self) -> None:
        words = self._text.casefold().split()
        entries = [
            named(it.subject, it.lanes, conflicts=it.open_conflicts)
            for it in self._subjects
            if not words or all(word in it.subject.casefold() for word in words)
        ]
        chosen = self.active(Section.SUBJECTS)
        is_missing = self._has_answer and all(it.subject != chosen for it in self._subjects)
        if chosen is not None and is_missing and not words:
            insort(entries, named(chosen, 0), key=lambda it: it.id)  # so that it can be left
        self.lists[Section.SUBJECTS].show(entries)
        self.heads_changed.emit()

    @Slot()
    def _show_summary(self) -> None:
        summary = self.session.summary
        conflicts = summary.conflicts_open if summary else 0
        inbox = [Entry(CONFLICTS, self.tr("Conflicts"), conflicts, conflicts)]
        self.lists[Section.INBOX].show(inbox if self.session.is_open else ())
        types = summary.by_type if summary else ()
        attributes = summary.by_attribute if summary else ()
        self.lists[Section.TYPES].show(self._counted(Section.TYPES, types, tints=self._tints))
        self.lists[Section.ATTRIBUTES].show(self._counted(Section.ATTRIBUTES, attributes))
        self.heads_changed.emit()

    def _counted(
        self,
        section: Section,
        counts: Iterable[tuple[str, int]],
        *,
        tints: dict[str, int] | None = None,
    ) -> Sequence[Entry]:
        known = dict(counts)
        chosen = self.active(section)
        if chosen is not None:
            known.setdefault(chosen, 0)
        return [
            named(name, count, tint=tints.get(name) if tints else None)
            for name, count in known.items()
        ]

    def _say_conflicts(self, entry: Entry) -> str:
        waiting = self.tr("{count} open conflict(s)", "", entry.count)
        return f"{entry.title}, {waiting.format(count=number(entry.count))}"

    def _say_subject(self, entry: Entry) -> str:
        lanes = self.tr("{count} lane(s)", "", entry.count).format(count=number(entry.count))
        if not entry.conflicts:
            return f"{entry.title}, {lanes}"
        waiting = self.tr("{count} open conflict(s)", "", entry.conflicts)
        return f"{entry.title}, {lanes}, {waiting.format(count=number(entry.conflicts))}"

    def _say_facts(self, entry: Entry) -> str:
        facts = self.tr("{count} fact(s)", "", entry.count).format(count=number(entry.count))
        return f"{entry.title}, {facts}"

    # -- following ----------------------------------------------------------------------------

    @Slot()
    def _on_session_opened(self) -> None:
        self._forget()
        self._ask()

    @Slot()
    def _on_session_closed(self) -> None:
        self._read_soon.stop()
        self._is_stale = False
        self._forget()

    def _forget(self) -> None:
        self._subjects, self._tints, self._text = (), {}, ""
        self._has_answer = self._is_reading = False
        self._asked = None
        self.messages.clear()
        self._show_subjects()
        self._show_summary()
        self.active_changed.emit()

    @Slot()
    def _on_session_filter_changed(self) -> None:
        self._show_subjects()
        self._show_summary()
        self.active_changed.emit()
        self._on_session_question_changed()

    @Slot()
    def _on_session_question_changed(self) -> None:
        """Read again only what may differ: whatever holds when, the lanes are the same."""
        if self._question() != self._asked:
            self._ask()

    @Slot(object, object)
    def _on_session_changed(self, notice: ChangeNotice, _origin: object) -> None:
        if not (notice.everything or notice.subjects or notice.memory_ids or notice.conflicts):
            return
        if self._is_reading:
            self._is_stale = True  # the reading under way comes to its end first
        else:
            self._ask()

    @Slot(str, str)
    def _on_messages_action_chosen(self, _message_id: str, action_id: str) -> None:
        if action_id == RETRY:
            self.messages.withdraw(UNREADABLE)
            self._ask()
