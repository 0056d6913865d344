"""Small dialogs for a person's own acts on facts: add, correct, end, retract, confirm."""

from __future__ import annotations

from workbench.dialogs.fact.acts import (
    ConfirmFactDialog,
    CorrectFactDialog,
    EndFactDialog,
    RetractFactDialog,
)
from workbench.dialogs.fact.add import AddFactDialog
from workbench.dialogs.fact.desk import FactDialogs

__all__ = [
    "AddFactDialog",
    "ConfirmFactDialog",
    "CorrectFactDialog",
    "EndFactDialog",
    "FactDialogs",
    "RetractFactDialog",
]
