"""The command palette: every action of the table, found by a few letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from workbench.actions import ACTIONS, MENUS, ActionSpec, Context
from workbench.widgets.quick_pick import Entry, QuickPick

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def key_text(keys: str) -> str:
    """Write a key sequence as the system writes it: ``Ctrl+K``, or ``⌘K`` on macOS."""
    return QKeySequence.fromString(keys).toString(QKeySequence.SequenceFormat.NativeText)


def menu_title(spec: ActionSpec, depth: int | None = None) -> str:
    """Give the title of the menu in which an action stands, in the language in force, or "".

    Args:
        spec: the action.
        depth: 1 for the menu of the menu bar; otherwise the innermost one.
    """
    found = next((menu for menu in MENUS if menu.path == spec.menu[:depth]), None)
    return found.label().replace("&", "") if found else ""


class CommandPalette(QuickPick):
    """Lists `ACTIONS`; those that cannot be done now stand at the end, grey, and say why.

    Signals:
        chosen: the id of the action to trigger.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(
            QCoreApplication.translate("CommandPalette", "Type a part of a command"), parent
        )

    def open_with(self, context: Context, window: QWidget) -> None:
        """Open over a window with what can be done in a context."""
        self.set_entries(
            tuple(
                Entry(
                    id=spec.id,
                    title=f"{menu_title(spec)}: {spec.plain_label()}".removeprefix(": "),
                    detail=spec.why_not(context) or spec.help_line(),
                    keys=tuple(key_text(keys) for keys in spec.keys[:2]),
                    icon=spec.icon or "",
                    is_enabled=spec.enabled_when(context),
                )
                for spec in ACTIONS
                if spec.id != "go.palette"
            )
        )
        self.open_over(window)
