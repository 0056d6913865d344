from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QObject

from store.errors import Cancelled, Refused, StoreError
from workbench.ops import Operations, ReadOp, Ticket, Work, WriteOp

WAIT_S = 10
MAIN = threading.main_thread()


@pytest.fixture
def ops(qapp) -> Iterator[Operations]:
    it = Operations()
    yield it
    it.shutdown()
    assert [t.name for t in threading.enumerate() if t.name.startswith(("reader", "writer"))] == []


class Gate:
    """Work that waits to be let through, and can be interrupted as a statement can."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.let = threading.Event()
        self.was_interrupted = False

    def read(self, work: Work) -> str:
        self.entered.set()
        with work.cancel.interrupts(self._interrupt):
            assert self.let.wait(WAIT_S)
            work.cancel.check()
        return "through"

    def wait(self, _work: Work) -> str:
        self.entered.set()
        assert self.let.wait(WAIT_S)
        return "through"

    def _interrupt(self) -> None:
        self.was_interrupted = True
        self.let.set()


def test_an_answer_comes_on_the_gui_thread(ops: Operations, qtbot) -> None:
    told: list[tuple[object, threading.Thread]] = []
    where: list[str] = []

    def run(_work: Work) -> int:
        where.append(threading.current_thread().name)
        return 42

    ticket = ops.read(
        ReadOp(("facts",), run), on_done=lambda it: told.append((it, threading.current_thread()))
    )
    qtbot.waitUntil(lambda: bool(told))
    assert told == [(42, MAIN)]
    assert where[0].startswith("reader")
    assert ticket.is_settled
    assert ops.tickets == ()


def test_answers_of_different_keys_all_come(ops: Operations, qtbot) -> None:
    told: set[int] = set()
    for number in range(200):
        ops.read(ReadOp(("facts", str(number)), lambda _work, it=number: it), on_done=told.add)
    qtbot.waitUntil(lambda: told == set(range(200)))


def test_a_newer_request_under_a_key_replaces_the_older(ops: Operations, qtbot) -> None:
    told: list[str] = []
    gate = Gate()
    older = ops.read(ReadOp(("facts",), gate.read), on_done=told.append)
    assert gate.entered.wait(WAIT_S)
    ops.read(ReadOp(("facts",), lambda _work: "new"), on_done=told.append)
    qtbot.waitUntil(lambda: told == ["new"])
    assert gate.was_interrupted
    assert older.is_settled


def test_an_area_stays_busy_while_requests_replace_each_other(ops: Operations, qtbot) -> None:
    changes: list[tuple[str, bool]] = []
    ops.busy_changed.connect(lambda area, is_busy: changes.append((area, is_busy)))
    told: list[int] = []
    for number in range(5):
        ops.read(ReadOp(("facts",), lambda _work, it=number: it), on_done=told.append)
    assert ops.is_busy("facts")
    qtbot.waitUntil(lambda: told == [4])
    assert changes == [("facts", True), ("facts", False)]


def test_a_person_can_cancel_a_read(ops: Operations, qtbot) -> None:
    gate = Gate()
    failed: list[Exception] = []
    ticket = ops.read(ReadOp(("facts",), gate.read), on_done=pytest.fail, on_failed=failed.append)
    assert gate.entered.wait(WAIT_S)
    assert ops.cancel(ticket)
    qtbot.waitUntil(lambda: bool(failed))
    assert isinstance(failed[0], Cancelled)
    assert not ops.cancel(ticket)


def test_a_read_that_answers_though_it_was_cancelled_is_not_believed(
    ops: Operations, qtbot
) -> None:
    gate = Gate()
    failed: list[Exception] = []
    ticket = ops.read(ReadOp(("facts",), gate.wait), on_done=pytest.fail, on_failed=failed.append)
    assert gate.entered.wait(WAIT_S)
    ops.cancel(ticket)
    gate.let.set()
    qtbot.waitUntil(lambda: bool(failed))
    assert isinstance(failed[0], Cancelled)


def test_forgotten_reads_tell_nobody(ops: Operations, qtbot) -> None:
    gates = [Gate(), Gate()]
    for number, gate in enumerate(gates):
        ops.read(ReadOp(("facts", str(number)), gate.read), on_done=pytest.fail)
    queued = ops.read(ReadOp(("facts", "2"), lambda _work: None), on_done=pytest.fail)
    other: list[str] = []
    ops.read(ReadOp(("journal",), lambda _work: "kept"), on_done=other.append)
    for gate in gates:
        assert gate.entered.wait(WAIT_S)
    ops.forget_area("facts")
    assert queued.is_settled
    assert not ops.is_busy("facts")
    qtbot.waitUntil(lambda: other == ["kept"])


def test_panels_stay_live_while_long_work_goes_on(ops: Operations, qtbot) -> None:
    gates = {name: Gate() for name in ("snapshot", "verify", "check")}
    for name, gate in gates.items():
        ops.read(ReadOp((name,), gate.read, is_long=True), on_done=lambda _it: None)
    for gate in gates.values():
        assert gate.entered.wait(WAIT_S), "no long work waits for another"
    told: list[int] = []
    ops.read(ReadOp(("facts",), lambda _work: 7), on_done=told.append)
    qtbot.waitUntil(lambda: told == [7])
    assert not any(gate.let.is_set() for gate in gates.values())
    for gate in gates.values():
        gate.let.set()
    qtbot.waitUntil(lambda: ops.tickets == ())


def test_writes_happen_one_after_the_other_in_order(ops: Operations, qtbot) -> None:
    order: list[int] = []
    told: list[int] = []

    def write(number: int) -> WriteOp[int]:
        def run(_work: Work) -> int:
            order.append(number)
            return number

        return WriteOp(f"write {number}", run)

    for number in range(50):
        ops.write(write(number), on_done=told.append)
    assert ops.is_writing
    qtbot.waitUntil(lambda: len(told) == 50)
    assert order == told == list(range(50))
    assert not ops.is_writing


def test_a_write_is_refused_before_it_begins_but_not_after(ops: Operations, qtbot) -> None:
    gate = Gate()
    done: list[str] = []
    refused: list[Exception] = []
    running = ops.write(WriteOp("first", gate.wait), on_done=done.append)
    waiting = ops.write(
        WriteOp("second", lambda _work: "never"), on_done=done.append, on_failed=refused.append
    )
    assert gate.entered.wait(WAIT_S)
    assert not running.can_cancel
    assert not ops.cancel(running)
    assert ops.cancel(waiting)
    assert isinstance(refused[0], Cancelled)
    gate.let.set()
    qtbot.waitUntil(lambda: done == ["through"])


def test_a_write_in_batches_stops_between_two_and_tells_what_it_did(ops: Operations, qtbot) -> None:
    entered, go_on = threading.Event(), threading.Event()
    done: list[int] = []

    def load(work: Work) -> int:
        for batch in range(100):
            if work.cancel.is_cancelled:
                return batch
            entered.set()
            go_on.wait(WAIT_S)
        return 100

    ticket = ops.write(WriteOp("import", load, can_cancel=True), on_done=done.append)
    assert entered.wait(WAIT_S)
    assert ops.cancel(ticket)
    go_on.set()
    qtbot.waitUntil(lambda: done == [1])


def test_progress_arrives_thinned_out_with_its_end(ops: Operations, qtbot) -> None:
    seen: list[tuple[int, int | None, threading.Thread]] = []
    ops.progressed.connect(lambda it: seen.append((it.done, it.total, threading.current_thread())))
    done: list[None] = []

    def load(work: Work) -> None:
        for number in range(1, 10_001):
            work.progress(number, 10_000)

    ops.write(WriteOp("import", load), on_done=done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert seen[-1] == (10_000, 10_000, MAIN)
    assert len(seen) < 200


def test_an_expected_error_goes_to_who_asked_or_to_the_signal(ops: Operations, qtbot) -> None:
    def refuse(_work: Work) -> None:
        raise Refused("Something stands at that instant.")

    told: list[Exception] = []
    ops.write(WriteOp("x", refuse), on_failed=told.append)
    qtbot.waitUntil(lambda: bool(told))
    assert isinstance(told[0], StoreError)
    with qtbot.waitSignal(ops.failed) as caught:
        ops.write(WriteOp("x", refuse))
    ticket, error = caught.args
    assert isinstance(ticket, Ticket)
    assert str(error) == "Something stands at that instant."


def test_a_bug_is_reported_once_and_told_to_who_asked(ops: Operations, qtbot) -> None:
    told: list[Exception] = []
    with qtbot.captureExceptions() as bugs:
        ops.read(
            ReadOp(("facts",), lambda _work: 1 / 0), on_done=pytest.fail, on_failed=told.append
        )
        qtbot.waitUntil(lambda: bool(told))
    assert [kind for kind, _error, _trace in bugs] == [ZeroDivisionError]
    assert isinstance(told[0], ZeroDivisionError)
    assert not ops.is_busy("facts")


def test_a_callback_that_fails_leaves_the_books_in_order(ops: Operations, qtbot) -> None:
    def fail(_answer: object) -> None:
        raise LookupError

    with qtbot.captureExceptions() as bugs:
        ticket = ops.read(ReadOp(("facts",), lambda _work: 1), on_done=fail)
        qtbot.waitUntil(lambda: bool(bugs))
    assert ticket.is_settled
    assert not ops.is_busy("facts")


def test_nobody_is_told_after_the_owner_is_gone(ops: Operations, qtbot) -> None:
    gate = Gate()
    owner = QObject()
    ticket = ops.read(ReadOp(("facts",), gate.wait), on_done=pytest.fail, owner=owner)
    assert gate.entered.wait(WAIT_S)
    shiboken6.delete(owner)
    gate.let.set()
    qtbot.waitUntil(lambda: ticket.is_settled)


def test_shutting_down_finishes_the_write_and_drops_the_rest(qapp, qtbot) -> None:
    ops = Operations()
    reading, writing = Gate(), Gate()
    finished: list[str] = []

    def write(work: Work) -> None:
        finished.append(writing.wait(work))

    ops.read(ReadOp(("facts",), reading.read), on_done=pytest.fail)
    ops.write(WriteOp("first", write), on_done=pytest.fail)
    ops.write(WriteOp("second", lambda _work: finished.append("never")), on_done=pytest.fail)
    assert reading.entered.wait(WAIT_S)
    assert writing.entered.wait(WAIT_S)
    threading.Timer(0.05, writing.let.set).start()
    ops.shutdown()
    ops.shutdown()
    assert finished == ["through"]
    assert reading.was_interrupted
    qapp.processEvents()
    with pytest.raises(RuntimeError, match="shut down"):
        ops.read(ReadOp(("facts",), lambda _work: 1), on_done=pytest.fail)
