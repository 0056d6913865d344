"""A field for a value: text or JSON, and it says as what it will be stored."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from store.canonical import TOO_DEEP, canonical, from_json, is_too_deep
from store.errors import Invalid, TooDeep
from workbench.text import QT_TRANSLATE_NOOP, value_line, visible
from workbench.theme import appearance, font, set_look

CONTEXT: Final = "ValueEdit"


class ValueKind(StrEnum):
    """What a JSON value is."""

    TEXT = "text"
    NUMBER = "number"
    TRUTH = "truth"
    NULL = "null"
    OBJECT = "object"
    ARRAY = "array"


_STORED_AS: Final = {
    ValueKind.TEXT: QT_TRANSLATE_NOOP("ValueEdit", "Stored as text: {value}"),
    ValueKind.NUMBER: QT_TRANSLATE_NOOP("ValueEdit", "Stored as a number: {value}"),
    ValueKind.TRUTH: QT_TRANSLATE_NOOP("ValueEdit", "Stored as yes or no: {value}"),
    ValueKind.NULL: QT_TRANSLATE_NOOP("ValueEdit", "Stored as null, a value that says “none”."),
    ValueKind.OBJECT: QT_TRANSLATE_NOOP("ValueEdit", "Stored as an object: {value}"),
    ValueKind.ARRAY: QT_TRANSLATE_NOOP("ValueEdit", "Stored as a list: {value}"),
}


class TypedValue(NamedTuple):
    """A value that was typed.

    Attributes:
        is_broken_json: it begins like JSON and is none, so it is a text.
    """

    value: Any
    kind: ValueKind
    is_broken_json: bool = False


def kind_of(value: Any) -> ValueKind:
    """Give the kind of a JSON value."""
    match value:
        case str():
            return ValueKind.TEXT
        case bool():
            return ValueKind.TRUTH
        case None:
            return ValueKind.NULL
        case dict():
            return ValueKind.OBJECT
        case list():
            return ValueKind.ARRAY
    return ValueKind.NUMBER


def read_value(typed: str, *, is_text: bool = False) -> TypedValue | None:
    """Read what was typed: JSON if it is JSON, else text without blanks around it.

    Args:
        typed: what was typed.
        is_text: take it for text even where it could be JSON.

    Returns:
        The value, or None where nothing was typed.

    Raises:
        Invalid: it is JSON that cannot be kept exactly, such as a number with too many digits.
        TooDeep: it is nested deeper than a value may be.
    """
    bare = typed.strip()
    if not bare:
        return None
    if is_text:
        return _checked(TypedValue(bare, ValueKind.TEXT))
    try:
        value = from_json(bare)
    except TooDeep:
        raise
    except Invalid:
        return _checked(TypedValue(bare, ValueKind.TEXT, is_broken_json=bare[0] in '{["'))
    return _checked(TypedValue(value, kind_of(value)))


def _checked(found: TypedValue) -> TypedValue:
    if is_too_deep(found.value):
        raise TooDeep(f"{TOO_DEEP}.")
    canonical(found.value)
    return found


def editable_text(value: Any) -> tuple[str, bool]:
    """Give what to type for a value, and whether to take it for text; it reads back the same.

    What cannot be seen is written as a JSON escape, so that it is seen and kept.
    """
    if not isinstance(value, str):
        return _with_escapes(json.dumps(value, ensure_ascii=False, indent=2)), False
    if not value or value != value.strip() or visible(value, keeps_lines=True) != value:
        return _with_escapes(json.dumps(value, ensure_ascii=False)), False
    try:
        found = read_value(value)
    except Invalid:
        return value, True
    return value, found is None or found.value != value


def _with_escapes(written: str) -> str:
    return "".join(
        char if char == "\n" or visible(char) == char else json.dumps(char)[1:-1]
        for char in written
    )


class ValueEdit(QWidget):
    """A field of a few lines over a sentence that says as what its content will be stored.

    Tab leaves the field; a break is typed with Enter.

    Signals:
        value_changed: what is typed means something else now.
    """

    value_changed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None, *, lines: int = 2) -> None:
        """Make an empty field.

        Args:
            name: what the value is, for a screen reader.
            parent: the parent.
            lines: height of the field.
        """
        super().__init__(parent)
        self._lines = lines
        self._found: TypedValue | None = None
        self._problem = ""
        self._edit = QPlainTextEdit()
        self._edit.setObjectName("value")
        self._edit.setAccessibleName(name)
        self._edit.setTabChangesFocus(True)
        self._edit.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_look(self._edit, "value_field")
        self._edit.textChanged.connect(self._read)
        self._says = QLabel()
        self._says.setTextFormat(Qt.TextFormat.PlainText)
        self._says.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._says.setWordWrap(True)
        set_look(self._says, "secondary")
        self._as_text = QCheckBox()
        self._as_text.toggled.connect(self._read)
        below = QHBoxLayout()
        below.setContentsMargins(2, 0, 0, 0)
        below.setSpacing(12)
        below.addWidget(self._says, 1, Qt.AlignmentFlag.AlignTop)
        below.addWidget(self._as_text, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._edit)
        column.addLayout(below)
        self.setFocusProxy(self._edit)
        appearance().changed.connect(self._fit)
        self._fit()
        self._say_names()
        self._read()

    # -- the value ------------------------------------------------------------------------

    @property
    def found(self) -> TypedValue | None:
        """The value that is typed; None where there is none or it cannot be kept."""
        return self._found

    @property
    def problem(self) -> str:
        """Why what is typed cannot be kept, or ""."""
        return self._problem

    @property
    def field(self) -> QPlainTextEdit:
        """The field itself, as for a form's label."""
        return self._edit

    def set_value(self, value: Any) -> None:
        """Show a value to begin with."""
        typed, is_text = editable_text(value)
        self._as_text.setChecked(is_text)
        self._edit.setPlainText(typed)

    def clear(self) -> None:
        """Empty the field."""
        self._as_text.setChecked(False)
        self._edit.clear()

    # -- Qt -------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._say_names()
            self._read()

    def minimumSizeHint(self) -> QSize:
        return QSize(200, super().minimumSizeHint().height())

    def _say_names(self) -> None:
        self._as_text.setText(self.tr("Keep as text"))

    @Slot()
    def _fit(self) -> None:
        self._edit.setFont(font("mono"))
        margins = 2 * int(self._edit.document().documentMargin()) + 12
        self._edit.setFixedHeight(self._lines * self._edit.fontMetrics().lineSpacing() + margins)

    @Slot()
    def _read(self) -> None:
        before = self._found, self._problem
        self._problem = ""
        try:
            self._found = read_value(self._edit.toPlainText(), is_text=self._as_text.isChecked())
        except Invalid as error:
            self._found, self._problem = None, str(error)
        self._say()
        if (self._found, self._problem) != before:
            self.value_changed.emit()

    def _say(self) -> None:
        found = self._found
        could_be_json = found is not None and found.kind is not ValueKind.TEXT
        self._as_text.setVisible(could_be_json or self._as_text.isChecked())
        words = self._problem or self._words(found)
        self._says.setText(words)
        is_odd = bool(self._problem) or (found is not None and found.is_broken_json)
        set_look(self._says, "problem" if is_odd else "secondary")
        self._edit.setProperty("invalid", bool(self._problem))
        self._edit.style().unpolish(self._edit)
        self._edit.style().polish(self._edit)
        self._edit.setAccessibleDescription(words)

    def _words(self, found: TypedValue | None) -> str:
        if found is None:
            return self.tr("Text as it is, or JSON: 42, true, null, [1, 2], {…}.")
        said = QCoreApplication.translate(CONTEXT, _STORED_AS[found.kind]).format(
            value=value_line(found.value, 120)
        )
        if found.is_broken_json:
            return self.tr("This begins like JSON and is none. {stored}").format(stored=said)
        return said
