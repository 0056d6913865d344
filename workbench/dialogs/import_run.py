"""Bringing a source into a store, on a worker thread: the open one or another, or as a trial."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from store.audit.restore import RestoreReport, prove, restore_snapshot
from store.importers import ImportReport, OnError, run_import
from workbench import DESK
from workbench.filling import open_to_fill, open_to_try

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from store import Scope, Store
    from store.importers import Importer
    from workbench.dialogs.import_words import Report
    from workbench.ops import Work


class Job(ABC):
    """Brings one source into stores.

    Attributes:
        source: what is read, for messages.
    """

    source: str

    def prepare(self, work: Work) -> None:
        """Look at the source before a store is opened or made for it; raise what keeps it out."""
        work.cancel.check()

    @abstractmethod
    def carry_out(
        self, store: Store, scope: Scope, work: Work, *, on_error: OnError, is_trial: bool
    ) -> Report:
        """Read the source, and write it unless this is a trial."""


class Reading(Job):
    """Reads rows and lines by an importer."""

    def __init__(self, importer: Importer) -> None:
        self._importer = importer
        self.source = importer.source

    def carry_out(
        self, store: Store, scope: Scope, work: Work, *, on_error: OnError, is_trial: bool
    ) -> ImportReport:
        return run_import(
            store,
            scope,
            self._importer,
            dry_run=is_trial,
            on_error=on_error,
            progress=work.progress,
            cancel=work.cancel,
        )


class Restoring(Job):
    """Takes a snapshot back, once it was proved."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.source = str(path)

    def prepare(self, work: Work) -> None:
        prove(self._path, progress=work.progress, cancel=work.cancel)

    def carry_out(
        self, store: Store, scope: Scope, work: Work, *, on_error: OnError, is_trial: bool
    ) -> RestoreReport:
        return restore_snapshot(
            store,
            scope,
            self._path,
            on_error=on_error,
            dry_run=is_trial,
            is_proved=True,
            progress=work.progress,
            cancel=work.cancel,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One trial or import.

    Attributes:
        target: the open store, or where another one is, or will be made.
    """

    job: Job
    target: Store | Path
    scope: Scope
    on_error: OnError
    is_trial: bool

    def __call__(self, work: Work) -> Report:
        """Carry it out."""
        self.job.prepare(work)
        with self._opened() as store:
            return self.job.carry_out(
                store, self.scope, work, on_error=self.on_error, is_trial=self.is_trial
            )

    def _opened(self) -> AbstractContextManager[Store]:
        if not isinstance(self.target, Path):
            return nullcontext(self.target)
        if self.is_trial:
            return open_to_try(self.target, tool=DESK)
        return open_to_fill(self.target, tool=DESK)
