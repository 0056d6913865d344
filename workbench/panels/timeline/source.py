"""The timeline's lanes from a store, read and packed off the GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from workbench.ops import ReadOp
from workbench.panels.timeline.items import LanePage, pack_lanes
from workbench.panels.timeline.presenter import LaneSource, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QObject

    from store.contract import Scope, Store
    from store.query import Density, SubjectLanes
    from workbench.ops import Operations, Work

AREA: Final = "timeline"
"""The area of operations under which the timeline reads."""


class StoreSource(LaneSource):
    """Reads a store within a scope by `Operations`.

    Args:
        ops: runs the reads; they stand under the area `AREA`.
        store: what is read.
        scope: whose memory, seen by whom.
        owner: answers are dropped when it is gone; the presenter, as a rule.
    """

    def __init__(self, ops: Operations, store: Store, scope: Scope, owner: QObject) -> None:
        self._ops = ops
        self._store = store
        self._scope = scope
        self._owner = owner

    def outline(
        self,
        question: Question,
        *,
        done: Callable[[Sequence[SubjectLanes]], None],
        failed: Callable[[str], None],
    ) -> None:
        """Read the outline."""

        def run(work: Work) -> Sequence[SubjectLanes]:
            return self._store.lane_outline(
                self._scope, question.lanes, as_of=question.as_of, cancel=work.cancel
            )

        self._read("outline", run, done, failed)

    def lanes(
        self,
        question: Question,
        *,
        first: int,
        count: int,
        done: Callable[[LanePage], None],
        failed: Callable[[str], None],
    ) -> None:
        """Read lanes and pack them on the reading thread."""

        def run(work: Work) -> LanePage:
            lanes = self._store.lanes(
                self._scope,
                question.lanes,
                as_of=question.as_of,
                first=first,
                count=count,
                cancel=work.cancel,
            )
            return pack_lanes(first, lanes)

        self._read(f"lanes {first}", run, done, failed)

    def density(
        self,
        question: Question,
        *,
        buckets: int,
        done: Callable[[Density], None],
        failed: Callable[[str], None],
    ) -> None:
        """Read the density."""

        def run(work: Work) -> Density:
            return self._store.density(
                self._scope,
                question.lanes,
                as_of=question.as_of,
                buckets=buckets,
                cancel=work.cancel,
            )

        self._read("density", run, done, failed)

    def cancel(self) -> None:
        """Stop the reads of this area and forget their answers."""
        self._ops.forget_area(AREA)

    def _read(
        self,
        name: str,
        run: Callable[[Work], Any],
        done: Callable[[Any], None],
        failed: Callable[[str], None],
    ) -> None:
        self._ops.read(
            ReadOp((AREA, name), run),
            on_done=done,
            on_failed=lambda error: failed(str(error)),
            owner=self._owner,
        )
