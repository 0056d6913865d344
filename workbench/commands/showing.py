"""The commands that show a window: open and demo."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from store.audit.reading import is_snapshot, read_manifest
from store.errors import Invalid, NotAStore, NotFound, StoreError, TooOld, Unavailable, Unsupported
from store.open import open_store
from store.temporal import NOW, AsOf
from workbench import LINK_SCHEME
from workbench.commands import arguments, opening, output
from workbench.commands.arguments import Clock
from workbench.commands.working import work
from workbench.demo import DemoClock, DemoReport, make_demo
from workbench.folders import Folders
from workbench.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.contract import Cancel, Progress

DONE: Final = 0
DEMO_NAME: Final = "demo.db"
WINDOW_SIZE: Final = (1600, 900)
DISPLAY_VARIABLES: Final = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
_HOPELESS: Final = (NotFound, NotAStore, Invalid, Unsupported)
"""What no door of the window could do anything about."""


def open_window(
    location: str,
    *,
    tenant: str | None,
    valid_at: str | None,
    known_at: str | None,
    screenshot: str | None,
    size: str | None,
    theme: str | None,
    language: str | None,
    subject: str | None,
    attribute: str | None,
    conflict: str | None,
    zone: str | None,
    as_json: bool,
) -> int:
    """Open the window on a store or on the view of a link, or draw it into a picture."""
    place = location
    if location.strip().startswith(LINK_SCHEME):
        said = (tenant, valid_at, known_at, subject, attribute, conflict)
        if any(it is not None for it in said):
            raise arguments.wrong(
                "STORE", "A link says itself what to look at; leave the other options out."
            )
        place = _place_of(location)
    as_of = Clock.of(zone).as_of(valid_at, known_at)
    sides = WINDOW_SIZE if size is None else arguments.size(size)
    picture = None if screenshot is None else Path(screenshot)
    _look_first(place, is_picture=picture is not None)
    status = _run(
        location,
        tenant=tenant,
        as_of=as_of,
        screenshot=picture,
        size=sides,
        theme=theme,
        language=language,
        subject=subject,
        attribute=attribute,
        conflict=conflict,
    )
    if as_json:
        output.emit_document({"store": place, "screenshot": screenshot, "status": status})
    elif picture is not None and status == DONE:
        output.say(f"Drew {output.shown(str(picture), 400)}")
    return status


def demo(folder: str | None, *, opens: bool, as_json: bool) -> int:
    """Make the demo store where it is not there yet, and open it."""
    path = (Folders.of_user().data if folder is None else Path(folder)) / DEMO_NAME
    report = None if path.exists() else _make(path)
    if report is not None:
        output.note(f"Made the demo store {path}.")
    if as_json:
        output.emit_document(_demo_document(path, report))
    elif not opens:
        output.say(output.shown(str(path), 400))
    if not opens:
        return DONE
    sys.stdout.flush()
    return _run(str(path))


def _demo_document(path: Path, report: DemoReport | None) -> dict[str, Any]:
    made = {} if report is None else {"episodes": report.episodes, "acts": report.acts}
    return {"store": str(path), "made": report is not None, **made}


def _make(path: Path) -> DemoReport:
    """Make the demo store, so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".demo-") as name:
        making = Path(name) / DEMO_NAME
        clock = DemoClock()

        def make(progress: Progress, cancel: Cancel) -> DemoReport:
            with open_store(making, create=True, clock=clock, tool=opening.TOOL) as store:
                samples = resource("samples")
                return make_demo(
                    store, clock=clock, samples=samples, progress=progress, cancel=cancel
                )

        report = work("Making the demo store", make)
        # The store itself last: what is beside it belongs to it from the first moment on.
        beside = [file for file in Path(name).iterdir() if file != making]
        for file in (*beside, making):
            file.replace(path.parent / file.name)
    return report


def _place_of(link: str) -> str:
    """Return where the store of a link is.

    Raises:
        Invalid: the link cannot be read.
    """
    with _needing_qt():
        from workbench.links import read_link

    return read_link(link).location


def _look_first(location: str, *, is_picture: bool) -> None:
    """Fail here rather than in a window, where the window could not help."""
    if is_snapshot(Path(location)):
        read_manifest(Path(location))
        return
    try:
        opening.glance(location)
    except _HOPELESS:
        raise
    except (TooOld, Unavailable):
        return  # the window migrates the one and waits for the other
    except StoreError:
        if is_picture:
            raise


def _run(
    location: str,
    *,
    tenant: str | None = None,
    as_of: AsOf = NOW,
    screenshot: Path | None = None,
    size: tuple[int, int] = WINDOW_SIZE,
    theme: str | None = None,
    language: str | None = None,
    subject: str | None = None,
    attribute: str | None = None,
    conflict: str | None = None,
) -> int:
    if not _has_display():
        if screenshot is None:
            raise Unavailable(
                "No window can open: there is no display here (DISPLAY and WAYLAND_DISPLAY are "
                f"not set). Draw it into a picture: memory-workbench open {location} "
                "--screenshot window.png"
            )
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with _needing_qt():
        from workbench.app import run_workbench

    return run_workbench(
        location,
        tenant=tenant,
        as_of=as_of,
        screenshot=screenshot,
        size=size,
        theme=theme,
        language=language,
        subject=subject,
        attribute=attribute,
        conflict=conflict,
    )


@contextmanager
def _needing_qt() -> Iterator[None]:
    """Say in a sentence that Qt cannot be loaded."""
    try:
        yield
    except ImportError as error:
        if not (error.name or "").startswith(("PySide6", "shiboken6")):
            raise
        raise Unavailable(
            f"The window needs PySide6, which cannot be loaded here ({error}). "
            "The other commands work without it."
        ) from error


def _has_display() -> bool:
    if sys.platform != "linux":
        return True
    return any(os.environ.get(name) for name in DISPLAY_VARIABLES)
