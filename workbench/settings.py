"""What a person chose (`Settings`, a JSON file) and how they left the window (`WindowState`).

The preferences dialog is built from the titles, descriptions, limits and labels of the fields, so
a new choice needs a field here and nothing else.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from PySide6.QtCore import QByteArray, QCoreApplication, QSettings

from store.open import split_location
from workbench.text import QT_TRANSLATE_NOOP

_log = logging.getLogger(__name__)

KEPT_RECENT: Final = 12
KEPT_REASONS: Final = 8


@dataclass(frozen=True, slots=True)
class Shown:
    """How a field appears in the preferences: on which page, and its choices in words."""

    page: str
    labels: tuple[tuple[str, str], ...] = ()


_APPEARANCE = QT_TRANSLATE_NOOP("Settings", "Appearance")
_BEHAVIOUR = QT_TRANSLATE_NOOP("Settings", "Behaviour")


class Settings(BaseModel):
    """Everything that a person can choose; frozen, so a change makes a new one."""

    model_config = ConfigDict(frozen=True, extra="allow")

    theme: Annotated[
        Literal["system", "light", "dark", "contrast"],
        Field(title=QT_TRANSLATE_NOOP("Settings", "Theme")),
        Shown(
            _APPEARANCE,
            (
                ("system", QT_TRANSLATE_NOOP("Settings", "As the system")),
                ("light", QT_TRANSLATE_NOOP("Settings", "Light")),
                ("dark", QT_TRANSLATE_NOOP("Settings", "Dark")),
                ("contrast", QT_TRANSLATE_NOOP("Settings", "High contrast")),
            ),
        ),
    ] = "system"
    language: Annotated[
        Literal["system", "en", "es"],
        Field(title=QT_TRANSLATE_NOOP("Settings", "Language")),
        Shown(
            _APPEARANCE,
            (
                ("system", QT_TRANSLATE_NOOP("Settings", "As the system")),
                ("en", "English"),
                ("es", "Español"),
            ),
        ),
    ] = "system"
    row_density: Annotated[
        Literal["compact", "normal", "roomy"],
        Field(title=QT_TRANSLATE_NOOP("Settings", "Rows")),
        Shown(
            _APPEARANCE,
            (
                ("compact", QT_TRANSLATE_NOOP("Settings", "Compact")),
                ("normal", QT_TRANSLATE_NOOP("Settings", "Normal")),
                ("roomy", QT_TRANSLATE_NOOP("Settings", "Roomy")),
            ),
        ),
    ] = "normal"
    reduced_motion: Annotated[
        bool,
        Field(
            title=QT_TRANSLATE_NOOP("Settings", "Reduce motion"),
            description=QT_TRANSLATE_NOOP("Settings", "Nothing slides, fades or flashes."),
        ),
        Shown(_APPEARANCE),
    ] = False
    time_zone: Annotated[
        Literal["utc", "local"],
        Field(
            title=QT_TRANSLATE_NOOP("Settings", "Times are shown in"),
            description=QT_TRANSLATE_NOOP(
                "Settings", "The exact instant in UTC is always in the tool tip."
            ),
        ),
        Shown(
            _BEHAVIOUR,
            (
                ("utc", QT_TRANSLATE_NOOP("Settings", "UTC")),
                ("local", QT_TRANSLATE_NOOP("Settings", "This computer's zone")),
            ),
        ),
    ] = "utc"
    show_history: Annotated[
        bool,
        Field(
            title=QT_TRANSLATE_NOOP("Settings", "Show superseded beliefs"),
            description=QT_TRANSLATE_NOOP(
                "Settings", "Facts that were replaced stay visible as outlines."
            ),
        ),
        Shown(_BEHAVIOUR),
    ] = False
    follow_changes: Annotated[
        bool,
        Field(
            title=QT_TRANSLATE_NOOP("Settings", "Follow writes by other programs"),
            description=QT_TRANSLATE_NOOP("Settings", "New transactions appear within a second."),
        ),
        Shown(_BEHAVIOUR),
    ] = True
    actor: Annotated[
        str,
        Field(
            max_length=120,
            title=QT_TRANSLATE_NOOP("Settings", "Your name in the journal"),
            description=QT_TRANSLATE_NOOP(
                "Settings", "Stands as the actor of what you write; empty means operator."
            ),
        ),
        Shown(_BEHAVIOUR),
    ] = ""
    recent_stores: tuple[str, ...] = ()
    recent_reasons: tuple[str, ...] = ()

    def changed(self, **values: Any) -> Settings:
        """Give these settings with some fields changed.

        Raises:
            pydantic.ValidationError: a value breaks the field's limits.
        """
        return Settings.model_validate({**self.model_dump(), **values})

    def with_recent_store(self, url: str) -> Settings:
        """Give these settings with a store put first among the recent ones.

        A path is kept in full: the program may be started in another folder the next time.
        """
        if split_location(url)[1] == url:
            url = os.path.abspath(url)
        others = tuple(known for known in self.recent_stores if known != url)
        return self.changed(recent_stores=(url, *others)[:KEPT_RECENT])

    def without_recent_store(self, url: str) -> Settings:
        """Give these settings with a store forgotten."""
        return self.changed(recent_stores=tuple(it for it in self.recent_stores if it != url))

    def with_recent_reason(self, reason: str) -> Settings:
        """Give these settings with a reason put first among those that are offered."""
        others = tuple(known for known in self.recent_reasons if known != reason)
        return self.changed(recent_reasons=(reason, *others)[:KEPT_REASONS])


@dataclass(frozen=True, slots=True)
class SettingField:
    """A choice as the preferences show it, in the language in force.

    Attributes:
        name: the field of `Settings`.
        kind: ``choice``, ``bool`` or ``text``.
        choices: pairs (value, words), for a choice.
        max_length: the longest text, for a text.
    """

    name: str
    page: str
    title: str
    description: str
    kind: Literal["choice", "bool", "text"]
    choices: tuple[tuple[str, str], ...] = ()
    max_length: int = 0


def setting_fields() -> tuple[SettingField, ...]:
    """List what the preferences offer, page by page, in the language in force."""
    found = []
    for name, info in Settings.model_fields.items():
        shown = next((extra for extra in info.metadata if isinstance(extra, Shown)), None)
        if shown is None:
            continue
        limits = [limit for extra in info.metadata if (limit := getattr(extra, "max_length", 0))]
        kind: Literal["choice", "bool", "text"] = "text"
        if info.annotation is bool:
            kind = "bool"
        elif get_args(info.annotation):
            kind = "choice"
        found.append(
            SettingField(
                name=name,
                page=_translated(shown.page),
                title=_translated(info.title or name),
                description=_translated(info.description or ""),
                kind=kind,
                choices=tuple((value, _translated(words)) for value, words in shown.labels),
                max_length=limits[0] if limits else 0,
            )
        )
    return tuple(found)


def _translated(source: str) -> str:
    return QCoreApplication.translate("Settings", source) if source else ""


class SettingsFile:
    """The settings on disk: read once at the start, written whole at each change.

    Attributes:
        path: the JSON file.
        problem: a sentence for the person about a file that could not be read, or "".
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "settings.json"
        self.problem = ""

    def load(self) -> Settings:
        """Read the settings; what cannot be used becomes the default and is said in `problem`."""
        self.problem = ""
        try:
            raw = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return Settings()
        except (OSError, ValueError) as error:
            return self._give_up(str(error))
        if not isinstance(raw, dict):
            return self._give_up("it holds no JSON object")
        return self._validated(raw)

    def save(self, settings: Settings) -> None:
        """Write the settings so that a crash leaves the old file or the new one, never half.

        Raises:
            OSError: the folder cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(settings.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".settings-", suffix=".json")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self.path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _validated(self, raw: dict[str, Any]) -> Settings:
        unknown = sorted(set(raw) - set(Settings.model_fields))
        if unknown:
            _log.warning("Settings of another version are kept untouched: %s", ", ".join(unknown))
        try:
            return Settings.model_validate(raw)
        except ValidationError as error:
            bad = {str(problem["loc"][0]) for problem in error.errors()}
            self._keep_aside(", ".join(sorted(bad)))
            return Settings.model_validate({k: v for k, v in raw.items() if k not in bad})

    def _give_up(self, why: str) -> Settings:
        self._keep_aside(why)
        return Settings()

    def _keep_aside(self, why: str) -> None:
        aside = self.path.with_suffix(".broken.json")
        _log.warning("Settings in %s not usable: %s", self.path, why)
        try:
            aside.write_bytes(self.path.read_bytes())
        except OSError:
            said = QCoreApplication.translate(
                "Settings",
                "The settings could not be read, so defaults are used where needed. ({reason})",
            )
        else:
            said = QCoreApplication.translate(
                "Settings",
                "The settings could not be read, so defaults are used where needed; "
                "the file is kept as {file}. ({reason})",
            )
        self.problem = said.format(file=aside, reason=why)


class WindowState:
    """Where windows and columns were left: opaque bytes by name, in an ini file of Qt's."""

    def __init__(self, folder: Path) -> None:
        self._file = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)

    def load(self, name: str) -> QByteArray | None:
        """Give the bytes kept under a name, or None."""
        kept = self._file.value(name)
        return kept if isinstance(kept, QByteArray) and not kept.isEmpty() else None

    def keep(self, name: str, state: QByteArray) -> None:
        """Keep bytes under a name."""
        self._file.setValue(name, state)

    def forget(self) -> None:
        """Drop everything, so that the next start has the original layout."""
        self._file.clear()

    def flush(self) -> None:
        """Write to disk now rather than soon."""
        self._file.sync()
