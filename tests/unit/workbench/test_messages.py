from __future__ import annotations

from workbench.messages import Message, MessageAction, MessageBoard, Severity

NOTE = Message("facts.note", Severity.INFO, "{count} newer transactions.")
CAUTION = Message("facts.caution", Severity.WARNING, "The store is read-only.", can_close=False)
PROBLEM = Message(
    "facts.unreadable",
    Severity.ERROR,
    "The facts could not be read. {reason}",
    action=MessageAction("retry", "Try again"),
)


def test_the_worst_is_said_first(qtbot) -> None:
    board = MessageBoard()
    for message in (NOTE, PROBLEM, CAUTION):
        board.show(message, count=1, reason="The disk is full.")
    assert [it.message for it in board.shown] == [PROBLEM, CAUTION, NOTE]
    assert board.shown[0].text == "The facts could not be read. The disk is full."
    assert board.shown[0].action_text == "Try again"


def test_a_message_is_said_once_and_tells_only_news(qtbot) -> None:
    board = MessageBoard()
    board.show(NOTE, count=1)
    with qtbot.assertNotEmitted(board.changed):
        board.show(NOTE, count=1)
    with qtbot.waitSignal(board.changed):
        board.show(NOTE, count=2)
    assert [it.text for it in board.shown] == ["2 newer transactions."]


def test_what_is_withdrawn_or_closed_is_gone(qtbot) -> None:
    board = MessageBoard()
    board.show(NOTE, count=1)
    board.show(PROBLEM, reason="")
    board.withdraw(PROBLEM, CAUTION)
    assert [it.message for it in board.shown] == [NOTE]
    board.close(NOTE.id)
    assert board.shown == ()
    with qtbot.assertNotEmitted(board.changed):
        board.withdraw(NOTE)
        board.clear()


def test_hostile_values_are_shown_as_they_are(qtbot) -> None:
    board = MessageBoard()
    board.show(PROBLEM, reason="<b>{count}</b>\u202e")
    assert board.shown[0].text == "The facts could not be read. <b>{count}</b>⟨U+202E⟩"


def test_an_action_is_told_with_its_message(qtbot) -> None:
    board = MessageBoard()
    board.show(PROBLEM, reason="")
    with qtbot.waitSignal(board.action_chosen) as told:
        board.choose_action(PROBLEM.id)
    assert told.args == ["facts.unreadable", "retry"]
    with qtbot.assertNotEmitted(board.action_chosen):
        board.choose_action(NOTE.id)
