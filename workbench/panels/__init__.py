"""The panels of the desk: one folder each, with a presenter, an item model and a view."""

from __future__ import annotations
