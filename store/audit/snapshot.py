"""Taking an audit snapshot of a tenant's record, and counting what would be in one.

The record is read once, and told in the words of `store.audit.format`. The only clock is the
store's: the same state and arguments give the same bytes, and as of a transaction it is the same
whenever it is taken.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from store.audit.format import SIGNATURE, Form, Selection, Withhold
from store.audit.package import Package
from store.audit.walk import Question, Walk
from store.audit.words import LANGUAGES
from store.audit.writing import write_files
from store.errors import Invalid, NotFound, StoreError
from store.model import ExportDraft
from store.temporal import AsOf, iso, to_micros

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from store.audit.format import Counts, Manifest
    from store.audit.sign import SigningKey
    from store.contract import Cancel, Progress, Scope, Store
    from store.history import History

EVERYTHING: Final = Selection()
"""The whole record as it is now."""


@dataclass(frozen=True, slots=True)
class TakenSnapshot:
    """A snapshot that was written, whole and in its place.

    Attributes:
        manifest: says what is in it, and names it.
        unnoted: why the store keeps no note of it, as a sentence for a person; "" where it does.
    """

    manifest: Manifest
    unnoted: str = ""


def take_snapshot(
    store: Store,
    scope: Scope,
    out: Path,
    selection: Selection = EVERYTHING,
    *,
    form: Form = Form.ZIP,
    language: str = "en",
    with_store: bool = False,
    key: SigningKey | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> TakenSnapshot:
    """Write an audit snapshot of a tenant's record, and note it in the store if that can be.

    It is written beside `out` and put in its place at the end: if it fails or is stopped, nothing
    is left. The note comes after that and is a courtesy: where the store is open for reading, or
    another program holds it for too long, the snapshot stays, and the result says that it was not
    noted.

    Args:
        store: whose record it is.
        scope: an operator's.
        out: the directory or zip file to make.
        selection: what is in it, as of when, and what is withheld.
        form: a directory or a zip.
        language: of the report, one of `store.audit.words.LANGUAGES`.
        with_store: whether a copy of the whole store is in it.
        key: signs the manifest.
        progress: told how many of the ledger's entries are done, of how many.
        cancel: stops it.

    Raises:
        Invalid: there is something at `out`; an agent asks; or a copy of the store would tell what
            the selection leaves out.
        NotFound: the tenant has no record as of then.
        Unavailable: the files cannot be written.
        Unsupported: the store cannot tell its record, or cannot be copied.
        Cancelled: stopped on request.
    """
    if language not in LANGUAGES:
        raise Invalid(f"There is no report in {language!r}, only in {' and '.join(LANGUAGES)}.")
    if with_store:
        _refuse_to_tell_more(store, scope, selection)
    with Package(out, form, cancel=cancel) as package:
        with _asked(store, scope, selection, cancel) as (history, question):
            manifest = write_files(
                package,
                history,
                question,
                language=language,
                store=store if with_store else None,
                progress=progress,
                cancel=cancel,
            )
        if key is not None:
            package.add(SIGNATURE, key.sign(manifest))
        package.finish()
    # Only now, and whatever comes of it: what may have taken hours is not given up for a note.
    return TakenSnapshot(manifest, _noted(store, scope, manifest, out))


def count_snapshot(
    store: Store,
    scope: Scope,
    selection: Selection = EVERYTHING,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Counts:
    """Say what would be in a snapshot, by the same counting. Nothing is written.

    Raises:
        Invalid: an agent asks.
        NotFound: the tenant has no record as of then.
        Unsupported: the store cannot tell its record.
        Cancelled: stopped on request.
    """
    with _asked(store, scope, selection, cancel) as (history, question):
        return Walk(history, question, progress=progress, cancel=cancel).run()


@contextmanager
def _asked(
    store: Store, scope: Scope, selection: Selection, cancel: Cancel | None
) -> Iterator[tuple[History, Question]]:
    """Give the record as of the transaction that is meant, and the question resolved."""
    number = selection.number
    if selection.known_at is not None:
        number = store.head(scope, AsOf(known_at=selection.known_at)).number
        if not number:
            when = iso(to_micros(selection.known_at))
            raise NotFound(f"Nothing of tenant {scope.tenant_id} was recorded by {when}.")
    with store.history(scope, number, cancel=cancel) as history:
        recorded_at = history.head.recorded_at
        if recorded_at is None:
            raise NotFound(
                f"Tenant {scope.tenant_id} has no record as of then, so there is nothing to take."
            )
        window = selection.window
        yield (
            history,
            Question(
                selection,
                recorded_at=to_micros(recorded_at),
                valid_at=to_micros(selection.valid_at or recorded_at),
                window=None if window is None else (to_micros(window[0]), to_micros(window[1])),
            ),
        )


def _refuse_to_tell_more(store: Store, scope: Scope, selection: Selection) -> None:
    """Refuse a copy of a store that says more than the snapshot."""
    others = [t for t in store.tenants() if t.tenant_id != scope.tenant_id]
    if others:
        raise Invalid(
            f"A copy of the store would tell of {_counted_tenants(len(others))} as well; "
            "take the snapshot without it."
        )
    if selection.is_filtered or selection.withhold is not Withhold.NOTHING:
        raise Invalid(
            "A copy of the store would tell what the snapshot leaves out; take it without one."
        )


def _counted_tenants(number: int) -> str:
    return "another tenant" if number == 1 else f"{number:,} other tenants"


def _noted(store: Store, scope: Scope, manifest: Manifest, out: Path) -> str:
    """Note the snapshot beside the chain; return why that cannot be as a sentence, or ""."""
    draft = ExportDraft(
        tenant_id=scope.tenant_id,
        transaction=manifest.head.number,
        digest=manifest.head.digest,
        manifest=manifest.digest,
        arguments=manifest.arguments.model_dump(mode="json"),
        destination=str(out.absolute()),  # whoever reads it later is in another folder
    )
    try:
        store.note_export(scope, draft)
    except StoreError as error:
        # What comes after the first clause is on a write that failed, and to try that again.
        why = str(error).partition("; ")[0].rstrip(".")
        return f"{why}, so the store keeps no note of this snapshot; the snapshot is complete."
    return ""
