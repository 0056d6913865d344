"""Implementations of the contract. Only `store.open` chooses among them."""

from __future__ import annotations
