"""The inspector's pages: one for each kind of thing that can be selected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from store.canonical import canonical
from store.encoding import State
from store.model import ConflictState
from store.temporal import to_micros
from workbench import words
from workbench.panels.inspector.cards import ConflictStrip, SourceCard, VersionList
from workbench.panels.inspector.items import belief_bands, version_rows
from workbench.panels.inspector.picture import BeliefPicture
from workbench.text import (
    DASH,
    day,
    decimal,
    exact,
    instant,
    isolate,
    local,
    number,
    one_line,
    period,
    period_exact,
    relative,
    translate,
    value_line,
    visible,
)
from workbench.theme import set_look
from workbench.widgets.before_after import BeforeAfter
from workbench.widgets.episode_text import EpisodeText
from workbench.widgets.fact_list import FactList, fact_state
from workbench.widgets.link_text import CopyButton, LinkText
from workbench.widgets.pair_grid import PairGrid, record_label
from workbench.widgets.pill import KeyCap
from workbench.widgets.status_dot import StatusDot
from workbench.widgets.value_view import ValueView
from workbench.widgets.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from store.model import Claim, Conflict, Fact, Version
    from workbench.panels.inspector.items import (
        ConflictSheet,
        EpisodeSheet,
        FactSheet,
        Source,
        SubjectSheet,
        TransactionSheet,
    )
    from workbench.panels.inspector.presenter import InspectorPresenter

MARGIN: Final = 16
_SOURCES_SHOWN: Final = 6
_VERSIONS_SHOWN: Final = 40
_LINKS_SHOWN: Final = 12
_SHORT: Final = 240  # a longer text stands in a view of its own


def hairline() -> QFrame:
    """Make a line between sections."""
    line = QFrame()
    set_look(line, "hairline")
    return line


def plain_label(text: str, look: str = "", *, wraps: bool = True) -> QLabel:
    """Make a label that reads nothing as HTML."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wraps)
    if look:
        set_look(label, look)
    return label


class Page(QWidget):
    """Sections under each other, parted by hairlines."""

    def __init__(self, presenter: InspectorPresenter) -> None:
        super().__init__()
        self.presenter = presenter
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def add_section(self, *widgets: QWidget, spacing: int = 6, is_first: bool = False) -> None:
        """Add widgets with air around them, and a hairline above unless it is the first."""
        if not is_first:
            self._column.addWidget(hairline())
        box = QVBoxLayout()
        box.setContentsMargins(MARGIN, 12, MARGIN, 14)
        box.setSpacing(spacing)
        for widget in widgets:
            box.addWidget(widget)
        self._column.addLayout(box)

    def heading(self, text: str) -> QLabel:
        """Make the head of a section."""
        return plain_label(text, "strong")

    def facts(
        self,
        name: str,
        facts: Sequence[Fact],
        *,
        has_subject: bool,
        has_attribute: bool = True,
    ) -> FactList:
        """Make a list of facts that selects what is chosen."""
        made = FactList(name, has_subject=has_subject, has_attribute=has_attribute)
        made.setObjectName("facts")
        made.grow_to(len(facts))
        made.set_facts(facts, at=self.presenter.valid_at)
        made.chosen.connect(self.presenter.select_fact)
        return made

    def fact_link(self, fact: Fact, text: str, name: str) -> LinkText:
        """Make a link to a fact."""
        link = LinkText(text)
        link.setObjectName(f"{name}.{fact.memory_id}")
        hint = f"{value_line(fact.value)}\n{period_exact(fact.valid_from, fact.valid_to)}"
        link.set_words(text, hint=hint)
        link.clicked.connect(lambda: self.presenter.select_fact(fact))
        return link

    def transaction_link(self, transaction: int) -> LinkText:
        """Make a link to a transaction in the journal."""
        text = self.tr("tx {number}").format(number=number(transaction))
        link = LinkText(text)
        link.setObjectName(f"transaction.{transaction}")
        link.set_words(text, hint=self.tr("Show this transaction in the journal"))
        link.clicked.connect(lambda: self.presenter.open_transaction(transaction))
        return link

    def episode_link(self, episode_id: str) -> LinkText:
        """Make a link to an episode in its panel."""
        link = LinkText(one_line(episode_id, 60))
        link.setObjectName(f"episode.{episode_id}")
        link.clicked.connect(lambda: self.presenter.open_episode(episode_id))
        return link


def value_widget(value: Any) -> QWidget:
    """Make what shows a value large: a text of a few lines, or a view for what is longer."""
    is_text = isinstance(value, str)
    if (is_text and len(value) <= _SHORT and "\n" not in value) or not isinstance(
        value, str | list | dict
    ):
        shown = WrappedLabel("value")
        shown.setObjectName("value")
        shown.set_text(value_line(value, _SHORT + 20))
        return shown
    view = ValueView()
    view.setObjectName("value")
    view.set_value(value)
    return view


class FactPage(Page):
    """A fact: what it says, its record, its sources, its versions."""

    def __init__(self, presenter: InspectorPresenter, sheet: FactSheet) -> None:
        super().__init__(presenter)
        self.setObjectName("page.fact")
        self._sheet = sheet
        self._is_all_shown = False
        self.add_section(*self._head(), spacing=2, is_first=True)
        self.add_section(self._record())
        self.add_section(*self._sources(), spacing=8)
        self.add_section(*self._versions())
        self._column.addStretch(1)
        self.refresh_words()

    # -- the head -----------------------------------------------------------------------------

    def _head(self) -> list[QWidget]:
        fact = self._sheet.fact
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3)
        subject = LinkText(color="dim", inset=0)
        subject.setObjectName("subject")
        subject.set_words(
            one_line(fact.subject, 60), hint=self.tr("Show all facts of this subject")
        )
        subject.clicked.connect(lambda: self.presenter.select_subject(fact.subject))
        row.addWidget(subject)
        kind = f"· {one_line(fact.memory_type, 40)}"
        row.addWidget(plain_label(kind, "secondary", wraps=False), 1)
        copy = CopyButton(self.tr("Copy the value"))
        copy.setObjectName("copy_value")
        copy.set_content(_copied(fact.value))
        row.addWidget(copy)
        title = WrappedLabel("title")
        title.setObjectName("attribute")
        title.set_text(visible(fact.attribute))
        self._status = StatusDot()
        self._status.setObjectName("status")
        made: list[QWidget] = [line, title, value_widget(fact.value), self._status]
        if self._sheet.conflicts:
            made.append(_gap(4))
        for conflict in self._sheet.conflicts[:3]:
            strip = ConflictStrip(conflict)
            strip.settle_requested.connect(
                lambda conflict_id=conflict.conflict_id: self.presenter.open_conflict(
                    conflict_id, settles=True
                )
            )
            made.append(strip)
        return made

    def refresh_words(self) -> None:
        """Say anew what depends on the present: the state, and how long ago something was."""
        fact, presenter = self._sheet.fact, self.presenter
        if not is_held(fact, presenter.known_at):
            word = self.tr("no longer believed")
            since = self.tr("since {instant}").format(instant=instant(fact.superseded_at))
            self._status.set_state(State.ENDED, since, word=word)
        else:
            self._status.set_state(fact_state(fact, presenter.valid_at), self._confirmed())
        now = presenter.clock()
        begins = relative(fact.valid_from, now)
        how = f"{words.basis(fact.valid_from_basis)}, {words.precision(fact.precision)}"
        self._begins.set_text(f"{begins} · {how}")

    def _confirmed(self) -> str:
        at = self._sheet.fact.last_confirmed_at
        if at is None:
            return self.tr("not confirmed")
        if not self._sheet.as_of.is_now:
            return self.tr("confirmed {when}").format(when=instant(at))
        return self.tr("confirmed {when}").format(when=relative(at, self.presenter.clock()))

    # -- the record ---------------------------------------------------------------------------

    def _record(self) -> PairGrid:
        fact = self._sheet.fact
        grid = PairGrid()
        begins = instant(fact.valid_from, fact.precision)
        ends = self.tr("until changed") if fact.valid_to is None else instant(fact.valid_to)
        span = period_exact(fact.valid_from, fact.valid_to)
        grid.add_text(self.tr("Valid"), f"{begins} → {ends}", hint=span)
        self._begins = grid.add_text(self.tr("Beginning"), DASH, hint=exact(fact.valid_from))
        if fact.stated_as:
            grid.add_text(self.tr("Stated as"), f"“{isolate(one_line(fact.stated_as))}”")
        if fact.until is not None:
            grid.add_text(self.tr("Stated end"), instant(fact.until), hint=exact(fact.until))
        self._add_recorded(grid, fact)
        self._add_links(grid)
        grid.add_text(self.tr("Confidence"), self._confidence(fact))
        schema = self.tr("schema v{version}").format(version=fact.schema_version)
        grid.add_text(self.tr("Retention"), f"{one_line(fact.retention_policy, 80)} · {schema}")
        owner = one_line(fact.owner, 80) if fact.owner else self.tr("shared by all agents")
        if fact.slot:
            several = self.tr("one of several values")
            owner = f"{owner} · {several}"
        grid.add_text(self.tr("Owner"), owner)
        grid.add_mono(self.tr("Id"), fact.memory_id, copies=self.tr("Copy the id of the fact"))
        return grid

    def _confidence(self, fact: Fact) -> str:
        parts = [decimal(fact.confidence)]
        if self._sheet.sources:
            parts.append(words.episode_kind(self._sheet.sources[0].episode.kind))
        return " · ".join([*parts, one_line(fact.agent_id, 60)])

    def _add_recorded(self, grid: PairGrid, fact: Fact) -> None:
        recorded = record_label(
            instant(fact.recorded_at, has_seconds=True), exact(fact.recorded_at)
        )
        grid.add_widgets(self.tr("Recorded"), recorded, self.transaction_link(fact.transaction))
        ended = self._ended_by()
        if fact.superseded_at is not None and ended is not None and ended.ceased is not None:
            until = record_label(
                instant(fact.superseded_at, has_seconds=True), exact(fact.superseded_at)
            )
            grid.add_widgets(self.tr("Believed until"), until, self.transaction_link(ended.ceased))

    def _ended_by(self) -> Version | None:
        fact = self._sheet.fact
        rows = [
            it
            for it in self._sheet.versions
            if it.memory_id == fact.memory_id and it.began == fact.transaction
        ]
        return rows[0] if rows else None

    def _add_links(self, grid: PairGrid) -> None:
        before = self._sheet.supersedes
        if before is not None:
            link = self.fact_link(before, _named(before), "supersedes")
            grid.add_widgets(self.tr("Supersedes"), link, KeyCap("["))
        for place, after in enumerate(self._sheet.superseded_by):
            name = self.tr("Superseded by") if place == 0 else ""
            link = self.fact_link(after, _named(after), "superseded_by")
            is_last = place + 1 == len(self._sheet.superseded_by)
            keys: list[QWidget] = [KeyCap("]")] if is_last else []
            grid.add_widgets(name, link, *keys)

    # -- why ----------------------------------------------------------------------------------

    def _sources(self) -> list[QWidget]:
        sources = self._sheet.sources
        made: list[QWidget] = [self.heading(self.tr("Why: %n source(s)", "", len(sources)))]
        made += [self._card(source) for source in sources[:_SOURCES_SHOWN]]
        left = len(sources) - _SOURCES_SHOWN
        if left > 0:
            made += self._rest_of_sources(left)
        return made

    def _card(self, source: Source) -> SourceCard:
        card = SourceCard(source)
        card.opened.connect(lambda: self.presenter.open_source(source))
        return card

    def _rest_of_sources(self, left: int) -> list[QWidget]:
        """Make room for the other sources, and the button that shows them."""
        rest = QWidget()
        cards = QVBoxLayout(rest)
        cards.setContentsMargins(0, 0, 0, 0)
        cards.setSpacing(8)
        rest.hide()
        more = QPushButton(self.tr("Show %n more source(s)", "", left))
        more.setObjectName("all_sources")
        set_look(more, "link")

        def show() -> None:
            for source in self._sheet.sources[_SOURCES_SHOWN:]:
                cards.addWidget(self._card(source))
            more.hide()
            rest.show()

        more.clicked.connect(show)
        return [rest, more]

    # -- versions -----------------------------------------------------------------------------

    def _versions(self) -> list[QWidget]:
        sheet, presenter = self._sheet, self.presenter
        made: list[QWidget] = [self.heading(self.tr("Versions"))]
        bands = belief_bands(sheet.versions)
        if len(bands) > 1:
            picture = BeliefPicture()
            picture.set_bands(
                bands,
                memory_id=sheet.fact.memory_id,
                valid_at=to_micros(presenter.valid_at),
                known_at=presenter.known_at,
                is_now=sheet.as_of.valid_at is None,
            )
            picture.fact_chosen.connect(presenter.select_memory)
            made.append(picture)
        self._list = VersionList()
        self._list.chosen.connect(lambda row: presenter.select_version(row.version))
        self._list.transaction_requested.connect(presenter.open_transaction)
        self._more = QPushButton()
        self._more.setObjectName("all_versions")
        set_look(self._more, "link")
        self._more.clicked.connect(self._on_more_clicked)
        self._fill_versions()
        return [*made, self._list, self._more]

    def _fill_versions(self) -> None:
        rows = version_rows(
            self._sheet.versions,
            memory_id=self._sheet.fact.memory_id,
            known_at=self.presenter.known_at,
        )
        shown = rows if self._is_all_shown else rows[:_VERSIONS_SHOWN]
        self._list.set_rows(shown)
        left = len(rows) - len(shown)
        self._more.setText(self.tr("Show %n older version(s)", "", left))
        self._more.setVisible(left > 0)

    def _on_more_clicked(self) -> None:
        self._is_all_shown = True
        self._fill_versions()


def _named(fact: Fact) -> str:
    """Name a fact by its value and its end: ``2026-07-15 (until 3 Jun 2026)``."""
    value = value_line(fact.value, 60)
    if fact.valid_to is None:
        return value
    end = day(local(fact.valid_to).date())
    ends = translate("FactPage", "until {day}").format(day=end)
    return f"{value} ({ends})"


def _copied(value: Any) -> str:
    """Give a value as it is put into the clipboard: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else canonical(value)


class SubjectPage(Page):
    """A subject, or one attribute of it, with its facts."""

    def __init__(self, presenter: InspectorPresenter, sheet: SubjectSheet) -> None:
        super().__init__(presenter)
        self.setObjectName("page.subject")
        name = WrappedLabel("value")
        name.setObjectName("subject")
        name.set_text(visible(sheet.subject))
        kinds = list(dict.fromkeys(fact.memory_type for fact in sheet.facts))
        line = " · ".join([self.tr("Subject"), *(one_line(kind, 40) for kind in kinds[:4])])
        made: list[QWidget] = [plain_label(line, "secondary"), name]
        if sheet.attribute is not None:
            attribute = WrappedLabel("title")
            attribute.set_text(visible(sheet.attribute))
            made.append(attribute)
        made += [self._strip(conflict) for conflict in sheet.conflicts[:3]]
        self.add_section(*made, spacing=4, is_first=True)
        self.add_section(*self._list(sheet))
        self._column.addStretch(1)

    def _strip(self, conflict: Conflict) -> ConflictStrip:
        strip = ConflictStrip(conflict)
        strip.settle_requested.connect(
            lambda: self.presenter.open_conflict(conflict.conflict_id, settles=True)
        )
        return strip

    def _list(self, sheet: SubjectSheet) -> list[QWidget]:
        count = len(sheet.facts)
        if sheet.attribute is not None:
            head = self.tr("%n stretch(es)", "", count)
        elif sheet.has_more:
            head = self.tr("More than %n fact(s) in force", "", count)
        else:
            head = self.tr("%n fact(s) in force", "", count)
        if not sheet.facts:
            return [self.heading(head), plain_label(self._nothing(sheet), "secondary")]
        made: list[QWidget] = [
            self.heading(head),
            self.facts(head, sheet.facts, has_subject=False, has_attribute=sheet.attribute is None),
        ]
        if sheet.has_more:
            more = QPushButton(self.tr("Show all in the facts table"))
            more.setObjectName("panel.facts")
            set_look(more, "link")
            more.clicked.connect(lambda: self.presenter.show_in_table(sheet.subject))
            made.append(more)
        return made

    def _nothing(self, sheet: SubjectSheet) -> str:
        if sheet.as_of.is_now:
            return self.tr("Nothing holds of it now. Its past is on the timeline.")
        return self.tr("Nothing holds of it at the instant from which you look.")


class EpisodeSummary(Page):
    """An episode in short, with the facts that came of it."""

    def __init__(self, presenter: InspectorPresenter, sheet: EpisodeSheet) -> None:
        super().__init__(presenter)
        self.setObjectName("page.episode")
        episode = sheet.episode
        title = WrappedLabel("title")
        title.set_text(visible(episode.episode_id))
        kind = self.tr("Episode · {kind}").format(kind=words.episode_kind(episode.kind))
        self.add_section(plain_label(kind, "secondary"), title, spacing=2, is_first=True)
        grid = PairGrid()
        grid.add_text(
            self.tr("Occurred"), instant(episode.occurred_at), hint=exact(episode.occurred_at)
        )
        recorded = record_label(
            instant(episode.recorded_at, has_seconds=True), exact(episode.recorded_at)
        )
        link = self.transaction_link(episode.transaction)
        grid.add_widgets(self.tr("Recorded"), recorded, link)
        grid.add_text(self.tr("Agent"), one_line(episode.agent_id, 80))
        if episode.session_id:
            grid.add_text(self.tr("Session"), one_line(episode.session_id, 120))
        for name, value in list(episode.metadata.items())[:_LINKS_SHOWN]:
            grid.add_text(one_line(name, 24), value_line(value, 200))
        self.add_section(grid)
        text = EpisodeText(max_lines=12)
        text.show_episode(episode.content, sheet.spans, episode.kind)
        button = QPushButton(self.tr("Open the episode"))
        button.setObjectName("panel.episodes")
        button.clicked.connect(lambda: presenter.ask_for("panel.episodes"))
        self.add_section(text, _left(button))
        self._add_facts(sheet)
        self._column.addStretch(1)

    def _add_facts(self, sheet: EpisodeSheet) -> None:
        head = self.tr("%n fact(s) born from it", "", len(sheet.facts))
        if not sheet.facts:
            none = self.tr("No fact rests on this episode.")
            self.add_section(self.heading(head), plain_label(none, "secondary"))
            return
        self.add_section(self.heading(head), self.facts(head, sheet.facts, has_subject=True))


class TransactionPage(Page):
    """A transaction in short: who, when, why, before and after."""

    def __init__(self, presenter: InspectorPresenter, sheet: TransactionSheet) -> None:
        super().__init__(presenter)
        self.setObjectName("page.transaction")
        detail = sheet.detail
        header = detail.transaction
        title = WrappedLabel("title")
        title.set_text(self.tr("Transaction {number}").format(number=number(header.number)))
        kind = plain_label(words.capitalised(words.write_kind(header.kind)), "secondary")
        made: list[QWidget] = [kind, title]
        if header.reason:
            reason = WrappedLabel()
            reason.set_text(f"“{isolate(visible(header.reason))}”")
            made.append(reason)
        self.add_section(*made, spacing=2, is_first=True)
        grid = PairGrid()
        grid.add_text(
            self.tr("Recorded"),
            instant(header.recorded_at, has_seconds=True),
            hint=exact(header.recorded_at),
        )
        grid.add_text(self.tr("Actor"), one_line(header.actor, 80))
        grid.add_text(self.tr("Tool"), one_line(header.tool, 80))
        for place, episode_id in enumerate(detail.episodes[:_LINKS_SHOWN]):
            name = self.tr("Episodes") if place == 0 else ""
            grid.add_widgets(name, self.episode_link(episode_id))
        if detail.reverted_by is not None:
            link = self.transaction_link(detail.reverted_by)
            grid.add_widgets(self.tr("Reverted by"), link)
        grid.add_mono(self.tr("Digest"), header.digest, copies=self.tr("Copy the digest"))
        self.add_section(grid)
        change = BeforeAfter()
        change.show_change(detail.before, detail.after, now_at=to_micros(presenter.clock()))
        self.add_section(change)
        button = QPushButton(self.tr("Open in the journal"))
        button.setObjectName("panel.journal")
        button.clicked.connect(lambda: presenter.ask_for("panel.journal"))
        self.add_section(_left(button))
        self._column.addStretch(1)


class ConflictPage(Page):
    """A conflict in short: both claims, and the way to a decision."""

    def __init__(self, presenter: InspectorPresenter, sheet: ConflictSheet) -> None:
        super().__init__(presenter)
        self.setObjectName("page.conflict")
        conflict = sheet.conflict
        subject = f"{one_line(conflict.subject, 60)} · {one_line(conflict.memory_type, 40)}"
        title = WrappedLabel("title")
        title.set_text(visible(conflict.attribute))
        status = StatusDot()
        is_open = conflict.state is ConflictState.OPEN
        status.set_state(
            State.DISPUTED if is_open else State.ENDED,
            words.conflict_kind(conflict.kind),
            word=words.conflict_state(conflict.state),
        )
        head: list[QWidget] = [plain_label(subject, "secondary"), title, status]
        if is_open:
            settle = QPushButton(self.tr("Settle…"))
            settle.setObjectName("conflict.resolve")
            set_look(settle, "primary")
            settle.setEnabled(presenter.is_writable)
            settle.clicked.connect(lambda: presenter.ask_for("conflict.resolve"))
            head += [_gap(4), _left(settle)]
        self.add_section(*head, spacing=2, is_first=True)
        grid = PairGrid()
        grid.add_text(
            self.tr("Contested"),
            period(conflict.contested_from, conflict.contested_to),
            hint=period_exact(conflict.contested_from, conflict.contested_to),
        )
        raised = record_label(instant(conflict.raised_at), exact(conflict.raised_at))
        link = self.transaction_link(conflict.raised_in)
        grid.add_widgets(self.tr("Raised"), raised, link)
        self._add_decision(grid, conflict)
        self.add_section(grid)
        self.add_section(
            self.heading(self.tr("Standing")), *self._claim(conflict.standing), spacing=4
        )
        for claim in conflict.incoming:
            self.add_section(self.heading(self.tr("Incoming")), *self._claim(claim), spacing=4)
        self._column.addStretch(1)

    def _add_decision(self, grid: PairGrid, conflict: Conflict) -> None:
        if conflict.resolution is None:
            return
        grid.add_text(self.tr("Decision"), words.resolution(conflict.resolution))
        if conflict.reason:
            grid.add_text(self.tr("Reason"), visible(conflict.reason))
        if conflict.settled_at is not None and conflict.settled_in is not None:
            settled = record_label(instant(conflict.settled_at), exact(conflict.settled_at))
            link = self.transaction_link(conflict.settled_in)
            grid.add_widgets(self.tr("Settled"), settled, link)

    def _claim(self, claim: Claim) -> list[QWidget]:
        grid = PairGrid()
        begins = instant(claim.valid_from, claim.precision)
        how = words.basis(claim.valid_from_basis)
        grid.add_text(self.tr("Begins"), f"{begins} · {how}", hint=exact(claim.valid_from))
        if claim.until is not None:
            grid.add_text(self.tr("Stated end"), instant(claim.until), hint=exact(claim.until))
        grid.add_widgets(self.tr("Source"), self.episode_link(claim.source_episode_id))
        recorded = record_label(instant(claim.recorded_at), exact(claim.recorded_at))
        grid.add_widgets(self.tr("Recorded"), recorded, self.transaction_link(claim.transaction))
        confidence = f"{decimal(claim.confidence)} · {one_line(claim.agent_id, 60)}"
        grid.add_text(self.tr("Confidence"), confidence)
        return [value_widget(claim.value), grid]


def _left(widget: QWidget) -> QWidget:
    """Keep a widget at its own width, at the left."""
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(widget)
    row.addStretch(1)
    return box


def _gap(height: int) -> QWidget:
    gap = QWidget()
    gap.setFixedHeight(height)
    return gap


def is_held(fact: Fact, known_at: datetime | None) -> bool:
    """Say whether the ledger still believes a fact, from where one looks."""
    return fact.superseded_at is None or (known_at is not None and fact.superseded_at > known_at)
