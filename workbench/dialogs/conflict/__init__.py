"""The dialog in which a person sees both claims of a conflict side by side and decides."""

from __future__ import annotations

from workbench.dialogs.conflict.view import ConflictDialog

__all__ = ["ConflictDialog"]
