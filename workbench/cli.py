"""The command line: every command with its options and its help.

Here is only what can be typed. What a command does is in `workbench.commands`, imported when it
runs: `--help` and `--version` import neither Qt nor SQLAlchemy nor pydantic.
"""

from __future__ import annotations

import os
import sys
import traceback
from io import TextIOWrapper
from typing import Annotated, Any, Final, Literal

import typer
from typer.core import TyperGroup

from workbench import __version__
from workbench.commands.stopping import INTERRUPTED, Terminated, taking_termination

PROGRAM: Final = "memory-workbench"
OPERATOR: Final = "operator"
"""The writer where no `--agent` is given: a person."""
LONGEST_SENTENCE: Final = 2000
PIPE_CLOSED: Final = 141
"""128 + SIGPIPE: whoever read the output wanted no more of it."""

LOOK: Final = "Look"
WRITE: Final = "Write"
SETTLE: Final = "Settle"
KEEP: Final = "Keep"
PROVE: Final = "Prove"
TABLES: Final = "Options for tables"

Kind = Literal[
    "message",
    "tool_result",
    "file",
    "ticket",
    "business_event",
    "user_confirmation",
    "operator_note",
    "imported_row",
]
Outcome = Literal["incoming", "standing", "move", "both", "merge", "defer"]
ImportKind = Literal["zeroclaw", "table", "snapshot"]
OnError = Literal["stop", "skip"]
Theme = Literal["light", "dark", "contrast"]
Language = Literal["en", "es"]
Withheld = Literal["content", "values"]
KeyAction = Literal["new"]


class _Commands(TyperGroup):
    """The commands; a reader that closes the pipe early ends them quietly."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a closed pipe is no error, and a request to end has its sentence."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            return _pipe_closed()
        except Terminated:
            _complain(f"{PROGRAM}: The work was stopped on request.")
            return INTERRUPTED


app = typer.Typer(
    name=PROGRAM,
    cls=_Commands,
    help="See, question and settle what an agent's memory holds.",
    epilog=(
        "STORE is a path or a URL such as sqlite:///memory.db. Times are ISO 8601 with an offset, "
        "or a date, month or year (its start in UTC, or in --zone). Exit status: 0 done, 1 failed "
        "or rejected, 2 wrong call, 3 a conflict was queued."
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)

StoreAt = Annotated[str, typer.Argument(metavar="STORE", help="Path or URL of the store.")]
MemoryId = Annotated[str, typer.Argument(metavar="MEMORY_ID", help="Id of the fact.")]
Tenant = Annotated[str, typer.Option(help="Whose ledger.", metavar="T")]
TenantOfId = Annotated[
    str | None,
    typer.Option(
        "--tenant", help="Whose ledger; the id names it, so this is a check.", metavar="T"
    ),
]
Agent = Annotated[str, typer.Option(help="Who writes.", metavar="A")]
Episode = Annotated[str, typer.Option("--episode", help="Id of the source episode.", metavar="ID")]
Reason = Annotated[str, typer.Option(help="Why, for the journal.", metavar="R")]
SpanOf = Annotated[
    str | None,
    typer.Option(help="Characters of the episode that say so, from 0.", metavar="START:END"),
]
Zone = Annotated[
    str | None,
    typer.Option(help="Zone of times without an offset: Europe/Madrid, +02:00.", metavar="Z"),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Subject = Annotated[str | None, typer.Option(help="Only this subject.", metavar="S")]
Attribute = Annotated[str | None, typer.Option(help="Only this attribute.", metavar="A")]
ValidAt = Annotated[str | None, typer.Option(help="When in the world; now.", metavar="T")]
KnownAt = Annotated[
    str | None, typer.Option(help="With what the ledger knew then; now.", metavar="T")
]


@app.callback()
def start(
    ctx: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where in the program an error came from.")
    ] = False,
) -> None:
    """Note what stands before the command; `--version` was answered before this is called."""
    ctx.obj["debug"] = debug and not version


@app.command("demo", rich_help_panel=LOOK)
def demo(
    folder: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="Where demo.db is; your data folder."),
    ] = None,
    *,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Make the store, and open no window.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Make (once) and open the demo store."""
    from workbench.commands import showing

    return showing.demo(folder, opens=not no_open, as_json=as_json)


@app.command("open", rich_help_panel=LOOK)
def open_window(
    store: Annotated[
        str,
        typer.Argument(
            metavar="STORE", help="Path or URL of the store, or a copied link to a view."
        ),
    ],
    *,
    tenant: Annotated[
        str | None, typer.Option(help="Whose ledger; the busiest.", metavar="T")
    ] = None,
    valid_at: ValidAt = None,
    known_at: KnownAt = None,
    screenshot: Annotated[
        str | None, typer.Option(help="Draw the window into this picture.", metavar="FILE")
    ] = None,
    size: Annotated[
        str | None, typer.Option(help="Size in pixels; 1600x900.", metavar="WIDTHxHEIGHT")
    ] = None,
    theme: Annotated[Theme | None, typer.Option(help="As in the preferences.")] = None,
    language: Annotated[Language | None, typer.Option(help="As in the preferences.")] = None,
    subject: Subject = None,
    attribute: Attribute = None,
    conflict: Annotated[
        str | None, typer.Option(help="Show this conflict for a decision.", metavar="ID")
    ] = None,
    zone: Zone = None,
    as_json: Json = False,
) -> int:
    """Open the window on a store, a snapshot or a copied link, or draw it into a picture."""
    from workbench.commands import showing

    return showing.open_window(
        store,
        tenant=tenant,
        valid_at=valid_at,
        known_at=known_at,
        screenshot=screenshot,
        size=size,
        theme=theme,
        language=language,
        subject=subject,
        attribute=attribute,
        conflict=conflict,
        zone=zone,
        as_json=as_json,
    )


@app.command("read", rich_help_panel=LOOK)
def read(
    store: StoreAt,
    *,
    tenant: Tenant,
    subject: Subject = None,
    attribute: Attribute = None,
    valid_at: ValidAt = None,
    known_at: KnownAt = None,
    history: Annotated[
        bool, typer.Option("--history", help="Every version that was ever held.")
    ] = False,
    zone: Zone = None,
    as_json: Json = False,
) -> int:
    """Print what holds, from any point on both time axes."""
    from workbench.commands import reading

    return reading.read(
        store,
        tenant=tenant,
        subject=subject,
        attribute=attribute,
        valid_at=valid_at,
        known_at=known_at,
        history=history,
        zone=zone,
        as_json=as_json,
    )


@app.command("log", rich_help_panel=LOOK)
def log(
    store: StoreAt,
    *,
    tenant: Tenant,
    subject: Subject = None,
    attribute: Attribute = None,
    limit: Annotated[int, typer.Option(min=1, help="How many transactions.", metavar="N")] = 20,
    as_json: Json = False,
) -> int:
    """Print the journal: who wrote what, when and why; newest first."""
    from workbench.commands import reading

    return reading.log(
        store, tenant=tenant, subject=subject, attribute=attribute, limit=limit, as_json=as_json
    )


@app.command("episode", rich_help_panel=WRITE)
def episode(
    store: StoreAt,
    *,
    tenant: Tenant,
    episode_id: Annotated[str, typer.Option("--id", help="Id of the episode.", metavar="ID")],
    kind: Annotated[Kind, typer.Option(help="What sort of source it is.")],
    occurred_at: Annotated[str, typer.Option(help="When it happened.", metavar="T")],
    agent: Agent = OPERATOR,
    session: Annotated[str | None, typer.Option(help="Session it came in.", metavar="S")] = None,
    content: Annotated[str | None, typer.Option(help="What it says.", metavar="TEXT")] = None,
    file: Annotated[
        str | None, typer.Option(help="File that has it; - reads standard input.", metavar="F")
    ] = None,
    zone: Zone = None,
    as_json: Json = False,
) -> int:
    """Keep a source event, from which facts can then be written."""
    from workbench.commands import writing

    return writing.capture(
        store,
        tenant=tenant,
        episode_id=episode_id,
        kind=kind,
        occurred_at=occurred_at,
        agent=agent,
        session=session,
        content=content,
        file=file,
        zone=zone,
        as_json=as_json,
    )


@app.command("write", rich_help_panel=WRITE)
def write(
    store: StoreAt,
    *,
    tenant: Tenant,
    subject: Annotated[str, typer.Option(help="Whom it is about.", metavar="S")],
    attribute: Annotated[str, typer.Option(help="Which property.", metavar="A")],
    value: Annotated[
        str, typer.Option(help="The value; a text in double quotes of its own.", metavar="JSON")
    ],
    valid_from: Annotated[str, typer.Option(help="When it begins to hold.", metavar="T")],
    episode_id: Episode,
    valid_to: Annotated[
        str | None, typer.Option(help="The end, if the source states one.", metavar="T")
    ] = None,
    span: SpanOf = None,
    confidence: Annotated[float, typer.Option(min=0, max=1, help="0 to 1.", metavar="C")] = 1.0,
    memory_type: Annotated[
        str | None,
        typer.Option("--type", help="Type of the attribute at its first fact.", metavar="M"),
    ] = None,
    agent: Agent = OPERATOR,
    reason: Annotated[str | None, typer.Option(help="Why, for the journal.", metavar="R")] = None,
    zone: Zone = None,
    as_json: Json = False,
) -> int:
    """Propose a fact; it is applied, known, corroborated, or queued as a conflict."""
    from workbench.commands import writing

    return writing.propose(
        store,
        tenant=tenant,
        subject=subject,
        attribute=attribute,
        value=value,
        valid_from=valid_from,
        valid_to=valid_to,
        episode_id=episode_id,
        span=span,
        confidence=confidence,
        memory_type=memory_type,
        agent=agent,
        reason=reason,
        zone=zone,
        as_json=as_json,
    )


@app.command("correct", rich_help_panel=WRITE)
def correct(
    store: StoreAt,
    memory_id: MemoryId,
    *,
    value: Annotated[str | None, typer.Option(help="The right value.", metavar="JSON")] = None,
    valid_from: Annotated[
        str | None, typer.Option(help="The right beginning.", metavar="T")
    ] = None,
    valid_to: Annotated[
        str | None, typer.Option(help="The right stated end, or none.", metavar="T|open")
    ] = None,
    row: Annotated[
        str | None,
        typer.Option(help="Which row is meant, where a fact has several.", metavar="VALID_FROM"),
    ] = None,
    episode_id: Episode,
    reason: Reason,
    tenant: TenantOfId = None,
    agent: Agent = OPERATOR,
    zone: Zone = None,
    as_json: Json = False,
) -> int:
    """Say that a fact was wrong from the start: its value, beginning or end."""
    from workbench.commands import writing

    return writing.correct(
        store,
        memory_id,
        tenant=tenant,
        value=value,
        valid_from=valid_from,
        valid_to=valid_to,
        row=row,
        episode_id=episode_id,
        reason=reason,
        agent=agent,
        zone=zone,
        as_json=as_json,
    )


@app.command("end", rich_help_panel=WRITE)
def end(
    store: StoreAt,
    memory_id: MemoryId,
    *,
    at: Annotated[str, typer.Option(help="When it stopped.", metavar="T")],
    episode_id: Episode,
    reason: Reason,
    tenant: TenantOfId = None,
    agent: Agent = OPERATOR,
    zone: Zone = None,
    as_json: Json = False,
) -> int:
    """Say that a fact stopped being true, and nothing followed."""
    from workbench.commands import writing

    return writing.end(
        store,
        memory_id,
        tenant=tenant,
        at=at,
        episode_id=episode_id,
        reason=reason,
        agent=agent,
        zone=zone,
        as_json=as_json,
    )


@app.command("retract", rich_help_panel=WRITE)
def retract(
    store: StoreAt,
    memory_id: MemoryId,
    *,
    gap: Annotated[
        bool, typer.Option("--gap", help="Leave a gap; else what came before flows on.")
    ] = False,
    episode_id: Episode,
    reason: Reason,
    tenant: TenantOfId = None,
    agent: Agent = OPERATOR,
    as_json: Json = False,
) -> int:
    """Say that a fact never held."""
    from workbench.commands import writing

    return writing.retract(
        store,
        memory_id,
        tenant=tenant,
        gap=gap,
        episode_id=episode_id,
        reason=reason,
        agent=agent,
        as_json=as_json,
    )


@app.command("confirm", rich_help_panel=WRITE)
def confirm(
    store: StoreAt,
    memory_id: MemoryId,
    *,
    episode_id: Episode,
    span: SpanOf = None,
    tenant: TenantOfId = None,
    agent: Agent = OPERATOR,
    as_json: Json = False,
) -> int:
    """Add an episode as evidence to a fact."""
    from workbench.commands import writing

    return writing.confirm(
        store,
        memory_id,
        tenant=tenant,
        episode_id=episode_id,
        span=span,
        agent=agent,
        as_json=as_json,
    )


@app.command("conflicts", rich_help_panel=SETTLE)
def conflicts(
    store: StoreAt,
    *,
    tenant: Tenant,
    every: Annotated[bool, typer.Option("--all", help="Settled and stale ones too.")] = False,
    as_json: Json = False,
) -> int:
    """Print the claims that cannot both hold and wait for a decision."""
    from workbench.commands import reading

    return reading.conflicts(store, tenant=tenant, every=every, as_json=as_json)


@app.command("resolve", rich_help_panel=SETTLE)
def resolve(
    store: StoreAt,
    conflict_id: Annotated[str, typer.Argument(metavar="CONFLICT_ID", help="Id of the conflict.")],
    *,
    outcome: Annotated[Outcome, typer.Option(help="What is decided.")],
    reason: Reason,
    value: Annotated[
        str | None, typer.Option(help="The merged value, for merge.", metavar="JSON")
    ] = None,
    at: Annotated[
        str | None, typer.Option(help="The real beginning, for move.", metavar="T")
    ] = None,
    to: Annotated[
        str | None, typer.Option(help="The real end, for move.", metavar="T|open")
    ] = None,
    standing: Annotated[
        bool, typer.Option("--standing", help="The standing claim moves, not the incoming one.")
    ] = False,
    claim: Annotated[
        str | None, typer.Option(help="Which claim is meant, where several wait.", metavar="ID")
    ] = None,
    qualifier: Annotated[
        str | None,
        typer.Option(help="For both: the incoming one goes under ATTRIBUTE (Q).", metavar="Q"),
    ] = None,
    tenant: TenantOfId = None,
    agent: Agent = OPERATOR,
    zone: Zone = None,
    as_json: Json = False,
) -> int:
    """Decide a conflict."""
    from workbench.commands import writing

    return writing.settle(
        store,
        conflict_id,
        tenant=tenant,
        outcome=outcome,
        value=value,
        at=at,
        to=to,
        standing=standing,
        claim=claim,
        qualifier=qualifier,
        reason=reason,
        agent=agent,
        zone=zone,
        as_json=as_json,
    )


@app.command("revert", rich_help_panel=SETTLE)
def revert(
    store: StoreAt,
    transaction: Annotated[
        int, typer.Argument(metavar="TRANSACTION", min=1, help="Number in the journal.")
    ],
    *,
    tenant: Tenant,
    reason: Reason,
    agent: Agent = OPERATOR,
    as_json: Json = False,
) -> int:
    """Undo a transaction by another one; nothing is deleted."""
    from workbench.commands import writing

    return writing.revert(
        store, transaction, tenant=tenant, reason=reason, agent=agent, as_json=as_json
    )


@app.command("check", rich_help_panel=KEEP)
def check(
    store: StoreAt,
    *,
    full: Annotated[bool, typer.Option("--full", help="Look at every row.")] = False,
    tenant: Annotated[str | None, typer.Option(help="Whose head it is.", metavar="T")] = None,
    head: Annotated[
        str | None,
        typer.Option(
            help="A head that you kept, or its line: was the chain cut since?", metavar="N:DIGEST"
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """Look for damage: integrity, invariants, the digest chain."""
    from workbench.commands import reading

    return reading.check(store, full=full, tenant=tenant, head=head, as_json=as_json)


@app.command("import", rich_help_panel=KEEP)
def import_source(
    kind: Annotated[ImportKind, typer.Argument(metavar="KIND", help="What the source is.")],
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="Folder of ZeroClaw; CSV, TSV or JSON Lines; a snapshot."
        ),
    ],
    store: StoreAt,
    *,
    tenant: Annotated[
        str | None,
        typer.Option(help="Whose ledger; for a snapshot, its own tenant's.", metavar="T"),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; say what would come of it.")
    ] = False,
    on_error: Annotated[
        OnError, typer.Option(help="What a broken row means: nothing is imported, or the rest.")
    ] = "stop",
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            rich_help_panel=TABLES,
            help="Field F is in column C, a name or a number from 0.",
            metavar="F=C,…",
        ),
    ] = None,
    lookups: Annotated[
        list[str] | None,
        typer.Option(
            "--lookup",
            rich_help_panel=TABLES,
            help="FILE has names for the ids in field F.",
            metavar="F=FILE,…",
        ),
    ] = None,
    many: Annotated[
        list[str] | None,
        typer.Option(
            rich_help_panel=TABLES,
            help="Attributes with several values at once; * for all.",
            metavar="A",
        ),
    ] = None,
    single: Annotated[
        list[str] | None,
        typer.Option(
            rich_help_panel=TABLES, help="Attributes with one value at a time.", metavar="A"
        ),
    ] = None,
    open_tokens: Annotated[
        list[str] | None,
        typer.Option(
            "--open", rich_help_panel=TABLES, help="What an end says that is open.", metavar="TOKEN"
        ),
    ] = None,
    unknown_tokens: Annotated[
        list[str] | None,
        typer.Option(
            "--unknown", rich_help_panel=TABLES, help="What an unknown time says.", metavar="TOKEN"
        ),
    ] = None,
    end_inclusive: Annotated[
        bool,
        typer.Option(
            "--end-inclusive",
            rich_help_panel=TABLES,
            help="A fact holds through the year or day it ends.",
        ),
    ] = False,
    has_header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            rich_help_panel=TABLES,
            help="Whether the first row names columns.",
        ),
    ] = None,
    json_values: Annotated[
        bool,
        typer.Option("--json-values", rich_help_panel=TABLES, help="Values are JSON, not text."),
    ] = False,
    agent: Agent = OPERATOR,
    zone: Zone = None,
    as_json: Json = False,
) -> int:
    """Read a foreign memory into a tenant's; again, and only what is new is written."""
    from workbench.commands import importing

    table = importing.TableWords(
        columns=columns or (),
        lookups=lookups or (),
        many=many or (),
        single=single or (),
        open_tokens=open_tokens or (),
        unknown_tokens=unknown_tokens or (),
        end_inclusive=end_inclusive,
        has_header=has_header,
        json_values=json_values,
    )
    if kind == "snapshot":
        from workbench.commands import auditing

        table.refuse_any()
        return auditing.restore(
            source,
            store,
            tenant=tenant,
            agent=agent,
            dry_run=dry_run,
            on_error=on_error,
            zone=zone,
            as_json=as_json,
        )
    if tenant is None:
        raise typer.BadParameter("Say whose ledger it is.", param_hint="--tenant")
    return importing.import_source(
        kind,
        source,
        store,
        tenant=tenant,
        agent=agent,
        dry_run=dry_run,
        on_error=on_error,
        table=table,
        zone=zone,
        as_json=as_json,
    )


# -- proving ------------------------------------------------------------------------------------


@app.command("snapshot", rich_help_panel=PROVE)
def snapshot(
    store: StoreAt,
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="Where to: a zip if it ends so, else a directory.")
    ],
    *,
    tenant: Tenant,
    subject: Subject = None,
    attribute: Attribute = None,
    memory_type: Annotated[
        str | None, typer.Option("--type", help="Only attributes of this type.", metavar="M")
    ] = None,
    valid_at: Annotated[
        str | None,
        typer.Option(help="When in the world; when the transaction was recorded.", metavar="T"),
    ] = None,
    known_at: KnownAt = None,
    transaction: Annotated[
        int | None, typer.Option(min=1, help="As of this transaction; the newest.", metavar="N")
    ] = None,
    window: Annotated[
        str | None,
        typer.Option(help="Every fact that touches this period.", metavar="FROM..TO"),
    ] = None,
    withhold: Annotated[
        Withheld | None,
        typer.Option(help="Only digests of contents of episodes, or of values and contents."),
    ] = None,
    is_zip: Annotated[
        bool | None, typer.Option("--zip/--dir", help="A zip file, or a directory.")
    ] = None,
    with_store: Annotated[
        bool, typer.Option("--with-store", help="Add a copy of the store.")
    ] = False,
    language: Annotated[Language, typer.Option("--lang", help="Of the report.")] = "en",
    sign: Annotated[
        str | None, typer.Option(help="Sign with this key (Ed25519).", metavar="KEY")
    ] = None,
    zone: Zone = None,
    as_json: Json = False,
) -> int:
    """Write the record down for a stranger to check: data, report and verifier."""
    from workbench.commands import auditing

    words = auditing.SelectionWords(
        subject=subject,
        attribute=attribute,
        memory_type=memory_type,
        valid_at=valid_at,
        known_at=known_at,
        transaction=transaction,
        window=window,
        withhold=withhold,
        zone=zone,
    )
    return auditing.snapshot(
        store,
        out,
        tenant=tenant,
        words=words,
        is_zip=is_zip,
        with_store=with_store,
        language=language,
        sign_with=sign,
        as_json=as_json,
    )


@app.command("verify", rich_help_panel=PROVE)
def verify(
    snapshot: Annotated[
        str, typer.Argument(metavar="SNAPSHOT", help="A snapshot: directory or zip.")
    ],
    *,
    head: Annotated[
        str | None,
        typer.Option(help="A head that you kept elsewhere, or its line.", metavar="N:DIGEST"),
    ] = None,
    manifest: Annotated[
        str | None,
        typer.Option(help="The manifest's digest that you kept elsewhere.", metavar="SHA256"),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(help="Is its chain still in this store?", metavar="STORE"),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help="Is it signed with this public key? The key, or its file.", metavar="KEY"
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """Prove a snapshot, or name the first thing that is wrong with it."""
    from workbench.commands import auditing

    return auditing.verify(
        snapshot, head=head, manifest=manifest, against=against, key=key, as_json=as_json
    )


@app.command("head", rich_help_panel=PROVE)
def head(
    store: StoreAt,
    *,
    tenant: Tenant,
    known_at: KnownAt = None,
    sign: Annotated[
        str | None, typer.Option(help="Sign it with this key (Ed25519).", metavar="KEY")
    ] = None,
    zone: Zone = None,
    as_json: Json = False,
) -> int:
    """Print the end of the chain on one line, for a notebook."""
    from workbench.commands import auditing

    return auditing.head(
        store, tenant=tenant, known_at=known_at, sign_with=sign, zone=zone, as_json=as_json
    )


@app.command("compare", rich_help_panel=PROVE)
def compare(
    one: Annotated[str, typer.Argument(metavar="A", help="A snapshot or a store.")],
    other: Annotated[str, typer.Argument(metavar="B", help="The one told against it.")],
    *,
    tenant: Annotated[
        str | None, typer.Option(help="Of a store; the snapshot's tenant.", metavar="T")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="How many facts to name.", metavar="N")] = 100,
    as_json: Json = False,
) -> int:
    """Say what B adds, ends and changes, and where the chains part; snapshots are proved first."""
    from workbench.commands import auditing

    return auditing.compare(one, other, tenant=tenant, limit=limit, as_json=as_json)


@app.command("key", rich_help_panel=PROVE)
def key(
    action: Annotated[KeyAction, typer.Argument(metavar="new", help="Make a key.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where the secret key goes.")],
    *,
    as_json: Json = False,
) -> int:
    """Make a key (Ed25519) to sign snapshots and heads with."""
    from workbench.commands import auditing

    return auditing.new_key(file, as_json=as_json)


# -- running ------------------------------------------------------------------------------------


def run(arguments: list[str]) -> int:
    """Run a command and return its exit status; an error becomes one sentence."""
    with taking_termination() as termination:
        return termination.status(_run(arguments))


def _run(arguments: list[str]) -> int:
    _prepare_streams(as_json="--json" in arguments)
    chosen = {"debug": False}
    command = typer.main.get_command(app)
    try:
        if _told_about(command, arguments):
            sys.stdout.flush()
            return 0
        status = command.main(arguments, prog_name=PROGRAM, standalone_mode=False, obj=chosen)
        sys.stdout.flush()
    except typer.TyperException as error:
        return _wrong_call(error)
    except BrokenPipeError:
        return _pipe_closed()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if chosen["debug"]:
            traceback.print_exc()
        return _failed(error)
    return int(status or 0)


def _told_about(command: Any, arguments: list[str]) -> bool:
    """Print the help or the version if that is asked for, and say whether it was.

    Typer reads every option, even a flag, through pydantic, which takes longer to import than all
    else; its parser alone tells enough, also whether `--help` is the value of another option.
    """
    context = typer.Context(
        command, info_name=PROGRAM, resilient_parsing=True, **command.context_settings
    )
    asked, words, _order = command.make_parser(context).parse_args(list(arguments))
    if "version" in asked:
        typer.echo(f"{PROGRAM} {__version__}")
        return True
    if "help" not in asked and arguments:
        if not words:
            return False  # an option that is not known, or a command that is missing
        command = command.get_command(context, words[0])
        if command is None:
            return False
        context = typer.Context(command, context, words[0], resilient_parsing=True)
        asked, _words, _order = command.make_parser(context).parse_args(words[1:])
        if "help" not in asked:
            return False
    typer.echo(command.get_help(context), nl=False)  # drawn already where rich draws it
    return True


def _prepare_streams(*, as_json: bool) -> None:
    """Print JSON in UTF-8 (RFC 8259), and never fail on letters that a terminal cannot show."""
    if as_json and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _wrong_call(error: typer.TyperException) -> int:
    context = getattr(error, "ctx", None)
    path = PROGRAM if context is None else context.command_path
    said = " ".join(error.format_message().replace("Value error, ", "").split())
    _complain(f"{path}: {said.rstrip('.')}. See {path} --help.")
    return error.exit_code


def _failed(error: Exception) -> int:
    from workbench.commands.failure import explain

    status, sentence = explain(error)
    _complain(f"{PROGRAM}: {sentence}")
    return status


def _complain(sentence: str) -> None:
    from store.encoding import visible

    cut = sentence if len(sentence) <= LONGEST_SENTENCE else f"{sentence[:LONGEST_SENTENCE]}…"
    sys.stderr.write(visible(cut) + "\n")


def _pipe_closed() -> int:
    # What is still buffered would fail again, and loudly, when Python leaves.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return PIPE_CLOSED
