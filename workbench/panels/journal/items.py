"""Transactions as the journal shows them, and how they are read. Nothing here knows Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from store import Page

if TYPE_CHECKING:
    from datetime import datetime

    from store.model import Head, Plan, Transaction
    from store.query import CheckReport, Cursor, TransactionPage, TransactionQuery
    from workbench.session import View

PAGE: Final = 200
"""So many transactions are read at once."""
_MOST_NEW: Final = 2000


@dataclass(frozen=True, slots=True)
class NewRows:
    """What came on top of the journal since it was read.

    Attributes:
        is_joined: they reach down to what is there; otherwise too much came, and all is read anew.
    """

    rows: tuple[Transaction, ...]
    is_joined: bool


def read_rows(view: View, query: TransactionQuery, *, after: Cursor | None) -> TransactionPage:
    """Read a page of the journal, newest first."""
    return view.store.transactions(
        view.scope, query, page=Page(PAGE, after), cancel=view.work.cancel
    )


def read_newer(view: View, query: TransactionQuery, *, newest: int) -> NewRows:
    """Read what is newer than a transaction, as long as it is not too much."""
    found: list[Transaction] = []
    after: Cursor | None = None
    while len(found) < _MOST_NEW:
        page = read_rows(view, query, after=after)
        new = [row for row in page.items if row.number > newest]
        found += new
        after = page.after
        if len(new) < len(page.items) or after is None:
            return NewRows(tuple(found), is_joined=True)
    return NewRows((), is_joined=False)


# --- the chain ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChainState:
    """What is known of the tenant's chain of digests.

    Attributes:
        head: its end, None until it was read.
        is_checking: a check is under way, with `done` of `total` looked at.
        report: of the last check, and `checked_at` when it ended, `checked_to` up to which
            transaction of this tenant.
    """

    head: Head | None = None
    is_checking: bool = False
    done: int = 0
    total: int | None = None
    report: CheckReport | None = None
    checked_at: datetime | None = None
    checked_to: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether the last check found nothing wrong."""
        return self.report is not None and self.report.is_clean


# --- the way back ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RevertDraft:
    """A revert that a person considers.

    Attributes:
        number: the transaction that would be reverted.
        plan: what would follow, None until it was asked.
        problem: why it cannot be done, a sentence of the store, or "".
        is_writing: it is being done.
    """

    number: int
    plan: Plan | None = None
    problem: str = ""
    is_writing: bool = False
