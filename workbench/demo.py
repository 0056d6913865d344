"""The demo store: the bundled sample data, replayed through the contract of a store.

The samples are text: one Markdown file per episode, and `acts.jsonl`, which says what was recorded
of them, in order. The replay takes its clock from the acts, so that the demo's transaction time
lies where its stories are, from March to November 2026.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from store.contract import Cancel, Progress, Scope, Store
from store.errors import Invalid
from store.model import (
    KEEP,
    OPERATOR,
    SHARED,
    Attribute,
    Cardinality,
    EpisodeDraft,
    EpisodeKind,
    MemoryDelta,
    Outcome,
    Receipt,
    Resolution,
    Span,
)
from store.temporal import Basis, Precision
from store.write import (
    Capture,
    Change,
    Confirm,
    Correct,
    End,
    Register,
    Retract,
    Revert,
    Settle,
    Write,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

DEMO_BEGINS: Final = datetime(2026, 3, 2, 7, 30, tzinfo=UTC)
"""When the demo's first transaction is recorded."""
_FENCE: Final = "---\n"


class _Sample(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SampleEpisode(_Sample):
    """An episode as its Markdown file gives it: the fields between the fences, and the content."""

    id: str
    tenant: str
    agent: str
    kind: EpisodeKind
    occurred_at: AwareDatetime
    recorded_at: AwareDatetime
    session: str | None = None
    author: str | None = None
    channel: str | None = None
    file: str | None = None
    content: str

    def draft(self) -> EpisodeDraft:
        """Return what a store captures."""
        metadata = {"author": self.author, "channel": self.channel, "file": self.file}
        return EpisodeDraft(
            episode_id=self.id,
            kind=self.kind,
            content=self.content,
            occurred_at=self.occurred_at,
            agent_id=self.agent,
            session_id=self.session,
            metadata={name: text for name, text in metadata.items() if text is not None},
        )

    def span_of(self, quote: str | None) -> Span | None:
        """Return the characters of a quote; None without a quote.

        Raises:
            Invalid: the content does not hold the quote exactly once.
        """
        if quote is None:
            return None
        if self.content.count(quote) != 1:
            raise Invalid(f"The sample episode {self.id} does not say {quote!r} exactly once.")
        start = self.content.index(quote)
        return Span(start=start, end=start + len(quote))


class _Act(_Sample):
    recorded_at: AwareDatetime
    tenant: str
    agent: str = OPERATOR


class CaptureAct(_Act):
    """An episode is captured, by the agent that observed it."""

    act: Literal["capture"]
    episode: str


class RegisterAct(_Act):
    """An attribute enters the registry."""

    act: Literal["register"]
    attribute: str
    memory_type: str
    cardinality: Cardinality
    sensitive: bool
    retention_policy: str = KEEP


class _SourcedAct(_Act):
    episode: str
    quote: str | None = None


class ChangeAct(_SourcedAct):
    """A fact is proposed; `ref` is the name by which later acts mean it or its conflict."""

    act: Literal["change"]
    subject: str
    attribute: str
    value: Any
    valid_from: AwareDatetime
    until: AwareDatetime | None = None
    confidence: float = 1.0
    owner: str = SHARED
    basis: Basis = Basis.STATED
    precision: Precision = Precision.INSTANT
    stated_as: str | None = None
    memory_type: str | None = None
    ref: str | None = None
    expect: Outcome = Outcome.APPLIED


class CorrectAct(_SourcedAct):
    """A fact is set right from its start; the fields that are given are the right ones."""

    act: Literal["correct"]
    fact: str
    reason: str
    value: Any = None
    valid_from: AwareDatetime | None = None
    until: AwareDatetime | None = None


class EndAct(_SourcedAct):
    """A fact stopped being true."""

    act: Literal["end"]
    fact: str
    at: AwareDatetime
    reason: str


class RetractAct(_SourcedAct):
    """A fact never held."""

    act: Literal["retract"]
    fact: str
    gap: bool
    reason: str


class ConfirmAct(_SourcedAct):
    """A fact is confirmed by a further episode."""

    act: Literal["confirm"]
    fact: str


class SettleAct(_SourcedAct):
    """A conflict is decided; `conflict` is the ref of a claim that waits in it."""

    act: Literal["settle"]
    conflict: str
    outcome: Resolution
    reason: str
    value: Any = None


class RevertAct(_SourcedAct):
    """The transaction of an earlier act is undone."""

    act: Literal["revert"]
    target: str
    reason: str


SampleAct = Annotated[
    CaptureAct
    | RegisterAct
    | ChangeAct
    | CorrectAct
    | EndAct
    | RetractAct
    | ConfirmAct
    | SettleAct
    | RevertAct,
    Field(discriminator="act"),
]
"""Anything that `acts.jsonl` may say."""

_ACT: Final[TypeAdapter[SampleAct]] = TypeAdapter(SampleAct)


def read_episodes(samples: Path) -> dict[tuple[str, str], SampleEpisode]:
    """Read the episodes of a sample folder, by tenant and id, in the order of their files.

    Raises:
        Invalid: a file has no front matter, a field is wrong, or an id comes twice.
    """
    found: dict[tuple[str, str], SampleEpisode] = {}
    for path in sorted((samples / "episodes").glob("*/*.md")):
        episode = _read_episode(path)
        if (episode.tenant, episode.id) in found:
            raise Invalid(f"The sample {path} repeats the episode {episode.id}.")
        found[episode.tenant, episode.id] = episode
    return found


def _read_episode(path: Path) -> SampleEpisode:
    text = path.read_text(encoding="utf-8")
    opening, fields, content = text.split(_FENCE, 2) if text.count(_FENCE) > 1 else ("?", "", "")
    if opening:
        raise Invalid(f"The sample {path} has no front matter between two lines of dashes.")
    pairs = (line.partition(": ") for line in fields.splitlines())
    try:
        return SampleEpisode.model_validate(
            {name: value for name, _, value in pairs} | {"content": content.removesuffix("\n")}
        )
    except ValidationError as error:
        raise Invalid(f"The sample {path} is not an episode: {error}.") from error


def read_acts(samples: Path) -> list[SampleAct]:
    """Read the acts of a sample folder, in the order in which they are recorded.

    Raises:
        Invalid: a line is not an act; the message names the line.
    """
    path = samples / "acts.jsonl"
    acts: list[SampleAct] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            acts.append(_ACT.validate_json(line))
        except ValidationError as error:
            raise Invalid(f"Line {number} of {path} is not an act: {error}.") from error
    return acts


class DemoClock:
    """The clock to open the demo's store with: first the stories' time, then the real one.

    It stands at `DEMO_BEGINS`, then wherever the replay sets it, until it is released.
    """

    def __init__(self) -> None:
        self._stands_at: datetime | None = DEMO_BEGINS

    def set(self, instant: datetime) -> None:
        """Stand at an instant."""
        self._stands_at = instant

    def release(self) -> None:
        """Tell the real time from now on."""
        self._stands_at = None

    def __call__(self) -> datetime:
        """Return the time, aware, in UTC."""
        return datetime.now(UTC) if self._stands_at is None else self._stands_at


@dataclass(frozen=True, slots=True)
class DemoReport:
    """What a replay did.

    Attributes:
        acts: how many acts were carried out.
        episodes: how many of them captured an episode.
        outcomes: how many facts were proposed with each outcome.
        conflicts: refs of claims that wait in an open conflict, with the conflict's id.
    """

    acts: int
    episodes: int
    outcomes: Mapping[Outcome, int]
    conflicts: Mapping[str, str]


def make_demo(
    store: Store,
    *,
    clock: DemoClock,
    samples: Path,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> DemoReport:
    """Fill an empty store with the sample data.

    Args:
        store: an empty store that was opened with `clock`.
        clock: is set to each act's `recorded_at` in turn, and released at the end.
        samples: the folder of the sample data.
        progress: told how many of the acts are done.
        cancel: stops between two acts; what was written stays, and is no demo.

    Raises:
        Invalid: the store holds something already, or the sample data are broken.
        Cancelled: on request.
        StoreError: whatever the store itself raises.
    """
    if store.tenants():
        raise Invalid(f"{store.url} is not empty; the demo is made in a new store only.")
    replay = _Replay(store, read_episodes(samples))
    acts = read_acts(samples)
    try:
        for done, act in enumerate(acts):
            if cancel is not None:
                cancel.check()
            if progress is not None:
                progress(done, len(acts))
            clock.set(act.recorded_at)
            replay.carry_out(act)
    finally:
        clock.release()
    if progress is not None:
        progress(len(acts), len(acts))
    captured = sum(isinstance(act, CaptureAct) for act in acts)
    return DemoReport(len(acts), captured, replay.outcomes, replay.waiting)


class _Replay:
    """Carries out acts and remembers by their refs what became of them."""

    def __init__(self, store: Store, episodes: Mapping[tuple[str, str], SampleEpisode]) -> None:
        self.store = store
        self.episodes = episodes
        self.outcomes: Counter[Outcome] = Counter()
        self.waiting: dict[str, str] = {}
        self._receipts: dict[str, Receipt] = {}

    def carry_out(self, act: SampleAct) -> None:
        """Write one act into the store."""
        receipt = self.store.write(self._scope(act), self._write(act))
        if isinstance(act, ChangeAct):
            self._note(act, receipt)
        elif isinstance(act, SettleAct):
            del self.waiting[act.conflict]

    def _note(self, act: ChangeAct, receipt: Receipt) -> None:
        if receipt.outcome is not act.expect:
            raise Invalid(
                f"The sample about {act.subject}'s {act.attribute} from {act.episode} was to be "
                f"{act.expect} and is {receipt.outcome}: {receipt.plan.reason}"
            )
        self.outcomes[receipt.outcome] += 1
        if act.ref is None:
            return
        self._receipts[act.ref] = receipt
        if receipt.conflict_id is not None:
            self.waiting[act.ref] = receipt.conflict_id

    def _scope(self, act: SampleAct) -> Scope:
        if isinstance(act, CaptureAct):
            return Scope(act.tenant, self.episodes[act.tenant, act.episode].agent)
        return Scope(act.tenant, act.agent)

    def _write(self, act: SampleAct) -> Write:
        match act:
            case CaptureAct():
                return Capture(episode=self.episodes[act.tenant, act.episode].draft())
            case RegisterAct():
                return Register(attribute=_attribute(act))
            case ChangeAct():
                return Change(delta=self._delta(act))
            case CorrectAct():
                given = act.model_fields_set & {"value", "valid_from", "until"}
                return Correct(
                    memory_id=self._fact(act.fact),
                    episode_id=act.episode,
                    reason=act.reason,
                    **{name: getattr(act, name) for name in given},
                )
            case EndAct():
                return End(
                    memory_id=self._fact(act.fact),
                    at=act.at,
                    episode_id=act.episode,
                    reason=act.reason,
                )
            case RetractAct():
                return Retract(
                    memory_id=self._fact(act.fact),
                    episode_id=act.episode,
                    reason=act.reason,
                    gap=act.gap,
                )
            case ConfirmAct():
                return Confirm(
                    memory_id=self._fact(act.fact),
                    episode_id=act.episode,
                    span=self._span(act),
                )
            case SettleAct():
                return Settle(
                    conflict_id=self.waiting[act.conflict],
                    resolution=act.outcome,
                    reason=act.reason,
                    value=act.value,
                )
            case RevertAct():
                return Revert(transaction=self._transaction(act.target), reason=act.reason)

    def _delta(self, act: ChangeAct) -> MemoryDelta:
        return MemoryDelta(
            tenant_id=act.tenant,
            subject=act.subject,
            attribute=act.attribute,
            value=act.value,
            valid_from=act.valid_from,
            source_episode_id=act.episode,
            until=act.until,
            confidence=act.confidence,
            owner=act.owner,
            span=self._span(act),
            memory_type=act.memory_type,
            valid_from_basis=act.basis,
            precision=act.precision,
            stated_as=act.stated_as,
        )

    def _span(self, act: ChangeAct | ConfirmAct) -> Span | None:
        return self.episodes[act.tenant, act.episode].span_of(act.quote)

    def _fact(self, ref: str) -> str:
        memory_id = self._receipts[ref].memory_id
        assert memory_id is not None, ref
        return memory_id

    def _transaction(self, ref: str) -> int:
        number = self._receipts[ref].transaction
        assert number is not None, ref
        return number


def _attribute(act: RegisterAct) -> Attribute:
    return Attribute(
        name=act.attribute,
        memory_type=act.memory_type,
        cardinality=act.cardinality,
        sensitive=act.sensitive,
        retention_policy=act.retention_policy,
    )
