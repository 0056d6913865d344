"""Signatures over snapshots and heads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from store.audit.format import Manifest


class SigningKey:
    """A private key."""

    def sign(self, manifest: Manifest) -> str:
        """Sign."""
        raise NotImplementedError
