"""The commands that look: read, log, conflicts, check."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from store.contract import Scope
from store.encoding import SIGNS, state_of
from store.model import SGAM_FIELDS, ConflictState
from store.query import FactQuery, Mark, Page, TransactionQuery
from store.temporal import to_micros
from workbench.commands import arguments, opening, output
from workbench.commands.arguments import Clock
from workbench.commands.history import LARGEST_PAGE, all_facts, all_versions
from workbench.commands.output import counted, instant_text, period_text, shown, value_text
from workbench.commands.stretches import tell_stretches
from workbench.commands.working import work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.contract import Cancel, Progress, Store
    from store.model import Claim, Conflict, Evidence, Fact, TransactionDetail
    from store.query import CheckReport
    from store.temporal import AsOf

DONE: Final = 0
FAILED: Final = 1
_MORE_FIELDS: Final = ("recorded_at", "superseded_at", "disputed", "agent_id", "owner")
_COLUMNS: Final = ("", "SUBJECT", "ATTRIBUTE", "VALUE", "VALID", "SOURCE", "FACT")
_HISTORY_COLUMNS: Final = (*_COLUMNS[:5], "BELIEVED", *_COLUMNS[5:])
_HEADING: Final = 4
NO_LONGER_BELIEVED: Final = "×"
_SHOWN_VALUE: Final = 60
_SHOWN_NAME: Final = 48
_DIGEST_SHOWN: Final = 12


# -- read ---------------------------------------------------------------------------------------


def read(
    location: str,
    *,
    tenant: str,
    subject: str | None,
    attribute: str | None,
    valid_at: str | None,
    known_at: str | None,
    history: bool,
    zone: str | None,
    as_json: bool,
) -> int:
    """Print the facts that hold, or with `history` every version that was ever held."""
    as_of = Clock.of(zone).as_of(valid_at, known_at)
    scope = Scope(tenant)
    with opening.open_to_read(location) as store:
        if history:
            facts = all_versions(store, scope, subject=subject, attribute=attribute, as_of=as_of)
        else:
            facts = all_facts(store, scope, FactQuery(subject, attribute), as_of)
        if as_json:
            for fact in facts:
                output.emit_line(_fact_document(fact))
        else:
            _tell_facts(list(facts), as_of, history=history)
    return DONE


def _fact_document(fact: Fact) -> dict[str, Any]:
    names = (*SGAM_FIELDS, *_MORE_FIELDS)
    document = {name: getattr(fact, name) for name in names}
    document["evidence"] = [_link_document(link) for link in fact.evidence]
    return document


def _link_document(link: Evidence) -> dict[str, Any]:
    return {"episode_id": link.episode_id, "span": link.span}


def _tell_facts(facts: list[Fact], as_of: AsOf, *, history: bool) -> None:
    if not facts:
        output.say("Nothing is known there." if history else "Nothing holds there.")
        return
    at = to_micros(as_of.valid_at or datetime.now(UTC))
    columns = _HISTORY_COLUMNS if history else _COLUMNS
    rows = [_cells(fact, at, history=history) for fact in facts]
    output.table(columns, rows, heading=_HEADING)
    if any(fact.disputed for fact in facts):
        output.say("◆ disputed: see the command conflicts")
    if any(fact.superseded_at for fact in facts):
        output.say("× no longer believed")


def _cells(fact: Fact, at: int, *, history: bool) -> tuple[str, ...]:
    ends = None if fact.valid_to is None else to_micros(fact.valid_to)
    marks = Mark.DISPUTED if fact.disputed else Mark(0)
    sign = SIGNS[state_of(to_micros(fact.valid_from), ends, marks=marks, at=at)]
    if fact.superseded_at is not None:
        sign = NO_LONGER_BELIEVED
    owner = f" ({shown(fact.owner, _SHOWN_NAME)})" if fact.owner else ""
    first = (
        sign,
        shown(fact.subject, _SHOWN_NAME) + owner,
        shown(fact.attribute, _SHOWN_NAME),
        value_text(fact.value, _SHOWN_VALUE),
        period_text(fact.valid_from, fact.valid_to),
    )
    believed = (
        (period_text(fact.recorded_at, fact.superseded_at, endless="now"),) if history else ()
    )
    more = len(fact.evidence) - 1
    source = shown(fact.source_episode_id, _SHOWN_NAME) + (f" +{more}" if more > 0 else "")
    return (*first, *believed, source, shown(fact.memory_id))


# -- log ----------------------------------------------------------------------------------------


def log(
    location: str,
    *,
    tenant: str,
    subject: str | None,
    attribute: str | None,
    limit: int,
    as_json: bool,
) -> int:
    """Print the journal, newest transaction first."""
    scope = Scope(tenant)
    query = TransactionQuery(subject=subject, attribute=attribute)
    is_empty = True
    with opening.open_to_read(location) as store:
        for detail in _journal(store, scope, query, limit):
            is_empty = False
            if as_json:
                output.emit_line(_transaction_document(detail))
            else:
                _tell_transaction(detail)
    if is_empty and not as_json:
        output.say("No transaction is recorded there.")
    return DONE


def _journal(
    store: Store, scope: Scope, query: TransactionQuery, limit: int
) -> Iterator[TransactionDetail]:
    after = None
    while limit > 0:
        page = Page(min(limit, LARGEST_PAGE), after)
        found = store.transactions(scope, query, page=page)
        for transaction in found.items:
            yield store.transaction(scope, transaction.number)
        limit -= len(found.items)
        after = found.after
        if after is None:
            return


def _transaction_document(detail: TransactionDetail) -> dict[str, Any]:
    document: dict[str, Any] = output.plain(detail.transaction)
    return document | {
        "episodes": detail.episodes,
        "conflicts": detail.conflicts,
        "plan": {"closed": detail.before, "inserted": detail.after},
        "truncated": detail.truncated,
        "reverted_by": detail.reverted_by,
    }


def _tell_transaction(detail: TransactionDetail) -> None:
    it = detail.transaction
    who = f"{shown(it.actor, _SHOWN_NAME)} with {shown(it.tool, _SHOWN_NAME)}"
    undone = f", reverted by {detail.reverted_by}" if detail.reverted_by else ""
    when = instant_text(it.recorded_at)
    output.say(f"{it.number}  {when}  {it.kind.value}  by {who}{undone}")
    if it.reason:
        output.say(f"  “{shown(it.reason)}”")
    _tell_names("captured", detail.episodes)
    _tell_names("registered", tuple(attribute.name for attribute in detail.attributes))
    _tell_names("conflict", detail.conflicts)
    _tell_names("supported by", tuple(link.episode_id for link in detail.evidence))
    tell_stretches("-", detail.before)
    tell_stretches("+", detail.after)
    output.say(f"  {it.digest[:_DIGEST_SHOWN]}…")
    output.say()


def _tell_names(words: str, names: tuple[str, ...]) -> None:
    some = 8
    if names:
        listed = ", ".join(shown(name, _SHOWN_NAME) for name in names[:some])
        more = f" and {len(names) - some:,} more" if len(names) > some else ""
        output.say(f"  {words} {listed}{more}")


# -- conflicts ----------------------------------------------------------------------------------


def conflicts(location: str, *, tenant: str, every: bool, as_json: bool) -> int:
    """Print the open conflicts, oldest first; with `every` the settled and stale ones too."""
    scope = Scope(tenant)
    state = None if every else ConflictState.OPEN
    is_empty = True
    with opening.open_to_read(location) as store:
        for conflict in _conflicts(store, scope, state):
            is_empty = False
            if as_json:
                output.emit_line(conflict)
            else:
                _tell_conflict(conflict)
    if is_empty and not as_json:
        output.say("There is no conflict." if every else "No conflict is open.")
    return DONE


def _conflicts(store: Store, scope: Scope, state: ConflictState | None) -> Iterator[Conflict]:
    after = None
    while True:
        found = store.conflicts(scope, state, page=Page(LARGEST_PAGE, after))
        yield from found.items
        after = found.after
        if after is None:
            return


def _tell_conflict(it: Conflict) -> None:
    name = shown(f"{it.subject} · {it.attribute}", 2 * _SHOWN_NAME)
    owner = f" ({shown(it.owner, _SHOWN_NAME)})" if it.owner else ""
    period = period_text(it.contested_from, it.contested_to)
    output.say(f"{shown(it.conflict_id)}  {it.kind.value}  {it.state.value}")
    output.say(f"  {name}{owner}  {period}")
    _tell_claim("standing", it.standing)
    for claim in it.incoming:
        _tell_claim("incoming", claim)
    if len(it.incoming) > 1:
        ids = ", ".join(shown(claim.claim_id) for claim in it.incoming)
        output.say(f"  claims    {ids}")
    if it.resolution is not None:
        by = shown(it.settled_by or "", _SHOWN_NAME)
        when = "" if it.settled_at is None else f" at {instant_text(it.settled_at)}"
        output.say(f"  settled   {it.resolution.value}, by {by}{when}: {shown(it.reason or '')}")
    output.say()


def _tell_claim(side: str, claim: Claim) -> None:
    value = value_text(claim.value, _SHOWN_VALUE)
    period = period_text(claim.valid_from, claim.until)
    source = shown(claim.source_episode_id, _SHOWN_NAME)
    agent = shown(claim.agent_id, _SHOWN_NAME)
    output.say(
        f"  {side}  {value}  {period}  from {source}, by {agent}, confidence {claim.confidence:g}"
    )


# -- check --------------------------------------------------------------------------------------


def check(location: str, *, full: bool, tenant: str | None, head: str | None, as_json: bool) -> int:
    """Look for damage, and print what was looked at and found."""
    if (tenant is None) != (head is None):
        raise arguments.wrong("--head", "A head is one tenant's: give --tenant and --head.")
    outside = None if head is None or tenant is None else arguments.head(head).head_of(tenant)
    with opening.open_to_read(location) as store:

        def look(progress: Progress, cancel: Cancel) -> CheckReport:
            return store.check(full=full, head=outside, progress=progress, cancel=cancel)

        report = work("Checking", look)
    if as_json:
        output.emit_document(_check_document(report))
    else:
        _tell_check(report)
    if report.is_clean:
        return DONE
    found = counted(len(report.findings), "finding", "findings")
    output.note(f"{location} is damaged: the check has {found}.")
    return FAILED


def _check_document(report: CheckReport) -> dict[str, Any]:
    return {
        "clean": report.is_clean,
        "full": report.full,
        "rules": [{"rule": rule, "looked_at": count} for rule, count in report.rules],
        "findings": [finding._asdict() for finding in report.findings],
        "heads": [
            {"tenant_id": tenant, "head": head}
            for tenant, _, head in (text.rpartition(": ") for text in report.heads)
        ],
    }


def _tell_check(report: CheckReport) -> None:
    broken = {finding.rule for finding in report.findings}
    rows = []
    for rule, count in report.rules:
        state = "broken" if rule in broken else "holds" if count else "–"
        rows.append((state, shown(rule), f"{count:,}"))
    output.table(("", "RULE", "LOOKED AT"), rows)
    for finding in report.findings:
        where = shown(finding.where, 3 * _SHOWN_NAME)
        output.say(f"{shown(finding.rule)}: {where}: {shown(finding.sentence)}")
    for head in report.heads:
        output.say(f"head of {shown(head, 400)}")
    if report.is_clean:
        output.say("Nothing is wrong." if report.full else "Nothing is wrong; --full looks at all.")
