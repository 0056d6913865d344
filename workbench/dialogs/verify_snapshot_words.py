"""What the verifier says, in the language in force.

The verifier needs nothing but Python, so it speaks English only. What is not known here stays as it
is, with hostile characters shown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from store.audit.verify import State
from workbench.text import QT_TRANSLATE_NOOP, number, visible
from workbench.words import Sentences

if TYPE_CHECKING:
    from store.audit.verify import Place

_STATES: Final = {
    State.PASSED: QT_TRANSLATE_NOOP("VerifyChecks", "passed"),
    State.FAILED: QT_TRANSLATE_NOOP("VerifyChecks", "failed"),
    State.NOT_PROVED: QT_TRANSLATE_NOOP("VerifyChecks", "not provable"),
    State.NOT_APPLICABLE: QT_TRANSLATE_NOOP("VerifyChecks", "does not apply"),
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
        QT_TRANSLATE_NOOP("VerifyChecks", "The rows of a fact say one value at once"),
        QT_TRANSLATE_NOOP("VerifyChecks", "Rows name no facts but those of their key"),
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
            "VerifyChecks", "The manifest was signed with the key that manifest.sig names"
        ),
    }
)

#: What the verifier finds wrong, with gaps for what it names.
_MESSAGES: Final = (
    QT_TRANSLATE_NOOP("VerifyChecks", "A secret of the record is missing, or should be."),
    QT_TRANSLATE_NOOP("VerifyChecks", "An episode is there twice."),
    QT_TRANSLATE_NOOP("VerifyChecks", "Another belief begins then too."),
    QT_TRANSLATE_NOOP("VerifyChecks", "Another row follows from the ledger here."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It has {size} bytes, not {said}."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It has {count} lines, and the manifest says otherwise."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It is another one: its digest is {digest}."),
    QT_TRANSLATE_NOOP("VerifyChecks", "Episode {episode} is missing."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The chain ends with {head}."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The line is unusable: {why}."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The manifest should list {name}, or should not."),
    QT_TRANSLATE_NOOP(
        "VerifyChecks",
        "The snapshot ends with transaction {newest}, before the noted {number}: its tail "
        "was cut off, or it was taken as of an earlier time.",
    ),
    QT_TRANSLATE_NOOP(
        "VerifyChecks", "Transaction {number} has another digest: the record was made anew."
    ),
    QT_TRANSLATE_NOOP("VerifyChecks", "Transaction {number} is missing."),
    QT_TRANSLATE_NOOP("VerifyChecks", "{name} is missing."),
    QT_TRANSLATE_NOOP("VerifyChecks", "{name} does not belong there: it was added."),
    QT_TRANSLATE_NOOP("VerifyChecks", "{name} is not what the files give."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It goes on where nothing more follows."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It is not written as snapshots write it."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It says that it has more entries than all files can hold."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It was changed: its digest is not that of what it says."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It was changed: its digest is not the manifest's."),
    QT_TRANSLATE_NOOP("VerifyChecks", "Its columns are not those of a snapshot."),
    QT_TRANSLATE_NOOP("VerifyChecks", "Its events are out of order."),
    QT_TRANSLATE_NOOP("VerifyChecks", "Its time is not after its predecessor's."),
    QT_TRANSLATE_NOOP("VerifyChecks", "Its total is not its predecessor's and its own entries."),
    QT_TRANSLATE_NOOP("VerifyChecks", "Nothing that is there cites an episode."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The belief ends before it begins."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The fact says another value too."),
    QT_TRANSLATE_NOOP("VerifyChecks", "Values are withheld."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The entry's transaction is not there."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The line is out of order, or there twice."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The manifest names another transaction besides."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The manifest's times are not those of its transaction."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The stated end is not after the beginning."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It says {member} {said}; {due} follows from the ledger."),
    QT_TRANSLATE_NOOP("VerifyChecks", "A fact is missing here, or one was added before it."),
    QT_TRANSLATE_NOOP("VerifyChecks", "A row names the fact {fact}, which the key never had."),
    QT_TRANSLATE_NOOP("VerifyChecks", "A span leads beyond the end of its episode."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It ends here, and more facts follow."),
    QT_TRANSLATE_NOOP("VerifyChecks", "No digest of a manifest was given."),
    QT_TRANSLATE_NOOP("VerifyChecks", "No head was given."),
    QT_TRANSLATE_NOOP("VerifyChecks", "It is not signed."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The whole record is there."),
    QT_TRANSLATE_NOOP("VerifyChecks", "The chain that they enter does not hold."),
    QT_TRANSLATE_NOOP(
        "VerifyChecks", "{count} stand for what is withheld, and are taken as given."
    ),
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
        re.compile(r"A head says nothing of those: .*"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks",
            "A head says nothing of those: who writes them anew writes the manifest anew. The "
            "snapshot's digest, kept elsewhere, holds them, or a signature by a known key.",
        ),
    ),
    (
        re.compile(r"A signature proves something only if its key is known from elsewhere\."),
        QT_TRANSLATE_NOOP(
            "VerifyChecks", "A signature proves something only if its key is known from elsewhere."
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
        re.compile(r"Agents and sessions of episodes stand within those commitments: .*"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks",
            "Agents and sessions of episodes are under the same digests: they are shown as whoever "
            "sent the snapshot has them, and not proved.",
        ),
    ),
    (
        re.compile(r"So do subjects, attributes, owners, slots and agents of facts: .*"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks",
            "So are subjects, attributes, owners and agents of facts: shown, and not proved. Who "
            "knows the record can compare them with it.",
        ),
    ),
    (
        re.compile(r"That nothing of the filter's scope is among what was left out is not .*"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks",
            "That nothing of its scope is among what was left out is not proved: of that there "
            "are digests only.",
        ),
    ),
    (
        re.compile(r"The verify\.py in it is not the one that ran: .*"),
        QT_TRANSLATE_NOOP(
            "VerifyChecks",
            "The verify.py in it is not the one that ran: it is of another version, or was "
            "exchanged. Do not rely on it.",
        ),
    ),
)


_SENTENCES: Final = Sentences("VerifyChecks", _MESSAGES)


def said(source: str) -> str:
    """Give a text of this module's context in the language in force."""
    return QCoreApplication.translate("VerifyChecks", source)


def state_word(state: State) -> str:
    """Give the word for what came of a check."""
    return said(_STATES[state])


def title_words(title: str) -> str:
    """Say what is checked in the language in force; what is not known here stays as it is."""
    return said(title) if title in TITLES else visible(title)


def message_words(message: str) -> str:
    """Say what is wrong in the language in force; an unknown message stays as it is."""
    return _SENTENCES.say(message)


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
