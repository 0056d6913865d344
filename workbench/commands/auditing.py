"""The commands that prove: snapshot, verify, head, compare, key, and the import of a snapshot."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from store.audit import sign
from store.audit.compare import Kind, Relation, Side
from store.audit.compare import compare as compare_sides
from store.audit.format import Form, Selection, Withhold
from store.audit.noted import named_tenant
from store.audit.proving import told, verdict_on
from store.audit.reading import is_snapshot, open_snapshot, read_manifest
from store.audit.restore import prove, restore_snapshot
from store.audit.snapshot import take_snapshot
from store.audit.verify import Check, Place, State
from store.contract import Scope
from store.errors import Invalid, NotFound, ReadOnly, StoreError
from store.importers import OnError
from store.temporal import from_micros
from workbench.commands import arguments, opening, output
from workbench.commands.arguments import Clock, wrong
from workbench.commands.output import counted, instant_text, period_text, shown
from workbench.commands.stopping import INTERRUPTED
from workbench.commands.working import work

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from store.audit.compare import Comparison, Difference, Statement, Told
    from store.audit.format import Manifest
    from store.audit.noted import Noted
    from store.audit.reading import SnapshotHistory
    from store.audit.restore import RestoreReport
    from store.audit.snapshot import TakenSnapshot
    from store.audit.verify import Verdict
    from store.contract import Cancel, Progress, Store
    from store.model import Head

DONE: Final = 0
FAILED: Final = 1
QUEUED: Final = 3
LONGEST_TENANT: Final = 300
"""How many characters of a tenant's name stand in the line of a head."""
_SHOWN_NAME: Final = 48
_SHOWN_VALUE: Final = 60
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_RANGE: Final = ".."


# -- snapshot -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionWords:
    """What was typed about the content of a snapshot.

    Attributes:
        window: `FROM..TO`.
    """

    subject: str | None
    attribute: str | None
    memory_type: str | None
    valid_at: str | None
    known_at: str | None
    transaction: int | None
    window: str | None
    withhold: str | None
    zone: str | None

    def selection(self) -> Selection:
        """Return what was typed as a selection."""
        clock = Clock.of(self.zone)
        if self.known_at is not None and self.transaction is not None:
            raise wrong("--transaction", "Give --known-at or --transaction, not both.")
        as_of = clock.as_of(self.valid_at, self.known_at)
        try:
            return Selection(
                subject=self.subject,
                attribute=self.attribute,
                memory_type=self.memory_type,
                valid_at=as_of.valid_at,
                known_at=as_of.known_at,
                number=self.transaction,
                window=self._window(clock),
                withhold=Withhold(self.withhold or Withhold.NOTHING),
            )
        except Invalid as error:
            raise wrong("--window" if self.window else "--subject", str(error)) from error

    def _window(self, clock: Clock) -> tuple[datetime, datetime] | None:
        if self.window is None:
            return None
        begins, dots, ends = self.window.partition(_RANGE)
        if not dots or not begins.strip() or not ends.strip():
            sentence = f"{self.window!r} is not a period; write FROM..TO, such as 2026-01..2026-07."
            raise wrong("--window", sentence)
        return clock.instant(begins, "--window"), clock.instant(ends, "--window")


def snapshot(
    location: str,
    out: str,
    *,
    tenant: str,
    words: SelectionWords,
    is_zip: bool | None,
    with_store: bool,
    language: str,
    sign_with: str | None,
    as_json: bool,
) -> int:
    """Write a snapshot, and print what names it.

    On standard error it says if the store does not note it, or nothing matches the filter. Neither
    is a failure: the snapshot is there.
    """
    selection = words.selection()
    scope = Scope(tenant)
    path = arguments.path(out, "OUT")
    if is_zip is None:
        is_zip = path.suffix.casefold() == ".zip"
    key = None if sign_with is None else sign.load_key(arguments.path(sign_with, "--sign"))
    with _open_to_note(location) as store:

        def take(progress: Progress, cancel: Cancel) -> TakenSnapshot:
            return take_snapshot(
                store,
                scope,
                path,
                selection,
                form=Form.ZIP if is_zip else Form.DIRECTORY,
                language=language,
                with_store=with_store,
                key=key,
                progress=progress,
                cancel=cancel,
            )

        taken = work("Writing", take)
    if as_json:
        output.emit_document(_snapshot_document(out, taken))
    else:
        _tell_snapshot(out, taken.manifest)
    if selection.is_filtered and not taken.manifest.counts.versions:
        output.note(f"No fact matches the filter ({_scope_words(taken.manifest)}).")
    if taken.unnoted:
        output.note(taken.unnoted)
    return DONE


def _open_to_note(location: str) -> Store:
    """Open a store to write a note of the export into, or where that cannot be, to read it."""
    try:
        return opening.open_to_write(location)
    except ReadOnly:
        return opening.open_to_read(location)


def _snapshot_document(out: str, taken: TakenSnapshot) -> dict[str, Any]:
    manifest = taken.manifest
    return {
        "snapshot": out,
        "tenant_id": manifest.tenant_id,
        "manifest": manifest.digest,
        "head": str(manifest.head),
        "entries": manifest.head.entries,
        "as_of": manifest.as_of,
        "arguments": manifest.arguments,
        "counts": manifest.counts,
        "noted": not taken.unnoted,
    }


def _tell_snapshot(out: str, manifest: Manifest) -> None:
    at, counts = manifest.as_of, manifest.counts
    facts, conflicts = counts.facts, counts.conflicts
    output.say(f"Wrote {shown(out, 400)}")
    output.say(f"  tenant    {shown(manifest.tenant_id)}")
    output.say(
        f"  as of     transaction {at.transaction:,} of {at.recorded_at}, valid at {at.valid_at}"
    )
    scope = _scope_words(manifest)
    if scope:
        output.say(f"  scope     {scope}")
    output.say(
        f"  facts     {facts.in_scope:,}: {facts.with_source:,} with a source, "
        f"{facts.with_span:,} with a span, {facts.disputed:,} disputed, "
        f"{facts.imprecise:,} imprecise"
    )
    settled = conflicts.settled_by_person + conflicts.settled_by_policy + conflicts.settled_by_agent
    output.say(
        f"  conflicts {conflicts.open:,} open, {settled:,} settled, {conflicts.stale:,} stale"
    )
    output.say(
        f"  record    {counted(counts.versions, 'version', 'versions')}, "
        f"{counted(counts.episodes.total, 'episode', 'episodes')}, "
        f"{counted(counts.transactions, 'transaction', 'transactions')}"
    )
    output.say(f"  manifest  {manifest.digest}")
    output.say(f"  head      {manifest.head}")
    output.say("Keep manifest and head elsewhere: who changes the files cannot change those.")


def _scope_words(manifest: Manifest) -> str:
    """Say what of the record is in a snapshot; "" if all of it as of one instant."""
    asked = manifest.arguments
    named = (
        ("subject", asked.subject),
        ("attribute", asked.attribute),
        ("type", asked.memory_type),
    )
    parts = [f"{name} {shown(value)}" for name, value in named if value is not None]
    if asked.window is not None:
        parts.append("facts of {} to {}".format(*asked.window))
    if asked.withhold is not Withhold.NOTHING:
        parts.append(f"{'values' if asked.withhold is Withhold.VALUES else 'contents'} withheld")
    return ", ".join(parts)


# -- verify -------------------------------------------------------------------------------------

_WORDS: Final = {
    State.PASSED: "holds",
    State.FAILED: "broken",
    State.NOT_APPLICABLE: "–",
    State.NOT_PROVED: "not proved",
}


def verify(
    location: str,
    *,
    head: str | None,
    manifest: str | None,
    against: str | None,
    key: str | None,
    as_json: bool,
) -> int:
    """Prove a snapshot, and print what was looked at and the first thing that is wrong."""
    outside = None if head is None else arguments.head(head)
    named = None if manifest is None else _digest(manifest)
    path = arguments.path(location, "SNAPSHOT")
    # What was mistyped is no fault of the snapshot, and said before the long work.
    if key is not None:
        arguments.path(key, "--key")
    expected = None if key is None else sign.public_key(key)
    if against is not None:
        arguments.path(against, "--against")
        opening.glance(against)

    def look(progress: Progress, cancel: Cancel) -> Verdict:
        noted = None if outside is None else outside.head
        return verdict_on(path, head=noted, manifest=named, progress=progress, cancel=cancel)

    verdict = work("Verifying", look)
    if head is not None:
        _name_tenants(verdict, head, path)
    more = []
    if verdict.is_good and against is not None:
        more.append(_against(path, against))
    if verdict.is_good and outside is not None and outside.signature:
        more.append(_signed_head(path, outside, expected))
    elif verdict.is_good and expected is not None:
        more.append(_signed(path, expected))
    verdict = verdict._replace(checks=(*verdict.checks, *more))
    failed = verdict.first_failure
    if as_json:
        output.emit_document(verdict.as_dict())
    else:
        _tell_verdict(verdict)
    if failed is None:
        return DONE
    output.note(f"{location} is not proved: {told(failed)}")
    return FAILED


def _name_tenants(verdict: Verdict, line: str, path: Path) -> None:
    """Say of a head that does not fit that its line names another tenant, if it does."""
    named = named_tenant(line)
    for check in verdict.checks:
        if check.name == "noted_head" and check.state is State.FAILED and named:
            ours = shown(read_manifest(path).tenant_id, LONGEST_TENANT)
            if ours != named:
                check.message = f"The head is of tenant {named}, and the snapshot of tenant {ours}."
                check.place = Place()


def _digest(text: str) -> str:
    digest = text.strip().casefold()
    if _DIGEST.fullmatch(digest) is None:
        sentence = f"{text!r} is not a SHA-256; write its 64 digits as snapshot printed them."
        raise wrong("--manifest", sentence)
    return digest


def _against(path: Path, location: str) -> Check:
    """Check that the chain of a store goes through a snapshot's head."""
    check = Check("against", "The store's chain goes through the head", "stores")
    check.looked_at = 1
    with opening.open_to_read(location) as store, open_snapshot(path) as snapshot:
        departure = _departure(store, snapshot)
    if departure:
        check.fail(f"{location} {departure}")
    return check


def _departure(store: Store, snapshot: SnapshotHistory) -> str:
    """Say how a store's chain does not go through a snapshot's head; "" if it does."""
    scope, ours = Scope(snapshot.tenant_id), snapshot.head
    newest = store.head(scope)
    if not newest.number:
        return f"has no record of tenant {scope.tenant_id}."
    common = min(newest.number, ours.number)
    first, last = _digests_at(snapshot, common)
    if store.transaction(scope, 1).transaction.digest != first:
        return (
            f"has another record of tenant {scope.tenant_id}: "
            "not even the first transaction is the same."
        )
    if store.transaction(scope, common).transaction.digest != last:
        return (
            f"has another digest of transaction {common:,} than the snapshot: "
            "one of the two was changed."
        )
    if common < ours.number:
        return (
            f"ends with transaction {common:,}, before the snapshot's {ours.number:,}: "
            "its tail was cut off, or it is an older copy."
        )
    return ""


def _digests_at(snapshot: SnapshotHistory, number: int) -> tuple[str, str]:
    """Return the digests of a snapshot's first transaction and of another one."""
    first = last = ""
    for at, digest in snapshot.digests():
        first = first or digest
        if at == number:
            last = digest
            break
    return first, last


def _signed(path: Path, expected: sign.PublicKey) -> Check:
    """Check that a snapshot is signed with a key."""
    check = Check("signed", "The manifest is signed with the key", "signatures")
    check.looked_at = 1
    try:
        sign.verify_snapshot(path, expected)
    except StoreError as error:
        check.fail(str(error))
    return check


def _signed_head(path: Path, noted: Noted, expected: sign.PublicKey | None) -> Check:
    """Check the signature on a head from a notebook."""
    check = Check("signed_head", "The head that was noted is signed", "signatures")
    check.looked_at = 1
    try:
        head = noted.head_of(read_manifest(path).tenant_id)
        found = sign.verify_head(head, noted.signature, expected)
    except StoreError as error:
        check.fail(str(error))
    else:
        if expected is None:
            check.message = f"By the key {found.fingerprint}; give --key to say whose it must be."
    return check


def _tell_verdict(verdict: Verdict) -> None:
    rows = [
        (_WORDS[check.state], shown(check.title), _amount(check.looked_at, check.unit))
        for check in verdict.checks
    ]
    output.table(("", "CHECK", "LOOKED AT"), rows)
    for check in verdict.checks:
        if check.message and check.state is not State.NOT_APPLICABLE:
            output.say(f"{shown(check.title)}: {shown(told(check), 600)}")
    for said in verdict.notes:
        output.say(shown(said, 600))
    if verdict.is_good:
        output.say(f"manifest  {shown(verdict.manifest)}")
        output.say(f"head      {shown(verdict.head)}")
        output.say("Nothing is wrong.")


def _amount(number: int, unit: str) -> str:
    """Return a number with its unit, which the verifier gives in the plural."""
    one = f"{unit[:-3]}y" if unit.endswith("ies") else unit.removesuffix("s")
    return counted(number, one, unit)


# -- head ---------------------------------------------------------------------------------------


def head(
    location: str,
    *,
    tenant: str,
    known_at: str | None,
    sign_with: str | None,
    zone: str | None,
    as_json: bool,
) -> int:
    """Print the end of a tenant's chain on one line."""
    as_of = Clock.of(zone).as_of(None, known_at)
    key = None if sign_with is None else sign.load_key(arguments.path(sign_with, "--sign"))
    with opening.open_to_read(location) as store:
        found = store.head(Scope(tenant), as_of)
    if not found.number:
        raise NotFound(f"Tenant {tenant} has no transaction there, so its chain has no head.")
    signature = None if key is None else key.sign_head(found)
    if as_json:
        output.emit_document(
            {
                "tenant_id": found.tenant_id,
                "head": str(found),
                "number": found.number,
                "digest": found.digest,
                "entries": found.entries,
                "recorded_at": found.recorded_at,
                "signature": signature,
            }
        )
    else:
        output.say(_head_line(found) + ("" if signature is None else f"  {signature}"))
    return DONE


def _head_line(it: Head) -> str:
    when = "" if it.recorded_at is None else f"  {instant_text(it.recorded_at)}"
    entries = counted(it.entries, "entry", "entries")
    return f"{shown(it.tenant_id, LONGEST_TENANT)}  {it}  {entries}{when}"


# -- compare ------------------------------------------------------------------------------------


def compare(one: str, other: str, *, tenant: str | None, limit: int, as_json: bool) -> int:
    """Print what the other side adds, ends and changes, and where the chains part.

    A side that is a snapshot is verified first. One that is not what was sealed is compared too,
    but that it was changed is said first, and the status is that of a failure.
    """
    for location, name in ((one, "A"), (other, "B")):
        arguments.path(location, name)
    tenant = tenant or _tenant_of(one, other)
    with _side(one, tenant) as first, _side(other, tenant) as second:

        def look(progress: Progress, cancel: Cancel) -> Comparison:
            return compare_sides(first, second, limit=limit, progress=progress, cancel=cancel)

        comparison = work("Comparing", look)
    if as_json:
        output.emit_document(comparison.as_json())
    else:
        _tell_comparison(comparison)
    wrong = [side for side in (comparison.one, comparison.other) if side.wrong]
    for side in wrong:
        output.note(f"{side.name} is not proved: {side.wrong}")
    return FAILED if wrong else DONE


def _tenant_of(*locations: str) -> str | None:
    """Return the tenant of the first snapshot among two sides."""
    for location in locations:
        if is_snapshot(Path(location)):
            return read_manifest(Path(location)).tenant_id
    return None


@contextmanager
def _side(location: str, tenant: str | None) -> Iterator[Side]:
    if is_snapshot(Path(location)):
        yield Side.of_snapshot(Path(location))
        return
    if tenant is None:
        raise wrong("--tenant", "Say whose ledger of the stores is meant.")
    with opening.open_to_read(location) as store:
        yield Side.of_store(store, Scope(tenant))


_RELATIONS: Final = {
    Relation.SAME: "The chains are the same.",
    Relation.ONE_IS_PREFIX: "A is a prefix of B: B goes on from A's last transaction.",
    Relation.OTHER_IS_PREFIX: "B is a prefix of A: A goes on from B's last transaction.",
    Relation.UNRELATED: "The chains have nothing in common.",
}
_SIGNS: Final = {Kind.ADDED: "+", Kind.WITHDRAWN: "-", Kind.ENDED: "|", Kind.CHANGED: "~"}


def _tell_comparison(it: Comparison) -> None:
    sides = ("A", it.one), ("B", it.other)
    for name, side in sides:
        if side.wrong:
            said = shown(side.wrong.rstrip("."), 600)
            output.say(
                f"{name} ({shown(side.name, 200)}) was changed since it was taken: {said}; "
                "what follows is what its files say."
            )
    for name, side in sides:
        output.say(f"{name}  {_side_text(side)}")
    if it.is_other_tenant:
        output.say("The sides are of different tenants.")
    if it.relation is Relation.PARTED:
        output.say(
            f"The chains part at transaction {it.parted_at:,}: the "
            f"{counted(it.common, 'transaction', 'transactions')} before it they have in common."
        )
    else:
        output.say(_RELATIONS[it.relation])
    if it.filters:
        named = ", ".join(f"{name} {shown(value)}" for name, value in it.filters.items())
        output.say(f"Only what both sides hold was compared: {named}.")
    if not it.values_compared:
        output.say("Values are withheld, so only periods were compared.")
    counts = ", ".join(f"{it.counts[kind]:,} {kind.value}" for kind in Kind)
    output.say(f"Facts: {it.counts['same']:,} the same, {counts}.")
    for difference in it.differences:
        output.say(f"  {_difference_text(difference)}")
    left = it.differing - len(it.differences)
    if left and it.differences:
        output.say(f"  and {counted(left, 'more', 'more')}")


def _side_text(it: Told) -> str:
    filters = "".join(f", {name} {shown(value)}" for name, value in it.filters.items())
    withheld = ", values withheld" if it.is_withheld else ""
    return f"{shown(it.name, 200)}: tenant {shown(it.tenant_id)}, head {it.head}{filters}{withheld}"


def _difference_text(it: Difference) -> str:
    owner = f" ({shown(it.owner, _SHOWN_NAME)})" if it.owner else ""
    name = shown(f"{it.subject} · {it.attribute}", 2 * _SHOWN_NAME) + owner
    said = " ⇒ ".join(_statement_text(side) for side in (it.before, it.after) if side is not None)
    return f"{_SIGNS[it.kind]} {it.kind.value:<9}  {name}  {said}  {shown(it.memory_id)}"


def _statement_text(it: Statement) -> str:
    value = "" if it.value is None else shown(it.value, _SHOWN_VALUE) + "  "
    ends = None if it.valid_to is None else from_micros(it.valid_to)
    more = f" in {it.stretches:,} stretches" if it.stretches > 1 else ""
    return f"{value}{period_text(from_micros(it.valid_from), ends)}{more}"


# -- key ----------------------------------------------------------------------------------------


def new_key(file: str, *, as_json: bool) -> int:
    """Make a signing key, and print its public half."""
    key = sign.new_key(arguments.path(file, "FILE"))
    if as_json:
        output.emit_document(
            {"key": file, "public": str(key.public), "fingerprint": key.public.fingerprint}
        )
    else:
        output.say(f"Made the secret key {shown(file, 400)}; keep it to yourself.")
        output.say(f"Its public half, for those who verify:  {key.public}")
    return DONE


# -- import snapshot ----------------------------------------------------------------------------


def restore(
    source: str,
    location: str,
    *,
    tenant: str | None,
    agent: str,
    dry_run: bool,
    on_error: str,
    zone: str | None,
    as_json: bool,
) -> int:
    """Take a snapshot into a store: whole if it can be, else as facts."""
    arguments.only_with(False, (("--zone", zone),), "import zeroclaw and import table")
    path = arguments.path(source, "SOURCE")
    scope = Scope(tenant or read_manifest(path).tenant_id, agent)
    # A snapshot that is not what it says makes no store.
    work("Verifying", lambda progress, cancel: prove(path, progress=progress, cancel=cancel))
    with (opening.open_for_trial if dry_run else opening.open_or_create_whole)(location) as store:

        def take_back(progress: Progress, cancel: Cancel) -> RestoreReport:
            return restore_snapshot(
                store,
                scope,
                path,
                on_error=OnError(on_error),
                dry_run=dry_run,
                is_proved=True,
                progress=progress,
                cancel=cancel,
            )

        report = work("Restoring", take_back)
    if as_json:
        output.emit_document(report.as_json())
    elif not report.refused:
        for sentence in report.sentences():
            output.say(shown(sentence, 1000))
    if report.imported is not None and report.imported.refused:
        output.note(report.imported.refusal)
        return FAILED
    if report.cancelled:
        return INTERRUPTED
    queued = report.imported.conflicts if report.imported is not None else 0
    return QUEUED if queued and not dry_run else DONE
