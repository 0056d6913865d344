"""Every command of the program as data: menus, keys, palette and the key list are made from it.

`ACTIONS` is the one table. `window.py` builds a QAction from each `ActionSpec`; panels and dialogs
only say which ids they handle. Nothing here knows a widget.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QCoreApplication

from workbench.text import QT_TRANSLATE_NOOP, visible

CONTEXT: Final = "Actions"
"""The translators' context of all texts in this module."""


class Selection(StrEnum):
    """What kind of thing is selected."""

    NONE = "none"
    SUBJECT = "subject"
    FACT = "fact"
    EPISODE = "episode"
    TRANSACTION = "transaction"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Context:
    """What decides whether an action can be done now.

    Attributes:
        is_open: a store is open.
        is_writable: it may be written, and no write is forbidden by where one looks from.
        is_busy: a write is under way.
        selection: what is selected.
        open_conflicts: how many conflicts wait in this tenant.
        undo_label: what undo would take back, in words; "" where there is nothing.
        redo_label: what redo would do again, in words; "" where there is nothing.
        is_at_now: both as-of controls are at now.
        has_filter: something narrows what the panels show.
        can_go_back: what is selected displaced something, or a followed link can be gone back.
        can_go_forward: something displaced what is selected, or a link can be followed again.
        recent_stores: how many stores were opened before.
        capabilities: what the backend can do, by `store.contract.Capability` value.
        is_part: the store was made from a part of a record, whose chain it has not.
        is_snapshot: what is open is the copy of a snapshot.
    """

    is_open: bool = False
    is_writable: bool = False
    is_busy: bool = False
    selection: Selection = Selection.NONE
    open_conflicts: int = 0
    undo_label: str = ""
    redo_label: str = ""
    is_at_now: bool = True
    has_filter: bool = False
    can_go_back: bool = False
    can_go_forward: bool = False
    recent_stores: int = 0
    capabilities: frozenset[str] = frozenset()
    is_part: bool = False
    is_snapshot: bool = False


Condition = Callable[[Context], bool]


def always(context: Context) -> bool:
    """Hold whatever the context is."""
    return True


def when_open(context: Context) -> bool:
    """Hold while a store is open."""
    return context.is_open


def when_provable(context: Context) -> bool:
    """Hold while a store is open whose chain is that of the record it shows."""
    return context.is_open and not context.is_part


def when_writable(context: Context) -> bool:
    """Hold while a store is open that may be written, and no write is under way."""
    return context.is_open and context.is_writable and not context.is_busy


def when_fact(context: Context) -> bool:
    """Hold while a fact is selected."""
    return context.is_open and context.selection is Selection.FACT


def when_fact_writable(context: Context) -> bool:
    """Hold while a fact is selected in a store that may be written."""
    return when_fact(context) and when_writable(context)


def when_conflict_writable(context: Context) -> bool:
    """Hold while a conflict is selected in a store that may be written."""
    return context.selection is Selection.CONFLICT and when_writable(context)


def when_transaction_writable(context: Context) -> bool:
    """Hold while a transaction is selected in a store that may be written."""
    return context.selection is Selection.TRANSACTION and when_writable(context)


def when_selected(context: Context) -> bool:
    """Hold while anything is selected."""
    return context.is_open and context.selection is not Selection.NONE


def when_conflicts_wait(context: Context) -> bool:
    """Hold while conflicts wait in this tenant."""
    return context.is_open and context.open_conflicts > 0


def when_undo(context: Context) -> bool:
    """Hold while there is something to undo."""
    return bool(context.undo_label) and when_writable(context)


def when_redo(context: Context) -> bool:
    """Hold while there is something to redo."""
    return bool(context.redo_label) and when_writable(context)


def when_back(context: Context) -> bool:
    """Hold while a link can be gone back."""
    return context.can_go_back


def when_forward(context: Context) -> bool:
    """Hold while a link can be followed again."""
    return context.can_go_forward


def when_not_at_now(context: Context) -> bool:
    """Hold while one looks from a past or future instant."""
    return context.is_open and not context.is_at_now


def when_filtered(context: Context) -> bool:
    """Hold while something narrows what the panels show."""
    return context.is_open and context.has_filter


def when_recent(context: Context) -> bool:
    """Hold while there are stores that were opened before."""
    return context.recent_stores > 0


@dataclass(frozen=True, slots=True)
class Need:
    """Something that an action needs, and what to say where it is missing.

    Attributes:
        is_met: whether it is there.
        text: what is missing and how to get it, untranslated.
    """

    is_met: Condition
    text: str


_OPEN = Need(when_open, QT_TRANSLATE_NOOP("Actions", "No store is open."))
_MAY_WRITE = Need(
    lambda context: context.is_writable,
    QT_TRANSLATE_NOOP("Actions", "The store can only be read."),
)
_IDLE = Need(
    lambda context: not context.is_busy,
    QT_TRANSLATE_NOOP("Actions", "Something is being written; a moment, please."),
)
_FACT_SELECTED = Need(when_fact, QT_TRANSLATE_NOOP("Actions", "No fact is selected."))
_CONFLICT_SELECTED = Need(
    lambda context: context.selection is Selection.CONFLICT,
    QT_TRANSLATE_NOOP("Actions", "No conflict is selected."),
)
_TRANSACTION_SELECTED = Need(
    lambda context: context.selection is Selection.TRANSACTION,
    QT_TRANSLATE_NOOP("Actions", "No transaction is selected in the journal."),
)
_WRITE = (_OPEN, _MAY_WRITE, _IDLE)

#: What each condition needs, in the order in which a person would mend it.
NEEDS: Final[dict[Condition, tuple[Need, ...]]] = {
    when_open: (_OPEN,),
    when_provable: (
        _OPEN,
        Need(
            lambda context: not context.is_part,
            QT_TRANSLATE_NOOP("Actions", "A part of a record has no chain that could prove it."),
        ),
    ),
    when_writable: _WRITE,
    when_fact: (_OPEN, _FACT_SELECTED),
    when_fact_writable: (_OPEN, _MAY_WRITE, _FACT_SELECTED, _IDLE),
    when_conflict_writable: (_OPEN, _MAY_WRITE, _CONFLICT_SELECTED, _IDLE),
    when_transaction_writable: (_OPEN, _MAY_WRITE, _TRANSACTION_SELECTED, _IDLE),
    when_selected: (
        _OPEN,
        Need(when_selected, QT_TRANSLATE_NOOP("Actions", "Nothing is selected.")),
    ),
    when_conflicts_wait: (
        _OPEN,
        Need(when_conflicts_wait, QT_TRANSLATE_NOOP("Actions", "No conflict waits.")),
    ),
    when_undo: (
        _OPEN,
        Need(
            lambda context: bool(context.undo_label),
            QT_TRANSLATE_NOOP("Actions", "Nothing was written here since the store was opened."),
        ),
        _MAY_WRITE,
        _IDLE,
    ),
    when_redo: (
        _OPEN,
        Need(
            lambda context: bool(context.redo_label),
            QT_TRANSLATE_NOOP("Actions", "Nothing was undone."),
        ),
        _MAY_WRITE,
        _IDLE,
    ),
    when_back: (Need(when_back, QT_TRANSLATE_NOOP("Actions", "There is nothing to go back to.")),),
    when_forward: (
        Need(when_forward, QT_TRANSLATE_NOOP("Actions", "There is nothing to go forward to.")),
    ),
    when_not_at_now: (
        _OPEN,
        Need(when_not_at_now, QT_TRANSLATE_NOOP("Actions", "Both times are at now already.")),
    ),
    when_filtered: (
        _OPEN,
        Need(when_filtered, QT_TRANSLATE_NOOP("Actions", "No filter is set.")),
    ),
    when_recent: (Need(when_recent, QT_TRANSLATE_NOOP("Actions", "No store was opened before.")),),
}


class Check(StrEnum):
    """Whether an action has a state."""

    NONE = "none"
    TOGGLE = "toggle"
    RADIO = "radio"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One command.

    Attributes:
        id: ``area.verb``; also the object name of its QAction.
        text: the menu text, untranslated, with ``&`` before its letter and ``…`` if it asks more.
        help: one line that says what it does, for the status bar, palette and key list.
        menu: the path in the menu bar, (``"file",)`` or ``("file", "import")``; empty if it is
            in the palette only.
        group: actions of one group stand together between separators; radio actions of one group
            exclude each other.
        keys: key sequences in Qt's portable writing, the first one shown.
        icon: lucide name, or None on purpose.
        enabled_when: whether it can be done.
        check: whether it has a state.
        is_by_place: its letter keys are meant by their place on the keyboard; the timeline reads
            them from the key's scan code while it has the focus.
    """

    id: str
    text: str
    help: str
    menu: tuple[str, ...]
    group: str
    keys: tuple[str, ...] = ()
    icon: str | None = None
    enabled_when: Condition = always
    check: Check = Check.NONE
    is_by_place: bool = False

    @property
    def area(self) -> str:
        """The part of the id before the dot."""
        return self.id.partition(".")[0]

    @property
    def is_palette_only(self) -> bool:
        """Whether it is in no menu."""
        return not self.menu

    @property
    def single_keys(self) -> tuple[str, ...]:
        """The keys that write a character; never to fire while a text field has the focus."""
        return tuple(key for key in self.keys if len(key) == 1)

    @property
    def is_single_key(self) -> bool:
        """Whether any key of it would write a character in a text field."""
        return bool(self.single_keys)

    def label(self) -> str:
        """Give the text in the language in force, with the ``&`` of its menu letter."""
        return translated(self.text)

    def plain_label(self) -> str:
        """Give the text in the language in force without ``&`` and ``…``, for palette and list."""
        return self.label().replace("&", "").removesuffix("…")

    def help_line(self) -> str:
        """Give the help in the language in force."""
        return translated(self.help)

    def why_not(self, context: Context) -> str:
        """Say in one sentence why it cannot be done now; "" where it can."""
        needs = NEEDS.get(self.enabled_when, ())
        return next((translated(need.text) for need in needs if not need.is_met(context)), "")

    def menu_label(self) -> str:
        """Give the text for a menu, with the key if it is one that no shortcut shows."""
        return f"{self.label()}\t{self.keys[0]}" if self.is_by_place else self.label()


def translated(source: str) -> str:
    """Give a text of this module in the language in force."""
    return QCoreApplication.translate(CONTEXT, source)


@dataclass(frozen=True, slots=True)
class MenuSpec:
    """A menu or submenu.

    Attributes:
        path: where it is.
        text: its title, untranslated.
        group: of a submenu, the group in its parent that it stands in; "" is that of its
            neighbours.
    """

    path: tuple[str, ...]
    text: str
    group: str = ""

    def label(self) -> str:
        """Give the title in the language in force."""
        return translated(self.text)


#: Menus in their order; a submenu stands in its parent where its first action would.
MENUS: Final[tuple[MenuSpec, ...]] = (
    MenuSpec(("file",), QT_TRANSLATE_NOOP("Actions", "&File")),
    MenuSpec(("file", "recent"), QT_TRANSLATE_NOOP("Actions", "Open &recent")),
    MenuSpec(("file", "import"), QT_TRANSLATE_NOOP("Actions", "&Import")),
    MenuSpec(("edit",), QT_TRANSLATE_NOOP("Actions", "&Edit")),
    MenuSpec(("fact",), QT_TRANSLATE_NOOP("Actions", "F&act")),
    MenuSpec(("go",), QT_TRANSLATE_NOOP("Actions", "&Go")),
    MenuSpec(("view",), QT_TRANSLATE_NOOP("Actions", "&View")),
    MenuSpec(("view", "panels"), QT_TRANSLATE_NOOP("Actions", "&Panels"), group="arrange"),
    MenuSpec(("view", "rows"), QT_TRANSLATE_NOOP("Actions", "&Rows"), group="arrange"),
    MenuSpec(("view", "theme"), QT_TRANSLATE_NOOP("Actions", "Th&eme"), group="arrange"),
    MenuSpec(("view", "language"), QT_TRANSLATE_NOOP("Actions", "&Language"), group="arrange"),
    MenuSpec(("help",), QT_TRANSLATE_NOOP("Actions", "&Help")),
)

_FILE: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "store.new",
        QT_TRANSLATE_NOOP("Actions", "&New store…"),
        QT_TRANSLATE_NOOP("Actions", "Create an empty store in a file."),
        menu=("file",),
        group="open",
        keys=("Ctrl+N",),
        icon="file-plus",
    ),
    ActionSpec(
        "store.open",
        QT_TRANSLATE_NOOP("Actions", "&Open store…"),
        QT_TRANSLATE_NOOP("Actions", "Open a store that exists."),
        menu=("file",),
        group="open",
        keys=("Ctrl+O",),
        icon="folder-open",
    ),
    ActionSpec(
        "store.open_link",
        QT_TRANSLATE_NOOP("Actions", "Open copied lin&k"),
        QT_TRANSLATE_NOOP("Actions", "Open the view whose link is in the clipboard."),
        menu=("file",),
        group="open",
        keys=("Ctrl+Shift+V",),
        icon="link-2",
    ),
    ActionSpec(
        "store.open_recent",
        QT_TRANSLATE_NOOP("Actions", "Open the &last store"),
        QT_TRANSLATE_NOOP("Actions", "Open the store that was open before."),
        menu=("file", "recent"),
        group="open",
        keys=("Ctrl+Shift+O",),
        icon="history",
        enabled_when=when_recent,
    ),
    ActionSpec(
        "store.open_demo",
        QT_TRANSLATE_NOOP("Actions", "Open the &demo store"),
        QT_TRANSLATE_NOOP("Actions", "Open a support agent's memory of some months, made to try."),
        menu=("file",),
        group="open",
        icon="sparkles",
    ),
    ActionSpec(
        "snapshot.open",
        QT_TRANSLATE_NOOP("Actions", "Op&en snapshot…"),
        QT_TRANSLATE_NOOP("Actions", "Show the record in a snapshot, read-only."),
        menu=("file",),
        group="open",
        icon="package-open",
    ),
    ActionSpec(
        "import.zeroclaw",
        QT_TRANSLATE_NOOP("Actions", "&ZeroClaw memory…"),
        QT_TRANSLATE_NOOP("Actions", "Import the memory folder of a ZeroClaw agent."),
        menu=("file", "import"),
        group="import",
        icon="bot",
        enabled_when=when_writable,
    ),
    ActionSpec(
        "import.table",
        QT_TRANSLATE_NOOP("Actions", "&Table…"),
        QT_TRANSLATE_NOOP("Actions", "Import facts from a CSV, TSV or JSON Lines file."),
        menu=("file", "import"),
        group="import",
        icon="table-2",
        enabled_when=when_writable,
    ),
    ActionSpec(
        "import.snapshot",
        QT_TRANSLATE_NOOP("Actions", "&Snapshot…"),
        QT_TRANSLATE_NOOP("Actions", "Restore a snapshot into this store or another."),
        menu=("file", "import"),
        group="import",
        icon="archive-restore",
    ),
    ActionSpec(
        "snapshot.take",
        QT_TRANSLATE_NOOP("Actions", "Take a &snapshot…"),
        QT_TRANSLATE_NOOP("Actions", "Write what the record says into files that prove it."),
        menu=("file",),
        group="snapshot",
        keys=("Ctrl+Shift+S",),
        icon="camera",
        enabled_when=when_provable,
    ),
    ActionSpec(
        "snapshot.list",
        QT_TRANSLATE_NOOP("Actions", "Sn&apshots taken…"),
        QT_TRANSLATE_NOOP("Actions", "List the snapshots that were taken of this tenant."),
        menu=("file",),
        group="snapshot",
        icon="archive",
        enabled_when=when_open,
    ),
    ActionSpec(
        "snapshot.verify",
        QT_TRANSLATE_NOOP("Actions", "&Verify a snapshot…"),
        QT_TRANSLATE_NOOP("Actions", "Check that nothing in a snapshot was changed."),
        menu=("file",),
        group="snapshot",
        icon="shield-check",
    ),
    ActionSpec(
        "store.check",
        QT_TRANSLATE_NOOP("Actions", "&Check store…"),
        QT_TRANSLATE_NOOP("Actions", "Look for damage in the file, the ledger and its chain."),
        menu=("file",),
        group="store",
        icon="shield-check",
        enabled_when=when_open,
    ),
    ActionSpec(
        "store.properties",
        QT_TRANSLATE_NOOP("Actions", "Store &properties…"),
        QT_TRANSLATE_NOOP("Actions", "Show where the store is, its counts and what it can do."),
        menu=("file",),
        group="store",
        icon="database",
        enabled_when=when_open,
    ),
    ActionSpec(
        "store.copy_head",
        QT_TRANSLATE_NOOP("Actions", "Copy &head"),
        QT_TRANSLATE_NOOP("Actions", "Copy number and digest of the newest transaction, to keep."),
        menu=("file",),
        group="store",
        icon="link",
        enabled_when=when_provable,
    ),
    ActionSpec(
        "store.sign_head",
        QT_TRANSLATE_NOOP("Actions", "Copy head, si&gned…"),
        QT_TRANSLATE_NOOP("Actions", "Copy tenant and head with a signature by a key of yours."),
        menu=("file",),
        group="store",
        icon="link",
        enabled_when=when_open,
    ),
    ActionSpec(
        "tenant.switch",
        QT_TRANSLATE_NOOP("Actions", "Switch &tenant…"),
        QT_TRANSLATE_NOOP("Actions", "Look at another tenant of this store."),
        menu=("file",),
        group="store",
        keys=("Ctrl+T",),
        icon="building-2",
        enabled_when=when_open,
    ),
    ActionSpec(
        "tenant.new",
        QT_TRANSLATE_NOOP("Actions", "Ne&w tenant…"),
        QT_TRANSLATE_NOOP("Actions", "Begin the memory of another tenant in this store."),
        menu=("file",),
        group="store",
        enabled_when=when_writable,
    ),
    ActionSpec(
        "store.close",
        QT_TRANSLATE_NOOP("Actions", "C&lose store"),
        QT_TRANSLATE_NOOP("Actions", "Close the store and keep the window."),
        menu=("file",),
        group="close",
        keys=("Ctrl+W",),
        enabled_when=when_open,
    ),
    ActionSpec(
        "app.quit",
        QT_TRANSLATE_NOOP("Actions", "&Quit"),
        QT_TRANSLATE_NOOP("Actions", "Finish what is being written and end the program."),
        menu=("file",),
        group="close",
        keys=("Ctrl+Q",),
    ),
)

_EDIT: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "edit.undo",
        QT_TRANSLATE_NOOP("Actions", "&Undo"),
        QT_TRANSLATE_NOOP("Actions", "Take back the last write by a transaction of its own."),
        menu=("edit",),
        group="undo",
        keys=("Ctrl+Z",),
        icon="undo-2",
        enabled_when=when_undo,
    ),
    ActionSpec(
        "edit.redo",
        QT_TRANSLATE_NOOP("Actions", "&Redo"),
        QT_TRANSLATE_NOOP("Actions", "Do again what was undone."),
        menu=("edit",),
        group="undo",
        keys=("Ctrl+Shift+Z", "Ctrl+Y"),
        icon="redo-2",
        enabled_when=when_redo,
    ),
    ActionSpec(
        "edit.copy",
        QT_TRANSLATE_NOOP("Actions", "&Copy"),
        QT_TRANSLATE_NOOP("Actions", "Copy what is selected, as text for a table or a note."),
        menu=("edit",),
        group="copy",
        keys=("Ctrl+C",),
        icon="copy",
        enabled_when=when_selected,
    ),
    ActionSpec(
        "edit.copy_link",
        QT_TRANSLATE_NOOP("Actions", "Copy &link to this view"),
        QT_TRANSLATE_NOOP("Actions", "Copy a link that opens this store, filter and selection."),
        menu=("edit",),
        group="copy",
        keys=("Ctrl+Shift+L",),
        icon="link",
        enabled_when=when_open,
    ),
    ActionSpec(
        "app.preferences",
        QT_TRANSLATE_NOOP("Actions", "&Preferences…"),
        QT_TRANSLATE_NOOP("Actions", "Choose theme, language, rows and how the program behaves."),
        menu=("edit",),
        group="preferences",
        keys=("Ctrl+,",),
        icon="settings",
    ),
)

_FACT: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "fact.add",
        QT_TRANSLATE_NOOP("Actions", "&Add fact…"),
        QT_TRANSLATE_NOOP("Actions", "Write a fact as the operator."),
        menu=("fact",),
        group="write",
        keys=("Ctrl+Shift+N", "Ins"),
        icon="plus",
        enabled_when=when_writable,
    ),
    ActionSpec(
        "fact.correct",
        QT_TRANSLATE_NOOP("Actions", "&Correct…"),
        QT_TRANSLATE_NOOP(
            "Actions", "Say that the fact was wrong from the start, and what is right."
        ),
        menu=("fact",),
        group="write",
        keys=("F2",),
        icon="pencil",
        enabled_when=when_fact_writable,
    ),
    ActionSpec(
        "fact.end",
        QT_TRANSLATE_NOOP("Actions", "&End…"),
        QT_TRANSLATE_NOOP("Actions", "Say when the fact stopped being true in the world."),
        menu=("fact",),
        group="write",
        keys=("Ctrl+E",),
        icon="circle-stop",
        enabled_when=when_fact_writable,
    ),
    ActionSpec(
        "fact.retract",
        QT_TRANSLATE_NOOP("Actions", "&Retract…"),
        QT_TRANSLATE_NOOP("Actions", "Say that the fact never held; its record stays."),
        menu=("fact",),
        group="write",
        keys=("Del",),
        icon="circle-slash",
        enabled_when=when_fact_writable,
    ),
    ActionSpec(
        "fact.confirm",
        QT_TRANSLATE_NOOP("Actions", "Con&firm"),
        QT_TRANSLATE_NOOP("Actions", "Add your word as evidence that the fact still holds."),
        menu=("fact",),
        group="write",
        keys=("Ctrl+Return",),
        icon="badge-check",
        enabled_when=when_fact_writable,
    ),
    ActionSpec(
        "conflict.next",
        QT_TRANSLATE_NOOP("Actions", "&Next conflict"),
        QT_TRANSLATE_NOOP("Actions", "Go to the next conflict that waits."),
        menu=("fact",),
        group="conflict",
        keys=("C",),
        icon="diamond",
        enabled_when=when_conflicts_wait,
    ),
    ActionSpec(
        "conflict.resolve",
        QT_TRANSLATE_NOOP("Actions", "&Settle conflict…"),
        QT_TRANSLATE_NOOP("Actions", "See both claims side by side and decide."),
        menu=("fact",),
        group="conflict",
        keys=("Ctrl+D",),
        icon="scale",
        enabled_when=when_conflict_writable,
    ),
    ActionSpec(
        "transaction.revert",
        QT_TRANSLATE_NOOP("Actions", "Re&vert transaction…"),
        QT_TRANSLATE_NOOP("Actions", "Take a transaction back by a new one that says why."),
        menu=("fact",),
        group="transaction",
        icon="undo",
        enabled_when=when_transaction_writable,
    ),
)

_GO: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "go.search",
        QT_TRANSLATE_NOOP("Actions", "&Search"),
        QT_TRANSLATE_NOOP("Actions", "Search facts, episodes and transactions."),
        menu=("go",),
        group="search",
        keys=("Ctrl+K", "/"),
        icon="search",
        enabled_when=when_open,
    ),
    ActionSpec(
        "go.subject",
        QT_TRANSLATE_NOOP("Actions", "Go to s&ubject or attribute…"),
        QT_TRANSLATE_NOOP(
            "Actions", "Jump to a subject or attribute by a few letters of its name."
        ),
        menu=("go",),
        group="search",
        keys=("Ctrl+P",),
        icon="user",
        enabled_when=when_open,
    ),
    ActionSpec(
        "go.palette",
        QT_TRANSLATE_NOOP("Actions", "&Command palette…"),
        QT_TRANSLATE_NOOP("Actions", "Find any command by a few letters."),
        menu=("go",),
        group="search",
        keys=("Ctrl+Shift+P",),
        icon="terminal",
    ),
    ActionSpec(
        "fact.previous",
        QT_TRANSLATE_NOOP("Actions", "&Previous interval in the lane"),
        QT_TRANSLATE_NOOP("Actions", "Select the interval before this one."),
        menu=("go",),
        group="lane",
        keys=(",",),
        icon="step-back",
        enabled_when=when_fact,
    ),
    ActionSpec(
        "fact.next",
        QT_TRANSLATE_NOOP("Actions", "&Next interval in the lane"),
        QT_TRANSLATE_NOOP("Actions", "Select the interval after this one."),
        menu=("go",),
        group="lane",
        keys=(".",),
        icon="step-forward",
        enabled_when=when_fact,
    ),
    ActionSpec(
        "link.back",
        QT_TRANSLATE_NOOP("Actions", "&Back along the link"),
        QT_TRANSLATE_NOOP("Actions", "Follow the link to what was superseded, or go back."),
        menu=("go",),
        group="link",
        keys=("[", "Alt+Left"),
        icon="arrow-left",
        enabled_when=when_back,
    ),
    ActionSpec(
        "link.forward",
        QT_TRANSLATE_NOOP("Actions", "&Forward along the link"),
        QT_TRANSLATE_NOOP("Actions", "Follow the link to what superseded it, or go forward."),
        menu=("go",),
        group="link",
        keys=("]", "Alt+Right"),
        icon="arrow-right",
        enabled_when=when_forward,
    ),
)

_VIEW: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "view.valid_at",
        QT_TRANSLATE_NOOP("Actions", "&Valid at…"),
        QT_TRANSLATE_NOOP("Actions", "Choose the instant in the world to look at."),
        menu=("view",),
        group="as_of",
        keys=("V",),
        icon="calendar",
        enabled_when=when_open,
    ),
    ActionSpec(
        "view.known_at",
        QT_TRANSLATE_NOOP("Actions", "&Known at…"),
        QT_TRANSLATE_NOOP("Actions", "Choose the instant with whose knowledge to look."),
        menu=("view",),
        group="as_of",
        keys=("K",),
        icon="clock",
        enabled_when=when_open,
    ),
    ActionSpec(
        "view.now",
        QT_TRANSLATE_NOOP("Actions", "Back to &now"),
        QT_TRANSLATE_NOOP("Actions", "Set both times back to now."),
        menu=("view",),
        group="as_of",
        keys=("N",),
        icon="radio",
        enabled_when=when_not_at_now,
    ),
    ActionSpec(
        "view.clear_filters",
        QT_TRANSLATE_NOOP("Actions", "&Clear all filters"),
        QT_TRANSLATE_NOOP("Actions", "Show everything again, in every panel."),
        menu=("view",),
        group="history",
        keys=("Shift+Esc",),
        icon="x",
        enabled_when=when_filtered,
    ),
    ActionSpec(
        "view.history",
        QT_TRANSLATE_NOOP("Actions", "Show &superseded beliefs"),
        QT_TRANSLATE_NOOP("Actions", "Show what was believed before as outlines."),
        menu=("view",),
        group="history",
        keys=("H",),
        icon="history",
        enabled_when=when_open,
        check=Check.TOGGLE,
    ),
    ActionSpec(
        "view.follow",
        QT_TRANSLATE_NOOP("Actions", "Follo&w writes by others"),
        QT_TRANSLATE_NOOP("Actions", "Show what other programs write within a second."),
        menu=("view",),
        group="history",
        icon="activity",
        check=Check.TOGGLE,
    ),
    ActionSpec(
        "view.focus",
        QT_TRANSLATE_NOOP("Actions", "Zoom to selection or &fit all"),
        QT_TRANSLATE_NOOP("Actions", "Zoom to what is selected; again, to the entire record."),
        menu=("view",),
        group="zoom",
        keys=("F",),
        icon="scan",
        enabled_when=when_open,
    ),
    ActionSpec(
        "view.zoom_in",
        QT_TRANSLATE_NOOP("Actions", "&Zoom in"),
        QT_TRANSLATE_NOOP("Actions", "Show a shorter time, larger."),
        menu=("view",),
        group="zoom",
        keys=("W", "Ctrl++", "Ctrl+="),
        icon="zoom-in",
        enabled_when=when_open,
        is_by_place=True,
    ),
    ActionSpec(
        "view.zoom_out",
        QT_TRANSLATE_NOOP("Actions", "Zoom &out"),
        QT_TRANSLATE_NOOP("Actions", "Show a longer time, smaller."),
        menu=("view",),
        group="zoom",
        keys=("S", "Ctrl+-"),
        icon="zoom-out",
        enabled_when=when_open,
        is_by_place=True,
    ),
    ActionSpec(
        "view.pan_left",
        QT_TRANSLATE_NOOP("Actions", "Pan to earl&ier"),
        QT_TRANSLATE_NOOP("Actions", "Move the timeline to an earlier time."),
        menu=("view",),
        group="zoom",
        keys=("A",),
        enabled_when=when_open,
        is_by_place=True,
    ),
    ActionSpec(
        "view.pan_right",
        QT_TRANSLATE_NOOP("Actions", "Pan to l&ater"),
        QT_TRANSLATE_NOOP("Actions", "Move the timeline to a later time."),
        menu=("view",),
        group="zoom",
        keys=("D",),
        enabled_when=when_open,
        is_by_place=True,
    ),
    ActionSpec(
        "view.refresh",
        QT_TRANSLATE_NOOP("Actions", "Refres&h"),
        QT_TRANSLATE_NOOP("Actions", "Read everything that is shown again."),
        menu=("view",),
        group="refresh",
        keys=("F5", "Ctrl+R"),
        icon="refresh-cw",
        enabled_when=when_open,
    ),
    ActionSpec(
        "panel.navigator",
        QT_TRANSLATE_NOOP("Actions", "&Navigator"),
        QT_TRANSLATE_NOOP("Actions", "Show or hide the list of subjects, types and conflicts."),
        menu=("view", "panels"),
        group="panels",
        keys=("Alt+1",),
        icon="panel-left",
        check=Check.TOGGLE,
    ),
    ActionSpec(
        "panel.timeline",
        QT_TRANSLATE_NOOP("Actions", "&Timeline"),
        QT_TRANSLATE_NOOP("Actions", "Show or hide the timeline."),
        menu=("view", "panels"),
        group="panels",
        keys=("Alt+2",),
        icon="chart-gantt",
        check=Check.TOGGLE,
    ),
    ActionSpec(
        "panel.inspector",
        QT_TRANSLATE_NOOP("Actions", "&Inspector"),
        QT_TRANSLATE_NOOP("Actions", "Show or hide the record, versions and sources of a fact."),
        menu=("view", "panels"),
        group="panels",
        keys=("Alt+3",),
        icon="panel-right",
        check=Check.TOGGLE,
    ),
    ActionSpec(
        "panel.facts",
        QT_TRANSLATE_NOOP("Actions", "&Facts"),
        QT_TRANSLATE_NOOP("Actions", "Show or hide the table of facts."),
        menu=("view", "panels"),
        group="panels",
        keys=("Alt+4",),
        icon="table-2",
        check=Check.TOGGLE,
    ),
    ActionSpec(
        "panel.episodes",
        QT_TRANSLATE_NOOP("Actions", "&Episodes"),
        QT_TRANSLATE_NOOP("Actions", "Show or hide the sources from which facts came."),
        menu=("view", "panels"),
        group="panels",
        keys=("Alt+5",),
        icon="file-text",
        check=Check.TOGGLE,
    ),
    ActionSpec(
        "panel.conflicts",
        QT_TRANSLATE_NOOP("Actions", "&Conflicts"),
        QT_TRANSLATE_NOOP("Actions", "Show or hide the list of conflicts."),
        menu=("view", "panels"),
        group="panels",
        keys=("Alt+6",),
        icon="diamond",
        check=Check.TOGGLE,
    ),
    ActionSpec(
        "panel.journal",
        QT_TRANSLATE_NOOP("Actions", "&Journal"),
        QT_TRANSLATE_NOOP("Actions", "Show or hide the list of transactions."),
        menu=("view", "panels"),
        group="panels",
        keys=("Alt+7",),
        icon="scroll-text",
        check=Check.TOGGLE,
    ),
    ActionSpec(
        "panel.log",
        QT_TRANSLATE_NOOP("Actions", "&Log"),
        QT_TRANSLATE_NOOP("Actions", "Show or hide what the program noted about its own work."),
        menu=("view", "panels"),
        group="panels",
        keys=("Alt+8",),
        icon="logs",
        check=Check.TOGGLE,
    ),
    ActionSpec(
        "window.reset_layout",
        QT_TRANSLATE_NOOP("Actions", "Reset the la&yout"),
        QT_TRANSLATE_NOOP("Actions", "Put all panels back to where they were at first."),
        menu=("view", "panels"),
        group="layout",
        icon="layout-dashboard",
    ),
    ActionSpec(
        "density.compact",
        QT_TRANSLATE_NOOP("Actions", "&Compact"),
        QT_TRANSLATE_NOOP("Actions", "Low rows: more on the screen."),
        menu=("view", "rows"),
        group="density",
        check=Check.RADIO,
    ),
    ActionSpec(
        "density.normal",
        QT_TRANSLATE_NOOP("Actions", "&Normal"),
        QT_TRANSLATE_NOOP("Actions", "Rows of normal height."),
        menu=("view", "rows"),
        group="density",
        check=Check.RADIO,
    ),
    ActionSpec(
        "density.roomy",
        QT_TRANSLATE_NOOP("Actions", "&Roomy"),
        QT_TRANSLATE_NOOP("Actions", "Tall rows: easier to point at."),
        menu=("view", "rows"),
        group="density",
        check=Check.RADIO,
    ),
    ActionSpec(
        "theme.system",
        QT_TRANSLATE_NOOP("Actions", "As the &system"),
        QT_TRANSLATE_NOOP("Actions", "Light, dark or high contrast as the system is."),
        menu=("view", "theme"),
        group="theme",
        icon="monitor",
        check=Check.RADIO,
    ),
    ActionSpec(
        "theme.light",
        QT_TRANSLATE_NOOP("Actions", "&Light"),
        QT_TRANSLATE_NOOP("Actions", "Dark text on light ground."),
        menu=("view", "theme"),
        group="theme",
        icon="sun",
        check=Check.RADIO,
    ),
    ActionSpec(
        "theme.dark",
        QT_TRANSLATE_NOOP("Actions", "&Dark"),
        QT_TRANSLATE_NOOP("Actions", "Light text on dark ground."),
        menu=("view", "theme"),
        group="theme",
        icon="moon",
        check=Check.RADIO,
    ),
    ActionSpec(
        "theme.contrast",
        QT_TRANSLATE_NOOP("Actions", "&High contrast"),
        QT_TRANSLATE_NOOP("Actions", "White on black with strong edges."),
        menu=("view", "theme"),
        group="theme",
        icon="contrast",
        check=Check.RADIO,
    ),
    ActionSpec(
        "language.system",
        QT_TRANSLATE_NOOP("Actions", "As the &system"),
        QT_TRANSLATE_NOOP("Actions", "The language of the system, if there is a translation."),
        menu=("view", "language"),
        group="language",
        icon="languages",
        check=Check.RADIO,
    ),
    ActionSpec(
        "language.en",
        "&English",
        QT_TRANSLATE_NOOP("Actions", "Show the program in English."),
        menu=("view", "language"),
        group="language",
        check=Check.RADIO,
    ),
    ActionSpec(
        "language.es",
        "Es&pañol",
        QT_TRANSLATE_NOOP("Actions", "Show the program in Spanish."),
        menu=("view", "language"),
        group="language",
        check=Check.RADIO,
    ),
)

_HELP: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "help.keys",
        QT_TRANSLATE_NOOP("Actions", "&Keys…"),
        QT_TRANSLATE_NOOP("Actions", "List every command with its keys."),
        menu=("help",),
        group="help",
        keys=("?", "F1"),
        icon="keyboard",
    ),
    ActionSpec(
        "help.log",
        QT_TRANSLATE_NOOP("Actions", "Show the &log"),
        QT_TRANSLATE_NOOP("Actions", "Show what the program noted about its own work."),
        menu=("help",),
        group="help",
        icon="logs",
    ),
    ActionSpec(
        "help.copy_report",
        QT_TRANSLATE_NOOP("Actions", "Copy a &report"),
        QT_TRANSLATE_NOOP("Actions", "Copy versions and the newest log lines for a bug report."),
        menu=("help",),
        group="help",
        icon="bug",
    ),
    ActionSpec(
        "help.about",
        QT_TRANSLATE_NOOP("Actions", "&About Memory Workbench"),
        QT_TRANSLATE_NOOP("Actions", "Show the version, the licences and where files are kept."),
        menu=("help",),
        group="about",
        icon="info",
    ),
)

ACTIONS: Final[tuple[ActionSpec, ...]] = (*_FILE, *_EDIT, *_FACT, *_GO, *_VIEW, *_HELP)
"""Every command, in the order of menus, palette and key list."""

_BY_ID: Final = {spec.id: spec for spec in ACTIONS}


def action(action_id: str) -> ActionSpec:
    """Give a command by its id.

    Raises:
        KeyError: there is none.
    """
    return _BY_ID[action_id]


def undo_text(context: Context) -> str:
    """Give the text of undo with what it would take back: ``Undo “Correct passport_deadline”``."""
    return _with_label(
        action("edit.undo"), QT_TRANSLATE_NOOP("Actions", "&Undo “{label}”"), context.undo_label
    )


def redo_text(context: Context) -> str:
    """Give the text of redo with what it would do again."""
    return _with_label(
        action("edit.redo"), QT_TRANSLATE_NOOP("Actions", "&Redo “{label}”"), context.redo_label
    )


def close_text(context: Context) -> str:
    """Give the text of closing what is open, a store or a snapshot."""
    if context.is_snapshot:
        return translated(QT_TRANSLATE_NOOP("Actions", "C&lose snapshot"))
    return action("store.close").label()


def _with_label(spec: ActionSpec, source: str, label: str) -> str:
    if not label:
        return spec.label()
    # A name from the store may hold an ampersand, which a menu would swallow.
    return translated(source).format(label=visible(label).replace("&", "&&"))


@dataclass(frozen=True, slots=True)
class Gesture:
    """Something that is done with mouse or keys and is no command, for the key list only.

    Attributes:
        where: the part of the window, untranslated.
        keys: what is pressed, untranslated where it has words.
        help: what happens, untranslated.
    """

    where: str
    keys: str
    help: str


_TIMELINE = QT_TRANSLATE_NOOP("Actions", "Timeline")
_SEARCH = QT_TRANSLATE_NOOP("Actions", "Search")
_AS_OF = QT_TRANSLATE_NOOP("Actions", "Valid at and known at")
_ANYWHERE = QT_TRANSLATE_NOOP("Actions", "Anywhere")

GESTURES: Final[tuple[Gesture, ...]] = (
    Gesture(
        _TIMELINE,
        QT_TRANSLATE_NOOP("Actions", "Ctrl+Wheel"),
        QT_TRANSLATE_NOOP("Actions", "Zoom at the pointer."),
    ),
    Gesture(
        _TIMELINE,
        QT_TRANSLATE_NOOP("Actions", "Wheel"),
        QT_TRANSLATE_NOOP("Actions", "Scroll the lanes."),
    ),
    Gesture(
        _TIMELINE,
        QT_TRANSLATE_NOOP("Actions", "Shift+Drag"),
        QT_TRANSLATE_NOOP("Actions", "Pan."),
    ),
    Gesture(
        _TIMELINE,
        QT_TRANSLATE_NOOP("Actions", "Drag"),
        QT_TRANSLATE_NOOP("Actions", "Select a time range across lanes."),
    ),
    Gesture(
        _SEARCH,
        QT_TRANSLATE_NOOP("Actions", "Enter"),
        QT_TRANSLATE_NOOP("Actions", "Go to what was found."),
    ),
    Gesture(
        _AS_OF,
        QT_TRANSLATE_NOOP("Actions", "Left, Right"),
        QT_TRANSLATE_NOOP("Actions", "Step by a day."),
    ),
    Gesture(
        _AS_OF,
        QT_TRANSLATE_NOOP("Actions", "Page up, Page down"),
        QT_TRANSLATE_NOOP("Actions", "Step by a week."),
    ),
    Gesture(
        _AS_OF,
        QT_TRANSLATE_NOOP("Actions", "Home, End"),
        QT_TRANSLATE_NOOP("Actions", "Go to the beginning of the record, or to now."),
    ),
    Gesture(
        _ANYWHERE,
        QT_TRANSLATE_NOOP("Actions", "Esc"),
        QT_TRANSLATE_NOOP("Actions", "Clear the selection; in a dialog, leave without writing."),
    ),
)
