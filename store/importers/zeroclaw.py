"""ZeroClaw's memory: `brain.db` in any of its shapes, and the Markdown files.

What becomes of a row of `memories`:

* Every row becomes an episode that keeps its content, and in its metadata every other field but the
  embedding. An episode's id names the row and this state of it, so a row that ZeroClaw overwrote
  becomes a further episode.
* A row becomes a fact as far as ZeroClaw's fields allow: the subject is the agent (`default` where
  there is none), the attribute its key, the value its content, the type its category. It holds from
  `updated_at`, the time at which ZeroClaw stored this text, which only assumes that it was true
  from then on. Keys of a named agent belong to that agent; those of `default`, where ZeroClaw puts
  what it cannot attribute, are shared.
* Autosaved conversation stays an episode: somebody said it, nobody concluded it.
* A row with `superseded_by` becomes a fact like any other. ZeroClaw sets the mark where another
  text was similar, which is no contradiction: with keyword search alone any shared word suffices.
  It says neither when nor whether the statement ceased to hold. So the mark is kept in the
  episode's metadata and counted, and nothing is ended by it.

Markdown carries no times. A line holds from the date in its file's name, else from the time at
which the file was modified when the line was first imported, plus a microsecond for each line, so
that of repeated keys the last line is current. A line is recognised by file, key and text, so
lines inserted above it change nothing; the time it got first is remembered by its episode. Lines
without a key stay episodes.
"""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from store.canonical import canonical
from store.errors import Invalid, NotFound, Unavailable
from store.importers import LONGEST_CONTENT, Importer, Piece, Place, checked
from store.importers.snapshot import copy_database, sqlite_driver
from store.model import SHARED, EpisodeDraft, EpisodeKind, MemoryDelta, Span
from store.temporal import Basis, Precision, from_micros, parse_instant, to_micros

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from store.importers import Reading

DEFAULT_AGENT: Final = "default"
LARGEST_MARKDOWN: Final = 16 << 20
MOST_LINES: Final = 100_000
MOST_FILES: Final = 10_000
LONGEST_FIELD: Final = 10_000
"""Characters of any field but the content."""

_CONVERSATION: Final = "conversation"
_PROBE_KEY: Final = "__selftest_probe__"
_AUTOSAVED: Final = ("user_msg", "assistant_resp", "webhook_msg_")
_NEEDED: Final = ("id", "key", "content", "created_at")
_MOST_COLUMNS: Final = 64
_STEPS_BETWEEN_CHECKS: Final = 100_000

_NO_ROOM: Final = "has_no_room"
"""In the metadata of a line that was given no instant of its own, so that it gets none later."""
_DATED: Final = re.compile(r"\d{4}-\d\d-\d\d")
_KEYED: Final = re.compile(r"(?:-\s+)?\*\*(?P<key>.+?)\*\*:\s*(?P<value>\S.*)")


@dataclass(frozen=True, slots=True)
class _Database:
    """A copy of a `brain.db`."""

    shown: str
    copy: Path
    rows: int


@dataclass(frozen=True, slots=True)
class _Markdown:
    """A copy of a Markdown file.

    Attributes:
        label: what names the file wherever the folder lies: the agent and the path within.
        modified_at: in microseconds since 1970.
    """

    shown: str
    label: str
    agent: str
    category: str
    copy: Path
    modified_at: int
    lines: int


@dataclass(slots=True)
class _Line:
    """A line of a Markdown file that says something.

    Attributes:
        number: counted from 1.
        at: when it was first read, and so when it holds from, in microseconds since 1970; None
            until that is known.
        has_no_room: whether there is no instant between the lines around it.
    """

    number: int
    text: str
    episode_id: str
    key: str = ""
    value: str = ""
    span: Span | None = None
    at: int | None = None
    has_no_room: bool = False


class ZeroclawImporter(Importer):
    """Reads a ZeroClaw install, one of its data folders, or a workspace.

    Everything is copied into a temporary folder first and read from there.

    Args:
        folder: where it lies.
        zone: zone of times without an offset and of the dates in file names; UTC if None.
    """

    kind = "zeroclaw"

    def __init__(self, folder: Path, *, zone: tzinfo | None = None) -> None:
        self.source = str(folder)
        self._folder = folder
        self._zone = zone
        self._stack = ExitStack()
        self._databases: list[_Database] = []
        self._markdown: list[_Markdown] = []
        self._unreadable: list[Piece] = []
        self._found_notes: list[str] = []
        self._superseded = 0
        self._done = 0

    def __enter__(self) -> Self:
        """Copy what there is.

        Raises:
            NotFound: there is no such folder.
            Invalid: nothing in it is ZeroClaw's.
            Unavailable: there is no room for the copies.
        """
        if not self._folder.is_dir():
            raise NotFound(f"There is no folder {self._folder}.")
        self._databases, self._markdown = [], []
        self._unreadable, self._found_notes = [], []
        with ExitStack() as stack:
            try:
                name = stack.enter_context(
                    tempfile.TemporaryDirectory(prefix="memory-workbench-import-")
                )
                self._collect(Path(name))
            except OSError as error:
                raise Unavailable(
                    f"{self._folder} cannot be copied for reading: {error.strerror or error}."
                ) from error
            self._stack = stack.pop_all()
        if not (self._databases or self._markdown or self._unreadable):
            self._stack.close()
            raise Invalid(
                f"{self._folder} holds no memory/brain.db, MEMORY.md or memory/*.md; name a "
                "ZeroClaw install, its data folder or a workspace."
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the copies."""
        self._stack.close()

    def pieces(self, reading: Reading) -> Iterator[Piece]:
        """Yield the rows of each `brain.db`, then the lines of each Markdown file."""
        self._done = self._superseded = 0
        yield from self._unreadable
        for database in self._databases:
            yield from self._rows(database, reading)
        for markdown in self._markdown:
            yield from self._lines(markdown, reading)

    def progress(self) -> tuple[int, int | None]:
        """Return how many rows and lines were read, and how many there are."""
        total = sum(d.rows for d in self._databases) + sum(m.lines for m in self._markdown)
        return min(self._done, total), total

    def notes(self) -> tuple[str, ...]:
        """Say what was left aside on purpose."""
        superseded = (
            f"Marked superseded_by, because another text was similar: {self._superseded:,}. Such "
            "facts stay open, and the mark is kept with their episodes."
        )
        return (*self._found_notes, *([superseded] if self._superseded else []))

    # -- finding and copying ------------------------------------------------------------------

    def _collect(self, target: Path) -> None:
        files = 0
        for number, (root, agent) in enumerate(self._roots().items()):
            folder = target / str(number)
            folder.mkdir()
            if (root / "memory" / "brain.db").exists():
                self._collect_database(root / "memory" / "brain.db", folder)
            for path in _markdown_files(root):
                files += 1
                if files > MOST_FILES:
                    raise Invalid(f"{self._folder} holds more than {MOST_FILES:,} Markdown files.")
                copy = folder / f"{files}.md"
                self._collect_markdown(path, copy, agent=agent, label=_label(root, path, agent))
            self._note_others(root)

    def _roots(self) -> dict[Path, str]:
        """Return the folders that may hold a memory, each once, with its agent."""
        seen: set[Path] = set()
        roots = {}
        for root, agent in self._possible_roots():
            real = root.resolve()
            if real not in seen:
                roots[root] = agent
            seen.add(real)
        return roots

    def _possible_roots(self) -> Iterator[tuple[Path, str]]:
        yield self._folder, _agent_of(self._folder)
        for name in ("data", "workspace"):
            if (self._folder / name).is_dir():
                yield self._folder / name, DEFAULT_AGENT
        named = self._configured_workspaces()
        agents = self._folder / "agents"
        for agent in sorted(agents.iterdir()) if agents.is_dir() else ():
            if agent.name not in named and (agent / "workspace").is_dir():
                yield agent / "workspace", agent.name
        for alias, workspace in named.items():
            if not self._is_inside(workspace):
                self._found_notes.append(
                    f"Not read: the workspace of {alias}, which lies elsewhere, in {workspace}."
                )
            elif workspace.is_dir():
                yield workspace, alias

    def _configured_workspaces(self) -> dict[str, Path]:
        """Return the workspaces for which `config.toml` names another folder."""
        try:
            text = (self._folder / "config.toml").read_text(encoding="utf-8")
            agents = tomllib.loads(text).get("agents", {})
        except (OSError, ValueError, RecursionError):
            return {}
        found = {}
        for alias, settings in agents.items() if isinstance(agents, dict) else ():
            workspace = settings.get("workspace") if isinstance(settings, dict) else None
            path = workspace.get("path") if isinstance(workspace, dict) else None
            if isinstance(path, str) and path and "\0" not in path:
                found[alias] = self._folder / path
        return found

    def _is_inside(self, path: Path) -> bool:
        try:
            return path.resolve().is_relative_to(self._folder.resolve())
        except RuntimeError:  # links that lead in a circle
            return False

    def _shown(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()

    def _collect_database(self, path: Path, folder: Path) -> None:
        shown = self._shown(path)
        try:
            self._check_ordinary(path)
            copy = copy_database(path, folder)
            with closing(_connect(copy)) as connection:
                rows = _count_rows(connection)
        except (Invalid, Unavailable) as error:
            self._unreadable.append(Piece(Place(shown), problem=str(error)))
        else:
            self._databases.append(_Database(shown, copy, rows))

    def _collect_markdown(self, path: Path, copy: Path, *, agent: str, label: str) -> None:
        shown = self._shown(path)
        try:
            self._check_ordinary(path)
            if path.stat().st_size > LARGEST_MARKDOWN:
                raise Invalid(f"the file is larger than {LARGEST_MARKDOWN >> 20} MiB.")
            content = path.read_bytes()
            if content.count(b"\n") > MOST_LINES:
                raise Invalid(f"the file has more than {MOST_LINES:,} lines.")
            modified_at = path.stat().st_mtime_ns // 1000
        except Invalid as error:
            self._unreadable.append(Piece(Place(shown), problem=str(error)))
            return
        except OSError as error:
            said = f"the file cannot be read: {error.strerror or error}."
            self._unreadable.append(Piece(Place(shown), problem=said))
            return
        copy.write_bytes(content)
        category = "core" if path.name == "MEMORY.md" else "daily"
        lines = content.count(b"\n") + 1
        found = _Markdown(shown, label, agent, category, copy, modified_at, lines)
        self._markdown.append(found)

    def _check_ordinary(self, path: Path) -> None:
        if not self._is_inside(path):
            raise Invalid("this links to a file outside of the folder; import that by itself.")
        if not path.is_file():
            raise Invalid("this is not an ordinary file.")

    def _note_others(self, root: Path) -> None:
        others = {
            "memory/archive": "archived daily files",
            "memory/audit.db": "the audit trail",
            "MEMORY_SNAPSHOT.md": "a copy of rows of brain.db",
            "knowledge.db": "the graph of relationships",
            "agents/_deleted": "what deleted agents left",
        }
        for name, what in others.items():
            if (root / name).exists():
                self._found_notes.append(f"Not read: {self._shown(root / name)}, {what}.")

    # -- rows of brain.db ---------------------------------------------------------------------

    def _rows(self, database: _Database, reading: Reading) -> Iterator[Piece]:
        driver = sqlite_driver()
        with closing(_connect(database.copy)) as connection:
            connection.set_progress_handler(lambda: reading.is_cancelled, _STEPS_BETWEEN_CHECKS)
            try:
                for row in _select(connection):
                    self._done += 1
                    yield self._row_piece(database, row, reading)
            except driver.Error as error:
                reading.check()
                after = f" after {self._done:,} rows" if self._done else ""
                said = f"the database is damaged{after}: {error}."
                yield Piece(Place(database.shown), problem=said)

    def _row_piece(self, database: _Database, raw: Mapping[str, Any], reading: Reading) -> Piece:
        place = Place(database.shown, row=_shown_id(raw["id"]))
        dropped = ["embedding"] if raw["has_embedding"] else []
        try:
            row = _decoded(raw, dropped)
            episode, updated_at = self._row_episode(database, row)
        except Invalid as error:
            return Piece(place, problem=str(error), dropped=tuple(dropped))
        self._superseded += bool(row.get("superseded_by"))
        kept = Piece(place, episode, dropped=tuple(dropped), without_fact=_why_no_fact(row))
        if kept.without_fact:
            return kept
        try:
            delta = checked(
                MemoryDelta,
                tenant_id=reading.tenant_id,
                subject=row["agent"],
                attribute=row["key"],
                value=row["content"],
                valid_from=episode.occurred_at,
                source_episode_id=episode.episode_id,
                owner=_owner_of(row["agent"]),
                memory_type=row["category"],
                valid_from_basis=Basis.ASSUMED,
                stated_as=updated_at,
            )
        except Invalid as error:
            return replace(kept, problem=str(error))
        return replace(kept, delta=delta)

    def _row_episode(self, database: _Database, row: Mapping[str, Any]) -> tuple[EpisodeDraft, str]:
        created_at = row["created_at"]
        updated_at = row.get("updated_at") or created_at
        said_at = parse_instant(updated_at, self._zone)
        identity = [row[name] for name in ("id", "key", "content", "category")] + [
            created_at,
            updated_at,
            row.get("superseded_by"),
        ]
        metadata = {
            "source": self.kind,
            "file": database.shown,
            **{name: value for name, value in row.items() if name not in ("content", "session_id")},
        }
        episode = checked(
            EpisodeDraft,
            episode_id=f"zeroclaw:{_digest(identity)}",
            kind=EpisodeKind.MESSAGE if _is_conversation(row) else EpisodeKind.IMPORTED_ROW,
            content=row["content"],
            occurred_at=said_at.instant,
            agent_id=row["agent"],
            session_id=row.get("session_id"),
            metadata=metadata,
        )
        return episode, updated_at

    # -- lines of Markdown --------------------------------------------------------------------

    def _lines(self, markdown: _Markdown, reading: Reading) -> Iterator[Piece]:
        lines: list[_Line] = []
        seen: Counter[tuple[str, str]] = Counter()
        for number, raw in enumerate(markdown.copy.read_bytes().split(b"\n"), 1):
            self._done += 1
            try:
                text = _line_text(raw, is_first=number == 1)
            except Invalid as error:
                yield Piece(Place(markdown.shown, number), problem=str(error))
                continue
            if text and not text.startswith("#"):
                lines.append(_parsed_line(markdown, number, text, seen))
        base = _base_of(markdown, self._zone)
        for line in lines:
            known = reading.episode(line.episode_id)
            if known is not None:
                line.at = to_micros(known.occurred_at)
                line.has_no_room = bool(known.metadata.get(_NO_ROOM))
        _assign_times(lines, base)
        for line in lines:
            yield self._line_piece(markdown, line, base, reading)

    def _line_piece(self, markdown: _Markdown, line: _Line, base: int, reading: Reading) -> Piece:
        place = Place(markdown.shown, line.number)
        without_fact = "" if line.key else "lines without a key"
        metadata = {
            "source": self.kind,
            "file": markdown.shown,
            "line": line.number,
            "category": markdown.category,
            "agent": markdown.agent,
        }
        if line.key:
            metadata["key"] = line.key
        if line.has_no_room:
            metadata[_NO_ROOM] = True
            without_fact = "lines inserted between two that follow each other closely"
        try:
            episode = checked(
                EpisodeDraft,
                episode_id=line.episode_id,
                kind=EpisodeKind.IMPORTED_ROW,
                content=line.text,
                occurred_at=from_micros(base + line.number if line.at is None else line.at),
                agent_id=markdown.agent,
                metadata=metadata,
            )
        except Invalid as error:
            return Piece(place, problem=str(error))
        if without_fact:
            return Piece(place, episode, without_fact=without_fact)
        try:
            return Piece(place, episode, self._line_delta(markdown, line, episode, reading))
        except Invalid as error:
            return Piece(place, episode, problem=str(error))

    def _line_delta(
        self, markdown: _Markdown, line: _Line, episode: EpisodeDraft, reading: Reading
    ) -> MemoryDelta:
        return checked(
            MemoryDelta,
            tenant_id=reading.tenant_id,
            subject=markdown.agent,
            attribute=line.key,
            value=line.value,
            valid_from=episode.occurred_at,
            source_episode_id=episode.episode_id,
            owner=_owner_of(markdown.agent),
            span=line.span,
            memory_type=markdown.category,
            valid_from_basis=Basis.ASSUMED,
            precision=Precision.DAY if _date_in(markdown.label) else Precision.INSTANT,
        )


def _agent_of(folder: Path) -> str:
    """Return the agent whose workspace a folder is: `…/agents/<alias>/workspace`."""
    path = folder.resolve()
    is_workspace = path.name == "workspace" and path.parent.parent.name == "agents"
    return path.parent.name if is_workspace else DEFAULT_AGENT


def _owner_of(agent: str) -> str:
    return SHARED if agent == DEFAULT_AGENT else agent


def _markdown_files(root: Path) -> list[Path]:
    """Return the Markdown files of a memory; as in ZeroClaw, folders within are not looked into."""
    core = [root / "MEMORY.md"] if (root / "MEMORY.md").exists() else []
    memory = root / "memory"
    return core + (sorted(memory.glob("*.md")) if memory.is_dir() else [])


def _label(root: Path, path: Path, agent: str) -> str:
    return f"{agent}/{path.relative_to(root).as_posix()}"


def _digest(parts: Sequence[Any]) -> str:
    """Return 32 hexadecimal digits of a list of JSON values."""
    return sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()[:32]


# -- SQLite -----------------------------------------------------------------------------------


def _connect(copy: Path) -> Any:
    """Open a copy so that nothing in its schema is run but what we ask for.

    Raises:
        Invalid: it is damaged.
    """
    driver = sqlite_driver()
    connection = driver.connect(str(copy), isolation_level=None)
    try:
        connection.text_factory = bytes
        connection.row_factory = driver.Row
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        connection.execute("PRAGMA query_only = ON")
    except driver.Error as error:
        connection.close()
        raise Invalid(f"the database is damaged: {error}.") from error
    return connection


def _count_rows(connection: Any) -> int:
    """Return how many rows of memory a database holds.

    Raises:
        Invalid: its tables are not those of a ZeroClaw memory, or it is damaged.
    """
    driver = sqlite_driver()
    try:
        kinds = connection.execute(
            "SELECT type, sql FROM sqlite_master WHERE name = 'memories'"
        ).fetchall()
        ordinary = kinds and kinds[0][0] == b"table" and b"VIRTUAL" not in kinds[0][1].upper()
        if not ordinary:
            raise Invalid("this database has no table memories, so it is not ZeroClaw's.")
        missing = [name for name in _NEEDED if name not in _columns(connection)]
        if missing:
            raise Invalid(f"its table memories lacks the columns {', '.join(missing)}.")
        return int(connection.execute("SELECT count(*) FROM memories").fetchone()[0])
    except driver.Error as error:
        raise Invalid(f"the database is damaged: {error}.") from error


def _columns(connection: Any) -> list[str]:
    rows = connection.execute("PRAGMA table_info(memories)").fetchmany(_MOST_COLUMNS)
    return [row["name"].decode("utf-8", "replace") for row in rows]


def _select(connection: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows in the order of their making, texts as bytes, without their embeddings."""
    columns = _columns(connection)
    wanted = []
    for name in columns:
        quoted = '"' + name.replace('"', '""') + '"'
        if name == "embedding":
            wanted.append("m.embedding IS NOT NULL AS has_embedding")
            continue
        limit = 4 * (LONGEST_CONTENT if name == "content" else LONGEST_FIELD)
        wanted.append(
            f"CASE WHEN length(CAST(m.{quoted} AS BLOB)) <= {limit} THEN m.{quoted} END AS {quoted}"
        )
        if name == "content":
            wanted.append(f"length(CAST(m.content AS BLOB)) > {limit} AS is_too_long")
    joined = ""
    if "agent_id" in columns and _has_agents(connection):
        joined = " LEFT JOIN agents a ON a.id = m.agent_id"
        wanted.append("a.alias AS agent")
    query = f"SELECT {', '.join(wanted)} FROM memories m{joined} ORDER BY m.rowid"
    for row in connection.execute(query):
        yield {"has_embedding": False, **dict(row)}


def _has_agents(connection: Any) -> bool:
    kinds = connection.execute("SELECT type FROM sqlite_master WHERE name = 'agents'").fetchall()
    rows = connection.execute("PRAGMA table_info(agents)").fetchall()
    is_table = bool(kinds) and kinds[0][0] == b"table"
    return is_table and {b"id", b"alias"} <= {row["name"] for row in rows}


def _decoded(raw: Mapping[str, Any], dropped: list[str]) -> dict[str, Any]:
    """Return a row's fields as text and numbers; what says nothing is left out.

    Args:
        raw: as SQLite gives it.
        dropped: takes the names of further fields that are not text or numbers.

    Raises:
        Invalid: a field that is needed is missing, too long, or not text.
    """
    if raw["is_too_long"]:
        raise Invalid(f"the content is longer than {LONGEST_CONTENT:,} characters.")
    row: dict[str, Any] = {}
    for name, value in raw.items():
        if value is None or name in ("has_embedding", "is_too_long"):
            continue
        is_known = name in (*_NEEDED, "category", "updated_at", "agent", "agent_id")
        try:
            row[name] = _text(value, name) if isinstance(value, bytes) else value
            canonical(row[name])
        except Invalid:
            row.pop(name, None)
            if is_known:
                raise
            dropped.append(name)
    for name in _NEEDED:
        if not isinstance(row.get(name), str):
            raise Invalid(f"it has no {name} that is text.")
    row["category"] = str(row.get("category") or "core")
    row["agent"] = _agent_alias(row)
    return row


def _agent_alias(row: Mapping[str, Any]) -> str:
    return str(row.get("agent") or row.get("agent_id") or DEFAULT_AGENT)


def _text(value: bytes, name: str) -> str:
    try:
        text = value.decode()
    except UnicodeDecodeError as error:
        raise Invalid(f"its {name} is not text in UTF-8.") from error
    if "\0" in text:
        raise Invalid(f"its {name} holds a NUL character.")
    limit = LONGEST_CONTENT if name == "content" else LONGEST_FIELD
    if len(text) > limit:
        raise Invalid(f"its {name} is longer than {limit:,} characters.")
    return text


def _shown_id(value: object) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return text[:40]


def _is_conversation(row: Mapping[str, Any]) -> bool:
    return row["category"] == _CONVERSATION or str(row["key"]).startswith(_AUTOSAVED)


def _why_no_fact(row: Mapping[str, Any]) -> str:
    if row["key"] == _PROBE_KEY:
        return "probes of ZeroClaw's self-test"
    return "autosaved conversation" if _is_conversation(row) else ""


# -- Markdown ---------------------------------------------------------------------------------


def _line_text(raw: bytes, *, is_first: bool) -> str:
    try:
        text = raw.decode("utf-8-sig" if is_first else "utf-8").strip()
    except UnicodeDecodeError as error:
        raise Invalid("the line is not text in UTF-8.") from error
    if "\0" in text:
        raise Invalid("the line holds a NUL character.")
    if len(text) > LONGEST_CONTENT:
        raise Invalid(f"the line is longer than {LONGEST_CONTENT:,} characters.")
    return text


def _parsed_line(
    markdown: _Markdown, number: int, text: str, seen: Counter[tuple[str, str]]
) -> _Line:
    """Read a line; identical lines are told apart by their order."""
    match = _KEYED.fullmatch(text)
    key = match["key"].strip() if match else ""
    ordinal = seen[key, text]
    seen[key, text] += 1
    line = _Line(number, text, f"zeroclaw:{_digest([markdown.label, key, text, ordinal])}")
    if match and key:
        line.key, line.value = key, match["value"]
        line.span = Span(start=match.start("value"), end=match.end("value"))
    return line


def _date_in(label: str) -> str:
    """Return the date with which a file's name begins, "" without one."""
    match = _DATED.match(label.rpartition("/")[2])
    if match is None:
        return ""
    try:
        parse_instant(match[0])
    except Invalid:
        return ""
    return match[0]


def _base_of(markdown: _Markdown, zone: tzinfo | None) -> int:
    """Return the instant from which the lines of a file are counted, in microseconds."""
    date = _date_in(markdown.label)
    return to_micros(parse_instant(date, zone or UTC).instant) if date else markdown.modified_at


def _assign_times(lines: Sequence[_Line], base: int) -> None:
    """Give each new line an instant, so that on each key the order of the file is kept.

    A new line stands at the base plus a microsecond for each line above it, unless lines of the
    same key that are remembered leave only other instants: then just before the next of them, or
    just after the last. Where two of them follow each other without an instant between, there is
    no room for a line inserted there.
    """
    after: dict[str, int] = {}
    upper: list[int | None] = []
    for line in reversed(lines):
        upper.append(after.get(line.key) if line.key else None)
        if line.at is not None and not line.has_no_room:
            after[line.key] = min(line.at, after.get(line.key, line.at))
    lower: dict[str, int] = {}
    for line, before in zip(lines, reversed(upper), strict=True):
        if line.at is None:
            line.at = _between(lower.get(line.key) if line.key else None, before, base, line.number)
            line.has_no_room = line.at is None
        if line.at is not None and not line.has_no_room:
            lower[line.key] = max(line.at, lower.get(line.key, line.at))


def _between(lower: int | None, upper: int | None, base: int, number: int) -> int | None:
    at = base + number
    if upper is not None:
        at = min(at, upper - 1)
    if lower is not None:
        at = max(at, lower + 1)
    return at if upper is None or at < upper else None
