"""Notes of the snapshots that were taken of a tenant. They stand beside the chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from store.backends.sqlite.codec import unreadable
from store.canonical import canonical, parse
from store.model import Export
from store.temporal import from_micros, to_micros

if TYPE_CHECKING:
    from store.backends.sqlite.ledger import Ledger

_NOTE: Final = """
INSERT INTO export (tenant_no, taken_at, number, digest, manifest, arguments, destination)
VALUES (?, ?, ?, ?, ?, ?, ?)"""
_NOTED: Final = """
SELECT taken_at, number, digest, manifest, arguments, destination FROM export
WHERE tenant_no = ? ORDER BY export_no DESC"""


def note(ledger: Ledger, export: Export) -> None:
    """Keep a note, in the transaction that is open."""
    values = (
        ledger.tenant_no,
        to_micros(export.taken_at),
        export.transaction,
        bytearray.fromhex(export.digest),
        bytearray.fromhex(export.manifest),
        canonical(export.arguments),
        export.destination,
    )
    ledger.connection.execute(_NOTE, values)


def noted(ledger: Ledger) -> tuple[Export, ...]:
    """Return the notes of a tenant, newest noted first."""
    found = ledger.connection.execute(_NOTED, (ledger.tenant_no,)).fetchall()
    try:
        return tuple(
            Export.model_construct(
                tenant_id=ledger.tenant_id,
                taken_at=from_micros(taken_at),
                transaction=number,
                digest=digest.hex(),
                manifest=manifest.hex(),
                arguments=parse(arguments),
                destination=destination,
            )
            for taken_at, number, digest, manifest, arguments, destination in found
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise unreadable(error) from error
