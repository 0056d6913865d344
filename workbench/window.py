"""The main window: panels in docks, and every command from the one table of actions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QDialog,
    QDockWidget,
    QFileDialog,
    QMainWindow,
    QMenu,
    QPushButton,
    QStackedWidget,
    QTabWidget,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from store import NOW, Invalid, Scope, StoreError
from store.temporal import from_micros
from workbench import actions
from workbench.actions import ACTIONS, MENUS, Check, Context
from workbench.crash import environment
from workbench.dialogs.about import AboutDialog
from workbench.dialogs.fact import FactDialogs
from workbench.dialogs.import_store import ImportDialog
from workbench.dialogs.new_tenant import NewTenantDialog
from workbench.dialogs.preferences import PreferencesDialog
from workbench.dialogs.shortcuts import ShortcutsDialog
from workbench.dialogs.snapshot_desk import SnapshotDialogs
from workbench.dialogs.store_check import CheckDialog
from workbench.dialogs.store_properties import PropertiesDialog
from workbench.doors import (
    DOOR_MESSAGES,
    EMPTY_STORE,
    FIRST_TENANT,
    HELD,
    NOTICE,
    Doors,
    Wish,
    door_for,
)
from workbench.messages import Message, MessageBoard, Severity
from workbench.panels.conflicts.view import ConflictsView
from workbench.panels.episodes.view import EpisodesView
from workbench.panels.facts.view import FactsView
from workbench.panels.inspector.view import InspectorView
from workbench.panels.journal.view import JournalView
from workbench.panels.log.view import LogView
from workbench.panels.navigator.view import NavigatorView
from workbench.panels.timeline.presenter import TimelinePresenter
from workbench.panels.timeline.source import TimelineBinding
from workbench.panels.timeline.view import TimelineView
from workbench.snapshots import dropped_file, package_of
from workbench.text import one_line, tooltip
from workbench.theme import icon, set_icon, set_look
from workbench.widgets.as_of_bar import AsOfBar, Axis, Span
from workbench.widgets.command_palette import CommandPalette
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.pick_button import PickButton
from workbench.widgets.quick_pick import Entry, QuickPick
from workbench.widgets.reason_edit import RecentReasons
from workbench.widgets.search_field import SearchField
from workbench.widgets.snapshot_banner import SnapshotBanner
from workbench.widgets.status_strip import StatusStrip

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.folders import Folders
    from workbench.history import History
    from workbench.log import LogRing
    from workbench.session import Session
    from workbench.settings import Settings, WindowState
    from workbench.widgets.panel import Panel

PLAIN: Final = Message("window.said", Severity.ERROR, "{reason}")
"""Carries the sentence of a store's error that no panel takes."""
UNDONE: Final = Message("window.undone", Severity.DONE, "{reason}")
"""Carries what was just done, for a moment."""
REPORTED_LINES: Final = 200
"""Of the log, in a report."""
LAYOUT_VERSION: Final = 1
_DONE_SHOWN_MS: Final = 6_000
_LEAST_SEARCH_PX: Final = 90
_SIZE_LIKED: Final = QSize(1600, 900)
_NARROW_PX: Final = 1000
"""Below it the inspector has no column of its own."""
_LOWER_PX: Final = 312
_LOWER_SHARE: Final = 0.58
"""What the lower panels get: so much, or such a part of the height without _BARS_PX."""
_BARS_PX: Final = 110
"""Of menu, toolbar and status bar, about."""
_FRAME_PX: Final = 32
"""What the title bar of a window takes from the height of the screen, about."""
_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


class MainWindow(QMainWindow):
    """The desk.

    Signals:
        settings_wanted: changed `Settings`, to be saved and applied.
        closing: the person closes the window.
    """

    settings_wanted = Signal(object)
    closing = Signal()

    def __init__(
        self,
        session: Session,
        history: History,
        doors: Doors,
        *,
        settings: Settings,
        folders: Folders,
        state: WindowState,
        ring: LogRing,
    ) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setAcceptDrops(True)
        self._session, self._history, self._doors = session, history, doors
        self._settings, self._folders, self._state = settings, folders, state
        self._ring = ring
        self._last_wish: Wish | None = None
        self._actions: dict[str, QAction] = {}
        self._docks: dict[str, QDockWidget] = {}
        self.board = MessageBoard(self)
        self._make_panels(ring)
        self._handlers = self._all_handlers()
        self._make_actions()
        self._make_menus()
        self._make_toolbar()
        self._make_centre()
        self._make_docks()
        self._make_status()
        self._connect()
        self.resize(self._first_size())
        self._lay_out()
        self._initial_layout = self.saveState(LAYOUT_VERSION)
        self._restore()
        session.set_following(settings.follow_changes)
        self._show_store()

    # -- building -----------------------------------------------------------------------------

    def _make_panels(self, ring: LogRing) -> None:
        session = self._session
        self._reasons = RecentReasons(self._settings.recent_reasons, self)
        self._reasons.remembered.connect(self._on_reasons_remembered)
        self._fact_dialogs = FactDialogs(session, self._reasons, self)
        self._snapshots = SnapshotDialogs(session, self._doors.shelf, self)
        self.timeline_presenter = TimelinePresenter(parent=self)
        self.timeline = TimelineView(self.timeline_presenter)
        self.timeline.busy_line.follow(session.operations, "timeline")
        TimelineBinding(session, self.timeline_presenter)
        self.facts = FactsView(session)
        self.inspector = InspectorView(session)
        self.inspector.presenter.links_changed.connect(self._refresh_later)
        self.episodes = EpisodesView(session)
        self.panels: dict[str, Panel] = {
            "navigator": NavigatorView(session),
            "inspector": self.inspector,
            "facts": self.facts,
            "episodes": self.episodes,
            "conflicts": ConflictsView(session, reasons=self._reasons),
            "journal": JournalView(session, reasons=self._reasons),
            "log": LogView(ring),
        }

    def _make_actions(self) -> None:
        groups: dict[str, QActionGroup] = {}
        for spec in ACTIONS:
            made = QAction(self)
            made.setObjectName(spec.id)
            if spec.icon is not None:
                made.setIcon(icon(spec.icon))
            letters = spec.single_keys if spec.is_by_place else ()
            made.setShortcuts([QKeySequence(keys) for keys in spec.keys if keys not in letters])
            made.setCheckable(spec.check is not Check.NONE)
            # An icon would stand where the menu shows whether it is on.
            made.setIconVisibleInMenu(spec.check is Check.NONE)
            if spec.check is Check.RADIO:
                group = groups.setdefault(spec.group, QActionGroup(self))
                group.addAction(made)
            made.triggered.connect(lambda _checked=False, i=spec.id: self.run_action(i))
            self._actions[spec.id] = made
            self.addAction(made)
        self._name_actions()

    def _name_actions(self) -> None:
        for spec in ACTIONS:
            made = self._actions[spec.id]
            made.setText(spec.menu_label())
            made.setStatusTip(spec.help_line())

    def _make_menus(self) -> None:
        bar = self.menuBar()
        bar.clear()
        menus: dict[tuple[str, ...], QMenu] = {}
        titles = {menu.path: menu.label() for menu in MENUS}
        groups = {menu.path: menu.group for menu in MENUS}
        last_group: dict[tuple[str, ...], str] = {}

        def separate(menu: QMenu, path: tuple[str, ...], group: str) -> None:
            if group and last_group.setdefault(path, group) != group:
                menu.addSeparator()
                last_group[path] = group

        def menu_at(path: tuple[str, ...]) -> QMenu:
            if path not in menus:
                menu = QMenu(titles[path], self)
                menu.setObjectName("menu." + ".".join(path))
                menu.setToolTipsVisible(True)  # of what is grey: the status bar says nothing
                if len(path) == 1:
                    bar.addMenu(menu)
                else:
                    parent = menu_at(path[:-1])
                    separate(parent, path[:-1], groups[path])
                    parent.addMenu(menu)
                menus[path] = menu
            return menus[path]

        for menu in MENUS:
            if len(menu.path) == 1:
                menu_at(menu.path)
        for spec in ACTIONS:
            if spec.is_palette_only:
                continue
            target = menu_at(spec.menu)
            separate(target, spec.menu, spec.group)
            target.addAction(self._actions[spec.id])
            if spec.id == "store.open_recent":
                self._recent_menu = menu_at(("file", "recent"))
        self._recent_menu.aboutToShow.connect(self._fill_recent)

    def _make_toolbar(self) -> None:
        self._toolbar = QToolBar(self.tr("Point of view"), self)
        self._toolbar.setObjectName("toolbar")
        self._toolbar.setMovable(False)
        self._toolbar.toggleViewAction().setEnabled(False)
        self._store_pick = PickButton()
        self._store_pick.clicked.connect(self._open_store_menu)
        self._tenant_pick = PickButton(self.tr("Tenant"))
        self._tenant_pick.clicked.connect(lambda: self.run_action("tenant.switch"))
        self._scope_pick = PickButton(self.tr("Scope"))
        self._scope_pick.clicked.connect(self._open_scope_menu)
        self._as_of_bar = AsOfBar()
        self._search = SearchField(
            self.tr("Search facts and episodes"),
            QKeySequence("Ctrl+K").toString(QKeySequence.SequenceFormat.NativeText),
        )
        self._search.setObjectName("search")
        self._search.setMinimumWidth(_LEAST_SEARCH_PX)
        self._add = QPushButton(self.tr("Fact"))
        self._add.setObjectName("add_fact")
        set_icon(self._add, "plus")
        self._add.clicked.connect(lambda: self.run_action("fact.add"))
        self._take = QPushButton(self.tr("Snapshot"))
        self._take.setObjectName("take_snapshot")
        set_icon(self._take, "camera")
        self._take.clicked.connect(lambda: self.run_action("snapshot.take"))
        self._tenant_pick.keeps_caption = self._scope_pick.keeps_caption = False
        for widget in (self._store_pick, self._tenant_pick, self._scope_pick):
            self._toolbar.addWidget(widget)
        self._toolbar.addSeparator()
        self._toolbar.addWidget(self._as_of_bar)
        self._toolbar.addWidget(self._search)
        self._toolbar.addWidget(self._add)
        self._toolbar.addWidget(self._take)
        self.addToolBar(self._toolbar)
        more = self._toolbar.findChild(QToolButton, "qt_toolbar_ext_button")
        if more is not None:  # what has no room is behind it
            set_icon(more, "chevrons-right")
            more.setAccessibleName(self.tr("More"))

    def _make_centre(self) -> None:
        self._start = EmptyState(
            "database",
            self.tr("Look at what agents remember"),
            self.tr("Open a store, make a new one, or see the demo first."),
        )
        self._start.setObjectName("start")
        self._start.add_button(
            "store.open_demo", self.tr("Open the demo store"), icon_name="play", is_primary=True
        )
        self._start.add_button("store.open", self.tr("Open…"), icon_name="folder-open")
        self._start.add_button("store.new", self.tr("New store…"), icon_name="file-plus")
        self._centre = QStackedWidget()
        self._centre.addWidget(self._start)
        self._centre.addWidget(self.timeline)
        self._frame = QWidget()
        column = QVBoxLayout(self._frame)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(MessageBar(self.board))
        self.banner = SnapshotBanner(self._session)
        self.banner.action_chosen.connect(self._on_banner_action_chosen)
        column.addWidget(self.banner)
        column.addWidget(self._centre, 1)
        self.setCentralWidget(self._frame)

    def _make_docks(self) -> None:
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomRightCorner, _RIGHT)
        self.setCorner(Qt.Corner.BottomLeftCorner, _LEFT)
        areas = {"navigator": _LEFT, "inspector": _RIGHT}
        first_bottom: QDockWidget | None = None
        for name, panel in self.panels.items():
            dock = QDockWidget(self)
            dock.setObjectName(f"dock.{name}")
            dock.setWidget(panel)
            dock.setTitleBarWidget(QWidget(dock))
            self._docks[name] = dock
            area = areas.get(name, _BOTTOM)
            self.addDockWidget(area, dock)
            if area is _BOTTOM:
                if first_bottom is None:
                    first_bottom = dock
                else:
                    self.tabifyDockWidget(first_bottom, dock)
        self._name_docks()

    def _name_docks(self) -> None:
        for name, dock in self._docks.items():
            title = actions.action(f"panel.{name}").plain_label()
            dock.setWindowTitle(title)

    def _make_status(self) -> None:
        self._status = StatusStrip(self._session)
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.addWidget(self._status, 1)  # not permanent: help for a command takes its place
        self._status.conflicts_requested.connect(lambda: self._show_panel("conflicts"))
        self._status.newer_requested.connect(self._show_newest)

    def _first_size(self) -> QSize:
        """Return the size that all panels like, or what the screen has room for."""
        if QGuiApplication.platformName() == "offscreen":
            return _SIZE_LIKED  # its screen is made up
        return fitting_size(_SIZE_LIKED, self.screen().availableSize())

    def _lay_out(self) -> None:
        """Give each panel its place, and as much room as a window of this size has for it.

        Where it is narrow, as on a small screen at 200 %, the inspector is a tab of the lower
        panels, so that lanes are long enough to be read.
        """
        docks = self._docks
        is_narrow = self.width() < _NARROW_PX
        if is_narrow:
            self.tabifyDockWidget(docks["journal"], docks["inspector"])
        elif self.dockWidgetArea(docks["inspector"]) != _RIGHT:
            self.addDockWidget(_RIGHT, docks["inspector"])
        docks["log"].hide()
        docks["facts"].raise_()
        widths = {"navigator": 168} if is_narrow else {"navigator": 230, "inspector": 372}
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.resizeDocks([docks[name] for name in widths], list(widths.values()), across)
        lower = min(_LOWER_PX, round((self.height() - _BARS_PX) * _LOWER_SHARE))
        self.resizeDocks([docks["facts"]], [lower], down)

    def _connect(self) -> None:
        session = self._session
        for signal in (
            session.opened,
            session.closed,
            session.scope_changed,
            session.tenants_changed,
        ):
            signal.connect(self._show_store)
        for signal in (
            session.as_of_changed,
            session.selection_changed,
            session.summary_changed,
            self._history.changed,
            session.operations.settled,
            session.operations.started,
        ):
            signal.connect(self._refresh_later)
        session.as_of_changed.connect(self._show_as_of)
        session.filter_changed.connect(self._show_filter)
        self.facts.presenter.problems_changed.connect(self._refresh_later)
        session.summary_changed.connect(self._show_extent)
        session.failed.connect(self._on_session_failed)
        session.attention_wanted.connect(self._on_session_attention_wanted)
        self._refresh_timer = QTimer(self, singleShot=True, interval=0)
        self._refresh_timer.timeout.connect(self._refresh_actions)
        self._done_timer = QTimer(self, singleShot=True, interval=_DONE_SHOWN_MS)
        self._done_timer.timeout.connect(lambda: self.board.withdraw(UNDONE))
        self._history.undone.connect(lambda step: self._say_done(self.tr("Undone: {label}"), step))
        self._history.redone.connect(lambda step: self._say_done(self.tr("Redone: {label}"), step))
        self._doors.opened.connect(self._on_doors_opened)
        self._doors.held.connect(self._on_doors_held)
        self._doors.refused.connect(self._on_doors_refused)
        self.board.action_chosen.connect(self._on_board_action_chosen)
        self._snapshots.open_wanted.connect(lambda path: self._doors.open(Wish(str(path))))
        self._snapshots.store_wanted.connect(
            lambda path, tenant: self._doors.open(Wish(str(path), tenant))
        )
        self._snapshots.said.connect(self._say_done)
        self._snapshots.failed.connect(self._on_session_failed)
        self._start.action_chosen.connect(self.run_action)
        self.timeline.action_chosen.connect(self.run_action)
        self.timeline.menu_requested.connect(self._open_fact_menu)
        for panel in self.panels.values():
            wants_menu = getattr(panel, "menu_requested", None)
            if wants_menu is not None:
                wants_menu.connect(self._open_fact_menu)
        self._as_of_bar.as_of_changed.connect(session.set_as_of)
        self._search.searched.connect(lambda text: session.set_filter(text=text))
        self._search.next_requested.connect(lambda: self._walk_hits(1))
        self._search.previous_requested.connect(lambda: self._walk_hits(-1))
        self._search.left.connect(lambda: self.timeline.setFocus())
        for signal in (
            self.facts.presenter.count_changed,
            self.facts.presenter.selected_row_changed,
        ):
            signal.connect(self._show_hits)

    # -- actions ------------------------------------------------------------------------------

    def _all_handlers(self) -> dict[str, Callable[[], None]]:
        handlers = self._own_handlers() | self._fact_dialogs.handlers()
        handlers |= self._snapshots.handlers()
        for panel in self.panels.values():
            handlers.update(panel.handlers())
        for name in (*self.panels, "timeline"):
            handlers[f"panel.{name}"] = partial(self._toggle_panel, name)
        for theme in ("system", "light", "dark", "contrast"):
            handlers[f"theme.{theme}"] = partial(self._want, theme=theme)
        for language in ("system", "en", "es"):
            handlers[f"language.{language}"] = partial(self._want, language=language)
        for density in ("compact", "normal", "roomy"):
            handlers[f"density.{density}"] = partial(self._want, row_density=density)
        return handlers

    def _own_handlers(self) -> dict[str, Callable[[], None]]:
        session, timeline = self._session, self.timeline
        return {
            "store.new": self._ask_new,
            "store.open": self._ask_open,
            "store.open_link": self._open_link,
            "store.open_recent": self._open_most_recent,
            "store.open_demo": self._doors.open_demo,
            "store.close": self._doors.leave,
            "store.check": lambda: self._open_once(
                "store.check", lambda parent: CheckDialog(session, parent)
            ),
            "store.properties": lambda: self._open_once(
                "store.properties", lambda parent: PropertiesDialog(session, parent)
            ),
            "import.zeroclaw": lambda: self._open_once(
                "import.zeroclaw", lambda parent: ImportDialog(session, "zeroclaw", parent)
            ),
            "import.table": lambda: self._open_once(
                "import.table", lambda parent: ImportDialog(session, "table", parent)
            ),
            "tenant.switch": self._open_tenant_menu,
            "tenant.new": self._ask_tenant,
            "app.quit": self._quit,
            "app.preferences": self._open_preferences,
            "edit.undo": self._history.undo,
            "edit.redo": self._history.redo,
            "edit.copy_link": self._copy_link,
            "link.back": self._go_back,
            "link.forward": self._go_forward,
            "go.search": lambda: self._search.setFocus(Qt.FocusReason.ShortcutFocusReason),
            "go.subject": self._open_subject_pick,
            "go.palette": self._open_palette,
            "fact.previous": lambda: timeline.canvas.step_bar(-1),
            "fact.next": lambda: timeline.canvas.step_bar(1),
            "view.valid_at": lambda: self._as_of_bar.open_axis(Axis.VALID),
            "view.known_at": lambda: self._as_of_bar.open_axis(Axis.KNOWN),
            "view.now": lambda: session.set_as_of(NOW),
            "view.history": lambda: session.set_filter(history=not session.filter.history),
            "view.clear_filters": self.facts.presenter.clear_filters,
            "view.follow": self._toggle_following,
            "view.focus": timeline.fit,
            "view.zoom_in": timeline.zoom_in,
            "view.zoom_out": timeline.zoom_out,
            "view.pan_left": timeline.pan_left,
            "view.pan_right": timeline.pan_right,
            "view.refresh": session.refresh,
            "window.reset_layout": self._reset_layout,
            "help.keys": lambda: ShortcutsDialog(self).show(),
            "help.log": lambda: self._show_panel("log"),
            "help.copy_report": self._copy_report,
            "help.about": lambda: AboutDialog(self._folders, self).show(),
        }

    def _go_back(self) -> None:
        """Follow what the fact displaced; without such a link, go to what was selected before."""
        if not self.inspector.follow_back():
            self._session.go_back()

    def _go_forward(self) -> None:
        if not self.inspector.follow_forward():
            self._session.go_forward()

    @Slot(str)
    def run_action(self, action_id: str) -> None:
        """Carry out an action if it can be done now."""
        handler = self._handlers.get(action_id)
        if handler is not None and actions.action(action_id).enabled_when(self.context()):
            handler()
            self._refresh_later()

    @Slot(str)
    def _on_session_attention_wanted(self, action_id: str) -> None:
        """Carry out what a panel asks for; a panel that is asked for is never put away."""
        area, _, name = action_id.partition(".")
        if area == "panel" and name in self.panels:
            self._show_panel(name)
        else:
            self.run_action(action_id)

    @property
    def handled(self) -> frozenset[str]:
        """The ids of the actions that something carries out."""
        return frozenset(self._handlers)

    def context(self) -> Context:
        """Return what decides whether actions can be done."""
        session = self._session
        kind = session.selection.kind
        return Context(
            is_open=session.is_open,
            is_writable=session.is_writable,
            is_busy=session.operations.is_writing,
            selection=kind,
            open_conflicts=session.summary.conflicts_open if session.summary else 0,
            undo_label=self._history.undo_label,
            redo_label=self._history.redo_label,
            is_at_now=session.as_of.is_now,
            has_filter=self.facts.presenter.has_filter,
            can_go_back=session.can_go_back or self.inspector.presenter.can_follow_back,
            can_go_forward=session.can_go_forward or self.inspector.presenter.can_follow_forward,
            recent_stores=len(self._settings.recent_stores),
            capabilities=frozenset(str(c) for c in session.store.capabilities)
            if session.store
            else frozenset(),
            is_part=session.snapshot is not None and not session.snapshot.is_whole,
            is_snapshot=session.snapshot is not None,
        )

    @Slot()
    def _refresh_later(self) -> None:
        if not self._refresh_timer.isActive():
            self._refresh_timer.start()

    @Slot()
    def _refresh_actions(self) -> None:
        context = self.context()
        for spec in ACTIONS:
            can = spec.id in self._handlers and spec.enabled_when(context)
            made = self._actions[spec.id]
            made.setEnabled(can)
            why_not = spec.why_not(context)
            made.setStatusTip(why_not or spec.help_line())
            made.setToolTip(tooltip(why_not) if why_not else "")
        self._actions["edit.undo"].setText(actions.undo_text(context))
        self._actions["edit.redo"].setText(actions.redo_text(context))
        self._actions["store.close"].setText(actions.close_text(context))
        self._add.setEnabled(self._actions["fact.add"].isEnabled())
        self._take.setEnabled(self._actions["snapshot.take"].isEnabled())
        self._check_states()

    def _check_states(self) -> None:
        settings = self._settings
        checked = {
            f"theme.{settings.theme}",
            f"language.{settings.language}",
            f"density.{settings.row_density}",
        }
        if self._session.filter.history:
            checked.add("view.history")
        if settings.follow_changes:
            checked.add("view.follow")
        checked |= {f"panel.{n}" for n, dock in self._docks.items() if not dock.isHidden()}
        checked.add("panel.timeline")
        for spec in ACTIONS:
            if spec.check is not Check.NONE:
                self._actions[spec.id].setChecked(spec.id in checked)

    # -- panels -------------------------------------------------------------------------------

    def _toggle_panel(self, name: str) -> None:
        """Call a panel up; if it is there and has the focus, put it away."""
        if name == "timeline":
            self.timeline.setFocus()
            return
        dock = self._docks[name]
        focus = self.focusWidget()
        has_focus = focus is not None and dock.isAncestorOf(focus)
        if not dock.isHidden() and has_focus:
            dock.hide()
            self.timeline.setFocus()  # else the keyboard would be at whatever comes next
        else:
            self._show_panel(name)

    def _show_panel(self, name: str) -> None:
        dock = self._docks[name]
        dock.show()
        dock.raise_()
        self.panels[name].first_focus().setFocus(Qt.FocusReason.ShortcutFocusReason)

    def lay_out_anew(self) -> None:
        """Put every panel where it belongs in a window of this size."""
        self.restoreState(self._initial_layout, LAYOUT_VERSION)
        self._lay_out()

    def _reset_layout(self) -> None:
        self.lay_out_anew()
        self.timeline.setFocus()
        self._state.forget()

    # -- what is shown ------------------------------------------------------------------------

    @Slot()
    def _show_store(self) -> None:
        session = self._session
        store = session.store
        self._centre.setCurrentWidget(self.timeline if session.is_open else self._start)
        for widget in (self._tenant_pick, self._scope_pick, self._as_of_bar, self._search):
            widget.setEnabled(session.is_open)
        snapshot = session.snapshot
        place = str(snapshot.path) if snapshot else store.url if store else ""
        name = one_line(_short_name(place), 40) if place else self.tr("No store")
        self._store_pick.set_value(name, hint=place)
        scope = session.scope
        back = self._doors.way_back
        self.banner.set_way_back(_short_name(back.location) if back is not None else "")
        self._tenant_pick.set_value(one_line(scope.tenant_id, 30) if scope else "—")
        self._scope_pick.set_value(one_line(scope.agent_id, 30) if scope else "—")
        title = self.tr("Memory Workbench")
        if scope is not None:
            title = f"{one_line(scope.tenant_id, 40)} · {name} — {title}"
        if snapshot is not None:
            title = self.tr("Snapshot: {title}").format(title=title)
        self.setWindowTitle(title)
        self._say_if_unwritten()
        self._show_as_of()
        self._refresh_later()

    def _say_if_unwritten(self) -> None:
        """Say that the tenant that is looked at is not in the store yet, and how it gets there."""
        session = self._session
        scope = session.scope
        known = {tenant.tenant_id for tenant in session.tenants}
        if scope is None or scope.tenant_id in known:
            self.board.withdraw(EMPTY_STORE)
        else:
            self.board.show(EMPTY_STORE, tenant=one_line(scope.tenant_id, 60))

    @Slot()
    def _show_as_of(self) -> None:
        as_of = self._session.as_of
        self._as_of_bar.set_as_of(as_of)
        past = "" if as_of.is_now else "past"
        if self._frame.property("look") != past:
            set_look(self._frame, past)

    @Slot()
    def _show_filter(self) -> None:
        words = self._session.filter.text
        if self._search.text().strip() != words:
            self._search.setText(words)
        self.episodes.search_for(words)
        self._refresh_later()

    def _walk_hits(self, by: int) -> None:
        """Select the next fact that was found; the field keeps the focus."""
        if not self._session.filter.text:
            return
        self._docks["facts"].show()
        self._docks["facts"].raise_()
        self.facts.presenter.step(by)

    @Slot()
    def _show_hits(self) -> None:
        facts = self.facts.presenter
        is_searching = bool(self._session.filter.text) and facts.is_exact
        self._search.set_hits(facts.selected_row + 1, facts.count if is_searching else -1)

    @Slot()
    def _show_extent(self) -> None:
        summary = self._session.summary
        if summary is None:
            return
        extent = summary.extent
        self._as_of_bar.set_history(
            valid=_span(extent.first_valid, extent.last_valid),
            known=_span(extent.first_recorded, extent.last_recorded),
        )

    @Slot()
    def _show_newest(self) -> None:
        """Go to now, or where one is there and others are not followed, look again."""
        if self._session.as_of.is_now:
            self._session.refresh()
        else:
            self.run_action("view.now")

    def _say_done(self, sentence: str, step: object = None) -> None:
        self.board.show(UNDONE, reason=sentence.format(label=getattr(step, "label", "")))
        self._done_timer.start()

    # -- copying ------------------------------------------------------------------------------

    def _copy_link(self) -> None:
        QGuiApplication.clipboard().setText(self._session.link())
        self._say_done(self.tr("A link to this view is in the clipboard."))

    def _copy_report(self) -> None:
        """Copy versions and log lines; a bug's traceback is among those."""
        lines = self._ring.tail(REPORTED_LINES)
        QGuiApplication.clipboard().setText(f"{environment()}\n\n{lines}\n")
        self._say_done(self.tr("The report is in the clipboard. Look through it first."))

    @Slot(object)
    def _on_session_failed(self, error: StoreError) -> None:
        self.board.show(PLAIN, reason=str(error))

    # -- doors --------------------------------------------------------------------------------

    def _folder(self) -> str:
        recent = self._settings.recent_stores
        return str(Path(recent[0]).parent) if recent else ""

    @Slot(object)
    def _on_doors_opened(self, wish: Wish) -> None:
        self.board.withdraw(*DOOR_MESSAGES, NOTICE, PLAIN)
        self.timeline.setFocus()
        store = self._session.store
        if store is not None and store.notice:
            self.board.show(NOTICE, reason=store.notice)
        self._want_settings(self._settings.with_recent_store(wish.location))

    @Slot(object)
    def _on_doors_held(self, wish: Wish) -> None:
        self.board.withdraw(*DOOR_MESSAGES)
        self.board.show(HELD, store=wish.location)

    @Slot(object, object)
    def _on_doors_refused(self, wish: Wish, error: StoreError) -> None:
        self._last_wish = wish
        self.board.withdraw(*DOOR_MESSAGES)
        self.board.show(door_for(error, read_only=wish.read_only), reason=str(error))

    @Slot(str, str)
    def _on_board_action_chosen(self, _message_id: str, action_id: str) -> None:
        wish = self._last_wish
        if action_id == "give_up":
            self._doors.give_up()
        elif action_id == "again" and wish is not None:
            self._doors.open(wish)
        elif action_id == "snapshot.report" and wish is not None:
            self._snapshots.open_report(package_of(Path(wish.location)))
        elif action_id == "snapshot.verify" and wish is not None:
            self._snapshots.verify_path(package_of(Path(wish.location)))
        elif action_id == "read_only" and wish is not None:
            self._doors.open(replace(wish, read_only=True, is_demo=False))
        elif action_id in self._actions:
            self.run_action(action_id)

    @Slot(str)
    def _on_banner_action_chosen(self, action_id: str) -> None:
        shown = self._session.snapshot
        if action_id == "snapshot.report" and shown is not None:
            self._snapshots.open_report(shown.path)
        else:
            self.run_action(action_id)

    def _quit(self) -> None:
        self.close()

    def _ask_open(self) -> None:
        stores, everything = self._file_kinds().split(";;")
        kinds = ";;".join((stores, self.tr("Snapshots (*.zip manifest.json)"), everything))
        path, _kind = QFileDialog.getOpenFileName(
            self, self.tr("Open store"), self._folder(), kinds
        )
        if path:
            self._doors.open(Wish(str(package_of(Path(path)))))

    def _open_link(self) -> None:
        """Open the view whose link is in the clipboard."""
        try:
            wish = Wish.of_link(QGuiApplication.clipboard().text())
        except Invalid as error:
            self.board.show(PLAIN, reason=str(error))
            return
        self._doors.open(wish)

    def _ask_new(self) -> None:
        suggested = str(Path(self._folder()) / "memory.db")
        path, _kind = QFileDialog.getSaveFileName(
            self, self.tr("New store"), suggested, self._file_kinds()
        )
        if path:
            self.make_store(Path(path if Path(path).suffix else f"{path}.db"))

    def make_store(self, place: Path) -> None:
        """Make a store, once its first tenant is named; one that is there already is opened."""
        if place.exists():  # it is opened, not made
            self._doors.open(Wish(str(place)))
            return
        dialog = NewTenantDialog(self, suggested=FIRST_TENANT, store_name=place.name)
        dialog.named.connect(lambda tenant: self._doors.open(Wish(str(place), tenant, create=True)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _ask_tenant(self) -> None:
        """Look at a tenant that is not in the store yet; its first fact brings it there."""
        known = [tenant.tenant_id for tenant in self._session.tenants]
        dialog = NewTenantDialog(self, known=known)
        dialog.named.connect(lambda tenant: self._session.set_scope(Scope(tenant)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _file_kinds(self) -> str:
        return ";;".join((self.tr("Memory stores (*.db *.sqlite)"), self.tr("All files (*)")))

    def _open_most_recent(self) -> None:
        recent = self._settings.recent_stores
        if recent:
            self._doors.open(Wish(recent[0]))

    @Slot()
    def _fill_recent(self) -> None:
        for old in self._recent_menu.actions():
            if old.objectName() == "":
                self._recent_menu.removeAction(old)
        for location in self._settings.recent_stores:
            name = one_line(location, 80).replace("&", "&&")
            self._recent_menu.addAction(name, partial(self._doors.open, Wish(location)))

    # -- menus of the toolbar -----------------------------------------------------------------

    def _popup(self, button: QWidget, menu: QMenu) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(button.mapToGlobal(QPoint(0, button.height() + 4)))

    @Slot()
    def _open_store_menu(self) -> None:
        menu = QMenu(self)
        for action_id in ("store.open", "store.new", "store.open_demo"):
            menu.addAction(self._actions[action_id])
        if self._settings.recent_stores:
            menu.addSeparator()
        for location in self._settings.recent_stores[:8]:
            name = one_line(location, 80).replace("&", "&&")
            menu.addAction(name, partial(self._doors.open, Wish(location)))
        menu.addSeparator()
        menu.addAction(self._actions["store.close"])
        self._popup(self._store_pick, menu)

    def _open_tenant_menu(self) -> None:
        menu = QMenu(self)
        scope = self._session.scope
        for tenant in self._session.tenants:
            name = one_line(tenant.tenant_id, 60).replace("&", "&&")
            if tenant.conflicts_open:
                waiting = self.tr("%n conflict(s)", "", tenant.conflicts_open)
                name = f"{name}   ◆ {waiting}"
            entry = menu.addAction(name, partial(self._session.set_scope, Scope(tenant.tenant_id)))
            entry.setCheckable(True)
            is_here = scope is not None and tenant.tenant_id == scope.tenant_id
            entry.setChecked(is_here)
            if is_here:
                menu.setActiveAction(entry)  # keys go on from where one is
        menu.addSeparator()
        menu.addAction(self._actions["tenant.new"])
        self._popup(self._tenant_pick, menu)

    @Slot()
    def _open_scope_menu(self) -> None:
        """Offer to look as the operator, or as one of the agents that wrote here."""
        session = self._session
        scope, summary = session.scope, session.summary
        if scope is None:
            return
        menu = QMenu(self)
        agents = [name for name, _count in summary.by_agent] if summary else []
        for agent in dict.fromkeys(["operator", scope.agent_id, *sorted(agents)]):
            name = one_line(agent, 60).replace("&", "&&")
            entry = menu.addAction(name, partial(session.set_scope, Scope(scope.tenant_id, agent)))
            entry.setCheckable(True)
            entry.setChecked(agent == scope.agent_id)
        self._popup(self._scope_pick, menu)

    @Slot(QPoint)
    def _open_fact_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action_id in ("fact.correct", "fact.end", "fact.retract", "fact.confirm"):
            menu.addAction(self._actions[action_id])
        menu.addSeparator()
        for action_id in ("conflict.resolve", "transaction.revert", "fact.add", "edit.copy"):
            if self._actions[action_id].isEnabled():
                menu.addAction(self._actions[action_id])
        menu.popup(at)

    def _open_palette(self) -> None:
        palette = CommandPalette(self)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        palette.chosen.connect(self.run_action)
        palette.open_with(self.context(), self)

    def _open_subject_pick(self) -> None:
        pick = QuickPick(self.tr("Go to a subject or attribute"), self, is_filtered=False)
        pick.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        session = self._session

        def answer(pairs: tuple[tuple[str, str], ...]) -> None:
            pick.set_entries(
                tuple(
                    Entry(f"{number}", one_line(attribute or subject), one_line(subject))
                    for number, (subject, attribute) in enumerate(pairs)
                )
            )
            pick.setProperty("pairs", pairs)

        def ask(text: str) -> None:
            session.read(
                ("window", "suggest"),
                lambda view: view.store.suggest(view.scope, text, 50),
                on_done=answer,
                owner=pick,
            )

        def go(entry_id: str) -> None:
            subject, attribute = pick.property("pairs")[int(entry_id)]
            session.set_filter(subject=subject, attribute=attribute or None)
            self._doors.go_to(subject, attribute or None)

        pick.queried.connect(ask)
        pick.chosen.connect(go)
        pick.open_over(self)
        ask("")

    # -- settings -----------------------------------------------------------------------------

    def set_settings(self, settings: Settings) -> None:
        """Take settings that were changed."""
        self._settings = settings
        self._reasons.set_offered(settings.recent_reasons)
        self._session.set_following(settings.follow_changes)
        self._refresh_later()

    def _toggle_following(self) -> None:
        self._want(follow_changes=not self._settings.follow_changes)

    @Slot(str)
    def _on_reasons_remembered(self, reason: str) -> None:
        self._want_settings(self._settings.with_recent_reason(reason))

    def _want(self, **changes: object) -> None:
        self._want_settings(self._settings.changed(**changes))

    def _want_settings(self, settings: Settings) -> None:
        self._settings = settings
        self.settings_wanted.emit(settings)

    def _open_once(self, name: str, make: Callable[[QWidget], QDialog]) -> None:
        """Open a dialog beside the window; if it is open already it comes to the front."""
        there = self.findChild(QDialog, name)
        if there is not None and there.isVisible():
            there.raise_()
            there.activateWindow()
            return
        dialog = make(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def _open_preferences(self) -> None:
        dialog = PreferencesDialog(self._settings, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.changed.connect(self._want_settings)
        dialog.show()

    def _restore(self) -> None:
        geometry, layout = self._state.load("geometry"), self._state.load("layout")
        if geometry is not None:
            self.restoreGeometry(geometry)
        if layout is not None:
            self.restoreState(layout, LAYOUT_VERSION)
        columns = self._state.load("facts")
        if columns is not None:
            self.facts.restore_state(columns)

    def take_sight(self, other: MainWindow) -> None:
        """Show what another window shows, whose place this one takes."""
        self.timeline.take_sight(other.timeline.sight())
        self.facts.presenter.set_filters(other.facts.presenter.texts)
        self._last_wish = other._last_wish

    def keep_state(self) -> None:
        """Remember where everything is."""
        self._state.keep("geometry", self.saveGeometry())
        self._state.keep("layout", self.saveState(LAYOUT_VERSION))
        self._state.keep("facts", self.facts.save_state())
        self._state.flush()

    # -- events -------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a store or a snapshot that is dropped on the window."""
        path = dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self._doors.open(Wish(str(package_of(path))))

    def closeEvent(self, event: QCloseEvent) -> None:
        self.keep_state()
        self.closing.emit()
        event.accept()


def fitting_size(liked: QSize, available: QSize) -> QSize:
    """Return a size that is no larger than a screen, with room for the frame around it."""
    return liked.boundedTo(available - QSize(0, _FRAME_PX))


def _short_name(url: str) -> str:
    return url.rstrip("/").rpartition("/")[2] or url


def _span(first: int | None, last: int | None) -> Span | None:
    if first is None or last is None:
        return None
    return Span(from_micros(first), from_micros(last))
