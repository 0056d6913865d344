"""What a snapshot holds, said in words: its scope, its point in time, what it keeps back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication

from store.audit.format import Form, Withhold
from workbench.text import DASH, QT_TRANSLATE_NOOP, instant, number, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

CONTEXT: Final = "Snapshot"
"""The translators' context of all words in this module."""
_NAME_CHARS: Final = 40
_UNFIT: Final = re.compile(r"[^\w.-]+|^[.-]+|[.-]+$")

#: For each way of keeping back: its name, and what it means for who gets the snapshot.
_WITHHOLD: Final = {
    Withhold.NOTHING: (
        QT_TRANSLATE_NOOP("Snapshot", "Nothing"),
        QT_TRANSLATE_NOOP("Snapshot", "Everything can be read, and opened as a store again."),
    ),
    Withhold.CONTENT: (
        QT_TRANSLATE_NOOP("Snapshot", "Contents of sources"),
        QT_TRANSLATE_NOOP("Snapshot", "Facts can be read; sources are there as digests only."),
    ),
    Withhold.VALUES: (
        QT_TRANSLATE_NOOP("Snapshot", "Values and contents"),
        QT_TRANSLATE_NOOP("Snapshot", "Names and times can be read; the rest is digests."),
    ),
}
LANGUAGES: Final = (("en", "English"), ("es", "Español"))
"""Of the reports, by their own names."""


def said(source: str) -> str:
    """Give a text of this module's context in the language in force."""
    return QCoreApplication.translate(CONTEXT, source)


def withhold_name(withhold: Withhold) -> str:
    """Name what is kept back."""
    return said(_WITHHOLD[withhold][0])


def withhold_help(withhold: Withhold) -> str:
    """Say in one line what keeping it back means."""
    return said(_WITHHOLD[withhold][1])


def point_words(transaction: int, recorded_at: datetime | None) -> str:
    """Say as of which transaction: ``Transaction 10,482, 3 Jun 2026 10:00:04``."""
    if transaction == 0:
        return said(QT_TRANSLATE_NOOP("Snapshot", "Before the first transaction"))
    words = said(QT_TRANSLATE_NOOP("Snapshot", "Transaction {number}, {date}"))
    return words.format(number=number(transaction), date=instant(recorded_at, has_seconds=True))


def scope_words(arguments: Mapping[str, Any]) -> str:
    """Say what is in a snapshot and what is kept back: ``mira · home_city; values kept back``."""
    chosen = [
        one_line(str(arguments[name]), 40)
        for name in ("subject", "attribute", "memory_type")
        if arguments.get(name)
    ]
    everything = said(QT_TRANSLATE_NOOP("Snapshot", "Whole record"))
    parts = [" · ".join(chosen) if chosen else everything]
    if arguments.get("window"):
        parts.append(said(QT_TRANSLATE_NOOP("Snapshot", "in a window")))
    withhold = Withhold(arguments.get("withhold") or Withhold.NOTHING)
    if withhold is Withhold.CONTENT:
        parts.append(said(QT_TRANSLATE_NOOP("Snapshot", "without contents")))
    elif withhold is Withhold.VALUES:
        parts.append(said(QT_TRANSLATE_NOOP("Snapshot", "without values")))
    if arguments.get("with_store"):
        parts.append(said(QT_TRANSLATE_NOOP("Snapshot", "with the store")))
    return ", ".join(parts)


def suggested_name(tenant: str, transaction: int, recorded_at: datetime | None, form: Form) -> str:
    """Suggest a name for a file or folder: ``acme-2026-06-03-tx10482.zip``.

    It has letters, digits, points and hyphens only, so that every system takes it.
    """
    name = _UNFIT.sub("-", tenant[:_NAME_CHARS]).strip("-.") or "snapshot"
    day = "" if recorded_at is None else f"-{recorded_at.date().isoformat()}"
    return f"{name}{day}-tx{transaction}" + (".zip" if form is Form.ZIP else "")


def short_digest(digest: str) -> str:
    """Give the start of a digest, enough to tell it from others on the screen."""
    return f"{digest[:12]}…" if digest else DASH
