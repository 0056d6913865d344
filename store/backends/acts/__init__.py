"""The acts of the contract, composed from a unit's reads and the rules of the ledger.

Each kind of write is answered with a `Draft`: what the transaction would begin and end, and what a
person is told. Nothing here writes; so a preview is the same answer, not committed. Backends share
all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.backends.acts.change import Proposal, slot_of
from store.backends.acts.draft import Draft, interval_of
from store.backends.acts.explicit import ExplicitAct
from store.backends.acts.revert import Reversal
from store.backends.acts.settle import Settlement
from store.write import Capture, Change, Confirm, Correct, End, Register, Retract, Revert, Settle

if TYPE_CHECKING:
    from store.backends.unit import Unit
    from store.contract import Scope
    from store.ids import Entropy
    from store.write import Write

__all__ = ["Draft", "Proposal", "compose", "interval_of", "slot_of"]


def compose(unit: Unit, scope: Scope, write: Write, entropy: Entropy) -> Draft:
    """Return what a write comes to in the state that a unit sees.

    Raises:
        Invalid, Refused, NotFound, Stale: as `Store.write` says.
    """
    match write:
        case Capture():
            return Proposal(unit, scope, entropy).capture(write.episode)
        case Change():
            return Proposal(unit, scope, entropy).change(write.delta, write.reason)
        case Register():
            return Proposal(unit, scope, entropy).register(write.attribute, write.reason)
        case Correct():
            return ExplicitAct(unit, scope, entropy).correct(write)
        case End():
            return ExplicitAct(unit, scope, entropy).end(write)
        case Retract():
            return ExplicitAct(unit, scope, entropy).retract(write)
        case Confirm():
            return ExplicitAct(unit, scope, entropy).confirm(write)
        case Settle():
            return Settlement(unit, scope, entropy).settle(write)
        case Revert():
            return Reversal(unit, scope, entropy).revert(write)
