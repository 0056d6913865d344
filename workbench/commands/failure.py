"""Errors as one sentence and an exit status; a bug is written to a log file."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from store.errors import Cancelled, StoreError
from workbench import __version__
from workbench.commands.stopping import INTERRUPTED
from workbench.folders import Folders

if TYPE_CHECKING:
    from pathlib import Path

LOG_NAME: Final = "command-line.log"
LOG_BYTES: Final = 1_000_000
FAILED: Final = 1


def explain(error: Exception) -> tuple[int, str]:
    """Return the exit status and the sentence for an error that ended a command."""
    if isinstance(error, Cancelled):
        return INTERRUPTED, str(error)
    if isinstance(error, StoreError):
        return FAILED, str(error)
    if isinstance(error, OSError):
        return FAILED, _system_sentence(error)
    return FAILED, _bug_sentence(error)


def _system_sentence(error: OSError) -> str:
    said = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {said}." if error.filename else f"{said}."


def _bug_sentence(error: Exception) -> str:
    said = f"This is a bug in the program ({type(error).__name__})"
    try:
        path = _log(error)
    except OSError:
        return f"{said}; run the command again with --debug before it to see where."
    return f"{said}; where it happened is kept in {path}, and shown with --debug."


def _log(error: Exception) -> Path:
    folder = Folders.of_user().log
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LOG_NAME
    is_long = path.exists() and path.stat().st_size > LOG_BYTES
    with path.open("w" if is_long else "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} memory-workbench {__version__}\n")
        file.write("".join(traceback.format_exception(error)) + "\n")
    return path
