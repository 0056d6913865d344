"""What the verifier found, check by check, and large and clear the first thing that is wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from store.audit.verify import State
from workbench.text import QT_TRANSLATE_NOOP, number, tooltip, visible
from workbench.theme import Role, set_look
from workbench.widgets.icon_label import IconLabel
from workbench.widgets.link_text import CopyButton
from workbench.widgets.pair_grid import PairGrid
from workbench.widgets.section_head import SectionHead
from workbench.widgets.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from store.audit.verify import Check, Place

_NAME_PX: Final = 64
_STATES: Final[dict[State, tuple[str, Role, str, str]]] = {
    State.PASSED: ("check", "ok", "ok", QT_TRANSLATE_NOOP("VerifyChecks", "passed")),
    State.FAILED: ("x", "danger", "danger", QT_TRANSLATE_NOOP("VerifyChecks", "failed")),
    State.NOT_PROVED: (
        "minus",
        "warn",
        "warn",
        QT_TRANSLATE_NOOP("VerifyChecks", "not provable"),
    ),
    State.NOT_APPLICABLE: (
        "minus",
        "dim",
        "secondary",
        QT_TRANSLATE_NOOP("VerifyChecks", "does not apply"),
    ),
}

#: The titles of checks as the verifier writes them.
TITLES: Final = frozenset(
    {
        QT_TRANSLATE_NOOP("VerifyChecks", "The manifest is well formed and gives its own digest"),
        QT_TRANSLATE_NOOP("VerifyChecks", "It is the manifest whose digest was noted elsewhere"),
        QT_TRANSLATE_NOOP("VerifyChecks", "The files of a snapshot are there, and no others"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks", "Transactions are numbered without gaps and rise in time"
        ),
        QT_TRANSLATE_NOOP(
            "VerifyChecks", "No two beliefs about a key begin at one instant at once"
        ),
        QT_TRANSLATE_NOOP("VerifyChecks", "Stated ends follow beginnings"),
        QT_TRANSLATE_NOOP("VerifyChecks", "Beliefs end after they begin"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks", "After every transaction, derived rows follow from the assertions"
        ),
        QT_TRANSLATE_NOOP("VerifyChecks", "Everything lies in the scope of the filter"),
        QT_TRANSLATE_NOOP("VerifyChecks", "The state of each conflict follows from its events"),
        QT_TRANSLATE_NOOP("VerifyChecks", "facts.jsonl says what follows from the ledger"),
        QT_TRANSLATE_NOOP("VerifyChecks", "facts.csv says the same"),
        QT_TRANSLATE_NOOP("VerifyChecks", "Every episode that is cited is there"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks",
            "Every line of the ledger's files is well formed, canonical and in order",
        ),
        QT_TRANSLATE_NOOP(
            "VerifyChecks", "Each file has the size, digest and lines that the manifest says"
        ),
        QT_TRANSLATE_NOOP(
            "VerifyChecks", "Each transaction's digest follows from all before it and its entries"
        ),
        QT_TRANSLATE_NOOP(
            "VerifyChecks", "Names, values, contents and reasons are what was committed to"
        ),
        QT_TRANSLATE_NOOP("VerifyChecks", "The manifest's head is the end of the chain"),
        QT_TRANSLATE_NOOP("VerifyChecks", "The head that was noted elsewhere is in the chain"),
        QT_TRANSLATE_NOOP("VerifyChecks", "The manifest's counts are those of the files"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks", "The manifest was signed with the key that lies beside it"
        ),
    }
)

#: What the verifier says that it does not prove, and how that is said here.
_NOTES: Final = (
    (
        re.compile(r"provenance\.json, .* are held to their digests in the manifest only.*"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks",
            "The reports, the provenance and the verifier in it are held to their digests only, "
            "not to the ledger.",
        ),
    ),
    (
        re.compile(r"No head or manifest digest from elsewhere was given.*"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks",
            "No head or digest that was kept elsewhere was given: a cut end, or a snapshot made "
            "up as a whole, cannot be noticed.",
        ),
    ),
    (
        re.compile(r"What [\d,]+ commitments stand for is withheld, and not proved\."),
        QT_TRANSLATE_NOOP("VerifyChecks", "What is kept back is there as digests, not proved."),
    ),
    (
        re.compile(r"What lies out of the filter's scope is there as digests.*"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks", "What lies out of its scope is there as digests, not proved."
        ),
    ),
)


def said(source: str) -> str:
    """Give a text of this module's context in the language in force."""
    return QCoreApplication.translate("VerifyChecks", source)


def state_word(state: State) -> str:
    """Give the word for what came of a check."""
    return said(_STATES[state][3])


def title_words(title: str) -> str:
    """Say what is checked in the language in force; what is not known here stays as it is."""
    return said(title) if title in TITLES else visible(title)


def note_words(note: str) -> str:
    """Say what is not proved in the language in force; an unknown note stays as it is."""
    known = (source for pattern, source in _NOTES if pattern.fullmatch(note))
    source = next(known, None)
    return visible(note) if source is None else said(source)


def place_words(place: Place) -> str:
    """Say where something is wrong: ``versions.jsonl, line 12, mira · home_city``."""
    parts = []
    if place.file is not None:
        parts.append(visible(place.file))
    if place.line is not None:
        line = said(QT_TRANSLATE_NOOP("VerifyChecks", "line {number}"))
        parts.append(line.format(number=number(place.line)))
    if place.transaction is not None:
        transaction = said(QT_TRANSLATE_NOOP("VerifyChecks", "transaction {number}"))
        parts.append(transaction.format(number=number(place.transaction)))
    if place.subject is not None:
        parts.append(f"{visible(place.subject)} · {visible(place.attribute or '')}")
    return ", ".join(parts)


class ChecksList(QWidget):
    """Rows that come one by one: a sign, what was checked, how much of it, and a word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._rows = QWidget()
        self._column.addWidget(self._rows)
        self.clear()

    def clear(self) -> None:
        """Begin anew."""
        old = self._rows
        self._rows = QWidget()
        self._grid = QGridLayout(self._rows)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._column.replaceWidget(old, self._rows)
        old.hide()
        old.deleteLater()

    def add(self, check: Check) -> None:
        """Show what came of a check."""
        name, role, look, _word = _STATES[check.state]
        sign, state = IconLabel(name, role), QLabel(state_word(check.state))
        set_look(state, look)
        title = WrappedLabel()
        title.set_text(title_words(check.title))
        looked_at = QLabel(number(check.looked_at) if check.looked_at else "")
        looked_at.setToolTip(said(QT_TRANSLATE_NOOP("VerifyChecks", "So many were looked at")))
        set_look(looked_at, "secondary")
        row = self._grid.rowCount()
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(sign, row, 0, top)
        self._grid.addWidget(title, row, 1)
        self._grid.addWidget(looked_at, row, 2, top | Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(state, row, 3, top)
        if check.state is State.NOT_APPLICABLE:
            state.setToolTip(tooltip(check.message))
            state.setAccessibleDescription(visible(check.message))
        elif check.message:
            why = WrappedLabel("record")
            set_look(why, "secondary")
            why.set_text(visible(check.message))
            self._grid.addWidget(why, row + 1, 1, 1, 3)


class FirstWrong(QFrame):
    """The first thing that is wrong: the sentence, where, and by which check, to be copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "wrong")
        head = SectionHead(self.tr("The first thing that is wrong"))
        self._says = WrappedLabel("value")
        self._more = QLabel()
        set_look(self._more, "secondary")
        self._grid = PairGrid(name_width=_NAME_PX)
        self.copy = CopyButton(self.tr("Copy what is wrong"))
        words = QVBoxLayout()
        words.setSpacing(6)
        for widget in (head, self._says, self._grid, self._more):
            words.addWidget(widget)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 16, 12, 16)
        row.setSpacing(14)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(IconLabel("circle-alert", "danger", size=28), 0, top)
        row.addLayout(words, 1)
        row.addWidget(self.copy, 0, top)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_check(self, check: Check) -> None:
        """Show what failed first."""
        place = place_words(check.place)
        title, sentence = title_words(check.title), visible(check.message)
        self._says.set_text(sentence)
        self._grid.clear()
        if place:
            self._grid.add_text(self.tr("Where"), place)
        self._grid.add_text(self.tr("Check"), title)
        others = check.failures - 1
        self._more.setVisible(others > 0)
        self._more.setText(self.tr("and %n more of this kind", "", others) if others > 0 else "")
        self.copy.set_content("\n".join(part for part in (sentence, place, title) if part))
        self.setAccessibleName(f"{sentence} {place}")
