"""Identifiers: UUIDv7 text, so that ids sort roughly by when they were made."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

Entropy = Callable[[int], bytes]
"""A source of random bytes: `entropy(n)` gives n of them."""

SYSTEM_ENTROPY: Final[Entropy] = os.urandom


def new_id(at: int, entropy: Entropy = SYSTEM_ENTROPY) -> str:
    """Return a UUIDv7 (RFC 9562, section 5.7) for an instant in microseconds since 1970.

    The order of facts never comes from ids: it comes from transaction numbers.
    """
    return format_id(at, entropy(10))


def format_id(at: int, random: bytes) -> str:
    """Lay out a UUIDv7 from an instant in microseconds and ten random bytes."""
    milliseconds = max(at, 0) // 1000 & 0xFFFF_FFFF_FFFF
    high = milliseconds << 16 | 0x7000 | (random[0] << 8 | random[1]) & 0x0FFF
    low = 0x8000_0000_0000_0000 | int.from_bytes(random[2:10], "big") & 0x3FFF_FFFF_FFFF_FFFF
    text = f"{high:016x}{low:016x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
