"""Audit snapshots: a tenant's record as of a transaction, in files that a stranger can check.

    from pathlib import Path
    from store import Scope, open_store
    from store.audit import take_snapshot

    with open_store("memory.db") as store:
        taken = take_snapshot(store, Scope("acme"), Path("acme.zip"))
        print(taken.manifest.head)

`store.audit.format` says what is in the files.
"""

from __future__ import annotations

from store.audit.compare import Comparison, Side
from store.audit.format import Counts, Form, Manifest, Selection, Withhold
from store.audit.reading import open_history, read_manifest
from store.audit.restore import RestoreReport, restore_snapshot
from store.audit.snapshot import TakenSnapshot, count_snapshot, take_snapshot

__all__ = [
    "Comparison",
    "Counts",
    "Form",
    "Manifest",
    "RestoreReport",
    "Selection",
    "Side",
    "TakenSnapshot",
    "Withhold",
    "count_snapshot",
    "open_history",
    "read_manifest",
    "restore_snapshot",
    "take_snapshot",
]
