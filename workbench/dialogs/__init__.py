"""Dialogs: what asks a person something, or tells more than a panel can."""

from __future__ import annotations
