"""Audit snapshots: a tenant's record as of a transaction, in files that a stranger can check."""

from __future__ import annotations
