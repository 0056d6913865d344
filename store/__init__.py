"""Memory Workbench's ledger: an agent's memory as typed, schema-guided state. No Qt anywhere.

from datetime import UTC, datetime
from store import bind, open_store

with open_store("memory.db", create=True) as store:
    memory = bind(store, "acme", agent_id="support")
    now = datetime.now(UTC)
    memory.capture("e1", "I moved to Porto last week.", occurred_at=now)
    memory.change("mira", "home_city", "Porto", valid_from=now, episode="e1")
    print(memory.read("mira", "home_city"))
"""

from __future__ import annotations

from store.contract import Cancel, Capability, ChangeNotice, Scope, Store
from store.errors import (
    Cancelled,
    Corrupt,
    Invalid,
    Locked,
    NotAStore,
    NotFound,
    ReadOnly,
    Refused,
    Stale,
    StoreError,
    TooDeep,
    TooNew,
    TooOld,
    Unavailable,
    Unsupported,
)
from store.model import (
    Attribute,
    Cardinality,
    Claim,
    Conflict,
    ConflictKind,
    ConflictState,
    Episode,
    EpisodeDraft,
    EpisodeKind,
    Evidence,
    Fact,
    Head,
    Interval,
    MemoryDelta,
    Outcome,
    Plan,
    Receipt,
    Resolution,
    RowKind,
    Span,
    Transaction,
    TransactionDetail,
    Version,
    WriteKind,
)
from store.open import open_store
from store.query import FactField, FactQuery, LaneFilter, LoadReport, Order, Page
from store.scope import Memory, bind
from store.temporal import NOW, AsOf, Basis, Period, Precision, parse_instant
from store.write import (
    Capture,
    Change,
    Confirm,
    Correct,
    End,
    Register,
    Retract,
    Revert,
    Settle,
    Write,
)

__all__ = [
    "NOW",
    "AsOf",
    "Attribute",
    "Basis",
    "Cancel",
    "Cancelled",
    "Capability",
    "Capture",
    "Cardinality",
    "Change",
    "ChangeNotice",
    "Claim",
    "Confirm",
    "Conflict",
    "ConflictKind",
    "ConflictState",
    "Correct",
    "Corrupt",
    "End",
    "Episode",
    "EpisodeDraft",
    "EpisodeKind",
    "Evidence",
    "Fact",
    "FactField",
    "FactQuery",
    "Head",
    "Interval",
    "Invalid",
    "LaneFilter",
    "LoadReport",
    "Locked",
    "Memory",
    "MemoryDelta",
    "NotAStore",
    "NotFound",
    "Order",
    "Outcome",
    "Page",
    "Period",
    "Plan",
    "Precision",
    "ReadOnly",
    "Receipt",
    "Refused",
    "Register",
    "Resolution",
    "Retract",
    "Revert",
    "RowKind",
    "Scope",
    "Settle",
    "Span",
    "Stale",
    "Store",
    "StoreError",
    "TooDeep",
    "TooNew",
    "TooOld",
    "Transaction",
    "TransactionDetail",
    "Unavailable",
    "Unsupported",
    "Version",
    "Write",
    "WriteKind",
    "bind",
    "open_store",
    "parse_instant",
]
