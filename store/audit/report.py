"""The readable report of a snapshot: one page of HTML that needs nothing else, and Markdown.

The page runs no script and loads nothing, and its policy forbids both. Whatever came from a store
is text on it, never markup: see `store.audit.markup`.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from store.audit import telling
from store.audit.markup import Markup, Piece, count, fill, join, opening, say, tag, void
from store.audit.picture import LANES_DRAWN, axis_of, definitions, draw, legend
from store.audit.plain import render_markdown
from store.audit.showing import STATED_SHOWN, flowing, shown_name, shown_text, shown_value
from store.audit.telling import At, FileNamed, Line, Named, Number, Section
from store.audit.words import Words
from store.encoding import SIGNS
from store.temporal import iso

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
        ToldLane,
        ToldTransaction,
    )
    from store.audit.telling import Count, Counting, Gap

__all__ = ["render_html", "render_markdown"]

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
DIGEST_SHOWN: Final = 12
_HEX: Final = re.compile(r"[0-9a-f]*")
_BAR_WIDTH: Final = 100
_LONG_NAME: Final = 40
_LONG_TEXT: Final = 160
_BREAK: Final = Markup("\n")


def render_html(story: Story, language: str = "en") -> Iterator[str]:
    """Write a story as one self-contained page, piece by piece; the same story, the same text.

    Args:
        story: what to tell.
        language: a code of `store.audit.words.LANGUAGES`.

    Raises:
        Invalid: there is no catalogue for the language.
    """
    return _Page(story, Words(language)).pieces()


@cache
def _style() -> str:
    return Path(__file__).with_name("report.css").read_text(encoding="utf-8")


class _Page:
    """One report while it is written."""

    def __init__(self, story: Story, words: Words) -> None:
        self._story = story
        self._words = words
        self._told = {it.number for it in story.transactions.items if it.through is None}

    def pieces(self) -> Iterator[str]:
        """Yield the page from its first line to its last."""
        yield from self._start()
        yield self._header()
        yield self._answer()
        yield from self._numbers()
        yield from self._lanes()
        yield from self._facts()
        yield from self._conflicts()
        yield from self._gaps()
        yield from self._unsourced()
        yield from self._transactions()
        yield self._verify()
        yield "</main>\n</div>\n</body>\n</html>\n"

    # -- words --------------------------------------------------------------------------------

    def _line(self, line: Line) -> Markup:
        """Write a sentence with its gaps filled."""
        gaps = {name: self._gap(gap) for name, gap in line.gaps.items()}
        if line.number is not None:
            gaps["n"] = self._gap(Number(line.number))
        return fill(self._words.form(line.sentence, line.number), gaps)

    def _gap(self, gap: Gap) -> Markup:
        match gap:
            case Line():
                return self._line(gap)
            case Named(text):
                return _named(text)
            case FileNamed(name):
                return tag("code", name)
            case Section(ident):
                return tag("a", self._words.say(ident), href=f"#{ident}")
            case At(at, has_seconds):
                return self._time(at, has_seconds=has_seconds)
            case Number(value):
                return join(self._words.number(value))
        return join(*map(self._line, gap), by=", ")

    def _kind(self, family: str, kind: str) -> Piece:
        """Write the word for a kind, or an unknown kind as it stands."""
        return self._words.kind(family, kind) or _named(kind)

    def _time(self, at: int, precision: str | None = None, *, has_seconds: bool = False) -> Markup:
        text = self._words.instant(at, precision, has_seconds=has_seconds)
        return tag("time", text, datetime=iso(at))

    def _period(self, begins: int, ends: int | None, precision: str | None = None) -> Markup:
        end = self._words.say("period.open") if ends is None else self._time(ends)
        return say(self._words, "period.whole", begins=self._time(begins, precision), ends=end)

    def _shown(self, shown: Shown) -> Markup:
        """Write a text of the store, and how much of it was left out."""
        is_long = "long" if len(shown.text) > _LONG_TEXT else None
        text = tag("bdi", shown.text, class_=is_long)
        if not shown.left_out:
            return text
        more = count(self._words, "fact.cut", shown.left_out)
        return join(text, " ", tag("span", more, class_="dim small"))

    def _value(self, value: str | None, commitment: str | None = None) -> Markup:
        if value is not None:
            return self._shown(shown_value(value))
        withheld = tag("span", self._words.say("fact.withheld"), class_="withheld")
        if commitment is None:
            return withheld
        start = tag("code", commitment[:DIGEST_SHOWN])
        more = say(self._words, "fact.commitment", start=start)
        return join(withheld, tag("div", more, class_="dim small"))

    # -- the beginning ------------------------------------------------------------------------

    def _start(self) -> Iterator[str]:
        words, story = self._words, self._story
        title = words.say(
            "title.page",
            tenant=shown_name(story.tenant_id),
            number=words.number(story.number),
        )
        yield f'<!doctype html>\n<html lang="{words.language}">\n<head>\n'
        yield '<meta charset="utf-8">\n'
        yield opening("meta", http_equiv="Content-Security-Policy", content=POLICY) + "\n"
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        yield '<meta name="color-scheme" content="light dark">\n'
        yield tag("title", title) + "\n"
        yield f"<style>\n{_style()}{self._page_feet()}</style>\n</head>\n<body>\n"
        yield tag("a", words.say("title.skip"), class_="skip", href="#answer") + "\n"
        yield definitions() + "\n"
        yield '<div class="sheet">\n'

    def _page_feet(self) -> str:
        """Put the head's beginning and the page's number under each printed page.

        Only figures and hexadecimal digits get into the style sheet.
        """
        digest = _HEX.match(self._story.digest)
        start = f"{self._story.number}:{digest[0][:DIGEST_SHOWN] if digest else ''}"
        font = "font: 8pt sans-serif; color: #545E70"
        return (
            f'@page {{ @bottom-left {{ content: "{start}…"; {font} }}\n'
            f'@bottom-right {{ content: counter(page) " / " counter(pages); {font} }} }}\n'
        )

    def _header(self) -> str:
        words, story = self._words, self._story
        is_long = "long" if len(story.tenant_id) > _LONG_NAME else None
        rows = []
        for row in telling.asked_rows(story):
            answer: Piece = self._gap(row.answer)
            if row.is_code:
                answer = tag("code", answer)
            width = {0: "full", 2: "wide"}.get(row.width)
            label = tag("dt", words.say(row.label))
            rows.append(tag("div", label, tag("dd", answer), class_=width))
        return (
            tag(
                "header",
                tag("p", words.say("title.tenant"), class_="caps"),
                tag("h1", _named(story.tenant_id), class_=is_long),
                tag(
                    "p", self._line(telling.lead(story)), " ", words.say("title.utc"), class_="lead"
                ),
                tag("dl", *rows, class_="asked"),
            )
            + "\n<main>\n"
        )

    # -- the short answer ---------------------------------------------------------------------

    def _answer(self) -> str:
        words, story = self._words, self._story
        sentences = join(*map(self._line, telling.answer(story)), by=" ")
        tiles = [
            tag(
                "div",
                tag("dt", words.form(tile.label, tile.value)),
                tag("dd", words.number(tile.value)),
                class_="warn" if tile.is_warning else None,
            )
            for tile in telling.tiles(story)
        ]
        return self._section(
            "answer",
            tag("p", sentences, class_="answer"),
            tag("dl", *tiles, class_="tiles"),
            self._notices(),
            self._contents(),
        )

    def _notices(self) -> Markup:
        items = []
        for notice in telling.notices(self._story):
            text = join(
                tag("strong", self._line(notice.head)),
                self._line(notice.text) if notice.text else "",
                by=" ",
            )
            items.append(tag("li", text, class_=notice.level))
        return tag("ul", *items, class_="notices", aria_label=self._words.say("notice"))

    def _contents(self) -> Markup:
        counts = telling.section_counts(self._story)
        items = []
        for ident in telling.SECTIONS:
            number = self._words.number(counts[ident]) if ident in counts else ""
            name = tag("span", self._words.say(ident))
            items.append(tag("li", tag("a", name, tag("span", number), href=f"#{ident}")))
        heading = tag("h2", self._words.say("contents"), class_="caps", id="contents")
        return tag("nav", heading, tag("ol", *items), class_="contents", aria_labelledby="contents")

    def _section(self, ident: str, *content: Piece) -> Markup:
        return join(self._section_start(ident), *content, Markup("</section>\n"))

    def _section_start(self, ident: str) -> Markup:
        heading = tag("h2", self._words.say(ident), id=f"{ident}-heading")
        return join(
            opening("section", id=ident, aria_labelledby=f"{ident}-heading"), heading, _BREAK
        )

    def _list_start(self, ident: str, told: Told[object]) -> Iterator[Markup]:
        """Open a section that is a list, and say so if it is empty."""
        yield self._section_start(ident)
        if told.items:
            intro = self._line(telling.intro(ident, self._story))
            yield tag("p", intro, class_="intro")
        elif not told.left_out:
            yield tag("p", self._words.say(f"{ident}.none"), class_="none")

    def _left_out(self, ident: str, told: Told[object]) -> Markup:
        more = telling.left_out(ident, told)
        return tag("p", self._line(more), class_="left-out") if more else Markup()

    def _list_end(self, ident: str, told: Told[object]) -> Markup:
        return join(self._left_out(ident, told), Markup("</section>\n"))

    # -- in numbers ---------------------------------------------------------------------------

    def _numbers(self) -> Iterator[str]:
        yield self._section_start("numbers")
        yield opening("div", class_="counts")
        for counting in telling.countings(self._story):
            if counting.rows:
                yield self._counting(counting)
        yield "</div></section>\n"

    def _counting(self, counting: Counting) -> Markup:
        words = self._words
        has_shares = any(row.whole for row in counting.rows)
        heads = [tag("td"), tag("th", words.say("numbers.count"), scope="col", class_="number")]
        if has_shares:
            heads.append(
                tag("th", words.say("numbers.share"), scope="col", class_="number", colspan=2)
            )
        rows = [self._count(row, has_shares=has_shares) for row in counting.rows]
        return tag(
            "table",
            tag("caption", words.say(counting.heading)),
            tag("thead", tag("tr", *heads), class_="hidden"),
            tag("tbody", *rows),
        )

    def _count(self, row: Count, *, has_shares: bool) -> Markup:
        words = self._words
        cells = [
            tag("th", words.say(row.label), scope="row"),
            tag("td", words.number(row.value), class_="number"),
        ]
        if row.whole:
            cells.append(tag("td", words.share(row.value, row.whole), class_="number percent"))
            cells.append(tag("td", _share(row), class_="share"))
        elif has_shares:
            cells += [tag("td"), tag("td", class_="share")]
        is_whole = has_shares and row.whole is None
        return tag("tr", *cells, class_="whole" if is_whole else None)

    # -- timelines ----------------------------------------------------------------------------

    def _lanes(self) -> Iterator[str]:
        told = self._story.lanes
        yield from self._list_start("lanes", told)
        if told.items:
            yield legend(self._words)
        number = 0
        for subject, group in groupby(told.items, key=lambda lane: lane.subject):
            lanes = list(group)
            axis = axis_of(lanes, self._story.asked)
            parts = [lanes[at : at + LANES_DRAWN] for at in range(0, len(lanes), LANES_DRAWN)]
            for place, part in enumerate(parts):
                number += 1
                name = self._words.say("lanes.figure", subject=shown_name(subject))
                yield self._figure(
                    subject,
                    draw(
                        part,
                        axis=axis,
                        asked=self._story.asked,
                        words=self._words,
                        name=name,
                        ident=f"lanes-{number}",
                    ),
                    part=(place + 1, len(parts)),
                    lanes=lanes,
                )
        yield self._list_end("lanes", told)

    def _figure(
        self, subject: str, picture: Markup, *, part: tuple[int, int], lanes: Sequence[ToldLane]
    ) -> Markup:
        types = sorted({shown_name(lane.memory_type) for lane in lanes})
        notes = [", ".join(types)]
        if part[1] > 1:
            of = {
                name: self._words.number(n) for name, n in zip(("part", "parts"), part, strict=True)
            }
            notes.append(self._words.say("lanes.part", **of))
        caption = tag(
            "figcaption",
            tag("h3", _named(subject)),
            tag("span", " · ".join(notes), class_="dim small"),
        )
        earlier = [lane for lane in lanes if lane.earlier] if part[0] == part[1] else []
        more = [
            tag(
                "p",
                _named(lane.attribute),
                ": ",
                count(self._words, "lanes.earlier", lane.earlier),
                class_="dim small",
            )
            for lane in earlier
        ]
        return join(tag("figure", caption, tag("div", picture, class_="scroll"), *more), _BREAK)

    # -- facts --------------------------------------------------------------------------------

    def _facts(self) -> Iterator[str]:
        yield from self._list_start("facts", self._story.facts)
        yield from self._fact_table("facts", self._story.facts.items)
        yield self._list_end("facts", self._story.facts)

    def _unsourced(self) -> Iterator[str]:
        yield from self._list_start("unsourced", self._story.unsourced)
        yield from self._fact_table("unsourced", self._story.unsourced.items)
        yield self._list_end("unsourced", self._story.unsourced)

    def _fact_table(self, ident: str, facts: Sequence[ToldFact]) -> Iterator[str]:
        if not facts:
            return
        columns = ("attribute", "value", "period", "source", "confidence")
        yield self._table_start(ident, columns, "facts", numbers={"confidence"})
        for subject, group in groupby(facts, key=lambda fact: fact.subject):
            rows = list(group)
            number = count(self._words, "facts.count", len(rows))
            head = tag(
                "th",
                _named(subject),
                tag("span", number, class_="dim"),
                scope="rowgroup",
                colspan=len(columns),
            )
            yield tag("tbody", tag("tr", head, class_="group"), *map(self._fact, rows)) + "\n"
        yield "</table>"

    def _table_start(
        self,
        ident: str,
        columns: Sequence[str],
        kind: str,
        *,
        numbers: set[str] | frozenset[str] = frozenset(),
    ) -> Markup:
        """Open a table with its heads, which are repeated on each printed page."""
        heads = [
            tag(
                "th",
                self._words.say(f"column.{name}"),
                scope="col",
                class_="number" if name in numbers else None,
            )
            for name in columns
        ]
        return join(
            opening("table", class_=f"{kind} stack"),
            tag("caption", self._words.say(ident), class_="hidden"),
            tag("colgroup", *(opening("col", class_=f"c-{name}") for name in columns)),
            tag("thead", tag("tr", *heads)),
            _BREAK,
        )

    def _cell(self, column: str, *content: Piece, class_: str | None = None) -> Markup:
        """Write a cell that a narrow screen shows below the others, with its column's name."""
        label = self._words.say(f"column.{column}")
        return tag("td", *content, class_=class_, data_label=label)

    def _fact(self, fact: ToldFact) -> Markup:
        under = [shown_name(fact.memory_type)]
        if fact.owner:
            under.append(self._words.say("fact.owner", owner=shown_name(fact.owner)))
        name = join(_named(fact.attribute), tag("div", " · ".join(under), class_="dim small"))
        return tag(
            "tr",
            tag("th", name, scope="row"),
            tag(
                "td",
                tag("div", self._value(fact.value, fact.commitment), class_="value"),
                self._state(fact),
            ),
            tag("td", self._fact_period(fact)),
            tag("td", self._sources(fact)),
            self._cell("confidence", self._words.decimal(fact.confidence), class_="number"),
        )

    def _state(self, fact: ToldFact) -> Markup:
        state = telling.state_of_fact(fact, self._story)
        sign = tag("span", SIGNS[state], aria_hidden="true")
        word = tag("span", sign, " ", self._kind("state", state), class_=f"state {state}")
        marks = [self._kind("mark", mark) for mark in telling.marks_of(fact)]
        return tag("div", join(word, *marks, by=" · "), class_="dim small")

    def _fact_period(self, fact: ToldFact) -> Markup:
        recorded = say(
            self._words,
            "fact.recorded",
            number=self._transaction_link(fact.transaction),
            actor=_named(fact.agent_id),
        )
        stated: Piece = ""
        if fact.stated_as is not None:
            text = self._shown(shown_text(fact.stated_as, STATED_SHOWN))
            stated = tag("div", say(self._words, "fact.stated_as", text=text), class_="dim small")
        return join(
            tag("div", self._period(fact.valid_from, fact.valid_to, fact.precision)),
            stated,
            tag("div", recorded, class_="dim small"),
        )

    def _transaction_link(self, number: int) -> Markup:
        text = self._words.number(number)
        return tag("a", text, href=f"#tx-{number}") if number in self._told else join(text)

    def _sources(self, fact: ToldFact) -> Markup:
        if not fact.sources:
            return tag("span", self._words.say("fact.no_source"), class_="state disputed")
        more: Piece = ""
        if fact.further_sources:
            text = count(self._words, "facts.more_sources", fact.further_sources)
            more = tag("div", text, class_="dim small")
        return join(*map(self._source, fact.sources), more)

    def _source(self, source: Source) -> Markup:
        said: list[Piece] = [_named(source.episode_id)]
        if source.kind is None:
            said.append(self._words.say("source.missing"))
        else:
            said.append(self._kind("episode", source.kind))
        if source.occurred_at is not None:
            said.append(self._time(source.occurred_at))
        line = tag("div", join(*said, by=" · "), class_="dim small")
        quote = self._excerpt(source) if source.excerpt is not None else self._span(source)
        return tag("div", line, quote, class_="source")

    def _span(self, source: Source) -> Markup:
        if source.span is None:
            return Markup()
        begins, ends = map(self._words.number, source.span)
        text = self._words.say("source.span", begins=begins, ends=ends)
        return tag("div", text, class_="dim small")

    def _excerpt(self, source: Source) -> Markup:
        excerpt = source.excerpt
        if excerpt is None or not (excerpt.quoted or excerpt.before or excerpt.after):
            return Markup()
        is_exact = source.span is not None
        quoted = tag("mark", excerpt.quoted) if is_exact else join(flowing(excerpt.quoted))
        return tag(
            "blockquote",
            tag(
                "bdi",
                "… " if excerpt.is_cut_before else "",
                flowing(excerpt.before),
                quoted,
                " …" if excerpt.is_cut_inside else "",
                flowing(excerpt.after),
                " …" if excerpt.is_cut_after else "",
            ),
        )

    # -- conflicts and gaps -------------------------------------------------------------------

    def _conflicts(self) -> Iterator[str]:
        told = self._story.conflicts
        yield from self._list_start("conflicts", told)
        for conflict in told.items:
            yield self._conflict(conflict) + "\n"
        yield self._list_end("conflicts", told)

    def _conflict(self, conflict: ToldConflict) -> Markup:
        words = self._words
        about = join(
            self._kind("conflict", conflict.kind),
            say(
                words,
                "conflict.contested",
                period=self._period(conflict.contested_from, conflict.contested_to),
            ),
            say(
                words,
                "conflict.raised",
                at=self._time(conflict.raised_at, has_seconds=True),
                number=self._transaction_link(conflict.raised_in),
            ),
            by=" · ",
        )
        owner = words.say("fact.owner", owner=shown_name(conflict.owner)) if conflict.owner else ""
        heading = join(_named(conflict.subject), _named(conflict.attribute), owner, by=" · ")
        incoming = [
            self._claim(self._incoming_name(place, len(conflict.incoming)), claim)
            for place, claim in enumerate(conflict.incoming, start=1)
        ]
        return tag(
            "article",
            tag(
                "div",
                tag("h3", heading),
                tag("p", about, class_="dim small"),
                class_="conflict-head",
            ),
            tag(
                "div",
                self._claim(words.say("conflict.standing"), conflict.standing),
                *incoming,
                class_="claims",
            ),
            class_="conflict",
        )

    def _incoming_name(self, place: int, places: int) -> str:
        if places == 1:
            return self._words.say("conflict.incoming")
        part, parts = map(self._words.number, (place, places))
        return self._words.say("conflict.incoming_of", part=part, parts=parts)

    def _claim(self, name: str, claim: ToldClaim) -> Markup:
        words = self._words
        begins = join(
            self._time(claim.valid_from, claim.precision),
            self._kind("basis", claim.basis),
            by=" · ",
        )
        ends = words.say("period.open") if claim.until is None else self._time(claim.until)
        recorded = join(
            self._time(claim.recorded_at, has_seconds=True), _named(claim.agent_id), by=" · "
        )
        rows = (
            ("begins", begins),
            ("ends", join(ends)),
            ("recorded", recorded),
            ("confidence", join(words.decimal(claim.confidence))),
        )
        facts = [
            join(tag("dt", words.say(f"claim.{label}")), tag("dd", text)) for label, text in rows
        ]
        return tag(
            "div",
            tag("h4", name, class_="caps"),
            tag("div", self._value(claim.value, claim.commitment), class_="value"),
            tag("dl", *facts),
            self._source(claim.source) if claim.source else "",
            class_="claim",
        )

    def _gaps(self) -> Iterator[str]:
        told = self._story.gaps
        yield from self._list_start("gaps", told)
        if told.items:
            columns = ("subject", "attribute", "gap", "before", "after")
            yield self._table_start("gaps", columns, "gaps")
            yield tag("tbody", *map(self._gap_row, told.items))
            yield "</table>"
        yield self._list_end("gaps", told)

    def _gap_row(self, gap: ToldGap) -> Markup:
        is_withheld = self._story.asked.withhold == "values"
        nothing = tag("span", self._words.say("gaps.open"), class_="dim")
        after = nothing if gap.gap_to is None else self._value(gap.after)
        before = self._value(gap.before) if gap.before is not None or is_withheld else nothing
        begins = self._time(gap.gap_from)
        period = (
            say(self._words, "period.from", begins=begins)
            if gap.gap_to is None
            else self._period(gap.gap_from, gap.gap_to)
        )
        name = join(_named(gap.attribute), _named(gap.owner) if gap.owner else "", by=" · ")
        return tag(
            "tr",
            tag("th", _named(gap.subject), scope="row"),
            self._cell("attribute", name),
            self._cell("gap", period),
            self._cell("before", before),
            self._cell("after", after),
        )

    # -- transactions -------------------------------------------------------------------------

    def _transactions(self) -> Iterator[str]:
        told = self._story.transactions
        yield from self._list_start("transactions", told)
        yield self._left_out("transactions", told)
        if told.items:
            columns = ("number", "recorded", "kind", "actor", "reason", "entries", "digest")
            numbers = {"number", "entries"}
            yield self._table_start("transactions", columns, "transactions", numbers=numbers)
            yield "<tbody>"
            for transaction in told.items:
                yield self._transaction(transaction) + "\n"
            yield "</tbody></table>"
        yield "</section>\n"

    def _transaction(self, told: ToldTransaction) -> Markup:
        words = self._words
        if told.through is not None:
            return self._transactions_outside(told, told.through)
        kind = join(self._kind("write", told.kind))
        if told.reverts is not None:
            of = say(words, "transactions.reverts", number=self._transaction_link(told.reverts))
            kind = join(kind, of, by=" ")
        if told.actor is None:
            actor: Piece = tag("span", "–", class_="dim")
            reason: Piece = tag("span", words.say("transactions.hidden"), class_="dim")
        else:
            actor = _named(told.actor)
            reason = self._shown(shown_text(told.reason)) if told.reason else ""
        return tag(
            "tr",
            tag("th", words.number(told.number), scope="row", class_="number"),
            self._cell("recorded", self._time(told.recorded_at, has_seconds=True)),
            self._cell("kind", kind),
            self._cell("actor", actor),
            self._cell("reason", reason),
            self._cell("entries", words.number(told.entries), class_="number"),
            self._cell("digest", tag("code", told.digest[:DIGEST_SHOWN])),
            id=f"tx-{told.number}",
        )

    def _transactions_outside(self, told: ToldTransaction, through: int) -> Markup:
        words = self._words
        many = words.count("transactions.run", through - told.number + 1)
        outside = tag("span", many, class_="dim")
        return tag(
            "tr",
            tag(
                "th",
                f"{words.number(told.number)}–{words.number(through)}",
                scope="row",
                class_="number",
            ),
            self._cell("recorded", self._time(told.recorded_at, has_seconds=True)),
            tag("td", outside, colspan="3"),
            self._cell("entries", words.number(told.entries), class_="number"),
            self._cell("digest", tag("code", told.digest[:DIGEST_SHOWN])),
        )

    # -- how to verify ------------------------------------------------------------------------

    def _verify(self) -> str:
        words, story = self._words, self._story
        python, program = telling.commands(story, words.say("verify.place"))
        return self._section(
            "verify",
            tag("p", words.say("verify.intro"), class_="intro"),
            tag("h3", words.say("verify.head")),
            tag("p", words.say("verify.head_text"), class_="paragraph"),
            tag("pre", story.head),
            tag("p", words.say("verify.python")),
            tag("pre", python),
            tag("p", words.say("verify.program")),
            tag("pre", program),
            tag(
                "div",
                self._proofs("verify.proved", telling.proved(story), "yes"),
                self._proofs("verify.not_proved", telling.not_proved(story), "no"),
                class_="proofs",
            ),
            self._files(),
        )

    def _proofs(self, heading: str, lines: Sequence[Line], kind: str) -> Markup:
        items = (tag("li", self._line(line)) for line in lines)
        return tag("div", tag("h3", self._words.say(heading)), tag("ul", *items), class_=kind)

    def _files(self) -> Markup:
        if not self._story.files:
            return Markup()
        rows = [
            tag(
                "tr",
                tag("th", tag("code", shown_name(name)), scope="row"),
                tag("td", self._kind("file", name)),
            )
            for name in self._story.files
        ]
        heads = [
            tag("th", self._words.say(f"column.{name}"), scope="col") for name in ("file", "holds")
        ]
        return tag(
            "table",
            tag("caption", self._words.say("files")),
            tag("colgroup", opening("col", class_="c-file"), opening("col")),
            tag("thead", tag("tr", *heads)),
            tag("tbody", *rows),
            class_="files",
        )


def _named(text: str) -> Markup:
    """Write a name of the store; its direction stays its own."""
    return tag("bdi", shown_name(text))


def _share(row: Count) -> Markup:
    """Draw how large a part is."""
    width = round(row.value * _BAR_WIDTH / row.whole) if row.whole else 0
    part = void(
        "rect",
        class_="part warn" if row.is_warning else "part",
        width=max(width, 1 if row.value else 0),
        height=6,
        rx=1,
    )
    return tag(
        "svg",
        void("rect", class_="track", width=_BAR_WIDTH, height=6, rx=1),
        part,
        viewBox=f"0 0 {_BAR_WIDTH} 6",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
