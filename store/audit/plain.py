"""The report as Markdown that reads well as plain text.

Whatever came from a store stands in a code span, where no Markdown, HTML or link is read; lists
take the place of tables, for no way to write a `|` in a table's cell is read alike everywhere.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final

from store.audit import telling
from store.audit.showing import STATED_SHOWN, flowing, shown_name, shown_text, shown_value
from store.audit.telling import At, FileNamed, Line, Named, Number, Section
from store.audit.words import Words
from store.encoding import SIGNS, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from store.audit.showing import Shown
    from store.audit.story import (
        Source,
        Story,
        Told,
        ToldClaim,
        ToldConflict,
        ToldFact,
        ToldGap,
        ToldTransaction,
    )
    from store.audit.telling import Count, Gap

DIGEST_SHOWN: Final = 12
_TICKS: Final = re.compile("`+")


def render_markdown(story: Story, language: str = "en") -> Iterator[str]:
    """Write a story as plain Markdown, piece by piece; the same story, the same text.

    Args:
        story: what to tell.
        language: a code of `store.audit.words.LANGUAGES`.

    Raises:
        Invalid: there is no catalogue for the language.
    """
    return _Text(story, Words(language)).pieces()


def code_span(text: str) -> str:
    """Write one line of text as a code span, which gives it back exactly."""
    longest = max(map(len, _TICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    is_padded = text.strip(" ") and text[0] == text[-1] == " "
    pad = " " if not text or is_padded or "`" in (text[:1], text[-1:]) else ""
    return f"{fence}{pad}{text}{pad}{fence}"


class _Text:
    """One report while it is written."""

    def __init__(self, story: Story, words: Words) -> None:
        self._story = story
        self._words = words

    def pieces(self) -> Iterator[str]:
        """Yield the text from its first line to its last."""
        yield from self._header()
        yield from self._answer()
        yield from self._numbers()
        yield from self._facts("facts", self._story.facts)
        yield from self._conflicts()
        yield from self._gaps()
        yield from self._facts("unsourced", self._story.unsourced)
        yield from self._transactions()
        yield from self._verify()

    # -- words --------------------------------------------------------------------------------

    def _line(self, line: Line) -> str:
        gaps = {name: self._gap(gap) for name, gap in line.gaps.items()}
        if line.number is not None:
            gaps["n"] = self._words.number(line.number)
        return self._words.form(line.sentence, line.number).format(**gaps)

    def _gap(self, gap: Gap) -> str:
        match gap:
            case Line():
                return self._line(gap)
            case Named(text):
                return _named(text)
            case FileNamed(name):
                return code_span(name)
            case Section(ident):
                return f"“{self._words.say(ident)}”"
            case At(at, has_seconds):
                return self._time(at, has_seconds=has_seconds)
            case Number(value):
                return self._words.number(value)
        return ", ".join(map(self._line, gap))

    def _kind(self, family: str, kind: str) -> str:
        """Write the word for a kind, or an unknown kind as it stands."""
        return self._words.kind(family, kind) or _named(kind)

    def _time(self, at: int, precision: str | None = None, *, has_seconds: bool = False) -> str:
        return _spaced(self._words.instant(at, precision, has_seconds=has_seconds))

    def _period(self, begins: int, ends: int | None, precision: str | None = None) -> str:
        return _spaced(self._words.period(begins, ends, precision))

    def _shown(self, shown: Shown) -> str:
        if not shown.left_out:
            return code_span(shown.text)
        return f"{code_span(shown.text)} {self._words.count('fact.cut', shown.left_out)}"

    def _value(self, value: str | None, commitment: str | None = None) -> str:
        if value is not None:
            return self._shown(shown_value(value))
        withheld = self._words.say("fact.withheld")
        if commitment is None:
            return withheld
        start = code_span(commitment[:DIGEST_SHOWN])
        return f"{withheld} ({self._words.say('fact.commitment', start=start)})"

    # -- the beginning ------------------------------------------------------------------------

    def _header(self) -> Iterator[str]:
        words, story = self._words, self._story
        yield f"# {words.say('title')}: {_named(story.tenant_id)}\n\n"
        yield f"{self._line(telling.lead(story))} {words.say('title.utc')}\n\n"
        for row in telling.asked_rows(story):
            yield f"- {words.say(row.label)}: {self._gap(row.answer)}\n"
        yield "\n"

    def _answer(self) -> Iterator[str]:
        words, story = self._words, self._story
        yield f"## {words.say('answer')}\n\n"
        yield " ".join(map(self._line, telling.answer(story))) + "\n\n"
        yield f"### {words.say('notice')}\n\n"
        for notice in telling.notices(story):
            text = f" {self._line(notice.text)}" if notice.text else ""
            yield f"- {self._line(notice.head)}{text}\n"
        yield "\n"

    # -- in numbers ---------------------------------------------------------------------------

    def _numbers(self) -> Iterator[str]:
        yield f"## {self._words.say('numbers')}\n\n"
        for counting in telling.countings(self._story):
            if not counting.rows:
                continue
            yield f"### {self._words.say(counting.heading)}\n\n"
            for row in counting.rows:
                yield self._count(row)
            yield "\n"

    def _count(self, row: Count) -> str:
        share = "" if row.whole is None else f" ({self._words.share(row.value, row.whole)})"
        return f"- {self._words.say(row.label)}: {self._words.number(row.value)}{share}\n"

    # -- lists --------------------------------------------------------------------------------

    def _list_start(self, ident: str, told: Told[object]) -> Iterator[str]:
        yield f"## {self._words.say(ident)}\n\n"
        if told.items:
            yield f"{self._line(telling.intro(ident, self._story))}\n\n"
        elif not told.left_out:
            yield f"{self._words.say(f'{ident}.none')}\n\n"

    def _list_end(self, ident: str, told: Told[object]) -> Iterator[str]:
        more = telling.left_out(ident, told)
        if told.items:
            yield "\n"
        if more is not None:
            yield f"{self._line(more)}\n\n"

    def _facts(self, ident: str, told: Told[ToldFact]) -> Iterator[str]:
        yield from self._list_start(ident, told)
        is_first = True
        for subject, facts in groupby(told.items, key=lambda fact: fact.subject):
            yield f"{'' if is_first else chr(10)}### {_named(subject)}\n\n"
            is_first = False
            for fact in facts:
                yield from self._fact(fact)
        yield from self._list_end(ident, told)

    def _fact(self, fact: ToldFact) -> Iterator[str]:
        words = self._words
        state = telling.state_of_fact(fact, self._story)
        marks = [self._kind("mark", mark) for mark in telling.marks_of(fact)]
        said = [f"{SIGNS[state]} {self._kind('state', state)}", *marks]
        if fact.owner:
            said.append(words.say("fact.owner", owner=_named(fact.owner)))
        yield f"- {_named(fact.attribute)}: {self._value(fact.value, fact.commitment)}\n"
        yield f"  - {self._period(fact.valid_from, fact.valid_to, fact.precision)} · "
        yield " · ".join(said) + "\n"
        recorded = words.say(
            "fact.recorded", number=words.number(fact.transaction), actor=_named(fact.agent_id)
        )
        confidence = f"{words.say('column.confidence')} {words.decimal(fact.confidence)}"
        yield f"  - {confidence} · {recorded}\n"
        if fact.stated_as is not None:
            text = self._shown(shown_text(fact.stated_as, STATED_SHOWN))
            yield f"  - {words.say('fact.stated_as', text=text)}\n"
        yield from self._sources(fact)

    def _sources(self, fact: ToldFact) -> Iterator[str]:
        words = self._words
        if not fact.sources:
            yield f"  - {words.say('fact.no_source')}\n"
        for source in fact.sources:
            yield f"  - {words.say('column.source')}: {self._source(source)}\n"
        if fact.further_sources:
            yield f"  - {words.count('facts.more_sources', fact.further_sources)}\n"

    def _source(self, source: Source) -> str:
        words = self._words
        said = [_named(source.episode_id)]
        if source.kind is None:
            said.append(words.say("source.missing"))
        else:
            said.append(self._kind("episode", source.kind))
        if source.occurred_at is not None:
            said.append(self._time(source.occurred_at))
        if source.span is not None:
            begins, ends = map(words.number, source.span)
            said.append(words.say("source.span", begins=begins, ends=ends))
        line = " · ".join(said)
        excerpt = source.excerpt
        if excerpt is None or not excerpt.quoted:
            return line
        quoted = flowing(excerpt.quoted) if source.span is None else visible(excerpt.quoted)
        is_cut = excerpt.is_cut_inside or (source.span is None and excerpt.is_cut_after)
        return f"{line}: {code_span(quoted)}{'…' if is_cut else ''}"

    def _conflicts(self) -> Iterator[str]:
        told = self._story.conflicts
        yield from self._list_start("conflicts", told)
        for place, conflict in enumerate(told.items):
            yield "\n" if place else ""
            yield from self._conflict(conflict)
        yield from self._list_end("conflicts", told)

    def _conflict(self, conflict: ToldConflict) -> Iterator[str]:
        words = self._words
        yield f"### {_named(conflict.subject)} · {_named(conflict.attribute)}\n\n"
        about = (
            self._kind("conflict", conflict.kind),
            words.say(
                "conflict.contested",
                period=self._period(conflict.contested_from, conflict.contested_to),
            ),
            words.say(
                "conflict.raised",
                at=self._time(conflict.raised_at, has_seconds=True),
                number=words.number(conflict.raised_in),
            ),
        )
        yield " · ".join(about) + "\n\n"
        yield from self._claim(words.say("conflict.standing"), conflict.standing)
        for claim in conflict.incoming:
            yield from self._claim(words.say("conflict.incoming"), claim)

    def _claim(self, name: str, claim: ToldClaim) -> Iterator[str]:
        words = self._words
        begins = self._time(claim.valid_from, claim.precision)
        ends = words.say("period.open") if claim.until is None else self._time(claim.until)
        recorded = self._time(claim.recorded_at, has_seconds=True)
        yield f"- {name}: {self._value(claim.value, claim.commitment)}\n"
        yield f"  - {words.say('claim.begins')}: {begins} · {self._kind('basis', claim.basis)}\n"
        yield f"  - {words.say('claim.ends')}: {ends}\n"
        yield f"  - {words.say('claim.recorded')}: {recorded} · {_named(claim.agent_id)}\n"
        yield f"  - {words.say('claim.confidence')}: {words.decimal(claim.confidence)}\n"
        if claim.source is not None:
            yield f"  - {words.say('claim.source')}: {self._source(claim.source)}\n"

    def _gaps(self) -> Iterator[str]:
        told = self._story.gaps
        yield from self._list_start("gaps", told)
        yield from map(self._gap_row, told.items)
        yield from self._list_end("gaps", told)

    def _gap_row(self, gap: ToldGap) -> str:
        words = self._words
        if gap.gap_to is None:
            period = words.say("period.from", begins=self._time(gap.gap_from))
        else:
            period = self._period(gap.gap_from, gap.gap_to)
        after = words.say("gaps.open") if gap.gap_to is None else self._value(gap.after)
        name = f"{_named(gap.subject)} · {_named(gap.attribute)}"
        return f"- {name}: {period} ({self._value(gap.before)} → {after})\n"

    # -- transactions -------------------------------------------------------------------------

    def _transactions(self) -> Iterator[str]:
        told = self._story.transactions
        yield from self._list_start("transactions", told)
        more = telling.left_out("transactions", told)
        yield f"{self._line(more)}\n\n" if more else ""
        yield from map(self._transaction, told.items)
        yield "\n" if told.items else ""

    def _transaction(self, told: ToldTransaction) -> str:
        words = self._words
        if told.through is not None:
            outside = words.count("transactions.run", told.through - told.number + 1)
            numbers = f"{words.number(told.number)}–{words.number(told.through)}"
            return f"- {numbers}: {outside} · {code_span(told.digest[:DIGEST_SHOWN])}\n"
        kind = self._kind("write", told.kind)
        if told.reverts is not None:
            of = words.say("transactions.reverts", number=words.number(told.reverts))
            kind = f"{kind} {of}"
        hidden = words.say("transactions.hidden")
        actor = hidden if told.actor is None else _named(told.actor)
        said = [self._time(told.recorded_at, has_seconds=True), kind, actor]
        if told.reason:
            said.append(self._shown(shown_text(told.reason)))
        said.append(code_span(told.digest[:DIGEST_SHOWN]))
        return f"- {words.number(told.number)}: {' · '.join(said)}\n"

    # -- how to verify ------------------------------------------------------------------------

    def _verify(self) -> Iterator[str]:
        words, story = self._words, self._story
        python, program = telling.commands(story, words.say("verify.place"))
        yield f"## {words.say('verify')}\n\n{words.say('verify.intro')}\n\n"
        yield f"### {words.say('verify.head')}\n\n{words.say('verify.head_text')}\n\n"
        yield f"    {story.head}\n\n"
        yield f"{words.say('verify.python')}\n\n    {python}\n\n"
        yield f"{words.say('verify.program')}\n\n    {program}\n\n"
        yield from self._proofs("verify.proved", telling.proved(story))
        yield from self._proofs("verify.not_proved", telling.not_proved(story))
        if story.files:
            yield f"### {words.say('files')}\n\n"
            for name in story.files:
                yield f"- {_named(name)}: {self._kind('file', name)}\n"

    def _proofs(self, heading: str, lines: Sequence[Line]) -> Iterator[str]:
        yield f"### {self._words.say(heading)}\n\n"
        for line in lines:
            yield f"- {self._line(line)}\n"
        yield "\n"


def _named(text: str) -> str:
    return code_span(shown_name(text))


def _spaced(text: str) -> str:
    """Take plain spaces, for plain text is searched and copied."""
    return text.replace("\u00a0", " ")
