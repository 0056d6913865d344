"""What a panel shows and does, as far as all panels do it alike. Knows no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.actions import Selection as SelectionKind
from workbench.messages import MessageBoard
from workbench.session import Selection

if TYPE_CHECKING:
    from datetime import datetime

    from store.model import Version
    from workbench.session import Session


class PanelPresenter(QObject):
    """Looks at a session for a panel, and reads only while the panel is in sight.

    Attributes:
        messages: what went wrong or was done.
    """

    def __init__(
        self, session: Session, parent: QObject | None = None, *, is_shown: bool = True
    ) -> None:
        super().__init__(parent)
        self.messages = MessageBoard(self)
        self._session = session
        self._is_shown = is_shown
        self._is_outdated = False

    # -- the point of view --------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether a store is open."""
        return self._session.is_open

    @property
    def is_writable(self) -> bool:
        """Whether the store takes writes."""
        return self._session.is_writable

    @property
    def known_at(self) -> datetime | None:
        """The instant with whose knowledge one looks; None for the newest."""
        return self._session.as_of.known_at

    # -- in sight -----------------------------------------------------------------------------

    def set_shown(self, is_shown: bool) -> None:
        """Read while the panel is in sight only; what was missed is read when it is seen again."""
        self._is_shown = is_shown
        if is_shown and self._is_outdated:
            self._is_outdated = False
            self._catch_up()

    def _may_read(self) -> bool:
        """Say whether anyone looks; otherwise `_catch_up` follows once someone does."""
        self._is_outdated = self._is_outdated or not self._is_shown
        return self._is_shown

    def _catch_up(self) -> None:
        """Read what was missed while the panel was out of sight."""

    # -- intents ------------------------------------------------------------------------------

    def select_version(self, version: Version) -> None:
        """Select the fact that a row of the ledger belongs to, at that row."""
        if version.memory_id is not None:
            self._session.select(Selection.of_version(version))

    def open_transaction(self, number: int) -> None:
        """Select a transaction and call the journal up."""
        self._session.select(Selection(SelectionKind.TRANSACTION, transaction=number))
        self.ask_for("panel.journal")

    def open_episode(self, episode_id: str) -> None:
        """Select an episode and call its panel up."""
        self._session.select(Selection(SelectionKind.EPISODE, episode_id=episode_id))
        self.ask_for("panel.episodes")

    def ask_for(self, action_id: str) -> None:
        """Ask the window to carry out an action."""
        self._session.attention_wanted.emit(action_id)
