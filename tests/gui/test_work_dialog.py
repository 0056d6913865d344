"""What dialogs with work in them have in common: how it is stopped, left, and what is said."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import ClassVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout

from store import Invalid, Scope, open_store
from tests.sessions import session_on, settled
from workbench import theme
from workbench.messages import Message, Severity
from workbench.ops import ReadOp, Work
from workbench.session import Session
from workbench.widgets.work_dialog import WorkDialog


class Waiting(WorkDialog):
    """Waits for a gate, and says what became of it."""

    stopped_message: ClassVar = Message("waiting.stopped", Severity.INFO, "Stopped.")
    failed_message: ClassVar = Message("waiting.failed", Severity.ERROR, "{reason}")

    def __init__(self, session: Session) -> None:
        super().__init__(session, "waiting")
        self.came: list[object] = []
        self.begin_button = self._button("Begin", lambda: None, icon_name="play")
        column = QVBoxLayout(self)
        column.addWidget(self.work)
        column.addWidget(self.begin_button)

    def begin(self, run: Callable[[Work], object], key: str = "wait") -> None:
        ticket = self._session.operations.read(
            ReadOp(("waiting", key), run, is_long=True),
            on_done=self._on_done,
            on_failed=self._on_work_failed,
            owner=self,
        )
        self._follow(ticket, "Waiting")

    def _on_done(self, answer: object) -> None:
        self.came.append(answer)
        self._say()

    def _say(self) -> None:
        self.begin_button.setEnabled(not self.work.is_working)

    @property
    def said(self) -> list[str]:
        return [it.text for it in self._board.shown]


class Looking(Waiting):
    """One that only looks."""

    stays_until_stopped: ClassVar = False


@pytest.fixture
def session(qapp: QApplication) -> Iterator[Session]:
    theme.choose_theme(qapp, "light")
    with session_on(open_store("memory:")) as opened:
        yield opened


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Holds work back until it is set."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture(params=[Waiting, Looking])
def dialog(request: pytest.FixtureRequest, qtbot, session: Session) -> Waiting:
    made: Waiting = request.param(session)
    qtbot.addWidget(made)
    made.show()
    return made


def held(gate: threading.Event) -> Callable[[Work], str]:
    def run(work: Work) -> str:
        while not gate.wait(0.01):
            work.cancel.check()
        return "here"

    return run


def test_what_is_done_stands_there_and_its_answer_comes(
    qtbot, session: Session, dialog: Waiting, gate: threading.Event
) -> None:
    dialog.begin(held(gate))
    assert not dialog.work.isHidden()
    assert not dialog.begin_button.isEnabled()
    gate.set()
    qtbot.waitUntil(lambda: dialog.came == ["here"])
    assert dialog.work.isHidden()
    assert dialog.begin_button.isEnabled()
    assert dialog.said == []


def test_esc_stops_first_and_leaves_then(
    qtbot, session: Session, dialog: Waiting, gate: threading.Event
) -> None:
    dialog.begin_button.setFocus()
    dialog.begin(held(gate))
    assert dialog.focusWidget() is not dialog.begin_button
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: dialog.said == ["Stopped."])
    assert dialog.focusWidget() is dialog.begin_button
    assert dialog.came == []
    assert dialog.begin_button.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_closing_stops_and_waits_unless_it_only_looked(
    qtbot, session: Session, dialog: Waiting, gate: threading.Event
) -> None:
    dialog.begin(held(gate))
    dialog.close()
    assert dialog.isVisible() is dialog.stays_until_stopped
    qtbot.waitUntil(lambda: settled(session))
    assert not gate.is_set(), "it was asked to stop"
    dialog.close()
    assert not dialog.isVisible()


def test_what_goes_wrong_is_said_until_something_else_is_begun(
    qtbot, session: Session, dialog: Waiting, gate: threading.Event
) -> None:
    def fail(_work: Work) -> object:
        raise Invalid("It is no table.")

    dialog.begin(fail)
    qtbot.waitUntil(lambda: dialog.said == ["It is no table."])
    assert dialog.begin_button.isEnabled()
    dialog.begin(held(gate))
    assert dialog.said == []


def test_work_that_is_dropped_with_the_tenant_leaves_nothing_grey(
    qtbot, session: Session, dialog: Waiting, gate: threading.Event
) -> None:
    dialog.begin(held(gate))
    session.set_scope(Scope("globex"))
    assert dialog.said == ["Stopped."]
    assert dialog.begin_button.isEnabled()
    assert dialog.work.isHidden()
    qtbot.waitUntil(lambda: settled(session))
    assert dialog.came == []


def test_it_leaves_with_the_store_whatever_is_done(
    qtbot, session: Session, dialog: Waiting, gate: threading.Event
) -> None:
    session.closed.connect(dialog.leave)
    dialog.begin(held(gate))
    session.close()
    assert not dialog.isVisible()


def test_enter_in_a_field_presses_none_of_its_buttons(dialog: Waiting) -> None:
    assert not dialog.begin_button.autoDefault()
    assert not dialog.begin_button.icon().isNull()
