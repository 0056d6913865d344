"""The timeline's lanes from the session's store, and its place in the session."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Slot

from store import StoreError
from store.query import LaneFilter, LaneKey
from store.temporal import from_micros, to_micros
from workbench.actions import Selection as SelectionKind
from workbench.panels.timeline.items import LanePage, pack_lanes
from workbench.panels.timeline.presenter import LaneSource, Question
from workbench.session import NOTHING, Selection, View

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from store.query import Density, SubjectLanes
    from workbench.panels.timeline.presenter import Area, TimelinePresenter
    from workbench.panels.timeline.presenter import Selection as LaneSelection
    from workbench.session import Session

T = TypeVar("T")
AREA = "timeline"
"""The area of the timeline's reads, for its busy line."""


class SessionLanes(LaneSource):
    """Reads lanes through the session, off the GUI thread."""

    def __init__(self, session: Session, owner: QObject) -> None:
        self._session = session
        self._owner = owner

    def outline(
        self,
        question: Question,
        *,
        done: Callable[[Sequence[SubjectLanes]], None],
        failed: Callable[[str], None],
    ) -> None:
        """Read every subject with its number of lanes."""
        self._read(
            ("outline",),
            question,
            lambda view: view.store.lane_outline(
                view.scope, question.lanes, as_of=view.as_of, cancel=view.work.cancel
            ),
            done,
            failed,
        )

    def lanes(
        self,
        question: Question,
        *,
        first: int,
        count: int,
        done: Callable[[LanePage], None],
        failed: Callable[[str], None],
    ) -> None:
        """Read and pack lanes by position."""

        def run(view: View) -> LanePage:
            lanes = view.store.lanes(
                view.scope,
                question.lanes,
                as_of=view.as_of,
                first=first,
                count=count,
                cancel=view.work.cancel,
            )
            return pack_lanes(first, lanes)

        self._read(("lanes", str(first)), question, run, done, failed)

    def density(
        self,
        question: Question,
        *,
        buckets: int,
        done: Callable[[Density], None],
        failed: Callable[[str], None],
    ) -> None:
        """Count the beginnings of bars."""
        self._read(
            ("density", "whole" if question.lanes == LaneFilter() else "part"),
            question,
            lambda view: view.store.density(
                view.scope,
                question.lanes,
                as_of=view.as_of,
                buckets=buckets,
                cancel=view.work.cancel,
            ),
            done,
            failed,
        )

    def cancel(self) -> None:
        """Give up whatever is being read."""
        self._session.operations.forget_area(AREA)

    def _read(
        self,
        key: tuple[str, ...],
        question: Question,
        run: Callable[[View], T],
        done: Callable[[T], None],
        failed: Callable[[str], None],
    ) -> None:
        def say(error: Exception) -> None:
            failed(str(error) if isinstance(error, StoreError) else type(error).__name__)

        self._session.read(
            (AREA, *key),
            run,
            on_done=done,
            on_failed=say,
            owner=self._owner,
            as_of=question.as_of,
        )


class TimelineBinding(QObject):
    """Keeps the timeline and the session of one mind: selection, filter, as-of and store."""

    def __init__(self, session: Session, presenter: TimelinePresenter) -> None:
        super().__init__(presenter)
        self._session = session
        self._presenter = presenter
        session.opened.connect(self._on_session_opened)
        session.scope_changed.connect(self._on_session_opened)
        session.closed.connect(self._on_session_closed)
        session.as_of_changed.connect(self._ask)
        session.filter_changed.connect(self._ask)
        session.changed.connect(self._on_session_changed)
        session.selection_changed.connect(self._on_session_selection_changed)
        presenter.selection_changed.connect(self._on_presenter_selection_changed)
        presenter.fact_activated.connect(self._on_presenter_fact_activated)
        presenter.valid_at_changed.connect(self._on_presenter_valid_at_changed)
        presenter.area_selected.connect(self._on_presenter_area_selected)
        if session.is_open:  # as in a window that is made anew in another language
            self._on_session_opened()
            self._on_session_selection_changed()

    @Slot()
    def _on_session_opened(self) -> None:
        self._ask()
        self._presenter.set_source(SessionLanes(self._session, self._presenter))

    @Slot()
    def _on_session_closed(self) -> None:
        self._presenter.set_source(None)

    @Slot()
    def _ask(self) -> None:
        session = self._session
        self._presenter.set_question(Question(session.filter.lanes, session.as_of))

    @Slot(object, object)
    def _on_session_changed(self, _notice: object, _origin: object) -> None:
        self._presenter.refresh()

    @Slot()
    def _on_session_selection_changed(self) -> None:
        chosen = self._session.selection
        if chosen.subject is None or chosen.attribute is None:
            if chosen == NOTHING:
                self._presenter.clear_selection()
            return
        key = LaneKey(chosen.owner, chosen.subject, chosen.attribute, chosen.slot)
        valid_from = None if chosen.row_from is None else to_micros(chosen.row_from)
        current = self._presenter.selection
        same = current is not None and (current.key, current.memory_id) == (key, chosen.memory_id)
        if not same:
            self._presenter.select_fact(key, chosen.memory_id, valid_from)

    @Slot(object)
    def _on_presenter_selection_changed(self, chosen: LaneSelection | None) -> None:
        if chosen is None:
            return
        kind = SelectionKind.SUBJECT if chosen.memory_id is None else SelectionKind.FACT
        self._session.select(
            Selection(
                kind=kind,
                subject=chosen.key.subject,
                attribute=chosen.key.attribute,
                owner=chosen.key.owner,
                slot=chosen.key.slot,
                memory_id=chosen.memory_id,
                row_from=None if chosen.valid_from is None else from_micros(chosen.valid_from),
            )
        )

    @Slot(str)
    def _on_presenter_fact_activated(self, _memory_id: str) -> None:
        self._session.attention_wanted.emit("panel.inspector")

    @Slot(object)
    def _on_presenter_valid_at_changed(self, valid_at: int | None) -> None:
        instant = None if valid_at is None else from_micros(valid_at)
        self._session.set_as_of(replace(self._session.as_of, valid_at=instant))

    @Slot(object)
    def _on_presenter_area_selected(self, area: Area | None) -> None:
        if area is not None and len(area.subjects) == 1:
            self._session.select(Selection(SelectionKind.SUBJECT, subject=area.subjects[0]))
