"""The composition root: makes everything once, in order, and takes it down in order."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QSize, QTimer, QTranslator, Slot
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from store import NOW, AsOf, ReadOnly
from workbench import __version__, crash, log, text, theme
from workbench.dialogs.crash_report import CrashDialog
from workbench.doors import Doors, Wish
from workbench.ending import EndingSignals
from workbench.folders import Folders
from workbench.history import History
from workbench.links import is_link
from workbench.messages import Message, Severity
from workbench.ops import Operations
from workbench.resources import resource
from workbench.session import Session
from workbench.settings import Settings, SettingsFile, WindowState
from workbench.turnings import Turnings
from workbench.window import MainWindow

if TYPE_CHECKING:
    from store import StoreError

QUIET_MS: Final = 400
"""A picture is taken once nothing has been read for so long."""
PICTURE_WAITS_MS: Final = 60_000
SETTINGS_PROBLEM: Final = Message("app.settings", Severity.WARNING, "{reason}")


def _locale(language: str) -> QLocale:
    """Return the locale of a language: the system's own where it is of that language.

    English elsewhere is written with the day first and 24 hours, which more of its readers expect;
    C, which is no one's language, counts as English.
    """
    system = QLocale()
    if language == "system" and system.language() is not QLocale.Language.C:
        return system
    code = "en" if language == "system" else language
    if system.name().partition("_")[0] == code:
        return system
    return QLocale("en_GB" if code == "en" else code)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the window to be taken instead of working with it.

    Attributes:
        size: of the window, in logical pixels.
    """

    path: Path
    size: tuple[int, int]


class Desk(QObject):
    """Everything that lives while the program runs."""

    def __init__(
        self,
        app: QApplication,
        folders: Folders,
        started: log.Log,
        *,
        settings: Settings,
        files: SettingsFile,
        overrides: dict[str, str],
    ) -> None:
        super().__init__()
        self._overrides = overrides
        self._app, self._folders, self._log = app, folders, started
        self._settings, self._files = settings, files
        self._translators: list[QTranslator] = []
        self._state = WindowState(folders.config)
        self.operations = Operations(self)
        self.session = Session(self.operations, self)
        self.history = History(self.session, self)
        self.turnings = Turnings(self.session, self)
        self.doors = Doors(self.session, folders, self)
        self.doors.sweep()
        self.reporter = crash.CrashReporter(self, ring=started.ring)
        self._speak()
        self._dress()
        self.window = self._make_window()
        self._crash_dialog = CrashDialog(self.reporter, self.window)

    def _make_window(self) -> MainWindow:
        window = MainWindow(
            self.session,
            self.history,
            self.doors,
            settings=self._settings,
            folders=self._folders,
            state=self._state,
            ring=self._log.ring,
        )
        window.settings_wanted.connect(self._on_window_settings_wanted)
        if self._files.problem:
            window.board.show(SETTINGS_PROBLEM, reason=self._files.problem)
        return window

    # -- settings -----------------------------------------------------------------------------

    @Slot(object)
    def _on_window_settings_wanted(self, settings: Settings) -> None:
        before, self._settings = self._settings, settings
        try:
            self._files.save(self._without_overrides(settings))
        except OSError as error:
            self.window.board.show(
                SETTINGS_PROBLEM, reason=self.tr("Settings are not kept: {e}").format(e=error)
            )
        if settings.language != before.language or settings.time_zone != before.time_zone:
            self._speak()
            QTimer.singleShot(0, self._rebuild_window)
        self._dress()
        self.window.set_settings(settings)

    def _without_overrides(self, settings: Settings) -> Settings:
        """Leave out what holds for this run only, as long as the person has not changed it."""
        kept = self._files.load()
        own = {
            name: getattr(kept, name)
            for name, value in self._overrides.items()
            if getattr(settings, name) == value
        }
        return settings.changed(**own)

    def _dress(self) -> None:
        settings = self._settings
        theme.choose_theme(self._app, settings.theme)
        theme.appearance().set_density(settings.row_density)
        theme.appearance().set_reduced_motion(settings.reduced_motion)

    def _speak(self) -> None:
        """Put the language and the formats of the settings in force."""
        for translator in self._translators:
            self._app.removeTranslator(translator)
        chosen = self._settings.language
        locale = _locale(chosen)
        code = locale.name().partition("_")[0]
        own = QTranslator(self)
        catalogues = resource("i18n")
        spoken = code if (catalogues / f"workbench_{code}.qm").exists() else "en"
        own.load(str(catalogues / f"workbench_{spoken}.qm"))
        qt = QTranslator(self)
        qt.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        self._translators = [own, qt]
        for translator in self._translators:
            self._app.installTranslator(translator)
        zone = UTC if self._settings.time_zone == "utc" else None
        text.use_format(text.Format(locale, zone))

    @Slot()
    def _rebuild_window(self) -> None:
        """Make the window anew, in another language; store, selection and sight stay."""
        old = self.window
        old.keep_state()
        old.settings_wanted.disconnect(self._on_window_settings_wanted)
        self.window = self._make_window()
        self.window.take_sight(old)
        self.window.show()
        self.window.timeline.setFocus()
        self._crash_dialog.setParent(self.window, self._crash_dialog.windowFlags())
        old.hide()
        old.deleteLater()

    # -- the end ------------------------------------------------------------------------------

    def shut_down(self) -> None:
        """Stop watching, cancel reads, wait for the writer, close the store; in this order."""
        self.window.keep_state()
        self.session.close()
        self.operations.shutdown()
        self.doors.shelf.clear()
        self.reporter.uninstall()


class Photographer(QObject):
    """Waits until the window has nothing more to read, takes its picture, and ends the program."""

    def __init__(self, desk: Desk, picture: Picture) -> None:
        super().__init__(desk)
        self._desk, self._picture = desk, picture
        self.problem = ""
        self._was_resized = False
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._quiet.timeout.connect(self._on_quiet_timeout)
        self._late = QTimer(self, singleShot=True, interval=PICTURE_WAITS_MS)
        self._late.timeout.connect(self._on_late_timeout)
        desk.operations.settled.connect(self._on_operations_settled)
        desk.doors.refused.connect(self._on_doors_refused)
        self._late.start()
        self._quiet.start()

    @Slot(object)
    def _on_operations_settled(self, ticket: object) -> None:
        if getattr(ticket, "key", ("",))[0] != "watch":
            self._quiet.start()

    @Slot()
    def _on_quiet_timeout(self) -> None:
        busy = [it for it in self._desk.operations.tickets if it.key[0] != "watch"]
        subject = self._subject()
        is_resized = subject.size() == QSize(*self._picture.size) or self._was_resized
        if busy or not is_resized:
            self._was_resized = not busy
            subject.resize(*self._picture.size)
            self._quiet.start()
            return
        self._take()

    def _take(self) -> None:
        path = self._picture.path
        if not self._subject().grab().save(str(path)):
            self.problem = f"The picture could not be written to {path}."
        QApplication.exit(1 if self.problem else 0)

    def _subject(self) -> QWidget:
        """Return the dialog that was asked for, if one is open, else the window."""
        shown = (w for w in QApplication.topLevelWidgets() if w.isVisible())
        return next((w for w in shown if isinstance(w, QDialog)), self._desk.window)

    @Slot()
    def _on_late_timeout(self) -> None:
        self.problem = "The window was not ready after a minute; no picture was taken."
        QApplication.exit(1)

    @Slot(object, object)
    def _on_doors_refused(self, wish: Wish, error: StoreError) -> None:
        if isinstance(error, ReadOnly) and not wish.read_only:
            self._desk.doors.open(replace(wish, read_only=True))  # a picture writes nothing
            return
        self.problem = str(error)
        QApplication.exit(1)


def run_workbench(
    store_location: str | None,
    *,
    tenant: str | None = None,
    as_of: AsOf = NOW,
    screenshot: Path | None = None,
    size: tuple[int, int] = (1600, 900),
    theme: str | None = None,
    language: str | None = None,
    read_only: bool = False,
    subject: str | None = None,
    attribute: str | None = None,
    conflict: str | None = None,
) -> int:
    """Open the window, on a store if one is named, and work until it is closed.

    Args:
        store_location: path or URL, or a link to a view, which says also what follows up to
            `as_of`, and what to select; None begins with the page that offers stores.
        tenant: the tenant to look at; the busiest if None.
        as_of: from where to look.
        screenshot: take a picture of the window instead of working with it.
        size: of the window for a picture, in logical pixels.
        theme: instead of the one in the settings, for this run.
        language: instead of the one in the settings, for this run.
        read_only: never write to the store.
        subject: what to select, alone or with an attribute.
        attribute: of the subject.
        conflict: id of a conflict to be shown for a decision.

    Returns:
        The exit status: 0, or 1 with a sentence on standard error.

    Raises:
        Invalid: it is a link that cannot be read.
    """
    wish = None
    if store_location is not None and is_link(store_location):
        wish = replace(Wish.of_link(store_location), read_only=read_only)
    elif store_location is not None:
        wish = Wish(
            store_location,
            tenant,
            as_of,
            read_only=read_only,
            subject=subject,
            attribute=attribute,
            conflict_id=conflict,
        )
    folders = Folders.of_user()
    fresh = TemporaryDirectory() if screenshot is not None else None
    if fresh is not None:
        # A picture shows the window as it is first met, and leaves no trace in the settings.
        folders = replace(folders, config=Path(fresh.name))
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("Memory Workbench")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("memory-workbench")
    started = log.start(folders.log)
    files = SettingsFile(folders.config)
    chosen = {"theme": theme, "language": language}
    overrides = {name: value for name, value in chosen.items() if value is not None}
    settings = files.load().changed(**overrides)
    desk = Desk(app, folders, started, settings=settings, files=files, overrides=overrides)
    if screenshot is None:
        desk.reporter.install(folders.log)
    photographer = None
    if wish is not None:
        desk.doors.open(wish)
    if screenshot is not None:
        desk.window.resize(*size)
        desk.window.lay_out_anew()
        photographer = Photographer(desk, Picture(screenshot, size))
    ending = EndingSignals(desk)
    # A picture that was not taken is a failure; work that was done is not.
    ending.asked.connect(lambda _number: QApplication.exit(0 if screenshot is None else 1))
    ending.install()
    desk.window.show()
    try:
        status = app.exec()
    finally:
        desk.shut_down()
        ending.uninstall()
        started.stop()
        if fresh is not None:
            fresh.cleanup()
    if photographer is not None and photographer.problem:
        sys.stderr.write(photographer.problem + "\n")
    return status
