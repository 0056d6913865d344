"""The preferences, built from the fields of `Settings`; a change takes effect at once."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from workbench.settings import SettingField, Settings, setting_fields
from workbench.theme import set_look
from workbench.widgets.on_screen import OnScreen
from workbench.widgets.section_head import SectionHead

WIDTH_PX: Final = 520


class _Page(QScrollArea):
    """As tall as what is in it; scrolls where a small screen at 200 % has no room for that."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        content = self.widget()
        return super().sizeHint() if content is None else content.sizeHint()

    def minimumSizeHint(self) -> QSize:
        content = self.widget()
        return QSize(0 if content is None else content.minimumSizeHint().width(), 120)


class PreferencesDialog(QDialog):
    """Everything that can be chosen, page by page, in one column.

    Signals:
        changed: the new `Settings`, after each change.
    """

    changed = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("app.preferences")
        OnScreen(self)
        self._settings = settings
        self._controls: dict[str, QWidget] = {}
        self._page = _Page()
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.RestoreDefaults | QDialogButtonBox.StandardButton.Close
        )
        self._buttons.rejected.connect(self.reject)
        self._restore = self._buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        self._restore.clicked.connect(self._restore_defaults)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 12)
        self._column.addWidget(self._page, 1)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(24, 0, 24, 0)
        buttons.addWidget(self._buttons)
        self._column.addLayout(buttons)
        self.setMinimumWidth(WIDTH_PX)
        self._build()

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        return self._settings

    def set_settings(self, settings: Settings) -> None:
        """Show settings that changed elsewhere, as by a menu; nothing is told."""
        if settings != self._settings:
            self._settings = settings
            self._build()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._build()

    def _build(self) -> None:
        focused = next((name for name, it in self._controls.items() if it.hasFocus()), "")
        self.setWindowTitle(self.tr("Preferences"))
        self._restore.setText(self.tr("Restore defaults"))
        self._buttons.button(QDialogButtonBox.StandardButton.Close).setText(self.tr("Close"))
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(24, 20, 24, 8)
        column.setSpacing(8)
        self._controls = {}
        page = ""
        form = QFormLayout()
        fields = setting_fields()
        for field in fields:
            if field.page != page:
                if page:
                    column.addSpacing(12)
                page = field.page
                column.addWidget(SectionHead(page))
                form = QFormLayout()
                form.setHorizontalSpacing(24)
                form.setVerticalSpacing(10)
                column.addLayout(form)
            self._add_field(form, field)
        column.addStretch(1)
        self._align(body)
        old = self._page.takeWidget()
        if old is not None:
            old.deleteLater()  # one of its own controls may have asked for this
        self._page.setWidget(body)
        self._controls[focused or fields[0].name].setFocus()

    def _align(self, body: QWidget) -> None:
        """Give the titles of all pages one width, so that the fields stand in one column."""
        titles = [label for label in body.findChildren(QLabel) if label.buddy() is not None]
        width = max(title.sizeHint().width() for title in titles)
        for title in titles:
            title.setMinimumWidth(width)

    def _add_field(self, form: QFormLayout, field: SettingField) -> None:
        control = self._control(field)
        control.setObjectName(f"setting.{field.name}")
        control.setAccessibleName(field.title)
        control.setAccessibleDescription(field.description)
        self._controls[field.name] = control
        cell = QVBoxLayout()
        cell.setSpacing(2)
        cell.addWidget(control)
        if field.description:
            says = QLabel(field.description)
            says.setWordWrap(True)
            set_look(says, "secondary")
            if field.kind == "bool":
                says.setContentsMargins(26, 0, 0, 0)  # under the words, not under the box
            cell.addWidget(says)
        if field.kind == "bool":
            form.addRow(cell)
        else:
            title = QLabel(field.title)
            title.setBuddy(control)
            form.addRow(title, cell)

    def _control(self, field: SettingField) -> QWidget:
        value = getattr(self._settings, field.name)
        name = field.name
        if field.kind == "bool":
            box = QCheckBox(field.title)
            box.setChecked(value)
            box.toggled.connect(lambda is_on: self._change(name, is_on))
            return box
        if field.kind == "choice":
            combo = QComboBox()
            for choice, words in field.choices:
                combo.addItem(words, choice)
            combo.setCurrentIndex(combo.findData(value))
            combo.view().setAccessibleName(field.title)
            combo.activated.connect(lambda at: self._change(name, combo.itemData(at)))
            return combo
        line = QLineEdit(value)
        line.setMaxLength(field.max_length or 1_000)
        line.editingFinished.connect(lambda: self._change(name, line.text().strip()))
        return line

    def _change(self, name: str, value: object) -> None:
        if getattr(self._settings, name) != value:
            self._settings = self._settings.changed(**{name: value})
            self.changed.emit(self._settings)

    def _restore_defaults(self) -> None:
        defaults = Settings()
        chosen = {field.name: getattr(defaults, field.name) for field in setting_fields()}
        self._settings = self._settings.changed(**chosen)
        self._build()
        self.changed.emit(self._settings)
