"""Work that takes long: a progress bar for a person, and Ctrl+C or SIGTERM that stop it cleanly."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from store.contract import Cancel
from workbench.commands.output import is_terminal, note
from workbench.commands.stopping import Terminated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from store.contract import Progress

T = TypeVar("T")

_LOOK_S: Final = 0.2


def work(words: str, job: Callable[[Progress, Cancel], T]) -> T:
    """Do a job on a thread of its own, with a progress bar where a person looks.

    The first Ctrl+C asks the job to stop, which it does after the batch at hand; a second one
    leaves at once, which costs a transaction that was not committed, and nothing else. The
    system's request to end asks the job to stop as well.

    Args:
        words: what is being done, for the bar.
        job: is given where to tell progress, and what to watch for a wish to stop.

    Raises:
        Cancelled: the job stopped on request and returned nothing.
        KeyboardInterrupt: at the second Ctrl+C.
    """
    cancel = Cancel()
    future: Future[T] = Future()
    with _bar(words) as progress:
        # Not the main thread: a signal is only noticed there, and not within a statement.
        thread = threading.Thread(
            target=_fulfil, args=(future, lambda: job(progress, cancel)), name="work", daemon=True
        )
        thread.start()
        while True:
            try:
                while not future.done():
                    wait([future], timeout=_LOOK_S)
                break
            except Terminated:
                cancel.cancel()
            except KeyboardInterrupt:
                if cancel.is_cancelled:
                    raise
                cancel.cancel()
                note("Stopping after the batch at hand; Ctrl+C again leaves at once.")
    return future.result()


def _fulfil(future: Future[T], job: Callable[[], T]) -> None:
    try:
        future.set_result(job())
    except BaseException as error:  # it is raised again where the result is asked for
        future.set_exception(error)


@contextmanager
def _bar(words: str) -> Iterator[Progress]:
    if not is_terminal(sys.stderr):
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
