"""What the open store is: where it lies, what it can and cannot do, and what its tenants hold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from store import Capability, Cardinality, Head, Scope
from workbench.messages import Message, MessageBoard, Severity
from workbench.text import DASH, QT_TRANSLATE_NOOP, byte_size, number, one_line, visible
from workbench.theme import set_icon, set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.icon_label import IconLabel
from workbench.widgets.link_text import CopyButton
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.on_screen import OnScreen
from workbench.widgets.pair_grid import PairGrid
from workbench.widgets.section_head import SectionHead

if TYPE_CHECKING:
    from store import Attribute, Store
    from store.query import TenantSummary
    from workbench.session import Session, View

AREA: Final = "properties"
FAILED: Final = Message("properties.failed", Severity.ERROR, "{reason}")
TENANTS: Final = 200
"""So many tenants are listed; the others are counted."""
WIDTH_PX: Final = 680
HEIGHT_PX: Final = 700

#: For each capability: its name, what it gives, and what its lack means.
_WORDS: Final = {
    Capability.PERSISTENCE: (
        QT_TRANSLATE_NOOP("Capabilities", "Kept on disk"),
        QT_TRANSLATE_NOOP("Capabilities", "What is written is there after the program has ended."),
        QT_TRANSLATE_NOOP("Capabilities", "It lives in memory; all is gone when it is closed."),
    ),
    Capability.TRANSACTIONS: (
        QT_TRANSLATE_NOOP("Capabilities", "Transactions"),
        QT_TRANSLATE_NOOP("Capabilities", "A write is carried out entirely or not at all."),
        QT_TRANSLATE_NOOP("Capabilities", "A write that is broken off may be carried out by half."),
    ),
    Capability.HISTORY: (
        QT_TRANSLATE_NOOP("Capabilities", "History"),
        QT_TRANSLATE_NOOP("Capabilities", "Every belief stays; one can look as of any instant."),
        QT_TRANSLATE_NOOP("Capabilities", "It holds the present only; nothing before can be seen."),
    ),
    Capability.MANY_WRITERS: (
        QT_TRANSLATE_NOOP("Capabilities", "Many writers"),
        QT_TRANSLATE_NOOP("Capabilities", "Several programs can write at once; none is lost."),
        QT_TRANSLATE_NOOP("Capabilities", "Only this program can write to it."),
    ),
    Capability.FULL_TEXT: (
        QT_TRANSLATE_NOOP("Capabilities", "Full text"),
        QT_TRANSLATE_NOOP("Capabilities", "Words are found in facts and episodes by an index."),
        QT_TRANSLATE_NOOP("Capabilities", "Words are found by looking at every fact and episode."),
    ),
    Capability.ERASE: (
        QT_TRANSLATE_NOOP("Capabilities", "Erase"),
        QT_TRANSLATE_NOOP("Capabilities", "A fact and its copies can be removed physically."),
        QT_TRANSLATE_NOOP(
            "Capabilities",
            "Nothing can be removed physically: no kind of store can yet. A fact can be "
            "retracted, and its record stays.",
        ),
    ),
}


def _word(text: str) -> str:
    return QCoreApplication.translate("Capabilities", text)


@dataclass(frozen=True, slots=True)
class _Found:
    """What was read: sizes in bytes (None without a file), tenants with their heads."""

    size: int | None
    log_size: int
    tenants: tuple[tuple[TenantSummary, Head], ...]
    unlisted: int
    registry: tuple[Attribute, ...]


class PropertiesDialog(QDialog):
    """Reads what it shows off the GUI thread, and again whenever the counts change."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("store.properties")
        OnScreen(self)
        self.setWindowTitle(self.tr("Store properties"))
        self._session = session
        self._board = MessageBoard(self)
        self._found: _Found | None = None
        self.facts = PairGrid(name_width=150)
        self._tenants = QGridLayout()
        self._tenants.setHorizontalSpacing(16)
        self._tenants.setVerticalSpacing(4)
        self._tenants.setColumnStretch(4, 1)
        self._lay_out()
        session.closed.connect(super().reject)
        session.tenants_changed.connect(self._read)
        self._show_facts(None)
        self._read()

    def _lay_out(self) -> None:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(12)
        column.addWidget(self.facts)
        column.addWidget(SectionHead(self.tr("What it can do")))
        column.addLayout(self._capabilities())
        column.addWidget(SectionHead(self.tr("Tenants")))
        column.addLayout(self._tenants)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setAccessibleName(self.tr("Store properties"))
        area.setWidget(page)
        busy = BusyLine()
        busy.follow(self._session.operations, AREA)
        line = QFrame()
        set_look(line, "hairline")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(busy)
        whole.addWidget(MessageBar(self._board))
        whole.addWidget(area, 1)
        whole.addWidget(line)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 12, 24, 12)
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.setAutoDefault(False)
        set_icon(self.copy, "copy")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text))
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.reject)
        foot.addWidget(self.copy)
        foot.addStretch(1)
        foot.addWidget(close)
        whole.addLayout(foot)
        self.resize(WIDTH_PX, HEIGHT_PX)
        close.setFocus()

    def _capabilities(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(3, 1)
        store = self._session.store
        has = store.capabilities if store is not None else frozenset()
        for row, (capability, (name, gives, lacks)) in enumerate(_WORDS.items()):
            is_there = capability in has
            sign = IconLabel("check", "ok") if is_there else IconLabel("minus", "dim")
            state = QLabel(self.tr("yes") if is_there else self.tr("no"))
            set_look(state, "ok" if is_there else "secondary")
            says = QLabel(_word(gives if is_there else lacks))
            says.setWordWrap(True)
            set_look(says, "secondary")
            top = Qt.AlignmentFlag.AlignTop
            for at, widget in enumerate((sign, QLabel(_word(name)), state, says)):
                grid.addWidget(widget, row, at, top if at < 3 else Qt.AlignmentFlag(0))
        return grid

    @property
    def text(self) -> str:
        """All that is shown, as lines of text."""
        store, found = self._session.store, self._found
        if store is None:
            return ""
        lines = [
            (self.tr("Location"), visible(store.url)),
            (self.tr("Identity"), store.store_id),
            *self._plain_facts(store, found),
        ]
        for capability, (name, *_says) in _WORDS.items():
            has = capability in store.capabilities
            lines.append((_word(name), self.tr("yes") if has else self.tr("no")))
        for tenant, head in found.tenants if found is not None else ():
            lines.append((visible(tenant.tenant_id), str(head)))
        return "".join(f"{name}: {words}\n" for name, words in lines)

    # -- reading ------------------------------------------------------------------------------

    @Slot()
    def _read(self) -> None:
        self._session.read(
            (AREA,),
            _read_all,
            on_done=self._show,
            on_failed=self._on_failed,
            owner=self,
            is_long=True,
        )

    def _on_failed(self, error: Exception) -> None:
        self._board.show(FAILED, reason=str(error))

    # -- showing ------------------------------------------------------------------------------

    def _show(self, found: _Found) -> None:
        self._board.clear()
        self._found = found
        self._show_facts(found)
        self._show_tenants(found)

    def _show_facts(self, found: _Found | None) -> None:
        store = self._session.store
        if store is None:
            return
        grid = self.facts
        grid.clear()
        grid.add_mono(self.tr("Location"), visible(store.url), copies=self.tr("Copy the location"))
        grid.add_mono(self.tr("Identity"), store.store_id, copies=self.tr("Copy the identity"))
        for name, words in self._plain_facts(store, found):
            grid.add_text(name, words)

    def _plain_facts(self, store: Store, found: _Found | None) -> list[tuple[str, str]]:
        scheme = store.url.partition(":")[0]
        kinds = {"sqlite": self.tr("SQLite file"), "memory": self.tr("In memory")}
        access = self.tr("Read and write") if store.is_writable else self.tr("Read only")
        rows = [
            (self.tr("Kind"), kinds.get(scheme, scheme)),
            (self.tr("Access"), access),
            (self.tr("Size on disk"), self._size_words(found)),
        ]
        if store.schema_version:
            rows.append((self.tr("Schema"), self._schema_words(store.schema_version)))
        if found is not None:
            rows.append((self.tr("Attributes"), self._registry_words(found.registry)))
        if store.notice:
            rows.append((self.tr("Note"), visible(store.notice)))
        return rows

    def _size_words(self, found: _Found | None) -> str:
        if found is None or found.size is None:
            return DASH
        size = byte_size(found.size)
        if not found.log_size:
            return size
        log = byte_size(found.log_size)
        return self.tr("{size}, and {log} of newest writes beside it").format(size=size, log=log)

    def _schema_words(self, version: int) -> str:
        return self.tr("Version {version}").format(version=number(version))

    def _registry_words(self, registry: tuple[Attribute, ...]) -> str:
        many = sum(it.cardinality is Cardinality.MULTI for it in registry)
        said = self.tr("{count} of this tenant, {many} of them with several values at once")
        return said.format(count=number(len(registry)), many=number(many))

    def _show_tenants(self, found: _Found) -> None:
        grid = self._tenants
        while (item := grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        titles = (
            self.tr("Tenant"),
            self.tr("Facts now"),
            self.tr("Conflicts"),
            self.tr("Transactions"),
            self.tr("Head"),
        )
        for column, title in enumerate(titles):
            label = QLabel(title)
            set_look(label, "secondary")
            grid.addWidget(label, 0, column, self._side(column))
        for row, (tenant, head) in enumerate(found.tenants, start=1):
            self._add_tenant(row, tenant, head)
        if found.unlisted:
            more = QLabel(self.tr("and %n more", "", found.unlisted))
            set_look(more, "secondary")
            grid.addWidget(more, len(found.tenants) + 1, 0)

    def _side(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column in (1, 2, 3) else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def _add_tenant(self, row: int, tenant: TenantSummary, head: Head) -> None:
        counts = (tenant.facts, tenant.conflicts_open, tenant.newest)
        name = ElidedLabel(visible(tenant.tenant_id))
        name.setMinimumWidth(120)
        self._tenants.addWidget(name, row, 0)
        for column, count in enumerate(counts, start=1):
            self._tenants.addWidget(QLabel(number(count)), row, column, self._side(column))
        digest = ElidedLabel(str(head), mode=Qt.TextElideMode.ElideMiddle)
        set_look(digest, "mono")
        said = self.tr("Copy the head of {tenant}")
        copy = CopyButton(said.format(tenant=one_line(tenant.tenant_id, 40)))
        copy.set_content(str(head))
        self._tenants.addWidget(digest, row, 4)
        self._tenants.addWidget(copy, row, 5)


def _read_all(view: View) -> _Found:
    """Read what is shown; on a reader thread."""
    store = view.store
    listed = store.tenants()
    size, log_size = _sizes(store.url)
    heads = tuple((tenant, store.head(Scope(tenant.tenant_id))) for tenant in listed[:TENANTS])
    return _Found(size, log_size, heads, len(listed) - len(heads), store.attributes(view.scope))


def _sizes(url: str) -> tuple[int | None, int]:
    """Return the bytes of a store's file and of its log beside it; None if it has no file."""
    scheme, _, rest = url.partition(":///")
    if scheme != "sqlite":
        return None, 0
    path = Path(rest)
    try:
        log = path.with_name(path.name + "-wal")
        return path.stat().st_size, log.stat().st_size if log.exists() else 0
    except OSError:
        return None, 0
