"""What differs between two texts, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import Slot
from PySide6.QtGui import QTextCharFormat

from workbench.theme import current
from workbench.widgets.flow_text import FlowText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.theme import FontRole, Role

_WORDS: Final = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_WORDS: Final = 3_000
"""More words are compared at their common beginning and end only."""


class Run(NamedTuple):
    """A piece of one of the two texts, and whether the other has it too."""

    text: str
    is_changed: bool


def diff_words(before: str, after: str) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Compare two texts; the runs of each, joined, are the text.

    A blank between two changed words belongs to the change. Texts that share no word are changed
    as a whole.
    """
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    changed_old, changed_new = [True] * len(old), [True] * len(new)
    for old_at, new_at, length in _matches(old, new):
        changed_old[old_at : old_at + length] = [False] * length
        changed_new[new_at : new_at + length] = [False] * length
    _close_gaps(old, changed_old)
    _close_gaps(new, changed_new)
    return _runs(old, changed_old), _runs(new, changed_new)


def share_words(runs: Sequence[Run]) -> bool:
    """Say whether a compared text has a word that the other has too."""
    return any(not run.is_changed and any(c.isalnum() for c in run.text) for run in runs)


def _matches(old: list[str], new: list[str]) -> list[tuple[int, int, int]]:
    if max(len(old), len(new)) <= _MOST_WORDS:
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        return [(block.a, block.b, block.size) for block in matcher.get_matching_blocks()]
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    return [(0, 0, head), (len(old) - tail, len(new) - tail, tail)]


def _close_gaps(words: list[str], changed: list[bool]) -> None:
    for at in range(1, len(words) - 1):
        if words[at].isspace() and changed[at - 1] and changed[at + 1]:
            changed[at] = True


def _runs(words: list[str], changed: list[bool]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for word, is_changed in zip(words, changed, strict=True):
        if runs and runs[-1].is_changed == is_changed:
            runs[-1] = Run(runs[-1].text + word, is_changed)
        else:
            runs.append(Run(word, is_changed))
    return tuple(runs)


class DiffText(FlowText):
    """A value that wraps, with the words in which it differs from another on a ground of theirs.

    Where the two have no word in common nothing is marked: all of it differs, as one sees.
    """

    def __init__(
        self, role: FontRole = "content", parent: QWidget | None = None, *, color: Role = "text"
    ) -> None:
        self._runs: tuple[Run, ...] = ()
        self._marks_all = False
        super().__init__(role, parent, color=color)

    def set_runs(
        self,
        runs: Sequence[Run],
        *,
        role: FontRole,
        color: Role = "text",
        marks_all: bool = False,
    ) -> None:
        """Show compared text; give it as it is to be seen, by `workbench.text.visible`.

        Args:
            runs: the pieces, see `diff_words`.
            role: size and weight.
            color: of the letters.
            marks_all: mark what differs even where the two have no word in common.
        """
        self._runs = tuple(runs)
        self._marks_all = marks_all
        self._color = color
        if self.property("role") != role:
            self.setProperty("role", role)
            self.style().unpolish(self)
            self.style().polish(self)
        self.set_text("".join(run.text for run in runs))
        self._dress()

    @property
    def marked(self) -> list[str]:
        """The words that are marked."""
        return [run.text for run in self._runs if run.is_changed] if self._is_marked else []

    @property
    def _is_marked(self) -> bool:
        return self._marks_all or share_words(self._runs)

    @Slot()
    def _dress(self) -> None:
        super()._dress()
        cursor = self.textCursor()
        cursor.select(cursor.SelectionType.Document)
        plain = QTextCharFormat()
        plain.setForeground(current().color(self._color))
        cursor.setCharFormat(plain)
        if self._is_marked:
            self._mark()

    def _mark(self) -> None:
        style = QTextCharFormat()
        style.setBackground(current().color("warn_bg"))
        style.setFontUnderline(True)
        style.setUnderlineColor(current().color("warn"))
        cursor = self.textCursor()
        place = 0
        for run in self._runs:
            length = len(run.text.encode("utf-16-le")) // 2  # positions count UTF-16 units
            if run.is_changed and not run.text.isspace():
                cursor.setPosition(place)
                cursor.setPosition(place + length, cursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(style)
            place += length
