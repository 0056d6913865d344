"""What is to be imported and how it is to be read: a form for each kind of source."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from store.importers.table import FIELDS, LOOKED_UP, TableImporter, TableOptions, names
from store.importers.zeroclaw import ZeroclawImporter
from workbench.dialogs.import_preview import ROWS, Preview, PreviewModel, read_preview
from workbench.dialogs.import_run import Reading
from workbench.ops import ReadOp
from workbench.text import QT_TRANSLATE_NOOP, visible
from workbench.theme import appearance, set_look
from workbench.widgets.path_edit import PathEdit
from workbench.widgets.section_head import SectionHead
from workbench.widgets.zone_edit import ZoneEdit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from PySide6.QtGui import QResizeEvent

    from workbench.dialogs.import_run import Job
    from workbench.ops import Operations

AREA: Final = "import"
"""The area of the reads of an import, for its busy line."""
_NEEDED: Final = ("subject", "value", "valid_from")
_COLUMN_PX: Final = 144
_FIELD_ROW_PX: Final = 38
_FIELD_WORDS: Final = {
    "subject": QT_TRANSLATE_NOOP("ImportFields", "Subject"),
    "attribute": QT_TRANSLATE_NOOP("ImportFields", "Attribute"),
    "value": QT_TRANSLATE_NOOP("ImportFields", "Value"),
    "valid_from": QT_TRANSLATE_NOOP("ImportFields", "Valid from"),
    "valid_to": QT_TRANSLATE_NOOP("ImportFields", "Valid to"),
    "memory_type": QT_TRANSLATE_NOOP("ImportFields", "Type"),
    "confidence": QT_TRANSLATE_NOOP("ImportFields", "Confidence"),
    "owner": QT_TRANSLATE_NOOP("ImportFields", "Owner"),
    "episode": QT_TRANSLATE_NOOP("ImportFields", "Source"),
    "agent": QT_TRANSLATE_NOOP("ImportFields", "Agent"),
}
_SEPARATOR_WORDS: Final = {
    "\t": QT_TRANSLATE_NOOP("ImportFields", "Values separated by tabs."),
    ",": QT_TRANSLATE_NOOP("ImportFields", "Values separated by commas."),
    ";": QT_TRANSLATE_NOOP("ImportFields", "Values separated by semicolons."),
    "|": QT_TRANSLATE_NOOP("ImportFields", "Values separated by bars."),
    "": QT_TRANSLATE_NOOP("ImportFields", "JSON Lines."),
}


def field_word(field: str) -> str:
    """Give the word for a field of the record in the language in force."""
    return QCoreApplication.translate("ImportFields", _FIELD_WORDS[field])


class SourceForm(QWidget):
    """One kind of source.

    Signals:
        changed: something else is to be imported, or in another way.
        failed: a `StoreError`: what was chosen cannot be looked at.
    """

    changed = Signal()
    failed = Signal(object)

    @property
    @abstractmethod
    def problem(self) -> str:
        """What is still missing or wrong, as a sentence; "" when it can be imported."""

    @property
    def tenant_id(self) -> str:
        """Whose memory it says itself that it is; "" where it does not."""
        return ""

    @abstractmethod
    def job(self) -> Job:
        """Make what brings it into a store, once there is no problem."""


class ZeroclawForm(SourceForm):
    """A folder of ZeroClaw, and the zone of its times without an offset."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.folder = PathEdit(self.tr("Folder"), kind="folder")
        self.folder.setObjectName("import.folder")
        self.folder.path_changed.connect(self.changed)
        self.zone = ZoneEdit(self.tr("Times without an offset are in"))
        self.zone.currentTextChanged.connect(self.changed)
        says = QLabel(
            self.tr(
                "A ZeroClaw installation, one of its data folders or a workspace. Everything is "
                "read from a copy. Every row and line is kept as an episode; what has a key "
                "becomes a fact, autosaved conversation does not."
            )
        )
        says.setWordWrap(True)
        set_look(says, "secondary")
        form = field_form(self)
        form.addRow(self.tr("Folder"), self.folder)
        form.addRow("", says)
        form.addRow(self.tr("Zone"), self.zone)
        form.setAlignment(self.zone, Qt.AlignmentFlag.AlignLeft)
        self.setFocusProxy(self.folder)

    @property
    def problem(self) -> str:
        if self.folder.path is None:
            return self.tr("Choose a folder.")
        return "" if self.zone.zone is not None else self.tr("Choose a time zone.")

    def job(self) -> Job:
        assert self.folder.path is not None
        return Reading(ZeroclawImporter(self.folder.path, zone=self.zone.zone))


class TableForm(SourceForm):
    """A file of rows, its columns mapped to fields over a preview, and how to read its cells."""

    def __init__(self, operations: Operations, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._operations = operations
        self._preview: Preview | None = None
        self._fields: list[QComboBox] = []
        self.file = PathEdit(
            self.tr("File"),
            filters=";;".join(
                (
                    self.tr("Tables (*.csv *.tsv *.tab *.txt *.jsonl *.ndjson)"),
                    self.tr("All files (*)"),
                )
            ),
        )
        self.file.setObjectName("import.file")
        self.file.path_changed.connect(self._on_file_path_changed)
        self.model = PreviewModel(self)
        self.table = _PreviewTable(self.model)
        self._form_words = QLabel()
        set_look(self._form_words, "secondary")
        self.header = QCheckBox(self.tr("The first row names the columns"))
        self.header.toggled.connect(self._on_header_toggled)
        self._make_options()
        self._make_lookups()
        self._lay_out()
        self._show_preview(None)
        self.setFocusProxy(self.file)

    def _make_options(self) -> None:
        self.open_tokens = _line(
            self.tr("What stands for an end that has not come"), self.tr("3000, present")
        )
        self.unknown_tokens = _line(
            self.tr("What stands for a time that nobody knows"), self.tr("0, unknown")
        )
        self.many = _line(
            self.tr("Attributes that hold several values at once"),
            self.tr("spouse, or * for all"),
        )
        self.single = _line(
            self.tr("Attributes that hold one value at a time"), self.tr("all others")
        )
        self.zone = ZoneEdit(self.tr("Zone of dates, and of times without an offset"))
        self.end_inclusive = QCheckBox(self.tr("Ends are included: to 1929 means through 1929"))
        self.json_values = QCheckBox(self.tr("Values are written as JSON"))
        for line in (self.open_tokens, self.unknown_tokens, self.many, self.single):
            line.textChanged.connect(self.changed)
        for box in (self.end_inclusive, self.json_values):
            box.toggled.connect(self.changed)
        self.zone.currentTextChanged.connect(self.changed)

    def _make_lookups(self) -> None:
        self.lookups: dict[str, PathEdit] = {}
        self._lookup_labels: dict[str, QLabel] = {}
        for field in (name for name in FIELDS if name in LOOKED_UP):
            edit = PathEdit(self.tr("Names for: {field}").format(field=field_word(field)))
            edit.setObjectName(f"import.lookup.{field}")
            edit.line.setPlaceholderText(self.tr("File of names and ids, two to a line"))
            edit.path_changed.connect(self.changed)
            label = QLabel(field_word(field))
            label.setBuddy(edit)
            self.lookups[field] = edit
            self._lookup_labels[field] = label

    def _lay_out(self) -> None:
        top = field_form(None)
        top.addRow(self.tr("File"), self.file)
        self._says = QLabel(
            self.tr(
                "CSV, TSV or JSON Lines in UTF-8. Every row is kept as an episode; one whose "
                "beginning is known becomes a fact. The first rows appear here, with a choice of "
                "fields over each column."
            )
        )
        self._says.setWordWrap(True)
        set_look(self._says, "secondary")
        top.addRow("", self._says)
        under = QHBoxLayout()
        under.setSpacing(16)
        under.addWidget(self.header)
        under.addStretch(1)
        under.addWidget(self._form_words)
        options = QGridLayout()
        options.setHorizontalSpacing(16)
        options.setVerticalSpacing(8)
        rows = (
            (
                (self.tr("Open end is written"), self.open_tokens),
                (self.tr("Unknown time is written"), self.unknown_tokens),
            ),
            (
                (self.tr("Several values at once"), self.many),
                (self.tr("One value at a time"), self.single),
            ),
        )
        for row, pairs in enumerate(rows):
            for column, (words, widget) in enumerate(pairs):
                label = QLabel(words)
                label.setBuddy(widget)
                options.addWidget(label, row, 2 * column)
                options.addWidget(widget, row, 2 * column + 1)
        label = QLabel(self.tr("Zone"))
        label.setBuddy(self.zone)
        options.addWidget(label, 2, 0)
        options.addWidget(self.zone, 2, 1)
        options.addWidget(self.end_inclusive, 2, 2, 1, 2)
        options.addWidget(self.json_values, 3, 2, 1, 2)
        options.setColumnStretch(1, 1)
        options.setColumnStretch(3, 1)
        self._lookup_box = QWidget()
        lookups = field_form(self._lookup_box)
        lookups.addRow(SectionHead(self.tr("Names instead of ids")))
        for field, edit in self.lookups.items():
            lookups.addRow(self._lookup_labels[field], edit)
        column_ = QVBoxLayout(self)
        column_.setContentsMargins(0, 0, 0, 0)
        column_.setSpacing(10)
        column_.addLayout(top)
        column_.addWidget(self.table)
        column_.addLayout(under)
        column_.addSpacing(4)
        column_.addWidget(SectionHead(self.tr("How cells are read")))
        column_.addLayout(options)
        column_.addSpacing(4)
        column_.addWidget(self._lookup_box)

    # -- the preview --------------------------------------------------------------------------

    @Slot(str)
    def _on_file_path_changed(self, path: str) -> None:
        self._show_preview(None)
        self.changed.emit()
        file = self.file.path
        if not path or file is None:
            self._operations.forget((AREA, "preview"))
            return
        self._operations.read(
            ReadOp((AREA, "preview"), lambda _work: read_preview(file)),
            on_done=self._on_preview,
            on_failed=self.failed.emit,
            owner=self,
        )

    def _on_preview(self, preview: Preview) -> None:
        self._show_preview(preview)
        self.changed.emit()

    def _show_preview(self, preview: Preview | None) -> None:
        self._preview = preview
        has_header = preview is not None and preview.looks_like_header()
        self.header.blockSignals(True)
        self.header.setChecked(has_header)
        self.header.blockSignals(False)
        self.header.setVisible(preview is not None and not preview.is_json)
        self.json_values.setVisible(preview is None or not preview.is_json)
        words = _SEPARATOR_WORDS[preview.separator] if preview is not None else ""
        self._form_words.setText(QCoreApplication.translate("ImportFields", words) if words else "")
        self._fill(preview.guess(has_header=has_header) if preview is not None else {})

    @Slot(bool)
    def _on_header_toggled(self, _is_on: bool) -> None:
        self._fill(self._chosen())
        self.changed.emit()

    def _fill(self, chosen: Mapping[str, int]) -> None:
        """Show the preview with the choice of fields over its columns."""
        self.model.show(self._preview, has_header=self.header.isChecked())
        self.table.setVisible(self._preview is not None)
        self._says.setVisible(self._preview is None)
        self._fields = []
        by_column = {column: field for field, column in chosen.items()}
        for column in range(self.model.columnCount()):
            combo = QComboBox()
            combo.addItem(self.tr("Not imported"), "")
            for field in FIELDS:
                combo.addItem(field_word(field), field)
            name = self.tr("Field of {column}").format(column=self.model.title(column))
            combo.setAccessibleName(name)
            combo.view().setAccessibleName(name)
            combo.setCurrentIndex(max(0, combo.findData(by_column.get(column, ""))))
            combo.activated.connect(lambda _at, it=combo: self._on_field_activated(it))
            self._fields.append(combo)
            self.table.setIndexWidget(self.model.index(0, column), _inset(combo))
            self.table.setColumnWidth(column, _COLUMN_PX)
        self._show_chosen()

    def _on_field_activated(self, combo: QComboBox) -> None:
        """Take the field from the column that had it."""
        for other in self._fields:
            if other is not combo and other.currentData() == combo.currentData():
                other.setCurrentIndex(0)
        self._show_chosen()
        self.changed.emit()

    def _show_chosen(self) -> None:
        chosen = self._chosen()
        self.model.set_used(frozenset(chosen.values()))
        for field, edit in self.lookups.items():
            edit.setVisible(field in chosen)
            self._lookup_labels[field].setVisible(field in chosen)
        self._lookup_box.setVisible(bool(set(chosen) & set(self.lookups)))
        for combo in self._fields:
            set_look(combo, "" if combo.currentData() else "secondary")

    def _chosen(self) -> dict[str, int]:
        return {
            combo.currentData(): column
            for column, combo in enumerate(self._fields)
            if combo.currentData()
        }

    def choose_field(self, column: int, field: str) -> None:
        """Map a column to a field; "" for none."""
        combo = self._fields[column]
        combo.setCurrentIndex(max(0, combo.findData(field)))
        self._on_field_activated(combo)

    # -- what is to be done -------------------------------------------------------------------

    @property
    def problem(self) -> str:
        if self.file.path is None:
            return self.tr("Choose a file.")
        if self._preview is None:
            return self.tr("The first rows are being read.")
        chosen = self._chosen()
        missing = [field_word(field) for field in _NEEDED if field not in chosen]
        has_names = self._preview.is_json or self.header.isChecked()
        if "attribute" not in chosen and not has_names:
            missing.insert(min(1, len(missing)), field_word("attribute"))
        if missing:
            return self.tr("Say which column holds: {fields}.").format(fields=", ".join(missing))
        both = sorted(_names(self.many) & _names(self.single))
        if both:
            said = self.tr("{name} cannot have several values and one value.")
            return said.format(name=visible(both[0]))
        return "" if self.zone.zone is not None else self.tr("Choose a time zone.")

    def job(self) -> Job:
        assert self.file.path is not None
        return Reading(TableImporter(self.file.path, self._options()))

    def _options(self) -> TableOptions:
        preview = self._preview
        assert preview is not None
        has_header = self.header.isChecked()
        chosen = self._chosen()
        lookups: dict[str, Path] = {
            field: edit.path
            for field, edit in self.lookups.items()
            if field in chosen and edit.path is not None
        }
        return TableOptions(
            columns={
                field: preview.column(at, has_header=has_header) for field, at in chosen.items()
            },
            lookups=lookups,
            many=_names(self.many),
            single=_names(self.single),
            open_tokens=_names(self.open_tokens),
            unknown_tokens=_names(self.unknown_tokens),
            end_inclusive=self.end_inclusive.isChecked(),
            has_header=None if preview.is_json else has_header,
            form=preview.form,
            zone=self.zone.zone,
            json_values=self.json_values.isChecked() and not preview.is_json,
        )


class _PreviewTable(QTableView):
    """The rows, as many as there are, with room for the choice of fields above them."""

    def __init__(self, model: PreviewModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setObjectName("import.preview")
        self.setAccessibleName(self.tr("First rows"))
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setShowGrid(False)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        side = self.verticalHeader()
        side.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        side.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._take_height()
        appearance().changed.connect(self._take_height)
        model.modelReset.connect(self._take_height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._take_height()

    @Slot()
    def _take_height(self) -> None:
        side = self.verticalHeader()
        side.setDefaultSectionSize(appearance().row_height("list"))
        if self.model().rowCount():
            self.setRowHeight(0, _FIELD_ROW_PX)
        rows = max(1, min(ROWS, self.model().rowCount() - 1))
        has_bar = self.model().columnCount() * _COLUMN_PX > self.viewport().width()
        bars = self.horizontalHeader().sizeHint().height() + (12 if has_bar else 0) + 4
        self.setFixedHeight(_FIELD_ROW_PX + rows * side.defaultSectionSize() + bars)


def _inset(combo: QComboBox) -> QWidget:
    """Give a cell's widget some air."""
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 3, 6, 3)
    row.addWidget(combo)
    return box


def field_form(parent: QWidget | None) -> QFormLayout:
    """Make a form whose fields take the room that there is."""
    form = QFormLayout(parent)
    form.setContentsMargins(0, 0, 0, 0)
    form.setHorizontalSpacing(16)
    form.setVerticalSpacing(8)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return form


def _line(name: str, hint: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setToolTip(name)
    line.setPlaceholderText(hint)
    return line


def _names(line: QLineEdit) -> frozenset[str]:
    return names([line.text()])
