"""Being asked to stop: Ctrl+C, and the system's request to end (SIGTERM), which acts like it."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERRUPTED: Final = 130
"""Exit status of a command that Ctrl+C stopped: 128 + SIGINT, as shells have it."""
TERMINATED: Final = 143
"""Exit status of a command that the system asked to end: 128 + SIGTERM."""


class Terminated(KeyboardInterrupt):
    """The system asked the program to end."""


class Termination:
    """Takes the system's request to end, once: it may come twice, to the process and its group.

    Attributes:
        came: whether it came.
    """

    def __init__(self) -> None:
        self.came = False

    def __call__(self, _number: int, _frame: object) -> None:
        """Stop what the main thread does, as Ctrl+C would."""
        if not self.came:
            self.came = True
            raise Terminated

    def status(self, status: int) -> int:
        """Return the exit status of a command, of one that was stopped by whom it was."""
        return TERMINATED if self.came and status == INTERRUPTED else status


@contextmanager
def taking_termination() -> Iterator[Termination]:
    """Take the system's request to end while the block runs, unless somebody else takes it."""
    termination = Termination()
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield termination
        return
    signal.signal(signal.SIGTERM, termination)
    try:
        yield termination
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
