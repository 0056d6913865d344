"""The command that imports a foreign memory, and prints what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from store.contract import Scope
from store.errors import Invalid, NotFound
from store.importers import ImportReport, OnError, run_import
from store.importers.table import TableImporter, TableOptions, names, pairs
from store.importers.zeroclaw import ZeroclawImporter
from workbench.commands import arguments, opening, output
from workbench.commands.arguments import Clock, only_with, wrong
from workbench.commands.stopping import INTERRUPTED
from workbench.commands.working import work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.contract import Cancel, Progress
    from store.importers import Importer

DONE: Final = 0
FAILED: Final = 1
QUEUED: Final = 3
TABLE: Final = "table"


@dataclass(frozen=True, slots=True)
class TableWords:
    """What was typed about a table; each may have been typed several times.

    Attributes:
        columns: `--map`, such as `subject=0,value=2`.
        lookups: `--lookup`, such as `attribute=relation2id.txt`.
        many: `--many`, names of attributes or `*`.
        single: `--single`.
        open_tokens: `--open`.
        unknown_tokens: `--unknown`.
        has_header: `--header` or `--no-header`.
    """

    columns: Sequence[str] = ()
    lookups: Sequence[str] = ()
    many: Sequence[str] = ()
    single: Sequence[str] = ()
    open_tokens: Sequence[str] = ()
    unknown_tokens: Sequence[str] = ()
    end_inclusive: bool = False
    has_header: bool | None = None
    json_values: bool = False

    def options(self, clock: Clock) -> TableOptions:
        """Return the options of the importer."""
        return TableOptions(
            columns=_pairs(self.columns, "--map"),
            lookups={name: Path(file) for name, file in _pairs(self.lookups, "--lookup").items()},
            many=names(self.many),
            single=names(self.single),
            open_tokens=names(self.open_tokens),
            unknown_tokens=names(self.unknown_tokens),
            end_inclusive=self.end_inclusive,
            has_header=self.has_header,
            zone=clock.zone,
            json_values=self.json_values,
        )

    def refuse_any(self) -> None:
        """Refuse what was typed, for another kind of source."""
        typed = (
            ("--map", self.columns or None),
            ("--lookup", self.lookups or None),
            ("--many", self.many or None),
            ("--single", self.single or None),
            ("--open", self.open_tokens or None),
            ("--unknown", self.unknown_tokens or None),
            ("--end-inclusive", self.end_inclusive),
            ("--header", None if self.has_header is None else True),
            ("--json-values", self.json_values),
        )
        only_with(False, typed, "import table")


def import_source(
    kind: str,
    source: str,
    location: str,
    *,
    tenant: str,
    agent: str,
    dry_run: bool,
    on_error: str,
    table: TableWords,
    zone: str | None,
    as_json: bool,
) -> int:
    """Read a foreign memory into a tenant's, or with `dry_run` say what would come of it."""
    place = arguments.path(source, "SOURCE")
    importer = _importer(kind, place, table, Clock.of(zone))
    scope = Scope(tenant, agent)
    if not place.exists():
        raise NotFound(f"There is nothing at {source}; nothing was imported.")
    with importer:
        pass  # a source that cannot be read makes no store
    with (opening.open_for_trial if dry_run else opening.open_or_create)(location) as store:

        def run(progress: Progress, cancel: Cancel) -> ImportReport:
            return run_import(
                store,
                scope,
                importer,
                dry_run=dry_run,
                on_error=OnError(on_error),
                progress=progress,
                cancel=cancel,
            )

        report = work("Importing", run)
    _tell(report, as_json=as_json)
    return _status(report)


def _importer(kind: str, source: Path, table: TableWords, clock: Clock) -> Importer:
    if kind != TABLE:
        table.refuse_any()
        return ZeroclawImporter(source, zone=clock.zone)
    try:
        return TableImporter(source, table.options(clock))
    except Invalid as error:
        raise wrong("--map", str(error)) from error


def _pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    try:
        return pairs(texts)
    except Invalid as error:
        raise wrong(option, str(error)) from error


def _tell(report: ImportReport, *, as_json: bool) -> None:
    if as_json:
        output.emit_document(report.as_json())
    elif not report.refused:
        for sentence in report.sentences():
            output.say(output.shown(sentence, 1000))


def _status(report: ImportReport) -> int:
    if report.refused:
        output.note(report.refusal)
        return FAILED
    if report.cancelled:
        return INTERRUPTED
    return QUEUED if report.conflicts and not report.dry_run else DONE
