"""Where the program keeps what is its own, outside of stores. Knows nothing of Qt."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

APP_NAME: Final = "memory-workbench"
HOME_VARIABLE: Final = "MEMORY_WORKBENCH_HOME"
"""Environment variable: one folder for everything that the program keeps outside stores."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Where the program keeps what is its own.

    Attributes:
        config: the settings and the layout of the window.
        log: log files and crash traces.
        data: the demo store, unless a person names another place.
    """

    config: Path
    log: Path
    data: Path

    @classmethod
    def of_user(cls) -> Folders:
        """Give the folders of the person, or those under ``$MEMORY_WORKBENCH_HOME``."""
        home = os.environ.get(HOME_VARIABLE)
        if home:
            return cls.under(Path(home))
        return cls(
            config=platformdirs.user_config_path(APP_NAME, appauthor=False),
            log=platformdirs.user_log_path(APP_NAME, appauthor=False),
            data=platformdirs.user_data_path(APP_NAME, appauthor=False),
        )

    @classmethod
    def under(cls, home: Path) -> Folders:
        """Give all folders under one; tests use this."""
        return cls(config=home / "config", log=home / "log", data=home / "data")
