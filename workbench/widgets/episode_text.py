"""What an episode says, shown so that it can do no harm, with the evidence highlighted.

The document is built piece by piece from Markdown tokens: no HTML is ever read, links and pictures
are words, nothing is loaded from anywhere, and characters that cannot be seen are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication, QEvent, QSize, QUrl, Slot
from PySide6.QtGui import (
    QBrush,
    QFont,
    QShowEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextList,
    QTextListFormat,
    QTextOption,
    QTextTable,
    QTextTableFormat,
)
from PySide6.QtWidgets import QSizePolicy, QTextBrowser, QWidget

from store.model import EpisodeKind
from workbench import text
from workbench.theme import appearance, current, font, set_look
from workbench.widgets.markdown import Marked, is_json, mark_spans, merged_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

translate = QCoreApplication.translate

LONGEST: Final = 400_000
"""So many characters are shown at most, those around the evidence."""
_BREAK: Final = "\u2028"
_INDENT_PX: Final = 20
_GAP_PX: Final = 8
_QUOTE_PX: Final = 12


class EpisodeText(QTextBrowser):
    """The content of an episode, to be read, selected and copied, and nothing else.

    Markdown is laid out; JSON and what cannot be matched with its source for sure is shown as it
    is written. Spans of evidence are on a ground of their own and underlined.
    """

    def __init__(self, parent: QWidget | None = None, *, max_lines: int | None = None) -> None:
        """Make an empty one.

        Args:
            parent: the parent.
            max_lines: grow with the content up to so many lines, then scroll; None to fill the
                room there is.
        """
        super().__init__(parent)
        self._is_unseen = False
        self._content = ""
        self._spans: list[tuple[int, int]] = []
        self._kind: EpisodeKind | None = None
        self._max_lines = max_lines
        self._is_source_shown = False
        self._is_plain = False
        self._marked: list[tuple[int, int]] = []
        self._marked_texts: list[str] = []
        self.setObjectName("episode_text")
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(0)
        set_look(self, "episode")
        if max_lines is not None:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)
        appearance().changed.connect(self._show)
        self._show()

    # -- what is shown ------------------------------------------------------------------------

    def show_episode(
        self,
        content: str,
        spans: Sequence[tuple[int, int]] = (),
        kind: EpisodeKind | None = None,
    ) -> None:
        """Show a content and highlight spans of it.

        Args:
            content: as it was captured.
            spans: pairs (start, end) of characters of the content, end exclusive.
            kind: what sort of event it is; an imported row is shown as it is written.
        """
        self._content, self._kind = content, kind
        self._spans = merged_spans(spans, len(content))
        self._show()
        self.moveCursor(QTextCursor.MoveOperation.Start)  # writing has left it at the end
        self._is_unseen = not self.isVisible()
        self.reveal_span(0)

    def show_source(self, is_on: bool) -> None:
        """Show the content as it is written rather than laid out."""
        if is_on != self._is_source_shown:
            self._is_source_shown = is_on
            self._show()
            self.reveal_span(0)

    @property
    def is_plain(self) -> bool:
        """Whether the content is shown as it is written."""
        return self._is_plain

    @property
    def evidence_texts(self) -> list[str]:
        """The texts that are highlighted, as they are shown; one that crosses blocks has breaks."""
        return list(self._marked_texts)

    def reveal_span(self, index: int) -> None:
        """Scroll so that a highlighted span is in view, in the middle if it was not before."""
        if index >= len(self._marked):
            return
        start, end = self._marked[index]
        first, last = QTextCursor(self.document()), QTextCursor(self.document())
        first.setPosition(start)
        last.setPosition(end)
        around = self.cursorRect(first).united(self.cursorRect(last))
        room = self.viewport().rect()
        if around.top() < room.top() or around.bottom() > room.bottom():
            bar = self.verticalScrollBar()
            spare = max(0, room.height() - around.height())
            bar.setValue(bar.value() + around.top() - spare // 2)
        self.setTextCursor(first)

    # -- Qt -----------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_unseen:  # only now it has its size; where it was scrolled to fits another
            self._is_unseen = False
            self.verticalScrollBar().setValue(0)
            self.reveal_span(0)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        return None  # whatever it is, it is not ours to load

    def sizeHint(self) -> QSize:
        if self._max_lines is None:
            return super().sizeHint()
        frame = self.height() - self.viewport().height() if self.isVisible() else 18
        most = self._max_lines * self.fontMetrics().lineSpacing()
        return QSize(240, min(most, round(self.document().size().height())) + max(frame, 2))

    def minimumSizeHint(self) -> QSize:
        if self._max_lines is None:
            return QSize(80, 60)
        return QSize(80, self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._show()

    # -- building -----------------------------------------------------------------------------

    @Slot()
    def _show(self) -> None:
        """Build the document anew, in the colours and the language in force."""
        marked = None
        is_written = self._is_source_shown or self._kind is EpisodeKind.IMPORTED_ROW
        is_data = is_json(self._content)
        if not is_written and not is_data:
            marked = mark_spans(self._content, self._spans)
        self._is_plain = marked is None
        document = self.document()
        document.clear()
        document.setIndentWidth(_INDENT_PX)
        document.setDefaultFont(font("content"))
        writer = _Writer(QTextCursor(document))
        if marked is None:
            self._write_plain(writer, is_mono=is_data or is_written)
        else:
            writer.write_tokens(marked)
        self._marked = writer.marked
        self._marked_texts = writer.marked_texts
        self.setPlaceholderText(self.tr("This episode has no text."))
        self.setAccessibleName(self.tr("Text of the episode"))
        self.setAccessibleDescription(self._evidence_in_words())
        self.updateGeometry()

    def _write_plain(self, writer: _Writer, *, is_mono: bool) -> None:
        first, last = self._window()
        if first > 0:
            writer.write_note(
                self.tr("{number} characters before are not shown.").format(
                    number=text.number(first)
                )
            )
        writer.write_plain(self._content, (first, last), self._spans, is_mono=is_mono)
        left = len(self._content) - last
        if left > 0:
            writer.write_note(
                self.tr("{number} characters after are not shown.").format(number=text.number(left))
            )

    def _window(self) -> tuple[int, int]:
        """Give the part of the content that is shown: all, or what is around the evidence."""
        length = len(self._content)
        if length <= LONGEST:
            return 0, length
        start = self._spans[0][0] if self._spans else 0
        first = max(0, min(start - LONGEST // 2, length - LONGEST))
        return first, first + LONGEST

    def _evidence_in_words(self) -> str:
        said = self.evidence_texts
        if not said:
            return ""
        quoted = "; ".join(text.isolate(text.one_line(words)) for words in said)
        return self.tr("Evidence: {words}").format(words=quoted)


class _Writer:
    """Writes tokens or plain text into a document, and notes where the marked parts stand."""

    def __init__(self, cursor: QTextCursor) -> None:
        self.marked: list[tuple[int, int]] = []
        self.marked_texts: list[str] = []
        self._said: list[str] = []
        self._cursor = cursor
        self._colors = current()
        self._is_first = True
        self._begins: int | None = None
        self._marks: Marked | None = None
        self._lists: list[_ListLevel] = []
        self._quotes = 0
        self._styles: list[str] = []
        self._links: list[str] = []
        self._heading = 0
        self._table: _TablePlace | None = None

    # -- plain text ---------------------------------------------------------------------------

    def write_plain(
        self,
        content: str,
        window: tuple[int, int],
        spans: Sequence[tuple[int, int]],
        *,
        is_mono: bool,
    ) -> None:
        """Write a part of a text as it is, with spans marked."""
        self._begin_block()
        self._styles = ["code_plain"] if is_mono else []
        first, last = window
        done = first
        for start, end in spans:
            begins, ends = max(start, first), min(end, last)
            if begins >= ends:
                continue
            self._write(content[done:begins])
            self._begins = self._cursor.position()
            self._write(content[begins:ends])
            self._end_mark()
            done = ends
        self._write(content[done:last])
        self._styles = []

    def write_note(self, words: str) -> None:
        """Write a line of our own."""
        self._begin_block()
        self._styles = ["note"]
        self._write(words)
        self._styles = []

    # -- Markdown -----------------------------------------------------------------------------

    def write_tokens(self, marks: Marked) -> None:
        """Write the blocks of a parsed text."""
        self._marks = marks
        for place, token in enumerate(marks.tokens):
            self._write_block(token, marks.tokens[place:])
        if self._is_first and self._cursor.position() > 0:
            self._hide_last_block()

    def _hide_last_block(self) -> None:
        """Take the height from the block that Qt wants behind a frame or a table."""
        form = QTextBlockFormat()
        form.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        self._cursor.setBlockFormat(form)

    def _write_block(self, token: Token, rest: Sequence[Token]) -> None:
        match token.type:
            case "inline":
                if self._table is not None:
                    self._table.enter(self._cursor)
                for child in token.children or ():
                    self._write_inline(child)
            case "paragraph_open":
                self._begin_block()
            case "heading_open":
                self._heading = int(token.tag[1:])
                self._begin_block()
            case "heading_close":
                self._heading = 0
            case "fence" | "code_block":
                self._write_code(token.content)
            case "hr":
                self._write_rule()
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "bullet_list_open" | "ordered_list_open":
                self._lists.append(_ListLevel.of(token))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._lists[-1].is_item_new = True
            case "list_item_close":
                self._write_empty_item()
            case "table_open":
                self._begin_table(rest)
            case "table_close":
                self._end_table()
            case "tr_open":
                if self._table is not None:
                    self._table.begin_row()
            case "th_open" | "td_open":
                self._begin_cell(is_head=token.type == "th_open")
            case "th_close" | "td_close":
                self._styles = []

    def _write_code(self, content: str) -> None:
        form = QTextFrameFormat()
        form.setBackground(self._colors.color("lane"))
        form.setBorder(1)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(QBrush(self._colors.color("line")))
        form.setPadding(6)
        form.setTopMargin(_GAP_PX)
        form.setLeftMargin(len(self._lists) * _INDENT_PX + self._quotes * _QUOTE_PX)
        outside = self._cursor.currentFrame()
        self._cursor.insertFrame(form)
        self._styles.append("code_plain")
        self._write(content.removesuffix("\n"))
        self._styles.pop()
        self._cursor.setPosition(outside.lastPosition())
        self._is_first = True  # the block behind a frame is there already

    def _write_rule(self) -> None:
        self._begin_block()
        rule = self._cursor.blockFormat()
        rule.setProperty(
            QTextFormat.Property.BlockTrailingHorizontalRulerWidth,
            QTextLength(QTextLength.Type.PercentageLength, 100),
        )
        rule.setProperty(QTextFormat.Property.BackgroundBrush, QBrush(self._colors.color("line")))
        self._cursor.setBlockFormat(rule)

    def _write_empty_item(self) -> None:
        if self._lists[-1].is_item_new:
            self._begin_block()

    def _begin_table(self, rest: Sequence[Token]) -> None:
        rows, columns = _table_size(rest)
        if not self._is_first:
            self._cursor.insertBlock(QTextBlockFormat())
        self._is_first = False
        form = QTextTableFormat()
        form.setBorder(1)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(QBrush(self._colors.color("line")))
        form.setBorderCollapse(True)
        form.setCellPadding(4)
        form.setCellSpacing(0)
        form.setTopMargin(_GAP_PX)
        self._table = _TablePlace(self._cursor.insertTable(rows, columns, form))

    def _begin_cell(self, *, is_head: bool) -> None:
        if self._table is not None:
            self._table.begin_cell()
            self._table.enter(self._cursor)
        self._styles = ["strong"] if is_head else []

    def _end_table(self) -> None:
        self._table = None
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._is_first = True  # the block behind a table is there already

    # -- within a block -----------------------------------------------------------------------

    def _write_inline(self, token: Token) -> None:
        match token.type:
            case "text" | "text_special":
                self._write(token.content)
            case "code_inline":
                self._styles.append("code")
                self._write(token.content)
                self._styles.pop()
            case "softbreak" | "hardbreak":
                self._insert(_BREAK)
            case "em_open" | "strong_open" | "s_open":
                self._styles.append(token.type.removesuffix("_open"))
            case "em_close" | "strong_close" | "s_close":
                self._styles.pop()
            case "link_open":
                self._links.append(str(token.attrGet("href") or ""))
                self._styles.append("link")
            case "link_close":
                self._styles.pop()
                self._write_address(self._links.pop())
            case "image":
                self._write_image(token)
            case _:  # HTML is off, so there is none; whatever else there may be is shown as it is
                self._write(token.content)

    def _write_address(self, address: str) -> None:
        """Write where a link would lead, so that its words cannot say otherwise."""
        self._styles.append("note")
        self._insert(f" ⟨{text.visible(address)}⟩")
        self._styles.pop()

    def _write_image(self, token: Token) -> None:
        """Write what stands for a picture, which is not loaded."""
        self._styles.append("note")
        word = translate("EpisodeText", "picture")
        self._insert(f"[{word}: ")
        for child in token.children or ():
            self._write_inline(child)
        self._insert("]")
        self._styles.pop()
        self._write_address(str(token.attrGet("src") or ""))

    # -- the cursor ---------------------------------------------------------------------------

    def _begin_block(self) -> None:
        if self._table is not None:
            return
        level = self._lists[-1] if self._lists else None
        form = QTextBlockFormat()
        is_top = self._cursor.position() == 0
        form.setTopMargin(0 if is_top else 2 if level is not None else _GAP_PX)
        form.setLeftMargin(self._quotes * _QUOTE_PX)
        form.setLineHeight(120, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if level is not None and not level.is_item_new:
            form.setIndent(len(self._lists))
        if self._is_first:
            self._cursor.setBlockFormat(form)
            self._cursor.setBlockCharFormat(self._style())
        else:
            self._cursor.insertBlock(form, self._style())
        self._is_first = False
        if self._begins is not None:
            self._said.append("\n")
        if level is not None and level.is_item_new:
            level.add(self._cursor, len(self._lists))

    def _write(self, words: str) -> None:
        """Write a text in which marks may stand."""
        if self._marks is None:
            self._insert(_shown(words))
            return
        opening, closing = self._marks.opening, self._marks.closing
        piece = []
        for char in words:
            if char not in (opening, closing):
                piece.append(char)
                continue
            self._insert(_shown("".join(piece)))
            piece = []
            if char == opening:
                self._begins = self._cursor.position()
            else:
                self._end_mark()
        self._insert(_shown("".join(piece)))

    def _end_mark(self) -> None:
        if self._begins is not None and any(self._said):
            self.marked.append((self._begins, self._cursor.position()))
            self.marked_texts.append("".join(self._said))
        self._begins = None
        self._said = []

    def _insert(self, shown: str) -> None:
        if shown:
            self._cursor.insertText(shown, self._style())
            if self._begins is not None:
                self._said.append(shown.replace(_BREAK, "\n"))

    def _style(self) -> QTextCharFormat:
        colors = self._colors
        style = QTextCharFormat()
        face = QFont(font("title" if 1 <= self._heading <= 2 else "content"))
        if "code" in self._styles or "code_plain" in self._styles:
            face = QFont(font("mono"))
        if "strong" in self._styles or self._heading:
            face.setWeight(QFont.Weight.DemiBold)
        face.setItalic("em" in self._styles)
        face.setStrikeOut("s" in self._styles)
        style.setFont(face)
        is_quiet = "note" in self._styles or (self._quotes and self._begins is None)
        style.setForeground(colors.color("dim" if is_quiet else "text"))
        if "code" in self._styles:
            style.setBackground(colors.color("lane"))
        if "link" in self._styles:
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            style.setUnderlineColor(colors.color("ctl"))
        if self._begins is not None:
            style.setBackground(colors.color("warn_bg"))
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            style.setUnderlineColor(colors.color("warn"))
        return style


class _ListLevel:
    """A list that is being written: its items come one by one."""

    def __init__(self, form: QTextListFormat) -> None:
        self.is_item_new = False
        self._form = form
        self._list: QTextList | None = None

    @classmethod
    def of(cls, token: Token) -> _ListLevel:
        """Begin a list as its token says."""
        form = QTextListFormat()
        is_ordered = token.type == "ordered_list_open"
        form.setStyle(
            QTextListFormat.Style.ListDecimal if is_ordered else QTextListFormat.Style.ListDisc
        )
        start = token.attrGet("start")
        if isinstance(start, int):
            form.setStart(start)
        return cls(form)

    def add(self, cursor: QTextCursor, depth: int) -> None:
        """Make the block at the cursor the next item."""
        self.is_item_new = False
        if self._list is None:
            self._form.setIndent(depth)
            self._list = cursor.createList(self._form)
        else:
            self._list.add(cursor.block())


class _TablePlace:
    """Where one is in a table that is being written."""

    def __init__(self, table: QTextTable) -> None:
        self._table = table
        self._row = -1
        self._column = -1

    def begin_row(self) -> None:
        """Go to the next row."""
        self._row += 1
        self._column = -1

    def begin_cell(self) -> None:
        """Go to the next cell of the row."""
        self._column += 1

    def enter(self, cursor: QTextCursor) -> None:
        """Put a cursor at the end of the cell."""
        place = self._table.cellAt(self._row, self._column).lastCursorPosition()
        cursor.setPosition(place.position())


def _table_size(tokens: Sequence[Token]) -> tuple[int, int]:
    rows, columns, cells = 0, 1, 0
    for token in tokens:
        if token.type == "tr_open":
            rows, cells = rows + 1, 0
        elif token.type in ("th_open", "td_open"):
            cells += 1
            columns = max(columns, cells)
        elif token.type == "table_close":
            break
    return rows, columns


def _shown(words: str) -> str:
    """Give a text with what cannot be seen made visible, and its lines kept within the block."""
    return text.visible(words, keeps_lines=True).replace("\n", _BREAK)
