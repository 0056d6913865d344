"""Steps that bring an older store up to date, run by alembic.

They are in `versions`, numbered like the schema (`0001`, `0002`, …), and never edited after a
release. This package is imported only when a store is older than the code, and by the test that
holds the steps equal to what a new store is made of.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from alembic import command
from alembic.config import Config

if TYPE_CHECKING:
    import sqlalchemy

STEPS: Final = Path(__file__).parent


def upgrade(connection: sqlalchemy.Connection, revision: str = "head") -> None:
    """Run the steps that are missing, up to a revision, on a connection that is in a transaction.

    The caller begins and commits, so nothing of a failed step stays.
    """
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(STEPS))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, revision)
