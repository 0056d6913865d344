"""The lane of one key, read for a dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store import LaneFilter

if TYPE_CHECKING:
    from store.query import Bar, LaneKey
    from workbench.session import View


def read_bars(view: View, key: LaneKey) -> tuple[Bar, ...]:
    """Read the bars of a key as the ledger holds them now; none where it has no lane."""
    only = LaneFilter(subject=key.subject, attribute=key.attribute)
    lanes = view.store.lanes(view.scope, only, cancel=view.work.cancel)
    return next((lane.bars for lane in lanes if lane.key == key), ())
