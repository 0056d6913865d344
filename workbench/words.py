"""The words for what the record knows by kinds, in the language in force.

Episodes, transactions, conflicts and bounds have kinds; every panel and dialog names them alike.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from store.model import ConflictKind, ConflictState, EpisodeKind, Resolution, WriteKind
from store.temporal import Basis, Precision
from workbench.text import QT_TRANSLATE_NOOP, visible

if TYPE_CHECKING:
    from collections.abc import Iterable

CONTEXT: Final = "Words"
"""The translators' context of all words in this module."""

_EPISODES: Final = {
    EpisodeKind.MESSAGE: QT_TRANSLATE_NOOP("Words", "message"),
    EpisodeKind.TOOL_RESULT: QT_TRANSLATE_NOOP("Words", "tool result"),
    EpisodeKind.FILE: QT_TRANSLATE_NOOP("Words", "file"),
    EpisodeKind.TICKET: QT_TRANSLATE_NOOP("Words", "ticket"),
    EpisodeKind.BUSINESS_EVENT: QT_TRANSLATE_NOOP("Words", "business event"),
    EpisodeKind.USER_CONFIRMATION: QT_TRANSLATE_NOOP("Words", "user confirmation"),
    EpisodeKind.OPERATOR_NOTE: QT_TRANSLATE_NOOP("Words", "operator note"),
    EpisodeKind.IMPORTED_ROW: QT_TRANSLATE_NOOP("Words", "imported row"),
}
_WRITES: Final = {
    WriteKind.CAPTURE: QT_TRANSLATE_NOOP("Words", "capture"),
    WriteKind.CHANGE: QT_TRANSLATE_NOOP("Words", "change"),
    WriteKind.CORRECT: QT_TRANSLATE_NOOP("Words", "correction"),
    WriteKind.END: QT_TRANSLATE_NOOP("Words", "end"),
    WriteKind.RETRACT: QT_TRANSLATE_NOOP("Words", "retraction"),
    WriteKind.CONFIRM: QT_TRANSLATE_NOOP("Words", "confirmation"),
    WriteKind.SETTLE: QT_TRANSLATE_NOOP("Words", "decision"),
    WriteKind.REVERT: QT_TRANSLATE_NOOP("Words", "revert"),
    WriteKind.REGISTER: QT_TRANSLATE_NOOP("Words", "registration"),
    WriteKind.LOAD: QT_TRANSLATE_NOOP("Words", "import"),
}
_WRITE_ICONS: Final = {
    WriteKind.CAPTURE: "file-text",
    WriteKind.CHANGE: "plus",
    WriteKind.CORRECT: "pencil",
    WriteKind.END: "circle-stop",
    WriteKind.RETRACT: "circle-slash",
    WriteKind.CONFIRM: "badge-check",
    WriteKind.SETTLE: "scale",
    WriteKind.REVERT: "undo",
    WriteKind.REGISTER: "table-2",
    WriteKind.LOAD: "database",
}
_CONFLICTS: Final = {
    ConflictKind.VALUE: QT_TRANSLATE_NOOP("Words", "two values from the same instant"),
    ConflictKind.END: QT_TRANSLATE_NOOP("Words", "one value with two ends"),
    ConflictKind.CROSSING: QT_TRANSLATE_NOOP("Words", "two periods that cross"),
}
_CONFLICT_STATES: Final = {
    ConflictState.OPEN: QT_TRANSLATE_NOOP("Words", "open"),
    ConflictState.SETTLED: QT_TRANSLATE_NOOP("Words", "settled"),
    ConflictState.STALE: QT_TRANSLATE_NOOP("Words", "stale"),
}
_RESOLUTIONS: Final = {
    Resolution.INCOMING: QT_TRANSLATE_NOOP("Words", "the incoming claim won"),
    Resolution.STANDING: QT_TRANSLATE_NOOP("Words", "the standing claim stayed"),
    Resolution.MOVE: QT_TRANSLATE_NOOP("Words", "one of them was moved to another time"),
    Resolution.BOTH: QT_TRANSLATE_NOOP("Words", "both hold"),
    Resolution.MERGE: QT_TRANSLATE_NOOP("Words", "a merged value was typed in"),
    Resolution.DEFER: QT_TRANSLATE_NOOP("Words", "deferred"),
}
_BASES: Final = {
    Basis.STATED: QT_TRANSLATE_NOOP("Words", "stated by the source"),
    Basis.EPISODE: QT_TRANSLATE_NOOP("Words", "taken from when the episode occurred"),
    Basis.ASSUMED: QT_TRANSLATE_NOOP("Words", "assumed"),
    Basis.UNKNOWN: QT_TRANSLATE_NOOP("Words", "unknown"),
}
_PRECISIONS: Final = {
    Precision.INSTANT: QT_TRANSLATE_NOOP("Words", "exact"),
    Precision.MINUTE: QT_TRANSLATE_NOOP("Words", "exact to the minute"),
    Precision.DAY: QT_TRANSLATE_NOOP("Words", "exact to the day"),
    Precision.MONTH: QT_TRANSLATE_NOOP("Words", "exact to the month"),
    Precision.YEAR: QT_TRANSLATE_NOOP("Words", "exact to the year"),
}


def _translated(source: str) -> str:
    return QCoreApplication.translate(CONTEXT, source)


def episode_kind(kind: EpisodeKind) -> str:
    """Give the word for a kind of episode: ``tool result``."""
    return _translated(_EPISODES[kind])


def write_kind(kind: WriteKind) -> str:
    """Give the word for a kind of transaction: ``correction``."""
    return _translated(_WRITES[kind])


def write_icon(kind: WriteKind) -> str:
    """Give the name of the icon of a kind of transaction."""
    return _WRITE_ICONS[kind]


def conflict_kind(kind: ConflictKind) -> str:
    """Say what two claims disagree about."""
    return _translated(_CONFLICTS[kind])


def conflict_state(state: ConflictState) -> str:
    """Give the word for where a conflict stands."""
    return _translated(_CONFLICT_STATES[state])


def resolution(chosen: Resolution) -> str:
    """Say how a conflict was settled."""
    return _translated(_RESOLUTIONS[chosen])


def basis(clock: Basis) -> str:
    """Say which clock set a bound."""
    return _translated(_BASES[clock])


def precision(exactness: Precision) -> str:
    """Say how exact a bound is."""
    return _translated(_PRECISIONS[exactness])


def capitalised(words: str) -> str:
    """Give words with their first letter large, for the head of a list or a button."""
    return words[:1].upper() + words[1:]


class Sentences:
    """Sentences that the store says in English, said again in the language in force."""

    def __init__(self, context: str, sources: Iterable[str]) -> None:
        """Know some sentences.

        Args:
            context: the translators' context of the sources.
            sources: as the store writes them, with a `{name}` for each gap.
        """
        self._context = context
        self._sources = tuple(sources)

    @cached_property
    def _patterns(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        """Each known sentence as a pattern, the plainest first."""
        ordered = sorted(self._sources, key=lambda source: source.count("{"))
        return tuple((_pattern(source), source) for source in ordered)

    def say(self, sentence: str) -> str:
        """Say a sentence; an unknown one stays as it is, with hostile characters shown."""
        for pattern, source in self._patterns:
            found = pattern.fullmatch(sentence)
            if found is not None:
                gaps = {name: visible(gap) for name, gap in found.groupdict().items()}
                return QCoreApplication.translate(self._context, source).format(**gaps)
        return visible(sentence)


def _pattern(source: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", source)
    names = (f"(?P<{part}>.+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    return re.compile("".join(names), re.DOTALL)
