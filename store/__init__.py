"""The bitemporal ledger of an agent's memory; usable as a library, without Qt."""

from __future__ import annotations
